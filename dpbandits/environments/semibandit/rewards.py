"""Reward functions r_μ(S) of a super arm S with means μ, and how smooth they are.

Outcomes are independent across the arms of a super arm (or the reward is linear), so that the expected reward depends
on
the means alone: every reward here is affine in each arm's mean. Source: Chen et al. 2020, Section 2.1, Assumptions 1-3.
"""

import math
from collections.abc import Callable, Sequence
from numbers import Real
from typing import NamedTuple

import numpy as np

from dpbandits.kernels import kernel
from dpbandits.parameters import check_function

LINEAR, COVERAGE, TABLE = 0, 1, 2
NAMES = ("linear", "average", "disjunctive")
LARGEST_TABLE = 12  # base arms in a super arm whose reward is given by a function: 2^12 values


class Reward(NamedTuple):
    """A reward function as numbers and arrays.

    kind: LINEAR scale · Σ μ_i; COVERAGE scale · Σ_v (1 − Π_{i: target_i = v} (1 − μ_i)); TABLE the value for every 0/1
    outcome of every listed super arm, in between affine in each mean. scale: multiplies the reward.
    target: (arms,), what an arm covers; one target for all is the disjunctive reward. start, values: super arm number j
    has values[start[j] : start[j] + 2^|S_j|], entry b for the outcomes that are the bits of b (first arm: lowest bit).
    """

    kind: int
    scale: float
    target: np.ndarray
    start: np.ndarray
    values: np.ndarray


NO_INTEGERS, NO_NUMBERS = np.zeros(0, np.int64), np.zeros(0)


def linear(scale: float = 1.0) -> Reward:
    """scale · Σ μ_i over the super arm. Smooth with B₁ = scale, B_∞ = scale · K."""
    return Reward(LINEAR, float(scale), NO_INTEGERS, NO_INTEGERS, NO_NUMBERS)


def coverage(target: Sequence[int] | np.ndarray, scale: float = 1.0) -> Reward:
    """scale · (expected number of targets that some arm of the super arm covers). target: (arms,), numbers from 0."""
    return Reward(COVERAGE, float(scale), np.asarray(target, np.int64), NO_INTEGERS, NO_NUMBERS)


def disjunctive(arms: int, scale: float = 1.0) -> Reward:
    """scale · (1 − Π (1 − μ_i)): the chance that some arm of the super arm succeeds."""
    return coverage(np.zeros(arms, np.int64), scale)


def by_name(name: str, arms: int, size: int, scale: float) -> Reward:
    """One of NAMES; the average is over super arms of `size` arms."""
    return disjunctive(arms, scale) if name == "disjunctive" else linear(scale / (size if name == "average" else 1))


def from_function(reward: Callable, super_arms: Sequence[Sequence[int]], owner: str) -> Reward:
    """A user's reward(outcomes, super_arm) -> number, for 0/1 outcomes (a tuple, in the order of super_arm, arms from
    1).

    It is called once for every outcome of every super arm; for means in between, the reward is the expectation over
    independent Bernoulli outcomes. Raises ValueError where it is no finite number, or falls when an outcome rises.
    """
    check_function("reward", reward, ("outcomes", "super_arm"), owner)
    start: list[int] = []
    values: list[float] = []
    for arms in super_arms:
        if len(arms) > LARGEST_TABLE:
            raise ValueError(
                f"reward is not allowed ({owner}): a given function is tabulated,"
                f" for at most {LARGEST_TABLE} arms in a super arm, not {len(arms)}."
            )
        named = tuple(int(a) + 1 for a in arms)
        table = np.array(
            [_value(reward, tuple(b >> j & 1 for j in range(len(arms))), named, owner) for b in range(1 << len(arms))]
        )
        for j, lower, upper in _neighbours(table):
            if (upper < lower).any():
                raise ValueError(
                    f"reward is not allowed ({owner}): it falls when the outcome of arm {named[j]} in super arm {named}"
                    " rises."
                )
        start.append(len(values))
        values.extend(table)
    return Reward(TABLE, 1.0, NO_INTEGERS, np.array(start, np.int64), np.array(values))


