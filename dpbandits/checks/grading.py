"""What the test cells of problem sets ask of a student's function, in words: the message of a NotYet is the feedback.

    scale = grading.answer(laplace_scale, 1.0, 0.5)                     # a finite number, or a sentence
    noisy = grading.repeat(noisy_counts, [3, 5], 1.0, rng, times=50_000, shape=(2,))
    laws.laplace(noisy - [3, 5], 1.0, "The noise at ε = 1")             # laws: see laws.py

Nothing here needs nbgrader: the same cells are the student's self-checks. A function may live in another process (a
course marks that way, see dpbandits.course): then it has a method `ask`, and everything else is the same.
"""

import copy
import inspect
import signal
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress

import numpy as np

SECONDS = 3.0  # of computing, for one call: an endless loop must not take the time of the whole class
MANY_SECONDS = 10.0  # of computing, for all calls of `repeat`
ENOUGH = 50  # where time is short, one in so many of the calls wanted will do: 5 ms a call for 100,000 calls


_OURS = {__file__, copy.__file__}


class NotYet(AssertionError):
    """What is wrong with an answer, in one sentence. A notebook shows the sentence and no traceback."""

    def _render_traceback_(self) -> list[str]:
        return [f"not yet: {self}"]


class TooLong(BaseException):
    """A student's function used up its time. Not an Exception: `except Exception` in a loop must not swallow it."""


def answer(function: Callable, *arguments, shape: tuple[int, ...] | None = (), seconds: float = SECONDS):
    """function(*arguments) as a float, or as a float array of this shape; NotYet with one sentence if it is not that.

    shape: None gives back whatever came, unless that is None. seconds: of computing (processor time), more is taken
    for an endless loop. Arrays and lists are handed over as copies, so that a function may work in place. What
    it prints, and what it warns of, is its own affair.
    """
    value = function.ask(arguments, seconds) if hasattr(function, "ask") else called(function, arguments, seconds)
    if value is None:
        raise NotYet(f"{_call_of(function, arguments)} returned nothing: end your function with `return ...`.")
    return value if shape is None else _numbers(value, shape, _call_of(function, arguments))


def repeat(
    function: Callable,
    *arguments,
    times: int,
    shape: tuple[int, ...] | None = (),
    seconds: float = MANY_SECONDS,
):
    """function(*arguments) again and again, as an array of shape (times, *shape); NotYet as for `answer`.

    A slow function may come back with fewer rows, as many as there is time for: one in ENOUGH of `times` at least, and
    so a law test of fewer draws, which never fails a right answer more often, but finds less.
    """
    if hasattr(function, "ask"):
        values = function.ask(arguments, seconds, times)
    else:
        values = called_often(function, arguments, times, seconds)
    called = _call_of(function, arguments)
    if shape is None:
        return values
    try:
        table = np.asarray(values, float)
    except (TypeError, ValueError):
        table = None
    if table is not None and table.shape[1:] == shape and np.isfinite(table).all():
        return table
    if isinstance(values, (list, np.ndarray)):
        for value in values:
            if value is None:
                raise NotYet(f"{called} returned nothing: end your function with `return ...`.")
            _numbers(value, shape, called)
    raise NotYet(f"{called} does not return the same shape every time.")


def called(function: Callable, arguments, seconds: float):
    """function(*arguments) in this process, whatever it returns; NotYet where it fails or takes too long."""
    _callable(function, arguments)
    return _guarded(seconds, lambda: function(*_own(arguments)), function, arguments)


