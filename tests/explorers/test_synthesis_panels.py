"""The map of a bound and the page of four settings: their numbers against the catalogue's."""

import numpy as np
import pytest

from dpbandits import catalogue, simulate
from dpbandits.bounds.beside import SETTINGS, arguments, same_items
from dpbandits.bounds.regimes import REGIMES, parts
from dpbandits.explorers import all_settings, which_term_rules

SMALL = {"horizon": 500, "runs": 2}


def test_the_map_is_the_bound_taken_apart():
    panel = which_term_rules("wang-zhu-theorem-13", "delta", epsilon=0.2, items=5)
    bound, instance = catalogue.bounds()["wang-zhu-theorem-13"], same_items("stochastic", items=5)
    shades = panel.view.traces["map"]
    for i in (0, 30, 60):
        found = parts(
            bound,
            np.asarray(shades.y, int),
            instance.worst_regret,
            instance=instance,
            epsilon=0.2,
            delta=float(shades.x[i]),
        )
        assert np.array_equal(np.asarray(shades.z)[:, i], found.regime)
    frame = panel.frame()
    assert set(frame["rules"]) <= set(REGIMES) and len(frame) == np.size(shades.z)
    assert len(set(np.ravel(shades.z))) >= 3


def test_the_sentence_names_the_stretches_of_t():
    panel = which_term_rules(epsilon=0.02, delta=1e-4)
    assert (
        "for small T: says nothing; from about T =" in panel.summary_text and "on: learning rules" in panel.summary_text
    )
    assert "at every T: learning rules" in which_term_rules("cascading-theorem-12").summary_text
    cross = panel.view.traces["here"]
    assert (cross.x[0], cross.y[0]) == (0.02, 1e6)


def test_a_theorem_without_slack_has_no_axis_for_it():
    panel = which_term_rules("chandak-theorem-9", "delta")
    assert panel.controls["delta"].layout.display == "none" and panel.figure.layout.xaxis.title.text == "privacy ε"
    panel.set(bound="wang-zhu-theorem-16")
    assert panel.controls["delta"].layout.display is None and panel.figure.layout.xaxis.title.text == "δ"


def test_what_a_theorem_asks_for_is_shown_with_it():
    panel = which_term_rules()
    shown = lambda: {name for name in ("c0", "alpha", "xi") if panel.controls[name].layout.display is None}
    assert shown() == set()
    panel.set(bound="wang-zhu-theorem-4")
    assert shown() == {"c0", "alpha"}
    before = panel.summary_text
    panel.set(c0=0.01)
    assert panel.summary_text != before
    panel.set(bound="cascading-theorem-2")
    assert shown() == {"xi"}


def line(panel, place, name):
    return panel.view.traces[f"{SETTINGS[place]}, {name}"]


def test_the_page_shows_the_catalogues_numbers():
    panel = all_settings(epsilon=0.5, **SMALL)
    known = catalogue.bounds()
    for place, (setting, name, upper) in enumerate(
        (
            ("stochastic", "gdp-elim-new", "wang-zhu-theorem-18"),
            ("cascade", "cascade-ldp-laplace", "cascading-theorem-4"),
            ("semi-bandit", "cucb-ldp2", "chen-theorem-4"),
            ("matroid", "dpucb-mat", "chandak-theorem-9"),
        )
    ):
        instance = same_items(setting)
        taken = {"epsilon": 0.5} | ({"delta": 0.01} if name == "gdp-elim-new" else {})
        data = simulate(name, instance, checkpoints=[500], **taken, **SMALL)
        assert line(panel, place, "measured").y[-1] == pytest.approx(data.regret.mean().item())
        drawn = line(panel, place, "upper bound")
        given = arguments(known[upper], instance, taken | {"constants": "corrected"})
        assert dict(zip(drawn.x.tolist(), drawn.y.tolist(), strict=True))[500] == pytest.approx(
            known[upper].value(horizon=500, **given)
        )
        assert line(panel, place, "the worst policy").y[-1] == pytest.approx(instance.worst_regret * 10**9)
        assert line(panel, place, "uniform play").y[0] == pytest.approx(instance.uniform_regret * 10)
    assert (
        not line(panel, 3, "lower bound").visible
        and "No lower bound is stated for what dpucb-mat promises." in panel.caption.value
    )


def test_where_two_lower_bounds_hold_the_larger_is_drawn():
    known, instance = catalogue.bounds(), same_items("cascade")
    for epsilon, larger in ((0.1, "cascading-theorem-11"), (2.0, "cascading-theorem-12")):
        panel = all_settings(epsilon=epsilon, **SMALL)
        wanted = known[larger].value(horizon=10**9, instance=instance, epsilon=epsilon)
        assert line(panel, 1, "lower bound").y[-1] == pytest.approx(wanted)
    assert "does not keep the promise that its lower bound is about" in panel.caption.value


def test_what_cannot_be_played_is_told_and_the_rest_stays():
    panel = all_settings(**SMALL)
    panel.set(stochastic="dp-ftpl-gauss", delta=1.0, cascade="cascade-ldp-gauss")
    assert "delta = 1 is not allowed (cascade-ldp-gauss)" in panel.error
    assert line(panel, 3, "measured").visible and not line(panel, 1, "measured").visible
    assert "not at these settings" in panel.figure.layout.annotations[1].text
    panel.set(list_size=30)
    assert panel.error == "list_size = 30 is not allowed: it must be <= items = 8."


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: all_settings(stochastic="ucb1"), "Unknown algorithm with an upper bound (stochastic) 'ucb1'"),
        (lambda: all_settings(gap=0.1), "Unknown parameter 'gap' of this explorer"),
        (lambda: all_settings(constants="mine"), "constants = 'mine' is not allowed"),
        (lambda: which_term_rules("theorem-16"), "Unknown bound 'theorem-16'"),
        (lambda: which_term_rules(against="horizon"), "Unknown axis 'horizon'"),
        (lambda: which_term_rules(c1=2), "Unknown parameter 'c1' of this explorer"),
        (lambda: which_term_rules(epsilon=0), "epsilon = 0 is not allowed"),
    ],
)
def test_bad_input(make, words):
    with pytest.raises(ValueError) as caught:
        make()
    assert words in str(caught.value)
