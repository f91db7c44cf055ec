"""Thompson sampling since the papers: in every round each arm is chosen with the chance that the description gives.

The past of a run is replayed from the package's own rewards and noise; the arm it chose is then compared with the
exact chance of each arm, an integral. What was chosen minus its chance is a martingale: its sums, over all rounds and
over those where the chance lies in one of five ranges, are of the size of their standard deviation. That asks more than
equal regret: 1 % more or less of one arm shows.
"""

import numpy as np
import pytest
from scipy import special, stats

from tests.algorithms.since.luck import SameLuck
from tests.algorithms.since.product import arms_played, play

FALSE_ALARM = 1e-6
NODES, WEIGHTS = np.polynomial.legendre.leggauss(96)
NODES, WEIGHTS = (NODES + 1) / 2, WEIGHTS / 2
RANGES = (0, 0.05, 0.2, 0.5, 0.8, 1.0000001)
INSTANCES = ([0.6, 0.4], [1.0, 0.0], [0.5, 0.45, 0.9], [0.5, 0.4999, 0.5001], [0.0, 0.55, 1.0, 0.3, 0.7])


def chances(quantile, cdf, arms: int) -> np.ndarray:
    """P(θ_i is the largest), shape (rounds, arms): the mean over v of Π_j F_j(Q_i(v)).

    quantile(i, v), cdf(j, x): of the arm's law in every round, v of shape (nodes,), shapes (rounds, nodes).
    """
    wins = []
    for i in range(arms):
        x = quantile(i, NODES)
        others = [cdf(j, x) for j in range(arms) if j != i]
        wins.append((np.prod(others, axis=0) * WEIGHTS).sum(axis=1))
    wins = np.array(wins).T
    assert np.abs(wins.sum(axis=1) - 1).max() < 1e-3
    return wins


def of_normals(mean: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """For θ_i ~ N(mean, variance), both of shape (rounds, arms)."""
    root = np.sqrt(variance)
    return chances(
        lambda i, v: mean[:, i, None] + root[:, i, None] * special.ndtri(v),
        lambda j, x: special.ndtr((x - mean[:, j, None]) / root[:, j, None]),
        mean.shape[1],
    )


def of_betas(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """For θ_i ~ Beta(a, b), both of shape (rounds, arms)."""
    return chances(
        lambda i, v: special.betaincinv(a[:, i, None], b[:, i, None], v[None, :]),
        lambda j, x: special.betainc(a[:, j, None], b[:, j, None], x),
        a.shape[1],
    )


def dp_ts_laws(means, played, luck, pre_pulls, variance):
    """(rounds after the first pulls, mean and variance of every θ there)."""
    count, laws = np.full(len(means), float(pre_pulls)), []
    total = np.array([luck.rewards(mean, pre_pulls) for mean in means])
    for t in range(pre_pulls * len(means), len(played)):
        laws.append((t, total / (count + 1), variance / (count + 1)))
        count[played[t]] += 1
        total[played[t]] += luck.reward(means[played[t]])
    return laws


def lazy_laws(means, played, luck, epsilon):
    """(rounds in which all arms have a full batch, both parameters of every θ there)."""
    waiting, size, mean, laws = [np.zeros(len(means)) for _ in range(3)] + [[]]
    for t, arm in enumerate(played):
        if size.min() > 0:
            p = np.clip(mean + 3 * np.log(t + 1) / (epsilon * size), 0, 1)
            laws.append((t, size * p + 1, size * (1 - p) + 1))
        waiting[arm] += 1
        if waiting[arm] == max(1, 2 * size[arm]):
            size[arm], waiting[arm] = waiting[arm], 0
            mean[arm] = (luck.rewards(means[arm], int(size[arm])) + luck.laplace(1 / epsilon)) / size[arm]
    return laws


def surprises(name, laws_of, chance, means, horizon, runs, first_seed=0, **parameters) -> list[float]:
    """z of all sums: each arm, all rounds and each range of chances."""
    chosen, a, b = [], [], []
    for seed in range(first_seed, first_seed + runs):
        regret, pulls = play(name, (np.array(means),), horizon, seed, **parameters)
        played = arms_played(regret, means)
        assert np.array_equal(np.bincount(played, minlength=len(means)), pulls)
        for t, one, other in laws_of(means, played, SameLuck(seed), **parameters):
            chosen.append(played[t])
            a.append(one)
            b.append(other)
    p = chance(np.array(a), np.array(b))
    hits, found = np.eye(len(means))[chosen], []
    for arm in range(len(means)):
        of = np.digitize(p[:, arm], RANGES)
        for rounds in (of > 0, *(of == k for k in range(1, len(RANGES)))):
            q = p[rounds, arm]
            spread = (q * (1 - q)).sum()
            if spread > 25:  # enough for the normal law
                found.append((hits[rounds, arm] - q).sum() / np.sqrt(spread))
    return found


def assert_unsurprising(found: list[float]) -> None:
    """Two-sided, all sums together: false-alarm rate 1e-6."""
    assert len(found) >= 2
    worst = max(abs(z) for z in found)
    assert worst < stats.norm.isf(FALSE_ALARM / 2 / len(found)), f"z = {worst:.1f} among {len(found)}"


@pytest.mark.slow
@pytest.mark.parametrize(("pre_pulls", "variance"), [(0, 1.0), (1, 1.0), (5, 3.0), (2, 0.1)])
@pytest.mark.parametrize("means", INSTANCES)
def test_dp_ts_chooses_with_the_right_chances(means, pre_pulls, variance):
    assert_unsurprising(
        surprises("dp-ts", dp_ts_laws, of_normals, means, 150, 60, pre_pulls=pre_pulls, variance=variance)
    )


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.0, 10.0])
@pytest.mark.parametrize("means", INSTANCES)
def test_lazy_dp_ts_chooses_with_the_right_chances(means, epsilon):
    assert_unsurprising(surprises("lazy-dp-ts", lazy_laws, of_betas, means, 150, 60, epsilon=epsilon))
