"""Plots come and stay, whatever a reader does: late, scrolled away, closed and opened, twice on a page, in the dark."""

import pytest
from nbformat.v4 import new_code_cell

from tests.browser import lab
from tests.browser.pages import CELLS, follows, run, shown

pytestmark = pytest.mark.slow

EVERYTHING_LATE = "AbortSignal.timeout = () => AbortSignal.abort();"  # no model is in time for anywidget
#: Whether no legend and no title of a plot is cut at its edges.
INSIDE = """svg => {
    const frame = svg.getBoundingClientRect();
    return [...svg.parentElement.querySelectorAll(".legend, .gtitle, .xtitle, .ytitle")].every(part => {
        const box = part.getBoundingClientRect();
        return box.left > frame.left - 1 && box.right < frame.right + 1
            && box.top > frame.top - 1 && box.bottom < frame.bottom + 1;
    });
}"""


def test_plotly_comes_once_and_nothing_is_lost_by_being_late(write, open_notebook):
    """Every model is too late for anywidget here, which then drops what comes for it."""
    notebook, sent = open_notebook(write("once.ipynb")), []
    notebook.page.add_init_script(EVERYTHING_LATE)
    notebook.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sent.append(len(frame))))
    first, twin, other = run(notebook)
    assert 1_300_000 < sum(sent) < 2_600_000 and len([size for size in sent if size > 1_000_000]) == 1
    assert notebook.page.locator("style[id^=dpb-style]").count() == 1
    assert notebook.page.evaluate("() => [typeof Plotly, globalThis.dpbanditsPlotly.size]") == ["undefined", 1]
    sent.clear()
    assert follows(first) == twin.settled(), "two views of one panel"
    assert max(sent) < 60_000
    follows(other)
    assert not notebook.troubles


def test_a_day_of_a_notebook(write, open_notebook):
    """In the dark, zoomed, saved and loaded again, closed and opened again, with a kernel begun anew."""
    notebook = open_notebook(write("day.ipynb"))
    panel = run(notebook)[0]
    go_dark_and_zoom(notebook, panel)
    now = panel.settled()
    notebook.command("docmanager:save")
    notebook.open()
    for again in shown(notebook)[:2]:
        assert again.settled() == now
    now = follows(notebook.explorers()[0])
    notebook.command("application:close")
    notebook.page.wait_for_selector(".jp-Notebook", state="detached")
    notebook.command("docmanager:open", {"path": notebook.name})
    for again in shown(notebook)[:2]:
        assert again.settled() == now
    follows(notebook.explorers()[1])

    session = "jupyterapp.shell.currentWidget.sessionContext.session"
    notebook.page.evaluate(f"() => {session}.kernel.restart()")
    notebook.page.wait_for_function(f"() => {session}.kernel.status === 'idle'", timeout=60_000)
    notebook.command("notebook:run-all-cells")
    notebook.wait_for_cells()
    for again in shown(notebook):
        follows(again)
    assert notebook.page.locator(".dpb-saved").count() == 3 and not notebook.page.locator(".dpb-saved:visible").count()
    assert not notebook.troubles
    saved_and_opened_with_another_kernel(notebook, session)


def saved_and_opened_with_another_kernel(notebook, session: str) -> None:
    """Panels are gone with their kernel, and a sentence below each place says what to do."""
    notebook.command("docmanager:save")
    notebook.page.evaluate(f"() => {session}.kernel.restart()")
    notebook.page.wait_for_function(f"() => {session}.kernel.status === 'idle'", timeout=60_000)
    notebook.open()
    notebook.page.wait_for_function("() => document.querySelectorAll('.dpb-saved').length === 3", timeout=60_000)
    assert notebook.page.get_by_text("It lives while its kernel does: run this cell again").first.is_visible()
    assert not notebook.page.locator(".dpb-panel").count()


