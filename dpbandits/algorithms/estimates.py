"""What the cascade and semi-bandit kernels share: one estimate for each item or base arm."""

import math
from typing import NamedTuple

import numpy as np

from dpbandits.kernels import kernel


class Estimates(NamedTuple):
    """For every arm: pulls T_i (observations that count), total of what was reported, mean = total/T, width =
    1/sqrt(T).
    """

    pulls: np.ndarray
    total: np.ndarray
    mean: np.ndarray
    width: np.ndarray


@kernel
def nothing_observed(arms):
    """No observation yet: T_i = 0, so that mean + anything > 0 · width is +∞."""
    return Estimates(np.zeros(arms, np.int64), np.zeros(arms), np.zeros(arms), np.full(arms, np.inf))


@kernel
def observe(estimates, arm, report):
    """One more (noisy) observation of `arm`."""
    estimates.pulls[arm] += 1
    estimates.total[arm] += report
    estimates.mean[arm] = estimates.total[arm] / estimates.pulls[arm]
    estimates.width[arm] = 1.0 / math.sqrt(estimates.pulls[arm])


@kernel
def optimistic(index, estimates, root):
    """Fill `index` with mean + root · width = mean + root/sqrt(T); root >= 0. Arms never observed come to +∞."""
    if root == 0.0:  # t = 1, where all arms have the same T, be it 0 or 1 (0 · ∞ would be nan)
        index[:] = estimates.mean
        return
    for arm in range(index.size):
        index[arm] = estimates.mean[arm] + root * estimates.width[arm]


@kernel
def least_observed(arms, pulls, rng):
    """Place in `arms` of the one with the fewest pulls; ties are broken uniformly at random."""
    place, ties = 0, 1
    for k in range(1, arms.size):
        if pulls[arms[k]] < pulls[arms[place]]:
            place, ties = k, 1
        elif pulls[arms[k]] == pulls[arms[place]]:
            ties += 1
            if rng.random() * ties < 1.0:
                place = k
    return place
