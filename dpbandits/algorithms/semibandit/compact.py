"""The semi-bandit algorithms in their commonest case, faster (`method="fast"`): the same rounds on bare arrays.

The readable kernels serve every reward, oracle and law of outcomes, and hand a Problem of many arrays from function
to function, which costs more than the work on a small instance. Here the reward is linear, the oracle exact and the
outcomes Bernoulli (alike within groups, or independent), over any K arms or a list of super arms; all that a round
needs lies in a few arrays, constants are taken out of the loop, and negative indices are counted as they come and
go. Any other problem is handed to the readable kernel.
"""

import math
from typing import NamedTuple

import numpy as np

from dpbandits.algorithms.estimates import least_observed
from dpbandits.algorithms.semibandit import central, local, optimism
from dpbandits.algorithms.semibandit.central import node_scale
from dpbandits.environments.semibandit.decisions import NODES, TOP_K, any_subset, largest, take_picked
from dpbandits.environments.semibandit.outcomes import BERNOULLI, SHARED_BERNOULLI
from dpbandits.environments.semibandit.problem import Problem
from dpbandits.environments.semibandit.rewards import LINEAR
from dpbandits.kernels import kernel
from dpbandits.mechanisms.counters import binary_read, new_counters
from dpbandits.randomness import laplace


class Room(NamedTuple):
    """Work space: arms (K,), the super arm; copy and picked (arms of the problem,), numbers and marks.

    group: of every arm, those of a group share their draw. drawn: (groups,), the draw of a group and the round of it,
    (groups,).
    """

    arms: np.ndarray
    copy: np.ndarray
    picked: np.ndarray
    group: np.ndarray
    drawn: np.ndarray
    drawn_at: np.ndarray


@kernel
def is_compact(problem: Problem):
    """Whether this file's kernels play the problem."""
    kinds = problem.kinds
    bernoulli = kinds.outcomes == BERNOULLI or kinds.outcomes == SHARED_BERNOULLI
    return kinds.reward == LINEAR and bernoulli and kinds.decisions != NODES and problem.beta >= 1.0


@kernel
def new_room(problem):
    """Empty."""
    m = problem.means.size
    arms, picked = np.zeros(problem.kinds.size, np.int64), np.zeros(m, np.bool_)
    return Room(arms, np.empty(m), picked, problem.outcomes.group, np.empty(m), np.full(m, -1))


@kernel
def outcome(mean, group, t, drawn, drawn_at, rng):
    """0 or 1 in round t, of an arm of this mean and group."""
    if drawn_at[group] != t:
        drawn[group], drawn_at[group] = rng.random(), t
    return 1.0 if drawn[group] < mean else 0.0


@kernel
def pick(top_k, start, member, index, room, rng):
    """The super arm with the greatest total index, ties uniformly at random: fills room.arms[:n], returns n."""
    arms, size = room.arms, room.arms.size
    if top_k:
        largest(index, size, arms, room.copy, room.picked, rng)
        return size
    best, found, ties = -np.inf, 0, 0
    for number in range(start.size - 1):
        value = 0.0
        for p in range(start[number], start[number + 1]):
            value += index[member[p]]
        if value > best:
            best, found, ties = value, number, 1
        elif value == best:
            ties += 1
            if rng.random() * ties < 1.0:
                found = number
    return take(start, member, found, arms)


@kernel
def pick_any(top_k, start, member, room, rng):
    """A uniformly random super arm: fills room.arms[:n], returns n."""
    if top_k:
        any_subset(room.picked.size, room.arms.size, room.picked, rng)
        return take_picked(room.picked, room.picked.size, room.arms)
    return take(start, member, int(rng.random() * (start.size - 1)), room.arms)


@kernel
def take(start, member, number, arms):
    """Write a listed super arm to `arms`; returns its size."""
    first = start[number]
    for p in range(first, start[number + 1]):
        arms[p - first] = member[p]
    return start[number + 1] - first


