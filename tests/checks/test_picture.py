"""The picture of a learner's draws: well-formed, to scale, in words, and quiet about what cannot be drawn."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from dpbandits.checks import picture


def heights(polygon):
    return [300 - 40 - float(pair.split(",")[1]) for pair in polygon.attrib["points"].split()]


def test_bars_and_curve_share_a_scale():
    made = picture.histogram(
        {"a < b": np.linspace(0, 1, 10_001)},
        curve=("flat", lambda x: float(0 <= x <= 1)),
        mark=("here", 0.5),
        label="x",
    )
    drawn = ElementTree.fromstring(made.svg)
    bars, line = heights(drawn.find("polygon")), heights(drawn.find("polyline"))
    assert max(line) == pytest.approx(np.median(bars), rel=0.02)
    assert "a < b: mean 0.5, from 0 to 1" in repr(made).lower()
    assert "■ a < b■ flat■ here" in "".join(drawn.itertext())
    assert {float(t.text) for t in drawn.findall("text") if re.fullmatch(r"[\d.]+", t.text or "")} >= {0.5}


def test_whole_numbers_have_a_bar_each():
    bars = heights(
        ElementTree.fromstring(picture.histogram({"n": [3, 4, 4, 7]}, label="n", whole=True).svg).find("polygon")
    )
    tops = bars[1:-1:2]
    assert [t / max(tops) for t in tops] == pytest.approx([0.5, 1, 0, 0, 0.5])


def test_two_samples_and_one_number():
    made = picture.histogram({"one": [1, 2, 3], "other": [3.0]}, label="y")
    assert len(ElementTree.fromstring(made.svg).findall("polygon")) == 2
    assert "other: mean 3" in made._repr_html_()
    assert ElementTree.fromstring(picture.histogram({"one": [4.0]}, label="y").svg) is not None


@pytest.mark.parametrize("sample", [[], [1.0, np.nan], [np.inf]])
def test_what_cannot_be_drawn_is_said(sample):
    assert "nothing to draw" in repr(picture.histogram({"one": sample}, label="y"))
