"""CUCB-DP-lazy: law of a plain twin on every kind of decision set, and the argument behind its label played out."""

import math

import numpy as np
import pytest

from dpbandits import catalogue
from dpbandits.algorithms.batches import nothing_released, take_in
from dpbandits.algorithms.semibandit.lazy import cucb_dp_lazy, lazy_index
from dpbandits.environments.semibandit import top_k
from dpbandits.randomness import run_seed, seed_sequence, streams
from tests.algorithms.semibandit import twins
from tests.algorithms.semibandit.games import GAMES
from tests.law import assert_same_law


def plain(game, horizon, epsilon, rng, draw=None, noise=None):
    """(regret, pulls, super arms). noise(arm, batch): Laplace of scale K/ε; draw(t): the outcomes of round t."""
    m, k = len(game.means), game.size
    draw = draw or (lambda t: game.draw(rng))
    noise = noise or (lambda arm, batch: rng.laplace(0, k / epsilon))
    buffer, last, batches = [[] for _ in range(m)], {}, [0] * m
    regret, pulls, played = 0.0, [0] * m, []
    for t in range(1, horizon + 1):
        index = []
        for arm in range(m):
            if arm not in last:
                index.append(1.0)
                continue
            released, n = last[arm]
            wide = released / n + math.sqrt(math.log(t) / n) + 2 * k * math.log(t) / (epsilon * n)
            index.append(min(max(wide, 0.0), 1.0))
        chosen = game.oracle(index, rng)
        outcomes = draw(t)
        regret += game.goal - game.reward(game.means, chosen)
        played.append(chosen)
        for arm in chosen:
            pulls[arm] += 1
            buffer[arm].append(outcomes[arm])
            if len(buffer[arm]) == 2 ** batches[arm]:
                last[arm] = (math.fsum(buffer[arm]) + noise(arm, batches[arm]), len(buffer[arm]))
                buffer[arm], batches[arm] = [], batches[arm] + 1
    return regret, pulls, played


def run(instance, seed, horizon, epsilon, checkpoints=None):
    rounds = np.array([horizon]) if checkpoints is None else checkpoints
    return cucb_dp_lazy(*instance.problem, horizon, rounds, streams(seed), epsilon)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [40.0, 1e9])
@pytest.mark.parametrize("game", GAMES)
def test_same_law_as_the_twin(game, epsilon):
    instance, twin = GAMES[game]
    rng, horizon, cell = np.random.default_rng(2), 70, seed_sequence(1, game)
    regret, pulls, _ = zip(*(plain(twin, horizon, epsilon, rng) for _ in range(120)), strict=True)
    fast = [run(instance, run_seed(cell, r), horizon, epsilon) for r in range(2000)]
    assert_same_law(np.round(regret, 9), np.round([r[-1] for r, _ in fast], 9), f"{game}: regret")
    for i in range(instance.arms):
        assert_same_law(np.array(pulls)[:, i], [p[i] for _, p in fast], f"{game}: pulls of arm {i + 1}")


@pytest.mark.parametrize("changed", [1, 2, 7, 30, 63])
@pytest.mark.parametrize("kind", ["top-k", "paths"])
def test_a_changed_user_is_hidden_by_a_shift_of_k_noises(kind, changed):
    """All outcomes of one user turned round: shifting the noise of the batches that hold them gives the same super arms
    to the end.

    There are at most K such batches and each shift is at most 1, against scales of K/ε: the price is at most exp(ε).
    """
    horizon, epsilon = 64, 6.0
    outcomes = np.random.default_rng(changed).random((horizon + 1, 5))

    def play(outcomes, shift):
        game = twins.top_k([0.05, 0.1, 0.2, 0.3, 0.1], 2)
        if kind == "paths":
            game = twins.Game([0.5] * 5, [(0, 1), (2, 3), (1, 3, 4)], twins.total, None)
        noise = lambda arm, batch: (
            np.random.default_rng((arm, batch)).laplace(0, game.size / epsilon) + shift.get((arm, batch), 0)
        )  # noqa: E731
        return game.size, plain(game, horizon, epsilon, np.random.default_rng(5), lambda t: outcomes[t], noise)[2]

    size, before = play(outcomes, {})
    turned = outcomes.copy()
    turned[changed] = 1 - turned[changed]
    shift = {}
    for arm in before[changed - 1]:
        number = sum(arm in chosen for chosen in before[:changed])  # this observation's number, from 1
        shift[arm, number.bit_length() - 1] = outcomes[changed, arm] - turned[changed, arm]
    assert play(turned, shift)[1] == before
    assert len(shift) <= size and sum(map(abs, shift.values())) * epsilon / size <= epsilon


def test_batches_hold_1_2_4_observations_and_forget():
    rng, batches = np.random.Generator(np.random.SFC64(1)), nothing_released(2)
    for n in range(1, 64):
        take_in(batches, 0, float(n), 0.0, rng)
        size = 1 << ((n + 1).bit_length() - 2)
        assert batches.size[0] == size and batches.waiting[0] == n - (2 * size - 1) and batches.observed[0] == n
        assert batches.mean[0] == pytest.approx(
            np.arange(size, 2 * size).mean()
        )  # the last complete batch: numbers size .. 2·size − 1
        assert size <= n <= 4 * size - 2
    assert batches.size[1] == 0 and math.isinf(batches.width[1])


@pytest.mark.slow
def test_the_noise_of_a_batch_has_its_scale():
    rng, batches = np.random.Generator(np.random.SFC64(2)), nothing_released(20_000)
    for n in (1, 2, 4):
        for _ in range(n):
            for arm in range(20_000):
                take_in(batches, arm, 0.5, 3.0, rng)
        noise = (batches.mean - 0.5) * n
        assert abs(np.abs(noise).mean() / 3 - 1) < 5 / math.sqrt(
            20_000
        )  # |Lap(3)| has mean and deviation 3; false alarm 6e-7


def test_index_by_hand():
    batches, index = nothing_released(3), np.empty(3)
    batches.size[:2], batches.share[:2], batches.width[:2], batches.mean[:2] = (
        (64, 4),
        (1 / 64, 0.25),
        (0.125, 0.5),
        (0.2, -30.0),
    )
    lazy_index(index, batches, 10, 2.0, 2.0)  # ln 10 = 2.302585: 0.2 + 1.517427/8 + 2·2.302585/64
    np.testing.assert_allclose(index, [0.2 + 0.189678 + 0.071956, 0.0, 1.0], atol=1e-6)
    lazy_index(index, batches, 10**6, 2.0, 0.1)
    assert index[0] == 1.0


def test_it_learns_where_the_tree_does_not():
    """T = 20,000, m = 20, K = 4, ε = 1: cucb-dp plays blindly up to 1.1·10⁶ rounds, this loses less than half of
    that.
    """
    instance = top_k([0.3] * 16 + [0.6] * 4, 4)
    lost = [run(instance, run_seed(seed_sequence(1), r), 20_000, 1.0)[0][-1] for r in range(5)]
    assert max(lost) < 0.5 * 20_000 * instance.facts["uniform_regret"]


def test_label():
    record = catalogue.algorithms()["cucb-dp-lazy"]
    label = record.guarantee(record.bind({"epsilon": 0.5}), top_k([0.1, 0.2, 0.3], 2), 100)
    assert (label.epsilon, label.delta, label.scope, label.status) == (0.5, 0, "transcript", "proved")
    assert "Realised rewards" in label.note
