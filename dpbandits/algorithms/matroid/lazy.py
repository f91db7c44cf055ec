"""DPUCB-MAT and DPTS-MAT (Chandak 2023): lazy and forgetful estimates, released behind Laplace noise.

Lazy: an element's estimate is renewed only when 1, 2, 4, ... new observations of it have come in. Forgetful: it is then
made from these alone, and they are never used again. So a weight enters one release, once.
"""

import math
from typing import NamedTuple

import numpy as np

from dpbandits.environments.matroid.choose import basis_gap, choose, draw_weights, no_choice, optimal_basis
from dpbandits.kernels import kernel
from dpbandits.randomness import laplace


class Batches(NamedTuple):
    """For every element: plays; waiting and total (observations since the last release, and their sum); size T_e (of
    the

    last released batch, 0 before the first); estimate w̃_e = (its sum + noise)/T_e; width = 1/sqrt(T_e); share = 1/T_e.
    """

    plays: np.ndarray
    waiting: np.ndarray
    total: np.ndarray
    size: np.ndarray
    estimate: np.ndarray
    width: np.ndarray
    share: np.ndarray


@kernel
def nothing_released(arms):
    """Before the first round."""
    return Batches(
        np.zeros(arms, np.int64),
        np.zeros(arms, np.int64),
        np.zeros(arms),
        np.zeros(arms, np.int64),
        np.zeros(arms),
        np.full(arms, np.inf),
        np.full(arms, np.inf),
    )


@kernel
def rounds_to_release(batches, basis):
    """After how many more plays of `basis` the first batch of one of its elements is complete: 1, 2, 4, ...
    observations.
    """
    least = np.iinfo(np.int64).max
    for e in basis:
        least = min(least, max(1, 2 * batches.size[e]) - batches.waiting[e])
    return least


@kernel
def take_in(batches, basis, sums, rounds, scale, rng):
    """`rounds` more observations of each element of `basis`, with these sums; complete batches are released with noise
    Lap(scale).

    rounds <= rounds_to_release. The elements are done in one call: handing eight arrays over costs more than the work
    on one.
    """
    for k in range(basis.size):
        e = basis[k]
        batches.plays[e] += rounds
        batches.waiting[e] += rounds
        batches.total[e] += sums[k]
        size = batches.waiting[e]
        if size == max(1, 2 * batches.size[e]):
            batches.size[e], batches.share[e], batches.width[e] = size, 1.0 / size, 1.0 / math.sqrt(size)
            batches.estimate[e] = (batches.total[e] + laplace(rng, scale)) / size
            batches.waiting[e], batches.total[e] = 0, 0.0


@kernel
def private_index(index, batches, t, rank, epsilon):
    """Fill `index` with U_t(e) = w̃_e + sqrt(3 ln(Kt)/T_e) + 3 K ln(Kt)/(ε T_e); +∞ before the first release."""
    log = 3.0 * math.log(rank * t)
    if log == 0.0:  # K = 1 and t = 1: nobody is released (0 · ∞ would be nan)
        index[:] = np.inf
        return
    root, bonus = math.sqrt(log), log * rank / epsilon
    for e in range(index.size):
        index[e] = batches.estimate[e] + root * batches.width[e] + bonus * batches.share[e]


@kernel
def dpucb_mat(means, matroid, users, horizon, checkpoints, streams, epsilon):
    """DPUCB-MAT (Algorithm 2): play the basis with the greatest total of

        U_t(e) = w̃_e + sqrt(3 ln(Kt)/T_e) + 3 ln(Kt)/(ε₀ T_e),  ε₀ = ε/K,  w̃_e = (sum of the last complete batch +
        Lap(K/ε))/T_e.

    Batches hold 1, 2, 4, ... observations. An element without one has U = +∞ and ranks first; the text places it last,
    by which an element may never be played. means, matroid, users, checkpoints: as `omm`. Returns (regret at the
    checkpoints, plays).
    """
    batches, scale = nothing_released(means.size), matroid.rank / epsilon
    index, weights = np.empty(means.size), np.empty(matroid.rank)
    choice, optimal = no_choice(matroid, means.size), optimal_basis(matroid, means)
    regret, lost, gap, c = np.empty(checkpoints.size), 0.0, 0.0, 0
    for t in range(1, horizon + 1):
        private_index(index, batches, t, matroid.rank, epsilon)
        if choose(matroid, index, choice, streams.policy):
            gap = basis_gap(choice.chosen, optimal, means)
        draw_weights(weights, choice.basis, means, users, streams.environment)
        take_in(batches, choice.basis, weights, 1, scale, streams.noise)
        lost += gap
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, batches.plays


@kernel
def dpts_mat(means, matroid, users, horizon, checkpoints, streams, epsilon):
    """DPTS-MAT (Algorithm 5): as `dpucb_mat`, with the index

    θ_e ~ N(w̃_e + 3 ln(Kt)/(ε₀ T_e), 1/T_e), fresh in every round; +∞ (so first, not last) before the first release.
    """
    batches, scale = nothing_released(means.size), matroid.rank / epsilon
    theta, weights = np.empty(means.size), np.empty(matroid.rank)
    choice, optimal = no_choice(matroid, means.size), optimal_basis(matroid, means)
    regret, lost, gap, c = np.empty(checkpoints.size), 0.0, 0.0, 0
    for t in range(1, horizon + 1):
        bonus = 3.0 * math.log(matroid.rank * t) * scale
        for e in matroid.elements:
            if batches.size[e] == 0:
                theta[e] = np.inf
            else:
                theta[e] = (
                    batches.estimate[e] + bonus * batches.share[e] + batches.width[e] * streams.noise.standard_normal()
                )
        if choose(matroid, theta, choice, streams.policy):
            gap = basis_gap(choice.chosen, optimal, means)
        draw_weights(weights, choice.basis, means, users, streams.environment)
        take_in(batches, choice.basis, weights, 1, scale, streams.noise)
        lost += gap
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, batches.plays
