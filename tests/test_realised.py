"""Realised regret: the law of its mean, exact cases, bad input."""

import numpy as np
import pytest
from scipy import stats

from dpbandits import simulate
from dpbandits.environments.cascade import cascade, given_users
from dpbandits.realised import realised_regret
from tests.law import FALSE_ALARM

SOME = cascade([0.6, 0.5, 0.3, 0.2, 0.1], 2)


@pytest.mark.parametrize("name", ["cascade-ucb1", "cascade-ldp-laplace", "cascade-dp-first"])
def test_its_mean_is_the_pseudo_regret(name):
    given = {"horizon": 150, "runs": 1500, "checkpoints": [50]}
    realised = realised_regret(name, SOME, seed=1, **given)
    expected = simulate(name, SOME, seed=2, workers=1, **given).regret
    assert (
        realised.name == "realised_regret"
        and realised.dims == ("run", "round")
        and realised["round"].values.tolist() == [50, 150]
    )
    for t in range(2):
        p = stats.ttest_ind(realised[:, t], expected[:, t], equal_var=False).pvalue
        assert p > FALSE_ALARM, f"{name}: means {float(realised[:, t].mean())}, {float(expected[:, t].mean())}"
    assert realised[:, -1].std() > expected[:, -1].std()  # it has the users' luck in it
    np.testing.assert_array_equal(realised, realised.round())  # counts clicks


def test_the_whole_list_loses_nothing_to_itself():
    np.testing.assert_array_equal(realised_regret("cascade-ucb1", cascade([0.6, 0.2], 2), horizon=200, runs=3), 0)


def test_same_seed_same_numbers():
    one, two, other = (realised_regret("cascade-ucb1", SOME, horizon=100, runs=2, seed=s) for s in (4, 4, 5))
    np.testing.assert_array_equal(one, two)
    assert (one != other).any() and (one[0] != one[1]).any()


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"algorithm": "ucb1", "instance": "two-arms"}, "realised regret needs a cascade instance"),
        ({"instance": given_users([[0, 1]], 1)}, "realised regret needs a cascade instance"),
        ({"horizon": 0}, "horizon = 0"),
        ({"runs": 0}, "runs = 0"),
        ({"epsilon": 1}, "Unknown parameter 'epsilon'"),
    ],
)
def test_bad_input(arguments, words):
    with pytest.raises(ValueError, match=words):
        realised_regret(**{"algorithm": "cascade-ucb1", "instance": SOME, "horizon": 10} | arguments)
