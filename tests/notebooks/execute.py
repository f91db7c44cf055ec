"""Execute the notebooks in place, draw a picture of every panel (by Chromium or Chrome), clean them.

python -m tests.notebooks.execute              all of them
python -m tests.notebooks.execute 02 03b       02_…, but not its companion 02b_…, and 03b_…
"""

import shutil
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from tests.notebooks import pictures
from tests.notebooks.rules import ENVIRONMENT, clean, guard, paths, problems


def execute(path: Path) -> None:
    """Run all cells in a fresh kernel, draw, clean, write. What fails raises, and the file stays as it was."""
    notebook = nbformat.read(path, as_version=4)
    guard(notebook)
    with tempfile.TemporaryDirectory() as folder:  # files that a learner would save must not land in the repository
        client = NotebookClient(
            notebook,
            timeout=300,
            kernel_name="python3",
            store_widget_state=False,
            resources={"metadata": {"path": folder}},
        )
        with client.setup_kernel(env=ENVIRONMENT):
            client.kc.execute(pictures.HAND_OUT, silent=True)
            for number, cell in enumerate(notebook.cells):
                client.execute_cell(cell, number)
    pictures.draw(notebook)
    clean(notebook)
    beside = path.with_suffix(".part")
    nbformat.write(notebook, beside)
    shutil.move(beside, path)


def main(prefixes: list[str]) -> int:
    """Exit code 1 when a notebook breaks a rule."""
    chosen = [path for path in paths() if not prefixes or {path.stem, path.stem.partition("_")[0]} & set(prefixes)]
    bad = 0
    for path in chosen:
        start = time.perf_counter()
        execute(path)
        found = problems(path)
        bad += bool(found)
        print(
            f"{path.name}: {time.perf_counter() - start:.0f} s, {path.stat().st_size // 1024} KB", *found, sep="\n  - "
        )
    if not chosen:
        print(f"No notebook is called {' or '.join(prefixes)}.")
    return 1 if bad or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
