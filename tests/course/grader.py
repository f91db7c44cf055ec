"""A course folder in which nbgrader itself releases, grades and gives feedback, in this process, as its commands do."""

import re
from html import unescape
from pathlib import Path

import nbformat
from nbgrader.apps import NbGraderAPI
from traitlets.config.loader import PyFileConfigLoader

from dpbandits.cli import course
from dpbandits.course.rebuild import kind


class Course:
    """`dpbandits course` in `root`, with one problem set released. Students work on copies of the release."""

    def __init__(self, root: Path, name: str):
        self.root, self.name = course.make(str(root)), name
        config = PyFileConfigLoader("nbgrader_config.py", path=str(self.root)).load_config()
        config.CourseDirectory.root = str(self.root)
        self.api = NbGraderAPI(config=config)
        _done(self.api.generate_assignment(name))

    def read(self, stage: str, student: str = "") -> nbformat.NotebookNode:
        """The notebook in source, release, submitted, autograded."""
        return nbformat.read(self._place(stage, student), as_version=4)

    def grade(self, student: str, notebook: nbformat.NotebookNode) -> dict[str, float]:
        """Hand in, autograde; gives the points of each graded cell, None for a written answer that waits for a
        person.
        """
        place = self._place("submitted", student)
        place.parent.mkdir(parents=True)
        nbformat.write(notebook, place)
        _done(self.api.autograde(self.name, student))
        with self.api.gradebook as book:
            grades = book.find_submission_notebook(self.name, self.name, student).grades
            return {g.name: None if g.needs_manual_grade else g.score for g in grades}

    def page(self, student: str) -> str:
        """The page that a student gets, as HTML."""
        _done(self.api.generate_feedback(self.name, student))
        return self._place("feedback", student).with_suffix(".html").read_text(encoding="utf-8")

    def _place(self, stage: str, student: str) -> Path:
        return self.root / stage / student / self.name / f"{self.name}.ipynb"


def text_of(page: str) -> str:
    """The words of a page, wherever its lines were broken."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", "", page)))


def by_id(notebook) -> dict:
    """Cells that nbgrader knows, by their grade_id."""
    return {cell.metadata.nbgrader["grade_id"]: cell for cell in notebook.cells if kind(cell)}


def checks_of(notebook) -> dict[str, list[str]]:
    """For each answer the ids of its test cells: those that follow it, up to the next answer."""
    found = {}
    for cell in notebook.cells:
        if kind(cell) == "answer":
            tests = found.setdefault(cell.metadata.nbgrader["grade_id"], [])
        elif kind(cell) == "test":
            tests.append(cell.metadata.nbgrader["grade_id"])
    return found


def points_of(notebook, *kinds: str) -> dict[str, float]:
    """Points of the graded cells of these kinds."""
    return {name: cell.metadata.nbgrader["points"] for name, cell in by_id(notebook).items() if kind(cell) in kinds}


def enclosed(text: str, what: str) -> list[str]:
    """Lines between BEGIN and END of `what`, without their indentation; those too short to be telling are left out."""
    pieces = re.findall(rf"### BEGIN {what}\n(.*?)### END {what}", text, re.DOTALL)
    return [line.strip() for piece in pieces for line in piece.splitlines() if len(line.strip()) > 8]


def _done(result: dict) -> None:
    assert result["success"], result.get("error", "") + result.get("log", "")
