"""The Gaussian mechanism: classical calibration, exact privacy curve, exact calibration.

All depends on μ = sensitivity/σ alone (the distance of the two output means in standard deviations).
"""

import math
import warnings
from dataclasses import replace

import numpy as np
from scipy.optimize import brentq
from scipy.special import erfcx, ndtr

from dpbandits.parameters import DELTA, EPSILON, EPSILON_OR_ZERO, SENSITIVITY, Parameter

SIGMA = Parameter("sigma", "standard deviation σ of Gaussian noise", low=0, open_low=True)
MU = Parameter("mu", "μ = sensitivity/σ", low=0, open_low=True)
OPEN_DELTA = replace(DELTA, open_high=True)


def classical_sigma(epsilon: float, delta: float, sensitivity: float = 1.0) -> float:
    """σ = Δ₂ sqrt(2 ln(1.25/δ))/ε (Dwork & Roth 2014, Theorem A.1), proved for ε <= 1: warns above.

    epsilon > 0, 0 < delta < 1, sensitivity Δ₂ > 0 in the L2 norm. `classical_limit` says up to which ε it is still
    enough.
    """
    epsilon, delta, sensitivity = EPSILON.check(epsilon), OPEN_DELTA.check(delta), SENSITIVITY.check(sensitivity)
    if epsilon > 1:
        sentence = (
            f"epsilon = {epsilon:g}: the classical Gaussian calibration is proved for 0 < epsilon <= 1 only; use"
            " analytic_sigma."
        )
        warnings.warn(sentence, stacklevel=2)
    return sensitivity / _classical_mu(epsilon, delta)


def classical_limit(delta: float) -> float:
    """The ε at which the classical σ stops giving (ε, δ): below it the exact δ is smaller than `delta`, above it
    larger.
    """
    delta = OPEN_DELTA.check(delta)

    def excess(epsilon):
        return _log_delta(epsilon, _classical_mu(epsilon, delta)) - math.log(delta)

    high = 1.0
    while excess(high) < 0:
        high *= 2
    low = high
    while excess(low) > 0:
        low /= 2
    return brentq(excess, low, high, xtol=1e-12)


def classical_buys(epsilon: float, delta: float, multiplier: float = 1.0) -> float:
    """The exact ε at δ of a Gaussian whose σ is `multiplier` > 0 times the classical one for (ε, δ)."""
    return epsilon_from_mu(delta, _classical_mu(epsilon, delta) / multiplier)


def exact_delta(epsilon, sigma: float, sensitivity: float = 1.0):
    """The smallest δ at ε (a number or an array, >= 0) of a Gaussian of standard deviation σ: delta_from_mu(ε,
    sensitivity/σ).
    """
    return delta_from_mu(epsilon, SENSITIVITY.check(sensitivity) / SIGMA.check(sigma))


def exact_epsilon(delta: float, sigma: float, sensitivity: float = 1.0) -> float:
    """The smallest ε >= 0 at δ in (0, 1): epsilon_from_mu(δ, sensitivity/σ)."""
    return epsilon_from_mu(delta, SENSITIVITY.check(sensitivity) / SIGMA.check(sigma))


def analytic_sigma(epsilon: float, delta: float, sensitivity: float = 1.0) -> float:
    """The least σ that gives (ε, δ) (Balle & Wang 2018, Algorithm 1), to 12 digits, by root finding in ln μ.

    epsilon >= 0, 0 < delta < 1, sensitivity Δ₂ > 0.
    """
    epsilon, target = EPSILON_OR_ZERO.check(epsilon), math.log(OPEN_DELTA.check(delta))
    low = high = 1.0  # δ grows with μ, so a factor of 2 at a time brackets the root
    while _log_delta(epsilon, low) > target:
        low /= 2
    while _log_delta(epsilon, high) < target:
        high *= 2
    log_mu = brentq(lambda x: _log_delta(epsilon, math.exp(x)) - target, math.log(low), math.log(high), xtol=1e-14)
    return SENSITIVITY.check(sensitivity) / math.exp(log_mu)


def delta_from_mu(epsilon, mu: float):
    """δ(ε) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ) (Balle & Wang 2018, Theorem 8): the whole curve of a μ-Gaussian release.

    epsilon: a number or an array, >= 0; mu > 0. Also holds for many Gaussian releases together, with their composed μ.
    """
    epsilon = np.asarray(epsilon, float)
    if not (epsilon >= 0).all():
        EPSILON_OR_ZERO.check(float(epsilon.min()))
    return np.exp(_log_delta(epsilon, MU.check(mu)))[()]


def epsilon_from_mu(delta: float, mu: float) -> float:
    """The smallest ε >= 0 with delta_from_mu(ε, mu) <= delta, for 0 < delta < 1; infinite where it is no float."""
    target, mu = math.log(OPEN_DELTA.check(delta)), MU.check(mu)
    if _log_delta(0.0, mu) <= target:
        return 0.0
    high = mu
    while _log_delta(high, mu) > target:
        high *= 2
    if math.isinf(high):
        return math.inf
    return brentq(lambda epsilon: _log_delta(epsilon, mu) - target, 0.0, high, xtol=1e-14 * high)


def _classical_mu(epsilon: float, delta: float) -> float:
    return epsilon / math.sqrt(2 * math.log(1.25 / delta))


def _log_delta(epsilon, mu):
    """ln δ(ε), accurate however small δ is.

    With x = ε/μ − μ/2 the two terms share the factor φ(x): δ = φ(x)·(R(x) − R(x + μ)), R(x) = Φ(−x)/φ(x) the Mills
    ratio. Far left (x < −10) R overflows, but there δ = 1 − (Φ(x) + φ(x) R(x + μ)) loses nothing.
    """
    x = epsilon / mu - mu / 2
    log_density = -x * x / 2 - math.log(2 * math.pi) / 2
    with np.errstate(divide="ignore"):
        right = log_density + np.log(_mills_drop(np.maximum(x, -10), mu))
        left = np.log1p(-(ndtr(x) + np.exp(log_density) * _mills(x + mu)))
    return np.where(x < -10, left, right)[()]


#: Points and weights of Gauss and Legendre on (0, 1).
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)
_NODES, _WEIGHTS = 0.5 * (_NODES + 1), 0.5 * _WEIGHTS


def _mills_drop(x, mu):
    """R(x) − R(x + μ) for x >= −10. For small μ, where that cancels, the integral of −R′(y) = 1 − y R(y)."""
    if mu > 0.1:
        return _mills(x) - _mills(x + mu)
    y = np.asarray(x, float)[..., None] + mu * _NODES
    far = np.maximum(y, 30.0) ** -2.0
    slope = np.where(y < 30, 1 - y * _mills(y), far * (1 - far * (3 - far * (15 - far * (105 - 945 * far)))))
    return mu * (slope * _WEIGHTS).sum(-1)


def _mills(x):
    return math.sqrt(math.pi / 2) * erfcx(x / math.sqrt(2))
