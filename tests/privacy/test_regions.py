"""Lemma 8's and Lemma 9's regions, the worst violation and the smallest sufficient N, against grids, hand values and
dp-accounting.
"""

import math

import mpmath
import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_mechanism
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import optimize, special

from dpbandits.mechanisms.perturbations import LAWS, law, pulls_needed_beta, pulls_needed_gauss
from dpbandits.privacy import (
    excess,
    feasible_region,
    interval_region,
    interval_violation,
    needed_delta,
    smallest_pulls,
    violations,
    worst_violation,
)
from dpbandits.privacy.hockey_stick import hockey_sticks, plain_beta_limit

EPSILONS = st.one_of(st.just(0.0), st.floats(1e-3, 6))
DELTAS = st.one_of(st.just(0.0), st.floats(1e-6, 1))
PROBABILITIES = st.floats(0, 1)


def test_region_by_hand():
    # e^ε = 2, δ = 0.1
    low, high = feasible_region([0.0, 0.1, 0.5, 0.9, 1.0], math.log(2), 0.1)
    np.testing.assert_allclose(low, [0, 0, 0.2, 0.7, 0.9], atol=1e-15)
    np.testing.assert_allclose(high, [0.1, 0.3, 0.8, 1, 1], atol=1e-15)
    low, high = feasible_region([0.0, 0.1, 0.5, 0.9, 1.0], math.log(2), 0.1, printed=True)
    np.testing.assert_allclose(low, [0, 0, 0.2, 0.4, 0.45], atol=1e-15)
    np.testing.assert_allclose(high, [0.55, 0.6, 0.8, 1, 1], atol=1e-15)
    np.testing.assert_allclose(interval_region(0.5, math.log(2), 0.2), [0.2, 0.8], atol=1e-15)
    np.testing.assert_allclose(
        excess([0.5, 0.5, 0.1], [0.15, 0.25, 0.35], math.log(2), 0.1), [0.05, -0.05, 0.05], atol=1e-15
    )


@given(epsilon=EPSILONS, delta=DELTAS, cdf=PROBABILITIES, other=PROBABILITIES)
def test_region_is_the_four_inequalities(epsilon, delta, cdf, other):
    low, high = feasible_region(cdf, epsilon, delta)
    grow = math.exp(epsilon)
    slacks = [
        grow * other + delta - cdf,
        grow * (1 - other) + delta - (1 - cdf),
        grow * cdf + delta - other,
        grow * (1 - cdf) + delta - (1 - other),
    ]
    assume(min(abs(s) for s in slacks) > 1e-9)
    assert (low <= other <= high) == (min(slacks) >= 0)
    # the relation is symmetric, holds for F itself, and mirrors with 1 − F
    back_low, back_high = feasible_region(other, epsilon, delta)
    assert (low <= other <= high) == (back_low <= cdf <= back_high)
    assert low - 1e-15 <= cdf <= high + 1e-15
    mirrored = feasible_region(1 - cdf, epsilon, delta)
    np.testing.assert_allclose([1 - mirrored[1], 1 - mirrored[0]], [low, high], atol=1e-12)
    wide_low, wide_high = feasible_region(cdf, epsilon, delta, printed=True)
    assert wide_low <= low and high <= wide_high
    assert (
        feasible_region(cdf, epsilon + 0.5, delta)[0] <= low + 1e-15
        and high - 1e-15 <= feasible_region(cdf, epsilon + 0.5, delta)[1]
    )


def dense_grid(one, two):
    """Points at all quantiles of both laws, tails included."""
    tail = np.geomspace(1e-12, 0.5, 1500)
    p = np.concatenate((tail, 1 - tail))
    return np.unique(np.concatenate((one.quantile(p), two.quantile(p))))


@given(
    name=st.sampled_from(LAWS),
    pulls=st.integers(1, 2000),
    share=st.floats(0, 1),
    epsilon=st.one_of(st.just(0.0), st.floats(1e-3, 4)),
    delta=st.floats(1e-4, 1),
    printed=st.booleans(),
)
@settings(max_examples=60)
def test_worst_violation_is_what_a_dense_grid_finds(name, pulls, share, epsilon, delta, printed):
    total = round(share * pulls)
    worst = worst_violation(name, pulls, total, epsilon, delta, printed)
    before = law(name, pulls, total, epsilon, delta)
    inverse, found = math.exp(-epsilon), []
    for move in (1, -1):
        if 0 <= total + move <= pulls:
            after = law(name, pulls, total + move, epsilon, delta)
            x = dense_grid(before, after)
            cdf, sf, cdf_after, sf_after = before.cdf(x), before.sf(x), after.cdf(x), after.sf(x)
            found += [(cdf - delta) * inverse - cdf_after, (sf - delta) * inverse - sf_after]
            if not printed:
                found += [cdf_after - delta - cdf / inverse, sf_after - delta - sf / inverse]
    best = max(float(f.max()) for f in found)
    assert worst.excess == pytest.approx(best, abs=1e-4)
    assert best <= worst.excess + 1e-11


