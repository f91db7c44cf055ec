"""Building semi-bandit instances: checks, the optimum, and the gaps that the bounds need."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dpbandits.environments.cascade import uniform_value
from dpbandits.environments.instance import Instance
from dpbandits.environments.semibandit.decisions import LISTED, TOP_K, Decisions
from dpbandits.environments.semibandit.outcomes import ROWS, Outcomes
from dpbandits.environments.semibandit.problem import problem_of
from dpbandits.environments.semibandit.rewards import LINEAR, TABLE, Reward, expected_reward, smoothness

MOST_SUPER_ARMS = 20_000  # that are compared one by one
ROUNDING = 1e-12  # a gap below this share of the best reward is a tie


def semi_bandit(
    name: str,
    parameters,
    means,
    decisions: Decisions,
    reward: Reward,
    outcomes: Outcomes,
    *,
    super_arms: Sequence[Sequence[int]] | None = None,
    alpha: float = 1.0,
    beta: float = 1.0,
) -> Instance:
    """An instance from its parts. super_arms: all of them (arms from 0), not needed for a top-K set.

    Facts: means, arms (m), list_size (K, base arms in the largest super arm), super_arms (or None), best_reward (max
    r_μ), alpha, beta; smoothness_1 and smoothness_inf (B₁, B_∞). A super arm is bad if it is worth less than
    α·best_reward, and its
    gap is the difference: gaps_min, gaps_max (arms,), Δ^i_min and Δ^i_max, the least and the largest gap of a bad super
    arm that holds arm i, 0 where there is none; gap_min = Δ and gap_max over all arms (0 where no super arm is bad);
    gap_inverse, gap_min/B_∞; unique_best, whether only one super arm is best. worst_regret, uniform_regret: what the
    worst and what a uniformly random super arm loses in a round, on average, against α·β·best_reward.
    """
    means = np.asarray(means, float)
    compared = super_arms
    if decisions.kind == TOP_K and reward.kind != LINEAR and math.comb(means.size, decisions.size) <= MOST_SUPER_ARMS:
        compared = list(itertools.combinations(range(means.size), decisions.size))
    if compared is None:
        best, gaps = _top_k_gaps(means, decisions.size, reward)
        border = np.sort(means)[::-1][decisions.size - 1 : decisions.size + 1]
        unique = border.size == 1 or bool(border[0] > border[1])
        lowest_value, mean_value = _top_k_values(means, decisions.size, reward)
    else:
        members = [np.asarray(s, np.int64) for s in compared]
        numbers = range(len(members)) if decisions.kind == LISTED else [0] * len(members)
        values = np.array([worth(reward, means, s, j) for j, s in zip(numbers, members, strict=True)])
        best, lowest_value, mean_value = float(values.max()), float(values.min()), float(values.mean())
        unique = int((values >= best - ROUNDING * abs(best)).sum()) == 1
        gaps = _listed_gaps(means.size, members, _positive(alpha * best - values, best))
    b1, b_inf = smoothness(reward, super_arms, decisions.size)
    lowest, highest = gaps
    goal = alpha * beta * best
    gap_min = float(lowest[lowest > 0].min()) if (lowest > 0).any() else 0.0
    facts = {
        "means": means,
        "arms": means.size,
        "list_size": decisions.size,
        "super_arms": super_arms,
        "best_reward": float(best),
        "alpha": alpha,
        "beta": beta,
        "smoothness_1": b1,
        "smoothness_inf": b_inf,
        "gaps_min": lowest,
        "gaps_max": highest,
        "gap_min": gap_min,
        "gap_max": float(highest.max()),
        "gap_inverse": gap_min / b_inf if b_inf else 0.0,
        "unique_best": unique,
        "worst_regret": goal - lowest_value,
        "uniform_regret": goal - mean_value,
    }
    return Instance(
        name,
        "semi-bandit",
        parameters,
        (problem_of(means, decisions, reward, outcomes, goal, beta),),
        facts,
    )


def check_independence(reward: Reward, outcomes: Outcomes, super_arms: Sequence[Sequence[int]], owner: str) -> None:
    """Raises ValueError where the expected reward would not be a function of the means alone (Assumption 1)."""
    if reward.kind == LINEAR:
        return
    if outcomes.kind == ROWS:
        raise ValueError(
            f"reward is not allowed ({owner}): given outcomes may depend on each other,"
            " and then only a linear reward follows from the means."
        )
    for number, arms in enumerate(super_arms, 1):
        if len(set(outcomes.group[list(arms)].tolist())) < len(arms):
            raise ValueError(
                f"reward is not allowed ({owner}): super arm {number} holds arms that share their outcome,"
                " and then only a linear reward follows from the means."
            )


def worth(reward: Reward, means: np.ndarray, arms, number: int = 0) -> float:
    """r_μ(S) of the base arms `arms` (from 0); number: of S in the list, for a tabulated reward."""
    scratch = np.ones(max(means.size, 1 << len(arms) if reward.kind == TABLE else 0))
    return float(expected_reward(reward, means, np.sort(np.asarray(arms, np.int64)), 0, len(arms), number, scratch))


def _positive(gaps: Any, best: float) -> Any:
    return np.where(gaps > ROUNDING * abs(best), gaps, 0.0)


def _listed_gaps(arms: int, super_arms, gaps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    lowest, highest = np.full(arms, np.inf), np.zeros(arms)
    for members, gap in zip(super_arms, gaps, strict=True):
        if gap > 0:
            lowest[members], highest[members] = np.minimum(lowest[members], gap), np.maximum(highest[members], gap)
    return np.where(np.isinf(lowest), 0.0, lowest), highest


def _top_k_gaps(means: np.ndarray, size: int, reward: Reward) -> tuple[float, tuple[np.ndarray, np.ndarray]]:
    """The best reward and (gaps_min, gaps_max) of a top-K set, for a reward that grows strictly with each mean and
    treats arms
    alike: the linear one, and the disjunctive one while no mean is 1.

    The best set with arm i is i and the K − 1 best others, the worst is i and the K − 1 worst others. Where that best
    set is optimal, the least loss comes from swapping one of the others for an outsider with a smaller mean: the two
    means are next to each other in size, so only two swaps at the border between the two groups need be compared.
    """
    order = np.argsort(-means, kind="stable")
    best = worth(reward, means, order[:size])
    lowest, highest = np.zeros(means.size), np.zeros(means.size)
    for i in range(means.size):
        others = order[order != i]
        inside, outside = others[: size - 1], others[size - 1 :]
        gap = _positive(best - worth(reward, means, [*inside, i]), best)
        if gap == 0:
            swaps = []
            for j, o in _border_swaps(means, inside, outside):
                swaps.append(best - worth(reward, means, [*inside[inside != j], i, o]))
            gap = min((g for g in swaps if _positive(g, best) > 0), default=0.0)
        lowest[i] = gap
        highest[i] = _positive(best - worth(reward, means, [*others[means.size - size :], i]), best)
    return best, (lowest, highest)


def _top_k_values(means: np.ndarray, size: int, reward: Reward) -> tuple[float, float]:
    """The least and the mean reward of a top-K set, for the linear and the disjunctive reward."""
    least = worth(reward, means, np.argsort(means, kind="stable")[:size])
    mean = size * means.mean() if reward.kind == LINEAR else uniform_value(means, size)
    return least, float(reward.scale * mean)


def _border_swaps(means, inside, outside):
    """(arm out, arm in) pairs, among which is that with the least positive difference of means; both groups run
    downwards.
    """
    if inside.size and outside.size:
        below = outside[means[outside] < means[inside[-1]]]
        above = inside[means[inside] > means[outside[0]]]
        if below.size:
            yield inside[-1], below[0]
        if above.size:
            yield above[-1], outside[0]
