"""Table 1 of Chen et al. (2020), live: what every cell's order and theorems come to."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.explorers.toolkit.controls import Number
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.explorers.toolkit.plot import HEIGHT, live_figure
from dpbandits.explorers.toolkit.scales import SCALES, Scale
from dpbandits.explorers.toolkit.tables import number, table
from dpbandits.figures.palette import BLUE, GREY, INK, VERMILION
from dpbandits.papers.chen_table import PARAMETERS, table_1

MARKERS = {
    "upper_corrected": ("upper bound, corrected", VERMILION, "triangle-down"),
    "upper_printed": ("upper bound, printed", VERMILION, "triangle-down-open"),
    "order_value": ("the order, constant 1", INK, "line-ew-open"),
    "lower_corrected": ("lower bound, corrected", BLUE, "triangle-up"),
    "lower_printed": ("lower bound, printed", BLUE, "triangle-up-open"),
}


def semibandit_table(
    *,
    arms: int = 20,
    list_size: int = 4,
    gap: float = 0.2,
    epsilon: float = 1.0,
    smoothness: float = 1.0,
    horizon: int = 10**6,
    width: int | None = None,
    height: int = HEIGHT,
) -> "SemibanditTable":
    """The six cells of Table 1 with numbers: orders, upper and lower bounds, constants as printed and corrected.

    arms: m. list_size: K. gap: Δ, of every bad super arm. smoothness: B∞ in the first three cells, B₁ in the others.
    Raises ValueError for bad input.
    """
    given = {
        "arms": arms,
        "list_size": list_size,
        "gap": gap,
        "epsilon": epsilon,
        "smoothness": smoothness,
        "horizon": horizon,
    }
    table_1(**given)
    return SemibanditTable(given, width, height)


class SemibanditTable(Panel):
    """See semibandit_table()."""

    def __init__(self, given: dict, width, height):
        scales = {"arms": Scale("arms m", 1, 100), "horizon": replace(SCALES["horizon"], high=10**9)}
        controls = {p.name: Number(p, given[p.name], scales.get(p.name), live=True) for p in PARAMETERS}
        groups = {
            "problem": [controls[name] for name in ("arms", "list_size", "gap", "smoothness")],
            "privacy": [controls["epsilon"]],
            "": [controls["horizon"]],
        }
        super().__init__(
            "dpbandits-chen-table-1", "What each promise costs: Table 1, live", groups, self._figure(height), width
        )
        self.refresh()

    def _figure(self, height: int) -> go.Figure:
        traces = {
            column: go.Scatter(
                name=name,
                mode="markers",
                marker={"color": colour, "symbol": symbol, "size": 14, "line": {"width": 2, "color": colour}},
            )
            for column, (name, colour, symbol) in MARKERS.items()
        }
        traces["worst"] = go.Scatter(
            name="no policy loses more", mode="lines", line={"color": GREY, "dash": "dot", "width": 1.4}
        )
        figure = live_figure(traces, height=height, title=" ", x="reward and privacy", y="regret", log_y=True)
        figure.update_xaxes(type="category", tickangle=0).update_yaxes(exponentformat="power", nticks=5)
        return figure

    together = ("arms", "list_size", "gap", "smoothness")

    def allows(self, **moved: object) -> None:
        table_1(**self.values | moved)

    def update(self) -> None:
        v, data = self.values, table_1(**self.values)
        cells = [str(cell).replace("\u00a0", " ") for cell in data.cell.values]
        most, ticks = v["gap"] * v["horizon"], [cell.replace(", ", "<br>") for cell in cells]
        edits = {name: {"x": ticks, "y": data[name].values, "visible": True} for name in MARKERS}
        edits["worst"] = {"x": ticks, "y": [most] * len(cells), "visible": True}
        self.view.redraw(
            edits,
            {
                "title.text": (
                    f"m = {v['arms']}, K = {v['list_size']}, Δ = {v['gap']:g}, ε = {v['epsilon']:g}, T ="
                    f" {v['horizon']:,}"
                )
            },
        )
        rows = []
        for i, cell in enumerate(cells):
            numbers = {name: _number(data[name].values[i]) for name in MARKERS}
            sides = [
                (str(data[side].values[i]), numbers[f"{side}_printed"], numbers[f"{side}_corrected"])
                for side in ("upper", "lower")
            ]
            rows.append((cell, str(data.order.values[i]), numbers["order_value"], *sides[0], *sides[1]))
        heads = ("reward, privacy", "order", "value", "upper", "printed", "corrected", "lower", "printed", "corrected")
        void = [cell for cell, value in zip(cells, data.upper_corrected.values, strict=True) if value >= most]
        words = f"No policy loses more than Δ·T = {number(most)}" + (
            f": the corrected upper bound says nothing for {'; '.join(void)}" if void else ""
        )
        caption = (
            "Upper and lower: the number of the theorem, and under which reading. All m arms stand in a bad super arm"
            " that is Δ behind. Lower bounds are rates for T → ∞ times ln T. Under central privacy 1/(εΔ) is shorthand"
            " for a sum of 1/Δ and 1/ε."
        )
        self.show(f"{words}.", table(heads, rows, numeric=(2, 4, 5, 7, 8)), caption)
        self.tell(" ".join(json.loads(data.attrs["notes"])) or "Drawn.")

    def code(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.values.items())
        return f"from dpbandits.papers.chen_table import table_1\ntable_1({given}).to_dataframe()"

    def frame(self) -> pd.DataFrame:
        """The table."""
        return table_1(**self.values).to_dataframe().reset_index(drop=True)


def _number(value: float) -> str:
    return "–" if np.isnan(value) else number(value)
