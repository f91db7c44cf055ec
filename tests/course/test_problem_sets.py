"""Every problem set, graded by nbgrader: what is released, and what right, wrong, empty and mischievous answers
earn.
"""

import copy
import importlib.util
import math
import re
import sys
import time

import nbformat
import pytest

from dpbandits.checks.grading import NotYet
from tests.course.wrong import Wrong
from tests.notebooks import rules

pytest.importorskip("nbgrader", reason="the test extra is not installed")
pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # nbgrader's own
from tests.course.grader import LOOP, Course, by_id, checks_of, enclosed, kind, points_of  # noqa: E402

SOURCE = rules.FOLDER / "assignments" / "source"
SETS = sorted(path.stem for path in SOURCE.glob("*/*.ipynb"))
WRITTEN = "My answer, in eight sentences."


@pytest.fixture(scope="module", params=SETS)
def course(request, tmp_path_factory):
    return Course(tmp_path_factory.mktemp("course") / "folder", request.param)


@pytest.fixture
def source(course):
    return course.read("source")


@pytest.fixture
def solved(course):
    return solve(course)


def solve(course):
    """The release, with the reference answers filled in."""
    notebook, right = course.read("release"), by_id(course.read("source"))
    for name, cell in by_id(notebook).items():
        if kind(cell) == "answer":
            cell.source = right[name].source
        elif kind(cell) == "written":
            cell.source = WRITTEN
    return notebook


def wrong_answers(name: str) -> list[Wrong]:
    return importlib.import_module(f"tests.course.wrong.{name.lower()}").WRONG


def earned(scores: dict, source, lost: set[str] = frozenset()) -> None:
    """Full marks but for the tests in `lost`; the written answers wait."""
    wanted = {test: 0 if test in lost else points for test, points in points_of(source, "test").items()}
    assert scores == wanted | dict.fromkeys(points_of(source, "written"))


# --- the file ------------------------------------------------------------------------------------------------------


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


# --- the release ---------------------------------------------------------------------------------------------------


def test_the_release_tells_no_solution_and_no_hidden_test(course, source):
    release = course.read("release")
    assert [cell.id for cell in release.cells] == [cell.id for cell in source.cells]
    text = "\n".join(cell.source for cell in release.cells)
    assert "SOLUTION" not in text and "HIDDEN" not in text
    for cell in source.cells:
        for line in enclosed(cell.source, "SOLUTION") + enclosed(cell.source, "HIDDEN TESTS"):
            assert line not in by_id(release)[cell.id].source


# --- what answers earn ---------------------------------------------------------------------------------------------


def test_the_reference_solution_earns_all_points_in_a_minute(course, source, solved):
    start = time.perf_counter()
    earned(course.grade("reference", solved), source)
    assert time.perf_counter() - start < 60
    outputs = [output for cell in course.read("autograded", "reference").cells for output in cell.get("outputs", ())]
    assert all("passed" in output.text for output in outputs), outputs


def test_the_empty_release_earns_nothing(course, source):
    scores = course.grade("empty", course.read("release"))
    assert scores == dict.fromkeys(points_of(source, "test", "written"), 0)


def test_each_wrong_answer_loses_the_points_that_it_should(course, source, solved):
    wrong = wrong_answers(course.name)
    assert len(wrong) >= 4
    for number, batch in enumerate(batches(wrong)):
        notebook = copy.deepcopy(solved)
        for one in batch:
            cell = by_id(notebook)[one.answer]
            assert cell.source.count(one.right) == 1, f"{one.name}: {one.right!r} is not there just once"
            cell.source = cell.source.replace(one.right, one.wrong)
        scores = course.grade(f"wrong-{number}", notebook)
        found = {
            one.name: {test for test in scores if scores[test] == 0} & set(checks_of(source)[one.answer])
            for one in batch
        }
        assert found == {one.name: one.lost for one in batch}
        earned(scores, source, set().union(*(one.lost for one in batch)))  # and nothing else


def batches(wrong: list[Wrong]) -> list[list[Wrong]]:
    """Wrong answers to different questions share a submission: starting a kernel takes longer than all its tests."""
    found = []
    for one in wrong:
        for batch in found:
            if one.answer not in {other.answer for other in batch}:
                batch.append(one)
                break
        else:
            found.append([one])
    return found


@pytest.fixture(scope="module")
def mischief(course):
    """Scores of a submission whose first four answers are an endless loop in the function, one in the cell, an
    exception
    with an edited test, and a right one without its test."""
    source = course.read("source")
    notebook, tests = solve(course), checks_of(source)
    loop, cell_loop, broken, deleted = list(tests)[:4]
    cells = by_id(notebook)
    cells[loop].source = cells[loop].source.replace("    ### BEGIN SOLUTION", "    while True:\n        pass")
    cells[cell_loop].source = LOOP
    cells[broken].source = "1 / 0"
    for test in tests[broken]:
        cells[test].source = "print('passed')"  # put back before grading
    notebook.cells = [cell for cell in notebook.cells if cell.id not in tests[deleted]]  # added back
    return course.grade("mischief", notebook)


@pytest.mark.filterwarnings("ignore:Cell is missing an id")  # the cells that nbgrader adds back
def test_mischief_costs_its_own_points_only(course, source, mischief):
    tests = checks_of(source)
    loop, cell_loop, broken, _ = list(tests)[:4]
    earned(mischief, source, {*tests[loop], *tests[cell_loop], *tests[broken]})
    graded = by_id(course.read("autograded", "mischief"))
    assert all(graded[test].source == by_id(source)[test].source for test in tests[broken])
    said = {
        name: output.evalue
        for name in tests
        for test in tests[name]
        for output in graded[test].outputs
        if output.output_type == "error"
    }
    assert "endless loop" in said[loop] and "is not defined" in said[cell_loop]


@pytest.mark.filterwarnings("ignore:Cell is missing an id")
def test_the_feedback_shows_points_and_reasons_but_no_hidden_test(course, source, mischief):
    page = course.feedback("mischief")
    assert "endless loop" in page and "visible checks passed" in page
    total = sum(points_of(source, "test", "written").values())
    got = sum(points or 0 for points in mischief.values())
    assert f"(Score: {got:.1f} / {total:.1f})" in page
    handed_in = "\n".join(cell.source for cell in course.read("submitted", "mischief").cells)
    hidden = [line for cell in source.cells for line in enclosed(cell.source, "HIDDEN TESTS") if line not in handed_in]
    assert hidden and not [line for line in hidden if line in page and "import" not in line]
