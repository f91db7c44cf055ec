"""How often an adversary after one bit must fail, against ε (Chandak 2023, Figure 2.1)."""

import numpy as np
import plotly.graph_objects as go
import xarray as xr

from dpbandits.figures.palette import BLUE, GREEN, INK, VERMILION, layout, translucent

#: Which variable each curve shows.
CURVES = {"least": "least_failure", "tangent": "tangent", "laplace": "laplace_failure"}


def traces() -> dict[str, go.Scatter]:
    """The looks: the region left to adversaries, its edge, its tangent, Laplace noise, randomised response, played."""
    return {
        "left": go.Scatter(
            name="where adversaries are left",
            fill="toself",
            fillcolor=translucent(GREEN, 0.18),
            line={"width": 0},
            mode="lines",
            hoverinfo="skip",
        ),
        "least": go.Scatter(name="least failure, 1/(1 + e^ε)", line={"color": GREEN, "width": 2.6}, mode="lines"),
        "tangent": go.Scatter(
            name="its tangent, 1/2 − ε/4", line={"color": BLUE, "width": 1.8, "dash": "dash"}, mode="lines"
        ),
        "laplace": go.Scatter(
            name="bit + Lap(1/ε), best adversary", line={"color": VERMILION, "width": 1.8, "dash": "dot"}, mode="lines"
        ),
        "played": go.Scatter(name="randomised response, played", mode="markers", marker={"color": INK, "size": 7}),
    }


def area(x: np.ndarray, least: np.ndarray) -> dict[str, np.ndarray]:
    """x and y of the region between the least failure and a coin's 1/2."""
    return {"x": np.append(x, [x[-1], x[0]]), "y": np.append(least, [0.5, 0.5])}


def draw(data: xr.Dataset, *, title: str = "") -> go.Figure:
    """data: `least_failure`, `tangent`, `laplace_failure` and `played` (NaN where it was not) over `epsilon`."""
    x = data["epsilon"].values
    kept = np.isfinite(data["played"].values)
    edits = {name: {"x": x, "y": data[column].values} for name, column in CURVES.items()}
    edits |= {
        "left": area(x, edits["least"]["y"]),
        "played": {"x": x[kept], "y": data["played"].values[kept]},
    }
    drawn = [trace.update(edits[name]) for name, trace in traces().items()]
    figure = go.Figure(drawn, layout(title, "ε", "failure rate"))
    legend = {"x": 0.98, "xanchor": "right"}
    return figure.update_layout(yaxis_range=[-0.02, 0.56], xaxis_range=[x[0], x[-1]], legend=legend)
