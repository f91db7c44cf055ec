"""One run of an algorithm, as the tests look at it."""

import numpy as np

from dpbandits.algorithms import ALGORITHMS
from dpbandits.environments import bernoulli
from dpbandits.randomness import run_seed, seed_sequence, streams


def play(name, means, horizon, seed=1, rounds=None, **parameters):
    """One run by the catalogue's kernel: (regret at `rounds`, all by default; pulls)."""
    algorithm = ALGORITHMS[name]
    rounds = np.arange(1, horizon + 1) if rounds is None else np.asarray(rounds)
    streams_of_run = streams(run_seed(seed_sequence(seed), 0))
    return algorithm.run(bernoulli(means).problem, horizon, rounds, streams_of_run, algorithm.bind(parameters))
