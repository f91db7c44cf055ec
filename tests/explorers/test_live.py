"""From a figure to its explorer: every figure opens at its record's settings, or says why it does not."""

from dataclasses import replace

import numpy as np
import pytest

from dpbandits import explorers
from dpbandits.environments import build
from dpbandits.explorers import live as by_name
from dpbandits.explorers.live import DRAWN, MENU, OPENINGS, opening_of
from dpbandits.explorers.toolkit.engine import LIVE_HORIZON, Engine, Job
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.figures.gallery import gallery
from dpbandits.papers import catalogue
from dpbandits.papers.catalogue import FIGURES
from dpbandits.papers.noise import both_noises
from dpbandits.papers.semi_bandit_sweeps import companions
from dpbandits.statements.catalogue import PREFIXES
from tests.notebooks import rules

NONE = {"chandak-table-6.2"}  # figures without an explorer
NOT_ON_PANELS = {"checkpoints", "spacing", "movielens"}
#: Settings that a panel has under another name, tested on their own below.
OTHERWISE = {
    "chen-list-size": {"choices", "list_size", "gap"},
    "chen-smoothness": {"bad_arms"},
    "chandak-fig-2.1": {"epsilon_max", "points", "every"},
    "chandak-table-6.1": {"instance"},
}


@pytest.fixture
def idle(monkeypatch):
    """Panels plan their cells and play none of them."""
    monkeypatch.setattr(Engine, "start", lambda self, cells, runs: Job([], 0))


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_opens_at_its_settings_or_says_why_not(name, idle, capsys):
    panel, figure = by_name(name), FIGURES[name]
    said = capsys.readouterr().out
    if name in NONE:
        assert panel is None and f"({name}) has no live panel" in said and said.endswith(".\n")
        return
    assert isinstance(panel, Panel) and not panel.error and not panel.blank
    has, settings = panel.values, figure.settings_at("quick")
    for key, value in settings.items():
        if key in NOT_ON_PANELS | OTHERWISE.get(name, set()):
            continue
        if key == "algorithm":
            assert set(has["algorithms"]) == set(value)
        elif key == has.get("over"):  # along the axis
            assert (has["low"], has["high"], has["points"]) == (min(value), max(value), len(value))
        elif isinstance(value, list) and key != "means":  # one of several, and a sentence
            assert has[key] in value and f"the panel opens at {has[key]:g}." in said
        else:
            assert has[key] == (tuple(value) if key == "means" else value), key
    if figure.compute is both_noises:
        assert has["noise_multiplier"] == has["bonus_multiplier"] == 0.01 and "right half" in said
    if figure.builder in DRAWN:
        assert DRAWN[figure.builder] in said
    panel.close()


@pytest.mark.parametrize("name", [name for name, figure in FIGURES.items() if figure.simulated and name not in NONE])
def test_what_is_going_to_be_played_is_what_the_figure_plays(name, idle):
    """Horizon, algorithms and number of runs of the planned cells; sweeps span the figure's values."""
    panel, settings = by_name(name), FIGURES[name].settings_at("quick")
    horizons = settings["horizon"] if isinstance(settings["horizon"], list) else [settings["horizon"]]
    played = {cell.horizon for cell in panel.cells}
    assert {min(played), max(played)} == {min(horizons), max(horizons)}
    if "algorithm" in settings:
        assert {cell.algorithm.name for cell in panel.cells} == set(settings["algorithm"])
    assert panel.values["runs"] == settings["runs"] and not panel.refused
    panel.close()


def test_settings_under_another_name(idle, capsys):
    panel, settings = by_name("chen-list-size"), FIGURES["chen-list-size"].settings_at("quick")
    size = 4
    assert f"the panel opens at {size}." in capsys.readouterr().out and size in settings["list_size"]
    wanted = build("super-arms", **companions(settings["choices"], size, settings["gap"]))
    assert panel.values["instance"] == "super-arms"
    np.testing.assert_array_equal(panel.cells[0].instance.means, wanted.means)
    assert panel.cells[0].instance.parameters == wanted.parameters
    panel = by_name("chen-smoothness")
    assert panel.values["arms"] == FIGURES["chen-smoothness"].settings["bad_arms"]
    assert panel.values["smoothness"] == 1 and "as in the figure's right half" in capsys.readouterr().out
    assert by_name("chandak-table-6.1").instance.name == FIGURES["chandak-table-6.1"].settings["instance"]
    assert by_name("chandak-fig-2.1").frame()["epsilon"].max() == FIGURES["chandak-fig-2.1"].settings["epsilon_max"]


