"""Matroids from what a user has: vectors, a graph, blocks, sets. Elements are numbered from 0. Bad input:
ValueError.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dpbandits.environments.matroid import exact
from dpbandits.environments.matroid.structure import GRAPHIC, LINEAR, PARTITION, TRANSVERSAL, Matroid, greedy
from dpbandits.parameters import Parameter

VECTORS = Parameter("vectors", "one vector for each element, all of one length", kind="vectors", required=True)
EDGES = Parameter(
    "edges",
    "the two ends (node numbers) of each edge; the edges are the elements",
    kind="vectors",
    low=0,
    required=True,
)
BLOCKS = Parameter("blocks", "the elements (numbered from 0) of each block", kind="vectors", low=0, required=True)
CAPACITIES = Parameter(
    "capacities", "how many elements of each block a basis takes at most; left out, 1 each", kind="vector", low=0
)
SETS = Parameter(
    "sets", "the elements (numbered from 0) of each set to represent", kind="vectors", low=0, required=True
)
SIZE = Parameter("size", "number L of elements", kind="integer", low=1, high=10**6)
RANK = Parameter("rank", "number K of elements in a basis", kind="integer", low=1)
NO_TABLE, NO_LIMITS = np.empty((0, 0), np.int64), np.empty(0, np.int64)
NO_PRIMES, NO_RESIDUES = np.empty(0), np.empty((0, 0, 0))


def linear(vectors, owner: str = "linear matroid") -> Matroid:
    """Sets of linearly independent vectors (over the reals; exactly: see exact.py)."""
    vectors = VECTORS.check(vectors, owner)
    for number, vector in enumerate(vectors):
        if not vector:
            raise _refuse("vectors", vectors, owner, f"number {number} is empty.")
        if len(vector) != len(vectors[0]):
            others = f"number {number} has {_count(vector)} and number 0 has {_count(vectors[0])}"
            raise _refuse("vectors", vectors, owner, f"all must have one length, but {others}.")
    whole = [exact.integers(vector) for vector in vectors]
    primes = exact.certifying_primes(whole)
    residues = exact.residues(whole, primes)
    places = [[i for i, number in enumerate(vector) if number] for vector in whole]
    table = np.full((len(vectors), max(map(len, places))), -1)
    for own, row in zip(places, table, strict=True):
        row[: len(own)] = own
    return _matroid(
        LINEAR,
        len(vectors),
        "vectors",
        vectors,
        owner,
        "all vectors are zero",
        table,
        primes=np.array(primes, float),
        residues=residues,
    )


def uniform(size: int, rank: int, owner: str = "uniform matroid") -> Matroid:
    """Sets of at most `rank` of `size` elements."""
    size, rank = SIZE.check(size, owner), replace(RANK, high=size).check(rank, owner)
    return partition([range(size)], [rank], owner)


def partition(blocks, capacities=None, owner: str = "partition matroid") -> Matroid:
    """Sets that hold at most capacities[b] elements of block b. blocks: lists of elements that share 0..L−1 out among
    them.
    """
    given = [[int(e) for e in block] for block in _whole(BLOCKS, blocks, owner)]
    members = sorted(e for block in given for e in block)
    if members != list(range(len(members))) or not members:
        gap = next((i for i, e in enumerate(members) if e != i), 0)
        problem = (
            f"element {members[gap - 1]} is in two"
            if gap and members[gap] == members[gap - 1]
            else f"element {gap} is in none"
        )
        raise _refuse("blocks", given, owner, f"every element 0..L−1 must be in exactly one block, but {problem}.")
    limits = CAPACITIES.check([1] * len(given) if capacities is None else capacities, owner)
    limits = [_integer(limit, "capacities", capacities, owner) for limit in limits]
    if len(limits) != len(given):
        raise _refuse("capacities", limits, owner, f"there must be one for each of the {len(given)} blocks.")
    limits = [min(limit, len(block)) for limit, block in zip(limits, given, strict=True)]  # the same matroid
    table = np.empty((len(members), 1), np.int64)
    for b, block in enumerate(given):
        table[block, 0] = b
    return _matroid(
        PARTITION,
        len(members),
        "capacities",
        limits,
        owner,
        "no block may give an element",
        table=table,
        limits=np.array(limits),
    )


def graphic(edges, owner: str = "graphic matroid") -> Matroid:
    """Forests of a graph: sets of edges without a cycle. edges: pairs of node numbers; they may be parallel, or
    loops.
    """
    pairs = np.array([_pair(edge, edges, owner) for edge in _whole(EDGES, edges, owner)])
    names, ends = np.unique(pairs, return_inverse=True)
    nodes = np.zeros(names.size, np.int64)
    return _matroid(
        GRAPHIC,
        len(pairs),
        "edges",
        edges,
        owner,
        "every edge is a loop",
        table=ends.reshape(pairs.shape),
        limits=nodes,
    )


def transversal(sets, size: int | None = None, owner: str = "transversal matroid") -> Matroid:
    """Sets of elements that can represent distinct `sets` holding them. size: L, if the last elements are in no set."""
    given = [[int(e) for e in members] for members in _whole(SETS, sets, owner)]
    least = 1 + max((e for members in given for e in members), default=-1)
    size = SIZE.check(max(1, least) if size is None else size, owner)
    if least > size:
        raise _refuse(
            "sets", given, owner, f"there are {size} elements, numbered from 0, and a set holds number {least - 1}."
        )
    table = np.zeros((size, len(given)), np.int64)
    for s, members in enumerate(given):
        table[members, s] = 1
    return _matroid(TRANSVERSAL, size, "sets", given, owner, "all sets are empty", table=table)


def _matroid(
    kind,
    size,
    argument,
    value,
    owner,
    rank_zero,
    table=NO_TABLE,
    limits=NO_LIMITS,
    primes=NO_PRIMES,
    residues=NO_RESIDUES,
) -> Matroid:
    draft = Matroid(kind, 1, np.arange(size), table, limits, primes, residues)
    chosen, alone = np.empty(size, bool), np.empty(1, np.int64)
    elements = np.array([e for e in range(size) if greedy(draft, np.array([e]), chosen, alone)], np.int64)
    if not elements.size:
        raise _refuse(argument, value, owner, f"{rank_zero}, so the rank is 0; it must be >= 1.")
    rank = greedy(draft, elements, chosen, np.empty(elements.size, np.int64))
    return draft._replace(rank=rank, elements=elements)


def _whole(parameter: Parameter, value, owner: str) -> Sequence[Sequence[int]]:
    return [[_integer(number, parameter.name, value, owner) for number in row] for row in parameter.check(value, owner)]


def _integer(number: float, name: str, value, owner: str) -> int:
    if number != int(number):
        raise _refuse(name, value, owner, f"{number:g} is not a whole number.")
    return int(number)


def _pair(edge, edges, owner: str):
    if len(edge) != 2:
        raise _refuse("edges", edges, owner, f"each edge must have two ends, but one has {_count(edge)}.")
    return edge


def _refuse(name: str, value, owner: str, why: str) -> ValueError:
    text = repr(value)
    return ValueError(f"{name} = {text if len(text) <= 60 else text[:57] + '...'} is not allowed ({owner}): {why}")


def _count(vector: Sequence) -> str:
    return f"{len(vector)} number{'s' if len(vector) != 1 else ''}"
