"""Slopes in log scales: of a fitted line, and of the steepest piece."""

import numpy as np
from scipy import stats


def fitted(x: np.ndarray, y: np.ndarray) -> tuple[float, float, float]:
    """(slope, its standard error, level) of the least-squares line ln y = level + slope·ln x through the positive y.

    NaN with fewer than two points; the error too with fewer than three.
    """
    keep = (y > 0) & np.isfinite(y)
    u, w = np.log(x[keep]), np.log(y[keep])
    if u.size < 2 or np.ptp(u) == 0:
        return (float("nan"),) * 3
    if np.ptp(w) < 1e-12:  # a level line, where linregress's error is 0 / 0 on some machines and 0 on others
        return 0.0, 0.0 if u.size > 2 else float("nan"), float(w[0])
    line = stats.linregress(u, w)
    return float(line.slope), float(line.stderr) if u.size > 2 else float("nan"), float(line.intercept)


def steepest(x: np.ndarray, y: np.ndarray) -> tuple[float, float, float]:
    """(slope, from, to) of the steepest piece between points two apart, in log scales; NaN where there is none."""
    order = np.argsort(x)
    x, y = x[order], y[order]
    step = min(2, x.size - 1)
    if step == 0 or not (y > 0).all():
        return float("nan"), x[0], x[-1]
    slopes = np.log(y[step:] / y[:-step]) / np.log(x[step:] / x[:-step])
    at = int(np.argmax(np.abs(slopes)))
    return float(slopes[at]), float(x[at]), float(x[at + step])
