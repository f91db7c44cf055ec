"""The semi-bandit instances by name."""

import itertools
import math
from dataclasses import replace

import numpy as np

from dpbandits.environments.instance import Family, Instance
from dpbandits.environments.semibandit import outcomes as laws
from dpbandits.environments.semibandit import rewards
from dpbandits.environments.semibandit.decisions import listed, nodes
from dpbandits.environments.semibandit.decisions import top_k as any_k
from dpbandits.environments.semibandit.instances import MOST_SUPER_ARMS, semi_bandit
from dpbandits.environments.semibandit.listing import (
    LIST_PARAMETERS,
    OUTCOMES,
    REWARD,
    SMOOTHNESS,
    given_values,
    super_arms,
)
from dpbandits.environments.semibandit.rewards import by_name
from dpbandits.parameters import MEANS, Parameter

CHEN = "Chen et al. 2020"
ARMS = Parameter("arms", "number of base arms m", 20, kind="integer", low=1, high=10**4)
LIST_SIZE = Parameter("list_size", "number K of base arms in a super arm", 4, kind="integer", low=1, high=10_000)
GAP = Parameter("gap", "gap Δ between the best and every other super arm", 0.5, low=0, open_low=True)
MEAN_GAP = Parameter(
    "gap", "gap Δ between the mean of a good arm and that of another", 0.4, low=0, high=1, open_low=True
)
TOP_MEANS = MEANS.default_to((0.7,) * 4 + (0.4,) * 16)
EDGES = Parameter(
    "edges",
    "node:target pairs, the base arms; a super arm is all edges of the chosen nodes",
    kind="vectors",
    default=tuple(
        (u, v) for u, covered in enumerate(((1, 2, 3), (3, 4), (4, 5, 6), (1, 6), (2, 5)), 1) for v in covered
    ),
)
PROBABILITIES = Parameter(
    "probabilities",
    "of each edge that the node covers the target, or one for all edges",
    (0.6, 0.5, 0.4, 0.6, 0.5, 0.3, 0.2, 0.3, 0.2, 0.2, 0.3, 0.1),
    kind="vector",
    low=0,
    high=1,
)
PICKS = Parameter("list_size", "number of nodes to choose", 2, kind="integer", low=1, high=10_000)
ORACLE = Parameter(
    "oracle",
    "greedy (an approximation) or exact (compares all choices)",
    "greedy",
    kind="choice",
    choices=("greedy", "exact"),
)
ALPHA = Parameter(
    "alpha",
    "α: regret is measured against α·β of the best reward; left out, what the oracle is proved to reach",
    low=0,
    high=1,
    open_low=True,
)
BETA = Parameter(
    "beta",
    "β: the probability that the oracle does not fail (then it picks at random)",
    1.0,
    low=0,
    high=1,
    open_low=True,
)


def top_k(means, list_size=4, reward="linear", outcomes="bernoulli", smoothness=1.0, name="top-k") -> Instance:
    """Any K of the m arms. The oracle sorts; the arms are independent. With list_size 1 it is a multi-armed bandit."""
    given = given_values(
        TOP_K_PARAMETERS,
        name,
        means=means,
        list_size=list_size,
        reward=reward,
        outcomes=outcomes,
        smoothness=smoothness,
    )
    means, size = (
        np.array(given["means"]),
        _at_most(given["list_size"], len(given["means"]), "the number of arms", name),
    )
    return semi_bandit(
        name,
        given,
        means,
        any_k(size),
        by_name(given["reward"], means.size, size, given["smoothness"]),
        laws.by_name(given["outcomes"], means.size),
    )


def good_arms(
    arms=12, list_size=3, gap=0.4, reward="linear", outcomes="bernoulli", smoothness=1.0, name="good-arms"
) -> Instance:
    """As top_k, by numbers alone: K good arms of mean (1 + Δ)/2 among m, the others (1 − Δ)/2; any K may be played."""
    given = given_values(
        GOOD_PARAMETERS,
        name,
        arms=arms,
        list_size=list_size,
        gap=gap,
        reward=reward,
        outcomes=outcomes,
        smoothness=smoothness,
    )
    arms, size = given["arms"], _at_most(given["list_size"], given["arms"], "the number of arms", name)
    means = np.where(np.arange(arms) < size, 0.5 + given["gap"] / 2, 0.5 - given["gap"] / 2)
    rewarded = by_name(given["reward"], arms, size, given["smoothness"])
    return semi_bandit(name, given, means, any_k(size), rewarded, laws.by_name(given["outcomes"], arms))


