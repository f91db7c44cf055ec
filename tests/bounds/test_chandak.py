"""Lemma 20, and Theorems 9 and 11, by hand, against each other, and against the regret of runs."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from dpbandits import simulate
from dpbandits.bounds import BOUNDS, chandak
from dpbandits.environments import build

NINE, ELEVEN = BOUNDS["chandak-theorem-9"], BOUNDS["chandak-theorem-11"]
GAPS = st.lists(st.floats(1e-4, 1), min_size=1, max_size=8)


def test_lemma_20_by_hand():
    # gaps .8, .4, ε₀ = .5: .8/(.8·.5) + .4(1/(.4·.4) − 1/(.8·.5)) = 2 + 1.5; 2/.4 + 2/.5; 2/.4 + (1 + ln 2)/.5
    assert chandak.lemma_20([0.4, 0.8], 0.5) == pytest.approx((3.5, 9.0, 5 + (1 + math.log(2)) / 0.5))


@given(GAPS, st.floats(1e-4, 10))
@pytest.mark.slow
def test_lemma_20_and_its_sharper_form(gaps, epsilon_0):
    left, right, sharper = chandak.lemma_20(gaps, epsilon_0)
    assert left <= sharper * (1 + 1e-9) and sharper <= right * (1 + 1e-9)


def test_lemma_20_is_nearly_tight():
    gaps = 0.01 ** np.arange(5)  # each far below the one before: Σ (1 − Δ_{k+1}/Δ_k) is close to K
    left, right, _ = chandak.lemma_20(gaps, 1e-12)
    assert 0.99 * right < left + 0.05 / 1e-12 <= 1.01 * right


def test_theorem_9_by_hand():
    # one element with gaps .2 and .4 to the K = 2 optimal ones, ε = 2, n = 500: 108 ln(1000)(2/.2 + min{2, lg 1000}/1)
    printed = NINE.value(horizon=500, epsilon=2, gap_table=[[0.4, 0.2]], constants="printed")
    assert printed == pytest.approx(108 * math.log(1000) * 12)
    # Lemma 20's left-hand side with ε₀ = 1: 1/.4 + .2(25 − 6.25) = 6.25; and what is unlikely, β(2)·(.4 + .4 + .2)
    beta = sum((t.bit_length()) * (1 / (2 * (2 * t) ** 3) + 1 / (2 * t) ** 6) for t in range(1, 3000))
    assert NINE.value(horizon=500, epsilon=2, gap_table=[[0.4, 0.2]]) == pytest.approx(
        108 * math.log(1000) * 6.25 + beta, rel=1e-6
    )
    # with K = 40 and n = 20 the logarithm is the smaller: lg 800 = 9.64
    many = NINE.value(horizon=20, epsilon=4, gap_table=[[0.5] * 40], constants="printed")
    assert many == pytest.approx(108 * math.log(800) * (4 + math.log2(800) * 10))


def test_theorem_11_by_hand():
    table = [[0.4, 0.2], [0.3, -0.1]]
    log = math.log(1000)
    printed = 288 * log * (2 / 0.2 + 2 / 1) + 288 * log * (2 / 0.3 + 2 / 1)  # min{K, lg(Kn)} = 2, ε₀ = 1
    printed += 2304 * math.log(4**2 * (500 + math.exp(32))) * (1 / 0.3 + 1 / 0.2)
    assert ELEVEN.value(horizon=500, epsilon=2, gap_table=table, constants="printed") == pytest.approx(printed)
    corrected = 288 * log * (6.25 + 1 / 0.3) + 9 * chandak.H * (
        0.4 / 0.3**2 + 0.2 / 0.2**2
    )  # .3 and .4 share [1/4, 1/2)
    beta = sum((t.bit_length()) * (1 / (2 * (2 * t) ** 3) + 1 / (2 * t) ** 6) for t in range(1, 3000))
    corrected += beta * (0.4 + 0.3 + 0.4 + 0.2) + 0.7 / (500**3 * 2**4)
    assert ELEVEN.value(horizon=500, epsilon=2, gap_table=table) == pytest.approx(corrected, rel=1e-6)


@pytest.mark.slow
def test_the_constant_of_theorem_11():
    def cost(a):
        def weight(z):
            return math.exp(norm.logpdf(z) - 2 * norm.logsf(z) - 2 * max(0.0, z + a) ** 2)

        return sum(quad(weight, *ends, limit=200)[0] for ends in ((-40, -a), (-a, 3 - a), (3 - a, 20 - a)))

    sums = [sum(2 * c * 2.0**j * cost(math.sqrt(c * 2.0**j)) for j in range(-22, 8)) for c in (1, 1.25, 1.5, 1.75)]
    assert chandak.H - 0.01 < max(sums) < chandak.H
    # and h is a bound: T weights of mean 1/2, threshold a/sqrt(T) below
    for size, a in ((1, 0.1), (4, 0.5), (16, 1.0), (64, 2.0)):
        successes = np.arange(size + 1)
        chance = np.exp(
            [
                math.lgamma(size + 1) - math.lgamma(s + 1) - math.lgamma(size - s + 1) + size * math.log(0.5)
                for s in successes
            ]
        )
        z = math.sqrt(size) * (0.5 - successes / size) - a
        assert (chance * norm.cdf(z) / norm.sf(z)).sum() <= cost(a)


GAP = st.floats(-1, 1).map(lambda gap: round(gap, 4))


@given(
    st.lists(st.lists(GAP, min_size=3, max_size=3), min_size=1, max_size=5), st.integers(5, 10**9), st.floats(1e-3, 100)
)
def test_more_privacy_never_costs_less_and_less_learning_neither(table, horizon, epsilon):
    for bound in (NINE, ELEVEN):
        for constants in ("printed", "corrected"):
            value = bound.value(horizon=horizon, epsilon=epsilon, gap_table=table, constants=constants)
            assert 0 <= value < math.inf
            assert bound.value(horizon=horizon, epsilon=epsilon / 2, gap_table=table, constants=constants) >= value * (
                1 - 1e-12
            )
            if constants == "printed":
                assert bound is ELEVEN or value + 10 >= bound.value(horizon=horizon, epsilon=epsilon, gap_table=table)


def test_runs_stay_below():
    for name, bound in (("dpucb-mat", NINE), ("dpts-mat", ELEVEN)):
        for instance, given_ in (("matroid-table-6.1", {}), ("random-spanning-tree", {"nodes": 4, "edge_count": 5})):
            regret = simulate(name, instance, horizon=2000, runs=5, epsilon=1e3, workers=1, **given_).regret[:, -1]
            value = bound.value(horizon=2000, epsilon=1e3, instance=instance, **given_)
            assert (
                regret.max()
                < value
                < bound.value(horizon=2000, epsilon=1e3, instance=instance, constants="printed", **given_)
            )


def test_instance_vectors_and_gaps_say_the_same():
    instance = build("matroid-table-6.1")
    for bound in (NINE, ELEVEN):
        by_name = bound.value(horizon=1000, instance="matroid-table-6.1")
        assert (
            by_name
            == bound.value(horizon=1000, gap_table=instance.gap_table)
            == bound.value(horizon=1000, instance=instance)
        )
        assert by_name == bound.value(horizon=1000, vectors=instance.vectors, means=instance.means)
        assert "no policy loses more than" in bound.evaluate(horizon=1000, instance=instance).notes[0]
        assert "O(1)" in bound.evaluate(horizon=1000, instance=instance, constants="printed").notes[0]
        np.testing.assert_allclose(bound.curve([10, 1000], instance=instance)[1], by_name)
        assert bound.value(horizon=1000, gap_table=[]) == 0 == bound.value(horizon=1000, gap_table=[[0, -0.1]])


@pytest.mark.parametrize(
    "given_, words",
    [
        ({}, "gap_table is missing"),
        ({"gap_table": [[0.1], [0.1, 0.2]]}, "gap_table = rows of"),
        ({"gap_table": [[]]}, "gap_table = rows of"),
        ({"gap_table": [[1.5]]}, "gap_table = .* <= 1"),
        ({"gap_table": [[0.1]], "epsilon": 0}, "epsilon = 0"),
        ({"gap_table": [[0.1]], "constants": "mine"}, "constants = 'mine'"),
        ({"instance": "wang-zhu-1"}, "matroid setting"),
        ({"gap_table": [[0.1]], "horizon": 0}, "horizon = 0"),
    ],
)
def test_bad_input(given_, words):
    with pytest.raises(ValueError, match=words):
        NINE.evaluate(**{"horizon": 100} | given_)
