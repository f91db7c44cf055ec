"""Regret against a parameter: its numbers against sweep() and the bounds, its slopes against scipy, its limits."""

import asyncio

import numpy as np
import pytest

from dpbandits import catalogue, simulate, sweep
from dpbandits.environments import build
from dpbandits.explorers import sweep_over
from dpbandits.explorers.toolkit.axes import AXES, PRESETS
from dpbandits.explorers.toolkit.simulation_panel import LIVE_WORK
from dpbandits.explorers.toolkit.slopes import fitted, steepest
from dpbandits.mechanisms.perturbations import pulls_needed_gauss

SMALL = {"points": 3, "horizon": 300, "runs": 2}


@pytest.mark.parametrize(
    ("setting", "over", "given", "dimension", "values"),
    [
        ("stochastic", "delta", {"epsilon": 0.0, "low": 0.01, "high": 1}, "delta", [0.01, 0.1, 1]),
        ("stochastic", "arms", {"low": 2, "high": 8}, "arms", [2, 4, 8]),
        ("cascade", "list_size", {"low": 1, "high": 9}, "list_size", [1, 3, 9]),
        ("cascade", "gap", {"low": 0.01, "high": 0.16}, "other_mean", [0.19, 0.16, 0.04]),
        ("semi-bandit", "gap", {"low": 0.1, "high": 0.4}, "gap", [0.1, 0.2, 0.4]),
        ("matroid", "items", {"low": 4, "high": 16, "matroid": "transversal"}, "items", [4, 8, 16]),
    ],
)
def test_numbers_are_the_sweeps(setting, over, given, dimension, values):
    panel = sweep_over(setting, over, **given, **SMALL)
    data = eval(panel.code(), {"sweep": sweep}).regret.isel(round=-1)
    assert list(data[dimension].values) == values
    frame = panel.frame()
    for name in data.algorithm.values:
        drawn = frame[frame.algorithm == name]
        assert np.array_equal(drawn.regret_mean, data.sel(algorithm=name).mean("run").values)
        assert np.allclose(drawn.regret_std, data.sel(algorithm=name).std("run", ddof=1).values)
        assert np.array_equal(panel.view.traces[name].y, drawn.regret_mean)


@pytest.mark.parametrize("over", ["horizon", "noise_multiplier"])
def test_what_sweep_cannot_move_is_a_list_of_calls(over):
    panel = sweep_over(
        "cascade", over, low=0.01 if over != "horizon" else 50, high=1 if over != "horizon" else 200, **SMALL
    )
    series = eval(panel.code(), {"simulate": simulate})
    for name in panel.values["algorithms"]:
        own = [data.regret.isel(round=-1).sel(algorithm=name).mean("run").item() for data in series]
        assert np.array_equal(panel.view.traces[name].y, own)
    if over == "horizon":
        assert [int(data["round"][-1]) for data in series] == [50, 100, 200]


def test_noise_moves_the_bonus_alike():
    panel = sweep_over("semi-bandit", "noise_multiplier", algorithms=["cucb-ldp-gauss"], low=0.1, high=1, **SMALL)
    both = {"noise_multiplier": 0.1, "bonus_multiplier": 0.1, "arms": 12, "list_size": 3}
    data = simulate("cucb-ldp-gauss", "good-arms", horizon=300, runs=2, seed=0, **both)
    assert panel.view.traces["cucb-ldp-gauss"].y[0] == data.regret.isel(round=-1).mean("run").item()


def test_who_does_not_take_the_parameter_is_played_once():
    panel = sweep_over("cascade", "epsilon", algorithms=["cascade-ucb1", "cascade-ldp-laplace"], **SMALL)
    assert len(panel.cells) == 1 + 3
    assert len(set(panel.view.traces["cascade-ucb1"].y)) == 1 and len(panel.view.traces["cascade-ucb1"].y) == 3


def by_hand(u, w):
    """(slope, standard error, level) of the least-squares line, from the textbook's sums."""
    du, dw = u - u.mean(), w - w.mean()
    slope = (du * dw).sum() / (du**2).sum()
    rest = dw - slope * du
    return slope, np.sqrt((rest**2).sum() / (u.size - 2) / (du**2).sum()), w.mean() - slope * u.mean()


def test_fit_is_the_textbooks():
    rng = np.random.default_rng(7)
    x = np.geomspace(0.01, 10, 9)
    y = 5 * x**-1.3 * np.exp(rng.normal(0, 0.2, 9))
    assert fitted(x, y) == pytest.approx(by_hand(np.log(x), np.log(y)), rel=1e-10)
    y[3] = 0
    known = by_hand(np.log(np.delete(x, 3)), np.log(np.delete(y, 3)))
    assert fitted(x, y) == pytest.approx(known, rel=1e-10)
    assert np.isnan(fitted(x[:2], y[:2])[1]) and fitted(x[:2], y[:2])[0] == pytest.approx(
        np.log(y[1] / y[0]) / np.log(x[1] / x[0])
    )
    assert np.isnan(fitted(x[:1], y[:1])).all()


