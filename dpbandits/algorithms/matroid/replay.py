"""DPUCB-MAT as the thesis's proof takes it apart, in plain Python, on given weights and given noise (Chandak 2023,
Theorem 8).

`algorithm_2` plays; `algorithm_4` is the same game, and returns the noisy sums r that it releases. `algorithm_3`
computes f_t(w; z): what round t would release for the weights w if the releases before were z, from which it takes its
indices. So r_t = f_t(w; r) + noise, and the plays are a function of the releases alone, `plays`. For fixed releases a
change of one round's weights moves all f_t together by at most K: that is the sensitivity.

Ties are broken by the same random numbers in all of these, those of `tie_seed`.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dpbandits.environments import Instance
from dpbandits.environments.matroid.questions import best_basis, size_of
from dpbandits.environments.matroid.structure import Matroid
from dpbandits.parameters import EPSILON, HORIZON, SEED
from dpbandits.randomness import seed_sequence, streams


class Played(NamedTuple):
    """What `algorithm_2` did in n rounds. bases: A^t by decreasing index, shape (n, K). index: U_t(e), shape (n, L).

    estimate, size: w̃_e and T_e after each round, shape (n, L). releases: r_{t,e}, shape (n, L), NaN where nothing was
    released.
    """

    bases: np.ndarray
    index: np.ndarray  # type: ignore[assignment]  # it hides tuple.index, which nobody asks for
    estimate: np.ndarray
    size: np.ndarray
    releases: np.ndarray


class Recorded(NamedTuple):
    """A run of `algorithm_2` and what it was played on: weights and noise, shape (n, L)."""

    played: Played
    weights: np.ndarray
    noise: np.ndarray


def recorded(instance: Instance, rounds: int, epsilon: float, seed: int = 0) -> Recorded:
    """DPUCB-MAT for some rounds (at most 10⁵: this is plain Python) of a matroid bandit, with all that it saw and drew.

    Fewer rounds of the same seed are the beginning of the same run. Raises ValueError for bad input.
    """
    rounds, epsilon = replace(HORIZON, name="rounds", high=10**5).check(rounds), EPSILON.check(epsilon)
    means, matroid, users = instance.problem
    environment, _, noise = streams(seed_sequence(SEED.check(seed), "recorded", instance.label))
    if len(users):
        weights = users[environment.integers(len(users), size=rounds)].astype(float)
    else:
        weights = (environment.random((rounds, means.size)) < means).astype(float)
    drawn = noise.laplace(0.0, matroid.rank / epsilon, (rounds, means.size))
    return Recorded(algorithm_2(matroid, weights, drawn, epsilon, seed), weights, drawn)


class Release(NamedTuple):
    """One renewal of an element's estimate. rounds: those of its observations, from 1, shape (T_e,); the last is that
    of the release.

    total: their sum; noise: the Laplace draw added to it. So w̃ = (total + noise)/T_e.
    """

    rounds: np.ndarray
    total: float
    noise: float

    @property
    def estimate(self) -> float:
        """w̃_e, in use from the round after the release."""
        return (self.total + self.noise) / self.rounds.size


def releases_of(run: Recorded, element: int) -> tuple[list[Release], np.ndarray]:
    """(all renewals of the estimate of `element`, from 0, in order; the rounds whose observations still wait for
    one).
    """
    observed = np.flatnonzero((run.played.bases == element).any(axis=1))
    found, start = [], 0
    for t in np.flatnonzero(~np.isnan(run.played.releases[:, element])):
        own = observed[start : start + run.played.size[t, element]]
        found.append(Release(own + 1, float(run.weights[own, element].sum()), float(run.noise[t, element])))
        start += own.size
    return found, observed[start:] + 1


def upper_bounds(matroid: Matroid, estimate, size, t: int, epsilon: float) -> np.ndarray:
    """Line 5: w̃_e + sqrt(3 ln(Kt)/T_e) + 3 ln(Kt)/(ε₀ T_e), ε₀ = ε/K; +∞ where T_e = 0."""
    log, observed = 3 * math.log(matroid.rank * t), np.maximum(size, 1)
    return np.where(size > 0, estimate + np.sqrt(log / observed) + matroid.rank * log / (epsilon * observed), np.inf)


def algorithm_2(matroid: Matroid, weights, noise, epsilon: float, tie_seed: int = 0) -> Played:
    """DPUCB-MAT on `weights`, shape (n, L), in [0, 1]: round t plays on row t. A release of e in round t has the
    noise[t, e].
    """
    weights, noise = _table("weights", weights, matroid, epsilon), _table("noise", noise, matroid, epsilon)
    ties = np.random.Generator(np.random.SFC64(tie_seed))
    rounds, elements = weights.shape
    estimate, size = np.zeros(elements), np.zeros(elements, np.int64)
    waiting: list[list[float]] = [[] for _ in range(elements)]
    bases, index = np.empty((rounds, matroid.rank), np.int64), np.empty((rounds, elements))
    estimates, sizes = np.empty((rounds, elements)), np.empty((rounds, elements), np.int64)
    releases = np.full((rounds, elements), np.nan)
    for t in range(rounds):
        index[t] = upper_bounds(matroid, estimate, size, t + 1, epsilon)
        bases[t] = best_basis(matroid, index[t], ties)
        for e in bases[t]:
            waiting[e].append(weights[t, e])
            if len(waiting[e]) == max(1, 2 * size[e]):
                releases[t, e] = math.fsum(waiting[e]) + noise[t, e]
                size[e] = len(waiting[e])
                estimate[e] = releases[t, e] / size[e]
                waiting[e] = []
        estimates[t], sizes[t] = estimate, size
    return Played(bases, index, estimates, sizes, releases)


def algorithm_4(matroid: Matroid, weights, noise, epsilon: float, tie_seed: int = 0) -> np.ndarray:
    """The noisy sums r_{t,e} of DPUCB-MAT, shape (n, L), NaN where round t releases nothing about e."""
    return algorithm_2(matroid, weights, noise, epsilon, tie_seed).releases


def follow(
    matroid: Matroid, releases, epsilon: float, rounds: int, tie_seed: int = 0, divide: bool = True
) -> Iterator[tuple[np.ndarray, dict]]:
    """For each round the basis, and the batches that it completes: {e: rounds of the observations}. Weights are never
    seen.

    releases: z, shape (rounds − 1, L) or more. divide: use z/T_e as the estimate on line 5; False takes z itself as
    printed, which is a sum and no mean.
    """
    ties, elements = np.random.Generator(np.random.SFC64(tie_seed)), size_of(matroid)
    estimate, size = np.zeros(elements), np.zeros(elements, np.int64)
    waiting: list[list[int]] = [[] for _ in range(elements)]
    for t in range(rounds):
        basis, complete = best_basis(matroid, upper_bounds(matroid, estimate, size, t + 1, epsilon), ties), {}
        for e in basis.tolist():
            waiting[e].append(t)
            if len(waiting[e]) == max(1, 2 * size[e]):
                size[e], complete[e], waiting[e] = len(waiting[e]), waiting[e], []
        yield basis, complete
        for e in complete if t < rounds - 1 else ():
            estimate[e] = releases[t][e] / (size[e] if divide else 1)


def algorithm_3(
    matroid: Matroid, weights, releases, epsilon: float, target: int, tie_seed: int = 0, divide: bool = True
) -> np.ndarray:
    """f_target(w; z), shape (L,): what round `target` (1..n) releases before noise, given the releases z before it; 0
    for the rest.

    weights: w, shape (n, L). Other arguments as for `follow`. As printed (divide=False) it does not replay Algorithm 2.
    """
    weights = _table("weights", weights, matroid, epsilon)
    if not 1 <= target <= len(weights) or np.shape(releases)[0] < target - 1:
        wanted = f"it must be in 1..{len(weights)}, with a row of releases for each round before"
        raise ValueError(f"target = {target} is not allowed: {wanted}.")
    *_, (_, complete) = follow(matroid, releases, epsilon, target, tie_seed, divide)
    return _sums(weights, complete)


def fixed_transcript(matroid: Matroid, weights, releases, epsilon: float, tie_seed: int = 0) -> np.ndarray:
    """f̃_z(w), shape (n, L): row t − 1 is `algorithm_3` with the target t."""
    weights = _table("weights", weights, matroid, epsilon)
    return np.array(
        [_sums(weights, complete) for _, complete in follow(matroid, releases, epsilon, len(weights), tie_seed)]
    )


def plays(matroid: Matroid, releases, epsilon: float, rounds: int, tie_seed: int = 0) -> np.ndarray:
    """a*(z): the bases of all rounds from the releases alone, shape (rounds, K)."""
    return np.array([basis for basis, _ in follow(matroid, releases, epsilon, rounds, tie_seed)])


def _sums(weights: np.ndarray, complete: dict) -> np.ndarray:
    sums = np.zeros(weights.shape[1])
    for e, rounds in complete.items():
        sums[e] = math.fsum(weights[rounds, e])
    return sums


def _table(name: str, value, matroid: Matroid, epsilon: float) -> np.ndarray:
    EPSILON.check(epsilon)
    table, columns = np.asarray(value, float), size_of(matroid)
    if table.ndim != 2 or table.shape[1] != columns or not len(table) or not np.isfinite(table).all():
        wanted = f"it must have a row for each round and {columns} columns of finite numbers"
        raise ValueError(f"{name} of shape {table.shape} is not allowed: {wanted}.")
    if name == "weights" and not ((table >= 0) & (table <= 1)).all():
        raise ValueError(f"weights = {table.min():g}..{table.max():g} is not allowed: each must be in [0, 1].")
    return table
