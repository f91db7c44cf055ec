"""DP-FTPL-Beta by thinning."""

import math

import numpy as np

from dpbandits.algorithms.stochastic.bookkeeping import regret_of, zeros
from dpbandits.algorithms.stochastic.fast.gauss import normal_threshold
from dpbandits.algorithms.stochastic.fast.incomplete_beta import beta_kernel, upper_tail
from dpbandits.algorithms.stochastic.fast.thinning import drifted, empty_rates, hit_arms, set_rate, target_sum
from dpbandits.algorithms.stochastic.perturbed_leader import IN_ORDER, start_phase
from dpbandits.kernels import kernel
from dpbandits.mechanisms.perturbations import needed_beta
from dpbandits.randomness import position_of

REFRESH = 1024  # pulls of an arm after which its tail is computed afresh, so that rounding does not pile up


@kernel
def beta_above(rng, c, a, b, upper):
    """Beta(a, b), given that it exceeds c; upper = P(it does), a, b > 1.

    The density is log-concave: beyond c it lies below the exponential that touches it there, which gives exact
    rejection wherever it falls at c. Where a quarter of the law or more lies beyond c, plain rejection does.
    """
    slope = (b - 1.0) / (1.0 - c) - (a - 1.0) / c
    if upper > 0.25 or slope <= 0.0:
        x = rng.beta(a, b)
        while x <= c:
            x = rng.beta(a, b)
        return x
    while True:
        step = rng.standard_exponential() / slope
        if c + step < 1.0:
            log = (a - 1.0) * math.log1p(step / c) + (b - 1.0) * math.log1p(-step / (1.0 - c)) + slope * step
            if rng.standard_exponential() >= -log:
                return c + step


@kernel
def beta_below(rng, c, a, b, upper):
    """Beta(a, b), given that it does not exceed c; upper = P(it exceeds c)."""
    return 1.0 - beta_above(rng, 1.0 - c, b, a, 1.0 - upper)


@kernel
def one_more(c, a, b, height, upper, success):
    """(a, b, beta_kernel, P(Beta > c)) after a (success) or b has grown by one: I_c(a+1, b) = I_c(a, b) − height/a
    (DLMF 8.17.20).
    """
    if success:
        return a + 1.0, b, height * c * (a + b) / a, upper + height / a
    return a, b + 1.0, height * (1.0 - c) * (a + b) / b, upper - height / b


@kernel
def beta_rate(upper):
    """−ln P(θ <= c) from P(θ > c), which rounding may put just outside [0, 1]."""
    return -math.log1p(-max(upper, 0.0)) if upper < 1.0 else math.inf


@kernel
def dp_ftpl_beta(means, horizon, checkpoints, streams, epsilon, delta):
    """DP-FTPL-Beta (Wang & Zhu 2024, Algorithm 2) by thinning; arguments, result and law as for the readable kernel."""
    arms = means.size
    pulls, total = zeros(arms)
    regret, theta, hit = np.empty(checkpoints.size), np.empty(arms), np.empty(arms, np.int64)
    played, c = start_phase(
        means, horizon, checkpoints, streams, needed_beta(epsilon, delta), IN_ORDER, regret, pulls, total
    )
    extra = pulls // 8 + 1
    a, b = total + 1.0 + extra, pulls - total + 1.0 + extra
    height, upper = np.zeros(arms), np.zeros(arms)
    rates, blocks = empty_rates(arms)
    target = target_sum(arms)
    threshold, chosen, now, count = 0.5, 1.0, 0.0, 0
    for t in range(played + 1, horizon + 1):
        if drifted(now, chosen, count):
            # any threshold from the past is exact, so the normal law with the same mean and variance may choose it
            threshold = normal_threshold(a / (a + b), np.sqrt(a * b / (a + b + 1.0)) / (a + b), target)
            threshold = min(max(threshold, 1e-6), 1.0 - 1e-6)
            for i in range(arms):
                height[i] = beta_kernel(threshold, a[i], b[i])
                upper[i] = upper_tail(threshold, a[i], b[i], height[i])
                set_rate(i, beta_rate(upper[i]), rates, blocks)
            chosen = blocks.sum()
        count = hit_arms(streams.noise, rates, blocks, hit)
        top = -np.inf
        if count == 1:
            arm = hit[0]
        elif count == 0:
            for i in range(arms):
                theta[i] = beta_below(streams.noise, threshold, a[i], b[i], upper[i])
                top = max(top, theta[i])
            arm = position_of(top, theta, streams.policy)
        else:
            for j in range(count):
                i = hit[j]
                theta[j] = beta_above(streams.noise, threshold, a[i], b[i], upper[i])
                top = max(top, theta[j])
            arm = hit[position_of(top, theta[:count], streams.policy)]
        success = streams.environment.random() < means[arm]
        total[arm] += success
        pulls[arm] += 1
        x, y, h, u = one_more(threshold, a[arm], b[arm], height[arm], upper[arm], success)
        if pulls[arm] % 8 == 0:  # k grows: one more on both sides
            x, y, h, u = one_more(threshold, x, y, h, u, True)
            x, y, h, u = one_more(threshold, x, y, h, u, False)
        if pulls[arm] % REFRESH == 0 or h < 1e-200:  # a height that has underflowed would stay 0
            h = beta_kernel(threshold, x, y)
            u = upper_tail(threshold, x, y, h)
        a[arm], b[arm], height[arm], upper[arm] = x, y, h, u
        set_rate(arm, beta_rate(u), rates, blocks)
        now = blocks.sum()
        if t == checkpoints[c]:
            regret[c] = regret_of(pulls, means)
            c += 1
    return regret, pulls
