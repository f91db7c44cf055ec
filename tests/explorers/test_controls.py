"""Controls: what the user enters becomes a checked value, or a sentence."""

from dataclasses import replace

import pytest

from dpbandits.explorers.toolkit.controls import Choice, Entry, Number, Seed, Several, Switch, control_for, loosest
from dpbandits.explorers.toolkit.scales import SCALES, Scale, scale_for
from dpbandits.parameters import DELTA, EPSILON, HORIZON, MEANS, SEED, Parameter

DELTA_OR_0 = replace(DELTA, open_low=False)
FLAG = Parameter("bands", "whether bands are drawn", kind="flag")
LAW = Parameter("law", "which law", kind="choice", choices=("gauss", "beta"))


def test_slider_and_box_move_together():
    control = Number(EPSILON, 1.0)
    control.slider.value = 10**-0.95
    assert control.value == control.box.value == 0.112  # three digits: short to read, to type and to repeat
    control.box.value = 2.5
    assert control.value == 2.5 and control.slider.value == 2.5


def test_box_takes_what_the_slider_does_not_reach():
    control = Number(EPSILON, 1.0)
    control.box.value = 50.0
    assert control.value == 50.0 and control.slider.value == SCALES["epsilon"].high


@pytest.mark.parametrize("start", [1, 2, 5, 9, 30])
def test_one_arrow_key_moves_a_log_slider_of_integers(start):
    control = Number(Parameter("pulls", "", kind="integer", low=1), start)
    stop = 10**control.slider.step
    control.slider.value *= stop  # the right arrow
    up = control.value
    assert up > start
    control.slider.value /= stop
    assert control.value < up


def test_log_integers_are_round():
    control = Number(HORIZON, 10_000)
    control.slider.value = 12_345.6
    assert control.value == 12_000 and isinstance(control.value, int)


def test_bad_entry_gives_a_sentence_and_the_old_value_stays():
    control, told = Number(EPSILON, 1.0), []
    control.observe(lambda change: change.new and told.append(change.new), "problem")
    for _ in range(2):
        control.box.value = 0.0
    assert told == ["epsilon = 0 is not allowed: it must be a finite number > 0."] * 2
    assert control.value == 1.0 and control.box.value == 1.0


def test_a_browser_that_snaps_the_handle_changes_nothing():
    control = Number(EPSILON, 0.5)
    control.slider.value = 10**-0.3  # the stop nearest to 0.5, which is what a browser sends when it shows the slider
    assert control.value == 0.5
    control.slider.value = 10**-0.25
    assert control.value == 0.562


def test_left_end_is_zero_where_zero_is_allowed():
    assert not scale_for(EPSILON).zero and not scale_for(DELTA).zero
    control = Number(DELTA_OR_0, 0.01)
    control.slider.value = SCALES["delta"].low
    assert control.value == 0.0
    control.box.value = 0.3
    assert control.value == 0.3


def test_limit_moves_value_slider_and_domain():
    control = Number(Parameter("total", "sum", 0, kind="integer", low=0), 7, Scale("R", 0, 10))
    control.limit(5)
    assert (control.value, control.slider.max, control.box.value) == (5, 5, 5)
    control.box.value = 6
    assert control.value == 5 and "<= 5" in control.problem
    control.limit(20)
    control.slider.value = 13
    assert control.value == 13


def test_entry_reads_a_list():
    control = Entry(MEANS, (0.1, 0.9))
    control.box.value = "0.2; .4, 0.8"
    assert control.value == (0.2, 0.4, 0.8) and control.box.value == "0.2, 0.4, 0.8"
    for typed in ("0.2, 1.5", "0.2, x", "0.3"):
        control.box.value = typed
        assert control.problem.startswith("means = ") and control.value == (0.2, 0.4, 0.8)
        assert control.box.value == "0.2, 0.4, 0.8"


def test_choice_switch_seed():
    choice, switch, seed = Choice(LAW, "gauss"), Switch(FLAG, True), Seed(SEED, 3)
    choice.menu.value, switch.box.value = "beta", False
    assert choice.value == "beta" and switch.value is False
    seed.button.click()
    assert seed.value != 3 and seed.box.value == seed.value
    seed.box.value = -1
    assert seed.value >= 0 and seed.problem.startswith("seed = -1")
    for control, value in ((choice, "gauss"), (switch, True), (seed, 3)):
        control.reset()
        assert control.value == value


def test_several_holds_between_one_and_the_limit():
    control = Several("algorithms", dict.fromkeys("abcd", "an option"), ["c"], limit=2)
    control.boxes["a"].value = True
    assert control.value == ("a", "c")
    control.boxes["b"].value = True
    assert control.value == ("a", "c") and not control.boxes["b"].value and "3 chosen" in control.problem
    control.boxes["a"].value = False
    control.boxes["c"].value = False
    assert control.value == ("c",) and control.boxes["c"].value


@pytest.mark.parametrize(
    "parameter",
    [EPSILON, HORIZON.default_to(100), MEANS.default_to((0.1, 0.2)), LAW.default_to("beta"), FLAG.default_to(True)],
)
def test_control_for_every_kind(parameter):
    control = control_for(parameter)
    assert control.value == parameter.default and control.name == parameter.name
    shown = [w for w in control.children if hasattr(w, "tooltip")]
    assert shown and all(parameter.description in w.tooltip for w in shown)
    assert any(w.description for w in shown)


def test_loosest_holds_all_domains():
    assert loosest([EPSILON, replace(EPSILON, open_low=False)]).check(0) == 0
    merged = loosest([replace(DELTA, high=0.5), DELTA])
    assert merged.check(0.9) == 0.9
    with pytest.raises(ValueError):
        merged.check(0)


def test_sliders_of_numbers_without_a_usual_range():
    assert scale_for(Parameter("share", "", 0.5, low=0, high=1)) == Scale("share", 0, 1, 0.01)
    wide = scale_for(Parameter("speed", "", 2.0, low=0, open_low=True))
    assert wide.log and wide.low < 2 < wide.high and not wide.zero
