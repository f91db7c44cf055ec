"""A bound taken apart, against its terms worked out by hand; and the same items as four problems."""

import math

import numpy as np
import pytest

from dpbandits import catalogue
from dpbandits.bounds.beside import SETTINGS, arguments, lower_bounds, same_items, upper_bound
from dpbandits.bounds.regimes import CUT, LEARNING, PRIVACY, SAYS_NOTHING, SLACK_ALONE, begins, parts, stretches
from dpbandits.environments import build

BOUNDS, GAPS = catalogue.bounds(), (0.0, 0.3, 0.3)
ROUNDS = np.array([100, 10**4, 10**7, 10**10])


def apart(name, rounds=ROUNDS, worst=0.3, **given):
    return parts(BOUNDS[name], rounds, worst, **given)


def test_theorem_16_by_hand():
    # Σ max{16 ln T/Δ, (4/ε) ln[(T(e^ε−1) + 2Tδ)/(2(e^ε−1) + 2Tδ)]} + 4N, two gaps of 0.3, three arms
    found = apart("wang-zhu-theorem-16", gaps=GAPS, epsilon=0.01, delta=1e-3)
    grown = math.expm1(0.01)
    learning = [2 * 16 * math.log(t) / 0.3 + 12 for t in ROUNDS]
    privacy = [2 * 400 * math.log((t * grown + 2e-3 * t) / (2 * grown + 2e-3 * t)) + 12 for t in ROUNDS]
    assert np.allclose(found.learning, learning) and np.allclose(found.value, np.maximum(learning, privacy))
    next_to_none = [2 * 400 * math.log((t * grown + 2e-12 * t) / (2 * grown + 2e-12 * t)) + 12 for t in ROUNDS]
    assert np.allclose(found.without_slack, next_to_none)
    # at T = 100 the worst policy loses 30; from 10⁷ on learning, which grows with T, has overtaken privacy, which δ
    # caps
    assert found.regime.tolist() == [SAYS_NOTHING, CUT, LEARNING, LEARNING]


@pytest.mark.parametrize("epsilon, wanted", [(0.05, PRIVACY), (0.11, LEARNING)])
def test_without_slack_privacy_rules_below_epsilon_gap_over_four(epsilon, wanted):
    # (4/ε) ln(T/2) against 16 ln T/Δ at Δ = 0.4: equal near ε = 0.1, as ln(T/2)/ln T is nearly 1
    found = apart("wang-zhu-theorem-16", [10**12], gaps=(0.0, 0.4), epsilon=epsilon, delta=0.0)
    assert found.regime.tolist() == [wanted]


def test_the_start_phase_of_gauss_is_set_by_delta_alone_where_epsilon_is_small():
    # N_G* = min{1/(4πδ²), ln(e/(4πδ²))/ε²}: at δ = 0.001 79 577 against 12.3/ε²; learning, 8 ln T/Δ at λ = Δ/4, is
    # smaller
    at = {"gaps": (0.0, 0.3), "delta": 0.001}
    small, large = (apart("wang-zhu-theorem-11", [10**7], **at, epsilon=epsilon) for epsilon in (0.005, 0.05))
    assert small.value[0] == pytest.approx(0.3 / (4 * math.pi * 1e-6)) and small.regime.tolist() == [SLACK_ALONE]
    assert large.value[0] == pytest.approx(
        0.3 * math.log(math.e / (4 * math.pi * 1e-6)) / 0.0025
    ) and large.regime.tolist() == [CUT]


def test_a_sum_is_split_by_its_halves():
    # 4 (√1.5 + K√24/ε)² Σ1/Δ ln T + 2π²L/3 without privacy: 6 Σ1/Δ ln T + 2π²L/3
    at = {"gaps": (0.3,) * 3, "list_size": 2, "items": 5}
    found = apart("cascading-theorem-4", [10**9], **at, epsilon=1.0)
    learning = 6 * 10 * math.log(10**9) + 2 * math.pi**2 / 3 * 5
    assert found.learning[0] == pytest.approx(learning, rel=1e-6)
    assert found.privacy[0] == pytest.approx(
        40 * ((math.sqrt(1.5) + 2 * math.sqrt(24)) ** 2 - 1.5) * math.log(10**9), rel=1e-6
    )
    assert found.regime.tolist() == [PRIVACY] and apart(
        "cascading-theorem-4", [10**9], **at, epsilon=30.0
    ).regime.tolist() == [LEARNING]


def test_a_lower_bound_of_zero_says_nothing():
    # Theorem 4 is void until T^(1 − α) exceeds 40 c₀: T = 1600
    found = apart("wang-zhu-theorem-4", [1600, 10**5], epsilon=1.0, delta=1e-6, c0=1.0, alpha=0.5)
    assert found.regime.tolist() == [SAYS_NOTHING, PRIVACY] and found.value[0] == 0


