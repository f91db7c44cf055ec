"""Names are text: what an author puts into a policy's or an element's name is shown as it is, and never runs."""

import re
from dataclasses import replace

import numpy as np
import pytest

from dpbandits import claim, compare, simulate
from dpbandits.environments import build
from dpbandits.explorers import cascade_regret, matroid_regret, regret, see_a_matroid, semibandit_regret
from dpbandits.figures import regret as regret_figure
from dpbandits.figures import table
from dpbandits.summary import summary

HOSTILE = "<script>alert('x')</script><img src=x onerror=alert(1)>"
SMALL = {"horizon": 50, "runs": 2}
RAW = re.compile(r"<(script>alert|img src=x)")
pytestmark = pytest.mark.filterwarnings("ignore:.*runs as plain Python")


def hostile(setting):
    """A policy of this setting with a name that is none."""
    if setting == "stochastic":

        def policy(means, horizon, checkpoints, streams, epsilon=1.0):
            return np.zeros(checkpoints.size)

    elif setting == "cascade":

        def policy(attraction, list_size, horizon, checkpoints, streams, epsilon=1.0):
            return np.zeros(checkpoints.size)

    elif setting == "semi-bandit":

        def policy(problem, horizon, checkpoints, streams, epsilon=1.0):
            return np.zeros(checkpoints.size)

    else:

        def policy(means, matroid, users, horizon, checkpoints, streams, epsilon=1.0):
            return np.zeros(checkpoints.size)

    policy.__name__ = HOSTILE
    return policy


PANELS = {
    "stochastic": (regret, "ucb1"),
    "cascade": (cascade_regret, "cascade-ucb1"),
    "semi-bandit": (semibandit_regret, "cucb"),
    "matroid": (matroid_regret, "omm"),
}


def texts(figure):
    """Everything in a figure that plotly reads as HTML."""

    def walk(value):
        if isinstance(value, dict):
            for key, item in value.items():
                if key not in ("uid", "legendgroup"):
                    yield from walk(item)
        elif isinstance(value, (list, tuple)):
            for item in value:
                yield from walk(item)
        elif isinstance(value, str):
            yield value

    return " ".join(walk(figure.to_plotly_json()))


def html_of(widget):
    """All HTML that a panel shows: HTML widgets, and descriptions that allow it."""
    found = [widget.value] if type(widget).__name__ == "HTML" else []
    if getattr(widget, "description_allow_html", False):
        found.append(widget.description)
    return " ".join(found + [html_of(child) for child in getattr(widget, "children", ())])


@pytest.mark.parametrize("setting", PANELS)
@pytest.mark.slow
def test_a_policys_name_in_panels_and_exports(setting, tmp_path):
    make, rival = PANELS[setting]
    panel = make([rival, claim(hostile(setting), HOSTILE, epsilon=1.0)], **SMALL)
    panel.code_button.value = True
    assert not panel.error, panel.error
    shown = html_of(panel)
    assert "&lt;script&gt;" in shown and not RAW.search(shown)
    assert "&lt;script&gt;" in texts(panel.figure) and not RAW.search(texts(panel.figure))
    saved = panel.save_html(tmp_path).read_text(encoding="utf-8")
    assert not RAW.search(saved.partition("</head>")[2])
    assert panel.save_csv(tmp_path) and set(panel.frame()["algorithm"]) == {rival, HOSTILE}
    panel.set(algorithms=[HOSTILE])
    assert not panel.error and HOSTILE in panel.summary_text and not RAW.search(html_of(panel))


def test_elements_names():
    instance = build("matroid-table-6.1")
    spoilt = replace(instance, facts=instance.facts | {"labels": [HOSTILE] * instance.arms}, name=HOSTILE)
    panel = see_a_matroid(spoilt)
    assert not panel.error and "&lt;script&gt;" in html_of(panel) and "&lt;script&gt;" in texts(panel.figure)
    assert not RAW.search(html_of(panel)) and not RAW.search(texts(panel.figure))


def test_figures_and_summaries():
    result = simulate(["ucb1", hostile("stochastic")], "two-arms", checkpoints=5, **SMALL)
    drawn = texts(regret_figure.draw(result))
    assert "&lt;script&gt;" in drawn and not RAW.search(drawn)
    assert HOSTILE in summary(result)
    assert HOSTILE in compare(hostile("stochastic"), "two-arms", **SMALL).algorithm
    words = result.algorithm.rename({"algorithm": "row"}).to_dataset(name="who")
    assert "&lt;script&gt;" in texts(table.draw(words)) and not RAW.search(texts(table.draw(words)))
