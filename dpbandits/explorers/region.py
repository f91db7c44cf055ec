"""The feasible region of Wang & Zhu's Lemma 8: where may F' lie, and does it?"""

import math

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.explorers.toolkit.controls import Switch
from dpbandits.explorers.toolkit.law_panel import LawPanel
from dpbandits.explorers.toolkit.plot import HIDDEN, live_figure
from dpbandits.explorers.toolkit.tables import bad, table
from dpbandits.figures.palette import BLUE, GREEN, GREY, INK, PURPLE, VERMILION, translucent
from dpbandits.mechanisms.perturbations import LAWS, check_pair, law, pulls_needed_beta, pulls_needed_gauss
from dpbandits.parameters import Parameter
from dpbandits.privacy import excess, feasible_region, needed_delta, smallest_pulls, worst_violation

POINTS = 400
CHANGES = {1: "R + 1", -1: "R − 1"}


def region(
    law: str = "beta",
    *,
    pulls: int = 6,
    total: int = 0,
    epsilon: float = 1.0,
    delta: float = 0.01,
    width: int | None = None,
    height: int = 500,
) -> "RegionExplorer":
    """F, the law of θ, and F' after one changed reward, in the region that (ε, δ) leaves it (Lemma 8 of Wang & Zhu
    2024).

    law: "gauss", "beta", "beta-plain" (without k) or "new"; pulls N >= 1 and total reward R <= N of the arm; epsilon
    and delta >= 0, not both 0. The lower plot shows how far outside F' is. Raises ValueError for bad input.
    """
    return RegionExplorer((law, pulls, total, epsilon, delta), width, height)


class RegionExplorer(LawPanel):
    """See region()."""

    def __init__(self, first, width, height):
        groups = {
            "": [
                Switch(
                    Parameter("printed", "Only the two inequalities that the paper prints", kind="flag"),
                    False,
                    "only the two printed inequalities",
                )
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

    def _figure(self, height: int) -> go.Figure:
        below = {"xaxis": "x", "yaxis": "y2"}
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
                    name=f"F′ for {CHANGES[change]}", line={"color": colour, "width": 2, "dash": dash}, mode="lines"
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
                    name=f"outside by, {CHANGES[change]}",
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

    def _curves(self):
        """x, F, the region's edges, and for each possible change of R: F' and how far it is outside."""
        v = self.values
        name, pulls, total, epsilon, delta, printed = (
            v[k] for k in ("law", "pulls", "total", "epsilon", "delta", "printed")
        )
        laws = {c: law(name, pulls, total + c, epsilon, delta) for c in (0, 1, -1) if 0 <= total + c <= pulls}
        ends = [f.quantile(p) for f in laws.values() for p in (0.0005, 0.9995)]
        x = np.linspace(min(ends), max(ends), POINTS)
        cdf = laws[0].cdf(x)
        low, high = feasible_region(cdf, epsilon, delta, printed)
        others = {c: laws[c].cdf(x) for c in (1, -1) if c in laws}
        return (
            x,
            cdf,
            low,
            high,
            {c: (other, excess(cdf, other, epsilon, delta, printed)) for c, other in others.items()},
        )

    def update(self) -> None:
        v = self.values
        check_pair(v["epsilon"], v["delta"])
        x, cdf, low, high, others = self._curves()
        seen = any((over > 1e-12).any() for _, over in others.values())
        area = {"x": np.append(x[::2], x[::-2]), "y": np.append(low[::2], high[::-2]), "visible": True}
        edits = {"left": area, "F": {"x": x, "y": cdf, "visible": True}}
        for change in CHANGES:
            names = [f"{curve} {change:+d}" for curve in ("F′", "outside", "excess", "filled")]
            edits |= dict.fromkeys(names, HIDDEN)
            if change in others:
                other, over = others[change]
                outside = over > 1e-12
                curves = other, np.where(outside, other, np.nan), over, np.where(outside, over, 0)
                edits |= {name: {"x": x, "y": y, "visible": True} for name, y in zip(names, curves, strict=True)}
        for change in CHANGES:  # one entry for both directions, and only where there is something outside
            edits[f"outside {change:+d}"] = edits[f"outside {change:+d}"] | {
                "showlegend": seen and (change == 1) == (1 in others)
            }
        title = (
            f"F and F′ for {v['law']}, N = {v['pulls']:,}, R = {v['total']:,}, at (ε, δ) = ({v['epsilon']:g},"
            f" {v['delta']:g})"
        )
        self.view.redraw(edits, {"title.text": title})
        self._describe()

    def _describe(self) -> None:
        v = self.values
        arguments = v["law"], v["pulls"], v["total"], v["epsilon"], v["delta"], v["printed"]
        worst, needed = worst_violation(*arguments), needed_delta(*arguments)
        enough = smallest_pulls(v["law"], v["epsilon"], v["delta"])
        ends = "" if enough == math.inf else f" From N = {enough:,} on it stays inside for every R."
        if worst.violated:
            text = (
                f"F′ leaves the region: for {CHANGES[worst.direction]} it is outside by up to {worst.excess:.3g}, at θ"
                f" = {worst.x:.3g}. To allow it δ would have to be {needed:.3g} instead of"
                f" {v['delta']:g}.{ends or ' No N repairs this.'}"
            )
        else:
            text = (
                f"F′ stays inside the region: one changed reward needs δ = {needed:.3g}, and {v['delta']:g} is"
                f" allowed.{ends}"
            )
        rows = []
        for name in LAWS:
            found = worst_violation(name, *arguments[1:])
            least = needed_delta(name, *arguments[1:])
            verdict = bad(f"outside by {found.excess:.3g}") if found.violated else "inside"
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
            "N* / N",
        )
        caption = (
            "Lemma 8 protects <b>one selection given the past</b>: (ε, δ) for the round's draw when one reward of the"
            " history changes. Over many rounds the loss adds up. Red: outside, the claim fails there. “N that"
            " suffices” is exact, for every R; N* is N<sub>G</sub>* for gauss, N<sub>B</sub>* for beta, and 1 for new"
            " (no start phase)."
        )
        self.show(text, table(heads, rows, numeric=(2, 3, 4, 5)), caption)
        self.tell("F′ is outside." if worst.violated else "F′ is inside.")

    def code(self) -> str:
        v = self.values
        arguments = (
            f'"{v["law"]}", pulls={v["pulls"]}, total={v["total"]}, epsilon={v["epsilon"]!r}, delta={v["delta"]!r}'
        )
        return (
            "from dpbandits.privacy import needed_delta, smallest_pulls, worst_violation\n"
            f"needed_delta({arguments}, printed={v['printed']})\n"
            f"worst_violation({arguments}, printed={v['printed']})\n"
            f'smallest_pulls("{v["law"]}", {v["epsilon"]!r}, {v["delta"]!r})'
        )

    def frame(self) -> pd.DataFrame:
        """The curves: theta, F, lowest and highest allowed F', and F' with its excess for each change of R."""
        x, cdf, low, high, others = self._curves()
        columns = {"theta": x, "F": cdf, "lowest": low, "highest": high}
        for change, (other, over) in others.items():
            columns |= {f"F_after_R{change:+d}": other, f"excess_R{change:+d}": over}
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
