"""Read without a kernel and without our own site: nbconvert's page, like GitHub's, shows every plot and its words."""

import re

import nbformat
import pytest
from nbconvert.exporters import HTMLExporter

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
