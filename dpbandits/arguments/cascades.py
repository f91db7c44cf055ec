"""Wang et al. 2021 and 2022, step by step: the cost of a wrong item, the length of its stream, the noises.

Items are numbered from the most attractive on, from 0; w̄ is `attraction`; the best list is the first K items.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np
from scipy import integrate, stats

from dpbandits.parameters import EPSILON


@dataclass(frozen=True)
class Wrong:
    """A wrong item in a list: which best item it stands for, their gap, and how surely the user reads that far."""

    position: int
    item: int
    stands_for: int
    gap: float
    read: float


@dataclass(frozen=True)
class Price:
    """Lemma 4 for one list. regret lies between factor·total and total, total = Σ read·gap over the wrong items."""

    wrong: tuple[Wrong, ...]
    regret: float
    total: float
    factor: float


def price(attraction, shown) -> Price:
    """Lemma 4 for the list `shown`: wrong items are paired with missing best ones in order; factor = (1 − w̄(1))^{K−1}.

    attraction: falling.
    """
    attraction = np.asarray(attraction, float)
    size, read, wrong = len(shown), 1.0, []
    missing = iter([e for e in range(size) if e not in shown])
    for k, item in enumerate(shown, 1):
        if item >= size:
            best = next(missing)
            wrong.append(Wrong(k, item, best, float(attraction[best] - attraction[item]), read))
        read *= 1 - attraction[item]
    click = lambda items: 1 - math.prod(1 - attraction[e] for e in items)
    total = sum(w.gap * w.read for w in wrong)
    return Price(tuple(wrong), click(range(size)) - click(shown), total, (1 - attraction[0]) ** (size - 1))


def clicks(attraction, shown, together=()) -> tuple[float, float]:
    """(f(A, w̄), P(click)) where the items of `together` attract a user all at once or not at all, the rest alone.

    The items of `together` must be equally attractive. Without them the two are equal (Assumption 1).
    """
    attraction = np.asarray(attraction, float)
    product = 1 - math.prod(1 - attraction[e] for e in shown)
    group = [e for e in shown if e in together]
    if len({attraction[e] for e in together}) > 1:
        raise ValueError(f"together = {tuple(together)} is not allowed: these items must be equally attractive.")
    quiet = math.prod(1 - attraction[e] for e in shown if e not in together)
    return product, 1 - quiet * (1 - attraction[group[0]] if group else 1)


def weighted(gaps) -> tuple[float, float]:
    """(Δ₁·Δ₁⁻² + Σ_{k>1} Δ_k(Δ_k⁻² − Δ_{k−1}⁻²), 2/Δ_K): the worst way to spend an item's plays on the best items.

    gaps: Δ_{e,1} >= … >= Δ_{e,K}, of one wrong item to each best one. The first is at most the second (Kveton et al.).
    """
    gaps = np.asarray(gaps, float)
    worst = 1 / gaps[0] + float(np.sum(gaps[1:] * (gaps[1:] ** -2 - gaps[:-1] ** -2)))
    return worst, 2 / float(gaps[-1])


#: What the stream of an item's counter is as long as.
STREAMS = {
    "own count": "a hybrid counter for each item, fed when that item is read: T_i(e) entries",
    "rounds so far": "a hybrid counter that takes an entry in every round: t entries",
    "horizon": "a tree that is laid out for all T rounds",
}


def enough(log_t, stream: str, *, items: int, epsilon: float, gap: float, log_horizon: float | None = None):
    """s: how often a wrong item must be read until its bonus for noise, 3L ln^1.5(length) ln t/(εs), is below Δ/4.

    log_t: ln t (an array). stream: one of STREAMS; for "own count" s itself is the length: s = B ln^1.5 s, solved for
    its larger root, B = 12 L ln t/(εΔ). log_horizon: ln T; the last of log_t by default.
    """
    epsilon, log_t = EPSILON.check(epsilon), np.asarray(log_t, float)
    scale = 12 * items * log_t / (epsilon * gap)
    if stream == "rounds so far":
        return scale * log_t**1.5
    if stream == "horizon":
        return scale * (log_t.max() if log_horizon is None else log_horizon) ** 1.5
    if stream != "own count":
        raise ValueError(f"stream = {stream!r} is not allowed: it must be one of {', '.join(STREAMS)}.")
    counted = np.maximum(scale, 10.0)
    for _ in range(300):
        counted = scale * np.log(np.maximum(counted, math.e)) ** 1.5
    return counted


def learned(log_t, gap: float):
    """24 ln t/Δ²: after so many reads the bonus for learning, √(1.5 ln t/s), is below Δ/4."""
    return 24 * np.asarray(log_t, float) / gap**2


def laplace_tail(reports: int, log_t: float) -> float:
    """P(a mean of s = `reports` draws of Lap(b) exceeds b√(24 ln t/s)), exactly (b drops out)."""
    size = math.sqrt(24 * reports * log_t)
    end = reports + 60 * math.sqrt(reports) + 60
    tail = lambda y: stats.gamma.pdf(y, reports) * stats.gamma.sf(y + size, reports)
    return float(integrate.quad(tail, 0, end, limit=400, epsabs=0)[0])


def gauss_tail(log_t: float) -> float:
    """P(a mean of s draws of N(0, σ²) exceeds σ√(2 ln(2t³)/s)): the same for every s."""
    return float(stats.norm.sf(math.sqrt(2 * (math.log(2) + 3 * log_t))))


def distances(list_size: int) -> dict[str, float]:
    """Largest L₁ and L₂ distance of the click vectors of two users who read the whole list, and what the paper takes:
    K and √K.
    """
    vectors = [np.eye(list_size)[k] for k in range(list_size)] + [np.zeros(list_size)]
    pairs = [a - b for a, b in itertools.combinations(vectors, 2)]
    return {
        "l1": max(float(abs(d).sum()) for d in pairs),
        "l2": max(math.sqrt(float((d**2).sum())) for d in pairs),
        "l1_paper": float(list_size),
        "l2_paper": math.sqrt(list_size),
    }


def spent(items: int, list_size: int, position: int, epsilon: float, share_of: int) -> float:
    """What a user who clicks at `position` (K + 1 for nowhere) spends if every counter has ε/share_of."""
    return min(position, list_size, items) * epsilon / share_of


def unequal(gaps, epsilon: float) -> tuple[np.ndarray, float, float]:
    """(best shares, price of equal shares, price of the best ones) if item e costs 1/(ε_e²Δ_e) and Σ ε_e = ε.

    Lagrange: the derivative −2/(ε_e³Δ_e) is the same for all, so ε_e is in proportion to Δ_e^{−1/3}.
    """
    gaps, epsilon = np.asarray(gaps, float), EPSILON.check(epsilon)
    shares = gaps ** (-1 / 3)
    shares *= epsilon / shares.sum()
    cost = lambda e: float(np.sum(1 / (e**2 * gaps)))
    return shares, cost(np.full(gaps.size, epsilon / gaps.size)), cost(shares)
