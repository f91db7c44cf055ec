"""One panel in Jupyter Notebook 7 and on a page of Voila: its plot comes, and follows a slider."""

import subprocess
import sys

import nbformat
import pytest

from dpbandits.cli import app
from tests.browser import lab
from tests.browser.pages import CELLS, follows
from tests.notebooks import rules

pytestmark = pytest.mark.slow


class Anywhere:
    """What ExplorerOnPage needs of a notebook's page: the page."""

    def __init__(self, page):
        self.page = page

    def panels(self, count: int) -> list[lab.ExplorerOnPage]:
        self.page.wait_for_function(
            f"() => document.querySelectorAll('.dpb-panel').length === {count}", timeout=120_000
        )
        found = [lab.ExplorerOnPage(self, panel) for panel in self.page.locator(".dpb-panel").all()]
        for panel in found:
            panel.show()
        return found


@pytest.fixture
def watched(browser):
    """A page, and what went wrong in it."""
    context, troubles = browser.new_context(viewport={"width": 1400, "height": 1000}), []
    page = context.new_page()
    lab.watch(page, troubles.append)
    yield page, troubles
    context.close()


def test_in_notebook_7(write, server, watched):
    page, troubles = watched
    page.goto(f"{server.url}notebooks/{write('seven.ipynb')}", wait_until="domcontentloaded")
    page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=60_000)
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']", timeout=90_000)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    first, twin, other = Anywhere(page).panels(3)
    assert follows(first) == twin.settled(), "two views of one panel"
    follows(other)
    assert not troubles
    lab.end_kernels(page.context, server)


def test_on_a_page_of_voila(watched, tmp_path):
    page, troubles = watched
    file, port = tmp_path / "page.ipynb", app.free_port()
    nbformat.write(nbformat.v4.new_notebook(cells=CELLS[:3], metadata=rules.METADATA), file)
    command = [sys.executable, "-m", "voila", str(file), "--no-browser", f"--port={port}", "--Voila.ip=127.0.0.1"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        app.wait_until_it_answers(server, port)
        page.goto(f"http://127.0.0.1:{port}/", wait_until="domcontentloaded", timeout=120_000)
        first, twin, other = Anywhere(page).panels(3)
        assert follows(first) == twin.settled(), "two views of one panel"
        follows(other)
        assert not page.locator(".dpb-saved:visible").count()
        assert not [trouble for trouble in troubles if "cdn.jsdelivr.net" not in trouble]  # Voila's own icon font
    finally:
        app.end(server)
