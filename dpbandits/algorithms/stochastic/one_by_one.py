"""Algorithms that play an arm for a phase, or wait for a batch, round by round: each reward is one number, drawn in its
own round.

doubling.py, phases.py and lazy_thompson.py draw the rewards of a phase or a batch at once, as one Binomial: the same
law, and a phase costs one draw. An audit has to tell an algorithm its rewards one by one, so it plays these instead.
"""

import math

import numpy as np

from dpbandits.algorithms.stochastic.bookkeeping import regret_of
from dpbandits.algorithms.stochastic.doubling import index_episodes
from dpbandits.algorithms.stochastic.lazy_thompson import draw_beliefs
from dpbandits.algorithms.stochastic.phases import index_phases, next_count
from dpbandits.kernels import kernel
from dpbandits.randomness import argmax, laplace


@kernel
def adap_ucb(means, horizon, checkpoints, streams, epsilon, alpha):
    """AdaP-UCB, in law that of doubling.py, reward by reward. Arguments and result as there."""
    return play_episodes(means, horizon, checkpoints, streams, epsilon, alpha, False)


@kernel
def adap_klucb(means, horizon, checkpoints, streams, epsilon, alpha):
    """AdaP-KLUCB, in law that of doubling.py, reward by reward. Arguments and result as there."""
    return play_episodes(means, horizon, checkpoints, streams, epsilon, alpha, True)


@kernel
def dp_klucb(means, horizon, checkpoints, streams, epsilon, growth):
    """DP-KLUCB, in law that of phases.py, reward by reward. Arguments and result as there."""
    return play_phases(means, horizon, checkpoints, streams, epsilon, growth, False)


@kernel
def dp_imed(means, horizon, checkpoints, streams, epsilon, growth):
    """DP-IMED, in law that of phases.py, reward by reward. Arguments and result as there."""
    return play_phases(means, horizon, checkpoints, streams, epsilon, growth, True)


@kernel
def play_episodes(means, horizon, checkpoints, streams, epsilon, alpha, kl):
    """In round t, if the last episode is over, take argmax of the index for an episode of as many rounds as the arm was
    played, at least one. At its end the mean of its rewards alone, plus Lap(1/(εM)) for M of them, is the arm's m.
    """
    arms = means.size
    pulls, batch = np.zeros(arms, np.int64), np.zeros(arms, np.int64)
    mean, index = np.zeros(arms), np.empty(arms)
    regret, c = np.empty(checkpoints.size), 0
    arm, length, seen, total = 0, 0, 0, 0.0
    for t in range(1, horizon + 1):
        if seen == length:
            index_episodes(index, pulls, mean, batch, math.log(t), epsilon, alpha, kl)
            arm = argmax(index, streams.policy)
            length, seen, total = max(1, pulls[arm]), 0, 0.0
        total += streams.environment.random() < means[arm]
        pulls[arm] += 1
        seen += 1
        if seen == length:
            mean[arm], batch[arm] = total / length + laplace(streams.noise, 1.0 / (epsilon * length)), length
        if t == checkpoints[c]:
            regret[c] = regret_of(pulls, means)
            c += 1
    return regret, pulls


@kernel
def play_phases(means, horizon, checkpoints, streams, epsilon, growth, imed):
    """In round t, if the last phase is over, take argmax of the index until its count has grown to `next_count`. At the
    end of the phase its rewards, plus Lap(1/ε), join the arm's noisy sum.
    """
    arms = means.size
    pulls, total, mean, index = np.zeros(arms, np.int64), np.zeros(arms), np.zeros(arms), np.empty(arms)
    regret, c = np.empty(checkpoints.size), 0
    arm, until, fresh = 0, 0, 0.0
    for t in range(1, horizon + 1):
        if pulls[arm] == until:
            index_phases(index, pulls, mean, math.log(t), epsilon, imed)
            arm = argmax(index, streams.policy)
            until, fresh = next_count(pulls[arm], growth), 0.0
        fresh += streams.environment.random() < means[arm]
        pulls[arm] += 1
        if pulls[arm] == until:
            total[arm] += fresh + laplace(streams.noise, 1.0 / epsilon)
            mean[arm] = min(1.0, max(0.0, total[arm] / pulls[arm]))
        if t == checkpoints[c]:
            regret[c] = regret_of(pulls, means)
            c += 1
    return regret, pulls


@kernel
def lazy_dp_ts(means, horizon, checkpoints, streams, epsilon):
    """Lazy-DP-TS, in law that of lazy_thompson.py, reward by reward: an arm's rewards add up in `total` until its batch
    is complete. Arguments and result as there.
    """
    arms = means.size
    pulls, size, waiting = np.zeros(arms, np.int64), np.zeros(arms, np.int64), np.zeros(arms, np.int64)
    total, mean, theta = np.zeros(arms), np.zeros(arms), np.empty(arms)
    regret, c = np.empty(checkpoints.size), 0
    for t in range(1, horizon + 1):
        draw_beliefs(theta, size, mean, 3.0 * math.log(t) / epsilon, streams.noise)
        arm = argmax(theta, streams.policy)
        total[arm] += streams.environment.random() < means[arm]
        pulls[arm] += 1
        waiting[arm] += 1
        if waiting[arm] == max(1, 2 * size[arm]):
            size[arm], waiting[arm] = waiting[arm], 0
            mean[arm] = (total[arm] + laplace(streams.noise, 1.0 / epsilon)) / size[arm]
            total[arm] = 0.0
        if t == checkpoints[c]:
            regret[c] = regret_of(pulls, means)
            c += 1
    return regret, pulls
