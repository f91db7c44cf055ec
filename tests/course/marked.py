"""Test cells of a problem set, run here against one answer: what nbgrader would count, without nbgrader and kernels."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import nbformat

from dpbandits.course.judge import check
from tests.notebooks import rules

SOURCE = rules.FOLDER / "assignments" / "source"
SETS = sorted(path.stem for path in SOURCE.glob("*/*.ipynb"))
ANSWERS = sorted((Path(__file__).parent / "answers").glob("*.py"))


@cache
def cells(name: str) -> dict[str, str]:
    """Sources of a set's cells that nbgrader knows, by grade_id."""
    notebook = nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4)
    return {c.metadata.nbgrader["grade_id"]: c.source for c in notebook.cells if "nbgrader" in c.metadata}


def questions(name: str) -> list[str]:
    """Ids of the answers that a test cell marks: `noisy-counts` where there is `noisy-counts-test`."""
    return [question for question in cells(name) if f"{question}-test" in cells(name)]


def fault(name: str, question: str, answer: str) -> str:
    """What the test of `question` says about an answer, "" when it keeps its points."""
    names: dict = {}
    exec(cells(name)["setup"], names)
    try:
        exec(compile(answer, "<answer>", "exec"), names)
        wanted = re.findall(r"^def (\w+)", cells(name)[question], re.MULTILINE)
        check(cells(name)[f"{question}-test"], {function: names[function] for function in wanted})
    except Exception as error:  # noqa: BLE001 - whatever comes costs the points
        return f"{type(error).__name__}: {error}"
    return ""


class Answer(NamedTuple):
    """A file of `answers`, SET-QUESTION-right|wrong-WHAT.py."""

    name: str
    question: str
    right: bool
    text: str


def read(path: Path) -> Answer:
    name, question, kind, _ = re.fullmatch(r"(PS\d+)-(.+?)-(right|wrong)-(.*)", path.stem).groups()
    return Answer(name, question, kind == "right", path.read_text(encoding="utf-8"))
