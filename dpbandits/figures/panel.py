"""From a paper's figure record to a plotly figure."""

import plotly.graph_objects as go
import xarray as xr

from dpbandits.figures import region, regret, tradeoff
from dpbandits.papers import Figure

BUILDERS = {"regret": regret.draw, "region": region.draw, "tradeoff": tradeoff.draw}


def draw(figure: Figure, data: xr.Dataset) -> go.Figure:
    """The panel with its numbers, titled with the place in the paper."""
    return BUILDERS[figure.builder](data, title=f"{figure.where}: {figure.title}", **figure.look)
