"""The steps of a lower bound, against exact sums over all histories of a small game."""

import itertools
import math

import numpy as np
import pytest

from dpbandits.algorithms.kl import kl
from dpbandits.arguments import two_instances as two


def test_the_pair():
    found = two.pair(0.2, None)
    assert found.first == (0.5, 0.3) and found.other == (0.5, 0.7)
    assert found.divergence == pytest.approx(float(kl(0.3, 0.7))) and found.keep == 1
    private = two.pair(0.2, 1.0)
    keep = math.e / (1 + math.e)
    assert private.divergence == pytest.approx(float(kl(0.5 - 0.2 * (2 * keep - 1), 0.5 + 0.2 * (2 * keep - 1))))


@pytest.mark.parametrize("epsilon", [None, 1.0])
@pytest.mark.parametrize("policy", two.POLICIES)
def test_every_step_on_runs(policy, epsilon):
    """Five standard errors: a false alarm below 1e-6 for each comparison."""
    pair = two.pair(0.1, epsilon)
    one, other = (two.play(pair, i, horizon=20, runs=20_000, policy=policy) for i in (1, 2))
    found = two.steps(pair, one, other, 20)
    assert found.divergence == pytest.approx(found.decomposed, abs=5 * found.divergence_error + 1e-9)
    counted_error = math.sqrt(0.25 / 20_000)
    assert found.reweighted == pytest.approx(found.counted, abs=5 * (found.reweighted_error + counted_error) + 1e-9)
    assert found.mistakes >= found.at_least
    if policy == "stubborn":
        assert found.decomposed == 0 and found.mistakes == 1
    if policy == "uniform":
        assert one.pulls.mean() == pytest.approx(10, abs=5 * math.sqrt(5 / 20_000))


def test_same_seed_same_runs():
    runs = [two.play(two.pair(0.1, None), 1, horizon=20, runs=50, seed=s) for s in (1, 1, 2)]
    assert (runs[0].loss == runs[1].loss).all() and (runs[0].loss != runs[2].loss).any()


def test_contraction():
    for p, q, epsilon in itertools.product((0.1, 0.5), (0.3, 0.9), (0.05, 0.7, 3.0)):
        private, ceiling, plain = two.contraction(p, q, epsilon)
        assert private <= min(ceiling, plain) + 1e-12
    private, ceiling, _ = two.contraction(0.45, 0.55, 0.01)
    assert 1 <= ceiling / private < 1.05  # randomised response reaches it for small ε
    assert two.local_price(0.1) == pytest.approx(math.exp(0.2) * math.expm1(0.1) ** 2)
    assert two.local_price(2.0) == pytest.approx(4 * math.expm1(2.0) ** 2)


def test_coupling_holds_and_the_other_breaks():
    for p, q, n, epsilon in ((0.6, 0.4, 20, 0.2), (0.9, 0.1, 5, 1.0), (0.02, 0.0, 10, 4.0)):
        found = two.coupling(p, q, n, epsilon)
        assert 0 < found.largest <= found.ours + 1e-9
    broken = two.coupling(0.01, 0.0, 3, 6.0)
    assert broken.karwa_vadhan < broken.largest <= broken.ours + 1e-9
    assert 2.8 < two.karwa_vadhan_fails_from(0.001) < 3.1 and math.isinf(two.karwa_vadhan_fails_from(0.5))


def test_the_coupling_for_any_mechanism():
    """ε-private mechanisms of three coins with random outputs: P against (1 + TV(e^ε − 1))³ Q."""
    rng, epsilon, p, q = np.random.default_rng(0), 0.8, 0.5, 0.3
    data = list(itertools.product((0, 1), repeat=3))
    law = lambda mean: np.array([math.prod(mean if x else 1 - mean for x in row) for row in data])
    for _ in range(200):
        level = rng.random(8) * 3 * epsilon
        for _ in range(8):  # make it ε-private: no neighbour more than ε apart
            for a, b in itertools.permutations(range(8), 2):
                if sum(x != y for x, y in zip(data[a], data[b], strict=True)) == 1:
                    level[a] = min(level[a], level[b] + epsilon)
        chance = np.exp(level - level.max()) * rng.random()
        assert chance @ law(p) <= (1 + 0.2 * math.expm1(epsilon)) ** 3 * (chance @ law(q)) * (1 + 1e-9)


def test_pulls():
    assert two.pulls_needed(0.4, 0.5, "none") == pytest.approx(1 / float(kl(0.4, 0.5)))
    assert two.pulls_needed(0.4, 0.5, "central", 0.01) == pytest.approx(1 / math.log1p(0.1 * math.expm1(0.01)))
    assert two.pulls_needed(0.4, 0.5, "local", 30.0) == two.pulls_needed(0.4, 0.5, "none")
    assert two.central_price(1.0, 0.7) == 0.7
