"""Regret curves: mean of the runs and a band of one standard deviation."""

import json
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
import xarray as xr

from dpbandits.figures.labels import curves, instance_at, log_ticks, spread, thin
from dpbandits.figures.palette import GREY, VALUES, layout, line, translucent


def draw(
    data: xr.Dataset,
    *,
    title: str = "",
    log_x: bool = False,
    log_y: bool = False,
    bands: bool = True,
    bounds: Sequence[tuple] = (),
    over: str = "",
    uniform: bool = False,
    quantity: str = "cumulative regret",
) -> go.Figure:
    """Mean regret against rounds for each algorithm of `data` (a result of simulate(), or of sweep() at a single
    point).

    bands: mean ± one standard deviation of the runs. bounds: (name, rounds, values) of theory to overlay. over: a swept
    parameter, each value of which gets a line. uniform: show what a uniformly random choice loses, where a curve comes
    near it (the instance's fact `uniform_regret`). quantity: what `data.regret` holds, if something made from the
    regret.
    """
    figure = go.Figure(layout=layout(title, "round t", quantity, log_x=log_x, log_y=log_y))
    rounds = data["round"].values
    if log_x:
        figure.update_xaxes(log_ticks(rounds))
    if log_y:
        means = data.regret.mean("run").values
        figure.update_yaxes(log_ticks(means[means > 0]))
    kept, number = thin(rounds.size), ",.1f" if quantity == "cumulative regret" else ".4g"
    for algorithm, label, part in curves(data, over):
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
            name=f"{algorithm.title}<br><span style='font-size:11px'>{label}</span>",
            hovertemplate=(
                f"{algorithm.title}<br>t = %{{x:,}}<br>{quantity.removeprefix('cumulative ')}"
                f" %{{y:{number}}}<extra></extra>"
            ),
        )
    if uniform:
        _uniform(figure, data, rounds, over)
    for number, (name, at, values) in enumerate(bounds):
        dash = ("dot", "dash", "dashdot", "longdash")[number % 4]
        figure.add_scatter(x=at, y=values, mode="lines", name=name, line={"color": GREY, "dash": dash, "width": 1.5})
    return figure


def _uniform(figure: go.Figure, data: xr.Dataset, rounds: np.ndarray, over: str) -> None:
    """One dashed line, or one for each value of `over` on which the instance depends, in the colour of that value."""
    depends = over in json.loads(data.attrs["instance_parameters"])
    for number, value in enumerate(data[over].values if depends else [None]):
        part = data.sel({over: value}) if depends else data
        lost = instance_at(data, over, value).facts["uniform_regret"] * rounds
        if part.regret.isel(round=-1).mean("run").max() > lost[-1] / 2:
            colour, name = (VALUES[number][0], "uniform play, same colours") if depends else (GREY, "uniform play")
            figure.add_scatter(
                x=rounds[[0, -1]],
                y=lost[[0, -1]],
                mode="lines",
                line={"color": colour, "dash": "dash", "width": 1.3},
                name=name,
                legendgroup="uniform",
                showlegend=number == 0,
                hovertemplate=f"{name}<br>t = %{{x:,}}<br>regret %{{y:,.0f}}<extra></extra>",
            )
