"""One clear sentence for every bad value, and normal forms for good ones."""

import math

import numpy as np
import pytest

from dpbandits.parameters import (
    DELTA,
    EPSILON,
    HORIZON,
    MEANS,
    RUNS,
    SEED,
    Parameter,
    check_all,
    check_function,
    unknown,
)

PATH = Parameter("folder", "", kind="text")
CHOICE = Parameter("start", "", "given", kind="choice", choices=("given", "round-robin"))
FLAG = Parameter("printed", "", False, kind="flag")
SCALE = Parameter("scale", "", 1.0, low=0, infinite=True)
ONE = Parameter("shares", "", kind="vector")
ANY = Parameter("table", "", kind="vectors", min_size=0)
EDGES = Parameter("edges", "", kind="vectors", low=0, min_size=2)


@pytest.mark.parametrize(
    "parameter, value, normal",
    [
        (EPSILON, 1, 1.0),
        (EPSILON, np.float32(0.5), 0.5),
        (EPSILON, 1e-12, 1e-12),
        (DELTA, 1, 1.0),
        (HORIZON, 10.0, 10),
        (HORIZON, np.int64(7), 7),
        (SEED, 0, 0),
        (SCALE, math.inf, math.inf),
        (SCALE, 0, 0.0),
        (MEANS, [0, 1], (0.0, 1.0)),
        (MEANS, np.array([0.25, 0.5]), (0.25, 0.5)),
        (MEANS, (x / 2 for x in range(3)), (0.0, 0.5, 1.0)),
        (CHOICE, "round-robin", "round-robin"),
        (FLAG, True, True),
        (FLAG, "false", False),
        (FLAG, "True", True),
        (FLAG, 1, True),
        (FLAG, np.bool_(True), True),
        (EDGES, [[0, 1], (2,)], ((0.0, 1.0), (2.0,))),
        (EDGES, np.eye(2), ((1.0, 0.0), (0.0, 1.0))),
        (EDGES, [[], [3]], ((), (3.0,))),
    ],
)
def test_good_values_take_their_normal_form(parameter, value, normal):
    checked = parameter.check(value)
    assert checked == normal and type(checked) is type(normal)


@pytest.mark.parametrize(
    "parameter, value, sentence",
    [
        (EPSILON, 0, "epsilon = 0 is not allowed: it must be a finite number > 0."),
        (EPSILON, -0.5, "epsilon = -0.5 is not allowed: it must be a finite number > 0."),
        (EPSILON, math.nan, "epsilon = nan is not allowed: it must be a finite number > 0."),
        (EPSILON, math.inf, "epsilon = inf is not allowed: it must be a finite number > 0."),
        (EPSILON, "1", "epsilon = '1' is not allowed: it must be a finite number > 0."),
        (EPSILON, True, "epsilon = True is not allowed: it must be a finite number > 0."),
        (EPSILON, None, "epsilon = None is not allowed: it must be a finite number > 0."),
        (EPSILON, [1], "epsilon = [1] is not allowed: it must be a finite number > 0."),
        (EPSILON, 1 + 0j, "epsilon = (1+0j) is not allowed: it must be a finite number > 0."),
        (DELTA, 1.5, "delta = 1.5 is not allowed: it must be a finite number > 0 and <= 1."),
        (HORIZON, 0, "horizon = 0 is not allowed: it must be an integer >= 1 and <= 1e+12."),
        (HORIZON, 2.5, "horizon = 2.5 is not allowed: it must be an integer >= 1 and <= 1e+12."),
        (HORIZON, math.inf, "horizon = inf is not allowed: it must be an integer >= 1 and <= 1e+12."),
        (RUNS, "many", "runs = 'many' is not allowed: it must be an integer >= 1 and <= 1e+06."),
        (SCALE, -math.inf, "scale = -inf is not allowed: it must be a number or infinity >= 0."),
        (MEANS, [0.5], "means = [0.5] is not allowed: it must be at least 2 finite numbers, each >= 0 and <= 1."),
        (
            MEANS,
            [0.5, 1.2],
            "means = [0.5, 1.2] is not allowed: it must be at least 2 finite numbers, each >= 0 and <= 1.",
        ),
        (
            MEANS,
            [0.5, math.nan],
            "means = [0.5, nan] is not allowed: it must be at least 2 finite numbers, each >= 0 and <= 1.",
        ),
        (
            MEANS,
            "0.5,0.6",
            "means = '0.5,0.6' is not allowed: it must be at least 2 finite numbers, each >= 0 and <= 1.",
        ),
        (
            MEANS,
            [[0.5, 0.6]],
            "means = [[0.5, 0.6]] is not allowed: it must be at least 2 finite numbers, each >= 0 and <= 1.",
        ),
        (
            EDGES,
            [[1, 2]],
            "edges = [[1, 2]] is not allowed: it must be at least 2 vectors of finite numbers, each >= 0.",
        ),
        (EDGES, [1, 2], "edges = [1, 2] is not allowed: it must be at least 2 vectors of finite numbers, each >= 0."),
        (
            EDGES,
            [[1, 2], [-1]],
            "edges = [[1, 2], [-1]] is not allowed: it must be at least 2 vectors of finite numbers, each >= 0.",
        ),
        (ONE, [], "shares = [] is not allowed: it must be at least one finite number."),
        (ANY, [1], "table = [1] is not allowed: it must be vectors of finite numbers."),
        (
            EDGES,
            ["12", "34"],
            "edges = ['12', '34'] is not allowed: it must be at least 2 vectors of finite numbers, each >= 0.",
        ),
        (PATH, 3, "folder = 3 is not allowed: it must be a text."),
        (PATH, "", "folder = '' is not allowed: it must be a text."),
        (PATH, b"data", "folder = b'data' is not allowed: it must be a text."),
        (CHOICE, "random", "start = 'random' is not allowed: it must be one of given, round-robin."),
        (CHOICE, ["given"], "start = ['given'] is not allowed: it must be one of given, round-robin."),
        (FLAG, "yes", "printed = 'yes' is not allowed: it must be true or false."),
        (FLAG, 2, "printed = 2 is not allowed: it must be true or false."),
    ],
)
def test_bad_values_get_one_sentence(parameter, value, sentence):
    with pytest.raises(ValueError) as caught:
        parameter.check(value)
    assert str(caught.value) == sentence
    assert caught.value.__suppress_context__, "a user's mistake shows no inner traceback"