def single_arms(arms=20, gap=0.2, smoothness=1.0, name="single-arms") -> Instance:
    """The hard instance of Theorem 5: a multi-armed bandit, K = 1, of means Δ/B, 0, ..., 0; the reward is B times the
    outcome.
    """
    given = given_values(SINGLE_PARAMETERS, name, arms=arms, gap=gap, smoothness=smoothness)
    if given["gap"] > given["smoothness"]:
        limit = f"it must be <= smoothness = {given['smoothness']:g}"
        raise ValueError(
            f"gap = {given['gap']:g} is not allowed ({name}): the mean gap/smoothness leaves [0, 1]; {limit}."
        )
    means = np.where(np.arange(given["arms"]) == 0, given["gap"] / given["smoothness"], 0.0)
    law = laws.by_name("bernoulli", means.size)
    return semi_bandit(name, given, means, any_k(1), rewards.linear(given["smoothness"]), law)


def k_path(arms=20, list_size=4, gap=0.5, smoothness=1.0, name="k-path") -> Instance:
    """m/K disjoint paths of K arms, alike within a path: the hard instance of Theorem 6 (after Kveton et al. 2015).

    The first path has mean 1/2 and the others 1/2 − Δ/(BK); the reward is B times the sum of the outcomes.
    """
    given = given_values(PATH_PARAMETERS, name, arms=arms, list_size=list_size, gap=gap, smoothness=smoothness)
    arms, size = given["arms"], _at_most(given["list_size"], given["arms"], "the number of arms", name)
    if arms % size:
        raise ValueError(
            f"arms = {arms} is not allowed ({name}): the arms are cut into paths of list_size = {size},"
            f" so it must be a multiple of {size}."
        )
    group = np.arange(arms) // size
    return _two_level(name, given, group.reshape(-1, size) * size + np.arange(size), group, np.flatnonzero(group == 0))


def public_arms(arms=20, list_size=4, gap=0.5, smoothness=1.0, name="public-arms") -> Instance:
    """The hard instance of Theorem 9: K arms make the best super arm; K − 1 public arms, alike, and any one of the
    other m − 2K + 1 make all others. The best arms have mean 1/2, all others 1/2 − Δ/(BK); the reward is B times the
    sum."""
    given = given_values(PATH_PARAMETERS, name, arms=arms, list_size=list_size, gap=gap, smoothness=smoothness)
    arms, size = given["arms"], given["list_size"]
    if arms < 2 * size:
        raise ValueError(f"arms = {arms} is not allowed ({name}): with list_size = {size} it must be >= {2 * size}.")
    best, public = range(size), range(size, 2 * size - 1)
    group = np.arange(arms)
    group[list(public)] = size
    return _two_level(name, given, [tuple(best), *((*public, i) for i in range(2 * size - 1, arms))], group, list(best))


def max_coverage(
    edges, probabilities, list_size=2, oracle="greedy", alpha=None, beta=1.0, smoothness=1.0, name="max-coverage"
) -> Instance:
    """Probabilistic maximum coverage: choose so many nodes; each of their edges covers its target with its probability.

    edges: (node, target) pairs, any integers, each once. probabilities: one for each edge or one for all. The base arms
    are the edges, so K, the number of them in the largest super arm, counts edges. Greedy reaches α = 1 − (1 −
    1/list_size)^list_size.
    """
    given = given_values(
        COVERAGE_PARAMETERS,
        name,
        edges=edges,
        probabilities=probabilities,
        list_size=list_size,
        oracle=oracle,
        alpha=alpha,
        beta=beta,
        smoothness=smoothness,
    )
    node, target = _endpoints(given["edges"], name)
    probabilities = given["probabilities"] * (node.size if len(given["probabilities"]) == 1 else 1)
    if len(probabilities) != node.size:
        raise ValueError(
            f"probabilities has {len(probabilities)} values for {node.size} edges ({name}): give one for each edge, or"
            " one for all."
        )
    count = int(node.max()) + 1
    picks = _at_most(given["list_size"], count, "the number of nodes", name)
    if math.comb(count, picks) > MOST_SUPER_ARMS:
        raise ValueError(
            f"list_size = {picks} is not allowed ({name}): {count} nodes give {math.comb(count, picks)} choices,"
            f" and the best is found by comparing at most {MOST_SUPER_ARMS}."
        )
    edges_of = [np.flatnonzero(node == u).tolist() for u in range(count)]
    every = [
        sorted(itertools.chain.from_iterable(edges_of[u] for u in chosen))
        for chosen in itertools.combinations(range(count), picks)
    ]
    decisions = listed(every) if given["oracle"] == "exact" else nodes(edges_of, picks)
    reached = 1.0 if given["oracle"] == "exact" else 1 - (1 - 1 / picks) ** picks
    return semi_bandit(
        name,
        given,
        probabilities,
        decisions,
        rewards.coverage(target, given["smoothness"]),
        laws.by_name("bernoulli", node.size),
        super_arms=every,
        alpha=reached if given["alpha"] is None else given["alpha"],
        beta=given["beta"],
    )


