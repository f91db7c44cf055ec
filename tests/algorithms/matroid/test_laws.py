"""All six matroid algorithms: their laws against slow twins, the fast kernels against the plain ones, limits."""

import math

import numpy as np
import pytest
from scipy import stats

from dpbandits import simulate
from dpbandits.algorithms import ALGORITHMS as RECORDS
from dpbandits.algorithms.matroid import jumps, lazy
from dpbandits.algorithms.matroid.records import appearances
from dpbandits.environments import build
from dpbandits.environments.matroid import build as matroids
from dpbandits.environments.matroid.choose import choose, no_choice
from dpbandits.environments.matroid.instances import graphic_bandit, linear_bandit, matroid_bandit
from dpbandits.environments.matroid.questions import best_basis
from tests.algorithms.matroid import twins
from tests.law import assert_follows, assert_same_law

pytestmark = pytest.mark.slow

RUNS, HORIZON = 300, 60
INSTANCES = {
    "table": (linear_bandit(*twins.TABLE), twins.TABLE[1], twins.table_independent, 3),
    "graph": (graphic_bandit(*twins.GRAPH), twins.GRAPH[1], twins.graph_independent, 4),
}
ALGORITHMS = {
    "omm": (twins.omm, {}),
    "kl-osm": (twins.kl_osm, {}),
    "cts-gauss": (twins.cts_gauss, {}),
    "cts-beta": (None, {}),
    "dpucb-mat": (twins.dpucb, {"epsilon": 30.0}),
    "dpts-mat": (twins.dpts, {"epsilon": 30.0}),
}


