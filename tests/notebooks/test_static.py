"""Read without a kernel and without our own site: nbconvert's page, like GitHub's, shows every plot and its words."""

import re

import nbformat
import pytest
from nbconvert.exporters import HTMLExporter

from dpbandits.book.chapters import FOLDED
from tests.notebooks import rules

PLOTS = {"application/vnd.plotly.v1+json", "image/png"}


@pytest.mark.parametrize("path", rules.paths(), ids=lambda p: p.stem)
@pytest.mark.slow
def test_nbconvert_shows_every_plot(path):
    notebook = nbformat.read(path, as_version=4)
    outputs = [o.data for cell in notebook.cells for o in cell.get("outputs", []) if "data" in o]
    plots = [data for data in outputs if PLOTS & set(data)]
    assert all("image/png" in data for data in plots), "a figure stores no picture"
    page, _ = HTMLExporter().from_notebook_node(notebook)
    assert len(re.findall(r"<img[^>]*src=\"data:image/png;base64,", page)) == len(plots)
    assert "model not found" not in page and "children=(" not in page
    sentences = [data["text/html"] for data in outputs if "A picture of the explorer" in data.get("text/html", "")]
    assert all(sentence in page for sentence in sentences)
    explorers = sum(len(re.findall(r"\bexplorers\.\w+\(", c.source)) for c in notebook.cells if c.cell_type == "code")
    assert len(sentences) == explorers


@pytest.mark.slow
def test_what_is_folded_is_folded_on_nbconverts_page_too(tmp_path):
    """In a browser: a solution is not to be seen before its line is clicked, the guard never, other code always."""
    from dpbandits.figures.browser import find_browser

    sync_api = pytest.importorskip("playwright.sync_api")
    if find_browser() is None:
        pytest.skip("no Chromium or Chrome found")
    page, _ = HTMLExporter().from_filename(str(rules.FOLDER / "01_privacy.ipynb"))
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    with sync_api.sync_playwright() as playwright:
        shown = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"]).new_page()
        shown.route("https://**", lambda route: route.abort())
        shown.goto((tmp_path / "page.html").as_uri(), wait_until="domcontentloaded")
        solution, guard, plain = (
            shown.get_by_text(text).first for text in ("def solution_keep", "find_spec(", "import math")
        )
        assert solution.count() and not solution.is_visible() and not guard.is_visible() and plain.is_visible()
        shown.locator(f".{FOLDED} summary").click()
        assert solution.is_visible()
