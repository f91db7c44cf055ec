"""Losses of many releases added up, as numbers: from above and from below, so that no digit is wrong.

A pair's curve is replaced by one that is linear in e^ε between the points of a grid: the loss then takes values on that
grid alone, and the curve lies above the true one (dp-accounting's "connect the dots": Doroshenko, Ghazi, Kamath,
Kumar & Manurangsi, PoPETs 2022). Grids are composed by one Fourier transform, equal releases by a power in it.

From below: the discrete loss is L′ = L + D, where D moves a loss to a neighbouring point, |D| <= h, E[e^−D | L] = 1. So
0 <= E[D | L] <= h²/8 (Hoeffding's lemma), and with probability 1 − η the sum of all D is at most
s = Σ h²/8 + √(Σ h² ln(1/η)/2). Hence δ(ε) >= δ′(ε + s) − η, and the true ε at δ is at least ε′(δ + η) − s.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import fft, optimize, signal, special

from dpbandits.mechanisms.gaussian import delta_from_mu, epsilon_from_mu
from dpbandits.privacy.ledger import Gaussian, Laplace, Release

POINTS = 2**17  # of a grid, as a rule
MOST = 2**21  # of a grid, where small losses ask for more
FINE = 32  # points for the smallest of the releases' largest losses (or double deviations), at the least
FEW = 12  # different releases; more of them share a coarser grid
TAIL = 1e-14  # probability that is cut off at each end of a grid
ROUNDING = 8 * 2.0**-53  # of one term of the transform, relative
TOGETHER = 2**24  # points of all grids that are transformed at a time
SLACK = 0.5  # mass beyond 1, of all equal releases together, that rounding may bring
TINY = 1e-30  # a loss that may stand for every smaller one
BEYOND_USE = 1e6  # a loss as large as nobody asks for
LONGEST = 700.0  # of a grid's step: e to its power is still a float
SPREAD = 4.0  # losses further apart are composed on grids of their own first


@dataclass(frozen=True)
class Composed:
    """The loss of all releases: `probabilities` of (lowest + i)·step, and `infinity`; an upper estimate.

    count: releases. rounding: by how much δ may be wrong, for the Fourier transform and for what was cut off. drift,
    squares: Σ h²/8 and Σ h² over all roundings to a grid. cut: probability that was cut off and so moved up, or that
    rounding brought. bounds: (orders θ, ln E e^{θ loss} of the finite part). pure: sum of the largest losses.
    """

    step: float
    lowest: int
    probabilities: np.ndarray
    infinity: float
    count: float
    rounding: float
    drift: float
    squares: float
    cut: float
    bounds: tuple[np.ndarray, np.ndarray]
    pure: float

    def epsilon(self, delta: float) -> float:
        """The smallest ε >= 0 that is proved at δ: infinite where outcomes that a neighbour never gives are
        likelier than δ.
        """
        if delta == 0:
            return self.pure
        if self.infinity >= delta:
            return math.inf
        found = min(self.pure, self.chernoff(delta))
        left = delta - self.rounding
        return min(found, self._read(left)) if left > self.infinity else found

    def chernoff(self, delta: float) -> float:
        """ε at δ > 0 from the moments alone, the best order: the Rényi bound, which holds at any δ however small."""
        return _chernoff(self.bounds, delta - self.infinity) if delta > self.infinity else math.inf

    def epsilon_at_least(self, delta: float) -> float:
        """No smaller ε holds at δ for these very releases: 0 where the grid cannot tell."""
        if delta == 0:
            delta = TAIL  # ε falls with δ
        spare = max(delta / 100, 1e-12)
        shift = self.drift + math.sqrt(self.squares * math.log(1 / spare) / 2)
        known = delta + spare + self.rounding + self.cut
        return max(0.0, self._read(known) - shift) if known < 1 else 0.0

    def delta(self, epsilon: float) -> float:
        """The δ that is proved at ε >= 0."""
        losses = (self.lowest + np.arange(self.probabilities.size)) * self.step
        over = losses > epsilon
        found = (
            self.infinity + float(np.dot(-np.expm1(epsilon - losses[over]), self.probabilities[over])) + self.rounding
        )
        return min(1.0, found) if epsilon < self.pure else self.infinity

    def _read(self, delta: float) -> float:
        """The curve inverted: between two points of the grid it is linear in e^ε."""
        p = self.probabilities
        upper = self.infinity + np.cumsum(p[::-1])[::-1]  # P(loss >= point)
        lower = signal.lfilter([1.0], [1.0, -math.exp(-self.step)], p[::-1])[::-1]  # e^point · Q(loss >= point)
        curve = upper - lower  # δ at each point
        above = np.flatnonzero(curve > delta)
        if not above.size:  # below the lowest point: there δ = 1 − e^ε(1 − ...), which is at most that of the point
            return max(0.0, self.lowest * self.step) if curve[0] <= delta else 0.0
        i = int(above[-1]) + 1
        if i == p.size:
            return math.inf
        if lower[i] <= 0 or upper[i] <= delta:
            return max(0.0, (self.lowest + i) * self.step)
        return max(0.0, (self.lowest + i) * self.step + math.log((upper[i] - delta) / lower[i]))


@dataclass(frozen=True)
class Gaussians:
    """Gaussian releases alone: everything in closed form."""

    mu: float
    infinity = 0.0
    pure = math.inf

    def epsilon(self, delta: float) -> float:
        """The exact ε at δ."""
        return epsilon_from_mu(delta, self.mu) if delta > 0 else math.inf

    epsilon_at_least = epsilon

    def delta(self, epsilon: float) -> float:
        """The exact δ at ε."""
        return float(delta_from_mu(epsilon, self.mu))


@dataclass(frozen=True)
class Single:
    """One release: its own curve, inverted."""

    release: Release

    @property
    def pure(self) -> float:
        """Largest loss."""
        return self.release.pure

    @property
    def infinity(self) -> float:
        """Mass of what the neighbour never gives."""
        return float(getattr(self.release, "impossible", 0.0))

    def epsilon(self, delta: float) -> float:
        """The exact ε at δ."""
        if delta <= self.infinity:
            return self.pure if delta == 0 or self.delta(self.release.reach) > delta else self.release.reach
        if self.delta(0.0) <= delta:
            return 0.0
        high = min(self.release.reach, 700.0)
        return (
            float(optimize.brentq(lambda e: self.delta(e) - delta, 0.0, high, xtol=1e-14))
            if self.delta(high) < delta
            else high
        )

    epsilon_at_least = chernoff = epsilon

    def delta(self, epsilon: float) -> float:
        """The exact δ at ε."""
        return float(self.release.curve(np.array([epsilon]))[0])


@dataclass(frozen=True)
class Largest:
    """Releases so far from private that only their largest losses and their δ's are added up."""

    total: float
    infinity: float

    @property
    def pure(self) -> float:
        """Largest loss of all together."""
        return math.inf if self.infinity else self.total

    def epsilon(self, delta: float) -> float:
        """The sum, where δ covers what goes beyond it."""
        return self.total if delta >= self.infinity else math.inf

    chernoff = epsilon

    def epsilon_at_least(self, delta: float) -> float:
        """Nothing is known from below."""
        return 0.0

    def delta(self, epsilon: float) -> float:
        """What goes beyond the sum from there on, 1 before."""
        return self.infinity if epsilon >= self.total else 1.0


