"""Continual counters for hot loops: the noise in the running sums of many streams, one draw an item.

A counter publishes the sum of its stream after every item, and only its noise is random, so the state is the noise
alone and the caller keeps the true sums. With low(t) the lowest set bit of t, the nodes that the sum at t reads are
those that it reads at t − low(t), and one new node over the last low(t) items. So all counters are one recursion:

    noise(t) = noise(before t) + Lap(scale),  before t = t − low(t)  (t/2 where a logarithmic part is at a power of two)

and it is enough to remember, for each bit, the noise at the latest t whose lowest set bit it is.

Sources: Chan, Shi & Song 2011, "Private and Continual Release of Statistics" (Binary, Logarithmic and Hybrid
Mechanism); Dwork, Naor, Pitassi & Rothblum 2010 (the tree). The same in NumPy, with variances: `continual.py`.
"""

from typing import NamedTuple

import numpy as np

from dpbandits.kernels import kernel
from dpbandits.randomness import laplace


class Counters(NamedTuple):
    """The state of several counters: row c belongs to counter c.

    items: how many items it has taken (of a binary counter: the time of its last read). noise: of its latest release.
    prefix: (counters, levels), the noise at the latest t <= items whose lowest set bit is this level.
    epoch: ⌊lg items⌋, kept by the hybrid counter alone.
    """

    items: np.ndarray
    noise: np.ndarray
    prefix: np.ndarray
    epoch: np.ndarray


@kernel
def bit_length(n):
    """⌊lg n⌋ + 1 for an integer n >= 1: the levels of a counter for n items."""
    length = 0
    while n > 0:
        n >>= 1
        length += 1
    return length


@kernel
def lowest_bit(n):
    """Position of the lowest set bit of an integer n >= 1."""
    bit = 0
    while not (n >> bit) & 1:
        bit += 1
    return bit


@kernel
def new_counters(size, horizon):
    """`size` counters that have seen nothing, each with room for `horizon` >= 1 items (no kernel checks this again)."""
    levels = bit_length(horizon)
    return Counters(np.zeros(size, np.int64), np.zeros(size), np.zeros((size, levels)), np.zeros(size, np.int64))


@kernel
def binary_node_scale(horizon, sensitivity, epsilon):
    """Scale of a binary counter's nodes, levels · Δ / ε: an item lies in at most one node of each level.

    sensitivity: Δ, by how much (in ℓ1, over all counters that share the ε) two neighbours' items may differ.
    """
    return bit_length(horizon) * sensitivity / epsilon


@kernel
def binary_read(counters, c, t, node_scale, rng):
    """Noise in the sum of binary counter c at time t >= 1, no earlier than its last read; Var = 2 popcount(t)
    node_scale².

    Nodes that no read needs are never drawn, which leaves the law of all reads as it is: t may jump, and the items in
    between may be zeros. So a tree with vector leaves is one row for each coordinate, read where it is needed.
    """
    changed = t ^ counters.items[c]
    if changed == 0:
        return counters.noise[c]
    top = bit_length(changed) - 1  # the nodes of both sums above this bit are the same
    kept = t >> (top + 1)
    noise = counters.prefix[c, top + 1 + lowest_bit(kept)] if kept else 0.0
    for level in range(top, -1, -1):
        if (t >> level) & 1:
            noise += laplace(rng, node_scale)
            counters.prefix[c, level] = noise
    counters.items[c] = t
    counters.noise[c] = noise
    return noise


@kernel
def binary_feed(counters, c, node_scale, rng):
    """Give binary counter c its next item; returns the noise in its sum: the short form of binary_read at the next
    t.
    """
    counters.items[c] += 1
    t = counters.items[c]
    low = lowest_bit(t)
    above = t >> (low + 1)
    before = counters.prefix[c, low + 1 + lowest_bit(above)] if above else 0.0
    noise = before + laplace(rng, node_scale)
    counters.prefix[c, low] = noise
    counters.noise[c] = noise
    return noise


@kernel
def logarithmic_feed(counters, c, sensitivity, epsilon, rng):
    """Give logarithmic counter c its next item; returns the noise of its latest release, at 2^⌊lg t⌋.

    Each release adds Lap(Δ/ε) to the one before and the items in between: Var = 2 (⌊lg t⌋ + 1) (Δ/ε)².
    """
    counters.items[c] += 1
    t = counters.items[c]
    if t & (t - 1) == 0:
        counters.noise[c] += laplace(rng, sensitivity / epsilon)
    return counters.noise[c]


@kernel
def hybrid_feed(counters, c, sensitivity, epsilon, rng):
    """Give hybrid counter c its next item; returns the noise in its sum, for a horizon that nobody need know.

    ε/2 goes to a logarithmic part and ε/2 to a fresh binary counter in each epoch 2^k < t < 2^(k+1), of k levels. With
    t = 2^k + τ: Var = 2 (k+1) (2Δ/ε)² + 2 popcount(τ) (2kΔ/ε)².
    """
    counters.items[c] += 1
    t = counters.items[c]
    low = lowest_bit(t)
    above = t >> (low + 1)
    if above == 0:  # t = 2^k: the logarithmic part releases
        counters.epoch[c] = low
        before = counters.prefix[c, low - 1] if low > 0 else 0.0
        noise = before + laplace(rng, 2.0 * sensitivity / epsilon)
    else:
        before = counters.prefix[c, low + 1 + lowest_bit(above)]
        noise = before + laplace(rng, 2.0 * counters.epoch[c] * sensitivity / epsilon)
    counters.prefix[c, low] = noise
    counters.noise[c] = noise
    return noise
