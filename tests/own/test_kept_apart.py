"""A learner's code cannot harm its rivals, and its results never outlive an edit of anything that it reaches."""

import time

import numpy as np
import pytest

from dpbandits import claim, compare, simulate, sweep
from dpbandits.environments import build

SHIFT = 1.0


def vandal(means, horizon, checkpoints, streams):
    means[:] = 0.5
    checkpoints[:] = 1
    return np.zeros(checkpoints.size)


def make(loss):
    def policy(means, horizon, checkpoints, streams):
        return loss * checkpoints.astype(np.float64)

    return policy


def helped(means, horizon, checkpoints, streams):
    return helper(checkpoints)


def helper(checkpoints):
    return 1.0 * checkpoints


def shifted(means, horizon, checkpoints, streams):
    return SHIFT * checkpoints


def final(result):
    return float(result.regret.isel(round=-1).mean())


@pytest.mark.slow
def test_a_policy_that_writes_into_what_it_is_given_harms_nobody():
    instance = build("wang-zhu-1")
    means, alone = instance.problem[0].copy(), simulate("ucb1", instance, horizon=100, runs=2)
    beside = compare(vandal, instance, horizon=100, runs=2)
    assert np.array_equal(instance.problem[0], means)
    assert np.array_equal(beside.regret.sel(algorithm="ucb1"), alone.regret)


def test_two_functions_of_one_factory_share_nothing(tmp_path):
    results = [final(sweep(make(loss), "two-arms", horizon=10, runs=1, folder=tmp_path)) for loss in (1.0, 2.0)]
    assert results == [10.0, 20.0]


def test_a_redefined_helper_counts(tmp_path, monkeypatch):
    first = final(sweep(helped, "two-arms", horizon=10, runs=1, folder=tmp_path))
    monkeypatch.setitem(globals(), "helper", lambda checkpoints: 3.0 * checkpoints)
    assert (first, final(sweep(helped, "two-arms", horizon=10, runs=1, folder=tmp_path))) == (10.0, 30.0)


def test_a_changed_global_counts(monkeypatch):
    first = final(simulate(shifted, "two-arms", horizon=10, runs=1))
    monkeypatch.setitem(globals(), "SHIFT", 2.0)
    assert (first, final(simulate(shifted, "two-arms", horizon=10, runs=1))) == (10.0, 20.0)


def test_what_cannot_be_known_is_not_kept(tmp_path):
    def clock(means, horizon, checkpoints, streams):
        return np.full(checkpoints.size, time.perf_counter())

    with pytest.warns(UserWarning, match="plain Python"):
        one, two = (final(sweep(clock, "two-arms", horizon=5, runs=1, folder=tmp_path)) for _ in range(2))
    assert one != two


def test_python_that_numba_cannot_read_runs_plainly():
    def chatty(means, horizon, checkpoints, streams):
        import math

        def numbers():
            yield from (1.0, 2.0)

        assert f"{horizon!r}" == str(horizon)
        return math.fsum(numbers()) * checkpoints

    with pytest.warns(UserWarning, match="chatty runs as plain Python"):
        assert final(simulate(chatty, "two-arms", horizon=10, runs=1)) == 30.0


@pytest.mark.parametrize(
    "pulls", [("a", "b"), np.zeros((2, 2)), np.zeros(3), np.array([-1.0, 2.0]), np.array([np.nan, 1])]
)
@pytest.mark.slow
def test_pulls_of_a_wrong_kind_are_refused(pulls):
    def policy(means, horizon, checkpoints, streams):
        return np.zeros(checkpoints.size), pulls

    with pytest.raises(ValueError, match="how often each of the 2 arms was pulled"):
        simulate(policy, "two-arms", horizon=10, runs=1)


@pytest.mark.parametrize("name", ["run", "round", "arm", "pulls", "regret"])
def test_a_swept_parameter_does_not_take_the_name_of_a_dimension(name):
    with pytest.raises(ValueError, match=f"{name} = a list is not allowed"):
        sweep("ucb1", "two-arms", horizon=10, **{name: [1, 2]})


def test_a_scope_of_the_wrong_kind_gets_a_sentence():
    with pytest.raises(ValueError, match="scope = "):
        claim(make(1.0), "because", scope=[])
