"""The one factory of live figures, and the one way to redraw them."""

from collections.abc import Mapping
from copy import deepcopy

import numpy as np
import plotly.graph_objects as go

from dpbandits.figures.palette import layout

WIDTH, HEIGHT = 640, 430


class LiveFigure(go.FigureWidget):
    """A FigureWidget that tells a browser which comes late (a page opened again, Voila) what it shows now.

    plotly's own answers with the figure as it was when it was made: redraws travel as messages, which that browser
    missed.
    """

    def get_state(self, key=None, drop_defaults=False):
        if key is None and self.comm is not None:
            now = {"_widget_data": deepcopy(self._data), "_widget_layout": deepcopy(self._layout_obj._props)}
            self._trait_values |= now  # without the message that setting them would send to browsers that follow
        return super().get_state(key, drop_defaults)


def live_figure(traces: list, *, height: int = HEIGHT, **sheet: object) -> LiveFigure:
    """A FigureWidget of fixed size with all its traces; `sheet` goes to palette.layout()."""
    figure = LiveFigure(data=traces, layout=layout(width=WIDTH, height=height, **sheet))
    figure.update_layout(legend={"x": 0.02, "y": 0.98, "tracegroupgap": 0}, title_font_size=14, margin_b=60)
    figure.update_traces(line_simplify=False, selector={"type": "scatter"})
    return figure.update_yaxes(automargin=True, title_standoff=10)


def redraw(figure: go.FigureWidget, edits: Mapping[int, Mapping[str, object]], sheet: Mapping[str, object]) -> None:
    """Change traces (by position: property -> value) and the layout ("xaxis.type": value) in one message.

    This is what batch_update() does, but complete: a batch sends, for a trace whose property did not change,
    "undefined",
    which the browser's model takes for its value, and the next view of the figure has lost names, modes and visibility.
    """
    edits = {
        i: {n: np.ascontiguousarray(v) if isinstance(v, np.ndarray) else v for n, v in edit.items()}
        for i, edit in edits.items()
    }
    properties = dict.fromkeys(name for edit in edits.values() for name in edit)
    complete = {name: [edit.get(name, figure.data[i][name]) for i, edit in edits.items()] for name in properties}
    figure.plotly_update(restyle_data=complete, relayout_data=dict(sheet), trace_indexes=list(edits))


HIDDEN = {"visible": False, "x": None, "y": None}  # a trace that is not needed sends nothing


def band(x: np.ndarray, mean: np.ndarray, deviation: np.ndarray, log: bool = False) -> dict[str, np.ndarray]:
    """mean ± deviation as a closed polygon of at most 400 points, cut at 0 where the mean is not below; on a log axis,
    at the mirror image of its upper edge.
    """
    keep = np.unique(np.linspace(0, x.size - 1, min(x.size, 200)).round().astype(int))
    x, mean, deviation = x[keep], mean[keep], deviation[keep]
    if log:
        positive = mean > 0
        x, mean, deviation = x[positive], mean[positive], deviation[positive]
    low = np.maximum(
        mean - deviation, mean**2 / (mean + deviation) if log else np.minimum(0, mean - deviation) * (mean < 0)
    )
    return {"x": np.append(x, x[::-1]), "y": np.append(mean + deviation, low[::-1])}
