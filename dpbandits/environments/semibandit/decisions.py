"""Decision sets: which sets of base arms may be played, and one oracle for each kind of set.

An oracle takes an optimistic estimate of every mean and returns the super arm that would be best if they were true, or,
for coverage, one that is nearly so. Ties are broken uniformly at random. Source: Chen et al. 2020, Section 2.1.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dpbandits.environments.semibandit.rewards import LINEAR, expected_reward, linear_reward
from dpbandits.kernels import kernel

TOP_K, LISTED, NODES = 0, 1, 2


class Decisions(NamedTuple):
    """A decision set. kind: TOP_K any K arms; LISTED a list of super arms; NODES the arms (edges) of any `picks` nodes.

    size: K, the largest number of base arms in a super arm. picks: what the oracle picks, K arms or so many nodes.
    start, member: arms member[start[j] : start[j + 1]] of super arm j (LISTED) or of node j (NODES), in increasing
    order.
    """

    kind: int
    size: int
    picks: int
    start: np.ndarray
    member: np.ndarray


def top_k(size: int) -> Decisions:
    """All sets of `size` arms. Its oracle is exact for every reward that grows with each mean and treats arms alike."""
    return Decisions(TOP_K, size, size, np.zeros(1, np.int64), np.zeros(0, np.int64))


def listed(super_arms: Sequence[Sequence[int]]) -> Decisions:
    """The given super arms (arms from 0). Its oracle compares them all: exact for every reward."""
    return _packed(LISTED, super_arms, max(map(len, super_arms)), 1)


def nodes(edges_of_node: Sequence[Sequence[int]], picks: int) -> Decisions:
    """The arms of any `picks` of the nodes, whose arms are given. Its oracle is the greedy one, for a coverage
    reward.
    """
    degrees = sorted(map(len, edges_of_node))
    return _packed(NODES, edges_of_node, sum(degrees[-picks:]), picks)


def _packed(kind: int, sets: Sequence[Sequence[int]], size: int, picks: int) -> Decisions:
    start = np.cumsum([0, *map(len, sets)]).astype(np.int64)
    return Decisions(kind, int(size), picks, start, np.concatenate([np.sort(s) for s in sets]).astype(np.int64))


@kernel
def kth_largest(values, k, scratch):
    """The k-th largest of `values` (k from 1) in expected time O(size): Hoare's selection, on a copy in `scratch`."""
    for i in range(values.size):
        scratch[i] = values[i]
    left, right, place = 0, values.size - 1, k - 1
    while left < right:
        pivot = scratch[(left + right) >> 1]
        i, j = left, right
        while i <= j:
            while scratch[i] > pivot:
                i += 1
            while scratch[j] < pivot:
                j -= 1
            if i <= j:
                scratch[i], scratch[j] = scratch[j], scratch[i]
                i += 1
                j -= 1
        if place <= j:
            right = j
        elif place >= i:
            left = i
        else:
            break
    return scratch[place]


@kernel
def largest(index, k, arms, scratch, picked, rng):
    """Fill arms[:k], in increasing order, with the positions of the k largest entries; ties at the edge uniformly at
    random.

    scratch, picked: work space, numbers and marks, as long as `index`.
    """
    edge = index[0]
    for i in range(index.size):
        edge = max(edge, index[i])
    above, level = 0, 0
    for i in range(index.size):
        level += index[i] == edge
    if level < k:  # else the largest entry is the edge, as when most indices are cut at 1
        edge, level = kth_largest(index, k, scratch), 0
        for i in range(index.size):
            above += index[i] > edge
            level += index[i] == edge
    any_subset(level, k - above, picked, rng)  # which of the equal entries
    n, equals = 0, 0
    for i in range(index.size):
        if index[i] == edge:
            take_it = picked[equals]
            equals += 1
        else:
            take_it = index[i] > edge
        if take_it:
            arms[n] = i
            n += 1


@kernel
def any_subset(size, k, picked, rng):
    """Mark in `picked` a uniformly random set of k of `size` places, with at most k draws (Floyd's algorithm)."""
    for i in range(size):
        picked[i] = k == size
    if k < size:
        for last in range(size - k, size):
            i = int(rng.random() * (last + 1))
            picked[last if picked[i] else i] = True


@kernel
def take(decisions, number, arms, n):
    """Write super arm (or node) `number` to `arms` from place n on; returns the place after it."""
    for p in range(decisions.start[number], decisions.start[number + 1]):
        arms[n] = decisions.member[p]
        n += 1
    return n


@kernel
def best_listed(decisions, reward, index, scratch, rng):
    """Number of the listed super arm with the largest reward at means `index`."""
    start, member, linear = decisions.start, decisions.member, reward.kind == LINEAR
    best, found, ties = -np.inf, 0, 0
    for number in range(start.size - 1):
        if linear:
            value = linear_reward(index, member, start[number], start[number + 1])
        else:
            value = expected_reward(reward, index, member, start[number], start[number + 1], number, scratch)
        if value > best:
            best, found, ties = value, number, 1
        elif value == best:
            ties += 1
            if rng.random() * ties < 1.0:
                found = number
    return found


@kernel
def greedy_nodes(decisions, target, index, picked, scratch, rng):
    """Mark in `picked` the nodes that greedy takes: one after the other, each with the largest gain in coverage.

    With k picks its coverage is at least 1 − (1 − 1/k)^k >= 1 − 1/e of the best (Nemhauser, Wolsey & Fisher 1978).
    """
    start, member = decisions.start, decisions.member
    picked[:] = False
    scratch[:] = 1.0  # for every target the chance that nothing picked so far covers it
    for _ in range(decisions.picks):
        best, found, ties = -1.0, 0, 0
        for node in range(start.size - 1):
            if picked[node]:
                continue
            gain = 0.0
            for p in range(start[node], start[node + 1]):
                edge = member[p]
                gain += scratch[target[edge]] * index[edge]
            if gain > best:
                best, found, ties = gain, node, 1
            elif gain == best:
                ties += 1
                if rng.random() * ties < 1.0:
                    found = node
        picked[found] = True
        for p in range(start[found], start[found + 1]):
            edge = member[p]
            scratch[target[edge]] *= 1.0 - index[edge]
    scratch[:] = 1.0


@kernel
def take_nodes(decisions, picked, arms):
    """Write the edges of the picked nodes to `arms`; returns how many they are."""
    n = 0
    for node in range(decisions.start.size - 1):
        if picked[node]:
            n = take(decisions, node, arms, n)
    return n


@kernel
def take_picked(picked, size, arms):
    """Write the picked of `size` places to `arms`; returns how many they are."""
    n = 0
    for i in range(size):
        if picked[i]:
            arms[n] = i
            n += 1
    return n
