"""dpbandits.checks.grading: each thing that may be wrong with a student's function is named in one sentence."""

import math
import signal
import threading

import numpy as np
import pytest

from dpbandits.checks import grading
from dpbandits.mechanisms.laplace import Laplace


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


def test_share():
    rng = np.random.default_rng(1)
    for _ in range(20):
        grading.share(rng.random(1000) < 0.95, 0.95, "the share")
    with pytest.raises(grading.NotYet, match="the share is .* in 1000 tries; it should be 0.5"):
        grading.share(rng.random(1000) < 0.95, 0.5, "the share")
    heads = np.ones(22, bool)  # P = 2·2⁻²², 4.8e-7: too rare for one check, not for the worst of ten
    grading.share(heads, 0.5, "the share", tries=10)
    with pytest.raises(grading.NotYet):
        grading.share(heads, 0.5, "the share")


def test_close():
    grading.close([1, 2], [1, 2 + 1e-12], "x")
    with pytest.raises(grading.NotYet, match=r"x should be 3, not 2 \(entry 1\)\."):
        grading.close([1, 2], [1, 3], "x")
    with pytest.raises(grading.NotYet, match="should be 3, not nan"):
        grading.close(math.nan, 3, "x")


def test_follows_and_average_refuse_another_law_and_not_the_right_one():
    rng = np.random.default_rng(0)
    for _ in range(20):
        draws = rng.laplace(0, 2, 2_000)
        grading.follows(draws, Laplace(2.0).cdf, "noise")
        grading.average(draws, 0.0, "noise")
    with pytest.raises(grading.NotYet, match="noise does not follow the law asked for: a tenth of yours lies below"):
        grading.follows(rng.laplace(0, 0.5, 2_000), Laplace(2.0).cdf, "noise")
    with pytest.raises(grading.NotYet, match="on average over 2000 tries; it should be 0"):
        grading.average(draws + 1, 0.0, "noise")
    grading.average(np.ones(10), 1.0, "a constant")
    with pytest.raises(grading.NotYet):
        grading.average(np.ones(10), 0.9, "a constant")
