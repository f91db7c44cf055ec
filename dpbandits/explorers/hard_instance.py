"""The instances behind the lower bounds of Chen et al. as pictures: who must be told from whom, and what tells them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.arguments.chen import Hard, hard
from dpbandits.environments.semibandit.families import ARMS, GAP, LIST_SIZE
from dpbandits.explorers.toolkit.controls import Choice, Number, Switch
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.explorers.toolkit.plot import HEIGHT, HIDDEN, live_figure
from dpbandits.explorers.toolkit.scales import Scale
from dpbandits.explorers.toolkit.tables import table
from dpbandits.figures.palette import BLUE, GREEN, GREY, INK, VERMILION
from dpbandits.parameters import EPSILON, Parameter

KIND = Parameter("instance", "which super arms there are", kind="choice", choices=("k-path", "public-arms"))
SECOND = Parameter("second", "the second instance: one bad super arm is raised above the best", kind="flag")
FEW = replace(ARMS, low=4, high=60)
SIZE = replace(LIST_SIZE, high=10)
TRUST = {"none": "no privacy", "local": "local privacy", "central": "central privacy"}


def hard_instance(
    instance: str = "k-path",
    *,
    arms: int = 20,
    list_size: int = 4,
    gap: float = 0.5,
    epsilon: float = 0.2,
    second: bool = True,
    width: int | None = None,
    height: int = HEIGHT,
) -> "HardInstance":
    """Base arms as dots, super arms as lines; in the second instance one bad super arm is raised. Marked: every super
    arm whose plays tell the two instances apart, and what that makes of a lower bound.

    arms: at least twice list_size are drawn; for k-path, whole paths only. Raises ValueError for bad input.
    """
    return HardInstance(instance, arms, list_size, gap, epsilon, second, width, height)


class HardInstance(Panel):
    """See hard_instance()."""

    def __init__(self, instance, arms, list_size, gap, epsilon, second, width, height):
        groups = {
            "instance": [
                Choice(KIND, instance),
                Number(FEW, arms, Scale("arms m", 4, 40), live=True),
                Number(SIZE, list_size, Scale("list size K", 1, 10), live=True),
                Number(GAP, gap, Scale("gap Δ", 0.05, 1, 0.05), live=True),
                Switch(SECOND, second, "second instance"),
            ],
            "privacy": [Number(EPSILON, epsilon, live=True)],
        }
        super().__init__(
            "dpbandits-hard-instance", "Two instances that are hard to tell apart", groups, self._figure(height), width
        )
        self.refresh()

    def _figure(self, height: int) -> go.Figure:
        thick = lambda colour, size: {"color": colour, "width": size}
        dot = lambda colour, symbol: {"color": colour, "size": 12, "symbol": symbol, "line": {"color": INK, "width": 1}}
        traces = {
            "silent": go.Scatter(name="super arm, the same in both", mode="lines", line=thick(GREY, 1.4)),
            "telling": go.Scatter(name="super arm whose plays tell", mode="lines", line=thick(VERMILION, 3)),
            "best": go.Scatter(name="mean ½", mode="markers", marker=dot(GREEN, "circle")),
            "low": go.Scatter(name="mean ½ − Δ/K", mode="markers", marker=dot(BLUE, "circle")),
            "raised": go.Scatter(name="raised above ½", mode="markers", marker=dot(VERMILION, "diamond")),
        }
        figure = live_figure(traces, height=height, title=" ", x="base arms", y=" ")
        figure.update_xaxes(showticklabels=False, ticks="", showgrid=False, showline=False)
        return figure.update_yaxes(showticklabels=False, ticks="", showgrid=False, showline=False)

    @property
    def _arms(self) -> int:
        """m: whole paths only."""
        v = self.values
        spare = v["arms"] % v["list_size"] if v["instance"] == "k-path" else 0
        return max(v["arms"] - spare, 2 * v["list_size"])

    def _instance(self) -> Hard:
        v = self.values
        return hard(v["instance"], self._arms, v["list_size"], v["gap"], v["epsilon"])

    def update(self) -> None:
        v, found = self.values, self._instance()
        place = found.place
        raised = found.raised if v["second"] else np.zeros(len(place), bool)
        lines = {"silent": [], "telling": []}
        for members, tells in zip(found.super_arms, found.tells, strict=True):
            lines["telling" if tells and v["second"] else "silent"].append(members)
        edits = {}
        for name, sets in lines.items():
            gaps = [point for members in sets for point in (*place[list(members)], (np.nan, np.nan))]
            drawn = np.array(gaps).reshape(-1, 2)
            edits[name] = {"x": drawn[:, 0], "y": drawn[:, 1], "visible": True} if len(sets) else HIDDEN
        good = np.isin(np.arange(len(place)), found.super_arms[0])
        for name, chosen in (("best", good), ("low", ~good & ~raised), ("raised", raised)):
            at = place[chosen]
            edits[name] = {"x": at[:, 0], "y": at[:, 1], "visible": True} if chosen.any() else HIDDEN
        count = int(found.tells.sum())
        what = "second instance" if v["second"] else "first instance"
        title = (
            f"{v['instance']}, {what}: m = {len(place)}, K = {v['list_size']}, Δ = {v['gap']:g};"
            f" {found.pulls['central']:,.3g}·ln T plays at ε = {v['epsilon']:g}"
        )
        self.view.redraw(edits, {"title.text": title})
        self._describe(found, count)
        self.tell("Raise one bad super arm: whoever shows a raised arm tells the two instances apart.")

    def _describe(self, found: Hard, count: int) -> None:
        v, rows, total = self.values, [], len(found.super_arms) - 1
        for trust, words in TRUST.items():
            rate = found.rates[trust]
            rows.append((words, f"{found.pulls[trust]:,.3g}", f"{rate:,.4g}"))
        text = (
            f"{total} bad super arm{'s' * (total > 1)}, Δ = {v['gap']:g} below the best; raising one shows in the plays"
            f" of {count}. Under central privacy at ε = {v['epsilon']:g} it takes at least"
            f" {found.pulls['central']:,.3g}·ln T plays of these to be sure which instance it is."
        )
        plays = "its plays, in ln T" if count == 1 else f"plays of all {count} together, in ln T"
        caption = (
            "A line joins the arms of one super arm. All arms of a path, and all public arms, share one outcome in a"
            " round, so a play of a raised super arm tells as much as one coin would: total variation Δ/K. Regret: Δ"
            " times the plays, summed over bad super arms if each has a second instance that it alone tells."
        )
        self.show(text, table(("", plays, "regret at least, per ln T"), rows, numeric=(1, 2)), caption)

    def code(self) -> str:
        v = self.values
        return (
            f"from dpbandits.arguments.chen import hard\nfound = hard({v['instance']!r}, arms={self._arms},"
            f" list_size={v['list_size']}, gap={v['gap']!r}, epsilon={v['epsilon']!r})\nfound.tells, found.rates"
        )

    def frame(self) -> pd.DataFrame:
        """One row for each super arm: its base arms (from 1), and whether its plays tell the two instances apart."""
        found = self._instance()
        named = [" ".join(str(a + 1) for a in members) for members in found.super_arms]
        return pd.DataFrame({"super_arm": named, "tells": found.tells})
