import math

import numpy as np
import pytest
from scipy import integrate, stats

from dpbandits.mechanisms.laplace import Laplace
from dpbandits.randomness import laplace, seed_sequence, streams
from tests.law import assert_follows, assert_variance


@pytest.mark.parametrize("scale", [0.01, 1.0, 37.5])
def test_law_agrees_with_scipy(scale):
    law, other = Laplace(scale), stats.laplace(scale=scale)
    x = scale * np.array([-60, -3, -0.5, 0, 0.2, 4, 30])
    assert law.pdf(x) == pytest.approx(other.pdf(x), rel=1e-12)
    assert law.cdf(x) == pytest.approx(other.cdf(x), rel=1e-12)
    p = np.array([0, 1e-20, 0.1, 0.5, 0.9, 1])
    assert law.quantile(p) == pytest.approx(other.ppf(p), rel=1e-12)
    assert law.variance == pytest.approx(other.var())


def test_draws_follow_the_law():
    rng = streams(seed_sequence(1, "laplace")).noise
    sample = np.array([laplace(rng, 2.5) for _ in range(20_000)])
    assert_follows(sample, Laplace(2.5).cdf)
    assert_variance(sample, Laplace(2.5).variance)


def test_privacy_curve_is_the_hockey_stick_divergence():
    law, sensitivity = Laplace(2.0), 3.0
    assert law.epsilon(sensitivity) == 1.5
    for epsilon in (0.0, 0.4, 1.2, 1.5, 9.0):
        factor = math.exp(epsilon)
        excess, _ = integrate.quad(
            lambda x, c=factor: max(0.0, law.pdf(x) - c * law.pdf(x - sensitivity)), -80, 3, points=[0, 3], limit=200
        )
        assert law.delta(epsilon, sensitivity) == pytest.approx(excess, abs=1e-9)


def test_calibration():
    assert Laplace.calibrated(0.5, 2.0).scale == 4.0
    assert Laplace.calibrated(0.25).variance == 4 * Laplace.calibrated(0.5).variance


def test_refuses_a_bad_scale():
    for scale in (0, -1, math.nan, "wide"):
        with pytest.raises(ValueError, match="scale = .* must be a finite number > 0"):
            Laplace(scale)
