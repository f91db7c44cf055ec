"""The shape of a perturbation: how wide must a law be to hide one reward?"""

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.explorers.toolkit.controls import Switch
from dpbandits.explorers.toolkit.law_panel import LawPanel
from dpbandits.explorers.toolkit.plot import HEIGHT, HIDDEN, live_figure
from dpbandits.explorers.toolkit.tables import bad, number, table
from dpbandits.figures.palette import BLUE, GREEN, ORANGE, translucent
from dpbandits.mechanisms.perturbations import check_pair, law
from dpbandits.parameters import Parameter
from dpbandits.privacy import needed_delta

POINTS = 401


def shape(
    law: str = "new",
    *,
    pulls: int = 20,
    total: int = 10,
    epsilon: float = 0.5,
    delta: float = 0.01,
    width: int | None = None,
    height: int = HEIGHT,
) -> "ShapeExplorer":
    """The density of θ for an arm with `pulls` N and total reward R, beside the Laplace and the Gaussian law.

    law: "gauss", "beta", "beta-plain" or "new". The Laplace law has scale 1/(Nε): the limit δ → 0 of "new". The
    Gaussian law is N(R/N, 2/N), whatever ε and δ are. Raises ValueError for bad input.
    """
    return ShapeExplorer((law, pulls, total, epsilon, delta), width, height)


class ShapeExplorer(LawPanel):
    """See shape()."""

    def __init__(self, first, width, height):
        groups = {
            "view": [
                Switch(
                    Parameter("log_y", "Logarithmic density: an exponential tail is a straight line", kind="flag"),
                    False,
                    "log density",
                ),
                Switch(
                    Parameter("zoom", "Follow the chosen law instead of the widest one", kind="flag"),
                    False,
                    "zoom to the law",
                ),
            ],
        }
        super().__init__("dpbandits-shape", "The shape of a perturbation", first, groups, self._figure(height), width)

    def _figure(self, height: int) -> go.Figure:
        traces = {
            "chosen": go.Scatter(
                fill="tozeroy", fillcolor=translucent(BLUE, 0.14), line={"color": BLUE, "width": 2.6}, mode="lines"
            ),
            "laplace": go.Scatter(
                name="Laplace, scale 1/(Nε)", line={"color": GREEN, "width": 2, "dash": "dash"}, mode="lines"
            ),
            "gauss": go.Scatter(
                name="Gaussian N(R/N, 2/N)", line={"color": ORANGE, "width": 2, "dash": "dot"}, mode="lines"
            ),
        }
        return live_figure(traces, height=height, title=" ", x="θ", y="density")

    def _laws(self) -> dict[str, Any]:
        v = self.values
        arguments = v["pulls"], v["total"], v["epsilon"]
        laws = {"chosen": law(v["law"], *arguments, v["delta"])}
        if v["epsilon"] > 0:
            laws["laplace"] = law("new", *arguments, 0)
        return laws | {"gauss": law("gauss", *arguments)}

    def update(self) -> None:
        v = self.values
        check_pair(v["epsilon"], v["delta"])
        laws, frame = self._laws(), self.frame()
        peak = float(np.nanmax(frame["chosen"]))
        edits = {}
        for name in ("chosen", "laplace", "gauss"):
            edits[name] = HIDDEN
            if name in laws:
                y = frame[name].to_numpy()
                edits[name] = {
                    "x": frame["theta"].to_numpy(),
                    "y": np.where(y > 0, y, np.nan) if v["log_y"] else y,
                    "visible": True,
                }
        edits["chosen"] |= {"name": v["law"]}
        top = max(float(frame[name].max()) for name in laws)
        self.view.redraw(
            edits,
            {
                "title.text": (
                    f"Density of θ at N = {v['pulls']:,}, R = {v['total']:,}, (ε, δ) = ({v['epsilon']:g},"
                    f" {v['delta']:g})"
                ),
                "yaxis.type": "log" if v["log_y"] else "linear",
                "yaxis.range": [math.log10(peak) - 6, math.log10(top) + 0.2] if v["log_y"] else [0, 1.08 * top],
            },
        )
        self._describe(laws)

    def _describe(self, laws: dict[str, Any]) -> None:
        v = self.values
        rows, deviations = [], {}
        titles = {"chosen": f"<b>{v['law']}</b>", "laplace": "Laplace", "gauss": "Gaussian"}
        for name, one in laws.items():
            deviation = deviations[name] = _deviation(one)
            of, delta = (
                (v["law"], v["delta"])
                if name == "chosen"
                else ("new", 0.0)
                if name == "laplace"
                else ("gauss", v["delta"])
            )
            needed = needed_delta(of, v["pulls"], v["total"], v["epsilon"], delta)
            low, high = one.support
            support = "all θ" if math.isinf(low) else f"[{low:.3g}, {high:.3g}]"
            verdict = "yes" if needed <= v["delta"] * (1 + 1e-9) else bad("no")
            rows.append((titles[name], f"{deviation:.3g}", support, f"{needed:.3g}", verdict))
        wide = deviations["gauss"] / deviations["chosen"]
        times = lambda ratio: "just" if f"{ratio:.2g}" == "1" else f"{number(float(f'{ratio:.2g}'))} times"
        text = f"At N = {v['pulls']:,} the law {v['law']} has standard deviation {deviations['chosen']:.3g}"
        if v["law"] != "gauss":
            text += (
                f"; the Gaussian law is {times(wide)} as wide"
                if wide >= 1
                else f"; the Gaussian law is narrower, {times(wide)} as wide"
            )
        if "laplace" in deviations:
            text += f", Laplace {times(deviations['laplace'] / deviations['chosen'])}"
        heads = (
            "law",
            "std. deviation",
            "support",
            f"δ needed at ε = {v['epsilon']:g}",
            f"holds with δ = {v['delta']:g}?",
        )
        caption = (
            "One changed reward moves the centre by 1/N. “δ needed” is the smallest δ for which <b>one selection</b> is"
            " (ε, δ)-private with this law (Lemma 8 of Wang &amp; Zhu 2024), exactly."
        )
        self.show(text + ".", table(heads, rows, numeric=(1, 3)), caption)
        self.tell("Drawn.")

    def code(self) -> str:
        v = self.values
        return (
            "from dpbandits.mechanisms.perturbations import law\n"
            f'theta = law("{v["law"]}", pulls={v["pulls"]}, total={v["total"]}, epsilon={v["epsilon"]!r},'
            f" delta={v['delta']!r})\n"
            "theta.pdf(0.5), theta.quantile(0.975)"
        )

    def frame(self) -> pd.DataFrame:
        """theta and the density of each law."""
        laws = self._laws()
        followed = [laws["chosen"]] if self.values["zoom"] else laws.values()
        ends = [one.quantile(p) for one in followed for p in (0.001, 0.999)]
        margin = 0.04 * (max(ends) - min(ends))
        x = np.linspace(min(ends) - margin, max(ends) + margin, POINTS)
        return pd.DataFrame({"theta": x} | {name: one.pdf(x) for name, one in laws.items()})


def _deviation(one) -> float:
    """Standard deviation, from the quantiles at 2000 midpoints where the law does not say."""
    if hasattr(one, "deviation"):
        return one.deviation
    p = (np.arange(20_000) + 0.5) / 20_000
    return float(np.sqrt(np.mean((one.quantile(p) - one.centre) ** 2)))
