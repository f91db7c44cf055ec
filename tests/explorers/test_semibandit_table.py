"""The live Table 1: its plot and its cells are table_1, and what does not apply is told."""

import numpy as np
import pytest

from dpbandits.explorers import semibandit_table
from dpbandits.explorers.semibandit_table import MARKERS
from dpbandits.papers.chen_table import table_1


def test_plot_and_cells_are_the_table():
    panel = semibandit_table(arms=12, list_size=3, gap=0.1, epsilon=0.5, horizon=10**5)
    panel.set(gap=0.2, horizon=10**6)
    wanted = table_1(arms=12, list_size=3, gap=0.2, epsilon=0.5, smoothness=1.0, horizon=10**6)
    for trace, name in zip(panel.figure.data, MARKERS, strict=False):
        assert np.array_equal(np.array(trace.y, float), wanted[name].values, equal_nan=True), name
    assert (
        set(panel.view.traces["worst"].y) == {200_000}
        and "200,000" in panel.summary_text
        and "B∞, central; B₁, local" in panel.summary_text
    )
    assert "4, B∞ = KB₁" in panel.table.value and f"{wanted.order_value.values[0]:,.0f}" in panel.table.value


def test_a_gap_outside_a_theorem_is_told_and_its_cell_stays_empty():
    panel = semibandit_table(gap=0.5)
    assert "Theorem 5: gap = 0.5 is not allowed" in panel.message and not panel.error
    assert np.isnan(panel.frame().lower_printed[0]) and np.isfinite(panel.frame().lower_printed[4])


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="list_size = 30"):
        semibandit_table(list_size=30)
    panel = semibandit_table()
    assert "the corrected upper bound says nothing for B∞, local; B∞, central" in panel.summary_text
    panel.set(list_size=30)
    assert "list_size = 30" in panel.error
