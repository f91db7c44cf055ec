"""DP-FTPL-New by jumps over the rounds that a leader wins (leading.py); with many arms by thinning (new.py)."""

import math

import numpy as np

from dpbandits.algorithms.stochastic.bookkeeping import regret_of, zeros
from dpbandits.algorithms.stochastic.fast import new
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
from dpbandits.algorithms.stochastic.fast.new import new_above, new_below, new_rate
from dpbandits.algorithms.stochastic.perturbed_leader import IN_ORDER, start_phase
from dpbandits.kernels import kernel
from dpbandits.mechanisms.perturbations import two_sided_exponential, two_sided_reach, two_sided_width
from dpbandits.randomness import position_of


@kernel
def fill_rates(rates, leader, centre, pulls, threshold, epsilon, reach):
    """λ_i of all but the leader; its own entry is 0. Returns their sum."""
    total = 0.0
    for i in range(rates.size):
        rates[i] = 0.0 if i == leader else new_rate((threshold - centre[i]) * pulls[i], epsilon, reach)
        total += rates[i]
    return total


@kernel
def rate_at(threshold, rates, leader, centre, pulls, margin, epsilon, reach):
    """h at this threshold, for a level `margin` below D = N(centre − c). Leader: P(θ > c) = P(Y > −D) = P(Y <= D)."""
    others = fill_rates(rates, leader, centre, pulls, threshold, epsilon, reach)
    return others + new_rate((centre[leader] - threshold) * pulls[leader] - margin, epsilon, reach)


@kernel
def best_threshold(rates, leader, centre, pulls, margin, epsilon, reach, spread):
    """(c, h) with about the least h, convex in c as Lemma 15's law is log-concave. |Y| hardly ever exceeds `spread`."""
    low = centre[leader] - (margin + spread) / pulls[leader]
    high = centre[leader]
    left, right = high - RATIO * (high - low), low + RATIO * (high - low)
    at_left = rate_at(left, rates, leader, centre, pulls, margin, epsilon, reach)
    at_right = rate_at(right, rates, leader, centre, pulls, margin, epsilon, reach)
    for _ in range(STEPS):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - RATIO * (high - low)
            at_left = rate_at(left, rates, leader, centre, pulls, margin, epsilon, reach)
        else:
            low, left, at_left = left, right, at_right
            right = low + RATIO * (high - low)
            at_right = rate_at(right, rates, leader, centre, pulls, margin, epsilon, reach)
    return (left, at_left) if at_left <= at_right else (right, at_right)


