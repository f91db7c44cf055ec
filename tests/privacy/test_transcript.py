"""What a transcript tells: against full enumeration, martingale identities, Gaussian composition and hand values."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from dpbandits.mechanisms.gaussian import delta_from_mu
from dpbandits.privacy import composed_totals, selection_probabilities, start_pulls, transcript_loss
from tests.law import FALSE_ALARM


def enumerated_divergence(law, means, horizon, epsilon, delta, start):
    """The exact average over data sets of Σ max(0, P(selections) − e^ε P′(selections)), by walking every history of two
    arms.
    """

    def walk(t, pulls, totals, flipped, p, q, weight):
        if t > horizon:
            return weight * max(0.0, p - math.exp(epsilon) * q)
        here = selection_probabilities(law, pulls, totals, epsilon, delta, horizon)
        there = selection_probabilities(law, pulls, flipped, epsilon, delta, horizon)
        found = 0.0
        for arm, reward in itertools.product((0, 1), (0, 1)):
            step = np.eye(2)[arm]
            chance = means[arm] if reward else 1 - means[arm]
            found += walk(
                t + 1,
                pulls + step,
                totals + reward * step,
                flipped + reward * step,
                p * here[arm],
                q * there[arm],
                weight * chance,
            )
        return found

    found = 0.0
    for first, others, second in itertools.product((0, 1), range(start), range(start + 1)):
        weight = (
            stats.bernoulli.pmf(first, means[0])
            * stats.binom.pmf(others, start - 1, means[0])
            * stats.binom.pmf(second, start, means[1])
        )
        totals = np.array([first + others, second], float)
        found += walk(
            2 * start + 1, np.array([start, start], float), totals, totals + [1 - 2 * first, 0], 1.0, 1.0, weight
        )
    return found


@pytest.mark.parametrize(
    ("law", "epsilon", "delta", "start"),
    [
        ("gauss", 0.2, 0.05, 1),
        ("gauss", 0.2, 0.05, 2),
        ("beta", 0.1, 0.05, 2),
        ("beta-plain", 0.3, 0.05, 1),
        ("new", 0.5, 0.05, 1),
    ],
)
def test_divergence_is_the_enumerated_one(law, epsilon, delta, start):
    means, horizon = (0.6, 0.4), 2 * start + 3
    exact = enumerated_divergence(law, means, horizon, epsilon, delta, start)
    found = transcript_loss(law, means, horizon=horizon, epsilon=epsilon, delta=delta, start=start, runs=4000, seed=7)
    estimate, low, high = (v[-1] for v in found.divergence(confidence=1 - FALSE_ALARM))
    assert low <= exact <= high
    sample = np.clip(-np.expm1(epsilon - found.loss[:, -1]), 0, 1)
    z = (estimate - exact) / (sample.std(ddof=1) / math.sqrt(sample.size))
    assert exact > 0.005 and abs(z) < stats.norm.isf(FALSE_ALARM / 2)


def test_divergence_by_hand():
    found = transcript_loss("gauss", (0.5, 0.5), horizon=4, epsilon=1, delta=0.01, start=1, runs=3)
    object.__setattr__(found, "loss", np.array([[-1.0, math.inf], [1.0, 0.0], [1 + math.log(2), 1 + math.log(4)]]))
    estimate, low, high = found.divergence()
    np.testing.assert_allclose(estimate, [0.5 / 3, 1.75 / 3], rtol=1e-14)
    assert (low == 0).all() and (high == 1).all()  # three runs tell next to nothing
    assert found.divergence(0.0)[0][0] == pytest.approx((2 - math.exp(-1) - math.exp(-1) / 2) / 3, rel=1e-14)


@pytest.mark.parametrize(
    ("law", "means", "horizon", "runs"),
    [
        ("gauss", (0.5, 0.5), 40, 3000),
        ("gauss", (0.5, 0.4, 0.6), 24, 300),
        ("beta", (0.5, 0.4), 60, 2000),
        ("beta-plain", (0.7, 0.5), 12, 2000),
    ],
)
def test_likelihood_ratio_has_mean_one(law, means, horizon, runs):
    # E[P′/P] = 1 at every round, if P′ can do nothing that P cannot
    found = transcript_loss(law, means, horizon=horizon, epsilon=1, delta=0.05, start=4, runs=runs, seed=3)
    ratio = np.exp(-found.loss[:, -1])
    z = (ratio.mean() - 1) / (ratio.std(ddof=1) / math.sqrt(ratio.size))
    assert ratio.std() > 0.02 and abs(z) < stats.norm.isf(FALSE_ALARM / 2)


@pytest.mark.parametrize("law", ["gauss", "beta", "new"])
def test_one_selection_keeps_its_promise_and_a_transcript_does_not(law):
    epsilon, delta = 1, 0.01
    one = 2 * start_pulls(law, epsilon, delta) + 1
    single = transcript_loss(law, (0.5, 0.5), horizon=max(3, one), epsilon=epsilon, delta=delta, runs=400).divergence()[
        0
    ][-1]
    assert single <= delta
    horizon, runs = {"gauss": (800, 400), "beta": (2600, 400), "new": (40, 150)}[law]
    estimate, low, high = transcript_loss(
        law, (0.5, 0.5), horizon=horizon, epsilon=epsilon, delta=delta, runs=runs
    ).divergence()
    assert low[-1] > delta and low[-1] <= estimate[-1] <= high[-1]


def test_gaussian_selections_tell_no_more_than_all_theta():
    found = transcript_loss("gauss", (0.5, 0.45), horizon=400, epsilon=1, delta=0.01, runs=300)
    for at in (10, 30, -1):
        assert found.divergence()[1][at] <= delta_from_mu(1, float(found.mu[:, at].max()))
    assert (np.diff(found.mu, axis=1) >= 0).all()
    # the first draw re-uses the reward at N = 8: μ² = 1/16
    assert found.start == 8 and found.rounds[0] == 17 and found.mu[:, 0] == pytest.approx(0.25, rel=1e-14)


def test_start_phase_tells_nothing():
    found = transcript_loss("beta", (0.5, 0.5), horizon=1000, epsilon=1, delta=0.01, runs=5)  # 2·827 rounds of it
    assert found.start == 827 and not found.loss.any() and found.rounds[-1] == 1000
    never = transcript_loss("gauss", (0.5, 0.5), horizon=50, epsilon=1, delta=0, runs=5)
    assert never.start == math.inf and not never.loss.any()


def test_seeds():
    same = [
        transcript_loss("gauss", (0.5, 0.5), horizon=60, epsilon=1, delta=0.01, runs=6, seed=seed).loss
        for seed in (1, 1, 2)
    ]
    np.testing.assert_array_equal(same[0], same[1])
    assert (same[0][:, -1] != same[2][:, -1]).any()


def test_impossible_selections_count_as_infinite_loss():
    # ε = 0: uniform perturbations, so some selections become impossible under the other history
    found = transcript_loss("new", (0.5, 0.5), horizon=60, epsilon=0, delta=0.9, runs=50)
    assert np.isinf(found.loss[:, -1]).any() and not np.isnan(found.loss).any()
    assert found.divergence()[0][-1] <= 1


def test_composed_totals_by_hand():
    totals = composed_totals("gauss", [2, 2, 2, 2], 1, 0.01)
    assert totals["basic"] == (4, pytest.approx(0.04))
    assert totals["gaussian"] == (1, pytest.approx(0.126936737506, rel=1e-9))  # μ = 1: Φ(−1/2) − e Φ(−3/2)
    assert totals["gaussian-epsilon"].delta == 0.01
    assert delta_from_mu(totals["gaussian-epsilon"].epsilon, 1.0) == pytest.approx(0.01, rel=1e-9)
    new = composed_totals("new", np.full(1000, 7), 0.1, 0)
    # 0.1 sqrt(2000 ln 10⁶) + 1000·0.1(e^0.1 − 1) = 16.6226 + 10.5171
    assert new["advanced"] == (pytest.approx(27.1397, abs=1e-4), 1e-6)
    assert new["basic"] == (pytest.approx(100), 0)
    assert new["optimal"].epsilon < new["advanced"].epsilon and new["optimal"].delta == pytest.approx(1e-6)
    assert "gaussian" not in new
    assert set(composed_totals("new", [1], 0, 0.1)) == {"basic"}
    one = composed_totals("new", [5], 1, 0.01, slack=1e-12)
    assert one["optimal"] == (pytest.approx(1, rel=1e-9), pytest.approx(0.01, rel=1e-9))
    assert composed_totals("new", np.full(10**5, 9), 1, 0.01)["optimal"] == (math.inf, 1)


def test_start_pulls():
    assert [start_pulls(law, 1, 0.01) for law in ("gauss", "beta", "beta-plain", "new")] == [8, 827, 1, 1]
    assert start_pulls("gauss", 5, 0.3) == 1 and start_pulls("gauss", 1, 0) == math.inf


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"law": "gaus"}, "gauss"),
        ({"means": [0.5]}, "means"),
        ({"horizon": 2}, "horizon"),
        ({"runs": 0}, "runs"),
        ({"epsilon": 0, "delta": 0}, "epsilon"),
        ({"start": 0}, "start"),
    ],
)
def test_bad_input_is_named(given, words):
    with pytest.raises(ValueError, match=words):
        transcript_loss(**{"law": "gauss", "means": (0.5, 0.5), "horizon": 50, "epsilon": 1, "delta": 0.01} | given)
    with pytest.raises(ValueError, match="pulls"):
        composed_totals("gauss", [0.5], 1, 0.01)
