"""The same two laws, faster: rounds in which the basis certainly stays are played at once (`method="fast"`)."""

import math

import numpy as np

from dpbandits.algorithms.estimates import nothing_observed, optimistic
from dpbandits.algorithms.matroid.lazy import nothing_released, private_index, rounds_to_release, take_in
from dpbandits.algorithms.matroid.optimism import observe_basis
from dpbandits.algorithms.stochastic.bookkeeping import record_block
from dpbandits.environments.matroid.choose import basis_gap, choose, draw_sums, draw_weights, no_choice, optimal_basis
from dpbandits.kernels import kernel


@kernel
def stays(choice, inside, outside):
    """Whether the basis stays: no element outside comes up to one inside that is ahead of it.

    inside, outside: indices (or bounds: from below for elements in the basis, from above for the others), shape (L,).
    """
    lowest = np.inf
    for e in choice.order:
        if choice.chosen[e]:
            lowest = min(lowest, inside[e])
        elif outside[e] >= lowest:
            return False
    return True


@kernel
def last_round(choice, batches, t, limit, rank, epsilon, index):
    """The last round in t..limit up to which the basis of round t is played for sure, if nothing is released before.

    U_t(a) − U_t(b) is a quadratic in sqrt(ln(Kt)), without a negative coefficient (if T_a < T_b) or concave: from a
    positive start it stays positive, or until it first crosses 0. So the rounds in which the order holds are those
    before some round, which bisection finds. `index` is scratch.
    """
    private_index(index, batches, limit, rank, epsilon)
    if stays(choice, index, index):
        return limit
    while limit - t > 1:
        middle = (t + limit) // 2
        private_index(index, batches, middle, rank, epsilon)
        if stays(choice, index, index):
            t = middle
        else:
            limit = middle
    return t


@kernel
def dpucb_mat_fast(means, matroid, users, horizon, checkpoints, streams, epsilon):
    """`dpucb_mat` by exact jumps to the next change of order or the next complete batch, whichever comes first.

    Between these the indices change with t alone; the weights' sums of a jump are Binomial. Arguments and result as
    `dpucb_mat`.
    """
    batches, scale = nothing_released(means.size), matroid.rank / epsilon
    index, sums = np.empty(means.size), np.empty(matroid.rank)
    choice, optimal = no_choice(matroid, means.size), optimal_basis(matroid, means)
    regret, lost, gap, c, t = np.empty(checkpoints.size), 0.0, 0.0, 0, 1
    while t <= horizon:
        private_index(index, batches, t, matroid.rank, epsilon)
        if choose(matroid, index, choice, streams.policy):
            gap = basis_gap(choice.chosen, optimal, means)
        limit = min(horizon, t + rounds_to_release(batches, choice.basis) - 1)
        rounds = last_round(choice, batches, t, limit, matroid.rank, epsilon, index) - t + 1
        draw_sums(sums, choice.basis, rounds, means, users, streams.environment)
        take_in(batches, choice.basis, sums, rounds, scale, streams.noise)
        c = record_block(regret, checkpoints, c, t - 1, rounds, lost, gap)
        t, lost = t + rounds, lost + rounds * gap
    return regret, batches.plays


@kernel
def surely_stays(choice, estimates, t, rounds, low, high):
    """Whether the basis of round t is played in all of t..t+rounds−1, whatever the weights.

    Until the last of them an element inside has seen at most n = rounds − 1 more weights, so that its index is at least
    S/(T + n) + sqrt(2 ln t/(T + n)); one outside has at most m̂ + sqrt(2 ln(t + n)/T). low, high are scratch.
    """
    n = rounds - 1
    now, later = math.sqrt(2.0 * math.log(t)), math.sqrt(2.0 * math.log(t + n))
    optimistic(high, estimates, later)
    for e in choice.basis:
        observed = estimates.pulls[e] + n
        low[e] = (estimates.total[e] + now * math.sqrt(observed)) / observed - 1e-12  # for rounding
    return stays(choice, low, high)


@kernel
def omm_fast(means, matroid, users, horizon, checkpoints, streams):
    """`omm` by exact jumps over rounds in which no outcome could change the basis. Arguments and result as `omm`."""
    estimates = nothing_observed(means.size)
    index, low, high, sums = np.empty(means.size), np.empty(means.size), np.empty(means.size), np.empty(matroid.rank)
    choice, optimal = no_choice(matroid, means.size), optimal_basis(matroid, means)
    regret, lost, gap, c, t, rounds = np.empty(checkpoints.size), 0.0, 0.0, 0, 1, 1
    while t <= horizon:
        optimistic(index, estimates, math.sqrt(2.0 * math.log(t)))
        if choose(matroid, index, choice, streams.policy):
            gap = basis_gap(choice.chosen, optimal, means)
        rounds = min(2 * rounds, horizon - t + 1)
        while rounds > 1 and not surely_stays(choice, estimates, t, rounds, low, high):
            rounds //= 2
        if rounds == 1:  # most often, and then faster
            draw_weights(sums, choice.basis, means, users, streams.environment)
        else:
            draw_sums(sums, choice.basis, rounds, means, users, streams.environment)
        observe_basis(estimates, choice.basis, sums, rounds)
        c = record_block(regret, checkpoints, c, t - 1, rounds, lost, gap)
        t, lost = t + rounds, lost + rounds * gap
    return regret, estimates.pulls
