"""audit(): it refutes the labels that fail, leaves those that are proved, and never exceeds the accountant.

Every audit holds with confidence 1 − 1e-6, so a false alarm in a test of n audits has probability at most n · 1e-6.
"""

import inspect
import math
from dataclasses import replace

import numpy as np
import pytest

from dpbandits import account, audit, claim, smoke_test
from dpbandits.algorithms.catalogue import ALGORITHMS
from dpbandits.algorithms.stochastic.duel import duel_losses, many_duels
from dpbandits.auditing.floor import Likely, _threshold
from dpbandits.auditing.plays import Plan, play, small
from dpbandits.auditing.scripted import LARGEST, Begun
from dpbandits.mechanisms.gaussian import epsilon_from_mu
from dpbandits.privacy.selection import selection_probabilities
from dpbandits.privacy.watching import OneByOne
from tests.own.policies import forgetful, fresh_noise

LOCAL = ["cascade-ldp-first", "cucb-ldp1", "cucb-ldp2", "cucb-ldp-gauss"]
PLAYED = ["dp-ucb", "private-ucb", "dpucb-mat", "dpts-mat", "cascade-dp-first", "cucb-dp-least"]
PLAYED += ["cucb-dp-lazy", "cascade-dp-lazy", "cucb-dp"]
ONE_BY_ONE = ["adap-ucb", "adap-klucb", "dp-klucb", "dp-imed", "lazy-dp-ts"]  # by another kernel of the same law
PLAYED += ONE_BY_ONE


@pytest.mark.parametrize("name", ["cascade-ldp-laplace", "cascade-ldp-gauss", "cascade-ldp-composed"])
@pytest.mark.parametrize("epsilon", [0.1, 2.0])
def test_printed_cascade_reports_are_refuted(name, epsilon):
    found = audit(name, trials=3000, epsilon=epsilon)
    assert found.refuted and "number of reports" in found.witness and found.epsilon_at_least > 4.5


def test_printed_central_cascade_is_refuted():
    found = audit("cascade-dp", horizon=10, trials=10_000, plan=Plan(10, 1, "everything"))
    assert found.refuted and found.epsilon > 1.5


@pytest.mark.slow
def test_interval_releases_are_refuted_by_their_selections():
    found = audit("dp-ucb-int", horizon=12, trials=150_000, plan=Plan(12))
    assert found.refuted and found.as_dict()["refutes_label"] is True


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.slow
def test_no_floor_exceeds_its_ceiling(name):
    """Each of 40 audits is above the truth with probability 1e-6 at most; what is proved is at least the truth."""
    instance = small(ALGORITHMS[name])
    found = audit(name, instance, horizon=12, trials=400, delta_total=1e-5)
    assert found.epsilon_at_least <= account(name, instance, horizon=12).epsilon
    assert found.audit or found.note


@pytest.mark.parametrize("name, given", [("cascade-dp", {"trials": 12_000}), ("dp-ucb-int", {"trials": 150_000})])
@pytest.mark.slow
def test_a_call_without_a_plan_refutes_too(name, given):
    """What a reader types: the plan is searched for among several."""
    assert audit(name, horizon=12, **given).refuted


@pytest.mark.parametrize("name", LOCAL + PLAYED)
@pytest.mark.slow
def test_proved_labels_stand_and_the_floor_is_below_the_ceiling(name):
    instance = small(ALGORITHMS[name])
    found = audit(name, instance, horizon=10, trials=1000, delta_total=1e-5)
    ceiling = account(name, instance, horizon=10)
    assert not found.refuted and found.epsilon_at_least <= ceiling.epsilon


@pytest.mark.parametrize(
    "name, given",
    [
        ("thompson-gauss", {}),
        ("dp-ftpl-gauss", {"epsilon": 0.3, "delta": 0.01}),
        ("dp-ftpl-new", {"epsilon": 0.05, "delta": 0}),
    ],
)
@pytest.mark.slow
def test_a_leader_is_below_its_ceiling_and_above_its_label(name, given):
    for horizon in (300, 4000):
        found = audit(name, horizon=horizon, trials=2000, delta_total=1e-5, **given)
        ceiling = account(name, "two-arms", horizon=horizon, **given)
        assert found.epsilon_at_least <= ceiling.epsilon
    assert found.epsilon_at_least > 1.5 * given.get("epsilon", 1.0)
    assert not found.refuted  # a label for single selections says nothing about all of them


