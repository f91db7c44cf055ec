"""Lemma 15 of Wang & Zhu 2024, derived: the steepest law of θ that one changed reward leaves allowed.

All in cells: y = N(θ − x₀), so that one changed reward moves the law by 1. Lemma 8 asks F(y) <= e^ε F(y − 1) + δ for
y <= 0. A law that has equality there ("runs on the edge") is known everywhere once it is known on the first cell below
the centre: each cell farther out is the one before it, times e^−ε, less δe^−ε. What stands on the first cell is free;
here it is one of SEEDS. The law is symmetric.
"""

import math

import numpy as np
from scipy.integrate import trapezoid

from dpbandits.mechanisms.perturbations import check_pair, two_sided_width
from dpbandits.parameters import unknown
from dpbandits.privacy import excess, interval_violation

#: How the mass of the first cell is laid out, from the centre outwards.
SEEDS = {
    "exponential": "exponentially, so that all cells join to one curve: Lemma 15",
    "one step": "evenly: a density in steps as wide as a cell",
    "two steps": "in two steps, as the staircase law of Geng and Viswanath does",
    "atoms": "all of it at the cell's far end: a law on a lattice",
}


def share(seed: str, u, epsilon: float):
    """s(u), the part of the first cell's mass within distance u of the centre: s(0) = 0, s(1) = 1 (u: in [0, 1])."""
    u, b = np.asarray(u, float), math.exp(-epsilon)
    if seed == "exponential":
        return u if epsilon == 0 else np.expm1(-epsilon * u) / math.expm1(-epsilon)
    if seed == "one step":
        return u
    if seed == "two steps":
        wide = 1 / (1 + math.exp(epsilon / 2))  # the width of the high step that has the least mean distance at δ = 0
        return np.where(u < wide, u, wide + b * (u - wide)) / (wide + b * (1 - wide))
    if seed == "atoms":
        return np.where(u < 1, 0.0, 1.0)
    raise ValueError(unknown("seed", seed, SEEDS))


def tail(v, epsilon: float, delta: float, seed: str = "exponential"):
    """G(v) = F(−v) for v >= 0 of the law that runs on the edge: G(v) = e^−ε(G(v − 1) − δ), cut at 0; G(0) = 1/2.

    On the first cell G(u) = 1/2 − m·s(u), with m = 1/2 − e^−ε(1/2 − δ), its mass.
    """
    epsilon, delta = check_pair(epsilon, delta)
    v = np.asarray(v, float)
    n = np.floor(v)
    mass = 0.5 - math.exp(-epsilon) * (0.5 - delta)
    first = 0.5 - mass * share(seed, v - n, epsilon)
    lost = n if epsilon == 0 else -np.expm1(-epsilon * n) / math.expm1(epsilon)  # e^−ε + … + e^−nε
    return np.maximum(0.0, np.exp(-epsilon * n) * first - delta * lost)


def cdf(y, epsilon: float, delta: float, seed: str = "exponential"):
    """F(y) of the law that runs on the edge (any real y)."""
    y = np.asarray(y, float)
    outer = tail(np.abs(y), epsilon, delta, seed)
    return np.where(y <= 0, outer, 1 - outer)


def graded(epsilon: float, delta: float, shift: float) -> tuple[float, float]:
    """(εz, δ(e^εz − 1)/(e^ε − 1)): what a change by z = `shift` of a whole reward costs if costs are in proportion.

    With it F(y) = e^{εz} F(y − z) + δ_z for every z in [0, 1], which only an exponential solves: a derivative at z = 0
    makes it F′ = ε(F + δ/(e^ε − 1)).
    """
    epsilon, delta = check_pair(epsilon, delta)
    part = shift if epsilon == 0 else math.expm1(epsilon * shift) / math.expm1(epsilon)
    return epsilon * shift, delta * part


def half_lines(y, epsilon: float, delta: float, seed: str, shift: float = 1.0, *, in_proportion: bool = False):
    """How far F(y − shift) leaves Lemma 8's region of F(y), point by point: 0 on the edge, positive outside.

    in_proportion: the region is that of `graded`, not of (ε, δ).
    """
    asked = graded(epsilon, delta, shift) if in_proportion else check_pair(epsilon, delta)
    return excess(cdf(y, epsilon, delta, seed), cdf(np.asarray(y) - shift, epsilon, delta, seed), *asked)


def intervals(y, epsilon: float, delta: float, seed: str, shift: float = 1.0) -> float:
    """The worst of Lemma 15's own inequalities, over all intervals with ends in `y`: P − e^ε P′ − δ; <= 0 if all hold.

    y: increasing; for "atoms" it must not hit the lattice.
    """
    laws = cdf(y, epsilon, delta, seed), cdf(np.asarray(y) - shift, epsilon, delta, seed)
    return interval_violation(y, *laws, epsilon, 0.0).amount - delta


def radius(odds: float, epsilon: float, delta: float, seed: str = "exponential") -> float:
    """The v >= 0 that |Y| exceeds with probability 2/odds, in cells (odds >= 2)."""
    if seed == "exponential":
        return float(two_sided_width(*check_pair(epsilon, delta), float(odds)))
    low, high = 0.0, 1.0
    while tail(high, epsilon, delta, seed) > 1 / odds:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle, epsilon, delta, seed) > 1 / odds else (low, middle)
    return high


def fewest_cells(odds: float, epsilon: float, delta: float) -> int:
    """No law that keeps Lemma 8 climbs from F = 1/odds to 1/2 over fewer whole cells than this.

    From F(y) <= e^ε F(y − 1) + δ, n cells bring it at most to e^{nε}/odds + δ(e^{nε} − 1)/(e^ε − 1); the answer is the
    least n with which that is 1/2. Lemma 15's radius lies between the answer less 1 and the answer.
    """
    epsilon, delta = check_pair(epsilon, delta)
    return math.ceil(two_sided_width(epsilon, delta, float(odds)) - 1e-9)


def mean_distance(epsilon: float, delta: float, seed: str = "exponential", points: int = 200_001) -> float:
    """E|Y| in cells: 2∫G, by the trapezoidal rule up to where 1e-9 is left."""
    v = np.linspace(0, radius(2e9, epsilon, delta, seed) + 1, points)
    return float(2 * trapezoid(tail(v, epsilon, delta, seed), v))
