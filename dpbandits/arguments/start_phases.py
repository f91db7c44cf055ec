"""Theorems 11 and 13 of Wang & Zhu 2024: why a start phase is long enough, and what k does for Beta laws.

Both proofs cut the line at a point x*: below it F and F′ differ by at most δ, above it their densities differ by at
most e^ε. Either piece alone is wasteful; each has its own branch of the start phase.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpbandits.mechanisms.gaussian import delta_from_mu
from dpbandits.privacy.hockey_stick import beta_half_lines, binomial


@dataclass(frozen=True)
class Pieces:
    """The two pieces at one N.

    peak_times_shift: at most how far F and F′ are apart, anywhere. cut: x* − mean, where density times shift is δ (0
    where the peak is below δ already: then no second piece is needed). log_ratio: ln(f/f′) at x*, its largest beyond.
    """

    peak_times_shift: float
    cut: float
    log_ratio: float


def gauss(pulls: float, delta: float) -> Pieces:
    """For N(R/N, 2/N): peak √(N/4π), shift 1/N; x* = mean − √((2/N) ln(1/(4πδ²N)))."""
    peak = 1 / math.sqrt(4 * math.pi * pulls)
    if peak <= delta:
        return Pieces(peak, 0.0, 0.0)
    depth = 2 * math.log(peak / delta) if delta else math.inf  # ln(1/(4πδ²N))
    return Pieces(peak, -math.sqrt(2 / pulls * depth), math.sqrt(depth / (2 * pulls)) + 1 / (4 * pulls))


def gauss_suffices(pulls: float, epsilon: float, delta: float) -> bool:
    """Whether the argument goes through at this N, before its last simplification to N_G*."""
    pieces = gauss(pulls, delta)
    return pieces.peak_times_shift <= delta or pieces.log_ratio <= epsilon


def gauss_delta(pulls, epsilon: float, way: str) -> np.ndarray:
    """The least δ at this N by one `way`: "peak" (peak times shift), "argument" (both pieces), "exact" (the need).

    argument: log_ratio <= ε solved for δ, that is peak·exp(−N(ε − 1/(4N))²) where ε > 1/(4N).
    """
    pulls = np.asarray(pulls, float)
    peak = 1 / np.sqrt(4 * math.pi * pulls)
    if way == "peak":
        return peak
    if way == "argument":
        return peak * np.exp(-pulls * np.maximum(0.0, epsilon - 1 / (4 * pulls)) ** 2)
    if way == "exact":
        return np.array([delta_from_mu(epsilon, 1 / math.sqrt(2 * n)) for n in pulls.ravel()]).reshape(pulls.shape)
    raise ValueError(f"way = {way!r} is not allowed: it must be peak, argument or exact.")


@dataclass(frozen=True)
class BetaPieces:
    """Beta(a, b + 1) against Beta(a + 1, b), which is one changed reward.

    smaller: the smaller of a and b. share: its part of a + b. peak: the largest F − F′, at x = a/(a + b). stirling:
    √(e(a + b)/(2πab)), the bound on it. needed: the exact δ at this ε.
    """

    smaller: float
    share: float
    peak: float
    stirling: float
    needed: float


def beta(pulls: int, total: int, invented: int, epsilon: float) -> BetaPieces:
    """For Beta(R + 1 + k, N − R + 1 + k) with k = `invented` and R = `total` < N.

    F(x) − F′(x) = (a + b)!/(a! b!) x^a (1 − x)^b, with a = R + 1 + k and b = N − R + k: the chance that of a + b coins
    of bias x exactly a show 1.
    """
    a, b = total + 1 + invented, pulls - total + invented
    stirling = math.sqrt(math.e * (a + b) / (2 * math.pi * a * b))
    needed = max(delta for delta, _ in beta_half_lines(a, b, epsilon))
    return BetaPieces(min(a, b), min(a, b) / (a + b), binomial(a, b, 0.0), stirling, needed)


def ratio_beyond(pulls: float, total: float, invented: float, at: float) -> float:
    """f/f′ at x = `at`: a(1 − x)/(bx), unbounded as x goes to 0."""
    a, b = total + 1 + invented, pulls - total + invented
    return a * (1 - at) / (b * at)
