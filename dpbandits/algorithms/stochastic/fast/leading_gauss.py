"""DP-FTPL-Gauss by jumps over the rounds that a leader wins (leading.py); with many arms by thinning (gauss.py)."""

import math

import numpy as np

from dpbandits.algorithms.stochastic.bookkeeping import regret_of, zeros
from dpbandits.algorithms.stochastic.fast import gauss
from dpbandits.algorithms.stochastic.fast.gauss import normal_above, normal_below, normal_rate
from dpbandits.algorithms.stochastic.fast.leading import (
    GROWTH,
    LEAST,
    MANY,
    NOBODY,
    POINTS,
    RATIO,
    STEPS,
    hit_others,
    patience,
    play_leader,
    walking,
)
from dpbandits.algorithms.stochastic.perturbed_leader import start_phase
from dpbandits.kernels import kernel
from dpbandits.mechanisms.perturbations import needed_gauss
from dpbandits.randomness import position_of


@kernel
def leader_rate(ahead, pulls):
    """At least −ln P(θ > c) of an arm with D = R − cN >= `ahead` and at most GROWTH · `pulls` pulls: θ is D/sqrt(2N)
    deviations above.
    """
    return normal_rate(ahead / math.sqrt(2.0 * (GROWTH * pulls if ahead > 0.0 else pulls)))


@kernel
def fill_rates(rates, leader, mean, deviation, threshold):
    """λ_i of all but the leader; its own entry is 0. Returns their sum."""
    total = 0.0
    for i in range(rates.size):
        rates[i] = 0.0 if i == leader else normal_rate((threshold - mean[i]) / deviation[i])
        total += rates[i]
    return total


@kernel
def rate_at(threshold, rates, leader, mean, deviation, pulls, margin):
    """h at this threshold, for a level `margin` below D."""
    others = fill_rates(rates, leader, mean, deviation, threshold)
    return others + leader_rate((mean[leader] - threshold) * pulls[leader] - margin, pulls[leader])


@kernel
def best_threshold(rates, leader, mean, deviation, pulls, margin):
    """(c, h) with about the least h: it is convex in c, as normal laws are log-concave."""
    low = mean[leader] - margin / pulls[leader] - 8.0 * deviation[leader]
    high = mean[leader]
    left, right = high - RATIO * (high - low), low + RATIO * (high - low)
    at_left = rate_at(left, rates, leader, mean, deviation, pulls, margin)
    at_right = rate_at(right, rates, leader, mean, deviation, pulls, margin)
    for _ in range(STEPS):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - RATIO * (high - low)
            at_left = rate_at(left, rates, leader, mean, deviation, pulls, margin)
        else:
            low, left, at_left = left, right, at_right
            right = low + RATIO * (high - low)
            at_right = rate_at(right, rates, leader, mean, deviation, pulls, margin)
    return (left, at_left) if at_left <= at_right else (right, at_right)


