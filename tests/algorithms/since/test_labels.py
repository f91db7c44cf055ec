"""What the labels of the algorithms since the papers promise, by short calculations of its own."""

import math

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from dpbandits import account, catalogue
from dpbandits.environments.cascade import cascade
from dpbandits.environments.semibandit import top_k

ONE_LAPLACE = ("adap-ucb", "adap-klucb", "dp-klucb", "dp-imed", "lazy-dp-ts", "cascade-dp-lazy")


def label(name: str, **given):
    """The privacy label with these parameters."""
    record = catalogue.algorithms()[name]
    return record.guarantee(record.bind(given))


@pytest.mark.parametrize("epsilon", [0.05, 0.7, 3.0, 10.0])
@pytest.mark.parametrize("name", ONE_LAPLACE)
def test_one_release_of_one_laplace(name, epsilon):
    """A reward changes one released sum, by at most 1, with noise of scale 1/ε.

    P and Q, Laplace laws 1 apart: the hockey stick at e is 1 − exp((e − ε)/2) for 0 <= e <= ε. With δ on the left,
    e = ε + 2 ln(1 − δ).
    """
    own = label(name, epsilon=epsilon)
    assert (own.epsilon, own.delta, own.scope, own.status) == (epsilon, 0.0, "transcript", "proved")
    for horizon in (50, 10**6):
        assert account(name, horizon=horizon, delta_total=0, epsilon=epsilon).epsilon == pytest.approx(epsilon)
        for delta in (1e-5, 1e-2):
            found = account(name, horizon=horizon, delta_total=delta, epsilon=epsilon).epsilon
            assert found == pytest.approx(max(0.0, epsilon + 2 * math.log1p(-delta)), rel=1e-6, abs=1e-9)


def laplace_hockey_stick(e: float, scale: float) -> float:
    """Of Lap(scale) and its shift by 1, at e, by quadrature: a check of the closed form above."""
    p, q = stats.laplace(0, scale), stats.laplace(1, scale)
    at = [0, 0.5, 1]
    return integrate.quad(lambda x: max(0.0, p.pdf(x) - math.exp(e) * q.pdf(x)), -40 * scale, 40 * scale, points=at)[0]


@pytest.mark.parametrize("epsilon", [0.7, 3.0])
def test_the_hockey_stick_of_one_laplace(epsilon):
    for e in (0.0, 0.3 * epsilon, 0.9 * epsilon):
        expected = -math.expm1((e - epsilon) / 2)
        assert laplace_hockey_stick(e, 1 / epsilon) == pytest.approx(expected, abs=1e-6)


def losses_of_laplace(loss: float, cells: int) -> tuple[np.ndarray, float]:
    """The privacy loss of one Laplace release on a grid of −loss .. loss, rounded up, and the grid's step.

    Of L = loss·(|x − 1| − |x|) under P = Lap(1/loss): −loss with chance e^−loss/2, loss with chance 1/2, and between
    them the density exp((l − loss)/2)/4.
    """
    edges = np.linspace(-loss, loss, cells + 1)
    mass = np.zeros(cells + 1)
    mass[0], mass[-1] = math.exp(-loss) / 2, 0.5
    mass[1:] += (np.exp((edges[1:] - loss) / 2) - np.exp((edges[:-1] - loss) / 2)) / 2
    assert mass.sum() == pytest.approx(1)
    return mass, 2 * loss / cells


@pytest.mark.parametrize(("size", "epsilon"), [(1, 1.0), (2, 0.5), (3, 4.0), (4, 1.0), (5, 10.0)])
def test_lazy_semi_bandits_add_up_the_releases_of_one_user(size, epsilon):
    """Up to K numbers of a user change, each in one released sum with noise of scale K/ε: K losses of ε/K, added."""
    own = label("cucb-dp-lazy", epsilon=epsilon)
    assert (own.epsilon, own.delta, own.scope, own.status) == (epsilon, 0.0, "transcript", "proved")
    instance = top_k([0.5] * (size + 2), size)
    assert account("cucb-dp-lazy", instance, horizon=10**4, delta_total=0, epsilon=epsilon).epsilon == pytest.approx(
        epsilon
    )
    mass, step = losses_of_laplace(epsilon / size, 2000)
    total = mass
    for _ in range(size - 1):
        total = np.convolve(total, mass)
    losses = -epsilon + step * np.arange(total.size)
    for delta in (1e-5, 1e-2):
        stick = lambda e, delta=delta: (total * np.maximum(0, -np.expm1(e - losses))).sum() - delta  # noqa: E731
        expected = optimize.brentq(stick, -epsilon, epsilon)
        found = account("cucb-dp-lazy", instance, horizon=10**4, delta_total=delta, epsilon=epsilon).epsilon
        assert found == pytest.approx(max(0.0, expected), abs=size * step + 1e-4)


def gaussian_epsilon(mu: float, delta: float) -> float:
    """The ε of μ-Gaussian DP at δ = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ)."""

    def over(e):
        second = math.exp(e + stats.norm.logcdf(-mu / 2 - e / mu))
        return stats.norm.cdf(mu / 2 - e / mu) - second - delta

    return optimize.brentq(over, 0.0, mu * mu + 60 * mu + 1, xtol=1e-12)


@pytest.mark.parametrize(("b", "c"), [(0, 1.0), (1, 1.0), (1, 8.0), (9, 1.0), (30, 0.5)])
def test_dp_ts_is_gaussian(b, c):
    """A mean over n + 1 moves by 1/(n + 1), with variance c/(n + 1): 1/sqrt(c(n + 1)) to one selection, n >= max(1, b).

    The worst transcript: every selection after the first pulls sees the record at that n.
    """
    arms, weakest = 9, 1 / math.sqrt(c * (max(1, b) + 1))
    own = label("dp-ts", pre_pulls=b, variance=c)
    assert own.scope == "per-selection"
    assert own.epsilon == pytest.approx(gaussian_epsilon(weakest, own.delta), rel=1e-6)
    for horizon in (arms * b + 10, 3000):
        selections = horizon - max(1, arms * b)
        found = account("dp-ts", horizon=horizon, delta_total=1e-5, pre_pulls=b, variance=c)
        assert found.epsilon == pytest.approx(gaussian_epsilon(weakest * math.sqrt(selections), 1e-5), rel=1e-6)
        assert account("dp-ts", horizon=horizon, delta_total=0, pre_pulls=b, variance=c).epsilon == math.inf


def test_nothing_is_learned_before_something_is_computed():
    """Nine arms, each played once in an order that no reward changes; all first lists of 20 items likewise."""
    for name in ONE_LAPLACE[:-1]:
        assert account(name, horizon=9, delta_total=0, epsilon=1.0).epsilon == 0
        assert account(name, horizon=10, delta_total=0, epsilon=1.0).epsilon == 1
    lists = cascade(np.linspace(0.1, 0.9, 20), 4)
    assert account("cascade-dp-lazy", lists, horizon=1, delta_total=0, epsilon=1.0).epsilon == 0
