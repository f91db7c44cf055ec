"""The two lower bounds for private transcripts: by hand, against their definitions, and below what is measured."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import rel_entr

from dpbandits.bounds import BOUNDS
from dpbandits.environments import bernoulli, build

OLD, NEW = BOUNDS["azize-basu-lower"], BOUNDS["azize-2025-lower"]
MEANS = [0.3, 0.5, 0.7]


def kl(p, q):
    return rel_entr(p, q) + rel_entr(1 - p, 1 - q)


def test_by_hand():
    # kl(.3, .7) = .4 ln(7/3) = 0.33892, kl(.5, .7) = ½ ln(25/21) = 0.08718; ε = .01: 6εΔ = .024, .012 rule, so each arm
    # gives 1/(6ε)
    assert OLD.evaluate(horizon=10**6, epsilon=10, means=MEANS).rate == pytest.approx(
        0.4 / 0.338919 + 0.2 / 0.087177, rel=1e-5
    )
    assert OLD.evaluate(horizon=10**6, epsilon=0.01, means=MEANS).rate == pytest.approx(2 / 0.06)
    # ε = 1: r* = .7/(.7 + .3e) = .46191 lies above .3 and below .5: d = −.3 − ln(.3 + .7/e) = 0.284265 for the one, kl
    # for the other
    assert NEW.evaluate(horizon=10**6, epsilon=1, means=MEANS).rate == pytest.approx(
        0.4 / 0.284265 + 0.2 / 0.0871767, rel=1e-5
    )


@pytest.mark.parametrize("bound", [OLD, NEW])
def test_value_is_the_rate_times_ln_t(bound):
    found = bound.evaluate(horizon=12345, epsilon=0.5, means=MEANS)
    assert found.value == pytest.approx(found.rate * math.log(12345)) and "in the limit" in found.notes[0]
    assert bound.curve([10, 100], epsilon=0.5, means=MEANS)[1] == pytest.approx(found.rate * math.log(100))


def test_against_the_definitions():
    rng = np.random.default_rng(0)
    for _ in range(20):
        means, epsilon = rng.uniform(0.02, 0.98, 4), 10 ** rng.uniform(-2, 1)
        best, others = means.max(), np.sort(means)[:-1]

        def d(p, epsilon=epsilon, best=best):
            found = minimize_scalar(
                lambda r: epsilon * abs(r - p) + kl(r, best),
                bounds=(p, best),
                method="bounded",
                options={"xatol": 1e-12},
            )
            return min(found.fun, kl(p, best))

        given = {"horizon": 10, "epsilon": epsilon, "means": means.tolist()}
        assert NEW.evaluate(**given).rate == pytest.approx(sum((best - p) / d(p) for p in others), rel=1e-7)
        assert OLD.evaluate(**given).rate == pytest.approx(
            sum((best - p) / min(kl(p, best), 6 * epsilon * (best - p)) for p in others)
        )


def test_limits_and_order():
    for epsilon in (0.001, 0.1, 0.5, 1.0, 3.0, 100.0):
        old, new = (b.evaluate(horizon=10, epsilon=epsilon, means=MEANS).rate for b in (OLD, NEW))
        without = sum((0.7 - p) / kl(p, 0.7) for p in (0.3, 0.5))
        assert without * (1 - 1e-12) <= old <= new * (1 + 1e-12)  # the newer one is at least as large
        if epsilon == 100:
            assert old == pytest.approx(without) == pytest.approx(new)
        if epsilon == 0.001:
            assert new == pytest.approx(2 / epsilon, rel=0.01) and old == pytest.approx(2 / (6 * epsilon))


def test_an_instance_in_place_of_means():
    for bound in (OLD, NEW):
        direct = bound.value(horizon=10**5, epsilon=0.3, means=MEANS)
        assert direct == bound.value(horizon=10**5, epsilon=0.3, instance=bernoulli(MEANS))
        assert direct == bound.value(horizon=10**5, epsilon=0.3, instance=build("wang-zhu-1", arms=3, gap=0.2))


def test_where_nothing_follows():
    for bound in (OLD, NEW):
        sure = bound.evaluate(horizon=10**5, epsilon=0.3, means=[0.2, 1.0])
        assert sure.value == sure.rate == 0 and "void" in sure.notes[0]
        assert "every arm is best" in bound.evaluate(horizon=10**5, epsilon=0.3, means=[0.2, 0.2]).notes[0]
        impossible = bound.evaluate(horizon=10**5, epsilon=0.3, means=[0.0, 0.5]).value
        assert 0 < impossible < math.inf
        with pytest.raises(ValueError, match="epsilon = 0 is not allowed"):
            bound.value(horizon=10, epsilon=0, means=MEANS)
        with pytest.raises(ValueError, match="means is missing"):
            bound.value(horizon=10, epsilon=1)