def _value(reward, outcomes, named, owner) -> float:
    value = reward(outcomes, named)
    if not isinstance(value, Real | np.bool_) or not math.isfinite(value):
        raise ValueError(
            f"reward is not allowed ({owner}): for outcomes {outcomes} of super arm {named} it gave {value!r}, not a"
            " finite number."
        )
    return float(value)


def _neighbours(table: np.ndarray):
    """(arm's place j, values with its outcome 0, values with its outcome 1) for each arm of a tabulated super arm."""
    numbers = np.arange(table.size)
    for j in range(table.size.bit_length() - 1):
        low = numbers[numbers >> j & 1 == 0]
        yield j, table[low], table[low | 1 << j]


def smoothness(reward: Reward, super_arms: Sequence[Sequence[int]] | None, size: int) -> tuple[float, float]:
    """(B₁, B_∞), the least constants with |r_μ(S) − r_μ'(S)| <= B_p ||μ_S − μ'_S||_p for all super arms and all means
    in [0, 1].

    They are the largest single slope, and the largest sum of slopes, of the reward in its arms: at means 0 for
    coverage, at some 0/1 means in general. So B_∞ is scale · K for the linear and the coverage rewards alike (K =
    `size`).
    """
    if reward.kind != TABLE:
        return reward.scale, reward.scale * size
    assert super_arms is not None, "a table is made for super arms that are listed"
    single = total = 0.0
    for number, arms in enumerate(super_arms):
        first = reward.start[number]
        table = reward.values[first : first + (1 << len(arms))]
        slopes = np.zeros((len(arms), table.size))
        numbers = np.arange(table.size)
        for j, lower, upper in _neighbours(table):
            slopes[j, numbers >> j & 1 == 0] = slopes[j, numbers >> j & 1 == 1] = upper - lower
        single, total = max(single, slopes.max()), max(total, slopes.sum(axis=0).max())
    return float(single), float(total)


@kernel
def expected_reward(reward, means, arms, first, last, number, scratch):
    """r_μ(S) for S = arms[first:last], the super arm of this number in the list (used by TABLE alone).

    scratch: at least max(arms of the problem, 2^|S| for TABLE) numbers, all 1 before and after (COVERAGE).
    """
    if reward.kind == LINEAR:
        return reward.scale * linear_reward(means, arms, first, last)
    elif reward.kind == COVERAGE:
        return reward.scale * coverage_reward(reward.target, means, arms, first, last, scratch)
    else:
        return table_reward(reward.values, reward.start[number], means, arms, first, last, scratch)


@kernel
def linear_reward(means, arms, first, last):
    """Σ μ_i."""
    total = 0.0
    for j in range(first, last):
        total += means[arms[j]]
    return total


@kernel
def coverage_reward(target, means, arms, first, last, scratch):
    """Σ over the targets of 1 − Π (1 − μ_i); scratch is 1 for every target, before and after."""
    for j in range(first, last):
        scratch[target[arms[j]]] *= 1.0 - means[arms[j]]
    covered = 0.0
    for j in range(first, last):
        covered += 1.0 - scratch[target[arms[j]]]
        scratch[target[arms[j]]] = 1.0  # so that every target is counted once
    return covered


@kernel
def table_reward(values, start, means, arms, first, last, scratch):
    """The expectation of the tabulated values from `start` on, taken over the outcome of the last arm, then of the one
    before, ...
    """
    length = 1 << (last - first)
    scratch[:length] = values[start : start + length]
    for j in range(last - 1, first - 1, -1):
        length >>= 1
        for b in range(length):
            scratch[b] += means[arms[j]] * (scratch[b + length] - scratch[b])
    return scratch[0]
