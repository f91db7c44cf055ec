"""good-elements: the same weights on four matroids, each checked against its definition by counting."""

import itertools

import numpy as np
import pytest

from dpbandits.environments import build
from dpbandits.environments.matroid.questions import is_independent

KINDS = ("uniform", "partition", "graphic", "transversal")


def forest(edges):
    """Whether there is no cycle, by merging components."""
    parts = {}
    find = lambda node: node if parts.get(node, node) == node else find(parts[node])
    for one, other in edges:
        if find(one) == find(other):
            return False
        parts[find(one)] = find(other)
    return True


def matching(chosen, size):
    """Whether the elements can do distinct tasks, by trying all ways."""
    able = [{e % size, (e + 1) % size} for e in chosen]
    return any(
        all(t in a for t, a in zip(tasks, able, strict=True))
        for tasks in itertools.permutations(range(size), len(chosen))
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("items", "size"), [(1, 1), (5, 1), (6, 2), (7, 3), (9, 4), (4, 4)])
def test_independent_sets(kind, items, size):
    instance = build("good-elements", matroid=kind, items=items, list_size=size, gap=0.3)
    path = [(i, i + 1) for i in range(size)]
    pairs = [(i, i + reach) for reach in range(size, 0, -1) for i in range(size + 1 - reach)]
    edges = path + [pairs[i % len(pairs)] for i in range(items - size)]
    rules = {
        "uniform": lambda chosen: len(chosen) <= size,
        "partition": lambda chosen: len({e % size for e in chosen}) == len(chosen),
        "graphic": lambda chosen: forest([edges[e] for e in chosen]),
        "transversal": lambda chosen: len(chosen) <= size and matching(chosen, size),
    }
    for count in range(1, min(items, size + 1) + 1):
        for chosen in itertools.combinations(range(items), count):
            assert is_independent(instance.matroid, set(chosen)) == rules[kind](chosen), chosen


@pytest.mark.parametrize("kind", KINDS)
def test_facts(kind):
    instance = build("good-elements", matroid=kind, items=12, list_size=4, gap=0.3)
    assert instance.rank == 4 and instance.arms == 12 and sorted(instance.optimal_basis) == [0, 1, 2, 3]
    assert (
        instance.unique_best
        and np.allclose(instance.gap_table, 0.3)
        and instance.optimal_value == pytest.approx(4 * 0.65)
    )
    assert instance.worst_regret == pytest.approx(4 * 0.3)
    assert dict(instance.parameters) == {"matroid": kind, "items": 12, "list_size": 4, "gap": 0.3}


def test_more_good_elements_than_elements():
    with pytest.raises(ValueError, match=r"list_size = 5 is not allowed \(good-elements with items = 4\)"):
        build("good-elements", items=4, list_size=5)
