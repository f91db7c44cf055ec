"""The theorems' values by hand, the corrections derived afresh, and what the bounds say about themselves."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpbandits import simulate
from dpbandits.bounds import BOUNDS
from dpbandits.bounds.cascading import laplace_tails, log_smallest_b
from dpbandits.environments import build

LN = math.log(10**5)  # 11.5129
PI = math.pi**2


def bound(number):
    return BOUNDS[f"cascading-theorem-{number}"]


def test_theorem_2_by_hand():
    # L = 3, K = 1, gaps .1, .2, ε = 2, ξ = 1, c₁ = 1, c₂ = 7: 192·15·(1.5·11.5129)² + 2π² + 7
    value = bound(2).value(horizon=10**5, epsilon=2, gaps=[0.1, 0.2], list_size=1, xi=1, c1=1, c2=7)
    assert value == pytest.approx(192 * 15 * (1.5 * LN) ** 2 + 2 * PI + 7)
    value = bound(2).value(horizon=10**5, epsilon=2, gaps=[0.1, 0.2], list_size=1, xi=1, c1=2, c2=0)
    assert value == pytest.approx(192 * 15 * (3 * LN) ** 2 + 2 * PI)


def test_theorem_4_by_hand():
    # cascade-paper, ε = 1: (1.22474 + 4·4.89898)² = 433.5; 4·433.5·16/.15·11.5129 + 131.6 = 2.1296e6
    given = {"horizon": 10**5, "epsilon": 1, "instance": "cascade-paper"}
    spread = (1.224744871391589 + 4 * 4.898979485566356) ** 2
    assert bound(4).value(**given) == pytest.approx(4 * spread * 16 / 0.15 * LN + 20 * 2 * PI / 3)
    corrected = 8 * spread * 16 / 0.15 * LN + 20 * 2 * PI / 3 + 4 * laplace_tails(10**5)
    assert bound(4).value(**given, constants="corrected") == pytest.approx(corrected)


@given(st.floats(0.05, 5), st.floats(0.01, 0.99), st.integers(1, 20), st.integers(2, 10**6))
@settings(max_examples=50, deadline=None)
def test_theorem_4_counts_pulls_with_8(epsilon, gap, list_size, t):
    """The pulls s at which both widths leave the gap: 2 sqrt(1.5 ln t/s) + 2 (K/ε) sqrt(24 ln t/s) = Δ, and twice Δ
    times that.
    """
    low, high = 1e-9, 1e15
    for _ in range(200):
        s = math.sqrt(low * high)
        widths = 2 * math.sqrt(1.5 * math.log(t) / s) + 2 * list_size / epsilon * math.sqrt(24 * math.log(t) / s)
        low, high = (s, high) if widths > gap else (low, s)
    items = list_size + 1
    value = bound(4).value(horizon=t, epsilon=epsilon, gaps=[gap], list_size=list_size, constants="corrected")
    rest = 2 * PI / 3 * items + list_size * laplace_tails(t)
    assert value - rest == pytest.approx(2 / gap * gap**2 * high, rel=1e-6)


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=12))
def test_the_sum_over_better_items_is_at_most_two_over_the_smallest_gap(gaps):
    """Kveton et al.'s Lemma 3, behind the factor 2: gaps Δ_{e,1} >= ... >= Δ_{e,K} of one item."""
    d = sorted(gaps, reverse=True)
    total = 1 / d[0] + sum(d[k] * (1 / d[k] ** 2 - 1 / d[k - 1] ** 2) for k in range(1, len(d)))
    assert total <= 2 / d[-1] * (1 + 1e-9)


def test_laplace_tails_by_counting():
    """For each t in 2..40 and s < 3 ln t the share of sums of s draws above sqrt(24 s ln t), added up: below the bound,
    not far.
    """
    rng, counted = np.random.default_rng(2), 0.0
    sums = rng.laplace(size=(200_000, 11)).cumsum(axis=1)
    for t in range(2, 41):
        for s in range(1, math.ceil(3 * math.log(t))):
            counted += (sums[:, s - 1] > math.sqrt(24 * s * math.log(t))).mean()
    assert counted < laplace_tails(40.0) < 40 * counted
    assert laplace_tails(1.0) == 0
    curve = laplace_tails(np.array([1e3, 1e5, 1e8, 1e12]))
    assert (np.diff(curve) > 0).all() and curve[-1] > 100 * curve[1]  # it outgrows ln T in the end
    assert laplace_tails(1e5) == pytest.approx(curve[1])


def test_theorem_6_by_hand():
    # K = 2, δ = .001, ε = .5, gap .1: 2 (2.44949 + 16 sqrt(2 ln 1250))²/.1 · ln T
    given = {"horizon": 10**5, "epsilon": 0.5, "delta": 1e-3, "gaps": [0.1], "list_size": 2}
    printed = 2 * (2 * math.sqrt(1.5) + 16 * math.sqrt(2 * math.log(1250))) ** 2 / 0.1 * LN
    assert bound(6).value(**given) == pytest.approx(printed)
    assert bound(6).value(**given, constants="corrected") == pytest.approx(printed + 3 * PI / 2)


