"""The three perturbed leaders: their laws against slow twins, their start phases by hand, their limits."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpbandits import simulate
from dpbandits.algorithms import ALGORITHMS
from dpbandits.environments import bernoulli
from tests.algorithms.stochastic import twins
from tests.algorithms.stochastic.play import play
from tests.law import assert_same_law

RUNS = 3000


def assert_matches_twin(name, means, horizon, start, draw, **parameters):
    ours = simulate(
        name, bernoulli(means), horizon=horizon, runs=RUNS, seed=3, checkpoints=[horizon // 2], workers=1, **parameters
    )
    regret, pulls = twins.follow_the_perturbed_leader(means, horizon, start, draw, RUNS, np.random.default_rng(7))
    assert_same_law(
        ours.regret[:, 0].round(6), np.round(regret[:, horizon // 2 - 1], 6), f"{name}, regret at half time"
    )
    assert_same_law(ours.regret[:, -1].round(6), np.round(regret[:, -1], 6), f"{name}, regret")
    for arm in range(len(means)):
        assert_same_law(ours.pulls[:, arm], pulls[:, arm], f"{name}, pulls of arm {arm}")


@pytest.mark.slow
def test_gauss_has_the_law_of_its_twin():
    # N_G* = min{1/(4π·0.01), ln(e/(4π·0.01))/0.25} = min{7.96, 12.3}
    assert_matches_twin("dp-ftpl-gauss", [0.3, 0.7, 0.5], 300, 8, twins.draw_gauss, epsilon=0.5, delta=0.1)


@pytest.mark.slow
def test_beta_has_the_law_of_its_twin():
    # N_B* = max{min{40e/(9π·0.25) = 15.4, …}, 1000e/(9π) = 96.1}
    assert_matches_twin("dp-ftpl-beta", [0.8, 0.95], 900, 97, twins.draw_beta, epsilon=1.0, delta=0.5)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon, delta", [(1.0, 0.01), (0.3, 0.0), (0.0, 0.05)])
def test_new_has_the_law_of_its_twin(epsilon, delta):
    draw = twins.draw_new(epsilon, delta, 300)
    assert_matches_twin("dp-ftpl-new", [0.3, 0.9, 0.6], 300, 1, draw, epsilon=epsilon, delta=delta)


@pytest.mark.parametrize("start", ["in-order", "round-robin"])
def test_start_phase_round_by_round(start):
    gaps = [0.4, 0.0, 0.2]
    order = [0] * 8 + [1] * 8 + [2] * 8 if start == "in-order" else [0, 1, 2] * 8
    regret, _ = play("dp-ftpl-gauss", [0.3, 0.7, 0.5], 24, epsilon=0.5, delta=0.1, start=start)
    np.testing.assert_allclose(regret, np.cumsum([gaps[i] for i in order]), atol=1e-12)
    regret, pulls = play(
        "dp-ftpl-gauss", [0.3, 0.7, 0.5], 13, epsilon=0.5, delta=0.1, start=start
    )  # cut by the horizon
    np.testing.assert_allclose(regret, np.cumsum([gaps[i] for i in order[:13]]), atol=1e-12)
    assert pulls.tolist() == [order[:13].count(i) for i in range(3)]


def test_a_horizon_inside_the_start_phase_is_flagged():
    inside = simulate("dp-ftpl-gauss", "two-arms", horizon=10, runs=1, epsilon=0.5, delta=0.1)
    assert "start phase needs 8 pulls" in json.loads(inside.attrs["notes"])[0]
    assert (
        json.loads(simulate("dp-ftpl-gauss", "two-arms", horizon=17, runs=1, epsilon=0.5, delta=0.1).attrs["notes"])
        == []
    )
    assert "below 3" in json.loads(simulate("dp-ftpl-new", "two-arms", horizon=2, runs=1).attrs["notes"])[0]


def test_a_longer_run_continues_the_shorter_one():
    for name in ("dp-ftpl-gauss", "dp-ftpl-beta"):
        short, _ = play(name, [0.4, 0.6], 400, epsilon=1.0, delta=0.5)
        longer, _ = play(name, [0.4, 0.6], 700, epsilon=1.0, delta=0.5)
        np.testing.assert_array_equal(short, longer[:400])


@pytest.mark.parametrize("exact, near", [((1.0, 0.0), (1.0, 1e-15)), ((0.0, 0.01), (1e-11, 0.01))])
def test_new_reaches_its_limits_continuously(exact, near):
    for seed in range(20):
        regret = [play("dp-ftpl-new", [0.3, 0.9, 0.6], 300, seed, epsilon=e, delta=d)[0] for e, d in (exact, near)]
        np.testing.assert_array_equal(*regret)


@pytest.mark.slow
def test_new_without_privacy_is_an_index_policy():
    """ε → ∞: the law shrinks to its centre m̂ + sqrt(ln T/N)."""
    draw = lambda pulls, total, rng: total / pulls + np.sqrt(math.log(200) / pulls) + 1e-9 * rng.random(pulls.shape)  # noqa: E731
    assert_matches_twin("dp-ftpl-new", [0.3, 0.9, 0.6], 200, 1, draw, epsilon=1e12, delta=0.01)


def test_gauss_without_privacy_plays_each_arm_once():
    weak, weaker = (
        play("dp-ftpl-gauss", [0.3, 0.9, 0.6], 300, epsilon=e, delta=d) for e, d in ((1e6, 1e-9), (0.0, 1.0))
    )
    np.testing.assert_array_equal(weak[0], weaker[0])


means = st.lists(st.floats(0, 1), min_size=2, max_size=12)
epsilons = st.one_of(st.just(0.0), st.floats(1e-12, 1e6))


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from(["dp-ftpl-gauss", "dp-ftpl-beta", "dp-ftpl-new"]),
    means,
    st.integers(1, 600),
    epsilons,
    st.floats(1e-9, 1),
    st.integers(0, 99),
)
def test_any_allowed_setting_runs(name, means, horizon, epsilon, delta, seed):
    regret, pulls = play(name, means, horizon, seed, epsilon=epsilon, delta=delta)
    gaps = max(means) - np.array(means)
    assert pulls.sum() == horizon and (pulls >= 0).all()
    assert np.isfinite(regret).all() and (np.diff(regret) >= -1e-9).all()
    assert regret[-1] == pytest.approx(pulls @ gaps, abs=1e-9)
    some = [1 + horizon // 3, horizon] if horizon > 1 else [1]
    np.testing.assert_allclose(
        play(name, means, horizon, seed, some, epsilon=epsilon, delta=delta)[0], regret[np.array(some) - 1]
    )


@pytest.mark.parametrize(
    "name, given, words",
    [
        ("dp-ftpl-new", dict(epsilon=0, delta=0), "epsilon = 0 with delta = 0"),
        ("dp-ftpl-gauss", dict(delta=0), "delta = 0 is not allowed"),
        ("dp-ftpl-beta", dict(delta=0), "delta = 0 is not allowed"),
        ("dp-ftpl-new", dict(delta=1.5), "delta = 1.5"),
        ("dp-ftpl-new", dict(epsilon=math.nan), "epsilon = nan"),
        ("dp-ftpl-gauss", dict(epsilon=math.inf), "epsilon = inf"),
        ("dp-ftpl-gauss", dict(start="random"), "in-order, round-robin"),
    ],
)
def test_bad_parameters_are_refused(name, given, words):
    with pytest.raises(ValueError, match=words):
        ALGORITHMS[name].bind(given)


def test_their_guarantee_is_per_selection():
    for name in ("dp-ftpl-gauss", "dp-ftpl-beta", "dp-ftpl-new"):
        label = ALGORITHMS[name].guarantee(ALGORITHMS[name].bind({"epsilon": 0.5, "delta": 0.1}))
        assert (label.epsilon, label.delta, label.scope, label.status) == (0.5, 0.1, "per-selection", "proved")
        assert "composition" in label.note
