"""A paper's table: columns of texts and numbers."""

import html
import math
import textwrap

import numpy as np
import plotly.graph_objects as go
import xarray as xr

from dpbandits.figures.labels import number
from dpbandits.figures.palette import GREEN, INK, layout, translucent

WIDTH, ABOVE, LINE, PADDING = 840, 50, 19, 20  # pixels: the sheet's width, above the table, a line, beside a text
CHARACTER = 7.2  # pixels of a character, on average
LONGEST = 40  # characters: longer texts are wrapped


def draw(data: xr.Dataset, *, title: str = "", mark: str = "") -> go.Figure:
    """The table of a Dataset whose variables have the one dimension `row`: one column each.

    A variable's attribute `long_name` is its heading, `format` (as in format(); number()'s where there is none) how its
    numbers are written; NaN and "" stay empty. mark: a column of truth values; its true rows are shaded, and it is
    shown only if it has a `long_name`.
    """
    columns = [data[name] for name in data.data_vars if name != mark or "long_name" in data[name].attrs]
    heads = [column.attrs.get("long_name", str(column.name)) for column in columns]
    texts = [[written(value, column.attrs.get("format", "")) for value in column.values] for column in columns]
    widths = [_width(head, column) for head, column in zip(heads, texts, strict=True)]
    scale = (WIDTH - PADDING * len(columns)) / sum(widths) / CHARACTER  # room for each character of a width
    rows = [max(map(_lines, row, [width * scale for width in widths])) for row in (heads, *zip(*texts, strict=True))]
    shaded = data[mark].values.astype(bool) if mark else np.zeros(data.sizes["row"], bool)
    align = ["right" if np.issubdtype(column.dtype, np.number) else "left" for column in columns]
    height = ABOVE + LINE * sum(rows) + 9 * len(rows) + 12
    drawing = go.Figure(layout=layout(title, height=height) | {"margin": {"l": 10, "r": 10, "t": ABOVE, "b": 0}})
    return drawing.add_table(
        columnwidth=[width * scale * CHARACTER + PADDING for width in widths],
        header={
            "values": [f"<b>{head}</b>" for head in heads],
            "align": align,
            "line_color": INK,
            "fill_color": "white",
            "height": LINE * rows[0] + 9,
        },
        cells={
            "values": texts,
            "align": align,
            "line_color": "#dddddd",
            "height": LINE + 7,
            "font": {"size": 13},
            "fill_color": [np.where(shaded, translucent(GREEN), "white").tolist()],
        },
    )


def _width(head: str, column: list[str]) -> int:
    """Characters for which a column has room: its texts, the heading's longest word, and the heading in three lines."""
    words, texts = (len(word) + 2 for word in head.split()), (min(LONGEST, len(text)) for text in column)
    return max(4, math.ceil(len(head) / 3) + 2, *words, *texts)


def _lines(text: str, room: float) -> int:
    return max(1, len(textwrap.wrap(text, max(1, int(room)))))


def written(value: object, form: str = "") -> str:
    """One entry as text."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else ""
    if isinstance(value, int | float | np.number):
        return "" if math.isnan(value) else format(value, form) if form else number(value)
    return html.escape(str(value), quote=False)  # plotly reads a cell as HTML
