"""Exercises of 02b and 03b: the step along the edge, and what a wrong item costs."""

import math
from collections.abc import Callable

import numpy as np

from dpbandits import privacy
from dpbandits.arguments import cascades
from dpbandits.checks.report import Report, report

PAIRS = ((1.0, 0.01), (0.2, 0.001), (2.0, 0.0), (0.0, 0.1))
GRID = np.linspace(0, 1, 101)


def next_cell(answer: Callable[[float, float, float], float]) -> Report:
    """Exercise of 02b. answer(F, epsilon, delta) -> the highest value that a distribution function may have one cell
    above a place where it is F.
    """
    return report(
        answer,
        {
            "gives a number": _gives_a_number,
            "starts with δ": _starts_with_delta,
            "never falls, never passes 1": _rises,
            "with ε = 0 it rises by δ": _additive,
            "in the lower half the first inequality rules": _lower,
            "in the upper half the second one does": _upper,
            "is the edge of Lemma 8 everywhere": _exact,
        },
    )


def _gives_a_number(step):
    return _no_number(step(0.3, 1.0, 0.01), "the value")


def _no_number(value, what: str) -> str | None:
    """Why it is not one finite number."""
    if value is None:
        return f"Your function returned nothing: end it with `return` and {what}."
    if np.shape(value) != () or not math.isfinite(value):
        return f"Your function returned {value!r}; give one number."
    return None


def _starts_with_delta(step):
    value = step(0.0, 1.0, 0.01)
    if abs(value - 0.01) > 1e-12:
        return f"Where F′ = 0, F ≤ e^ε·0 + δ = 0.01 is all that is left; you give {value:.4g}."
    return None


def _rises(step):
    for epsilon, delta in PAIRS:
        for f in GRID:
            if not f - 1e-12 <= step(f, epsilon, delta) <= 1 + 1e-12:
                return (
                    f"At F′ = {f:.2f}, ε = {epsilon:g}, δ = {delta:g} you give {step(f, epsilon, delta):.4g}: a"
                    " distribution function does not fall, and ends at 1."
                )
    return None


def _additive(step):
    value = step(0.3, 0.0, 0.1)
    if abs(value - 0.4) > 1e-12:
        return f"With ε = 0 only δ = 0.1 is left, so from 0.3 to 0.4 at most; you give {value:.4g}."
    return None


def _lower(step):
    value, right = step(0.05, 1.0, 0.01), 0.05 * math.e + 0.01
    if abs(value - right) > 1e-12:
        return f"At F′ = 0.05, ε = 1, δ = 0.01: F ≤ e^ε F′ + δ = {right:.4f}; you give {value:.4g}."
    return None


def _upper(step):
    value, right = step(0.9, 1.0, 0.01), 1 - math.exp(-1) * (0.1 - 0.01)
    if abs(value - right) > 1e-12:
        return (
            f"At F′ = 0.9, ε = 1, δ = 0.01 you give {value:.4g}. There 1 − F′ ≤ e^ε(1 − F) + δ binds: solve it for F,"
            f" and take the smaller of the two."
        )
    return None


def _exact(step):
    for epsilon, delta in PAIRS:
        for f in GRID:
            got, right = float(step(f, epsilon, delta)), float(privacy.feasible_region(f, epsilon, delta)[1])
            if abs(got - right) > 1e-9:
                return (
                    f"At F′ = {f:.2f}, ε = {epsilon:g}, δ = {delta:g} you are {'above' if got > right else 'below'} the"
                    f" edge: {got:.4g}."
                )
    return None


LISTS = (
    ((0.5, 0.4, 0.2, 0.1), (0, 1)),
    ((0.5, 0.4, 0.2, 0.1), (2, 0)),
    ((0.5, 0.4, 0.2, 0.1), (2, 3)),
    ((0.9, 0.6, 0.5, 0.3, 0.1), (4, 0, 3)),
    ((0.9, 0.6, 0.5, 0.3, 0.1), (1, 3, 0)),
)


def list_price(answer: Callable[[tuple, tuple], float]) -> Report:
    """Exercise of 03b. answer(attraction, shown) -> Σ over the wrong items of the list: chance that it is read, times
    its gap to the best item that it stands for (Lemma 4). Items are numbered from 0, the most attractive first.
    """
    return report(
        answer,
        {
            "gives a number": _gives_a_price,
            "the best items in any order cost nothing": _right_items,
            "a wrong item in first place is read for certain": _first_place,
            "one below others is read if none of them attracts": _below,
            "pairs wrong items with missing ones, in order": _paired,
            "is never below the regret, nor above regret over (1 − w̄(1))^(K − 1)": _sandwich,
        },
    )


def _gives_a_price(price):
    return _no_number(price(*LISTS[1]), "the sum")


def _right_items(price):
    for shown in ((0, 1), (1, 0)):
        if abs(price(LISTS[0][0], shown)) > 1e-12:
            return f"The list {list(shown)} holds the two best items; you charge {price(LISTS[0][0], shown):.4g}."
    return None


def _first_place(price):
    value = price(*LISTS[1])
    if abs(value - 0.2) > 1e-12:
        return f"Item 2 stands first, for item 1: 1 · (0.4 − 0.2) = 0.2; you give {value:.4g}."
    return None


def _below(price):
    value = price(LISTS[1][0], (0, 2))
    if abs(value - 0.1) > 1e-12:
        return f"Item 2 is read if item 0 does not attract: 0.5 · (0.4 − 0.2) = 0.1; you give {value:.4g}."
    return None


def _paired(price):
    value, right = price(*LISTS[2]), 0.3 + 0.8 * 0.3
    if abs(value - right) > 1e-12:
        return (
            f"In [2, 3] item 2 stands for item 0 and item 3 for item 1: 1 · 0.3 + 0.8 · 0.3 = {right:.2f}; you give"
            f" {value:.4g}."
        )
    return None


def _sandwich(price):
    for attraction, shown in LISTS:
        found = cascades.price(attraction, shown)
        value = price(attraction, shown)
        if not found.regret - 1e-9 <= value <= found.regret / found.factor + 1e-9:
            return f"For {list(attraction)} and {list(shown)} the regret is {found.regret:.4g}; you give {value:.4g}."
        if abs(value - found.total) > 1e-9:
            return f"For {list(attraction)} and the list {list(shown)} you give {value:.4g}."
    return None
