"""Outcomes of base arms, numbers in [0, 1]: Bernoulli, Beta or rows of a table; alike within a group of arms.

Arms of one group share one draw in a round, as the instances of the lower bounds need it (Chen et al. 2020, Theorems 6
and 9); arms of different groups are independent.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from dpbandits.kernels import kernel
from dpbandits.parameters import check_function

BERNOULLI, SHARED_BERNOULLI, BETA, ROWS = 0, 1, 2, 3
NAMES = ("bernoulli", "beta")
SAMPLES = 4096  # rows drawn once from a user's sampler


class Outcomes(NamedTuple):
    """The law of the outcomes. kind: BERNOULLI (independent), SHARED_BERNOULLI (by groups), BETA (by groups) or ROWS.

    concentration: ν of Beta(ν μ_i, ν (1 − μ_i)). group: (arms,), arms with equal numbers share their draw.
    rows: (rows, arms), of which each round sees one at random (ROWS).
    """

    kind: int
    concentration: float
    group: np.ndarray
    rows: np.ndarray


def by_name(name: str, arms: int, group: Sequence[int] | None = None, concentration: float = 2.0) -> Outcomes:
    """ "bernoulli" or "beta" outcomes. group: (arms,), None for independent arms. concentration 2 at mean 1/2 is
    uniform.
    """
    kind = BETA if name == "beta" else BERNOULLI if group is None else SHARED_BERNOULLI
    groups = np.arange(arms) if group is None else np.asarray(group)
    return Outcomes(kind, float(concentration), groups.astype(np.int64), np.zeros((0, arms)))


def from_rows(rows, owner: str) -> Outcomes:
    """Each round sees one row of `rows` (rows, arms), drawn uniformly: any joint law, as a table. Raises ValueError
    outside [0, 1].
    """
    form = "it must be a table of numbers, one row a round, one column an arm"
    try:
        rows = np.asarray(rows, float)
    except (TypeError, ValueError):
        raise ValueError(f"outcomes is not allowed ({owner}): {form}.") from None
    if rows.ndim != 2 or not rows.size:
        raise ValueError(f"outcomes of shape {rows.shape} is not allowed ({owner}): {form}.")
    bad = ~((rows >= 0) & (rows <= 1))
    if bad.any():
        row, arm = np.argwhere(bad)[0]
        raise ValueError(
            f"outcomes = {rows[row, arm]:g} (row {row + 1}, arm {arm + 1}) is not allowed ({owner}): every outcome must"
            " be in [0, 1]."
        )
    return Outcomes(ROWS, 0.0, np.arange(rows.shape[1]), np.ascontiguousarray(rows))


def from_sampler(sampler: Callable, owner: str, seed: int = 0) -> Outcomes:
    """A user's sampler(rng, size) -> (size, arms): called once, for a table of SAMPLES rows; its true means are the
    table's.
    """
    check_function("outcomes", sampler, ("rng", "size"), owner)
    law = from_rows(sampler(np.random.default_rng(seed), SAMPLES), owner)
    if len(law.rows) != SAMPLES:
        wanted = f"for size = {SAMPLES} the sampler must give so many rows, one column an arm"
        raise ValueError(f"outcomes of shape {law.rows.shape} is not allowed ({owner}): {wanted}.")
    return law


@kernel
def draw(outcomes, means, arms, n, shared, out, rng):
    """Fill out[:n] with this round's outcomes of arms[:n]. shared: scratch, one number for each group."""
    if outcomes.kind == BERNOULLI:
        draw_bernoulli(means, arms, n, out, rng)
    elif outcomes.kind == SHARED_BERNOULLI:
        draw_shared_bernoulli(outcomes.group, means, arms, n, shared, out, rng)
    elif outcomes.kind == BETA:
        draw_beta(outcomes.concentration, outcomes.group, means, arms, n, shared, out, rng)
    else:
        draw_row(outcomes.rows, arms, n, out, rng)


@kernel
def draw_bernoulli(means, arms, n, out, rng):
    """Independent Bernoulli outcomes."""
    for j in range(n):
        out[j] = 1.0 if rng.random() < means[arms[j]] else 0.0


@kernel
def draw_shared_bernoulli(group, means, arms, n, shared, out, rng):
    """Bernoulli outcomes; arms of a group compare their means with one uniform number."""
    for j in range(n):
        shared[group[arms[j]]] = -1.0  # not drawn yet
    for j in range(n):
        g = group[arms[j]]
        if shared[g] < 0.0:
            shared[g] = rng.random()
        out[j] = 1.0 if shared[g] < means[arms[j]] else 0.0


@kernel
def draw_beta(concentration, group, means, arms, n, shared, out, rng):
    """Beta outcomes; arms of a group, which have one mean, share theirs. Means 0 and 1 give 0 and 1."""
    for j in range(n):
        shared[group[arms[j]]] = -1.0
    for j in range(n):
        g, mean = group[arms[j]], means[arms[j]]
        if shared[g] < 0.0:
            shared[g] = (
                mean if mean == 0.0 or mean == 1.0 else rng.beta(concentration * mean, concentration * (1.0 - mean))
            )
        out[j] = shared[g]


@kernel
def draw_row(rows, arms, n, out, rng):
    """The entries of one random row."""
    row = int(rng.random() * rows.shape[0])
    for j in range(n):
        out[j] = rows[row, arms[j]]
