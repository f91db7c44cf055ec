"""The lecture hall's stage, and figures for browsers that come late."""

import numpy as np
import plotly.graph_objects as go
import pytest

from dpbandits import explorers
from dpbandits.explorers.toolkit.plot import live_figure, redraw
from dpbandits.explorers.toolkit.stage import LETTERS, THICKER, Stage, enlarge


def test_a_browser_that_comes_late_gets_what_is_shown_now():
    figure = live_figure([go.Scatter(x=[0, 1], y=[0, 1], name="a")])
    redraw(figure, {0: {"y": [5, 7]}}, {"title.text": "now"})
    state = figure.get_state()
    assert list(state["_widget_data"][0]["y"]) == [5, 7] and state["_widget_data"][0]["name"] == "a"
    assert state["_widget_layout"]["title"]["text"] == "now"


def test_enlarge_changes_the_looks_alone():
    plain, large = explorers.region(), enlarge(explorers.region())
    assert large.figure.layout.font.size == LETTERS > plain.figure.layout.font.size
    for a, b in zip(plain.figure.data, large.figure.data, strict=True):
        assert a.y is b.y is None or np.array_equal(a.y, b.y, equal_nan=True)
        assert not a.line.width or b.line.width == pytest.approx(THICKER * a.line.width)
    large.fit(1500)
    assert large.figure.layout.width > 900


def test_the_menu_changes_the_panel():
    stage = Stage("region")
    first = stage.panel
    stage.menu.value = "mechanism"
    assert stage.panel is not first and stage.panel.name != first.name
    assert stage.about.value.startswith("Densities of")


def test_an_unknown_explorer_is_refused():
    with pytest.raises(ValueError, match="Unknown explorer 'regrets'"):
        Stage("regrets")


@pytest.mark.parametrize("name", explorers.__all__)
def test_every_explorer_can_be_put_on_stage(name):
    """Called without arguments, and with a docstring whose first line says what it shows."""
    make = getattr(explorers, name)
    assert 30 < len(make.__doc__.strip().splitlines()[0]) < 140
