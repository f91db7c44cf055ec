"""Elimination in phases: every phase plays fresh rounds, releases one noisy mean for each arm, and forgets them.

A phase's rewards are Binomial, so a phase costs one draw for each arm, whatever its length. A phase that the horizon
cuts short releases nothing.
"""

import math

import numpy as np

from dpbandits.algorithms.stochastic.bookkeeping import record_block
from dpbandits.kernels import kernel
from dpbandits.mechanisms.perturbations import two_sided_exponential, two_sided_reach, two_sided_width
from dpbandits.randomness import argmax, laplace


@kernel
def play(arm, length, gap, horizon, checkpoints, state, regret, pulls):
    """Spend `length` rounds on `arm`, cut at the horizon.

    state: (rounds played, checkpoints filled, regret so far); the new one is returned. regret, pulls: written in place.
    """
    played, c, lost = state
    length = min(length, horizon - played)
    c = record_block(regret, checkpoints, c, played, length, lost, gap)
    pulls[arm] += length
    return played + length, c, lost + length * gap


@kernel
def dp_se_epoch(epoch, active, horizon, epsilon):
    """(R_e, radius 2h + 2c) of DP-SE's epoch e with |S| = `active` arms left; R_e is capped just above the horizon."""
    a = math.log(8.0 * active * epoch**2 * horizon)
    b = math.log(4.0 * active * epoch**2 * horizon)
    step = 2.0**-epoch
    length = int(min(float(horizon), max(32.0 * a / step**2, 8.0 * b / (epsilon * step)))) + 1
    return length, 2.0 * math.sqrt(a / (2.0 * length)) + 2.0 * b / (epsilon * length)


@kernel
def dp_se(means, horizon, checkpoints, streams, epsilon):
    """DP-SE (Sajed & Sheffet 2019, Algorithm 2): successive elimination, in epochs e = 1, 2, … of the active arms S.

    With Δ_e = 2^−e, β = 1/T, a = ln(8|S|e²/β), b = ln(4|S|e²/β): R_e = ⌊max(32 a/Δ_e², 8 b/(ε Δ_e))⌋ + 1 rounds on each
    arm of S, then m̃_i = mean of the epoch + Lap(1/(ε R_e)); an arm goes when max m̃ − m̃_i > 2h + 2c, where
    h = sqrt(a/(2 R_e)), c = b/(ε R_e). The last arm is played to the end.
    The paper leaves the order inside an epoch open; here S is played arm by arm, in the given order.
    means: shape (arms,), in [0, 1]. checkpoints: increasing rounds, the last is the horizon.
    Returns (regret at the checkpoints, pulls).
    """
    arms = means.size
    gaps = means.max() - means
    pulls, regret, state = np.zeros(arms, np.int64), np.empty(checkpoints.size), (0, 0, 0.0)
    active, epoch = np.arange(arms), 0
    while active.size > 1:
        epoch += 1
        length, radius = dp_se_epoch(epoch, active.size, horizon, epsilon)
        finished = length * active.size <= horizon - state[0]
        for arm in active:
            state = play(arm, length, gaps[arm], horizon, checkpoints, state, regret, pulls)
        if not finished:
            return regret, pulls
        noisy = np.empty(active.size)
        for j, arm in enumerate(active):
            noisy[j] = streams.environment.binomial(length, means[arm]) / length + laplace(
                streams.noise, 1.0 / (epsilon * length)
            )
        active = active[noisy.max() - noisy <= radius]
    play(active[0], horizon, gaps[active[0]], horizon, checkpoints, state, regret, pulls)
    return regret, pulls


@kernel
def gdp_elim_phase(step, horizon, epsilon, delta):
    """N(k) of GDP-Elim-New for Δ_k = `step`, at least 1, capped at the horizon."""
    width = two_sided_width(epsilon, delta / 2.0, float(horizon) ** 2)
    return math.ceil(min(float(horizon), max(1.0, 32.0 * math.log(horizon) / step**2, 4.0 * width / step)))


@kernel
def gdp_elim_new(means, horizon, checkpoints, streams, epsilon, delta):
    """GDP-Elim-New (Wang & Zhu 2024, Algorithm 4): all arms in every phase k = 1, 2, … until one is clearly on top.

    With Δ_k = 2^−k every arm is played N(k) = ⌈max(32 ln T/Δ_k², (4/(Δ_k ε)) ln[(T²(e^ε−1) + T²δ)/(2(e^ε−1) + T²δ)])⌉
    rounds; θ_i follows Lemma 15's law for (ε, δ/2) and N(k), about the phase's own mean. When the largest θ leads by at
    least Δ_k, its arm is played to the end. The paper leaves the order inside a phase open; here it is arm by arm, in
    the given order. Arguments and result as for dp_se.
    """
    arms = means.size
    gaps = means.max() - means
    pulls, regret, state = np.zeros(arms, np.int64), np.empty(checkpoints.size), (0, 0, 0.0)
    reach, theta, step = two_sided_reach(epsilon, delta / 2.0), np.empty(arms), 1.0
    while True:
        step *= 0.5
        length = gdp_elim_phase(step, horizon, epsilon, delta)
        finished = length * arms <= horizon - state[0]
        for arm in range(arms):
            state = play(arm, length, gaps[arm], horizon, checkpoints, state, regret, pulls)
        if not finished:
            return regret, pulls
        for arm in range(arms):
            total = streams.environment.binomial(length, means[arm])
            theta[arm] = (total + two_sided_exponential(streams.noise, epsilon, reach)) / length
        top = argmax(theta, streams.policy)
        lead = theta[top]
        theta[top] = -np.inf
        if lead - theta.max() >= step:
            play(top, horizon, gaps[top], horizon, checkpoints, state, regret, pulls)
            return regret, pulls
