"""Policies as a learner writes them, some private and some not."""

import math

import numpy as np

from dpbandits.randomness import argmax, laplace


def forgetful(means, horizon, checkpoints, streams, epsilon=1.0):
    """ε-private: every reward enters one batch, which is released once."""
    size, index = np.zeros(means.size), np.full(means.size, np.inf)
    regret, lost, c, arm, left, total = np.empty(checkpoints.size), 0.0, 0, 0, 0.0, 0.0
    for t in range(1, horizon + 1):
        if left == 0:
            arm, total = argmax(index, streams.policy), 0.0
            size[arm] = left = max(1.0, 2 * size[arm])
        total += streams.environment.random() < means[arm]
        left -= 1
        if left == 0:
            log = math.log(t + 1)
            index[arm] = (total + laplace(streams.noise, 1 / epsilon) + log / epsilon) / size[arm] + math.sqrt(
                log / size[arm]
            )
        lost += means.max() - means[arm]
        if t == checkpoints[c]:
            regret[c], c = lost, c + 1
    return regret


def fresh_noise(means, horizon, checkpoints, streams, epsilon=1.0):
    """Not ε-private: fresh noise on the same totals, round after round."""
    total, pulls, index = np.zeros(means.size), np.zeros(means.size), np.empty(means.size)
    regret, lost, c = np.empty(checkpoints.size), 0.0, 0
    for t in range(1, horizon + 1):
        for i in range(means.size):
            index[i] = (total[i] + laplace(streams.noise, 1 / epsilon)) / pulls[i] if pulls[i] > 0 else np.inf
        arm = argmax(index, streams.policy)
        total[arm] += streams.environment.random() < means[arm]
        pulls[arm] += 1
        lost += means.max() - means[arm]
        if t == checkpoints[c]:
            regret[c], c = lost, c + 1
    return regret


def randomised_response(means, horizon, checkpoints, streams, epsilon=1.0):
    """Exactly ε-private: arm 0 in round 1; from then on the arm that a randomised answer about its reward names."""
    says = 0.0
    if streams.environment.random() < means[0]:
        says = 1.0
    if streams.noise.random() > 1 / (1 + math.exp(-epsilon)):
        says = 1.0 - says
    later = means.max() - means[int(says)]
    return means.max() - means[0] + later * (checkpoints - 1.0)


def blind(means, horizon, checkpoints, streams, epsilon=1.0):
    """The first arm, for ever."""
    return (means.max() - means[0]) * checkpoints.astype(np.float64)