@kernel
def cucb(problem, horizon, checkpoints, streams):
    """As the readable kernel."""
    if not is_compact(problem):
        return optimism.cucb(problem, horizon, checkpoints, streams)
    means, start, member, goal, scale = (
        problem.means,
        problem.decisions.start,
        problem.decisions.member,
        problem.goal,
        problem.kinds.scale,
    )
    top_k, m, room = problem.kinds.decisions == TOP_K, problem.means.size, new_room(problem)
    arms, environment, policy = room.arms, streams.environment, streams.policy
    group, drawn, drawn_at = room.group, room.drawn, room.drawn_at
    index, pulls, seen, total, mean, width = (
        np.empty(m),
        np.zeros(m, np.int64),
        np.ones(m),
        np.empty(m),
        np.empty(m),
        np.ones(m),
    )
    for i in range(m):
        total[i] = mean[i] = outcome(means[i], group[i], 0, drawn, drawn_at, environment)
    regret, c, lost = np.empty(checkpoints.size), 0, 0.0
    for t in range(1, horizon + 1):
        root = math.sqrt(1.5 * math.log(t))
        for i in range(m):
            index[i] = min(1.0, mean[i] + root * width[i])
        n = pick(top_k, start, member, index, room, policy)
        value = 0.0
        for j in range(n):
            arm = arms[j]
            value += means[arm]
            pulls[arm] += 1
            seen[arm] += 1.0
            total[arm] += outcome(means[arm], group[arm], t, drawn, drawn_at, environment)
            mean[arm], width[arm] = total[arm] / seen[arm], 1.0 / math.sqrt(seen[arm])
        lost += goal - scale * value
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, pulls


@kernel
def cucb_ldp1(problem, horizon, checkpoints, streams, epsilon, printed):
    """As the readable kernel."""
    if not is_compact(problem):
        return local.cucb_ldp1(problem, horizon, checkpoints, streams, epsilon, printed)
    means, start, member, goal, scale = (
        problem.means,
        problem.decisions.start,
        problem.decisions.member,
        problem.goal,
        problem.kinds.scale,
    )
    top_k, m, room = problem.kinds.decisions == TOP_K, problem.means.size, new_room(problem)
    arms, environment, policy, secret = room.arms, streams.environment, streams.policy, streams.noise
    group, drawn, drawn_at = room.group, room.drawn, room.drawn_at
    size = problem.kinds.size
    bonus, noise = 4.0 * math.sqrt(2.0 * size * (1 if printed else size) * math.log(horizon)) / epsilon, size / epsilon
    index, pulls, total, negative = np.ones(m), np.zeros(m, np.int64), np.zeros(m), 0
    regret, c, lost = np.empty(checkpoints.size), 0, 0.0
    for t in range(1, horizon + 1):
        n = (
            pick_any(top_k, start, member, room, policy)
            if negative > 0
            else pick(top_k, start, member, index, room, policy)
        )
        value = 0.0
        for j in range(n):
            arm = arms[j]
            value += means[arm]
            pulls[arm] += 1
            total[arm] += outcome(means[arm], group[arm], t, drawn, drawn_at, environment) + laplace(secret, noise)
            new = min(1.0, total[arm] / pulls[arm] + bonus / math.sqrt(pulls[arm]))
            negative += (new < 0.0) - (index[arm] < 0.0)
            index[arm] = new
        lost += goal - scale * value
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, pulls


@kernel
def cucb_ldp2(problem, horizon, checkpoints, streams, epsilon):
    """As the readable kernel."""
    if not is_compact(problem):
        return local.cucb_ldp2(problem, horizon, checkpoints, streams, epsilon)
    means, start, member, goal, scale = (
        problem.means,
        problem.decisions.start,
        problem.decisions.member,
        problem.goal,
        problem.kinds.scale,
    )
    top_k, m, room = problem.kinds.decisions == TOP_K, problem.means.size, new_room(problem)
    arms, environment, policy, secret = room.arms, streams.environment, streams.policy, streams.noise
    bonus, noise = 4.0 * math.sqrt(2.0 * math.log(horizon)) / epsilon, 1.0 / epsilon
    index, pulls, reports, total, negative = np.ones(m), np.zeros(m, np.int64), np.zeros(m, np.int64), np.zeros(m), 0
    regret, c, lost = np.empty(checkpoints.size), 0, 0.0
    for t in range(1, horizon + 1):
        n = (
            pick_any(top_k, start, member, room, policy)
            if negative > 0
            else pick(top_k, start, member, index, room, policy)
        )
        value = 0.0
        for j in range(n):
            value += means[arms[j]]
            pulls[arms[j]] += 1
        arm = arms[least_observed(arms[:n], reports, policy)]
        reports[arm] += 1
        total[arm] += (1.0 if environment.random() < means[arm] else 0.0) + laplace(
            secret, noise
        )  # the others' outcomes are not looked at
        new = min(1.0, total[arm] / reports[arm] + bonus / math.sqrt(reports[arm]))
        negative += (new < 0.0) - (index[arm] < 0.0)
        index[arm] = new
        lost += goal - scale * value
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, pulls


