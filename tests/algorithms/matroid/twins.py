"""Slow twins of the matroid algorithms, written from the papers: lists of everything observed, a fresh sort every
round.
"""

import math

import numpy as np
from scipy.optimize import brentq
from scipy.special import rel_entr

TABLE = (
    [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1), (2, 0, 0), (0, 0, 0)],
    [0.80, 0.75, 0.60, 0.20, 0.30, 0.40, 0.70],
)
#: A graph on four nodes with two parallel edges, a loop, a bridge and a square with a diagonal.
GRAPH = ([(0, 1), (0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (2, 2), (3, 4)], [0.9, 0.7, 0.6, 0.8, 0.3, 0.5, 1.0, 0.1])


def table_independent(subset):
    return np.linalg.matrix_rank(np.array([TABLE[0][e] for e in subset])) == len(subset)


def graph_independent(subset):
    groups = {node: {node} for node in range(5)}
    for e in subset:
        one, other = GRAPH[0][e]
        if groups[one] is groups[other]:
            return False
        groups[one] |= groups[other]
        for node in groups[one]:
            groups[node] = groups[one]
    return True


def greedy(index, independent, rank, rng, last=math.inf):
    """Algorithm 1 with random ties. last = −inf puts elements of infinite index at the end."""
    key = [last if math.isinf(value) else value for value in index]
    order = sorted(range(len(index)), key=lambda e: (-key[e], rng.random()))
    kept = []
    for e in order:
        if len(kept) < rank and independent([*kept, e]):
            kept.append(e)
    return kept


def play(means, independent, rank, horizon, rng, index, lazy=None, users=None, last=math.inf):
    """Regret after every round and how often each element was played.

    index(t, estimate, n): of an element with n observations behind its estimate. lazy: scale of the noise of batches of
    1, 2, 4, ... observations; None: the mean of all, at once.
    """
    arms = range(len(means))
    kept, waiting = [[] for _ in arms], [[] for _ in arms]
    estimate, count = [0.0] * len(means), [0] * len(means)
    best = sum(means[e] for e in greedy(means, independent, rank, rng))
    plays, total, regret = [0] * len(means), 0.0, []
    for t in range(1, horizon + 1):
        values = [index(t, estimate[e], count[e]) if count[e] else math.inf for e in arms]
        basis = greedy(values, independent, rank, rng, last)
        user = None if users is None else users[rng.integers(len(users))]
        for e in basis:
            weight = int(rng.random() < means[e]) if users is None else int(user[e])
            plays[e] += 1
            if lazy is None:
                kept[e].append(weight)
                estimate[e], count[e] = sum(kept[e]) / len(kept[e]), len(kept[e])
                continue
            waiting[e].append(weight)
            if len(waiting[e]) == (2 * count[e] or 1):
                count[e] = len(waiting[e])
                estimate[e] = (sum(waiting[e]) + rng.laplace(0, lazy)) / count[e]
                waiting[e] = []
        total += best - sum(means[e] for e in basis)
        regret.append(total)
    return regret, plays


def kl_bound(p, bound):
    def divergence(q):
        return rel_entr(p, q) + rel_entr(1 - p, 1 - q) - bound

    return 1.0 if p == 1 or divergence(1 - 1e-15) < 0 else brentq(divergence, p, 1 - 1e-15) if bound > 0 else p


def omm(rank, rng):
    return lambda t, m, n: m + math.sqrt(2 * math.log(t) / n)


def kl_osm(rank, rng):
    return lambda t, m, n: kl_bound(m, (math.log(t) + (3 * math.log(math.log(t)) if t > 2 else 0)) / n)


def cts_gauss(rank, rng):
    return lambda t, m, n: rng.normal(m, math.sqrt(1 / n))


def dpucb(rank, rng, epsilon):
    return lambda t, m, n: m + math.sqrt(3 * math.log(rank * t) / n) + 3 * math.log(rank * t) / (epsilon / rank * n)


def dpts(rank, rng, epsilon):
    return lambda t, m, n: rng.normal(m + 3 * math.log(rank * t) / (epsilon / rank * n), math.sqrt(1 / n))


def sample(index, runs, seed, means, independent, rank, horizon, users=None, **parameters):
    """(regret, shape (runs, horizon); plays, shape (runs, L)) of a twin."""
    outcomes = []
    for run in range(runs):
        rng = np.random.default_rng([seed, run])
        lazy = rank / parameters["epsilon"] if parameters else None
        outcomes.append(play(means, independent, rank, horizon, rng, index(rank, rng, **parameters), lazy, users))
    regrets, plays = zip(*outcomes, strict=True)
    return np.array(regrets), np.array(plays)


def sample_beta(runs, seed, means, independent, rank, horizon, users=None):
    """As `sample`, for CTS with Beta draws, which has a draw before the first observation too."""
    regrets, plays = np.empty((runs, horizon)), np.zeros((runs, len(means)), int)
    best = sum(means[e] for e in greedy(means, independent, rank, np.random.default_rng(0)))
    for run in range(runs):
        rng, seen = np.random.default_rng([seed, run]), [[] for _ in means]
        total = 0.0
        for t in range(horizon):
            theta = [rng.beta(1 + sum(s), 1 + len(s) - sum(s)) for s in seen]
            basis = greedy(theta, independent, rank, rng)
            for e in basis:
                seen[e].append(int(rng.random() < means[e]))
            total += best - sum(means[e] for e in basis)
            regrets[run, t] = total
        plays[run] = [len(s) for s in seen]
    return regrets, plays
