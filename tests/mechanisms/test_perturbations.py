"""The perturbation laws of Wang & Zhu 2024, against scipy, numerical integration, limits and their own samplers."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from dpbandits.kernels import kernel
from dpbandits.mechanisms.perturbations import (
    LAWS,
    law,
    pulls_needed_beta,
    pulls_needed_gauss,
    two_sided_exponential,
    two_sided_reach,
    two_sided_width,
)
from tests.law import assert_follows, assert_variance

EPSILONS = st.one_of(st.just(0.0), st.floats(1e-6, 20))
DELTAS = st.one_of(st.just(0.0), st.floats(1e-9, 1))


def printed_cdf(x, pulls, centre, epsilon, delta):
    """Lemma 15's cdf as printed, for 0 < epsilon and 0 < delta."""
    rise = math.exp(epsilon) - 1
    half = math.log(rise / (2 * delta) + 1) / (pulls * epsilon)
    if x < centre - half:
        return 0.0
    if x > centre + half:
        return 1.0
    tail = ((rise / (2 * delta) + 1) * math.exp(-pulls * epsilon * abs(x - centre)) - 1) / rise * delta
    return tail if x <= centre else 1 - tail


def test_gauss_and_beta_are_scipys():
    x = np.linspace(-0.2, 1.2, 141)
    pairs = [
        (law("gauss", 10, 3), stats.norm(0.3, math.sqrt(0.2))),
        (law("beta", 10, 3), stats.beta(3 + 1 + 2, 7 + 1 + 2)),  # k = ⌊10/8⌋ + 1 = 2
        (law("beta", 7, 0), stats.beta(2, 9)),
        (law("beta", 8, 8), stats.beta(11, 3)),
        (law("beta-plain", 10, 3), stats.beta(4, 8)),
    ]
    for ours, theirs in pairs:
        np.testing.assert_allclose(ours.pdf(x), theirs.pdf(x), rtol=1e-10, atol=1e-300)
        np.testing.assert_allclose(ours.cdf(x), theirs.cdf(x), rtol=1e-10, atol=1e-300)
        np.testing.assert_allclose(ours.sf(x), theirs.sf(x), rtol=1e-10, atol=1e-300)
        p = np.linspace(0, 1, 21)
        np.testing.assert_allclose(ours.quantile(p), theirs.ppf(p), rtol=1e-9)
        assert ours.centre == pytest.approx(theirs.mean(), rel=1e-14)
        assert ours.deviation == pytest.approx(theirs.std(), rel=1e-14)


@pytest.mark.parametrize(("epsilon", "delta"), [(1, 0.01), (0.1, 1e-6), (3, 0.5), (0.5, 1), (10, 0.2)])
def test_lemma_15_is_the_print(epsilon, delta):
    ours = law("new", 5, 2, epsilon, delta)
    x = np.linspace(ours.support[0] - 0.1, ours.support[1] + 0.1, 301)
    np.testing.assert_allclose(ours.cdf(x), [printed_cdf(v, 5, 0.4, epsilon, delta) for v in x], atol=1e-13)
    np.testing.assert_allclose(ours.cdf(x) + ours.sf(x), 1, atol=1e-15)
    for a, b in [(x[0], 0.4), (0.4, x[-1]), (0.4, 0.5), (0.2, 0.45)]:
        mass = integrate.quad(ours.pdf, a, b, points=[p for p in (*ours.support, 0.4) if a < p < b] or None)[0]
        assert mass == pytest.approx(float(ours.cdf(b) - ours.cdf(a)), abs=1e-9)


def test_lemma_15_by_hand():
    # e^ε = 3, δ = 1/4: (e^ε − 1)/(2δ) + 1 = 5; F(x₀ + y/N) = (5·3^y − 1)/8 for y <= 0, half-width ln 5/ln 3.
    ours = law("new", 2, 1, math.log(3), 0.25)
    assert ours.reach == pytest.approx(math.log(5) / math.log(3), rel=1e-15)
    assert ours.cdf(0.5) == pytest.approx(0.5, rel=1e-15)
    assert ours.cdf(0.5 - 0.5) == pytest.approx((5 / 3 - 1) / 8, rel=1e-14)  # y = −1
    assert ours.cdf(0.5 + 0.5) == pytest.approx(1 - (5 / 3 - 1) / 8, rel=1e-14)
    assert ours.pdf(0.5) == pytest.approx(2 * 5 * math.log(3) / 8, rel=1e-14)


