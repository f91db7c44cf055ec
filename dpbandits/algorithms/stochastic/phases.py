"""DP-KLUCB and DP-IMED (Azize, Wu, Honda, Orabona, Ito & Basu 2025): arm-dependent phases that forget nothing.

An arm is played until its count has grown by a fixed factor. Then the rewards of this phase alone are summed up, noise
is added, and the result joins the arm's earlier noisy sums: so an arm's estimate holds the noise of all its phases, a
number that grows like ln n, but a reward enters one release, and the whole transcript costs what one release costs. The
rewards of a phase are one Binomial draw; a phase that the horizon cuts short releases nothing.

Reading. We had the abstract and an account of the paper's indices, phases and theorems, not its pages. Those name the
two indices as below, geometric phases of any ratio above 1, and one fresh Laplace noise for each phase, added to the
running sum. They leave open how the phases are rounded (here the count n grows to max(n + 1, ⌊growth·n⌋)), which ratio
the experiments use, and that the first phase is one pull.
"""

import math

import numpy as np

from dpbandits.algorithms.private_kl import private_kl, private_kl_upper_order
from dpbandits.algorithms.stochastic.bookkeeping import record_block
from dpbandits.kernels import kernel
from dpbandits.randomness import argmax, laplace


@kernel
def next_count(count, growth):
    """The count at which an arm with `count` pulls ends its next phase; far above any horizon it stops growing."""
    return 1 if count == 0 else max(count + 1, int(min(growth * count, 4e18)))


@kernel
def dp_klucb(means, horizon, checkpoints, streams, epsilon, growth):
    """DP-KLUCB: at the start of a phase, in round t, take the arm with the largest

        max{q in [m_i, 1] : n_i d_ε(m_i, q) <= ln t},  m_i = the arm's noisy sum over n_i, cut to [0, 1],

    and play it until n_i has grown to max(n_i + 1, ⌊growth · n_i⌋). d_ε: see `private_kl`. An arm never played comes
    first (of several a random one); its first phase is one pull. Each phase adds Lap(1/ε) to the arm's sum; one that
    the horizon cuts short adds nothing. means: shape (arms,), in [0, 1]. checkpoints: increasing rounds, the last is
    the horizon. epsilon > 0, growth >= 1. Returns (regret at the checkpoints, pulls).
    """
    return play_phases(means, horizon, checkpoints, streams, epsilon, growth, False)


@kernel
def dp_imed(means, horizon, checkpoints, streams, epsilon, growth):
    """DP-IMED: as `dp_klucb`, but the arm with the smallest

    n_i d_ε(m_i, m*) + ln n_i,  m* = the largest m_i.
    """
    return play_phases(means, horizon, checkpoints, streams, epsilon, growth, True)


@kernel
def index_phases(index, pulls, mean, log, epsilon, imed):
    """Write every arm's index into `index`, infinity where it was never played; `imed` says which index. Indices are to
    be large, so IMED's is negated.
    """
    best = mean.max()
    for i in range(pulls.size):
        if pulls[i] == 0:
            index[i] = np.inf
        elif imed:
            index[i] = -pulls[i] * private_kl(mean[i], best, epsilon) - math.log(pulls[i])
        else:  # q = 1 gives a finite number as well, since infinity is for unplayed arms
            index[i] = min(1e300, private_kl_upper_order(mean[i], log / pulls[i], epsilon))


@kernel
def play_phases(means, horizon, checkpoints, streams, epsilon, growth, imed):
    """The phases that both algorithms share; `imed` says which index."""
    arms = means.size
    gaps = means.max() - means
    pulls, total, mean, index = np.zeros(arms, np.int64), np.zeros(arms), np.zeros(arms), np.empty(arms)
    regret, lost, played, c = np.empty(checkpoints.size), 0.0, 0, 0
    while True:
        index_phases(index, pulls, mean, math.log(played + 1), epsilon, imed)
        arm = argmax(index, streams.policy)
        length = next_count(pulls[arm], growth) - pulls[arm]
        within = min(length, horizon - played)
        c = record_block(regret, checkpoints, c, played, within, lost, gaps[arm])
        pulls[arm] += within
        played, lost = played + within, lost + within * gaps[arm]
        if played == horizon:
            return regret, pulls
        total[arm] += streams.environment.binomial(length, means[arm]) + laplace(streams.noise, 1.0 / epsilon)
        mean[arm] = min(1.0, max(0.0, total[arm] / pulls[arm]))
