"""The table builder: what stands in the cells, and what is shaded."""

import numpy as np
import pandas as pd
import xarray as xr

from dpbandits.figures import table
from dpbandits.figures.reproduce import frame

DATA = xr.Dataset(
    {
        "film": ("row", ["A", "A rather long title " * 5], {"long_name": "Film"}),
        "mean": ("row", [0.56789, np.nan], {"long_name": "w̄(e)", "format": ".3f"}),
        "plays": ("row", [12_345, 6], {"format": ","}),
        "best": ("row", [True, False]),
    }
)


def test_cells_and_headings():
    (drawn,) = table.draw(DATA, title="Table 1").data
    assert list(drawn.header["values"]) == ["<b>Film</b>", "<b>w̄(e)</b>", "<b>plays</b>", "<b>best</b>"]
    assert [list(column) for column in drawn.cells["values"][1:]] == [["0.568", ""], ["12,345", "6"], ["yes", ""]]
    assert list(drawn.cells.align) == ["left", "right", "right", "left"]


def test_a_column_that_only_marks_rows_is_not_shown():
    (drawn,) = table.draw(DATA, mark="best").data
    (shades,) = drawn.cells.fill.color
    assert shades[0] != "white" and shades[1] == "white" and len(drawn.header["values"]) == 3
    named = DATA.assign(best=DATA["best"].assign_attrs(long_name="best"))
    assert len(table.draw(named, mark="best").data[0].header["values"]) == 4


def test_long_texts_make_room():
    short = table.draw(DATA.isel(row=[0]))
    assert table.draw(DATA).layout.height - short.layout.height > 2 * table.LINE
    assert set(table.draw(DATA).data[0].cells.fill.color[0]) == {"white"}


def test_numbers_of_a_table():
    numbers = frame(DATA)
    assert list(numbers) == ["film", "mean", "plays", "best"] and len(numbers) == 2
    assert isinstance(numbers, pd.DataFrame) and numbers["plays"].tolist() == [12_345, 6]