def test_lemma_15_limits():
    x = np.linspace(-1.01, 2, 61)
    uniform, laplace = stats.uniform(0.25 - 1 / 0.8, 2 / 0.8), stats.laplace(0.25, 1 / (4 * 0.5))
    for epsilon in (0, 1e-13, 1e-9):
        ours = law("new", 4, 1, epsilon, 0.1)
        np.testing.assert_allclose(ours.cdf(x), uniform.cdf(x), atol=1e-8)
        np.testing.assert_allclose(ours.pdf(x), uniform.pdf(x), atol=1e-7)
        np.testing.assert_allclose(ours.quantile([0, 0.1, 0.7, 1]), uniform.ppf([0, 0.1, 0.7, 1]), atol=1e-7)
        assert ours.reach == pytest.approx(5, rel=1e-7)
    for delta in (0, 1e-300, 1e-12):
        ours = law("new", 4, 1, 0.5, delta)
        np.testing.assert_allclose(ours.cdf(x), laplace.cdf(x), atol=1e-11)
        np.testing.assert_allclose(ours.pdf(x), laplace.pdf(x), atol=1e-10)
        np.testing.assert_allclose(ours.quantile([0.001, 0.1, 0.7]), laplace.ppf([0.001, 0.1, 0.7]), atol=1e-8)
    assert law("new", 4, 1, 0.5, 0).support == (-math.inf, math.inf)
    assert law("new", 4, 1, 0.5, 0).cdf(-200.0) == pytest.approx(math.exp(-0.5 * 4 * 200.25) / 2, rel=1e-12)


@pytest.mark.parametrize("epsilon", [50, 1000])
def test_lemma_15_with_a_large_epsilon(epsilon):
    # Nearly all mass sits within 1/(Nε); the half-width tends to 1/N + ln(1/(2δ))/(Nε).
    ours = law("new", 1, 0, epsilon, 1e-3)
    assert ours.reach == pytest.approx(1 + math.log(500) / epsilon, rel=1e-14)
    assert np.isfinite(ours.cdf(np.linspace(-2, 2, 101))).all()
    assert ours.cdf(-1 / epsilon) == pytest.approx(math.exp(-1) / 2, rel=1e-9)


def test_reach_is_smooth_across_its_two_formulas():
    for delta in (1e-9, 0.1, 0.5, 1.0):
        assert two_sided_reach(1.0, delta) == pytest.approx(math.log1p(math.expm1(1.0) / (2 * delta)), rel=1e-14)
    assert two_sided_reach(0.0, 0.05) == 10 and two_sided_reach(0.3, 0.0) == math.inf


@given(
    epsilon=EPSILONS,
    delta=DELTAS,
    share=st.floats(0, 1),
    pulls=st.integers(1, 10**6),
    name=st.sampled_from(LAWS),
    p=st.floats(1e-6, 1 - 1e-6),
)
def test_a_cdf_and_its_quantile(epsilon, delta, share, pulls, name, p):
    if epsilon == delta == 0:
        return
    ours = law(name, pulls, round(share * pulls), epsilon, delta)
    x = float(ours.quantile(p))
    slack = 1e-9 + 1e-15 * float(ours.pdf(x))  # x itself is rounded: allow for what that does to the cdf
    assert ours.support[0] - slack <= x <= ours.support[1] + slack
    assert float(ours.cdf(x)) == pytest.approx(p, rel=1e-7, abs=slack)
    assert float(ours.cdf(x) + ours.sf(x)) == pytest.approx(1, abs=1e-12)
    assert float(ours.cdf(ours.support[0])) <= slack and float(ours.sf(ours.support[1])) <= slack


@pytest.mark.parametrize(
    ("name", "epsilon", "delta"),
    [
        ("gauss", 1, 0.01),
        ("beta", 1, 0.01),
        ("beta-plain", 1, 0.01),
        ("new", 1, 0.01),
        ("new", 0.05, 0.3),
        ("new", 0, 0.3),
        ("new", 0.7, 0),
        ("new", 3, 1),
    ],
)
def test_samplers(name, epsilon, delta):
    ours = law(name, 17, 4, epsilon, delta)
    sample = ours.sample(np.random.default_rng(1), (100, 200))
    assert sample.shape == (100, 200)
    assert_follows(sample.ravel(), ours.cdf, name)
    assert isinstance(ours.sample(np.random.default_rng(1)), float)


