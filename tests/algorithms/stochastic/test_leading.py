"""DP-FTPL by jumps over the rounds that a leader wins: parts against scipy, and the whole against the readable
kernels.
"""

import math

import numpy as np
import pytest
from scipy import special, stats

from dpbandits.algorithms.stochastic.fast import leading, leading_gauss, leading_new
from dpbandits.mechanisms.perturbations import law, two_sided_reach, two_sided_width
from tests.algorithms.stochastic.play import assert_fast_is_plain

RNG = np.random.Generator(np.random.SFC64(15))


def test_others_are_hit_as_often_as_their_rates_say():
    rates, hit = np.array([0.3, 0.0, 0.02, 1.5, 0.1]), np.empty(5, np.int64)
    runs, seen, rest_below = 40000, np.zeros(5), 0
    for _ in range(runs):
        count, rest = leading.hit_others(RNG, RNG.standard_exponential(), rates, hit)
        seen[hit[:count]] += 1
        rest_below += rest < 0.7
    chance = np.append(1 - np.exp(-rates), 1 - math.exp(-0.7))  # the last: an interval behind them, for the leader
    z = (np.append(seen, rest_below) - runs * chance) / np.sqrt(runs * chance * (1 - chance) + 1e-9)
    assert seen[1] == 0 and np.abs(z).max() < 5.4  # 5 counts, false alarm about 3e-7


def test_the_gaussian_leader_falls_below_no_more_often_than_its_interval_says():
    for pulls, ahead, c in ((50, 3.0, 0.5), (1000, 40.0, 0.6), (1000, -5.0, 0.6)):
        rate = leading_gauss.leader_rate(ahead, pulls)
        for grown in (1.0, leading.GROWTH):
            n = pulls * grown
            mean = (ahead + c * n) / n
            assert rate >= -stats.norm.logsf(c, mean, math.sqrt(2 / n)) * (1 - 1e-12)


def test_thresholds_have_about_the_least_rate():
    mean, pulls = np.array([0.3, 0.5, 0.7]), np.array([300, 900, 9000])
    deviation, rates = np.sqrt(2 / pulls), np.empty(3)
    c, rate = leading_gauss.best_threshold(rates, 2, mean, deviation, pulls, 20.0)
    others = -special.log_ndtr((c - mean[:2]) / deviation[:2]).sum()
    own = leading_gauss.leader_rate((0.7 - c) * 9000 - 20.0, 9000)
    assert rate == pytest.approx(others + own)
    least = min(leading_gauss.rate_at(x, rates, 2, mean, deviation, pulls, 20.0) for x in np.linspace(0.5, 0.7, 2001))
    assert rate <= 1.2 * least
    for epsilon, delta in ((1.0, 0.01), (0.1, 0.0), (0.0, 0.01)):
        reach, spread = two_sided_reach(epsilon, delta), two_sided_width(epsilon, delta, 1e8)
        c, rate = leading_new.best_threshold(rates, 2, mean, pulls, 20.0, epsilon, reach, spread)
        others = sum(
            -math.log(law("new", float(n), 0.0, epsilon, delta).cdf(c - m))
            for m, n in zip(mean[:2], pulls[:2], strict=True)
        )
        y = (mean[2] - c) * 9000 - 20.0
        own = -math.log(law("new", 1.0, 0.0, epsilon, delta).cdf(y))
        assert rate == pytest.approx(others + own, rel=1e-6)
        least = min(
            leading_new.rate_at(x, rates, 2, mean, pulls, 20.0, epsilon, reach) for x in np.linspace(0.5, 0.7, 2001)
        )
        assert rate <= 1.2 * least + 0.01  # a law that ends has a least h of 0


# Rounds enough for jumps to make up most of a run, and a case with 0 and 1 among the means. False alarm: 1e-6 a
# statistic.
@pytest.mark.slow
@pytest.mark.parametrize(
    "name, means, horizon, runs, epsilon, delta",
    [
        ("dp-ftpl-gauss", [0.5, 0.6, 0.9], 3000, 3000, 1.0, 0.5),
        ("dp-ftpl-gauss", [0.0, 0.3, 1.0], 1000, 3000, 1.0, 0.3),
        ("dp-ftpl-gauss", np.linspace(0.3, 0.7, 9), 12000, 800, 1.0, 0.05),
        ("dp-ftpl-new", [0.2, 0.6, 0.9], 3000, 3000, 1.0, 0.01),
        ("dp-ftpl-new", [0.0, 1.0], 1000, 3000, 10.0, 1e-10),
        ("dp-ftpl-new", [0.1, 0.9], 3000, 2000, 0.0, 0.1),
        ("dp-ftpl-new", [0.2, 0.5, 0.9], 4000, 2000, 0.1, 0.0),
        ("dp-ftpl-new", np.linspace(0.3, 0.7, 9), 12000, 800, 1.0, 0.01),
    ],
)
def test_jumps_have_the_law_of_the_readable_kernels(name, means, horizon, runs, epsilon, delta):
    assert_fast_is_plain(name, list(means), horizon, runs, epsilon=epsilon, delta=delta)
