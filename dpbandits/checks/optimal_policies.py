"""Exercise of 02_optimal_policies: the feasible region of Lemma 8."""

import math
from collections.abc import Callable

import numpy as np

from dpbandits import privacy
from dpbandits.checks.report import Report, report

SETTINGS = ((1.0, 0.01), (0.2, 0.001), (2.0, 0.0), (0.0, 0.1))
GRID = np.linspace(0, 1, 101)


def feasible_region(answer: Callable[[float, float, float], tuple[float, float]]) -> Report:
    """Exercise of 02_optimal_policies. answer(F, epsilon, delta) -> (lowest, highest) F′ that Lemma 8 allows."""
    return report(
        answer,
        {
            "gives two numbers, the lower first": _gives_an_interval,
            "a history that did not change is allowed": _allows_no_change,
            "stays among probabilities": _stays_in_0_1,
            "δ = 1 allows everything": _total_slack,
            "ε = δ = 0 allows only F itself": _no_slack,
            "asks the same of F and F′": _symmetric,
            "is the region of Lemma 8": _exact,
        },
    )


def _gives_an_interval(region):
    value = region(0.3, 1.0, 0.01)
    if value is None:
        return "Your function returned nothing: end it with `return low, high`."
    if np.shape(value) != (2,):
        return f"Your function returned {value!r}; give two numbers, (low, high)."
    low, high = map(float, value)
    if not low <= high:  # also when one is nan
        return f"At F = 0.3, ε = 1, δ = 0.01 it gives ({low:.4g}, {high:.4g}); the lower end comes first."
    return None


def _everywhere(region):
    """(F, ε, δ, what the answer gives there) over the grid, in all settings."""
    for epsilon, delta in SETTINGS:
        for f in GRID:
            yield f, epsilon, delta, region(f, epsilon, delta)


def _allows_no_change(region):
    for f, epsilon, delta, (low, high) in _everywhere(region):
        if not low <= f + 1e-12 or not f <= high + 1e-12:
            return (
                f"F′ = F = {f:.4g} is always allowed, but at ε = {epsilon:g}, δ = {delta:g} you allow only [{low:.4g},"
                f" {high:.4g}]."
            )
    return None


def _stays_in_0_1(region):
    for f, epsilon, delta, (low, high) in _everywhere(region):
        if low < -1e-12 or high > 1 + 1e-12:
            return (
                f"A cdf lies in [0, 1]; at F = {f:.4g}, ε = {epsilon:g}, δ = {delta:g} you give [{low:.4g},"
                f" {high:.4g}]. Cut it."
            )
    return None


def _total_slack(region):
    low, high = region(0.3, 1.0, 1.0)
    if abs(low) > 1e-12 or abs(high - 1) > 1e-12:
        return f"With δ = 1 nothing is promised, so F′ may be anything in [0, 1]; you give [{low:.4g}, {high:.4g}]."
    return None


def _no_slack(region):
    low, high = region(0.3, 0.0, 0.0)
    if abs(low - 0.3) > 1e-12 or abs(high - 0.3) > 1e-12:
        hint = " Is it e^ε, not ε?" if low > 0 or high < 1 else ""
        return f"With ε = δ = 0 the law may not move at all; at F = 0.3 you give [{low:.4g}, {high:.4g}].{hint}"
    return None


def _symmetric(region):
    for f, epsilon, delta, (low, high) in _everywhere(region):
        for end in (low, high):
            back = region(end, epsilon, delta)
            if not back[0] - 1e-9 <= f <= back[1] + 1e-9:
                return (
                    f"From F = {f:.4g} you allow F′ = {end:.4g}, but from {end:.4g} you do not allow {f:.4g} (ε ="
                    f" {epsilon:g}, δ = {delta:g}). Either history may be the true one: exchange F and F′ in your"
                    " inequalities, ask for all four, and solve each for F′."
                )
    return None


def _exact(region):
    for f, epsilon, delta, given in _everywhere(region):
        got, right = np.array(given, float), np.array(privacy.feasible_region(f, epsilon, delta))
        worst = int(np.argmax(np.abs(got - right)))
        if not math.isclose(got[worst], right[worst], abs_tol=1e-9):
            size = "too wide" if (got[worst] < right[worst]) == (worst == 0) else "too narrow"
            end = ("lower", "upper")[worst]
            return (
                f"At F = {f:.4g}, ε = {epsilon:g}, δ = {delta:g} your region is {size}: its {end} end is"
                f" {got[worst]:.4g}."
            )
    return None