@given(
    name=st.sampled_from(LAWS),
    pulls=st.integers(1, 300),
    share=st.floats(0, 1),
    epsilon=EPSILONS,
    delta=st.floats(1e-4, 0.3),
)
@settings(max_examples=100)
def test_the_numbers_of_a_violation_are_those_of_its_point(name, pulls, share, epsilon, delta):
    total = round(share * pulls)
    before, grow, shrink = law(name, pulls, total, epsilon, delta), math.exp(epsilon), math.exp(-epsilon)
    for found in violations(name, pulls, total, epsilon, delta):
        after = law(name, pulls, total + found.direction, epsilon, delta)

        def amount(x, after=after, inequality=found.inequality):
            F, G, f, g = before.cdf(x), after.cdf(x), before.sf(x), after.sf(x)
            return float(
                {
                    1: shrink * (F - delta) - G,
                    2: shrink * (f - delta) - g,
                    3: G - grow * F - delta,
                    4: g - grow * f - delta,
                }[inequality]
            )

        assert amount(found.x) == pytest.approx(found.excess, abs=1e-12)
        if not found.violated:
            assert found.stretch is None
            continue
        low, high = found.stretch
        assert low <= found.x <= high
        for end, outward in ((low, -1), (high, 1)):
            if before.support[0] < end < before.support[1]:
                assert amount(end) == pytest.approx(0, abs=1e-9)
                assert amount(end + outward * 1e-3 * (high - low)) < 1e-12


def test_beta_by_hand():
    # N = 1 without k: F = 2x − x² (R = 0), F⁺ = x² (R = 1). F − 3F⁺ = 2x − 4x² is largest at 1/4: 1/4.
    (left, x_left), (right, x_right) = hockey_sticks("beta-plain", 1, 0, math.log(3), 0.0)
    assert (left, x_left) == pytest.approx((0.25, 0.25), rel=1e-14)
    assert (right, x_right) == pytest.approx((0.25, 0.75), rel=1e-14)
    worst = worst_violation("beta-plain", 1, 0, math.log(3), 0.05)
    # 1 fails by (1/4 − δ)/3 in units of F′, 4 by 1/4 − δ
    assert (worst.inequality, worst.direction) == (4, 1) and worst.excess == pytest.approx(0.2, rel=1e-14)
    printed = worst_violation("beta-plain", 1, 0, math.log(3), 0.05, printed=True)
    assert printed.inequality == 1 and printed.excess == pytest.approx(0.2 / 3, rel=1e-14)
    # 2x − 4x² = 1/20 at x = (1 ± √(4/5))/4
    assert printed.stretch == pytest.approx(((1 - math.sqrt(0.8)) / 4, (1 + math.sqrt(0.8)) / 4), rel=1e-9)


@pytest.mark.parametrize("pulls", [1, 7, 8, 1000, 10**6])
@pytest.mark.parametrize("epsilon", [0.01, 0.5, 2])
def test_gauss_is_dp_accountings(pulls, epsilon):
    mechanism = privacy_loss_mechanism.GaussianPrivacyLoss(math.sqrt(2 / pulls), sensitivity=1 / pulls)
    for needed, _ in hockey_sticks("gauss", pulls, 0, epsilon, 0.01):
        assert needed == pytest.approx(mechanism.get_delta_for_epsilon(epsilon), rel=1e-7, abs=1e-300)


