"""Index policies without privacy: the yardsticks."""

import math

import numpy as np

from dpbandits.algorithms.stochastic.bookkeeping import regret_of
from dpbandits.kernels import kernel
from dpbandits.randomness import argmax


@kernel
def ucb1(means, horizon, checkpoints, streams):
    """UCB1 (Auer, Cesa-Bianchi & Fischer 2002): play argmax of m̂_i + sqrt(2 ln t / n_i); an unplayed arm comes first.

    means: shape (arms,), in [0, 1]. checkpoints: increasing rounds, the last is the horizon.
    Returns (regret at the checkpoints, pulls).
    """
    arms = means.size
    pulls = np.zeros(arms, np.int64)
    total, mean, width, index = np.zeros(arms), np.zeros(arms), np.full(arms, np.inf), np.empty(arms)
    regret, c = np.empty(checkpoints.size), 0
    for t in range(1, horizon + 1):
        root = math.sqrt(2.0 * math.log(t)) if t > 1 else 1.0  # 1: so that an unplayed arm is +inf, not nan
        for i in range(arms):
            index[i] = mean[i] + root * width[i]
        arm = argmax(index, streams.policy)
        total[arm] += streams.environment.random() < means[arm]
        pulls[arm] += 1
        mean[arm], width[arm] = total[arm] / pulls[arm], 1.0 / math.sqrt(pulls[arm])
        if t == checkpoints[c]:
            regret[c] = regret_of(pulls, means)
            c += 1
    return regret, pulls
