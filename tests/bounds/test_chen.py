"""The theorems of Chen et al. by hand, what their proofs need, and that no lower bound exceeds what can be reached."""

import math

import numpy as np
import pytest

from dpbandits import simulate
from dpbandits.algorithms.kl import kl
from dpbandits.bounds import BOUNDS
from dpbandits.bounds.chen import _node_sums, hard_instance, missed_means, private_price
from dpbandits.environments import build
from dpbandits.environments.semibandit import k_path, max_coverage, top_k

LN = math.log(10**6)


def bound(number):
    return BOUNDS[f"chen-theorem-{number}"]


GAPS = dict(gaps_min=[0, 0.2, 0.4], gaps_max=[0, 0.4, 0.4])


def test_theorems_2_and_4_by_hand():
    # B = 2, ε = 0.5: 128 · 4/0.25 · (5 + 2.5) · ln T + 2 · 3 · 0.4
    printed = 128 * 16 * 7.5 * LN + 2.4
    assert bound(4).value(horizon=10**6, epsilon=0.5, smoothness=2, **GAPS) == pytest.approx(printed)
    assert bound(2).value(horizon=10**6, epsilon=0.5, smoothness=2, list_size=3, **GAPS) == pytest.approx(
        9 * (printed - 2.4) + 2.4
    )
    corrected = bound(4).value(horizon=10**6, epsilon=0.5, smoothness=2, constants="corrected", **GAPS)
    assert corrected == pytest.approx(256 * 16 * 7.5 * LN + 0.8 + 0.4 * 10**6 * 3 * float(missed_means(10**6, 2.0)))
    assert corrected < 2 * printed + 5


def test_256_is_the_value_of_the_proofs_own_sum():
    """Σ_{j <= J} B 8 sqrt(2 ln T/(ε² j)) with J = 128 B² ln T/(ε² Δ²), summed term by term: 256 B² ln T/(ε² Δ), not
    128.
    """
    b, epsilon, gap, log = 1.0, 1.0, 0.1, LN
    terms = int(128 * b**2 * log / (epsilon * gap) ** 2)
    total = np.sum(8 * b * np.sqrt(2 * log / np.arange(1, terms + 1))) / epsilon
    assert total / (b**2 * log / (epsilon**2 * gap)) == pytest.approx(256, rel=0.01)


def test_missed_means_bounds_what_is_missed():
    """Against 200 000 draws at n = 1, 2, 5, outcomes of the worst spread (0 or 1 with mean 1/2); b = 1, T = 3."""
    rng, log = np.random.default_rng(1), math.log(3)
    missed = 0.0
    for n in range(1, 4):
        reports = rng.integers(0, 2, (200_000, n)) + rng.laplace(0, 1, (200_000, n))
        missed += np.mean(abs(reports.mean(axis=1) - 0.5) > 4 * math.sqrt(2 * log / n))
    assert 0 < missed < float(missed_means(3, 1.0)) < 1
    # One noise draw alone is missed with probability exp(−4 sqrt(2 ln T)) or so, more than the proof's 4/T² from T =
    # e^8 on.
    late = float(missed_means(math.exp(40), 1.0))
    assert late > 0.5 * math.exp(-4 * math.sqrt(80)) > 4 * math.exp(-80)


def test_theorem_8_by_hand():
    # One arm of gap 0.5, m = 1, B = 1, K = 2, ε = 1, T = 10⁶: n = max{256·4·13.8/.25, 96·4·2637/.5} = max{56588,
    # 2025109}
    given = dict(horizon=10**6, epsilon=1, gaps_min=[0.5], gaps_max=[0.5], list_size=2, smoothness=1)
    needed = 96 * 4 * LN**3 / 0.5
    assert needed > 256 * 4 * LN / 0.25
    by_hand = 16 * math.sqrt(LN * needed) + 48 * 2 * LN**3 * (1 + math.log(needed)) + 1.5
    assert bound(8).value(constants="corrected", **given) == pytest.approx(by_hand)
    sum_of_both = 256 * 4 * LN / 0.25 + needed
    printed = 16 * math.sqrt(LN) * sum_of_both + 48 * 2 * LN**3 * (1 + math.log(256 * 4 * LN**4 / 0.25)) + 1.5
    assert bound(8).value(**given) == pytest.approx(printed)


