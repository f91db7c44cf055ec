"""Greedy on vectors: exact elimination modulo primes, with almost no work for an element that obviously depends on the
kept ones.

The kept vectors are held as a reduced echelon form: each has a pivot, a position where all others are 0. A position is
FREE if it is nobody's pivot, MIXED if it is the pivot of a row that is not 0 on all free positions, and PURE if that
row is. A vector all of whose non-zero positions are pure depends on the kept ones: of a sparse vector (a film's genres)
this is seen at a glance.
"""

import numpy as np

from dpbandits.kernels import kernel

FREE, MIXED, PURE = range(3)


@kernel
def linear_greedy(matroid, order, chosen, basis):
    """Independent: the vectors are linearly independent over the reals, which holds iff they are so modulo some prime.

    A prime for which the kept vectors have become dependent says nothing more and is dropped; by the choice of the
    primes (exact.py) one is always left, and a new vector depends on the kept ones iff all primes left say so.
    """
    residues, places, primes = matroid.residues, matroid.table, matroid.primes
    count, dimension = primes.size, residues.shape[2]
    rows, rest = np.empty((count, dimension, dimension)), np.empty((count, dimension))
    state, mixed = np.zeros((count, dimension), np.int64), np.zeros(count, np.int64)  # all FREE
    pivots, left, kept = np.empty(count, np.int64), np.full(count, True), 0
    for e in order:
        independent = False
        for q in range(count):
            pivots[q] = -1
            if left[q] and not obvious(places, state, q, e):
                pivots[q] = reduce(residues, places, rows, state, rest, mixed, primes[q], q, e)
                independent |= pivots[q] >= 0
        if independent:
            for q in range(count):
                left[q] &= pivots[q] >= 0
                if left[q]:
                    adopt(rows, state, rest, mixed, primes[q], q, pivots[q])
            chosen[e], basis[kept] = True, e
            kept += 1
            if kept == basis.size:
                break
    return kept


# The parts of it, put in place of their calls. Of each prime q: rows[q, c], the row with the pivot c; state[q, c], of
# the position
# c; rest[q], what is left of the vector in hand; mixed[q], how many positions are MIXED. Numbers are integers of
# absolute value
# <= prime/2 + 1, held as floats: prime < 2²⁶, so every product and sum is exact.


@kernel(inline=True)
def obvious(places, state, q, e):
    """Whether e certainly depends on the kept ones. places[e]: its non-zero positions, then −1."""
    pure = True
    for k in range(places.shape[1]):
        c = places[e, k]
        pure &= c < 0 or state[q, c] == PURE
    return pure


@kernel(inline=True)
def reduce(residues, places, rows, state, rest, mixed, prime, q, e):
    """Eliminate the kept rows from vector e: `rest` is a multiple of what is left. Returns a free position that is not
    0, or −1.
    """
    pivot = -1
    for i in range(rest.shape[1]):
        rest[q, i] = residues[q, e, i]
    if mixed[q] > 0:
        for k in range(places.shape[1]):
            c = places[e, k]
            if c >= 0 and state[q, c] == MIXED and rest[q, c] != 0.0:
                lead, factor = rows[q, c, c], rest[q, c]
                for i in range(rest.shape[1]):
                    rest[q, i] = modulo(lead * rest[q, i] - factor * rows[q, c, i], prime)
    for i in range(rest.shape[1]):
        if state[q, i] == FREE and rest[q, i] != 0.0:
            pivot = i
            break
    return pivot


@kernel(inline=True)
def adopt(rows, state, rest, mixed, prime, q, pivot):
    """Take `rest` into the echelon form, with this pivot."""
    others = 0
    for i in range(rest.shape[1]):
        free = state[q, i] == FREE
        rows[q, pivot, i] = rest[q, i] if free else 0.0  # 0: by subtracting the pure rows
        others += free and i != pivot and rest[q, i] != 0.0
    state[q, pivot] = PURE
    if mixed[q] > 0:
        for c in range(rest.shape[1]):
            if state[q, c] == MIXED and rows[q, c, pivot] != 0.0:
                lead, factor, found = rows[q, pivot, pivot], rows[q, c, pivot], 0
                for i in range(rest.shape[1]):
                    rows[q, c, i] = modulo(lead * rows[q, c, i] - factor * rows[q, pivot, i], prime)
                    found += state[q, i] == FREE and rows[q, c, i] != 0.0
                if found == 0:
                    state[q, c] = PURE
                    mixed[q] -= 1
    if others > 0:
        state[q, pivot] = MIXED
        mixed[q] += 1


@kernel(inline=True)
def modulo(number, prime):
    """`number` modulo an odd prime, in −prime/2..prime/2, up to 1 outside by rounding."""
    return number - prime * np.rint(number * (1.0 / prime))
