"""A matroid as arrays that kernels read, and the greedy walk that every question about it comes down to.

A matroid says which sets of elements are independent; its largest independent sets, the bases, all have K elements
(Chandak 2023, Definition 1). Walking through the elements by decreasing weight and keeping each one that is independent
of those kept before gives a basis of maximum weight (its Algorithm 1). The size of what is kept is the rank of the
elements walked through.
"""

from typing import NamedTuple

import numpy as np

from dpbandits.environments.matroid.elimination import linear_greedy
from dpbandits.kernels import kernel

PARTITION, GRAPHIC, TRANSVERSAL, LINEAR = range(4)
KINDS = ("partition", "graphic", "transversal", "linear")


class Matroid(NamedTuple):
    """A matroid on the elements 0..L−1; build.py makes them.

    kind: PARTITION, GRAPHIC, TRANSVERSAL or LINEAR (a uniform matroid is a partition with one block). rank: K >= 1.
    elements: all that are no loops, increasing; a loop is in no basis.
    table: shape (L, columns): an element's block (partition), the ends of an edge (graphic), 1 where a set holds the
    element (transversal), its non-zero positions, then −1 (linear). limits: the capacity of each block (partition); one
    entry a node (graphic).
    primes, residues: only of linear matroids, shapes (primes,) and (primes, L, dimension): see exact.py.
    """

    kind: int
    rank: int
    elements: np.ndarray
    table: np.ndarray
    limits: np.ndarray
    primes: np.ndarray
    residues: np.ndarray


@kernel
def greedy(matroid, order, chosen, basis):
    """Keep each element of `order` that is independent of those kept before, until `basis` is full. Returns how many.

    order: distinct elements. chosen, shape (L,): becomes True where kept. basis: the kept ones, in their order.
    """
    chosen[:] = False
    if matroid.kind == PARTITION:
        return partition_greedy(matroid, order, chosen, basis)
    if matroid.kind == GRAPHIC:
        return graphic_greedy(matroid, order, chosen, basis)
    if matroid.kind == TRANSVERSAL:
        return transversal_greedy(matroid, order, chosen, basis)
    return linear_greedy(matroid, order, chosen, basis)


@kernel
def partition_greedy(matroid, order, chosen, basis):
    """Independent: no block holds more elements than its capacity."""
    left, kept = matroid.limits.copy(), 0
    for e in order:
        block = matroid.table[e, 0]
        if left[block] > 0:
            left[block] -= 1
            chosen[e], basis[kept] = True, e
            kept += 1
            if kept == basis.size:
                break
    return kept


@kernel
def root_of(node, parent):
    """The representative of a node's component; halves the path to it."""
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


@kernel
def graphic_greedy(matroid, order, chosen, basis):
    """Independent: the edges close no cycle. Kept by union-find."""
    parent, kept = np.arange(matroid.limits.size), 0
    for e in order:
        one, other = root_of(matroid.table[e, 0], parent), root_of(matroid.table[e, 1], parent)
        if one != other:
            parent[one] = other
            chosen[e], basis[kept] = True, e
            kept += 1
            if kept == basis.size:
                break
    return kept


@kernel
def seat(matroid, newcomer, holder, place, via, queue):
    """Give `newcomer` a set of its own, moving others to further sets if need be: a shortest augmenting path.

    holder: the element that each set represents, or −1; place: the set of each seated element. True if it worked.
    """
    via[:] = -1  # the element from which the search came to each set
    queue[0], found = newcomer, 1
    for head in range(queue.size):
        if head == found:
            break
        for s in range(holder.size):
            if matroid.table[queue[head], s] == 0 or via[s] >= 0:
                continue
            via[s] = queue[head]
            if holder[s] >= 0:
                queue[found] = holder[s]
                found += 1
                continue
            while True:  # a free set: everybody on the way moves up by one
                e = via[s]
                holder[s] = e
                if e == newcomer:
                    place[e] = s
                    return True
                place[e], s = s, place[e]
    return False


@kernel
def transversal_greedy(matroid, order, chosen, basis):
    """Independent: the elements can represent distinct sets that hold them."""
    sets, kept = matroid.table.shape[1], 0
    holder, place = np.full(sets, -1), np.empty(chosen.size, np.int64)
    via, queue = np.empty(sets, np.int64), np.empty(sets + 1, np.int64)
    for e in order:
        if seat(matroid, e, holder, place, via, queue):
            chosen[e], basis[kept] = True, e
            kept += 1
            if kept == basis.size:
                break
    return kept
