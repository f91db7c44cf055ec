"""All eight cascade algorithms: their laws against slow twins, their limits, and what an option changes."""

import numpy as np
import pytest

from dpbandits import simulate
from dpbandits.environments.cascade import cascade
from tests.algorithms.cascade import twins
from tests.law import assert_same_law

RUNS, HORIZON = 300, 60
ONE = ([0.7, 0.4, 0.3], 1)
ALL = ([0.6, 0.3, 0.15], 3)
ALL_BUT_ONE = ([0.6, 0.3, 0.1], 2)
SOME = ([0.1, 0.5, 0.3, 0.05, 0.4], 2)
INSTANCES = [ONE, ALL, ALL_BUT_ONE, SOME]


def assert_matches_twin(name, twin, attraction, size, seed=1, horizon=HORIZON, **parameters):
    ours = simulate(
        name, cascade(attraction, size), horizon=horizon, runs=6 * RUNS, seed=seed, checkpoints=[horizon // 3], workers=1, **parameters
    )
    regrets, counts = twins.sample(twin, RUNS, seed, attraction, size, horizon, **parameters)
    for column, t in enumerate((horizon // 3, horizon)):
        assert_same_law(ours.regret[:, column].round(6), regrets[:, t - 1].round(6), f"{name}, regret at {t}")
    for item in range(len(attraction)):
        assert_same_law(ours.pulls[:, item], counts[:, item], f"{name}, observations of item {item}")


@pytest.mark.parametrize("attraction, size", INSTANCES)
@pytest.mark.parametrize("name, twin", [("cascade-ucb1", twins.ucb1), ("cascade-klucb", twins.klucb)])
def test_without_privacy(name, twin, attraction, size):
    assert_matches_twin(name, twin, attraction, size, horizon=HORIZON if name == "cascade-ucb1" else 30)


@pytest.mark.parametrize("attraction, size", INSTANCES)
@pytest.mark.parametrize(
    "name, twin, parameters",
    [
        ("cascade-ldp-laplace", twins.laplace, {"epsilon": 4.0, "bonus_multiplier": 0.1}),
        ("cascade-ldp-gauss", twins.gauss, {"epsilon": 6.0, "delta": 0.05, "bonus_multiplier": 0.1}),
        ("cascade-ldp-composed", twins.composed, {"epsilon": 8.0, "delta": 0.05, "noise_multiplier": 0.5, "bonus_multiplier": 0.1}),
        ("cascade-ldp-first", twins.ldp_first, {"epsilon": 4.0, "bonus_multiplier": 0.1}),
        ("cascade-dp", twins.dp, {"epsilon": 20.0, "bonus_multiplier": 0.2}),
        ("cascade-dp-first", twins.dp_first, {"epsilon": 4.0, "bonus_multiplier": 0.2}),
    ],
)
def test_with_privacy(name, twin, parameters, attraction, size):
    assert_matches_twin(name, twin, attraction, size, **parameters)


@pytest.mark.parametrize(
    "name, twin",
    [
        ("cascade-ldp-laplace", twins.laplace), ("cascade-ldp-gauss", twins.gauss),
        ("cascade-ldp-composed", twins.composed), ("cascade-ldp-first", twins.ldp_first),
    ],
)  # fmt: skip
def test_full_noise_and_bonus(name, twin):
    assert_matches_twin(name, twin, *SOME, horizon=90, epsilon=3.0)


@pytest.mark.parametrize(
    "name, twin, multipliers",
    [
        ("cascade-ldp-laplace", twins.laplace, (0.0, 0.03)),
        ("cascade-ldp-gauss", twins.gauss, (0.0, 0.03)),
        ("cascade-ldp-composed", twins.composed, (0.0, 0.02)),
        ("cascade-ldp-first", twins.ldp_first, (0.0, 0.05)),
        ("cascade-dp", twins.dp, (0.0, 0.02)),
        ("cascade-dp-first", twins.dp_first, (0.0, 0.1)),
        ("cascade-ldp-laplace", twins.laplace, (0.2, 0.0)),
        ("cascade-ldp-gauss", twins.gauss, (0.1, 0.0)),
        ("cascade-ldp-composed", twins.composed, (0.1, 0.0)),
        ("cascade-ldp-first", twins.ldp_first, (0.3, 0.0)),
        ("cascade-dp", twins.dp, (0.1, 0.0)),
        ("cascade-dp-first", twins.dp_first, (0.3, 0.0)),
    ],
)
def test_multipliers_scale_noise_and_bonus_apart(name, twin, multipliers):
    noise, bonus = multipliers
    assert_matches_twin(name, twin, *SOME, horizon=120, epsilon=1.0, noise_multiplier=noise, bonus_multiplier=bonus)


@pytest.mark.parametrize("log_of", ["guarded-count", "count", "horizon"])
@pytest.mark.parametrize("credit", ["position", "whole-list"])
def test_options_of_the_counter_algorithm(log_of, credit):
    given = {"epsilon": 20.0, "log_of": log_of, "credit": credit, "noise_multiplier": 0.5, "bonus_multiplier": 0.1}
    assert_matches_twin("cascade-dp", twins.dp, *SOME, **given)


@pytest.mark.parametrize(
    "name, twin",
    [
        ("cascade-ldp-laplace", twins.laplace), ("cascade-ldp-gauss", twins.gauss),
        ("cascade-ldp-composed", twins.composed), ("cascade-dp", twins.dp),
    ],
)  # fmt: skip
def test_first_observation_can_be_noised(name, twin):
    parameters = {"epsilon": 8.0, "bonus_multiplier": 0.0, "private_init": True}
    assert_matches_twin(name, twin, [0.9, 0.5, 0.1], 1, horizon=12, **parameters)


def test_without_noise_and_its_bonus_the_printed_algorithms_are_cascade_ucb1():
    instance = cascade(*SOME)
    given = {"horizon": 400, "runs": 400, "workers": 1, "checkpoints": [100]}
    plain = simulate("cascade-ucb1", instance, **given)
    for name in ("cascade-dp", "cascade-ldp-laplace", "cascade-ldp-gauss", "cascade-ldp-composed"):
        for parameters in ({"epsilon": 1.0, "noise_multiplier": 0.0, "bonus_multiplier": 0.0}, {"epsilon": 1e9}):
            ours = simulate(name, instance, seed=1, **given, **parameters)
            for column in range(2):
                assert_same_law(ours.regret[:, column].round(6), plain.regret[:, column].round(6), f"{name} against cascade-ucb1")
    first = [simulate(name, instance, seed=1, epsilon=1e9, **given).regret for name in ("cascade-dp-first", "cascade-ldp-first")]
    assert_same_law(first[0][:, 1].round(6), first[1][:, 1].round(6), "the two repaired ones without noise")


@pytest.mark.parametrize("name", ["cascade-ucb1", "cascade-ldp-laplace", "cascade-dp", "cascade-ldp-first", "cascade-dp-first"])
def test_counts_and_certain_items(name):
    # Items that always or never attract: every list is clicked at its first attractive item.
    result = simulate(name, cascade([1.0, 1.0, 1.0], 2), horizon=50, runs=3, workers=1)
    start = 0 if name.endswith("first") else 3
    np.testing.assert_array_equal(result.pulls.sum("arm"), start + 50)  # one observation a round
    np.testing.assert_allclose(result.regret, 0, atol=1e-12)
    result = simulate(name, cascade([0.0, 0.0, 0.0], 2), horizon=50, runs=3, workers=1)
    np.testing.assert_array_equal(result.pulls.sum("arm"), start + (50 if name.endswith("first") else 100))
    np.testing.assert_allclose(result.regret, 0, atol=1e-12)


def test_a_longer_run_continues_a_shorter_one_unless_the_bonus_looks_at_the_horizon():
    given = {"runs": 2, "workers": 1, "epsilon": 1.0}
    for name in ("cascade-ucb1", "cascade-ldp-gauss", "cascade-dp", "cascade-dp-first"):
        parameters = given if name != "cascade-ucb1" else {k: v for k, v in given.items() if k != "epsilon"}
        short = simulate(name, cascade(*SOME), horizon=40, checkpoints=[10, 20], **parameters)
        long = simulate(name, cascade(*SOME), horizon=80, checkpoints=[10, 20, 40], **parameters)
        np.testing.assert_array_equal(short.regret, long.regret[:, :3])
    given |= {"checkpoints": [200], "log_of": "horizon", "bonus_multiplier": 0.01}
    short, long = (simulate("cascade-dp", "cascade-paper", horizon=horizon, **given).regret[:, 0] for horizon in (200, 2000))
    assert (short != long).any()


def test_without_an_explicit_click_the_first_items_never_seen_come_first():
    # In the first L rounds every item stands first exactly once.
    for name in ("cascade-ldp-first", "cascade-dp-first"):
        result = simulate(name, "cascade-paper", horizon=20, runs=10, workers=1)
        np.testing.assert_array_equal(result.pulls, 1)
