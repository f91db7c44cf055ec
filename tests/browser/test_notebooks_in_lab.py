"""Each notebook: Run All, no error, every explorer's plot there, and it follows its slider by keyboard.

The first one is run on a slow computer and a slow line.
"""

import os
from pathlib import Path

import pytest

from tests.browser import lab
from tests.notebooks import rules

#: With DPBANDITS_SCREENSHOTS=FOLDER, pictures of every explorer before and after the move are kept there.
SCREENSHOTS = os.environ.get("DPBANDITS_SCREENSHOTS")


@pytest.mark.parametrize("path", rules.paths(), ids=lambda p: p.stem)
def test_a_learner_runs_it_and_moves_a_slider(path, open_notebook):
    notebook = open_notebook(path.name)
    notebook.open()
    slow = path.stem == "00_start_here"  # a bad day: every plot comes all the same
    if slow:
        notebook.slow()
    notebook.run_all(400)
    assert not notebook.errors()
    explorers = notebook.explorers(120) if lab.made_in(path.name) else []  # the ledger's chapter has tables alone
    assert len(explorers) == lab.made_in(path.name)
    if slow:
        notebook.slow(1, -1)
    for number, explorer in enumerate(explorers):
        explorer.show()
        before = explorer.settled()
        picture(explorer, f"{path.stem}-{number}-opened.png")
        explorer.press(slider=0, key="ArrowRight")
        explorer.wait_for_change(before)
        explorer.settled()
        picture(explorer, f"{path.stem}-{number}-moved.png")
    assert not notebook.errors()
    assert not explorers or not lab.obstacles(notebook.page)
    assert not notebook.troubles


def picture(explorer, name: str) -> None:
    if SCREENSHOTS:
        Path(SCREENSHOTS).mkdir(parents=True, exist_ok=True)
        explorer.picture(Path(SCREENSHOTS) / name)
