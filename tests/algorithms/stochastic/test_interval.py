"""DP-UCB-Int against plain Python that plays round by round, and its composed loss against dp-accounting."""

import functools
import math
import random

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution as pld
from scipy.special import zeta

from dpbandits import catalogue, simulate
from dpbandits.algorithms.stochastic.interval import dp_ucb_int, interval, noisy_index
from dpbandits.algorithms.stochastic.interval_loss import certainly_exceeds, composed
from dpbandits.environments import build
from dpbandits.mechanisms.laplace import Laplace
from dpbandits.randomness import laplace, run_seed, seed_sequence, streams
from tests.law import assert_same_law

MEANS = np.array([0.2, 0.5, 0.8])


def plain(means, horizon, epsilon, v, rng, refresh="once"):
    """Selected arms, in order."""
    f, arms = math.ceil(round(1 / epsilon, 9)), len(means)
    rewards, index, refreshed, selections = [[] for _ in means], [0.0] * arms, [0] * arms, []
    for t in range(1, horizon + 1):
        if t <= arms * f:
            arm = (t - 1) % arms
        else:
            for i in range(arms):
                n = len(rewards[i])
                if n % f == 0 and (refreshed[i] != n or refresh == "every-round"):
                    noise = rng.choice((-1, 1)) * rng.expovariate(1) * n ** -(1 - v / 2)
                    index[i], refreshed[i] = sum(rewards[i]) / n + noise + math.sqrt(2 * math.log(t) / n), n
            arm = rng.choice([i for i in range(arms) if index[i] == max(index)])
        rewards[arm].append(rng.random() < means[arm])
        selections.append(arm)
    return selections


def run(seed, horizon, epsilon, v=1.1, means=MEANS, checkpoints=None, refresh=0):
    rounds = np.array([horizon]) if checkpoints is None else checkpoints
    return dp_ucb_int(means, horizon, rounds, streams(seed), epsilon, v, refresh)


@pytest.mark.slow
@pytest.mark.parametrize("refresh", ["once", "every-round"])
@pytest.mark.parametrize("epsilon, v, horizon", [(1.0, 1.1, 400), (0.3, 1.1, 500), (0.05, 1.5, 600), (3.0, 1.5, 400)])
def test_same_law_as_the_plain_algorithm(epsilon, v, horizon, refresh):
    rng, cell, early = random.Random(8), seed_sequence(4), 90
    twin, ours = [], []
    for _ in range(400):
        selections = plain(MEANS, horizon, epsilon, v, rng, refresh)
        gaps = 0.8 - MEANS[selections]
        twin.append((gaps[:early].sum(), gaps.sum(), selections.count(1)))
    for r in range(3000):
        rounds, anew = np.array([early, horizon]), int(refresh == "every-round")
        regret, pulls = run(run_seed(cell, r), horizon, epsilon, v, checkpoints=rounds, refresh=anew)
        ours.append((*regret, pulls[1]))
    names = ("early regret", "regret", "pulls of the second arm")
    for what, left, right in zip(names, np.transpose(ours), np.transpose(twin), strict=True):
        assert_same_law(np.round(left, 6), np.round(right, 6), what)


def test_index_by_hand():
    """Same stream, same noise: what is left is the mean 3/4 and the bonus sqrt(2 ln 100/4)."""
    noise = laplace(streams(seed_sequence(9)).noise, 4**-0.45)
    assert noisy_index(streams(seed_sequence(9)).noise, 3.0, 4, 100, 1.1) - noise == pytest.approx(
        0.75 + math.sqrt(math.log(100) / 2)
    )


def test_interval_rounds_up():
    assert [interval(e, 10**6) for e in (1.0, 5.0, 0.5, 0.3, 0.1, 1 / 3, 1 / 49, 0.0999)] == [1, 1, 2, 4, 10, 3, 49, 11]
    assert interval(1e-300, 1000) == 1001


@pytest.mark.parametrize("epsilon", [1.0, 0.15, 1e-9])
def test_regret_at_checkpoints_is_that_of_the_shorter_run(epsilon):
    """The arms of a shorter run begin the longer one; inside the start phase they go in turns."""
    rounds = np.arange(1, 61)
    regret, _ = run(seed_sequence(5), 60, epsilon, checkpoints=rounds)
    gaps, start = 0.8 - MEANS, min(60, 3 * interval(epsilon, 60))
    assert regret[:start] == pytest.approx(np.cumsum(np.resize(gaps, start)))
    assert set(np.round(np.diff(regret), 9)) <= set(np.round(gaps, 9))
    for t in (1, 5, 59, 60):
        shorter, pulls = run(seed_sequence(5), t, epsilon)
        assert pulls.sum() == t
        assert shorter[0] == pytest.approx((pulls * gaps).sum())


