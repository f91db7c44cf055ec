"""How the private rivals of Wang & Zhu 2024 work, watched from inside: one run, every decision with what led to it.

Each trace makes the draws of the algorithm's kernel in the kernel's order, so that it plays the very same arms.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpbandits.algorithms.stochastic.doubling import ucb_index
from dpbandits.algorithms.stochastic.elimination import dp_se_epoch
from dpbandits.algorithms.stochastic.interval import interval, noisy_index
from dpbandits.mechanisms.counters import binary_feed, binary_node_scale, hybrid_feed, new_counters
from dpbandits.parameters import unknown
from dpbandits.randomness import Streams, argmax, laplace, seed_sequence, streams


@dataclass(frozen=True)
class Trace:
    """What happened. Row j is one decision: from round start[j] on, `length[j]` rounds of arm[j].

    start, length, arm: shape (decisions,). belief: noisy means, index: what was compared; shape (decisions, arms), nan
    for an arm that is out. released: how many numbers about rewards had left the algorithm by then. pulls: of every arm
    in the end. A reward enters `reuse` releases at most.
    """

    start: np.ndarray
    length: np.ndarray
    arm: np.ndarray
    belief: np.ndarray
    index: np.ndarray
    released: np.ndarray
    pulls: np.ndarray
    reuse: int


class _Notes:
    """Collects the rows of a Trace."""

    def __init__(self):
        self.rows = []

    def add(self, start, length, arm, belief, index, released):
        self.rows.append((start, length, arm, np.array(belief, float), np.array(index, float), released))

    def trace(self, pulls, reuse) -> Trace:
        start, length, arm, belief, index, released = zip(*self.rows, strict=True)
        shape = (np.array(start), np.array(length), np.array(arm), np.array(belief), np.array(index))
        return Trace(*shape, np.array(released), pulls, reuse)


#: name -> how it works, in words.
HOW = {
    "private-ucb": "A tree counter for each arm, made for T items, tells its running reward sum anew after every play."
    " The index adds a bonus for what the noise of any node path may do: ln² T and more, over the arm's count.",
    "dp-ucb": "A hybrid counter for each arm, which needs no horizon. The index takes the noisy sum for the true one:"
    " a bonus for learning, none for the noise.",
    "dp-ucb-bound": "The same counters, and a bonus for their noise, ln(4t⁴)·√8/ε over the count: nearly nothing at"
    " counts that are powers of two, where the counter has just restarted, and much between.",
    "dp-ucb-int": "Only after every ⌈1/ε⌉ plays of an arm its index is renewed, from all its rewards, with Laplace"
    " noise of scale n^−(1−v/2). Old rewards are used again and again, and the losses add up.",
    "dp-se": "Successive elimination. An epoch plays all arms that are left equally often, releases one noisy mean of"
    " each, forgets the rewards, and throws out arms that are clearly behind. A reward is used once.",
    "adap-ucb": "Episodes. An arm that is chosen is played until its count doubles, and then one noisy mean of this"
    " episode alone takes the place of what was believed of it. A reward is used once.",
}


def trace(algorithm: str, means, horizon: int, *, epsilon: float = 1.0, seed: int = 0, run: Streams | None = None):
    """One run of a rival. means: one for each arm. run: the random streams; by default those of `seed`."""
    if algorithm not in HOW:
        raise ValueError(unknown("algorithm", algorithm, HOW))
    means = np.asarray(means, float)
    return _TRACES[algorithm](means, int(horizon), run or streams(seed_sequence(seed, algorithm)), float(epsilon))


def _dp_ucb(means, horizon, run, epsilon):
    return _counters(means, horizon, run, epsilon, lambda t, n: 0.0)


def _dp_ucb_bound(means, horizon, run, epsilon):
    def bonus(t, n):
        nu = math.sqrt(8.0) / epsilon * (math.log(4.0) + 4.0 * math.log(t))
        return nu * (1.0 if n & (n - 1) == 0 else 1.0 + math.log(n)) / n

    return _counters(means, horizon, run, epsilon, bonus)


def _private_ucb(means, horizon, run, epsilon):
    tree, log = epsilon / means.size, math.log(horizon)
    bonus = log**2 * math.log(means.size * horizon * log / 0.1) / tree if horizon > 1 else 0.0
    scale = binary_node_scale(horizon, 1.0, tree)
    feed = lambda counters, arm: binary_feed(counters, arm, scale, run.noise)
    return _counters(means, horizon, run, epsilon, lambda t, n: bonus / n, feed)


def _counters(means, horizon, run, epsilon, bonus, feed=None):
    """UCB on the sums of one counter for each arm; `bonus`(t, n) is for the noise."""
    arms = means.size
    feed = feed or (lambda counters, arm: hybrid_feed(counters, arm, 1.0, epsilon, run.noise))
    pulls, total, mean = np.zeros(arms, np.int64), np.zeros(arms), np.zeros(arms)
    counters, notes, index = new_counters(arms, horizon), _Notes(), np.empty(arms)
    for t in range(1, horizon + 1):
        root = math.sqrt(2.0 * math.log(t)) if t > 1 else 1.0
        for i in range(arms):
            index[i] = mean[i] + root / math.sqrt(pulls[i]) + bonus(t, int(pulls[i])) if pulls[i] else np.inf
        arm = argmax(index, run.policy)
        notes.add(t, 1, arm, mean, index, t - 1)
        total[arm] += run.environment.random() < means[arm]
        pulls[arm] += 1
        mean[arm] = (total[arm] + feed(counters, arm)) / pulls[arm]
    return notes.trace(pulls, int(pulls.max()))


def _dp_ucb_int(means, horizon, run, epsilon, v=1.1):
    arms, f = means.size, interval(epsilon, horizon)
    pulls, total, notes = np.zeros(arms, np.int64), np.zeros(arms), _Notes()
    unknown_yet = np.full(arms, np.nan)
    played = 0
    for _ in range(f):
        for arm in range(arms):
            if played < horizon:
                pulls[arm] += 1
                notes.add(played + 1, 1, arm, unknown_yet, unknown_yet, 0)
                played += 1
    for arm in range(arms):
        total[arm] = run.environment.binomial(pulls[arm], means[arm])
    released, times = 0, np.zeros(arms, np.int64)
    index, belief = np.empty(arms), np.empty(arms)

    def renew(i):
        index[i] = noisy_index(run.noise, total[i], pulls[i], played + 1, v)
        belief[i] = index[i] - math.sqrt(2.0 * math.log(played + 1) / pulls[i])
        times[i] += 1

    if played < horizon:
        for i in range(arms):
            renew(i)
            released += 1
    while played < horizon:
        arm = argmax(index, run.policy)
        length = min(f, horizon - played)
        notes.add(played + 1, length, arm, belief, index, released)
        total[arm] += (
            run.environment.binomial(length, means[arm]) if length > 1 else run.environment.random() < means[arm]
        )
        pulls[arm] += length
        played += length
        renew(arm)
        released += 1
    return notes.trace(pulls, int(times.max()))


def _dp_se(means, horizon, run, epsilon):
    arms = means.size
    pulls, notes, played, epoch, released = np.zeros(arms, np.int64), _Notes(), 0, 0, 0
    active, belief, index = np.arange(arms), np.full(arms, np.nan), np.full(arms, np.nan)

    def play(arm, length):
        nonlocal played
        length = min(length, horizon - played)
        if length > 0:
            notes.add(played + 1, length, arm, belief, index, released)
        pulls[arm] += length
        played += length

    while active.size > 1:
        epoch += 1
        length, radius = dp_se_epoch(epoch, active.size, horizon, epsilon)
        finished = length * active.size <= horizon - played
        for arm in active:
            play(arm, length)
        if not finished:
            return notes.trace(pulls, 1)
        noisy = np.empty(active.size)
        for j, arm in enumerate(active):
            hits = run.environment.binomial(length, means[arm])
            noisy[j] = hits / length + laplace(run.noise, 1.0 / (epsilon * length))
        released += active.size
        belief[:], index[:] = np.nan, np.nan
        belief[active], index[active] = noisy, noisy + radius / 2  # an arm goes whose index is below the best's low end
        active = active[noisy.max() - noisy <= radius]
    play(int(active[0]), horizon)
    return notes.trace(pulls, 1)


def _adap_ucb(means, horizon, run, epsilon, alpha=3.1):
    arms = means.size
    pulls, batch, mean = np.zeros(arms, np.int64), np.zeros(arms, np.int64), np.zeros(arms)
    notes, played, index, released = _Notes(), 0, np.empty(arms), 0
    while played < horizon:
        log = math.log(played + 1)
        for i in range(arms):
            index[i] = ucb_index(mean[i], batch[i], log, epsilon, alpha) if pulls[i] else np.inf
        arm = argmax(index, run.policy)
        length = max(1, int(pulls[arm]))
        within = min(length, horizon - played)
        notes.add(played + 1, within, arm, mean, index, released)
        pulls[arm] += within
        played += within
        if played < horizon:
            hits = run.environment.binomial(length, means[arm])
            mean[arm], batch[arm] = hits / length + laplace(run.noise, 1.0 / (epsilon * length)), length
            released += 1
    return notes.trace(pulls, 1)


_TRACES = {
    "private-ucb": _private_ucb,
    "dp-ucb": _dp_ucb,
    "dp-ucb-bound": _dp_ucb_bound,
    "dp-ucb-int": _dp_ucb_int,
    "dp-se": _dp_se,
    "adap-ucb": _adap_ucb,
}
