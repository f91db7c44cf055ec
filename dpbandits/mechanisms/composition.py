"""How privacy losses add up when several releases touch the same record.

All rules hold for adaptive composition: a release may be chosen from the earlier ones.
"""

import math
import warnings
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.special import gammaln

from dpbandits.parameters import DELTA, EPSILON, Parameter

COUNT = Parameter("count", "number of releases", kind="integer", low=1)
SIZE = Parameter("size", "number of records that change together", kind="integer", low=1)
EPSILONS = Parameter("epsilons", "loss of each release", kind="vector", low=0)
DELTAS = Parameter("deltas", "slack of each release", kind="vector", low=0, high=1, open_high=True)
ZERO_DELTA = replace(DELTA, open_low=False, open_high=True)
SLACK = Parameter("slack", "δ spent on the composition itself", low=0, high=1, open_high=True)
TOTAL_DELTA = replace(DELTA, open_high=True)


class Loss(NamedTuple):
    """An (epsilon, delta) that is guaranteed."""

    epsilon: float
    delta: float


def basic(epsilons, deltas=0.0) -> Loss:
    """(Σ ε_i, Σ δ_i) (Dwork & Roth 2014, Theorem 3.16). epsilons: numbers >= 0; deltas: one for all, or one each, in
    [0, 1).
    """
    epsilons, deltas = _losses(epsilons, deltas)
    return Loss(float(epsilons.sum()), min(1.0, float(deltas.sum())))


def group(epsilon: float, delta: float, size: int) -> Loss:
    """`size` records change at once: (sε, δ(1 + e^ε + ... + e^{(s−1)ε})) (chaining the definition s times)."""
    return chained(EPSILON.check(epsilon), ZERO_DELTA.check(delta), SIZE.check(size))


def chained(epsilon: float, delta: float, changes: float) -> Loss:
    """The same for any number of changes >= 0, whole or not, and with ε = 0 too: (mε, δ(e^{mε} − 1)/(e^ε − 1))."""
    if not delta or not changes:
        return Loss(changes * epsilon, 0.0)
    steps = _log_expm1(changes * epsilon) - _log_expm1(epsilon) if epsilon else math.log(changes)
    return Loss(changes * epsilon, _at_most_one(math.log(delta) + steps))


def advanced(epsilon: float, count: int, slack: float, delta: float = 0.0) -> Loss:
    """`count` releases of (ε, δ) each: (ε sqrt(2k ln(1/δ̃)) + kε(e^ε − 1), kδ + δ̃), δ̃ = slack > 0.

    Dwork, Rothblum & Vadhan 2010, Theorem III.3. May exceed basic composition; `closed_form` never does.
    """
    epsilon, count, delta = EPSILON.check(epsilon), COUNT.check(count), ZERO_DELTA.check(delta)
    slack = replace(SLACK, open_low=True).check(slack)
    drift = count * epsilon * math.expm1(epsilon) if epsilon < 700 else math.inf
    return Loss(epsilon * math.sqrt(2 * count * math.log(1 / slack)) + drift, min(1.0, count * delta + slack))


def closed_form(epsilons, slack: float, deltas=0.0) -> Loss:
    """Unequal releases (Kairouz, Oh & Viswanath 2015, Theorem 3.5): the least of three ε′, at δ′ = 1 − (1 − δ̃) Π(1 −
    δ_i).

    With S = Σ ε_i² and D = Σ ε_i tanh(ε_i/2): Σ ε_i,  D + sqrt(2S ln(1/δ̃)),  D + sqrt(2S ln(e + sqrt(S)/δ̃)).
    epsilons: numbers >= 0; slack δ̃ in [0, 1), where 0 leaves only the first; deltas: one for all, or one each, in [0,
    1).
    """
    epsilons, deltas = _losses(epsilons, deltas)
    squares, drift = float((epsilons**2).sum()), float((epsilons * np.tanh(epsilons / 2)).sum())
    slack = SLACK.check(slack)
    delta = -math.expm1(math.log1p(-slack) + float(np.log1p(-deltas).sum()))
    return Loss(closed_form_of_sums(float(epsilons.sum()), squares, drift, slack), delta)


