"""Algorithms since the papers: pulls and regret at the end of short games have the law of the plain twins' games.

Twins and package draw independently here, so this also compares what test_same_pulls.py takes from the package: how
ties are broken, by which oracle, and that a sum of rewards is Binomial. The package plays 3,000 games and a twin 600:
two cumulative distributions that are 0.2 apart somewhere are told apart with a chance above 0.9.
"""

import itertools

import numpy as np
import pytest
from scipy import stats

from dpbandits import simulate
from dpbandits.environments.cascade import cascade
from dpbandits.environments.semibandit import super_arms, top_k
from dpbandits.environments.stochastic import bernoulli
from tests.algorithms.since import twins
from tests.algorithms.since.luck import Luck

FALSE_ALARM = 1e-6  # of one test, over all its comparisons
HORIZON, GAMES, TWIN_GAMES = 120, 3000, 600
EPSILONS = (0.05, 0.5, 1.0, 10.0)
ARMS = ([0.6, 0.4], [1.0, 0.0], [0.5, 0.5, 0.5], [0.9, 0.5, 0.5], [0.2, 0.4, 0.5, 0.6, 0.8], [0.0, 1.0, 1.0, 0.0, 0.3])


def unlikeness(left, right) -> list[float]:
    """p of Kolmogorov-Smirnov (cautious where values repeat) and of Mann-Whitney."""
    left, right = np.asarray(left, float), np.asarray(right, float)
    if np.ptp(np.concatenate([left, right])) == 0:
        return [1.0, 1.0]
    return [
        stats.ks_2samp(left, right, method="asymp").pvalue,
        stats.mannwhitneyu(left, right, method="asymptotic").pvalue,
    ]


def assert_alike(found: list[float], what: str = "") -> None:
    """No p below the false-alarm rate shared out among all."""
    assert min(found) > FALSE_ALARM / len(found), f"{what}: p = {min(found):.2g} among {len(found)}"


def compare(name, instance, loss, count, game, **parameters) -> list[float]:
    """All p of one game: final regret, and how often each arm was played.

    game(luck) -> what a twin played; loss(played) and count(played) -> its regret, and its pulls of each arm.
    """
    result = simulate(
        name,
        instance,
        horizon=HORIZON,
        runs=GAMES,
        seed=1,
        checkpoints=[HORIZON],
        workers=1,
        progress=False,
        **parameters,
    )
    played = [game(Luck(seed)) for seed in range(TWIN_GAMES)]
    found = unlikeness(result.regret[:, -1].round(9), np.round([loss(p) for p in played], 9))
    pulls, own = result.pulls.values, np.array([count(p) for p in played])
    for arm in range(pulls.shape[1]):
        found += unlikeness(pulls[:, arm], own[:, arm])
    return found


def compare_arms(name, twin, means, **parameters) -> list[float]:
    """compare() for stochastic bandits."""
    return compare(
        name,
        bernoulli(means),
        lambda played: sum(max(means) - means[arm] for arm in played),
        lambda played: np.bincount(played, minlength=len(means)),
        lambda luck: twin(means, HORIZON, luck, **parameters),
        **parameters,
    )


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("name", ["adap-ucb", "adap-klucb", "dp-klucb", "dp-imed", "lazy-dp-ts"])
def test_stochastic_games_have_the_twins_law(name, epsilon):
    twin = getattr(twins, name.replace("-", "_"))
    assert_alike(list(itertools.chain(*(compare_arms(name, twin, means, epsilon=epsilon) for means in ARMS))))


@pytest.mark.slow
@pytest.mark.parametrize(("pre_pulls", "variance"), [(0, 1.0), (1, 1.0), (6, 0.5), (3, 30.0)])
def test_dp_ts_games_have_the_twins_law(pre_pulls, variance):
    found = [compare_arms("dp-ts", twins.dp_ts, means, pre_pulls=pre_pulls, variance=variance) for means in ARMS]
    assert_alike(list(itertools.chain(*found)))


