"""Final regret against a privacy parameter, on log axes, with the slopes that the theory gives."""

import json
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
import xarray as xr

from dpbandits.figures.labels import SYMBOLS, by_algorithm, instance_at, log_ticks, scope_label, spread, thin
from dpbandits.figures.palette import GREY, layout, line

MARKS = ("circle", "square", "diamond", "triangle-up", "cross", "x")


def draw(
    data: xr.Dataset,
    *,
    over: str,
    title: str = "",
    guides: Sequence[tuple] = (),
    slopes: tuple | None = None,
    uniform: bool = False,
    inverse: bool = False,
) -> go.Figure:
    """Mean regret at the horizon against `over`, for each algorithm of `data` (a result of sweep() with `over` swept).

    Error bars: one standard deviation of the runs. guides: (algorithm, slope, from, to): a line of this slope beside
    the measured curve, below it where the slope is gentle, with the slope that the measured points have there.
    slopes: (from, to), the legend tells the slope of every curve there.
    uniform: a dashed line at what a uniformly random choice loses (the instance's fact `uniform_regret`). inverse:
    against 1/`over`, on linear axes.
    """
    symbol = f"1/{SYMBOLS.get(over, over)}" if inverse else SYMBOLS.get(over, over)
    y = f"regret after {data.attrs['horizon']:,} rounds"
    figure = go.Figure(layout=layout(title, symbol, y, log_x=not inverse, log_y=not inverse))
    values = data[over].values.astype(float)
    values = 1 / values if inverse else values
    if not inverse:
        few = values.size <= 8 and (values == values.round()).all()
        figure.update_xaxes({"tickvals": values, "ticktext": [f"{v:g}" for v in values]} if few else log_ticks(values))
        figure.update_yaxes(log_ticks(data.regret.isel(round=-1).mean("run").values))
    kept, guarantees = thin(values.size), json.loads(data.attrs["guarantees"])
    for number, (algorithm, part) in enumerate(by_algorithm(data)):
        final = part.regret.isel(round=-1)
        mean, deviation = (s[kept] for s in spread(final.transpose("run", over)))
        small = scope_label(guarantees[algorithm.name])
        if slopes:
            small += f"; slope {slope_between(values, final.mean('run').values, *slopes):.2f}"
        figure.add_scatter(
            x=values[kept],
            y=mean,
            mode="lines+markers" if kept.size <= 50 else "lines",
            line=line(algorithm),
            marker={"symbol": MARKS[number % 6], "size": 7},
            error_y={"array": deviation, "thickness": 1, "width": 2 if kept.size <= 50 else 0},
            name=f"{algorithm.title}<br><span style='font-size:11px'>{small}</span>",
            hovertemplate=f"{algorithm.title}<br>{symbol} = %{{x:.3g}}<br>regret %{{y:,.0f}}<extra></extra>",
        )
        for _, slope, low, high in (g for g in guides if g[0] == algorithm.name):
            _guide(figure, values, final.mean("run").values, symbol, slope, low, high)
    if uniform:
        lost = instance_at(data).facts["uniform_regret"] * data.attrs["horizon"]
        figure.add_scatter(
            x=[values.min(), values.max()],
            y=[lost, lost],
            mode="lines",
            name="uniform play",
            line={"color": GREY, "dash": "dash", "width": 1.3},
        )
    return figure


def slope_between(x: np.ndarray, y: np.ndarray, low: float, high: float) -> float:
    """Slope of the least-squares line through the points with low <= x <= high in log-log scale; NaN with fewer than
    two.
    """
    inside = (x >= low * (1 - 1e-9)) & (x <= high * (1 + 1e-9)) & (y > 0)
    return float(np.polyfit(np.log(x[inside]), np.log(y[inside]), 1)[0]) if inside.sum() > 1 else float("nan")


def _guide(figure: go.Figure, x: np.ndarray, y: np.ndarray, symbol: str, slope: float, low: float, high: float) -> None:
    order = np.argsort(x)
    middle = np.sqrt(low * high)
    beside = 1.9 if abs(slope) > 1 else 0.55
    anchor = beside * np.exp(np.interp(np.log(middle), np.log(x[order]), np.log(y[order])))
    ends = np.array([low, high])
    measured = slope_between(x, y, low, high)
    note = f"slope {slope:g}" + (f" (measured {measured:.2f})" if np.isfinite(measured) else "")
    figure.add_scatter(
        x=ends,
        y=anchor * (ends / middle) ** slope,
        mode="lines",
        line={"color": GREY, "width": 1.5, "dash": "dot"},
        showlegend=False,
        hoverinfo="skip",
    )
    figure.add_annotation(
        x=np.log10(middle),
        y=np.log10(anchor),
        text=note,
        showarrow=False,
        font={"color": GREY, "size": 12},
        xanchor="left" if (beside > 1) == (slope < 0) else "right",
        yanchor="bottom" if beside > 1 else "top",
    )
