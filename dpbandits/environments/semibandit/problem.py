"""A combinatorial semi-bandit as the kernels see it, and a round of it: choose a super arm, play it.

Each round a super arm S of the decision set is played; the outcome X_i of each of its base arms i is observed, and the
reward is r_μ(S) on average. An (α, β)-approximation oracle finds, with probability β, a super arm worth α of the best; the
(α, β)-approximation regret of a round is α β max r_μ − r_μ(S). Source: Chen et al. 2020, Section 2.1, Definitions 1 and 2.
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
from dpbandits.environments.semibandit.outcomes import Outcomes, draw
from dpbandits.environments.semibandit.rewards import TABLE, Reward, expected_reward
from dpbandits.kernels import kernel


class Problem(NamedTuple):
    """The first argument of every semi-bandit kernel.

    means: μ, shape (arms,). goal: α β max r_μ, what a round is measured against. beta: with probability 1 − β the oracle
    fails and returns a uniformly random super arm.
    """

    means: np.ndarray
    decisions: Decisions
    reward: Reward
    outcomes: Outcomes
    goal: float
    beta: float


class Round(NamedTuple):
    """Work space for a round. arms[:n]: the super arm, n as choose() returns it; outcomes[:n]: what its arms showed.

    number: of the super arm in the list, in place 0. picked: (arms,) marks. copy, shared: (arms,) numbers. scratch: ones.
    """

    arms: np.ndarray
    outcomes: np.ndarray
    number: np.ndarray
    picked: np.ndarray
    copy: np.ndarray
    shared: np.ndarray
    scratch: np.ndarray


@kernel
def new_round(problem):
    """Work space that fits the problem."""
    arms, size = problem.means.size, problem.decisions.size
    scratch = np.ones(max(arms, 1 << size if problem.reward.kind == TABLE else 0))
    return Round(
        np.zeros(size, np.int64), np.empty(size), np.zeros(1, np.int64), np.zeros(arms, np.bool_), np.empty(arms), np.empty(arms), scratch
    )


@kernel(inline=True)
def choose(problem, index, play, rng):
    """S = Oracle(index): fills play.arms, returns |S|. index: (arms,), within [0, 1] unless the reward is linear."""
    if problem.beta < 1.0 and rng.random() >= problem.beta:
        n = any_super_arm(problem.decisions, play, rng)
    elif problem.decisions.kind == TOP_K:
        largest(index, problem.decisions.size, play.arms, play.copy, rng)
        n = problem.decisions.size
    elif problem.decisions.kind == LISTED:
        play.number[0] = best_listed(problem.decisions, problem.reward, index, play.scratch, rng)
        n = take(problem.decisions, play.number[0], play.arms, 0)
    else:
        greedy_nodes(problem.decisions, problem.reward.target, index, play.picked, play.scratch, rng)
        n = take_nodes(problem.decisions, play.picked, play.arms)
    return n


@kernel
def any_super_arm(decisions, play, rng):
    """A uniformly random super arm: fills play.arms, returns |S|."""
    if decisions.kind == LISTED:
        play.number[0] = int(rng.random() * (decisions.start.size - 1))
        return take(decisions, play.number[0], play.arms, 0)
    if decisions.kind == TOP_K:
        any_subset(play.picked.size, decisions.picks, play.picked, rng)
        return take_picked(play.picked, play.picked.size, play.arms)
    any_subset(decisions.start.size - 1, decisions.picks, play.picked, rng)
    return take_nodes(decisions, play.picked, play.arms)


@kernel(inline=True)
def choose_or_any(problem, index, play, rng):
    """The papers' "Oracle(index) if index >= 0, else any": as choose(), but a random super arm when some index is negative."""
    if lowest(index) < 0.0:
        n = any_super_arm(problem.decisions, play, rng)
    else:
        n = choose(problem, index, play, rng)
    return n


@kernel
def lowest(index):
    """The smallest entry."""
    least = index[0]
    for i in range(1, index.size):
        least = min(least, index[i])
    return least


@kernel
def observe_all(problem, play, rng):
    """One free observation of every arm: shape (arms,)."""
    outcomes = np.empty(problem.means.size)
    draw(problem.outcomes, problem.means, np.arange(outcomes.size), outcomes.size, play.shared, outcomes, rng)
    return outcomes


@kernel(inline=True)
def play_super_arm(problem, play, n, pulls, rng):
    """Play S = play.arms[:n]: fills play.outcomes[:n] and counts its arms in `pulls`. Returns the round's approximation regret.

    That is α β max r_μ − r_μ(S), below 0 where the oracle does better than it promises.
    """
    draw(problem.outcomes, problem.means, play.arms, n, play.shared, play.outcomes, rng)
    for j in range(n):
        pulls[play.arms[j]] += 1
    return problem.goal - expected_reward(problem.reward, problem.means, play.arms, 0, n, play.number[0], play.scratch)
