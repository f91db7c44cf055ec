"""What every explorer promises: a full first state, reset, exact code, errors told, whole files, a fixed set of
traces.
"""

import json
from html import unescape

import numpy as np
import pandas as pd
import pytest

from dpbandits.explorers import (
    adversary,
    all_settings,
    blame,
    boost,
    bounds,
    cascade_bounds,
    cascade_regret,
    change_of_measure,
    counter_radius,
    counters,
    fair_race,
    guess_the_click,
    hard_instance,
    laziness,
    lemma_15_edge,
    list_size,
    matroid_bounds,
    matroid_regret,
    mechanism,
    one_message,
    privacy_over_time,
    region,
    regret,
    rivals,
    see_a_matroid,
    semibandit_bounds,
    semibandit_regret,
    semibandit_table,
    shape,
    sweep_over,
    vector_tree,
    which_term_rules,
)
from dpbandits.explorers.toolkit.engine import LIVE_HORIZON, LIVE_RUNS
from dpbandits.explorers.toolkit.simulation_panel import SimulationPanel
from dpbandits.figures.dark import CONTRAST, contrast, parse

SMALL = {"horizon": 300, "runs": 2}
MAKERS = {
    "regret": lambda: regret(["ucb1", "dp-ftpl-new", "gdp-elim-new"], **SMALL),
    "region": region,
    "shape": shape,
    "lemma_15_edge": lambda: lemma_15_edge("one step", shift=0.5),
    "rivals": lambda: rivals("adap-ucb", horizon=400),
    "counter_radius": counter_radius,
    "sweep": lambda: sweep_over("stochastic", "delta", points=3, epsilon=0.0, **SMALL),
    "sweep_cascade": lambda: sweep_over("cascade", "list_size", points=3, **SMALL),
    "sweep_semibandit": lambda: sweep_over("semi-bandit", "gap", points=3, theory="upper", **SMALL),
    "sweep_matroid": lambda: sweep_over("matroid", "list_size", points=3, **SMALL),
    "bounds": lambda: bounds(**SMALL),
    "cascade_regret": lambda: cascade_regret(["cascade-ucb1", "cascade-ldp-gauss"], **SMALL),
    "cascade_bounds": lambda: cascade_bounds("cascade-ldp-gauss", **SMALL),
    "matroid_regret": lambda: matroid_regret(["omm", "dpucb-mat"], "random-spanning-tree", **SMALL),
    "matroid_bounds": lambda: matroid_bounds(**SMALL),
    "see_a_matroid": lambda: see_a_matroid("graph", indices="run", round=20),
    "laziness": lambda: laziness(2, horizon=100),
    "semibandit_regret": lambda: semibandit_regret(["cucb", "cucb-ldp-gauss"], **SMALL),
    "semibandit_bounds": lambda: semibandit_bounds(**SMALL),
    "one_message": lambda: one_message(users=60),
    "vector_tree": vector_tree,
    "list_size": lambda: list_size("bonus", **SMALL),
    "list_size_regret": lambda: list_size("regret", **SMALL),
    "guess_the_click": guess_the_click,
    "privacy_over_time": lambda: privacy_over_time(
        ["thompson-gauss", "dp-ftpl-gauss"], epsilon=1.0, delta=0.01, horizon=200, trials=300
    ),
    "privacy_over_time_lists": lambda: privacy_over_time(
        ["cucb-ldp1", "cucb-ldp-gauss"], epsilon=4.0, delta=0.01, horizon=200, trials=2000
    ),
    "fair_race": lambda: fair_race(algorithms=["adap-ucb", "dp-imed", "dp-ftpl-gauss", "cucb-ldp2"], **SMALL),
    "counters": lambda: counters(length=100, streams=10),
    "adversary": lambda: adversary(trials=200),
    "mechanism": mechanism,
    "semibandit_table": semibandit_table,
    "which_term": lambda: which_term_rules("cascading-theorem-8"),
    "all_settings": lambda: all_settings(**SMALL),
    "blame": lambda: blame(horizon=3000),
    "hard_instance": hard_instance,
    "boost": boost,
    "change_of_measure": lambda: change_of_measure(local=True, runs=200, horizon=50),
}
#: A move of each control that must change what is drawn.
MOVES = {
    "privacy_over_time": {
        "algorithms": ["dp-se", "dp-ftpl-gauss"],
        "epsilon": 2.0,
        "delta": 0.1,
        "delta_total": 1e-3,
        "arms": 4,
        "horizon": 1000,
        "trials": 400,
        "seed": 3,
    },
    "privacy_over_time_lists": {
        "algorithms": ["cucb-ldp1", "cucb-ldp2"],
        "epsilon": 1.0,
        "delta": 0.1,
        "delta_total": 1e-3,
        "arms": 12,
        "list_size": 4,
        "horizon": 1000,
        "trials": 3000,
        "seed": 3,
    },
    "fair_race": {
        "algorithms": ["adap-ucb", "lazy-dp-ts"],
        "promise": "one selection",
        "epsilon": 0.2,
        "delta": 0.01,
        "instance": "two-arms",
        "arms": 5,
        "gap": 0.02,
        "horizon": 200,
        "runs": 3,
        "seed": 5,
        "against": "epsilon",
        "log_y": False,
    },
    "regret": {
        "algorithms": ["ucb1"],
        "instance": "two-arms",
        "arms": 5,
        "gap": 0.02,
        "epsilon": 0.2,
        "delta": 0.1,
        "horizon": 200,
        "runs": 3,
        "seed": 5,
        "view": "pulls",
        "log_x": True,
        "log_y": True,
        "bands": False,
        "lower": True,
        "upper": True,
    },
    "region": {
        "law": "gauss",
        "pulls": 9,
        "total": 2,
        "epsilon": 0.5,
        "delta": 0.05,
        "view": "F′ over F",
        "events": "intervals",
        "changed": 3,
        "beside": "all",
        "edges": True,
        "second": True,
        "printed": True,
    },
    "lemma_15_edge": {
        "first_cell": "two steps",
        "epsilon": 0.5,
        "delta": 0.1,
        "cells": 3,
        "shift": 0.8,
        "in_proportion": True,
    },
    "counter_radius": {
        "streams": ["own count"],
        "epsilon": 0.3,
        "items": 9,
        "gap": 0.3,
        "digits": 40.0,
        "xi": 0.2,
        "exponents": True,
    },
    "rivals": {"algorithm": "dp-ucb-int", "epsilon": 0.4, "gap": 0.2, "horizon": 300, "seed": 4, "log_x": True},
    "shape": {"law": "beta", "pulls": 9, "total": 4, "epsilon": 1.0, "delta": 0.1, "log_y": True, "zoom": True},
    "sweep": {
        "algorithms": ["dp-ftpl-new"],
        "over": "epsilon",
        "epsilon": 0.3,
        "instance": "two-arms",
        "arms": 4,
        "gap": 0.02,
        "low": 0.01,
        "high": 0.5,
        "points": 4,
        "theory": "none",
        "log_x": False,
        "log_y": False,
        "inverse": True,
        "fit": True,
        "horizon": 200,
        "runs": 1,
        "seed": 9,
    },
    "sweep_cascade": {
        "algorithms": ["cascade-ldp-gauss"],
        "over": "items",
        "epsilon": 0.3,
        "delta": 0.1,
        "noise_multiplier": 0.1,
        "bonus_multiplier": 0.1,
        "items": 9,
        "top_mean": 0.4,
        "other_mean": 0.1,
        "constants": "printed",
        "low": 2,
        "high": 6,
        "points": 4,
        "theory": "none",
        "log_x": False,
        "log_y": False,
        "inverse": True,
        "fit": True,
        "horizon": 200,
        "runs": 1,
        "seed": 9,
    },
    "sweep_semibandit": {
        "algorithms": ["cucb-ldp1"],
        "over": "arms",
        "epsilon": 0.3,
        "instance": "k-path",
        "arms": 9,
        "list_size": 2,
        "reward": "disjunctive",
        "outcomes": "beta",
        "smoothness": 2.0,
        "constants": "printed",
        "low": 0.1,
        "high": 0.4,
        "points": 4,
        "theory": "none",
        "log_x": False,
        "log_y": False,
        "inverse": True,
        "fit": True,
        "horizon": 200,
        "runs": 1,
        "seed": 9,
    },
    "sweep_matroid": {
        "algorithms": ["dpts-mat"],
        "over": "items",
        "epsilon": 0.3,
        "matroid": "graphic",
        "items": 15,
        "gap": 0.2,
        "constants": "printed",
        "low": 2,
        "high": 6,
        "points": 4,
        "theory": "none",
        "log_x": False,
        "log_y": False,
        "inverse": True,
        "fit": True,
        "horizon": 200,
        "runs": 1,
        "seed": 9,
    },
    "bounds": {
        "algorithm": "dp-ftpl-gauss",
        "instance": "two-arms",
        "arms": 5,
        "gap": 0.02,
        "epsilon": 0.2,
        "delta": 0.1,
        "horizon": 200,
        "runs": 3,
        "seed": 5,
        "log_x": False,
        "log_y": False,
        "reach": 10_000,
    },
    "cascade_regret": {
        "algorithms": ["cascade-ldp-gauss"],
        "instance": "cascade",
        "items": 9,
        "list_size": 3,
        "top_mean": 0.4,
        "other_mean": 0.1,
        "epsilon": 0.2,
        "delta": 0.1,
        "noise_multiplier": 0.1,
        "bonus_multiplier": 0.1,
        "horizon": 200,
        "runs": 3,
        "seed": 5,
        "view": "pulls",
        "log_x": True,
        "log_y": True,
        "bands": False,
        "lower": True,
        "upper": True,
    },
    "cascade_bounds": {
        "algorithm": "cascade-dp",
        "items": 9,
        "list_size": 3,
        "top_mean": 0.4,
        "other_mean": 0.1,
        "epsilon": 0.2,
        "delta": 0.1,
        "noise_multiplier": 0.1,
        "bonus_multiplier": 0.1,
        "constants": "corrected",
        "horizon": 200,
        "runs": 3,
        "seed": 5,
        "log_x": False,
        "log_y": False,
        "reach": 10_000,
    },
    "matroid_regret": {
        "algorithms": ["dpucb-mat"],
        "instance": "linear-matroid",
        "nodes": 7,
        "edge_count": 9,
        "graph_seed": 4,
        "epsilon": 0.2,
        "horizon": 200,
        "runs": 3,
        "seed": 5,
        "view": "pulls",
        "log_x": True,
        "log_y": True,
        "bands": False,
        "upper": True,
    },
    "matroid_bounds": {
        "algorithm": "dpts-mat",
        "instance": "random-spanning-tree",
        "epsilon": 0.2,
        "constants": "printed",
        "horizon": 200,
        "runs": 3,
        "seed": 5,
        "log_x": False,
        "log_y": False,
        "reach": 10_000,
    },
    "see_a_matroid": {"matroid": "vectors", "indices": "weights", "epsilon": 0.3, "round": 60, "seed": 2},
    "laziness": {"arm": 4, "instance": "random-spanning-tree", "epsilon": 0.3, "horizon": 60, "seed": 2},
    "semibandit_regret": {
        "algorithms": ["cucb-ldp-gauss"],
        "instance": "public-arms",
        "arms": 9,
        "list_size": 2,
        "gap": 0.1,
        "reward": "disjunctive",
        "outcomes": "beta",
        "smoothness": 2.0,
        "epsilon": 0.2,
        "delta": 0.1,
        "noise_multiplier": 0.1,
        "bonus_multiplier": 0.1,
        "horizon": 200,
        "runs": 3,
        "seed": 5,
        "view": "pulls",
        "log_x": True,
        "log_y": True,
        "bands": False,
        "upper": True,
    },
    "semibandit_bounds": {
        "algorithm": "cucb-dp",
        "instance": "public-arms",
        "arms": 12,
        "list_size": 2,
        "gap": 0.1,
        "smoothness": 2.0,
        "epsilon": 0.2,
        "constants": "corrected",
        "horizon": 200,
        "runs": 1,
        "seed": 5,
        "log_x": False,
        "log_y": False,
        "reach": 10_000,
    },
    "one_message": {"epsilon": 0.5, "arms": 9, "list_size": 2, "gap": 0.2, "users": 70, "seed": 2},
    "vector_tree": {"t": 40, "epsilon": 0.5, "arms": 9, "list_size": 2, "exact": True, "seed": 2},
    "list_size": {
        "view": "noise",
        "longest": 6,
        "epsilon": 0.5,
        "delta": 0.1,
        "bonus_multiplier": 0.1,
        "items": 30,
        "top_mean": 0.4,
        "other_mean": 0.1,
        "horizon": 200,
        "log_x": False,
        "log_y": False,
    },
    "list_size_regret": {
        "view": "noise",
        "longest": 6,
        "epsilon": 0.5,
        "delta": 0.1,
        "noise_multiplier": 0.1,
        "bonus_multiplier": 0.1,
        "items": 30,
        "top_mean": 0.4,
        "other_mean": 0.1,
        "horizon": 200,
        "runs": 3,
        "seed": 4,
        "log_x": False,
        "log_y": False,
    },
    "guess_the_click": {"algorithm": "cascade-ldp-gauss", "epsilon": 0.5, "list_size": 6, "seed": 2},
    "counters": {
        "shown": ["hybrid"],
        "epsilon": 0.5,
        "length": 60,
        "streams": 20,
        "seed": 3,
        "measured": False,
        "log_x": True,
        "log_y": True,
    },
    "adversary": {"epsilon": 2.0, "trials": 300, "seed": 3},
    "which_term": {
        "bound": "wang-zhu-theorem-4",
        "against": "delta",
        "epsilon": 0.2,
        "delta": 0.1,
        "horizon": 3000,
        "items": 30,
        "list_size": 3,
        "top_mean": 0.9,
        "other_mean": 0.4,
        "constants": "printed",
    },
    "all_settings": {
        "stochastic": "dp-ftpl-gauss",
        "cascade": "cascade-ldp-gauss",
        "semi_bandit": "cucb-dp",
        "matroid": "dpts-mat",
        "epsilon": 0.3,
        "delta": 0.1,
        "items": 11,
        "list_size": 3,
        "top_mean": 0.4,
        "other_mean": 0.25,
        "horizon": 200,
        "runs": 3,
        "seed": 5,
        "reach": 10**7,
        "constants": "printed",
    },
    "semibandit_table": {"arms": 24, "list_size": 2, "gap": 0.1, "smoothness": 2.0, "epsilon": 0.3, "horizon": 1000},
    "blame": {
        "reward": "sum",
        "about": "any",
        "gap": 0.3,
        "list_size": 2,
        "epsilon": 2.0,
        "bonus_multiplier": 0.3,
        "horizon": 2000,
        "seed": 3,
    },
    "boost": {
        "size": 9,
        "noise": -1.0,
        "good": 0.5,
        "gap": 0.1,
        "epsilon": 0.5,
        "rank": 5,
        "t": 1000,
        "boosted": False,
    },
    "change_of_measure": {
        "gap": 0.2,
        "policy": "uniform",
        "horizon": 60,
        "local": False,
        "epsilon": 0.5,
        "runs": 100,
        "seed": 4,
    },
    "hard_instance": {
        "instance": "public-arms",
        "arms": 12,
        "list_size": 2,
        "gap": 0.3,
        "epsilon": 0.5,
        "second": False,
    },
    "mechanism": {"epsilon": 0.5, "delta": 0.1, "sensitivity": 2.0, "calibration": "analytic", "log_y": True},
}
LIVE = (
    "one-message",
    "vector-tree",
    "region",
    "shape",
    "lemma-15-edge",
    "counter-radius",
    "counters",
    "adversary",
    "mechanism",
    "matroid",
    "which-term",
    "chen-table-1",
    "hard-instance",
    "boost",
)  # closed forms, or nearly
ITS_NOISE = {"delta", "noise_multiplier", "bonus_multiplier"}  # of an algorithm that is not chosen
OWN_MATROIDS = {"vectors", "means", "blocks", "edges", "sets"}
GOOD_ELEMENTS = {"matroid", "items", "list_size", "gap"}
RANDOM_MATROIDS = {"data_seed", "nodes", "edge_count", "graph_seed"}
#: Controls that are hidden at first, or mean nothing in the first view.
HIDDEN_AT_FIRST = {
    "fair_race": {"means"},
    "region": {"interval", "epsilon_2", "delta_2"},
    "regret": {"means", "c0", "alpha"},
    "sweep": {"means", "delta", "c0", "alpha"},
    "sweep_cascade": {"instance", "attraction", "list_size", "xi"},  # xi: of an algorithm that is not chosen
    "sweep_semibandit": {*ITS_NOISE, "gap", "means", "edges", "probabilities", "oracle", "beta"},
    "sweep_matroid": {"instance", "method", "list_size", *RANDOM_MATROIDS, *OWN_MATROIDS},
    "bounds": {"means", "c0", "alpha"},  # the last two: of a lower bound that is not about per-selection privacy
    "matroid_regret": {*OWN_MATROIDS, *GOOD_ELEMENTS, "data_seed"},
    "matroid_bounds": {*OWN_MATROIDS, *GOOD_ELEMENTS, *RANDOM_MATROIDS},
    "see_a_matroid": {"turn", *(f"weight_{e}" for e in range(1, 10))},
    "which_term": {"c0", "alpha", "xi"},
    "laziness": {*OWN_MATROIDS, *GOOD_ELEMENTS, *RANDOM_MATROIDS},
    "list_size": {"noise_multiplier", "runs", "seed"},
    "guess_the_click": {"delta"},
    "semibandit_regret": {"edges", "probabilities", "oracle", "beta", "means", "lower"},
    "semibandit_bounds": {"edges", "probabilities", "oracle", "beta", "means", "reward", "outcomes", *ITS_NOISE},
    "cascade_regret": {"attraction"},
    "cascade_bounds": {"attraction", "xi", "instance"},  # another instance has no lower bound, and the panel says so
}


