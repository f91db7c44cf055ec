"""What the package plays, round by round."""

import numpy as np

from dpbandits import catalogue
from dpbandits.randomness import streams


def play(name: str, problem: tuple, horizon: int, seed: int, **parameters) -> tuple[np.ndarray, np.ndarray]:
    """Regret after every round, and the pulls: one run of an algorithm of the catalogue on these streams."""
    record = catalogue.algorithms()[name]
    rounds, own = np.arange(1, horizon + 1), streams(np.random.SeedSequence(seed))
    return record.run(problem, horizon, rounds, own, record.bind(parameters))
