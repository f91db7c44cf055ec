"""What one changed record can move: the releases that it enters, each by the law of its noise.

The record of an algorithm writes such a ledger; `dpbandits.audit.account` adds it up. A release is the pair (P, Q)
of its laws on two neighbouring inputs, known by its curve δ(ε) = sup_E P(E) − e^ε Q(E) for every real ε: all that
composition needs, whatever the pair looks like: a pair whose curve lies above all others dominates them, and the
product of dominating pairs dominates an adaptive composition (Zhu, Dong & Wang, "Optimal accounting of differential
privacy via characteristic function", AISTATS 2022).
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from dpbandits.mechanisms import perturbations
from dpbandits.mechanisms.gaussian import delta_from_mu

SELECTIONS = "all selections"
MESSAGES = "all messages of one user"
TAIL = 1e-17  # of a law without a largest loss, what is beyond the last loss that is told apart


@dataclass(frozen=True)
class Gaussian:
    """Gaussian releases: sensitivity μ_i standard deviations each, together `squares` = Σ μ_i² (Dong, Roth & Su
    2022).
    """

    squares: float
    count: int = 1

    pure = math.inf

    @property
    def mu(self) -> float:
        """√(Σ μ_i²): all of them are one release of this μ."""
        return math.sqrt(self.squares)

    @property
    def reach(self) -> float:
        """The largest loss worth telling apart; the smallest is minus that."""
        return self.squares / 2 + 9 * self.mu

    def curve(self, epsilon: np.ndarray) -> np.ndarray:
        """δ at each ε."""
        return _both_sides(lambda x: delta_from_mu(x, self.mu), epsilon)


@dataclass(frozen=True)
class Laplace:
    """`count` releases with Laplace noise, each of `loss` = sensitivity/scale; `at_least`: the smallest loss among
    them.
    """

    loss: float
    count: int = 1
    at_least: float | None = None

    @property
    def pure(self) -> float:
        """Largest loss of one release."""
        return self.loss

    reach = pure

    @property
    def smallest(self) -> "Laplace":
        """The same releases with no loss overstated."""
        return self if self.at_least is None else Laplace(self.at_least, self.count)

    def curve(self, epsilon: np.ndarray) -> np.ndarray:
        """1 − e^{(ε − loss)/2} for |ε| <= loss, then 0; and 1 − e^ε below −loss."""
        inside = -np.expm1((np.minimum(epsilon, self.loss) - self.loss) / 2)
        return np.where(epsilon < -self.loss, -np.expm1(np.minimum(epsilon, 0)), inside)


@dataclass(frozen=True)
class TwoSided:
    """`count` draws of Lemma 15's law of Wang & Zhu 2024 for (epsilon, delta), whose centre moves by 1/N: the same
    for every N. Of numbers that are below `perturbations.SMALLEST` no draw could tell: they count as 0.
    """

    epsilon: float
    delta: float
    count: int = 1

    def __post_init__(self):
        for name in ("epsilon", "delta"):
            if getattr(self, name) < perturbations.SMALLEST:
                object.__setattr__(self, name, 0.0)

    @property
    def impossible(self) -> float:
        """Mass of outcomes that the neighbour never gives: δ, or more where the support is shorter than the shift."""
        support = self._support
        if support >= 1:  # not cdf(1 − support), whose last bit decides whether (ε, δ) is told as infinite
            return self.delta if support < math.inf else 0.0
        return float(self._law.cdf(1 - support))

    @property
    def reach(self) -> float:
        """The largest finite loss: ε, or ε(2·reach − 1) where the support is shorter than 1."""
        return self.epsilon * min(1.0, max(0.0, 2 * self._support - 1))

    @property
    def pure(self) -> float:
        """Largest loss of one draw: infinite for δ > 0."""
        return math.inf if self.impossible > 0 else self.epsilon

    @property
    def _support(self) -> float:
        """Half of its length."""
        return perturbations.two_sided_reach.py_func(self.epsilon, self.delta)  # not compiled: one call is not worth it

    @property
    def _law(self) -> perturbations.TwoSidedExponential:
        return perturbations.TwoSidedExponential(1.0, 0.0, self.epsilon, self.delta)

    def curve(self, epsilon: np.ndarray) -> np.ndarray:
        """The loss is ε(1 − 2y) between the two centres, ±ε beyond them, infinite where only one law lives."""
        epsilon, reach, lost = np.asarray(epsilon, float), self.reach, self.impossible
        y = (1 - np.clip(epsilon, -reach, reach) / self.epsilon) / 2 if self.epsilon else np.full(epsilon.shape, 0.5)
        least, below_zero = np.minimum(epsilon, reach), self._law.cdf(y - 1)
        if reach < 700:
            rest = np.exp(least) * below_zero
        else:  # as one exponent: e^ε alone may be too large for a float
            with np.errstate(divide="ignore"):
                rest = np.exp(least + np.log(below_zero))
        inside = self._law.cdf(y) - rest
        above, below = epsilon >= reach, epsilon <= -reach
        return np.where(
            above, lost, np.where(below, 1 - np.exp(np.minimum(epsilon, 0)) * (1 - lost), np.maximum(inside, lost))
        )


@dataclass(frozen=True)
class BetaDraws:
    """`count` draws of Beta(R + 1 + k, N − R + 1 + k), R moved by one, N >= `pulls`, k >= `extra`, whatever R is.

    Write a = R + 1 + k, b = N − R + k: the pair is Beta(a, b + 1), Beta(a + 1, b), both a ratio of Gamma variables
    whose sum, of shape a + b + 1, is independent of it. Drawing that sum and adding independent Gammas to its two
    parts turns the pair of (a, b) into that of any a′ >= a, b′ >= b; so by data processing the curve falls in a and
    in b. Hence N = pulls and k = extra are the worst, and a range of R is no worse than (its smallest a, its
    smallest b).
    """

    pulls: int
    extra: int = 0
    count: int = 1

    pure = math.inf

    @property
    def pairs(self) -> list[tuple[float, float]]:
        """(a, b) that dominate all R in 0..N−1, for the half R <= (N−1)/2; the other half is its mirror image."""
        found: list[tuple[float, float]] = []
        low, last = 0, (self.pulls - 1) // 2
        first = self._spread(0, 0)
        while low <= last:
            high, far = low, last  # the largest range whose pair spreads more widely than that of R = 0
            while low and high < far:
                middle = (high + far + 1) // 2
                high, far = (middle, far) if self._spread(low, middle) >= first else (high, middle - 1)
            found.append((low + 1 + self.extra, self.pulls - high + self.extra))
            low = high + 1
        return found

    def _spread(self, low: int, high: int) -> float:
        """ab/(a + b), about the variance of N·θ, for the smallest a and b of R in low..high."""
        a, b = low + 1 + self.extra, self.pulls - high + self.extra
        return a * b / (a + b)

    @property
    def reach(self) -> float:
        """The loss beyond which only TAIL is left."""
        high = 1.0
        while self.curve(np.array([high]))[0] > TAIL and high < 700:
            high *= 1.2
        return high

    def curve(self, epsilon: np.ndarray) -> np.ndarray:
        """The largest δ of all those pairs, either way round."""
        epsilon = np.asarray(epsilon, float)
        return np.max([_beta_curve(*pair, epsilon) for a, b in self.pairs for pair in ((a, b), (b, a))], axis=0)


Release = Gaussian | Laplace | TwoSided | BetaDraws


@dataclass(frozen=True)
class Ledger:
    """All releases that one changed record can enter; `alternatives` if it depends on the past which of several
    lists it is.

    A watcher's loss is at most that of the worst alternative. () as an alternative: nothing depends on the record. No
    alternative at all: no finite ε holds at any δ < 1, or none is known, and `reason` says why.
    by: theorem or rule. why: the argument in a sentence or two. watcher: what is seen. unit: what a neighbour may
    change.
    """

    alternatives: tuple[tuple[Release, ...], ...]
    by: str = ""
    why: str = ""
    reason: str = ""
    watcher: str = SELECTIONS
    unit: str = "one reward"

    @classmethod
    def of(cls, *releases: Release, by: str, why: str, **more: str) -> "Ledger":
        """One list of releases."""
        return cls((releases,), by, why, **more)

    @classmethod
    def silent(cls, why: str, **more: str) -> "Ledger":
        """Nothing that is seen depends on data."""
        return cls(((),), "nothing is computed from data", why, **more)

    @classmethod
    def none(cls, reason: str, **more: str) -> "Ledger":
        """No finite ε."""
        return cls((), reason=reason, **more)


def binary_counter(node_loss: float, items: int, coordinates: int = 1) -> tuple[Release, ...]:
    """What one item moves in a binary counter that is last read at `items` >= 1: a node of each level that is read,
    of this loss.

    A read at t uses a node of level j only where bit j of t is set, so an item counts in that level's node if it
    lies in a left half that is complete: the first item does in all ⌊lg items⌋ + 1 levels, and no item in more.
    coordinates: how many numbers of the item may change, by at most 1 each, every one with noise of its own.
    """
    return (Laplace(node_loss, coordinates * items.bit_length()),)


def hybrid_counter(epsilon: float, items: int) -> tuple[tuple[Release, ...], ...]:
    """What one item can move in a hybrid counter at ε that is last read at `items` >= 1, wherever in the stream it
    stands.

    Item 2^k enters the release at 2^k alone, of loss ε/2. Item 2^k + τ enters the release at 2^(k+1), if there is
    one, and of the epoch's k levels, ε/(2k) each, those whose left half with it is complete: for τ = 1 as many as
    for any other.
    """
    found = {(Laplace(epsilon / 2),): None}
    for k in range(1, items.bit_length()):
        nodes = min(2**k - 1, items - 2**k).bit_length()
        log = (Laplace(epsilon / 2),) if items >= 2 ** (k + 1) else ()
        if nodes:
            found[(*log, Laplace(epsilon / (2 * k), nodes))] = None
    return tuple(found)


def _both_sides(curve, epsilon: np.ndarray) -> np.ndarray:
    """A curve that is given for ε >= 0 and is its own mirror image: δ(−ε) = 1 − e^−ε (1 − δ(ε))."""
    epsilon = np.asarray(epsilon, float)
    size = np.abs(epsilon)
    delta = curve(size)
    return np.where(epsilon >= 0, delta, 1 - np.exp(-size) * (1 - delta))


def _beta_curve(a: float, b: float, epsilon: np.ndarray) -> np.ndarray:
    """sup P − e^ε Q, P = Beta(a, b + 1), Q = Beta(a + 1, b): the ratio a(1 − x)/(bx) falls in x, so half-lines x <
    x* are worst.

    The mirror image x → 1 − x shows that the same with a and b exchanged is sup Q − e^ε P.
    """
    x = a / (a + b * np.exp(epsilon))
    return np.clip(special.betainc(a, b + 1, x) - np.exp(epsilon) * special.betainc(a + 1, b, x), 0, 1)


@dataclass(frozen=True)
class Knob:
    """One way to make an algorithm as private as one asks: turn the parameter `free`; more of it is less private.

    fixed(epsilon, delta, instance, horizon) -> the other parameters for a transcript at (epsilon, delta).
    cost(parameters, instance, horizon) -> a number that the regret grows with: of several knobs the one with the
    least is taken.
    """

    free: str = "epsilon"
    fixed: Callable[..., Mapping[str, Any]] = lambda epsilon, delta, instance, horizon: {}
    cost: Callable[..., float] = lambda parameters, instance, horizon: 0.0
    low: float = 1e-9
    high: float = 1e4
    inverse: bool = False  # whether more of the parameter is more private: then 1/value is turned