def closed_form_of_sums(total: float, squares: float, drift: float, slack: float) -> float:
    """ε′ of `closed_form` from Σ ε_i, Σ ε_i² and Σ ε_i tanh(ε_i/2), for sums too long to list; any may be infinite."""
    if slack == 0:
        return total
    log = min(math.log(1 / slack), math.log(math.e + math.sqrt(squares) / slack))
    return min(total, drift + math.sqrt(2 * squares * log))


def renyi(epsilons, delta: float, rest: float = 0.0) -> Loss:
    """Unequal pure releases by their Rényi divergences: close to exact where a few losses are large and many small.

    An ε-private release has D_α <= ln[(e^{αε} + e^{(1−α)ε})/(1 + e^ε)]/(α − 1), that of randomised response, and these
    add up (Mironov 2017, Propositions 1 and 6). Any order α > 1 then gives ε′ = Σ D_α + ln(1 − 1/α) − ln(αδ)/(α − 1)
    (Canonne, Kamath & Steinke 2020, Proposition 12); the best is searched for. May exceed basic composition.
    epsilons: numbers >= 0; 0 < delta < 1; rest: Σ ε² of further releases, which are charged D_α <= αε²/2
    (Bun & Steinke 2016, Proposition 3.3).
    """
    losses, delta = np.array(EPSILONS.check(epsilons)), TOTAL_DELTA.check(delta)
    squares = float((losses**2).sum()) + rest
    if squares == 0:
        return Loss(0.0, delta)

    def epsilon(log_above_one):
        above = math.exp(log_above_one)  # α − 1
        alpha = 1 + above
        divergence = (
            np.logaddexp(alpha * losses, -above * losses) - np.logaddexp(0, losses)
        ).sum() / above + alpha * rest / 2
        return divergence - math.log1p(1 / above) - math.log(alpha * delta) / above

    guess = math.log(2 * math.log(1 / delta) / squares) / 2  # the best ln(α − 1) if the loss were Gaussian
    return Loss(max(0.0, float(minimize_scalar(epsilon, bounds=(guess - 2, guess + 4), method="bounded").fun)), delta)


def optimal_delta(epsilon: float, each: float, count: int, each_delta: float = 0.0) -> float:
    """The exact worst δ at `epsilon` >= 0 of `count` releases of (each, each_delta) (Kairouz, Oh & Viswanath 2015,
    Theorem 3.3).

    The worst case is k-fold randomised response: with j answers against, the loss is (k − 2j)ε₀, so
    δ = Σ_j P_j max(0, 1 − e^{ε − (k − 2j)ε₀}), P_j = C(k, j) e^{(k−j)ε₀}/(1 + e^ε₀)^k.
    """
    epsilon = replace(EPSILON, open_low=False).check(epsilon)
    losses, log_p = _randomised_response(EPSILON.check(each), COUNT.check(count))
    delta = float(np.sum(np.exp(log_p) * -np.expm1(np.minimum(0.0, epsilon - losses))))
    return -math.expm1(math.log1p(-min(delta, 1 - 1e-16)) + count * math.log1p(-ZERO_DELTA.check(each_delta)))


def optimal_epsilon(delta: float, each: float, count: int, each_delta: float = 0.0) -> float:
    """The exact smallest ε >= 0 at `delta` of `count` releases of (each, each_delta); infinite where their deltas alone
    exceed it.

    The worst events are "at most j answers against": ε = max_j ln((P_{<=j} − δ)/Q_{<=j}).
    """
    delta, each, count = (
        replace(DELTA, open_low=False, open_high=True).check(delta),
        EPSILON.check(each),
        COUNT.check(count),
    )
    log_kept = count * math.log1p(-ZERO_DELTA.check(each_delta))  # what the releases' own deltas leave
    left = -math.expm1(math.log1p(-delta) - log_kept)
    if left < 0:
        return math.inf
    losses, log_p = _randomised_response(each, count)
    p, log_q = np.exp(np.logaddexp.accumulate(log_p)), np.logaddexp.accumulate(log_p - losses)
    violated = p > left
    worst = np.max(np.log(p[violated] - left) - log_q[violated], initial=0.0)
    return float(min(worst, each * count))


