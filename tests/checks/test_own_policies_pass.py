"""The policies of chapters 00 and 07: what they refute fails the check, what they build passes it."""

import numpy as np
import pytest

from dpbandits import checks
from dpbandits.randomness import argmax, laplace
from tests.own.policies import fresh_noise


def commit(means, horizon, checkpoints, streams, epsilon=1.0, each=300.0):
    """Chapter 07."""
    total, regret, lost, c, arm = np.zeros(means.size), np.empty(checkpoints.size), 0.0, 0, 0
    for t in range(1, horizon + 1):
        if t <= each * means.size:
            arm = (t - 1) % means.size
            total[arm] += streams.environment.random() < means[arm]
        elif t == each * means.size + 1:
            for i in range(means.size):
                total[i] += laplace(streams.noise, 1 / epsilon)
            arm = argmax(total, streams.policy)
        lost += means.max() - means[arm]
        if t == checkpoints[c]:
            regret[c], c = lost, c + 1
    return regret


def explore_then_commit(means, horizon, checkpoints, streams, epsilon=1.0, each=300.0):
    """Chapter 00."""
    total, regret, lost, c, best = np.zeros(means.size), np.empty(checkpoints.size), 0.0, 0, 0
    for t in range(1, horizon + 1):
        arm = best
        if t <= each * means.size:
            arm = (t - 1) % means.size
            total[arm] += streams.environment.random() < means[arm]
        elif t == each * means.size + 1:
            for i in range(means.size):
                total[i] += laplace(streams.noise, 1 / epsilon)
            arm = best = argmax(total, streams.policy)
        lost += means.max() - means[arm]
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret


def reuse(means, horizon, checkpoints, streams, epsilon=1.0):
    """Chapter 07: all rewards of an arm, released again at every doubling."""
    pulls, total, index = np.zeros(means.size), np.zeros(means.size), np.full(means.size, np.inf)
    regret, lost, c, arm, left = np.empty(checkpoints.size), 0.0, 0, 0, 0.0
    for t in range(1, horizon + 1):
        if left == 0:
            arm = argmax(index, streams.policy)
            left = max(1.0, pulls[arm])
        total[arm] += streams.environment.random() < means[arm]
        pulls[arm] += 1
        left -= 1
        if left == 0:
            index[arm] = (total[arm] + laplace(streams.noise, 1 / epsilon)) / pulls[arm] + np.sqrt(
                np.log(t + 1) / pulls[arm]
            )
        lost += means.max() - means[arm]
        if t == checkpoints[c]:
            regret[c], c = lost, c + 1
    return regret


@pytest.mark.parametrize("policy", [commit, explore_then_commit])
@pytest.mark.slow
def test_what_the_chapters_build_passes(policy):
    report = checks.private_policy(policy)
    assert report, report


@pytest.mark.parametrize("policy", [fresh_noise, reuse])
@pytest.mark.slow
def test_what_chapter_07_refutes_fails(policy):
    report = checks.private_policy(policy)
    assert not report and "How many releases does one reward enter?" in str(report.findings)
