"""What several papers' evidence needs: measured regret with its error, and comparisons that keep a margin."""

import math

import numpy as np
from scipy import stats

from dpbandits.algorithms.record import Algorithm
from dpbandits.environments import Instance
from dpbandits.simulation import simulate

MARGIN = 5  # standard errors: a true order is then mistaken with probability below 1e-6


def final_regret(
    algorithm: str | Algorithm, instance: str | Instance, *, horizon: int, runs: int, **parameters
) -> tuple[float, float]:
    """(mean, standard error) of the regret after `horizon` rounds; always the same seed, one thread."""
    return curve(algorithm, instance, rounds=[horizon], runs=runs, **parameters)[0]


def curve(
    algorithm: str | Algorithm, instance: str | Instance, *, rounds, runs: int, **parameters
) -> list[tuple[float, float]]:
    """(mean, standard error) of the regret at each of `rounds`, of which the last is the horizon."""
    found = simulate(
        algorithm, instance, horizon=rounds[-1], runs=runs, checkpoints=rounds, workers=1, progress=False, **parameters
    )
    regret = found["regret"].values.reshape(runs, -1)
    errors = regret.std(axis=0, ddof=1) / math.sqrt(runs) if runs > 1 else np.zeros(regret.shape[1])
    return [(float(m), float(e)) for m, e in zip(regret.mean(axis=0), errors, strict=True)]


def clearly_below(one, other) -> bool:
    """Whether (mean, error) `one` is below `other` by more than MARGIN errors of the difference."""
    return other[0] - one[0] > MARGIN * math.hypot(one[1], other[1])


def within(measured, limit: float) -> bool:
    """Whether (mean, error) stays below `limit` even MARGIN errors up."""
    return measured[0] + MARGIN * measured[1] <= limit


def slope(x, y) -> float:
    """Slope of ln y against ln x, by least squares."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def relative(one, other) -> float:
    """Largest |one/other − 1|."""
    return float(np.max(np.abs(np.asarray(one, float) / np.asarray(other, float) - 1)))


def epsilon_at_least(hits: int, other_hits: int, trials: int, confidence: float = 1 - 1e-6) -> float:
    """With `confidence`, no smaller ε is possible: ln of the lower end of hits/trials over the upper end of the other
    (Clopper–Pearson).
    """
    tail = (1 - confidence) / 4  # two intervals of two sides
    low = stats.beta.ppf(tail, hits, trials - hits + 1) if hits else 0.0
    high = stats.beta.isf(tail, other_hits + 1, trials - other_hits) if other_hits < trials else 1.0
    return max(0.0, math.log(low / high)) if low > 0 else 0.0


def speaks_from(bound, worst: float, **given: object) -> float:
    """The least T of a grid (20 a decade, from 2 to 10¹²) from which on the bound stays below worst·T; infinite where
    none.
    """
    grid = np.unique(np.geomspace(2, 1e12, 240).astype(np.int64))
    above = np.flatnonzero([bound.value(horizon=int(t), **given) >= worst * t for t in grid])
    return float(grid[0] if above.size == 0 else grid[above[-1] + 1] if above[-1] + 1 < grid.size else math.inf)
