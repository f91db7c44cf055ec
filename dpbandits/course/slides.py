"""Slides of a chapter: `python -m dpbandits.course.slides 01_privacy.ipynb` writes 01_privacy.slides.html beside it.

A heading begins a slide; what stands below it comes one step down. Code is left out, and what it printed stays; a live
explorer shows as its stored picture. The page takes reveal.js from the internet when it is opened.
"""

import sys
from pathlib import Path

import nbformat

from dpbandits.book.chapters import folds


def slides(chapter: Path) -> Path:
    """Write the slides of an executed chapter; gives their place. Raises ValueError where it is no notebook."""
    from nbconvert.exporters import SlidesExporter

    if chapter.suffix != ".ipynb" or not chapter.is_file():
        raise ValueError(f"{chapter} is no notebook.")
    notebook = nbformat.read(chapter, as_version=4)
    for cell in notebook.cells:
        if "outputs" in cell:
            cell.outputs = [output for output in cell.outputs if not folds(output)]
        cell.metadata["slideshow"] = {"slide_type": _kind(cell)}
    exporter = SlidesExporter(exclude_input=True, exclude_input_prompt=True, exclude_output_prompt=True)
    exporter.reveal_scroll = True
    page, _ = exporter.from_notebook_node(notebook)
    place = chapter.with_suffix(".slides.html")
    place.write_text(page, encoding="utf-8")
    return place


def _kind(cell) -> str:
    if cell.cell_type == "markdown":
        return "slide" if cell.source.startswith(("# ", "## ")) else "subslide"
    return "-" if cell.cell_type == "code" and cell.get("outputs") else "skip"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(slides(Path(name)))
