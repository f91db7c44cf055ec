"""Combinatorial Thompson sampling on a matroid (Wang & Chen 2018, with bases in place of an oracle), without
privacy.
"""

import numpy as np

from dpbandits.algorithms.estimates import nothing_observed
from dpbandits.algorithms.matroid.optimism import observe_basis
from dpbandits.environments.matroid.choose import basis_gap, choose, draw_weights, no_choice, optimal_basis
from dpbandits.kernels import kernel


@kernel
def cts_gauss(means, matroid, users, horizon, checkpoints, streams):
    """CTS with Gaussian draws: play the basis with the greatest total of θ_e ~ N(m̂_e, 1/T_e), +∞ before e is observed.

    The thesis's experiments (Chandak 2023, Section 6.1) set this beside DPTS-MAT. Arguments and result as `omm`.
    """
    estimates = nothing_observed(means.size)
    theta, weights = np.empty(means.size), np.empty(matroid.rank)
    choice, optimal = no_choice(matroid, means.size), optimal_basis(matroid, means)
    regret, lost, gap, c = np.empty(checkpoints.size), 0.0, 0.0, 0
    for t in range(1, horizon + 1):
        for e in matroid.elements:
            observed = estimates.pulls[e] > 0
            theta[e] = estimates.mean[e] + estimates.width[e] * streams.noise.standard_normal() if observed else np.inf
        if choose(matroid, theta, choice, streams.policy):
            gap = basis_gap(choice.chosen, optimal, means)
        draw_weights(weights, choice.basis, means, users, streams.environment)
        observe_basis(estimates, choice.basis, weights, 1)
        lost += gap
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, estimates.pulls


@kernel
def cts_beta(means, matroid, users, horizon, checkpoints, streams):
    """CTS with Beta draws: as `cts_gauss`, with θ_e ~ Beta(1 + S_e, 1 + T_e − S_e), S_e the sum of T_e weights of 0 or
    1.
    """
    estimates = nothing_observed(means.size)
    theta, weights = np.empty(means.size), np.empty(matroid.rank)
    choice, optimal = no_choice(matroid, means.size), optimal_basis(matroid, means)
    regret, lost, gap, c = np.empty(checkpoints.size), 0.0, 0.0, 0
    for t in range(1, horizon + 1):
        for e in matroid.elements:
            ones = estimates.total[e]
            theta[e] = streams.noise.beta(1.0 + ones, 1.0 + estimates.pulls[e] - ones)
        if choose(matroid, theta, choice, streams.policy):
            gap = basis_gap(choice.chosen, optimal, means)
        draw_weights(weights, choice.basis, means, users, streams.environment)
        observe_basis(estimates, choice.basis, weights, 1)
        lost += gap
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, estimates.pulls
