"""The regret explorer's own behaviour."""

import asyncio
import time

import numpy as np
import pytest

from dpbandits import catalogue, simulate
from dpbandits.environments import bernoulli
from dpbandits.explorers import bounds, regret
from tests.explorers.waiting import until

pytestmark = pytest.mark.filterwarnings("ignore:.*runs as plain Python")
SMALL = {"horizon": 400, "runs": 4}


def curve(panel, name, part=""):
    return panel.view.traces[name + part]


def nap(means, horizon, checkpoints, streams):
    """Takes its time."""
    time.sleep(0.05)
    return 0.5 * checkpoints


def lazy(means, horizon, checkpoints, streams, pace=1.0):
    """Always plays the first arm."""
    return pace * (means.max() - means[0]) * checkpoints


@pytest.mark.parametrize(
    "moves",
    [
        {},
        {"epsilon": 0.3, "delta": 0.0, "algorithms": ["ucb1", "dp-ftpl-new", "dp-ucb"]},
        {"instance": "bernoulli", "means": "0.1,0.5,0.3"},
        {"instance": "two-arms", "seed": 8, "runs": 7},
        {"instance": "wang-zhu-2", "horizon": 150},
    ],
)
def test_code_gives_the_very_numbers(moves):
    panel = regret(**SMALL)
    panel.set(**moves)
    data = eval(panel.code(), {"simulate": simulate})
    assert list(data.algorithm.values) == [cell.algorithm.name for cell in panel.cells]
    for cell, (regrets, pulls) in zip(panel.cells, panel.engine.finish().results(), strict=True):
        assert np.array_equal(regrets, data.regret.sel(algorithm=cell.algorithm.name).values)
        assert np.array_equal(pulls, data.pulls.sel(algorithm=cell.algorithm.name).values)
        assert np.array_equal(
            curve(panel, cell.algorithm.name).y, data.regret.sel(algorithm=cell.algorithm.name).mean("run").values
        )


def test_band_is_mean_and_deviation():
    panel = regret(["ucb1"], **SMALL)
    data = eval(panel.code(), {"simulate": simulate}).regret.isel(algorithm=0)
    band = curve(panel, "ucb1", ", band")
    half = len(band.y) // 2
    assert band.y[half - 1] == pytest.approx(float(data.mean("run")[-1] + data.std("run", ddof=1)[-1]))
    assert band.y[half] == pytest.approx(float(data.mean("run")[-1] - data.std("run", ddof=1)[-1]))
    assert min(band.y) >= 0


def test_who_does_not_take_delta_0_is_told_and_left_out():
    panel = regret(["ucb1", "dp-ftpl-new", "dp-ftpl-gauss"], **SMALL)
    panel.set(delta=0.0)
    assert "delta = 0 is not allowed (dp-ftpl-gauss)" in panel.error and "dpb-bad" in panel.trouble.value
    assert not curve(panel, "dp-ftpl-gauss").visible and curve(panel, "dp-ftpl-new").visible
    assert "dp-ftpl-gauss" not in panel.code() and "dp-ftpl-gauss" not in panel.table.value
    panel.set(algorithms=["dp-ftpl-gauss"])
    assert panel.error.startswith("delta = 0 is not allowed") and not any(t.visible for t in panel.figure.data)


def test_bad_together_is_one_sentence():
    panel = regret(**SMALL)
    panel.controls["arms"].box.value = 101
    assert (
        panel.error
        == "gap = 0.05 is not allowed (wang-zhu-1): 101 means this far apart leave [0, 1]; gap must be <= 0.01."
    )
    assert not any(t.visible for t in panel.figure.data)
    panel.controls["gap"].box.value = 0.004
    assert not panel.error and any(t.visible for t in panel.figure.data)


def test_instance_brings_its_own_controls_and_defaults():
    panel = regret(**SMALL)

    def hidden():
        return {name for name, control in panel.problem.own.items() if control.layout.display == "none"}

    assert hidden() == {"means"}
    panel.controls["instance"].menu.value = "wang-zhu-2"
    assert (panel.values["arms"], panel.values["gap"]) == (101, 0.004)
    panel.controls["instance"].menu.value = "two-arms"
    assert hidden() == {"means", "arms"} and panel.values["gap"] == 0.25
    panel.controls["instance"].menu.value = "bernoulli"
    assert hidden() == {"arms", "gap"} and 'simulate(["ucb1"' in panel.code() and "means=(" in panel.code()


def test_axes():
    panel = regret(**SMALL)
    axes = panel.figure.layout
    for log_x, log_y in ((False, True), (True, False)):
        panel.set(log_x=log_x, log_y=log_y)
        assert (axes.xaxis.type == "log", axes.yaxis.type == "log") == (log_x, log_y)
    panel.set(view="pulls")
    assert axes.xaxis.type == "linear" and axes.xaxis.title.text == "arm"


def test_pulls_view_shows_mean_pulls():
    panel = regret(["ucb1"], **SMALL)
    panel.set(view="pulls")
    data = eval(panel.code(), {"simulate": simulate})
    assert np.allclose(curve(panel, "ucb1").y, data.pulls.isel(algorithm=0).mean("run").values)
    assert sum(curve(panel, "ucb1").y) == pytest.approx(400)


