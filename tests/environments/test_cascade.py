"""The cascade click model by hand and by counting; its instances, facts and bad input."""

import itertools

import numpy as np
import pytest
from scipy import stats

from dpbandits import simulate
from dpbandits.environments import build
from dpbandits.environments.cascade import (
    best_reward,
    cascade,
    click,
    expected_reward,
    given_users,
    list_reward,
    round_regret,
)
from tests.law import FALSE_ALARM


def test_clicks_follow_the_cascade():
    attraction, shown = np.array([0.9, 0.5, 0.2, 0.3]), np.array([2, 1, 3])
    rng = np.random.Generator(np.random.SFC64(5))
    draws = np.bincount([click(shown, 1, attraction, rng) for _ in range(20000)], minlength=5)[1:]
    law = [0.2, 0.8 * 0.5, 0.8 * 0.5 * 0.3, 0.8 * 0.5 * 0.7]
    assert stats.chisquare(draws, 20000 * np.array(law)).pvalue > FALSE_ALARM
    assert expected_reward(shown, attraction) == pytest.approx(1 - 0.8 * 0.5 * 0.7) == list_reward(shown, attraction)


def test_given_users_click_what_they_like():
    users = np.array([[0, 0, 0.0], [0, 1, 1], [1, 0, 0]])
    rng = np.random.default_rng(0)
    shown = np.array([2, 0])
    assert [click(shown, t, users, rng) for t in range(5)] == [3, 1, 2, 3, 1]  # and from the start again
    assert list_reward(shown, users).tolist() == [0, 1, 1]
    assert [round_regret(best_reward(users, 2), shown, position, users) for position in (1, 2, 3)] == [0, 0, 1]


@pytest.mark.parametrize("list_size", [1, 2, 3, 4])
def test_the_optimal_list_is_the_best_of_all(list_size):
    attraction = np.array([0.1, 0.7, 0.3, 0.25])
    instance = cascade(attraction, list_size)
    values = {chosen: list_reward(chosen, attraction) for chosen in itertools.combinations(range(4), list_size)}
    assert tuple(sorted(instance.optimal_list)) == max(values, key=values.get)
    assert instance.optimal_value == pytest.approx(max(values.values())) == best_reward(attraction, list_size)
    for chosen, value in values.items():
        assert round_regret(best_reward(attraction, list_size), np.array(chosen), 1, attraction) == pytest.approx(
            max(values.values()) - value
        )


def test_facts_by_hand():
    instance = cascade([0.1, 0.7, 0.3, 0.25], 2)
    assert instance.optimal_list.tolist() == [1, 2]
    np.testing.assert_allclose(instance.gap_table, [[0.6, 0.2], [0.45, 0.05]])
    np.testing.assert_allclose(instance.gaps, [0.2, 0.05])
    assert (instance.items, instance.list_size, instance.unique_best) == (4, 2, True)
    assert (instance.gap_min, instance.gap_max) == (pytest.approx(0.05), pytest.approx(0.6))
    assert not cascade([0.1, 0.7, 0.3, 0.3], 2).unique_best
    whole = cascade([0.1, 0.7], 2)
    assert (whole.gaps.size, whole.gap_min, whole.gap_max, whole.unique_best) == (0, 0, 0, True)


