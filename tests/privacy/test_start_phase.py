"""Where ⌈N_B*⌉ pulls suffice for DP-FTPL-Beta: the bound against exact needs in many digits, the counterexample, the
proof's gap.
"""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpbandits.mechanisms.perturbations import pulls_needed_beta
from dpbandits.privacy.hockey_stick import hockey_sticks
from dpbandits.privacy.start_phase import beta_exponent, beta_start, log_beta_need


def need(pulls, total, epsilon):
    """The δ that R → R + 1 needs, the larger of both directions, in 40 digits."""
    k = pulls // 8 + 1
    a, b = total + 1 + k, pulls - total + k
    with mpmath.workdps(40):
        return max(half_line(a, b, mpmath.exp(epsilon)), half_line(b, a, mpmath.exp(epsilon)))


def half_line(a, b, grow):
    """F − grow · F⁺ for Beta(a, b + 1) and Beta(a + 1, b) where it is largest: F − F⁺ is a binomial probability, F⁺ a
    series.
    """
    x = a / (a + b * grow)
    choose = mpmath.loggamma(a + b + 1) - mpmath.loggamma(a + 1) - mpmath.loggamma(b + 1)
    moved = mpmath.exp(choose + a * mpmath.log(x) + b * mpmath.log(1 - x))
    # I_x(a + 1, b) by its positive series (DLMF 8.17.8)
    term, series, j = mpmath.mpf(1), mpmath.mpf(1), 0
    while term > series * mpmath.mpf(10) ** -30:
        term *= x * (a + 1 + b + j) / (a + 2 + j)
        series, j = series + term, j + 1
    lower = moved * x / (a + 1) * b * series
    return moved - (grow - 1) * lower


def test_the_counterexample():
    assert math.ceil(pulls_needed_beta(30, 1e-200)) == 101
    exact = need(101, 0, 30)
    assert float(exact) == pytest.approx(8.121957e-179, rel=1e-6)
    assert max(found for found, _ in hockey_sticks("beta", 101, 0, 30, 1e-200)) == pytest.approx(float(exact), rel=1e-7)
    assert beta_start(30, 1e-200) == "fails" and beta_start(30, 1e-150) == "proved"


@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.83, 4, 12, 25, 60])
@pytest.mark.slow
def test_the_bound_covers_every_total_from_there_on(epsilon):
    for pulls in (97, 101, 200, 1000):
        worst = max(
            need(later, total, epsilon)
            for later in (pulls, pulls + 1, 3 * pulls)
            for total in (0, 1, later // 3, later // 2, later - 1)
        )
        assert mpmath.log(worst) <= log_beta_need(pulls, epsilon)


def test_shares_are_at_least_a_tenth():
    for pulls in range(1, 3000):
        n, least = pulls + 1 + 2 * (pulls // 8 + 1), 1 + pulls // 8 + 1
        assert n >= 1.25 * (pulls + 1) and least >= 0.1 * n


@given(epsilon=st.floats(1e-3, 300))
def test_the_exponent_is_the_least_divergence(epsilon):
    p = np.linspace(0.1, 0.9, 401)
    x = p / (p + (1 - p) * math.exp(epsilon))
    divergence = p * np.log(p / x) + (1 - p) * (
        np.log((1 - p) * (p + (1 - p) * math.exp(epsilon))) - np.log(1 - p) - epsilon
    )
    assert beta_exponent(epsilon) == pytest.approx(divergence.min(), rel=1e-6, abs=1e-12)


def test_proved_for_every_delta_up_to_23():
    for epsilon in np.append(np.linspace(0, 23, 47), 1e-9):
        assert {beta_start(float(epsilon), 10.0**-power) for power in np.arange(0.05, 307, 0.5)} == {"proved"}
    # δ → 0: n grows like 1.25 · (8000/81) · 2 ln(1/δ)/ε², and n · exponent must exceed ln(1/δ)
    assert 20000 / 81 * beta_exponent(23) / 23**2 > 1 > 20000 / 81 * beta_exponent(24) / 24**2


def test_what_is_called_failing_fails_and_what_is_called_proved_holds():
    said = set()
    for epsilon in (0.3, 2, 20, 24, 26, 28, 30, 35, 40, 50, 100):
        for power in (1, 5, 40, 100, 140, 150, 180, 200, 250, 300):
            verdict, pulls = beta_start(epsilon, 10.0**-power), math.ceil(pulls_needed_beta(epsilon, 10.0**-power))
            if pulls < 2000:
                holds = mpmath.log10(need(pulls, 0, epsilon)) <= -power
                assert verdict != ("fails" if holds else "proved")
            said.add(verdict)
    assert said == {"proved", "fails", "unchecked"}


def test_where_the_papers_proof_has_its_gap():
    # h² = ln(…)/(a + b) and a²b²/(a + b)³ >= ln(…)/ε² allow h = ε pq, where h <= ε pq/(1 + qε) is needed: never for ε
    # > 0
    p, q = 0.1, 0.9
    for epsilon in (0.01, 0.1, 1):
        assert epsilon * p * q > epsilon * p * q / (1 + q * epsilon)

    # with KL >= 2(p − q)² in Pinsker's place h halves, and e^ε − 1 stands for ε: that holds up to ε = 1.83
    def holds(epsilon):
        grow = math.exp(epsilon)
        return all(epsilon * 0.09 / 2 <= p * (1 - p) * (grow - 1) / (p + (1 - p) * grow) for p in (0.1, 0.9))

    assert all(holds(epsilon) for epsilon in np.linspace(0.01, 1.83, 50)) and not holds(1.84)
