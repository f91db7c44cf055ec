"""Upper bounds of the lazy algorithms: by hand, their steps checked, above what is measured."""

import math

import numpy as np
import pytest

from dpbandits import simulate
from dpbandits.bounds import BOUNDS
from dpbandits.bounds.lazy import failures
from dpbandits.environments.cascade import cascade
from dpbandits.environments.semibandit import k_path, public_arms, top_k

SEMI, CASCADE = BOUNDS["cucb-dp-lazy-upper"], BOUNDS["cascade-dp-lazy-upper"]
LN = math.log(10**6)


def test_failures_by_hand():
    def plain(horizon, m):
        return sum(min(1.0, 3 * m * math.floor(math.log2(t)) / t**2) for t in range(1, horizon + 1))

    for m in (1, 20):
        np.testing.assert_allclose(failures([1, 2, 3, 100, 5000], m), [plain(T, m) for T in (1, 2, 3, 100, 5000)])
        assert failures(10**6, m) <= failures(10**9, m) <= failures(10**6, m) + 3 * m * 25 / 10**6 and failures(
            10**5, m
        ) >= plain(10**5, m)
        assert (np.diff(failures(2.0 ** np.arange(1, 40), m)) >= 0).all()


def test_semi_bandit_by_hand():
    given = {
        "horizon": 10**6,
        "epsilon": 0.5,
        "gaps_min": [0.0, 0.2],
        "gaps_max": [0.0, 0.4],
        "list_size": 2,
        "smoothness": 3.0,
    }
    by_hand = (128 * 9 / 0.2 + 32 * 3 * 2 / 0.5 * (1 + math.log(2))) * LN + 0.4 + 0.4 * failures(10**6, 2)
    assert SEMI.value(**given) == pytest.approx(by_hand)
    assert "says nothing" in SEMI.evaluate(**given | {"horizon": 1000}).notes[0]
    with pytest.raises(ValueError, match="gaps_max is not allowed"):
        SEMI.value(**given | {"gaps_max": [0.1, 0.1]})


def test_cascade_by_hand():
    given = {
        "horizon": 10**6,
        "epsilon": 0.5,
        "items": 5,
        "list_size": 3,
        "gap_min": 0.1,
        "gap_max": 0.3,
        "worst_regret": 0.4,
    }
    by_hand = 2 * 5 * ((1280 + 64 * (1 + math.log(3))) * LN + 0.3) + 0.4 * failures(10**6, 5)
    assert CASCADE.value(**given) == pytest.approx(by_hand)
    assert CASCADE.value(**given | {"gap_min": 0.0}) == math.inf
    assert CASCADE.value(**given | {"items": 3, "worst_regret": 0.0}) == 0
    with pytest.raises(ValueError, match="gap_max = 0.05 is not allowed"):
        CASCADE.value(**given | {"gap_max": 0.05})


def test_the_bound_on_a_chance_that_an_estimate_is_off():
    """Mean of n rewards in {0, 1} by sqrt(ln t/n), or Lap(K/ε)/n by 2K ln t/(ε n): at most 2 t^−2 and t^−2."""
    from scipy import stats

    for t in (2, 10, 100):
        for n in (1, 4, 64):
            for mean in (0.1, 0.5):
                low, high = n * (mean - math.sqrt(math.log(t) / n)), n * (mean + math.sqrt(math.log(t) / n))
                off = stats.binom.cdf(math.ceil(low) - 1, n, mean) + stats.binom.sf(math.floor(high), n, mean)
                assert off <= 2 / t**2
        assert 2 * stats.laplace(scale=3.0).sf(2 * 3.0 * math.log(t)) == pytest.approx(t**-2.0)


@pytest.mark.parametrize("instance", [top_k([0.2, 0.3, 0.7, 0.8], 2), k_path(6, 2, 0.4), public_arms(9, 3, 0.6)])
def test_a_semi_bandit_run_stays_below(instance):
    run = simulate("cucb-dp-lazy", instance, horizon=20_000, runs=4, epsilon=1.0, checkpoints=[200, 2000])
    for t in (200, 2000, 20_000):
        assert float(run.regret.sel(round=t).mean()) <= SEMI.value(horizon=t, epsilon=1.0, instance=instance)


def test_a_cascade_run_stays_below():
    instance = cascade([0.6, 0.5, 0.2, 0.1], 2)
    run = simulate("cascade-dp-lazy", instance, horizon=20_000, runs=4, epsilon=1.0)
    assert float(run.regret[:, -1].mean()) <= CASCADE.value(horizon=20_000, epsilon=1.0, instance=instance)
