"""A picture makes sense alone: its title and its name say ε, δ and T, and its legend runs as its curves do."""

import numpy as np
import pytest

from dpbandits import explorers
from dpbandits.explorers.toolkit.panel import TOLD
from dpbandits.explorers.toolkit.plot import HIDDEN, by_height
from dpbandits.figures.palette import INK
from tests.explorers import walk

ON_AN_AXIS = {"which_term_rules": {"epsilon", "horizon"}}


@pytest.mark.slow
@pytest.mark.parametrize("name", explorers.PANELS)
def test_title_and_name_say_what_the_settings_are(name):
    panel = walk.make(name).finish()
    title = panel.figure.layout.title.text.replace("(ε, δ) = ", "ε = δ = ")
    for control, value in panel.settings().items():
        if control not in ON_AN_AXIS.get(name, ()):
            assert f"{TOLD[control]} = " in title and f"{value:,.10g}" in title, control
        assert f"{control}-{value:.10g}" in panel.view.data.parts["picture"]
    assert panel.view.data.parts["picture"].startswith(panel.name)
    panel.close()


def test_what_moves_along_an_axis_or_plays_no_part_is_not_in_the_title():
    moving = explorers.sweep_over("stochastic", "epsilon", points=2, horizon=50, runs=1).finish()
    assert "ε = " not in moving.figure.layout.title.text and "δ = " in moving.figure.layout.title.text
    plain = explorers.regret(["ucb1"], horizon=50, runs=1).finish()
    assert "ε" not in plain.figure.layout.title.text and "T = 50" in plain.figure.layout.title.text


def test_the_legend_runs_as_the_curves_do():
    y = {"low": [9.0, 1.0], "high": [0.0, 3.0], "early": [2.0, np.nan], "none": [np.nan, np.nan]}
    edits = {name: {"x": [1, 2], "y": np.array(values), "visible": True} for name, values in y.items()}
    ranks = {name: edit["legendrank"] for name, edit in by_height(edits | {"hidden": HIDDEN}).items()}
    assert ranks["high"] < ranks["early"] < ranks["low"] < ranks["none"] == ranks["hidden"]
    panel = explorers.regret(["ucb1", "dp-se"], horizon=2000, runs=2).finish()
    shown = [t for t in panel.figure.data if t.visible is True and t.showlegend is not False]
    ends = [t.y[-1] for t in sorted(shown, key=lambda t: t.legendrank)]
    assert len(ends) == 2 and ends == sorted(ends, reverse=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bounds", "cascade_bounds", "semibandit_bounds", "matroid_bounds"])
def test_measured_is_the_algorithms_own_line_and_never_a_bounds(name):
    panel = getattr(explorers, name)(horizon=200, runs=2)
    for algorithm in panel.records:
        panel.set(algorithm=algorithm)
        panel.finish()
        if not panel.blank:
            own, upper = (panel.view.traces[trace].line for trace in ("measured", "upper"))
            record = panel.records[algorithm]
            assert (own.color, own.dash) == (record.colour, record.dash) and upper.color == INK != own.color
    panel.close()


@pytest.mark.slow
def test_a_bound_says_whether_its_value_is_the_printed_ones():
    panel = explorers.matroid_bounds(horizon=200, runs=2).finish()
    assert "Theorem 9, <b>corrected</b>: the sum of the terms below (not as printed: " in panel.table.value
    panel.set(constants="printed")
    panel.finish()
    assert "Theorem 9, as printed: " in panel.table.value and "corrected</b>" not in panel.table.value
    panel.close()
