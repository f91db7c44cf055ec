"""DP-SE and GDP-Elim-New: their laws against slow twins, their schedules by hand, the privacy of one phase by
quadrature.
"""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate

from dpbandits import simulate
from dpbandits.algorithms import ALGORITHMS
from dpbandits.algorithms.stochastic.elimination import dp_se_epoch, gdp_elim_phase
from dpbandits.environments import bernoulli
from dpbandits.mechanisms.perturbations import law
from tests.algorithms.stochastic import twins
from tests.algorithms.stochastic.play import play
from tests.law import assert_same_law

RUNS = 1000


def assert_matches_twin(name, twin, means, horizon, **parameters):
    ours = simulate(
        name,
        bernoulli(means),
        horizon=horizon,
        runs=4 * RUNS,
        seed=3,
        checkpoints=[horizon // 2],
        workers=1,
        **parameters,
    )
    rng = np.random.default_rng(11)
    regrets, pulls = zip(*(twin(means, horizon, *parameters.values(), rng) for _ in range(RUNS)), strict=True)
    assert ours.regret[:, -1].std() > 1  # the setting leaves something to chance
    assert_same_law(
        ours.regret[:, 0].round(6), np.round([r[horizon // 2 - 1] for r in regrets], 6), f"{name}, regret at half time"
    )
    assert_same_law(ours.regret[:, -1].round(6), np.round([r[-1] for r in regrets], 6), f"{name}, regret")
    for arm in range(len(means)):
        assert_same_law(ours.pulls[:, arm], [p[arm] for p in pulls], f"{name}, pulls of arm {arm}")


# the last case: an arm 0.007 beyond the radius 0.1613, where the Laplace noise weighs more than the rewards' own
@pytest.mark.slow
@pytest.mark.parametrize("means, horizon, epsilon", [([0.9, 0.78, 0.3], 20000, 1.0), ([0.7317, 0.9], 60000, 0.01)])
def test_dp_se_has_the_law_of_its_twin(means, horizon, epsilon):
    assert_matches_twin("dp-se", twins.dp_se, means, horizon, epsilon=epsilon)


@pytest.mark.slow
@pytest.mark.parametrize(
    "means, horizon, epsilon, delta",
    [([0.42, 0.9], 15000, 1.0, 0.01), ([0.4, 0.9], 15000, 0.02, 0.0), ([0.36, 0.9], 15000, 0.0, 0.01)],
)
def test_gdp_elim_new_has_the_law_of_its_twin(means, horizon, epsilon, delta):
    assert_matches_twin("gdp-elim-new", twins.gdp_elim_new, means, horizon, epsilon=epsilon, delta=delta)


def test_lengths_by_hand():
    # epoch 2 of 3 arms, T = 10⁴, ε = 0.1: max(512·13.7747, 320·13.0815) = max(7052.6, 4186.1)
    length, radius = dp_se_epoch(2, 3, 10**4, 0.1)
    a, b = math.log(8 * 3 * 4 * 10**4), math.log(4 * 3 * 4 * 10**4)
    assert length == math.floor(512 * a) + 1 == 7053
    assert radius == pytest.approx(2 * math.sqrt(a / 14106) + 2 * b / 705.3)
    assert dp_se_epoch(1, 3, 10**6, 0.001)[0] == math.floor(16000 * math.log(12 * 10**6)) + 1
    # phase 1: (0.01, 0) 800 ln(T²/2); (0, δ) 8(T² − 2)/(T²δ); else 128 ln T
    assert gdp_elim_phase(0.5, 10**5, 0.01, 0.0) == math.ceil(800 * math.log(10**10 / 2))
    assert gdp_elim_phase(0.5, 1000, 0.0, 0.01) == math.ceil(128 * math.log(1000)) == 885
    assert gdp_elim_phase(0.5, 10**4, 0.0, 0.001) == math.ceil(8000 * (1 - 2e-8)) == 8000
    assert gdp_elim_phase(2.0**-40, 10**6, 1.0, 0.01) == 10**6  # capped


@pytest.mark.parametrize("name", ["dp-se", "gdp-elim-new"])
def test_a_phase_is_played_arm_by_arm(name):
    first = dp_se_epoch(1, 3, 5000, 1.0)[0] if name == "dp-se" else gdp_elim_phase(0.5, 5000, 1.0, 0.01)
    regret, pulls = play(name, [0.3, 0.7, 0.5], 5000, epsilon=1.0)
    order = np.repeat([0.4, 0.0, 0.2], first)[:5000]
    np.testing.assert_allclose(regret[: order.size], order.cumsum(), atol=1e-9)
    assert pulls.sum() == 5000


def test_a_first_phase_cut_short_is_flagged():
    for name in ("dp-se", "gdp-elim-new"):
        assert "cuts the first phase" in json.loads(simulate(name, "two-arms", horizon=500, runs=1).attrs["notes"])[0]
        assert json.loads(simulate(name, "two-arms", horizon=10**5, runs=1).attrs["notes"]) == []


def test_without_privacy_both_find_the_best_arm():
    for name in ("dp-se", "gdp-elim-new"):
        result = simulate(name, bernoulli([0.1, 0.9]), horizon=20000, runs=50, workers=1, epsilon=1e9)
        first = dp_se_epoch(1, 2, 20000, 1e9)[0] if name == "dp-se" else gdp_elim_phase(0.5, 20000, 1e9, 0.01)
        np.testing.assert_array_equal(result.pulls[:, 0], first)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["dp-se", "gdp-elim-new"]),
    st.lists(st.floats(0, 1), min_size=2, max_size=12),
    st.integers(1, 20000),
    st.floats(1e-9, 1e6),
    st.integers(0, 99),
)
def test_any_allowed_setting_runs(name, means, horizon, epsilon, seed):
    regret, pulls = play(name, means, horizon, seed, epsilon=epsilon)
    gaps = max(means) - np.array(means)
    assert pulls.sum() == horizon and (pulls >= 0).all()
    assert np.isfinite(regret).all() and (np.diff(regret) >= -1e-9).all()
    assert regret[-1] == pytest.approx(pulls @ gaps, abs=1e-6)
    some = [1 + horizon // 3, horizon] if horizon > 1 else [1]
    np.testing.assert_allclose(
        play(name, means, horizon, seed, some, epsilon=epsilon)[0], regret[np.array(some) - 1], atol=1e-6
    )


def test_epsilon_and_delta_are_not_both_zero():
    with pytest.raises(ValueError, match="epsilon = 0 with delta = 0"):
        ALGORITHMS["gdp-elim-new"].bind({"epsilon": 0, "delta": 0})
    with pytest.raises(ValueError, match="epsilon = 0 is not allowed"):
        ALGORITHMS["dp-se"].bind({"epsilon": 0})


def phase_outcomes(totals, n, epsilon, delta, lead):
    """P(exploit arm 1), P(exploit arm 2), P(go on) after one phase of two arms with these totals."""
    first, second = (law("new", n, total, epsilon, delta / 2) for total in totals)

    def ahead(one, other):
        low, high = one.support
        points = [p for p in (one.centre, other.centre + lead) if low < p < high]
        return integrate.quad(lambda x: one.pdf(x) * other.cdf(x - lead), low, high, points=points, epsabs=1e-12)[0]

    wins = ahead(first, second), ahead(second, first)
    return np.array([*wins, 1 - sum(wins)])


@pytest.mark.parametrize("epsilon, delta", [(1.0, 0.2), (0.3, 0.1), (0.1, 0.4)])
@pytest.mark.slow
def test_one_changed_reward_costs_half_delta_in_a_phase(epsilon, delta):
    """The largest excess P(S) − e^ε P′(S) over sets S of outcomes is at most δ/2, and above δ/4: the label's δ/2 is no
    accident.
    """
    worst = 0.0
    for total in range(0, 10):
        for other in range(0, 11, 2):
            one, two = (phase_outcomes((r, other), 10, epsilon, delta, 0.25) for r in (total, total + 1))
            for p, q in itertools.permutations((one, two)):
                worst = max(worst, np.maximum(p - math.exp(epsilon) * q, 0).sum())
    assert delta / 4 < worst <= delta / 2 + 1e-9


def test_their_guarantees_cover_the_transcript():
    label = ALGORITHMS["gdp-elim-new"].guarantee(ALGORITHMS["gdp-elim-new"].bind({"epsilon": 0.5, "delta": 0.1}))
    assert (label.epsilon, label.delta, label.scope, label.status) == (0.5, 0.05, "transcript", "proved")
    label = ALGORITHMS["dp-se"].guarantee(ALGORITHMS["dp-se"].bind({"epsilon": 0.5}))
    assert (label.epsilon, label.delta, label.scope, label.status) == (0.5, 0.0, "transcript", "proved")