def test_the_paper_instance():
    instance = build("cascade-paper")
    assert instance.problem[0].tolist() == [0.2] * 4 + [0.05] * 16 and instance.problem[1] == 4
    assert instance.optimal_value == pytest.approx(1 - 0.8**4)
    small = build("cascade-paper", items=5, list_size=2, top_mean=0.5, other_mean=0.1)
    assert small.problem[0].tolist() == [0.5, 0.5, 0.1, 0.1, 0.1]
    assert build("cascade", attraction=[0.5, 0.1], list_size=1).label == "cascade(attraction=0.5,0.1, list_size=1)"


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"attraction": [0.2, 0.1], "list_size": 3}, "list_size = 3 is not allowed"),
        ({"attraction": [0.2, 0.1], "list_size": 0}, "list_size = 0 is not allowed"),
        ({"attraction": [0.2, 0.1], "list_size": 1.5}, "list_size = 1.5 is not allowed"),
        ({"attraction": [0.2, 1.1], "list_size": 1}, "attraction = .* each >= 0 and <= 1"),
        ({"attraction": [0.2, float("nan")], "list_size": 1}, "attraction = "),
        ({"attraction": [], "list_size": 1}, "attraction = "),
        ({"attraction": "high", "list_size": 1}, "attraction = 'high'"),
        ({"list_size": 1}, "attraction is missing"),
    ],
)
def test_bad_instances_get_one_sentence(arguments, words):
    with pytest.raises(ValueError, match=words) as error:
        build("cascade", **arguments)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"list_size": 21}, "list_size = 21"),
        ({"items": 0}, "items = 0"),
        ({"items": 3}, "list_size = 4"),
        ({"top_mean": 1.2}, "top_mean = 1.2"),
        ({"other_mean": -0.1}, "other_mean = -0.1"),
        ({"K": 2}, "Unknown parameter 'K'"),
        ({"epsilon": 0}, "epsilon = 0"),
        ({"epsilon": float("nan")}, "epsilon = nan"),
        ({"delta": 0}, "delta = 0"),
        ({"delta": 1}, "delta = 1"),
        ({"noise_multiplier": -0.5}, "noise_multiplier = -0.5"),
        ({"bonus_multiplier": -1}, "bonus_multiplier = -1"),
        ({"private_init": "maybe"}, "private_init = 'maybe'"),
        ({"horizon": 0}, "horizon = 0"),
    ],
)
def test_bad_runs_get_one_sentence(arguments, words):
    with pytest.raises(ValueError, match=words):
        simulate("cascade-ldp-gauss", "cascade-paper", **{"horizon": 10, "runs": 1} | arguments)
    with pytest.raises(ValueError, match="log_of = 'rounds' is not allowed.*guarded-count, count, horizon"):
        simulate("cascade-dp", "cascade-paper", horizon=10, runs=1, log_of="rounds")
    with pytest.raises(ValueError, match="stochastic"):
        simulate("ucb1", "cascade-paper", horizon=10, runs=1)


@pytest.mark.parametrize("users", [[[0, 2]], [0, 1], np.zeros((0, 3)), [["a", "b"]]])
def test_given_users_must_be_a_table_of_0_and_1(users):
    with pytest.raises(ValueError, match="users"):
        given_users(users, 1)


def test_given_users_count_those_who_leave_without_a_click():
    users = np.array([[1, 1, 1], [0, 0, 0], [1, 1, 1], [0, 0, 0]])
    result = simulate(
        "cascade-ucb1", given_users(users, 2), horizon=8, runs=1, checkpoints=list(range(1, 9)), workers=1
    )
    assert result.regret.values.tolist() == [
        [1, 1, 2, 2, 3, 3, 4, 4]
    ]  # rounds 4, 5, ... are the users from the start again


@pytest.mark.parametrize("list_size", [1, 2, 3, 4])
def test_regret_of_the_worst_and_of_a_random_list(list_size):
    attraction = [0.3, 0.0, 0.9, 0.4]
    instance = cascade(attraction, list_size)
    lost = [
        instance.optimal_value - list_reward(chosen, attraction)
        for chosen in itertools.combinations(range(4), list_size)
    ]
    assert instance.worst_regret == pytest.approx(max(lost)) and instance.uniform_regret == pytest.approx(np.mean(lost))


def test_two_levels():
    paper = build("cascade-paper", items=5, list_size=2)
    assert (paper.p, paper.gap) == (0.2, pytest.approx(0.15))
    assert cascade([0.2, 0.1], 2).p is cascade([0.2, 0.1, 0.3], 2).p is cascade([0.2, 0.2], 1).gap is None
