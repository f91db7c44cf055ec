"""What an audit plays in place of kernels that draw a phase's rewards as one Binomial: the same run where each arm's
rewards are the same, hence the same law; and one number for each reward.
"""

import numpy as np
import pytest

from dpbandits.algorithms import ALGORITHMS
from dpbandits.algorithms.stochastic import doubling, lazy_thompson, one_by_one, phases
from dpbandits.auditing.scripted import Scripted
from dpbandits.environments import build
from dpbandits.privacy.watching import OneByOne
from dpbandits.randomness import Streams, run_seed, seed_sequence, streams
from tests.law import assert_same_law

MEANS = (0.2, 0.5, 0.8)
#: Name of an algorithm, its quick loop and the one by rewards, and what follows its streams.
LOOPS = [
    ("adap-ucb", doubling.play_episodes, one_by_one.play_episodes, (1.0, 0.6, False)),
    ("adap-klucb", doubling.play_episodes, one_by_one.play_episodes, (1.0, 0.6, True)),
    ("dp-klucb", phases.play_phases, one_by_one.play_phases, (0.7, 2.0, False)),
    ("dp-klucb", phases.play_phases, one_by_one.play_phases, (5.0, 1.3, False)),
    ("dp-imed", phases.play_phases, one_by_one.play_phases, (0.7, 2.0, True)),
    ("dp-imed", phases.play_phases, one_by_one.play_phases, (5.0, 1.0, True)),
    ("lazy-dp-ts", lazy_thompson.lazy_dp_ts, one_by_one.lazy_dp_ts, (8.0,)),
]
NAMES = list(dict.fromkeys(name for name, *_ in LOOPS))


class Rewards:
    """An environment in which the n-th reward of an arm is what it is, however it is asked for. An arm is known by its
    mean.
    """

    def __init__(self, seed):
        rewards = {mean: np.random.default_rng((seed, place)).random(1000) < mean for place, mean in enumerate(MEANS)}
        self._next = {mean: iter(map(int, given)) for mean, given in rewards.items()}

    def take(self, mean) -> int:
        return next(self._next[mean])

    def random(self):
        return Number(self)

    def binomial(self, count, mean) -> int:
        return sum(self.take(mean) for _ in range(count))


class Number:
    """What is less than a mean if the arm's next reward is 1."""

    def __init__(self, rewards):
        self._rewards = rewards

    def __lt__(self, mean):
        return self._rewards.take(mean)


@pytest.mark.parametrize("name, quick, plain, given", LOOPS)
def test_the_same_rewards_make_the_same_run(name, quick, plain, given):
    """Sums of independent Bernoulli rewards are Binomial, so equal runs for equal rewards are equal laws."""
    rounds, runs = np.array([1, 2, 3, 7, 50, 64, 150]), set()
    for seed in range(8):
        outcomes = []
        for kernel in (quick, plain):
            own = streams(run_seed(seed_sequence(seed, name), 0))
            told = Streams(Rewards(seed), own.policy, own.noise)
            loop = getattr(kernel, "py_func", kernel)
            outcomes.append(loop(np.array(MEANS), int(rounds[-1]), rounds, told, *given))
        (regret, pulls), (again, counted) = outcomes
        assert np.array_equal(pulls, counted) and pulls.sum() == rounds[-1]
        assert regret == pytest.approx(again)
        runs.add(tuple(pulls))
    assert len(runs) > 4


@pytest.mark.slow
@pytest.mark.parametrize("means, horizon", [((0.3, 0.5, 0.7), 300), ((0.5, 0.25), 900)])
@pytest.mark.parametrize("epsilon", [0.4, 4.0])
@pytest.mark.parametrize("name", NAMES)
def test_same_law(name, epsilon, means, horizon):
    """2,500 compiled runs of either kernel: early and final regret and pulls, false-alarm rate 1e-6 each."""
    record, rounds, problem = ALGORITHMS[name], np.array([horizon // 6, horizon]), np.array(means)
    values = record.bind({"epsilon": epsilon})
    told = record.watch(values, build("bernoulli", means=means), horizon)
    assert isinstance(told, OneByOne)
    samples = []
    for number, kernel in enumerate((record.function, told.kernel)):
        cell = seed_sequence(11, name, number)
        outcomes = []
        for r in range(2500):
            own = streams(run_seed(cell, r))
            regret, pulls = kernel(problem, horizon, rounds, own, *record.arguments(values))
            outcomes.append((*regret, *pulls[:-1]))
        samples.append(np.round(np.transpose(outcomes), 6))
    for number, (left, right) in enumerate(zip(*samples, strict=True)):
        assert_same_law(left, right, f"{name}, number {number}")


@pytest.mark.parametrize("name", NAMES)
def test_one_number_a_reward_and_nothing_else(name):
    record = ALGORITHMS[name]
    values = record.bind({})
    kernel = record.watch(values, None, 100).kernel
    environment, own = Scripted([0.9] * 100), streams(seed_sequence(5))
    for horizon in (1, 2, 10, 61):
        environment.rewind()
        told = Streams(environment.generator, own.policy, own.noise)
        _, pulls = kernel(np.array(MEANS), horizon, np.array([horizon]), told, *record.arguments(values))
        assert environment.drawn == horizon == pulls.sum()
