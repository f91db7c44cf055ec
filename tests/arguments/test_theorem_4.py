"""The steps of Theorem 4's proof, at numbers that can be worked out."""

import math

import numpy as np
import pytest

from dpbandits.arguments import theorem_4
from dpbandits.bounds.catalogue import BOUNDS


def test_group_is_the_sum_of_steps():
    epsilon, delta, cost = 0.7, 0.01, 0.0
    for _ in range(5):
        cost = math.exp(epsilon) * cost + delta
    assert theorem_4.group(epsilon, delta, 5) == pytest.approx((3.5, cost))
    assert theorem_4.group(epsilon, delta, 1) == pytest.approx((epsilon, delta))
    assert theorem_4.group(0.0, delta, 5) == pytest.approx((0, 0.05))


def test_raising_makes_one_instance_the_other():
    rng = np.random.default_rng(1)
    rewards = (rng.random(400_000) < 0.25).astype(int)
    raised = theorem_4.raise_rewards(rewards, 0.25, rng)
    assert theorem_4.chance(0.25) == pytest.approx(2 / 3) and (raised >= rewards).all()
    assert raised.mean() == pytest.approx(0.75, abs=5 * math.sqrt(0.19 / 400_000))  # false alarm below 1e-6


@pytest.mark.parametrize("epsilon, delta, horizon", [(1.0, 0.0, 1e6), (0.1, 1e-6, 1e8), (0.5, 0.001, 1e7)])
def test_the_steps_end_at_a_fifth_and_at_the_theorem(epsilon, delta, horizon):
    found = theorem_4.steps(epsilon, delta, horizon, c0=0.5, alpha=0.3)
    assert found.carried == pytest.approx(0.2, abs=1e-9) and found.contradiction and found.seldom_1 == 0.75
    stated = BOUNDS["wang-zhu-theorem-4"].value(horizon=int(horizon), epsilon=epsilon, delta=delta, c0=0.5, alpha=0.3)
    assert found.regret >= stated > 0 and found.regret == pytest.approx(1.5 * stated)


@pytest.mark.slow
def test_a_private_algorithm_keeps_the_link_and_one_that_is_not_breaks_it():
    gap, plays = 0.25, 50
    allowed, _ = theorem_4.group(0.1, 0.0, plays * theorem_4.chance(gap))
    first, second = theorem_4.seldom("thompson-beta", plays, gap=gap, horizon=1000, runs=300)
    assert first > 0.6 and first > math.exp(allowed) * second + 0.3  # it tells the instances apart within 50 plays
    for plays in (1, 10):
        allowed, _ = theorem_4.group(0.1, 0.0, plays * theorem_4.chance(gap))
        first, second = theorem_4.seldom("dp-ucb", plays, gap=gap, horizon=1000, runs=300, epsilon=0.1)
        error = 5 * math.sqrt(0.25 / 300) * (1 + math.exp(allowed))  # false alarm below 1e-6
        assert 0.05 < first <= math.exp(allowed) * second + error