def test_composed_by_hand():
    # ε = 0.5: f = 2, releases at 2, 4, 6 with losses n^-0.55
    assert composed(0.5, 7) == pytest.approx((2**-0.55 + 4**-0.55 + 6**-0.55, 0.0))
    assert composed(0.5, 1, slack=1e-6) == (0.0, 1e-6)
    assert composed(1.0) == (math.inf, 0.0)
    assert Laplace(6**-0.45).epsilon(1 / 6) == pytest.approx(6**-0.55)  # a reward moves the mean of six by 1/6


def test_long_sums():
    n = np.arange(1.0, 10**6 + 1)
    assert composed(1.0, 10**6).epsilon == pytest.approx((n**-0.55).sum(), rel=1e-9)
    assert composed(0.1, 10**7, 1.3).epsilon == pytest.approx(((10 * n) ** -0.65).sum(), rel=1e-9)
    # the limit: Σ n^-v = ζ(v), and the closed form with it bounds what is returned
    squares, drift = zeta(1.1), 0.5 * zeta(1.1)
    assert composed(1.0, None, slack=1e-6).epsilon < drift + math.sqrt(2 * squares * math.log(1e6))
    assert (
        composed(1.0, 10**6, slack=1e-6).epsilon
        < composed(1.0, 10**9, slack=1e-6).epsilon
        < composed(1.0, None, slack=1e-6).epsilon
    )


@pytest.mark.parametrize("epsilon, releases", [(1.0, 40), (0.1, 60)])
def test_composed_covers_the_exact_loss(epsilon, releases):
    """dp-accounting composes the Laplace releases numerically, once from below and once from above."""
    f = interval(epsilon, 10**6)
    bounds = []
    for up in (False, True):
        each = [
            pld.from_laplace_mechanism(
                (f * j) ** 0.55, pessimistic_estimate=up, value_discretization_interval=1e-3, use_connect_dots=False
            )
            for j in range(1, releases + 1)
        ]
        bounds.append(functools.reduce(lambda one, other: one.compose(other), each))
    low, high = (total.get_epsilon_for_delta(1e-6) for total in bounds)
    ours = composed(epsilon, f * releases, slack=1e-6).epsilon
    assert low <= ours <= 1.15 * high
    assert bounds[0].get_delta_for_epsilon(epsilon) > 0.1  # the nominal ε, at a δ far from small
    assert certainly_exceeds(epsilon, 1e-6, f * releases)
    assert bounds[0].get_delta_for_epsilon(5.9 if f == 1 else 1.0) > 1e-6


def test_certainly_exceeds_only_where_the_exact_loss_does():
    assert certainly_exceeds(1.0, 1e-6, 2)
    assert not certainly_exceeds(1.0, 1e-6, 1)  # one release, exactly ε
    assert not certainly_exceeds(1.7, 1e-6, 2)  # 1 + 2^-0.55 = 1.68
    assert certainly_exceeds(0.1, 1e-6, 10)  # the first release alone: 10^-0.55 = 0.28
    assert not certainly_exceeds(0.1, 1e-6, 9)  # no release yet


def test_guarantee_says_what_holds():
    record, instance = catalogue.algorithms()["dp-ucb-int"], build("wang-zhu-1")

    def guarantee(epsilon, horizon):
        return record.guarantee(record.bind({"epsilon": epsilon}), instance, horizon)

    nominal = guarantee(1.0, 10**6)
    assert (nominal.epsilon, nominal.delta, nominal.status) == (1.0, 1e-6, "as claimed, fails")
    assert "ε′ = 1.11e+03 or (ε′, δ′) = (16.9, 1e-06)" in nominal.note
    assert guarantee(1.0, 1).status == "proved"
    assert guarantee(18.0, 10**6).status == "proved"
    assert guarantee(18.0, 10**6).epsilon == pytest.approx(composed(18.0, 10**6, slack=1e-6).epsilon)
    assert guarantee(10.0, 10**6).status == "as claimed, unchecked"
    assert "no finite ε′" in guarantee(1.0, None).note


def test_a_start_phase_beyond_the_horizon_is_noted():
    result = simulate("dp-ucb-int", "wang-zhu-1", horizon=500, runs=3, epsilon=0.01)
    assert "start phase of 900 rounds" in result.attrs["notes"]
    assert (result.pulls.std("run") == 0).all()
    assert simulate("dp-ucb-int", "wang-zhu-1", horizon=500, runs=3, epsilon=0.1).attrs["notes"] == "[]"


@pytest.mark.parametrize("v", [1.0, 1.6, math.nan])
def test_bad_exponent(v):
    with pytest.raises(ValueError, match="v = .* must be a finite number > 1 and <= 1.5"):
        simulate("dp-ucb-int", "wang-zhu-1", horizon=500, v=v)


def test_nothing_is_released_inside_the_start_phase():
    record, instance = catalogue.algorithms()["dp-ucb-int"], build("bernoulli", means=[0.2, 0.5, 0.8])
    short, long = (record.guarantee(record.bind({"epsilon": 0.25}), instance, horizon) for horizon in (12, 13))
    assert (short.epsilon, short.delta, short.status) == (0, 0, "proved")
    assert long.epsilon == 0.25 and long.status.startswith("as claimed")