def optimal_share(epsilon: float, delta: float, count: int) -> float:
    """The largest ε₀ such that `count` releases of pure ε₀ each are (epsilon, delta) together: `optimal_epsilon` solved
    for `each`.
    """
    epsilon, delta, count = EPSILON.check(epsilon), ZERO_DELTA.check(delta), COUNT.check(count)
    if delta == 0:
        return epsilon / count
    low, high = (
        epsilon / count * (1 - 1e-12),
        2 * epsilon / count,
    )  # a hair below, for delta so small that it gains nothing
    while optimal_epsilon(delta, high, count) <= epsilon:
        low, high = high, 2 * high
    return brentq(lambda each: optimal_epsilon(delta, each, count) - epsilon, low, high, xtol=1e-13 * high)


def corollary_share(epsilon: float, delta: float, count: int) -> Loss:
    """What each of `count` releases may spend by Corollary 4.1 of Kairouz, Oh & Viswanath 2015: (ε/sqrt(4k ln(e +
    ε/δ)), δ/(2k)).

    Stated for ε <= 0.9: warns above. It beats ε/k only from `corollary_pays_from` releases on.
    """
    epsilon, delta, count = EPSILON.check(epsilon), TOTAL_DELTA.check(delta), COUNT.check(count)
    if epsilon > 0.9:
        warnings.warn(
            f"epsilon = {epsilon:g}: this composition rule is stated for 0 < epsilon <= 0.9 only.", stacklevel=2
        )
    return Loss(epsilon / math.sqrt(4 * count * math.log(math.e + epsilon / delta)), delta / (2 * count))


def corollary_pays_from(epsilon: float, delta: float) -> int:
    """The smallest count k at which `corollary_share` exceeds the plain share ε/k: the first k > 4 ln(e + ε/δ)."""
    return math.floor(4 * math.log(math.e + EPSILON.check(epsilon) / TOTAL_DELTA.check(delta))) + 1


def gaussian_mu(mus) -> float:
    """μ of many Gaussian releases together: sqrt(Σ μ_i²) (Dong, Roth & Su 2022, Corollary 3.3).

    mus: sensitivity/σ of each. `delta_from_mu` and `epsilon_from_mu` of mechanisms.gaussian turn it into (ε, δ).
    """
    return math.hypot(*Parameter("mus", "", kind="vector", low=0).check(mus))


def _losses(epsilons, deltas) -> tuple[np.ndarray, np.ndarray]:
    epsilons, deltas = np.array(EPSILONS.check(epsilons)), np.array(DELTAS.check(deltas))
    if deltas.size not in (1, epsilons.size):
        raise ValueError(
            f"deltas has {deltas.size} entries: it must have one for all or one for each of the {epsilons.size}"
            " epsilons."
        )
    return epsilons, np.broadcast_to(deltas, epsilons.shape)


def _randomised_response(each: float, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Loss (k − 2j)ε₀ and log-probability of j = 0..k answers against, under the first neighbour."""
    against = np.arange(count + 1)
    log_choose = gammaln(count + 1) - gammaln(against + 1) - gammaln(count - against + 1)
    return (count - 2.0 * against) * each, log_choose + (count - against) * each - count * np.logaddexp(0, each)


def _log_expm1(x: float) -> float:
    return x + math.log(-math.expm1(-x))


def _at_most_one(log: float) -> float:
    return math.exp(min(0.0, log))
