"""A notebook with panels, opened and run; and what a panel shows once its slider is moved."""

from nbformat.v4 import new_code_cell, new_markdown_cell

from tests.browser import lab

#: Two views of one panel, a second panel, and room to scroll.
CELLS = [
    new_code_cell("from dpbandits import explorers\n\nregion = explorers.region()\nregion"),
    new_code_cell("region"),
    new_code_cell("explorers.shape()"),
    new_markdown_cell("\n\n".join(f"Line {i}" for i in range(150))),
]


def run(notebook, panels: int = 3) -> list[lab.ExplorerOnPage]:
    """Open the notebook and run it: its panels, drawn."""
    notebook.open()
    notebook.run_all()
    assert not notebook.errors()
    return shown(notebook, panels)


def shown(notebook, panels: int = 3) -> list[lab.ExplorerOnPage]:
    """The panels of the open notebook, once all of them are drawn."""
    notebook.page.wait_for_function(
        f"() => document.querySelectorAll('.dpb-panel').length === {panels}", timeout=60_000
    )
    return notebook.explorers()


def follows(panel: lab.ExplorerOnPage) -> str:
    """Move the panel's first slider: what it shows then."""
    before = panel.settled()
    panel.press(0, "ArrowRight")
    panel.wait_for_change(before)
    return panel.settled()
