"""What the package plays, round by round."""

import numpy as np

from dpbandits import catalogue
from dpbandits.randomness import streams


def play(name: str, problem: tuple, horizon: int, seed: int, **parameters) -> tuple[np.ndarray, np.ndarray]:
    """Regret after every round, and the pulls: one run of an algorithm of the catalogue on these streams."""
    record = catalogue.algorithms()[name]
    rounds, own = np.arange(1, horizon + 1), streams(np.random.SeedSequence(seed))
    return record.run(problem, horizon, rounds, own, record.bind(parameters))


def arms_played(regret: np.ndarray, means) -> np.ndarray:
    """The arm of each round, read off the regret: the gaps must differ."""
    gaps = max(means) - np.asarray(means, float)
    assert np.unique(np.round(gaps, 6)).size == gaps.size, "arms with equal gaps cannot be told apart"
    away = np.abs(np.diff(regret, prepend=0.0)[:, None] - gaps)
    assert away.min(axis=1).max() < 1e-7
    return away.argmin(axis=1)
