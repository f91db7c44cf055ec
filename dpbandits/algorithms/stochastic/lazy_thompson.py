"""Lazy-DP-TS (Hu & Hegde 2022): Thompson sampling on lazy and forgetful estimates, moved upwards by what the noise may
hide.

Lazy: an arm's estimate is renewed only when 1, 2, 4, ... new rewards of it have come in. Forgetful: it is then made
from these alone, and they are never used again. So a reward enters one release, and the transcript costs what one
release costs. The rewards of a batch are looked at once, when it is complete: they are one Binomial draw.

Reading. We had the abstract and a detailed account of the paper's Algorithm 2, not its pages. Not seen there: how the
first pulls are ordered (here at random), and the base of the logarithm (here e).
"""

import math

import numpy as np

from dpbandits.algorithms.stochastic.bookkeeping import regret_of
from dpbandits.kernels import kernel
from dpbandits.randomness import argmax, laplace


@kernel
def draw_beliefs(theta, size, mean, bonus, rng):
    """Write a draw for every arm into `theta`, infinity where it has no complete batch."""
    for i in range(size.size):
        if size[i] == 0:
            theta[i] = np.inf
        else:
            successes = min(float(size[i]), max(0.0, mean[i] * size[i] + bonus))
            theta[i] = rng.beta(successes + 1.0, size[i] - successes + 1.0)


@kernel
def lazy_dp_ts(means, horizon, checkpoints, streams, epsilon):
    """Lazy-DP-TS (Hu & Hegde 2022, Algorithm 2): in every round t play the arm with the largest

        θ_i ~ Beta(O_i p_i + 1, O_i (1 − p_i) + 1),  p_i = m̃_i + 3 ln t/(ε O_i) cut to [0, 1],

    where the arm's last complete batch has O_i rewards and m̃_i = (their sum + Lap(1/ε))/O_i. Batches hold 1, 2, 4, ...
    rewards; an arm without one comes first (of several a random one). θ is drawn from streams.noise. means: shape
    (arms,), in [0, 1]. checkpoints: increasing rounds, the last is the horizon. epsilon > 0. Returns (regret at the
    checkpoints, pulls).
    """
    arms = means.size
    pulls, size, waiting = np.zeros(arms, np.int64), np.zeros(arms, np.int64), np.zeros(arms, np.int64)
    mean, theta = np.zeros(arms), np.empty(arms)
    regret, c = np.empty(checkpoints.size), 0
    for t in range(1, horizon + 1):
        draw_beliefs(theta, size, mean, 3.0 * math.log(t) / epsilon, streams.noise)
        arm = argmax(theta, streams.policy)
        pulls[arm] += 1
        waiting[arm] += 1
        if waiting[arm] == max(1, 2 * size[arm]):
            size[arm], waiting[arm] = waiting[arm], 0
            total = streams.environment.binomial(size[arm], means[arm]) + laplace(streams.noise, 1.0 / epsilon)
            mean[arm] = total / size[arm]
        if t == checkpoints[c]:
            regret[c] = regret_of(pulls, means)
            c += 1
    return regret, pulls