@pytest.mark.parametrize(
    ("a", "b", "epsilon"),
    [(1, 40, 1), (5, 60, 0.1), (2000, 18000, 0.05), (10**5, 9 * 10**5, 0.01), (30, 2, 5), (10**6, 10**6, 0.001)],
)
def test_beta_against_many_digits(a, b, epsilon):
    # total = a − 1, pulls = a + b − 1 without k gives the pair Beta(a, b + 1), Beta(a + 1, b)
    (left, x_left), (right, x_right) = hockey_sticks("beta-plain", a + b - 1, a - 1, epsilon, 0.0)
    with mpmath.workdps(40):

        def pmf(p):  # F − F⁺ = P(Binomial(n, x) = a)
            n = a + b
            return mpmath.exp(
                mpmath.loggamma(n + 1)
                - mpmath.loggamma(a + 1)
                - mpmath.loggamma(b + 1)
                + a * mpmath.log(p)
                + b * mpmath.log(1 - p)
            )

        p, q = 1 / (1 + mpmath.mpf(b) / a * mpmath.exp(epsilon)), 1 / (1 + mpmath.mpf(b) / a * mpmath.exp(-epsilon))
        first = pmf(p) - mpmath.expm1(epsilon) * tail_of_beta(a + 1, b, p)
        second = pmf(q) - mpmath.expm1(epsilon) * tail_of_beta(b + 1, a, 1 - q)
    assert (x_left, x_right) == pytest.approx((float(p), float(q)), rel=1e-12)
    assert left == pytest.approx(float(first), rel=1e-7)
    assert right == pytest.approx(float(second), rel=1e-7)


def tail_of_beta(a, b, x):
    """P(Beta(a, b) <= x) by its positive series (DLMF 8.17.8), for x below the mean."""
    term, total, n = mpmath.mpf(1), mpmath.mpf(1), 0
    while term > total * mpmath.mpf(10) ** -25:
        term *= x * (a + b + n) / (a + 1 + n)
        total += term
        n += 1
    front = a * mpmath.log(x) + b * mpmath.log(1 - x) - mpmath.log(a)
    return total * mpmath.exp(front - mpmath.loggamma(a) - mpmath.loggamma(b) + mpmath.loggamma(a + b))


@pytest.mark.parametrize(("epsilon", "delta", "pulls"), [(0.1, 0.0, 10), (0.1, 0.0, 1000), (1, 0.01, 50), (0, 0.1, 4)])
def test_new_is_on_the_edge_but_not_between_the_centres(epsilon, delta, pulls):
    # Figure 3 says: always on the edge. With y = N(x − x₀), F′ is strictly inside for 0 < y < 1 (unless ε = 0) and for
    # y between reach and reach + 1, where F = 1 > F′ > 1 − δ.
    before, after = law("new", pulls, 0, epsilon, delta), law("new", pulls, 1, epsilon, delta)
    reach = before.reach
    y = np.linspace(-min(reach, 60 / max(epsilon, 1e-9)), min(reach, 60 / max(epsilon, 1e-9)) + 1, 4001)
    outside = excess(before.cdf(y / pulls), after.cdf(y / pulls), epsilon, delta)
    assert outside.max() <= 1e-13
    between, end = (y > 1e-9) & (y < 1 - 1e-9), (y > reach + 1e-9) & (y < reach + 1 - 1e-9)
    assert np.abs(outside[~between & ~end]).max() <= 1e-12
    assert (outside[end] < 0).all() and end.any() == (delta > 0)
    if epsilon:
        assert (outside[between] < 0).all()
        # deepest where the lower edges 1 and 4 cross: F = (e^ε + δ)/(e^ε + 1)
        corner = (math.exp(epsilon) + delta) / (math.exp(epsilon) + 1)
        depth = float(after.cdf(before.quantile(corner))) - math.exp(-epsilon) * (corner - delta)
        assert outside[between].min() == pytest.approx(-depth, rel=0.05)


