"""What stands in a plot's place when it cannot come: a sentence, and what to do."""

import pytest
from nbformat.v4 import new_code_cell

from tests.browser import lab
from tests.browser.pages import follows, run, shown

pytestmark = pytest.mark.slow

PANEL = "from dpbandits import explorers\n\nexplorers.region()"
TOOLS = "from dpbandits.explorers.toolkit import plotview\n\n"
MISSING = (
    TOOLS + "found = plotview.plotly_js\n\n\ndef missing():\n"
    "    raise FileNotFoundError(2, 'No such file or directory', 'plotly.min.js')\n\n\nplotview.plotly_js = missing"
)
OTHER = TOOLS + "plotview._pages.clear()\nplotview.get_plotlyjs_version = lambda: '0.0.1'"
NEVER = TOOLS + "plotview.Page.fetch = lambda self: None"
#: Scripts from blobs do not run, as under a strict Content-Security-Policy.
BLOCK = "const make = URL.createObjectURL; URL.createObjectURL = b => WHAT ? 'blob:no' : make(b)"


OLD = "delete globalThis.DecompressionStream"


def cells(*sources: str) -> list:
    return [new_code_cell(source) for source in sources]


def says(notebook, words: str, seconds: float = 60) -> None:
    notebook.page.locator(".dpb-panel").get_by_text(words).first.wait_for(timeout=seconds * 1000)


def test_a_page_that_lets_no_plot_be_drawn(write, open_notebook):
    """One kernel, and pages of which each lacks something else."""
    name = write("blocked.ipynb", cells(PANEL))
    first = open_notebook(name)
    run(first, 1)
    first.command("docmanager:save")
    first.page.close()
    for script, words in (
        (BLOCK.replace("WHAT", "b.size > 1e6 && !globalThis.unblocked"), "this page does not let plotly.js run"),
        (BLOCK.replace("WHAT", "b.type === 'text/javascript'"), "the page's scripts are blocked"),
        (OLD, "this browser is too old"),
    ):
        notebook = open_notebook(name)
        notebook.page.add_init_script(script)
        notebook.open()
        says(notebook, words)
        if "unblocked" in script:
            notebook.page.evaluate("() => { globalThis.unblocked = true; }")
            notebook.page.get_by_role("button", name="Try again").click()
            follows(shown(notebook, 1)[0])
        notebook.page.close()


def test_a_page_without_webassembly_draws_all_the_same(write, open_notebook):
    notebook = open_notebook(write("plain.ipynb", cells(PANEL)))
    notebook.page.add_init_script("delete globalThis.WebAssembly")
    follows(run(notebook, 1)[0])
    assert notebook.page.evaluate("() => typeof WebAssembly") == "undefined" and not notebook.troubles


def test_a_kernel_that_cannot_send_it(write, open_notebook):
    """plotly.js is missing, until another try; it is not what was said; it never comes; the kernel stops meanwhile."""
    mended = "plotview.plotly_js = found"
    notebook = open_notebook(write("kernels.ipynb", cells(MISSING, PANEL, mended, OTHER, PANEL)))
    notebook.open()
    notebook.run_all()
    says(notebook, "plotly.js is missing from the installed plotly (No such file or directory: plotly.min.js)")
    says(notebook, "came in place of 0.0.1")
    notebook.page.get_by_role("button", name="Try again").first.click()
    panel = lab.ExplorerOnPage(notebook, notebook.page.locator(".dpb-panel").first)
    panel.locator.locator(lab.DRAWN).wait_for(timeout=60_000)
    follows(panel)

    notebook = open_notebook(write("never.ipynb", cells(NEVER, PANEL)))
    notebook.open()
    notebook.run_all()
    says(notebook, "plotly.js is still not here")
    notebook.page.evaluate("() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    says(notebook, "the kernel stopped before plotly.js was here")
