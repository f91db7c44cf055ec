"""The maximum-weight basis, round after round: the old order is checked again rather than the problem solved again."""

from typing import NamedTuple

import numpy as np

from dpbandits.environments.matroid.structure import greedy
from dpbandits.kernels import kernel


class Choice(NamedTuple):
    """The current basis. order: the elements that are no loops, by decreasing index. chosen, shape (L,): who is in the
    basis.

    basis, shape (K,): its members, in no particular order; basis[0] = −1 before the first choice.
    """

    order: np.ndarray
    chosen: np.ndarray
    basis: np.ndarray


@kernel
def no_choice(matroid, arms):
    """Before the first round."""
    return Choice(matroid.elements.copy(), np.full(arms, False), np.full(matroid.rank, -1))


@kernel
def choose(matroid, index, choice, rng):
    """Make `choice` a basis of greatest total `index`; ties are broken uniformly at random. Returns whether it was
    solved anew.

    Elements of equal index come in a fresh random order each time. As long as no element outside the basis moves ahead
    of one inside, the greedy walk keeps the same elements: two neighbours that are both in, both out, or of which the
    later one is in, can change places without any effect. So an insertion sort from the old order, linear where that
    order still holds, tells whether the walk is needed. index: shape (L,), no NaN; +∞ ranks first.
    """
    order, chosen = choice.order, choice.chosen
    stale, tied = choice.basis[0] < 0, False
    if not stale and strictly_falls(index, order):
        return False
    for i in range(1, order.size):
        e, place = order[i], i
        while place > 0 and index[order[place - 1]] < index[e]:
            stale |= chosen[order[place - 1]] and not chosen[e]
            order[place] = order[place - 1]
            place -= 1
        order[place] = e
        tied |= place > 0 and index[order[place - 1]] == index[e]
    if tied:
        stale |= shuffle_ties(index, choice, rng)
    if stale:
        greedy(matroid, order, chosen, choice.basis)
    return stale


@kernel
def strictly_falls(index, order):
    """Whether the order still holds and nobody ties."""
    for i in range(1, order.size):
        if not index[order[i]] < index[order[i - 1]]:
            return False
    return True


@kernel
def shuffle_ties(index, choice, rng):
    """Put every run of equal indices into a uniformly random order. Returns whether a run had elements in the basis and
    out of it.
    """
    order, start, mixed = choice.order, 0, False
    for end in range(1, order.size + 1):
        if end < order.size and index[order[end]] == index[order[start]]:
            continue
        if end - start > 1:
            inside = 0
            for i in range(start, end):
                inside += choice.chosen[order[i]]
                other = start + int(rng.random() * (i - start + 1))
                order[i], order[other] = order[other], order[i]
            mixed |= 0 < inside < end - start
        start = end
    return mixed


@kernel
def basis_gap(chosen, optimal, means):
    """What the basis `chosen` loses in one round against `optimal`: w̄(A*) − w̄(A) >= 0. Both are masks of shape (L,)."""
    gap = 0.0
    for e in range(means.size):
        if chosen[e] != optimal[e]:
            gap += means[e] if optimal[e] else -means[e]
    return max(0.0, gap)  # max: two bases of equal value may differ by rounding


@kernel
def optimal_basis(matroid, means):
    """A* as a mask of shape (L,); among equals lower numbers are preferred."""
    chosen = np.full(means.size, False)
    order = np.argsort(-means[matroid.elements], kind="mergesort")  # stable
    greedy(matroid, matroid.elements[order], chosen, np.empty(matroid.rank, np.int64))
    return chosen


@kernel
def chance_value(matroid, means, draws, rng):
    """Mean w̄(A) over `draws` bases taken greedily in a uniformly random order: what is earned before anything is
    known.
    """
    order, chosen, basis, total = (
        matroid.elements.copy(),
        np.full(means.size, False),
        np.empty(matroid.rank, np.int64),
        0.0,
    )
    for _ in range(draws):
        for i in range(order.size - 1, 0, -1):
            other = int(rng.random() * (i + 1))
            order[i], order[other] = order[other], order[i]
        greedy(matroid, order, chosen, basis)
        for e in basis:
            total += means[e]
    return total / draws


@kernel
def draw_weights(weights, basis, means, users, rng):
    """Fill `weights` with w_t(e) for the elements e of `basis`.

    Without users (no rows) they are independent Bernoulli(means[e]); else those of one user, drawn uniformly: users has
    a row of 0 and 1 for each, shape (users, L).
    """
    if users.shape[0] == 0:
        for k in range(basis.size):
            weights[k] = rng.random() < means[basis[k]]
    else:
        user = int(rng.random() * users.shape[0])
        for k in range(basis.size):
            weights[k] = users[user, basis[k]]


@kernel
def draw_sums(sums, basis, rounds, means, users, rng):
    """Fill `sums` with the sums over `rounds` rounds of what draw_weights gives."""
    if users.shape[0] == 0:
        for k in range(basis.size):
            sums[k] = rng.binomial(rounds, means[basis[k]])
    else:
        sums[:] = 0.0
        for _ in range(rounds):
            user = int(rng.random() * users.shape[0])
            for k in range(basis.size):
                sums[k] += users[user, basis[k]]
