"""The files of the problem sets: clean, with a hint to each question, points that add up, and checks that speak."""

import ast
import copy
import importlib.util
import inspect
import math
import re
import sys

import nbformat
import pytest

from dpbandits.checks import picture
from dpbandits.checks.grading import NotYet
from dpbandits.course import variants
from dpbandits.course.judge import judge
from tests.notebooks import rules

pytest.importorskip("nbgrader", reason="the test extra is not installed")
from tests.course.grader import by_id, checks_of, enclosed, kind, points_of  # noqa: E402
from tests.course.marked import SETS, SOURCE  # noqa: E402

HINTS = ["Hint 1: the idea", "Hint 2: the formula", "Hint 3: the shape of the code"]


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
def test_each_question_has_a_mark_of_difficulty_and_hints_in_three_stages_that_are_no_solution(name):
    notebook = nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4)
    for before, cell in zip(notebook.cells, notebook.cells[1:], strict=False):
        if kind(cell) != "answer":
            continue
        assert re.search(r"^## .*(●○○|●●○|●●●)", before.source, re.MULTILINE), cell.id
        hints = re.findall(r"^<details><summary>(.+?)</summary>(.+)</details>$", before.source, re.MULTILINE)
        assert [stage for stage, _ in hints] == HINTS, cell.id
        code = re.sub(
            r"\s|`|</?code>", "", " ".join(hint for _, hint in hints).replace("&gt;", ">").replace("&amp;", "&")
        )
        lines = {re.sub(r"\s", "", line).removeprefix("return") for line in enclosed(cell.source, "SOLUTION")}
        assert not [line for line in lines if len(line) > 8 and line in code], cell.id


@pytest.mark.parametrize("name", SETS)
def test_it_says_what_one_learns_and_how_long_it_takes(name):
    first = nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4).cells[0].source
    assert "*You will be able to* " in first and "Hints come in three stages" in first
    assert re.search(r"\*Time:\* 60 to \d\d minutes.*, and \d\d for the (written answer|proof)\.", first)


def pictures(notebook, names: dict) -> list:
    """What the locked cells behind the first one show, with these names; each ends with what it shows."""
    shown = []
    for cell in notebook.cells:
        if kind(cell) == "locked" and cell.id != "setup":
            *before, last = ast.parse(cell.source).body
            exec(compile(ast.Module(before, []), cell.id, "exec"), names)
            shown.append(eval(compile(ast.Expression(last.value), cell.id, "eval"), names))
    return shown


def solved(notebook, answered: bool = True) -> dict:
    """Names of the notebook after its first cell and its solutions, or after the cells that wait for answers."""
    names: dict = {}
    for cell in notebook.cells:
        if kind(cell) == "answer" or cell.id == "setup":
            waiting = re.sub(
                r"### BEGIN SOLUTION.*?### END SOLUTION", "raise NotImplementedError()", cell.source, flags=re.DOTALL
            )
            exec(cell.source if answered else waiting, names)
    return names


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_what_a_set_draws_it_draws_with_the_solutions(name):
    notebook = nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4)
    found = pictures(notebook, solved(notebook))
    assert found
    for shown in found:
        assert "<svg" in shown._repr_html_() and "mean" in repr(shown)


@pytest.mark.slow
@pytest.mark.parametrize("dial", variants.dials(SOURCE.parent), ids=lambda dial: f"{dial['set']}, {dial['name']}")
def test_it_draws_nearly_the_same_with_the_solutions_of_a_variant(dial, monkeypatch):
    monkeypatch.setattr(picture, "OURS", False)
    notebook = nbformat.read(SOURCE / dial["set"] / f"{dial['set']}.ipynb", as_version=4)
    before = pictures(notebook, solved(notebook))
    variants.turn(notebook, dial)
    after = pictures(notebook, solved(notebook))
    for one, other in zip(before, after, strict=True):
        assert other.svg, other
        for pattern, part in ((r"mean (-?[\d.]+(?:e[+-]\d+)?)", 0.6), (r"(\d+)(?:%| places)", 0.0)):
            found = [[float(n) for n in re.findall(pattern, repr(shown))] for shown in (one, other)]
            assert found[1] == pytest.approx(found[0], rel=part, abs=2)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["PS3", "PS5"])
def test_on_a_marked_copy_a_picture_is_the_students_alone(name):
    notebook = nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4)
    notebook.cells = [cell for cell in notebook.cells if kind(cell) in ("locked", "answer")]
    assert judge(notebook) == [], "a picture loads what is flagged"
    for cell in notebook.cells:
        if cell.id.startswith("see-"):
            (output,) = cell.outputs
            assert "mean" in output.text and not re.search(r"ours \(|true edges", output.text)


@pytest.mark.parametrize("name", SETS)
def test_where_an_answer_is_missing_or_wrong_a_picture_is_a_sentence(name):
    notebook = nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4)
    waiting = solved(notebook, answered=False)
    functions = [n for n, f in waiting.items() if inspect.isfunction(f)]
    for names, words in (
        (waiting, "has no answer"),
        ({"np": waiting["np"], "stats": waiting.get("stats")}, "run the cells above"),
        (waiting | dict.fromkeys(functions, lambda *_: 1 / 0), "ZeroDivisionError"),
        (waiting | dict.fromkeys(functions, lambda *_: None), ""),
        (waiting | dict.fromkeys(functions, lambda *_: math.nan), ""),
    ):
        for shown in pictures(notebook, dict(names)):
            assert not shown.svg and re.search("(N|n)othing to draw", repr(shown)) and words in repr(shown), shown


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
