"""What a notebook in the repository looks like: cleaning, and the sentences for what is wrong with one.

The .ipynb files are the source. They are kept executed, so that they read well on the web and so that strict
nbval has printed numbers to compare with.
"""

import json
import os
import re
from pathlib import Path

import nbformat

from dpbandits.book.chapters import FOLDED, folds

FOLDER = Path(__file__).parents[2] / "notebooks"
LIMIT_KB = 500
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_METADATA = ("tags", "nbgrader", "jupyter")  # all else is a trace of somebody's session
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
PLACEHOLDER = "An explorer stands here: run the cell to use it."
MENU = "A menu of live panels stands here: run the cell to use it."  # it shows nothing that a picture could
#: A progress bar would stand in the output or not, as the machine is slow or fast.
ENVIRONMENT = os.environ | {"TQDM_DISABLE": "1"}

#: The first code cell of every notebook, folded: what a kernel from another environment would otherwise say is no help.
GUARD = """\
import importlib.util
import sys

if importlib.util.find_spec("dpbandits") is None:
    raise ModuleNotFoundError(
        f"This notebook runs in {sys.executable}, where dpbandits is not installed. Start JupyterLab by `dpbandits lab`,"
        " or choose the environment that has dpbandits under Kernel, Change Kernel."
    )"""  # noqa: E501

#: Headings that every chapter has. 00_start_here is a door, not a chapter.
CHAPTER = (
    "What you will be able to do",
    "Privacy card",
    "Notation",
    "The mechanism",
    "Explore",
    "Predict",
    "Bounds",
    "Exercise",
    "What the plots do not show",
    "References",
)

#: Headings of a companion, NNb: why what the chapter states is true.
COMPANION = (
    "A question first",
    "What you will be able to do",
    "Notation",
    "Predict",
    "Break it",
    "Exercise",
    "What is not shown here",
    "References",
)


def paths() -> list[Path]:
    """All notebooks of the repository, in reading order."""
    return sorted(FOLDER.glob("*.ipynb"))


def guard(notebook: nbformat.NotebookNode) -> None:
    """Put the guard before the first code cell, where it is missing: in place."""
    first = next((i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code"), len(notebook.cells))
    if first == len(notebook.cells) or notebook.cells[first].source != GUARD:
        folded = nbformat.v4.new_code_cell(GUARD, id="guard", metadata={"jupyter": {"source_hidden": True}})
        notebook.cells.insert(first, folded)


def clean(notebook: nbformat.NotebookNode) -> None:
    """Leave of an executed notebook what a reader needs: in place.

    A view of a widget whose kernel is gone shows as an error; its place is taken by its picture, or by a sentence.
    """
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        fold(cell)
        cell.metadata = nbformat.from_dict({k: v for k, v in cell.metadata.items() if k in CELL_METADATA and v})
        if "outputs" in cell:
            cell.outputs = _joined(cell.outputs)
        for output in cell.get("outputs", []):
            if output.pop("metadata", None) is not None:
                output.metadata = {}
            if WIDGET_VIEW in output.get("data", {}):
                picture = {kind: data for kind, data in output.data.items() if kind == "image/png"}
                words = MENU if output.data.get("text/plain") == MENU else PLACEHOLDER
                output.data = nbformat.from_dict(picture | {"text/plain": words})


def fold(cell: nbformat.NotebookNode) -> None:
    """Keep a folded cell folded on nbconvert's page, which knows nothing of folding: in place, by an output that
    carries a style sheet, and for a solution a line to open it. The guard is of no use there.
    """
    if cell.cell_type != "code" or not cell.metadata.get("jupyter", {}).get("source_hidden"):
        return
    others = [output for output in cell.outputs if not folds(output)]
    here = f'[id="cell-id={cell.id}"]'
    sheet = f"<style>{here}:not(:has(.{FOLDED}[open])) .jp-Cell-inputWrapper {{ display: none; }}</style>"
    words = f"<details class='{FOLDED}'><summary>Folded code</summary>It stands above.</details>"
    if cell.source == GUARD:
        sheet, words = f"<style class='{FOLDED}'>{here} {{ display: none; }}</style>", ""
    cell.outputs = [nbformat.v4.new_output("display_data", {"text/html": words + sheet}), *others]


def _joined(outputs: list) -> list:
    """Pieces of one stream as one output: where it was cut is an accident of timing."""
    joined = []
    for output in outputs:
        if joined and output.output_type == "stream" and joined[-1].get("name") == output.name:
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def problems(path: Path) -> list[str]:
    """What is wrong with the file, in words. The first is what to do about nearly all of them."""
    text = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(text, as_version=4)
    found = []
    if len(text.encode()) > LIMIT_KB * 1024:
        found.append(f"it has {len(text.encode()) // 1024} KB, more than {LIMIT_KB}")
    if dict(notebook.metadata) != METADATA:
        found.append(f"its metadata {dict(notebook.metadata)} are not {METADATA}")
    for mark in (WIDGET_STATE, WIDGET_VIEW, "_esm", "plotly.js v"):
        if mark in text:
            found.append(f"it stores {mark}")
    if machine := re.search(r"/(home|Users|tmp|root|work|var)/\w+", _without_pictures(notebook)):
        found.append(f"it names a path of one machine: {machine.group()}")
    ids = [cell.get("id") for cell in json.loads(text)["cells"]]  # nbformat would mend them while reading
    if None in ids or len(set(ids)) < len(ids):
        found.append("its cells have no ids, or not each its own")
    found += _cell_problems(notebook)
    if numbered := re.match(r"(?:0[1-9]|[1-9])(b?)", path.name):
        headings = [
            line.lstrip("# ")
            for cell in notebook.cells
            if cell.cell_type == "markdown"
            for line in cell.source.splitlines()
            if line.startswith("##")
        ]
        parts = COMPANION if numbered[1] else CHAPTER
        missing = [part for part in parts if not any(h.startswith(part) for h in headings)]
        found += [f"the heading {part!r} is missing" for part in missing]
    return found


def _without_pictures(notebook) -> str:
    """The cells as JSON; letters of a picture may be like anything."""
    cells = json.loads(json.dumps(notebook.cells))
    for output in (output for cell in cells for output in cell.get("outputs", [])):
        output.get("data", {}).pop("image/png", None)
    return json.dumps(cells)


def _cell_problems(notebook) -> list[str]:
    found = []
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if not code or code[0].source != GUARD:
        found.append("its first code cell does not say how to mend a wrong kernel")
    if [cell.execution_count for cell in code] != list(range(1, len(code) + 1)):
        found.append("its cells were not executed once, in order, in a fresh kernel")
    for number, cell in enumerate(code, 1):
        if cell.metadata.get("jupyter", {}).get("source_hidden") and not any(map(folds, cell.outputs)):
            found.append(f"code cell {number} is folded, and stands open on nbconvert's page")
        if set(cell.metadata) - set(CELL_METADATA):
            found.append(f"code cell {number} carries metadata {sorted(set(cell.metadata) - set(CELL_METADATA))}")
        for output in cell.outputs:
            if output.output_type == "error":
                found.append(f"code cell {number} ended in {output.ename}: {output.evalue}")
            data = output.get("data", {})
            if data.get("text/plain") == PLACEHOLDER and "image/png" not in data:
                found.append(f"code cell {number} shows an explorer and stores no picture of it")
            if output.get("name") == "stderr":
                found.append(f"code cell {number} wrote to stderr: {output.text.strip()[:100]}")
    return found
