"""How often must an adversary fail who wants one secret bit of one user? (Chandak 2023, Theorem 4 and Figure 2.1)

The adversary knows the algorithm, everybody else's data and the output; the failure rate is that of the worse of the
two values of the bit, so betting on one value always fails with rate 1, and a coin with 1/2.
"""

import math

import numpy as np
from scipy.special import expit

from dpbandits.parameters import EPSILON, Parameter

TRIALS = Parameter("trials", "how often each value of the bit is asked for", 10_000, kind="integer", low=1, high=10**7)


def least_failure(epsilon):
    """1/(1 + e^ε): no adversary fails less often against an ε-private algorithm (Theorem 4). epsilon >= 0, number or
    array.
    """
    return expit(-_checked(epsilon))


def tangent(epsilon):
    """1/2 − ε/4: the tangent of `least_failure` at ε = 0, and below it everywhere (the line of Figure 2.1)."""
    return 0.5 - _checked(epsilon) / 4


def laplace_failure(epsilon):
    """½ e^{−ε/2}: the failure of the best adversary against bit + Lap(1/ε), who sees whether the release exceeds 1/2.

    More than `least_failure` for every ε > 0: Laplace noise hides a bit better than its ε says.
    """
    return np.exp(-_checked(epsilon) / 2) / 2


def randomised_response(bits, epsilon: float, rng=None) -> np.ndarray:
    """Every bit as it is with probability e^ε/(1 + e^ε), flipped else (Warner 1965): ε-private, bit by bit.

    Whoever believes the answer fails with rate 1/(1 + e^ε), for either bit: Theorem 4 is attained. rng: Generator or
    seed.
    """
    bits = np.asarray(bits)
    if not np.isin(bits, (0, 1)).all():
        raise ValueError(f"bits = {bits.tolist()} is not allowed: each must be 0 or 1.")
    flipped = np.random.default_rng(rng).random(bits.shape) < least_failure(EPSILON.check(epsilon))
    return np.where(flipped, 1 - bits, bits)


def measured_failure(epsilon: float, trials: int, rng=None) -> float:
    """Failure rate of the adversary who believes randomised response, the worse of the two bits, `trials` times
    each.
    """
    bits = np.repeat([[0], [1]], TRIALS.check(trials), axis=1)
    return float((randomised_response(bits, epsilon, rng) != bits).mean(axis=1).max())


def _checked(epsilon):
    epsilon = np.asarray(epsilon, float)
    if not ((epsilon >= 0) & (epsilon < math.inf)).all():
        bad = epsilon[~((epsilon >= 0) & (epsilon < math.inf))].flat[0]
        raise ValueError(f"epsilon = {bad:g} is not allowed: it must be a finite number >= 0.")
    return epsilon
