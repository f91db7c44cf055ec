"""CUCB under central privacy: a trusted server sees the outcomes and adds the noise of one tree with vector leaves.

The leaf of round t is the vector of that user's outcomes, 0 for arms that were not played; every node of the tree adds
noise to each coordinate of the sum of its leaves. A coordinate's noise is drawn where it is read, which leaves the law
as
it is: so the tree is one binary counter for each arm, all read at the round's number.
"""

import math

import numpy as np

from dpbandits.algorithms.estimates import least_observed
from dpbandits.environments.semibandit.problem import choose_or_any, new_round, play_super_arm
from dpbandits.kernels import kernel
from dpbandits.mechanisms.counters import binary_node_scale, binary_read, new_counters


@kernel
def node_scale(horizon, sensitivity, epsilon, exact):
    """Scale of the tree's nodes: 2 Δ ln T / ε as printed, or (exact) Δ · levels / ε, Δ = `sensitivity` of a leaf
    in ℓ1.
    """
    return (
        binary_node_scale(horizon, sensitivity, epsilon) if exact else 2.0 * sensitivity * math.log(horizon) / epsilon
    )


@kernel
def tree_index(total, noise, count, m, horizon, sensitivity, epsilon):
    """min(1, (total + noise)/T_i + sqrt(4 ln(mT)/T_i) + 12 Δ ln³T/(T_i ε)) for T_i = `count` >= 1 observations."""
    log = math.log(horizon)
    return min(
        1.0,
        (total + noise + 12.0 * sensitivity * log**3 / epsilon) / count
        + math.sqrt(4.0 * math.log(m * horizon) / count),
    )


@kernel
def cucb_dp(problem, horizon, checkpoints, streams, epsilon, exact):
    """CUCB-DP (Chen et al. 2020, Algorithm 3): a tree over the T rounds with leaves X_t on S_t; play the oracle's super
    arm for

        ū_i = min(1, m̃_i + sqrt(4 ln(mT) / T_i) + 12 K ln³T / (T_i ε)),

    m̃_i the tree's noisy sum of arm i at the last round that played it, over T_i; or any super arm when some ū_i is
    negative. An arm never observed has ū_i = 1. Each node and coordinate has noise Lap(2K ln T / ε).
    exact: the smallest scale that gives ε, K · levels / ε with levels = ⌊lg T⌋ + 1; the bonus stays.
    epsilon: > 0. Other arguments and the result as for cucb.
    """
    m, size = problem.means.size, problem.kinds.size
    arms, outcomes, work = new_round(problem)
    index, pulls, total = np.ones(m), np.zeros(m, np.int64), np.zeros(m)
    tree, scale = new_counters(m, horizon), node_scale(horizon, size, epsilon, exact)
    regret, c, lost = np.empty(checkpoints.size), 0, 0.0
    for t in range(1, horizon + 1):
        n = choose_or_any(problem, index, arms, work, streams.policy)
        lost += play_super_arm(problem, arms, n, outcomes, work, pulls, streams.environment)
        for j in range(n):
            arm = arms[j]
            total[arm] += outcomes[j]
            noise = binary_read(tree, arm, t, scale, streams.noise)
            index[arm] = tree_index(total[arm], noise, pulls[arm], m, horizon, size, epsilon)
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, pulls


@kernel
def cucb_dp_least(problem, horizon, checkpoints, streams, epsilon, exact):
    """CUCB-DP with one coordinate in a leaf (Chen et al. 2020, end of Section 3.2): only the least-observed arm of S_t
    is used.

    As CUCB-DP with 1 in place of K, in the noise and in ū_i; T_i counts the rounds in which arm i was the one used. The
    paper names this variant without writing it out. Arguments and result as for cucb_dp.
    """
    m = problem.means.size
    arms, outcomes, work = new_round(problem)
    index, pulls, total = np.ones(m), np.zeros(m, np.int64), np.zeros(m)
    used = np.zeros(m, np.int64)
    tree, scale = new_counters(m, horizon), node_scale(horizon, 1.0, epsilon, exact)
    regret, c, lost = np.empty(checkpoints.size), 0, 0.0
    for t in range(1, horizon + 1):
        n = choose_or_any(problem, index, arms, work, streams.policy)
        lost += play_super_arm(problem, arms, n, outcomes, work, pulls, streams.environment)
        j = least_observed(arms[:n], used, streams.policy)
        arm = arms[j]
        used[arm] += 1
        total[arm] += outcomes[j]
        noise = binary_read(tree, arm, t, scale, streams.noise)
        index[arm] = tree_index(total[arm], noise, used[arm], m, horizon, 1.0, epsilon)
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, pulls
