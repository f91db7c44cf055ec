"""Expected rewards against enumeration, and the smoothness constants against random pairs of means."""

import itertools
import math

import numpy as np
import pytest

from dpbandits.environments.semibandit import max_coverage, rewards, super_arms, top_k
from dpbandits.environments.semibandit.instances import worth

SETS = [(0, 1, 2), (1, 3), (0, 2, 3)]
MEANS = np.array([0.2, 0.5, 0.9, 0.35])


def _by_enumeration(reward_of, means, arms):
    """E reward(X, S) over independent Bernoulli outcomes."""
    total = 0.0
    for outcomes in itertools.product((0, 1), repeat=len(arms)):
        chance = math.prod(means[a] if x else 1 - means[a] for a, x in zip(arms, outcomes, strict=True))
        total += chance * reward_of(outcomes, arms)
    return total


def _covered(outcomes, arms):
    target = [0, 1, 0, 1]
    return 2.5 * len({target[a] for a, x in zip(arms, outcomes, strict=True) if x})


def _own(outcomes, arms):
    """Three for the first arm, one for a pair that succeeds together."""
    return 3 * outcomes[0] + (outcomes[0] and outcomes[-1]) - 1


@pytest.mark.parametrize(
    "reward, reward_of",
    [
        (rewards.linear(1.5), lambda outcomes, arms: 1.5 * sum(outcomes)),
        (rewards.disjunctive(4, 2.0), lambda outcomes, arms: 2.0 * any(outcomes)),
        (rewards.coverage([0, 1, 0, 1], 2.5), _covered),
        (rewards.from_function(_own, SETS, "test"), _own),
    ],
    ids=["linear", "disjunctive", "coverage", "own"],
)
def test_expected_reward_is_the_expectation(reward, reward_of):
    for number, arms in enumerate(SETS):
        assert worth(reward, MEANS, arms, number) == pytest.approx(_by_enumeration(reward_of, MEANS, arms), abs=1e-14)


def test_a_given_function_is_called_with_arms_from_1():
    seen = set()
    super_arms([0.5, 0.5, 0.5], [(3, 1), (1, 2)], reward=lambda outcomes, arms: seen.add(arms) or sum(outcomes))
    assert seen == {(1, 3), (1, 2)}


INSTANCES = {
    "linear": top_k([0.1, 0.5, 0.6, 0.7], 3, smoothness=2.0),
    "average": top_k([0.1, 0.5, 0.6, 0.7], 3, "average"),
    "disjunctive": top_k([0.1, 0.5, 0.6, 0.7], 3, "disjunctive"),
    "coverage": max_coverage([(1, 1), (1, 2), (2, 1), (2, 3), (3, 2)], [0.5], 2, "exact"),
    "own": super_arms([0.5] * 4, [(1, 2, 3), (2, 4), (1, 3, 4)], _own, unequal=True),
}


@pytest.mark.parametrize(
    ("name", "by_hand"),
    [("linear", (2, 6)), ("average", (1 / 3, 1)), ("disjunctive", (1, 3)), ("coverage", (1, 4)), ("own", (4, 5))],
)
def test_smoothness_constants(name, by_hand):
    """They hold for random pairs of means, and no smaller ones do: near the steepest point they are nearly reached."""
    instance = INSTANCES[name]
    constants = (instance.smoothness_1, instance.smoothness_inf)
    assert constants == pytest.approx(by_hand)
    problem, rng, worst = instance.problem[0], np.random.default_rng(0), np.zeros(2)
    sets = instance.super_arms or list(itertools.combinations(range(instance.arms), 3))
    for _ in range(1000):
        number = rng.integers(len(sets))
        arms = list(sets[number])
        left = rng.random(instance.arms) if rng.random() < 0.5 else rng.integers(0, 2, instance.arms).astype(float)
        step = rng.random(instance.arms) * rng.integers(0, 2, instance.arms)
        right = np.clip(left + 1e-3 * step * np.where(left < 0.5, 1, -1), 0, 1)
        if not np.any(left[arms] != right[arms]):
            continue
        moved = abs(worth(problem.reward, left, arms, number) - worth(problem.reward, right, arms, number))
        apart = np.abs(left - right)[arms]
        worst = np.maximum(worst, [moved / apart.sum(), moved / apart.max()])
    assert (worst <= np.array(constants) * (1 + 1e-9)).all()
    assert worst[0] > 0.98 * constants[0]
    zero, all_up = np.zeros(instance.arms), np.full(instance.arms, 1e-6)
    if name != "own":  # at means near 0 every arm's slope is the largest one
        sizes = [len(s) for s in sets]
        widest = int(np.argmax(sizes))
        rise = worth(problem.reward, all_up, sets[widest], 0) - worth(problem.reward, zero, sets[widest], 0)
        assert rise / 1e-6 == pytest.approx(constants[1], rel=1e-5)
    else:  # 3 + 1 for the first arm and 1 for the last, where both succeed
        high = np.ones(4)
        rise = worth(problem.reward, high, (0, 2, 3), 2) - worth(problem.reward, high - 1e-6, (0, 2, 3), 2)
        assert rise / 1e-6 == pytest.approx(constants[1], rel=1e-5)


@pytest.mark.parametrize(
    "reward, words",
    [
        (lambda outcomes, arms: -sum(outcomes), "falls when the outcome of arm 1 in super arm .1, 2. rises"),
        (lambda outcomes, arms: math.nan, "gave nan, not a finite number"),
        (lambda outcomes, arms: "much", "not a finite number"),
        (lambda outcomes, arms: outcomes, "not a finite number"),
        (
            lambda outcomes: 1.0,
            r"reward\(outcomes\) is not allowed .super-arms.: it must be a function of \(outcomes, super_arm\)",
        ),
        ("sum", "reward = 'sum' is not allowed .*linear, average, disjunctive"),
    ],
)
def test_bad_rewards_are_refused(reward, words):
    with pytest.raises(ValueError, match=words):
        super_arms([0.5, 0.5], [(1, 2)], reward)


def test_a_large_table_is_refused():
    with pytest.raises(ValueError, match="at most 12 arms in a super arm, not 13"):
        super_arms([0.5] * 13, [tuple(range(1, 14))], lambda outcomes, arms: sum(outcomes))
