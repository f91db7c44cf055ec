"""The Bernoulli Kullback-Leibler divergence and the upper confidence bound that inverts it: what every KL-UCB index
needs.
"""

import math

from dpbandits.kernels import kernel


@kernel
def kl(p, q):
    """kl(p, q) = p ln(p/q) + (1 − p) ln((1 − p)/(1 − q)) for p, q in [0, 1], with 0 ln 0 = 0; may be infinite."""
    divergence = 0.0
    if p > 0.0:
        divergence += p * math.log(p / q) if q > 0.0 else math.inf
    if p < 1.0:
        divergence += (1.0 - p) * math.log((1.0 - p) / (1.0 - q)) if q < 1.0 else math.inf
    return divergence


@kernel
def kl_upper(p, bound):
    """max{q in [p, 1] : kl(p, q) <= bound}, for p in [0, 1] and bound >= 0. Absolute error below 1e-9, and 1e-12 where
    bound > 1e-9.

    Newton's method from a point on the right: kl is convex and rising there, so the steps only go left and cannot
    overshoot. The start is the smaller of two bounds on q: Pinsker's p + sqrt(bound/2), and the one from leaving out p
    ln(1/q) >= 0.
    """
    if p >= 1.0 or bound <= 0.0:
        return p
    entropy = p * math.log(p) if p > 0.0 else 0.0
    q = min(p + math.sqrt(bound / 2.0), 1.0 - (1.0 - p) * math.exp((entropy - bound) / (1.0 - p)))
    for _ in range(60):
        if q <= p or q >= 1.0:
            break
        step = (kl(p, q) - bound) * q * (1.0 - q) / (q - p)  # the derivative of kl in q is (q − p)/(q(1 − q))
        q -= step
        if step < 1e-13:
            break
    return min(max(q, p), 1.0)


@kernel
def kl_upper_order(p, bound):
    """u = −ln(1 − q) for q = kl_upper(p, bound): the same order, and infinite for q = 1 alone, where q itself may round
    to 1.

    With u for q, kl(p, q) <= bound reads (1 − p) u − p ln(1 − e^−u) <= bound + H(p), H the entropy in nats. The left
    side is convex in u and rises right of q = p, so Newton's method from the right, where p ln(1 − e^−u) is left out,
    cannot overshoot.
    """
    if p >= 1.0:
        return math.inf
    least = -math.log1p(-p)
    if bound <= 0.0:
        return least
    room = bound + (1.0 - p) * least - (p * math.log(p) if p > 0.0 else 0.0)
    u = room / (1.0 - p)
    for _ in range(60):
        rest = math.exp(-u)
        slope = 1.0 - p / (1.0 - rest)
        if u <= least or slope <= 0.0:
            break
        step = ((1.0 - p) * u - p * math.log1p(-rest) - room) / slope
        u -= step
        if step < 1e-13 * u:
            break
    return max(u, least)
