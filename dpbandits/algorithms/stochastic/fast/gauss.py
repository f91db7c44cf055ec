"""DP-FTPL-Gauss by thinning."""

import math

import numpy as np

from dpbandits.algorithms.stochastic.bookkeeping import regret_of, zeros
from dpbandits.algorithms.stochastic.fast.thinning import drifted, empty_rates, hit_arms, set_rate, target_sum
from dpbandits.algorithms.stochastic.perturbed_leader import start_phase
from dpbandits.kernels import kernel
from dpbandits.mechanisms.perturbations import needed_gauss
from dpbandits.randomness import position_of

ROOT_HALF = math.sqrt(0.5)
REJECT_BELOW = 0.45  # up to here plain rejection is the cheaper tail sampler


@kernel
def normal_rate(z):
    """−ln Φ(z), accurate in both tails."""
    if z > 0.0:
        return -math.log1p(-0.5 * math.erfc(z * ROOT_HALF))
    below = 0.5 * math.erfc(-z * ROOT_HALF)
    return -math.log(below) if below > 0.0 else math.inf


@kernel
def normal_above(rng, z):
    """A standard normal, given that it exceeds z (Marsaglia 1964: density x·exp(−x²/2) beyond z, kept with probability
    z/x).
    """
    if z < REJECT_BELOW:
        x = rng.standard_normal()
        while x <= z:
            x = rng.standard_normal()
        return x
    x = math.sqrt(z * z + 2.0 * rng.standard_exponential())
    while rng.random() * x > z:
        x = math.sqrt(z * z + 2.0 * rng.standard_exponential())
    return x


@kernel
def normal_below(rng, z):
    """A standard normal, given that it does not exceed z."""
    if z <= -REJECT_BELOW:
        return -normal_above(rng, -z)
    x = rng.standard_normal()
    while x > z:
        x = rng.standard_normal()
    return x


@kernel
def normal_threshold(mean, deviation, target):
    """A c with Σ −ln P(N(mean_i, deviation_i²) <= c) within a tenth of `target` (by bisection)."""
    low, high = (mean - 8.0 * deviation).max(), (mean + 8.0 * deviation).max()  # Σλ > 30 and < arms·10⁻¹⁵
    c = 0.5 * (low + high)
    for _ in range(60):
        total = 0.0
        for i in range(mean.size):
            total += normal_rate((c - mean[i]) / deviation[i])
        if total > 1.1 * target:
            low = c
        elif total < 0.9 * target:
            high = c
        else:
            break
        c = 0.5 * (low + high)
    return c


@kernel
def dp_ftpl_gauss(means, horizon, checkpoints, streams, epsilon, delta, start):
    """DP-FTPL-Gauss (Wang & Zhu 2024, Algorithm 1) by thinning; arguments, result and law as for the readable
    kernel.
    """
    arms = means.size
    pulls, total = zeros(arms)
    regret, theta, hit = np.empty(checkpoints.size), np.empty(arms), np.empty(arms, np.int64)
    played, c = start_phase(
        means, horizon, checkpoints, streams, needed_gauss(epsilon, delta), start, regret, pulls, total
    )
    mean, deviation = total / np.maximum(pulls, 1), np.sqrt(2.0 / np.maximum(pulls, 1))
    rates, blocks = empty_rates(arms)
    target = target_sum(arms)
    threshold, chosen, now, count = 0.0, 1.0, 0.0, 0
    for t in range(played + 1, horizon + 1):
        if drifted(now, chosen, count):
            threshold = normal_threshold(mean, deviation, target)
            for i in range(arms):
                set_rate(i, normal_rate((threshold - mean[i]) / deviation[i]), rates, blocks)
            chosen = blocks.sum()
        count = hit_arms(streams.noise, rates, blocks, hit)
        top = -np.inf
        if count == 1:
            arm = hit[0]
        elif count == 0:
            for i in range(arms):
                theta[i] = mean[i] + deviation[i] * normal_below(streams.noise, (threshold - mean[i]) / deviation[i])
                top = max(top, theta[i])
            arm = position_of(top, theta, streams.policy)
        else:
            for j in range(count):
                i = hit[j]
                theta[j] = mean[i] + deviation[i] * normal_above(streams.noise, (threshold - mean[i]) / deviation[i])
                top = max(top, theta[j])
            arm = hit[position_of(top, theta[:count], streams.policy)]
        total[arm] += streams.environment.random() < means[arm]
        pulls[arm] += 1
        mean[arm], deviation[arm] = total[arm] / pulls[arm], math.sqrt(2.0 / pulls[arm])
        set_rate(arm, normal_rate((threshold - mean[arm]) / deviation[arm]), rates, blocks)
        now = blocks.sum()
        if t == checkpoints[c]:
            regret[c] = regret_of(pulls, means)
            c += 1
    return regret, pulls
