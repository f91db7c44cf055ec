"""Lemma 15 of Wang & Zhu, built by the reader: cell by cell along the edge, from a first cell of one's choice."""

import math

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.arguments import lemma_15
from dpbandits.explorers.toolkit.controls import Choice, Number, Switch
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.explorers.toolkit.plot import HIDDEN, live_figure
from dpbandits.explorers.toolkit.tables import bad, table
from dpbandits.figures.palette import BLUE, GREEN, GREY, INK, VERMILION, translucent
from dpbandits.mechanisms.perturbations import check_pair, two_sided_reach
from dpbandits.parameters import DELTA_OR_ZERO, EPSILON_OR_ZERO, Parameter
from dpbandits.privacy import feasible_region

FIRST_CELL = Parameter(
    "first_cell", "how the mass of the first cell is laid out", kind="choice", choices=tuple(lemma_15.SEEDS)
)
CELLS = Parameter("cells", "cells built so far, outwards from the centre", 2, kind="integer", low=1, high=60)
SHIFT = Parameter("shift", "how far the law moves: the part z of a whole reward that changes", 1.0, low=0.05, high=1)
POINTS = 480
ODDS = 1e6
OFF = 1e-9


def lemma_15_edge(
    first_cell: str = "exponential",
    *,
    epsilon: float = 1.0,
    delta: float = 0.01,
    cells: int = 2,
    shift: float = 1.0,
    in_proportion: bool = False,
    width: int | None = None,
    height: int = 520,
) -> "Lemma15EdgeExplorer":
    """A law that runs on the edge of Lemma 8: F(y) = e^ε F(y − 1) + δ, y = N(θ − x₀), from its centre outwards.

    first_cell: "exponential" (then it is Lemma 15's law), "one step", "two steps" (a staircase) or "atoms". cells: how
    many are built; the rest is dotted. shift: z, how far the law is moved before it is compared with itself.
    in_proportion: ask that a change by z costs (εz, δ(e^εz − 1)/(e^ε − 1)) instead of (ε, δ). Raises ValueError.
    """
    given = {"epsilon": epsilon, "delta": delta, "cells": cells, "shift": shift, "in_proportion": in_proportion}
    return Lemma15EdgeExplorer(first_cell, given, width, height)


