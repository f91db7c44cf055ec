"""The answer key of a course: for each question its solution or marking guide, as they stand in the sets.

    write(folder)  # answers.md, beside source/

Made from the course's own sets, so that the key of a variant is the variant's.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat

from dpbandits.course.rebuild import kind
from dpbandits.files import write_whole

NAME = "answers.md"
HEAD = """\
# Answer key

**Not for students.** Solutions of the questions that grade themselves, and marking guides of the written ones, taken \
from `source/`. Other ways are right as well: what counts is what the checks ask of a function.
"""


def write(folder: Path) -> Path:
    """Write NAME into the course at `folder`; gives its path."""
    places = sorted((folder / "source").glob("*/*.ipynb"))
    text = HEAD + "".join("\n" + key(nbformat.read(path, as_version=4)) for path in places)
    write_whole(folder / NAME, lambda part: Path(part).write_text(text, encoding="utf-8"))
    return folder / NAME


def key(notebook: nbformat.NotebookNode) -> str:
    """The part of one set."""
    title = notebook.cells[0].source.splitlines()[0].removeprefix("# ")
    return f"## {title}\n" + "".join(f"\n{part}\n" for part in _parts(notebook))


def _parts(notebook: nbformat.NotebookNode) -> Iterator[str]:
    for cell in notebook.cells:
        if not kind(cell) and cell.cell_type == "markdown":
            yield from (f"#{heading}" for heading in re.findall(r"^## .*", cell.source, re.MULTILINE))
        elif kind(cell) in ("answer", "written"):
            plain = re.sub(r"^ *### (?:BEGIN|END) SOLUTION\n?", "", cell.source, flags=re.MULTILINE).strip()
            yield f"```python\n{plain}\n```" if kind(cell) == "answer" else plain