def compose(releases: Sequence[Release], tail: float = TAIL) -> Composed | Gaussians | Single | Largest:
    """All these releases together; each at least once. Gaussian ones alone, or a single one, are exact."""
    releases = [r for r in releases if r.count > 0]
    if len(releases) == 1 and releases[0].count == 1 and not isinstance(releases[0], Gaussian):
        return Single(releases[0])
    gaussian = [r for r in releases if isinstance(r, Gaussian)]
    if len(gaussian) == len(releases):
        return Gaussians(max(math.sqrt(sum(r.squares for r in gaussian)), TINY))
    if max(r.reach for r in releases) > BEYOND_USE:
        lost = sum(r.count * float(r.curve(np.array([r.reach]))[0]) for r in releases)
        return Largest(float(sum(r.count * r.reach for r in releases)), min(1.0, lost))
    parts = [_Part(r) for r in releases]
    parts.sort(key=lambda part: part.reach)
    while parts[-1].reach > SPREAD * parts[0].reach and sum(p.count for p in parts) > 64:  # many small ones first
        small = [p for p in parts if p.reach <= SPREAD * parts[0].reach]
        rest = parts[len(small) :]
        if small[0].composed and len(small) == 1:
            break
        parts = sorted([_Part(_compose(small, tail)), *rest], key=lambda part: part.reach)
    return _compose(parts, tail)


