"""The files of the problem sets: clean, with a hint to each question, points that add up, and checks that speak."""

import ast
import copy
import importlib.util
import math
import re
import sys

import nbformat
import pytest

from dpbandits.checks.grading import NotYet
from tests.notebooks import rules

pytest.importorskip("nbgrader", reason="the test extra is not installed")
from tests.course.grader import by_id, checks_of, kind, points_of  # noqa: E402
from tests.course.marked import SETS, SOURCE  # noqa: E402


@pytest.mark.parametrize("name", SETS)
def test_the_source_is_clean_and_has_no_live_widget(name):
    path = SOURCE / name / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in code), "save it without outputs"
    cleaned = copy.deepcopy(notebook)
    rules.clean(cleaned)
    assert cleaned == notebook, "metadata of somebody's session"
    assert [cell.id for cell in notebook.cells if kind(cell)] == list(by_id(notebook)), "cell ids are the grade_ids"
    assert not any(word in cell.source for cell in code for word in ("explorers", "ipywidgets", "FigureWidget"))


@pytest.mark.parametrize("name", SETS)
def test_its_first_cell_says_how_to_mend_a_wrong_environment(name, monkeypatch):
    first = next(c for c in nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4).cells if c.cell_type == "code")
    assert kind(first) == "locked"
    exec(first.source, {})
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda module, *rest: None if module == "dpbandits" else real(module, *rest)
    )
    with pytest.raises(
        ModuleNotFoundError, match="where dpbandits is not installed. Start JupyterLab by `dpbandits lab`"
    ) as error:
        exec(first.source, {})
    assert sys.executable in str(error.value)


@pytest.mark.parametrize("name", SETS)
def test_it_links_to_a_chapter_with_an_explorer(name):
    notebook = nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4)
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    chapters = {rules.FOLDER / link for link in re.findall(r"\]\(([^)#]+\.ipynb)", text)}
    assert chapters and all("explorers." in chapter.read_text(encoding="utf-8") for chapter in chapters)


@pytest.mark.parametrize("name", SETS)
def test_the_points_add_up_to_what_is_said(name):
    notebook = nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4)
    (total,) = re.findall(r"\*Points:\* (\d+)", notebook.cells[0].source)
    points = points_of(notebook, "test", "written")
    assert sum(points.values()) == int(total) == 20 and sum(points_of(notebook, "written").values()) == 4
    said, question = {}, None
    for cell in notebook.cells:
        for heading in (
            re.findall(r"^## (.*)", cell.source, re.MULTILINE)
            if cell.cell_type == "markdown" and not kind(cell)
            else ()
        ):
            question, promised = re.fullmatch(r"(\d+)\. .*\((\d+) points.*\)", heading).groups()
            said[question] = [int(promised), 0]
        if kind(cell) in ("test", "written"):
            said[question][1] += cell.metadata.nbgrader["points"]
    assert all(promised == given for promised, given in said.values()), said
    assert 4 <= len(checks_of(notebook)) <= 6 and all(checks_of(notebook).values())
    hidden = [
        name
        for name, tests in checks_of(notebook).items()
        if not any("BEGIN HIDDEN TESTS" in by_id(notebook)[test].source for test in tests)
    ]
    assert not hidden, f"no hidden test: {hidden}"


@pytest.mark.parametrize("name", SETS)
def test_each_question_has_a_hint_folded_away(name):
    notebook = nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4)
    before = [notebook.cells[i - 1].source for i, cell in enumerate(notebook.cells) if kind(cell) == "answer"]
    assert all(text.count("<details><summary>") == text.count("</details>") > 0 for text in before)


@pytest.mark.parametrize("name", SETS)
def test_what_a_set_draws_it_draws_with_the_solutions(name):
    """Locked cells behind the first one show what the student's functions do; they end with what they show."""
    notebook, names = nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4), {}
    for cell in notebook.cells:
        if kind(cell) == "answer" or cell.id == "setup":
            exec(cell.source, names)
        elif kind(cell) == "locked":
            *before, last = ast.parse(cell.source).body
            exec(compile(ast.Module(before, []), cell.id, "exec"), names)
            shown = eval(compile(ast.Expression(last.value), cell.id, "eval"), names)
            assert "<svg" in shown._repr_html_() and "mean" in repr(shown)


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (lambda: 0, "must take"),
        (lambda *_: None, "returned nothing"),
        (lambda *_: math.nan, None),
        (lambda *_: 1 / 0, "ZeroDivision"),
    ],
    ids=["signature", "nothing", "NaN", "error"],
)
@pytest.mark.parametrize("name", SETS)
def test_the_checks_say_what_is_wrong_with_a_function(name, broken, words):
    notebook = nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4)
    setup, *_ = (cell.source for cell in notebook.cells if kind(cell) == "locked")
    for answer, tests in checks_of(notebook).items():
        right = by_id(notebook)[answer].source
        for function in re.findall(r"^def (\w+)", right, re.MULTILINE):
            names = {}
            exec(f"{setup}\n{right}", names)
            names[function] = broken
            with pytest.raises(NotYet, match=words):
                exec("\n".join(by_id(notebook)[test].source for test in tests), names)
