import math
import warnings

import mpmath
import numpy as np
import pytest
from dp_accounting import get_epsilon_gaussian, get_sigma_gaussian

from dpbandits.mechanisms.gaussian import (
    analytic_sigma,
    classical_limit,
    classical_sigma,
    delta_from_mu,
    epsilon_from_mu,
    exact_delta,
    exact_epsilon,
)


def precise_delta(epsilon, mu):
    """The defining formula with 80 digits."""
    with mpmath.workdps(80):
        epsilon, mu = mpmath.mpf(epsilon), mpmath.mpf(mu)
        return float(mpmath.ncdf(mu / 2 - epsilon / mu) - mpmath.exp(epsilon) * mpmath.ncdf(-mu / 2 - epsilon / mu))


@pytest.mark.parametrize(
    "epsilon, mu",
    [(1, 1), (1, 0.1), (1, 0.03), (0, 1e-3), (1e-3, 1e-3), (50, 3), (100, 20), (30, 10), (5, 7.9), (0, 25), (700, 40)],
)
def test_delta_agrees_with_many_digits(epsilon, mu):
    assert delta_from_mu(epsilon, mu) == pytest.approx(precise_delta(epsilon, mu), rel=1e-10, abs=0)


def test_delta_takes_arrays_and_falls():
    epsilon = np.linspace(0, 20, 401)
    delta = exact_delta(epsilon, 0.5)
    assert delta.shape == epsilon.shape
    assert (np.diff(delta) < 0).all()
    assert delta[0] == pytest.approx(math.erf(2 / math.sqrt(8)))  # total variation distance of N(0, 1) and N(2, 1)


@pytest.mark.parametrize("epsilon, delta", [(1, 1e-5), (0.1, 1e-10), (10, 1e-3), (100, 1e-12), (0.001, 0.5), (50, 0.9)])
def test_calibration_agrees_with_dp_accounting(epsilon, delta):
    sigma = analytic_sigma(epsilon, delta)
    assert sigma == pytest.approx(get_sigma_gaussian(epsilon, delta), rel=1e-9)
    assert exact_epsilon(delta, sigma) == pytest.approx(get_epsilon_gaussian(sigma, delta), rel=1e-8)
    assert exact_epsilon(delta, sigma) == pytest.approx(epsilon, rel=1e-9)
    assert analytic_sigma(epsilon, delta, 3.0) == pytest.approx(3 * sigma, rel=1e-12)


def test_calibration_at_the_ends():
    assert analytic_sigma(0, 1e-3) == pytest.approx(1 / (math.sqrt(8) * float(mpmath.erfinv(1e-3))), rel=1e-10)
    sigma = analytic_sigma(1e4, 1e-300)  # tiny δ and huge ε at once
    assert math.log(precise_delta(1e4, 1 / sigma)) == pytest.approx(math.log(1e-300), rel=1e-9)
    assert epsilon_from_mu(0.5, 0.1) == 0.0


def test_classical_calibration_is_looser_and_warns_above_one():
    assert classical_sigma(0.5, 1e-3, 2.0) == pytest.approx(2 * math.sqrt(2 * math.log(1250)) / 0.5)
    for epsilon in (0.1, 0.5, 1.0):
        assert classical_sigma(epsilon, 1e-3) > analytic_sigma(epsilon, 1e-3)
    with pytest.warns(UserWarning, match="epsilon = 2: .* proved for 0 < epsilon <= 1 only"):
        classical_sigma(2, 1e-3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        classical_sigma(1, 1e-3)


@pytest.mark.parametrize("delta, limit", [(1e-1, 5.7426), (1e-2, 6.7718), (1e-3, 7.4635), (1e-6, 8.7821)])
def test_where_the_classical_calibration_breaks(delta, limit):
    """The limits were found with the defining formula in 80 digits."""
    assert classical_limit(delta) == pytest.approx(limit, abs=1e-4)

    def exact(epsilon):
        return precise_delta(epsilon, epsilon / math.sqrt(2 * math.log(1.25 / delta)))

    assert all(exact(epsilon) < delta for epsilon in np.linspace(0.05, limit - 0.001, 40))
    assert all(exact(epsilon) > delta for epsilon in np.linspace(limit + 0.001, 40, 40))


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: analytic_sigma(1, 0), "delta = 0 .* > 0 and < 1"),
        (lambda: analytic_sigma(-1, 0.1), "epsilon = -1 .* >= 0"),
        (lambda: classical_sigma(0, 0.1), "epsilon = 0 .* > 0"),
        (lambda: exact_delta(1, 0), "sigma = 0 .* > 0"),
        (lambda: exact_delta(np.array([1, math.nan]), 1), "epsilon = nan"),
        (lambda: exact_delta(1, 1, -2), "sensitivity = -2 .* > 0"),
    ],
)
def test_bad_input_gets_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
