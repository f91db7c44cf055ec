"""The feasible region of Wang & Zhu's Lemmas 8 and 9: where may F' lie, and does it?"""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.arguments.theorem_4 import group
from dpbandits.explorers.toolkit.controls import Choice, Control, Number, Switch
from dpbandits.explorers.toolkit.law_panel import LawPanel
from dpbandits.explorers.toolkit.light import place
from dpbandits.explorers.toolkit.plot import HIDDEN, live_figure
from dpbandits.explorers.toolkit.tables import bad, table
from dpbandits.figures.palette import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    translucent,
)
from dpbandits.mechanisms.perturbations import LAWS, check_pair, law, pulls_needed_beta, pulls_needed_gauss
from dpbandits.parameters import DELTA_OR_ZERO, EPSILON_OR_ZERO, Parameter
from dpbandits.privacy import excess, feasible_region, interval_violation, needed_delta, smallest_pulls, worst_violation

POINTS = 400
FINE = 4001  # points at which k changed rewards, and intervals, are looked at
DIRECTIONS = (1, -1)
VIEWS = {"over θ": "F and F′ over θ", "F′ over F": "F′ over F: one region for all laws"}
EVENTS = {"half-lines": "half-lines: Lemma 8", "intervals": "intervals: Lemma 9, with δ/2"}
LOOKS = {
    "gauss": (ORANGE, "dash"),
    "beta": (GREEN, "dashdot"),
    "beta-plain": (VERMILION, "dot"),
    "new": (INK, "longdashdot"),
}
#: What makes which edge: number -> (words, colour, edge(F, ε, δ)).
EDGES = {
    1: ("F ≤ e<sup>ε</sup>F′ + δ", ORANGE, lambda f, e, d: math.exp(-e) * (f - d)),
    2: ("1 − F ≤ e<sup>ε</sup>(1 − F′) + δ", SKY, lambda f, e, d: 1 - math.exp(-e) * (1 - f - d)),
    3: ("F′ ≤ e<sup>ε</sup>F + δ", PURPLE, lambda f, e, d: math.exp(min(e, 700)) * f + d),
    4: ("1 − F′ ≤ e<sup>ε</sup>(1 − F) + δ", VERMILION, lambda f, e, d: 1 - math.exp(min(e, 700)) * (1 - f) - d),
}
#: Of traces whose names change, the first ones.
NAMES = {
    "F′ +1": "F′ for R + 1",
    "F′ -1": "F′ for R − 1",
    "second": "a second (ε, δ)",
    "group": "what k changes may cost",
}
LOWER = (1, 4)  # the inequalities that bound F′ from below
BESIDE = Parameter("beside", "other laws at the same N and R", kind="choice", choices=("none", *LAWS, "all"))
CHANGED = Parameter("changed", "rewards that are changed, k", 1, kind="integer", low=1, high=20)
INTERVAL = Parameter("interval", "length of the intervals, in steps of 1/N", 2.0, low=0.05, high=50)


def region(
    law: str = "beta",
    *,
    pulls: int = 6,
    total: int = 0,
    epsilon: float = 1.0,
    delta: float = 0.01,
    beside: str = "none",
    changed: int = 1,
    view: str = "over θ",
    events: str = "half-lines",
    interval: float = 2.0,
    edges: bool = False,
    second: tuple[float, float] | None = None,
    width: int | None = None,
    height: int = 560,
) -> "RegionExplorer":
    """F, the law of θ, and F' after one changed reward, in the region that (ε, δ) leaves it (Lemma 8 of Wang & Zhu
    2024).

    law: "gauss", "beta", "beta-plain" (without k) or "new"; pulls N >= 1 and total reward R <= N of the arm; epsilon
    and delta >= 0, not both 0. beside: another law, "all" or "none". changed: k rewards. view: "over θ" or "F′ over F".
    events: "half-lines" or "intervals" (Lemma 9), these `interval` steps of 1/N long. edges: tell which inequality
    makes which edge. second: another (ε, δ), as an outline. The lower plot shows how far outside F' is. Raises
    ValueError for bad input.
    """
    choices = {"beside": beside, "changed": changed, "view": view, "events": events, "interval": interval}
    return RegionExplorer(
        (law, pulls, total, epsilon, delta), choices | {"edges": edges, "pair": second}, width, height
    )


