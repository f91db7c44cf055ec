"""The divergence d_ε under global privacy (Azize et al. 2025) and the upper confidence bound that inverts it, for
Bernoulli arms.

d_ε(p, q) = inf over r of ε·TV(p, r) + kl(r, q), with r between p and q. It is what one pull of an arm of mean p tells
an ε-private policy against mean q: at most kl(p, q), at most ε·|p − q|, and less than both in between. For p < q the
slope in r is

    ε + ln[r(1 − q)/((1 − r) q)],  zero at r* = q e^−ε/(1 − q + q e^−ε),

so the infimum is at r = p where p >= r* (d_ε = kl), and else at r*: d_ε(p, q) = −εp − ln(1 − q + q e^−ε).
"""

import math

from dpbandits.algorithms.kl import kl, kl_upper_order
from dpbandits.kernels import kernel


@kernel
def private_kl(p, q, epsilon):
    """d_ε(p, q) in nats for 0 <= p <= q <= 1 and ε > 0. Finite always: d_ε(p, 1) = ε(1 − p)."""
    if q >= 1.0:
        return epsilon * (1.0 - p)
    rest = 1.0 - q + q * math.exp(-epsilon)
    if p * rest >= q * math.exp(-epsilon):
        return kl(p, q)
    return -epsilon * p - math.log(rest)


@kernel
def private_kl_upper_order(p, bound, epsilon):
    """u = −ln(1 − q) for q = max{q in [p, 1] : d_ε(p, q) <= bound}: the same order as q, without its rounding to 1.

    p in [0, 1], bound >= 0. u is infinite from bound = ε(1 − p) = d_ε(p, 1) on. As q grows from p, d_ε is kl up to the
    q at which r* = p, where it is ln(1 − p + p e^ε) − εp; from there on it is the logarithm above, which is solved by
    hand: 1 − q = (e^−(εp + bound) − e^−ε)/(1 − e^−ε).
    """
    left = epsilon * (1.0 - p) - bound
    if left <= 0.0:
        return math.inf
    if bound <= epsilon * (1.0 - p) + math.log(p + (1.0 - p) * math.exp(-epsilon)):
        return kl_upper_order(p, bound)
    return epsilon * p + bound + math.log(-math.expm1(-epsilon)) - math.log(-math.expm1(-left))