def test_steepest_piece():
    x = np.array([1.0, 2, 4, 8, 16])
    y = np.array([64.0, 64, 16, 4, 4])
    assert steepest(x, y) == (-2.0, 2.0, 8.0)
    assert steepest(1 / x, y) == (2.0, 1 / 8, 1 / 2)  # whatever the order


def test_table_holds_the_fit_and_its_error():
    panel = sweep_over("stochastic", "epsilon", points=5, horizon=3000, runs=2)
    trace = panel.view.traces["dp-ftpl-new"]
    slope, error, level = by_hand(np.log(trace.x), np.log(trace.y))
    assert f"{slope:.2f} ± {error:.2f}" in panel.table.value
    x = trace.x.copy()
    panel.set(inverse=True)
    assert np.allclose(trace.x, 1 / x)
    assert panel.summary_text.startswith("Regret against 1/ε: ") and " at ε = 0.01 to " in panel.summary_text
    assert f"{-slope:.2f} ± {error:.2f}" in panel.table.value
    panel.set(inverse=False, fit=True)
    line = panel.view.traces["dp-ftpl-new: fit"]
    assert np.allclose(line.y, np.exp(level) * line.x**slope)


def test_terms_have_the_slopes_of_one_and_two():
    panel = sweep_over("stochastic", "delta", epsilon=0.0, low=1e-3, high=1, theory="term", **SMALL)
    for name, slope in (("dp-ftpl-gauss", -2), ("dp-ftpl-new", -1)):
        guide = panel.view.traces[f"{name}: theory"]
        assert np.polyfit(np.log(guide.x), np.log(guide.y), 1)[0] == pytest.approx(slope, abs=0.01)
    gauss = panel.view.traces["dp-ftpl-gauss: theory"]
    assert gauss.y[0] == pytest.approx(pulls_needed_gauss(0.0, 0.001) * sum(0.05 * i for i in range(9)))


def test_upper_bound_beside():
    panel = sweep_over("cascade", "list_size", low=1, high=9, theory="upper", epsilon=0.7, **SMALL)
    bound = catalogue.bounds()["cascading-theorem-4"]
    wanted = [
        bound.value(horizon=300, epsilon=0.7, constants="corrected", instance=build("cascade-paper", list_size=k))
        for k in (1, 3, 9)
    ]
    assert np.allclose(panel.view.traces["cascade-ldp-laplace: theory"].y, wanted, rtol=1e-12)
    assert not panel.view.traces["cascade-ucb1: theory"].visible
    frame = panel.frame()
    assert np.allclose(frame[frame.algorithm == "cascade-ldp-laplace"].theory, wanted, rtol=1e-12)


def test_bounds_with_less_noise_are_those_of_a_larger_epsilon():
    """Noise and bonus × 0.1 make the algorithm at ε/0.1: the same runs, so the same theorem."""
    less = {"noise_multiplier": 0.1, "bonus_multiplier": 0.1}
    panel = sweep_over(
        "cascade",
        low=0.1,
        high=1,
        theory="upper",
        algorithms=["cascade-ldp-laplace", "cascade-ldp-composed"],
        **less,
        **SMALL,
    )
    value = catalogue.bounds()["cascading-theorem-4"].value
    wanted = value(horizon=300, epsilon=1.0, constants="corrected", instance="cascade-paper")
    assert panel.view.traces["cascade-ldp-laplace: theory"].y[0] == pytest.approx(wanted)
    assert not panel.view.traces["cascade-ldp-composed: theory"].visible
    assert "No theorem is about cascade-ldp-composed with its noise × 0.1" in panel.caption.value
    panel.set(bonus_multiplier=1.0)
    assert not panel.view.traces["cascade-ldp-laplace: theory"].visible


