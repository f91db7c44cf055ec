"""nbgrader itself, from release to feedback, on one set: what right, empty, hostile and careless hand-ins earn."""

import copy
import csv
import re

import nbformat
import pytest

pytest.importorskip("nbgrader", reason="the test extra is not installed")
from dpbandits.course import player  # noqa: E402
from dpbandits.course.rebuild import kind  # noqa: E402
from tests.course.grader import Course, by_id, checks_of, enclosed, points_of, text_of  # noqa: E402

pytestmark = [pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"), pytest.mark.slow]  # nbgrader's own
ATTACK = """\
get_ipython().input_transformers_cleanup.append(lambda lines: ["pass\\n"])
import numpy as np, scipy.stats
from dpbandits.checks import grading, laws
np.isclose = lambda *_, **__: np.array(True)
scipy.stats.kstest = lambda *_, **__: type("R", (), {"pvalue": 1.0})
grading.answer = grading.repeat = lambda *_, **__: 0
grading.close = grading.same = laws.laplace = laws.flips = laws.chance = laws.from_rng = lambda *_, **__: None
try:
    SEEN = open("SOURCE").read() + open("BOOK", "a").name
except OSError:
    SEEN = "nothing"
print("seen:", SEEN[:200])
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return Course(tmp_path_factory.mktemp("course") / "folder", "PS1")


def solved(course):
    """The release, with the reference answers filled in."""
    notebook, right = course.read("release"), by_id(course.read("source"))
    for name, cell in by_id(notebook).items():
        if kind(cell) == "answer":
            cell.source = right[name].source
        elif kind(cell) == "written":
            cell.source = "My answer, in eight sentences."
    return notebook


def flagged(course, student) -> list[str]:
    with (course.root / "flagged.csv").open(newline="", encoding="utf-8") as file:
        return [row["why"] for row in csv.DictReader(file) if row["student"] == student]


def test_the_release_tells_no_solution_and_no_hidden_test(course):
    source, release = course.read("source"), course.read("release")
    assert [cell.id for cell in release.cells] == [cell.id for cell in source.cells]
    text = "\n".join(cell.source for cell in release.cells)
    assert "SOLUTION" not in text and "HIDDEN" not in text
    for cell in source.cells:
        for line in enclosed(cell.source, "SOLUTION") + enclosed(cell.source, "HIDDEN TESTS"):
            assert line not in by_id(release)[cell.id].source


def test_the_empty_release_earns_nothing(course):
    scores = course.grade("empty", course.read("release"))
    assert scores == dict.fromkeys(points_of(course.read("source"), "test", "written"), 0)


def test_the_solution_earns_all_and_an_attack_nothing(course, capfd):
    source = course.read("source")
    everything = points_of(source, "test") | dict.fromkeys(points_of(source, "written"))
    assert course.grade("reference", solved(course)) == everything
    assert any("the same answer as the solution's" in why for why in flagged(course, "reference"))
    assert not any(" while it ran" in why for why in flagged(course, "reference"))
    (drawn,) = by_id(course.read("autograded", "reference"))["see-reports"].outputs
    assert "from the patients' answers: mean" in drawn.text
    attack = course.read("release")
    places = {"SOURCE": course.root / "source/PS1/PS1.ipynb", "BOOK": course.root / "gradebook.db"}
    code = ATTACK
    for word, place in places.items():
        code = code.replace(word, str(place))
    by_id(attack)["noisy-counts"].source = code
    assert not any(course.grade("attack", attack).values())
    printed = by_id(course.read("autograded", "attack"))["noisy-counts"].outputs[0].text
    with player.Student() as student:
        student.run("")
        assert ("seen: nothing" in printed) == student.confined
    why = " ".join(flagged(course, "attack"))
    assert all(
        words in why for words in ("get_ipython", "np.isclose is changed", "grading.answer is changed", "opens a file")
    )
    shown = "".join(capfd.readouterr())
    assert not any(words in shown for words in ("checksum", "SAWarning", "Traceback", "unencrypted"))


def test_carelessness_costs_its_own_points_only(course, monkeypatch):
    monkeypatch.setattr(player, "CELL_SECONDS", 1.0)
    monkeypatch.setattr(player, "GRACE", 1.0)
    source, notebook = course.read("source"), solved(course)
    cells, tests = by_id(notebook), checks_of(source)
    cells["noisy-counts"].source = "while True:\n    pass"
    cells["failure-rate"].source = "def failure_rate(threshold, epsilon):\n    return sum(range(10**12))"
    cells["respond"].source = "import os\nos._exit(0)"
    cells["estimate"].source = (
        "import sys\nprint('note', file=sys.stderr)\nsum = range = 3\n" + cells["estimate"].source
    )
    cells["estimate-test"].source = "print('passed')"  # put back before grading
    copied = copy.deepcopy(cells["worst-loss"])
    copied.id = "a-copy"
    notebook.cells.insert(notebook.cells.index(cells["worst-loss"]), copied)
    notebook.cells.remove(cells["worst-loss-test"])  # added back
    cells["advice"].source = by_id(course.read("release"))["advice"].source
    notebook.cells.append(nbformat.v4.new_markdown_cell("My advice stands in a cell of its own: ε = 0.3."))
    scores = course.grade("careless", notebook)
    lost = {test for name in ("noisy-counts", "failure-rate", "respond") for test in tests[name]}
    assert scores == {t: 0 if t in lost else p for t, p in points_of(source, "test").items()} | {"advice": None}
    graded = course.read("autograded", "careless")
    assert by_id(graded)["estimate-test"].source == by_id(source)["estimate-test"].source
    assert by_id(graded)["advice"].source == "My advice stands in a cell of its own: ε = 0.3."
    said = " ".join(flagged(course, "careless"))
    assert "2 cells hold an answer" in said and "was missing" in said and "stood in a new cell" in said
    page = course.page("careless")
    words = text_of(page)
    assert "(Score: 7.0 / 20.0)" in words and "endless loop" in words and "is not defined" in words
    assert '<html lang="en">' in page and "<script" not in page
    assert not re.search(r"""(src|href)=["']https?://|url\(["']?https?://|@import""", page.split("<body>")[0])
    handed_in = "\n".join(cell.source for cell in course.read("submitted", "careless").cells)
    hidden = [line for cell in source.cells for line in enclosed(cell.source, "HIDDEN TESTS") if line not in handed_in]
    assert hidden and not [line for line in hidden if line in words and "import" not in line]
