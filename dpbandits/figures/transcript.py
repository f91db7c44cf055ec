"""What a transcript gives away: the realised privacy loss about one flipped reward, round by round."""

from collections.abc import Iterable

import numpy as np
import plotly.graph_objects as go

from dpbandits.algorithms.catalogue import ALGORITHMS
from dpbandits.figures.labels import log_ticks
from dpbandits.figures.palette import GREY, layout, line, translucent
from dpbandits.privacy import TranscriptLoss

ALGORITHM_OF = {"gauss": "dp-ftpl-gauss", "beta": "dp-ftpl-beta", "beta-plain": "thompson-beta", "new": "dp-ftpl-new"}


def draw(
    losses: Iterable[TranscriptLoss], *, title: str = "What the selections so far tell about the first reward"
) -> go.Figure:
    """The median over the runs of |loss| against rounds, a band from the 5 % to the 95 % quantile, and the nominal ε of
    a single selection.
    """
    losses = list(losses)
    figure = go.Figure(layout=layout(title, "round t", "privacy loss in nats", log_x=True))
    figure.update_xaxes(log_ticks(np.concatenate([loss.rounds for loss in losses])))
    for loss in losses:
        algorithm = ALGORITHMS[ALGORITHM_OF[loss.law]]
        low, middle, high = np.quantile(np.abs(loss.loss), [0.05, 0.5, 0.95], axis=0)
        x = loss.rounds
        figure.add_scatter(
            x=np.concatenate((x, x[::-1])),
            y=np.concatenate((high, low[::-1])),
            fill="toself",
            mode="lines",
            line={"width": 0},
            fillcolor=translucent(algorithm.colour),
            hoverinfo="skip",
            showlegend=False,
            legendgroup=algorithm.name,
        )
        figure.add_scatter(
            x=x, y=middle, mode="lines", line=line(algorithm), name=algorithm.title, legendgroup=algorithm.name
        )
    for epsilon in sorted({loss.epsilon for loss in losses}):
        ends = [min(loss.rounds[0] for loss in losses), max(loss.rounds[-1] for loss in losses)]
        look = {"color": GREY, "dash": "dot", "width": 1.5}
        figure.add_scatter(
            x=ends, y=[epsilon, epsilon], mode="lines", line=look, name=f"ε = {epsilon:g}, of one selection"
        )
    return figure.update_layout(legend={"x": 0.02, "y": 0.98})