def test_theorem_8_is_the_value_of_the_proofs_own_sum():
    """Σ_n 2B(4 sqrt(ln(mT)/n) + 24K ln³T/(nε)) up to n_max, term by term."""
    horizon, epsilon, gap, size = 50, 5.0, 0.5, 2
    log, wide = math.log(horizon), math.log(3 * horizon)
    n = np.arange(1, int(max(256 * size**2 * wide / gap**2, 96 * size**2 * log**3 / (epsilon * gap))) + 1)
    terms = 3 * np.sum(2 * (4 * np.sqrt(wide / n) + 24 * size * log**3 / (n * epsilon)))
    value = bound(8).value(
        horizon=horizon,
        epsilon=epsilon,
        gaps_min=[gap] * 3,
        gaps_max=[gap] * 3,
        list_size=size,
        smoothness=1,
        constants="corrected",
    )
    assert terms <= value - 3 * 3 * gap and terms == pytest.approx(value, rel=0.1)


def test_node_sums_bound_the_trees_noise():
    """At T = 3: two nodes, within 6 ln²3 = 7.24 times their scale."""
    sums = np.random.default_rng(2).laplace(0, 1, (10**6, 2)).sum(axis=1)
    exceeded = np.mean(abs(sums) > 6 * math.log(3) ** 2)
    assert 0 < exceeded < _node_sums(math.log(3)) < 0.05


def test_lower_bounds_by_hand():
    # ε = 1: (e − 1)² = 2.9525, min{4, e²} = 4
    square = (math.e - 1) ** 2
    assert bound(5).evaluate(horizon=10**6, epsilon=1, arms=11, gap=0.1, smoothness=2).rate == pytest.approx(
        4 * 10 / (64 * square * 0.1)
    )
    assert bound(5).evaluate(
        horizon=10, epsilon=1, arms=11, gap=0.1, smoothness=2, constants="corrected"
    ).rate == pytest.approx(400 / (4 * square))
    six = bound(6).evaluate(horizon=10**6, epsilon=1, arms=20, list_size=4, gap=0.5, smoothness=2)
    assert six.rate == pytest.approx(4 * 16 * 4 / (64 * square * 0.5)) and six.value == pytest.approx(six.rate * LN)
    assert bound(6).value(
        horizon=10, epsilon=0.1, arms=20, list_size=4, gap=0.5, constants="corrected"
    ) == pytest.approx(16 * 4 / (math.exp(0.2) * (math.exp(0.1) - 1) ** 2 * 0.5) * math.log(10))
    assert bound(9).evaluate(horizon=10, epsilon=1, arms=20, list_size=4, gap=0.5).rate == pytest.approx(
        max(4 * 16 / 0.5, 4 * 13 / 800)
    )
    assert bound(9).evaluate(horizon=10, epsilon=1e-4, arms=20, list_size=4, gap=0.5).rate == pytest.approx(
        4 * 13 / 0.08
    )
    # δ = 0.125: kl(0.375, 0.5) = 0.0316
    nine = bound(9).evaluate(horizon=10, epsilon=1, arms=20, list_size=4, gap=0.5, constants="corrected").rate
    assert nine == pytest.approx(4 * 0.5 / (0.375 * math.log(0.75) + 0.625 * math.log(1.25)))
    nine = bound(9).evaluate(horizon=10, epsilon=0.01, arms=22, list_size=4, gap=0.5, constants="corrected").rate
    assert nine == pytest.approx(4 * 0.5 / math.log(1 + 0.125 * (math.exp(0.01) - 1)))


def test_lower_bounds_stay_finite():
    for number in (5, 6, 9):
        for constants in ("printed", "corrected"):
            for epsilon in (1e-6, 1e3):
                assert 0 <= bound(number).value(horizon=10, epsilon=epsilon, constants=constants) < math.inf


def _response(mean, epsilon):
    """Mean of a Bernoulli bit after randomised response."""
    return (mean * (math.exp(epsilon) - 1) + 1) / (math.exp(epsilon) + 1)


