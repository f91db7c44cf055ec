"""Widgets that share their looks: few models for a page to take in, and no change that reaches further than meant."""

import ipywidgets as widgets
import pytest
from comm.base_comm import BaseComm

from dpbandits.explorers import region, regret
from dpbandits.explorers.toolkit.light import light, place

SMALL = {"horizon": 100, "runs": 1}


@pytest.fixture
def sent(monkeypatch):
    """The kinds of all messages to the browser."""
    kinds = []
    monkeypatch.setattr(BaseComm, "publish_msg", lambda self, kind, *args, **given: kinds.append(kind))
    return kinds


def looks(panel):
    parts, found = [panel], set()
    while parts:
        part = parts.pop()
        parts += getattr(part, "children", ())
        found |= {getattr(part, name) for name in ("layout", "style") if part.has_trait(name)}
    return found


def test_a_panel_is_few_models(sent):
    panel = regret(**SMALL)
    controls = sum(len(control.children) + 1 for control in panel.controls.values())
    assert controls > 60 and sent.count("comm_open") < 1.5 * controls + 25  # each had a layout and a style of its own
    assert sent.count("comm_msg") < 30


def test_shared_within_a_panel_alone():
    first, second = region(), region()
    assert len(looks(first)) < 20 and not looks(first) & looks(second)
    assert first.controls["epsilon"].box.layout is first.reset_button.layout is not first.layout


def test_a_change_that_would_reach_them_all_is_refused():
    panel = regret(["ucb1"], **SMALL)
    slider = panel.controls["horizon"].slider
    with pytest.raises(ValueError, match=r"width = '3px' is not allowed .* its own, layout = ipywidgets\.Layout\("):
        slider.layout.width = "3px"
    with pytest.raises(ValueError, match=r"handle_color = 'red' is not allowed .* share this SliderStyle"):
        slider.style.handle_color = "red"
    slider.layout, slider.style = widgets.Layout(width="3px"), {"handle_color": "red"}
    panel.layout.width = "700px"  # the panel's own
    assert slider.layout.width == "3px" and panel.stop_button.layout.width is None


def test_taking_one_away_leaves_the_others():
    one, other = light(widgets.Button), light(widgets.Button)
    place(one, False)
    assert one.layout.display == "none" and other.layout.display is None
    place(one, True)
    place(other, True)
    assert one.layout.display is None


def test_built_anew_after_all_widgets_were_closed():
    light(widgets.Button)
    widgets.Widget.close_all()
    panel = regret(["ucb1"], **SMALL)
    assert all(look.comm is not None for look in looks(panel)) and not panel.error
