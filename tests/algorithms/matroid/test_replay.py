"""The proof's algorithms replay Algorithm 2, and the sensitivity for fixed releases is K: ε, not 2ε."""

from itertools import product

import numpy as np
import pytest

from dpbandits import simulate
from dpbandits.algorithms.matroid import replay
from dpbandits.environments.matroid import build
from dpbandits.environments.matroid.instances import linear_bandit, matroid_bandit
from dpbandits.environments.matroid.pairs import pair_losses
from tests.algorithms.matroid import twins
from tests.law import assert_same_law

TABLE = build.linear(twins.TABLE[0])
GRAPH = build.graphic(twins.GRAPH[0])


@pytest.mark.parametrize("matroid, epsilon", [(TABLE, 2.0), (GRAPH, 0.7), (build.uniform(4, 2), 20.0)])
@pytest.mark.slow
def test_algorithms_3_and_4_replay_algorithm_2(matroid, epsilon):
    rng, rounds = np.random.default_rng(1), 60
    size = len(matroid.table) or matroid.residues.shape[1]
    for seed in range(4):
        weights, noise = rng.random((rounds, size)), rng.laplace(0, matroid.rank / epsilon, (rounds, size))
        played = replay.algorithm_2(matroid, weights, noise, epsilon, seed)
        r = replay.algorithm_4(matroid, weights, noise, epsilon, seed)
        np.testing.assert_array_equal(
            replay.plays(matroid, r, epsilon, rounds, seed), played.bases
        )  # a*(r), no weights
        released = ~np.isnan(r)
        for t in range(1, rounds + 1):
            f = replay.algorithm_3(matroid, weights, r, epsilon, t, seed)
            np.testing.assert_allclose(
                np.where(released[t - 1], f + noise[t - 1], 0), np.where(released[t - 1], r[t - 1], 0)
            )
            assert (f[~released[t - 1]] == 0).all()
        np.testing.assert_array_equal(f, replay.fixed_transcript(matroid, weights, r, epsilon, seed)[-1])
        assert released.sum() > 2 * size / 2  # most elements are released twice or more
        assert (np.sort(played.size[-1])[::-1][: matroid.rank] >= 8).all()


def test_a_recorded_run_is_a_run_on_what_it_recorded():
    instance = linear_bandit(*twins.TABLE)
    long, short = replay.recorded(instance, 300, 2.0, seed=4), replay.recorded(instance, 40, 2.0, seed=4)
    again = replay.algorithm_2(instance.matroid, long.weights, long.noise, 2.0, 4)
    np.testing.assert_array_equal(again.bases, long.played.bases)
    for whole, part in zip(
        (*long.played, long.weights, long.noise), (*short.played, short.weights, short.noise), strict=True
    ):
        np.testing.assert_array_equal(whole[:40], part)  # the beginning of the same run
    assert abs(long.weights.mean(axis=0) - instance.means).max() < 5 * (0.25 / 300) ** 0.5
    scale = np.abs(long.noise).mean()  # of 2100 draws of Lap(3/2)
    assert abs(scale - 1.5) < 5 * 1.5 / 2100**0.5
    for other in (replay.recorded(instance, 40, 2.0, seed=5), replay.recorded(instance, 40, 1.0, seed=4)):
        assert not np.array_equal(other.noise, short.noise)
    with pytest.raises(ValueError, match="rounds = 200000 is not allowed"):
        replay.recorded(instance, 200_000, 1.0)


def test_a_recorded_user_gives_all_weights_of_a_round():
    users = np.array([[1, 0, 1], [0, 1, 0]])
    instance = matroid_bandit(build.uniform(3, 2), users.mean(axis=0), users=users)
    weights = replay.recorded(instance, 50, 1.0).weights
    assert {tuple(row) for row in weights.astype(int).tolist()} == {(1, 0, 1), (0, 1, 0)}


def test_a_sum_taken_for_a_mean_as_printed_does_not_replay():
    rng, rounds = np.random.default_rng(2), 80
    weights, noise = rng.random((rounds, 7)), rng.laplace(0, 0.1, (rounds, 7))
    r = replay.algorithm_4(TABLE, weights, noise, 30.0)
    z, released = np.nan_to_num(r), ~np.isnan(r)
    for divide in (True, False):
        sums = [replay.algorithm_3(TABLE, weights, z, 30.0, t, divide=divide) for t in range(1, rounds + 1)]
        assert np.allclose((sums + noise)[released], r[released]) == divide