@pytest.mark.slow
@pytest.mark.parametrize("name", LOCAL + PLAYED)
def test_no_false_alarm_over_200_seeds(name):
    """Fixed seeds; over their choice, 200 audits at confidence 1 − 1e-6 raise one with probability <= 2e-4 a name."""
    plan = None if name in LOCAL else Plan(8)
    for seed in range(200):
        assert not audit(name, horizon=8, trials=300, seed=seed, plan=plan).refuted


def test_duel_follows_the_selection_probabilities():
    """The likelihood ratio of one selection, against the quadrature of privacy.selection."""
    for law, epsilon, start in (("gauss", 0.0, 3), ("new", 0.4, 1), ("gauss", 0.0, 1)):
        horizon, horizon_of_law = 2 * start + 1, 50
        rng = np.random.default_rng(5)
        seen = {
            round(float(duel_losses(start, horizon_of_law, epsilon, np.array([horizon]), rng)[0]), 9)
            for _ in range(2000)
        }
        wanted = set()
        for zero in range(start + 1):
            for one in range(start + 1):
                for flipped in (zero - 1, zero + 1):
                    if not 0 <= flipped <= start:
                        continue
                    p, q = (
                        selection_probabilities(law, [start, start], [total, one], epsilon or 1.0, 0.0, horizon_of_law)
                        for total in (zero, flipped)
                    )
                    wanted |= {round(float(x), 9) for x in np.log(p / q)}
        assert all(min(abs(x - y) for y in wanted) < 1e-6 for x in seen) and len(seen) > 2


def test_duel_losses_are_losses():
    """E[e^−loss] = 1: the neighbour's probabilities sum to one."""
    rng = np.random.default_rng(6)
    for epsilon, start in ((0.0, 2), (0.3, 1)):
        loss = many_duels(start, 60, epsilon, np.array([20, 60]), rng, 40_000)
        weights = np.exp(-loss)
        assert abs(weights.mean(0) - 1).max() < 5 * weights.std(0).max() / 200
        assert loss.mean(0)[1] > loss.mean(0)[0] > 0


def test_likely_is_a_bound_for_a_gaussian_loss():
    mu, rng = 1.5, np.random.default_rng(7)
    loss = rng.normal(mu**2 / 2, mu, 200_000)
    threshold = _threshold(loss[::2], 1e-3, 1 - 1e-6)
    found = Likely(threshold, int((loss[1::2] > threshold).sum()), 100_000, 1 - 1e-6)
    assert 0.7 * epsilon_from_mu(1e-3, mu) < found.epsilon(1e-3) <= epsilon_from_mu(1e-3, mu)
    assert Likely(3.0, 0, 100, 0.99).epsilon() == 0


def test_what_cannot_be_watched_is_explained():
    for name, given in (
        ("dp-se", {}),
        ("gdp-elim-new", {}),
        ("dp-ucb-int", {"epsilon": 0.1}),
        ("dp-ts", {"pre_pulls": 5}),
    ):
        found = audit(name, horizon=1000, **given)
        assert found.epsilon_at_least == 0 and "in one draw" in found.note and "Not audited" in repr(found)
    found = audit("dp-ftpl-gauss", horizon=50, epsilon=0.1, delta=0.01)
    assert found.silent and "ends before" in found.note


def source(kernel) -> str:
    """Of a kernel and of the loop in its file to which it leaves the play."""
    plain = getattr(kernel, "py_func", kernel)
    called = [name for name in plain.__code__.co_names if name.startswith("play_")]
    return inspect.getsource(plain) + "".join(source(plain.__globals__[name]) for name in called)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_rewards_in_one_draw_are_never_told_one_by_one(name):
    """An audit tells an algorithm its rewards: one that takes them as a Binomial would be refuted without cause."""
    record = ALGORITHMS[name]
    assert "environment.binomial(" not in source(record.function) or record.watch is not None
    watch = record.watch(record.bind({}), small(record), 60) if record.watch else None
    if isinstance(watch, OneByOne):
        assert "environment.binomial(" in source(record.function)  # else its own kernel would do
        assert "environment.binomial(" not in source(watch.kernel)