def test_the_owner_is_named():
    with pytest.raises(ValueError, match=r"^epsilon = 0 is not allowed \(dp-se\): it must be a finite number > 0\.$"):
        EPSILON.check(0, "dp-se")


def test_a_long_value_is_shortened():
    with pytest.raises(ValueError) as caught:
        MEANS.check([2.0] * 1000)
    assert len(str(caught.value)) < 200


def test_check_all_fills_defaults_and_refuses_the_rest():
    assert check_all([EPSILON, DELTA], {"epsilon": 2}, "x") == {"epsilon": 2.0, "delta": 0.01}
    with pytest.raises(ValueError, match=r"^horizon is missing \(x\): give horizon = an integer >= 1 and <= 1e\+12\.$"):
        check_all([HORIZON], {}, "x")
    with pytest.raises(ValueError, match=r"^Unknown parameter 'epsilo' of x\. Did you mean epsilon\?$"):
        check_all([EPSILON], {"epsilo": 1}, "x")
    with pytest.raises(ValueError, match=r"^Unknown parameter 'epsilon' of ucb1\. None is taken\.$"):
        check_all([], {"epsilon": 1}, "ucb1")


def test_a_default_need_not_lie_inside_the_domain_of_a_given_value():
    assert check_all([EPSILON.default_to(None)], {}, "x") == {"epsilon": None}


def test_unknown_lists_all_names_when_none_is_near():
    assert unknown("algorithm", "zzz", ["ucb1", "dp-se"]) == "Unknown algorithm 'zzz'. Known: ucb1, dp-se."
    assert unknown("algorithm", "ucb", ["ucb1", "dp-se"]) == "Unknown algorithm 'ucb'. Did you mean ucb1?"
    assert unknown("algorithm", "zzz", map(str, range(41))) == "Unknown algorithm 'zzz'."


def test_a_great_integer_is_not_rounded():
    assert SEED.check(2**60 + 1) == 2**60 + 1


@pytest.mark.parametrize(
    "function, sentence",
    [
        (lambda one: 0, "f(one) is not allowed (x): it must be a function of (rng, size)."),
        (3, "f = 3 is not allowed (x): it must be a function of (rng, size)."),
    ],
)
def test_a_function_with_other_arguments_is_refused(function, sentence):
    with pytest.raises(ValueError) as caught:
        check_function("f", function, ("rng", "size"), "x")
    assert str(caught.value) == sentence


def test_functions_that_fit_or_do_not_tell():
    check_function("f", lambda rng, size=1: 0, ("rng", "size"))
    check_function("f", lambda *rest: 0, ("rng", "size"))
    check_function("f", int, ("rng", "size"))
    check_function("f", lambda epsilon, **rest: 0, ("delta", "epsilon"), by_name=True)
