"""The one factory of live figures."""

import plotly.graph_objects as go

from dpbandits.figures.palette import layout

WIDTH, HEIGHT = 640, 430


def live_figure(traces: list, *, name: str, width: int = WIDTH, height: int = HEIGHT, **sheet: object) -> go.FigureWidget:
    """A FigureWidget of fixed size with all its traces; `sheet` goes to palette.layout(). name: of the PNG that its camera saves."""
    figure = go.FigureWidget(data=traces, layout=layout(width=width, height=height, **sheet))
    figure.update_layout(legend={"x": 0.02, "y": 0.98}, title_font_size=14)
    figure._config = {
        "displaylogo": False,
        "toImageButtonOptions": {"format": "png", "filename": name, "scale": 2},
        "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    }
    return figure
