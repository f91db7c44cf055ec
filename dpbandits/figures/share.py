"""Regret as a share of what uniform play loses, against the horizon: from where on an algorithm takes notice of what it
saw.
"""

import json

import numpy as np
import plotly.graph_objects as go
import xarray as xr

from dpbandits.algorithms.semibandit.blindness import first_seeing_horizon
from dpbandits.figures.labels import by_algorithm, instance_at, log_ticks, spread
from dpbandits.figures.palette import GREY, VALUES, layout
from dpbandits.figures.tradeoff import MARKS

LEAST = {
    "cucb-dp": False,
    "cucb-dp-least": True,
}  # algorithms whose blindness can be computed: whether one arm is used a round


def draw(data: xr.Dataset, *, over: str, title: str = "") -> go.Figure:
    """Lines of `regret` (algorithm, epsilon, run, horizon) over the instance's `uniform_regret` · T; over: "epsilon", a
    colour for each.

    Dotted verticals: the horizon from which CUCB-DP is expected to differ (first_seeing_horizon). Bars: one standard
    deviation of the runs.
    """
    figure = go.Figure(layout=layout(title, "horizon T", "regret ÷ that of uniform play", log_x=True))
    instance, horizons = instance_at(data), data["horizon"].values
    uniform = instance.facts["uniform_regret"] * horizons
    figure.update_xaxes(log_ticks(horizons)).update_yaxes(range=[0, 1.12])
    for number, (algorithm, part) in enumerate(by_algorithm(data)):
        varies = over in json.loads(data.attrs["parameters"])[algorithm.name]
        for epsilon, (colour, _) in zip(data[over].values if varies else data[over].values[:1], VALUES, strict=False):
            mean, deviation = spread(part.sel({over: epsilon}).regret.transpose("run", "horizon"))
            name = f"{algorithm.title}, ε = {epsilon:g}" if varies else algorithm.title
            figure.add_scatter(
                x=horizons,
                y=mean / uniform,
                mode="lines+markers",
                name=name,
                marker={"symbol": MARKS[number], "size": 7},
                line={"color": colour if varies else algorithm.colour, "dash": algorithm.dash, "width": 2},
                error_y={"array": deviation / uniform, "thickness": 1, "width": 2},
                hovertemplate=f"{name}<br>T = %{{x:,}}<br>%{{y:.2f}} of uniform play<extra></extra>",
            )
            if algorithm.name in LEAST:
                first = first_seeing_horizon(instance, float(epsilon), LEAST[algorithm.name])
                figure.add_scatter(
                    x=[first, first],
                    y=[0, 1.03],
                    mode="lines",
                    line={"color": colour, "dash": "dot", "width": 1.5},
                    showlegend=False,
                    hoverinfo="skip",
                )
                figure.add_annotation(
                    x=np.log10(first),
                    y=1.03,
                    text=f"{first:,}",
                    showarrow=False,
                    yanchor="bottom",
                    font={"color": GREY, "size": 11},
                )
    return figure
