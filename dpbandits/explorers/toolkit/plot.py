"""The one factory of figures for panels, and what their curves share."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpbandits.figures.palette import layout

WIDTH, HEIGHT = 640, 430
#: Below the axes, where it covers neither data nor titles however many lines it has: plotly makes room for it.
LEGEND = {
    "orientation": "h",
    "x": 0,
    "xanchor": "left",
    "yref": "container",
    "y": 0.01,
    "yanchor": "bottom",
    "font": {"size": 12},
    "tracegroupgap": 0,
}


def live_figure(traces: Mapping[str, Any], *, height: int = HEIGHT, **sheet: object) -> go.Figure:
    """A plain figure with all traces that it will ever have; a trace's name here is how redraw() calls it.

    sheet: what palette.layout() takes. A trace's `name` in the legend is another matter.
    """
    for name, trace in traces.items():
        trace.uid = name
        if trace.type == "scatter":
            trace.line.simplify = False
    looks = layout(width=WIDTH, height=height, **sheet)
    looks["legend"] |= LEGEND
    looks["title"]["font"]["size"], looks["margin"]["b"] = 14, 60
    return go.Figure(list(traces.values()), looks)  # all at once: what is updated later costs plotly far more


#: A trace that is not needed sends nothing.
HIDDEN: Mapping[str, Any] = MappingProxyType({"visible": False, "x": None, "y": None})


def by_height(edits: Mapping[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """The same edits, and the legend in the order of the curves' right ends, the highest first."""
    shown = {n: np.asarray(e["y"], float) for n, e in edits.items() if e.get("visible") and e.get("y") is not None}
    ends = {name: y[np.isfinite(y)][-1] for name, y in shown.items() if np.isfinite(y).any()}
    rank = {name: place for place, name in enumerate(sorted(ends, key=lambda name: -ends[name]))}
    return {name: {**edit, "legendrank": 1000 + rank.get(name, len(rank))} for name, edit in edits.items()}


def band(x: np.ndarray, mean: np.ndarray, deviation: np.ndarray, log: bool = False) -> dict[str, np.ndarray]:
    """mean ± deviation as a closed polygon of at most 400 points.

    It is cut at 0 where the mean is not below; on a log axis, at the mirror image of its upper edge.
    """
    keep = np.unique(np.linspace(0, x.size - 1, min(x.size, 200)).round().astype(int))
    x, mean, deviation = x[keep], mean[keep], deviation[keep]
    if log:
        positive = mean > 0
        x, mean, deviation = x[positive], mean[positive], deviation[positive]
    low = np.maximum(
        mean - deviation, mean**2 / (mean + deviation) if log else np.minimum(0, mean - deviation) * (mean < 0)
    )
    return {"x": np.append(x, x[::-1]), "y": np.append(mean + deviation, low[::-1])}
