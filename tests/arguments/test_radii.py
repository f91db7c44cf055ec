"""The radii of Theorem 16, the waiting of Theorem 11, the phases of Theorem 18."""

import math

import numpy as np
import pytest

from dpbandits.arguments import radii
from dpbandits.mechanisms.perturbations import law


@pytest.mark.parametrize(
    "gap, horizon, pair", [(0.1, 1e5, (1.0, 0.01)), (0.3, 1e6, (0.05, 0.0)), (0.2, 1e4, (0.0, 0.01))]
)
def test_last_pull_is_where_the_radii_fit(gap, horizon, pair):
    exact, stated = radii.last_pull(gap, horizon, *pair)
    for pulls, fits in ((exact, True), (exact - 1, False)):
        assert (2 * sum(radii.radii(pulls, horizon, *pair)) <= gap * (1 + 1e-12)) == fits
    assert exact <= 2 * stated  # the theorem's max may be too small by a factor, never the order


def test_a_lifted_sample_is_optimistic():
    for pulls, mean in ((1, 0.5), (30, 0.9), (400, 0.2)):
        below, above = radii.misses(pulls, mean, 1000, 1.0, 0.01)
        assert max(below, above) <= 2 / 1000
        alone, _ = radii.misses(pulls, mean, 1000, 1.0, 0.01, lift=(False, False))
        assert 0.2 < alone < 0.8


def test_misses_by_sampling():
    rng = np.random.default_rng(3)
    totals = rng.binomial(20, 0.6, 200_000)
    theta = totals / 20 + law("new", 20, 0, 0.5, 0.02).sample(rng, totals.size)
    exact, _ = radii.misses(20, 0.6, 1000, 0.5, 0.02, lift=(False, False))
    assert (theta < 0.6).mean() == pytest.approx(exact, abs=5 * math.sqrt(0.25 / 200_000))  # false alarm below 1e-6


def test_waiting_by_hand_and_its_fall():
    good = [law("gauss", 1, r).sf(0.5 - 0.1) for r in (0, 1)]
    assert radii.waiting(1, 0.5, 0.1) == pytest.approx(np.mean([1 / p - 1 for p in good]))
    far = [radii.waiting(n, 0.5, 0.2) for n in (10, 100, 1000)]
    assert far[0] > far[1] > far[2] > 0 and far[2] < 1e-4


def test_phases_are_long_enough():
    rows = radii.phases(10**6, 1.0, 0.01, 2)
    assert [row[0] for row in rows] == list(range(1, len(rows) + 1)) and rows[-1][5] >= 10**6 > rows[-2][5]
    for _, step, _, learning, private, _ in rows[:-1]:
        assert learning <= step / 4 + 1e-12 and private <= step / 4 + 1e-12


def test_commits_only_to_the_best_unless_phases_are_cut():
    wrong, phase = radii.commits([0.5, 0.3], 10**5, 1.0, 0.01, trials=2000)
    assert wrong == 0 and 2 <= phase <= 4
    assert radii.commits([0.5, 0.3], 10**5, 1.0, 0.01, trials=2000, shorter=1000)[0] > 0.1