class Lemma15EdgeExplorer(Panel):
    """See lemma_15_edge()."""

    def __init__(self, first_cell, given, width, height):
        check_pair(given["epsilon"], given["delta"])
        proportion = Parameter("in_proportion", "A change by z may cost only its part of ε and δ", kind="flag")
        groups = {
            "privacy asked for": [
                Number(EPSILON_OR_ZERO, given["epsilon"], live=True),
                Number(DELTA_OR_ZERO, given["delta"], live=True),
            ],
            "the law": [Choice(FIRST_CELL, first_cell), Number(CELLS, given["cells"], live=True)],
            "what changes": [
                Number(SHIFT, given["shift"], live=True),
                Switch(proportion, given["in_proportion"], "costs in proportion to z"),
            ],
        }
        super().__init__("dpbandits-lemma-15-edge", "Along the edge", groups, self._figure(height), width)
        self.refresh()

    def _figure(self, height: int) -> go.Figure:
        below = {"xaxis": "x", "yaxis": "y2"}
        traces = {
            "left": go.Scatter(
                name="where F may lie, given F′", fill="toself", fillcolor=translucent(GREEN, 0.2), line={"width": 0},
                hoverinfo="skip", mode="lines",
            ),
            "rest": go.Scatter(
                name="F, not built yet", line={"color": GREY, "width": 1.4, "dash": "dot"}, mode="lines"
            ),
            "F": go.Scatter(name="F, built", line={"color": INK, "width": 2.6}, mode="lines"),
            "F′": go.Scatter(name="F′: moved by z", line={"color": BLUE, "width": 1.8, "dash": "dash"}, mode="lines"),
            "slack": go.Scatter(
                **below, name="room left", line={"color": BLUE, "width": 1.8}, mode="lines", showlegend=False
            ),
            "broken": go.Scatter(
                **below, name="broken", fill="tozeroy", fillcolor=translucent(VERMILION, 0.45), line={"width": 0},
                mode="lines", showlegend=False, hoverinfo="skip",
            ),
        }  # fmt: skip
        figure = live_figure(traces, height=height, title=" ", x="y = N(θ − x₀), in cells", y="cdf")
        lower = figure.layout.yaxis.to_plotly_json() | {
            "title": {"text": "room to the edge"},
            "domain": [0, 0.25],
            "zeroline": True,
            "zerolinecolor": GREY,
        }
        return figure.update_layout(
            yaxis={"domain": [0.36, 1], "range": [-0.02, 1.02]}, yaxis2=lower, xaxis={"anchor": "y2"}
        )

    def _asked(self) -> tuple[float, float]:
        v = self.values
        pair = v["epsilon"], v["delta"]
        return lemma_15.graded(*pair, v["shift"]) if v["in_proportion"] else pair

    def _window(self) -> np.ndarray:
        """y, on points that are never whole: a law of atoms jumps there."""
        v = self.values
        reach = min(two_sided_reach(v["epsilon"], v["delta"]), 8 / v["epsilon"] if v["epsilon"] else math.inf)
        half = max(2.5, min(reach + 1.5, 60.0), min(v["cells"], 60) + 1.0)
        return np.linspace(-half, half, POINTS) + 1e-3 * half / POINTS

    def frame(self) -> pd.DataFrame:
        """y, F, F moved by z, the highest and lowest F that is allowed beside it, and the room that is left."""
        v, y = self.values, self._window()
        law = lambda at: lemma_15.cdf(at, v["epsilon"], v["delta"], v["first_cell"])
        before, after = law(y), law(y - v["shift"])
        low, high = feasible_region(after, *self._asked())
        return pd.DataFrame(
            {"y": y, "F": before, "F_moved": after, "lowest": low, "highest": high}
            | {"room": np.minimum(high - before, before - low)}
        )

    def update(self) -> None:
        v = self.values
        check_pair(v["epsilon"], v["delta"])
        frame = self.frame()
        y, before, after, low, high, room = (frame[c].to_numpy() for c in frame)
        built = np.abs(y) <= v["cells"]
        broken = room < -OFF
        edits = dict.fromkeys(self.view.traces, HIDDEN) | {
            "left": {"x": np.append(y[::2], y[::-2]), "y": np.append(low[::2], high[::-2]), "visible": True},
            "F": {"x": y, "y": np.where(built, before, np.nan), "visible": True},
            "rest": {"x": y, "y": np.where(built, np.nan, before), "visible": True},
            "F′": {"x": y, "y": after, "visible": True},
            "slack": {"x": y, "y": room, "visible": True},
            "broken": {"x": y, "y": np.where(broken, room, 0), "visible": True},
        }
        self.view.redraw(
            edits,
            {"title.text": self.titled(f"{v['first_cell']}: F, and moved by {v['shift']:g}")},
        )
        self._describe(broken.any(), float(room.min()))

    def _describe(self, broken: bool, room: float) -> None:
        v = self.values
        pair = v["epsilon"], v["delta"]
        reach = two_sided_reach(*pair)
        left = float(lemma_15.tail(v["cells"], *pair, v["first_cell"]))
        end = (
            f"it reaches 0 after {reach:.3g} cells: there is the cut"
            if reach < math.inf
            else "with δ = 0 it never reaches 0: there is no cut"
        )
        text = f"After {v['cells']} cells F = {left:.3g}; on the edge {end}. "
        asked = "costs in proportion" if v["in_proportion"] else "the whole (ε, δ)"
        text += (
            f"Moved by {v['shift']:g}, with {asked}, this law leaves the region, by up to {-room:.3g}."
            if broken
            else f"Moved by {v['shift']:g}, with {asked}, this law stays in the region."
        )
        rows, y = [], self._window()
        for name in lemma_15.SEEDS:
            intervals = lemma_15.intervals(y, *pair, name, v["shift"])
            parts = lemma_15.half_lines(y, *pair, name, v["shift"], in_proportion=True).max()
            rows.append(
                (
                    f"<b>{name}</b>" if name == v["first_cell"] else name,
                    "kept" if lemma_15.half_lines(y, *pair, name, v["shift"]).max() <= OFF else bad("broken"),
                    "kept" if intervals <= OFF else bad(f"broken by {intervals:.3g}"),
                    "kept" if parts <= OFF else bad(f"broken by {parts:.3g}"),
                    f"{lemma_15.radius(ODDS, *pair, name):.3f}",
                    f"{lemma_15.mean_distance(*pair, name, 20_001):.3f}",
                )
            )
        heads = (
            "first cell", "half-lines", "intervals", "half-lines, costs in proportion", "radius at 2 in a million",
            "mean |y|",
        )  # fmt: skip
        cells = lemma_15.fewest_cells(ODDS, *pair)
        caption = (
            f"Radius and mean |y| in cells, that is in units of 1/N. No law that keeps Lemma 8 has a radius below"
            f" {cells - 1} cells here: from a probability of 1/10⁶ it takes {cells} steps of F ≤ e<sup>ε</sup>F′ + δ to"
            " reach 1/2. “Costs in proportion”: a change by z of a reward may cost (εz, δ(e<sup>εz</sup> −"
            " 1)/(e<sup>ε</sup> − 1))."
        )
        self.show(text, table(heads, rows, numeric=(4, 5)), caption)
        self.tell("The law leaves the region." if broken else "The law stays in the region.")

    def code(self) -> str:
        v = self.values
        given = f"epsilon={v['epsilon']!r}, delta={v['delta']!r}"
        return (
            "import numpy as np\nfrom dpbandits.arguments import lemma_15\n"
            f'lemma_15.cdf(np.linspace(-{v["cells"]}, {v["cells"]}, 9), {given}, seed="{v["first_cell"]}")\n'
            f'lemma_15.half_lines(np.linspace(-5, 5, 9), {given}, seed="{v["first_cell"]}", shift={v["shift"]!r},'
            f" in_proportion={v['in_proportion']})"
        )