@pytest.mark.parametrize("epsilon", [1e-3, 0.1, 0.5, math.log(2), 1, 2, 5])
@pytest.mark.parametrize("gap", [1e-3, 0.05, 0.3])
def test_no_local_lower_bound_exceeds_what_is_reached(epsilon, gap):
    """Randomised response of one bit and KL-UCB lose Δ/kl(of the answers) per bad super arm, times ln T; on both hard
    instances.
    """
    reached = 9 * gap / kl(_response(0, epsilon), _response(gap, epsilon))
    for constants in ("printed", "corrected"):
        assert bound(5).evaluate(horizon=9, epsilon=epsilon, arms=10, gap=gap, constants=constants).rate <= reached
    step = gap / 4
    reached = 4 * gap / kl(_response(0.5 - step, epsilon), _response(0.5, epsilon))
    for constants in ("printed", "corrected"):
        assert (
            bound(6).evaluate(horizon=9, epsilon=epsilon, arms=20, list_size=4, gap=gap, constants=constants).rate
            <= reached
        )


def test_the_false_step_of_theorem_5():
    """D(f_a || f*) <= 4Δ²/B² fails for means 0 and 2Δ/B; the lemma about total variation holds for what randomised
    response shows.
    """
    for x in (0.01, 0.1, 0.3):
        assert kl(0.0, 2 * x) > 4 * x**2
        for epsilon in (0.1, 1.0, 3.0):
            both = [kl(_response(p, epsilon), _response(q, epsilon)) for p, q in ((0, 2 * x), (2 * x, 0))]
            assert sum(both) <= (2 * x) ** 2 / private_price(epsilon)


@pytest.mark.parametrize("gap", [0.01, 0.1, 1.0])
def test_the_first_printed_constant_of_theorem_9_is_too_large(gap):
    """KL-UCB over the paths, without privacy, loses no more than half of it."""
    printed = bound(9).evaluate(horizon=9, epsilon=1e3, arms=20, list_size=4, gap=gap).rate
    assert printed >= 2 * 4 * gap / kl(0.5 - gap / 4, 0.5)
    corrected = bound(9).evaluate(horizon=9, epsilon=1e3, arms=20, list_size=4, gap=gap, constants="corrected").rate
    assert corrected <= 4 * gap / kl(0.5 - gap / 4, 0.5) * (1 + 1e-9)


def test_an_instance_gives_its_facts():
    paths = k_path(8, 2, 0.3, 1.5)  # B₁ = 1.5, B_∞ = 3
    given = dict(gaps_min=paths.gaps_min, gaps_max=paths.gaps_max)
    assert bound(2).value(horizon=99, instance=paths) == pytest.approx(
        bound(2).value(horizon=99, list_size=2, smoothness=3, **given)
    )
    assert bound(8).value(horizon=99, instance=paths) == pytest.approx(
        bound(8).value(horizon=99, list_size=2, smoothness=1.5, **given)
    )
    by_name = bound(4).value(horizon=99, instance="k-path", arms=8, list_size=2, gap=0.3, smoothness=1.5)
    assert by_name == pytest.approx(bound(4).value(horizon=99, smoothness=3, **given))
    edges = ((1, 1), (1, 2), (2, 2), (3, 4))
    cover = max_coverage(edges, [0.5], 2, "exact")
    value = bound(2).value(
        horizon=99, instance="max-coverage", edges=edges, probabilities=[0.5], list_size=2, oracle="exact"
    )
    assert value == pytest.approx(
        bound(2).value(horizon=99, list_size=3, smoothness=3, gaps_min=cover.gaps_min, gaps_max=cover.gaps_max)
    )
    assert bound(4).value(horizon=99, means=[0.1, 0.5, 0.6], list_size=1) == pytest.approx(
        bound(4).value(horizon=99, instance=top_k([0.1, 0.5, 0.6], 1))
    )


