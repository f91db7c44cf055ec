"""Cascading bandits whose users add the noise themselves: local privacy, as printed and repaired.

All four keep the mean of noisy reports and play optimistically against both the clicks' and the noise's spread. The
first three are Wang et al. 2021's (arXiv), the fourth is ours. `noise_multiplier` scales the noise and
`bonus_multiplier` the part of the index that answers it; the paper's experiments run at 0.01 for both.
"""

import math

import numpy as np

from dpbandits.algorithms.cascade.estimates import first_observation, least_observed_first
from dpbandits.algorithms.estimates import nothing_observed, observe, optimistic
from dpbandits.environments.cascade import best_reward, click, number_of_items, round_regret
from dpbandits.kernels import kernel
from dpbandits.randomness import laplace, top_k

#: An index adds to scale b of the reports' Laplace noise b · LAPLACE_ANSWER · sqrt(ln t / T(e)).
LAPLACE_ANSWER = math.sqrt(24.0)


@kernel
def gauss_answer(log_t):
    """What an index adds to σ of the reports' Gaussian noise: σ · gauss_answer(ln t) / sqrt(T(e)), sqrt(2 ln(2t³))."""
    return math.sqrt(2.0 * (math.log(2.0) + 3.0 * log_t))


@kernel
def composed_scale(list_size, epsilon, delta):
    """Laplace scale sqrt(4K ln(e + ε/δ))/ε of each of K reports (Corollary 4.1 of Kairouz, Oh & Viswanath 2015)."""
    ratio = epsilon / delta
    log_ratio = math.log(math.e + ratio) if ratio < math.inf else math.log(epsilon) - math.log(delta)
    return math.sqrt(4.0 * list_size * log_ratio) / epsilon


@kernel
def gauss_sigma(list_size, epsilon, delta):
    """σ = sqrt(2K ln(1.25/δ))/ε: the classical Gaussian mechanism for K reports that may all change by 1."""
    return math.sqrt(2.0 * list_size * math.log(1.25 / delta)) / epsilon


@kernel
def cascade_ldp_laplace(
    attraction, list_size, horizon, checkpoints, streams, epsilon, noise_multiplier, bonus_multiplier, private_init
):
    """Algorithm 2: every observed position k sends 1{C = k} + Lap(K/ε), and the list is the top K of

        U(e) = ŵ(e) + sqrt(1.5 ln t / T(e)) + (K/ε) sqrt(24 ln t / T(e)).

    epsilon > 0. noise_multiplier, bonus_multiplier >= 0 (1 is the print). private_init: w_0 is noised like any report
    (False, the print: it is public). Other arguments and the result as `cascade_ucb1`.
    """
    scale = list_size / epsilon
    return _laplace_reports(
        attraction,
        list_size,
        horizon,
        checkpoints,
        streams,
        noise_multiplier * scale,
        bonus_multiplier * scale,
        private_init,
    )


@kernel
def cascade_ldp_composed(
    attraction,
    list_size,
    horizon,
    checkpoints,
    streams,
    epsilon,
    delta,
    noise_multiplier,
    bonus_multiplier,
    private_init,
):
    """Section 5.3: Laplace noise by the composition rule, b = sqrt(4K ln(e + ε/δ))/ε in place of K/ε; the top K of

        U(e) = ŵ(e) + sqrt(3 ln t / (2 T(e))) + (4/ε) sqrt(6 K ln(e + ε/δ) ln t / T(e)).

    That is `cascade_ldp_laplace` with another b, since b sqrt(24) = (4/ε) sqrt(6 K ln(e + ε/δ)). 0 < delta < 1; other
    arguments and the result as there.
    """
    scale = composed_scale(list_size, epsilon, delta)
    return _laplace_reports(
        attraction,
        list_size,
        horizon,
        checkpoints,
        streams,
        noise_multiplier * scale,
        bonus_multiplier * scale,
        private_init,
    )