SETS = (
    ([0.5, 0.3, 0.8], [(0,), (1,), (2,)]),
    ([0.5, 0.5, 0.5], [(0, 1), (0, 2), (1, 2)]),
    ([1.0, 0.0, 0.5, 0.4], list(itertools.combinations(range(4), 2))),
    ([0.6, 0.5, 0.4, 0.8, 0.2], [(0, 1), (1, 2, 3), (4,), (0, 3, 4)]),
)


def compare_semi_bandits(means, sets, epsilon) -> list[float]:
    """compare() where the super arms are `sets`, arms from 0, and the reward is linear."""
    size, best = max(map(len, sets)), max(sum(means[arm] for arm in s) for s in sets)
    if len({*map(len, sets)}) == 1:
        instance = top_k(means, size)
    else:
        instance = super_arms(means, [tuple(arm + 1 for arm in s) for s in sets], unequal=True)

    def game(luck):
        def outcomes(chosen):
            return [luck.reward(means[arm]) for arm in chosen]

        return twins.cucb_dp_lazy(len(means), HORIZON, luck, epsilon, size, twins.best_of(sets, luck), outcomes)

    return compare(
        "cucb-dp-lazy",
        instance,
        lambda played: sum(best - sum(means[arm] for arm in s) for s in played),
        lambda played: np.bincount([arm for s in played for arm in s], minlength=len(means)),
        game,
        epsilon=epsilon,
    )


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_lazy_semi_bandits_have_the_twins_law(epsilon):
    assert_alike(list(itertools.chain(*(compare_semi_bandits(means, sets, epsilon) for means, sets in SETS))))


CASCADES = (
    ([0.5, 0.3], 1),
    ([0.5, 0.3, 0.2], 2),
    ([0.4, 0.4, 0.4], 2),
    ([1.0, 0.0, 0.5], 2),
    ([0.1, 0.3, 0.2, 0.6, 0.4], 3),
)


def compare_cascades(attraction, size, epsilon) -> list[float]:
    """compare() for cascades; the pulls are how often an item stood in front."""
    instance = cascade(attraction, size)
    best = instance.facts["optimal_value"]
    return compare(
        "cascade-dp-lazy",
        instance,
        lambda played: sum(best - 1 + np.prod([1 - attraction[item] for item in shown]) for shown in played),
        lambda played: np.bincount([shown[0] for shown in played], minlength=len(attraction)),
        lambda luck: twins.cascade_dp_lazy(attraction, HORIZON, luck, epsilon, size),
        epsilon=epsilon,
    )


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_lazy_cascades_have_the_twins_law(epsilon):
    assert_alike(list(itertools.chain(*(compare_cascades(attraction, size, epsilon) for attraction, size in CASCADES))))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["adap-ucb", "adap-klucb", "dp-klucb", "dp-imed", "lazy-dp-ts", "dp-ts"])
def test_no_equal_arm_is_preferred(name):
    """First arm, and most played arm, of equal ones: uniform (chi square), at every mean and ε."""
    found = []
    for mean, own in itertools.product((0.0, 0.5, 1.0), ({"epsilon": 0.05}, {"epsilon": 1000.0})):
        given = {} if name == "dp-ts" else own
        for horizon in (1, 2, 4, 60):
            result = simulate(
                name, bernoulli([mean] * 4), horizon=horizon, runs=GAMES, seed=2, checkpoints=[horizon], workers=1,
                progress=False, **given, **({"pre_pulls": 0} if name == "dp-ts" else {}),
            )  # fmt: skip
            pulls = result.pulls.values + np.random.default_rng(0).random((GAMES, 4)) / 2  # one of several most played
            for most in (pulls.argmax(axis=1), pulls.argmin(axis=1)):
                found.append(stats.chisquare(np.bincount(most, minlength=4)).pvalue)
    assert_alike(found)