@pytest.mark.parametrize(
    "name, given, slope",
    [
        ("wang-zhu-theorem-16", {"gaps": GAPS, "epsilon": 1.0, "delta": 0.01}, 0.3),
        ("wang-zhu-theorem-16", {"gaps": (0.0, 0.9), "epsilon": 5.0, "delta": 0.01}, 0.9),
        ("chen-theorem-4", {"gaps_min": (0.0, 0.9), "gaps_max": (0.0, 0.9), "smoothness": 1.0, "epsilon": 3.0}, 0.9),
    ],
)
def test_a_bound_begins_where_it_stays_below(name, given, slope):
    found = begins(BOUNDS[name], slope, **given)
    rounds = np.arange(1, 20_000)
    below = BOUNDS[name].curve(rounds, **given) < slope * rounds
    assert below[found - 1 :].all() and not below[found - 2]
    assert begins(BOUNDS[name], slope, longest=found - 1, **given) is None


def test_stretches():
    assert stretches(np.array([0, 0, 2, 2, 1])) == [(0, 0), (2, 2), (4, 1)] and stretches(np.array([3])) == [(0, 3)]


@pytest.mark.parametrize("name", BOUNDS)
def test_every_bound_can_be_taken_apart(name):
    bound = BOUNDS[name]
    instance = same_items(bound.setting)
    given = arguments(bound, instance, {"epsilon": 0.5, "delta": 1e-3, "c0": 1.0, "alpha": 0.5, "xi": 0.5})
    found = parts(bound, ROUNDS, instance.worst_regret, **given)
    assert np.allclose(found.value, [bound.value(horizon=int(t), **given) for t in ROUNDS])
    assert (found.privacy >= 0).all() and (found.without_slack >= found.value).all()


def test_the_same_items_are_the_instances_of_the_house():
    at = {"items": 7, "list_size": 2, "top_mean": 0.5, "other_mean": 0.2}
    stochastic, cascade, semi, matroid = (same_items(setting, **at) for setting in SETTINGS)
    assert stochastic.means.tolist() == [0.2] * 6 + [0.5] and stochastic.worst_regret == pytest.approx(0.3)
    assert (cascade.items, cascade.list_size, cascade.gap_min) == (7, 2, pytest.approx(0.3))
    assert (
        semi.parameters["arms"] == 8
        and semi.gap_min == pytest.approx(0.6)
        and set(np.round(semi.means, 9)) == {0.5, 0.2}
    )
    assert matroid.rank == 2 and matroid.worst_regret == pytest.approx(0.6)
    assert same_items("semi-bandit", items=4, list_size=4).parameters["arms"] == 8


@pytest.mark.parametrize(
    "given, words",
    [
        ({"list_size": 9}, "list_size = 9 is not allowed: it must be <= items = 8."),
        ({"top_mean": 0.1}, "top_mean = 0.1 is not allowed: it must be >= other_mean = 0.2."),
        ({"other_mean": -1}, "other_mean = -1 is not allowed"),
        (
            {"setting": "bandit"},
            "setting = 'bandit' is not allowed: it must be one of stochastic, cascade, semi-bandit, matroid.",
        ),
    ],
)
def test_bad_items(given, words):
    with pytest.raises(ValueError) as caught:
        same_items(**{"setting": "cascade"} | given)
    assert str(caught.value).startswith(words)


def test_who_is_bounded_by_what():
    algorithms = catalogue.algorithms()
    assert {a.name: b.name for a in algorithms.values() if (b := upper_bound(a))} == {
        b.algorithm: b.name for b in BOUNDS.values() if b.kind == "upper"
    }
    for name, wanted in {
        "gdp-elim-new": ["wang-zhu-theorem-4"],
        "dp-imed": ["wang-zhu-theorem-4", "azize-basu-lower", "azize-2025-lower"],
        "dp-ftpl-new": [],
        "cascade-ldp-laplace": ["cascading-theorem-11", "cascading-theorem-12"],
        "cascade-dp": ["cascading-theorem-12"],
        "cucb-ldp2": ["chen-theorem-6", "chen-theorem-9"],
        "cucb-dp": ["chen-theorem-9"],
        "dpucb-mat": [],
    }.items():
        record = algorithms[name]
        found = lower_bounds(record, record.bind({}), same_items(record.setting))
        assert [b.name for b in found] == wanted


def test_lower_bounds_are_given_their_corrected_constants():
    instance = same_items("semi-bandit", items=6, list_size=2)
    given = arguments(BOUNDS["chen-theorem-9"], instance, {"epsilon": 0.5, "xi": 1.0})
    assert given == {"epsilon": 0.5, "constants": "corrected", "instance": instance}
    direct = {"arms": 6, "list_size": 2, "gap": 0.6, "epsilon": 0.5, "constants": "corrected"}
    nine = BOUNDS["chen-theorem-9"]
    assert nine.value(horizon=10**6, **given) == pytest.approx(nine.value(horizon=10**6, **direct))
    single = arguments(BOUNDS["chen-theorem-5"], instance, {"epsilon": 0.5})
    assert (single["arms"], single["gap"]) == (6, pytest.approx(0.3))
    own = build("single-arms", arms=6, gap=0.2, smoothness=2.0)
    assert arguments(BOUNDS["chen-theorem-5"], own, {"epsilon": 0.5})["instance"] is own
    assert arguments(BOUNDS["chen-theorem-2"], instance, {"epsilon": 0.5, "delta": 0.1}) == {
        "epsilon": 0.5,
        "constants": "corrected",
        "instance": instance,
    }
