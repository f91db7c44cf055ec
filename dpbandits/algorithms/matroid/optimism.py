"""Matroid bandits without privacy, by upper confidence bounds."""

import math

import numpy as np

from dpbandits.algorithms.estimates import nothing_observed, optimistic
from dpbandits.algorithms.kl import kl_upper
from dpbandits.environments.matroid.choose import basis_gap, choose, draw_weights, no_choice, optimal_basis
from dpbandits.kernels import kernel


@kernel
def observe_basis(estimates, basis, sums, rounds):
    """`rounds` more observations of each element of `basis`, with these sums."""
    for k in range(basis.size):
        e = basis[k]
        estimates.pulls[e] += rounds
        estimates.total[e] += sums[k]
        estimates.mean[e] = estimates.total[e] / estimates.pulls[e]
        estimates.width[e] = 1.0 / math.sqrt(estimates.pulls[e])


@kernel
def omm(means, matroid, users, horizon, checkpoints, streams):
    """OMM, optimistic matroid maximisation (Kveton et al. 2014): play the basis with the greatest total of

        U(e) = m̂_e + sqrt(2 ln t / T_e),  +∞ before e is observed (so it comes first; Kveton et al. observe every e
        once, for free).

    means: w̄, shape (L,), in [0, 1]. matroid: a Matroid (environments/matroid/structure.py). users: whose weights are
    drawn, shape (users, L); no rows: independent Bernoulli weights. checkpoints: increasing rounds, the last is the
    horizon. Returns (pseudo-regret at the checkpoints, T_e: how often each element was played).
    """
    estimates = nothing_observed(means.size)
    index, weights = np.empty(means.size), np.empty(matroid.rank)
    choice, optimal = no_choice(matroid, means.size), optimal_basis(matroid, means)
    regret, lost, gap, c = np.empty(checkpoints.size), 0.0, 0.0, 0
    for t in range(1, horizon + 1):
        optimistic(index, estimates, math.sqrt(2.0 * math.log(t)))
        if choose(matroid, index, choice, streams.policy):
            gap = basis_gap(choice.chosen, optimal, means)
        draw_weights(weights, choice.basis, means, users, streams.environment)
        observe_basis(estimates, choice.basis, weights, 1)
        lost += gap
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, estimates.pulls


@kernel
def kl_osm(means, matroid, users, horizon, checkpoints, streams):
    """KL-OSM (Talebi & Proutiere 2016): as `omm`, with the index

        max{q in [m̂_e, 1] : T_e kl(m̂_e, q) <= ln t + 3 ln ln t}.

    Before t = 3, where ln ln t is negative, that term counts as 0. Arguments and result as `omm`.
    """
    estimates = nothing_observed(means.size)
    index, weights = np.empty(means.size), np.empty(matroid.rank)
    choice, optimal = no_choice(matroid, means.size), optimal_basis(matroid, means)
    regret, lost, gap, c = np.empty(checkpoints.size), 0.0, 0.0, 0
    for t in range(1, horizon + 1):
        log_t = math.log(t)
        exploration = log_t + 3.0 * math.log(max(1.0, log_t))
        for e in range(means.size):
            pulls = estimates.pulls[e]
            index[e] = kl_upper(estimates.mean[e], exploration / pulls) if pulls > 0 else np.inf
        if choose(matroid, index, choice, streams.policy):
            gap = basis_gap(choice.chosen, optimal, means)
        draw_weights(weights, choice.basis, means, users, streams.environment)
        observe_basis(estimates, choice.basis, weights, 1)
        lost += gap
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, estimates.pulls
