"""Independence straight from the definitions, and random small matroids of each kind, as (Matroid, oracle)."""

from fractions import Fraction
from itertools import combinations, permutations

import numpy as np

from dpbandits.environments.matroid import build


def rank_of_rows(rows):
    """By Gaussian elimination with fractions."""
    rows, rank = [[Fraction(str(x)) for x in row] for row in rows], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(rank, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for i in range(rank + 1, len(rows)):
            factor = rows[i][column] / rows[rank][column]
            rows[i] = [x - factor * y for x, y in zip(rows[i], rows[rank], strict=True)]
        rank += 1
    return rank


def has_cycle(edges):
    """Peel leaves off until none is left; edges that remain lie on or between cycles."""
    edges = list(edges)
    while True:
        ends = [node for edge in edges for node in edge]
        kept = [edge for edge in edges if edge[0] == edge[1] or min(ends.count(edge[0]), ends.count(edge[1])) > 1]
        if len(kept) == len(edges):
            return bool(edges)
        edges = kept


def linear(rng):
    size, dimension = rng.integers(2, 7), rng.integers(1, 5)
    vectors = rng.integers(-2, 3, (size, dimension)) * rng.choice([1, 1, 0.5, 0.1, 1000], (size, 1))
    vectors[rng.integers(size)] = rng.choice([0, 1, -3]) * vectors[rng.integers(size)]
    vectors[0] += not vectors.any()
    vectors = [[float(f"{x:.6g}") for x in row] for row in vectors]
    return build.linear(vectors), lambda subset: rank_of_rows([vectors[e] for e in subset]) == len(subset)


def uniform(rng):
    size = int(rng.integers(1, 7))
    rank = int(rng.integers(1, size + 1))
    return build.uniform(size, rank), lambda subset: len(subset) <= rank


def partition(rng):
    size = int(rng.integers(2, 8))
    labels = rng.integers(0, 3, size)
    blocks = [np.flatnonzero(labels == b).tolist() for b in np.unique(labels)]
    capacities = rng.integers(0, 3, len(blocks))
    capacities[0] = max(1, capacities[0])
    matroid = build.partition(blocks, capacities.tolist())
    return matroid, lambda subset: all(
        len(set(block) & set(subset)) <= limit for block, limit in zip(blocks, capacities, strict=True)
    )


def graphic(rng):
    edges = [tuple(map(int, edge)) for edge in 10 * rng.integers(0, rng.integers(2, 6), (rng.integers(1, 8), 2))]
    edges[0] = (0, 10)
    return build.graphic(edges), lambda subset: not has_cycle([edges[e] for e in subset])


def transversal(rng):
    size, sets = int(rng.integers(2, 7)), int(rng.integers(1, 5))
    members = [np.flatnonzero(rng.random(size) < 0.4).tolist() for _ in range(sets)]
    members[0] = sorted({0, *members[0]})

    def independent(subset):
        return any(
            all(e in members[s] for e, s in zip(subset, choice, strict=True))
            for choice in permutations(range(sets), len(subset))
        )

    return build.transversal(members, size), independent


KINDS = {"linear": linear, "uniform": uniform, "partition": partition, "graphic": graphic, "transversal": transversal}


def all_subsets(size):
    return (subset for k in range(size + 1) for subset in combinations(range(size), k))
