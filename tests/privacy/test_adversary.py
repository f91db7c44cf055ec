"""Theorem 4 of the thesis: by hand, against all deterministic adversaries, and attained."""

import math

import numpy as np
import pytest
from scipy import stats

from dpbandits.privacy.adversary import laplace_failure, least_failure, measured_failure, randomised_response, tangent
from tests.law import FALSE_ALARM


def test_values_by_hand():
    assert least_failure(0) == tangent(0) == laplace_failure(0) == 0.5
    assert least_failure(math.log(3)) == pytest.approx(0.25)
    assert least_failure(800) == pytest.approx(0, abs=1e-300)
    assert laplace_failure(2 * math.log(4)) == pytest.approx(1 / 8)
    assert least_failure(1.0) == pytest.approx(0.2689414, abs=1e-7)


def test_the_tangent_touches_at_0_and_lies_below():
    epsilon = np.linspace(0, 8, 200)
    assert (tangent(epsilon) <= least_failure(epsilon) + 1e-15).all() and (
        laplace_failure(epsilon) >= least_failure(epsilon) - 1e-15
    ).all()
    step = 1e-5
    assert (least_failure(step) - 0.5) / step == pytest.approx(-0.25, abs=1e-9)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_no_adversary_beats_it_against_randomised_response_and_one_attains_it(epsilon):
    keeps = math.exp(epsilon) / (1 + math.exp(epsilon))
    answer = np.array([[keeps, 1 - keeps], [1 - keeps, keeps]])  # [bit, answer]
    rates = [
        max(answer[0] @ [guess[0] != 0, guess[1] != 0], answer[1] @ [guess[0] != 1, guess[1] != 1])
        for guess in np.ndindex(2, 2)
    ]
    assert min(rates) == pytest.approx(least_failure(epsilon))


@pytest.mark.parametrize("epsilon", [0.2, 2.0])
def test_laplace_failure_is_the_tail_beyond_one_half(epsilon):
    assert laplace_failure(epsilon) == pytest.approx(stats.laplace.sf(0.5, scale=1 / epsilon))


def test_randomised_response_flips_either_bit_as_often():
    for bit in (0, 1):
        flips = int((randomised_response(np.full(20_000, bit), 1.5, bit) != bit).sum())
        assert stats.binomtest(flips, 20_000, 1 / (1 + math.exp(1.5))).pvalue > FALSE_ALARM
    assert abs(measured_failure(1.5, 40_000, 7) - least_failure(1.5)) < 5.2 * math.sqrt(0.15 / 40_000)


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: least_failure(-1), "epsilon = -1"),
        (lambda: tangent(float("nan")), "epsilon = nan"),
        (lambda: randomised_response([0, 2], 1.0), r"bits = \[0, 2\]"),
        (lambda: randomised_response([0, 1], 0.0), "epsilon = 0"),
        (lambda: measured_failure(1.0, 0), "trials = 0"),
    ],
)
def test_bad_input(make, words):
    with pytest.raises(ValueError, match=words):
        make()
