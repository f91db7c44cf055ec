"""Optimum and gaps by their definitions, the hard instances by hand, and one sentence for every bad value."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpbandits.environments import build
from dpbandits.environments.semibandit import (
    good_arms,
    instances,
    k_path,
    max_coverage,
    public_arms,
    single_arms,
    super_arms,
    top_k,
)
from dpbandits.environments.semibandit.instances import worth


def _by_definition(instance, sets):
    """(best, gaps_min, gaps_max) from every super arm, Chen et al. (1) and (2)."""
    problem = instance.problem[0]
    listed = problem.decisions.kind == 1
    values = [worth(problem.reward, instance.means, s, j if listed else 0) for j, s in enumerate(sets)]
    goal = instance.alpha * max(values)
    gaps = {s: goal - v for s, v in zip(sets, values, strict=True) if goal - v > 1e-9}
    of = [[g for s, g in gaps.items() if i in s] or [0] for i in range(instance.arms)]
    return max(values), [min(g) for g in of], [max(g) for g in of]


def _assert_facts(instance, sets):
    best, lowest, highest = _by_definition(instance, [tuple(int(i) for i in s) for s in sets])
    assert instance.best_reward == pytest.approx(best)
    np.testing.assert_allclose(instance.gaps_min, lowest, atol=1e-9)
    np.testing.assert_allclose(instance.gaps_max, highest, atol=1e-9)
    problem, listed = instance.problem[0], instance.problem[0].decisions.kind == 1
    values = [worth(problem.reward, instance.means, s, j if listed else 0) for j, s in enumerate(sets)]
    goal = instance.alpha * instance.beta * max(values)
    assert instance.worst_regret == pytest.approx(goal - min(values), abs=1e-9)
    assert instance.uniform_regret == pytest.approx(goal - np.mean(values), abs=1e-9)
    assert instance.gap_max == pytest.approx(max(highest)) and instance.gap_min == pytest.approx(
        min((g for g in lowest if g), default=0)
    )


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from([0.1, 0.3, 0.5, 0.9, 1.0]) | st.floats(0, 1).map(lambda x: round(x, 3)), min_size=2, max_size=7
    ),
    st.data(),
    st.sampled_from(["linear", "average", "disjunctive"]),
)
def test_top_k_facts(means, data, reward):
    size = data.draw(st.integers(1, len(means)))
    instance = top_k(means, size, reward)
    sets = list(itertools.combinations(range(len(means)), size))
    _assert_facts(instance, sets)
    values = [worth(instance.problem[0].reward, instance.means, s) for s in sets]
    assert instance.unique_best == (sum(v > max(values) - 1e-9 for v in values) == 1)


def test_top_k_facts_where_super_arms_are_too_many_to_compare(monkeypatch):
    means = [0.9, 0.2, 0.5, 0.5, 0.3, 0.7]
    by_comparing = top_k(means, 3, "disjunctive")
    monkeypatch.setattr(instances, "MOST_SUPER_ARMS", 10)
    by_swapping = top_k(means, 3, "disjunctive")
    for fact in ("gaps_min", "gaps_max", "best_reward", "unique_best", "worst_regret", "uniform_regret"):
        np.testing.assert_allclose(by_swapping.facts[fact], by_comparing.facts[fact])


def test_listed_facts():
    instance = super_arms([0.1, 0.2, 0.3, 0.9], [(1, 2), (3,), (2, 4)], "disjunctive", unequal=True)
    _assert_facts(instance, [(0, 1), (2,), (1, 3)])
    assert instance.unique_best and instance.list_size == 2 and instance.gap_inverse == instance.gap_min / 2


@pytest.mark.parametrize("oracle", ["greedy", "exact"])
def test_coverage_facts(oracle):
    edges = [(1, 1), (1, 2), (2, 2), (2, 3), (7, 3), (7, 1), (7, 9)]
    instance = max_coverage(edges, [0.5, 0.4, 0.9, 0.2, 0.3, 0.8, 0.6], 2, oracle)
    assert instance.list_size == 5 and instance.alpha == (1 if oracle == "exact" else 0.75)
    sets = [(0, 1, 2, 3), (0, 1, 4, 5, 6), (2, 3, 4, 5, 6)]
    assert [tuple(s) for s in instance.super_arms] == sets
    _assert_facts(instance, sets)
    # Nodes 2 and 7: target 1 by .8, target 2 by .9, target 3 by .2 and .3, target 9 by .6.
    assert instance.best_reward == pytest.approx(0.8 + 0.9 + (1 - 0.8 * 0.7) + 0.6)


def test_good_and_single_arms_by_hand():
    good = good_arms(5, 2, 0.4, smoothness=2.0)
    np.testing.assert_allclose(good.means, [0.7, 0.7, 0.3, 0.3, 0.3])
    assert (good.list_size, good.gap_min, good.gap_max) == (
        2,
        pytest.approx(0.8),
        pytest.approx(1.6),
    ) and good.unique_best
    single = single_arms(4, 0.3, 2.0)
    np.testing.assert_allclose(single.means, [0.15, 0, 0, 0])
    assert (single.list_size, single.gap_min, single.smoothness_inf) == (1, pytest.approx(0.3), 2)
    with pytest.raises(
        ValueError,
        match="gap = 1.5 is not allowed .single-arms.: the mean gap/smoothness leaves .0, 1.; it must be <= smo",
    ):
        single_arms(4, 1.5)
    with pytest.raises(ValueError, match="list_size = 6 is not allowed .good-arms.: it must be <= 5"):
        good_arms(5, 6)


def test_k_path_by_hand():
    instance = k_path(6, 2, 0.3, 1.5)
    np.testing.assert_allclose(instance.means, [0.5, 0.5, 0.4, 0.4, 0.4, 0.4])
    assert instance.best_reward == pytest.approx(1.5) and (instance.smoothness_1, instance.smoothness_inf) == (1.5, 3)
    np.testing.assert_allclose(instance.gaps_min, [0, 0, 0.3, 0.3, 0.3, 0.3])
    assert [tuple(s) for s in instance.super_arms] == [(0, 1), (2, 3), (4, 5)]


def test_public_arms_by_hand():
    instance = public_arms(8, 3, 0.6)
    np.testing.assert_allclose(instance.means, [0.5] * 3 + [0.3] * 5)
    assert instance.super_arms == [(0, 1, 2), (3, 4, 5), (3, 4, 6), (3, 4, 7)]
    np.testing.assert_allclose(instance.gaps_min, [0] * 3 + [0.6] * 5)
    bandit = public_arms(4, 1, 0.2)
    assert bandit.super_arms == [(0,), (1,), (2,), (3,)] and bandit.gap_min == pytest.approx(0.2)


def test_families_build_with_their_defaults_and_by_name():
    for name in ("top-k", "k-path", "public-arms", "max-coverage", "super-arms"):
        assert build(name).setting == "semi-bandit" and build(name).gap_max > 0
    assert build("max-coverage", edges=((1, 1), (2, 1)), probabilities=(0.5, 0.6), list_size=1).best_reward == 0.6
    assert build("super-arms", means=(0.1, 0.2), super_arms=((1,), (2,))).best_reward == 0.2


@pytest.mark.parametrize(
    "make, given, words",
    [
        (
            top_k,
            dict(means=[0.1, 0.2], list_size=3),
            "list_size = 3 is not allowed .top-k.: it must be <= 2, the number of arms",
        ),
        (top_k, dict(means=[0.1, 0.2], list_size=0), "list_size = 0"),
        (top_k, dict(means=[0.1, 1.2], list_size=1), "means = "),
        (top_k, dict(means=[0.1, 0.2], list_size=1, smoothness=0), "smoothness = 0"),
        (k_path, dict(arms=10, list_size=4), "arms = 10 is not allowed .k-path.*must be a multiple of 4"),
        (k_path, dict(arms=3, list_size=4), "list_size = 4 .*<= 3"),
        (k_path, dict(arms=8, list_size=4, gap=2.5), "gap = 2.5 is not allowed .k-path.*gap must be <= 2"),
        (k_path, dict(arms=8, list_size=4, gap=0), "gap = 0"),
        (
            public_arms,
            dict(arms=7, list_size=4),
            "arms = 7 is not allowed .public-arms.: with list_size = 4 it must be >= 8",
        ),
        (
            max_coverage,
            dict(edges=[(1, 2, 3)], probabilities=[0.5]),
            "edge 1 is .1.0, 2.0, 3.0.; it must be a node and a target",
        ),
        (max_coverage, dict(edges=[(1, 0.5)], probabilities=[0.5]), "two integers"),
        (max_coverage, dict(edges=[(1, 2), (1, 2)], probabilities=[0.5]), "edge 1:2 is given twice"),
        (
            max_coverage,
            dict(edges=[(1, 2), (2, 2)], probabilities=[0.5, 0.5, 0.5]),
            "probabilities has 3 values for 2 edges",
        ),
        (
            max_coverage,
            dict(edges=[(1, 2), (2, 2)], probabilities=[0.5], list_size=3),
            "list_size = 3 .*<= 2, the number of nodes",
        ),
        (
            max_coverage,
            dict(edges=[(u, 1) for u in range(40)], probabilities=[0.5], list_size=9),
            "40 nodes give 273438880 choices",
        ),
        (
            max_coverage,
            dict(edges=[(1, 2), (2, 2)], probabilities=[0.5], oracle="best"),
            "oracle = 'best' .*greedy, exact",
        ),
        (max_coverage, dict(edges=[(1, 2), (2, 2)], probabilities=[0.5], alpha=1.5), "alpha = 1.5"),
        (max_coverage, dict(edges=[(1, 2), (2, 2)], probabilities=[0.5], beta=0), "beta = 0"),
        (super_arms, dict(means=[0.1, 0.2], super_arms=[]), "super_arms = .. is not allowed"),
        (super_arms, dict(means=[0.1, 0.2], super_arms=[(), (1, 2)]), "super arm 1 is empty"),
        (
            super_arms,
            dict(means=[0.1, 0.2], super_arms=[(1,), (1, 2)]),
            "super arm 2 has 2 arms and the first has 1; .*unequal=True",
        ),
        (
            super_arms,
            dict(means=[0.1, 0.2], super_arms=[(1, 3)]),
            "super arm 1 is .1.0, 3.0.; arms are integers from 1 to 2",
        ),
        (super_arms, dict(means=[0.1, 0.2], super_arms=[(0, 1)]), "super_arms = .*>= 1"),
        (super_arms, dict(means=[0.1, 0.2], super_arms=[(1, 1)]), "super arm 1 holds an arm twice"),
        (super_arms, dict(means=[0.1, 0.2], super_arms=[(1, 2), (2, 1)]), "a super arm is given twice"),
        (super_arms, dict(means=[0.1, 0.2, 0.3], super_arms=[(1, 2)]), "arm 3 is in none of them"),
        (super_arms, dict(means=[0.1, 0.2], super_arms=[1, 2]), "super_arms = "),
        (
            super_arms,
            dict(means=[0.1, 0.2, 0.3], super_arms=[(1, 2), (3,)], unequal=True, reward="average"),
            "different sizes",
        ),
        (
            super_arms,
            dict(means=[0.1, 0.2], super_arms=[(1, 2)], reward=lambda x, s: sum(x), smoothness=2),
            "smoothness = 2 .*it must be 1",
        ),
    ],
)
def test_bad_input_gets_one_sentence(make, given, words):
    with pytest.raises(ValueError, match=words) as caught:
        make(**given)
    assert str(caught.value).endswith(".")
