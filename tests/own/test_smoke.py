"""The smoke test never exceeds an ε that is known, comes close to it, refutes what leaks, and says what it cannot
play.
"""

import math

import numpy as np
import pytest

from dpbandits import claim, smoke_test
from dpbandits.environments import bernoulli
from tests.own.policies import blind, forgetful, fresh_noise, randomised_response

WHY = "Its author says so."


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.5])
def test_randomised_response_is_found_but_never_exceeded(epsilon):
    # Both confidence intervals at 1 − 1e-6: a false alarm is as rare. 8 000 counted runs of each kind see 0.7 ε and
    # more.
    test = smoke_test(claim(randomised_response, WHY), horizon=4, trials=16_000, epsilon=epsilon)
    assert 0.6 * epsilon < test.epsilon <= epsilon and test and not test.refuted and not test.silent
    p = 1 / (1 + math.exp(-epsilon))
    assert test.finding.audit.hits / test.finding.audit.trials == pytest.approx(p, abs=0.03)
    assert test.finding.audit.trials == test.finding.audit.other_trials == 8_000


@pytest.mark.slow
@pytest.mark.parametrize("others", ["nothing", "everything", "some things"])
def test_a_private_policy_is_not_refuted(others):
    for horizon in (10, 60):
        test = smoke_test(claim(forgetful, WHY), horizon=horizon, others=others, changed=3, trials=4_000)
        assert test and test.epsilon <= 1 and "That is no proof" in repr(test)


@pytest.mark.slow
def test_what_leaks_is_refuted():
    test = smoke_test(claim(fresh_noise, WHY), horizon=60, trials=4_000)
    assert not test and test.refuted and test.epsilon > 2 and "REFUTED: it claims ε = 1" in repr(test)
    assert smoke_test(claim(fresh_noise, WHY, epsilon=100.0), horizon=60, trials=4_000)


@pytest.mark.parametrize("name", ["ucb1", "omm", "cucb"])
def test_without_noise_the_bound_is_as_large_as_counting_allows(name):
    test = smoke_test(name, trials=2_000)
    assert test.epsilon > 4 and test.guarantee.scope == "none" and "claims nothing" in repr(test)


@pytest.mark.parametrize("name", ["dp-ucb", "private-ucb", "dpucb-mat", "cucb-ldp2"])
def test_proved_claims_of_the_catalogue_stand(name):
    assert smoke_test(name, horizon=12, trials=1_500)


@pytest.mark.slow
def test_delta_is_that_of_the_claim():
    # A full leak with probability δ alone: (0, δ)-private, and the bound at that δ is 0.
    def leak(means, horizon, checkpoints, streams, share=0.2):
        liked = streams.environment.random() < means[0]
        later = means.max() - means[1 if liked and streams.noise.random() < share else 0]
        return means.max() - means[0] + later * (checkpoints - 1.0)

    honest, modest = claim(leak, WHY, epsilon=0.0, delta="share"), claim(leak, WHY, epsilon=0.0, delta=0.1)
    assert smoke_test(honest, horizon=3, trials=6_000).epsilon == 0
    assert smoke_test(modest, horizon=3, trials=6_000).refuted
    assert smoke_test(claim(leak, WHY, epsilon=1.0), horizon=3, trials=6_000).epsilon > 3


@pytest.mark.slow
def test_a_claim_per_selection_is_held_against_the_next_selection_alone():
    # fresh_noise is private for each single selection: after two rounds the totals differ by one, and so do the laws,
    # by e^ε at most.
    claimed = claim(fresh_noise, WHY, scope="per-selection")
    assert smoke_test(claimed, horizon=60, changed=2, trials=6_000)
    assert smoke_test(claimed, horizon=60, changed=2, trials=6_000).finding.outcomes.shape[-1] <= 3
    assert "change a later round" in repr(smoke_test("dp-ftpl-new", horizon=10, trials=50))


def test_silence_is_told():
    test = smoke_test(claim(blind, WHY), trials=50)
    assert test.silent and test.epsilon == 0 and "the same in all runs" in repr(test)


@pytest.mark.slow
def test_the_same_seed_counts_the_same():
    one, other, third = (smoke_test(fresh_noise, trials=2_000, seed=seed).finding for seed in (3, 3, 4))
    assert one.audit == other.audit and one.view == other.view and np.array_equal(one.outcomes, other.outcomes)
    assert third.audit != one.audit


def counting(means, horizon, checkpoints, streams):
    return 0.01 * (streams.environment.random(3 * horizon) < 2).sum() * checkpoints / (3 * horizon)


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings, words",
    [
        (dict(policy="ucb"), "Unknown algorithm 'ucb'. Did you mean ucb1?"),
        (dict(policy=counting), "counting took 30 numbers from streams.environment in 10 rounds"),
        (dict(horizon=0), "horizon = 0 is not allowed"),
        (dict(horizon=400), "horizon = 400 is not allowed: with 1 reward a round it must be <= 312."),
        (dict(policy="omm", horizon=200), "horizon = 200 is not allowed: with 2 rewards a round it must be <= 156."),
        (dict(changed=11), "changed = 11 is not allowed: it must be an integer >= 1 and <= 10."),
        (dict(others="all"), "others = 'all' is not allowed: it must be one of nothing, everything, some things."),
        (dict(trials=3), "trials = 3 is not allowed"),
        (dict(confidence=2), "confidence = 2 is not allowed: it must be a finite number > 0 and < 1."),
        (dict(confidence="high"), "confidence = 'high' is not allowed"),
        (dict(epsilon=1.0), "Unknown parameter 'epsilon' of ucb1"),
        (dict(instance="cascade-paper"), "ucb1 plays in the stochastic setting"),
        (
            dict(policy="cucb", instance="k-path"),
            "instance = k-path is not allowed: the smoke test needs independent Bernoulli rewards",
        ),
        (dict(policy=7), "algorithm = 7 is not allowed"),
    ],
)
def test_bad_input(settings, words):
    with pytest.raises(ValueError) as caught:
        smoke_test(**{"policy": "ucb1", "trials": 20} | settings)
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_an_instance_of_ones_own():
    assert smoke_test("ucb1", bernoulli([0.9, 0.5, 0.2]), trials=500).epsilon > 2