def _two_level(name, given, sets, group, best) -> Instance:
    step = given["gap"] / (given["smoothness"] * given["list_size"])
    if step > 0.5:
        limit = 0.5 * given["smoothness"] * given["list_size"]
        raise ValueError(
            f"gap = {given['gap']:g} is not allowed ({name}): the means 1/2 − gap/(smoothness·list_size) leave [0, 1];"
            f" gap must be <= {limit:g}."
        )
    means = np.full(group.size, 0.5 - step)
    means[best] = 0.5
    sets = [tuple(int(i) for i in s) for s in sets]
    law = laws.by_name("bernoulli", group.size, group)
    return semi_bandit(name, given, means, listed(sets), rewards.linear(given["smoothness"]), law, super_arms=sets)


def _at_most(list_size: int, limit: int, what: str, name: str) -> int:
    if list_size > limit:
        raise ValueError(f"list_size = {list_size} is not allowed ({name}): it must be <= {limit}, {what}.")
    return list_size


def _endpoints(edges, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and targets of the edges, each numbered from 0."""
    for number, edge in enumerate(edges, 1):
        if len(edge) != 2 or any(x != int(x) for x in edge):
            raise ValueError(
                f"edges is not allowed ({name}): edge {number} is {edge}; it must be a node and a target, two integers"
                " (node:target)."
            )
        if edge in edges[: number - 1]:
            raise ValueError(f"edges is not allowed ({name}): edge {int(edge[0])}:{int(edge[1])} is given twice.")
    nodes, targets = (np.unique([e[side] for e in edges], return_inverse=True)[1] for side in (0, 1))
    return nodes, targets


TOP_K_PARAMETERS = (TOP_MEANS, LIST_SIZE, REWARD, OUTCOMES, SMOOTHNESS)
GOOD_PARAMETERS = (ARMS.default_to(12), LIST_SIZE.default_to(3), MEAN_GAP, REWARD, OUTCOMES, SMOOTHNESS)
SINGLE_PARAMETERS = (ARMS, GAP.default_to(0.2), SMOOTHNESS)
PATH_PARAMETERS = (ARMS, LIST_SIZE, GAP, SMOOTHNESS)
COVERAGE_PARAMETERS = (EDGES, PROBABILITIES, PICKS, ORACLE, ALPHA, BETA, SMOOTHNESS)

FAMILIES = (
    Family("top-k", "Any K of the arms", "semi-bandit", CHEN, "Section 2.1", TOP_K_PARAMETERS, top_k),
    Family(
        "good-arms",
        "K good arms among m; any K may be played",
        "semi-bandit",
        CHEN,
        "Section 2.1",
        GOOD_PARAMETERS,
        good_arms,
    ),
    Family(
        "single-arms",
        "One good arm, the others nothing; K = 1",
        "semi-bandit",
        CHEN,
        "Theorem 5",
        SINGLE_PARAMETERS,
        single_arms,
    ),
    Family(
        "k-path",
        "Disjoint paths of K arms, alike within a path",
        "semi-bandit",
        CHEN,
        "Theorem 6",
        PATH_PARAMETERS,
        k_path,
    ),
    Family(
        "public-arms",
        "K best arms; K − 1 public arms with one of the others",
        "semi-bandit",
        CHEN,
        "Theorem 9",
        (*(replace(p, low=2) if p is ARMS else p for p in PATH_PARAMETERS),),
        public_arms,
    ),
    Family(
        "max-coverage",
        "Choose nodes that cover the most targets",
        "semi-bandit",
        CHEN,
        "Section 2.1",
        COVERAGE_PARAMETERS,
        max_coverage,
    ),
    Family(
        "super-arms", "The super arms that you list", "semi-bandit", CHEN, "Section 2.1", LIST_PARAMETERS, super_arms
    ),
)
