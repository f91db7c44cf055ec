"""Exercise of 03_cascading: reports that hide where the click was."""

import math
from collections.abc import Callable

import numpy as np

from dpbandits.checks.report import Report, report
from dpbandits.privacy.audit import Audit, best_event

POSITIONS, PLAYED = 3, 8_000  # items in a list, and reports that are drawn for every click position


def padded_reports(answer: Callable[[int, int, float, np.random.Generator], np.ndarray]) -> Report:
    """Exercise of 03_cascading. answer(position, list_size, epsilon, rng) -> the reports of a user who clicks at `position`.

    position: 1..list_size, or list_size + 1 for no click.
    """
    return report(
        answer,
        {
            "sends as many reports, whatever was clicked": _sends_as_many,
            "a report is random": _draws_noise,
            "on average 1 where the click was, else 0": _reports_the_click,
            "no event tells more than ε": _hides_the_click,
        },
    )


def _drawn(answer, position, epsilon=1.0, count=PLAYED):
    rng = np.random.default_rng(position)
    return np.array([np.asarray(answer(position, POSITIONS, epsilon, rng), float) for _ in range(count)])


def _sends_as_many(answer):
    rng = np.random.default_rng(0)
    for list_size in (1, 2, 5):
        reports = [answer(position, list_size, 1.0, rng) for position in range(1, list_size + 2)]
        if any(r is None for r in reports):
            return "Your function returned nothing: end it with `return reports`."
        for position, sent in enumerate((np.size(r) for r in reports), 1):
            if sent != list_size:
                where = f"clicks at position {position}" if position <= list_size else "does not click"
                return f"Of a list of {list_size}, a user who {where} sends {sent}: send {list_size}, always. Their number must say nothing."
    return None


def _draws_noise(answer):
    one, other = _drawn(answer, 1, count=2)
    return None if (one != other).all() else f"Two users who click at position 1 send {one} and {other}: draw fresh noise for every report."


def _reports_the_click(answer):
    for position in range(1, POSITIONS + 2):
        reports = _drawn(answer, position)
        wanted = np.arange(1, POSITIONS + 1) == position
        worst = int(np.argmax(np.abs(reports.mean(axis=0) - wanted)))
        if not abs(reports[:, worst].mean() - wanted[worst]) <= 6 * reports[:, worst].std() / math.sqrt(PLAYED):
            return f"After a click at position {position}, report {worst + 1} is {reports[:, worst].mean():.2f} on average; it should be {wanted[worst]:d}."
    return None


def _hides_the_click(answer):
    for epsilon in (0.5, 2.0):
        reports = [_drawn(answer, position, epsilon) for position in range(1, POSITIONS + 2)]
        seen = [np.digitize(r, [0, 1]) @ 3 ** np.arange(POSITIONS) for r in reports]  # each below 0, up to 1, or above
        for one in range(POSITIONS + 1):
            for other in range(POSITIONS + 1):
                audit = best_event(seen[one], seen[other]) if one != other else Audit(0, 1, 0, 1)
                if audit.epsilon() > epsilon:
                    names = [f"a click at {p + 1}" if p < POSITIONS else "no click" for p in (one, other)]
                    return (
                        f"At ε = {epsilon:g} some reports tell {names[0]} from {names[1]}: {audit}."
                        " Two reports change when a click moves from one position to another; which scale hides both?"
                    )
    return None
