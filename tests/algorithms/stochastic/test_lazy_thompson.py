"""Lazy-DP-TS against plain Python that keeps every reward, and the argument behind its label."""

import math

import numpy as np
import pytest

from dpbandits.algorithms.stochastic.lazy_thompson import lazy_dp_ts
from dpbandits.randomness import run_seed, seed_sequence, streams
from tests.law import assert_same_law

MEANS = (0.2, 0.5, 0.8)
GAPS = np.array([0.6, 0.3, 0.0])


def plain(horizon, epsilon, reward, noise, rng):
    """Selected arms. reward(t, arm); noise(arm, batch): Laplace of scale 1/ε; rng: for θ and the order of the first
    pulls.
    """
    kept, released, batch, selections = [[] for _ in MEANS], [None] * 3, [0] * 3, []
    for t in range(1, horizon + 1):
        theta = []
        for entry in released:
            if entry is None:
                theta.append(math.inf)
                continue
            private_mean, observations = entry
            optimistic = max(0.0, min(private_mean + 3 * math.log(t) / (epsilon * observations), 1.0))
            theta.append(rng.beta(optimistic * observations + 1, (1 - optimistic) * observations + 1))
        arm = int(rng.choice(np.flatnonzero(np.array(theta) == max(theta))))
        selections.append(arm)
        kept[arm].append(reward(t, arm))
        if len(kept[arm]) == 2 ** batch[arm]:
            released[arm] = ((sum(kept[arm]) + noise(arm, batch[arm])) / len(kept[arm]), len(kept[arm]))
            kept[arm], batch[arm] = [], batch[arm] + 1
    return selections


def run(seed, horizon, epsilon, means=MEANS, checkpoints=None):
    rounds = np.array([horizon]) if checkpoints is None else checkpoints
    return lazy_dp_ts(np.array(means), horizon, rounds, streams(seed), epsilon)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon, horizon", [(20.0, 150), (2.0, 120), (1e9, 100)])
def test_same_law_as_the_plain_algorithm(epsilon, horizon):
    """The last one has neither noise nor bonus: lazy Thompson sampling without privacy."""
    rng, early, cell = np.random.default_rng(4), 30, seed_sequence(2, epsilon)
    twin, ours = [], []
    for _ in range(250):
        noise = lambda arm, batch: rng.laplace(0, 1 / epsilon)  # noqa: E731
        selections = plain(horizon, epsilon, lambda t, arm: rng.random() < MEANS[arm], noise, rng)
        twin.append((GAPS[selections[:early]].sum(), GAPS[selections].sum(), selections.count(0)))
    for r in range(2000):
        regret, pulls = run(run_seed(cell, r), horizon, epsilon, checkpoints=np.array([early, horizon]))
        ours.append((*regret, pulls[0]))
    for what, left, right in zip(
        ("early regret", "regret", "pulls of the worst arm"), np.transpose(ours), np.transpose(twin), strict=True
    ):
        assert_same_law(np.round(left, 6), np.round(right, 6), what)


@pytest.mark.parametrize("changed", [1, 2, 6, 20, 39])
def test_a_changed_reward_is_hidden_by_one_shift_of_one_noise(changed):
    """A shift by at most 1 of one noise of scale 1/ε undoes what a flipped reward does to all later selections: a
    factor exp(ε).
    """
    horizon, epsilon = 40, 0.7
    for seed in range(3):
        rewards = np.random.default_rng(seed).integers(0, 2, horizon + 1)
        draw = lambda arm, batch: np.random.default_rng((seed, arm, batch)).laplace(0, 1 / epsilon)  # noqa: E731, B023
        before = plain(horizon, epsilon, lambda t, arm: int(rewards[t]), draw, np.random.default_rng(1))  # noqa: B023
        arm = before[changed - 1]
        batch = (before[:changed].count(arm)).bit_length() - 1  # reward number n of its arm is in batch ⌊lg n⌋, from 0
        change = 1 - 2 * int(rewards[changed])
        rewards[changed] += change
        shifted = lambda a, b: draw(a, b) - change * ((a, b) == (arm, batch))  # noqa: E731, B023
        assert plain(horizon, epsilon, lambda t, arm: int(rewards[t]), shifted, np.random.default_rng(1)) == before  # noqa: B023


def test_pulls_and_regret_fit_together():
    rounds = np.array([1, 2, 3, 10, 64, 500])
    regret, pulls = run(seed_sequence(5), 500, 1.0, checkpoints=rounds)
    assert pulls.sum() == 500 and (pulls > 0).all()
    for t, value in zip(rounds, regret, strict=True):
        shorter, pulls = run(seed_sequence(5), t, 1.0)
        assert value == pytest.approx(shorter[0]) == pytest.approx(pulls @ GAPS)


def test_sure_rewards_and_equal_arms():
    for means in ([0.0, 1.0], [1.0, 1.0], [0.0, 0.0]):
        regret, pulls = run(seed_sequence(1), 2000, 5.0, means)
        assert regret[-1] == pytest.approx(pulls[0] * (means[1] - means[0])) and pulls.sum() == 2000