@pytest.mark.slow
@pytest.mark.parametrize("name", ONE_BY_ONE)
def test_a_reward_leaves_traces_that_an_audit_finds(name):
    """One that could see nothing would refute nothing: the true label stands, a smaller one does not."""
    record, (epsilon, least) = ALGORITHMS[name], (20.0, 1.0) if name == "lazy-dp-ts" else (6.0, 2.0)
    given = {"horizon": 10, "trials": 6000, "epsilon": epsilon}
    found, ceiling = audit(name, **given), account(name, small(record), horizon=10, epsilon=epsilon)
    assert not found.refuted and least < found.epsilon_at_least <= ceiling.epsilon
    boast = replace(record, guarantee=lambda *_: replace(found.guarantee, epsilon=least))
    assert audit(boast, **given).refuted


@pytest.mark.slow
def test_an_audit_that_cannot_decide_says_what_would():
    def leak(means, horizon, checkpoints, streams):
        liked = streams.environment.random() < means[0]
        tell = 0.9 if liked else 0.1
        return (means.max() - means[1 if streams.noise.random() < tell else 0]) * (checkpoints - 1.0) + 0.01

    claimed = claim(leak, "Its author says so.", epsilon=2.0)
    few = smoke_test(claimed, horizon=3, trials=300)
    assert not few.refuted and "about" in few.needed and "would refute" in few.needed
    wanted = int(few.needed.split("about ")[1].split(" trials")[0].replace(",", ""))
    assert smoke_test(claimed, horizon=3, trials=4 * wanted).refuted
    modest = smoke_test(claim(leak, "Its author says so.", epsilon=3.0), horizon=3, trials=300)
    assert "not too frequent" in modest.needed


@pytest.mark.slow
def test_long_games():
    assert smoke_test(claim(forgetful, "One batch, once."), horizon=700, trials=300, long=True)
    found = smoke_test(claim(fresh_noise, "Said so."), horizon=700, trials=300, long=True)
    assert found.rounds == 700 and "at random" in found.neighbours


def test_begun_tells_the_first_numbers_and_goes_on_alike():
    one, other = Begun([0.25, 0.5], 3), Begun([LARGEST, 0.0], 3)
    for run in (0, 5):
        one.rewind(run)
        other.rewind(run)
        assert [one.generator.random() for _ in range(2)] == [0.25, 0.5]
        assert [other.generator.random() for _ in range(2)] == [LARGEST, 0.0]
        assert np.array_equal(one.generator.random(1000), other.generator.random(1000))
        assert one.drawn == other.drawn == 1002
    one.rewind(1)
    first = one.generator.random(50)
    one.rewind(2)
    assert not np.array_equal(first[2:], one.generator.random(50)[2:])
    with pytest.raises(ValueError, match="at most 4"):
        Begun([0.1] * 5, 0)


def test_free_observations_are_told_too():
    seen = play(ALGORITHMS["cucb"], small(ALGORITHMS["cucb"]), {}, Plan(10), 200, 0)
    assert seen.codes.shape == (2, 200, 10) and not seen.silent
    assert audit("cascade-ucb1", horizon=10, trials=400).epsilon_at_least > 1


@pytest.mark.parametrize(
    "given, words",
    [
        (dict(algorithm="dp-see"), "Unknown algorithm 'dp-see'"),
        (dict(trials=2), "trials = 2 is not allowed"),
        (dict(horizon=0), "horizon = 0 is not allowed"),
        (dict(delta_total=1.0), "delta_total = 1 is not allowed"),
        (dict(confidence=1), "confidence = 1 is not allowed"),
        (dict(algorithm="cucb-dp", instance="k-path"), "instance = k-path is not allowed"),
        (dict(algorithm="cascade-ucb1", plan=Plan(5, 1, "some things")), "not allowed in the cascade setting"),
        (dict(plan=Plan(400)), "it must be <= 312"),
    ],
)
def test_bad_input(given, words):
    with pytest.raises(ValueError) as caught:
        audit(**{"algorithm": "ucb1", "trials": 20, "horizon": 5} | given)
    assert words in str(caught.value)


def test_epsilon_at_falls_with_delta():
    found = audit("cascade-ldp-gauss", trials=1000)
    assert found.epsilon_at(0.5) < found.epsilon_at(0.0) and math.isfinite(found.epsilon_at(0.0))
