"""Regret curves: mean of the runs and a band of one standard deviation."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
import xarray as xr

from dpbandits.figures.labels import by_algorithm, log_ticks, privacy_label, spread, thin
from dpbandits.figures.palette import GREY, layout, line, translucent


def draw(
    data: xr.Dataset,
    *,
    title: str = "",
    log_x: bool = False,
    log_y: bool = False,
    bands: bool = True,
    bounds: Sequence[tuple] = (),
) -> go.Figure:
    """Mean regret against rounds for each algorithm of `data` (a result of simulate(), or of sweep() at a single point).

    bands: mean ± one standard deviation of the runs. bounds: (name, rounds, values) of theory to overlay.
    """
    figure = go.Figure(layout=layout(title, "round t", "cumulative regret", log_x=log_x, log_y=log_y))
    rounds = data["round"].values
    if log_x:
        figure.update_xaxes(log_ticks(rounds))
    if log_y:
        means = data.regret.mean("run").values
        figure.update_yaxes(log_ticks(means[means > 0]))
    kept = thin(rounds.size)
    for algorithm, part in by_algorithm(data):
        mean, deviation = (values[..., kept].reshape(kept.size) for values in spread(part.regret))
        shown = (mean > 0) | (not log_y)
        x, mean, deviation = rounds[kept][shown], mean[shown], deviation[shown]
        if bands and deviation.any():
            # On a log axis a band that reaches 0 is cut where its mirror image, the upper edge, lies.
            low = np.maximum(mean - deviation, mean**2 / (mean + deviation)) if log_y else mean - deviation
            figure.add_scatter(
                x=np.concatenate((x, x[::-1])),
                y=np.concatenate((mean + deviation, low[::-1])),
                fill="toself",
                mode="lines",
                line={"width": 0},
                fillcolor=translucent(algorithm.colour),
                hoverinfo="skip",
                showlegend=False,
                legendgroup=algorithm.name,
            )
        figure.add_scatter(
            x=x,
            y=mean,
            mode="lines",
            line=line(algorithm),
            legendgroup=algorithm.name,
            name=f"{algorithm.title}<br><span style='font-size:11px'>{privacy_label(data, algorithm.name)}</span>",
            hovertemplate=f"{algorithm.title}<br>t = %{{x:,}}<br>regret %{{y:,.1f}}<extra></extra>",
        )
    for number, (name, at, values) in enumerate(bounds):
        dash = ("dot", "dash", "dashdot", "longdash")[number % 4]
        figure.add_scatter(x=at, y=values, mode="lines", name=name, line={"color": GREY, "dash": dash, "width": 1.5})
    return figure
