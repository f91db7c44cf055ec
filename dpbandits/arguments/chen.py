"""Chen et al. 2020: why it holds. The blame argument on a run, the sums behind Theorems 4 and 8, what monotonicity and
smoothness are for.

Disjoint paths of K arms stand for all decision sets: path 0 is the best one, all others lose `gap` in a round.
"""

import math
from typing import NamedTuple

import numpy as np

from dpbandits.algorithms.estimates import least_observed
from dpbandits.arguments.two_instances import TRUST, pulls_needed
from dpbandits.environments import build
from dpbandits.kernels import kernel
from dpbandits.randomness import argmax, laplace

REWARDS = ("average", "sum")
ABOUT = ("least reported", "any", "most reported")
STEPS = (
    "every mean within its bonus",
    "the index of the best path is not too low",
    "the oracle prefers what it plays",
    "gap at most twice B∞ times the largest bonus",
    "every arm has been reported as often as blamed",
    "blamed at most 128 B∞² ln T/(ε²Δ²) times",
)


class Blame(NamedTuple):
    """A run of CUCB-LDP2, seen through the proof of Theorem 4.

    arm, count, ceiling: one entry for each play of a bad path: the arm that is blamed, how often it has been by then,
    and 2 B∞ times the largest bonus in the path. blamed, reports: (arms,), at the end. failed, asked: for each of
    STEPS, in how many rounds (the last two: for how many arms) it was false, and of how many. limit: 128 B∞² ln
    T/(ε²Δ²). smoothness: B∞.
    """

    arm: np.ndarray
    count: np.ndarray
    ceiling: np.ndarray
    blamed: np.ndarray
    reports: np.ndarray
    failed: np.ndarray
    asked: np.ndarray
    limit: float
    smoothness: float


def blame(
    *,
    paths: int = 5,
    list_size: int = 4,
    gap: float = 0.5,
    epsilon: float = 4.0,
    horizon: int = 100_000,
    reward: str = "average",
    about: str = "least reported",
    bonus_multiplier: float = 1.0,
    seed: int = 0,
) -> Blame:
    """Play `horizon` rounds of CUCB-LDP2 (Algorithm 2) and keep the proof's books.

    gap: Δ of every bad path; the arms' means differ by Δ (average) or Δ/K (sum). about: which arm of the path a user
    reports on; the algorithm says the least reported one. bonus_multiplier: on 4 sqrt(2 ln T/(ε² T_i)).
    """
    average = reward == "average"
    step = gap if average else gap / list_size
    means = np.full(paths, 0.5 - step / 2)
    means[0] = 0.5 + step / 2
    smoothness = 1.0 if average else float(list_size)
    width = bonus_multiplier * 4 * math.sqrt(2 * math.log(horizon)) / epsilon
    limit = 128 * smoothness**2 * math.log(horizon) / (epsilon * gap) ** 2
    kept = _play(means, list_size, average, horizon, epsilon, width, ABOUT.index(about), np.random.default_rng(seed))
    arm, count, ceiling, blamed, reports, failed, bad = kept
    failed = np.append(failed, ((blamed > reports).sum(), (blamed > limit).sum()))
    asked = np.array([horizon, horizon, horizon, bad, blamed.size, blamed.size])
    return Blame(arm[:bad], count[:bad], ceiling[:bad], blamed, reports, failed, asked, limit, smoothness)