class _Part:
    """A release, or several that are composed already, ready to be put on a grid."""

    def __init__(self, source):
        self.source, self.composed = source, isinstance(source, Composed)
        if self.composed:
            self.low = source.lowest * source.step
            self.high = (source.lowest + source.probabilities.size - 1) * source.step
            self.count, self.pure = 1, source.pure
            self.infinity, self.cut = source.infinity, source.cut
        else:
            self.high = max(source.reach, TINY)  # more than it is, where its square would be no float
            self.low, self.count = -self.high, source.count
            self.pure = source.count * source.pure
            self.infinity = float(source.curve(np.array([self.high]))[0])
            # of a law without a largest loss, what lies beyond the grid is moved up at both ends
            self.cut = 0.0 if math.isfinite(source.pure) or hasattr(source, "impossible") else 2 * self.infinity
        self.reach = max(abs(self.low), abs(self.high), TINY)
        low, p = self.grid(self.reach / 64)
        losses, p = (low + np.arange(p.size)) * self.reach / 64, p / p.sum()
        self.mean = float(p @ losses)
        self.variance = float(p @ (losses - self.mean) ** 2)

    def grid(self, step: float) -> tuple[int, np.ndarray]:
        """(lowest point, probabilities) on multiples of `step`, from above."""
        if self.composed:
            return self._coarser(step)
        from dp_accounting.pld import pld_pmf

        low, high = math.floor(self.low / step - 1e-9), math.ceil(self.high / step - 1e-9)
        if step > LONGEST:
            return self._two_points(step, high)
        deltas = np.clip(self.source.curve(np.arange(low, high + 1) * step), 0, 1)
        pmf = pld_pmf.create_pmf_pessimistic_connect_dots_fixed_gap(step, low, high, np.minimum.accumulate(deltas))
        dense = pmf.to_dense_pmf()
        p = np.asarray(dense._probs)
        return (dense._lower_loss, p) if self.count * self.beyond(p) < SLACK else self._two_points(step, high)

    def beyond(self, p: np.ndarray) -> float:
        """Mass over 1 on a grid: the curve's own rounding, which weighs where losses are very small."""
        return max(0.0, float(p.sum()) + self.infinity - 1)

    def _two_points(self, step: float, high: int) -> tuple[int, np.ndarray]:
        """Randomised response: nothing with this largest loss tells more (Kairouz, Oh & Viswanath 2015)."""
        self.cut = math.inf  # says nothing from below
        p = np.zeros(2 * high + 1)
        p[0], p[-1] = (1 - self.infinity) * special.expit([-high * step, high * step])
        return -high, p

    def _coarser(self, step: float) -> tuple[int, np.ndarray]:
        """Each loss is split between its two neighbours so that both laws keep their masses."""
        source = self.source
        losses = (source.lowest + np.arange(source.probabilities.size)) * source.step
        below = np.floor(losses / step + 1e-9).astype(np.int64)
        up = np.clip(np.expm1(below * step - losses) / math.expm1(-step), 0, 1)  # share of P that goes to the upper one
        lowest = int(below.min())
        p = np.bincount(below - lowest, source.probabilities * (1 - up), below.max() - lowest + 2)
        p += np.bincount(below - lowest + 1, source.probabilities * up, below.max() - lowest + 2)
        return lowest, p


def _compose(parts: list[_Part], tail: float) -> Composed:
    """All parts on one grid."""
    counts = np.array([float(p.count) for p in parts])
    total = float(sum(p.reach * p.count for p in parts))
    spread = math.sqrt(sum(p.variance * p.count for p in parts))
    width = min(2 * total, 18 * spread + 4 * max(p.reach for p in parts))
    scale = min(min(p.reach, 2 * math.sqrt(p.variance)) for p in parts)
    if len(parts) <= FEW:
        step = max(width / MOST, min(width / POINTS, scale / FINE), scale / 512)
    else:
        step = max(width / MOST, scale / (FINE / 4))
    grids = [part.grid(step) for part in parts]
    bounds = _moments(grids, counts, step, spread, max(p.reach for p in parts))
    low, high = _window(bounds, tail, grids, counts, step)
    size = fft.next_fast_len(max(high - low + 1, *(p.size for _, p in grids)), real=True)
    product = _product(grids, [int(c) for c in counts], size)
    p = np.roll(np.maximum(0, fft.irfft(product, size)), -(low % size))[: high - low + 1]
    infinity = -math.expm1(
        sum(c * math.log1p(-min(part.infinity, 1 - 1e-16)) for part, c in zip(parts, counts, strict=True))
    )
    done = [part.source for part in parts if part.composed]
    return Composed(
        step,
        low,
        p,
        min(1.0, infinity),
        count=float(sum(getattr(part.source, "count", 1) for part in parts)),
        rounding=2 * tail + ROUNDING * counts.sum() * math.log2(size) + sum(c.rounding for c in done),
        drift=counts.sum() * step**2 / 8 + sum(c.drift for c in done),
        squares=counts.sum() * step**2 + sum(c.squares for c in done),
        cut=float(sum((part.cut + part.beyond(p)) * c for part, (_, p), c in zip(parts, grids, counts, strict=True)))
        + 4 * tail,
        bounds=bounds,
        pure=float(sum(part.pure for part in parts)),
    )


