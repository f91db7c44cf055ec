"""Seeds: the same gives the same, another gives another; draws and ties follow their law."""

import itertools

import numpy as np
import pytest
from scipy import stats

from dpbandits.randomness import argmax, laplace, run_seed, seed_sequence, streams, top_k
from tests.law import FALSE_ALARM, assert_follows, assert_variance


def draws(sequence, size=8):
    return [tuple(generator.random(size)) for generator in streams(sequence)]


def test_the_same_labels_give_the_same_streams():
    assert draws(seed_sequence(3, "ucb1", ("epsilon", 1.0))) == draws(seed_sequence(3, "ucb1", ("epsilon", 1.0)))


def test_any_other_seed_label_or_run_gives_other_streams():
    cell = seed_sequence(3, "ucb1", ("epsilon", 1.0))
    others = [
        seed_sequence(4, "ucb1", ("epsilon", 1.0)),
        seed_sequence(3, "ucb2", ("epsilon", 1.0)),
        seed_sequence(3, "ucb1", ("epsilon", 1.5)),
        run_seed(cell, 0),
        run_seed(cell, 1),
        run_seed(seed_sequence(4, "ucb1", ("epsilon", 1.0)), 0),
    ]
    every = draws(cell) + [stream for other in others for stream in draws(other)]
    assert len(set(every)) == len(every) == 3 * 7


def test_a_run_is_the_child_that_spawning_would_give():
    cell = seed_sequence(0, "name")
    spawned = cell.spawn(5)
    for run in (0, 3, 4):
        assert (
            run_seed(seed_sequence(0, "name"), run).generate_state(4).tolist()
            == spawned[run].generate_state(4).tolist()
        )


def test_labels_do_not_run_into_each_other():
    states = {
        seed_sequence(0, *labels).generate_state(2).tobytes()
        for labels in (("ab", "c"), ("a", "bc"), ("abc",), ("a", "b", "c"))
    }
    assert len(states) == 4


def test_streams_of_one_run_and_of_neighbouring_runs_are_uncorrelated():
    n, cell = 20_000, seed_sequence(1, "correlation")
    samples = [generator.standard_normal(n) for run in range(3) for generator in streams(run_seed(cell, run))]
    pairs = list(itertools.combinations(samples, 2))
    limit = stats.norm.isf(FALSE_ALARM / len(pairs) / 2)
    assert max(abs(np.corrcoef(a, b)[0, 1]) * np.sqrt(n) for a, b in pairs) < limit


@pytest.mark.parametrize("scale", [0.01, 1.0, 50.0])
def test_laplace_has_its_law(scale):
    rng = np.random.Generator(np.random.SFC64(5))
    sample = [laplace(rng, scale) for _ in range(20_000)]
    assert_follows(sample, stats.laplace(scale=scale).cdf, "laplace")
    assert_variance(sample, 2 * scale**2, "laplace")


def test_laplace_of_scale_zero_is_zero():
    assert laplace(np.random.default_rng(0), 0.0) == 0.0


def test_ties_are_broken_uniformly():
    rng = np.random.Generator(np.random.SFC64(6))
    values = np.array([0.0, 7.0, 7.0, 1.0, 7.0, 7.0])
    counts = np.bincount([argmax(values, rng) for _ in range(20_000)], minlength=6)
    assert counts[0] == counts[3] == 0
    assert stats.chisquare(counts[[1, 2, 4, 5]]).pvalue > FALSE_ALARM


def test_infinite_indices_tie_and_win():
    rng = np.random.Generator(np.random.SFC64(7))
    picks = {argmax(np.array([np.inf, 1.0, np.inf, -np.inf]), rng) for _ in range(200)}
    assert picks == {0, 2}
    assert {argmax(np.full(3, -np.inf), rng) for _ in range(200)} == {0, 1, 2}
    assert argmax(np.array([4.0]), rng) == 0


@pytest.mark.parametrize(
    "values, size",
    [
        ([1, 1, 1], 2),
        ([1, 2, 1, 1], 2),
        ([2, 1, 1, 2, 1], 3),
        ([1, 1, 2, 2, 2], 2),
        ([0, 1, 1, 1, 2], 2),
        ([1, 1, 1], 3),
        ([1, 1, 0, 1, 2], 3),
        ([np.inf] * 4, 1),
        ([-np.inf, -np.inf, 0], 2),
        ([0, 1, 1, 2, 1, 2, 0], 4),
    ],
)
def test_top_k_breaks_ties_uniformly(values, size):
    values, rng, chosen = np.array(values, float), np.random.Generator(np.random.SFC64(9)), np.empty(size, np.int64)
    wanted = np.sort(values)[::-1][:size]
    allowed = [p for p in itertools.permutations(range(values.size), size) if (values[list(p)] == wanted).all()]
    counts = dict.fromkeys(allowed, 0)
    for _ in range(6000):
        top_k(values, chosen, rng)
        counts[tuple(chosen.tolist())] += 1  # a KeyError where the choice is not a top list in order
    assert len(allowed) == 1 or stats.chisquare(list(counts.values())).pvalue > FALSE_ALARM


def test_top_k_sorts():
    rng, numbers = np.random.Generator(np.random.SFC64(1)), np.random.default_rng(0)
    for items, size in ((1, 1), (2, 1), (20, 4), (20, 20), (50, 49)):
        values, chosen = numbers.normal(size=items), np.empty(size, np.int64)
        top_k(values, chosen, rng)
        np.testing.assert_array_equal(chosen, np.argsort(-values)[:size])
