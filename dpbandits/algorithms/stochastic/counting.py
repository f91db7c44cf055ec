"""UCB on sums from continual counters: one counter for each arm, fed with that arm's rewards alone."""

import math

import numpy as np

from dpbandits.algorithms.stochastic.bookkeeping import regret_of, zeros
from dpbandits.kernels import kernel
from dpbandits.mechanisms.counters import binary_feed, binary_node_scale, hybrid_feed, new_counters
from dpbandits.randomness import argmax

EVERY_ROUND = 1


@kernel
def dp_ucb(means, horizon, checkpoints, streams, epsilon, feed):
    """DP-UCB (Tossou & Dimitrakakis 2016): play argmax of X̃_i/n_i + sqrt(2 ln t / n_i).

    X̃_i: the arm's reward sum from a hybrid counter at full ε, since one reward enters one counter.
    means: shape (arms,), in [0, 1]. checkpoints: increasing rounds, the last is the horizon. epsilon: > 0.
    feed: 0 gives a counter its own arm's rewards only, so that an unlucky draw stays until the arm is played again and
    may shut it out for good. 1 gives every counter an item in every round, 0 where its arm is not played: the noise of
    all arms is then alike and renewed as t grows, at the same ε, since a reward is still one item of one counter.
    An unplayed arm comes first. Returns (regret at the checkpoints, pulls).
    """
    arms = means.size
    pulls, total = zeros(arms)
    mean, width, index = np.zeros(arms), np.full(arms, np.inf), np.empty(arms)
    counters = new_counters(arms, horizon)
    regret, c = np.empty(checkpoints.size), 0
    for t in range(1, horizon + 1):
        root = math.sqrt(2.0 * math.log(t)) if t > 1 else 1.0  # 1: so that an unplayed arm is +inf, not nan
        for i in range(arms):
            index[i] = mean[i] + root * width[i]
        arm = argmax(index, streams.policy)
        total[arm] += streams.environment.random() < means[arm]
        pulls[arm] += 1
        width[arm] = 1.0 / math.sqrt(pulls[arm])
        for i in range(arms):
            if i == arm or feed == EVERY_ROUND:
                noise = hybrid_feed(counters, i, 1.0, epsilon, streams.noise)
                mean[i] = (total[i] + noise) / max(1, pulls[i])
        if t == checkpoints[c]:
            regret[c] = regret_of(pulls, means)
            c += 1
    return regret, pulls


@kernel
def dp_ucb_bound(means, horizon, checkpoints, streams, epsilon):
    """DP-UCB-Bound (Tossou & Dimitrakakis 2016): DP-UCB with a bonus for the noise,

        X̃_i/n_i + sqrt(2 ln t / n_i) + ν_i/n_i,  ν_i = (√8/ε) ln(4t⁴), times (1 + ln n_i) when n_i is no power of two.

    We read the last logarithm as natural, which is not sure. ν_i should exceed the noise but for probability t⁻⁴: with
    ln it does at n = t = 127 but not at 1023 (9e-11 against 9e-13), with lg it would (7e-16). Arguments and result as
    for dp_ucb.
    """
    arms = means.size
    pulls, total = zeros(arms)
    mean, width, index = np.zeros(arms), np.full(arms, np.inf), np.empty(arms)
    spread = np.zeros(arms)  # ν_i / n_i without the factor that all arms share
    counters = new_counters(arms, horizon)
    regret, c = np.empty(checkpoints.size), 0
    for t in range(1, horizon + 1):
        log = math.log(t)
        root = math.sqrt(2.0 * log) if t > 1 else 1.0
        nu = math.sqrt(8.0) / epsilon * (math.log(4.0) + 4.0 * log)
        for i in range(arms):
            index[i] = mean[i] + root * width[i] + nu * spread[i]
        arm = argmax(index, streams.policy)
        total[arm] += streams.environment.random() < means[arm]
        pulls[arm] += 1
        n = pulls[arm]
        noise = hybrid_feed(counters, arm, 1.0, epsilon, streams.noise)
        mean[arm], width[arm] = (total[arm] + noise) / n, 1.0 / math.sqrt(n)
        spread[arm] = (1.0 if n & (n - 1) == 0 else 1.0 + math.log(n)) / n
        if t == checkpoints[c]:
            regret[c] = regret_of(pulls, means)
            c += 1
    return regret, pulls


@kernel
def private_ucb(means, horizon, checkpoints, streams, epsilon, tree_epsilon):
    """Private-UCB (Mishra & Thakurta 2015): a binary counter over T items for each of K arms; play argmax of

        m̃_i + sqrt(2 ln t / n_i) + ln²T · ln(K T ln T / γ) / (ε₀ n_i),  γ = 0.1 (constants as commonly read, not sure).

    tree_epsilon: 0 gives each tree ε₀ = ε/K, as printed; 1 gives it ε₀ = ε, which protects at ε all the same, since one
    reward enters one tree. Other arguments and the result as for dp_ucb.
    """
    arms = means.size
    pulls, total = zeros(arms)
    centre, width, index = np.zeros(arms), np.full(arms, np.inf), np.empty(arms)  # centre: m̃_i and its last term
    tree = epsilon if tree_epsilon == 1 else epsilon / arms
    log_horizon = math.log(horizon)
    bonus = log_horizon**2 * math.log(arms * horizon * log_horizon / 0.1) / tree if horizon > 1 else 0.0
    counters, scale = new_counters(arms, horizon), binary_node_scale(horizon, 1.0, tree)
    regret, c = np.empty(checkpoints.size), 0
    for t in range(1, horizon + 1):
        root = math.sqrt(2.0 * math.log(t)) if t > 1 else 1.0
        for i in range(arms):
            index[i] = centre[i] + root * width[i]
        arm = argmax(index, streams.policy)
        total[arm] += streams.environment.random() < means[arm]
        pulls[arm] += 1
        noise = binary_feed(counters, arm, scale, streams.noise)
        centre[arm], width[arm] = (total[arm] + noise + bonus) / pulls[arm], 1.0 / math.sqrt(pulls[arm])
        if t == checkpoints[c]:
            regret[c] = regret_of(pulls, means)
            c += 1
    return regret, pulls
