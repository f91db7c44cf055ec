"""d_ε against its definition by numerical minimisation, its inverse, its limits, and the inequality that it is made
for.
"""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import rel_entr

from dpbandits.algorithms.kl import kl, kl_upper
from dpbandits.algorithms.private_kl import private_kl, private_kl_upper_order


def by_definition(p, q, epsilon):
    """inf over Bernoulli r of ε·TV(p, r) + kl(r, q), by scipy; r between p and q, where the sum is convex."""

    def cost(r):
        return epsilon * abs(p - r) + rel_entr(r, q) + rel_entr(1 - r, 1 - q)

    inside = minimize_scalar(cost, bounds=(p, q), method="bounded", options={"xatol": 1e-13}).fun
    return min(inside, cost(p), cost(q))


CASES = [
    (p, q, e)
    for p, q in ((0.0, 0.3), (0.2, 0.25), (0.3, 0.7), (0.05, 0.95), (0.6, 0.999))
    for e in (1e-3, 0.1, 0.7, 2.0, 8.0, 60.0)
]


@pytest.mark.parametrize("p, q, epsilon", CASES)
def test_closed_form(p, q, epsilon):
    assert private_kl(p, q, epsilon) == pytest.approx(by_definition(p, q, epsilon), rel=1e-9, abs=1e-13)


def test_it_lies_below_both_and_meets_them():
    rng = np.random.default_rng(0)
    for p, q in np.sort(rng.random((200, 2)), axis=1):
        values = [private_kl(p, q, epsilon) for epsilon in (1e-6, 0.01, 0.3, 1.0, 3.0, 100.0)]
        assert (np.diff(values) >= 0).all()  # more privacy, less told
        for epsilon, value in zip((1e-6, 0.01, 0.3, 1.0, 3.0, 100.0), values, strict=True):
            assert value <= min(kl(p, q), epsilon * (q - p)) * (1 + 1e-9)
        assert values[-1] == pytest.approx(kl(p, q))
        assert values[0] == pytest.approx(1e-6 * (q - p), rel=1e-3, abs=1e-11)


def test_at_the_ends():
    assert private_kl(0.3, 1.0, 2.0) == pytest.approx(1.4) == pytest.approx(private_kl(0.3, 1 - 1e-13, 2.0))
    assert private_kl(0.4, 0.4, 1.0) == private_kl(0.0, 0.0, 1.0) == private_kl(1.0, 1.0, 1.0) == 0
    assert private_kl(0.0, 0.5, 1.0) == pytest.approx(-math.log(0.5 + 0.5 / math.e))  # r* > 0 always
    assert private_kl(0.2, 0.9, 800.0) == pytest.approx(kl(0.2, 0.9))


@pytest.mark.parametrize("epsilon", [1e-3, 0.1, 1.0, 5.0, 100.0])
@pytest.mark.parametrize("p", [0.0, 0.1, 0.5, 0.99])
def test_the_inverse(p, epsilon):
    for bound in epsilon * (1 - p) * np.array([1e-4, 0.01, 0.3, 0.9, 0.999]):
        u = private_kl_upper_order(p, bound, epsilon)
        q = -math.expm1(-u)
        if u < 25:  # beyond, q itself is rounded
            assert private_kl(p, q, epsilon) == pytest.approx(bound, rel=1e-5, abs=1e-9)
        assert q >= kl_upper(p, bound) - 1e-9
    assert (
        private_kl_upper_order(p, epsilon * (1 - p), epsilon)
        == private_kl_upper_order(p, 2 * epsilon, epsilon)
        == math.inf
    )
    orders = [private_kl_upper_order(p, b, epsilon) for b in epsilon * (1 - p) * np.linspace(0, 0.999, 400)]
    assert (np.diff(orders) > 0).all() and orders[0] == pytest.approx(-math.log1p(-p))


def _transcripts(epsilon, horizon):
    """P(arms | rewards) of a policy that is ε-private towards one reward: a first pull of arm 0, then each arm with
    odds exp(±ε/2)

    for the sum of arm 0's rewards divided by the number of later rounds: a reward is used in at most all of them.
    """
    later = horizon - 1

    def probability(arms, rewards):
        chance, total = float(arms[0] == 0), 0
        for t in range(1, horizon):
            total += rewards[t - 1] if arms[t - 1] == 0 else 0
            one = 1 / (1 + math.exp(-epsilon * (total - 1) / later))
            chance *= one if arms[t] == 0 else 1 - one
        return chance

    return probability


@pytest.mark.parametrize("epsilon", [0.3, 2.0])
@pytest.mark.parametrize("p, q", [(0.3, 0.6), (0.1, 0.9)])
def test_the_inequality_behind_the_lower_bound(p, q, epsilon):
    """KL of the transcripts of a private policy between two instances <= E[pulls of the arm that differs] · d_ε, by
    enumeration.
    """
    horizon, other = 5, 0.5
    policy = _transcripts(epsilon, horizon)
    games = list(itertools.product((0, 1), repeat=horizon))
    for rewards in games:  # the policy really is ε-private: one reward flipped, every transcript
        for s in range(horizon):
            flipped = tuple(r ^ (t == s) for t, r in enumerate(rewards))
            for arms in games:
                assert policy(arms, rewards) <= math.exp(epsilon) * policy(arms, flipped) + 1e-12

    def law(mean):
        found = dict.fromkeys(games, 0.0)
        for arms in games:
            for rewards in games:
                means = [mean if a == 0 else other for a in arms]
                found[arms] += policy(arms, rewards) * math.prod(
                    m if r else 1 - m for m, r in zip(means, rewards, strict=True)
                )
        return found

    here, there = law(p), law(q)
    divergence = sum(rel_entr(here[a], there[a]) for a in games)
    pulls = sum(here[a] * a.count(0) for a in games)
    assert sum(here.values()) == pytest.approx(1)
    assert 0 < divergence <= pulls * private_kl(p, q, epsilon)
