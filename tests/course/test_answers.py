"""Every answer gets the marks that it should: the solutions, those of `answers/`, and the wrong ones of `wrong/`.

The test cells run in this process, against one answer each: nbgrader itself is in test_nbgrader.py.
"""

import importlib

import pytest

from tests.course.marked import ANSWERS, SETS, cells, fault, questions, read

WRONG = [(name, one) for name in SETS for one in importlib.import_module(f"tests.course.wrong.{name.lower()}").WRONG]


@pytest.mark.parametrize(("name", "question"), [(name, question) for name in SETS for question in questions(name)])
@pytest.mark.slow
def test_the_solution_keeps_its_points(name, question):
    assert not fault(name, question, cells(name)[question])


@pytest.mark.parametrize("path", ANSWERS, ids=lambda path: path.stem)
@pytest.mark.slow
def test_an_answer_gets_what_its_name_says(path):
    answer = read(path)
    found = fault(answer.name, answer.question, answer.text)
    assert (found == "") == answer.right, found
    assert not found or found.startswith(("NotYet: ", "AssertionError: ")), f"no sentence: {found}"


@pytest.mark.parametrize(("name", "one"), WRONG, ids=lambda x: getattr(x, "name", x))
@pytest.mark.slow
def test_a_wrong_answer_loses_its_points(name, one):
    solution = cells(name)[one.answer]
    assert solution.count(one.right) == 1, f"{one.right!r} is not there just once"
    found = fault(name, one.answer, solution.replace(one.right, one.wrong))
    assert found.startswith(("NotYet: ", "AssertionError: ")), found or "it kept its points"


@pytest.mark.parametrize("name", SETS)
def test_there_are_wrong_answers_to_each_question(name):
    asked = {one.answer for which, one in WRONG if which == name}
    asked |= {read(path).question for path in ANSWERS if read(path).name == name}
    assert asked == set(questions(name))