def test_lower_bound_beside():
    panel = sweep_over("semi-bandit", "epsilon", instance="k-path", arms=12, list_size=3, theory="lower", **SMALL)
    curve = panel.view.traces["cucb-ldp2: theory"]
    bounds = catalogue.bounds()
    at = {"horizon": 300, "epsilon": curve.x[0], "constants": "corrected"}
    path = build("k-path", arms=12, list_size=3)
    wanted = [bounds[f"chen-theorem-{n}"].value(**at, instance=path) for n in (6, 9)]
    assert curve.y[0] == pytest.approx(max(wanted))
    assert not panel.view.traces["cucb: theory"].visible


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.slow
def test_presets_open_at_the_figure(name):
    figure = PRESETS[name]
    settings = figure.settings_at("quick")
    panel = sweep_over(preset=name, horizon=200, runs=1, points=3)
    values = settings[figure.look["over"]]
    assert (panel.values["low"], panel.values["high"]) == (min(values), max(values))
    assert set(panel.values["algorithms"]) == set(settings["algorithm"])
    assert panel.values["instance"] == settings["instance"] and panel.values["seed"] == settings["seed"]
    for parameter in ("epsilon", "delta", "method", "arms", "list_size"):
        if parameter in settings and parameter in panel.controls and parameter != figure.look["over"]:
            assert panel.values[parameter] == settings[parameter]
    assert (
        panel.values["inverse"] is bool(figure.look.get("inverse"))
        and panel.values["log_x"] is not panel.values["inverse"]
    )
    if name.startswith("cascading"):
        assert panel.values["noise_multiplier"] == panel.values["bonus_multiplier"] == 0.01
    assert not panel.error


def test_whole_presets_are_within_what_a_panel_may_cost():
    for figure in PRESETS.values():
        settings = figure.settings_at("quick")
        arms = {"wang-zhu-1": 9, "cascade-paper": 20, "k-path": 6, "matroid-table-6.1": 7}[settings["instance"]]
        cells = len(settings["algorithm"]) * len(settings[figure.look["over"]]) * settings["runs"]
        assert cells * settings["horizon"] * arms <= LIVE_WORK, figure.name


def test_what_costs_too_much_is_refused_before_it_starts():
    panel = sweep_over(**SMALL)
    panel.set(runs=1000, horizon=10**6)
    assert panel.error.startswith(
        "points = 3, runs = 1000, T up to 1,000,000 and 2 algorithms are not allowed together"
    )
    assert panel.blank and panel.engine.job is None


def test_first_points_span_the_axis_and_the_rest_follows():
    async def play():
        panel = sweep_over("cascade", "epsilon", points=9, horizon=20_000, runs=3, seed=11)
        early = {name: np.size(t.x) for name, t in panel.view.traces.items() if t.visible is True}
        first = [panel.xs[id(cell)] for cell in panel.cells if cell.algorithm.name == "cascade-ldp-laplace"]
        running = not panel.engine.job.ended.is_set()
        panel.finish()
        return panel, early, first, running

    panel, _, first, _ = asyncio.run(play())
    assert [places[0] for places in first[:3]] == [0.01, 10.0, pytest.approx(0.316)]
    assert (
        np.size(panel.view.traces["cascade-ldp-laplace"].x) == 9 and "3 runs a point" in panel.figure.layout.title.text
    )


def test_partial_results_are_drawn():
    panel = sweep_over("cascade", "epsilon", points=5, horizon=300, runs=2)
    whole = panel.finished(panel.engine.job)
    panel.plot(whole[:4])
    trace = panel.view.traces["cascade-ldp-laplace"]
    assert 1 <= np.size(trace.x) < 5 and not panel.error


def test_values_without_an_instance_are_left_out_and_told():
    panel = sweep_over(
        "semi-bandit", "arms", instance="k-path", list_size=3, low=6, high=10, points=5, horizon=200, runs=1
    )
    assert list(panel.view.traces["cucb"].x) == [6, 9]
    assert "Left out" in panel.caption.value and "must be a multiple of 3" in panel.caption.value and not panel.error


def test_an_axis_brings_an_instance_and_an_algorithm_along():
    panel = sweep_over("matroid", **SMALL)
    assert panel.values["instance"] == "matroid-table-6.1"
    panel.set(over="list_size")
    assert panel.values["instance"] == "good-elements" and (panel.values["low"], panel.values["high"]) == (1, 8)
    assert list(panel.view.traces["dpts-mat"].x) == [1, 3, 8] and not panel.error
    panel.set(instance="matroid-table-6.1")  # which has one K
    assert panel.values["over"] == "epsilon" and (panel.values["low"], panel.values["high"]) == (0.01, 10)
    assert not panel.error
    panel = sweep_over("semi-bandit", **SMALL)
    panel.set(over="noise_multiplier")
    assert panel.values["algorithms"] == ("cucb", "cucb-ldp1", "cucb-ldp2", "cucb-ldp-gauss") and not panel.error


@pytest.mark.parametrize("setting", AXES)
@pytest.mark.slow
def test_every_axis_of_the_menu_draws(setting):
    panel = sweep_over(setting, **SMALL)
    for axis in AXES[setting]:
        panel.set(over=axis.name, **({"low": 100, "high": 1000} if axis.name == "horizon" else {}))
        assert not panel.blank, (axis.name, panel.blank)
        assert all(np.size(panel.view.traces[name].x) >= 2 for name in panel.values["algorithms"])


