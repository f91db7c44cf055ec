"""The steps of nbgrader that a course replaces by its own; nbgrader_config.py names them."""

import csv
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Unicode

from dpbandits.course.flags import flags, shape_of
from dpbandits.course.judge import judge
from dpbandits.course.rebuild import kind, rebuild
from dpbandits.files import write_whole

FLAGGED = "flagged.csv"
COLUMNS = ("set", "student", "cell", "line", "why")


class Rebuild(NbGraderPreprocessor):
    """Put a submission back into the shape of its set, before anything else looks at it."""

    course = Unicode(".", help="the course's folder").tag(config=True)

    def preprocess(self, nb, resources):
        own = resources["nbgrader"]
        release = Path(self.course) / "release" / own["assignment"] / f"{own['notebook']}.ipynb"
        tests = {}
        with Gradebook(own["db_url"]) as book:
            for cell in book.find_notebook(own["notebook"], own["assignment"]).source_cells:
                if cell.locked:
                    tests[cell.name] = cell.source
        nb, notes = rebuild(nb, nbformat.read(release, as_version=4), tests)
        for note in notes:
            self.log.info("%s, %s: %s", own["student"], own["notebook"], note)
        note_down(
            Path(self.course),
            own["assignment"],
            own["student"],
            [(note.split(":")[0], "", note.split(": ", 1)[1]) for note in notes],
            first=True,
        )
        return nb, resources


class Judge(NbGraderPreprocessor):
    """Run the submission in a process of its own and the tests here; note what a teacher may want to look at."""

    course = Unicode(".", help="the course's folder").tag(config=True)

    def preprocess(self, nb, resources):
        own, course = resources["nbgrader"], Path(self.course)
        rows = [(flag.cell, flag.line, flag.why) for flag in flags(nb)]
        rows += [("", "", f"used {module} while it ran") for module in judge(nb, hidden=[course, *private()])]
        rows += [(name, "", f"the same answer as {other}'s, up to names") for name, other in self._twins(nb, own)]
        note_down(course, own["assignment"], own["student"], rows)
        return nb, resources

    def _twins(self, nb, own):
        """Answers that have the shape of the solution's, or of another submission's that was marked before."""
        shapes = {c.id: shape_of(c.source) for c in nb.cells if kind(c) == "answer"}
        places = {"the solution": Path(self.course) / "source" / own["assignment"] / f"{own['notebook']}.ipynb"}
        for path in (Path(self.course) / "submitted").glob(f"*/{own['assignment']}/{own['notebook']}.ipynb"):
            places[path.parents[1].name] = path
        places.pop(own["student"], None)
        for other, path in places.items():
            try:
                cells = nbformat.read(path, as_version=4).cells
            except Exception:  # noqa: BLE001 - another submission's trouble
                continue
            for cell in cells:
                shape = shapes.get(cell.get("id")) if kind(cell) == "answer" else None
                if shape is not None and shape == shape_of(cell.source):
                    yield cell.id, other


def private() -> list[Path]:
    """Folders of this installation that hold solutions."""
    package = Path(__file__).resolve().parents[1]
    return [package / "_notebooks", package.parent / "notebooks", package.parent / "tests"]


def note_down(course: Path, name: str, student: str, rows, first: bool = False) -> None:
    """Rows (cell, line, why) into flagged.csv; `first` takes away what an earlier marking of the same submission
    said.
    """
    path, before = course / FLAGGED, []
    if path.is_file():
        with path.open(newline="", encoding="utf-8") as file:
            before = [row for row in csv.reader(file)][1:]
    if first:
        before = [row for row in before if row[:2] != [name, student]]
    rows = [*before, *([name, student, *map(str, row)] for row in rows)]
    if not rows and not path.is_file():
        return

    def write(place):
        with place.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([COLUMNS, *rows])

    write_whole(path, write)
