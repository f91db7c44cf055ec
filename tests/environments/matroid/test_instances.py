"""Instances: Table 6.1's facts by hand, random spanning trees, what users give, and bad input in one sentence."""

import numpy as np
import pytest

from dpbandits import simulate
from dpbandits.cli.values import value
from dpbandits.environments import build
from dpbandits.environments.matroid import build as matroids
from dpbandits.environments.matroid import questions
from dpbandits.environments.matroid.instances import matroid_bandit


def test_table_61():
    table = build("matroid-table-6.1")
    assert (table.arms, table.rank, table.kind) == (7, 3, "linear")
    assert table.loops == [6] and table.parallel == [[0, 5]]
    assert table.optimal_basis.tolist() == [0, 1, 2] and table.optimal_value == pytest.approx(2.15)
    assert table.worst_value == pytest.approx(0.9) and table.gap_max == pytest.approx(1.25)
    assert table.suboptimal.tolist() == [3, 4, 5]
    np.testing.assert_allclose(table.gap_table, [[0.6, 0.55, 0.4], [0.5, 0.45, 0.3], [0.4, 0.35, 0.2]])
    assert table.unique_best and table.labels[5] == "(2, 0, 0)"


def test_random_spanning_trees():
    for seed in range(30):
        instance = build("random-spanning-tree", nodes=5, edge_count=7, graph_seed=seed)
        assert instance.rank == 4 and instance.arms == 7 and not instance.loops and not instance.parallel
        assert len(set(map(frozenset, instance.edges))) == 7
        assert ((instance.means >= 0.05) & (instance.means <= 0.95)).all()
        every = [instance.means[list(basis)].sum() for basis in questions.bases(instance.matroid)]
        assert instance.optimal_value == pytest.approx(max(every)) and instance.worst_value == pytest.approx(min(every))
        assert instance.unique_best == (np.isclose(every, max(every)).sum() == 1)
    assert build("random-spanning-tree").edges == build("random-spanning-tree").edges
    assert build("random-spanning-tree").edges != build("random-spanning-tree", graph_seed=1).edges
    assert build("random-spanning-tree", nodes=2, edge_count=1).gap_max == 0


def test_ties_for_the_best_basis_are_noticed():
    assert not matroid_bandit(matroids.uniform(3, 1), [0.5, 0.5, 0.1]).unique_best
    assert matroid_bandit(matroids.uniform(3, 2), [0.5, 0.5, 0.1]).unique_best
    # element 2 ties with 1, but is parallel to 0 and cannot take its place
    assert matroid_bandit(matroids.linear([[1, 0], [0, 1], [2, 0]]), [0.9, 0.5, 0.5]).unique_best
    assert not matroid_bandit(matroids.linear([[1, 0], [0, 1], [1, 1]]), [0.9, 0.5, 0.5]).unique_best


@pytest.mark.parametrize(
    "name, given, rank",
    [
        ("linear-matroid", {"vectors": "1:0:0,0:1:0,1:1:0", "means": "0.8,0.75,0.1"}, 2),
        ("linear-matroid", {"vectors": "1:1,2:2,0:0", "means": "0.8,0.75,0.1"}, 1),
        ("graphic-matroid", {"edges": "0:1,1:2,0:2", "means": "0.8,0.75,0.1"}, 2),
        ("partition-matroid", {"blocks": "0:2,1", "means": "0.8,0.75,0.1"}, 2),
        ("partition-matroid", {"blocks": "0:2,1", "means": "0.8,0.75,0.1", "capacities": "2,0"}, 2),
        ("transversal-matroid", {"sets": "0:1,1", "means": "0.8,0.75,0.1"}, 2),
        ("uniform-matroid", {"means": "0.8,0.75,0.1", "list_size": "2"}, 2),
    ],
)
def test_built_as_the_command_line_writes_it(name, given, rank):
    given = {key: value(text) for key, text in given.items()}
    instance = build(name, **given)
    assert instance.rank == rank and instance.setting == "matroid"
    again = build(name, **instance.parameters)
    assert again.parameters == instance.parameters and (again.matroid.table == instance.matroid.table).all()
    result = simulate("dpucb-mat", name, horizon=30, runs=1, epsilon=1, workers=1, **given)
    assert result.pulls.sum() == 30 * rank


@pytest.mark.parametrize(
    "name, given, words",
    [
        (
            "linear-matroid",
            {"vectors": [[1, 0], [1]], "means": [0.1, 0.2]},
            "vectors = .*linear-matroid.* number 1 has 1 number and",
        ),
        (
            "linear-matroid",
            {"vectors": [[1, 0], [0, 1]], "means": [0.1]},
            "means of length 1 .* each of the 2 elements",
        ),
        ("linear-matroid", {"vectors": [[1, 0], [0, 1]], "means": [0.1, 1.2]}, "means = .* <= 1"),
        ("linear-matroid", {"vectors": [[1, 0], [0, 1]], "means": [0.1, -0.2]}, "means = .* >= 0"),
        ("linear-matroid", {"means": [0.1, 0.2]}, "vectors is missing"),
        (
            "linear-matroid",
            {"vectors": [[0, 0]], "means": [0.1]},
            "vectors = ..0.0, 0.0.,. is not allowed .* rank is 0",
        ),
        ("graphic-matroid", {"edges": [], "means": [0.1]}, "edges = .* at least one vector"),
        ("graphic-matroid", {"edges": [[1, 1]], "means": [0.1]}, "edges = .* every edge is a loop"),
        ("partition-matroid", {"blocks": [[0], [2]], "means": [0.1, 0.2, 0.3]}, "element 1 is in none"),
        ("partition-matroid", {"blocks": [[0], [1]], "means": [0.1, 0.2, 0.3]}, "means of length 3"),
        (
            "transversal-matroid",
            {"sets": [[0], [4]], "means": [0.1, 0.2]},
            "sets = .* there are 2 elements, .* a set holds number 4",
        ),
        ("uniform-matroid", {"means": [0.1, 0.2], "list_size": 3}, "list_size = 3 .* <= 2"),
        ("uniform-matroid", {"means": [0.1, 0.2], "list_size": 0}, "list_size = 0"),
        ("random-spanning-tree", {"nodes": 5, "edge_count": 3}, "edge_count = 3 .* >= 4 and <= 10"),
        ("random-spanning-tree", {"nodes": 5, "edge_count": 11}, "edge_count = 11"),
        ("random-spanning-tree", {"nodes": 1}, "nodes = 1"),
        ("matroid-table-6.1", {"means": [0.1] * 7}, "Unknown parameter 'means'"),
    ],
)
def test_bad_input_gets_one_sentence(name, given, words):
    with pytest.raises(ValueError, match=words) as error:
        build(name, **given)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "given, words",
    [
        ({"users": [[0, 1]]}, "users of shape .1, 2. is not allowed .own.: .* 0 and 1, .* 3 elements"),
        ({"users": [0, 1, 1]}, "users of shape .3,."),
        ({"users": [[0, 1, 2]]}, "users of shape .1, 3. .* 0 and 1"),
        ({"users": [[-1, 1, 1]]}, "users of shape"),
        ({"users": [[0, 1, 1]]}, "means is not allowed .own.: beside users"),
        ({"labels": ["a"]}, "labels of length 1 .* each of the 3 elements"),
    ],
)
def test_users_and_labels_must_fit(given, words):
    with pytest.raises(ValueError, match=words):
        matroid_bandit(matroids.uniform(3, 2), [0.5, 0.5, 0.5], "own", **given)
