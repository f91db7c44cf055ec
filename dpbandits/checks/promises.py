"""Exercise of 08_fair_race: how long a Gaussian leader must not choose, so that all it chooses is μ-GDP."""

import math
from collections.abc import Callable

import numpy as np

from dpbandits.checks.report import Report, report

#: (rounds T, arms N, μ asked for)
ASKED = ((1_000, 2, 1.0), (100_000, 9, 1.0), (100_000, 9, 0.25), (50_000, 4, 3.0), (1_000_000, 20, 0.5))


def longer_start(answer: Callable[[int, int, float], int]) -> Report:
    """Exercise of 08_fair_race. answer(horizon, arms, mu) -> the fewest pulls of every arm before the first draw with
    which all later draws, N(m̂, 2/n) each, are together mu-GDP towards one reward, by the accountant's worst schedule.
    """
    return report(
        answer,
        {
            "gives a number of pulls": _gives_pulls,
            "every draw counts": _counts_draws,
            "the promise is kept": _keeps,
            "and no pull is wasted": _wastes_nothing,
            "a longer horizon asks for more": _grows,
            "it never goes on beyond the horizon": _ends,
        },
    )


def squares(horizon: int, arms: int, pulls: int) -> float:
    """Σ μ² of the worst schedule: the arm of the changed reward is never played again, each draw adds 1/(2·pulls)."""
    return max(0, horizon - arms * pulls) / (2 * pulls)


def fewest(horizon: int, arms: int, mu: float) -> int:
    """The right answer: squares(...) <= μ² where T − N·n <= 2μ²·n."""
    n = max(1, math.ceil(horizon / (2 * mu**2 + arms)))
    while n > 1 and squares(horizon, arms, n - 1) <= mu**2:
        n -= 1
    while squares(horizon, arms, n) > mu**2:
        n += 1
    return n


def _gives_pulls(answer):
    found = answer(*ASKED[0])
    if found is None:
        return "Your function returned nothing: end it with `return n`."
    if isinstance(found, bool) or not isinstance(found, int | np.integer) or found < 1:
        return f"Your function returned {found!r}; give an integer n >= 1. (`math.ceil` makes one.)"
    return None


def _counts_draws(answer):
    horizon, arms, mu = ASKED[1]
    found = answer(horizon, arms, mu)
    if found == math.ceil(1 / (2 * mu**2)):
        return (
            f"For T = {horizon:,} and μ = {mu:g} you give n = {found}: that is enough for one draw. The reward is in"
            " the draws of all later rounds."
        )
    if found in (round(horizon / (2 * mu**2)), math.ceil(horizon / (2 * mu**2)) + 1) or (
        found == math.ceil(horizon / (2 * mu**2))
    ):
        return (
            f"For T = {horizon:,}, N = {arms} and μ = {mu:g} you give n = {found:,}. While all {arms} arms are pulled"
            " that often nothing is drawn: fewer draws are left than T."
        )
    return None


def _keeps(answer):
    for horizon, arms, mu in ASKED:
        found = answer(horizon, arms, mu)
        spent = squares(horizon, arms, found)
        if spent > mu**2 * (1 + 1e-12):
            return (
                f"For T = {horizon:,}, N = {arms} you give n = {found:,}: {max(0, horizon - arms * found):,} draws of"
                f" 1/(2n) are μ² = {spent:.4g}, and {mu**2:.4g} is allowed."
            )
    return None


def _wastes_nothing(answer):
    for horizon, arms, mu in ASKED:
        found, right = answer(horizon, arms, mu), fewest(horizon, arms, mu)
        if found > right:
            return (
                f"For T = {horizon:,}, N = {arms}, μ = {mu:g} you give n = {found:,}; {found - 1:,} would do, with"
                f" μ² = {squares(horizon, arms, found - 1):.6g}."
            )
    return None


def _grows(answer):
    short, long = (answer(horizon, 3, 0.7) for horizon in (10_000, 40_000))
    return None if long > short else f"From T = 10,000 to 40,000 your n goes from {short:,} to {long:,}."


def _ends(answer):
    found = answer(500, 5, 1e-6)
    if found > 100:
        return (
            f"For μ = 10⁻⁶ you give n = {found:,}, but with 500 rounds and 5 arms nothing is left to draw after 100"
            " pulls of each."
        )
    return None
