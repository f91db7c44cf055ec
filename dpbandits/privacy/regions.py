"""Feasible regions: where F′, the law of θ after one changed observation, may lie if (ε, δ) is to hold.

Wang & Zhu 2024, Lemma 8 (one selection) and Lemma 9 (elimination by phases). Both lemmas print two inequalities for
"F before, F′ after"; as F and F′ may be exchanged, four must hold:
    1   F <= e^ε F′ + δ                 3   F′ <= e^ε F + δ
    2   1 − F <= e^ε (1 − F′) + δ       4   1 − F′ <= e^ε (1 − F) + δ
`printed=True` keeps the printed 1 and 2 only. For Lemma 9 the same holds for the probability of every interval and of
its complement, with δ/2.

For the three laws the event that costs most privacy is a half-line (see hockey_stick.py), so half-lines tell as much as
intervals do, and everything about a single changed observation is exact, not read off a grid.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy import optimize

from dpbandits.mechanisms import perturbations
from dpbandits.mechanisms.perturbations import LAWS, check_pair
from dpbandits.parameters import DELTA_OR_ZERO, EPSILON_OR_ZERO, unknown
from dpbandits.privacy.hockey_stick import hockey_sticks, plain_beta_limit


def feasible_region(cdf, epsilon: float, delta: float, printed: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """(lowest, highest) F′ that Lemma 8 allows beside F = `cdf` (any shape, in [0, 1]).

    max{0, e^−ε(F − δ), 1 − e^ε(1 − F) − δ} <= F′ <= min{1, e^ε F + δ, 1 − e^−ε(1 − F − δ)}; printed: without the terms
    in e^ε.
    """
    epsilon, delta = EPSILON_OR_ZERO.check(epsilon), DELTA_OR_ZERO.check(delta)
    cdf = np.asarray(cdf, float)
    if not np.all((cdf >= 0) & (cdf <= 1)):
        raise ValueError("cdf is not allowed: every value must be a number from 0 to 1.")
    low = np.maximum(0, math.exp(-epsilon) * (cdf - delta))
    high = np.minimum(1, 1 - math.exp(-epsilon) * (1 - cdf - delta))
    if not printed:
        low = np.maximum(low, 1 - _growth(epsilon) * (1 - cdf) - delta)
        high = np.minimum(high, _growth(epsilon) * cdf + delta)
    return low, high


def interval_region(mass, epsilon: float, delta: float, printed: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """(lowest, highest) F′(y) − F′(x) that Lemma 9 allows beside `mass` = F(y) − F(x): Lemma 8's region with δ/2."""
    return feasible_region(mass, epsilon, delta / 2, printed)


def excess(cdf, other, epsilon: float, delta: float, printed: bool = False) -> np.ndarray:
    """How far F′ = `other` lies outside Lemma 8's region of F = `cdf`, point by point; 0 on its edge, negative
    inside.
    """
    low, high = feasible_region(cdf, epsilon, delta, printed)
    return np.maximum(low - other, other - high)


@dataclass(frozen=True)
class IntervalViolation:
    """Where Lemma 9 is strained most: P(event) − e^ε P′(event) − δ/2 for (low, high], or its complement, or F and F′
    exchanged.
    """

    amount: float
    low: float
    high: float
    complement: bool
    exchanged: bool


def interval_violation(x, cdf, other, epsilon: float, delta: float, printed: bool = False) -> IntervalViolation:
    """The worst interval of Lemma 9 with ends among `x` (increasing, shape (n,)) and ±∞, in O(n).

    cdf, other: F and F′ at x. printed: F and F′ are not exchanged. A positive amount is a violation.
    """
    epsilon, delta = EPSILON_OR_ZERO.check(epsilon), DELTA_OR_ZERO.check(delta)
    x = np.concatenate(([-np.inf], x, [np.inf]))
    first, second = (np.concatenate(([0.0], values, [1.0])) for values in (cdf, other))
    found = []
    for exchanged in (False, True)[: 1 if printed else 2]:
        one, two = (second, first) if exchanged else (first, second)
        stake = one - _growth(epsilon) * two  # P − e^ε P′ of (−∞, x]; of (x, y] it is a difference
        for complement, sign in ((False, 1), (True, -1)):
            lowest = np.minimum.accumulate(sign * stake)
            end = int(np.argmax(sign * stake - lowest))
            start = int(np.argmin(sign * stake[: end + 1]))
            amount = sign * (stake[end] - stake[start]) + (stake[-1] if complement else 0.0) - delta / 2
            found.append(IntervalViolation(float(amount), float(x[start]), float(x[end]), complement, exchanged))
    return max(found, key=lambda v: v.amount)


@dataclass(frozen=True)
class Violation:
    """How one of the four inequalities fares for one changed observation.

    delta_alone: the smallest δ with which this inequality holds for all x (a hockey-stick divergence); the law needs
    the largest of them, see `needed_delta`. excess: how far F′ gets outside the region, in units of F′; 0 or less when
    it stays within. x: where that happens. direction: +1 or −1, the change of R. inequality: 1 to 4, see above.
    stretch: the interval of x on which it fails, or None.
    """

    excess: float
    delta_alone: float
    x: float
    direction: int
    inequality: int
    stretch: tuple[float, float] | None = None

    @property
    def violated(self) -> bool:
        """Whether it fails somewhere."""
        return self.excess > 0