@kernel
def cucb_dp(problem, horizon, checkpoints, streams, epsilon, exact):
    """As the readable kernel."""
    if not is_compact(problem):
        return central.cucb_dp(problem, horizon, checkpoints, streams, epsilon, exact)
    means, start, member, goal, scale = (
        problem.means,
        problem.decisions.start,
        problem.decisions.member,
        problem.goal,
        problem.kinds.scale,
    )
    top_k, m, room = problem.kinds.decisions == TOP_K, problem.means.size, new_room(problem)
    arms, environment, policy, secret = room.arms, streams.environment, streams.policy, streams.noise
    group, drawn, drawn_at = room.group, room.drawn, room.drawn_at
    size, log = problem.kinds.size, math.log(horizon)
    extra, root = 12.0 * size * log**3 / epsilon, math.sqrt(4.0 * math.log(m * horizon))
    tree, node = new_counters(m, horizon), node_scale(horizon, size, epsilon, exact)
    index, pulls, total, negative = np.ones(m), np.zeros(m, np.int64), np.zeros(m), 0
    regret, c, lost = np.empty(checkpoints.size), 0, 0.0
    for t in range(1, horizon + 1):
        n = (
            pick_any(top_k, start, member, room, policy)
            if negative > 0
            else pick(top_k, start, member, index, room, policy)
        )
        value = 0.0
        for j in range(n):
            arm = arms[j]
            value += means[arm]
            pulls[arm] += 1
            total[arm] += outcome(means[arm], group[arm], t, drawn, drawn_at, environment)
            noise = binary_read(tree, arm, t, node, secret)
            new = min(1.0, (total[arm] + noise + extra) / pulls[arm] + root / math.sqrt(pulls[arm]))
            negative += (new < 0.0) - (index[arm] < 0.0)
            index[arm] = new
        lost += goal - scale * value
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, pulls


@kernel
def cucb_dp_least(problem, horizon, checkpoints, streams, epsilon, exact):
    """As the readable kernel."""
    if not is_compact(problem):
        return central.cucb_dp_least(problem, horizon, checkpoints, streams, epsilon, exact)
    means, start, member, goal, scale = (
        problem.means,
        problem.decisions.start,
        problem.decisions.member,
        problem.goal,
        problem.kinds.scale,
    )
    top_k, m, room = problem.kinds.decisions == TOP_K, problem.means.size, new_room(problem)
    arms, environment, policy, secret = room.arms, streams.environment, streams.policy, streams.noise
    log = math.log(horizon)
    extra, root = 12.0 * log**3 / epsilon, math.sqrt(4.0 * math.log(m * horizon))
    tree, node = new_counters(m, horizon), node_scale(horizon, 1.0, epsilon, exact)
    index, pulls, used, total, negative = np.ones(m), np.zeros(m, np.int64), np.zeros(m, np.int64), np.zeros(m), 0
    regret, c, lost = np.empty(checkpoints.size), 0, 0.0
    for t in range(1, horizon + 1):
        n = (
            pick_any(top_k, start, member, room, policy)
            if negative > 0
            else pick(top_k, start, member, index, room, policy)
        )
        value = 0.0
        for j in range(n):
            value += means[arms[j]]
            pulls[arms[j]] += 1
        arm = arms[least_observed(arms[:n], used, policy)]
        used[arm] += 1
        total[arm] += 1.0 if environment.random() < means[arm] else 0.0
        noise = binary_read(tree, arm, t, node, secret)
        new = min(1.0, (total[arm] + noise + extra) / used[arm] + root / math.sqrt(used[arm]))
        negative += (new < 0.0) - (index[arm] < 0.0)
        index[arm] = new
        lost += goal - scale * value
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, pulls
