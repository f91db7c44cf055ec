"""Influence maximisation as a semi-bandit with an (α, β)-oracle: Chen et al. 2020, Section 2.1, Definitions 1 and 2.

Choose `picks` people; each edge u → v passes the news on with its own probability, once; the reward is the number of
people reached. Base arms are the edges. The super arm of a choice is every edge that can be reached from it: a user
reports on one of them, whether or not the news came by. (Reports on edges that the news did reach alone would tell
which ones those were.) The expected reward is found exactly, over all 2^edges outcomes.
"""

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dpbandits.algorithms.estimates import least_observed
from dpbandits.kernels import kernel
from dpbandits.randomness import laplace

MOST_NODES, MOST_EDGES = 9, 12
#: A small town in which greedy is not the best: person 1 reaches the same people as 2 and 3 together, only less surely.
EDGES = ((1, 4), (1, 5), (1, 6), (1, 7), (2, 4), (2, 5), (3, 6), (3, 7), (7, 8))
PROBABILITIES = (0.6, 0.6, 0.6, 0.6, 0.9, 0.9, 0.9, 0.9, 0.4)
ORACLES = ("exact", "greedy")


class Town(NamedTuple):
    """nodes: their number, from 1. edges: (u, v). reached: (2^nodes, 2^edges), people reached from a choice (bits, the
    first person lowest) under an outcome of all edges. covers: (2^nodes, edges), whether an edge is within reach.
    """

    nodes: int
    edges: tuple
    reached: np.ndarray
    covers: np.ndarray


def town(edges: Sequence[tuple[int, int]] = EDGES) -> Town:
    """Everything that does not depend on the probabilities. Raises ValueError for too large a graph."""
    nodes = max(itertools.chain.from_iterable(edges))
    if nodes > MOST_NODES or len(edges) > MOST_EDGES:
        raise ValueError(
            f"edges is not allowed: {nodes} people and {len(edges)} edges; at most {MOST_NODES} and {MOST_EDGES}."
        )
    outcomes = np.arange(1 << len(edges))
    reached = np.empty((1 << nodes, outcomes.size), np.int16)
    covers = np.zeros((1 << nodes, len(edges)), bool)
    for chosen in range(1 << nodes):
        active = np.full(outcomes.size, chosen)
        for _ in range(nodes):
            for e, (u, v) in enumerate(edges):
                passes = (outcomes >> e & 1) & (active >> (u - 1) & 1)
                active |= passes << (v - 1)
        reached[chosen] = [bin(a).count("1") for a in active]
        every = int(active[-1])  # all edges pass
        covers[chosen] = [bool(every >> (u - 1) & 1) for u, _ in edges]
    return Town(nodes, tuple(edges), reached, covers)


def spread(where: Town, probabilities: Sequence[float]) -> np.ndarray:
    """Expected number of people reached from every choice: shape (2^nodes,)."""
    return where.reached @ law(np.asarray(probabilities, float))


def law(probabilities: np.ndarray) -> np.ndarray:
    """Probability of every outcome of independent edges, the first edge in the lowest bit: shape (2^edges,)."""
    found = np.ones(1)
    for p in probabilities:
        found = np.concatenate([found * (1 - p), found * p])
    return found


def choices(nodes: int, picks: int) -> list[int]:
    """All choices of `picks` people, as bits."""
    return [sum(1 << u for u in chosen) for chosen in itertools.combinations(range(nodes), picks)]


def people(chosen: int) -> tuple[int, ...]:
    """The people (from 1) in a choice."""
    return tuple(u + 1 for u in range(chosen.bit_length()) if chosen >> u & 1)


def greedy(values: np.ndarray, nodes: int, picks: int) -> int:
    """Add whoever adds most, `picks` times; the first of equals."""
    chosen = 0
    for _ in range(picks):
        chosen |= max((1 << u for u in range(nodes) if not chosen >> u & 1), key=lambda bit: values[chosen | bit])
    return chosen


def best(values: np.ndarray, nodes: int, picks: int) -> int:
    """The best choice, by comparing all."""
    return max(choices(nodes, picks), key=lambda chosen: values[chosen])


def promise(picks: int) -> float:
    """α of greedy for every spread: 1 − (1 − 1/picks)^picks, at least 1 − 1/e."""
    return 1 - (1 - 1 / picks) ** picks