@kernel
def dp_ftpl_gauss(means, horizon, checkpoints, streams, epsilon, delta, start):
    """DP-FTPL-Gauss (Wang & Zhu 2024, Algorithm 1) by jumps; arguments, result and law as for the readable kernel."""
    if means.size >= MANY:
        return gauss.dp_ftpl_gauss(means, horizon, checkpoints, streams, epsilon, delta, start)
    arms = means.size
    pulls, total = zeros(arms)
    regret, theta, rates, hit = np.empty(checkpoints.size), np.empty(arms), np.empty(arms), np.empty(arms, np.int64)
    t, c = start_phase(means, horizon, checkpoints, streams, needed_gauss(epsilon, delta), start, regret, pulls, total)
    mean, deviation = total / np.maximum(pulls, 1), np.sqrt(2.0 / np.maximum(pulls, 1))
    environment, noise = streams.environment, streams.noise
    one_by_one, points, leader, most = 0, 0, 0, 0
    threshold, margin, level, others, own, chosen = 0.0, 8.0, 0.0, 0.0, 0.0, 0.0
    while t < horizon:
        if one_by_one > 0:
            one_by_one -= 1
            top = -np.inf
            for i in range(arms):
                theta[i] = mean[i] + deviation[i] * noise.standard_normal()
                top = max(top, theta[i])
            arm = position_of(top, theta, streams.policy)
            total[arm] += environment.random() < means[arm]
            pulls[arm] += 1
            mean[arm], deviation[arm] = total[arm] / pulls[arm], math.sqrt(2.0 / pulls[arm])
            t += 1
            if t == checkpoints[c]:
                regret[c] = regret_of(pulls, means)
                c += 1
            continue
        if points == 0:  # a new leader and threshold
            leader = np.argmax(mean)
            before, chosen = margin, np.inf
            for tried in (max(LEAST, 0.5 * before), before, 2.0 * before):
                place, rate = best_threshold(rates, leader, mean, deviation, pulls, tried)
                if rate + walking(tried) < chosen:
                    threshold, margin, chosen = place, tried, rate + walking(tried)
            if not chosen < NOBODY:
                one_by_one = patience(t)
                continue
            others, points, most = (
                fill_rates(rates, leader, mean, deviation, threshold),
                POINTS,
                int(GROWTH * pulls[leader]),
            )
            level = (mean[leader] - threshold) * pulls[leader] - margin
            own = leader_rate(level, pulls[leader])
        way, point = noise.standard_exponential() / max(others + own, 1e-300), True
        while way >= 1.0:  # quiet rounds
            ahead = (mean[leader] - threshold) * pulls[leader]
            rounds = int(max(1.0, min(way, (ahead - level) / max(threshold, 1e-3))))
            rounds = min(rounds, horizon - t, most - pulls[leader] + 1)
            c = play_leader(leader, rounds, t, means, checkpoints, c, regret, pulls, total, environment)
            mean[leader], deviation[leader] = total[leader] / pulls[leader], math.sqrt(2.0 / pulls[leader])
            t, way = t + rounds, way - rounds
            if t == horizon:
                point = False
                break
            ahead = (mean[leader] - threshold) * pulls[leader]
            if ahead < level or pulls[leader] > most:
                point, level = False, ahead - margin
                own = leader_rate(level, pulls[leader])
                points = 0 if pulls[leader] > most or others + own > 1.5 * chosen else points - 1
                break
        if not point:
            continue
        points -= 1
        count, rest = hit_others(noise, way * (others + own), rates, hit)
        z = (threshold - mean[leader]) / deviation[leader]
        below = rest < own and noise.random() * -math.expm1(-own) < -math.expm1(-normal_rate(-z))
        arm, top = leader, -np.inf
        if count == 1 and below:
            arm = hit[0]
        elif count == 0 and below:
            for i in range(arms):
                value = mean[i] + deviation[i] * normal_below(noise, (threshold - mean[i]) / deviation[i])
                if value > top:
                    top, arm = value, i
        elif count > 0:
            for j in range(count):
                i = hit[j]
                value = mean[i] + deviation[i] * normal_above(noise, (threshold - mean[i]) / deviation[i])
                if value > top:
                    top, arm = value, i
            if not below and mean[leader] + deviation[leader] * normal_above(noise, z) > top:
                arm = leader
        total[arm] += environment.random() < means[arm]
        pulls[arm] += 1
        mean[arm], deviation[arm] = total[arm] / pulls[arm], math.sqrt(2.0 / pulls[arm])
        t += 1
        if t == checkpoints[c]:
            regret[c] = regret_of(pulls, means)
            c += 1
        if arm != leader:
            rates[arm] = normal_rate((threshold - mean[arm]) / deviation[arm])
            others = rates.sum()
        elif (mean[leader] - threshold) * pulls[leader] < level or pulls[leader] > most:
            points = 0
    return regret, pulls
