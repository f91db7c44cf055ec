"""The gallery: every panel of every paper, with a picture where its numbers are at hand, and what the ledger says."""

from xml.etree import ElementTree

import numpy as np
import plotly.graph_objects as go
import pytest

from dpbandits.figures.gallery import ABOUT, about, gallery
from dpbandits.figures.thumbnail import thumbnail
from dpbandits.papers.catalogue import FIGURES
from dpbandits.papers.stored import stored
from dpbandits.statements.catalogue import PREFIXES, STATEMENTS

SVG = "{http://www.w3.org/2000/svg}"


def test_every_panel_is_in_one_gallery():
    assert [card.figure.name for paper in PREFIXES for card in gallery(paper).cards] == list(FIGURES)


def test_every_statement_about_a_figure_is_beside_a_panel():
    named = {name for name in STATEMENTS if ABOUT.match(name)}
    assert {s.name for figure in FIGURES for s in about(figure)} == named


def test_a_statement_about_two_panels_is_beside_both_and_no_other():
    panels = [figure for figure in FIGURES if "cascading-fig-1hi" in {s.name for s in about(figure)}]
    assert panels == ["cascading-fig-1h", "cascading-fig-1i"]


@pytest.mark.slow
@pytest.mark.parametrize("paper", PREFIXES)
def test_what_is_stored_or_closed_form_has_a_picture(paper):
    ready = set(stored().facts["panels"])
    for card in gallery(paper).cards:
        drawable = not card.figure.simulated or card.figure.name in ready
        assert (card.picture is not None) == drawable
        assert ("<img" in card.html) == (drawable and card.figure.builder != "table")
        assert card.figure.name in card.html and "<script" not in card.html


def test_an_unknown_paper_gets_a_sentence():
    with pytest.raises(ValueError, match="Unknown paper 'bubeck'. Known"):
        gallery("bubeck")


def places(figure, **how):
    root = ElementTree.fromstring(thumbnail(figure, **how))
    return [np.array([p.split(",") for p in line.get("points").split()], float) for line in root.iter(f"{SVG}polyline")]


def test_a_line_goes_from_corner_to_corner():
    (line,) = places(go.Figure(go.Scatter(x=[1, 10, 100], y=[1, 2, 3], line={"color": "#123456"})))
    np.testing.assert_allclose(line[[0, -1]], [[40, 176], [312, 8]])
    (line,) = places(go.Figure(go.Scatter(x=[1, 10, 100], y=[1, 2, 3]), {"xaxis_type": "log"}))
    np.testing.assert_allclose(line[1], [176, 92])


def test_what_has_no_place_leaves_a_gap():
    figure = go.Figure(go.Scatter(x=[1, 2, 3, 4, 5], y=[1, 2, np.nan, 2, 1]))
    assert [len(line) for line in places(figure)] == [2, 2]
    figure.update_yaxes(type="log")
    figure.data[0].y = [1, 2, 0, 2, 1]
    assert [len(line) for line in places(figure)] == [2, 2]


def test_stairs_and_areas():
    figure = go.Figure([go.Scatter(x=[0, 1, 2], y=[0, 1, 2], line={"shape": "hv"})])
    assert len(places(figure)[0]) == 5
    figure.add_scatter(x=[0, 1, 1], y=[0, 0, 1], fill="toself", mode="lines", line={"width": 0})
    assert "<polygon" in thumbnail(figure) and "<polygon" not in thumbnail(figure, areas=False)
    assert thumbnail(go.Figure(go.Table())) == ""
