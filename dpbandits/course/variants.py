"""Other values for a course: `--variant SEED` makes sets that last year's answers, and the chapters', do not solve.

`variants.toml` beside the sets has a table for each dial:

    [[dial]]
    set = "PS1"
    name = "how many wards a patient is in"
    [[dial.change]]
    cell = "noisy-counts"
    old = "1 / epsilon"
    new = "2 / epsilon"

A dial is turned or not, by chance from the seed; when it is turned all its changes are made, in the cell of that id or
in the text above the answer of that id ("above noisy-counts"). `old` stands in the cell as often as `times` says (1).
"""

import tomllib
from pathlib import Path

import nbformat
import numpy as np

LIST = "variants.toml"


def dials(folder: Path) -> list[dict]:
    """The dials of a folder with `source/` and LIST in it."""
    return tomllib.loads((folder / LIST).read_text(encoding="utf-8"))["dial"]


def chosen(every: list[dict], seed: int) -> list[dict]:
    """Which dials are turned: one in two, by the seed; of each set one at least."""
    rng = np.random.default_rng(seed)
    turned = [bool(rng.random() < 0.5) for _ in every]
    for name in sorted({dial["set"] for dial in every}):
        own = [i for i, dial in enumerate(every) if dial["set"] == name]
        pick = own[int(rng.integers(len(own)))]
        if not any(turned[i] for i in own):
            turned[pick] = True
    return [dial for dial, turn in zip(every, turned, strict=True) if turn]


def turn(notebook: nbformat.NotebookNode, dial: dict) -> None:
    """Make the changes of a dial, in place. Raises ValueError where a text to change does not stand there."""
    for change in dial["change"]:
        cell = _cell(notebook, change["cell"])
        found = cell.source.count(change["old"])
        if found != change.get("times", 1):
            raise ValueError(
                f"{dial['set']}, {dial['name']}: {change['old']!r} stands {found} times in {change['cell']}."
            )
        cell.source = cell.source.replace(change["old"], change["new"])


def apply(folder: Path, seed: int) -> list[str]:
    """Turn the dials of `seed` in the course at `folder`; gives a sentence for each."""
    turned = chosen(dials(folder), seed)
    for name in sorted({dial["set"] for dial in turned}):
        place = folder / "source" / name / f"{name}.ipynb"
        notebook = nbformat.read(place, as_version=4)
        for dial in turned:
            if dial["set"] == name:
                turn(notebook, dial)
        nbformat.write(notebook, place)
    return [f"{dial['set']}: {dial['name']}" for dial in turned]


def _cell(notebook, name: str):
    where = name.removeprefix("above ")
    for number, cell in enumerate(notebook.cells):
        if cell.id == where:
            return notebook.cells[number - 1] if name != where else cell
    raise ValueError(f"there is no cell {where!r}.")
