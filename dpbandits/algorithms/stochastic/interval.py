"""DP-UCB-Int (Tossou & Dimitrakakis 2016): a noisy index that is refreshed after every ⌈1/ε⌉ pulls of its arm, and what
it really costs.

Every release is computed from all rewards of the arm, so one reward enters all later releases and their losses add up.
"""

import math

import numpy as np

from dpbandits.algorithms.stochastic.bookkeeping import record_block, regret_of, zeros
from dpbandits.algorithms.stochastic.perturbed_leader import ROUND_ROBIN, start_phase
from dpbandits.kernels import kernel
from dpbandits.randomness import argmax, laplace

EVERY_ROUND = 1


@kernel
def interval(epsilon, horizon):
    """f = ⌈1/ε⌉ pulls, or horizon + 1 where that is less (1/ε is forgiven its rounding: 1/(1/49) is 49, not 50)."""
    return max(1, math.ceil(min(horizon + 1.0, (1.0 - 1e-12) / epsilon)))


@kernel
def noisy_index(rng, total, n, t, v):
    """s/n + Lap(n^−(1−v/2)) + sqrt(2 ln t/n)."""
    return total / n + laplace(rng, n ** (v / 2.0 - 1.0)) + math.sqrt(2.0 * math.log(t) / n)


@kernel
def dp_ucb_int(means, horizon, checkpoints, streams, epsilon, v, refresh):
    """DP-UCB-Int (Tossou & Dimitrakakis 2016): K·f rounds in turns, f = ⌈1/ε⌉, then argmax of the stored indices.

    When the count n of an arm reaches a multiple of f, its index is set anew, once, from the sum s of all its rewards:
    s/n + Lap(n^−(1−v/2)) + sqrt(2 ln t/n), t the next round. Until then no index moves, so the chosen arm keeps the
    lead and is played f times, its rewards one Binomial draw. An arm with an unlucky draw may never be looked at again.
    refresh: 0 is this reading; 1 is the print's line taken literally, where every arm whose count is a multiple of f
    gets new noise (and the t of the round) in every round. No arm is then forgotten, and much more is released.
    means: shape (arms,), in [0, 1]. checkpoints: increasing rounds, the last is the horizon.
    Returns (regret at the checkpoints, pulls).
    """
    arms = means.size
    f, gaps = interval(epsilon, horizon), means.max() - means
    pulls, total = zeros(arms)
    regret, index = np.empty(checkpoints.size), np.empty(arms)
    played, c = start_phase(means, horizon, checkpoints, streams, f, ROUND_ROBIN, regret, pulls, total)
    lost = regret_of(pulls, means)
    if played < horizon:
        for i in range(arms):
            index[i] = noisy_index(streams.noise, total[i], pulls[i], played + 1, v)
    while played < horizon:
        if refresh == EVERY_ROUND:
            for i in range(arms):
                if pulls[i] % f == 0:
                    index[i] = noisy_index(streams.noise, total[i], pulls[i], played + 1, v)
        arm = argmax(index, streams.policy)
        length = 1 if refresh == EVERY_ROUND else min(f, horizon - played)
        c = record_block(regret, checkpoints, c, played, length, lost, gaps[arm])
        total[arm] += (
            streams.environment.binomial(length, means[arm])
            if length > 1
            else streams.environment.random() < means[arm]
        )
        pulls[arm] += length
        played, lost = played + length, lost + length * gaps[arm]
        if refresh != EVERY_ROUND:
            index[arm] = noisy_index(streams.noise, total[arm], pulls[arm], played + 1, v)
    return regret, pulls
