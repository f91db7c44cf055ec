"""The law of outcomes: means, shared draws, Beta, tables and samplers."""

import numpy as np
import pytest
from scipy import stats

from dpbandits.environments.semibandit import k_path, outcomes, public_arms, super_arms, top_k
from dpbandits.environments.semibandit.problem import new_round, observe_all
from dpbandits.kernels import kernel
from tests.law import assert_follows, assert_same_law


@kernel
def _draws(problem, rounds, rng):
    _, _, work = new_round(problem)
    drawn = np.empty((rounds, problem.means.size))
    for t in range(rounds):
        drawn[t] = observe_all(problem, work, rng)
    return drawn


def _sample(instance, rounds=4000, seed=1):
    return _draws(instance.problem[0], rounds, np.random.default_rng(seed))


def _assert_means(sample, means):
    error = np.maximum(np.sqrt(np.array(means) * (1 - np.array(means)) / len(sample)), 1e-12)
    assert (abs(sample.mean(axis=0) - means) / error < stats.norm.isf(1e-6 / 20)).all()


def test_bernoulli_outcomes_are_independent():
    means = np.array([0.2, 0.5, 0.0, 1.0])
    sample = _sample(top_k(means, 2))
    assert set(np.unique(sample)) == {0, 1}
    _assert_means(sample, means)
    both = sample[:, 0] * sample[:, 1]
    _assert_means(both[:, None], [0.1])


def test_beta_outcomes():
    sample = _sample(top_k([0.2, 0.5, 0.0, 1.0], 2, outcomes="beta"))
    assert_follows(sample[:, 0], stats.beta(0.4, 1.6).cdf)
    assert_follows(sample[:, 1], stats.uniform.cdf)
    assert (sample[:, 2] == 0).all() and (sample[:, 3] == 1).all()


def test_arms_of_a_path_are_alike_and_paths_are_not():
    sample = _sample(k_path(6, 3, 0.6))
    assert (sample[:, :1] == sample[:, :3]).all() and (sample[:, 3:4] == sample[:, 3:]).all()
    _assert_means(sample, [0.5] * 3 + [0.3] * 3)
    _assert_means((sample[:, 0] * sample[:, 3])[:, None], [0.15])


def test_public_arms_are_alike_and_others_are_not():
    sample = _sample(public_arms(8, 3, 0.6))
    assert (sample[:, 3] == sample[:, 4]).all()
    _assert_means(sample, [0.5] * 3 + [0.3] * 5)
    _assert_means(sample[:, [0, 3, 5]] * sample[:, [1, 5, 6]], [0.25, 0.09, 0.09])


def test_shared_draws_of_unequal_means_are_nested():
    sample = _sample(super_arms([0.2, 0.5, 0.7], [(1, 2), (2, 3)], group=[7, 7, 1]))
    assert (sample[:, 0] <= sample[:, 1]).all()
    _assert_means(sample, [0.2, 0.5, 0.7])
    shared = _sample(super_arms([0.3, 0.3], [(1, 2)], outcomes="beta", group=[0, 0]))
    assert (shared[:, 0] == shared[:, 1]).all() and 0 < shared.min() and shared.max() < 1


def test_a_given_table_is_seen_row_by_row():
    rows = np.array([[0.0, 1.0, 0.25], [1.0, 0.5, 0.75], [1.0, 0.0, 0.5]])
    instance = super_arms(super_arms=[(1, 2), (2, 3)], outcomes=rows)
    assert instance.means == pytest.approx(rows.mean(axis=0))
    sample = _sample(instance)
    counts = [(sample == row).all(axis=1).sum() for row in rows]
    assert sum(counts) == len(sample) and stats.chisquare(counts).pvalue > 1e-6


def test_a_sampler_fills_the_table():
    def sampler(rng, size):
        level = rng.random((size, 1))
        return np.hstack([level, 1 - level])

    instance = super_arms(super_arms=[(1, 2)], outcomes=sampler)
    assert instance.means.sum() == pytest.approx(1) and instance.best_reward == pytest.approx(1)
    sample = _sample(instance)
    np.testing.assert_allclose(sample.sum(axis=1), 1)
    assert_same_law(sample[:, 0], np.random.default_rng(5).random(4000))
    assert len(outcomes.from_sampler(sampler, "").rows) == 4096


def test_different_data_has_different_names():
    """So that saved results of one are not taken for the other's."""
    one, two = (super_arms(super_arms=[(1, 2)], outcomes=np.full((2, 2), x)) for x in (0.5, 0.6))
    assert one.parameters["outcomes"] != two.parameters["outcomes"]


@pytest.mark.parametrize(
    "given, words",
    [
        (dict(outcomes=[[0.5, 1.5]]), r"outcomes = 1.5 \(row 1, arm 2\) is not allowed .*must be in \[0, 1\]"),
        (dict(outcomes=[[0.5, np.nan]]), "outcomes = nan"),
        (dict(outcomes=lambda rng, size: rng.random((size, 2)) - 0.5), r"every outcome must be in \[0, 1\]"),
        (dict(outcomes=[0.5, 0.5]), r"outcomes of shape \(2,\)"),
        (dict(outcomes=[[0.5], [0.5, 0.5]]), "outcomes is not allowed .super-arms.: it must be a table of numbers"),
        (dict(outcomes=[["a", "b"]]), "it must be a table of numbers"),
        (
            dict(outcomes=lambda rng: 1),
            r"outcomes\(rng\) is not allowed .super-arms.: it must be a function of \(rng, size\)",
        ),
        (dict(outcomes=lambda rng, size: None), r"outcomes of shape \(\) is not allowed"),
        (dict(outcomes=lambda rng, size: rng.random((2, 2))), r"outcomes of shape \(2, 2\) .*for size = 4096"),
        (dict(means=[0.5, 0.6], group=1), "group is not allowed .super-arms.: it must be a list of 2 numbers"),
        (dict(means=[0.5, 0.6], group=[[0], [0, 1]]), "it must be a list of 2 numbers"),
        (dict(outcomes=[[0.5, 0.5]], means=[0.5, 0.5]), "means and group are not allowed beside given outcomes"),
        (dict(outcomes="gauss", means=[0.5, 0.5]), "outcomes = 'gauss' is not allowed .*bernoulli, beta"),
        (dict(outcomes="beta", means=[0.5, 0.6], group=[0, 0]), "shared by arms of one mean only"),
        (dict(means=[0.5, 0.6], group=[0, 0, 1]), "group has 3 values for 2 arms"),
        (dict(means=[0.5, 0.6], group=[0, 0], reward="disjunctive"), "super arm 1 holds arms that share their outcome"),
        (dict(outcomes=[[0.5, 0.5]], reward="disjunctive"), "given outcomes may depend on each other"),
        (dict(means=[0.5, 1.1]), r"means = \[0.5, 1.1\] is not allowed"),
    ],
)
def test_bad_outcomes_are_refused(given, words):
    with pytest.raises(ValueError, match=words):
        super_arms(super_arms=[(1, 2)], **given)
