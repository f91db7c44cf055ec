"""What one asks about a matroid: rank, independence, loops, parallel elements, bases, the best one. Plain Python over
the greedy walk.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from operator import index

import numpy as np

from dpbandits.environments.matroid.choose import choose, no_choice
from dpbandits.environments.matroid.structure import Matroid, greedy


def size_of(matroid: Matroid) -> int:
    """L, the number of elements, loops included."""
    return len(matroid.table)


def rank_of(matroid: Matroid, elements: Iterable[int]) -> int:
    """Size of the largest independent set among `elements` (numbers in 0..L−1)."""
    distinct = checked(matroid, elements)
    if not distinct.size:
        return 0
    return int(greedy(matroid, distinct, np.empty(size_of(matroid), bool), np.empty(distinct.size, np.int64)))


def checked(matroid: Matroid, elements: Iterable[int]) -> np.ndarray:
    """The distinct `elements`, increasing. Raises ValueError where one is not of the matroid."""
    size, elements = size_of(matroid), list(elements)
    try:
        distinct = sorted({index(e) for e in elements})
    except TypeError:
        distinct = [-1]
    if distinct and not (0 <= distinct[0] and distinct[-1] < size):
        raise ValueError(f"elements = {elements} is not allowed: they are numbered from 0 to {size - 1}.")
    return np.array(distinct, np.int64)


def is_independent(matroid: Matroid, elements: Iterable[int]) -> bool:
    """Whether the set `elements` is independent."""
    elements = set(elements)
    return rank_of(matroid, elements) == len(elements)


def circuit(matroid: Matroid, independent: Iterable[int], element: int) -> list[int]:
    """Who in the independent set stands in the way of `element`: each of these could be swapped for it. [] if it fits,
    or is a loop.

    Together with `element` they are the only circuit (smallest dependent set), in a graph the cycle that it would
    close.
    """
    members = set(independent)
    if element in members or is_independent(matroid, members | {element}):
        return []
    return sorted(a for a in members if is_independent(matroid, members - {a} | {element}))


def loops(matroid: Matroid) -> list[int]:
    """Elements that are in no independent set."""
    return sorted(set(range(size_of(matroid))) - set(matroid.elements.tolist()))


def parallel_classes(matroid: Matroid) -> list[list[int]]:
    """Groups of two or more elements of which an independent set holds one at most (loops left out)."""
    groups: list[list[int]] = []
    for e in matroid.elements.tolist():
        for group in groups:
            if rank_of(matroid, (group[0], e)) == 1:
                group.append(e)
                break
        else:
            groups.append([e])
    return [group for group in groups if len(group) > 1]


def bases(matroid: Matroid) -> Iterator[tuple[int, ...]]:
    """All bases, by trying every set of K elements that are no loops: for small matroids."""
    return (
        subset for subset in combinations(matroid.elements.tolist(), matroid.rank) if is_independent(matroid, subset)
    )


def best_basis(matroid: Matroid, weights, rng: np.random.Generator | None = None) -> np.ndarray:
    """A basis of greatest total weight, by decreasing weight, shape (K,). weights: shape (L,), any sign, ±∞ allowed.

    Ties are broken uniformly at random by `rng`, or without it in favour of lower numbers.
    """
    weights = np.asarray(weights, float)
    if weights.shape != (size_of(matroid),) or np.isnan(weights).any():
        wanted = f"there must be one number, not NaN, for each of the {size_of(matroid)} elements"
        raise ValueError(f"weights of shape {weights.shape} is not allowed: {wanted}.")
    if rng is None:
        order = matroid.elements[np.argsort(-weights[matroid.elements], kind="stable")]
        basis = np.empty(matroid.rank, np.int64)
        greedy(matroid, order, np.empty(weights.size, bool), basis)
        return basis
    choice = no_choice(matroid, weights.size)
    choose(matroid, weights, choice, rng)
    return choice.basis