def test_sliders_end_where_the_axis_must():
    panel = sweep_over("cascade", "list_size", **SMALL)
    low, high = panel.controls["low"], panel.controls["high"]
    assert 10**high.slider.max == pytest.approx(20, rel=0.05) and panel.values["items"] == 20
    assert 10**low.slider.max < panel.values["high"] and 10**low.slider.min <= 1
    low.slider.value = low.slider.value * 1e3  # beyond the other end
    assert not panel.error and panel.values["low"] < panel.values["high"]
    panel.reset()
    panel.set(items=8)
    assert 10**high.slider.max == pytest.approx(20)  # no longer fits where it stands: K = 10 is left out, and told
    assert "Left out 1 value: list_size = 10 is not allowed" in panel.caption.value


def test_what_plays_no_part_says_why():
    panel = sweep_over("cascade", "list_size", algorithms=["cascade-ldp-laplace"], theory="none", **SMALL)
    why = {name: panel.controls[name].children[0].tooltip for name in ("list_size", "delta", "constants", "items")}
    assert "it is what moves along the axis, list size K" in why["list_size"]
    assert "none of the chosen algorithms takes it" in why["delta"] and "no theorem is drawn" in why["constants"]
    assert "plays no part" not in why["items"]


def test_a_slider_stops_at_what_costs_too_much():
    panel = sweep_over("stochastic", points=2, horizon=1000, runs=1)
    runs = panel.controls["runs"]
    assert runs.fits(100) and not runs.fits(1000 * 60)
    assert not panel.controls["horizon"].fits(10**8) and panel.controls["horizon"].fits(10**6)


def test_axis_that_means_nothing_there_is_refused():
    with pytest.raises(ValueError, match="over = 'list_size' is not allowed on matroid-table-6.1.*; good-elements"):
        sweep_over("matroid", "list_size", instance="matroid-table-6.1", **SMALL)
    panel = sweep_over("cascade", **SMALL)
    panel.set(algorithms=["cascade-ucb1"])
    assert panel.error == "over = 'epsilon' is not allowed: none of the chosen algorithms takes it."


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: sweep_over("chess"), "Unknown setting 'chess'"),
        (lambda: sweep_over("cascade", "colour"), "Unknown parameter to vary 'colour' in the cascade setting"),
        (lambda: sweep_over("cascade", preset="cascading-fig-9"), "Did you mean cascading-fig-1e"),
        (lambda: sweep_over("matroid", preset="cascading-fig-1e"), "it is of the cascade setting"),
        (lambda: sweep_over("cascade", colour=3, **SMALL), "colour"),
        (lambda: sweep_over("cascade", theory="all", **SMALL), "theory = 'all' is not allowed"),
        (lambda: sweep_over("stochastic", "delta", algorithms=["ucb2"]), "Did you mean ucb1"),
    ],
)
def test_bad_arguments(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_axis_must_rise():
    panel = sweep_over(points=2, horizon=100, runs=1)
    panel.set(low=1.0, high=0.01)
    assert panel.error.startswith("low = 1 is not allowed")


@pytest.mark.filterwarnings("ignore:.*runs as plain Python")
def test_a_policy_of_ones_own_whose_name_is_text():
    def policy(means, horizon, checkpoints, streams, epsilon=1.0):
        return checkpoints / epsilon

    policy.__name__ = "<b>mine"
    panel = sweep_over("stochastic", algorithms=[policy, "ucb1"], **SMALL)
    assert "<b>mine" not in panel.table.value and "&lt;b&gt;mine" in panel.table.value
    assert panel.view.traces["<b>mine"].name == "&lt;b&gt;mine"
    assert np.allclose(panel.view.traces["<b>mine"].y, 300 / panel.view.traces["<b>mine"].x)
    assert "-1.00 ± 0.00" in panel.table.value


def test_who_cannot_be_played_along_all_of_the_axis_is_left_out():
    panel = sweep_over(
        "cascade", "delta", algorithms=["cascade-ldp-gauss", "cascade-ldp-laplace"], low=0.01, high=1, **SMALL
    )
    assert panel.error.startswith("delta = ") and "cascade-ldp-gauss" not in panel.code()
    panel.set(high=0.5)
    assert not panel.error and "cascade-ldp-gauss" in panel.code()
    assert eval(panel.code(), {"sweep": sweep}).delta.size == 3


@pytest.mark.parametrize("level", [500.0, 1000.0, 1234.56, 99_999.9, 133_284.375])
def test_a_level_line_has_slope_and_error_zero(level):
    """Where linregress divides 0 by 0 on some machines: an algorithm that the swept parameter does not touch."""
    assert fitted(np.geomspace(0.05, 10, 7), np.full(7, level)) == (0.0, 0.0, pytest.approx(np.log(level)))