def test_bounds_are_those_of_the_catalogue():
    panel = regret(["dp-ftpl-new", "gdp-elim-new"], c0=0.02, alpha=0.1, **SMALL)
    assert panel.controls["c0"].layout.display == "none"
    panel.set(upper=True, lower=True)
    assert panel.controls["c0"].layout.display is None
    both = {"horizon": 400, "epsilon": 1.0, "delta": 0.01}
    known = catalogue.bounds()
    assert curve(panel, "dp-ftpl-new", ", upper").y[-1] == known["wang-zhu-theorem-16"].value(
        **both, instance="wang-zhu-1"
    )
    assert curve(panel, "gdp-elim-new", ", upper").y[-1] == known["wang-zhu-theorem-18"].value(
        **both, instance="wang-zhu-1"
    )
    assert panel.view.traces["lower bound"].y[-1] == known["wang-zhu-theorem-4"].value(**both, c0=0.02, alpha=0.1) > 0
    assert "upper bound" in panel.summary_text
    assert "Lower bound" in panel.summary_text and panel.summary_text.endswith("for gdp-elim-new.")


@pytest.mark.slow
def test_privacy_column_is_red_only_where_a_claim_fails():
    algorithms = [a for a in catalogue.algorithms().values() if a.setting == "stochastic"]
    for record in algorithms:
        panel = regret([record.name], horizon=30, runs=1)
        cell = panel.cells[0]
        guarantee = record.guarantee(cell.parameters, cell.instance, cell.horizon)
        assert ("dpb-bad" in panel.table.value) == (guarantee.status == "as claimed, fails"), record.name
        assert guarantee.scope == "none" or guarantee.scope in panel.table.value


def test_different_promises_are_pointed_out():
    panel = regret(["dp-ftpl-new", "dp-se"], **SMALL)
    assert "Beware" in panel.caption.value
    panel.set(algorithms=["dp-ftpl-new", "dp-ftpl-gauss"])
    assert "Beware" not in panel.caption.value


def test_own_function_beside_the_catalogue():
    panel = regret(["ucb1", lazy], **SMALL)
    assert 'simulate(["ucb1", lazy], ' in panel.code()
    assert curve(panel, "lazy").y[-1] == pytest.approx(400 * 0.4)
    data = eval(panel.code(), {"simulate": simulate, "lazy": lazy})
    assert data.regret.sel(algorithm="lazy").values[0, -1] == pytest.approx(160)


def test_parameters_without_a_control_get_one():
    panel = regret(["dp-ftpl-gauss"], start="round-robin", **SMALL)
    assert panel.values["start"] == "round-robin" and "start='round-robin'" in panel.code()


def test_an_instance_object_is_taken_apart():
    panel = regret(["ucb1"], bernoulli([0.2, 0.9]), **SMALL)
    assert panel.values["instance"] == "bernoulli" and panel.values["means"] == (0.2, 0.9)


def test_a_refusal_outlives_the_runs_in_flight():
    async def play():
        panel = regret([nap], "two-arms", horizon=10, runs=1000)
        assert panel.engine.job.done < 1000  # the first picture does not wait for ever
        panel.controls["horizon"].box.value = 20
        assert "dpb-stale" in panel._dom_classes  # what is drawn is of 10 rounds still
        panel.controls["seed"].box.value = -4
        await until(lambda: "dpb-stale" not in panel._dom_classes)
        assert panel.error.startswith("seed = -4") and "seed = -4" in panel.trouble.value
        assert " of 1000 runs" in panel.message and not panel.stop_button.disabled
        shown = curve(panel, "nap").y[-1]
        assert shown == 10  # of the 20 rounds
        panel.stop_button.click()
        await until(lambda: panel.message.startswith("Stopped after"))
        assert panel.stop_button.disabled and curve(panel, "nap").y[-1] == shown
        panel.controls["runs"].box.value = 1
        await until(lambda: panel.message.startswith("1 run"))
        assert panel.error == "" and panel.message.startswith(("1 run,", "1 run in"))

    asyncio.run(play())


def test_notes_of_unlucky_settings_are_told():
    panel = regret(["dp-ftpl-beta"], **SMALL)
    assert "start phase" in panel.message and not panel.error


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: regret(setting="chess"), "Unknown setting 'chess'"),
        (lambda: regret(["ucb2"]), "Did you mean ucb1"),
        (lambda: regret(["ucb1"], "wang-zhu-3"), "Did you mean wang-zhu"),
        (lambda: regret(["ucb1"], colour=3), "colour"),
        (lambda: regret(["ucb1"], epsilon=-1), "epsilon = -1"),
        (lambda: regret(["ucb1"], means=[0.2, 2]), "means"),
        (lambda: regret(["ucb1"], horizon=0), "horizon = 0"),
        (lambda: bounds("ucb1"), "ucb1"),
    ],
)
def test_bad_arguments(make, words):
    with pytest.raises(ValueError, match=words.replace("(", "\\(")):
        make()
