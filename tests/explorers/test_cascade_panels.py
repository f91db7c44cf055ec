"""The cascade explorers: their numbers against the modules they draw."""

import numpy as np
import pytest

from dpbandits import catalogue, simulate
from dpbandits.explorers import cascade_bounds, cascade_regret
from dpbandits.explorers.theory import Curve

SMALL = {"horizon": 500, "runs": 2}


def test_regret_plays_the_noise_that_is_asked_for():
    panel = cascade_regret(["cascade-ldp-first"], noise_multiplier=0.5, epsilon=0.4, items=6, list_size=2, **SMALL)
    data = simulate("cascade-ldp-first", "cascade-paper", noise_multiplier=0.5, epsilon=0.4, items=6, list_size=2, **SMALL)
    assert np.array_equal(panel.figure.data[panel.places["cascade-ldp-first"][1]].y, data.regret.mean("run").values)


def test_too_long_a_list_is_one_sentence():
    panel = cascade_regret(["cascade-ucb1"], **SMALL)
    panel.set(list_size=12, items=10)
    assert panel.error.startswith("list_size = 12 is not allowed") and not any(trace.visible for trace in panel.figure.data)


@pytest.mark.parametrize(
    "algorithm, upper, lower",
    [("cascade-dp", 2, 12), ("cascade-ldp-laplace", 4, 11), ("cascade-ldp-gauss", 6, 11), ("cascade-ldp-composed", 8, 11)],
)
def test_bounds_are_those_of_the_algorithm_and_its_scope(algorithm, upper, lower):
    panel = cascade_bounds(algorithm, epsilon=0.5, reach=10**6, **SMALL)
    known, given = catalogue.bounds(), {"horizon": 10**6, "epsilon": 0.5, "instance": "cascade-paper"}
    for place, number in ((2, upper), (4, lower)):
        assert panel.figure.data[place].x[-1] == 10**6
        assert panel.figure.data[place].y[-1] == pytest.approx(known[f"cascading-theorem-{number}"].value(**given))
    assert "Theorem" in panel.table.value and "does not, and may lose less" in panel.caption.value


def test_where_a_bound_begins_to_say_something():
    panel = cascade_bounds("cascade-ldp-laplace", reach=10**9, **SMALL)
    frame = panel.frame().dropna(subset="upper_bound")
    worst = panel.cells[0].instance.worst_regret
    first = frame["round"][frame["upper_bound"] < worst * frame["round"]].min()
    bound = catalogue.bounds()["cascading-theorem-4"]
    assert 7_000_000 < first < 9_000_000 and "from about T = 7,200,000 on" in panel.summary_text
    for horizon, below in ((7_100_000, False), (7_300_000, True)):
        assert (bound.value(horizon=horizon, epsilon=1, instance="cascade-paper") < worst * horizon) is below
    panel.set(reach=10**6)
    assert "never below the worst policy" in panel.summary_text


def test_crossing_of_a_curve_with_a_line():
    x = np.array([1.0, 10, 100, 1000])
    curve = Curve(None, x, 20 * x**0.5, 0.0, ())
    assert curve.falls_below(1.0) == pytest.approx(400)  # straight in log scales, so exact
    assert curve.falls_below(100.0) == 1.0 and curve.falls_below(0.1) is None


def test_a_lower_bound_waits_for_two_levels():
    panel = cascade_bounds("cascade-dp", "cascade", attraction=[0.4, 0.3, 0.1], list_size=1, **SMALL)
    assert not panel.figure.data[4].visible and "it has no p" in panel.error and panel.figure.data[2].visible
