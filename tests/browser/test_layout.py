"""All that a plot says can be read: as each explorer opens, and wherever its controls stand, at JupyterLab's sizes.

The whole walk, of every control through its range, is `python -m tests.browser.layout`; here a few moves of each panel.
"""

import random

import pytest

from dpbandits import explorers
from tests.browser.layout import PLOTS, Plots
from tests.explorers import walk

pytestmark = pytest.mark.slow

MOVES = 5


@pytest.fixture(scope="module")
def plots(browser):
    return Plots(browser)


@pytest.mark.parametrize("name", explorers.PANELS)
def test_all_that_a_plot_says_can_be_read(name, plots):
    panel, rng = getattr(explorers, name)(), random.Random(f"{name}: layout")
    plots.clear()
    found = {"as it opens": plots.faults(panel)}
    for _ in range(MOVES):
        asked = walk.pair(panel, rng) if rng.random() < 0.5 else rng.choice(list(walk.alone(panel)))
        walk.slide(panel, asked)
        found[str(asked)] = plots.faults(panel, [rng.choice(PLOTS)])
        panel.reset()
    panel.close()
    assert not {asked: seen for asked, seen in found.items() if seen}


BAD = {
    "over": {
        "layout": {"annotations": [{"text": "one word", "x": x, "y": 2, "showarrow": False} for x in (1.5, 1.52)]}
    },
    "the legend over the axes": {"layout": {"legend": {"x": 0.5, "y": 0.5}, "showlegend": True}},
    "over a curve": {"layout": {"annotations": [{"text": "on it", "x": 1.5, "y": 2.5, "showarrow": False}]}},
    "is cut": {"layout": {"margin": {"l": 5}, "yaxis": {"automargin": False, "title": {"text": "y"}}}},
    "reads 2, 5, 10, 2": {"data": [{"x": [1, 2], "y": [1.5, 25]}], "layout": {"yaxis": {"type": "log", "dtick": "D2"}}},
    "reads 1.5 alone": {"layout": {"xaxis": {"tick0": 1.5, "dtick": 5}}},
}


@pytest.mark.parametrize("fault", BAD)
def test_each_fault_is_found(fault, plots):
    """What the check is for: a plot with one fault, and the same without."""
    import plotly.graph_objects as go

    plots.clear()
    look = lambda data, layout: plots.page.evaluate(
        "given => plots.look(given)", [go.Figure(data, {"height": 400} | layout).to_json(), 610, 400]
    )
    good = [{"x": [1, 2], "y": [2, 3]}]
    assert not look(good, {})
    plots.clear()
    assert any(fault in seen for seen in look(BAD[fault].get("data", good), BAD[fault].get("layout", {})))


def test_a_title_that_is_too_long_for_its_axis_goes_on_lines_once(plots):
    """And stays so: the next drawing is one, with the same lines."""
    import plotly.graph_objects as go

    plots.clear()
    plots.page.evaluate(
        "() => { const { react } = Plotly; globalThis.drawn = 0;"
        " Plotly.react = (...given) => { drawn += 1; return react(...given); }; }"
    )
    look = lambda text: plots.page.evaluate("given => plots.look(given)", [text, 610, 300])
    lines = lambda: plots.page.evaluate("() => document.querySelectorAll('.ytitle tspan.line').length")
    long = {"height": 300, "margin": {"t": 60, "b": 90}, "yaxis": {"title": {"text": "2 B∞ × largest bonus of all"}}}
    text = go.Figure([{"x": [1, 2], "y": [2, 3]}], long).to_json()
    assert not look(text) and lines() == 2 and plots.page.evaluate("drawn") == 2
    assert not look(text) and lines() == 2 and plots.page.evaluate("drawn") == 3
