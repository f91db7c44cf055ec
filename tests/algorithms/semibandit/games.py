"""Instances of every kind of decision set, each with its plain-Python twin."""

import numpy as np

from dpbandits.environments.semibandit import k_path, max_coverage, public_arms, super_arms, top_k
from tests.algorithms.semibandit import twins

LISTED = [(1, 2, 4), (3,), (2, 4)]
LISTED_MEANS = [0.1, 0.3, 0.5, 0.05]
EDGES = [(1, 1), (1, 2), (2, 2), (2, 3), (3, 4)]
PROBABILITIES = [0.2, 0.1, 0.5, 0.2, 0.4]
ROWS = np.array([[0.0, 0.1, 0.3], [0.4, 0.0, 0.3], [0.2, 0.8, 0.0], [0.0, 0.0, 0.9]])


def _beta(means):
    return lambda rng: [float(rng.beta(2 * mean, 2 - 2 * mean)) for mean in means]


GAMES = {
    "top-k": (top_k([0.1, 0.2, 0.4, 0.5], 2), twins.top_k([0.1, 0.2, 0.4, 0.5], 2)),
    "top-k disjunctive": (
        top_k([0.05, 0.2, 0.2, 0.5], 2, "disjunctive"),
        twins.top_k([0.05, 0.2, 0.2, 0.5], 2, twins.some),
    ),
    "k-path": (
        k_path(4, 2, 0.7),
        twins.Game(
            [0.5, 0.5, 0.15, 0.15], [(0, 1), (2, 3)], twins.total, twins.bernoulli([0.5, 0.5, 0.15, 0.15], [0, 0, 1, 1])
        ),
    ),
    "public-arms": (
        public_arms(7, 3, 1.2),
        twins.Game(
            [0.5] * 3 + [0.1] * 4,
            [(0, 1, 2), (3, 4, 5), (3, 4, 6)],
            twins.total,
            twins.bernoulli([0.5] * 3 + [0.1] * 4, [0, 1, 2, 3, 3, 4, 5]),
        ),
    ),
    "super-arms": (
        super_arms(LISTED_MEANS, LISTED, "disjunctive", "beta", unequal=True),
        twins.Game(LISTED_MEANS, [(0, 1, 3), (2,), (1, 3)], twins.some, _beta(LISTED_MEANS)),
    ),
    "given outcomes": (
        super_arms(super_arms=[(1, 2), (2, 3)], outcomes=ROWS),
        twins.Game(
            ROWS.mean(axis=0).tolist(), [(0, 1), (1, 2)], twins.total, lambda rng: ROWS[rng.integers(4)].tolist()
        ),
    ),
    "max-coverage": (max_coverage(EDGES, PROBABILITIES, 2, beta=0.8), twins.coverage(EDGES, PROBABILITIES, 2, 0.8)),
}
