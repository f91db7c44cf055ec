"""Matroid bandit instances: Table 6.1, random spanning trees, and whatever a user gives."""

from dataclasses import replace

import numpy as np

from dpbandits.environments.instance import Family, Instance
from dpbandits.environments.matroid import build
from dpbandits.environments.matroid.choose import chance_value
from dpbandits.environments.matroid.questions import best_basis, is_independent, loops, parallel_classes, size_of
from dpbandits.environments.matroid.structure import KINDS, Matroid
from dpbandits.parameters import MEANS, Parameter, check_all

CHANDAK = "Chandak 2023"
MEANS_HERE = replace(MEANS, description="mean weight w̄(e) of each element", min_size=1)
LIST_SIZE = Parameter("list_size", "number K of elements in a basis", kind="integer", low=1, required=True)
GOOD = (
    Parameter(
        "matroid",
        "which K of the L elements may be played together",
        "uniform",
        kind="choice",
        choices=("uniform", "partition", "graphic", "transversal"),
    ),
    Parameter("items", "number L of elements", 12, kind="integer", low=1, high=1000),
    LIST_SIZE.default_to(3),
    Parameter("gap", "gap Δ between the mean of a good element and that of another", 0.4, low=0, high=1, open_low=True),
)
TABLE_VECTORS = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1), (2, 0, 0), (0, 0, 0))
TABLE_MEANS = (0.80, 0.75, 0.60, 0.20, 0.30, 0.40, 0.70)
NODES = Parameter("nodes", "number of nodes of the graph", 6, kind="integer", low=2, high=1000)
EDGE_COUNT = Parameter("edge_count", "number of its edges, the arms", 12, kind="integer", low=1)
GRAPH_SEED = Parameter("graph_seed", "seed of the graph and of its means", 0, kind="integer", low=0)


def matroid_bandit(
    matroid: Matroid, means, name: str = "matroid", parameters=None, users=None, labels=None, **facts
) -> Instance:
    """An instance: each round a basis of `matroid` is played and the weight of each of its elements observed.

    means: w̄, numbers in [0, 1], shape (L,). users: 0 or 1, shape (users, L): a round's weights are those of a user
    drawn uniformly (the column means are then w̄); without them the weights are independent Bernoulli(w̄(e)). labels: L
    names.
    Facts: means, matroid, kind, arms (L), rank (K), labels, loops, parallel (groups); optimal_basis (A* by decreasing
    mean, K numbers), optimal_value, worst_value; gap_max = worst_regret = optimal_value − worst_value, the most that a
    round can lose;
    uniform_regret: what a basis taken greedily in a random order loses, estimated from up to 10,000 orders; suboptimal
    (the elements outside A* that are no loops) and gap_table, shape (suboptimal, K): Δ_{e,k} = w̄(a*_k) − w̄(e), of any
    sign;
    unique_best: whether A* is the only best basis. Ties are allowed: A* then prefers lower numbers.
    """
    means = np.array(check_all([MEANS_HERE], {"means": means}, name)["means"])
    for argument, given in (("means", means), ("labels", labels)):
        if given is not None and len(given) != size_of(matroid):
            wanted = f"there must be one for each of the {size_of(matroid)} elements"
            raise ValueError(f"{argument} of length {len(given)} is not allowed ({name}): {wanted}.")
    users = np.empty((0, means.size), np.uint8) if users is None else _checked_users(users, means, name)
    best = best_basis(matroid, means)
    others = np.setdiff1d(matroid.elements, best)
    optimal_value, worst_value = float(means[best].sum()), float(means[best_basis(matroid, -means)].sum())
    facts = {
        "means": means,
        "matroid": matroid,
        "kind": KINDS[matroid.kind],
        "arms": means.size,
        "rank": int(matroid.rank),
        "labels": [f"e{e + 1}" for e in range(means.size)] if labels is None else list(labels),
        "loops": loops(matroid),
        "parallel": parallel_classes(matroid),
        "optimal_basis": best,
        "optimal_value": optimal_value,
        "worst_value": worst_value,
        "gap_max": optimal_value - worst_value,
        "worst_regret": optimal_value - worst_value,
        "uniform_regret": max(0.0, optimal_value - _chance(matroid, means)),
        "suboptimal": others,
        "gap_table": means[best][None, :] - means[others][:, None],
        "unique_best": _is_unique(matroid, means, best, others),
    } | facts
    return Instance(
        name,
        "matroid",
        {"means": tuple(means.tolist())} if parameters is None else parameters,
        (means, matroid, users),
        facts,
    )


