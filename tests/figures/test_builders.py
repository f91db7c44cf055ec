"""The builders: what is drawn is what was measured, in at most 500 points a curve."""

import numpy as np
import pytest
import xarray as xr

from dpbandits import simulate, sweep
from dpbandits.figures import panel, region, regret, tradeoff
from dpbandits.figures.labels import MOST_POINTS, log_ticks, thin
from dpbandits.papers.catalogue import FIGURES


@pytest.fixture(scope="module")
def played():
    return simulate(
        ["ucb1", "dp-ftpl-new"],
        "wang-zhu-1",
        horizon=3000,
        runs=5,
        checkpoints=3000,
        spacing="linear",
        epsilon=1,
        delta=0.01,
    )


def named(figure):
    return {trace.name.split("<br>")[0]: trace for trace in figure.data if trace.name and trace.showlegend is not False}


def test_thin():
    assert list(thin(4)) == [0, 1, 2, 3]
    assert thin(10**5).size == MOST_POINTS and thin(10**5)[-1] == 10**5 - 1 and thin(1).tolist() == [0]


def test_regret_draws_mean_and_deviation(played):
    figure = regret.draw(played)
    assert all(len(trace.x) <= 2 * MOST_POINTS for trace in figure.data)
    curve = named(figure)["UCB1"]
    part = played.regret.sel(algorithm="ucb1")
    assert np.allclose(curve.y, part.mean("run").sel(round=list(curve.x)))
    band = next(t for t in figure.data if t.legendgroup == "ucb1" and t.fill)
    upper = np.asarray(band.y)[: len(curve.x)]
    assert np.allclose(upper - curve.y, np.std(part.sel(round=list(curve.x)).values, axis=0, ddof=1))


def test_regret_legend_carries_the_privacy_label(played):
    names = [t.name for t in regret.draw(played).data if t.name]
    assert any("not private" in n for n in names) and any("(1, 0.01) per-selection" in n for n in names)


def test_a_log_axis_shows_no_zero_or_negative_value(played):
    figure = regret.draw(played, log_y=True, log_x=True)
    assert figure.layout.yaxis.type == figure.layout.xaxis.type == "log"
    assert all(min(trace.y) > 0 for trace in figure.data)


def test_regret_of_one_algorithm_and_of_a_function():
    alone = simulate("ucb1", "two-arms", horizon=50, runs=1, checkpoints=5)
    assert list(named(regret.draw(alone))) == ["UCB1"]

    def lazy(means, horizon, checkpoints, streams):
        return (means.max() - means[0]) * checkpoints

    assert list(named(regret.draw(simulate(lazy, "two-arms", horizon=50, runs=2, checkpoints=5)))) == ["lazy"]


def test_bounds_are_overlaid(played):
    figure = regret.draw(played, bounds=[("Theorem", [1, 3000], [10.0, 20.0])])
    assert list(named(figure)["Theorem"].y) == [10.0, 20.0]


def test_slope_of_a_power_law():
    x = np.geomspace(1e-4, 1, 30)
    assert tradeoff.slope_between(x, 7 * x**-2, 1e-3, 1e-1) == pytest.approx(-2, abs=1e-12)
    assert np.isnan(tradeoff.slope_between(x, x, 2, 3))


def test_tradeoff_draws_the_final_regret_and_the_guide():
    data = sweep(
        ["dp-ftpl-new", "dp-ftpl-gauss"],
        "two-arms",
        horizon=500,
        runs=3,
        checkpoints=[100, 500],
        epsilon=1.0,
        delta=[0.5, 0.1, 0.02],
    )
    figure = tradeoff.draw(data, over="delta", guides=[("dp-ftpl-new", -1, 0.02, 0.5)])
    curve = next(t for t in figure.data if t.name and t.name.startswith("DP-FTPL-Gauss"))
    assert list(curve.x) == [0.5, 0.1, 0.02]
    assert np.allclose(curve.y, data.regret.sel(algorithm="dp-ftpl-gauss", round=500).mean("run"))
    guide = next(t for t in figure.data if t.line.dash == "dot" and not t.showlegend)
    assert np.log(guide.y[1] / guide.y[0]) / np.log(guide.x[1] / guide.x[0]) == pytest.approx(-1)
    assert "slope -1 (measured" in figure.layout.annotations[0].text


@pytest.mark.parametrize(("name", "outside"), [("1a", True), ("1b", False), ("2e", True), ("3b", False)])
def test_region_marks_what_is_outside(name, outside):
    data = FIGURES[f"wang-zhu-fig-{name}"].data()
    figure = region.draw(data)
    marked = [t for t in figure.data if t.name == "outside the region"]
    assert bool(marked) == outside
    assert all(len(t.x) <= 2 * MOST_POINTS for t in figure.data)
    for trace in marked[:1]:
        shown = ~np.isnan(np.asarray(trace.y, float))
        x = np.asarray(trace.x)[shown]
        assert (data["after"].sel(change=1, x=x) < data["low"].sel(x=x)).all()


def test_every_figure_has_a_builder():
    for figure in FIGURES.values():
        assert figure.builder in panel.BUILDERS


def test_a_panel_is_titled_with_its_place():
    data = FIGURES["wang-zhu-fig-1a"].data()
    assert isinstance(data, xr.Dataset)
    assert panel.draw(FIGURES["wang-zhu-fig-1a"], data).layout.title.text.startswith("Figure 1(a): ")


def test_ticks_of_log_axes():
    assert log_ticks(np.array([1e-6, 1.0]))["dtick"] == 1
    short = log_ticks(np.array([700.0, 5000.0]))
    assert dict(zip(short["ticktext"], short["tickvals"], strict=True))["2,000"] == 2000
    assert log_ticks(np.array([]))["dtick"] == 1


def test_ticks_of_short_log_axes():
    """Where no two of 1, 2, 5 lie within, and around a single value, to either side of which plotly shows a decade."""
    assert log_ticks(np.array([61.0, 99.0]))["tickvals"] == [60, 70, 80, 90, 100]
    assert log_ticks(np.array([0.1, 0.1]))["dtick"] == 1
    within = [t for t in log_ticks(np.array([1.001, 1.002]))["tickvals"] if 1.001 <= t <= 1.002]
    assert len(within) == len(set(within)) == 6