def _product(grids, counts: list[int], size: int) -> np.ndarray:
    """The transform of all of them: Π f^count, its powers by squaring, many at a time (a complex power by logarithms
    takes far longer).
    """
    product, many = np.ones(size // 2 + 1, complex), max(1, TOGETHER // size)
    for begin in range(0, len(counts), many):
        own = counts[begin : begin + many]
        parts = [_spectrum(grid, size) for grid in grids[begin : begin + many]]
        power = np.ones(size // 2 + 1, complex)
        for bit in reversed(range(max(own).bit_length())):
            power *= power
            for part, count in zip(parts, own, strict=True):
                if count >> bit & 1:
                    power *= part
        product *= power
    return product


def _spectrum(grid: tuple[int, np.ndarray], size: int) -> np.ndarray:
    lowest, p = grid
    wrapped = np.zeros(size)
    np.add.at(wrapped, (lowest + np.arange(p.size)) % size, p)
    return fft.rfft(wrapped)


def _moments(grids, counts, step: float, spread: float, reach: float) -> tuple[np.ndarray, np.ndarray]:
    """ln E e^{θ·loss} of all together, at orders θ of both signs around 1/spread."""
    scale = max(spread, 1e-9 * reach)  # as good as no spread where losses are large
    orders = np.geomspace(0.05 / scale, max(60 / scale, 40 / reach), 40)
    orders = np.concatenate((-orders[::-1], orders))
    logs = np.zeros(orders.size)
    for (lowest, p), count in zip(grids, counts, strict=True):
        kept = p > 0
        losses, log_p = (lowest + np.flatnonzero(kept)) * step, np.log(p[kept])
        if losses.size > 3000:  # in blocks, each at whichever of its ends makes the moment larger
            starts = np.linspace(0, losses.size, 2001).astype(int)[:-1]
            mass = np.log(np.add.reduceat(np.exp(log_p), starts))
            low, high = losses[starts], losses[np.append(starts[1:] - 1, losses.size - 1)]
            logs += [count * _log_sum((o * high if o > 0 else o * low) + mass) for o in orders]
        else:
            logs += [count * _log_sum(o * losses + log_p) for o in orders]
    return orders, logs


def _log_sum(x: np.ndarray) -> float:
    top = float(x.max())
    return top + math.log(float(np.exp(x - top).sum()))


def _window(bounds, tail: float, grids, counts, step: float) -> tuple[int, int]:
    """First and last point of the grid: beyond each lies less than `tail` (Chernoff's bound)."""
    orders, logs = bounds
    upper, lower = orders > 0, orders < 0
    high = np.min((logs[upper] + math.log(1 / tail)) / orders[upper]) / step
    low = np.max((logs[lower] + math.log(1 / tail)) / orders[lower]) / step
    first = sum(lowest * c for (lowest, _), c in zip(grids, counts, strict=True))
    last = sum((lowest + p.size - 1) * c for (lowest, p), c in zip(grids, counts, strict=True))
    low, high = int(max(first, math.floor(low))), int(min(last, math.ceil(high)))
    return low, max(low, high)  # hardly any finite loss: one point will do


def _chernoff(bounds, delta: float) -> float:
    """ε from the moments: δ(ε) <= e^{K(θ) − θε} · sup_x (1 − e^−x) e^{−θx}, for every θ > 0 (as Canonne, Kamath &
    Steinke 2020).
    """
    orders, logs = (x[bounds[0] > 0] for x in bounds)
    peak = orders * np.log(orders) - (orders + 1) * np.log1p(orders)
    return max(0.0, float(np.min((logs + peak - math.log(delta)) / orders)))


def smallest(releases: Sequence[Release]) -> list[Release]:
    """The same releases with no loss overstated: where `Laplace` stands for a range, its lower end."""
    return [r.smallest if isinstance(r, Laplace) else r for r in releases]
