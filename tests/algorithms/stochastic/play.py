"""One run of an algorithm, as the tests look at it; and two of its kernels, run after run."""

import numpy as np

from dpbandits import simulate
from dpbandits.algorithms import ALGORITHMS
from dpbandits.environments import bernoulli
from dpbandits.randomness import run_seed, seed_sequence, streams
from tests.law import assert_same_law


def play(name, means, horizon, seed=1, rounds=None, **parameters):
    """One run by the catalogue's kernel: (regret at `rounds`, all by default; pulls)."""
    algorithm = ALGORITHMS[name]
    rounds = np.arange(1, horizon + 1) if rounds is None else np.asarray(rounds)
    streams_of_run = streams(run_seed(seed_sequence(seed), 0))
    return algorithm.run(bernoulli(means).problem, horizon, rounds, streams_of_run, algorithm.bind(parameters))


def assert_fast_is_plain(name, means, horizon, runs, **parameters):
    """Regret and pulls of `method="fast"` have the law of the readable kernel's."""
    plain, fast = (
        simulate(
            name,
            bernoulli(means),
            horizon=horizon,
            runs=runs,
            checkpoints=[horizon // 2],
            workers=1,
            method=method,
            **parameters,
        )
        for method in ("plain", "fast")
    )
    for t in (0, -1):
        assert_same_law(plain.regret[:, t].round(6), fast.regret[:, t].round(6), f"{name}, regret")
    for arm in range(len(means)):
        assert_same_law(plain.pulls[:, arm], fast.pulls[:, arm], f"{name}, pulls of arm {arm}")
