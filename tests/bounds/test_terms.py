"""Every bound in parts: they add up to its value (or the largest is it), and are what the formulas say."""

import math

import numpy as np
import pytest

from dpbandits.bounds import BOUNDS
from dpbandits.environments import build

#: What else a bound asks for; problems are drawn at random below.
ASKED = {"wang-zhu-theorem-4": {"c0": 0.05, "alpha": 0.2}}


def problem(bound, rng):
    """An instance of the bound's setting, or its own parameters, at random."""
    if not bound.facts:
        return {}
    if bound.setting == "stochastic":
        return {"instance": build("bernoulli", means=rng.uniform(0.1, 0.9, 5).round(3).tolist())}
    if bound.setting == "cascade":
        items = int(rng.integers(4, 12))
        return {
            "instance": build(
                "cascade-paper", items=items, list_size=3, top_mean=0.4, other_mean=round(rng.uniform(0.05, 0.3), 3)
            )
        }
    if bound.setting == "matroid":
        return {"instance": build("random-spanning-tree", graph_seed=int(rng.integers(99)))}
    family = bound.families[-1] if bound.families else "k-path"
    given = {"arms": 12, "gap": round(rng.uniform(0.05, 0.3), 3)} | (
        {} if family == "single-arms" else {"list_size": 3}
    )
    return {"instance": build(family, **given)}


def settings(bound, seed):
    rng = np.random.default_rng(seed)
    given = problem(bound, rng) | ASKED.get(bound.name, {})
    own = {p.name for p in bound.parameters}
    if "epsilon" in own:
        given["epsilon"] = float(np.exp(rng.uniform(-4, 2)))
    if "delta" in own:
        given["delta"] = float(np.exp(rng.uniform(-12, -1)))
    return given | {"horizon": int(np.exp(rng.uniform(1, 20)))}


def choices(bound):
    return ("printed", "corrected") if any(p.name == "constants" for p in bound.parameters) else (None,)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", BOUNDS)
def test_parts_make_the_value(name, seed):
    bound = BOUNDS[name]
    for constants in choices(bound):
        given = settings(bound, seed) | ({} if constants is None else {"constants": constants})
        found = bound.evaluate(**given)
        values = [term.value for term in found.terms]
        assert values and all(isinstance(v, float) for v in values)
        joined = max(values) if found.largest else sum(values)
        assert joined == pytest.approx(found.value, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", BOUNDS)
def test_parts_are_told_in_words_and_formula(name):
    bound = BOUNDS[name]
    for constants in choices(bound):
        for term in bound.evaluate(
            **settings(bound, 1) | ({} if constants is None else {"constants": constants})
        ).terms:
            assert term.words and term.formula
            assert term.formula.count("{") == term.formula.count("}") and "%" not in term.formula


def values_of(name, **given):
    return [term.value for term in BOUNDS[name].evaluate(**given).terms]


def test_parts_by_hand():
    """Of one bound of each paper, from the formulas alone."""
    log = math.log(10**6)
    gaps = [0.0, 0.05, 0.1, 0.4]
    width = (
        4
        / 0.05
        * math.log((10**6 * (math.exp(0.05) - 1) + 2 * 10**6 * 1e-5) / (2 * (math.exp(0.05) - 1) + 2 * 10**6 * 1e-5))
    )
    learn = [16 * log / gap for gap in gaps[1:]]
    wanted = [sum(x for x in learn if x >= width), width * sum(x < width for x in learn), 16]
    assert values_of("wang-zhu-theorem-16", horizon=10**6, epsilon=0.05, delta=1e-5, gaps=gaps) == pytest.approx(wanted)
    assert wanted[0] > 0 < wanted[1]

    order, b = 4 * (2 / 0.1 + 1 / 0.2) * log, 3 / 0.5
    wanted = [1.5 * order, 12 * b * order, 24 * b * b * order, 2 * math.pi**2 / 3 * 6]
    assert values_of(
        "cascading-theorem-4", horizon=10**6, epsilon=0.5, gaps=[0.1, 0.1, 0.2], list_size=3
    ) == pytest.approx(wanted)

    given = {"gaps_min": [0, 0.2, 0.5], "gaps_max": [0, 0.4, 0.5], "smoothness": 2.0}
    wanted = [128 * 4 * 4 * (1 / 0.2 + 1 / 0.5) * log, 2 * 3 * 0.5]
    assert values_of("chen-theorem-4", horizon=10**6, epsilon=0.5, **given) == pytest.approx(wanted)

    table = [[0.5, 0.1], [0.3, -0.1]]
    head = 108 * math.log(2 * 10**6)
    wanted = [head * (2 / 0.1 + 2 / 0.3), head * 2 * 2 / 0.25]
    assert values_of(
        "chandak-theorem-9", horizon=10**6, epsilon=0.5, gap_table=table, constants="printed"
    ) == pytest.approx(wanted)


def test_largest_of_two():
    given = {"items": 8, "list_size": 2, "p": 0.3, "gap": 0.1, "horizon": 10**6}
    low, high = (BOUNDS["cascading-theorem-12"].evaluate(epsilon=e, **given) for e in (1e-4, 1.0))
    assert low.value == low.terms[1].value > low.terms[0].value
    assert high.value == high.terms[0].value > high.terms[1].value
    assert low.terms[1].value == pytest.approx(6 * 0.7 / (200 * 1e-4) * math.log(10**6))