def largest_increase(values: np.ndarray, nodes: int) -> float:
    """By how much a person adds more to a larger choice than to a smaller one, at most: <= 0 for a spread."""
    worst = -math.inf
    for small, u in itertools.product(range(1 << nodes), range(nodes)):
        for w in range(nodes):
            if u != w and not (small >> u | small >> w) & 1:
                gain = values[small | 1 << u] - values[small]
                worst = max(worst, values[small | 1 << u | 1 << w] - values[small | 1 << w] - gain)
    return float(worst)


class Learnt(NamedTuple):
    """reward: (checkpoints,), expected reward of what was played up to each checkpoint. played: (2^nodes,), how often
    each choice was.
    """

    reward: np.ndarray
    played: np.ndarray


def learn(
    where: Town,
    probabilities: Sequence[float],
    *,
    picks: int = 2,
    epsilon: float = 4.0,
    beta: float = 1.0,
    oracle: str = "greedy",
    horizon: int = 20_000,
    checkpoints: Sequence[int] = (),
    seed: int = 0,
) -> Learnt:
    """CUCB-LDP2 (Algorithm 2) with a greedy or an exact oracle: one user, one report, on the least reported edge within
    reach. beta: with probability 1 − β the oracle fails and returns any choice.
    """
    marks = np.array([*checkpoints] or [horizon], np.int64)
    allowed = np.array(choices(where.nodes, picks), np.int64)
    given = np.asarray(probabilities, float)
    reached = where.reached.astype(float)
    return Learnt(
        *_learn(
            reached,
            where.covers,
            given,
            spread(where, given),
            allowed,
            where.nodes,
            picks,
            ORACLES.index(oracle) == 1,
            epsilon,
            beta,
            horizon,
            marks,
            np.random.default_rng(seed),
        )
    )


@kernel
def _learn(reached, covers, given, truth, allowed, nodes, picks, by_greedy, epsilon, beta, horizon, marks, rng):
    """The run behind learn()."""
    edges = given.size
    index, estimate, reports = np.ones(edges), np.zeros(edges), np.zeros(edges, np.int64)
    chance, known = np.empty(reached.shape[1]), np.full(reached.shape[0], -1.0)
    reward, played = np.empty(marks.size), np.zeros(reached.shape[0], np.int64)
    bonus, earned, c, changed = 4.0 * math.sqrt(2.0 * math.log(horizon)) / epsilon, 0.0, 0, True
    for t in range(1, horizon + 1):
        if changed:  # the expectation under the index, for choices as they are asked for
            chance[0] = 1.0
            length = 1
            for e in range(edges):
                p = min(1.0, max(0.0, index[e]))
                for b in range(length):
                    chance[b + length] = chance[b] * p
                    chance[b] *= 1.0 - p
                length *= 2
            known[:] = -1.0
            changed = False
        if beta < 1.0 and rng.random() >= beta:
            chosen = allowed[int(rng.random() * allowed.size)]
        elif by_greedy:
            chosen = 0
            for _ in range(picks):
                top, ties, taken = -1.0, 0, 0
                for u in range(nodes):
                    if chosen >> u & 1:
                        continue
                    value = _value(reached, chance, known, chosen | 1 << u)
                    if value > top + 1e-9:
                        top, ties, taken = value, 1, u
                    elif value > top - 1e-9:
                        ties += 1
                        if rng.random() * ties < 1.0:
                            taken = u
                chosen |= 1 << taken
        else:
            top, ties, chosen = -1.0, 0, 0
            for mask in allowed:
                value = _value(reached, chance, known, mask)
                if value > top + 1e-9:
                    top, ties, chosen = value, 1, mask
                elif value > top - 1e-9:
                    ties += 1
                    if rng.random() * ties < 1.0:
                        chosen = mask
        earned += truth[chosen]
        played[chosen] += 1
        within = np.flatnonzero(covers[chosen])
        if within.size:
            least = within[least_observed(within, reports, rng)]
            passed = 1.0 if rng.random() < given[least] else 0.0
            reports[least] += 1
            estimate[least] += (passed + laplace(rng, 1.0 / epsilon) - estimate[least]) / reports[least]
            now = min(1.0, estimate[least] + bonus / math.sqrt(reports[least]))
            changed = now != index[least]
            index[least] = now
        if t == marks[c]:
            reward[c] = earned
            c += 1
    return reward, played


@kernel
def _value(reached, chance, known, mask):
    """The expected reach of a choice, computed once for each index."""
    if known[mask] < 0.0:
        total = 0.0
        for b in range(chance.size):
            total += chance[b] * reached[mask, b]
        known[mask] = total
    return known[mask]
