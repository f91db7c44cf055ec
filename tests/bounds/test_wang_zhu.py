"""The theorems' values by hand, their limits, and what they say about themselves."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from dpbandits.bounds import BOUNDS
from dpbandits.environments import bernoulli, build

LN = math.log(10**6)  # 13.8155
E = math.e - 1


def bound(number):
    return BOUNDS[f"wang-zhu-theorem-{number}"]


def test_theorem_4_by_hand():
    # ε = 1, δ = 0, c₀ = 1, α = 1/2, T = 10⁶: (1/16) ln(1000/40) = 0.20118
    assert bound(4).value(horizon=10**6, epsilon=1, delta=0, c0=1, alpha=0.5) == pytest.approx(math.log(25) / 16)
    # δ = 0.01: (1718.28 + 50)/(40·1.71828 + 50) = 1768.28/118.731 → ln(14.8931)/16 = 0.16881
    assert bound(4).value(horizon=10**6, epsilon=1, delta=0.01, c0=1, alpha=0.5) == pytest.approx(0.16881, abs=1e-5)
    # ε → 0: (T^{1−α} − 40c₀)/(80δT^{1−α}) = 960/800
    assert bound(4).value(horizon=10**6, epsilon=0, delta=0.01, c0=1, alpha=0.5) == pytest.approx(1.2)
    assert bound(4).value(horizon=10**6, epsilon=1e-10, delta=0.01, c0=1, alpha=0.5) == pytest.approx(1.2, rel=1e-6)


def test_theorem_4_says_when_it_is_void():
    result = bound(4).evaluate(horizon=100, epsilon=1, delta=0, c0=1, alpha=0.5)
    assert result.value == 0 and "does not exceed 40·c0 = 40" in result.notes[0]
    result = bound(4).evaluate(horizon=10**4, epsilon=1e-4, delta=0, c0=1, alpha=0.1)  # 3·10⁴ ln(10^3.6/40)
    assert result.value == 0 and "horizon of at least 138013" in result.notes[0]
    assert "two-armed" in bound(4).evaluate(horizon=10**6, epsilon=1, delta=0, c0=1, alpha=0.5).notes[0]


def test_theorem_11_by_hand():
    # gaps .2, .4, λ = .05: 2·13.8155·(.2/.01 + .4/.09) = 675.42; N_G*(1, .01) = ln(e/(4π·1e−4)) = 7.6794 is less
    result = bound(11).evaluate(horizon=10**6, epsilon=1, delta=0.01, gaps=[0.2, 0.4], slack=0.05)
    assert result.value == pytest.approx(2 * LN * (20 + 40 / 9)) == pytest.approx(675.43, abs=0.01)
    assert "N/λ⁴ = 4.8e+05" in result.notes[0]
    # δ = 1e−10, ε = .01: N_G* = (1 − ln(4π) + 20 ln 10)·10⁴ = 445,207 pulls; min with 1/(4π·1e−20)
    value = bound(11).value(horizon=10**6, epsilon=0.01, delta=1e-10, gaps=[0.2, 0.4], slack=0.05)
    assert value == pytest.approx(0.6 * 1e4 * (1 - math.log(4 * math.pi) + 20 * math.log(10)))


def test_the_corrected_theorem_11_doubles_what_learning_costs():
    # gaps .2, .4, λ = .05: 4·13.8155·(.2/.01 + .4/.09) = 1350.85
    given = {"horizon": 10**6, "epsilon": 1, "delta": 0.01, "gaps": [0.2, 0.4], "slack": 0.05}
    assert bound(11).value(**given, constants="corrected") == pytest.approx(1350.85, abs=0.01)
    # where the start phase rules it stays: 0.6 · 445,207
    given |= {"epsilon": 0.01, "delta": 1e-10}
    assert bound(11).value(**given, constants="corrected") == bound(11).value(**given, constants="printed")


@pytest.mark.parametrize("constants, share", [("printed", 2), ("corrected", 4)])
def test_the_pulls_that_theorem_11_counts_make_a_mistake_rarer_than_one_in_t(constants, share):
    """P(N(0, 2/N) > Δ − 2λ) at N = share·ln T/(Δ − 2λ)²: at most 1/T with 4, and T^{-1/2} in order with 2."""
    horizon, gap, slack = 10**6, 0.3, 0.05
    pulls = bound(11).value(horizon=horizon, epsilon=10, delta=0.5, gaps=[gap], slack=slack, constants=constants) / gap
    assert pulls == pytest.approx(share * LN / (gap - 2 * slack) ** 2)
    chance = stats.norm.sf((gap - 2 * slack) / math.sqrt(2 / pulls))
    assert chance <= 1 / horizon if constants == "corrected" else chance > 50 / horizon


def test_theorem_13_by_hand():
    # gaps .2, .4, λ = .04: (5/2)·13.8155·(.2/.01 + .4/.09) = 844.28; N_B* = (8000/81) ln(e/(2π·1e−4)) = 826.86, times
    # .2 and .4
    value = bound(13).value(horizon=10**6, epsilon=1, delta=0.01, gaps=[0.2, 0.4], slack=0.04)
    assert value == pytest.approx(2.5 * LN * 20 + 0.4 * 8000 / 81 * (1 - math.log(2e-4 * math.pi)))


def test_theorem_16_by_hand():
    # gaps .2, .4: 16·13.8155·(5 + 2.5) = 1657.86 where privacy is cheap, plus 4·3
    assert bound(16).value(horizon=10**6, epsilon=1, delta=0.01, gaps=[0.2, 0.4]) == pytest.approx(16 * LN * 7.5 + 12)
    privacy = 4 / 0.01 * math.log(5e5)  # 5248.9 each at (0.01, 0)
    assert bound(16).value(horizon=10**6, epsilon=0.01, delta=0, gaps=[0.2, 0.4]) == pytest.approx(2 * privacy + 12)
    privacy = 4 * (1e6 - 2) / (2e6 * 1e-3)  # 2000 each at (0, 0.001)
    assert bound(16).value(horizon=10**6, epsilon=0, delta=1e-3, gaps=[0.2, 0.4]) == pytest.approx(2 * privacy + 12)


def test_theorem_18_by_hand():
    log = math.log((1e12 * E + 1e10) / (2 * E + 1e10))  # ε = 1, δ = 0.01, T = 10⁶
    by_hand = 0.6 * 1024 * LN / 0.04 + 0.6 * 32 / 0.2 * log + 12
    assert bound(18).value(horizon=10**6, epsilon=1, delta=0.01, gaps=[0.2, 0.4]) == pytest.approx(by_hand)
    by_hand = 0.6 * 1024 * LN / 0.04 + 0.6 * 32 / 0.2 * math.log(1e12 / 2) / 0.1 + 12
    assert bound(18).value(horizon=10**6, epsilon=0.1, delta=0, gaps=[0.2, 0.4]) == pytest.approx(by_hand)
    assert "no policy loses more than 400" in bound(18).evaluate(horizon=1000, gaps=[0.2, 0.4]).notes[0]


def test_means_gaps_and_instance_say_the_same():
    for number in (11, 13, 16, 18):
        by_gaps = bound(number).value(horizon=10**5, gaps=[0.4, 0.2, 0.0])
        assert by_gaps == bound(number).value(horizon=10**5, gaps=[0.2, 0.4])
        assert by_gaps == pytest.approx(bound(number).value(horizon=10**5, means=[0.3, 0.5, 0.7]))
        assert by_gaps == pytest.approx(bound(number).value(horizon=10**5, instance=bernoulli([0.5, 0.7, 0.3])))
        by_name = bound(number).value(horizon=10**5, instance="wang-zhu-1", arms=3, gap=0.2)
        assert (
            by_gaps
            == pytest.approx(by_name)
            == pytest.approx(bound(number).value(horizon=10**5, instance=build("wang-zhu-1", arms=3, gap=0.2)))
        )


def test_equal_arms_have_nothing_to_lose():
    assert [bound(n).value(horizon=100, means=[0.5, 0.5]) for n in (11, 13, 16, 18)] == [0, 0, 8, 8]


def test_curve_is_the_value_at_each_round():
    rounds = [1, 2, 3, 100, 10**5]
    extras = {4: {"c0": 0.01, "alpha": 0.5}}
    for number in (4, 11, 13, 16, 18):
        given = {"epsilon": 0.5, "delta": 0.01} | extras.get(number, {"instance": "wang-zhu-1"})
        curve = bound(number).curve(rounds, **given)
        np.testing.assert_allclose(curve, [bound(number).value(horizon=t, **given) for t in rounds])
        assert (np.diff(curve) >= 0).all() and curve.min() >= 0


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([11, 13, 16, 18]),
    st.lists(st.floats(1e-3, 1), min_size=1, max_size=9),
    st.integers(3, 10**9),
    st.floats(1e-9, 50),
    st.floats(1e-9, 1),
)
def test_more_privacy_never_costs_less(number, gaps, horizon, epsilon, delta):
    value = bound(number).value(horizon=horizon, gaps=gaps, epsilon=epsilon, delta=delta)
    assert 0 < value < math.inf
    assert bound(number).value(horizon=horizon, gaps=gaps, epsilon=epsilon / 2, delta=delta) >= value * (1 - 1e-9)
    assert bound(number).value(horizon=horizon, gaps=gaps, epsilon=epsilon, delta=delta / 2) >= value * (1 - 1e-9)


@pytest.mark.parametrize(
    "number, given, words",
    [
        (4, dict(horizon=100, epsilon=1, delta=0), "c0 is missing"),
        (4, dict(horizon=100, epsilon=0, delta=0, c0=1, alpha=0.5), "epsilon = 0"),
        (4, dict(horizon=100, c0=1, alpha=1), "alpha = 1"),
        (4, dict(horizon=100, c0=1, alpha=0.5, means=[0.1, 0.2]), "Unknown parameter 'means' of wang-zhu-theorem-4"),
        (11, dict(horizon=100), "gaps is missing .*: give it, or instance or means"),
        (11, dict(horizon=100, gaps=[0.1], slack=0.05), "slack = 0.05 is not allowed: it must be > 0 and < 0.05"),
        (11, dict(horizon=100, gaps=[0.1], delta=0), "delta = 0"),
        (16, dict(horizon=100, gaps=[0.1], means=[0.1, 0.2]), "gaps is not allowed beside"),
        (16, dict(horizon=0, gaps=[0.1]), "horizon = 0"),
        (16, dict(horizon=100, gaps=[-0.1]), "gaps"),
        (16, dict(horizon=100, instance="wang-zhu-3"), "Unknown instance 'wang-zhu-3'"),
        (16, dict(horizon=100, instance="wang-zhu-1", armz=4), "Unknown parameter 'armz'.*arms"),
        (16, dict(horizon=100, epsilom=4), "epsilom.*Did you mean epsilon"),
    ],
)
def test_bad_input_is_refused(number, given, words):
    with pytest.raises(ValueError, match=words):
        bound(number).evaluate(**given)
