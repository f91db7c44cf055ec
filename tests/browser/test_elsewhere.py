"""One panel in Jupyter Notebook 7 and on a page of Voila: its plot comes, and follows a slider."""

import subprocess
import sys
import time

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


def ours(troubles: list[str]) -> list[str]:
    """Of what went wrong, what names a part of ours: other extensions there may expect a whole JupyterLab."""
    return [t for t in troubles if any(word in t.lower() for word in ("anywidget", "plotly", "dpbandits", "widget"))]


def wait_for_kernel(page, server, name: str, seconds: float = 120) -> None:
    """Until the notebook's kernel is idle, and the page knows it: a cell that is run before has no kernel."""
    end, state = time.monotonic() + seconds, None
    while state != "idle":
        assert time.monotonic() < end, f"{name}: its kernel is {state}"
        page.wait_for_timeout(300)
        sessions = page.request.get(f"{server.url}api/sessions").json()
        state = next((s["kernel"]["execution_state"] for s in sessions if s["path"] == name), None)
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']", timeout=60_000)


def test_in_notebook_7(write, server, watched):
    page, troubles = watched
    name = write("seven.ipynb")
    page.goto(f"{server.url}notebooks/{name}", wait_until="domcontentloaded")
    page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=60_000)
    wait_for_kernel(page, server, name)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    first, twin, other = Anywhere(page).panels(3)
    assert follows(first) == twin.settled(), "two views of one panel"
    follows(other)
    assert not ours(troubles)
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
        assert not ours(troubles)
    finally:
        app.end(server)
