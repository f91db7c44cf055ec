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


def test_a_noisy_count_by_sums():
    for mean, n, epsilon in ((0.3, 4, 0.7), (0.8, 7, 2.0)):
        noise = np.arange(-400, 401)
        weights = math.tanh(epsilon / 2) * np.exp(-epsilon * np.abs(noise))
        chances = np.zeros(n + 3)
        for count in range(n + 1):
            chance = math.comb(n, count) * mean**count * (1 - mean) ** (n - count)
            np.add.at(chances, np.clip(count + noise, -1, n + 1) + 1, chance * weights)
        assert np.exp(two.noisy_count(mean, n, epsilon)) == pytest.approx(chances) and chances.sum() == pytest.approx(1)
    sure = two.noisy_count(0.0, 5, 0.3)[1:-1]  # no coin shows 1: the noise's own law
    assert np.diff(sure) == pytest.approx(-0.3)


def test_changing_and_weighing_is_a_ceiling_and_is_reached():
    for p, q in ((0.05, 0.1), (0.3, 0.7), (0.45, 0.55), (0.02, 0.97)):
        for epsilon in (0.05, 0.5, 1.5, 6.0):
            found = [two.mixture(p, q, n, epsilon) for n in (1, 3, 30, 300, 30_000)]
            told = [mixed.told for mixed in found]
            assert np.diff(told).min() > 0 and 0 < told[0] and told[-1] <= found[0].ceiling * (1 + 1e-9)
            mixed = found[0]
            assert mixed.ceiling == pytest.approx(epsilon * (mixed.at - p) + float(kl(mixed.at, q)))
            assert p <= mixed.at <= q and mixed.ceiling <= min(mixed.changed, mixed.weighed) + 1e-12
    assert two.mixture(0.3, 0.7, 30_000, 1.0).told == pytest.approx(two.mixture(0.3, 0.7, 1, 1.0).ceiling, rel=0.001)


def test_the_divergence_of_any_mechanism():
    """Random ε-private mechanisms of three coins with four outputs: D <= 3 d_ε."""
    rng, epsilon, p, q = np.random.default_rng(1), 0.8, 0.3, 0.6
    data = list(itertools.product((0, 1), repeat=3))
    law = lambda mean: np.array([math.prod(mean if x else 1 - mean for x in row) for row in data])
    near = [
        (a, b)
        for a, b in itertools.permutations(range(8), 2)
        if sum(x != y for x, y in zip(data[a], data[b], strict=True)) == 1
    ]
    found = []
    for _ in range(300):
        level = rng.random((8, 4)) * 3 * epsilon
        for a, b in near * 8:  # no neighbours more than ε/2 apart, so that they are ε-private once they sum to 1
            level[a] = np.minimum(level[a], level[b] + epsilon / 2)
        chance = np.exp(level)
        chance /= chance.sum(axis=1, keepdims=True)
        assert all((chance[a] <= chance[b] * math.exp(epsilon) * (1 + 1e-9)).all() for a, b in near)
        one, other = law(p) @ chance, law(q) @ chance
        found.append(one @ np.log(one / other))
    assert 0 < max(found) <= 3 * two.mixture(p, q, 1, epsilon).ceiling


def test_pulls():
    assert two.pulls_needed(0.4, 0.5, "none") == pytest.approx(1 / float(kl(0.4, 0.5)))
    assert two.pulls_needed(0.4, 0.5, "central", 0.01) == pytest.approx(1 / math.log1p(0.1 * math.expm1(0.01)))
    assert two.pulls_needed(0.4, 0.5, "local", 30.0) == two.pulls_needed(0.4, 0.5, "none")
    assert two.central_price(1.0, 0.7) == 0.7
