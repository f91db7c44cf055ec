"""What DP-UCB-Int's releases cost together: each is computed from all rewards of its arm, so one reward enters all
later ones.
"""

import math

import numpy as np

from dpbandits.algorithms.stochastic.interval import interval
from dpbandits.mechanisms.composition import SLACK, Loss, closed_form_of_sums, renyi
from dpbandits.parameters import EPSILON, HORIZON, Parameter

EXPONENT = Parameter(
    "v", "exponent of the noise: a mean of n rewards gets Lap(n^−(1−v/2))", 1.1, low=1, high=1.5, open_low=True
)
LISTED = 10**4  # losses that are added one by one; the sums of the rest are bounded by integrals


def composed(
    epsilon: float,
    horizon: int | None = None,
    v: float = 1.1,
    slack: float = 0.0,
    every_round: bool = False,
    arms: int = 2,
) -> Loss:
    """(ε′, slack) of all releases that one reward can enter: the first reward of an arm that is played in every round.

    every_round: an index gets new noise in every round while its count is a multiple of f. Most is then lost by an arm
    that is not played again after the start phase of arms · f rounds: f^(−v/2) a round, and no finite ε′ without a
    horizon.

    The release at count n = f, 2f, ... <= horizon has sensitivity 1/n and noise Lap(n^−(1−v/2)), so its loss is
    n^(−v/2). slack = 0 adds the losses up; slack > 0 takes the least that `closed_form` and `renyi` of
    mechanisms.composition prove. Without a horizon the plain sum is infinite (v <= 1.5 < 2), but Σ n^−v is not, and
    with slack > 0 nor is ε′. Sums of more than 10⁴ terms are bounded from above, to 8 digits.
    """
    f = interval(EPSILON.check(epsilon), 2**62)
    v, slack = EXPONENT.check(v), SLACK.check(slack)
    if every_round:
        rounds, each = math.inf if horizon is None else max(0, HORIZON.check(horizon) - arms * f), f ** (-v / 2)
        if rounds in (0, math.inf):
            return Loss(float(rounds), slack)
        drift = rounds * each * math.tanh(each / 2)
        return Loss(closed_form_of_sums(rounds * each, rounds * each**2, drift, slack), slack)
    releases = math.inf if horizon is None else HORIZON.check(horizon) // f
    losses = (f * np.arange(1.0, min(releases, LISTED) + 1)) ** (-v / 2)
    if losses.size == 0:
        return Loss(0.0, slack)
    total, squares, drift, rest = losses.sum(), (losses**2).sum(), (losses * np.tanh(losses / 2)).sum(), 0.0
    if releases > LISTED:
        rest = f**-v * _power_sum(v, releases)
        total, squares, drift = (
            total + f ** (-v / 2) * _power_sum(v / 2, releases),
            squares + rest,
            drift + rest / 2,
        )  # tanh(x) <= x
    epsilon = closed_form_of_sums(float(total), float(squares), float(drift), slack)
    return Loss(min(epsilon, renyi(losses, slack, rest).epsilon) if slack else epsilon, slack)


def _power_sum(s: float, releases: float) -> float:
    """Σ j^−s over LISTED < j <= releases, from above: j^−s is convex, so it lies below its mean over (j − ½, j + ½)."""
    low, high = LISTED + 0.5, releases + 0.5
    return (high ** (1 - s) - low ** (1 - s)) / (1 - s)


def certainly_exceeds(epsilon: float, delta: float, horizon: int | None = None, v: float = 1.1) -> bool:
    """Whether the releases are surely not (epsilon, delta)-private together.

    With probability 2^−k each of the first k noises falls on the side where its loss n_j^−v/2 is whole, so the exact δ
    at `epsilon` is at least 2^−k (1 − exp(ε − Σ_{j<=k} n_j^−v/2)), for every k. This is about the released indices; the
    selections that follow from them show less: interval_looks.py says what.
    """
    f = interval(epsilon, 2**62)
    k = np.arange(1.0, min(math.inf if horizon is None else horizon // f, math.log2(1 / delta)) + 1)
    excess = np.cumsum((f * k) ** (-v / 2)) - epsilon
    return bool((2.0**-k * -np.expm1(-np.maximum(excess, 0.0)) > delta).any())
