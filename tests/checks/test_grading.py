"""dpbandits.checks.grading: each thing that may be wrong with a student's function is named in one sentence."""

import math
import signal
import threading
import time

import numpy as np
import pytest

from dpbandits.checks import grading


def forever(x):
    while True:
        pass


def stubborn(x):
    while True:
        try:
            x += 1
        except:  # noqa: E722 - swallows every interruption that it sees
            pass


def warns(x):
    return float(np.log(np.zeros(1))[0] + 1)


@pytest.mark.parametrize(
    ("function", "arguments", "shape", "words"),
    [
        (lambda x: x, (1, 2), (), "must take 2 arguments"),
        (lambda x: None, (1,), (), "returned nothing"),
        (lambda f: None, (forever,), (), "(forever) returned nothing"),
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
        (stubborn, (1,), (), "endless loop"),
    ],
)
def test_what_is_wrong_is_said(function, arguments, shape, words, recwarn):
    with pytest.raises(grading.NotYet) as error:
        grading.answer(function, *arguments, shape=shape, seconds=0.2)
    (line,) = str(error.value).splitlines()
    assert words in line and not recwarn.list


def test_a_right_answer_comes_back():
    assert grading.answer(lambda x: np.int64(3), 1) == 3.0
    assert grading.answer(lambda x, y: [x, y], 1, 2, shape=(2,)).tolist() == [1.0, 2.0]
    assert grading.answer(lambda x: {"any": x}, 1, shape=None) == {"any": 1}
    assert grading.answer(max, 1, 2) == 2.0  # a function without a signature


def test_an_error_of_the_student_s_own_is_told_with_its_line():
    def inside(x):
        return x + "1"

    with pytest.raises(
        grading.NotYet, match=r'inside\(1\) raised TypeError: .*, in line \d+: return x \+ "1"'
    ) as error:
        grading.answer(inside, 1)
    assert isinstance(error.value.__cause__, TypeError)

    def empty(x):
        raise NotImplementedError

    with pytest.raises(grading.NotYet, match=r"^empty has no answer\.$"):
        grading.answer(empty, 1)


def test_a_notebook_shows_the_sentence_alone():
    from IPython.core.interactiveshell import InteractiveShell

    shown = []
    shell = InteractiveShell()
    shell._showtraceback = lambda kind, value, lines: shown.extend(lines)
    shell.run_cell("from dpbandits.checks import grading\ngrading.close(1, 2, 'x')")
    assert shown == ["not yet: x should be 2, not 1."]


def test_in_another_thread_there_is_no_limit():
    found = []
    thread = threading.Thread(target=lambda: found.append(grading.answer(abs, -1)))
    thread.start()
    thread.join()
    assert found == [1.0]


def test_the_limit_ends_with_the_call():
    with pytest.raises(grading.NotYet, match="endless loop"):
        grading.answer(forever, 1, seconds=0.05)
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0) and signal.getsignal(signal.SIGPROF) == signal.SIG_DFL


def test_close():
    grading.close([1, 2], [1, 2 + 1e-12], "x")
    with pytest.raises(grading.NotYet, match=r"x should be 3, not 2 \(entry 1\)\."):
        grading.close([1, 2], [1, 3], "x")
    with pytest.raises(grading.NotYet, match="should be 3, not nan"):
        grading.close(math.nan, 3, "x")
    with pytest.raises(grading.NotYet, match=r"x should be 0\.2, not 0\.200000003\."):
        grading.close(0.2 + 3e-9, 0.2, "x")


def test_same_tells_whole_numbers_apart_that_floats_do_not():
    grading.same(((1, 2), [3, np.int64(4)]), [(1, 2), (3, 4.0)], "x")
    grading.same(np.array([[1, 2]]), [(1, 2)], "x")
    with pytest.raises(grading.NotYet, match="x should be 1000000000000000001, not 1000000000000000000"):
        grading.same(10**18, 10**18 + 1, "x")
    with pytest.raises(grading.NotYet):
        grading.same([(1, 2)], [(1, 2), (3, 3)], "x")


def test_a_function_may_change_what_it_is_given():
    def in_place(x, pairs):
        x += 1
        pairs.append(1)
        return x

    mine, pairs = np.zeros(2), []
    for _ in range(2):
        assert grading.answer(in_place, mine, pairs, shape=(2,)).tolist() == [1, 1]
    assert grading.repeat(in_place, mine, pairs, times=3, shape=(2,)).tolist() == [[1, 1]] * 3
    assert not mine.any() and not pairs


def test_many_calls_at_once():
    rng = np.random.default_rng(1)
    got = grading.repeat(lambda n, rng: rng.random(n), 3, rng, times=50, shape=(3,))
    assert got.shape == (50, 3) and np.unique(got).size == 150
    same = np.random.default_rng(1)
    assert np.array_equal(got, [same.random(3) for _ in range(50)])
    assert grading.repeat(lambda: 1, times=4).tolist() == [1.0] * 4
    assert grading.repeat(lambda: "a", times=2, shape=None) == ["a", "a"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda n: None, "returned nothing"),
        (lambda n: "x", "returned 'x'"),
        (lambda n, seen=[]: seen.append(1) or np.ones(1 + len(seen) % 2), "shape"),  # noqa: B006 - it shall remember
        (lambda n: math.nan, "nan"),
        (lambda n: forever(n), "endless loop"),
    ],
)
def test_of_many_calls_the_one_that_fails_is_told(function, words):
    with pytest.raises(grading.NotYet, match=words):
        grading.repeat(function, 1, times=20, shape=() if words != "shape" else (2,), seconds=0.05)


def test_slow_answers_are_called_less_often_and_too_slow_ones_told_so():
    def slow(seconds):
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass
        return 1.0

    assert 2 <= grading.repeat(slow, 0.005, times=100, seconds=0.1).size < 100
    with pytest.raises(grading.NotYet, match="is too slow: .* the check needs 40"):
        grading.repeat(slow, 0.01, times=2000, seconds=0.1)
