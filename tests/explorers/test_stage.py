"""The lecture hall's stage."""

import numpy as np
import pytest

from dpbandits import explorers
from dpbandits.explorers.toolkit.stage import ABOUT, HEIGHT, LETTERS, THICKER, Stage, enlarge


def test_enlarge_changes_the_looks_alone():
    plain, large = explorers.region(), enlarge(explorers.region())
    assert large.figure.layout.font.size == LETTERS > plain.figure.layout.font.size
    for a, b in zip(plain.figure.data, large.figure.data, strict=True):
        assert a.y is b.y is None or np.array_equal(a.y, b.y, equal_nan=True)
        assert not a.line.width or b.line.width == pytest.approx(THICKER * a.line.width)
    assert large.figure.layout.height >= HEIGHT > plain.figure.layout.height


def test_the_menu_changes_the_panel():
    stage = Stage("region")
    first = stage.panel
    stage.menu.value = "mechanism"
    assert stage.panel is not first and stage.panel.name != first.name
    assert stage.about.value.startswith("Laplace or Gaussian noise")


def test_an_unknown_explorer_is_refused():
    with pytest.raises(ValueError, match="Unknown explorer 'regrets'"):
        Stage("regrets")


@pytest.mark.parametrize("name", explorers.PANELS)
def test_every_explorer_can_be_put_on_stage(name):
    """With a sentence for its public: no code, no symbol that only a reader of the paper knows."""
    assert 30 < len(ABOUT[name]) < 125 and ABOUT[name][-1] in ".?" and not set(ABOUT[name]) & set("`_()=*θΔ₀")
    assert set(ABOUT) == set(explorers.PANELS)
