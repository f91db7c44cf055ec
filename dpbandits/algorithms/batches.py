"""Lazy and forgetful estimates for the cascade and semi-bandit kernels: what is released of an arm is a batch, once.

Lazy: an arm's estimate is renewed only when 1, 2, 4, ... new observations of it have come in. Forgetful: it is then
made from these alone, and they are never used again. After a release of size n the arm was observed from 2n − 1 to 4n −
2 times.
"""

import math
from typing import NamedTuple

import numpy as np

from dpbandits.kernels import kernel
from dpbandits.randomness import laplace


class Batches(NamedTuple):
    """For every arm: observed in all; waiting and total (observations since the last release, and their sum); size n of
    the

    last released batch, 0 before the first; mean = (its sum + noise)/n; width = 1/sqrt(n) and share = 1/n, infinite at
    first.
    """

    observed: np.ndarray
    waiting: np.ndarray
    total: np.ndarray
    size: np.ndarray
    mean: np.ndarray
    width: np.ndarray
    share: np.ndarray


@kernel
def nothing_released(arms):
    """Before the first round."""
    return Batches(
        np.zeros(arms, np.int64), np.zeros(arms, np.int64), np.zeros(arms), np.zeros(arms, np.int64), np.zeros(arms),
        np.full(arms, np.inf), np.full(arms, np.inf),
    )  # fmt: skip


@kernel
def take_in(batches, arm, outcome, scale, rng):
    """One more observation of `arm`; if it completes the batch of 1, 2, 4, ..., this is released with noise
    Lap(scale).
    """
    batches.observed[arm] += 1
    batches.waiting[arm] += 1
    batches.total[arm] += outcome
    size = batches.waiting[arm]
    if size == max(1, 2 * batches.size[arm]):
        batches.size[arm], batches.share[arm], batches.width[arm] = size, 1.0 / size, 1.0 / math.sqrt(size)
        batches.mean[arm] = (batches.total[arm] + laplace(rng, scale)) / size
        batches.waiting[arm], batches.total[arm] = 0, 0.0
