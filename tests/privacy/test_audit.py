"""Counting against exact intervals, and the lower bound on ε against mechanisms whose ε is known."""

import math

import numpy as np
import pytest
from scipy import stats

from dpbandits.privacy.audit import Audit, _coded, best_event, best_view, clopper_pearson


@pytest.mark.parametrize("hits, trials", [(0, 50), (1, 50), (17, 50), (50, 50)])
def test_clopper_pearson_is_scipys(hits, trials):
    wanted = stats.binomtest(hits, trials).proportion_ci(0.99, method="exact")
    assert clopper_pearson(hits, trials, 0.99) == pytest.approx((wanted.low, wanted.high))


def test_bound_by_hand():
    # 0 of 1000 against 1000 of 1000; each interval at 1 − α/2, so each tail at α/4: 1000th root of α/4
    audit = Audit(1000, 1000, 0, 1000, confidence=0.99)
    root = (0.01 / 4) ** (1 / 1000)
    assert audit.intervals == (pytest.approx((root, 1)), pytest.approx((0, 1 - root)))
    assert audit.epsilon() == pytest.approx(math.log(root / (1 - root)))
    assert audit.epsilon(delta=0.5) == pytest.approx(math.log((root - 0.5) / (1 - root)))
    assert audit.epsilon(delta=0.999) == Audit(0, 1000, 1000, 1000).epsilon() == Audit(5, 10, 5, 10).epsilon() == 0
    assert "probability 1 against 0" in str(audit)


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
def test_randomised_response_is_found_but_never_exceeded(epsilon):
    rng, keep = np.random.default_rng(4), 1 / (1 + math.exp(-epsilon))
    truth, lie = rng.random(40000) < keep, rng.random(40000) >= keep
    audit = best_event(truth.astype(int), lie.astype(int))
    assert 0.5 * epsilon < audit.epsilon() <= epsilon
    assert audit.trials == audit.other_trials == 20000
    assert best_event(truth.astype(int), truth[::-1].astype(int)).epsilon() <= 0.05


def test_best_event_of_laplace_noise():
    rng = np.random.default_rng(5)
    bins = [np.clip(np.floor(rng.laplace(shift, 1, 60000)), -4, 4).astype(int) for shift in (0, 1)]
    assert 0.85 < best_event(bins[1], bins[0]).epsilon() <= 1  # Lap(1) at distance 1: ε = 1
    pairs = [np.stack([b, np.zeros_like(b)], axis=1) for b in bins]
    assert best_event(pairs[1], pairs[0]) == best_event(bins[1], bins[0])


def test_best_view_finds_the_view_and_the_direction():
    rng, runs = np.random.default_rng(6), 16_000
    noise = [rng.integers(0, 5000, runs) for _ in range(2)]  # nearly all different: it must not be taken for a leak
    told = [(rng.random(runs) < share).astype(int) for share in (0.1, 0.5)]
    finding = best_view({"noise": noise[0], "told": told[0]}, {"noise": noise[1], "told": told[1]})
    assert finding.view == "told" and finding.swapped and finding.outcomes.tolist() == [[1]]
    assert finding.audit.trials == runs // 2 and 1.2 < finding.audit.epsilon() <= math.log(5)
    assert finding.audit.hits == told[1][1::2].sum() and finding.audit.other_hits == told[0][1::2].sum()


def test_best_view_tells_nothing_where_there_is_nothing():
    rng = np.random.default_rng(7)
    views = [{f"view {i}": rng.integers(0, 2 + 40 * i, 4000) for i in range(10)} for _ in range(2)]
    assert best_view(*views).audit.epsilon() == 0


def test_best_view_asks_at_delta():
    rng, runs = np.random.default_rng(8), 16_000
    rare = [(rng.random(runs) < share).astype(int) for share in (0.03, 0.0)]  # tells all, seldom
    often = [(rng.random(runs) < share).astype(int) for share in (0.6, 0.3)]
    views = [{"rare": rare[i], "often": often[i]} for i in range(2)]
    assert best_view(*views).view == "rare" and best_view(*views, delta=0.1).view == "often"


@pytest.mark.parametrize("low, high", [(-3, 4), (0, 2), (7, 9), (0, 2000)])
def test_outcomes_are_numbered_in_their_order(low, high):
    rng = np.random.default_rng(9)
    rows = rng.integers(low, high, (2, 300, 3))
    names, *codes = _coded(*rows)
    wanted, numbers = np.unique(rows.reshape(-1, 3), axis=0, return_inverse=True)
    assert np.array_equal(names, wanted) and np.array_equal(np.concatenate(codes), numbers.ravel())
