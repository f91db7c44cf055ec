"""Seed streams, and the draws that every algorithm shares.

Every run owns one `SeedSequence`, found from (seed, algorithm, parameter cell, run) alone, so a
result does not depend on how many workers computed it or in which order. Its three children feed
the environment, the policy and the privacy noise separately.
"""

import hashlib
from typing import NamedTuple

import numpy as np

from dpbandits.kernels import kernel


class Streams(NamedTuple):
    """Three independent generators of one run."""

    environment: np.random.Generator
    policy: np.random.Generator
    noise: np.random.Generator


def seed_sequence(seed: int, *labels: object) -> np.random.SeedSequence:
    """The seed of the cell named by `labels` (their repr, so 1.0 and 1 differ) under the user's `seed` (>= 0)."""
    digest = hashlib.sha256(repr(labels).encode()).digest()
    return np.random.SeedSequence(seed, spawn_key=tuple(np.frombuffer(digest[:16], dtype="<u4").tolist()))


def run_seed(cell: np.random.SeedSequence, run: int) -> np.random.SeedSequence:
    """The seed of run number `run` (from 0) of a cell, without spawning those before it."""
    return np.random.SeedSequence(cell.entropy, spawn_key=(*cell.spawn_key, run))


def streams(seed: np.random.SeedSequence) -> Streams:
    """The generators of one run."""
    return Streams(*(np.random.Generator(np.random.SFC64(child)) for child in seed.spawn(3)))


@kernel
def laplace(rng, scale):
    """One draw of Laplace(0, scale): a difference of two exponentials has exactly this law."""
    return scale * (rng.standard_exponential() - rng.standard_exponential())


@kernel
def argmax(values, rng):
    """Position of the largest entry of `values`; ties are broken uniformly at random."""
    top = values[0]
    for i in range(1, values.size):
        top = max(top, values[i])  # on its own, so that it compiles without branches: they are hard to predict
    return position_of(top, values, rng)


@kernel
def position_of(top, values, rng):
    """Where `top` stands in `values`; among several places one is drawn uniformly at random."""
    found, ties = 0, 0
    for i in range(values.size):
        if values[i] == top:
            ties += 1
            if ties == 1 or rng.random() * ties < 1.0:
                found = i
    return found


@kernel
def top_k(values, chosen, rng):
    """Fill `chosen` (shape (K,), K <= values.size) with the positions of the K largest entries of `values`, largest
    first.

    Ties are broken uniformly at random: any choice among equal entries, and any order of them, is equally likely. One
    pass with insertion; an entry goes to a uniformly random place among its equals, those already dropped included.
    """
    size, dropped_equals = chosen.size, 0  # dropped_equals: entries outside the full list that equal its last one
    for i in range(values.size):
        value, filled = values[i], min(i, size)
        if filled == size and value < values[chosen[size - 1]]:
            continue
        end = filled
        while end > 0 and values[chosen[end - 1]] < value:
            end -= 1
        place = end
        while place > 0 and values[chosen[place - 1]] == value:
            place -= 1
        equals = end - place + (dropped_equals if end == size else 0)
        if equals:
            place += int(rng.random() * (equals + 1))
        if place >= size:
            dropped_equals += 1
            continue
        if filled == size:  # the last one makes room
            last = value if place == size - 1 else values[chosen[size - 2]]
            dropped_equals = dropped_equals + 1 if last == values[chosen[size - 1]] else 0
        for k in range(min(filled, size - 1), place, -1):
            chosen[k] = chosen[k - 1]
        chosen[place] = i
