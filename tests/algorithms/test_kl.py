import math

import mpmath
import pytest

from dpbandits.algorithms.kl import kl, kl_upper, kl_upper_order


def precise_kl(p, q):
    return sum(a * mpmath.log(a / b) for a, b in ((p, q), (1 - p, 1 - q)) if a > 0)


def precise_upper(p, bound):
    """By bisection with 50 digits."""
    low, high = mpmath.mpf(p), mpmath.mpf(1)
    for _ in range(160):
        middle = (low + high) / 2
        if middle < 1 and precise_kl(mpmath.mpf(p), middle) <= bound:
            low = middle
        else:
            high = middle
    return float(low)


def test_divergence():
    assert kl(0.5, 0.25) == pytest.approx(0.5 * math.log(2) + 0.5 * math.log(2 / 3))
    assert kl(0.0, 0.3) == pytest.approx(-math.log(0.7))
    assert kl(1.0, 0.3) == pytest.approx(-math.log(0.3))
    assert kl(0.3, 0.3) == kl(0.0, 0.0) == kl(1.0, 1.0) == 0.0
    assert kl(0.3, 0.0) == kl(0.3, 1.0) == math.inf


@pytest.mark.parametrize("p", [0.0, 1e-300, 1e-9, 1e-3, 0.1, 0.5, 0.9, 0.999, 1 - 1e-12, 1 - 2**-53])
def test_upper_bound_agrees_with_bisection(p):
    with mpmath.workdps(50):
        for bound in (1e-18, 1e-12, 1e-8, 1e-6, 1e-3, 0.1, 1.0, 5.0, 30.0, 800.0):
            assert kl_upper(p, bound) == pytest.approx(
                precise_upper(p, bound), rel=0, abs=1e-12 if bound > 1e-9 else 1e-9
            )


def test_upper_bound_at_the_ends():
    assert kl_upper(1.0, 0.7) == kl_upper(1.0, 0.0) == 1.0
    assert kl_upper(0.4, 0.0) == 0.4
    assert kl_upper(0.0, 2.0) == pytest.approx(1 - math.exp(-2))
    assert kl_upper(0.3, math.inf) == 1.0


@pytest.mark.parametrize("p", [0.0, 1e-9, 0.1, 0.5, 0.9, 0.999, 1 - 1e-9])
def test_order_agrees_with_bisection(p):
    """−ln(1 − q), by bisection with digits enough to tell q from 1."""
    with mpmath.workdps(400):
        for bound in (1e-6, 1e-3, 0.1, 1.0, 5.0, 30.0):
            if bound / (1 - p) < 800:
                low, high = -mpmath.log(1 - mpmath.mpf(p)), mpmath.mpf(900)
                for _ in range(70):
                    middle = (low + high) / 2
                    low, high = (
                        (middle, high) if precise_kl(mpmath.mpf(p), 1 - mpmath.exp(-middle)) <= bound else (low, middle)
                    )
                assert kl_upper_order(p, bound) == pytest.approx(float(low), rel=1e-12)


def test_order_tells_apart_what_rounds_to_one():
    assert kl_upper(0.8, 10.0) == kl_upper(0.9, 10.0) == kl_upper(1.0, 10.0) == 1.0
    assert kl_upper_order(0.8, 10.0) < kl_upper_order(0.9, 10.0) < kl_upper_order(1.0, 10.0) == math.inf
    assert kl_upper_order(0.4, 0.0) == pytest.approx(-math.log(0.6))
