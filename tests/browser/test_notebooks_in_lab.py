"""Each notebook: Run All, no error, every explorer's plot there, and it follows its slider by keyboard.

The first one is run on a slow computer and a slow line; with DPBANDITS_SLOW=1, all of them.
"""

import os
from pathlib import Path

import pytest

from tests.browser import lab
from tests.notebooks import rules

pytestmark = pytest.mark.slow

#: With DPBANDITS_SCREENSHOTS=FOLDER, pictures of every explorer are kept there: in both themes, in a large window and
#: in one as a laptop or a projector has it (the window itself), and after the move.
SCREENSHOTS = os.environ.get("DPBANDITS_SCREENSHOTS")
WINDOWS = ((1440, 900), (1100, 700))
THEMES = ("JupyterLab Light", "JupyterLab Dark")
SLOW = bool(os.environ.get("DPBANDITS_SLOW"))


@pytest.mark.parametrize("path", rules.paths(), ids=lambda p: p.stem)
def test_a_learner_runs_it_and_moves_a_slider(path, open_notebook):
    notebook = open_notebook(path.name)
    notebook.open()
    slow = SLOW or path.stem == "00_start_here"  # a bad day: every plot comes all the same
    if slow:
        notebook.slow()
    notebook.run_all(400)
    assert not notebook.errors()
    explorers = (
        notebook.explorers(240 if slow else 120) if lab.made_in(path.name) else []
    )  # the ledger's chapter has tables alone
    assert len(explorers) == lab.made_in(path.name)
    if slow:
        notebook.slow(1, -1)
    for number, explorer in enumerate(explorers):
        explorer.show()
        before = explorer.settled()
        pictures(explorer, f"{path.stem}-{number}")
        explorer.press(slider=0, key="ArrowRight")
        explorer.wait_for_change(before)
        explorer.settled()
        if SCREENSHOTS:
            explorer.picture(Path(SCREENSHOTS) / f"{path.stem}-{number}-moved.png")
    assert not notebook.errors()
    assert not explorers or not lab.obstacles(notebook.page)
    assert not notebook.troubles


def pictures(explorer, name: str) -> None:
    """The panel in each theme and window, where pictures are asked for."""
    page, folder = explorer.notebook.page, Path(SCREENSHOTS or "")
    for theme in THEMES if SCREENSHOTS else ():
        folder.mkdir(parents=True, exist_ok=True)
        explorer.notebook.command("apputils:change-theme", {"theme": theme})
        for width, height in WINDOWS:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(1500)
            explorer.show()
            file = folder / f"{name}-{theme.split()[1].lower()}-{width}.png"
            explorer.picture(file) if width > 1200 else page.screenshot(path=file)
    if SCREENSHOTS:
        explorer.notebook.command("apputils:change-theme", {"theme": THEMES[0]})
        page.set_viewport_size({"width": 1400, "height": 1000})
        page.wait_for_timeout(1500)
