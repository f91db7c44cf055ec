"""The perturbation laws of "follow the perturbed leader" (Wang & Zhu 2024): how θ_i spreads around an arm's mean.

An arm with N pulls and total reward R draws θ from one of
    gauss        N(R/N, 2/N)                                              (Algorithm 1)
    beta         Beta(R + 1 + k, N − R + 1 + k) with k = ⌊N/8⌋ + 1        (Algorithm 2)
    beta-plain   Beta(R + 1, N − R + 1): the same without k               (Thompson sampling, Section 6.2)
    new          the truncated two-sided exponential law                  (Lemma 15)
`law(name, pulls, total, epsilon, delta)` gives pdf, cdf, quantile and sampler of each; the classes themselves also take
arrays of pulls and totals that broadcast with x. Algorithms 3 and 4 move the
centre of "new" by amounts that no reward touches; here it is centred at R/N.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import special

from dpbandits.kernels import kernel
from dpbandits.parameters import DELTA_OR_ZERO, EPSILON_OR_ZERO, Parameter, unknown

#: A number, or an array of them.
Numbers = Any

SMALLEST = 1e-100  # below it 1/ε and 1/δ leave the floating-point range
PULLS = Parameter("pulls", "pulls N of the arm", low=1)
TOTAL = Parameter("total", "sum R of its rewards", low=0)


@kernel
def two_sided_reach(epsilon, delta):
    """Half-width of the support of N(θ − x₀) under Lemma 15: ln((e^ε − 1)/(2δ) + 1)/ε.

    Limits: 1/(2δ) for ε = 0, infinity for δ = 0. epsilon >= 0, 0 <= delta <= 1, not both 0. Exact for large ε too.
    """
    if delta == 0.0:
        return math.inf
    if epsilon == 0.0:
        return 0.5 / delta
    if epsilon < 1.0:
        return math.log1p(math.expm1(epsilon) / (2.0 * delta)) / epsilon
    return 1.0 + (math.log1p((2.0 * delta - 1.0) * math.exp(-epsilon)) - math.log(2.0 * delta)) / epsilon


@kernel
def two_sided_width(epsilon, delta, odds):
    """The y >= 0 that Y = N(θ − x₀) of Lemma 15's law exceeds with probability 1/odds: (1/ε) ln[(H(e^ε−1) +
    2Hδ)/(2(e^ε−1) + 2Hδ)].

    odds: H >= 2. Limits: ln(H/2)/ε for δ = 0, (H − 2)/(2Hδ) for ε = 0. Exact for large ε too.
    """
    if epsilon == 0.0:
        return (odds - 2.0) / (2.0 * odds * delta)
    grown, rest = -math.expm1(-epsilon), math.exp(-epsilon)  # numerator and denominator divided by e^ε
    return math.log1p((odds - 2.0) * grown / (2.0 * grown + 2.0 * odds * delta * rest)) / epsilon


@kernel
def two_sided_exponential(rng, epsilon, reach):
    """One draw Y = N(θ − x₀) of Lemma 15's law: density proportional to exp(−ε|y|) on |y| <= reach.

    `reach` is `two_sided_reach(epsilon, delta)`, the same in every round. Exact rejection, accepted at least 63 % of
    the
    time: from the exponential law where truncation is rare (ε·reach > 1), else from the uniform law on the support.
    """
    if epsilon * reach > 1.0:
        size = rng.standard_exponential()
        while size > epsilon * reach:
            size = rng.standard_exponential()
        return math.copysign(size / epsilon, rng.random() - 0.5)
    y = reach * (2.0 * rng.random() - 1.0)
    while rng.standard_exponential() < epsilon * abs(y):  # kept with probability exp(−ε|y|)
        y = reach * (2.0 * rng.random() - 1.0)
    return y


@kernel
def _two_sided_exponentials(rng, epsilon, reach, out):
    for i in range(out.size):
        out[i] = two_sided_exponential(rng, epsilon, reach)


@dataclass(frozen=True)
class Gauss:
    """N(R/N, 2/N): Wang & Zhu 2024, Algorithm 1, line 9."""

    pulls: Numbers
    total: Numbers

    support = (-math.inf, math.inf)

    @property
    def centre(self) -> float:
        """Mean of the law."""
        return self.total / self.pulls

    @property
    def deviation(self) -> float:
        """Standard deviation of the law."""
        return np.sqrt(2 / self.pulls)

    def pdf(self, x):
        """Density at x (any shape)."""
        z = (np.asarray(x, float) - self.centre) / self.deviation
        return np.exp(-z * z / 2) / (self.deviation * math.sqrt(2 * math.pi))

    def cdf(self, x):
        """P(θ <= x)."""
        return special.ndtr((np.asarray(x, float) - self.centre) / self.deviation)

    def sf(self, x):
        """P(θ > x), accurate in the upper tail."""
        return special.ndtr((self.centre - np.asarray(x, float)) / self.deviation)

    def quantile(self, p):
        """The x with cdf(x) = p, for p in [0, 1]."""
        return self.centre + self.deviation * special.ndtri(p)

    def sample(self, rng: np.random.Generator, size=None):
        """Independent draws."""
        return rng.normal(self.centre, self.deviation, size)


@dataclass(frozen=True)
class Beta:
    """Beta(R + 1 + extra, N − R + 1 + extra): Wang & Zhu 2024, Algorithm 2, line 9, where extra is k; without k, extra
    = 0.
    """

    pulls: Numbers
    total: Numbers
    extra: Numbers

    support = (0.0, 1.0)

    @property
    def shape(self) -> tuple[float, float]:
        """The two parameters of the Beta law."""
        return self.total + 1 + self.extra, self.pulls - self.total + 1 + self.extra

    @property
    def centre(self) -> float:
        """Mean of the law: between R/N and 1/2."""
        a, b = self.shape
        return a / (a + b)

    @property
    def deviation(self) -> float:
        """Standard deviation of the law."""
        a, b = self.shape
        return np.sqrt(a * b / (a + b + 1)) / (a + b)

    def pdf(self, x):
        """Density at x (any shape)."""
        a, b = self.shape
        x = np.asarray(x, float)
        inside = np.clip(x, 0, 1)
        log_density = special.xlogy(a - 1, inside) + special.xlog1py(b - 1, -inside) - special.betaln(a, b)
        return np.where(x == inside, np.exp(log_density), 0.0)

    def cdf(self, x):
        """P(θ <= x)."""
        return special.betainc(*self.shape, np.clip(x, 0, 1))

    def sf(self, x):
        """P(θ > x), accurate in the upper tail."""
        return special.betaincc(*self.shape, np.clip(x, 0, 1))

    def quantile(self, p):
        """The x with cdf(x) = p, for p in [0, 1]."""
        return special.betaincinv(*self.shape, p)

    def sample(self, rng: np.random.Generator, size=None):
        """Independent draws."""
        return rng.beta(*self.shape, size)


@dataclass(frozen=True)
class TwoSidedExponential:
    """Lemma 15 of Wang & Zhu 2024: density proportional to exp(−εN|x − R/N|), cut where the printed cdf reaches 0 and
    1.

    With y = N(x − R/N) and reach as in `two_sided_reach`, for −reach <= y <= 0 the print's cdf is δ(e^{ε(y + reach)} −
    1)/(e^ε − 1). ε = 0 gives the uniform law of half-width 1/(2Nδ), δ = 0 the Laplace law of scale 1/(Nε).
    """

    pulls: Numbers
    total: Numbers
    epsilon: float
    delta: float

    @property
    def reach(self) -> float:
        """Half-width of the support, times N."""
        return two_sided_reach(self.epsilon, self.delta)

    @property
    def centre(self) -> float:
        """Mean (and mode) of the law."""
        return self.total / self.pulls

    @property
    def support(self) -> tuple[float, float]:
        """Where the density is positive."""
        return self.centre - self.reach / self.pulls, self.centre + self.reach / self.pulls

    def pdf(self, x):
        """Density at x (any shape)."""
        y = self.pulls * np.abs(np.asarray(x, float) - self.centre)
        height = self.epsilon / 2 + self.delta / special.exprel(self.epsilon)  # at the centre: ε/2 + εδ/(e^ε − 1)
        return np.where(y <= self.reach, self.pulls * height * np.exp(-self.epsilon * y), 0.0)

    def cdf(self, x):
        """P(θ <= x), accurate in the lower tail."""
        y = self.pulls * (np.asarray(x, float) - self.centre)
        below = self._lower_half(-np.abs(y))
        return np.where(y <= 0, below, 1 - below)

    def sf(self, x):
        """P(θ > x), accurate in the upper tail."""
        y = self.pulls * (np.asarray(x, float) - self.centre)
        above = self._lower_half(-np.abs(y))
        return np.where(y >= 0, above, 1 - above)

    def _lower_half(self, y):
        """The cdf of N(θ − centre) at y <= 0."""
        if self.delta == 0:
            return np.exp(self.epsilon * y) / 2
        risen = np.maximum(y + self.reach, 0)  # from the lower end of the support
        if self.epsilon == 0:
            return self.delta * risen
        if self.epsilon < 30:
            return self.delta / math.expm1(self.epsilon) * np.expm1(self.epsilon * risen)
        # the same, written so that a large ε cannot overflow
        return (
            self.delta
            * np.exp(self.epsilon * (risen - 1))
            * np.expm1(-self.epsilon * risen)
            / math.expm1(-self.epsilon)
        )

    def quantile(self, p):
        """The x with cdf(x) = p, for p in [0, 1]."""
        p = np.asarray(p, float)
        tail = np.minimum(p, 1 - p)
        if self.epsilon == 0:
            y = (0.5 - tail) / self.delta
        else:
            # e^{−ε|y|} = 1 − kept·(1 − 2·tail), kept: the part of the Laplace law that the cut leaves
            kept = 1 / (1 + 2 * self.delta / (self.epsilon * special.exprel(self.epsilon)))
            gone = kept * (1 - 2 * tail)
            with np.errstate(divide="ignore"):
                y = (
                    -np.where(gone < 0.5, np.log1p(-np.minimum(gone, 0.5)), np.log(1 - kept + 2 * kept * tail))
                    / self.epsilon
                )
        return self.centre + np.where(p < 0.5, -y, y) / self.pulls

    def sample(self, rng: np.random.Generator, size=None):
        """Independent draws."""
        out = np.empty(1 if size is None else size)
        _two_sided_exponentials(rng, self.epsilon, self.reach, out.reshape(-1))
        out = self.centre + out / self.pulls
        return float(out[0]) if size is None else out


LAWS = ("gauss", "beta", "beta-plain", "new")


def law(name: str, pulls: float, total: float, epsilon: float = 1.0, delta: float = 0.01):
    """The law of θ for an arm with `pulls` N >= 1 and `total` reward R, 0 <= R <= N.

    name: one of LAWS. epsilon >= 0 and delta in [0, 1], not both 0, shape only "new".
    Returns an object with pdf, cdf, sf, quantile, sample(rng, size), support and centre. Raises ValueError.
    """
    pulls = PULLS.check(pulls)
    total = replace(TOTAL, high=pulls).check(total)
    if name == "gauss":
        return Gauss(pulls, total)
    if name == "beta":
        return Beta(pulls, total, int(pulls // 8) + 1)
    if name == "beta-plain":
        return Beta(pulls, total, 0)
    if name == "new":
        return TwoSidedExponential(pulls, total, *check_pair(epsilon, delta))
    raise ValueError(unknown("law", name, LAWS))


def check_pair(epsilon: float, delta: float) -> tuple[float, float]:
    """(epsilon, delta) checked: epsilon >= 0, 0 <= delta <= 1, not both 0. Raises ValueError."""
    epsilon, delta = EPSILON_OR_ZERO.check(epsilon), DELTA_OR_ZERO.check(delta)
    if epsilon == delta == 0:
        raise ValueError("epsilon = 0 is not allowed together with delta = 0: one of them must be > 0.")
    return epsilon, delta


def pulls_needed_gauss(epsilon: float, delta: float) -> float:
    """N_G* = min{1/(4πδ²), ln(e/(4πδ²))/ε²} of Wang & Zhu 2024, Algorithm 1, line 3; infinite for δ = 0.

    The second term counts only if ε > 0 and its logarithm is not negative. Real valued: the algorithm rounds up.
    """
    return needed_gauss(*check_pair(epsilon, delta))


def pulls_needed_beta(epsilon: float, delta: float) -> float:
    """N_B* = max{min{40e/(9πδ²), 8000 ln(e/(2πδ²))/(81ε²)}, 1000e/(9π)}, Algorithm 2, line 3; infinite for δ = 0.

    The second term counts only if ε > 0 and its logarithm is not negative. Real valued: the algorithm rounds up.
    """
    return needed_beta(*check_pair(epsilon, delta))


@kernel
def needed_gauss(epsilon, delta):
    """`pulls_needed_gauss` for kernels: nothing is checked."""
    return _smaller_term(1.0 / (4.0 * math.pi), 1.0, epsilon, delta, 1.0 - math.log(4.0 * math.pi))


@kernel
def needed_beta(epsilon, delta):
    """`pulls_needed_beta` for kernels: nothing is checked."""
    smaller = _smaller_term(
        40.0 * math.e / (9.0 * math.pi), 8000.0 / 81.0, epsilon, delta, 1.0 - math.log(2.0 * math.pi)
    )
    return max(smaller, 1000.0 * math.e / (9.0 * math.pi))


@kernel
def _smaller_term(first, second, epsilon, delta, log_constant):
    """min{first/δ², second·(log_constant − 2 ln δ)/ε²}, dividing twice: the square of a tiny ε or δ would be 0."""
    if delta == 0.0:
        return math.inf
    log = log_constant - 2.0 * math.log(delta)
    smaller = first / delta / delta
    if epsilon > 0.0 and log >= 0.0:
        smaller = min(smaller, second * log / epsilon / epsilon)
    return smaller
