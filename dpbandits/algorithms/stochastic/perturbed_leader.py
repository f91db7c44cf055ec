"""Follow the perturbed leader (Wang & Zhu 2024, Section 6): every round each arm draws a fresh θ_i; the largest is
played.

The three algorithms differ in the law of θ_i and in how long every arm must be played first, so that one changed reward
cannot move that law too far.
"""

import math

import numpy as np

from dpbandits.algorithms.stochastic.bookkeeping import regret_of, zeros
from dpbandits.kernels import kernel
from dpbandits.mechanisms.perturbations import (
    needed_beta,
    needed_gauss,
    two_sided_exponential,
    two_sided_reach,
    two_sided_width,
)
from dpbandits.randomness import position_of

IN_ORDER, ROUND_ROBIN = 0, 1  # positions in the choices of the parameter `start`


@kernel
def start_phase(means, horizon, checkpoints, streams, needed, order, regret, pulls, total):
    """Play every arm max(1, ⌈needed⌉) times, cut at the horizon: arm after arm (in order), or in turns (round-robin).

    The rewards of an arm are one Binomial draw. regret, pulls, total: written in place.
    Returns (rounds played, checkpoints filled).
    """
    arms = means.size
    each = math.ceil(min(float(horizon), max(1.0, needed)))
    played = min(horizon, each * arms)
    c = 0
    while c < checkpoints.size and checkpoints[c] <= played:
        _pulls_in_start(checkpoints[c], each, order, pulls)
        regret[c] = regret_of(pulls, means)
        c += 1
    _pulls_in_start(played, each, order, pulls)
    for arm in range(arms):
        total[arm] = streams.environment.binomial(pulls[arm], means[arm])
    return played, c


@kernel
def _pulls_in_start(t, each, order, pulls):
    for arm in range(pulls.size):
        if order == ROUND_ROBIN:
            pulls[arm] = t // pulls.size + (arm < t % pulls.size)
        else:
            pulls[arm] = min(max(t - arm * each, 0), each)


@kernel
def dp_ftpl_gauss(means, horizon, checkpoints, streams, epsilon, delta, start):
    """DP-FTPL-Gauss (Algorithm 1): θ_i ~ N(m̂_i, 2/N_i), after max(1, ⌈N_G*⌉) pulls of every arm.

    means: shape (arms,), in [0, 1]. checkpoints: increasing rounds, the last is the horizon. start: 0 plays the start
    phase arm after arm, as printed; 1 in turns. Returns (regret at the checkpoints, pulls).
    """
    arms = means.size
    pulls, total = zeros(arms)
    regret, theta = np.empty(checkpoints.size), np.empty(arms)
    played, c = start_phase(
        means, horizon, checkpoints, streams, needed_gauss(epsilon, delta), start, regret, pulls, total
    )
    mean, deviation = total / np.maximum(pulls, 1), np.sqrt(2.0 / np.maximum(pulls, 1))
    for t in range(played + 1, horizon + 1):
        top = -np.inf
        for i in range(arms):
            theta[i] = mean[i] + deviation[i] * streams.noise.standard_normal()
            top = max(top, theta[i])
        arm = position_of(top, theta, streams.policy)
        total[arm] += streams.environment.random() < means[arm]
        pulls[arm] += 1
        mean[arm], deviation[arm] = total[arm] / pulls[arm], math.sqrt(2.0 / pulls[arm])
        if t == checkpoints[c]:
            regret[c] = regret_of(pulls, means)
            c += 1
    return regret, pulls


@kernel
def dp_ftpl_beta(means, horizon, checkpoints, streams, epsilon, delta):
    """DP-FTPL-Beta (Algorithm 2): θ_i ~ Beta(R_i + 1 + k_i, N_i − R_i + 1 + k_i) with k_i = ⌊N_i/8⌋ + 1.

    Every arm is played ⌈N_B*⌉ times first, arm after arm. Arguments and result as for dp_ftpl_gauss.
    """
    arms = means.size
    pulls, total = zeros(arms)
    regret, theta = np.empty(checkpoints.size), np.empty(arms)
    played, c = start_phase(
        means, horizon, checkpoints, streams, needed_beta(epsilon, delta), IN_ORDER, regret, pulls, total
    )
    extra = pulls // 8 + 1
    a, b = total + 1.0 + extra, pulls - total + 1.0 + extra
    for t in range(played + 1, horizon + 1):
        top = -np.inf
        for i in range(arms):
            theta[i] = streams.noise.beta(a[i], b[i])
            top = max(top, theta[i])
        arm = position_of(top, theta, streams.policy)
        total[arm] += streams.environment.random() < means[arm]
        pulls[arm] += 1
        k = pulls[arm] // 8 + 1
        a[arm], b[arm] = total[arm] + 1.0 + k, pulls[arm] - total[arm] + 1.0 + k
        if t == checkpoints[c]:
            regret[c] = regret_of(pulls, means)
            c += 1
    return regret, pulls


@kernel
def dp_ftpl_new(means, horizon, checkpoints, streams, epsilon, delta):
    """DP-FTPL-New (Algorithm 3): θ_i follows Lemma 15's law for (ε, δ) and N_i, about an optimistic centre.

    The centre is m̂_i + sqrt(ln T/N_i) + ρ/N_i with ρ = (1/ε) ln[(T(e^ε−1) + 2Tδ)/(2(e^ε−1) + 2Tδ)], the width that the
    law exceeds with probability 1/T on each side. Every arm is played once first. It uses the horizon T: a shorter run
    is not the beginning of a longer one. Arguments and result as for dp_ftpl_gauss.
    """
    arms = means.size
    pulls, total = zeros(arms)
    regret, theta = np.empty(checkpoints.size), np.empty(arms)
    reach, width = two_sided_reach(epsilon, delta), two_sided_width(epsilon, delta, float(horizon))
    root = math.sqrt(math.log(horizon))
    played, c = start_phase(means, horizon, checkpoints, streams, 1.0, IN_ORDER, regret, pulls, total)
    inverse = 1.0 / np.maximum(pulls, 1)
    centre = (total + width) * inverse + root * np.sqrt(inverse)
    noise = streams.noise  # taken out of the tuple once: a quarter of the time of the inner loop
    for t in range(played + 1, horizon + 1):
        top = -np.inf
        for i in range(arms):
            theta[i] = centre[i] + inverse[i] * two_sided_exponential(noise, epsilon, reach)
            top = max(top, theta[i])
        arm = position_of(top, theta, streams.policy)
        total[arm] += streams.environment.random() < means[arm]
        pulls[arm] += 1
        inverse[arm] = 1.0 / pulls[arm]
        centre[arm] = (total[arm] + width) * inverse[arm] + root * math.sqrt(inverse[arm])
        if t == checkpoints[c]:
            regret[c] = regret_of(pulls, means)
            c += 1
    return regret, pulls
