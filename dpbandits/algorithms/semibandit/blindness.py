"""How long CUCB-DP plays as if it had observed nothing: while every index is still cut at 1."""

import math

import numpy as np

from dpbandits.environments.instance import Instance
from dpbandits.environments.semibandit.decisions import LISTED, TOP_K
from dpbandits.parameters import EPSILON, HORIZON


def observations_needed(horizon: float, epsilon: float, arms: int, sensitivity: int, mean: float) -> float:
    """The T_i at which mean + sqrt(4 ln(mT)/T_i) + 12 Δ ln³T/(T_i ε) falls to 1, the noise left aside; infinite for
    mean 1.

    sensitivity: Δ, K for cucb-dp and 1 for cucb-dp-least. A quadratic in 1/sqrt(T_i).
    """
    room, root, cube = (
        1.0 - mean,
        math.sqrt(4 * math.log(arms * horizon)),
        12 * sensitivity * math.log(horizon) ** 3 / epsilon,
    )
    if room <= 0:
        return math.inf
    return ((root + math.sqrt(root**2 + 4 * cube * room)) / (2 * room)) ** 2


def observations_when_blind(instance: Instance, horizon: float, least: bool = False) -> float:
    """How often the most played arm is observed in `horizon` rounds of uniformly random super arms, on average.

    least: count only the least-observed arm of a super arm. Then it is at most this; and exact where no two super arms
    share an arm.
    """
    decisions, arms = instance.problem[0].decisions, instance.arms
    if decisions.kind == TOP_K:
        return horizon / arms * (1 if least else decisions.size)
    if decisions.kind == LISTED:
        plays = np.bincount(decisions.member, minlength=arms)
        if least:
            sizes = np.diff(decisions.start)
            plays = np.bincount(decisions.member, np.repeat(1 / sizes, sizes), arms) if plays.max() == 1 else plays
        return horizon * float(plays.max()) / (decisions.start.size - 1)
    return float(horizon)  # greedy prefers nodes with many edges: at most every round


def is_blind(instance: Instance, horizon: int, epsilon: float, least: bool = False) -> bool:
    """Whether the index of the smallest mean is still 1 at the end of `horizon` blind rounds, the noise left aside."""
    sensitivity = 1 if least else instance.list_size
    needed = observations_needed(horizon, epsilon, instance.arms, sensitivity, float(instance.means.min()))
    return needed > observations_when_blind(instance, horizon, least)


def first_seeing_horizon(instance: Instance, epsilon: float, least: bool = False) -> int:
    """The least horizon T from which, up to 10^12, the algorithm takes notice of what it observed; 10^12 where none
    does.

    The bonus depends on T, so a longer horizon waits longer; but ln³T grows so slowly that it sees in the end.
    """
    EPSILON.check(epsilon)
    low, high = 1, int(HORIZON.high)
    if is_blind(instance, high, epsilon, least):
        return high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_blind(instance, middle, epsilon, least) else (low, middle)
    return high
