"""AdaP-UCB and AdaP-KLUCB against plain Python that keeps every reward and plays round by round."""

import math
import random

import numpy as np
import pytest
from scipy.optimize import brentq

from dpbandits import catalogue, simulate
from dpbandits.algorithms.kl import kl
from dpbandits.algorithms.stochastic.doubling import adap_klucb, adap_ucb, klucb_index, ucb_index
from dpbandits.environments import build
from dpbandits.randomness import run_seed, seed_sequence, streams
from tests.law import assert_same_law

MEANS = np.array([0.2, 0.5, 0.8])


def plain_kl_bound(p, bound):
    p = min(1.0, max(0.0, p))
    if p == 1:
        return 1.0

    def excess(q):
        return sum(a * math.log(a / b) for a, b in ((p, q), (1 - p, 1 - q)) if a > 0) - bound

    return brentq(excess, p, 1 - 1e-16) if excess(1 - 1e-16) > 0 else 1.0


def plain(means, horizon, epsilon, alpha, kl, rng):
    """Selected arms, in order."""
    rewards, release, selections = [[] for _ in means], {}, []
    arm, until = None, 0
    for t in range(1, horizon + 1):
        if arm is None or len(rewards[arm]) == until:
            if arm is not None:  # the episode is over: its rewards, and no others, are released
                last = rewards[arm][-max(1, until // 2) :]
                sign = rng.choice((-1, 1))
                release[arm] = (sum(last) / len(last) + sign * rng.expovariate(epsilon * len(last)), len(last))
            index = []
            for i in range(len(means)):
                if i not in release:
                    index.append(math.inf)
                    continue
                mean, size = release[i]
                raised = mean + alpha * math.log(t) / (epsilon * size)
                if kl:
                    index.append(plain_kl_bound(raised, alpha * math.log(t) / size))
                else:
                    index.append(raised + math.sqrt(alpha * math.log(t) / (2 * size)))
            arm = rng.choice([i for i, value in enumerate(index) if value == max(index)])
            until = max(1, 2 * len(rewards[arm]))
        rewards[arm].append(rng.random() < means[arm])
        selections.append(arm)
    return selections


def run(kernel, seed, horizon, epsilon, alpha=3.1, means=MEANS, checkpoints=None):
    rounds = np.array([horizon]) if checkpoints is None else checkpoints
    return kernel(means, horizon, rounds, streams(seed), epsilon, alpha)


@pytest.mark.slow
@pytest.mark.parametrize("kernel, kl", [(adap_ucb, False), (adap_klucb, True)])
@pytest.mark.parametrize("epsilon, alpha, horizon", [(1.0, 3.1, 700), (0.3, 0.6, 500), (50.0, 0.1, 500)])
def test_same_law_as_the_plain_algorithm(kernel, kl, epsilon, alpha, horizon):
    rng, cell, early = random.Random(7), seed_sequence(3, kernel.__name__), 60
    twin, ours = [], []
    for _ in range(400):
        selections = plain(MEANS, horizon, epsilon, alpha, kl, rng)
        gaps = 0.8 - MEANS[selections]
        twin.append((gaps[:early].sum(), gaps.sum(), selections.count(1)))
    for r in range(3000):
        regret, pulls = run(kernel, run_seed(cell, r), horizon, epsilon, alpha, checkpoints=np.array([early, horizon]))
        ours.append((*regret, pulls[1]))
    names = ("early regret", "regret", "pulls of the second arm")
    for what, left, right in zip(names, np.transpose(ours), np.transpose(twin), strict=True):
        assert_same_law(np.round(left, 6), np.round(right, 6), what)


def test_indices_by_hand():
    log = math.log(50)
    assert ucb_index(0.4, 8, log, 0.5, 3.1) == pytest.approx(0.4 + math.sqrt(3.1 * log / 16) + 3.1 * log / 4)
    assert klucb_index(0.0, 64, log, 1e9, 3.1) == pytest.approx(3.1 * log / 64, abs=1e-6)  # kl(0, q) = −ln(1 − q)
    raised = 0.2 + 3.1 * log / 64
    assert kl(raised, -math.expm1(-klucb_index(0.2, 64, log, 1.0, 3.1))) == pytest.approx(3.1 * log / 64)
    assert klucb_index(0.9, 1, log, 1.0, 3.1) == klucb_index(7.0, 64, log, 1.0, 3.1) == 1e300
    assert klucb_index(-7.0, 64, log, 1.0, 3.1) == pytest.approx(3.1 * log / 64)


@pytest.mark.parametrize("kernel", [adap_ucb, adap_klucb])
def test_counts_are_powers_of_two_except_the_last_episode(kernel):
    for r in range(50):
        _, pulls = run(kernel, run_seed(seed_sequence(0), r), 1000 + r, 1.0)
        assert pulls.sum() == 1000 + r
        assert sum(int(n) & (int(n) - 1) != 0 for n in pulls) <= 1


@pytest.mark.parametrize("kernel", [adap_ucb, adap_klucb])
def test_regret_at_checkpoints_is_that_of_the_shorter_run(kernel):
    rounds = np.array([1, 2, 3, 4, 7, 64, 65, 100, 128, 500])
    regret, pulls = run(kernel, seed_sequence(5), 500, 1.0, checkpoints=rounds)
    for t, value in zip(rounds, regret, strict=True):
        shorter, pulls = run(kernel, seed_sequence(5), t, 1.0)
        assert value == pytest.approx(shorter[0]) == pytest.approx((pulls * (0.8 - MEANS)).sum())


def test_sure_rewards_and_equal_arms():
    for kernel in (adap_ucb, adap_klucb):
        for means in ([0.0, 1.0], [1.0, 1.0], [0.0, 0.0]):
            regret, pulls = run(kernel, seed_sequence(1), 2000, 2.0, means=np.array(means))
            assert regret[-1] == pulls[0] * (means[1] - means[0])
            assert pulls.sum() == 2000


def test_records():
    instance = build("wang-zhu-1")
    for name in ("adap-ucb", "adap-klucb"):
        record = catalogue.algorithms()[name]
        guarantee = record.guarantee(record.bind({"epsilon": 0.7}), instance, 1000)
        assert (guarantee.epsilon, guarantee.delta, guarantee.scope, guarantee.status) == (
            0.7,
            0.0,
            "transcript",
            "proved",
        )
        assert simulate(name, instance, horizon=100, runs=2, epsilon=0.7).sizes["run"] == 2
        with pytest.raises(ValueError, match="alpha = 0 is not allowed"):
            simulate(name, instance, horizon=100, alpha=0)


def test_an_unplayed_arm_comes_before_one_whose_bound_is_1():
    pulls = simulate("adap-klucb", "bernoulli", means=[1.0, 1.0, 0.0, 0.4], horizon=4, runs=50, epsilon=10.0).pulls
    assert (pulls == 1).all()
