"""DP-KLUCB and DP-IMED against plain Python that keeps every reward and every noise, and the argument behind their
label.
"""

import math
import random

import numpy as np
import pytest
from scipy.optimize import brentq

from dpbandits import catalogue, simulate
from dpbandits.algorithms.stochastic.phases import dp_imed, dp_klucb, next_count
from dpbandits.environments import bernoulli
from dpbandits.randomness import run_seed, seed_sequence, streams
from tests.law import assert_same_law

MEANS = (0.2, 0.5, 0.8)
BOTH = [(dp_klucb, False), (dp_imed, True)]


def plain_kl(p, q):
    return sum(a * math.log(a / b) if b else math.inf for a, b in ((p, q), (1 - p, 1 - q)) if a > 0)


def plain_divergence(p, q, epsilon):
    """ε(r − p) + kl(r, q) at the r in [p, q] where its slope in r vanishes, or at p; test_private_kl holds this
    against a search.
    """
    r = max(p, q / (q + (1 - q) * math.exp(min(epsilon, 700))))
    return epsilon * (r - p) + plain_kl(r, q)


def plain_bound(p, level, epsilon):
    """The largest q whose divergence from p is at most `level`."""
    if p == 1 or epsilon * (1 - p) <= level:
        return 1.0
    top = 1 - 1e-12
    if plain_divergence(p, top, epsilon) <= level:
        return top
    return brentq(lambda q: plain_divergence(p, q, epsilon) - level, p, top, xtol=1e-13) if level else p


def plain(horizon, epsilon, growth, imed, rng, reward, noise):
    """Selected arms, in order. reward(t, arm), noise(arm, phase): one reward, one Laplace draw."""
    arms = 3
    rewards, released, phases, selections = [[] for _ in range(arms)], [None] * arms, [0] * arms, []
    while len(selections) < horizon:
        t, index = len(selections) + 1, []
        estimate = [min(1.0, max(0.0, s / n)) if n else None for s, n in (r or (0, 0) for r in released)]
        for i in range(arms):
            if released[i] is None:
                index.append(math.inf)
            elif imed:
                top, n = max(e for e in estimate if e is not None), released[i][1]
                # before all arms are played the unplayed ones go first, whatever these are
                index.append(-n * plain_divergence(estimate[i], top, epsilon) - math.log(n))
            else:
                index.append(plain_bound(estimate[i], math.log(t) / released[i][1], epsilon))
        index = [round(x, 10) for x in index]
        arm = rng.choice([i for i in range(arms) if index[i] == max(index)])
        count = len(rewards[arm])
        until = 1 if count == 0 else max(count + 1, math.floor(growth * count))
        fresh = []
        while len(rewards[arm]) < until and len(selections) < horizon:
            fresh.append(reward(len(selections) + 1, arm))
            rewards[arm].append(fresh[-1])
            selections.append(arm)
        if len(rewards[arm]) == until:
            before = released[arm][0] if released[arm] else 0.0
            released[arm] = (before + sum(fresh) + noise(arm, phases[arm]), until)
            phases[arm] += 1
    return selections


def draw_reward(rng):
    return lambda t, arm: rng.random() < MEANS[arm]


def draw_noise(rng, epsilon):
    return lambda arm, phase: rng.choice((-1, 1)) * rng.expovariate(epsilon)


def run(kernel, seed, horizon, epsilon, growth=2.0, means=MEANS, checkpoints=None):
    rounds = np.array([horizon]) if checkpoints is None else checkpoints
    return kernel(np.array(means), horizon, rounds, streams(seed), epsilon, growth)


def compare(kernel, imed, epsilon, growth, horizon, runs=250):
    rng, cell, early = random.Random(7), seed_sequence(3, kernel.__name__), 40
    twin, ours = [], []
    for _ in range(runs):
        selections = plain(horizon, epsilon, growth, imed, rng, draw_reward(rng), draw_noise(rng, epsilon))
        gaps = np.array([0.6, 0.3, 0.0])[selections]
        twin.append((gaps[:early].sum(), gaps.sum(), selections.count(1)))
    for r in range(3000):
        regret, pulls = run(kernel, run_seed(cell, r), horizon, epsilon, growth, checkpoints=np.array([early, horizon]))
        ours.append((*regret, pulls[1]))
    names = ("early regret", "regret", "pulls of the second arm")
    for what, left, right in zip(names, np.transpose(ours), np.transpose(twin), strict=True):
        assert_same_law(np.round(left, 6), np.round(right, 6), what)


@pytest.mark.slow
@pytest.mark.parametrize("kernel, imed", BOTH)
@pytest.mark.parametrize("epsilon, growth, horizon", [(1.0, 2.0, 400), (0.2, 1.5, 300), (8.0, 1.1, 150)])
def test_same_law_as_the_plain_algorithm(kernel, imed, epsilon, growth, horizon):
    compare(kernel, imed, epsilon, growth, horizon)


