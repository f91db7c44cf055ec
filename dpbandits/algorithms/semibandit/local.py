"""CUCB under local privacy: every user adds the noise to their own outcomes.

All three keep the mean of noisy reports. K, in every noise scale, is the largest number of base arms in a super arm.
"""

import math

import numpy as np

from dpbandits.algorithms.estimates import least_observed, nothing_observed, observe, optimistic
from dpbandits.algorithms.semibandit.optimism import free_observation
from dpbandits.environments.semibandit.problem import choose, choose_or_any, new_round, play_super_arm
from dpbandits.environments.semibandit.rewards import LINEAR
from dpbandits.kernels import kernel
from dpbandits.randomness import laplace


@kernel
def cucb_ldp1(problem, horizon, checkpoints, streams, epsilon, printed):
    """CUCB-LDP1 (Chen et al. 2020, Algorithm 1): every observed arm reports X_i + Lap(K/ε); play the oracle's super arm
    for

        ū_i = min(1, m̃_i + 4 sqrt(2 K² ln T / (ε² T_i))),

    or any super arm when some ū_i is negative. An arm never observed has ū_i = 1; T is the horizon.
    printed: the bonus with 2K in place of 2K², as line 4 has it; it covers the noise for K <= 4 at most.
    epsilon: > 0. Other arguments and the result as for cucb.
    """
    size = problem.kinds.size
    bonus = 4.0 * math.sqrt(2.0 * size * (1 if printed else size) * math.log(horizon)) / epsilon
    arms, outcomes, work = new_round(problem)
    index, pulls = np.ones(problem.means.size), np.zeros(problem.means.size, np.int64)
    estimates = nothing_observed(index.size)
    regret, c, lost = np.empty(checkpoints.size), 0, 0.0
    for t in range(1, horizon + 1):
        n = choose_or_any(problem, index, arms, work, streams.policy)
        lost += play_super_arm(problem, arms, n, outcomes, work, pulls, streams.environment)
        for j in range(n):
            arm = arms[j]
            observe(estimates, arm, outcomes[j] + laplace(streams.noise, size / epsilon))
            index[arm] = min(1.0, estimates.mean[arm] + bonus * estimates.width[arm])
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, pulls


@kernel
def cucb_ldp2(problem, horizon, checkpoints, streams, epsilon):
    """CUCB-LDP2 (Chen et al. 2020, Algorithm 2): only the least-observed arm of S_t reports, X_i + Lap(1/ε); else as
    CUCB-LDP1 with

        ū_i = min(1, m̃_i + 4 sqrt(2 ln T / (ε² T_i))).

    T_i counts reports. Arguments and result as for cucb_ldp1.
    """
    bonus = 4.0 * math.sqrt(2.0 * math.log(horizon)) / epsilon
    arms, outcomes, work = new_round(problem)
    index, pulls = np.ones(problem.means.size), np.zeros(problem.means.size, np.int64)
    estimates = nothing_observed(index.size)
    regret, c, lost = np.empty(checkpoints.size), 0, 0.0
    for t in range(1, horizon + 1):
        n = choose_or_any(problem, index, arms, work, streams.policy)
        lost += play_super_arm(problem, arms, n, outcomes, work, pulls, streams.environment)
        j = least_observed(arms[:n], estimates.pulls, streams.policy)
        arm = arms[j]
        observe(estimates, arm, outcomes[j] + laplace(streams.noise, 1.0 / epsilon))
        index[arm] = min(1.0, estimates.mean[arm] + bonus * estimates.width[arm])
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, pulls


@kernel
def cucb_ldp_gauss(problem, horizon, checkpoints, streams, epsilon, delta, noise_multiplier, bonus_multiplier):
    """CUCB with the Gaussian mechanism (Wang et al. 2021, arXiv, Algorithm 4): every observed arm reports X_i + N(0,
    σ²), σ = sqrt(2K ln(1.25/δ))/ε; play the oracle's super arm for

        ū_i = m̂_i + sqrt(3 ln t / (2 T_i)) + (2/ε) sqrt(2K ln(1.25/δ) ln t / T_i).

    It starts from one free observation u_0 of every arm, without noise, and t counts rounds from 1 (the print, from m +
    1). ū is not cut at 1; a reward that is not linear is defined for means in [0, 1] alone, and there the oracle is
    given the nearest point. delta: in (0, 1). noise_multiplier, bonus_multiplier: on σ and on the last term, 1 is the
    print. Other arguments and the result as for cucb_ldp1.
    """
    sigma = math.sqrt(2.0 * problem.kinds.size * math.log(1.25 / delta)) / epsilon
    noise, bonus = noise_multiplier * sigma, 2.0 * bonus_multiplier * sigma
    arms, outcomes, work = new_round(problem)
    index, pulls = np.empty(problem.means.size), np.zeros(problem.means.size, np.int64)
    estimates = free_observation(problem, work, streams.environment)
    regret, c, lost = np.empty(checkpoints.size), 0, 0.0
    for t in range(1, horizon + 1):
        optimistic(index, estimates, (math.sqrt(1.5) + bonus) * math.sqrt(math.log(t)))
        if problem.kinds.reward != LINEAR:
            for i in range(index.size):
                index[i] = min(1.0, max(0.0, index[i]))
        n = choose(problem, index, arms, work, streams.policy)
        lost += play_super_arm(problem, arms, n, outcomes, work, pulls, streams.environment)
        for j in range(n):
            observe(estimates, arms[j], outcomes[j] + noise * streams.noise.standard_normal())
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, pulls