@pytest.fixture(params=MAKERS, name="panel")
def any_panel(request):
    return MAKERS[request.param]()


@pytest.fixture(name="moves")
def its_moves(request):
    return MOVES[request.node.callspec.params["panel"]]


def drawn(panel):
    """All that is seen: the traces and the layout."""
    traces = [{k: v for k, v in trace.to_plotly_json().items() if k != "uid"} for trace in panel.figure.data]
    return json.dumps(
        [traces, panel.figure.layout.to_plotly_json()], sort_keys=True, default=lambda v: np.asarray(v).tolist()
    )


def shown_points(panel):
    return [np.size(trace.x) for trace in panel.figure.data if trace.visible is not False and trace.x is not None]


def test_first_state_is_complete(panel):
    assert shown_points(panel) and max(shown_points(panel)) <= 500
    assert panel.summary_text and "<table" in panel.table.value and panel.caption.value
    assert panel.summary_text in panel.summary.value.replace("&lt;", "<").replace("&#x27;", "'")
    assert not panel.error and panel.message
    assert (
        panel.figure.layout.title.text.strip()
        and any(axis.title.text for axis in panel.figure.select_xaxes())  # where two stand in a column, the lower one's
        and panel.figure.layout.yaxis.title.text
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", MAKERS)
def test_every_control_changes_what_is_drawn(name):
    panel = MAKERS[name]()
    assert set(MOVES[name]) | HIDDEN_AT_FIRST.get(name, set()) == set(panel.controls)
    first, count = drawn(panel), len(panel.figure.data)
    for control, value in MOVES[name].items():
        panel.set(**{control: value})
        assert not panel.error, (control, panel.error)
        assert drawn(panel) != first, control
        assert len(panel.figure.data) == count
        panel.reset()
        assert drawn(panel) == first, f"reset after {control}"


def test_every_control_has_label_and_tooltip(panel):
    for control in panel.controls.values():
        inputs = [
            w
            for child in control.children
            for w in (child, *getattr(child, "children", ()))
            if hasattr(w, "description")
        ]
        assert any(w.description for w in inputs) and all(w.tooltip for w in inputs), control.name


@pytest.mark.slow
def test_simulations_wait_for_the_end_of_a_drag(panel):
    live = panel.name.removeprefix("dpbandits-") in LIVE
    for control in panel.controls.values():
        for child in control.children:
            if hasattr(child, "continuous_update") and hasattr(child, "step") and hasattr(child, "max"):
                assert child.continuous_update is live, control.name


@pytest.mark.slow
def test_bad_entry_is_told_and_the_plot_stays(panel):
    first = drawn(panel)
    control = next(c for c in panel.controls.values() if c.name in ("epsilon", "seed"))
    control.box.value = -1
    assert (
        panel.error.startswith(f"{control.name} = -1")
        and "dpb-bad" in panel.trouble.value
        and "role='alert'" in panel.trouble.value
    )
    assert drawn(panel) == first


@pytest.mark.slow
def test_a_failing_callback_is_told_and_clears_the_plot(panel):
    def fail(*args):
        raise RuntimeError("a <broken> formula")

    first = drawn(panel)
    panel.update, panel.plan = fail, fail
    panel.refresh()
    assert "fault, not you" in panel.error and "RuntimeError: a &lt;broken&gt;" in panel.trouble.value
    assert shown_points(panel) == []
    del panel.update, panel.plan
    panel.refresh()
    assert drawn(panel) == first and not panel.error


@pytest.mark.slow
def test_where_nothing_is_shown_nothing_is_exported(panel, tmp_path):
    def refuse(*args):
        raise ValueError("gap = 9 is not allowed.")

    panel.code_button.value = True
    panel.update = refuse
    panel.refresh()
    for export in (panel.frame, panel.code):
        with pytest.raises(ValueError, match="^Nothing is shown: gap = 9 is not allowed.$"):
            export()
    assert panel.save_csv(tmp_path) is None and panel.save_html(tmp_path) is None and not list(tmp_path.iterdir())
    assert panel.error == "Nothing was saved, as nothing is shown: gap = 9 is not allowed."
    assert "# Nothing is shown: gap = 9 is not allowed." in panel.source.value
    del panel.update
    panel.refresh()
    assert panel.code() in unescape(panel.source.value) and panel.save_csv(tmp_path)


def test_code_is_shown_and_follows(panel):
    assert panel.source.value == ""
    panel.code_button.value = True
    before = panel.source.value
    assert "<pre" in before
    panel.controls["epsilon"].box.value = 0.7
    assert panel.source.value != before and "epsilon=0.7" in panel.source.value
    panel.code_button.value = False
    assert panel.source.value == ""


@pytest.mark.slow
def test_code_runs(panel):
    exec(panel.script(), {})


@pytest.mark.slow
def test_exports_are_whole_and_never_overwrite(panel, tmp_path):
    for save, suffix in ((panel.save_csv, ".csv"), (panel.save_html, ".html")):
        first, second = save(tmp_path), save(tmp_path)
        assert first == tmp_path / f"{panel.name}{suffix}" and second == tmp_path / f"{panel.name}-2{suffix}"
        assert str(second) in panel.message
        assert first.read_bytes() == second.read_bytes() or suffix == ".html"  # plotly gives each plot a random id
    assert sorted(p.suffix for p in tmp_path.iterdir()) == [".csv", ".csv", ".html", ".html"]
    table = pd.read_csv(tmp_path / f"{panel.name}.csv", comment="#")
    pd.testing.assert_frame_equal(table, panel.frame(), check_dtype=False)
    page = (tmp_path / f"{panel.name}.html").read_text(encoding="utf-8")
    assert (
        page.startswith("<!doctype html>")
        and page.endswith("</html>")
        and "Plotly.newPlot" in page
        and "dpb-table" in page
    )
    assert "<pre" in page


@pytest.mark.slow
def test_export_that_cannot_be_written_is_told(panel, tmp_path):
    assert panel.save_csv(tmp_path / "missing") is None
    missing = f"{str(tmp_path / 'missing')!r} cannot be written (No such file or directory)."
    assert panel.error == f"Nothing was saved: {missing}" and "dpb-bad" in panel.trouble.value


@pytest.mark.slow
def test_set_tells_what_it_refuses(panel):
    before, name = panel.values, next(n for n, c in panel.controls.items() if c.parameter.kind in ("real", "integer"))
    panel.set(**{name: float("nan")})
    assert panel.error.startswith(f"{name} = nan is not allowed") and panel.error in unescape(panel.trouble.value)
    assert panel.values == before
    panel.set(**{name: before[name]})
    assert panel.error == ""
    with pytest.raises(ValueError, match=f"^Unknown control 'nosuch' of {panel.name}"):
        panel.set(nosuch=1)


@pytest.mark.slow
def test_plot_follows_the_room_unless_its_width_is_given(panel):
    assert panel.view.layout.width is None
    fixed = region(width=555)
    assert fixed.view.layout.width == "555px" and fixed.figure.layout.width == 555


@pytest.mark.slow
def test_png_press_is_told(panel):
    press = lambda taken: panel.view.data._handle_custom_msg({"picture": taken}, [])
    press(True)
    assert f" {panel.name}" in panel.message and f"{panel.view.picture}.png" in panel.message and not panel.error
    press(False)
    assert panel.error == "There is no picture to save before the plot is drawn."


@pytest.mark.slow
def test_a_move_is_one_message_and_a_late_browser_gets_it_too(panel, moves, monkeypatch):
    """What is sent for a move, put onto what the browser had, is what a browser that comes then would get."""
    had, sent = dict(panel.view.data.parts), []
    monkeypatch.setattr(panel.view.data.comm, "send", lambda data, buffers: sent.append((data, buffers)))
    panel.set(epsilon=0.31)
    panel.set(**{name: value for name, value in moves.items() if name == "algorithms"})
    assert sent and len(sent) <= 4  # simulations may draw some runs first
    for data, buffers in sent:
        for path, buffer in zip(data["buffer_paths"], buffers, strict=True):
            place = data["state"]
            for step in path[:-1]:
                place = place[step]
            place[path[-1]] = buffer
        had |= data["state"]
    now = {name: value for name, value in panel.view.data.get_state().items() if name in panel.view.data.parts}
    assert had == now and had["version"] == panel.view.version


@pytest.mark.slow
def test_reset_shows_all_of_the_plot_again(panel):
    before = panel.view.data.parts["layout"]["uirevision"]
    panel.reset()
    assert panel.view.data.parts["layout"]["uirevision"] != before


@pytest.mark.slow
def test_every_colour_is_known_in_the_dark(panel):
    """None is left as it is for want of being understood, and lines are seen."""
    for colour, dark in panel.view.data.parts["dark"].items():
        assert parse(colour) is not None, colour
        red, green, blue = parse(colour)[0]
        if max(red, green, blue) - min(red, green, blue) > 0.4:
            assert contrast(parse(dark)[0]) >= CONTRAST, colour


@pytest.mark.slow
def test_no_panel_takes_a_run_that_could_not_be_waited_for(panel):
    """A run in flight cannot be broken off: a simulating panel refuses what is beyond the live limits."""
    if not isinstance(panel, SimulationPanel):
        return
    for name, limit in (("horizon", LIVE_HORIZON.high), ("runs", LIVE_RUNS.high)):
        if name in panel.controls:
            before = panel.values[name]
            panel.set(**{name: 10 * limit})
            assert panel.values[name] == before and f"{name} = " in panel.error and "<= " in panel.error