@pytest.mark.parametrize(("epsilon", "delta"), [(1, 0.01), (0.05, 0.3), (0, 0.3), (0.7, 0)])
def test_two_sided_exponential_has_the_exact_variance(epsilon, delta):
    @kernel
    def draw(rng, epsilon, reach, out):
        for i in range(out.size):
            out[i] = two_sided_exponential(rng, epsilon, reach)

    out, reach = np.empty(200_000), two_sided_reach(float(epsilon), float(delta))
    draw(np.random.default_rng(2), float(epsilon), reach, out)
    ours = law("new", 1, 0, epsilon, delta)
    variance = 2 * integrate.quad(lambda y: y * y * ours.pdf(y), 0, min(reach, 60 / max(epsilon, 1e-9)), limit=200)[0]
    assert_variance(out, variance)
    assert np.abs(out).max() <= reach


def test_pulls_needed_by_hand():
    # 4πδ² = e/e^4 at δ = √(e^−3/(4π)): the log is 4 and 1/(4πδ²) = e³ = 20.09.
    delta = math.sqrt(math.exp(-3) / (4 * math.pi))
    assert pulls_needed_gauss(2, delta) == pytest.approx(1, rel=1e-12)  # 4/2²
    assert pulls_needed_gauss(0.1, delta) == pytest.approx(math.exp(3), rel=1e-12)
    assert pulls_needed_gauss(0, delta) == pytest.approx(math.exp(3), rel=1e-12)
    # 2πδ² = e^−3: the log is 4, 8000·4/81 = 395.06; 80e·e³/9 = 485.3; 1000e/(9π) = 96.14
    delta = math.sqrt(math.exp(-3) / (2 * math.pi))
    assert pulls_needed_beta(1, delta) == pytest.approx(32000 / 81, rel=1e-12)
    assert pulls_needed_beta(0.1, delta) == pytest.approx(80 * math.exp(4) / 9, rel=1e-12)
    assert pulls_needed_beta(0, delta) == pytest.approx(80 * math.exp(4) / 9, rel=1e-12)
    assert pulls_needed_beta(100, delta) == pytest.approx(1000 * math.e / (9 * math.pi), rel=1e-12)
    # δ so large that the log is negative: only the first term counts, although the second is smaller
    assert pulls_needed_gauss(1, 0.9) == pytest.approx(1 / (4 * math.pi * 0.81), rel=1e-12)
    assert pulls_needed_gauss(1, 0) == pulls_needed_beta(1, 0) == math.inf


@given(epsilon=EPSILONS, delta=st.floats(1e-6, 0.3), more=st.floats(1, 3))
@settings(max_examples=50)
def test_pulls_needed_fall_as_the_promise_weakens(epsilon, delta, more):
    for needed in (pulls_needed_gauss, pulls_needed_beta):
        assert needed(epsilon * more, delta) <= needed(epsilon, delta)
        assert needed(epsilon, min(delta * more, 0.3)) <= needed(epsilon, delta) * (1 + 1e-12)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("gaus", 10, 3), "gauss"),
        (("gauss", 0, 0), "pulls = 0"),
        (("beta", 10, 11), "total = 11"),
        (("new", 10, -1), "total = -1"),
        (("new", 10, 3, 0, 0), "epsilon = 0"),
        (("new", 10, 3, math.nan, 0.1), "epsilon = nan"),
        (("new", 10, 3, 1, 1.5), "delta = 1.5"),
    ],
)
def test_bad_input_is_named(arguments, words):
    with pytest.raises(ValueError, match=words):
        law(*arguments)


@pytest.mark.parametrize("epsilon, delta", [(1.0, 0.01), (1e-6, 0.2), (0.3, 0.0), (0.0, 0.05), (800.0, 1e-9)])
def test_two_sided_width_is_passed_once_in_odds(epsilon, delta):
    for odds in (2.0, 3.0, 1e6, 1e12):
        y = two_sided_width(epsilon, delta, odds)
        assert float(law("new", 1.0, 0.0, epsilon, delta).sf(y)) == pytest.approx(1 / odds, rel=1e-3)
    # the print, where it does not cancel
    e = math.e - 1
    assert two_sided_width(1.0, 0.01, 1e6) == pytest.approx(math.log((1e6 * e + 2e4) / (2 * e + 2e4)))


def test_pulls_needed_with_a_tiny_parameter():
    assert pulls_needed_gauss(1.0, 1e-200) == pytest.approx(1 - math.log(4 * math.pi) + 400 * math.log(10))
    assert pulls_needed_gauss(1e-200, 0.5) == pytest.approx(1 / math.pi)