@kernel
def dp_ftpl_new(means, horizon, checkpoints, streams, epsilon, delta):
    """DP-FTPL-New (Wang & Zhu 2024, Algorithm 3) by jumps; arguments, result and law as for the readable kernel."""
    if means.size >= MANY:
        return new.dp_ftpl_new(means, horizon, checkpoints, streams, epsilon, delta)
    arms = means.size
    pulls, total = zeros(arms)
    regret, theta, rates, hit = np.empty(checkpoints.size), np.empty(arms), np.empty(arms), np.empty(arms, np.int64)
    reach, width = two_sided_reach(epsilon, delta), two_sided_width(epsilon, delta, float(horizon))
    spread, root = two_sided_width(epsilon, delta, 1e8), math.sqrt(math.log(horizon))
    t, c = start_phase(means, horizon, checkpoints, streams, 1.0, IN_ORDER, regret, pulls, total)
    inverse = 1.0 / np.maximum(pulls, 1)
    centre = (total + width) * inverse + root * np.sqrt(inverse)
    environment, noise = streams.environment, streams.noise
    one_by_one, points, leader, most = 0, 0, 0, 0
    threshold, margin, level, others, own, chosen = 0.0, 8.0, 0.0, 0.0, 0.0, 0.0
    while t < horizon:
        if one_by_one > 0:
            one_by_one -= 1
            top = -np.inf
            for i in range(arms):
                theta[i] = centre[i] + inverse[i] * two_sided_exponential(noise, epsilon, reach)
                top = max(top, theta[i])
            arm = position_of(top, theta, streams.policy)
            total[arm] += environment.random() < means[arm]
            pulls[arm] += 1
            inverse[arm] = 1.0 / pulls[arm]
            centre[arm] = (total[arm] + width) * inverse[arm] + root * math.sqrt(inverse[arm])
            t += 1
            if t == checkpoints[c]:
                regret[c] = regret_of(pulls, means)
                c += 1
            continue
        if points == 0:  # a new leader and threshold
            leader = np.argmax(pulls)
            before, chosen = margin, np.inf
            for tried in (max(LEAST, 0.5 * before), before, 2.0 * before):
                place, rate = best_threshold(rates, leader, centre, pulls, tried, epsilon, reach, spread)
                if rate + walking(tried) < chosen:
                    threshold, margin, chosen = place, tried, rate + walking(tried)
            if not chosen < NOBODY:
                one_by_one = patience(t)
                continue
            others, points, most = (
                fill_rates(rates, leader, centre, pulls, threshold, epsilon, reach),
                POINTS,
                int(GROWTH * pulls[leader]),
            )
            level = (centre[leader] - threshold) * pulls[leader] - margin
            own = new_rate(level, epsilon, reach)
        way, point = noise.standard_exponential() / max(others + own, 1e-300), True
        while way >= 1.0:  # quiet rounds
            ahead = (centre[leader] - threshold) * pulls[leader]
            rounds = int(max(1.0, min(way, (ahead - level) / max(threshold, 1e-3))))
            rounds = min(rounds, horizon - t, most - pulls[leader] + 1)
            c = play_leader(leader, rounds, t, means, checkpoints, c, regret, pulls, total, environment)
            inverse[leader] = 1.0 / pulls[leader]
            centre[leader] = (total[leader] + width) * inverse[leader] + root * math.sqrt(inverse[leader])
            t, way = t + rounds, way - rounds
            if t == horizon:
                point = False
                break
            ahead = (centre[leader] - threshold) * pulls[leader]
            if ahead < level or pulls[leader] > most:
                point, level = False, ahead - margin
                own = new_rate(level, epsilon, reach)
                points = 0 if pulls[leader] > most or others + own > 1.5 * chosen else points - 1
                break
        if not point:
            continue
        points -= 1
        count, rest = hit_others(noise, way * (others + own), rates, hit)
        y = (threshold - centre[leader]) * pulls[leader]
        below = rest < own and noise.random() * -math.expm1(-own) < -math.expm1(-new_rate(-y, epsilon, reach))
        arm, top = leader, -np.inf
        if count == 1 and below:
            arm = hit[0]
        elif count == 0 and below:
            for i in range(arms):
                value = centre[i] + inverse[i] * new_below(noise, (threshold - centre[i]) * pulls[i], epsilon, reach)
                if value > top:
                    top, arm = value, i
        elif count > 0:
            for j in range(count):
                i = hit[j]
                value = centre[i] + inverse[i] * new_above(noise, (threshold - centre[i]) * pulls[i], epsilon, reach)
                if value > top:
                    top, arm = value, i
            if not below and centre[leader] + inverse[leader] * new_above(noise, y, epsilon, reach) > top:
                arm = leader
        total[arm] += environment.random() < means[arm]
        pulls[arm] += 1
        inverse[arm] = 1.0 / pulls[arm]
        centre[arm] = (total[arm] + width) * inverse[arm] + root * math.sqrt(inverse[arm])
        t += 1
        if t == checkpoints[c]:
            regret[c] = regret_of(pulls, means)
            c += 1
        if arm != leader:
            rates[arm] = new_rate((threshold - centre[arm]) * pulls[arm], epsilon, reach)
            others = rates.sum()
        elif (centre[leader] - threshold) * pulls[leader] < level or pulls[leader] > most:
            points = 0
    return regret, pulls
