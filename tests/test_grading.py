"""dpbandits.grading: each thing that may be wrong with a student's function is named in one sentence."""

import math
import threading

import numpy as np
import pytest

from dpbandits import grading
from dpbandits.mechanisms.laplace import Laplace


def forever(x):
    while True:
        pass


def warns(x):
    return float(np.log(np.zeros(1))[0] + 1)


@pytest.mark.parametrize(
    ("function", "arguments", "shape", "words"),
    [
        (lambda x: x, (1, 2), (), "must take 2 arguments"),
        (lambda x: None, (1,), (), "returned nothing"),
        (lambda x: "0.5", ([],), (2,), "returned one number; an array of shape (2,)"),
        (lambda x: "half", (1,), (), "returned 'half'; one number is asked for"),
        (lambda x: [x, [x]], (1,), (2,), "an array of shape (2,) is asked for"),
        (lambda x: np.ones(3), (1,), (2,), "returned shape (3,); an array of shape (2,)"),
        (lambda x: np.array([1, math.nan]), (1,), (2,), "returned nan in some entry"),
        (lambda x: math.inf, (1,), (), "returned inf; every number must be finite"),
        (lambda x: 1j, (1,), (), "one number is asked for"),
        (warns, (1,), (), "returned -inf"),
        (3, (1,), (), "3 is not a function"),
        (forever, (1,), (), "endless loop"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(function, arguments, shape, words, recwarn):
    with pytest.raises(AssertionError) as error:
        grading.answer(function, *arguments, shape=shape, seconds=0.2)
    (line,) = str(error.value).splitlines()
    assert words in line and not recwarn.list


def test_a_right_answer_comes_back():
    assert grading.answer(lambda x: np.int64(3), 1) == 3.0
    assert grading.answer(lambda x, y: [x, y], 1, 2, shape=(2,)).tolist() == [1.0, 2.0]
    assert grading.answer(lambda x: {"any": x}, 1, shape=None) == {"any": 1}
    assert grading.answer(max, 1, 2) == 2.0  # a function without a signature


def test_an_error_of_the_student_s_own_is_theirs():
    with pytest.raises(NotImplementedError):
        grading.answer(lambda x: (_ for _ in ()).throw(NotImplementedError()), 1)
    with pytest.raises(TypeError, match="inside"):  # not taken for a wrong signature

        def inside(x):
            raise TypeError("inside")

        grading.answer(inside, 1)


def test_in_another_thread_there_is_no_limit():
    found = []
    thread = threading.Thread(target=lambda: found.append(grading.answer(abs, -1)))
    thread.start()
    thread.join()
    assert found == [1.0]


def test_close():
    grading.close([1, 2], [1, 2 + 1e-12], "x")
    with pytest.raises(AssertionError, match=r"x should be 3, not 2 \(entry 1\)\."):
        grading.close([1, 2], [1, 3], "x")
    with pytest.raises(AssertionError, match="should be 3, not nan"):
        grading.close(math.nan, 3, "x")


def test_follows_and_average_refuse_another_law_and_not_the_right_one():
    rng = np.random.default_rng(0)
    for _ in range(20):
        draws = rng.laplace(0, 2, 2_000)
        grading.follows(draws, Laplace(2.0).cdf, "noise")
        grading.average(draws, 0.0, "noise")
    with pytest.raises(AssertionError, match="noise does not follow the law asked for: a tenth of yours lies below"):
        grading.follows(rng.laplace(0, 0.5, 2_000), Laplace(2.0).cdf, "noise")
    with pytest.raises(AssertionError, match="on average over 2000 tries; it should be 0"):
        grading.average(draws + 1, 0.0, "noise")
    grading.average(np.ones(10), 1.0, "a constant")
    with pytest.raises(AssertionError):
        grading.average(np.ones(10), 0.9, "a constant")
