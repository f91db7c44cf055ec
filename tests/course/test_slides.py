"""Slides of a chapter: a slide for each heading, what was printed, no code."""

import shutil

import nbformat
import pytest

from dpbandits.course.slides import slides
from tests.notebooks import rules


def test_a_chapter_becomes_slides(tmp_path):
    chapter = tmp_path / "01_privacy.ipynb"
    shutil.copy(rules.FOLDER / chapter.name, chapter)
    page = slides(chapter).read_text(encoding="utf-8")
    notebook = nbformat.read(chapter, as_version=4)
    headings = [c.source for c in notebook.cells if c.cell_type == "markdown" and c.source.startswith(("# ", "## "))]
    assert page.count("<section") >= len(headings) > 5
    assert "find_spec" not in page and "reveal" in page


def test_what_is_no_notebook_is_refused(tmp_path):
    with pytest.raises(ValueError, match="is no notebook"):
        slides(tmp_path / "a.ipynb")
