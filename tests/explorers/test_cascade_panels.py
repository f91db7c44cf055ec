"""The cascade explorers: their numbers against the modules they draw."""

import math

import numpy as np
import pytest

from dpbandits import catalogue, simulate, sweep
from dpbandits.environments import build
from dpbandits.explorers import cascade_bounds, cascade_regret, guess_the_click, list_size
from dpbandits.explorers.toolkit.theory import Curve

SMALL = {"horizon": 500, "runs": 2}


def test_regret_plays_the_noise_that_is_asked_for():
    panel = cascade_regret(["cascade-ldp-first"], noise_multiplier=0.5, epsilon=0.4, items=6, list_size=2, **SMALL)
    data = simulate(
        "cascade-ldp-first", "cascade-paper", noise_multiplier=0.5, epsilon=0.4, items=6, list_size=2, **SMALL
    )
    assert np.array_equal(panel.view.traces["cascade-ldp-first"].y, data.regret.mean("run").values)


def test_too_long_a_list_is_one_sentence():
    panel = cascade_regret(["cascade-ucb1"], **SMALL)
    panel.set(list_size=12, items=10)
    assert panel.error.startswith("list_size = 12 is not allowed") and not any(
        trace.visible for trace in panel.figure.data
    )


@pytest.mark.parametrize(
    "algorithm, upper, lower",
    [
        ("cascade-dp", 2, (12,)),
        ("cascade-ldp-laplace", 4, (11, 12)),  # who is locally private is centrally private too: the larger one
        ("cascade-ldp-gauss", 6, (11, 12)),
        ("cascade-ldp-composed", 8, (11, 12)),
    ],
)
def test_bounds_are_those_of_the_algorithm_and_its_scope(algorithm, upper, lower):
    panel = cascade_bounds(algorithm, epsilon=0.5, reach=10**6, **SMALL)
    known, given = catalogue.bounds(), {"horizon": 10**6, "epsilon": 0.5, "instance": "cascade-paper"}
    for name, numbers in (("upper", (upper,)), ("lower", lower)):
        wanted = max(known[f"cascading-theorem-{number}"].value(**given) for number in numbers)
        assert panel.view.traces[name].x[-1] == 10**6
        assert panel.view.traces[name].y[-1] == pytest.approx(wanted)
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
    assert (
        not panel.view.traces["lower"].visible and "it has no p" in panel.error and panel.view.traces["upper"].visible
    )


def test_noise_against_list_size_by_hand():
    # ε = .2, δ = .001: √2 K/ε; sqrt(2K ln 1250)/ε; √2 sqrt(4K ln(e + 200))/ε; √2/ε
    frame = list_size(epsilon=0.2, delta=0.001).frame().set_index("list_size").loc[9]
    expected = {
        "laplace": 2**0.5 * 45,
        "gauss": 5 * math.sqrt(18 * math.log(1250)),
        "composed": 5 * math.sqrt(72 * math.log(math.e + 200)),
        "first": 2**0.5 * 5,
    }
    for name, value in expected.items():
        assert frame[f"cascade-ldp-{name}"] == pytest.approx(value)


def test_crossing_points():
    # Gaussian below Laplace from K > ln(1.25/δ) = 7.13 on; composed from K > 4 ln(e + ε/δ) = 21.25 on
    panel = list_size(epsilon=0.2, delta=0.001)
    assert (
        panel.summary_text
        == "Crossings up to K = 40: gauss below laplace from K = 8; composed below laplace from K = 22."
    )
    assert sorted(panel.view.traces["crossing"].x) == [8, 22]
    panel.set(longest=7)
    assert "none" in panel.summary_text and not panel.view.traces["crossing"].visible


def test_bonus_is_that_of_the_index_after_uniform_play():
    panel = list_size("bonus", epsilon=0.5, delta=0.01, items=10, top_mean=0.3, other_mean=0.3, horizon=1000)
    row = panel.frame().set_index("list_size").loc[3]
    n = 1000 * (1 + 0.7 + 0.49) / 10  # three places, read with probabilities 1, .7, .7²
    assert row["cascade-ldp-laplace"] == pytest.approx(6 * math.sqrt(24 * math.log(1000) / n))
    sigma = math.sqrt(6 * math.log(125)) / 0.5
    assert row["cascade-ldp-gauss"] == pytest.approx(sigma * math.sqrt(2 * math.log(2e9) / n))
    assert row["cascade-ldp-composed"] == pytest.approx(8 * math.sqrt(18 * math.log(math.e + 50) * math.log(1000) / n))
    assert row["cascade-ldp-first"] == pytest.approx(2 * math.sqrt(24 * math.log(1000) / 100))


def test_regret_against_list_size_is_the_sweeps():
    panel = list_size("regret", longest=9, **SMALL)
    data = eval(panel.code(), {"sweep": sweep}).regret.isel(round=-1).mean("run")
    frame = panel.frame()
    for name in data.algorithm.values:
        assert np.array_equal(frame[name], data.sel(algorithm=name).values), name
    uniform = panel.view.traces["chance"]
    assert list(uniform.x) == list(data.list_size.values) == list(frame["list_size"])
    assert uniform.y[1] == pytest.approx(500 * build("cascade-paper", list_size=int(uniform.x[1])).uniform_regret)


def test_the_list_size_stands_on_the_axis():
    with pytest.raises(ValueError, match="Unknown parameter 'list_size'"):
        list_size(list_size=3)


@pytest.mark.parametrize("algorithm", ["cascade-ldp-laplace", "cascade-ldp-gauss", "cascade-ldp-composed"])
def test_counting_reports_beats_what_epsilon_allows(algorithm):
    panel = guess_the_click(algorithm, epsilon=0.1, list_size=5)
    for _ in range(30):
        position, reports = panel.user(panel.number)
        assert reports.size == min(position, 5) == panel.view.traces["report"].y.size
        panel.guess(reports.size)
    assert panel.number == len(panel.yours) == len(panel.rules) == 30
    assert panel.yours == [panel.user(n)[0] != 6 for n in range(30)]
    panel.let_the_rule_play()
    assert len(panel.rules) == 130 and len(panel.yours) == 30 and "too often" in panel.caption.value
    assert panel.view.traces["rules"].y[-1] == pytest.approx(np.mean(panel.rules)) and np.mean(panel.rules) > 0.75


def test_the_repaired_one_keeps_its_word():
    panel = guess_the_click("cascade-ldp-first", epsilon=1.0, list_size=4)
    assert {panel.user(n)[1].size for n in range(50)} == {1}
    panel.let_the_rule_play(2000)
    assert "too often" not in panel.caption.value
    limit = panel.view.traces["limit"].y[0]
    assert limit == pytest.approx(math.e / (4 + math.e)) and np.mean(panel.rules) < limit
    assert panel.view.traces["chance"].y[0] == 0.2


def test_a_new_setting_is_a_new_game():
    panel = guess_the_click(list_size=3)
    shown = lambda: [b.description for b in panel.guesses if b.layout.display != "none"]
    assert shown() == ["position 1", "position 2", "position 3", "no click"]
    first = panel.user(0)[0]
    panel.guesses[first - 1].click()
    assert panel.message.startswith("Right") and panel.yours == [True] and "User 2" in panel.figure.layout.title.text
    panel.guesses[panel.user(1)[0] % 4].click()
    assert panel.message.startswith("Wrong") and panel.yours == [True, False]
    panel.set(list_size=2)
    assert panel.yours == panel.rules == [] and len(shown()) == 3 and "User 1" in panel.figure.layout.title.text
