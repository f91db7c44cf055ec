"""The thinned kernels: their parts against scipy, and the whole against the readable kernels."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from dpbandits.algorithms.stochastic.fast import beta, gauss, incomplete_beta, new
from dpbandits.algorithms.stochastic.fast.thinning import empty_rates, hit_arms, set_rate
from dpbandits.mechanisms.perturbations import law, two_sided_reach
from tests.algorithms.stochastic.play import assert_fast_is_plain, play
from tests.law import assert_follows

RNG = np.random.Generator(np.random.SFC64(5))


def sample(draw, *arguments, size=20000):
    return np.array([draw(RNG, *arguments) for _ in range(size)])


def test_every_arm_is_hit_as_often_as_its_rate_says_and_independently():
    rate = np.array([0.7, 0.0, 0.05, math.inf, 0.3, 1e-6, 2.5, 0.1, 0.4, 0.0, 1.2, 0.2])
    rates, blocks = empty_rates(rate.size)
    for i, r in enumerate(rate):
        set_rate(i, r, rates, blocks)
    runs, hit = 40000, np.empty(rate.size, np.int64)
    seen = np.zeros((runs, rate.size))
    for row in seen:
        row[hit[: hit_arms(RNG, rates, blocks, hit)]] = 1
    chance = 1 - np.exp(-rate)
    z = (seen.sum(axis=0) - runs * chance) / np.sqrt(runs * chance * (1 - chance) + 1e-3)
    assert np.abs(z[rate > 1e-3]).max() < 5.4 and not seen[:, rate == 0].any() and seen[:, 3].all()
    live = seen[:, (rate > 1e-3) & np.isfinite(rate)]
    correlation = np.corrcoef(live.T) - np.eye(live.shape[1])
    assert np.abs(correlation).max() * math.sqrt(runs) < 5.8  # 36 pairs, false alarm about 1e-6


def test_normal_rate():
    z = np.array([-30, -5, -1, 0, 0.5, 3, 8, 37])
    np.testing.assert_allclose([gauss.normal_rate(x) for x in z], -special.log_ndtr(z), rtol=1e-12)
    assert gauss.normal_rate(-50.0) == math.inf and gauss.normal_rate(50.0) == 0


@pytest.mark.parametrize("z", [-3.0, -0.6, 0.2, 0.6, 2.0, 6.0])
@pytest.mark.slow
def test_normal_tails(z):
    assert_follows(sample(gauss.normal_above, z), lambda x: 1 - stats.norm.sf(x) / stats.norm.sf(z), f"above {z}")
    assert_follows(sample(gauss.normal_below, -z), lambda x: stats.norm.cdf(x) / stats.norm.cdf(-z), f"below {-z}")


@pytest.mark.parametrize("epsilon, delta", [(1.0, 0.01), (0.2, 0.0), (0.0, 0.1), (0.1, 0.3), (5.0, 1e-6)])
@pytest.mark.slow
def test_new_tails(epsilon, delta):
    reach, theta = two_sided_reach(epsilon, delta), law("new", 1.0, 0.0, epsilon, delta)
    for p in (0.05, 0.4, 0.7, 0.999):
        y = float(theta.quantile(p))
        assert new.new_rate(y, epsilon, reach) == pytest.approx(-math.log(p), rel=1e-9)
        assert_follows(sample(new.new_above, y, epsilon, reach), lambda x: (theta.cdf(x) - p) / (1 - p), f"above {y}")  # noqa: B023
        assert_follows(sample(new.new_below, y, epsilon, reach), lambda x: theta.cdf(x) / p, f"below {y}")  # noqa: B023
    if delta > 0:
        assert new.new_rate(reach, epsilon, reach) == 0 and new.new_rate(-reach, epsilon, reach) == math.inf


@pytest.mark.parametrize("a, b", [(14.0, 14.0), (15.0, 90.0), (3000.0, 1200.0), (2e5, 3e5)])
def test_incomplete_beta_and_its_recurrence(a, b):
    theta = stats.beta(a, b)
    for z in (-6, -1, 0, 1.5, 6):
        c = min(max(theta.mean() + z * theta.std(), 1e-3), 1 - 1e-3)
        height = incomplete_beta.beta_kernel(c, a, b)
        assert height == pytest.approx(theta.pdf(c) * c * (1 - c), rel=1e-7)  # scipy's own error here is about 1e-8
        upper = incomplete_beta.upper_tail(c, a, b, height)
        assert upper == pytest.approx(special.betaincc(a, b, c), rel=1e-9)
        x, y, h, u = a, b, height, upper
        for success in (True, False, True, True, False) * 20:
            x, y, h, u = beta.one_more(c, x, y, h, u, success)
        assert (x, y) == (a + 60, b + 40)
        assert h == pytest.approx(incomplete_beta.beta_kernel(c, x, y), rel=1e-11)
        assert u == pytest.approx(special.betaincc(x, y, c), rel=1e-9, abs=1e-14)


@pytest.mark.parametrize("a, b", [(14.0, 20.0), (900.0, 400.0)])
@pytest.mark.slow
def test_beta_tails(a, b):
    theta = stats.beta(a, b)
    for p in (0.001, 0.2, 0.5, 0.8, 0.999):
        c = theta.ppf(p)
        assert_follows(sample(beta.beta_above, c, a, b, 1 - p), lambda x: (theta.cdf(x) - p) / (1 - p), f"above {c}")  # noqa: B023
        assert_follows(sample(beta.beta_below, c, a, b, 1 - p), lambda x: theta.cdf(x) / p, f"below {c}")  # noqa: B023


def test_thresholds_reach_their_target():
    centre, pulls = RNG.random(30), RNG.integers(1, 500, 30)
    deviation = np.sqrt(2 / pulls)
    c = gauss.normal_threshold(centre, deviation, 3.0)
    assert -special.log_ndtr((c - centre) / deviation).sum() == pytest.approx(3, rel=0.11)
    for epsilon, delta in ((1.0, 0.01), (0.1, 0.0), (0.0, 0.01)):
        reach = two_sided_reach(epsilon, delta)
        c = new.new_threshold(centre, pulls, epsilon, delta, reach, 3.0)
        assert sum(
            new.new_rate((c - m) * n, epsilon, reach) for m, n in zip(centre, pulls, strict=True)
        ) == pytest.approx(3, rel=0.11)


MANY = np.linspace(0.3, 0.8, 20)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name, means, horizon, epsilon, delta",
    [
        ("dp-ftpl-gauss", MANY, 400, 1.0, 0.05),
        ("dp-ftpl-gauss", [0.5, 0.6], 200, 1.0, 0.5),
        ("dp-ftpl-beta", MANY[10::2], 1600, 1.0, 0.5),
        ("dp-ftpl-new", MANY, 400, 1.0, 0.01),
        ("dp-ftpl-new", MANY, 400, 0.2, 0.0),
        ("dp-ftpl-new", MANY, 400, 0.0, 0.05),
        ("dp-ftpl-new", [0.4, 0.8, 0.8], 200, 1.0, 0.1),
    ],
)
def test_fast_kernels_have_the_law_of_the_plain_ones(name, means, horizon, epsilon, delta):
    assert_fast_is_plain(name, means, horizon, 4000, epsilon=epsilon, delta=delta)


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from(["dp-ftpl-gauss", "dp-ftpl-beta", "dp-ftpl-new"]),
    st.lists(st.floats(0, 1), min_size=2, max_size=20),
    st.integers(1, 3000),
    st.one_of(st.just(0.0), st.floats(1e-12, 1e6)),
    st.floats(1e-9, 1),
    st.integers(0, 99),
)
def test_any_allowed_setting_runs(name, means, horizon, epsilon, delta, seed):
    regret, pulls = play(name, means, horizon, seed, epsilon=epsilon, delta=delta, method="fast")
    assert pulls.sum() == horizon and np.isfinite(regret).all() and (np.diff(regret) >= -1e-9).all()
    assert regret[-1] == pytest.approx(pulls @ (max(means) - np.array(means)), abs=1e-9)
