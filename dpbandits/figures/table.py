"""A paper's table: columns of texts and numbers."""

import math

import numpy as np
import plotly.graph_objects as go
import xarray as xr

from dpbandits.figures.palette import GREEN, INK, layout, translucent

WIDTH, LINE, HEAD = 840, 19, 62  # pixels: of the sheet, of a line of text, of what stands above the table
CHARACTER = 7.4  # pixels of a character, on average


def draw(data: xr.Dataset, *, title: str = "", mark: str = "") -> go.Figure:
    """The table of a Dataset whose variables have the one dimension `row`: one column each.

    A variable's attribute `long_name` is its heading, `format` (as in format()) how its numbers are written; NaN and "" stay
    empty. mark: a column of truth values; its true rows are shaded.
    """
    columns = [data[name] for name in data.data_vars]
    heads = [column.attrs.get("long_name", str(column.name)) for column in columns]
    texts = [[written(value, column.attrs.get("format", "")) for value in column.values] for column in columns]
    widths = [max(8, *(min(44, len(text)) for text in (head, *column))) for head, column in zip(heads, texts, strict=True)]
    room = [WIDTH * width / sum(widths) / CHARACTER for width in widths]
    lines = [[math.ceil(max(1, len(text)) / (room[i] - 2)) for text in column] for i, column in enumerate(texts)]
    over = max(math.ceil(len(head) / (room[i] - 2)) for i, head in enumerate(heads))
    height = HEAD + LINE * over + 12 + sum(LINE * max(row) + 7 for row in zip(*lines, strict=True)) + 12
    shaded = data[mark].values.astype(bool) if mark else np.zeros(data.sizes["row"], bool)
    align = ["right" if np.issubdtype(column.dtype, np.number) else "left" for column in columns]
    drawing = go.Figure(layout=layout(title, height=height) | {"margin": {"l": 10, "r": 10, "t": HEAD, "b": 6}})
    return drawing.add_table(
        columnwidth=widths,
        header={"values": [f"<b>{head}</b>" for head in heads], "align": align, "fill_color": "white", "line_color": INK, "height": LINE * over + 12},
        cells={
            "values": texts, "align": align, "line_color": "#dddddd", "height": LINE + 7, "font": {"size": 13},
            "fill_color": [np.where(shaded, translucent(GREEN), "white").tolist()],
        },
    )  # fmt: skip


def written(value: object, form: str = "") -> str:
    """One entry as text."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else ""
    if isinstance(value, int | float | np.number):
        return "" if math.isnan(value) else format(value, form)
    return str(value)
