"""cascade-dp-lazy: law of a plain twin, and the argument behind its label played out."""

import math

import numpy as np
import pytest

from dpbandits import catalogue, simulate
from dpbandits.algorithms.cascade.lazy import cascade_dp_lazy
from dpbandits.environments import build
from dpbandits.environments.cascade import cascade
from dpbandits.randomness import run_seed, seed_sequence, streams
from tests.law import assert_same_law


def plain(items, size, horizon, epsilon, rng, likes, noise=None):
    """(lists, first positions of each item). likes(t, item); noise(item, batch): Laplace of scale 1/ε."""
    noise = noise or (lambda item, batch: rng.laplace(0, 1 / epsilon))
    buffer, released, batch, stood = [[] for _ in range(items)], {}, [0] * items, [0] * items
    lists = []
    for t in range(1, horizon + 1):
        value = []
        for e in range(items):
            if e not in released:
                value.append(math.inf)
                continue
            total, n = released[e]
            value.append(total / n + math.sqrt(math.log(t) / n) + 2 * math.log(t) / (epsilon * n))
        shown = sorted(range(items), key=lambda e: (-value[e], rng.random()))[:size]
        fewest = min(stood[e] for e in shown)
        lead = rng.choice([e for e in shown if stood[e] == fewest])
        lists.append([lead, *(e for e in shown if e != lead)])
        stood[lead] += 1
        buffer[lead].append(int(likes(t, lead)))
        if len(buffer[lead]) == 2 ** batch[lead]:
            released[lead] = (sum(buffer[lead]) + noise(lead, batch[lead]), len(buffer[lead]))
            buffer[lead], batch[lead] = [], batch[lead] + 1
    return lists, stood


def run(instance, seed, horizon, epsilon, checkpoints=None):
    rounds = np.array([horizon]) if checkpoints is None else checkpoints
    return cascade_dp_lazy(*instance.problem, horizon, rounds, streams(seed), epsilon)


@pytest.mark.slow
@pytest.mark.parametrize(
    "means, size", [([0.7, 0.4, 0.3], 1), ([0.6, 0.3, 0.15], 3), ([0.6, 0.3, 0.1], 2), ([0.1, 0.5, 0.3, 0.05, 0.4], 2)]
)
@pytest.mark.parametrize("epsilon, horizon", [(8.0, 90), (1e9, 60)])
def test_same_law_as_the_twin(means, size, epsilon, horizon):
    rng, instance, cell = np.random.default_rng(2), cascade(means, size), seed_sequence(1, means, size)
    best = 1 - math.prod(1 - w for w in sorted(means)[-size:])
    regret, stood = [], []
    for _ in range(200):
        lists, counts = plain(len(means), size, horizon, epsilon, rng, lambda t, e: rng.random() < means[e])
        regret.append(sum(best - 1 + math.prod(1 - means[e] for e in shown) for shown in lists))
        stood.append(counts)
    fast = [run(instance, run_seed(cell, r), horizon, epsilon) for r in range(2000)]
    assert_same_law(np.round(regret, 6), np.round([r[-1] for r, _ in fast], 6), "regret")
    for e in range(len(means)):
        assert_same_law(np.array(stood)[:, e], [n[e] for _, n in fast], f"first positions of item {e}")


@pytest.mark.parametrize("changed", [1, 2, 5, 17, 49])
def test_a_changed_user_is_hidden_by_one_shift_of_one_noise(changed):
    """Another user in one round, whatever they like: shifting one noise by at most 1, against a scale of 1/ε, gives
    the same lists.
    """
    items, size, horizon, epsilon = 5, 3, 50, 0.6
    for seed in range(3):
        users = np.random.default_rng(seed).integers(0, 2, (horizon + 1, items))
        draw = lambda item, batch: np.random.default_rng((seed, item, batch)).laplace(0, 1 / epsilon)  # noqa: E731, B023
        before, _ = plain(items, size, horizon, epsilon, np.random.default_rng(9), lambda t, e: users[t, e], draw)  # noqa: B023
        lead = before[changed - 1][0]
        batch = int(sum(shown[0] == lead for shown in before[:changed])).bit_length() - 1
        change = 1 - 2 * int(users[changed, lead])
        users[changed] = 1 - users[changed]
        shifted = lambda e, b: draw(e, b) - change * ((e, b) == (lead, batch))  # noqa: E731, B023
        likes = lambda t, e: users[t, e]  # noqa: E731, B023
        assert plain(items, size, horizon, epsilon, np.random.default_rng(9), likes, shifted)[0] == before


def test_how_far_a_user_reads_changes_nothing():
    """Users who like what never leads, or nothing: the same seeds give the same first positions, since only 1{C = 1}
    is used.
    """
    rounds = 60
    later = np.zeros((rounds + 1, 3))
    for r in range(5):
        draw = lambda item, batch, r=r: np.random.default_rng((r, item, batch)).laplace(0, 1)  # noqa: E731
        lists, _ = plain(3, 3, rounds, 1.0, np.random.default_rng(r), lambda t, e: False, draw)
        for t, shown in enumerate(lists, 1):
            later[t] = 1
            later[t, shown[0]] = 0  # a click, but never at the first place
        assert plain(3, 3, rounds, 1.0, np.random.default_rng(r), lambda t, e: later[t, e], draw)[0] == lists


def test_counts_and_checkpoints():
    instance, rounds = cascade([0.1, 0.5, 0.3, 0.05, 0.4], 2), np.array([1, 5, 40, 300])
    regret, stood = run(instance, seed_sequence(3), 300, 1.0, rounds)
    assert stood.sum() == 300 and (stood > 0).all() and (np.diff(regret) >= 0).all()
    for t, value in zip(rounds, regret, strict=True):
        shorter, _ = run(instance, seed_sequence(3), t, 1.0)
        assert value == pytest.approx(shorter[-1])
    first = [run(instance, run_seed(seed_sequence(3), r), 5, 1.0)[1] for r in range(20)]
    assert (np.array(first) == 1).all()  # an item without a batch ranks first, and the least observed one leads


def test_certain_items_and_full_lists_cost_nothing():
    for means, size in (([1.0, 1.0, 1.0], 2), ([0.0, 0.0, 0.0], 2), ([0.5, 0.2], 2)):
        assert run(cascade(means, size), seed_sequence(2), 100, 1.0)[0][-1] == pytest.approx(0, abs=1e-12)


def test_label():
    record = catalogue.algorithms()["cascade-dp-lazy"]
    for list_size in (1, 4):
        label = record.guarantee(record.bind({"epsilon": 0.5}), build("cascade-paper", list_size=list_size), 100)
        assert (label.epsilon, label.delta, label.scope, label.status) == (0.5, 0, "transcript", "proved")
    run = simulate("cascade-dp-lazy", "cascade-paper", horizon=19, runs=1, workers=1)
    assert "before each of the 20 items stood first once" in run.attrs["notes"]