def assert_matches_twin(name, instance, means, independent, rank, horizon, users=None, parameters=None, runs=RUNS):
    twin, default = ALGORITHMS[name]
    parameters = default if parameters is None else parameters
    ours = simulate(
        name, instance, horizon=horizon, runs=6 * runs, seed=1, checkpoints=[horizon // 3], workers=1, **parameters
    )
    sample = twins.sample_beta if twin is None else lambda *given: twins.sample(twin, *given, users, **parameters)
    regrets, plays = sample(runs, 1, means, independent, rank, horizon)
    for column, t in enumerate((horizon // 3, horizon)):
        assert_same_law(ours.regret[:, column].round(6), regrets[:, t - 1].round(6), f"{name}, regret at {t}")
    for e in range(len(means)):
        assert_same_law(ours.pulls[:, e], plays[:, e], f"{name}, plays of element {e}")


@pytest.mark.parametrize("where", INSTANCES)
@pytest.mark.parametrize("name", ALGORITHMS)
def test_law(name, where):
    assert_matches_twin(name, *INSTANCES[where], horizon=30 if name == "kl-osm" else HORIZON)


@pytest.mark.parametrize("name", ["dpucb-mat", "dpts-mat"])
def test_law_where_noise_rules(name):
    assert_matches_twin(name, *INSTANCES["table"], horizon=150, parameters={"epsilon": 2.0}, runs=200)
    assert_matches_twin(name, *INSTANCES["graph"], horizon=90, parameters={"epsilon": 1e5}, runs=200)


@pytest.mark.parametrize("name", ["omm", "dpucb-mat"])
def test_weights_of_users_drawn_at_random(name):
    # Elements that one user likes together: batches and means see correlated weights.
    users = np.array([[1, 1, 1, 0], [1, 1, 0, 0], [0, 0, 0, 1]])
    means = users.mean(axis=0).tolist()
    instance = matroid_bandit(matroids.uniform(4, 2), means, users=users)
    assert_matches_twin(name, instance, means, lambda subset: len(subset) <= 2, 2, HORIZON, users)


@pytest.mark.parametrize(
    "name, parameters", [("omm", {}), ("dpucb-mat", {"epsilon": 1.0}), ("dpucb-mat", {"epsilon": 1e4})]
)
@pytest.mark.parametrize("where", [*INSTANCES, "users", "one"])
def test_fast_has_the_law_of_plain(name, parameters, where):
    if where in INSTANCES:
        instance = INSTANCES[where][0]
    elif where == "one":
        instance = matroid_bandit(matroids.uniform(3, 1), [0.5, 0.4, 0.1])
    else:
        users = np.random.default_rng(0).random((50, 5)) < [0.9, 0.5, 0.6, 0.7, 0.1]
        instance = matroid_bandit(matroids.partition([[0, 1, 2], [3, 4]], [2, 1]), users.mean(axis=0), users=users)
    given = {"horizon": 3000, "runs": 500, "workers": 1, "checkpoints": [20, 300], **parameters}
    plain, fast = simulate(name, instance, seed=1, **given), simulate(name, instance, seed=2, method="fast", **given)
    for column in range(3):
        assert_same_law(plain.regret[:, column].round(6), fast.regret[:, column].round(6), f"{name} fast, regret")
    for e in range(plain.sizes["arm"]):
        assert_same_law(plain.pulls[:, e], fast.pulls[:, e], f"{name} fast, plays of {e}")


def test_a_jump_ends_just_before_the_order_changes():
    # Random states; round by round, the basis of the next one is solved from scratch.
    rng, ends = np.random.default_rng(4), []
    for _ in range(300):
        matroid, size = INSTANCES["graph"][0].matroid, 8
        batches, index = lazy.nothing_released(size), np.empty(size)
        batches.size[:] = 2 ** rng.integers(0, 9, size)
        batches.share[:], batches.width[:] = 1 / batches.size, 1 / np.sqrt(batches.size)
        batches.estimate[:] = rng.normal(0.5, 0.5, size)
        t, epsilon, choice = int(rng.integers(1, 20)), float(rng.choice([0.5, 5.0, 500.0])), no_choice(matroid, size)
        lazy.private_index(index, batches, t, matroid.rank, epsilon)
        choose(matroid, index, choice, rng)
        last, limit = t, t + 200
        while last < limit:
            lazy.private_index(index, batches, last + 1, matroid.rank, epsilon)
            if set(best_basis(matroid, index)) != set(choice.basis):
                break
            last += 1
        found = jumps.last_round(choice, batches, t, limit, matroid.rank, epsilon, index)
        assert found <= last  # never beyond
        ends.append((found, last, t, limit))
    exact = [found == last for found, last, *_ in ends]
    assert np.mean(exact) > 0.6  # a change of order need not change the basis
    assert sum(t < found < limit for found, _, t, limit in ends) >= 10


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("where", INSTANCES)
def test_invariants(name, where):
    instance = INSTANCES[where][0]
    for method in ({}, {"method": "fast"}) if name in ("omm", "dpucb-mat") else ({},):
        given = {"runs": 4, "workers": 1, **method}
        long = simulate(name, instance, horizon=200, checkpoints=[1, 50], **given)
        assert (long.pulls.sum("arm") == 200 * instance.rank).all()
        assert (long.pulls[:, instance.loops] == 0).all() and (long.pulls <= 200).all()
        lost = 200 * instance.optimal_value - (long.pulls * instance.means).sum("arm")
        np.testing.assert_allclose(long.regret[:, -1], lost, atol=1e-9)
        assert (np.diff(long.regret, axis=1) >= 0).all() and (long.regret[:, 0] <= instance.gap_max + 1e-12).all()
        if not method:
            short = simulate(name, instance, horizon=50, checkpoints=[1], **given)
            np.testing.assert_array_equal(short.regret, long.regret[:, :2])


def test_every_element_that_is_no_loop_is_played_early():
    # An unobserved element ranks first, so each round observes one of them at least.
    for name in ("omm", "kl-osm", "cts-gauss", "dpucb-mat", "dpts-mat"):
        for instance, *_ in INSTANCES.values():
            seen = simulate(name, instance, horizon=instance.arms, runs=10, workers=1).pulls
            assert (seen[:, instance.matroid.elements] > 0).all()


def test_placing_the_unobserved_last_as_the_text_says_leaves_elements_unplayed():
    rng = np.random.default_rng(0)
    for _ in range(20):
        index = twins.dpucb(1, rng, 1.0)
        regret, plays = twins.play([0.1, 0.9], lambda subset: len(subset) <= 1, 1, 200, rng, index, 1.0, last=-math.inf)
        assert sorted(plays) == [0, 200]  # whoever came first by chance
        assert regret[-1] in (0, pytest.approx(160))
    regret, plays = twins.play(
        twins.TABLE[1], twins.table_independent, 3, 300, rng, twins.dpucb(3, rng, 2.0), 1.5, last=-math.inf
    )
    assert sorted(plays) == [0, 0, 0, 0, 300, 300, 300]


def test_a_basis_of_everything_or_of_equals_costs_nothing():
    for name in ALGORITHMS:
        for instance in (
            matroid_bandit(matroids.uniform(3, 3), [0.2, 0.5, 1.0]),
            matroid_bandit(matroids.uniform(3, 1), [0.3, 0.3, 0.3]),
        ):
            result = simulate(name, instance, horizon=40, runs=2, workers=1)
            assert (result.regret == 0).all()
            assert "every basis is optimal" in result.attrs["notes"]
    ties = matroid_bandit(matroids.uniform(3, 1), [0.3, 0.3, 0.1])
    assert "not unique" in simulate("omm", ties, horizon=40, runs=2, workers=1).attrs["notes"]
    many = matroid_bandit(matroids.uniform(7, 2), [0.5] * 6 + [0.4])
    assert "ends before each of the 7 elements" in simulate("omm", many, horizon=3, runs=1).attrs["notes"]


def test_a_batch_is_released_when_due_once_with_its_own_noise():
    rng, draws, scale = np.random.Generator(np.random.SFC64(3)), 20_000, 1.5
    batches, basis = lazy.nothing_released(draws), np.arange(draws)
    noises = []
    for size in (1, 2, 4):
        for observation in range(size):
            assert lazy.rounds_to_release(batches, basis) == size - observation
            before = batches.estimate.copy()
            lazy.take_in(batches, basis, np.full(draws, 0.5), 1, scale, rng)
            assert (batches.estimate == before).all() == (observation < size - 1)
        assert (batches.size == size).all() and (batches.waiting == 0).all() and (batches.total == 0).all()
        noises.append((batches.estimate - 0.5) * size)
        assert_follows(noises[-1], stats.laplace(scale=scale).cdf, f"noise of batch {size}")
    # correlations of independent draws: standard error 1/sqrt(20000), 5 of them are exceeded with probability 6e-7
    assert np.abs(np.corrcoef(noises)[np.triu_indices(3, 1)]).max() < 5 / math.sqrt(draws)
    assert (batches.plays == 7).all()


def test_index_by_hand():
    batches = lazy.nothing_released(3)
    batches.size[:2], batches.share[:2], batches.width[:2], batches.estimate[:2] = (
        (4, 1),
        (0.25, 1),
        (0.5, 1),
        (0.6, -2.0),
    )
    index = np.empty(3)
    lazy.private_index(index, batches, 10, 3, 2.0)
    # 3 ln 30 = 10.203592: 0.6 + sqrt(10.203592/4) + 1.5·10.203592/4 and −2 + sqrt(10.203592) + 1.5·10.203592
    np.testing.assert_allclose(index, [0.6 + 1.597153 + 3.826347, -2 + 3.194306 + 15.305388, np.inf], rtol=1e-6)
    lazy.private_index(index, batches, 1, 1, 2.0)
    assert (index == np.inf).all()


@pytest.mark.parametrize("name", ["dpucb-mat", "dpts-mat"])
def test_labels(name):
    instance = build("matroid-table-6.1")
    label = RECORDS[name].guarantee({"epsilon": 2.0}, instance, 100)
    assert (label.epsilon, label.delta, label.scope, label.status) == (2.0, 0.0, "transcript", "proved")
    assert "states 2ε" in label.note and "drawn" not in label.note
    users = np.eye(4, dtype=int)
    crowd = matroid_bandit(matroids.uniform(4, 2), users.mean(axis=0), users=users)
    note = RECORDS[name].guarantee({"epsilon": 2.0}, crowd, 1000).note
    assert "drawn 250 times on average in 1000 rounds, none more than" in note
    for other in ("omm", "kl-osm", "cts-gauss", "cts-beta"):
        assert RECORDS[other].guarantee({}, instance, 100).scope == "none"


def test_the_most_frequent_user():
    assert appearances(10, 1) == 10 and appearances(1, 5) == 1
    rng = np.random.default_rng(1)
    greatest = [np.bincount(rng.integers(0, 50, 300), minlength=50).max() for _ in range(2000)]
    most = appearances(300, 50)
    assert (np.array(greatest) > most).mean() <= 0.02 < (np.array(greatest) > most - 3).mean()


@pytest.mark.parametrize(
    "given, words",
    [
        ({"epsilon": 0}, "epsilon = 0"),
        ({"epsilon": float("nan")}, "epsilon = nan"),
        ({"epsilon": float("inf")}, "epsilon = inf"),
        ({"horizon": 0}, "horizon = 0"),
        ({"method": "quick"}, "method = 'quick'"),
        ({"delta": 0.1}, "Unknown parameter 'delta'"),
    ],
)
def test_bad_runs(given, words):
    with pytest.raises(ValueError, match=words):
        simulate("dpucb-mat", "matroid-table-6.1", **{"horizon": 10, "runs": 1} | given)
    with pytest.raises(ValueError, match="matroid setting"):
        simulate("ucb1", "matroid-table-6.1", horizon=10, runs=1)
