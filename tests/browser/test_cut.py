"""A whole panel in JupyterLab's own windows: no word of its controls, titles and tables is cut, its plot has the size
that test_layout.py takes for granted, and in the dark its words stand out.
"""

import pytest
from nbformat.v4 import new_code_cell

from dpbandits import explorers
from tests.browser import lab
from tests.browser.layout import SIZES

pytestmark = pytest.mark.slow

#: What a part holds and does not show, to the right or below, and what the menus' and boxes' own frames cut.
CUT = """panel => {
    const pen = document.createElement("canvas").getContext("2d"), found = [];
    for (const part of [panel, ...panel.querySelectorAll("*")]) {
        const unseen = ".js-plotly-plot, .noUi-target, .widget-readout, mjx-assistive-mml";
        if (!part.clientWidth || part.closest(unseen)) continue;
        const { overflowX, overflowY, font, visibility } = getComputedStyle(part);
        if (visibility === "hidden") continue;
        const text = String(part.value ?? part.innerText ?? "").slice(0, 40);
        const name = `${part.tagName.toLowerCase()}.${part.className}: ${text}`;
        const wide = part.scrollWidth - part.clientWidth, high = part.scrollHeight - part.clientHeight;
        const narrow = overflowX !== "visible" || part.tagName === "INPUT";
        if (wide > 1 && narrow) found.push(`${name} is cut by ${wide} px at the side`);
        if (high > 2 && overflowY === "hidden") found.push(`${name} is cut by ${high} px below`);
        if (part.tagName === "SELECT") {
            pen.font = font;
            const room = part.clientWidth - 24, chosen = part.selectedOptions[0]?.text ?? "";
            if (pen.measureText(chosen).width > room) found.push(`${name}: ${chosen} is wider than its menu`);
        }
    }
    return found;
}"""


def cells():
    """One for each panel."""
    return [
        new_code_cell("from dpbandits import explorers"),
        *(new_code_cell(f"explorers.{name}()") for name in explorers.PANELS),
    ]


def test_no_word_of_a_panel_is_cut_or_faint(write, open_notebook):
    notebook = open_notebook(write("panels.ipynb", cells()))
    notebook.open()
    notebook.run_all(300)
    assert not notebook.errors()
    found = {}
    for window, (width, _) in SIZES.items():
        notebook.page.set_viewport_size(dict(zip(("width", "height"), window, strict=True)))
        notebook.page.wait_for_timeout(1000)
        for name, panel in zip(explorers.PANELS, notebook.explorers(), strict=True):
            if cut := panel.locator.evaluate(CUT):
                found[window, name] = cut
            plot = panel.locator.locator(".dpb-plot").bounding_box()
            if abs(plot["width"] - width) > 40:  # how wide JupyterLab's own bars are is its affair
                found[window, name, "plot"] = (plot["width"], plot["height"])
    notebook.command("apputils:change-theme", {"theme": "JupyterLab Dark"})
    for name, panel in zip(explorers.PANELS, notebook.explorers(), strict=True):
        if barred := lab.obstacles(notebook.page, f"[data-windowed-list-index='{panel.place}'] .dpb-panel"):
            found["in the dark", name] = barred
    notebook.command("apputils:change-theme", {"theme": "JupyterLab Light"})
    assert not found, "\n".join(f"{where}: {cut}" for where, cut in found.items())
