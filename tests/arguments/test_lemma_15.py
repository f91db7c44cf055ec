"""Lemma 15's law as the law on the edge: against the printed law, and what each seed keeps and breaks."""

import itertools
import math

import numpy as np
import pytest

from dpbandits.arguments import lemma_15
from dpbandits.mechanisms.perturbations import law

PAIRS = [(1.0, 0.01), (0.1, 1e-6), (3.0, 0.2), (0.0, 0.05), (1.0, 0.0), (0.5, 0.6)]
CELLS = np.linspace(-12, 12, 4801) + 0.0013  # never a whole number


@pytest.mark.parametrize("epsilon, delta", PAIRS)
def test_the_exponential_seed_gives_lemma_15(epsilon, delta):
    printed = law("new", 1, 0, epsilon, delta)
    assert lemma_15.cdf(CELLS, epsilon, delta) == pytest.approx(printed.cdf(CELLS), abs=1e-12)


def test_small_case_by_hand():
    # ε = ln 2, δ = 0.1: 1/2, (1/2 − 0.1)/2 = 0.2, (0.2 − 0.1)/2 = 0.05, then negative: cut
    assert lemma_15.tail([0, 1, 2, 3], math.log(2), 0.1, "one step") == pytest.approx([0.5, 0.2, 0.05, 0])
    assert lemma_15.fewest_cells(20, math.log(2), 0.1) == 2 and lemma_15.fewest_cells(19, math.log(2), 0.1) == 2


@pytest.mark.parametrize("seed, pair", [*itertools.product(lemma_15.SEEDS, PAIRS)])
def test_every_seed_keeps_lemma_8_and_runs_on_its_edge(seed, pair):
    off = lemma_15.half_lines(CELLS, *pair, seed)
    assert off.max() <= 1e-9
    below = (CELLS < 0) & (lemma_15.cdf(CELLS, *pair, seed) > 1e-6)
    assert np.abs(off[below]).max() <= 1e-9
    assert lemma_15.half_lines(CELLS, *pair, seed, 0.4).max() <= 1e-9  # a part of a reward: F is monotone


@pytest.mark.parametrize("pair", PAIRS[:5])
def test_intervals_tell_a_lattice_from_a_density(pair):
    for seed in ("exponential", "one step"):
        assert lemma_15.intervals(CELLS, *pair, seed) <= 1e-9
        assert lemma_15.intervals(CELLS, *pair, seed, 0.4) <= 1e-9
    mass = 0.5 - math.exp(-pair[0]) * (0.5 - pair[1])  # of the atom nearest to the centre, which goes elsewhere
    assert lemma_15.intervals(CELLS, *pair, "atoms", 0.4) == pytest.approx(mass - pair[1], abs=0.01)


@pytest.mark.parametrize("pair", [(1.0, 0.01), (0.3, 0.0), (2.0, 0.1)])
def test_only_the_exponential_keeps_costs_in_proportion(pair):
    worst = {seed: lemma_15.half_lines(CELLS, *pair, seed, 0.4, in_proportion=True).max() for seed in lemma_15.SEEDS}
    assert worst.pop("exponential") <= 1e-9 and min(worst.values()) > 1e-4
    assert lemma_15.graded(*pair, 1.0) == pytest.approx(pair)


@pytest.mark.parametrize("odds, pair", [*itertools.product((20, 1e4, 1e9), PAIRS[:5])])
def test_no_law_is_narrower_by_a_cell(odds, pair):
    cells = lemma_15.fewest_cells(odds, *pair)
    climbed = 1 / odds
    for n in range(cells):
        assert climbed < 0.5, n
        climbed = math.exp(pair[0]) * climbed + pair[1]
    assert climbed >= 0.5 - 1e-9
    for seed in lemma_15.SEEDS:
        assert cells - 1 - 1e-6 <= lemma_15.radius(odds, *pair, seed) <= cells + 1e-6
    assert lemma_15.radius(odds, *pair, "two steps") <= cells


def test_the_staircase_is_nearer_on_average_at_delta_0():
    for epsilon in (0.5, 2.0, 5.0):
        laplace, stairs = (lemma_15.mean_distance(epsilon, 0.0, seed) for seed in ("exponential", "two steps"))
        assert laplace == pytest.approx(1 / epsilon, rel=1e-4)
        # Geng & Viswanath 2016: e^{ε/2}/(e^ε − 1)
        assert stairs == pytest.approx(math.exp(epsilon / 2) / math.expm1(epsilon), rel=1e-4) and stairs < laplace


def test_unknown_seed_is_told():
    with pytest.raises(ValueError, match="Unknown seed 'atom'"):
        lemma_15.cdf(0.5, 1.0, 0.1, "atom")
