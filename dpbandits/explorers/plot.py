"""The one factory of live figures, and the one way to redraw them."""

from collections.abc import Mapping

import plotly.graph_objects as go

from dpbandits.figures.palette import layout

WIDTH, HEIGHT = 640, 430


def live_figure(traces: list, *, name: str, width: int = WIDTH, height: int = HEIGHT, **sheet: object) -> go.FigureWidget:
    """A FigureWidget of fixed size with all its traces; `sheet` goes to palette.layout(). name: of the PNG that its camera saves."""
    figure = go.FigureWidget(data=traces, layout=layout(width=width, height=height, **sheet))
    figure.update_layout(legend={"x": 0.02, "y": 0.98}, title_font_size=14)
    figure.update_traces(line_simplify=False)
    figure._config = {
        "displaylogo": False,
        "toImageButtonOptions": {"format": "png", "filename": name, "scale": 2},
        "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    }
    return figure


def redraw(figure: go.FigureWidget, edits: Mapping[int, Mapping[str, object]], sheet: Mapping[str, object]) -> None:
    """Change traces (by position: property -> value) and the layout ("xaxis.type": value) in one message.

    This is what batch_update() does, but complete: a batch sends, for a trace whose property did not change, "undefined",
    which the browser's model takes for its value, and the next view of the figure has lost names, modes and visibility.
    """
    properties = dict.fromkeys(name for edit in edits.values() for name in edit)
    complete = {name: [edit.get(name, figure.data[i][name]) for i, edit in edits.items()] for name in properties}
    figure.plotly_update(restyle_data=complete, relayout_data=dict(sheet), trace_indexes=list(edits))


HIDDEN = {"visible": False, "x": None, "y": None}  # a trace that is not needed sends nothing