@given(epsilon=EPSILONS, delta=DELTAS, pulls=st.integers(1, 10**6))
def test_new_needs_its_delta_and_no_more(epsilon, delta, pulls):
    assume(epsilon + delta > 0)
    for violation in violations("new", pulls, pulls // 2, epsilon, delta):
        assert violation.delta_alone == delta if delta <= 0.5 else violation.delta_alone <= delta
        assert not violation.violated
    assert smallest_pulls("new", epsilon, delta) == 1


def test_intervals_tell_no_more_than_half_lines():
    for name, pulls, total, epsilon, delta in [
        ("gauss", 5, 2, 0.5, 0.02),
        ("beta", 20, 0, 1, 0.02),
        ("beta-plain", 9, 3, 0.3, 0.1),
        ("new", 7, 2, 1, 0.1),
        ("new", 7, 2, 0, 0.4),
    ]:
        before, after = (law(name, pulls, total + move, epsilon, delta / 2) for move in (0, 1))
        x = np.unique(
            np.concatenate(
                (dense_grid(before, after), [v.x for v in violations(name, pulls, total, epsilon, delta / 2)])
            )
        )
        found = interval_violation(x, before.cdf(x), after.cdf(x), epsilon, delta)
        needed = max(v.delta_alone for v in violations(name, pulls, total, epsilon, delta / 2) if v.direction == 1)
        assert found.amount == pytest.approx(needed - delta / 2, abs=1e-9)
        if name == "new":  # Theorem 18's use of it: Lemma 9 is met with equality
            assert found.amount == pytest.approx(0, abs=1e-12)


def test_interval_violation_is_brute_force():
    rng = np.random.default_rng(3)
    for _ in range(30):
        cdf, other = np.sort(rng.random((2, 12)), axis=1)
        epsilon, delta = rng.random() * 2, rng.random() / 2
        one, two = (np.concatenate(([0], v, [1])) for v in (cdf, other))
        amounts = []
        for i in range(14):
            for j in range(i, 14):
                p, q = one[j] - one[i], two[j] - two[i]
                pairs = [(p, q), (1 - p, 1 - q), (q, p), (1 - q, 1 - p)]
                amounts.append([u - math.exp(epsilon) * v - delta / 2 for u, v in pairs])
        for printed, columns in ((False, 4), (True, 2)):
            found = interval_violation(np.arange(12.0), cdf, other, epsilon, delta, printed)
            assert found.amount == pytest.approx(np.array(amounts)[:, :columns].max(), abs=1e-12)
            positions = [0 if e == -math.inf else 13 if e == math.inf else int(e) + 1 for e in (found.low, found.high)]
            p, q = (v[positions[1]] - v[positions[0]] for v in ((two, one) if found.exchanged else (one, two)))
            p, q = (1 - p, 1 - q) if found.complement else (p, q)
            assert p - math.exp(epsilon) * q - delta / 2 == pytest.approx(found.amount, abs=1e-12)


def needed_for_all_totals(name, pulls, epsilon):
    """The δ needed at N, for every R → R + 1."""
    return np.array([max(v[0] for v in hockey_sticks(name, pulls, total, epsilon, 0.0)) for total in range(pulls)])


@pytest.mark.parametrize("name", ["beta", "beta-plain"])
def test_the_extreme_totals_are_worst_and_need_falls_with_pulls(name):
    for epsilon in (0, 0.01, 0.1, 0.5, 1, 3):
        last = 1.0
        for pulls in [*range(1, 26), 63, 64, 65, 200]:
            needed = needed_for_all_totals(name, pulls, epsilon)
            assert needed.max() <= needed[0] * (1 + 1e-9) + 1e-16  # R = 0 → 1, and by symmetry N − 1 → N
            assert needed[0] == pytest.approx(needed[-1], rel=1e-9, abs=1e-16)
            assert needed[0] <= last * (1 + 1e-12)
            last = needed[0]


@given(
    name=st.sampled_from(["gauss", "beta", "beta-plain"]),
    epsilon=st.one_of(st.just(0.0), st.floats(0.01, 5)),
    delta=st.floats(1e-4, 0.9),
)
def test_smallest_pulls_is_where_violations_end(name, epsilon, delta):
    smallest = smallest_pulls(name, epsilon, delta)
    if smallest == math.inf:
        assert name == "beta-plain" and delta <= plain_beta_limit(epsilon)
        assert worst_violation(name, 10**9, 0, epsilon, delta).violated
        return
    for pulls in (smallest, smallest + 1, smallest + 7, 2 * smallest, 3 * smallest + 5):
        assert not any(
            worst_violation(name, pulls, total, epsilon, delta).violated
            for total in {0, 1, pulls // 3, pulls // 2, pulls}
        )
    if smallest > 1:
        assert worst_violation(name, smallest - 1, 0, epsilon, delta).violated


def test_gauss_smallest_pulls_by_root_finding():
    def gap(log_pulls, epsilon, delta):
        shift = 1 / math.sqrt(2 * math.exp(log_pulls))
        return (
            special.ndtr(shift / 2 - epsilon / shift)
            - math.exp(epsilon) * special.ndtr(-shift / 2 - epsilon / shift)
            - delta
        )

    for pair in [(1, 0.01), (0.1, 1e-4), (0.01, 1e-6), (0, 0.01), (0, 1e-4)]:
        assert smallest_pulls("gauss", *pair) == math.ceil(
            math.exp(optimize.brentq(gap, -3, 30, args=pair, xtol=1e-14))
        )


@given(epsilon=st.one_of(st.just(0.0), st.floats(0.01, 5)), delta=st.floats(1e-5, 0.2))
def test_the_papers_start_phases_suffice(epsilon, delta):
    # a start phase plays ⌈N*⌉ times, at least once
    assert smallest_pulls("gauss", epsilon, delta) <= max(1, math.ceil(pulls_needed_gauss(epsilon, delta)))
    assert smallest_pulls("beta", epsilon, delta) <= math.ceil(pulls_needed_beta(epsilon, delta))


def test_plain_beta():
    # ε = 0: 1 − (1 − e^−1) = e^−1; ε = 1 by hand: y = e^−1 = 0.36788, (1 − 0.692201)/y = 0.83669 → 0.16331
    assert plain_beta_limit(0) == pytest.approx(math.exp(-1), rel=1e-14)
    assert plain_beta_limit(1) == pytest.approx(0.16331, abs=1e-5)
    assert plain_beta_limit(20) == pytest.approx(math.exp(-20) / 2, rel=1e-8)
    assert smallest_pulls("beta-plain", 1, 0.01) == math.inf
    assert worst_violation("beta-plain", 10**12, 0, 1, 0.01).excess > 0.05
    # a weak enough promise does hold from some N on
    assert smallest_pulls("beta-plain", 5, 0.01) < 100 and plain_beta_limit(5) < 0.01
    for epsilon in (0.1, 1, 3):
        needed = max(v[0] for v in hockey_sticks("beta-plain", 10**7, 0, epsilon, 0.0))
        assert plain_beta_limit(epsilon) < needed == pytest.approx(plain_beta_limit(epsilon), rel=1e-6)


def test_the_needed_delta_is_the_larger_direction():
    """By scipy's incomplete beta function: at R = 0 the two half-lines need different δ, and the law needs the
    larger.
    """

    def by_hand(pulls):
        a, b, grow = 1, pulls, math.e  # Beta(1, N + 1) and Beta(2, N)
        x, y = a / (a + b * grow), b / (b + a * grow)
        left = special.betainc(a, b + 1, x) - grow * special.betainc(a + 1, b, x)
        return left, special.betainc(b, a + 1, y) - grow * special.betainc(b + 1, a, y)

    for pulls, larger, smaller in ((6, 0.183817, 0.106248), (10, 0.175784, 0.0903058), (10_000, 0.163327, 0.0660124)):
        assert by_hand(pulls) == pytest.approx((larger, smaller), rel=1e-5)
        assert needed_delta("beta-plain", pulls, 0, 1) == pytest.approx(larger, rel=1e-5)
        worst = worst_violation("beta-plain", pulls, 0, 1, 0.01)
        assert not hasattr(worst, "needed") and worst.delta_alone <= needed_delta("beta-plain", pulls, 0, 1)
    # in the panels' pictures too
    assert needed_delta("gauss", 1, 0, 1) == pytest.approx(0.0396, abs=5e-5)
    assert needed_delta("new", 9, 4, 1, 0.2) == 0.2


def test_a_stretch_over_many_powers_of_ten():
    worst = worst_violation("beta", 97, 0, 37, 1e-290)
    assert worst.violated and worst.delta_alone > 1e-290
    assert 0 < worst.stretch[0] < worst.x < worst.stretch[1] < 1e-10


def test_corners():
    assert smallest_pulls("gauss", 1, 0) == smallest_pulls("beta", 1, 0) == math.inf
    assert smallest_pulls("gauss", 1000, 1e-300) == smallest_pulls("gauss", 1, 1) == smallest_pulls("beta", 0, 1) == 1
    worst = worst_violation("gauss", 10, 3, 1, 0)
    assert worst.violated and worst.stretch[0] < worst.x and worst.stretch[1] == math.inf
    assert [v.direction for v in violations("beta", 10, 0, 1, 0.1)] == [1, 1]
    assert [v.inequality for v in violations("beta", 10, 10, 1, 0.1)] == [2, 3]
    for call in (
        lambda: smallest_pulls("beata", 1, 0.1),
        lambda: smallest_pulls("new", 0, 0),
        lambda: feasible_region(0.5, -1, 0.1),
        lambda: worst_violation("gauss", 0, 0, 1, 0.1),
    ):
        with pytest.raises(ValueError, match="law|epsilon|pulls"):
            call()
