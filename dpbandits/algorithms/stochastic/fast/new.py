"""DP-FTPL-New by thinning. Y = N(θ − x₀) follows Lemma 15's law: density proportional to exp(−ε|y|) on |y| <= reach."""

import math

import numpy as np

from dpbandits.algorithms.stochastic.bookkeeping import regret_of, zeros
from dpbandits.algorithms.stochastic.fast.thinning import drifted, empty_rates, hit_arms, set_rate, target_sum
from dpbandits.algorithms.stochastic.perturbed_leader import IN_ORDER, start_phase
from dpbandits.kernels import kernel
from dpbandits.mechanisms.perturbations import two_sided_exponential, two_sided_reach, two_sided_width
from dpbandits.randomness import position_of


@kernel
def upper_tail(y, epsilon, reach):
    """P(Y > y) for 0 <= y <= reach: (e^{−εy} − e^{−ε·reach})/(2(1 − e^{−ε·reach})), for ε = 0 (reach − y)/(2 reach)."""
    if epsilon == 0.0:
        return 0.5 * (1.0 - y / reach)
    return 0.5 * math.exp(-epsilon * y) * math.expm1(-epsilon * (reach - y)) / math.expm1(-epsilon * reach)


@kernel
def new_rate(y, epsilon, reach):
    """−ln P(Y <= y)."""
    if y >= reach:
        return 0.0
    if y >= 0.0:
        return -math.log1p(-upper_tail(y, epsilon, reach))
    below = upper_tail(-y, epsilon, reach) if y > -reach else 0.0
    return -math.log(below) if below > 0.0 else math.inf


@kernel
def new_above(rng, y, epsilon, reach):
    """Y, given that it exceeds y < reach. Beyond a y >= 0 it is y plus an exponential cut at reach − y, drawn as in the
    law.
    """
    if y < 0.0:
        drawn = two_sided_exponential(rng, epsilon, reach)
        while drawn <= y:
            drawn = two_sided_exponential(rng, epsilon, reach)
        return drawn
    room = reach - y
    if epsilon * room > 1.0:
        size = rng.standard_exponential()
        while size > epsilon * room:
            size = rng.standard_exponential()
        return y + size / epsilon
    size = room * rng.random()
    while rng.standard_exponential() < epsilon * size:
        size = room * rng.random()
    return y + size


@kernel
def new_below(rng, y, epsilon, reach):
    """Y, given that it does not exceed y > −reach."""
    if y < 0.0:
        return -new_above(rng, -y, epsilon, reach)
    drawn = two_sided_exponential(rng, epsilon, reach)
    while drawn > y:
        drawn = two_sided_exponential(rng, epsilon, reach)
    return drawn


@kernel
def new_threshold(centre, pulls, epsilon, delta, reach, target):
    """A c with Σ −ln P(centre_i + Y_i/N_i <= c) within a tenth of `target` (by bisection)."""
    arms = centre.size
    # at `low` one arm alone has P(θ <= c) < exp(−2 target); at `high` every arm has P(θ > c) <= 1/(4 arms)
    low = (centre - two_sided_width(epsilon, delta, math.exp(2.0 * target)) / pulls).max()
    high = (centre + two_sided_width(epsilon, delta, 4.0 * arms) / pulls).max()
    c = 0.5 * (low + high)
    for _ in range(60):
        total = 0.0
        for i in range(arms):
            total += new_rate((c - centre[i]) * pulls[i], epsilon, reach)
        if total > 1.1 * target:
            low = c
        elif total < 0.9 * target:
            high = c
        else:
            break
        c = 0.5 * (low + high)
    return c


@kernel
def dp_ftpl_new(means, horizon, checkpoints, streams, epsilon, delta):
    """DP-FTPL-New (Wang & Zhu 2024, Algorithm 3) by thinning; arguments, result and law as for the readable kernel."""
    arms = means.size
    pulls, total = zeros(arms)
    regret, theta, hit = np.empty(checkpoints.size), np.empty(arms), np.empty(arms, np.int64)
    reach, width = two_sided_reach(epsilon, delta), two_sided_width(epsilon, delta, float(horizon))
    root = math.sqrt(math.log(horizon))
    played, c = start_phase(means, horizon, checkpoints, streams, 1.0, IN_ORDER, regret, pulls, total)
    inverse = 1.0 / np.maximum(pulls, 1)
    centre = (total + width) * inverse + root * np.sqrt(inverse)
    rates, blocks = empty_rates(arms)
    target = target_sum(arms)
    threshold, chosen, now, count = 0.0, 1.0, 0.0, 0
    for t in range(played + 1, horizon + 1):
        if drifted(now, chosen, count):
            threshold = new_threshold(centre, pulls, epsilon, delta, reach, target)
            for i in range(arms):
                set_rate(i, new_rate((threshold - centre[i]) * pulls[i], epsilon, reach), rates, blocks)
            chosen = blocks.sum()
        count = hit_arms(streams.noise, rates, blocks, hit)
        top = -np.inf
        if count == 1:
            arm = hit[0]
        elif count == 0:
            for i in range(arms):
                theta[i] = centre[i] + inverse[i] * new_below(
                    streams.noise, (threshold - centre[i]) * pulls[i], epsilon, reach
                )
                top = max(top, theta[i])
            arm = position_of(top, theta, streams.policy)
        else:
            for j in range(count):
                i = hit[j]
                theta[j] = centre[i] + inverse[i] * new_above(
                    streams.noise, (threshold - centre[i]) * pulls[i], epsilon, reach
                )
                top = max(top, theta[j])
            arm = hit[position_of(top, theta[:count], streams.policy)]
        total[arm] += streams.environment.random() < means[arm]
        pulls[arm] += 1
        inverse[arm] = 1.0 / pulls[arm]
        centre[arm] = (total[arm] + width) * inverse[arm] + root * math.sqrt(inverse[arm])
        set_rate(arm, new_rate((threshold - centre[arm]) * pulls[arm], epsilon, reach), rates, blocks)
        now = blocks.sum()
        if t == checkpoints[c]:
            regret[c] = regret_of(pulls, means)
            c += 1
    return regret, pulls
