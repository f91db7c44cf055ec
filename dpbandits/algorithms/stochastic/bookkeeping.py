"""What the stochastic kernels share: the gaps and the bookkeeping at checkpoints."""

import numpy as np

from dpbandits.kernels import kernel


@kernel
def regret_of(pulls, means):
    """Pseudo-regret of `pulls` (one count per arm): sum of pulls_i · (best mean − mean_i)."""
    best, regret = means.max(), 0.0
    for i in range(means.size):
        regret += pulls[i] * (best - means[i])
    return regret


@kernel
def record_block(regret, checkpoints, c, played, length, base, gap):
    """Fill the checkpoints that fall into the next `length` rounds, all spent on one arm.

    regret, checkpoints: the output and its rounds; c: first checkpoint not yet filled; played: rounds before the block;
    base: regret before the block; gap: regret per round in it. Returns the new c.
    """
    while c < checkpoints.size and checkpoints[c] <= played + length:
        regret[c] = base + gap * (checkpoints[c] - played)
        c += 1
    return c


@kernel
def zeros(arms):
    """Fresh pulls and reward totals."""
    return np.zeros(arms, np.int64), np.zeros(arms)