@kernel
def _laplace_reports(attraction, list_size, horizon, checkpoints, streams, noise, bonus, private_init):
    """Reports 1{C = k} + Lap(noise), index ŵ + sqrt(1.5 ln t / T) + bonus · sqrt(24 ln t / T)."""
    estimates = first_observation(attraction, streams.environment)
    if private_init:
        for item in range(estimates.mean.size):
            estimates.total[item] += laplace(streams.noise, noise)
            estimates.mean[item] = estimates.total[item]
    spread = math.sqrt(1.5) + bonus * LAPLACE_ANSWER
    index, chosen = np.empty(number_of_items(attraction)), np.empty(list_size, np.int64)
    best, lost = best_reward(attraction, list_size), 0.0
    regret, c = np.empty(checkpoints.size), 0
    for t in range(1, horizon + 1):
        optimistic(index, estimates, spread * math.sqrt(math.log(t)))
        top_k(index, chosen, streams.policy)
        position = click(chosen, t, attraction, streams.environment)
        for k in range(min(position, list_size)):
            observe(estimates, chosen[k], (k + 1 == position) + laplace(streams.noise, noise))
        lost += round_regret(best, chosen, position, attraction)
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, estimates.pulls


@kernel
def cascade_ldp_gauss(
    attraction,
    list_size,
    horizon,
    checkpoints,
    streams,
    epsilon,
    delta,
    noise_multiplier,
    bonus_multiplier,
    private_init,
):
    """Algorithm 3: every observed position k sends 1{C = k} + N(0, σ²), σ = sqrt(2K ln(1.25/δ))/ε; the top K of

        U(e) = ŵ(e) + sqrt(1.5 ln t / T(e)) + σ sqrt(2 ln(2t³) / T(e)).

    0 < delta < 1; other arguments and the result as `cascade_ldp_laplace`.
    """
    sigma = gauss_sigma(list_size, epsilon, delta)
    noise, bonus = noise_multiplier * sigma, bonus_multiplier * sigma
    estimates = first_observation(attraction, streams.environment)
    if private_init:
        for item in range(estimates.mean.size):
            estimates.total[item] += noise * streams.noise.standard_normal()
            estimates.mean[item] = estimates.total[item]
    index, chosen = np.empty(number_of_items(attraction)), np.empty(list_size, np.int64)
    best, lost = best_reward(attraction, list_size), 0.0
    regret, c = np.empty(checkpoints.size), 0
    for t in range(1, horizon + 1):
        log_t = math.log(t)
        optimistic(index, estimates, math.sqrt(1.5 * log_t) + bonus * gauss_answer(log_t))
        top_k(index, chosen, streams.policy)
        position = click(chosen, t, attraction, streams.environment)
        for k in range(min(position, list_size)):
            observe(estimates, chosen[k], (k + 1 == position) + noise * streams.noise.standard_normal())
        lost += round_regret(best, chosen, position, attraction)
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, estimates.pulls


@kernel
def cascade_ldp_first(
    attraction, list_size, horizon, checkpoints, streams, epsilon, noise_multiplier, bonus_multiplier
):
    """The repair: every user sends one number, 1{C = 1} + Lap(1/ε), whatever they click. The list is the top K of

        U(e) = ŵ(e) + sqrt(1.5 ln t / T(e)) + (1/ε) sqrt(24 ln t / T(e)),

    with its least-observed item moved to the front (f does not depend on the order). There is no w_0: T(e) counts how
    often e stood first, and an item that never did ranks before all others. So T(e) is known from the lists alone, and
    the reports are ε-locally private. Arguments and result as `cascade_ldp_laplace`; T(e) without w_0.
    """
    noise, spread = noise_multiplier / epsilon, math.sqrt(1.5) + bonus_multiplier * LAPLACE_ANSWER / epsilon
    estimates = nothing_observed(number_of_items(attraction))
    index, chosen = np.empty(number_of_items(attraction)), np.empty(list_size, np.int64)
    best, lost = best_reward(attraction, list_size), 0.0
    regret, c = np.empty(checkpoints.size), 0
    for t in range(1, horizon + 1):
        optimistic(index, estimates, spread * math.sqrt(math.log(t)))
        top_k(index, chosen, streams.policy)
        least_observed_first(chosen, estimates.pulls, streams.policy)
        position = click(chosen, t, attraction, streams.environment)
        observe(estimates, chosen[0], (position == 1) + laplace(streams.noise, noise))
        lost += round_regret(best, chosen, position, attraction)
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, estimates.pulls
