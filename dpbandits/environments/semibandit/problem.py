"""A combinatorial semi-bandit as the kernels see it, and a round of it: choose a super arm, play it.

Each round a super arm S of the decision set is played; the outcome X_i of each of its base arms i is observed, and the
reward is r_μ(S) on average. An (α, β)-approximation oracle finds, with probability β, a super arm worth α of the best;
the (α, β)-approximation regret of a round is α β max r_μ − r_μ(S). Source: Chen et al. 2020, Section 2.1, Definitions 1
and 2.
"""

from typing import NamedTuple

import numpy as np

from dpbandits.environments.semibandit.decisions import (
    LISTED,
    TOP_K,
    Decisions,
    any_subset,
    best_listed,
    greedy_nodes,
    largest,
    take,
    take_nodes,
    take_picked,
)
from dpbandits.environments.semibandit.outcomes import BERNOULLI, Outcomes, draw, draw_bernoulli
from dpbandits.environments.semibandit.rewards import LINEAR, TABLE, Reward, expected_reward, linear_reward
from dpbandits.kernels import kernel


class Kinds(NamedTuple):
    """The numbers among the parts of a Problem that are read every round.

    They are kept apart because a look at a tuple that holds arrays counts references to all of them, which takes longer
    than a round's work. size: K. scale: of the reward.
    """

    decisions: int
    reward: int
    outcomes: int
    size: int
    scale: float


class Problem(NamedTuple):
    """The first argument of every semi-bandit kernel; problem_of() puts one together.

    means: μ, shape (arms,). goal: α β max r_μ, what a round is measured against. beta: with probability 1 − β the
    oracle fails and returns a uniformly random super arm.
    """

    means: np.ndarray
    decisions: Decisions
    reward: Reward
    outcomes: Outcomes
    kinds: Kinds
    goal: float
    beta: float


def problem_of(
    means: np.ndarray, decisions: Decisions, reward: Reward, outcomes: Outcomes, goal: float, beta: float
) -> Problem:
    """A Problem from its parts."""
    kinds = Kinds(decisions.kind, reward.kind, outcomes.kind, decisions.size, reward.scale)
    return Problem(means, decisions, reward, outcomes, kinds, float(goal), float(beta))


class Work(NamedTuple):
    """Work space for a round.

    number: in place 0, of the super arm in the list. picked: (arms,) marks. copy, shared: (arms,) numbers. scratch:
    ones.
    """

    number: np.ndarray
    picked: np.ndarray
    copy: np.ndarray
    shared: np.ndarray
    scratch: np.ndarray


@kernel
def new_round(problem):
    """Room for a super arm and its outcomes, (K,) each of which the first |S| count, and work space."""
    count, size = problem.means.size, problem.kinds.size
    scratch = np.ones(max(count, 1 << size if problem.kinds.reward == TABLE else 0))
    work = Work(np.zeros(1, np.int64), np.zeros(count, np.bool_), np.empty(count), np.empty(count), scratch)
    return np.zeros(size, np.int64), np.empty(size), work


@kernel(inline=True)
def choose(problem, index, arms, work, rng):
    """S = Oracle(index): fills arms[:n] in increasing order, returns n = |S|.

    index: (arms of the problem,), within [0, 1] unless the reward is linear.
    """
    if problem.beta < 1.0 and rng.random() >= problem.beta:
        n = any_super_arm(problem.decisions, arms, work, rng)
    elif problem.kinds.decisions == TOP_K:
        n = problem.kinds.size
        largest(index, n, arms, work.copy, work.picked, rng)
    elif problem.kinds.decisions == LISTED:
        n = choose_listed(problem.decisions, problem.reward, index, arms, work, rng)
    else:
        n = choose_nodes(problem.decisions, problem.reward.target, index, arms, work, rng)
    return n


@kernel
def choose_listed(decisions, reward, index, arms, work, rng):
    """choose() from a list."""
    work.number[0] = best_listed(decisions, reward, index, work.scratch, rng)
    return take(decisions, work.number[0], arms, 0)


@kernel
def choose_nodes(decisions, target, index, arms, work, rng):
    """choose() among nodes."""
    greedy_nodes(decisions, target, index, work.picked, work.scratch, rng)
    return take_nodes(decisions, work.picked, arms)


@kernel
def any_super_arm(decisions, arms, work, rng):
    """A uniformly random super arm: fills arms[:n], returns n = |S|."""
    if decisions.kind == LISTED:
        work.number[0] = int(rng.random() * (decisions.start.size - 1))
        return take(decisions, work.number[0], arms, 0)
    if decisions.kind == TOP_K:
        any_subset(work.picked.size, decisions.picks, work.picked, rng)
        return take_picked(work.picked, work.picked.size, arms)
    any_subset(decisions.start.size - 1, decisions.picks, work.picked, rng)
    return take_nodes(decisions, work.picked, arms)


@kernel(inline=True)
def choose_or_any(problem, index, arms, work, rng):
    """The papers' "Oracle(index) if index >= 0, else any": as choose(), but a random super arm when some index is
    negative.
    """
    if lowest(index) < 0.0:
        n = any_super_arm(problem.decisions, arms, work, rng)
    else:
        n = choose(problem, index, arms, work, rng)
    return n


@kernel
def lowest(index):
    """The smallest entry."""
    least = index[0]
    for i in range(1, index.size):
        least = min(least, index[i])
    return least


@kernel
def observe_all(problem, work, rng):
    """One free observation of every arm: shape (arms,)."""
    outcomes = np.empty(problem.means.size)
    draw(problem.outcomes, problem.means, np.arange(outcomes.size), outcomes.size, work.shared, outcomes, rng)
    return outcomes


@kernel(inline=True)
def play_super_arm(problem, arms, n, outcomes, work, pulls, rng):
    """Play S = arms[:n]: fills outcomes[:n] and counts the arms in `pulls`. Returns the round's approximation regret.

    That is α β max r_μ − r_μ(S), below 0 where the oracle does better than it promises.
    """
    means = problem.means
    if problem.kinds.outcomes == BERNOULLI:
        draw_bernoulli(means, arms, n, outcomes, rng)
    else:
        draw(problem.outcomes, means, arms, n, work.shared, outcomes, rng)
    for j in range(n):
        pulls[arms[j]] += 1
    if problem.kinds.reward == LINEAR:
        value = problem.kinds.scale * linear_reward(means, arms, 0, n)
    else:
        value = expected_reward(problem.reward, means, arms, 0, n, work.number[0], work.scratch)
    return problem.goal - value
