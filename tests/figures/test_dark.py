"""Colours on a dark sheet: readable, the same hue, and the same for everything that was the same."""

import colorsys

import pytest

from dpbandits.algorithms.catalogue import ALGORITHMS
from dpbandits.figures import palette
from dpbandits.figures.dark import CONTRAST, PAPER, contrast, on_dark, parse

FULL = sorted({a.colour for a in ALGORITHMS.values()} | {palette.GREY, palette.BLUE, palette.PURPLE, palette.VERMILION})


@pytest.mark.parametrize("colour", FULL)
def test_a_line_is_seen_and_keeps_its_hue(colour):
    before, after = parse(colour)[0], parse(on_dark(colour))[0]
    assert contrast(after) >= CONTRAST
    if max(before) - min(before) > 0.1:
        hues = [colorsys.rgb_to_hls(*rgb)[0] for rgb in (before, after)]
        assert hues[0] == pytest.approx(hues[1], abs=0.02)


def test_different_lines_stay_different():
    assert len({on_dark(colour) for colour in FULL}) == len(FULL)


def test_letters_on_a_field_stay_readable():
    field, letters = parse(on_dark("#f7d9c6"))[0], parse(on_dark(palette.INK))[0]
    paper = "#" + "".join(f"{round(255 * part):02x}" for part in field)
    assert contrast(letters, paper) > 4.5


def test_white_becomes_the_sheet():
    assert on_dark("white") == on_dark("#fff") == on_dark("#ffffff") == PAPER
    assert on_dark("rgba(255,255,255,0.8)") == "rgba(17,17,17,0.8)"


def test_alpha_stays_and_what_is_not_understood_too():
    assert on_dark("rgba(213, 94, 0, 0.16)").endswith(",0.16)")
    assert on_dark("hsl(10, 20%, 30%)") == "hsl(10, 20%, 30%)" and on_dark("Viridis") == "Viridis"


def test_contrast_is_that_of_wcag():
    assert contrast((1, 1, 1), "#000000") == pytest.approx(21)
    assert contrast((0x77 / 255,) * 3, "#ffffff") == pytest.approx(4.48, abs=0.005)