def _checked_users(users, means: np.ndarray, name: str) -> np.ndarray:
    users = np.asarray(users)
    if users.ndim != 2 or not users.size or users.shape[1] != means.size or not ((users == 0) | (users == 1)).all():
        wanted = f"it must be a table of 0 and 1, one row a user, one column for each of the {means.size} elements"
        raise ValueError(f"users of shape {users.shape} is not allowed ({name}): {wanted}.")
    if np.abs(users.mean(axis=0) - means).max() > 1e-9:
        raise ValueError(f"means is not allowed ({name}): beside users they must be the means of the columns.")
    return np.ascontiguousarray(users, np.uint8)


def _chance(matroid: Matroid, means: np.ndarray) -> float:
    """Value of a random basis: within about 1 % of the spread of the bases' values, since at most 10,000 orders are
    drawn.
    """
    return float(
        chance_value(
            matroid, means, max(100, min(10_000, 10**6 // means.size)), np.random.Generator(np.random.SFC64(0))
        )
    )


def _is_unique(matroid: Matroid, means: np.ndarray, best: np.ndarray, others: np.ndarray) -> bool:
    """No element outside A* can take the place of one inside with the same mean."""
    ties = [(e, a) for e in others.tolist() for a in best.tolist() if means[e] == means[a]]
    return not any(is_independent(matroid, {*best.tolist(), e} - {a}) for e, a in ties)


def linear_bandit(vectors, means, name: str = "linear-matroid", parameters=None) -> Instance:
    """The bandit on a linear matroid; labels are the vectors."""
    vectors = build.VECTORS.check(vectors, name)
    labels = [f"({', '.join(f'{number:g}' for number in vector)})" for vector in vectors]
    given = {"vectors": vectors, "means": _numbers(means)} if parameters is None else parameters
    return matroid_bandit(build.linear(vectors, name), means, name, given, labels=labels, vectors=vectors)


def _numbers(values) -> tuple[float, ...]:
    return tuple(MEANS_HERE.check(values))


def _table_61() -> Instance:
    return linear_bandit(TABLE_VECTORS, TABLE_MEANS, "matroid-table-6.1", {})


def _uniform(means, list_size) -> Instance:
    size = len(means)
    matroid = build.uniform(size, replace(LIST_SIZE, high=size).check(list_size, "uniform-matroid"), "uniform-matroid")
    return matroid_bandit(matroid, means, "uniform-matroid", {"means": means, "list_size": list_size})


def _partition(blocks, means, capacities) -> Instance:
    matroid = build.partition(blocks, capacities, "partition-matroid")
    given = {"blocks": blocks, "means": means} | ({} if capacities is None else {"capacities": capacities})
    return matroid_bandit(matroid, means, "partition-matroid", given)


def graphic_bandit(edges, means, name: str = "graphic-matroid", parameters=None) -> Instance:
    """The bandit of spanning trees (forests) of a graph; labels are the edges, fact `edges` their ends."""
    matroid = build.graphic(edges, name)
    edges = tuple((int(one), int(other)) for one, other in edges)
    given = {"edges": edges, "means": _numbers(means)} if parameters is None else parameters
    return matroid_bandit(matroid, means, name, given, labels=[f"{one}–{other}" for one, other in edges], edges=edges)


def _transversal(sets, means) -> Instance:
    matroid = build.transversal(sets, len(means), "transversal-matroid")
    return matroid_bandit(matroid, means, "transversal-matroid", {"sets": sets, "means": means})


def _good_elements(matroid: str, items: int, list_size: int, gap: float) -> Instance:
    """K good elements of mean (1 + Δ)/2 among L, the others (1 − Δ)/2; the good ones are every matroid's best basis.

    uniform: any K elements. partition: one of each of K blocks, dealt out in turn. graphic: the spanning trees of K + 1
    nodes in a row, where the good edges are the row and the others run between all pairs, the farthest first.
    transversal: K tasks, of which element e can do two, number e and the next (counted in a circle).
    """
    size = replace(LIST_SIZE, high=items).check(list_size, f"good-elements with items = {items}")
    means = np.where(np.arange(items) < size, 0.5 + gap / 2, 0.5 - gap / 2)
    if matroid == "uniform":
        built = build.uniform(items, size)
    elif matroid == "partition":
        built = build.partition([range(first, items, size) for first in range(size)])
    elif matroid == "graphic":
        pairs = [(i, i + reach) for reach in range(size, 0, -1) for i in range(size + 1 - reach)]
        row = [(i, i + 1) for i in range(size)]
        built = build.graphic(row + [pairs[i % len(pairs)] for i in range(items - size)])
    else:
        tasks = [{e for e in range(items) if task in (e % size, (e + 1) % size)} for task in range(size)]
        built = build.transversal([sorted(able) for able in tasks], items)
    given = {"matroid": matroid, "items": items, "list_size": size, "gap": gap}
    return matroid_bandit(built, means, "good-elements", given)


def _random_spanning_tree(nodes: int, edge_count: int, graph_seed: int) -> Instance:
    """A connected graph: a random recursive tree and further edges, all distinct; means uniform in [0.05, 0.95]."""
    most = nodes * (nodes - 1) // 2
    replace(EDGE_COUNT, low=nodes - 1, high=most).check(edge_count, f"random-spanning-tree with {nodes} nodes")
    rng = np.random.Generator(np.random.SFC64(graph_seed))
    edges = [(int(rng.integers(node)), node) for node in range(1, nodes)]
    rest = [(one, other) for other in range(1, nodes) for one in range(other) if (one, other) not in set(edges)]
    edges += [rest[i] for i in rng.permutation(len(rest))[: edge_count - len(edges)]]
    means = rng.uniform(0.05, 0.95, edge_count).round(3)
    return graphic_bandit(
        edges, means, "random-spanning-tree", {"nodes": nodes, "edge_count": edge_count, "graph_seed": graph_seed}
    )


FAMILIES = (
    Family("matroid-table-6.1", "Seven vectors in three dimensions", "matroid", CHANDAK, "Table 6.1", (), _table_61),
    Family(
        "random-spanning-tree",
        "Spanning trees of a random graph",
        "matroid",
        "",
        "",
        (NODES, EDGE_COUNT, GRAPH_SEED),
        _random_spanning_tree,
    ),
    Family(
        "good-elements",
        "K good elements among L, of a uniform, partition, graphic or transversal matroid",
        "matroid",
        "",
        "",
        GOOD,
        _good_elements,
    ),
    Family(
        "linear-matroid",
        "Linearly independent vectors that you give",
        "matroid",
        "",
        "",
        (build.VECTORS, MEANS_HERE),
        linear_bandit,
    ),
    Family("uniform-matroid", "Any K of the elements", "matroid", "", "", (MEANS_HERE, LIST_SIZE), _uniform),
    Family(
        "partition-matroid",
        "At most so many elements of each block",
        "matroid",
        "",
        "",
        (build.BLOCKS, MEANS_HERE, build.CAPACITIES),
        _partition,
    ),
    Family(
        "graphic-matroid",
        "Spanning trees of the graph that you give",
        "matroid",
        "",
        "",
        (build.EDGES, MEANS_HERE),
        graphic_bandit,
    ),
    Family(
        "transversal-matroid",
        "One representative of each set",
        "matroid",
        "",
        "",
        (build.SETS, MEANS_HERE),
        _transversal,
    ),
)