def called_often(function: Callable, arguments, times: int, seconds: float) -> list | np.ndarray:
    """The same, `times` times in a row: as an array of numbers where they make one, else as a list."""
    _callable(function, arguments)
    mutable = any(
        not isinstance(a, (int, float, str, bool, np.random.Generator)) and not callable(a) for a in arguments
    )
    values: list = []

    def loop():
        end = time.process_time() + seconds
        for number in range(times):
            value = function(*(_own(arguments) if mutable else arguments))
            values.append(value.copy() if isinstance(value, np.ndarray) else value)  # it may be used again
            if number % 16 == 15 and time.process_time() > end:
                break

    least = max(1, times // ENOUGH)
    _guarded(2 * seconds + SECONDS, loop, function, arguments)
    if len(values) < min(times, least):
        raise NotYet(
            f"{_call_of(function, arguments)} is too slow: {len(values)} calls took {seconds:g} s of computing; the"
            f" check needs {least}."
        )
    with suppress(TypeError, ValueError):
        table = np.array(values)
        if table.dtype.kind in "biuf":
            return table
    return values


def close(got, wanted, what: str, tolerance: float = 1e-9) -> None:
    """A number, or an array entry by entry, up to a relative error (absolute near 0)."""
    got, wanted = np.broadcast_arrays(np.asarray(got, float), np.asarray(wanted, float))
    wrong = ~np.isclose(got, wanted, rtol=tolerance, atol=tolerance)
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        where = f" (entry {at[0] if len(at) == 1 else at})" if at else ""
        digits = next(d for d in range(6, 18) if d == 17 or f"{wanted[at]:.{d}g}" != f"{got[at]:.{d}g}")
        raise NotYet(f"{what} should be {wanted[at]:.{digits}g}, not {got[at]:.{digits}g}{where}.")


def same(got, wanted, what: str) -> None:
    """Whole numbers, alone or in lists and pairs, exactly: they may exceed what a float can tell apart."""
    if _whole(got) != _whole(wanted):
        raise NotYet(f"{what} should be {_short(wanted)}, not {_short(got)}.")


def _numbers(value, shape: tuple[int, ...], called: str):
    kind = "one number" if shape == () else f"an array of shape {shape}"
    try:
        numbers = np.asarray(value, float)
    except (TypeError, ValueError):
        raise NotYet(f"{called} returned {_short(value)}; {kind} is asked for.") from None
    if numbers.shape != shape:
        raise NotYet(
            f"{called} returned {'one number' if numbers.shape == () else f'shape {numbers.shape}'}; {kind} is"
            f" asked for."
        )
    if not np.isfinite(numbers).all():
        bad = numbers[~np.isfinite(numbers)].flat[0]
        raise NotYet(
            f"{called} returned {bad:g}{'' if shape == () else ' in some entry'}; every number must be finite."
        )
    return float(numbers) if shape == () else numbers


def _whole(value):
    """Nested lists in place of arrays and tuples; numpy's numbers as Python's."""
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    return [_whole(item) for item in value] if isinstance(value, (list, tuple)) else value


def _short(value) -> str:
    if isinstance(value, np.random.Generator):
        return "rng"
    if isinstance(value, np.ndarray):
        return f"<array of shape {value.shape}>" if value.size > 6 else str(value.tolist())
    if inspect.isfunction(value):
        return value.__name__
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _call_of(function: Callable, arguments) -> str:
    return f"{getattr(function, '__name__', _short(function))}({', '.join(map(_short, arguments))})"


def _callable(function: Callable, arguments) -> None:
    """NotYet unless it is a function that takes so many arguments."""
    if not callable(function):
        raise NotYet(f"{_short(function)} is not a function.")
    with suppress(ValueError):  # some built-in functions do not tell their signature
        signature = inspect.signature(function)
        try:
            signature.bind(*arguments)
        except TypeError:
            name = getattr(function, "__name__", "your function")
            raise NotYet(
                f"{name} must take {len(arguments)} arguments, as in {_call_of(function, arguments)}; yours is"
                f" {name}{signature}."
            ) from None


def _own(arguments) -> list:
    """Copies of arrays and containers, so that a function may change what it was given."""
    return [
        a.copy() if isinstance(a, np.ndarray) else copy.deepcopy(a) if isinstance(a, (list, dict, set, tuple)) else a
        for a in arguments
    ]


def _guarded(seconds: float, work: Callable, function: Callable, arguments):
    """work(), with every way to fail told in one sentence."""
    called = _call_of(function, arguments)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return within(seconds, work)
    except TooLong:
        raise NotYet(f"{called} did not end within {seconds:g} s of computing: is there an endless loop?") from None
    except NotImplementedError:
        raise NotYet(f"{getattr(function, '__name__', 'your function')} has no answer.") from None
    except NotYet:  # said by a function among the arguments
        raise
    except Exception as error:
        place = next((f for f in traceback.extract_tb(error.__traceback__) if f.filename not in _OURS), None)
        line = f", in line {place.lineno}: {place.line}" if place and place.line else ""
        raise NotYet(f"{called} raised {type(error).__name__}: {error}{line}") from error


def within(seconds: float, work: Callable):
    """work(), or TooLong after this much processor time, where the system can tell (Linux, macOS)."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return work()

    def stop(_, frame):
        if frame.f_code.co_filename != __file__:  # never in the two lines that clean up
            raise TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, 0.02)  # again and again: a bare `except` may swallow the first
    try:
        return work()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
