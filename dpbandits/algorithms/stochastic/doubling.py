"""Adaptive episodes (Azize & Basu 2022): an arm is played until its count doubles; only its last episode is released,
once.

A reward enters one release alone, so the whole transcript costs what one release costs. The rewards of an episode are
one Binomial draw; an episode that the horizon cuts short releases nothing.
"""

import math

import numpy as np

from dpbandits.algorithms.kl import kl_upper_order
from dpbandits.algorithms.stochastic.bookkeeping import record_block
from dpbandits.kernels import kernel
from dpbandits.randomness import argmax, laplace


@kernel
def ucb_index(mean, batch, log, epsilon, alpha):
    """m + sqrt(α ln t/(2M)) + α ln t/(εM)."""
    return mean + math.sqrt(alpha * log / (2.0 * batch)) + alpha * log / (epsilon * batch)


@kernel
def klucb_index(mean, batch, log, epsilon, alpha):
    """−ln(1 − q) for q = max{q : kl(min(1, max(0, m + α ln t/(εM))), q) <= α ln t/M}: the order of q, without its
    rounding to 1.

    q = 1 gives a finite number as well, since infinity is for unplayed arms.
    """
    return min(1e300, kl_upper_order(min(1.0, max(0.0, mean + alpha * log / (epsilon * batch))), alpha * log / batch))


@kernel
def adap_ucb(means, horizon, checkpoints, streams, epsilon, alpha):
    """AdaP-UCB (Azize & Basu 2022): at the start of an episode, in round t, play argmax of `ucb_index` until its count
    doubles.

    index_i = m_i + sqrt(α ln t/(2M_i)) + α ln t/(εM_i), where M_i rewards of the arm's last episode give
    m_i = their mean + Lap(1/(εM_i)). An unplayed arm comes first (of several a random one); its single
    reward is the first episode, noise included. One copy of the paper prints ln 2t in the root, not in the KL form.
    means: shape (arms,), in [0, 1]. checkpoints: increasing rounds, the last is the horizon.
    Returns (regret at the checkpoints, pulls).
    """
    return play_episodes(means, horizon, checkpoints, streams, epsilon, alpha, False)


@kernel
def adap_klucb(means, horizon, checkpoints, streams, epsilon, alpha):
    """AdaP-KLUCB (Azize & Basu 2022): as `adap_ucb`, with the index of `klucb_index`.

    index_i = max{q : kl(clip(m_i + α ln t/(εM_i)), q) <= α ln t/M_i}, clip into [0, 1].
    """
    return play_episodes(means, horizon, checkpoints, streams, epsilon, alpha, True)


@kernel
def index_episodes(index, pulls, mean, batch, log, epsilon, alpha, kl):
    """Write every arm's index into `index`, infinity where it was never played; `kl` says which index."""
    for i in range(pulls.size):
        if pulls[i] == 0:
            index[i] = np.inf
        elif kl:
            index[i] = klucb_index(mean[i], batch[i], log, epsilon, alpha)
        else:
            index[i] = ucb_index(mean[i], batch[i], log, epsilon, alpha)


@kernel
def play_episodes(means, horizon, checkpoints, streams, epsilon, alpha, kl):
    """The episodes that both algorithms share; `kl` says which index."""
    arms = means.size
    gaps = means.max() - means
    pulls, batch = np.zeros(arms, np.int64), np.zeros(arms, np.int64)
    mean, index = np.zeros(arms), np.empty(arms)
    regret, lost, played, c = np.empty(checkpoints.size), 0.0, 0, 0
    while True:
        index_episodes(index, pulls, mean, batch, math.log(played + 1), epsilon, alpha, kl)
        arm = argmax(index, streams.policy)
        length = max(1, pulls[arm])
        within = min(length, horizon - played)
        c = record_block(regret, checkpoints, c, played, within, lost, gaps[arm])
        pulls[arm] += within
        played, lost = played + within, lost + within * gaps[arm]
        if played == horizon:
            return regret, pulls
        total = streams.environment.binomial(length, means[arm])
        mean[arm], batch[arm] = total / length + laplace(streams.noise, 1.0 / (epsilon * length)), length