class RegionExplorer(LawPanel):
    """See region()."""

    def __init__(self, first, choices, width, height):
        flag = lambda name, text: Parameter(name, text, kind="flag")
        menu = lambda name, text, of: Parameter(name, text, kind="choice", choices=tuple(of))
        pair = choices["pair"] or (0.5, 0.01)
        names = {"none": "none", "all": "all laws"}
        groups = {
            "what is drawn": [
                Choice(menu("view", "what the curves are drawn over", VIEWS), choices["view"], labels=VIEWS),
                Choice(menu("events", "which events are looked at", EVENTS), choices["events"], labels=EVENTS),
                Number(INTERVAL, choices["interval"], live=True),
                Number(CHANGED, choices["changed"], live=True),
                Choice(BESIDE, choices["beside"], labels=names),
                Switch(flag("edges", "Which inequality makes which edge"), choices["edges"], "name the edges"),
                Switch(
                    flag("printed", "Only the two inequalities that the paper prints"),
                    False,
                    "only the two printed inequalities",
                ),
                Switch(
                    flag("second", "The outline of the region of a second (ε, δ)"),
                    choices["pair"] is not None,
                    "a second (ε, δ)",
                ),
            ],
            "": [
                Number(replace(EPSILON_OR_ZERO, name="epsilon_2", description="second ε"), pair[0], live=True),
                Number(replace(DELTA_OR_ZERO, name="delta_2", description="second δ"), pair[1], live=True),
            ],
        }
        super().__init__(
            "dpbandits-region",
            "Does one changed reward show? The feasible region",
            first,
            groups,
            self._figure(height),
            width,
        )
        self._arrange()

    def changed(self, control: Control) -> None:
        self._arrange()
        super().changed(control)

    @property
    def together(self) -> tuple[str, ...]:
        return (*super().together, "pulls", "total", "changed")

    def allows(self, **moved: object) -> None:
        v = self.values | moved
        if moved.keys() & {"pulls", "total", "changed"} and v["changed"] > max(v["total"], v["pulls"] - v["total"]):
            raise ValueError(
                f"changed = {v['changed']} is not allowed with pulls = {v['pulls']} and total = {v['total']}: so many"
                " rewards can neither be raised nor lowered."
            )

    def _arrange(self) -> None:
        """Show the controls that mean something now."""
        v = self.values
        for name, used in (
            ("interval", v["events"] == "intervals"),
            ("epsilon_2", v["second"]),
            ("delta_2", v["second"]),
        ):
            place(self.controls[name], used)

    def _figure(self, height: int) -> go.Figure:
        below = {"xaxis": "x", "yaxis": "y2"}
        outline = {"mode": "lines", "hoverinfo": "skip"}
        traces = {
            "left": go.Scatter(
                name="where F′ may lie",
                fill="toself",
                fillcolor=translucent(GREEN, 0.2),
                line={"width": 0},
                hoverinfo="skip",
                mode="lines",
            ),
            "F": go.Scatter(name="F", line={"color": INK, "width": 2.2}, mode="lines"),
        }
        for change, colour, dash in ((1, BLUE, "solid"), (-1, PURPLE, "dash")):
            traces |= {
                f"F′ {change:+d}": go.Scatter(
                    name=NAMES[f"F′ {change:+d}"], line={"color": colour, "width": 2, "dash": dash}, mode="lines"
                ),
                f"outside {change:+d}": go.Scatter(
                    name="outside",
                    line={"color": VERMILION, "width": 5},
                    opacity=0.6,
                    mode="lines",
                    showlegend=change == 1,
                    hoverinfo="skip",
                ),
                f"excess {change:+d}": go.Scatter(
                    **below,
                    name="outside by",
                    line={"color": colour, "width": 1.6, "dash": dash},
                    mode="lines",
                    showlegend=False,
                ),
                f"filled {change:+d}": go.Scatter(
                    **below,
                    fill="tozeroy",
                    fillcolor=translucent(VERMILION, 0.45),
                    line={"width": 0},
                    mode="lines",
                    showlegend=False,
                    hoverinfo="skip",
                ),
            }
        for number, (words, colour, _) in EDGES.items():
            traces[f"edge {number}"] = go.Scatter(
                name=f"{number}: {words}", line={"color": colour, "width": 3}, **outline
            )
        for name, (colour, dash) in LOOKS.items():
            look = {"line": {"color": colour, "width": 1.6, "dash": dash}, "mode": "lines"}
            traces[f"beside {name}"] = go.Scatter(name=name, **look)
            traces[f"beside excess {name}"] = go.Scatter(**below, name=f"outside by, {name}", showlegend=False, **look)
        for name, colour, dash in (("second", GREY, "dot"), ("group", INK, "dashdot")):
            traces[name] = go.Scatter(name=NAMES[name], line={"color": colour, "width": 1.4, "dash": dash}, **outline)
        figure = live_figure(traces, height=height, title=" ", x="θ", y="cdf")
        lower = figure.layout.yaxis.to_plotly_json() | {
            "title": {"text": "outside by"},
            "domain": [0, 0.25],
            "zeroline": True,
            "zerolinecolor": GREY,
        }
        figure.update_layout(
            yaxis={"domain": [0.36, 1], "range": [-0.02, 1.02]},
            yaxis2=lower,
            xaxis={"anchor": "y2"},
        )
        return figure

    # What is looked at: the probability of an event, half-line or interval, before and after.

    @property
    def _asked(self) -> tuple[float, float]:
        """(ε, δ) for the events that are looked at."""
        v = self.values
        return v["epsilon"], v["delta"] / 2 if v["events"] == "intervals" else v["delta"]

    def _laws(self, name: str) -> dict:
        """The law now, and after the changes that are possible: 0, +1, −1 -> law."""
        v = self.values
        moved = {c: v["total"] + c * v["changed"] for c in (0, *DIRECTIONS)}
        laws = {c: law(name, v["pulls"], r, v["epsilon"], v["delta"]) for c, r in moved.items() if 0 <= r <= v["pulls"]}
        self.allows(changed=v["changed"])
        return laws

    def _x(self, laws: dict, points: int, tail: float = 0.0005) -> np.ndarray:
        ends = [f.quantile(p) for f in laws.values() for p in (tail, 1 - tail)]
        return np.linspace(min(ends) - self._length, max(ends), points)

    @property
    def _length(self) -> float:
        """Of the intervals, in units of θ; 0 for half-lines."""
        v = self.values
        return v["interval"] / v["pulls"] if v["events"] == "intervals" else 0.0

    def _probability(self, one, x: np.ndarray) -> np.ndarray:
        """Of the event that begins, or ends, at x."""
        return one.cdf(x + self._length) - one.cdf(x) if self._length else one.cdf(x)

    def _curves(self, name: str = ""):
        """x, F, and for each possible change of R: F' and how far it is outside."""
        v = self.values
        laws = self._laws(name or v["law"])
        x = self._x(laws, POINTS)
        before = np.clip(self._probability(laws[0], x), 0, 1)
        after = {c: np.clip(self._probability(laws[c], x), 0, 1) for c in DIRECTIONS if c in laws}
        return x, before, {c: (f, excess(before, f, *self._asked, v["printed"])) for c, f in after.items()}

    def _need(self, name: str) -> tuple[float, float]:
        """(how far outside, δ needed) on a fine grid: for k changed rewards, and for all intervals."""
        v = self.values
        laws, outside, needed = self._laws(name), -math.inf, 0.0
        x = self._x(laws, FINE, 1e-12)
        grown, share = math.exp(min(v["epsilon"], 700.0)), 2 if v["events"] == "intervals" else 1
        before = np.clip(self._probability(laws[0], x), 0, 1)
        for change in DIRECTIONS:
            if change not in laws:
                continue
            after = np.clip(self._probability(laws[change], x), 0, 1)
            outside = max(outside, float(excess(before, after, *self._asked, v["printed"]).max()))
            if share == 2:
                pair = laws[0].cdf(x), laws[change].cdf(x)
                needed = max(needed, 2 * interval_violation(x, *pair, v["epsilon"], 0.0, v["printed"]).amount)
                continue
            for one, two in ((before, after), (1 - before, 1 - after)):
                needed = max(needed, float((one - grown * two).max()))
                if not v["printed"]:
                    needed = max(needed, float((two - grown * one).max()))
        return outside, needed

    @property
    def _exact(self) -> bool:
        """Whether Lemma 8's closed forms speak: one changed reward, half-lines."""
        return self.values["changed"] == 1 and self.values["events"] == "half-lines"

    def _worst(self, name: str) -> tuple[float, float]:
        v = self.values
        if not self._exact:
            return self._need(name)
        arguments = name, v["pulls"], v["total"], v["epsilon"], v["delta"], v["printed"]
        return worst_violation(*arguments).excess, needed_delta(*arguments)

    # Drawing.

    def update(self) -> None:
        v = self.values
        check_pair(v["epsilon"], v["delta"])
        x, before, others = self._curves()
        over = v["view"] == "F′ over F"
        mass = np.linspace(0, float(before.max()), POINTS) if over else before
        place = mass if over else x
        edits = dict.fromkeys(self.view.traces, HIDDEN) | {
            name: HIDDEN | {"name": said} for name, said in NAMES.items()
        }
        edits["left"] = self._band(place, *feasible_region(mass, *self._asked, v["printed"]))
        edits["F"] = {"x": place, "y": mass, "visible": True}
        if v["edges"]:
            edits |= self._edges(place, mass)
        if v["second"]:
            pair = v["epsilon_2"], v["delta_2"] / (2 if v["events"] == "intervals" else 1)
            edits["second"] = self._outline(place, mass, pair, f"({v['epsilon_2']:g}, {v['delta_2']:g})")
        if v["changed"] > 1:
            pair = group(*self._asked, v["changed"])
            edits["group"] = self._outline(place, mass, pair, f"{v['changed']} changes may cost this")
        seen = any((out > 1e-12).any() for _, out in others.values())
        for change, (other, out) in others.items():
            where, outside = before if over else x, out > 1e-12
            curves = other, np.where(outside, other, np.nan), out, np.where(outside, out, 0)
            names = [f"{curve} {change:+d}" for curve in ("F′", "outside", "excess", "filled")]
            edits |= {name: {"x": where, "y": y, "visible": True} for name, y in zip(names, curves, strict=True)}
            edits[f"F′ {change:+d}"]["name"] = f"F′ for R {'+' if change > 0 else '−'} {v['changed']}"
        for change in DIRECTIONS:  # one entry for both directions, and only where there is something outside
            edits[f"outside {change:+d}"] = edits[f"outside {change:+d}"] | {
                "showlegend": seen and (change == 1) == (1 in others)
            }
        for name in LAWS:
            if name != v["law"] and v["beside"] in (name, "all"):
                edits |= self._beside(name, over)
        event = "F and F′" if v["events"] == "half-lines" else f"P of intervals {v['interval']:g}/N long"
        self.view.redraw(
            edits,
            {
                "title.text": (
                    f"{event} for {v['law']}, N = {v['pulls']:,}, R = {v['total']:,}, at (ε, δ) = ({v['epsilon']:g},"
                    f" {v['delta']:g})"
                ),
                "xaxis.title.text": "F" if over else "θ" if v["events"] == "half-lines" else "θ, where it begins",
                "yaxis.title.text": "F′" if over else "cdf" if v["events"] == "half-lines" else "probability",
                "yaxis.range": [-0.02, 1.02] if v["events"] == "half-lines" else [0, 1.3 * float(before.max())],
            },
        )
        self._describe()

    @staticmethod
    def _band(x, low, high) -> dict:
        return {"x": np.append(x[::2], x[::-2]), "y": np.append(low[::2], high[::-2]), "visible": True}

    def _outline(self, x, mass, pair, name: str) -> dict:
        return self._band(x, *feasible_region(mass, *pair, self.values["printed"])) | {"name": name}

    def _edges(self, x, mass) -> dict:
        """Each inequality where it is the one that binds."""
        asked, printed = self._asked, self.values["printed"]
        low, high = feasible_region(mass, *asked, printed)
        edits = {}
        for number, (_, _, edge) in EDGES.items():
            if number <= 2 or not printed:
                y = edge(mass, *asked)
                binds = np.abs(y - (low if number in LOWER else high)) <= 1e-12
                edits[f"edge {number}"] = {"x": x, "y": np.where(binds, y, np.nan), "visible": True}
        return edits

    def _beside(self, name: str, over: bool) -> dict:
        """Another law: F' over F, or its F over θ; below, how far its F' is outside, for one change."""
        x, before, others = self._curves(name)
        other, out = next(iter(others.values()))
        where = before if over else x
        return {
            f"beside {name}": {"x": where, "y": other if over else before, "visible": True},
            f"beside excess {name}": {"x": where, "y": out, "visible": True},
        }

    def _describe(self) -> None:
        v = self.values
        outside, needed = self._worst(v["law"])
        violated = outside > (0 if self._exact else 1e-12)
        enough = smallest_pulls(v["law"], v["epsilon"], v["delta"])
        ends = "" if enough == math.inf or not self._exact else f" From N = {enough:,} on it stays inside for every R."
        said = "one changed reward needs" if v["changed"] == 1 else f"{v['changed']} changed rewards need"
        if self._exact and violated:
            worst = worst_violation(v["law"], v["pulls"], v["total"], v["epsilon"], v["delta"], v["printed"])
            text = (
                f"F′ leaves the region: for R {'+' if worst.direction > 0 else '−'} 1 it is outside by up to"
                f" {worst.excess:.3g}, at θ = {worst.x:.3g}. To allow it δ would have to be {needed:.3g} instead of"
                f" {v['delta']:g}.{ends or ' No N repairs this.'}"
            )
        elif violated:
            text = (
                f"F′ leaves the region, by up to {outside:.3g}: {said} δ = {needed:.3g}, and {v['delta']:g} is allowed."
            )
        else:
            text = f"F′ stays inside the region: {said} δ = {needed:.3g}, and {v['delta']:g} is allowed.{ends}"
        if v["changed"] > 1:
            pair = group(v["epsilon"], v["delta"], v["changed"])
            text += f" Group privacy allows {v['changed']} changes ({pair[0]:g}, {pair[1]:.3g})."
        rows = []
        for name in LAWS:
            out, least = self._worst(name)
            verdict = bad(f"outside by {out:.3g}") if out > (0 if self._exact else 1e-12) else "inside"
            exact, paper = smallest_pulls(name, v["epsilon"], v["delta"]), _papers_pulls(name, v["epsilon"], v["delta"])
            mark = "<b>{}</b>" if name == v["law"] else "{}"
            rows.append(
                (
                    mark.format(name),
                    verdict,
                    f"{least:.3g}",
                    _count(exact),
                    _count(paper),
                    f"{paper / exact:,.0f} ×" if exact < paper < math.inf else "–",
                )
            )
        heads = (
            "law",
            f"at N = {v['pulls']:,}, R = {v['total']:,}",
            "δ needed",
            "N that suffices",
            "paper's N*",
            "N* over it",
        )
        caption = (
            "Lemma 8 protects <b>one selection given the past</b>: (ε, δ) for the round's draw when one reward of the"
            " history changes. Over many rounds the loss adds up. Orange-red: outside, the claim fails there. “N that"
            " suffices” is exact, for one changed reward, half-lines and every R; N* is N<sub>G</sub>* for gauss,"
            " N<sub>B</sub>* for beta, and 1 for new (no start phase)."
        )
        if v["events"] == "intervals":
            caption += (
                " Lemma 9 protects <b>all selections</b> of an elimination that stops for good: intervals and their"
                " complements, with δ/2 each. “δ needed” is over intervals of every length."
            )
        self.show(text, table(heads, rows, numeric=(2, 3, 4, 5)), caption)
        self.tell("F′ is outside." if violated else "F′ is inside.")

    def code(self) -> str:
        v = self.values
        arguments = (
            f'"{v["law"]}", pulls={v["pulls"]}, total={v["total"]}, epsilon={v["epsilon"]!r}, delta={v["delta"]!r}'
        )
        if not self._exact:
            drawn = f"changed={v['changed']}, events={v['events']!r}, interval={v['interval']!r}"
            return f"from dpbandits import explorers\nexplorers.region({arguments}, {drawn}).frame()"
        return (
            "from dpbandits.privacy import needed_delta, smallest_pulls, worst_violation\n"
            f"needed_delta({arguments}, printed={v['printed']})\n"
            f"worst_violation({arguments}, printed={v['printed']})\n"
            f'smallest_pulls("{v["law"]}", {v["epsilon"]!r}, {v["delta"]!r})'
        )

    def frame(self) -> pd.DataFrame:
        """The curves: theta, F (or the interval's probability), lowest and highest allowed F', and F' with its excess
        for each change of R.
        """
        v = self.values
        x, before, others = self._curves()
        low, high = feasible_region(before, *self._asked, v["printed"])
        columns = {"theta": x, "F": before, "lowest": low, "highest": high}
        for change, (other, out) in others.items():
            step = change * v["changed"]
            columns |= {f"F_after_R{step:+d}": other, f"excess_R{step:+d}": out}
        return pd.DataFrame(columns)


def _papers_pulls(name: str, epsilon: float, delta: float) -> float:
    """N* of the algorithm that uses the law; infinite where there is none."""
    if name == "new":
        return 1
    if name == "beta-plain":
        return math.inf
    return (
        max(1, math.ceil(needed))
        if (needed := (pulls_needed_gauss if name == "gauss" else pulls_needed_beta)(epsilon, delta)) < math.inf
        else needed
    )


def _count(value: float) -> str:
    return "none" if value == math.inf else f"{value:,.0f}"
