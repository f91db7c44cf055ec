"""One server and one browser for all browser tests.

They end with this folder: while playwright runs, an event loop runs in this thread, and tests elsewhere must find none.
"""

import nbformat
import pytest
from nbformat.v4 import new_notebook

from dpbandits.figures.browser import find_browser
from tests.browser import lab
from tests.browser.pages import CELLS
from tests.notebooks import rules


@pytest.fixture(scope="package")
def browser():
    """Headless Chromium; skips, saying why, where there is none."""
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install -e '.[test]'"
    )
    program = find_browser()
    if program is None:
        pytest.skip(
            "no Chromium or Chrome found: install one (apt-get install chromium), or name it in DPBANDITS_BROWSER"
        )
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="package")
def server(browser, tmp_path_factory):
    """JupyterLab on a copy of the notebooks, unexecuted."""
    home = tmp_path_factory.mktemp("lab")
    with lab.LabServer(lab.copied(home), home) as running:
        yield running


@pytest.fixture
def open_notebook(browser, server):
    """open_notebook(name) -> NotebookPage; closed afterwards."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    yield lambda name: lab.NotebookPage(context, server, name)
    lab.end_kernels(context, server)
    context.close()


@pytest.fixture
def write(server):
    """write(name, cells) puts a notebook before the server."""

    def put(name: str, cells=CELLS) -> str:
        nbformat.write(new_notebook(cells=cells, metadata=rules.METADATA), server.folder / name)
        return name

    return put
