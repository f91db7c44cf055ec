"""A policy of one's own: its setting, its claim, and its place among all others."""

import json
import math
from functools import partial

import numpy as np
import pytest

from dpbandits import catalogue, claim, compare, simulate
from dpbandits.algorithms.catalogue import as_algorithm, setting_of
from dpbandits.environments import bernoulli, build
from dpbandits.summary import summary
from tests.own.policies import blind, forgetful

SMALL = {"horizon": 300, "runs": 2}


def cascade_policy(attraction, list_size, horizon, checkpoints, streams):
    return np.zeros(checkpoints.size)


def semi_policy(problem, horizon, checkpoints, streams):
    return np.zeros(checkpoints.size)


def matroid_policy(means, matroid, users, horizon, checkpoints, streams):
    return np.zeros(checkpoints.size)


def test_the_arguments_tell_the_setting():
    wanted = {forgetful: "stochastic", cascade_policy: "cascade", semi_policy: "semi-bandit", matroid_policy: "matroid"}
    assert {f: setting_of(f) for f in wanted} == wanted
    for record in catalogue.algorithms().values():
        assert setting_of(record.function) == record.setting and as_algorithm(record.name) is as_algorithm(record)


def test_ones_own_lines_are_nobody_elses():
    looks = {(a.colour, a.dash) for a in catalogue.algorithms().values()}
    mine = [as_algorithm(policy) for policy in (forgetful, blind, cascade_policy, semi_policy)]
    assert not looks & {(a.colour, a.dash) for a in mine} and len({a.dash for a in mine}) > 1


def test_a_signature_that_fits_nowhere():
    with pytest.raises(
        ValueError,
        match=r"^<lambda>\(means, rounds\) does not fit: its arguments must begin with one of: means, horizon, ",
    ):
        as_algorithm(lambda means, rounds: 0)


@pytest.mark.slow
def test_a_claim_is_a_label_and_nothing_else():
    mine = claim(forgetful, " Each reward is released once. ")
    assert mine.guarantee(mine.bind({"epsilon": 0.5})).as_dict() == {
        "epsilon": 0.5,
        "delta": 0.0,
        "scope": "transcript",
        "unit": "one reward",
        "neighbouring": "the same rewards with one of them changed",
        "status": "as claimed, unchecked",
        "theorem": "",
        "note": "Each reward is released once.",
        "label": "ε = 0.5 transcript (as claimed, unchecked)",
    }
    results = [simulate(policy, "two-arms", **SMALL) for policy in (forgetful, mine)]
    labels = [json.loads(r.attrs["guarantees"])["forgetful"]["label"] for r in results]
    assert labels == ["privacy unknown", "ε = 1 transcript (as claimed, unchecked)"]
    assert np.array_equal(results[0].regret, results[1].regret)


def test_a_claim_may_follow_the_parameters():
    composed = claim(forgetful, "By composition.", epsilon=lambda epsilon: 3 * epsilon, delta=1e-6)
    assert (
        composed.guarantee(composed.bind({"epsilon": 0.5})).label == "(1.5, 1e-06) transcript (as claimed, unchecked)"
    )
    assert claim(blind, "It looks at nothing.", epsilon=0).guarantee({"epsilon": 9.0}).epsilon == 0


@pytest.mark.parametrize(
    "settings, words",
    [
        (dict(why=""), "why = '' is not allowed: say in a sentence why the guarantee holds."),
        (
            dict(scope="always"),
            "scope = 'always' is not allowed: it must be one of per-selection, transcript, local, global.",
        ),
        (dict(epsilon="eps"), "Unknown parameter 'eps' of forgetful."),
        (
            dict(epsilon=lambda width: width),
            "epsilon(width) is not allowed (forgetful): it must be a function of (epsilon).",
        ),
        (dict(epsilon=-1), "epsilon = -1 is not allowed (forgetful): it must be a finite number >= 0."),
        (dict(delta=math.nan), "delta = nan is not allowed (forgetful): it must be a finite number >= 0 and <= 1."),
    ],
)
def test_bad_claims(settings, words):
    with pytest.raises(ValueError) as caught:
        claim(forgetful, **{"why": "It does."} | settings)
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize("instance", ["two-arms", bernoulli([0.8, 0.2, 0.5])])
@pytest.mark.slow
def test_compare_is_simulate_with_everybody_best_first(instance):
    result = compare(forgetful, instance, epsilon=2.0, delta=0.1, seed=4, **SMALL)
    names = [name for name, a in catalogue.algorithms().items() if a.setting == "stochastic"]
    assert set(result.algorithm.values) == {"forgetful", *names}
    final = result.regret.isel(round=-1).mean("run").values
    assert (np.diff(final) >= 0).all()
    alone = simulate([forgetful, "dp-ucb"], instance, epsilon=2.0, seed=4, **SMALL)
    for name in ("forgetful", "dp-ucb"):
        assert np.array_equal(result.regret.sel(algorithm=name), alone.regret.sel(algorithm=name))


@pytest.mark.slow
@pytest.mark.parametrize(
    "policy, instance, setting",
    [
        (cascade_policy, "cascade-paper", "cascade"),
        (semi_policy, "top-k", "semi-bandit"),
        (matroid_policy, "matroid-table-6.1", "matroid"),
    ],
)
def test_compare_plays_in_every_setting(policy, instance, setting):
    result = compare(policy, instance, **SMALL)
    assert result.sizes["algorithm"] == 1 + sum(a.setting == setting for a in catalogue.algorithms().values())
    assert result.algorithm.values[0] == policy.__name__


def test_who_cannot_be_played_is_left_out_and_told():
    result = compare([forgetful, blind], "wang-zhu-1", arms=5, delta=0.0, **SMALL)
    assert "dp-ftpl-gauss" not in result.algorithm.values and {"forgetful", "blind"} < set(result.algorithm.values)
    assert "note: dp-ftpl-gauss is left out: delta = 0 is not allowed (dp-ftpl-gauss)" in summary(result)
    assert json.loads(result.attrs["instance_parameters"])["arms"] == 5


@pytest.mark.parametrize(
    "settings, words",
    [
        (dict(policy=[]), "policy = [] is not allowed: give at least one."),
        (dict(policy=None), "algorithm = None is not allowed"),
        (dict(policy=int), "algorithm = <class 'int'> is not allowed: give a function written with def."),
        (dict(policy=partial(forgetful, epsilon=2.0)), "is not allowed: give a function written with def."),
        (dict(policy=cascade_policy), "cascade_policy plays in the cascade setting"),
        (dict(epsilon=-1.0), "epsilon = -1 is not allowed"),
        (dict(eps=1.0), "Unknown parameter 'eps'"),
        (dict(instance="three-arms"), "Unknown instance 'three-arms'."),
        (dict(horizon=0), "horizon = 0 is not allowed"),
        (dict(instance=build("two-arms"), gap=0.1), "Unknown parameter 'gap'"),
    ],
)
def test_bad_input(settings, words):
    with pytest.raises(ValueError) as caught:
        compare(**{"policy": "adap-ucb", "instance": "two-arms", **SMALL} | settings)
    assert words in str(caught.value)
