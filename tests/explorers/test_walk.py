"""Every control of every panel through its whole range, alone and in random pairs: no error of Python's, and where
nothing is shown a sentence says why. A slider moved by its handle never ends in a blank plot.
"""

import random

import pytest

from dpbandits import explorers
from dpbandits.explorers import list_size, mechanism, regret, vector_tree, which_term_rules
from tests.explorers import walk

PAIRS = 6


@pytest.mark.slow
@pytest.mark.parametrize("name", explorers.PANELS)
def test_every_control_through_its_whole_range(name):
    through(walk.make(name), random.Random(name))


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["cascade", "semi-bandit", "matroid"])
def test_every_control_of_the_other_settings(setting):
    panel = explorers.sweep_over(setting, **{name: walk.SMALL[name] for name in ("points", "horizon", "runs")})
    through(panel, random.Random(setting))


def through(panel, rng):
    """Every control of a panel through its range, then pairs."""
    for asked in list(walk.alone(panel)):
        walk.slide(panel, asked)
        assert not walk.trouble(panel), (asked, walk.trouble(panel))
        # An algorithm alone that cannot keep what the panel promises leaves nothing to show: then the sentence is all.
        assert not panel.blank or (set(asked) == {"algorithms"} and panel.blank in panel.error), (asked, panel.blank)
        panel.reset()
    for _ in range(PAIRS):
        asked = walk.pair(panel, rng)
        walk.slide(panel, asked)
        assert not walk.trouble(panel), (asked, walk.trouble(panel))
        panel.reset()


@pytest.mark.parametrize("entry", walk.NASTY, ids=lambda entry: repr(entry)[:12])
@pytest.mark.slow
def test_no_control_takes_what_it_should_not(entry):
    for panel in (mechanism(), regret(["ucb1", "dp-se"], horizon=100, runs=1)):
        for control in panel.controls.values():
            before = control.value
            control.accept(entry)
            assert control.value == before or control.parameter.check(entry) is not None
            assert control.problem == "" or (control.name in control.problem and len(control.problem) < 400)


def test_a_slider_ends_where_the_others_let_it():
    panel = regret(["ucb1"], "wang-zhu-1", horizon=100, runs=1)
    arms, gap = panel.controls["arms"], panel.controls["gap"]
    assert arms.slider.max == 21 and 10**gap.slider.max <= 0.125 < 10 ** (gap.slider.max + 0.05)
    panel.set(gap=0.1)
    assert arms.slider.max == 11
    arms.box.value = 30  # typed: refused with a sentence, and nothing is shown
    assert panel.blank and "gap" in panel.error
    panel.set(arms=5)
    assert not panel.error and 10**gap.slider.max <= 0.25
    panel.reset()
    assert arms.slider.max == 21


def test_a_slider_passes_over_what_does_not_fit():
    from dpbandits.explorers import semibandit_regret

    panel = semibandit_regret(["cucb"], "k-path", arms=12, list_size=4, horizon=50, runs=1)
    slider = panel.controls["arms"].slider
    slider.value = 13  # the right arrow
    assert panel.values["arms"] == slider.value == 16 and not panel.error
    slider.value = 15
    assert panel.values["arms"] == 12 and not panel.error


def test_what_plays_no_part_is_out_of_use_and_says_why():
    panel = list_size("noise")
    idle = {name for name, c in panel.controls.items() if any(getattr(w, "disabled", False) for w in c.children)}
    assert idle == {"items", "top_mean", "other_mean", "bonus_multiplier", "horizon", "runs", "seed"}
    assert "plays no part now" in panel.controls["horizon"].slider.tooltip
    panel.set(view="regret")
    assert not any(getattr(w, "disabled", False) for c in panel.controls.values() for w in c.children)
    assert "plays no part" not in panel.controls["horizon"].slider.tooltip
    chosen = regret(["ucb1"], horizon=50, runs=1)
    assert chosen.controls["delta"].slider.disabled and chosen.controls["epsilon"].box.disabled
    chosen.set(algorithms=["dp-ftpl-new"])
    assert not chosen.controls["delta"].slider.disabled


def test_the_tree_keeps_its_arms_and_lists_apart():
    panel = vector_tree()
    panel.controls["list_size"].slider.value = 12
    assert panel.values["list_size"] == 12 and panel.controls["arms"].slider.min == 12
    assert which_term_rules("wang-zhu-theorem-16").controls["list_size"].slider.disabled
