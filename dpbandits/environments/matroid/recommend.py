"""What a run recommends, beside what is best and what chance would reach (Chandak 2023, Table 6.2)."""

import numpy as np

from dpbandits.environments.instance import Instance
from dpbandits.environments.matroid.questions import best_basis, checked
from dpbandits.parameters import SEED, Parameter

DRAWS = Parameter("draws", "number of random bases", kind="integer", low=1, high=10**6)


def most_played(instance: Instance, pulls) -> np.ndarray:
    """The basis whose elements were played most in total, most played first, shape (K,): what a run has come to
    recommend.

    pulls: plays of each element, shape (L,), of one run. To ask about the end of a run alone, take the difference of
    the pulls
    at two horizons: with one seed the longer run continues the shorter.
    """
    return best_basis(instance.matroid, pulls)


def overlap(instance: Instance, basis) -> int:
    """How many elements of `basis` are in A*."""
    checked(instance.matroid, basis)
    return int(np.isin(basis, instance.optimal_basis).sum())


def random_bases(instance: Instance, draws: int = 1000, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """(overlap with A*, value w̄(A)) of bases of indices without information: greedy on a uniformly random order.
    Shapes (draws,).

    Their mean value is what an algorithm earns in a round before it knows anything.
    """
    bases = _by_chance(instance, draws, seed)
    return np.isin(bases, instance.optimal_basis).sum(axis=1), instance.means[bases].sum(axis=1)


def random_shares(instance: Instance, draws: int = 1000, seed: int = 0) -> np.ndarray:
    """Share of the bases of `random_bases` that hold each element, shape (L,); the sum is K."""
    return np.bincount(_by_chance(instance, draws, seed).ravel(), minlength=instance.arms) / draws


def _by_chance(instance: Instance, draws: int, seed: int) -> np.ndarray:
    rng = np.random.Generator(np.random.SFC64(SEED.check(seed)))
    return np.array([best_basis(instance.matroid, rng.random(instance.arms)) for _ in range(DRAWS.check(draws))])


def listing(instance: Instance, basis) -> list[dict]:
    """One row for each element of `basis` (in its order): label, mean, genres if it has them, and whether it is in
    A*.
    """
    checked(instance.matroid, basis)
    best = set(instance.optimal_basis.tolist())
    genres = instance.facts.get("genres")
    return [
        {"label": instance.labels[e], "mean": float(instance.means[e])}
        | ({"genres": ", ".join(genres[e])} if genres else {})
        | {"optimal": e in best}
        for e in map(int, basis)
    ]
