"""What the cascade kernels share: one estimate for each item."""

import math
from typing import NamedTuple

import numpy as np

from dpbandits.environments.cascade import attracts, number_of_items
from dpbandits.kernels import kernel


class Estimates(NamedTuple):
    """For every item: pulls T(e) (observations that count), total of what was reported, mean = total/T, width = 1/sqrt(T)."""

    pulls: np.ndarray
    total: np.ndarray
    mean: np.ndarray
    width: np.ndarray


@kernel
def nothing_observed(items):
    """No observation yet: T(e) = 0, so that mean + anything > 0 · width is +∞."""
    return Estimates(np.zeros(items, np.int64), np.zeros(items), np.zeros(items), np.full(items, np.inf))


@kernel
def first_observation(attraction, rng):
    """w_0: every item observed once, free of charge."""
    estimates = nothing_observed(number_of_items(attraction))
    for item in range(estimates.pulls.size):
        observe(estimates, item, attracts(item, 0, attraction, rng))
    return estimates


@kernel
def observe(estimates, item, report):
    """One more (noisy) observation of `item`."""
    estimates.pulls[item] += 1
    estimates.total[item] += report
    estimates.mean[item] = estimates.total[item] / estimates.pulls[item]
    estimates.width[item] = 1.0 / math.sqrt(estimates.pulls[item])


@kernel
def optimistic(index, estimates, root):
    """Fill `index` with mean + root · width = mean + root/sqrt(T); root >= 0. Items never observed come to +∞."""
    if root == 0.0:  # t = 1, where all items have the same T, be it 0 or 1 (0 · ∞ would be nan)
        index[:] = estimates.mean
        return
    for item in range(index.size):
        index[item] = estimates.mean[item] + root * estimates.width[item]


@kernel
def least_observed_first(chosen, pulls, rng):
    """Move the item of `chosen` with the fewest pulls to the front (ties uniformly at random); the others keep their order."""
    lead, ties = 0, 1
    for k in range(1, chosen.size):
        if pulls[chosen[k]] < pulls[chosen[lead]]:
            lead, ties = k, 1
        elif pulls[chosen[k]] == pulls[chosen[lead]]:
            ties += 1
            if rng.random() * ties < 1.0:
                lead = k
    item = chosen[lead]
    for k in range(lead, 0, -1):
        chosen[k] = chosen[k - 1]
    chosen[0] = item