def test_theorem_8_is_theorem_4_with_the_composed_scale():
    # ε/K = ε sqrt(...)… : a scale b stands for K/ε, so Theorem 4 at ε = K/b
    scale = math.sqrt(4 * 2 * math.log(math.e + 0.5 / 1e-3)) / 0.5
    for constants in ("printed", "corrected"):
        given = {"horizon": 10**5, "gaps": [0.1, 0.3], "list_size": 2, "constants": constants}
        assert bound(8).value(epsilon=0.5, delta=1e-3, **given) == pytest.approx(
            bound(4).value(epsilon=2 / scale, **given)
        )
    assert "prints an order only" in bound(8).evaluate(horizon=10**5, epsilon=0.5, gaps=[0.1], list_size=2).notes[-1]


def test_theorem_10_by_hand():
    given = {
        "horizon": 10**5,
        "epsilon": 1,
        "delta": 1e-3,
        "arms": 5,
        "list_size": 2,
        "gap_inverse": 0.1,
        "gap_max": 0.5,
    }
    bracket = 128 * 2 * math.log(1250) * LN / 0.01 + PI / 3 + 1
    assert bound(10).value(**given) == pytest.approx(bracket * 2.5)
    assert bound(10).value(**given, constants="corrected") == pytest.approx((bracket + 2 + 2 * LN) * 2.5)
    halved = 128 * 2 * math.log(1250) * LN / 0.02 + PI / 3 + 1  # min{ε², 2} = 2
    assert bound(10).value(**given | {"epsilon": 4}) == pytest.approx(halved * 2.5)
    assert "says nothing" in bound(10).evaluate(**given).notes[-1]
    assert "3/8" in bound(10).evaluate(**given | {"delta": 0.9, "list_size": 1}).notes[0]


def test_theorem_11_by_hand():
    # L = 5, K = 2, p = .5, Δ = .25, ε = ln 2: 3·.5·.25/(2·4·1·.25) = .1875
    result = bound(11).evaluate(horizon=10**5, epsilon=math.log(2), items=5, list_size=2, p=0.5, gap=0.25)
    assert result.rate == pytest.approx(0.1875) and result.value == pytest.approx(0.1875 * LN)
    # ε = .1: min{4, e^.2}
    rate = bound(11).evaluate(horizon=10**5, epsilon=0.1, items=5, list_size=2, p=0.5, gap=0.25).rate
    assert rate == pytest.approx(0.375 / (2 * math.exp(0.2) * math.expm1(0.1) ** 2 * 0.25))
    assert (
        bound(11).evaluate(horizon=10, epsilon=400, items=5, list_size=2, p=0.5, gap=0.25).rate < 1e-300
    )  # no overflow


@pytest.mark.parametrize("size", [2, 10, 100])
def test_the_remark_after_theorem_11_drops_a_factor(size):
    rate = bound(11).evaluate(horizon=10, epsilon=1e-4, items=2 * size, list_size=size, p=1 / size, gap=0.5 / size).rate
    remark = size / (0.5 / size * 1e-4**2)  # (L − K)/(Δε²)
    assert rate / remark == pytest.approx(
        (1 - 1 / size) ** size / (2 * size), rel=1e-3
    )  # about 1/(2eK), not a constant


def test_theorem_12_by_hand():
    # L = 5, K = 2, p = .5, Δ = .25: 3·.5·.25/kl(.25, .5), kl = ln 2 − .5623 = .13081; or 3·.5/(200 ε)
    divergence = 0.25 * math.log(0.5) + 0.75 * math.log(1.5)
    given = {"horizon": 10**5, "items": 5, "list_size": 2, "p": 0.5, "gap": 0.25}
    assert bound(12).evaluate(epsilon=1, **given).rate == pytest.approx(0.375 / divergence)
    assert bound(12).evaluate(epsilon=1e-4, **given).rate == pytest.approx(1.5 / 0.02)
    assert "without privacy" in bound(12).evaluate(epsilon=1, **given).notes[0]


def test_theorem_2_waits_for_astronomical_horizons():
    for xi in (0.05, 0.1, 0.5, 1.0):
        y = log_smallest_b(xi)
        assert xi * y == pytest.approx(1.5 * math.log(1 + xi) + 1.5 * math.log(y))
        assert xi * 1.01 * y > 1.5 * math.log(1 + xi) + 1.5 * math.log(1.01 * y)
    assert log_smallest_b(3.0) == 0  # holds everywhere
    note = bound(2).evaluate(horizon=10**5, epsilon=1, instance="cascade-paper", xi=0.1).notes[-1]
    # B >= e^63.76 = 4.88e27, ln T = B·ε·.15/(6·20) = 6.1e24
    assert "ξ = 0.1" in note and "e^(6.1e+24)" in note
    assert not any(
        "ξ" in n for n in bound(2).evaluate(horizon=10**5, epsilon=0.001, instance="cascade-paper", xi=1).notes
    )


