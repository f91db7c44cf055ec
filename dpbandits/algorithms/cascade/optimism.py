"""Cascading bandits without privacy: the yardsticks."""

import math

import numpy as np

from dpbandits.algorithms.cascade.estimates import first_observation
from dpbandits.algorithms.estimates import observe, optimistic
from dpbandits.algorithms.kl import kl_upper
from dpbandits.environments.cascade import best_reward, click, number_of_items, round_regret
from dpbandits.kernels import kernel
from dpbandits.randomness import top_k


@kernel
def cascade_ucb1(attraction, list_size, horizon, checkpoints, streams):
    """CascadeUCB1 (Kveton et al. 2015, Algorithm 1): show the K items with the largest

        U(e) = ŵ(e) + sqrt(1.5 ln t / T(e)),

    best first; then learn the positions up to the click. attraction: w̄, shape (items,), or given users (environments/
    cascade.py). list_size: K. checkpoints: increasing rounds, the last is the horizon. Returns (regret at the
    checkpoints, T(e): how often each item was observed, w_0 included).
    """
    estimates = first_observation(attraction, streams.environment)
    index, chosen = np.empty(number_of_items(attraction)), np.empty(list_size, np.int64)
    best, lost = best_reward(attraction, list_size), 0.0
    regret, c = np.empty(checkpoints.size), 0
    for t in range(1, horizon + 1):
        optimistic(index, estimates, math.sqrt(1.5 * math.log(t)))
        top_k(index, chosen, streams.policy)
        position = click(chosen, t, attraction, streams.environment)
        for k in range(min(position, list_size)):
            observe(estimates, chosen[k], k + 1 == position)
        lost += round_regret(best, chosen, position, attraction)
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, estimates.pulls


@kernel
def cascade_klucb(attraction, list_size, horizon, checkpoints, streams):
    """CascadeKL-UCB (Kveton et al. 2015): as `cascade_ucb1`, with

        U(e) = max{q in [ŵ(e), 1] : T(e) kl(ŵ(e), q) <= ln t + 3 ln ln t}.

    Before t = 3, where ln ln t is negative, that term counts as 0. Arguments and result as `cascade_ucb1`.
    """
    estimates = first_observation(attraction, streams.environment)
    items = number_of_items(attraction)
    index, chosen = np.empty(items), np.empty(list_size, np.int64)
    best, lost = best_reward(attraction, list_size), 0.0
    regret, c = np.empty(checkpoints.size), 0
    for t in range(1, horizon + 1):
        log_t = math.log(t)
        exploration = log_t + 3.0 * math.log(max(1.0, log_t))
        for item in range(items):
            index[item] = kl_upper(estimates.mean[item], exploration / estimates.pulls[item])
        top_k(index, chosen, streams.policy)
        position = click(chosen, t, attraction, streams.environment)
        for k in range(min(position, list_size)):
            observe(estimates, chosen[k], k + 1 == position)
        lost += round_regret(best, chosen, position, attraction)
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, estimates.pulls