@kernel
def _play(means, size, average, horizon, epsilon, width, about, rng):
    """The run behind blame(). about: 0 least reported, 1 any, 2 most reported arm of the path."""
    paths, arms = means.size, means.size * size
    index, estimate = np.ones(arms), np.zeros(arms)
    reports, blamed = np.zeros(arms, np.int64), np.zeros(arms, np.int64)
    arm, count, ceiling = np.empty(horizon, np.int64), np.empty(horizon, np.int64), np.empty(horizon)
    failed, value, bad = np.zeros(4, np.int64), np.zeros(paths), 0
    factor = 1.0 / size if average else 1.0
    for _ in range(horizon):
        for p in range(paths):
            value[p] = 0.0
            for j in range(p * size, (p + 1) * size):
                value[p] += factor * index[j]
        played = argmax(value, rng)
        path = np.arange(played * size, (played + 1) * size)
        least = path[least_observed(path, reports, rng)]
        outside, largest = False, 0.0
        for j in range(arms):
            own = width / math.sqrt(reports[j]) if reports[j] else math.inf
            if reports[j] and abs(estimate[j] - means[j // size]) > own:
                outside = True
            if j // size == played:
                largest = max(largest, own)
        failed[0] += outside
        failed[1] += value[0] < factor * size * means[0] - 1e-12
        failed[2] += value[played] < value[0] - 1e-12
        if played > 0:
            blamed[least] += 1
            arm[bad], count[bad] = least, blamed[least]
            ceiling[bad] = 2.0 * largest * (1.0 if average else size)
            failed[3] += ceiling[bad] < (means[0] - means[played]) * factor * size - 1e-12
            bad += 1
        if about == 0:
            chosen = least
        elif about == 1:
            chosen = played * size + int(rng.random() * size)
        else:
            chosen = path[np.argmax(reports[path])]
        outcome = 1.0 if rng.random() < means[played] else 0.0
        reports[chosen] += 1
        estimate[chosen] += (outcome + laplace(rng, 1.0 / epsilon) - estimate[chosen]) / reports[chosen]
        index[chosen] = min(1.0, estimate[chosen] + width / math.sqrt(reports[chosen]))
    return arm, count, ceiling, blamed, reports, failed, bad


def sum_of_ceilings(epsilon: float, gap: float, horizon: int, smoothness: float = 1.0) -> tuple[int, float, float]:
    """(J, Σ_{j <= J} 8B sqrt(2 ln T/(ε² j)), 256 B² ln T/(ε²Δ)): what one arm may cost in the proof of Theorem 4,
    J = 128 B² ln T/(ε²Δ²) rounded down.
    """
    log = math.log(horizon)
    most = int(128 * smoothness**2 * log / (epsilon * gap) ** 2)
    j = np.arange(1, most + 1)
    total = float((8 * smoothness * np.sqrt(2 * log / j) / epsilon).sum())
    return most, total, 256 * smoothness**2 * log / (epsilon**2 * gap)


class Additive(NamedTuple):
    """What one arm may cost in the proof of Theorem 8, in two parts: chance (no ε) and noise (no Δ, but in a
    logarithm). enough: n_max. chance_of_all: the first part, if no play were free, all T of them charged.
    """

    enough: float
    chance: float
    noise: float
    chance_of_all: float


def additive(epsilon: float, gap: float, list_size: int, horizon: int, smoothness: float = 1.0) -> Additive:
    """Σ_{n <= n_max} 2B (4 sqrt(ln T/n) + 24 K ln³T/(nε)), with n_max from where on a bonus is below Δ/(2BK)."""
    log, size, b = math.log(horizon), list_size, smoothness
    enough = max(256 * (b * size / gap) ** 2 * log, 96 * b * size**2 * log**3 / (epsilon * gap))
    root = lambda n: 2 * math.sqrt(n)  # at least Σ 1/√j
    harmonic = lambda n: 1 + math.log(n)
    chance, noise = 8 * b * math.sqrt(log), 48 * b * size * log**3 / epsilon
    return Additive(enough, chance * root(enough), noise * harmonic(enough), chance * root(horizon))


def most_to_blame(bonuses: np.ndarray, gaps: np.ndarray) -> tuple[float, float, float]:
    """(Δ_S, what the arms above Δ_S/(2K) are charged, what all arms would be): one bad super arm, whose gap is the sum
    of its bonuses at most. gaps: Δ^i_min of its arms, none above Δ_S.

    The trick: Δ_S <= 2Δ_S − max Δ^i_min <= Σ 2(b_i − Δ^i_min/(2K)): an arm with a bonus below Δ^i_min/(2K) is free.
    """
    size = bonuses.size
    lost = float(bonuses.sum())
    charged = 2 * np.maximum(bonuses - gaps / (2 * size), 0).sum()
    return lost, float(charged), float(2 * bonuses.sum())


def congestion(
    horizon: int, jam: float = 0.1, other: float = 0.5, turn: bool = False, seed: int = 0
) -> tuple[float, int]:
    """(regret, reports on road 1): a reward that FALLS when a mean rises, and a learner that is optimistic about means.

    Two super arms: road 1, worth 1 − μ_1, where μ_1 = `jam` is the chance of a jam; road 2, worth `other`, known. UCB
    on μ_1 without any privacy, index min(1, mean + sqrt(1.5 ln T/n)). turn: describe road 1 by the chance of a free
    ride, 1 − μ_1, in place of μ_1: the same world, and a reward that rises.
    """
    rng, n, seen, lost = np.random.default_rng(seed), 0, 0.0, 0.0
    mean = 1 - jam if turn else jam
    for _ in range(horizon):
        index = 1.0 if n == 0 else min(1.0, seen / n + math.sqrt(1.5 * math.log(horizon) / n))
        worth = index if turn else 1 - index
        if worth >= other:
            seen += rng.random() < mean
            n += 1
            lost += max(0.0, other - (1 - jam))
        else:
            lost += max(0.0, (1 - jam) - other)
    return lost, n


def gini(size: int, grid: int = 200) -> tuple[float, float]:
    """(B∞, γ) of 1 − Π(1 − μ_i) over `size` arms: the largest sum of slopes, and the largest sqrt(Σ μ_i(1 − μ_i)
    (∂r/∂μ_i)²), where a slope counts only as far as the outcome is uncertain (means alike; a grid).
    """
    mu = np.linspace(0, 1, grid + 1)[:-1]
    slope = (1 - mu) ** (size - 1)
    return float((size * slope).max()), float(np.sqrt(size * mu * (1 - mu) * slope**2).max())


class Hard(NamedTuple):
    """Two instances of a lower bound. super_arms: the best one first. place: (arms, 2), where a picture has them.
    raised: (arms,), whose means the second instance raises just above 1/2. tells: for each super arm, whether its
    outcomes then have another law. pulls, rates: by trust, plays of telling super arms in units of ln T, and the
    regret that follows.
    """

    super_arms: list[tuple[int, ...]]
    place: np.ndarray
    raised: np.ndarray
    tells: np.ndarray
    pulls: dict[str, float]
    rates: dict[str, float]


def hard(instance: str, arms: int, list_size: int, gap: float, epsilon: float) -> Hard:
    """The instances of Theorem 6 (k-path) and of Lemma 7 (public-arms), with B₁ = 1, and what a change of measure gives
    on them: if one bad super arm tells alone, its plays are counted for it; if all tell, for all of them together.
    """
    found = build(instance, arms=arms, list_size=list_size, gap=gap)
    sets = [tuple(int(i) for i in s) for s in found.super_arms]
    raised = np.isin(np.arange(arms), sets[1])
    tells = np.array([bool(set(s) & set(np.flatnonzero(raised))) for s in sets])
    step = gap / list_size
    pulls = {trust: pulls_needed(0.5 - step, 0.5, trust, epsilon) for trust in TRUST}
    alone = int(tells.sum()) == 1
    rates = {trust: gap * pull * (len(sets) - 1 if alone else 1) for trust, pull in pulls.items()}
    return Hard(sets, _places(instance, arms, list_size), raised, tells, pulls, rates)


def _places(instance: str, arms: int, size: int) -> np.ndarray:
    """Paths as columns; or the best arms left, the public ones in the middle, the others in a fan on the right."""
    number = np.arange(arms)
    if instance == "k-path":
        return np.column_stack([number // size, -(number % size)]).astype(float)
    place = np.zeros((arms, 2))
    place[:size] = np.column_stack([np.zeros(size), np.linspace(1, -1, size) if size > 1 else [0.0]])
    public, own = np.arange(size, 2 * size - 1), np.arange(2 * size - 1, arms)
    place[public] = np.column_stack([np.linspace(1, 2, public.size) if public.size else [], np.zeros(public.size)])
    place[own] = np.column_stack([np.full(own.size, 3.0), np.linspace(1, -1, own.size) if own.size > 1 else [0.0]])
    return place
