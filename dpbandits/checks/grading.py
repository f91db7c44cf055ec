"""What the test cells of problem sets ask of a student's function, in words: the message of a NotYet is the feedback.

    scale = grading.answer(laplace_scale, 1.0, 0.5)                     # a finite number, or a sentence on what came
    instead
    noisy = grading.answer(noisy_counts, [3, 5], 1.0, rng, shape=(2,))
    grading.follows(noisy - [3, 5], Laplace(1.0).cdf, "the noise")

Nothing here needs nbgrader: the same cells are the student's self-checks.
"""

import inspect
import math
import signal
import threading
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress

import numpy as np
from scipy import stats

SECONDS = 3.0  # of computing, for one call: an endless loop must not take the time of the whole class
FALSE_ALARM = 1e-6  # with which a right answer fails one statistical check


class NotYet(AssertionError):
    """What is wrong with an answer, in one sentence. A notebook shows the sentence and no traceback."""

    def _render_traceback_(self) -> list[str]:
        return [f"not yet: {self}"]


class TooLong(BaseException):
    """A student's function used up its time. Not an Exception, so that `except Exception` in a loop does not swallow
    it.
    """


def answer(function: Callable, *arguments, shape: tuple[int, ...] | None = (), seconds: float = SECONDS):
    """function(*arguments) as a float, or as a float array of this shape; NotYet with one sentence if it is not that.

    shape: None gives back whatever came, unless that is None. seconds: of computing (processor time), more is taken for
    an
    endless loop. Warnings raised on the way are dropped, since nbgrader takes a line on stderr for a failure.
    """
    name = getattr(function, "__name__", repr(function))
    called = f"{name}({', '.join(map(_short, arguments))})"
    if not callable(function):
        raise NotYet(f"{_short(function)} is not a function.")
    with suppress(ValueError):  # some built-in functions do not tell their signature
        signature = inspect.signature(function)
        try:
            signature.bind(*arguments)
        except TypeError:
            raise NotYet(
                f"{name} must take {len(arguments)} arguments, as in {called}; yours is {name}{signature}."
            ) from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = _within(seconds, function, arguments)
    except TooLong:
        raise NotYet(f"{called} did not end within {seconds:g} s of computing: is there an endless loop?") from None
    except NotImplementedError:
        raise NotYet(f"{name} has no answer.") from None
    except Exception as error:
        place = next((f for f in traceback.extract_tb(error.__traceback__) if f.filename != __file__), None)
        line = f", in line {place.lineno}: {place.line}" if place and place.line else ""
        raise NotYet(f"{called} raised {type(error).__name__}: {error}{line}") from error
    if value is None:
        raise NotYet(f"{called} returned nothing: end your function with `return ...`.")
    return value if shape is None else _numbers(value, shape, called)


def close(got, wanted, what: str, tolerance: float = 1e-9) -> None:
    """A number, or an array entry by entry, up to a relative error (absolute near 0)."""
    got, wanted = np.broadcast_arrays(np.asarray(got, float), np.asarray(wanted, float))
    wrong = ~np.isclose(got, wanted, rtol=tolerance, atol=tolerance)
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        where = f" (entry {at[0] if len(at) == 1 else at})" if at else ""
        raise NotYet(f"{what} should be {wanted[at]:.6g}, not {got[at]:.6g}{where}.")


def follows(sample, cdf: Callable, what: str, tries: int = 1) -> None:
    """Independent draws of a continuous law (Kolmogorov-Smirnov): a right answer fails with probability 1e-6 at most.

    tries: how many such checks there are, when all of them together may fail a right answer so rarely.
    """
    if stats.kstest(np.ravel(np.asarray(sample, float)), cdf).pvalue < FALSE_ALARM / tries:
        raise NotYet(f"{what} does not follow the law asked for: {_spread(sample)}.")


def share(happened, probability: float, what: str, tries: int = 1) -> None:
    """Independent yes-or-no events of this probability (exact binomial test): a right answer fails with probability
    1e-6 at most.

    tries: as for `follows`.
    """
    happened = np.ravel(np.asarray(happened, bool))
    if stats.binomtest(int(happened.sum()), happened.size, probability).pvalue < FALSE_ALARM / tries:
        raise NotYet(f"{what} is {happened.mean():.4g} in {happened.size} tries; it should be {probability:.4g}.")


def average(sample, wanted: float, what: str) -> None:
    """Independent numbers of this mean, up to six standard errors: 2e-9 for a normal mean, which leaves room for skewed
    numbers.
    """
    sample = np.ravel(np.asarray(sample, float))
    error = sample.std(ddof=1) / math.sqrt(sample.size)
    if not abs(sample.mean() - wanted) <= 6 * error + 1e-12:
        raise NotYet(f"{what} is {sample.mean():.4g} on average over {sample.size} tries; it should be {wanted:.4g}.")


def _numbers(value, shape: tuple[int, ...], called: str):
    kind = "one number" if shape == () else f"an array of shape {shape}"
    try:
        numbers = np.asarray(value, float)
    except (TypeError, ValueError):
        raise NotYet(f"{called} returned {_short(value)}; {kind} is asked for.") from None
    if numbers.shape != shape:
        raise NotYet(
            f"{called} returned {'one number' if numbers.shape == () else f'shape {numbers.shape}'}; {kind} is asked"
            " for."
        )
    if not np.isfinite(numbers).all():
        bad = numbers[~np.isfinite(numbers)].flat[0]
        raise NotYet(
            f"{called} returned {bad:g}{'' if shape == () else ' in some entry'}; every number must be finite."
        )
    return float(numbers) if shape == () else numbers


def _spread(sample) -> str:
    low, middle, high = np.quantile(sample, [0.1, 0.5, 0.9])
    return f"a tenth of yours lies below {low:.3g}, half below {middle:.3g}, nine tenths below {high:.3g}"


def _short(value) -> str:
    if isinstance(value, np.random.Generator):
        return "rng"
    if isinstance(value, np.ndarray):
        return f"<array of shape {value.shape}>" if value.size > 6 else str(value.tolist())
    if inspect.isfunction(value):
        return value.__name__
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _within(seconds: float, function: Callable, arguments: tuple):
    """function(*arguments), or TooLong after this much processor time, where the system can tell (Linux, macOS)."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return function(*arguments)

    def stop(_, frame):
        if frame.f_code.co_filename != __file__:  # never in the two lines that clean up
            raise TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, 0.02)  # again and again: a bare `except` may swallow the first
    try:
        return function(*arguments)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
