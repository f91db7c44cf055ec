"""Realised regret: what users drawn in full would have done with the best list, set against what they did.

f(A*, w_t) − f(A_t, w_t) looks at every entry of w_t, also at items that user t never saw. It is raw data of the users,
so it may be shown in a simulation but never beside a privacy label as if it were released.
"""

from collections.abc import Callable

import numpy as np
import xarray as xr

from dpbandits.algorithms.record import Algorithm
from dpbandits.environments import Instance
from dpbandits.environments.cascade import draw_users, list_reward
from dpbandits.parameters import HORIZON, RUNS, SEED
from dpbandits.randomness import run_seed, seed_sequence, streams
from dpbandits.simulation import cells_for, checkpoint_rounds


def realised_regret(
    algorithm: str | Algorithm | Callable,
    instance: str | Instance,
    *,
    horizon: int,
    runs: int = 20,
    seed: int = 0,
    checkpoints=300,
    spacing: str = "log",
    **parameters: object,
) -> xr.DataArray:
    """Cumulative Σ f(A*, w_t) − f(A_t, w_t) of a cascade algorithm, dims (run, round); its mean is the pseudo-regret's.

    Arguments as for `simulate`, the instance being a cascade one. Every run draws all users beforehand (horizon × items
    numbers in memory) and plays the same kernel against them. Raises ValueError for bad input.
    """
    horizon, runs, seed = HORIZON.check(horizon), RUNS.check(runs), SEED.check(seed)
    rounds = checkpoint_rounds(horizon, checkpoints, spacing)
    (cell,) = cells_for([algorithm], instance, parameters, horizon=horizon, checkpoints=rounds, seed=seed)
    built = cell.instance
    if built.setting != "cascade" or "optimal_list" not in built.facts:
        raise ValueError(
            f"instance = {built.name!r} is not allowed: realised regret needs a cascade instance with its attraction."
        )
    regret = np.empty((runs, rounds.size))
    for run in range(runs):
        users_seed, play_seed = run_seed(seed_sequence(seed, "realised", *cell.seeds.spawn_key), run).spawn(2)
        users = draw_users(built.attraction, horizon + 1, np.random.default_rng(users_seed))
        unclicked, _ = cell.algorithm.run(
            (users, built.list_size), horizon, rounds, streams(play_seed), cell.parameters
        )
        missed_by_best = np.cumsum(1 - list_reward(built.optimal_list, users[1:]))[rounds - 1]
        regret[run] = unclicked - missed_by_best
    coords = {"run": np.arange(runs), "round": rounds}
    attrs = {
        "long_name": "cumulative realised regret",
        "units": "clicks",
        "algorithm": cell.algorithm.name,
        "instance": built.label,
    }
    return xr.DataArray(regret, coords, ("run", "round"), "realised_regret", attrs)