@pytest.mark.parametrize(("number", "name"), [(2, "cucb-ldp1"), (4, "cucb-ldp2"), (8, "cucb-dp")])
def test_upper_bounds_hold_and_mostly_say_nothing(number, name):
    instance = k_path(6, 2, 0.8)
    regret = simulate(name, instance, horizon=1000, runs=20, epsilon=1.0).regret.values[:, -1].mean()
    for constants in ("printed", "corrected"):
        result = bound(number).evaluate(horizon=1000, epsilon=1.0, instance=instance, constants=constants)
        assert regret < result.value and "no policy loses more than 800" in result.notes[0]


def test_hard_instances():
    five = hard_instance(5, 4, 1, 0.3, 2.0)
    np.testing.assert_allclose(five.means, [0.15, 0, 0, 0])
    assert five.smoothness_inf == 2 and five.gap_min == pytest.approx(0.3)
    assert hard_instance(6, 8, 2, 0.3).name == "k-path" and hard_instance(9, 8, 2, 0.3).name == "public-arms"
    for theorem in (6, 9):
        hard = hard_instance(theorem, 12, 3, 0.9, 2.0)
        assert (hard.gap_min, hard.gap_max, hard.smoothness_1) == pytest.approx((0.9, 0.9, 2.0))


@pytest.mark.parametrize(
    "number, given, words",
    [
        (
            5,
            dict(gap=0.35),
            "gap = 0.35 is not allowed: the theorem asks for gap/smoothness < 0.35, that is gap < 0.35",
        ),
        (5, dict(gap=0), "gap = 0"),
        (6, dict(gap=1.4), "gap/.smoothness·list_size. < 0.35, that is gap < 1.4"),
        (6, dict(arms=10), "arms = 10 is not allowed: it must be a multiple of list_size = 4"),
        (6, dict(arms=3), "list_size = 4 is not allowed: it must be <= 3"),
        (9, dict(arms=7), "arms = 7 is not allowed: it must be >= 2·list_size = 8"),
        (9, dict(constants="exact"), "constants = 'exact' .*printed, corrected"),
        (9, dict(epsilon=0), "epsilon = 0"),
        (4, dict(), "gaps_min is missing .*give it, or instance or means"),
        (4, dict(gaps_min=[0.2], gaps_max=[0.1], smoothness=1), "gaps_max is not allowed"),
        (4, dict(gaps_min=[0.2], gaps_max=[0.3, 0.4], smoothness=1), "gaps_max is not allowed"),
        (
            4,
            dict(gaps_min=[0.2], gaps_max=[0.3]),
            "smoothness is missing .*give it, or instance or means or list_size or reward or outcomes in",
        ),
        (5, dict(gap=0.1, arms=9, list_size=2), "^Unknown parameter 'list_size' of chen-theorem-5"),
        (2, dict(gaps_min=[-0.2], gaps_max=[0.3], list_size=1, smoothness=1), "gaps_min"),
        (2, dict(instance="wang-zhu-1"), "it must be of the semi-bandit setting"),
    ],
)
def test_bad_input_is_refused(number, given, words):
    with pytest.raises(ValueError, match=words):
        bound(number).evaluate(horizon=100, **given)


@pytest.mark.parametrize("number, families", [(5, ["single-arms"]), (6, ["k-path"]), (9, ["public-arms", "k-path"])])
def test_an_instance_in_place_of_its_numbers(number, families):
    for family in families:
        size = {} if number == 5 else {"list_size": 2}
        numbers = {"horizon": 100, "epsilon": 0.5, "arms": 8, "gap": 0.3, "smoothness": 2.0, **size}
        built = bound(number).value(
            horizon=100, epsilon=0.5, instance=build(family, arms=8, gap=0.3, smoothness=2.0, **size)
        )
        assert built == pytest.approx(bound(number).value(**numbers))
    with pytest.raises(ValueError, match=f"instance = good-arms is not allowed .*: it must be {' or '.join(families)}"):
        bound(number).value(horizon=100, epsilon=0.5, instance="good-arms")


def test_a_hard_instance_outside_the_theorem_is_refused():
    with pytest.raises(ValueError, match="theorem = 4 is not allowed: it must be 5, 6 or 9"):
        hard_instance(4, 8, 2, 0.3)
    with pytest.raises(ValueError, match="gap = 0.7 is not allowed"):
        hard_instance(6, 8, 2, 0.7)
