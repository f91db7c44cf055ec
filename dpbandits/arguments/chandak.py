"""Chandak 2023: why it holds. The events behind DPUCB-MAT, where min{K, log n} comes from, and what the boost of
DPTS-MAT is for.

Logs: ln(Kt), as in the index; ε₀ = ε/K; a batch of an element has T_e weights; its sum is released with Lap(K/ε).
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

from dpbandits.environments.matroid.questions import loops, rank_of, size_of
from dpbandits.kernels import kernel
from dpbandits.randomness import laplace

# ---- DPUCB-MAT: Lemma 23 ----------------------------------------------------------------------------------------


class Widths(NamedTuple):
    """The two parts of the index beyond the estimate: chance sqrt(3 ln(Kt)/T), noise 3 ln(Kt)/(ε₀T); and their sum."""

    chance: float
    noise: float
    both: float


def widths(size: float, rank: int, epsilon: float, t: float, bonus: float = 3.0) -> Widths:
    """For a batch of `size` weights in round t. bonus: the 3."""
    log = bonus * math.log(rank * t)
    chance, noise = math.sqrt(log / size), log * rank / (epsilon * size)
    return Widths(chance, noise, chance + noise)


def enough(gap: float, rank: int, epsilon: float, horizon: float) -> float:
    """l = 27 ln(Kn)/(Δ min{Δ, ε₀}): from this batch on the third event of Lemma 23 is impossible."""
    return 27 * math.log(rank * horizon) / (gap * min(gap, epsilon / rank))


class Events(NamedTuple):
    """For one batch and round: chances that the estimate of the bad element is too high by both widths (5.13), that of
    the good one too low (5.14), and whether the widths could still explain the gap (5.15).
    """

    too_high: float
    too_low: float
    too_wide: bool


def events(size: int, good: float, bad: float, rank: int, epsilon: float, t: float, bonus: float = 3.0) -> Events:
    """Exact: weights are coins, the noise is Lap(K/ε) on their sum; both batches have `size` weights."""
    both = widths(size, rank, epsilon, t, bonus).both
    ones = np.arange(size + 1)
    room = size * (bad + both) - ones  # how much noise lifts the sum above the limit
    high = float(stats.binom.pmf(ones, size, bad) @ stats.laplace.sf(room, scale=rank / epsilon))
    room = size * (good - both) - ones
    low = float(stats.binom.pmf(ones, size, good) @ stats.laplace.cdf(room, scale=rank / epsilon))
    return Events(high, low, (good - bad) / 2 < both)


# ---- Lemmas 17, 18, 20: min{K, log n} ---------------------------------------------------------------------------


class Prices(NamedTuple):
    """What one element pays, without the factor 27·4·ln(Kn): exactly (Lemma 20's left-hand side), by Lemma 17, by
    Lemma 18 (dyadic classes, closed), and by the sharper form.
    """

    exact: float
    by_rank: float
    by_classes: float
    sharper: float


def prices(gaps: Sequence[float], rank: int, epsilon: float, horizon: float) -> Prices:
    """gaps: Δ_1 >= ... >= Δ_K of one element to the elements of the best basis, all > 0."""
    gaps = np.sort(np.asarray(gaps, float))[::-1]
    least = epsilon / rank
    parts = 1 / (gaps * np.minimum(gaps, least))
    exact = float(gaps[0] * parts[0] + (gaps[1:] * np.diff(parts)).sum())
    classes = min(math.log2(rank * horizon), math.ceil(math.log2(1 / gaps[-1])) + 1)
    logarithm = 1 + math.log(gaps[0] / gaps[-1])
    return Prices(
        exact,
        2 / gaps[-1] + gaps.size / least,
        4 / gaps[-1] + 2 * classes / least,
        2 / gaps[-1] + min(gaps.size, logarithm) / least,
    )


def staircase(gaps: Sequence[float], rank: int, epsilon: float, horizon: float) -> np.ndarray:
    """Rows (from T_e, to T_e, Δ paid there): while the batch is short the element may stand for every a*_k; it pays
    the largest gap that is not settled yet.
    """
    gaps = np.sort(np.asarray(gaps, float))[::-1]
    ends = np.array([enough(g, rank, epsilon, horizon) for g in gaps])
    return np.column_stack([np.append(0.0, ends[:-1]), ends, gaps])


# ---- DPTS-MAT: the boost ----------------------------------------------------------------------------------------


def boost(size: int, rank: int, epsilon: float, t: float) -> float:
    """3 ln(Kt)/(ε₀ T_e)."""
    return 3 * math.log(rank * t) * rank / (epsilon * size)


def odds_against(centre, y: float, size: int):
    """(1 − Y)/Y for θ ~ N(centre, 1/size) and Y = P(θ > y): expected failures before θ first passes y; e⁶⁹⁰ at most."""
    z = (y - np.asarray(centre, float)) * math.sqrt(size)
    return np.exp(np.minimum(stats.norm.logcdf(z) - stats.norm.logsf(z), 690.0))


class Price(NamedTuple):
    """E[(1 − Y)/Y] over the batch's weights and noise: without noise; with noise and no boost; with both."""

    plain: float
    bare: float
    boosted: float


def price(
    size: int, good: float, gap: float, rank: int, epsilon: float, t: float, share: float = 1 / 3, cut: float = 12.0
) -> Price:
    """The good element's batch has `size` coins of mean `good`; y = good − share·gap. The noise Lap(K/ε) is integrated
    over ± `cut` scales: over all of it both noisy prices are infinite, as (1 − Y)/Y grows like e^{z²/2} and the noise's
    tail falls like e^{−|noise|}. The proof therefore counts the boosted one only while |noise| <= 3 ln(Kt) scales.
    """
    ones = np.arange(size + 1)
    weights, centre, y = stats.binom.pmf(ones, size, good), ones / size, good - share * gap
    nodes, area = np.polynomial.legendre.leggauss(200)  # on each side of 0, where the density has its kink
    right = (nodes + 1) * cut / 2
    noise, area = np.append(-right, right), np.append(area, area) * cut / 2
    density = stats.laplace.pdf(noise) * area
    scale, added = rank / (epsilon * size), boost(size, rank, epsilon, t)

    def expected(shift):
        return float(density @ (odds_against(centre + noise[:, None] * scale + shift, y, size) @ weights))

    return Price(normal_price(size, good, y), expected(0.0), expected(added))


@kernel
def _duel(good, bad, rank, epsilon, boosted, horizon, runs, marks, rng):
    """Two elements of a matroid of this rank, one to be played (the other K − 1 places are not shown): DPTS-MAT."""
    lost = np.zeros((runs, marks.size))
    means = np.array([good, bad])
    for r in range(runs):
        estimate, size = np.zeros(2), np.zeros(2, np.int64)
        waiting, total = np.zeros(2, np.int64), np.zeros(2)
        loss, c = 0.0, 0
        for t in range(1, horizon + 1):
            best, chosen = -math.inf, 0
            for e in range(2):
                if size[e] == 0:
                    theta = math.inf
                else:
                    lift = 3.0 * math.log(rank * t) * rank / (epsilon * size[e]) if boosted else 0.0
                    theta = estimate[e] + lift + rng.standard_normal() / math.sqrt(size[e])
                if theta > best or (theta == best and rng.random() < 0.5):
                    best, chosen = theta, e
            total[chosen] += rng.random() < means[chosen]
            waiting[chosen] += 1
            if waiting[chosen] == max(1, 2 * size[chosen]):
                size[chosen] = waiting[chosen]
                estimate[chosen] = (total[chosen] + laplace(rng, rank / epsilon)) / size[chosen]
                waiting[chosen], total[chosen] = 0, 0.0
            loss += good - means[chosen]
            if t == marks[c]:
                lost[r, c] = loss
                c += 1
    return lost


def duel(
    good: float,
    bad: float,
    *,
    rank: int = 3,
    epsilon: float = 1.0,
    boosted: bool = True,
    horizon: int = 10_000,
    runs: int = 200,
    marks: Sequence[int] = (),
    seed: int = 0,
) -> np.ndarray:
    """Regret of every run at the marks (the horizon if none): DPTS-MAT between two elements, with or without the boost.
    Shape (runs, marks).
    """
    at = np.array([*marks] or [horizon], np.int64)
    return _duel(good, bad, rank, epsilon, boosted, horizon, runs, at, np.random.default_rng(seed))


def normal_price(plays: int, good: float, y: float) -> float:
    """E[(1 − Y)/Y] for a normal draw of variance 1/plays around the mean of so many coins, without noise."""
    ones = np.arange(plays + 1)
    return float(stats.binom.pmf(ones, plays, good) @ odds_against(ones / plays, y, plays))


def beta_price(plays: int, good: float, y: float) -> float:
    """The same for a Beta draw after so many coins: what CTS with Beta draws pays."""
    ones = np.arange(plays + 1)
    # P(Beta(1 + s, 1 + n − s) > y) = P(Bin(n + 1, y) <= s), whose logarithm does not underflow when added up
    passes = np.minimum(np.logaddexp.accumulate(stats.binom.logpmf(ones, plays + 1, y)), 0.0)
    with np.errstate(divide="ignore"):
        odds = np.log(-np.expm1(passes)) - passes
    return float(np.exp(stats.binom.logpmf(ones, plays, good) + odds).sum())


def dominates(centre: float, other: float, size: int, grid: int = 400) -> float:
    """The least of P(θ > x) − P(θ′ > x) over x: >= 0 where N(centre, 1/size) stochastically dominates N(other,
    1/size).
    """
    x = np.linspace(min(centre, other) - 6 / math.sqrt(size), max(centre, other) + 6 / math.sqrt(size), grid)
    return float((stats.norm.sf(x, centre, size**-0.5) - stats.norm.sf(x, other, size**-0.5)).min())


# ---- Section 2.2: what an adversary may know --------------------------------------------------------------------


def failure(epsilon: float, secrets: Sequence[int], allowed: Sequence[int], randomise: bool = True) -> float:
    """The least worst-case failure rate of an adversary who knows that a record is in `allowed`: k-ary randomised
    response with records 0..k−1, of which `secrets` gives the bit; 0 where the bit is known.

    randomise: the adversary may toss a coin that depends on the answer; else 0 or 1 for each answer.
    """
    k = len(secrets)
    true = math.exp(epsilon) / (math.exp(epsilon) + k - 1)
    law = np.full((k, k), (1 - true) / (k - 1))
    np.fill_diagonal(law, true)
    zero = [x for x in allowed if secrets[x] == 0]
    one = [x for x in allowed if secrets[x] == 1]
    if not zero or not one:
        return 0.0
    # variables: g_y in [0, 1], the chance to say 1 after answer y; and the failure rate f, to be minimised
    rows = [np.append(law[x], -1.0) for x in zero] + [np.append(-law[x], -1.0) for x in one]
    right = [0.0] * len(zero) + [-1.0] * len(one)
    cost = np.append(np.zeros(k), 1.0)
    if randomise:
        found = linprog(cost, A_ub=np.array(rows), b_ub=right, bounds=[(0, 1)] * (k + 1))
        return float(found.fun)
    whole = np.append(np.ones(k), 0.0)
    limits = LinearConstraint(np.array(rows), -np.inf, right)
    return float(milp(cost, constraints=limits, integrality=whole, bounds=Bounds(0, 1)).fun)


def knows(epsilon: float, records: int) -> float:
    """The best that an ε-private output can do at telling `records` zeros from as many ones: right in both cases with
    probability 1/2 + tanh(nε/2)/2 at most (group privacy, Lemma 3), 1/2 being a guess.
    """
    return 0.5 + 0.5 * math.tanh(records * epsilon / 2)


def fewest_rounds(matroid) -> int:
    """Rounds in which all elements but the loops can be played once: max over sets S of ⌈|S|/rank(S)⌉ (Edmonds 1965).
    All sets are tried: for small matroids.
    """
    most = 0
    useless = loops(matroid)
    every = [e for e in range(size_of(matroid)) if e not in useless]
    for bits in range(1, 1 << len(every)):
        chosen = [e for i, e in enumerate(every) if bits >> i & 1]
        if rank := rank_of(matroid, chosen):
            most = max(most, -(-len(chosen) // rank))
    return most
