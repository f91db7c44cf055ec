"""The first users, by plain replay and by the exact laws of sets, messages and tree sums."""

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from dpbandits.algorithms.semibandit.blind import blind_messages, blind_tree
from dpbandits.mechanisms.continual import nodes_read
from tests.law import FALSE_ALARM, assert_follows, assert_variance
from tests.mechanisms.counter_twin import tree_blocks

MEANS = [0.9, 0.5, 0.5, 0.2, 0.0, 1.0]


def test_sets_are_uniform_and_outcomes_have_their_means():
    sent = blind_messages(MEANS, 3, 1.0, 20_000)
    seen = [sum(1 << int(i) for i in s) for s in sent.super_arms]
    counts = [seen.count(sum(1 << i for i in s)) for s in combinations(range(6), 3)]
    assert sum(counts) == 20_000 and stats.chisquare(counts).pvalue > FALSE_ALARM
    for arm, mean in enumerate(MEANS):
        outcomes = sent.outcomes[sent.super_arms == arm]
        assert stats.binomtest(int(outcomes.sum()), outcomes.size, mean).pvalue > FALSE_ALARM


def test_noise_has_scale_k_over_epsilon_or_one_over_epsilon():
    sent = blind_messages(MEANS, 3, 0.5, 20_000)
    assert_follows((sent.all_reports - sent.outcomes).ravel(), stats.laplace(scale=6).cdf, "all")
    asked = np.take_along_axis(sent.outcomes, sent.place[:, None], axis=1)[:, 0]
    assert_follows(sent.one_report - asked, stats.laplace(scale=2).cdf, "one")
    double = blind_messages(MEANS, 3, 0.25, 20_000)
    assert np.allclose(double.one_report - asked, 2 * (sent.one_report - asked))


def test_the_least_reported_arm_is_asked_and_ties_are_fair():
    sent, reports = blind_messages(MEANS, 3, 1.0, 3000), np.zeros(6)
    for chosen, place in zip(sent.super_arms, sent.place, strict=True):
        assert reports[chosen[place]] == reports[chosen].min()
        reports[chosen[place]] += 1
    firsts = [int(blind_messages(MEANS, 3, 1.0, 1, seed).place[0]) for seed in range(600)]
    assert stats.chisquare(np.bincount(firsts, minlength=3)).pvalue > FALSE_ALARM


def test_more_users_continue_the_story():
    few, many = (blind_messages(MEANS, 2, 1.0, users, seed=7) for users in (40, 90))
    for one, other in zip(few, many, strict=True):
        assert np.array_equal(one, other[:40])
    assert np.array_equal(few.reported, few.super_arms[np.arange(40), few.place])
    assert not np.array_equal(few.all_reports, blind_messages(MEANS, 2, 1.0, 40, seed=8).all_reports)


def test_one_arm_makes_both_algorithms_alike():
    sent = blind_messages(MEANS, 1, 1.0, 50)
    assert not sent.place.any() and np.array_equal(sent.reported, sent.super_arms[:, 0])


@pytest.mark.parametrize("t", range(1, 65))
def test_nodes_are_those_of_the_papers_tree(t):
    assert nodes_read(t) == tree_blocks(t)


def test_tree_by_hand():
    # K = 2, ε = 1/2, T = 64: printed 2 · 2 · ln 64/.5, exact 2 · 7/.5
    tree = blind_tree(5, 2, 0.5, 23, seed=3)
    assert tree.scale == pytest.approx(8 * math.log(64)) and blind_tree(
        5, 2, 0.5, 23, exact=True
    ).scale == pytest.approx(28)
    assert tree.nodes == [(0, 16), (16, 20), (20, 22), (22, 23)] and tree.pulls.sum() == 46
    assert (tree.read_at[tree.chosen] == 23).all() and (tree.read_at <= 23).all()
    bits = [int(at).bit_count() for at in tree.read_at]
    assert np.allclose(tree.deviation, tree.scale * np.sqrt(2 * np.array(bits)))


def test_an_arm_that_is_not_played_keeps_its_noise():
    before, after = (blind_tree(6, 2, 1.0, t, seed=1) for t in (30, 31))
    idle = np.setdiff1d(np.arange(6), after.chosen)
    assert np.array_equal(before.noise[idle], after.noise[idle]) and np.array_equal(
        before.pulls[idle], after.pulls[idle]
    )
    assert (before.noise[after.chosen] != after.noise[after.chosen]).all()
    never = blind_tree(40, 1, 1.0, 2, seed=1)
    assert (
        (never.read_at == 0).sum() >= 38
        and not never.noise[never.read_at == 0].any()
        and not never.deviation[never.read_at == 0].any()
    )


@pytest.mark.parametrize("t", [1, 7, 32, 63, 64])
@pytest.mark.slow
def test_tree_noise_has_its_exact_variance(t):
    trees = [blind_tree(4, 4, 1.0, t, seed=seed) for seed in range(1500)]  # K = m: every arm is read at t
    assert all((tree.read_at == t).all() for tree in trees)
    assert_variance(
        np.concatenate([tree.noise for tree in trees]), 2 * t.bit_count() * (8 * math.log(64)) ** 2, f"t = {t}"
    )


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: blind_messages(MEANS, 7, 1.0, 5), "list_size = 7 is not allowed: it must be <= 6, the number of arms"),
        (lambda: blind_messages(MEANS, 2, 0.0, 5), "epsilon = 0"),
        (lambda: blind_messages([0.5, 2], 1, 1.0, 5), "means"),
        (lambda: blind_messages(MEANS, 2, 1.0, 0), "users = 0"),
        (lambda: blind_tree(5, 2, 1.0, 65), "t = 65 is not allowed: it must be <= 64, the horizon"),
        (lambda: blind_tree(5, 2, 1.0, 0), "t = 0"),
    ],
)
def test_bad_input(make, words):
    with pytest.raises(ValueError, match=words):
        make()
