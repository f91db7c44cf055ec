"""The picture of a learner's draws: well-formed, to scale, in words, and quiet about what cannot be drawn."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from dpbandits.checks import grading, picture


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


def test_curves_bands_and_dots_share_their_axes():
    x = np.arange(1, 1001)
    made = picture.lines(
        {"up": (x, x / 10), "flat": ([1, 1000], [50, 50])},
        bands={"up": (x, x / 10 - 5, x / 10 + 5), "around": ([1, 1000], [40, 40], [60, 60])},
        dots={"seen": ([1, 500.5, 1000], [50, 50, 50])},
        label="round",
        up="height",
        says="So it is.",
    )
    drawn = ElementTree.fromstring(made.svg)
    up, flat = (
        [tuple(map(float, pair.split(","))) for pair in line.attrib["points"].split()]
        for line in drawn.findall("polyline")
    )
    assert len(up) == picture.MOST and len(flat) == 2 and up[0][0] == flat[0][0] and up[-1][0] == flat[-1][0]
    middle = next(y for x, y in up if x >= (up[0][0] + up[-1][0]) / 2)
    assert middle == pytest.approx(flat[0][1], abs=1)
    dots = re.findall(r"M([\d.]+) ([\d.]+)h", drawn.find("path").attrib["d"])
    assert [float(y) + 4 for _, y in dots] == pytest.approx([flat[0][1]] * 3)
    assert [b.attrib["fill"] for b in drawn.findall("polygon")] == [picture.COLOURS[0], "currentColor"]
    assert "Up: mean 50" in repr(made) and "seen: 3 places. So it is." in repr(made)
    assert "■ around■ up■ flat■ seen" in "".join(drawn.itertext())
    assert "nothing to draw" in repr(picture.lines({"a": ([0, 1], [0, np.nan])}, label="x", up="y"))
    assert picture.lines({"a": ([3], [4])}, label="x", up="y").svg


def raises(error):
    raise error


@pytest.mark.parametrize(
    ("sketch", "words"),
    [
        (lambda: raises(NotImplementedError()), "raises has no answer."),
        (lambda: raises(grading.NotYet("It is too short.")), "It is too short."),
        (lambda: no_such_function(), "there is no no_such_function: run the cells above first."),  # noqa: F821
        (lambda: np.linalg.inv(np.zeros((2, 2))) + raises(1), "raised LinAlgError"),
        (lambda: [][1], "raised IndexError: list index out of range"),
    ],
)
def test_what_fails_is_a_sentence(sketch, words):
    made = picture.drawing(sketch)()
    assert not made.svg and repr(made).startswith("Nothing to draw yet: ") and words in repr(made)


def test_an_endless_loop_ends(monkeypatch):
    monkeypatch.setattr(picture, "SECONDS", 0.1)

    @picture.drawing
    def see():
        while True:
            pass

    assert "Is there an endless loop?" in repr(see())


def test_regret_stands_beside_ours_where_nobody_marks(monkeypatch):
    @picture.drawing
    def see(runs=4, rounds=50):
        """Always the worse arm."""
        lost = np.full((runs, rounds), 0.2)
        return picture.regret(lost, "ucb1", "bernoulli", blind=0.1, means=(0.7, 0.5))

    assert see.__doc__ == "Always the worse arm."
    made = see()
    assert re.search(r"Lost after 50 rounds: yours 10 ± 0, ours \(ucb1\) \d+ ± \d+, blind choice 5\.", repr(made))
    assert len(ElementTree.fromstring(made.svg).findall("polyline")) == 3 and picture.edges(1.0, 0.1)
    monkeypatch.setattr(picture, "OURS", False)
    alone = see()
    assert "ucb1" not in repr(alone) and len(ElementTree.fromstring(alone.svg).findall("polyline")) == 2
    assert picture.edges(1.0, 0.1) == {}
