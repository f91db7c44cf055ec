"""The feasible region of Lemma 8: F, the shaded region where F′ may lie, F′ itself, and where it leaves the region.

Below the curves the same again minus F, so that what lies on the edge and what lies inside can be told apart.
"""

import numpy as np
import plotly.graph_objects as go
import xarray as xr

from dpbandits.figures.palette import BLUE, GREEN, INK, PURPLE, VERMILION, layout, translucent

AFTER = {1: ("F′, one reward more", BLUE, "solid"), -1: ("F′, one reward less", PURPLE, "dash")}
TOUCH = 1e-9  # how near to the edge still counts as on it
UPPER, LOWER = (0.42, 1.0), (0.0, 0.3)  # heights of the two parts


def draw(data: xr.Dataset, *, title: str = "") -> go.Figure:
    """The panel of a result of papers.changed_observation (variables cdf, after, low, high over x)."""
    figure = go.Figure(layout=layout(title, "θ", "P(draw ≤ θ)"))
    x, cdf, low, high = data["x"].values, data["cdf"].values, data["low"].values, data["high"].values
    for axis, base in (("y", 0.0), ("y2", cdf)):
        look = {"yaxis": axis, "mode": "lines", "showlegend": axis == "y"}
        edges = np.concatenate((high - base, (low - base)[::-1]))
        figure.add_scatter(
            x=np.concatenate((x, x[::-1])),
            y=edges,
            fill="toself",
            line={"width": 0.8, "color": GREEN, "simplify": False},
            fillcolor=translucent(GREEN, 0.2),
            name="where F′ may lie",
            hoverinfo="skip",
            **look,
        )
        figure.add_scatter(
            x=x, y=cdf - base, line={"color": INK, "width": 2.2, "simplify": False}, name="F, before", **look
        )
        for change in data["change"].values:
            name, colour, dash = AFTER[int(change)]
            after = data["after"].sel(change=change).values
            outside = np.where((after < low - TOUCH) | (after > high + TOUCH), after, np.nan)
            if np.isfinite(outside).any():
                figure.add_scatter(
                    x=x,
                    y=outside - base,
                    line={"color": VERMILION, "width": 6, "simplify": False},
                    opacity=0.6,
                    name="outside the region",
                    **look,
                )
            figure.add_scatter(
                x=x,
                y=after - base,
                line={"color": colour, "dash": dash, "width": 2.2, "simplify": False},
                name=name,
                **look,
            )
    below = {
        **figure.layout.yaxis.to_plotly_json(),
        "domain": LOWER,
        "title": {"text": "F′ − F"},
        "anchor": "x",
        "nticks": 4,
    }
    figure.update_layout(
        yaxis={"domain": UPPER, "range": [-0.02, 1.02]},
        yaxis2=below,
        xaxis={"anchor": "y2", "range": [x[0], x[-1]], "exponentformat": "power"},
    )
    return figure
