"""CUCB without privacy: the yardstick."""

import math

import numpy as np

from dpbandits.algorithms.estimates import nothing_observed, observe, optimistic
from dpbandits.environments.semibandit.problem import choose, new_round, observe_all, play_super_arm
from dpbandits.kernels import kernel


@kernel
def free_observation(problem, work, rng):
    """Estimates from one free observation of every arm."""
    estimates = nothing_observed(problem.means.size)
    outcomes = observe_all(problem, work, rng)
    for arm in range(outcomes.size):
        observe(estimates, arm, outcomes[arm])
    return estimates


@kernel
def cucb(problem, horizon, checkpoints, streams):
    """CUCB (Chen, Wang & Yuan 2013; Chen et al. 2016, Algorithm 1): play the oracle's super arm for

        ū_i = min(1, m̂_i + sqrt(3 ln t / (2 T_i))),  T_i the number of observations of arm i.

    It starts from one free observation of every arm (the papers play until each arm has been observed).
    problem: a Problem. checkpoints: increasing rounds, the last is the horizon.
    Returns (approximation regret at the checkpoints, pulls: how often each base arm was played).
    """
    arms, outcomes, work = new_round(problem)
    index, pulls = np.empty(problem.means.size), np.zeros(problem.means.size, np.int64)
    estimates = free_observation(problem, work, streams.environment)
    regret, c, lost = np.empty(checkpoints.size), 0, 0.0
    for t in range(1, horizon + 1):
        optimistic(index, estimates, math.sqrt(1.5 * math.log(t)))
        for i in range(index.size):
            index[i] = min(1.0, index[i])
        n = choose(problem, index, arms, work, streams.policy)
        lost += play_super_arm(problem, arms, n, outcomes, work, pulls, streams.environment)
        for j in range(n):
            observe(estimates, arms[j], outcomes[j])
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, pulls