@pytest.mark.slow
@pytest.mark.parametrize("kernel, imed", BOTH)
def test_without_noise_and_with_phases_of_one_pull_they_are_kl_ucb_and_imed(kernel, imed):
    """ε = 10⁹, growth = 1: one pull at a time, exact means, d_ε = kl: the algorithms without privacy (exploration ln
    t), played plainly.
    """

    def unprivate(horizon, rng):
        pulls, total, selections = [0] * 3, [0] * 3, []
        for t in range(1, horizon + 1):
            means = [s / n if n else 0 for s, n in zip(total, pulls, strict=True)]
            index = []
            for n, p in zip(pulls, means, strict=True):
                if n == 0:
                    index.append(math.inf)
                elif imed:
                    q = max(means)
                    index.append(-n * plain_kl(p, q) - math.log(n))
                else:
                    level = math.log(t) / n
                    excess = lambda q, p=p, level=level: plain_kl(p, q) - level  # noqa: E731
                    index.append(
                        p if p == 1 or level == 0 else brentq(excess, p, 1 - 1e-16) if excess(1 - 1e-16) > 0 else 1.0
                    )
            index = [round(x, 9) for x in index]
            arm = rng.choice([i for i in range(3) if index[i] == max(index)])
            pulls[arm], total[arm] = pulls[arm] + 1, total[arm] + (rng.random() < MEANS[arm])
            selections.append(arm)
        return selections

    rng, horizon, cell = random.Random(3), 120, seed_sequence(5, kernel.__name__)
    twin = [np.array([0.6, 0.3, 0.0])[unprivate(horizon, rng)].sum() for _ in range(300)]
    ours = [run(kernel, run_seed(cell, r), horizon, 1e9, 1.0)[0][-1] for r in range(3000)]
    assert_same_law(np.round(ours, 6), np.round(twin, 6), "regret")


@pytest.mark.parametrize("kernel, imed", BOTH)
@pytest.mark.parametrize("changed", [1, 2, 5, 17, 40, 59])
@pytest.mark.parametrize("growth", [1.0, 1.3, 2.0])
def test_a_changed_reward_is_hidden_by_one_shift_of_one_noise(kernel, imed, changed, growth):
    """Flip the reward of one round: shifting the noise of its phase by the change, and no other, leaves all selections
    as they were.

    The shift is at most 1 against a scale of 1/ε, so it costs a factor of at most exp(ε): the transcript is ε-private.
    """
    horizon, epsilon = 60, 0.8
    for seed in range(3):
        rewards = np.random.default_rng(seed).integers(0, 2, horizon + 1)
        noises = {}

        def noise(arm, phase, noises=noises, seed=seed):
            draw = np.random.default_rng((seed, arm, phase)).laplace(0, 1 / epsilon)
            return noises.setdefault((arm, phase), draw)

        before = plain(horizon, epsilon, growth, imed, random.Random(1), lambda t, arm: int(rewards[t]), noise)  # noqa: B023
        turned = rewards.copy()
        turned[changed] = 1 - turned[changed]
        arm, place = before[changed - 1], before[: changed - 1].count(before[changed - 1])
        phase, end = 0, 1
        while end <= place:
            phase, end = phase + 1, next_count(end, growth)
        shift = {(arm, phase): int(rewards[changed]) - int(turned[changed])}
        after = plain(
            horizon, epsilon, growth, imed, random.Random(1), lambda t, arm: int(turned[t]),  # noqa: B023
            lambda arm, phase: noise(arm, phase) + shift.get((arm, phase), 0),  # noqa: B023
        )  # fmt: skip
        assert after == before
        assert sum(map(abs, shift.values())) * epsilon <= epsilon


def test_counts_follow_the_phases_except_the_last_one():
    for kernel, _ in BOTH:
        for growth in (1.0, 1.25, 2.0, 3.7):
            ends, count = set(), 0
            while count < 2000:
                count = next_count(count, growth)
                ends.add(count)
            for r in range(20):
                _, pulls = run(kernel, run_seed(seed_sequence(0), r), 1000 + r, 1.0, growth)
                assert pulls.sum() == 1000 + r and sum(int(n) not in ends for n in pulls) <= 1


def test_a_phase_never_overflows():
    assert next_count(0, 100.0) == 1 and next_count(1, 1.0) == 2 and next_count(10, 1.1) in (11, 12)
    assert next_count(10**12, 1e6) == 10**18 and next_count(10**15, 1e6) == 4 * 10**18
    assert run(dp_imed, seed_sequence(1), 10**7, 1.0, 1e6)[1].sum() == 10**7


@pytest.mark.parametrize("kernel", [dp_klucb, dp_imed])
def test_regret_at_checkpoints_is_that_of_the_shorter_run(kernel):
    rounds = np.array([1, 2, 3, 4, 7, 64, 65, 100, 128, 500])
    regret, _ = run(kernel, seed_sequence(5), 500, 1.0, checkpoints=rounds)
    for t, value in zip(rounds, regret, strict=True):
        shorter, pulls = run(kernel, seed_sequence(5), t, 1.0)
        assert value == pytest.approx(shorter[0]) == pytest.approx((pulls * (0.8 - np.array(MEANS))).sum())


def test_sure_rewards_and_equal_arms():
    for kernel in (dp_klucb, dp_imed):
        for means in ([0.0, 1.0], [1.0, 1.0], [0.0, 0.0]):
            regret, pulls = run(kernel, seed_sequence(1), 2000, 2.0, means=means)
            assert regret[-1] == pulls[0] * (means[1] - means[0]) and pulls.sum() == 2000


@pytest.mark.parametrize("name", ["dp-klucb", "dp-imed", "lazy-dp-ts"])
def test_labels_and_notes(name):
    record = catalogue.algorithms()[name]
    label = record.guarantee(record.bind({"epsilon": 0.7}), bernoulli(MEANS), 1000)
    assert (label.epsilon, label.delta, label.scope, label.status) == (0.7, 0.0, "transcript", "proved")
    assert (
        "before each of the 3 arms was played once"
        in simulate(name, bernoulli(MEANS), horizon=2, runs=1).attrs["notes"]
    )
    with pytest.raises(ValueError, match="epsilon = 0 is not allowed"):
        simulate(name, bernoulli(MEANS), horizon=10, epsilon=0)
    if name != "lazy-dp-ts":
        with pytest.raises(ValueError, match="growth = 0.5 is not allowed"):
            simulate(name, bernoulli(MEANS), horizon=10, growth=0.5)
