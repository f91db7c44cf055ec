"""Selection probabilities of perturbed leaders, against adaptive quadrature, hand values and draws of θ."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from dpbandits.mechanisms.perturbations import law, two_sided_exponential, two_sided_reach
from dpbandits.privacy.selection import BetaDuel, selection_probabilities
from tests.law import FALSE_ALARM


def by_adaptive_quadrature(laws, span):
    """P(arm i has the largest θ), integrating over `span` in steps between the laws' quantiles."""
    grid = np.concatenate(
        [np.atleast_1d(one.quantile([0, 1e-9, 1e-4, 0.03, 0.3, 0.5, 0.7, 0.97, 1 - 1e-4, 1 - 1e-9, 1])) for one in laws]
    )
    grid = np.unique(np.clip(grid, *span))
    probabilities = []
    for i, one in enumerate(laws):
        others = [other for j, other in enumerate(laws) if j != i]

        def integrand(x, one=one, others=others):
            return float(one.pdf(x)) * math.prod(float(other.cdf(x)) for other in others)

        probabilities.append(
            sum(integrate.quad(integrand, a, b, epsabs=1e-14, epsrel=1e-12)[0] for a, b in itertools.pairwise(grid))
        )
    return np.array(probabilities)


CASES = [
    ([5, 9], [2, 3]),
    ([3, 300], [2, 150]),
    ([1, 40], [0, 31]),
    ([4, 4, 4], [1, 2, 3]),
    ([2, 60, 900], [1, 20, 400]),
]


@pytest.mark.parametrize("name", ["gauss", "beta", "beta-plain"])
@pytest.mark.parametrize(("pulls", "totals"), CASES)
def test_against_adaptive_quadrature(name, pulls, totals):
    laws = [law(name, n, r) for n, r in zip(pulls, totals, strict=True)]
    ours = selection_probabilities(name, pulls, totals, 1, 0.01, 1000)
    np.testing.assert_allclose(ours, by_adaptive_quadrature(laws, (-20, 20)), atol=1e-10)
    assert ours.sum() == pytest.approx(1, abs=1e-10)


@pytest.mark.parametrize(("epsilon", "delta"), [(1, 0.01), (0.1, 0), (0, 0.1), (2, 0.6), (1e-6, 0.01)])
def test_new_against_adaptive_quadrature(epsilon, delta):
    # the centre of Algorithm 3, written as printed: m̂ + √(ln T/N) + (1/(Nε)) ln[(T(e^ε−1) + 2Tδ)/(2(e^ε−1) + 2Tδ)]
    horizon = 1000
    rise = math.expm1(epsilon)
    width = (
        math.log((horizon * rise + 2 * horizon * delta) / (2 * rise + 2 * horizon * delta)) / epsilon
        if epsilon
        else (horizon - 2) / (2 * horizon * delta)
    )
    for pulls, totals in CASES:
        laws = []
        for n, r in zip(pulls, totals, strict=True):
            one = law("new", n, r, epsilon, delta)
            object.__setattr__(one, "total", n * (r / n + math.sqrt(math.log(horizon) / n) + width / n))
            laws.append(one)
        span = (min(max(one.support[0], -600) for one in laws), max(min(one.support[1], 600) for one in laws))
        ours = selection_probabilities("new", pulls, totals, epsilon, delta, horizon)
        np.testing.assert_allclose(ours, by_adaptive_quadrature(laws, span), atol=1e-9)


def test_by_hand():
    assert selection_probabilities("gauss", [8, 8], [5, 3], 1, 0.01, 99)[0] == pytest.approx(
        stats.norm.cdf(0.25 / math.sqrt(0.5)), rel=1e-13
    )
    # Beta(2, 1) against Beta(1, 2): P(X > Y) = ∫ 2x(2x − x²) dx = 4/3 − 1/2
    assert selection_probabilities("beta-plain", [1, 1], [1, 0], 1, 0.01, 99)[0] == pytest.approx(5 / 6, rel=1e-12)
    for name in ("gauss", "beta", "beta-plain", "new"):
        np.testing.assert_allclose(selection_probabilities(name, [7] * 5, [3] * 5, 1, 0.01, 99), 0.2, atol=1e-9)


def test_shapes_broadcast():
    pulls, totals = np.full((3, 1, 2), 6), np.array([[1, 2], [3, 3], [5, 0], [2, 1]])
    for name in ("gauss", "beta", "new"):
        many = selection_probabilities(name, pulls, totals, 1, 0.01, 50)
        assert many.shape == (3, 4, 2)
        np.testing.assert_allclose(many[1, 2], selection_probabilities(name, [6, 6], [5, 0], 1, 0.01, 50), atol=1e-14)


def test_new_against_draws_of_theta():
    rng, draws, horizon, epsilon, delta = np.random.default_rng(5), 20_000, 200, 0.5, 0.05
    pulls, totals = np.array([3.0, 4, 5]), np.array([1.0, 3, 5])
    reach = two_sided_reach(epsilon, delta)
    width = float(-law("new", 1, 0, epsilon, delta).quantile(1 / horizon))
    noise = np.array([[two_sided_exponential.py_func(rng, epsilon, reach) for _ in range(3)] for _ in range(draws)])
    theta = totals / pulls + np.sqrt(np.log(horizon) / pulls) + (width + noise) / pulls
    counts = np.bincount(theta.argmax(axis=1), minlength=3)
    assert (
        stats.chisquare(counts, draws * selection_probabilities("new", pulls, totals, epsilon, delta, horizon)).pvalue
        > FALSE_ALARM
    )


@given(name=st.sampled_from(["beta", "beta-plain"]), seed=st.integers(0, 10**6), steps=st.integers(1, 60))
@settings(max_examples=25)
def test_beta_duel_keeps_up(name, seed, steps):
    rng = np.random.default_rng(seed)
    pulls = rng.integers(1, 40, (2, 3, 2)).astype(float)
    totals = rng.binomial(pulls.astype(int), 0.5).astype(float)
    duel, mine = BetaDuel(name, pulls, totals), pulls.copy()
    for _ in range(steps):
        arm, reward = rng.integers(0, 2, 3), rng.integers(0, 2, 3)
        duel.observe(arm, reward)
        mine[:, np.arange(3), arm] += 1
        totals[:, np.arange(3), arm] += reward
    np.testing.assert_allclose(duel.probabilities, selection_probabilities(name, mine, totals, 1, 0.01, 9), atol=1e-9)


def test_unknown_law():
    with pytest.raises(ValueError, match="gauss"):
        selection_probabilities("gaus", [1, 1], [0, 1], 1, 0.01, 9)


@pytest.mark.parametrize(
    "changed, told",
    [
        ({"epsilon": float("nan")}, "epsilon = nan"),
        ({"delta": "abc"}, "delta = 'abc'"),
        ({"law": "beat"}, "Did you mean beta"),
        ({"pulls": 3}, "shapes"),
        ({"pulls": [0, 3]}, "at least one pull"),
        ({"totals": [4, 9]}, "at least one pull"),
        ({"law": "new", "horizon": 2}, "horizon = 2"),
    ],
)
def test_bad_input_gets_one_sentence(changed, told):
    given = {"law": "gauss", "pulls": [3, 3], "totals": [1, 2], "epsilon": 1.0, "delta": 0.01, "horizon": 100} | changed
    with pytest.raises(ValueError, match=told):
        selection_probabilities(**given)
