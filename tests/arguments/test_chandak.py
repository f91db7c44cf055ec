"""Events, prices and the boost, against simulation and long hand."""

import math

import numpy as np
import pytest

from dpbandits.arguments import chandak as c
from dpbandits.bounds.chandak import lemma_20
from dpbandits.environments import build
from dpbandits.environments.matroid.build import graphic, partition, uniform


def test_events_against_draws():
    """20,000 draws each; six standard errors: a false alarm below 1e-8."""
    size, good, bad, rank, epsilon, t, bonus = 16, 0.7, 0.5, 2, 1.0, 50, 0.3
    rng, both = np.random.default_rng(0), c.widths(16, 2, 1.0, 50, 0.3).both
    found = c.events(size, good, bad, rank, epsilon, t, bonus)
    noisy = lambda mean: (rng.binomial(size, mean, 20_000) + rng.laplace(0, rank / epsilon, 20_000)) / size
    for exact, measured in ((found.too_high, noisy(bad) >= bad + both), (found.too_low, noisy(good) <= good - both)):
        assert measured.mean() == pytest.approx(exact, abs=6 * math.sqrt(exact * (1 - exact) / 20_000))
    assert found.too_wide == (0.1 < both)


def test_the_third_event_ends_at_l():
    for gap, rank, epsilon, n in ((0.3, 1, 10.0, 100), (0.05, 5, 0.1, 10**6)):
        size = c.enough(gap, rank, epsilon, n)
        assert c.widths(size, rank, epsilon, n).both < gap / 2 < c.widths(size / 3, rank, epsilon, n).both


def test_prices():
    gaps = [0.5, 0.2, 0.05]
    found = c.prices(gaps, 3, 0.3, 10**4)
    left, right, sharper = lemma_20(gaps, 0.1)
    assert (found.exact, found.by_rank, found.sharper) == pytest.approx((left, right, sharper))
    stairs = c.staircase(gaps, 3, 0.3, 10**4)
    paid = ((stairs[:, 1] - stairs[:, 0]) * stairs[:, 2]).sum()
    assert paid == pytest.approx(27 * math.log(3 * 10**4) * found.exact)
    rng = np.random.default_rng(1)
    for _ in range(300):
        p = c.prices(rng.random(int(rng.integers(1, 20))) ** 2 + 1e-4, 7, rng.choice([0.01, 1, 30]), 10**5)
        assert p.exact <= min(p.by_rank, p.by_classes, p.sharper) * (1 + 1e-9)


def test_waits():
    assert c.odds_against(0.5, 0.5, 9) == pytest.approx(1)
    rng = np.random.default_rng(2)
    share = np.mean(rng.normal(0.6, 1 / 3, 100_000) > 0.7)
    assert float(c.odds_against(0.6, 0.7, 9)) == pytest.approx(1 / share - 1, rel=0.05)


def test_the_boost_makes_the_price_finite_and_small():
    near, far = (c.price(16, 0.8, 0.3, 3, 1.0, 100, cut=cut) for cut in (4, 10))
    assert far.bare > 1e6 * near.bare and far.boosted <= far.plain
    assert near.plain == pytest.approx(c.price(16, 0.8, 0.3, 3, 1e9, 100).bare, rel=1e-5)  # e⁻¹² is cut off
    assert c.boost(16, 3, 2.0, 100) == pytest.approx(3 * math.log(300) * 1.5 / 16)
    within = 3 * math.log(3 * 100)  # scales: up to there the proof uses dominance
    assert c.price(16, 0.8, 0.3, 3, 1.0, 100, cut=within).boosted <= near.plain


def test_duel():
    lost = c.duel(0.9, 0.1, rank=1, epsilon=5.0, horizon=2000, runs=50, marks=(1000, 2000))
    assert lost.shape == (50, 2) and (np.diff(lost) >= 0).all() and lost[:, 1].mean() < 0.1 * 1600
    unlucky = c.duel(0.8, 0.5, rank=3, epsilon=0.3, boosted=False, horizon=3000, runs=500)[:, 0]
    lucky = c.duel(0.8, 0.5, rank=3, epsilon=0.3, horizon=3000, runs=500)[:, 0]
    assert np.mean(unlucky > 850) > np.mean(lucky > 850) + 0.05  # runs that never look at the good element again


def test_beta_price_by_draws():
    rng = np.random.default_rng(3)
    ones = rng.binomial(10, 0.8, 4000)
    passes = [np.mean(rng.beta(1 + s, 11 - s, 2000) > 0.7) for s in range(11)]
    measured = np.mean([1 / max(passes[s], 1e-3) - 1 for s in ones])
    assert c.beta_price(10, 0.8, 0.7) == pytest.approx(measured, rel=0.25)


def test_dominance_is_one_sided():
    assert c.dominates(0.6, 0.5, 9) >= 0 > c.dominates(0.5, 0.6, 9)


def test_adversaries():
    limit = 1 / (1 + math.e)
    assert c.failure(1.0, [0, 1], [0, 1]) == pytest.approx(limit) == c.failure(1.0, [0, 1], [0, 1], randomise=False)
    assert c.failure(1.0, [0, 1, 0, 1], [1, 2]) >= limit - 1e-9
    assert c.failure(1.0, [0, 1, 0, 1], [1, 3]) == 0
    three = [0, 1, 1]  # a coin helps against this one, and not below the limit
    assert limit - 1e-9 <= c.failure(1.0, three, [0, 1, 2]) <= c.failure(1.0, three, [0, 1, 2], randomise=False)


def test_what_an_output_knows():
    assert c.knows(0.0, 100) == 0.5 and c.knows(1.0, 1) == pytest.approx(math.e / (1 + math.e))


def test_fewest_rounds():
    assert c.fewest_rounds(uniform(7, 3)) == 3
    assert c.fewest_rounds(partition([[0, 1, 2, 3], [4]], [1, 1])) == 4
    assert c.fewest_rounds(graphic([(0, 1), (0, 1), (1, 2)])) == 2
    assert c.fewest_rounds(build("matroid-table-6.1").matroid) == 2
