"""Two panels of one result side by side."""

from collections.abc import Callable

import plotly.graph_objects as go
import xarray as xr

from dpbandits.figures.labels import panel_of
from dpbandits.figures.palette import layout

PLOT, ABOVE, BELOW, ENTRY = 300, 80, 60, 36  # pixels: axes' height, room over and under them, one entry of a legend


def side_by_side(build: Callable[[xr.Dataset], go.Figure], data: xr.Dataset, title: str = "") -> go.Figure:
    """What `build` draws of each of the (two) panels of `data`, each with its own axes and, below them, its own
    legend.
    """
    halves = {str(panel): build(panel_of(data, panel)) for panel in data["panel"].values}
    entries = max(sum(trace.showlegend is not False for trace in half.data) for half in halves.values())
    below, sheet = BELOW + ENTRY * entries, layout(title, height=PLOT + ABOVE + BELOW + ENTRY * entries)
    drawing, width = go.Figure(layout=sheet | {"margin": {"l": 70, "r": 20, "t": ABOVE, "b": below}}), 0.45
    for number, (panel, half) in enumerate(halves.items(), 1):
        left = (number - 1) * (1 - width)
        suffix = str(number) if number > 1 else ""
        drawing.add_traces(
            [trace.update(xaxis=f"x{suffix}", yaxis=f"y{suffix}", legend=f"legend{suffix}") for trace in half.data]
        )
        drawing.update_layout(
            {
                f"xaxis{suffix}": (
                    half.layout.xaxis.to_plotly_json()
                    | {
                        "domain": [left, left + width],
                        "anchor": f"y{suffix}",
                        "nticks": 5,
                    }
                ),
                f"yaxis{suffix}": half.layout.yaxis.to_plotly_json() | {"anchor": f"x{suffix}"},
                f"legend{suffix}": {"x": left, "y": -BELOW / PLOT, "yanchor": "top", "bgcolor": "rgba(255,255,255,0)"},
            }
        )
        drawing.add_annotation(
            text=panel,
            x=left,
            y=1,
            xref="paper",
            yref="paper",
            xanchor="left",
            yanchor="bottom",
            showarrow=False,
            font={"size": 14},
        )
    if drawing.layout.yaxis2.title.text == drawing.layout.yaxis.title.text:
        drawing.layout.yaxis2.title.text = ""
    return drawing.update_xaxes(title={"standoff": 6, "font": {"size": 14}}).update_yaxes(title={"font": {"size": 14}})