@pytest.mark.parametrize("number", [2, 4, 6, 8])
@pytest.mark.parametrize("epsilon", [0.2, 1, 2])
def test_no_upper_bound_says_anything_at_the_papers_settings(number, epsilon):
    result = bound(number).evaluate(horizon=10**5, epsilon=epsilon, instance="cascade-paper")
    assert result.value > 10**5 and any("says nothing" in note for note in result.notes)


def test_bounds_hold_where_they_say_something():
    for number, name in ((4, "cascade-ldp-laplace"), (6, "cascade-ldp-gauss"), (8, "cascade-ldp-composed")):
        regret = simulate(name, "cascade-paper", horizon=10**4, runs=5, workers=1, epsilon=100).regret[:, -1]
        value = bound(number).value(horizon=10**4, epsilon=100, instance="cascade-paper", constants="corrected")
        assert float(regret.max()) < value


def test_facts_come_from_an_instance_or_by_hand():
    by_name = bound(4).evaluate(horizon=10**5, epsilon=1, instance="cascade-paper", items=6, list_size=2)
    built = bound(4).evaluate(horizon=10**5, epsilon=1, instance=build("cascade-paper", items=6, list_size=2))
    direct = bound(4).evaluate(horizon=10**5, epsilon=1, attraction=[0.05, 0.2, 0.2, 0.05, 0.05, 0.05], list_size=2)
    one_gap = bound(4).evaluate(horizon=10**5, epsilon=1, gaps=[0.2 - 0.05], items=6, list_size=2)
    assert by_name.value == built.value == direct.value == pytest.approx(one_gap.value)
    assert by_name.parameters["items"] == 6 and len(one_gap.parameters["gaps"]) == 4


def test_a_tie_is_void_and_a_full_list_has_nothing_to_lose():
    tied = bound(4).evaluate(horizon=10**5, epsilon=1, attraction=[0.5, 0.2, 0.2], list_size=2)
    assert tied.value == math.inf and "unique best list" in tied.notes[0]
    full = bound(6).evaluate(horizon=10**5, epsilon=1, attraction=[0.5, 0.2], list_size=2)
    assert full.value == 0 and full.notes == ()


@pytest.mark.parametrize(
    "number, arguments, words",
    [
        (4, {"epsilon": 1}, "gaps is missing"),
        (4, {"epsilon": 1, "gaps": [0.1, 0.2], "items": 5, "list_size": 2}, "gaps has 2 entries"),
        (4, {"epsilon": 1, "gaps": [0.1], "items": 2, "list_size": 3}, "list_size = 3 is not allowed"),
        (4, {"epsilon": 0, "gaps": [0.1], "list_size": 3}, "epsilon = 0"),
        (6, {"epsilon": 1, "delta": 1, "gaps": [0.1], "list_size": 3}, "delta = 1"),
        (
            4,
            {"epsilon": 1, "constants": "other", "gaps": [0.1], "list_size": 3},
            "constants = 'other'.*printed, corrected",
        ),
        (2, {"epsilon": 1, "xi": 0, "gaps": [0.1], "list_size": 3}, "xi = 0"),
        (11, {"epsilon": 1, "p": 0.1, "gap": 0.2}, "gap = 0.2 is not allowed: it must be > 0 and < p"),
        (12, {"epsilon": 1, "items": 3, "list_size": 4}, "list_size = 4"),
        (10, {"epsilon": 1}, "arms is missing"),
    ],
)
def test_bad_input(number, arguments, words):
    with pytest.raises(ValueError, match=words):
        bound(number).value(horizon=100, **arguments)


def test_lower_bounds_take_their_two_levels_from_an_instance():
    given = {"horizon": 1000, "epsilon": 1}
    by_hand = bound(11).value(items=7, list_size=3, p=0.3, gap=0.1, **given)
    assert bound(11).value(
        instance="cascade-paper", items=7, list_size=3, top_mean=0.3, other_mean=0.2, **given
    ) == pytest.approx(by_hand)
    assert bound(12).value(instance="cascade-paper", **given) == bound(12).value(
        items=20, list_size=4, p=0.2, gap=0.15, **given
    )
    for attraction in (
        [0.3, 0.2, 0.1],
        [0.3, 0.3, 0.2],
        [0.3, 0.3, 0.3],
    ):  # unequal best items; a tie with the last; no gap
        with pytest.raises(ValueError, match="it has no p"):
            bound(12).value(
                instance=build("cascade", attraction=attraction, list_size=2 if attraction[2] < 0.2 else 1), **given
            )
