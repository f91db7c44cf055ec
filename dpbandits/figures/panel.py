"""From a paper's figure record to a plotly figure."""

import plotly.graph_objects as go
import xarray as xr

from dpbandits.figures import failure, region, regret, returns, share, table, tradeoff
from dpbandits.figures.pair import side_by_side
from dpbandits.papers import Figure

BUILDERS = {
    "regret": regret.draw,
    "return": returns.draw,
    "rate": returns.draw_rate,
    "region": region.draw,
    "tradeoff": tradeoff.draw,
    "share": share.draw,
    "failure": failure.draw,
    "table": table.draw,
}
MEANS = "Lines: mean of {runs} runs; bands: one standard deviation of the runs to each side"
#: How each kind of panel is read; stands under the drawing.
READING = {
    "regret": MEANS + " (on a log axis the lower side stops at the mirror image of the upper one).",
    "return": (
        MEANS + ". The return is averaged over the rounds so far and over the weights: it counts w̄, not what was drawn."
    ),
    "rate": MEANS + ".",
    "failure": "Failure rate of the adversary who knows everything but the bit, for the worse of its two values.",
    "tradeoff": "Points: mean of {runs} runs; bars: one standard deviation of the runs.",
    "share": (
        "Points: mean of {runs} runs; bars: one standard deviation of the runs. Dotted: the horizon at which the bonus"
        " alone falls below 1."
    ),
    "region": (
        "Above: the distribution functions of the draw θ of one arm, before and after one changed reward. Below:"
        " minus F."
    ),
    "table": "",
}


def reading(figure: Figure, settings: dict) -> str:
    """How the panel is read; settings: those it was computed from."""
    guides = " Dotted: the slope that the theory gives." if figure.look.get("guides") else ""
    if figure.look.get("slopes"):
        low, high = figure.look["slopes"]
        guides += f" Slopes in log-log scale, fitted from {low:g} to {high:g}."
    uniform = (
        " Dashed, uniform play: what a list drawn at random each round would lose."
        if figure.look.get("uniform")
        else ""
    )
    return READING[figure.builder].format(**settings) + guides + uniform


def draw(figure: Figure, data: xr.Dataset) -> go.Figure:
    """The panel with its numbers, titled with the place in the paper; side by side where the data holds two."""
    title, build = f"{figure.where}: {figure.title}", BUILDERS[figure.builder]
    if "panel" in data.dims:
        return side_by_side(lambda part: build(part, **figure.look), data, title)
    return build(data, title=title, **figure.look)
