"""Each notebook: Run All, no error anywhere, and every explorer's plot follows its slider by keyboard."""

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
    notebook.run_all()
    assert not notebook.errors()
    explorers = notebook.explorers()
    assert explorers, f"{path.name} has no explorer"
    for number, explorer in enumerate(explorers):
        before = explorer.settled()
        picture(explorer, f"{path.stem}-{number}-opened.png")
        explorer.press(slider=0, key="ArrowRight")
        explorer.wait_for_change(before)
        explorer.settled()
        picture(explorer, f"{path.stem}-{number}-moved.png")
    assert not notebook.errors()
    assert not lab.obstacles(notebook.page)
    assert not notebook.troubles


def picture(explorer, name: str) -> None:
    if SCREENSHOTS:
        Path(SCREENSHOTS).mkdir(parents=True, exist_ok=True)
        explorer.picture(Path(SCREENSHOTS) / name)
