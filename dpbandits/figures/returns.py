"""Two other looks at regret curves: the return per round, and regret over ln t."""

import json

import numpy as np
import plotly.graph_objects as go
import xarray as xr

from dpbandits.figures import regret
from dpbandits.figures.palette import GREY, INK


def draw(data: xr.Dataset, *, title: str = "", over: str = "") -> go.Figure:
    """The expected return per round up to round s, (1/s) Σ_{t <= s} w̄(A^t); that of A* and of a random basis.

    data, over: as for regret.draw, with `optimal_value` and `random_value` in the attribute `facts` of the data.
    """
    facts, rounds = json.loads(data.attrs["facts"]), data["round"]
    returns = data.assign(regret=facts["optimal_value"] - data.regret / rounds)
    figure = regret.draw(returns, title=title, over=over, quantity="expected return per round")
    levels = (("A*", "optimal_value", INK, "dot"), ("a random basis", "random_value", GREY, "dash"))
    for name, key, colour, dash in levels:
        look = {"color": colour, "dash": dash, "width": 1.5}
        figure.add_scatter(x=rounds.values[[0, -1]], y=[facts[key]] * 2, mode="lines", name=name, line=look)
    return figure


def draw_rate(data: xr.Dataset, *, title: str = "") -> go.Figure:
    """R_t/ln t against t on a log axis, from t = 2 on: what tends to a constant if the regret grows like ln t."""
    data = data.sel(round=data["round"] >= 2)
    rates = data.assign(regret=data.regret / np.log(data["round"]))
    return regret.draw(rates, title=title, log_x=True, quantity="regret / ln t")
