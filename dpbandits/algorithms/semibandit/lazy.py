"""CUCB under central privacy on lazy and forgetful estimates: ours, after what Chandak (2023) does for matroids.

Label. Fix all releases. Then every super arm is fixed, since it is computed from releases and random ties, and with the
super arms all counts and all batches. Change the outcomes of one user: up to K numbers change, by at most 1 each, and
each is in one batch, which is released once. Noise of scale K/ε on every released sum makes the releases, and all that
follows, likelier by at most exp(K · ε/K): the transcript is ε-private, for any outcomes in [0, 1] and any horizon.

Bound. In round t let n_i be the size of arm i's last batch, u_i = sqrt(ln t/n_i) + 2K ln t/(ε n_i). By Hoeffding's
bound a batch mean is off by more than the root with probability at most 2 t^−2, its noise exceeds the second term with
t^−2, and there were at most ⌊lg t⌋ batches: so with probability 1 − 3m⌊lg t⌋ t^−2 all means are within u_i and every
index lies in [μ_i, μ_i + 2u_i]. Then a super arm of gap Δ is played only if Δ <= B max 2u_i over its arms (B the
reward's B_∞, its value is monotone): one of its arms has 2B sqrt(ln t/n_i) >= Δ/2 or 4BK ln t/(ε n_i) >= Δ/2, that is
n_i <= max{16B² ln T/Δ², 8BK ln T/(εΔ)}, or n_i = 0. That arm was played at most 4 n_i − 2 times before. Each bad round
is charged to such an arm; summed by parts over its gaps this is

    Σ_i [128 B² ln T/Δ^i_min + (32 BK ln T/ε)(1 + ln(Δ^i_max/Δ^i_min)) + Δ^i_max] + Δ_max Σ_t min(1, 3m⌊lg t⌋ t^−2).
"""

import math

import numpy as np

from dpbandits.algorithms.batches import nothing_released, take_in
from dpbandits.environments.semibandit.problem import choose, new_round, play_super_arm
from dpbandits.kernels import kernel


@kernel
def lazy_index(index, batches, t, sensitivity, epsilon):
    """Fill `index` with min(1, max(0, m̃_i + sqrt(ln t/n_i) + 2Δ ln t/(ε n_i))), Δ = `sensitivity`; 1 before the
    first release.
    """
    log = math.log(t)
    root, bonus = math.sqrt(log), 2.0 * sensitivity * log / epsilon
    for i in range(index.size):
        if batches.size[i] == 0:
            index[i] = 1.0
        else:
            index[i] = min(1.0, max(0.0, batches.mean[i] + root * batches.width[i] + bonus * batches.share[i]))


@kernel
def cucb_dp_lazy(problem, horizon, checkpoints, streams, epsilon):
    """CUCB on lazy and forgetful estimates: play the oracle's super arm for

        ū_i = min(1, max(0, m̃_i + sqrt(ln t/n_i) + 2K ln t/(ε n_i))),

    where the last complete batch of arm i has n_i observations (1, 2, 4, ...) and m̃_i = (their sum + Lap(K/ε))/n_i. An
    arm without one has ū_i = 1. K: the largest number of base arms in a super arm. The horizon is not used. epsilon: >
    0. Other arguments and the result as for cucb.
    """
    size = float(problem.kinds.size)
    arms, outcomes, work = new_round(problem)
    index, pulls = np.empty(problem.means.size), np.zeros(problem.means.size, np.int64)
    batches = nothing_released(index.size)
    regret, c, lost = np.empty(checkpoints.size), 0, 0.0
    for t in range(1, horizon + 1):
        lazy_index(index, batches, t, size, epsilon)
        n = choose(problem, index, arms, work, streams.policy)
        lost += play_super_arm(problem, arms, n, outcomes, work, pulls, streams.environment)
        for j in range(n):
            take_in(batches, arms[j], outcomes[j], size / epsilon, streams.noise)
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, pulls
