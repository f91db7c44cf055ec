"""Two arms, a perturbed leader, and how much likelier its selections are under the rewards as they were than with
one flipped.

Both arms have mean 1/2. Each selection is drawn from its exact probabilities under the true history, and the
logarithm of its likelihood ratio to the history in which the very first reward of arm 0 is flipped is added up.
"""

import math

import numpy as np

from dpbandits.kernels import kernel


@kernel
def _tail(x):
    """P(N(0, 1) > x)."""
    return 0.5 * math.erfc(x / math.sqrt(2.0))


@kernel
def _laplace_tail(z, a, b):
    """P(X − Y > z) for Laplace X, Y of scales a, b: (a² e^{−z/a} − b² e^{−z/b})/(2(a² − b²)) for z >= 0, its limit
    at a = b.
    """
    if z < 0.0:
        return 1.0 - _laplace_tail(-z, a, b)
    if abs(a - b) < 1e-4 * (a + b):
        s = 0.5 * (a + b)
        return 0.5 * (1.0 + 0.5 * z / s) * math.exp(-z / s)
    return 0.5 * (a * a * math.exp(-z / a) - b * b * math.exp(-z / b)) / (a * a - b * b)


@kernel
def duel_losses(start, horizon, epsilon, checkpoints, rng):
    """Loss ln P/P′ of the selections up to each checkpoint, one run.

    epsilon: 0 for θ ~ N(m̂, 2/N), else Laplace(1/(εN)) about the centre of dp-ftpl-new at δ = 0, m̂ + sqrt(ln T/N)
    + ln(T/2)/(εN), T the horizon. start: pulls of both arms before the first draw, which depend on no reward.
    """
    pulls, total, flipped = np.full(2, float(start)), np.zeros(2), np.zeros(2)
    first = rng.random() < 0.5
    for arm in range(2):
        total[arm] = rng.binomial(start - (arm == 0), 0.5)
    flipped[:] = total
    total[0] += first
    flipped[0] += not first
    root = math.sqrt(math.log(horizon))
    loss, c, out = 0.0, 0, np.empty(checkpoints.size)
    lead = np.empty(2)
    for t in range(2 * start + 1, checkpoints[-1] + 1):
        for side in range(2):
            sums = total if side == 0 else flipped
            z = sums[1] / pulls[1] - sums[0] / pulls[0]
            if epsilon == 0.0:
                lead[side] = z / math.sqrt(2.0 / pulls[0] + 2.0 / pulls[1])
            else:
                width = math.log(horizon / 2.0) / epsilon
                lead[side] = (
                    z
                    + root * (1.0 / math.sqrt(pulls[1]) - 1.0 / math.sqrt(pulls[0]))
                    + width * (1.0 / pulls[1] - 1.0 / pulls[0])
                )
        if epsilon == 0.0:
            p, q = _tail(lead[0]), _tail(lead[1])
            other_p, other_q = _tail(-lead[0]), _tail(-lead[1])
        else:
            a, b = 1.0 / (epsilon * pulls[0]), 1.0 / (epsilon * pulls[1])
            p, q = _laplace_tail(lead[0], a, b), _laplace_tail(lead[1], a, b)
            other_p, other_q = _laplace_tail(-lead[0], b, a), _laplace_tail(-lead[1], b, a)
        arm = 0 if rng.random() * (p + other_p) < p else 1
        loss += math.log(p / q) if arm == 0 else math.log(other_p / other_q)
        reward = rng.random() < 0.5
        pulls[arm] += 1
        total[arm] += reward
        flipped[arm] += reward
        while c < checkpoints.size and checkpoints[c] == t:
            out[c] = loss
            c += 1
    return out


@kernel
def many_duels(start, horizon, epsilon, checkpoints, rng, runs):
    """Losses of `runs` runs, shape (runs, checkpoints); checkpoints > 2·start, increasing, at most the horizon."""
    out = np.empty((runs, checkpoints.size))
    for run in range(runs):
        out[run] = duel_losses(start, horizon, epsilon, checkpoints, rng)
    return out
