"""From a paper's figure record to a plotly figure."""

import plotly.graph_objects as go
import xarray as xr

from dpbandits.figures import region, regret, table, tradeoff
from dpbandits.figures.pair import side_by_side
from dpbandits.papers import Figure

BUILDERS = {"regret": regret.draw, "region": region.draw, "tradeoff": tradeoff.draw, "table": table.draw}
#: How each kind of panel is read; stands under the drawing.
READING = {
    "regret": "Lines: mean of {runs} runs; bands: one standard deviation of the runs to each side (on a log axis the lower side"
    " stops at the mirror image of the upper one).",
    "tradeoff": "Points: mean of {runs} runs; bars: one standard deviation of the runs.",
    "region": "Above: the distribution functions of the draw θ of one arm, before and after one changed reward. Below: minus F.",
    "table": "",
}


def reading(figure: Figure, settings: dict) -> str:
    """How the panel is read; settings: those it was computed from."""
    guides = " Dotted: the slope that the theory gives." if figure.look.get("guides") else ""
    uniform = " Dashed, uniform play: what a list drawn at random each round would lose." if figure.look.get("uniform") else ""
    return READING[figure.builder].format(**settings) + guides + uniform


def draw(figure: Figure, data: xr.Dataset) -> go.Figure:
    """The panel with its numbers, titled with the place in the paper; side by side where the data holds two."""
    title, build = f"{figure.where}: {figure.title}", BUILDERS[figure.builder]
    if "panel" in data.dims:
        return side_by_side(lambda part: build(part, **figure.look), data, title)
    return build(data, title=title, **figure.look)
