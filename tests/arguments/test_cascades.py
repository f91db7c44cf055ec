"""Steps of the cascade papers against enumeration and small cases by hand."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from dpbandits.arguments import cascades


def test_price_of_a_list_by_hand():
    found = cascades.price([0.5, 0.4, 0.2, 0.1], [2, 0])
    (wrong,) = found.wrong
    assert (wrong.position, wrong.item, wrong.stands_for, wrong.read) == (1, 2, 1, 1.0)
    assert found.total == pytest.approx(0.2) and found.regret == pytest.approx(0.7 - 0.6) and found.factor == 0.5
    second = cascades.price([0.5, 0.4, 0.2, 0.1], [0, 2])
    assert second.total == pytest.approx(0.1) == pytest.approx(second.regret)
    assert cascades.price([0.5, 0.4, 0.2], [1, 0]).wrong == ()


def test_lemma_4_on_all_lists():
    attraction = [0.8, 0.5, 0.4, 0.3, 0.05]
    for shown in itertools.permutations(range(5), 3):
        found = cascades.price(attraction, shown)
        assert found.factor * found.total - 1e-12 <= found.regret <= found.total + 1e-12


def test_clicks_need_independence():
    assert cascades.clicks([0.5, 0.5, 0.2], [0, 1]) == pytest.approx((0.75, 0.75))
    assert cascades.clicks([0.5, 0.5, 0.2], [0, 1], together=(0, 1)) == pytest.approx((0.75, 0.5))
    assert cascades.clicks([0.5, 0.5, 0.2], [0, 1, 2], together=(0, 1)) == pytest.approx((0.8, 0.6))
    with pytest.raises(ValueError, match="equally attractive"):
        cascades.clicks([0.5, 0.4], [0, 1], together=(0, 1))


def test_weighted_sum_is_below_twice_the_last():
    assert cascades.weighted([0.3]) == pytest.approx((1 / 0.3, 2 / 0.3))
    assert cascades.weighted([0.4, 0.2]) == pytest.approx((2.5 + 0.2 * (25 - 6.25), 10))
    rng = np.random.default_rng(0)
    for _ in range(200):
        worst, twice = cascades.weighted(np.sort(rng.uniform(0.01, 1, rng.integers(1, 8)))[::-1])
        assert worst <= twice


def test_enough_solves_its_equation():
    log_t = np.array([10.0, 30.0, 100.0])
    given = {"items": 20, "epsilon": 0.5, "gap": 0.15}
    scale = 12 * 20 * log_t / (0.5 * 0.15)
    own = cascades.enough(log_t, "own count", **given)
    assert own == pytest.approx(scale * np.log(own) ** 1.5)
    for counted, holds in ((own * 1.001, True), (own * 0.999, False)):
        bonus = 3 * 20 * np.log(counted) ** 1.5 * log_t / (0.5 * counted)
        assert (bonus < 0.15 / 4).all() == holds
    assert cascades.enough(log_t, "rounds so far", **given) == pytest.approx(scale * log_t**1.5)
    assert cascades.enough(log_t, "horizon", **given, log_horizon=200) == pytest.approx(scale * 200**1.5)
    with pytest.raises(ValueError, match="stream = 'tree'"):
        cascades.enough(log_t, "tree", **given)


def test_tails():
    log_t = math.log(100)
    for reports in (math.ceil(3 * log_t), 40, 200):
        assert 0 < cascades.laplace_tail(reports, log_t) <= 100**-3
    assert cascades.laplace_tail(1, log_t) == pytest.approx(0.5 * math.exp(-math.sqrt(24 * log_t)), rel=1e-6)
    assert cascades.laplace_tail(1, log_t) > 100**-3 > 2 * cascades.gauss_tail(log_t)
    assert cascades.gauss_tail(log_t) == pytest.approx(stats.norm.sf(math.sqrt(2 * math.log(2e6))))


def test_distances_do_not_grow():
    found = cascades.distances(9)
    assert found == pytest.approx({"l1": 2, "l2": math.sqrt(2), "l1_paper": 9, "l2_paper": 3})
    assert cascades.spent(20, 4, 5, 1.0, 20) == pytest.approx(0.2) and cascades.spent(20, 4, 2, 1.0, 4) == 0.5


def test_the_best_shares_are_the_best():
    gaps = np.array([0.4, 0.1, 0.05])
    shares, equal, best = cascades.unequal(gaps, 2.0)
    assert shares.sum() == pytest.approx(2) and best < equal
    rng = np.random.default_rng(1)
    for _ in range(300):
        other = rng.dirichlet(np.ones(3)) * 2
        assert np.sum(1 / (other**2 * gaps)) >= best
