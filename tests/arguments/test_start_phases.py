"""The two pieces of Theorems 11 and 13 against the printed start phases and the exact need."""

import math

import numpy as np
import pytest
from scipy import stats

from dpbandits.arguments import start_phases
from dpbandits.mechanisms.perturbations import law, pulls_needed_gauss
from dpbandits.privacy import needed_delta
from dpbandits.privacy.hockey_stick import plain_beta_limit


@pytest.mark.parametrize("epsilon, delta", [(1, 0.01), (0.1, 0.01), (0.5, 1e-6), (0.01, 0.3)])
def test_gauss_argument_covers_the_printed_start_phase(epsilon, delta):
    start = math.ceil(pulls_needed_gauss(epsilon, delta))
    pulls = start + np.arange(50)
    assert all(start_phases.gauss_suffices(n, epsilon, delta) for n in pulls)
    exact, argument, peak = (start_phases.gauss_delta(pulls, epsilon, way) for way in ("exact", "argument", "peak"))
    assert (exact <= argument + 1e-15).all() and (argument <= peak).all() and argument.max() <= delta * (1 + 1e-9)
    assert exact[0] == pytest.approx(needed_delta("gauss", start, 0, epsilon), rel=1e-6, abs=1e-300)


def test_gauss_pieces_are_what_they_say():
    pulls, delta = 20, 0.001
    pieces, before, after = start_phases.gauss(pulls, delta), law("gauss", pulls, 5), law("gauss", pulls, 6)
    x = np.linspace(-2, 3, 40_001)
    assert (before.cdf(x) - after.cdf(x)).max() <= pieces.peak_times_shift
    cut = before.centre + pieces.cut
    assert float(before.pdf(cut)) / pulls == pytest.approx(delta)
    assert math.log(float(before.pdf(cut) / after.pdf(cut))) == pytest.approx(pieces.log_ratio)
    with pytest.raises(ValueError, match="way = 'best'"):
        start_phases.gauss_delta(3, 1.0, "best")


@pytest.mark.parametrize("pulls, total, invented", [(10, 0, 0), (100, 37, 13), (500, 0, 63)])
def test_beta_pieces(pulls, total, invented):
    found = start_phases.beta(pulls, total, invented, 0.5)
    x = np.linspace(0, 1, 200_001)
    a, b = total + 1 + invented, pulls - total + invented
    difference = stats.beta.cdf(x, a, b + 1) - stats.beta.cdf(x, a + 1, b)
    assert found.peak == pytest.approx(difference.max(), rel=1e-6) and found.peak <= found.stirling
    assert x[difference.argmax()] == pytest.approx(a / (a + b), abs=1e-4)
    ratio = stats.beta.pdf(0.02, a, b + 1) / stats.beta.pdf(0.02, a + 1, b)
    assert start_phases.ratio_beyond(pulls, total, invented, 0.02) == pytest.approx(ratio)


def test_beta_need_with_and_without_k():
    for pulls, total in ((9, 0), (80, 3)):
        assert start_phases.beta(pulls, total, 0, 1.0).needed <= needed_delta("beta-plain", pulls, total, 1.0) + 1e-12
        k = pulls // 8 + 1
        assert start_phases.beta(pulls, total, k, 1.0).needed <= needed_delta("beta", pulls, total, 1.0) + 1e-12
        assert start_phases.beta(pulls, total, k, 1.0).share >= 0.1
    plain = [start_phases.beta(10**n, 0, 0, 1.0).needed for n in (2, 4, 6)]
    assert plain[2] == pytest.approx(plain_beta_limit(1.0), abs=1e-4)
    fixed = [start_phases.beta(10**n, 0, 3, 1.0).needed for n in (4, 6)]  # N makes no difference, k does
    assert fixed[0] == pytest.approx(fixed[1], rel=1e-2) and 0.01 < fixed[1] < plain[2]
    assert start_phases.beta(10**6, 0, 50, 1.0).needed < 1e-9 and start_phases.beta(10**4, 0, 1251, 1.0).needed < 1e-100
