"""Thompson sampling without privacy: the randomised yardsticks."""

import math

import numpy as np

from dpbandits.algorithms.stochastic.bookkeeping import regret_of, zeros
from dpbandits.kernels import kernel
from dpbandits.randomness import argmax


@kernel
def thompson_beta(means, horizon, checkpoints, streams):
    """Thompson sampling with Beta posteriors from uniform priors (Agrawal & Goyal 2012, Algorithm 1).

    Each round θ_i ~ Beta(R_i + 1, n_i − R_i + 1) with R_i the reward sum of n_i pulls; play argmax θ_i.
    means: shape (arms,), in [0, 1]. checkpoints: increasing rounds, the last is the horizon.
    Returns (regret at the checkpoints, pulls).
    """
    arms = means.size
    pulls, total = zeros(arms)
    theta = np.empty(arms)
    regret, c = np.empty(checkpoints.size), 0
    for t in range(1, horizon + 1):
        for i in range(arms):
            theta[i] = streams.noise.beta(total[i] + 1.0, pulls[i] - total[i] + 1.0)
        arm = argmax(theta, streams.policy)
        total[arm] += streams.environment.random() < means[arm]
        pulls[arm] += 1
        if t == checkpoints[c]:
            regret[c] = regret_of(pulls, means)
            c += 1
    return regret, pulls


@kernel
def thompson_gauss(means, horizon, checkpoints, streams):
    """Thompson sampling with Gaussian draws: each arm once (in random order), then θ_i ~ N(m̂_i, 2/n_i), play argmax
    θ_i.

    The draws are those of DP-FTPL-Gauss (Wang & Zhu 2024, Algorithm 1), without its long start phase; Agrawal & Goyal
    2013 take the variance 1/(n_i + 1). Arguments and result as for thompson_beta.
    """
    arms = means.size
    pulls, total = zeros(arms)
    mean, deviation, theta = np.zeros(arms), np.empty(arms), np.empty(arms)
    regret, c = np.empty(checkpoints.size), 0
    for t in range(1, horizon + 1):
        for i in range(arms):
            theta[i] = mean[i] + deviation[i] * streams.noise.standard_normal() if pulls[i] > 0 else np.inf
        arm = argmax(theta, streams.policy)
        total[arm] += streams.environment.random() < means[arm]
        pulls[arm] += 1
        mean[arm], deviation[arm] = total[arm] / pulls[arm], math.sqrt(2.0 / pulls[arm])
        if t == checkpoints[c]:
            regret[c] = regret_of(pulls, means)
            c += 1
    return regret, pulls