def violations(
    law: str, pulls: float, total: float, epsilon: float, delta: float, printed: bool = False
) -> tuple[Violation, ...]:
    """Every inequality that can bind at (N, R), for R → R + 1 and R → R − 1 where 0 <= R ± 1 <= N (arguments as
    `perturbations.law`).

    A further reward of 1 moves θ upwards, so F >= F′ for R + 1: 1 and 4 can bind there, 2 and 3 for R − 1.
    """
    before = perturbations.law(law, pulls, total, epsilon, delta)
    epsilon, delta = EPSILON_OR_ZERO.check(epsilon), DELTA_OR_ZERO.check(delta)
    found = []
    for direction in (1, -1):
        if not 0 <= before.total + direction <= before.pulls:
            continue
        after = replace(before, total=before.total + direction)
        left, right = hockey_sticks(law, before.pulls, min(before.total, after.total), epsilon, delta)
        for inequality in ((1, 4) if direction > 0 else (2, 3))[: 1 if printed else 2]:
            needed, x = left if inequality % 2 else right
            shrink = math.exp(-epsilon) if inequality <= 2 else 1.0
            pair = (before, after) if inequality <= 2 else (after, before)  # P(one) <= e^ε P(two) + δ
            stretch = _stretch(*pair, epsilon, delta, x, lower=inequality % 2 == 1) if needed > delta else None
            found.append(Violation(shrink * (needed - delta), needed, x, direction, inequality, stretch))
    return tuple(found)


def worst_violation(
    law: str, pulls: float, total: float, epsilon: float, delta: float, printed: bool = False
) -> Violation:
    """The one of `violations` that leaves the region farthest; which δ the law needs is told by `needed_delta`."""
    return max(violations(law, pulls, total, epsilon, delta, printed), key=lambda v: v.excess)


def needed_delta(
    law: str, pulls: float, total: float, epsilon: float, delta: float = 0.01, printed: bool = False
) -> float:
    """The δ that the law needs at (N, R) and `epsilon`: the smallest with which Lemma 8 holds for one changed reward.

    The largest `delta_alone` of `violations`, that is of both directions. delta shapes "new" only; for the others any
    value gives the same.
    """
    return max(v.delta_alone for v in violations(law, pulls, total, epsilon, delta, printed))


def smallest_pulls(law: str, epsilon: float, delta: float) -> int | float:
    """The smallest N from which on Lemma 8 holds for all R and one changed 0/1 reward; infinite where there is none.

    gauss: all R are alike, and the needed δ falls as N grows, because the shift in units of the deviation is 1/√(2N).
    beta, beta-plain: the pair is Beta(a, b + 1) and Beta(a + 1, b) with a = R + 1 + k, b = N − R + k. Multiply both by
    an independent Beta(a + b + 1, c): out come Beta(a, b + c + 1) and Beta(a + 1, b + c), so by post-processing the
    needed δ falls in b, likewise in a, hence in N. That R = 0 (and R = N) are worst is a numerical finding (see the
    tests). Without k it falls to 1 − e^ε(1 − exp(−e^−ε)) > 0, so below this δ no N suffices.
    new: 1 by Lemma 15. The result is exact up to rounding of the needed δ.
    """
    if law not in LAWS:
        raise ValueError(unknown("law", law, LAWS))
    epsilon, delta = check_pair(epsilon, delta)
    if law == "new":
        return 1
    if law == "beta-plain" and delta <= plain_beta_limit(epsilon) or delta == 0:
        return math.inf

    def fails(pulls: int) -> bool:
        return max(needed for needed, _ in hockey_sticks(law, pulls, 0, epsilon, delta)) > delta

    high = 1
    while fails(high):
        high *= 2
        if high > 2**62:  # beyond what floats resolve
            return math.inf
    low = high // 2  # fails, or is 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fails(middle) else (low, middle)
    return high


def _growth(epsilon: float) -> float:
    """e^ε, cut where it would overflow."""
    return math.exp(min(epsilon, 700.0))


def _stretch(one, two, epsilon: float, delta: float, x: float, lower: bool) -> tuple[float, float]:
    """The interval around x on which P(one) <= e^ε P(two) + δ fails for the event (−∞, x] (lower) or (x, ∞)."""
    sure = (1 - delta) * math.exp(-epsilon)  # it holds where P(one) <= δ and where P(two) is at least this

    def failure(end):
        return (
            one.cdf(end) - delta - _growth(epsilon) * two.cdf(end)
            if lower
            else one.sf(end) - delta - _growth(epsilon) * two.sf(end)
        )

    ends = (one.quantile(delta), two.quantile(sure)) if lower else (two.quantile(1 - sure), one.quantile(1 - delta))
    return _crossing(failure, ends[0], x), _crossing(failure, ends[1], x)


def _crossing(failure, outside: float, inside: float) -> float:
    """Where `failure` turns positive between `outside`, where it is not (an end of the stretch, if infinite), and
    `inside`.
    """
    if math.isinf(outside) or failure(outside) >= 0:
        return float(outside)
    if failure(inside) <= 0:  # a violation below what the cdfs resolve
        return float(inside)
    low, high = sorted((outside, inside))
    if low > 0:  # they may lie many powers of ten apart
        root = optimize.brentq(
            lambda log: failure(math.exp(log)), *np.log((low, high)), xtol=1e-13, rtol=1e-13, maxiter=500
        )
        return float(np.clip(math.exp(root), low, high))
    return float(optimize.brentq(failure, low, high, xtol=1e-300, rtol=1e-12, maxiter=1500))