def test_every_way_to_compute_a_figure_has_an_opening():
    assert set(OPENINGS) == {figure.compute for figure in FIGURES.values()}


def test_a_longer_horizon_than_a_panel_plays_comes_down_to_it(idle, monkeypatch, capsys):
    figure = FIGURES["chandak-fig-6.1a"]
    long = replace(figure, settings={**figure.settings, "horizon": 3 * LIVE_HORIZON.high})
    monkeypatch.setitem(catalogue.FIGURES, "chandak-fig-6.1a", long)
    assert by_name("chandak-fig-6.1a").values["horizon"] == LIVE_HORIZON.high
    assert "has 30,000,000 rounds; a panel plays 10,000,000 at most" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("wang-zhu-fig-4e", "Unknown figure 'wang-zhu-fig-4e'. Did you mean wang-zhu-fig-"),
        ("chandak-fig-6.3", "Did you mean chandak-fig-6.3"),
        ("", "Unknown figure ''."),
    ],
)
def test_an_unknown_figure_is_refused(name, sentence):
    with pytest.raises(ValueError, match=sentence):
        by_name(name)


def test_an_unknown_paper_is_refused():
    with pytest.raises(ValueError, match="Unknown paper 'wang'. Did you mean wang-zhu"):
        explorers.gallery_live("wang")


@pytest.mark.parametrize("paper", PREFIXES)
def test_the_menu_has_all_of_a_paper_and_plays_nothing_unasked(paper, monkeypatch):
    monkeypatch.setattr(Engine, "start", lambda *arguments: pytest.fail("a simulation began before the click"))
    shown = explorers.gallery_live(paper)
    names = [name for _, name in shown.menu.options]
    assert names == [card.figure.name for card in gallery(paper).cards]
    assert shown.menu.value == names[0] and shown.panel is None
    shown.menu.value = names[-1]
    assert shown.panel is None and f'explorers.live("{names[-1]}")' in shown.call.value
    for control in (shown.menu, shown.button):
        assert control.description and control.tooltip


def test_a_click_opens_the_chosen_figure_and_closes_the_one_before():
    shown = explorers.gallery_live("cascading")
    shown.menu.value = "cascading-fig-1g"
    shown.button.click()
    first = shown.panel
    assert first.finish().values["items"] == 16 and first.frame()["algorithm"].eq("cascade-dp").all()
    assert "the panel opens at 16" in shown.line.value and "role='status'" in shown.line.value
    shown.menu.value = "cascading-fig-1f"
    assert shown.panel is first and "at 16" in shown.line.value  # until the next click
    shown.button.click()
    assert shown.panel is not first and first.comm is None and len(shown.place.children) == 1
    assert shown.panel.values["epsilon"] == 1.0


def test_a_click_on_what_has_no_panel_says_so():
    shown = explorers.gallery_live("chandak")
    shown.menu.value = "chandak-fig-2.1"
    shown.button.click()
    assert shown.panel is not None and "Opened at" in shown.line.value
    shown.menu.value = "chandak-table-6.2"
    shown.button.click()
    assert shown.panel is None and "has no live panel" in shown.line.value


def test_the_sentence_without_a_panel_names_the_same_runs():
    runs, beside = (FIGURES[name].settings_at("quick") for name in ("chandak-table-6.2", "chandak-fig-6.4a"))
    assert "chandak-fig-6.4a" in opening_of("chandak-table-6.2") and runs["algorithm"] in beside["algorithm"]
    assert all(runs[key] == beside[key] for key in ("instance", "horizon", "epsilon", "runs", "seed"))


def test_a_saved_notebook_has_a_sentence_in_the_menus_place():
    shown = explorers.gallery_live("chen")._repr_mimebundle_()
    data = shown[0] if isinstance(shown, tuple) else shown
    assert set(data) == {rules.WIDGET_VIEW, "text/plain"} and data["text/plain"] == MENU == rules.MENU


def test_a_card_names_the_call():
    for card in gallery("cascading").cards[:3]:
        assert f"explorers.live(&quot;{card.figure.name}&quot;)" in card.html
