"""Do two samples have the same law? With a stated false-alarm rate, so that no test is retried."""

import numpy as np
from scipy import stats

FALSE_ALARM = 1e-6


def assert_same_law(left, right, what: str = "") -> None:
    """Two samples: Kolmogorov-Smirnov and a test of equal means, each with a false-alarm rate of 5e-7."""
    left, right = np.asarray(left, float), np.asarray(right, float)
    if np.ptp(left) == np.ptp(right) == 0:
        assert left[0] == right[0], f"{what}: constants {left[0]} and {right[0]} differ"
        return
    ks = stats.ks_2samp(left, right).pvalue
    mean = stats.ttest_ind(left, right, equal_var=False).pvalue
    assert min(ks, mean) > FALSE_ALARM / 2, (
        f"{what}: KS p = {ks:.2g}, means {left.mean():.6g} and {right.mean():.6g}, p = {mean:.2g}"
    )


def assert_follows(sample, cdf, what: str = "") -> None:
    """A sample against a continuous cdf (Kolmogorov-Smirnov), false-alarm rate 1e-6."""
    p = stats.kstest(np.asarray(sample, float), cdf).pvalue
    assert p > FALSE_ALARM, f"{what}: KS p = {p:.2g}"


def assert_variance(sample, variance: float, what: str = "") -> None:
    """A sample's variance about 0 against an exact one: normal approximation of the mean square, false-alarm rate
    1e-6.
    """
    squares = np.asarray(sample, float) ** 2
    if variance == 0:
        assert not squares.any(), f"{what}: some draws are not 0"
        return
    z = (squares.mean() - variance) / (squares.std(ddof=1) / np.sqrt(squares.size))
    assert abs(z) < stats.norm.isf(FALSE_ALARM / 2), (
        f"{what}: mean square {squares.mean():.6g}, exact {variance:.6g}, z = {z:.2f}"
    )
