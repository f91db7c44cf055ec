"""DP-TS: law of a twin, and μ of its transcripts against every transcript of small games, enumerated."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import norm

from dpbandits import catalogue, simulate
from dpbandits.algorithms.stochastic.gauss_thompson import dp_ts, thompson_mu, transcript_mu
from dpbandits.environments import bernoulli
from dpbandits.mechanisms.gaussian import delta_from_mu
from dpbandits.randomness import run_seed, seed_sequence, streams
from tests.algorithms.stochastic import twins
from tests.law import assert_same_law

MEANS = (0.3, 0.4, 0.7)


def run(seed, horizon, pre_pulls=1, variance=1.0, means=MEANS, checkpoints=None):
    rounds = np.array([horizon]) if checkpoints is None else checkpoints
    return dp_ts(np.array(means), horizon, rounds, streams(seed), pre_pulls, variance)


@pytest.mark.slow
@pytest.mark.parametrize("pre_pulls, variance", [(0, 1.0), (1, 1.0), (7, 0.3), (3, 5.0)])
def test_same_law_as_the_twin(pre_pulls, variance):
    def draw(pulls, total, rng):
        return rng.normal(total / (pulls + 1), np.sqrt(variance / (pulls + 1)))

    rounds = np.array([2, 5, 30, 100])
    lost, pulls = twins.follow_the_perturbed_leader(MEANS, 100, pre_pulls, draw, 10_000, np.random.default_rng(1))
    cell = seed_sequence(2, pre_pulls, variance)
    ours = [run(run_seed(cell, r), 100, pre_pulls, variance, checkpoints=rounds) for r in range(5000)]
    for c, t in enumerate(rounds):
        assert_same_law(lost[:, t - 1].round(9), np.round([r[c] for r, _ in ours], 9), f"regret at {t}")
    for i in range(3):
        assert_same_law(pulls[:, i], [p[i] for _, p in ours], f"pulls of arm {i}")


def transcript_law(horizon, rewards, start, draw):
    """P(arms) of the rounds after `start`, by the exact probability that one of two independent Gaussians is the larger
    one.

    draw(sum, n) = (centre, variance) of an arm's θ; rewards[t]: what round t gives whatever is played.
    """
    law = {}
    for arms in itertools.product((0, 1), repeat=horizon - len(start)):
        played, chance = list(start), 1.0
        for arm in arms:
            seen = [[r for a, r in zip(played, rewards, strict=False) if a == i] for i in (0, 1)]
            (left, v), (right, w) = (draw(sum(s), len(s)) for s in seen)
            first = norm.cdf((left - right) / math.sqrt(v + w))
            chance *= first if arm == 0 else 1 - first
            played.append(arm)
        law[arms] = chance
    return law


def worst_delta(epsilon, horizon, start, draw):
    """The largest hockey-stick divergence between transcripts on rewards that differ in one round, over all rewards
    in {0, 1}.
    """
    laws = {
        rewards: transcript_law(horizon, rewards, start, draw)
        for rewards in itertools.product((0, 1), repeat=horizon - 1)
    }
    worst = 0.0
    for rewards, law in laws.items():
        for s in range(horizon - 1):
            other = laws[tuple(r ^ (t == s) for t, r in enumerate(rewards))]
            worst = max(worst, sum(max(0.0, p - math.exp(epsilon) * other[arms]) for arms, p in law.items()))
    return worst


@pytest.mark.parametrize("pre_pulls, variance", [(1, 1.0), (1, 0.2), (2, 1.0), (0, 1.0)])
def test_every_transcript_of_a_small_game_keeps_to_mu(pre_pulls, variance):
    start, horizon = (0,) * pre_pulls + (1,) * pre_pulls, 2 * pre_pulls + 3
    mu = transcript_mu(pre_pulls, variance, horizon, 2)
    assert mu == pytest.approx(math.sqrt((3 if pre_pulls else 2) / (variance * (max(pre_pulls, 1) + 1))))
    for epsilon in (0.0, 0.5, 1.5):
        found = worst_delta(epsilon, horizon, start, lambda total, n: (total / (n + 1), variance / (n + 1)))
        assert (0 < found or epsilon) and found <= delta_from_mu(epsilon, mu)


def test_thompson_gauss_keeps_to_its_mu():
    assert thompson_mu(5, 2) == pytest.approx(math.sqrt(1.5)) and thompson_mu(2, 3) == 0
    for start in ((0, 1), (1, 0)):  # each arm once, in random order
        for epsilon in (0.0, 0.5, 2.0):
            found = worst_delta(epsilon, 5, start, lambda total, n: (total / n, 2 / n))
            assert (0 < found or epsilon) and found <= delta_from_mu(epsilon, thompson_mu(5, 2))


def test_mu_by_hand():
    assert transcript_mu(1, 1.0, 10_000, 0) == pytest.approx(math.sqrt(9999 / 2))  # about sqrt(T/2)
    assert transcript_mu(100, 10.0, 10_000, 9) == pytest.approx(math.sqrt(9100 / 1010))
    assert transcript_mu(1000, 1.0, 5000, 9) == 0  # ends inside the start phase: no selection depends on a reward


@pytest.mark.slow
@pytest.mark.parametrize("pre_pulls", [0, 1, 40])
@pytest.mark.parametrize("horizon", [1, 2, 50, 121])
def test_pulls_and_regret_fit_together(pre_pulls, horizon):
    regret, pulls = run(seed_sequence(3), horizon, pre_pulls)
    assert pulls.sum() == horizon and regret[-1] == pytest.approx(pulls @ (0.7 - np.array(MEANS)))
    if horizon == 121:
        assert (pulls >= pre_pulls).all()


def test_without_privacy_in_mind_it_is_thompson_sampling():
    """b = 1 and c = 2, with many pulls, draws nearly what thompson_gauss draws: N(sum/(n + 1), 2/(n + 1)) against
    N(sum/n, 2/n).
    """
    regret = np.mean([run(run_seed(seed_sequence(8), r), 2000, 1, 2.0)[0][-1] for r in range(40)])
    blind = 2000 * np.mean(0.7 - np.array(MEANS))
    assert regret < blind / 4


def test_labels():
    record = catalogue.algorithms()["dp-ts"]
    given = record.bind({"pre_pulls": 100, "variance": 10.0})
    one, whole = record.guarantee(given), record.guarantee(given, bernoulli(MEANS), 5000)
    assert (one.scope, whole.scope, whole.status) == ("per-selection", "transcript", "proved")
    assert delta_from_mu(one.epsilon, 1 / math.sqrt(1010)) == pytest.approx(1e-6) == one.delta
    assert delta_from_mu(whole.epsilon, math.sqrt(4700 / 1010)) == pytest.approx(1e-6)
    assert record.guarantee(given, bernoulli(MEANS), 300).epsilon == 0
    notes = simulate("dp-ts", bernoulli(MEANS), horizon=300, runs=1, pre_pulls=100).attrs["notes"]
    assert "the start phase needs 100 pulls of each of 3 arms" in notes
    assert simulate("dp-ts", bernoulli(MEANS), horizon=300, runs=1, pre_pulls=0).attrs["notes"] == "[]"


@pytest.mark.parametrize("name, value", [("pre_pulls", -1), ("pre_pulls", 1.5), ("variance", 0)])
def test_bad_parameters(name, value):
    with pytest.raises(ValueError, match=f"{name} = {value}"):
        simulate("dp-ts", bernoulli(MEANS), horizon=10, **{name: value})
