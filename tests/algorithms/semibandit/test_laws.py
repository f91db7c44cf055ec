"""The six algorithms: same law as plain-Python twins on every kind of decision set, and relations between them."""

import numpy as np
import pytest

from dpbandits import simulate
from dpbandits.environments.semibandit import (
    choose,
    k_path,
    new_round,
    play_super_arm,
    top_k,
)
from tests.algorithms.semibandit import twins
from tests.algorithms.semibandit.games import GAMES
from tests.law import assert_same_law

pytestmark = pytest.mark.slow

# Settings at which the indices leave 1 within the horizon.
SETTINGS = {
    "cucb": (40, {}),
    "cucb-ldp1": (40, {"epsilon": 25.0}),
    "cucb-ldp2": (40, {"epsilon": 10.0}),
    "cucb-ldp-gauss": (40, {"epsilon": 15.0, "delta": 0.1}),
    "cucb-dp": (160, {"epsilon": 250.0}),
    "cucb-dp-least": (320, {"epsilon": 400.0}),
}


def _play(name, instance, horizon, runs=2000, seed=1, **parameters):
    return simulate(
        name, instance, horizon=horizon, runs=runs, seed=seed, checkpoints=[horizon], workers=1, **parameters
    ).round(9)


def _assert_like_the_twin(name, game, horizon, runs, **parameters):
    instance, twin = GAMES[game]
    fast, rng = _play(name, instance, horizon, **parameters), np.random.default_rng(2)
    regret, pulls, _ = zip(*(twins.run(name, twin, horizon, rng, **parameters) for _ in range(runs)), strict=True)
    assert_same_law(np.round(regret, 9), fast.regret.values[:, -1], f"{name} on {game}: regret")
    for i in range(instance.arms):
        assert_same_law(np.array(pulls)[:, i], fast.pulls.values[:, i], f"{name} on {game}: pulls of arm {i + 1}")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", SETTINGS)
def test_same_law_as_the_twin(name, game):
    horizon, parameters = SETTINGS[name]
    _assert_like_the_twin(name, game, horizon, {40: 250, 160: 120, 320: 60}[horizon], **parameters)


@pytest.mark.parametrize(
    "name, game, parameters",
    [
        ("cucb-ldp1", "public-arms", {"epsilon": 12.0, "printed": True}),
        ("cucb-dp", "top-k", {"epsilon": 250.0, "exact": True}),
        (
            "cucb-ldp-gauss",
            "k-path",
            {"epsilon": 0.5, "delta": 0.1, "noise_multiplier": 0.03, "bonus_multiplier": 0.01},
        ),
    ],
)
def test_options_have_the_law_of_the_twin(name, game, parameters):
    _assert_like_the_twin(name, game, 80, 200, **parameters)


@pytest.mark.parametrize("name", ["cucb-ldp2", "cucb-dp-least"])
def test_the_first_rounds_at_a_small_epsilon(name):
    """Where noise drowns everything and an index may be negative."""
    for horizon in (2, 3):
        _assert_like_the_twin(name, "super-arms", horizon, 2000, epsilon=0.01)


BANDIT = top_k([0.2, 0.4, 0.6, 0.7], 1)


@pytest.mark.parametrize(
    "pair, parameters",
    [(("cucb-ldp1", "cucb-ldp2"), {"epsilon": 8.0}), (("cucb-dp", "cucb-dp-least"), {"epsilon": 200.0})],
)
def test_with_single_arms_two_algorithms_are_one(pair, parameters):
    """A multi-armed bandit, K = 1: CUCB-LDP1 is CUCB-LDP2 and CUCB-DP is CUCB-DP-least, in law."""
    horizon = 400
    left, right = (_play(name, BANDIT, horizon, 3000, seed, **parameters) for seed, name in enumerate(pair))
    assert_same_law(left.regret.values[:, -1], right.regret.values[:, -1], "regret")
    for i in range(4):
        assert_same_law(left.pulls.values[:, i], right.pulls.values[:, i], f"pulls of arm {i + 1}")
    assert left.regret.values[:, -1].mean() < 0.9 * horizon * 0.225  # something was learned


def test_a_scaled_reward_scales_the_regret():
    """The reward's scale B enters no choice: with the gap scaled along, the means are the same."""
    one, three = (
        _play("cucb-ldp2", k_path(8, 2, 0.2 * b, b), 300, 1000, epsilon=5.0).regret.values[:, -1] for b in (1, 3)
    )
    assert_same_law(3 * one, three)


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("game", GAMES)
def test_pulls_and_regret_fit_together(name, game):
    instance, _ = GAMES[game]
    for horizon in (1, 2, 3, 64):
        run = _play(name, instance, horizon, 5, **SETTINGS[name][1])
        if instance.super_arms is None or len({len(s) for s in instance.super_arms}) == 1:
            assert (run.pulls.sum("arm") == horizon * instance.list_size).all()
        if instance.problem[0].reward.kind == 0:
            earned = run.pulls.values @ instance.means
            np.testing.assert_allclose(run.regret.values[:, -1], horizon * instance.problem[0].goal - earned, atol=1e-8)


@pytest.mark.parametrize("name", SETTINGS)
def test_the_best_super_arm_costs_nothing(name):
    """Where one super arm is the whole decision set the regret is 0, to the last bit."""
    run = simulate(name, top_k([0.3, 0.1, 0.7], 3), horizon=50, runs=3)
    assert (run.regret == 0).all()


def follow_the_leader(problem, horizon, checkpoints, streams, start=1.0):
    """What a learner may write: play what looks best."""
    arms, outcomes, work = new_round(problem)
    index, pulls = np.full(problem.means.size, start), np.zeros(problem.means.size, np.int64)
    regret, c, lost = np.empty(checkpoints.size), 0, 0.0
    for t in range(1, horizon + 1):
        n = choose(problem, index, arms, work, streams.policy)
        lost += play_super_arm(problem, arms, n, outcomes, work, pulls, streams.environment)
        for j in range(n):
            index[arms[j]] += (outcomes[j] - index[arms[j]]) / pulls[arms[j]]
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, pulls


def test_a_learners_own_algorithm_runs():
    run = simulate(follow_the_leader, top_k([0.0, 0.0, 1.0, 1.0], 2), horizon=50, runs=5)
    assert (run.regret[:, -1] <= 2).all() and (run.pulls.sum("arm") == 100).all()
    with pytest.raises(ValueError, match="the arguments must begin with problem, horizon"):
        simulate(lambda means, horizon, checkpoints, streams: 0, "k-path", horizon=5)
