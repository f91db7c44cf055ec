"""What the selections of DP-UCB-Int give away at the least: one event, its exact probabilities on two neighbouring
reward tables.

Arm 1 earned nothing but, in one of the tables, its very first reward; arm 2 earned 1 in all its f pulls of the start
phase, or nothing, and all other arms nothing. The event: arm 1 is chosen j times in a row, f rounds each, as soon as
indices are used. Given the largest other index, the draws of arm 1 are independent, so a probability is one integral.
"""

import functools
import math

import numpy as np

LOOKS = 20  # choices in a row that are tried
NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
STEPS = np.array(
    [-36.0, -20.0, -8.0, -3.0, -1.0, 0.0, 1.0, 3.0, 8.0, 20.0, 36.0]
)  # in scales; beyond 36 (2e-16) a law is left out


def _below(x, centre, scale):
    """P(centre + Lap(scale) <= x)."""
    z = (x - centre) / scale
    return np.where(z < 0, 0.5 * np.exp(np.minimum(z, 0)), 1 - 0.5 * np.exp(-np.maximum(z, 0)))


def in_a_row(
    f: int, arms: int, looks: int, v: float, first: float, rival: float, every_round: bool = False
) -> np.ndarray:
    """P(arm 1 is chosen in each of the first 1, 2, ..., `looks` choices), shape (looks,).

    f: pulls of each of `arms` >= 2 arms before the first choice. first: arm 1's first reward; its others are 0.
    rival: mean reward of arm 2. every_round: all indices are drawn anew before each choice (for f = 1 alone); else each
    once.
    """
    scale, t = f ** (v / 2 - 1), arms * f + 1
    kinks = [0.0, rival]
    counts = f * np.arange(1, looks + 1)
    roots = np.sqrt(2 * np.log(t + f * np.arange(looks)) / counts)
    centres, scales = first / counts + roots, counts ** (v / 2 - 1.0)
    others = (
        np.sqrt(2 * np.log(t + f * np.arange(looks)) / f)
        if every_round
        else np.full(looks, math.sqrt(2 * math.log(t) / f))
    )
    if not every_round:  # where an index of arm 1 is centred
        kinks += list(centres - others)
    ends = np.unique(np.add.outer(kinks, scale * STEPS))  # between two of them all is smooth
    half = np.diff(ends) / 2
    x = (ends[:-1, None] + half[:, None] * (1 + NODES)).ravel()  # the largest other index, less its bonus
    weights = (half[:, None] * WEIGHTS).ravel()
    quiet, loud = _below(x, 0.0, scale), _below(x, rival, scale)
    rest = arms - 2
    density_quiet, density_loud = (np.exp(-np.abs(x - centre) / scale) / (2 * scale) for centre in (0.0, rival))
    largest = density_loud * quiet**rest + (rest * density_quiet * loud * quiet ** (rest - 1) if rest else 0.0)
    wins = np.array(
        [1 - _below(x + other, centre, each) for centre, each, other in zip(centres, scales, others, strict=True)]
    )
    if every_round:
        return np.cumprod(wins @ (weights * largest))
    return np.cumprod(wins, axis=0) @ (weights * largest)


@functools.lru_cache(maxsize=256)
def selections_need(
    epsilon: float, f: int, arms: int, horizon: int | None, v: float, every_round: bool = False
) -> float:
    """A δ that the transcript of selections needs at `epsilon`, at the least; 0 where this event shows nothing.

    The best of the events "j choices in a row", j <= 20 and as many as fit into the horizon, on two pairs of tables.
    """
    looks = LOOKS if horizon is None else min(LOOKS, max(0, (horizon - arms * f - 1) // f + 1))
    looks = min(looks, 1) if every_round and f > 1 else looks
    if looks == 0:
        return 0.0
    found = 0.0
    for rival in (0.0, 1.0):
        without, with_it = (in_a_row(f, arms, looks, v, first, rival, every_round) for first in (0.0, 1.0))
        found = max(found, float((with_it - math.exp(min(epsilon, 700)) * without).max()))
    return found