@pytest.mark.slow
def test_python_and_kernel_play_the_same_game():
    rng, runs, horizon = np.random.default_rng(3), 250, 50
    means = np.array(twins.TABLE[1])
    instance = linear_bandit(*twins.TABLE)
    ours = simulate("dpucb-mat", instance, horizon=horizon, runs=1500, epsilon=10.0, workers=1)
    plays, regrets = np.zeros((runs, 7)), np.zeros(runs)
    for run in range(runs):
        weights = (rng.random((horizon, 7)) < means).astype(float)
        played = replay.algorithm_2(TABLE, weights, rng.laplace(0, 0.3, (horizon, 7)), 10.0, run)
        plays[run] = np.bincount(played.bases.ravel(), minlength=7)
        losses = pair_losses(TABLE, means, played.bases, instance.optimal_basis)
        regrets[run] = losses.sum()
        assert losses.clip(min=0).sum() >= regrets[run] - 1e-9  # equation (4.7)
    assert_same_law(ours.regret[:, -1].round(6), regrets.round(6), "regret")
    for e in range(7):
        assert_same_law(ours.pulls[:, e], plays[:, e], f"plays of {e}")


@pytest.mark.parametrize(
    "matroid, rounds",
    [
        (build.uniform(3, 2), 4),
        (build.graphic([(0, 1), (1, 2), (0, 2)]), 4),
        (build.partition([[0, 1], [2]], [1, 1]), 4),
        (build.uniform(2, 1), 5),
    ],
)
def test_sensitivity_for_fixed_releases_is_k_by_enumeration(matroid, rounds):
    """Every data set of 0s and 1s, every neighbour, several releases z: |f̃_z(w) − f̃_z(w')|₁ <= K, attained; 2K
    never.
    """
    size, rank, rng = len(matroid.table), matroid.rank, np.random.default_rng(4)
    every = np.array(list(product((0.0, 1.0), repeat=size)))
    largest = 0.0
    for case in range(6):
        z = rng.choice([-3.0, 0.0, 0.5, 2.0, 30.0], (rounds, size))
        background = rng.integers(0, 2, (rounds, size)).astype(float)
        for changed in range(rounds):
            f = []
            for row in every:
                background[changed] = row
                f.append(replay.fixed_transcript(matroid, background, z, 1.0, case))
            distances = np.abs(np.array(f)[:, None] - np.array(f)[None]).sum(axis=(2, 3))
            largest = max(largest, distances.max())
    assert largest == rank


@pytest.mark.slow
def test_all_data_sets_of_a_tiny_game():
    # L = 2, K = 1, three rounds: all 64 data sets, all pairs that differ in one round, all releases from a grid.
    matroid = build.uniform(2, 1)
    data = np.array(list(product((0.0, 1.0), repeat=6))).reshape(-1, 3, 2)
    differ = (data[:, None] != data[None]).any(axis=3).sum(axis=2)
    for z in product((-1.0, 0.3, 2.0), repeat=4):
        f = np.array([replay.fixed_transcript(matroid, w, np.reshape(z, (2, 2)), 1.0) for w in data])
        assert np.abs(f[:, None] - f[None]).sum(axis=(2, 3))[differ == 1].max() <= 1
        # group privacy: m rounds changed move the sums by m K at most
        assert (np.abs(f[:, None] - f[None]).sum(axis=(2, 3)) <= differ).all()


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda w: replay.algorithm_2(TABLE, w[:, :3], w[:, :3], 1.0), "weights of shape"),
        (lambda w: replay.algorithm_2(TABLE, w + 2, w, 1.0), "weights = 2..2 is not allowed"),
        (lambda w: replay.algorithm_2(TABLE, w, w * np.nan, 1.0), "noise of shape"),
        (lambda w: replay.algorithm_2(TABLE, w, w, 0.0), "epsilon = 0"),
        (lambda w: replay.algorithm_3(TABLE, w, w, 1.0, 4), "target = 4"),
        (lambda w: replay.algorithm_3(TABLE, w, w[:1], 1.0, 3), "target = 3"),
    ],
)
def test_bad_input(make, words):
    with pytest.raises(ValueError, match=words):
        make(np.zeros((3, 7)))
