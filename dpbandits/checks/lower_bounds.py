"""Exercise of 06_lower_bounds: from which T on a bound says something."""

import math
from collections.abc import Callable

import numpy as np

from dpbandits.checks.report import Report, report

PATIENCE = 20_000  # how often a bound may be asked
#: Bounds with bound(T)/T falling from T = 3 on, and what a round can lose: (in words, bound, worst).
CROSSINGS = (
    ("a constant of 20", lambda t: 20.0, 0.5),
    ("50 ln T + 400", lambda t: 50 * math.log(t) + 400, 0.4),
    ("100 ln T, which is 0 at T = 1", lambda t: 100 * math.log(t), 0.1),
    ("10⁶ (ln T + 1)", lambda t: 1e6 * (math.log(t) + 1), 0.3),
    ("a constant of 0.1", lambda t: 0.1, 0.5),
)


def first_horizon(answer: Callable[[Callable[[int], float], float], int | None]) -> Report:
    """Exercise of 06_lower_bounds. answer(bound, worst) -> least T from which on bound(T) < worst·T or None."""
    return report(
        answer,
        {
            "gives a round": _gives_a_round,
            "finds where a constant begins to count": lambda answer: _crosses(answer, *CROSSINGS[0]),
            "finds where a logarithm does": lambda answer: _crosses(answer, *CROSSINGS[1]),
            "is not deceived by small T": lambda answer: _crosses(answer, *CROSSINGS[2]),
            "is quick where T is large": lambda answer: _crosses(answer, *CROSSINGS[3]),
            "sees when there is nothing to wait for": lambda answer: _crosses(answer, *CROSSINGS[4]),
            "gives None where it never comes": _gives_up,
        },
    )


def _crossing(bound, worst) -> int:
    """The right answer: from T = 3 on bound(T)/T falls, so the interval can be halved; then down as far as it holds."""
    low, high = 3, 10**12
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if bound(middle) < worst * middle else (middle, high)
    while high > 1 and bound(high - 1) < worst * (high - 1):
        high -= 1
    return high


def _asked(answer, bound, worst):
    """What it answers; a bound that is asked too often stops it."""
    count = 0

    def patient(t):
        nonlocal count
        count += 1
        if count > PATIENCE:
            raise RuntimeError(
                f"it asked for the bound more than {PATIENCE:,} times. Do not try every T: halve an interval."
            )
        return bound(t)

    return answer(patient, worst)


def _gives_a_round(answer):
    found = _asked(answer, *CROSSINGS[0][1:])
    if found is None:
        return "Your function returned nothing, where a T is to be found: end it with `return T`."
    if isinstance(found, bool) or not isinstance(found, int | np.integer) or found < 1:
        return f"Your function returned {found!r}; give an integer T >= 1."
    return None


def _crosses(answer, words, bound, worst):
    found, right = _asked(answer, bound, worst), _crossing(bound, worst)
    if found == right:
        return None
    if found is None or isinstance(found, bool) or not isinstance(found, int | np.integer) or found < 1:
        return f"For {words} (worst = {worst:g}) you give {found!r}; there is such a T."
    if not bound(found) < worst * found:
        there = f"the bound is {bound(found):,.4g}, and worst·T only {worst * found:,.4g}"
        return f"For {words} (worst = {worst:g}) you give T = {found:,}, where {there}."
    if found < right:
        later = f"It holds there, but at T = {right - 1:,} it does not: from which T *on*?"
        return f"For {words} (worst = {worst:g}) you give T = {found:,}. {later}"
    return f"For {words} (worst = {worst:g}) you give T = {found:,}, but it holds from a smaller T on."


def _gives_up(answer):
    found = _asked(answer, lambda t: 0.5 * t, 0.4)
    if found is not None:
        return f"A bound of 0.5·T never falls below 0.4·T, but you give {found!r}; return None."
    return _crosses(answer, "a constant of 10¹¹", lambda t: 1e11, 0.125)  # at 8·10¹¹: nobody should give up before 10¹²