def go_dark_and_zoom(notebook, panel: lab.ExplorerOnPage) -> None:
    """The plot follows the theme, and a reader's zoom stays on a move and goes with Reset."""
    plot = panel.locator.locator(".js-plotly-plot")
    assert plot.evaluate("plot => plot._fullLayout.paper_bgcolor") == "white"
    notebook.command("apputils:change-theme", {"theme": "JupyterLab Dark"})
    dark = "p => p._fullLayout.paper_bgcolor === '#111111'"
    notebook.page.wait_for_function(f"() => [...document.querySelectorAll('.js-plotly-plot')].every({dark})")
    ink = panel.locator.locator(".xtick text").first.evaluate("text => getComputedStyle(text).fill")
    assert min(int(part) for part in ink.removeprefix("rgb(").removesuffix(")").split(",")) > 150
    plot.evaluate(
        "async plot => { for (const [, found] of dpbanditsPlotly)"
        " await (await found).relayout(plot, { 'xaxis.range': [0.2, 0.3] }); }"
    )
    follows(panel)
    assert plot.evaluate("plot => plot._fullLayout.xaxis.range") == [0.2, 0.3]
    panel.locator.get_by_role("button", name="Reset", exact=True).click()
    notebook.page.wait_for_function("() => document.querySelector('.js-plotly-plot')._fullLayout.xaxis.range[0] < 0.1")
    assert not lab.obstacles(notebook.page)
    notebook.command("apputils:change-theme", {"theme": "JupyterLab Light"})


def test_two_notebooks_at_once_and_out_of_sight(write, open_notebook):
    """The second one's tab hides the first; each of them has a kernel of its own."""
    notebook, other = open_notebook(write("one.ipynb")), write("two.ipynb")
    run(notebook)
    notebook.command("docmanager:open", {"path": other})
    notebook.page.wait_for_function("() => document.querySelectorAll('.jp-Notebook').length === 2", timeout=60_000)
    notebook.wait_for_kernel(other)
    notebook.command("notebook:run-all-cells", wait=False)
    notebook.command("docmanager:open", {"path": notebook.name})  # while the other one runs
    notebook.page.wait_for_function("() => document.querySelectorAll('.dpb-panel').length === 6", timeout=120_000)
    notebook.command("docmanager:open", {"path": other})
    panels = notebook.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .dpb-panel")
    for i in range(3):
        panel = lab.ExplorerOnPage(notebook, panels.nth(i))
        panel.locator.locator(lab.DRAWN).wait_for(timeout=60_000)
        follows(panel)
    assert not notebook.troubles


@pytest.mark.parametrize("mode", ["full"])
def test_scrolled_away_and_back(mode, write, open_notebook, server):
    """With cells out of sight taken out of the page; everywhere else JupyterLab does as it does by default."""
    with server.settings("@jupyterlab/notebook-extension", "tracker", {"windowingMode": mode}):
        notebook = open_notebook(write(f"{mode}.ipynb", [*CELLS, new_code_cell("region.set(epsilon=0.3)")]))
        notebook.open()
        notebook.run_all()
        assert not notebook.errors()
        notebook.command("notebook:move-cursor-down")  # the last cell is the one in hand after Run All
        notebook.page.wait_for_timeout(500)
        notebook.page.locator(".jp-WindowedPanel-outer:visible").first.evaluate("outer => outer.scrollTo(0, 0)")
        panel = lab.ExplorerOnPage(notebook, notebook.page.locator(".dpb-panel").first)
        panel.locator.locator(lab.DRAWN).wait_for(timeout=60_000)
        assert "(ε, δ) = (0.3," in panel.locator.locator(".gtitle").first.text_content()
        follows(panel)
        assert not notebook.troubles


WINDOWS = ((1400, 900), (1100, 700), (550, 350))  # large, a laptop or a projector, the same at 200 %


def test_plot_and_control_in_hand_are_in_view_together(write, open_notebook):
    cell = new_code_cell("from dpbandits import explorers\n\nexplorers.bounds(horizon=300, runs=2)")
    notebook = open_notebook(write("windows.ipynb", [cell]))
    (panel,) = run(notebook, 1)
    plot, handles = panel.locator.locator(".dpb-plot"), panel.locator.locator(".noUi-handle:visible")
    for width, height in WINDOWS:
        notebook.page.set_viewport_size({"width": width, "height": height})
        if width < 600:
            notebook.command("application:toggle-left-area")
        notebook.page.wait_for_timeout(1500)
        assert panel.locator.locator(".main-svg").first.evaluate(INSIDE), f"{width}: a legend or a title is cut"
        assert panel.locator.evaluate("panel => panel.scrollWidth <= panel.clientWidth + 1"), (
            f"{width}: cut at the side"
        )
        if width < 600:
            continue  # a window of 350 pixels has no room for a plot and its controls
        for i in range(handles.count()):
            handles.nth(i).focus()
            plot.scroll_into_view_if_needed()
            sheet = notebook.page.locator(".jp-WindowedPanel-outer").first.bounding_box()
            for part in (plot, handles.nth(i)):
                box = part.bounding_box()
                assert box["y"] + box["height"] <= sheet["y"] + sheet["height"] + 1, (width, i)
                assert box["y"] >= sheet["y"] - 1, (width, i)
