"""Cascading bandits behind a trusted curator, who adds the noise: central privacy, as printed and repaired."""

import math

import numpy as np

from dpbandits.algorithms.cascade.estimates import first_observation, least_observed_first
from dpbandits.algorithms.estimates import nothing_observed
from dpbandits.environments.cascade import best_reward, click, number_of_items, round_regret
from dpbandits.kernels import kernel
from dpbandits.mechanisms.counters import hybrid_feed, new_counters
from dpbandits.randomness import top_k

LOG_OF = ("guarded-count", "count", "horizon")
CREDIT = ("position", "whole-list")
GUARDED_COUNT, COUNT = 0, 1
WHOLE_LIST = 1


@kernel
def noise_growth(pulls, horizon, log_of):
    """g in the bonus 3 c₁ L g ln t/(ε T): ln^1.5 of max(T, e) (guarded-count), of T (count) or of the horizon."""
    log = math.log(horizon) if log_of > COUNT else math.log(pulls)
    if log_of == GUARDED_COUNT:
        log = max(1.0, log)
    return log * math.sqrt(log)


@kernel
def observe_noisily(estimates, drift, item, entry, noise, growth):
    """One more entry of `item`'s stream, whose counter now adds `noise` to the sum; drift = g(T)/T."""
    estimates.pulls[item] += 1
    pulls = estimates.pulls[item]
    estimates.total[item] += entry
    estimates.mean[item] = (estimates.total[item] + noise) / pulls
    estimates.width[item] = 1.0 / math.sqrt(pulls)
    drift[item] = growth / pulls


@kernel
def cascade_dp(
    attraction,
    list_size,
    horizon,
    checkpoints,
    streams,
    epsilon,
    log_of,
    credit,
    noise_multiplier,
    bonus_multiplier,
    private_init,
):
    """Algorithm 1 of both papers: a hybrid counter for each of the L items, at ε/L each; the list is the top K of

        U(e) = w̃(e) + sqrt(1.5 ln t / T(e)) + 3 c₁ L g ln t / (ε T(e)),  w̃ = (the counter's noisy sum)/T(e),  c₁ = 1.

    w_0 is the first entry of every counter; private_init=False leaves its noise out of the estimate until the item is
    observed again (both papers print ŵ_1 <- w_0, and so w_0 is public). log_of: what g = ln^1.5(·) looks at: "count" is
    T(e), as the short paper prints it (g = 0 at T = 1); "guarded-count" the same with g >= 1; "horizon" the long
    paper's T. credit: what the observed position k puts into its counter: 1{C = k} ("position", the long paper's w_t)
    or 1{C <= K} ("whole-list", the short paper's 1{H = C}). bonus_multiplier scales the last term, noise_multiplier the
    noise. Other arguments and the result as `cascade_ucb1`. With "horizon" a longer run does not continue a shorter
    one.
    """
    items = number_of_items(attraction)
    estimates, drift, counters = (
        first_observation(attraction, streams.environment),
        np.empty(items),
        new_counters(items, horizon + 1),
    )
    sensitivity, bonus = noise_multiplier * items, bonus_multiplier * 3.0 * items / epsilon
    for item in range(items):
        noise = hybrid_feed(counters, item, sensitivity, epsilon, streams.noise)
        estimates.mean[item] += noise if private_init else 0.0
        drift[item] = noise_growth(1, horizon, log_of)
    index, chosen = np.empty(items), np.empty(list_size, np.int64)
    best, lost = best_reward(attraction, list_size), 0.0
    regret, c = np.empty(checkpoints.size), 0
    for t in range(1, horizon + 1):
        log_t = math.log(t)
        root = math.sqrt(1.5 * log_t)
        for item in range(items):
            index[item] = estimates.mean[item] + root * estimates.width[item] + bonus * log_t * drift[item]
        top_k(index, chosen, streams.policy)
        position = click(chosen, t, attraction, streams.environment)
        for k in range(min(position, list_size)):
            entry = position <= list_size if credit == WHOLE_LIST else position == k + 1
            noise = hybrid_feed(counters, chosen[k], sensitivity, epsilon, streams.noise)
            growth = noise_growth(estimates.pulls[chosen[k]] + 1, horizon, log_of)
            observe_noisily(estimates, drift, chosen[k], entry, noise, growth)
        lost += round_regret(best, chosen, position, attraction)
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, estimates.pulls


@kernel
def cascade_dp_first(attraction, list_size, horizon, checkpoints, streams, epsilon, noise_multiplier, bonus_multiplier):
    """The repair: only the first position's click is used, so a user touches one entry of one stream, at the full ε:

        U(e) = w̃(e) + sqrt(1.5 ln t / T(e)) + 3 c₁ g(T(e)) ln t / (ε T(e)),  g(T) = max(1, ln T)^1.5,  c₁ = 1.

    The least-observed item of the top K goes to the front. There is no w_0: T(e) counts how often e stood first, and an
    item that never did ranks before all others. So T(e) is known from the lists alone, every list is computed from
    earlier lists and counters' releases, and the lists are ε-private. Arguments and result as `cascade_dp`.
    """
    items = number_of_items(attraction)
    estimates, drift, counters = nothing_observed(items), np.full(items, np.inf), new_counters(items, horizon)
    bonus = bonus_multiplier * 3.0 / epsilon
    index, chosen = np.empty(items), np.empty(list_size, np.int64)
    best, lost = best_reward(attraction, list_size), 0.0
    regret, c = np.empty(checkpoints.size), 0
    for t in range(1, horizon + 1):
        log_t = math.log(t)
        root = math.sqrt(1.5 * log_t)
        for item in range(items):
            if estimates.pulls[item] == 0:
                index[item] = np.inf
            else:
                index[item] = estimates.mean[item] + root * estimates.width[item] + bonus * log_t * drift[item]
        top_k(index, chosen, streams.policy)
        least_observed_first(chosen, estimates.pulls, streams.policy)
        position = click(chosen, t, attraction, streams.environment)
        noise = hybrid_feed(counters, chosen[0], noise_multiplier, epsilon, streams.noise)
        growth = noise_growth(estimates.pulls[chosen[0]] + 1, horizon, GUARDED_COUNT)
        observe_noisily(estimates, drift, chosen[0], position == 1, noise, growth)
        lost += round_regret(best, chosen, position, attraction)
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, estimates.pulls
