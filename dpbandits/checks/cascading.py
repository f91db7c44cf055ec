"""Exercise of 03_cascading: reports that hide where the click was."""

import itertools
import math
from collections.abc import Callable

import numpy as np

from dpbandits.checks.report import Report, report
from dpbandits.privacy.audit import best_event

POSITIONS, PLAYED = 3, 16_000  # items in a list, and users that are drawn for every click position
CONFIDENCE = 1 - 1e-8  # of each bound on ε: all together accuse a private answer at most once in a million
SUMS = np.arange(-8, 8.5, 0.5)  # where what the reports say for one click and against the other is cut into events


def padded_reports(answer: Callable[[int, int, float, np.random.Generator], np.ndarray]) -> Report:
    """Exercise of 03_cascading. answer(position, list_size, epsilon, rng) -> the reports of a user who clicks at
    `position`.

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


def _drawn(answer, position, epsilon=1.0, count=PLAYED, list_size=POSITIONS):
    rng = np.random.default_rng(position)
    return np.array([np.asarray(answer(position, list_size, epsilon, rng), float) for _ in range(count)])


def _sends_as_many(answer):
    rng = np.random.default_rng(0)
    for list_size in (1, 2, 5):
        reports = [answer(position, list_size, 1.0, rng) for position in range(1, list_size + 2)]
        if any(r is None for r in reports):
            return "Your function returned nothing: end it with `return reports`."
        for position, sent in enumerate((np.size(r) for r in reports), 1):
            if sent != list_size:
                where = f"clicks at position {position}" if position <= list_size else "does not click"
                return (
                    f"Of a list of {list_size}, a user who {where} sends {sent}: send {list_size}, always. Their number"
                    " must say nothing."
                )
    return None


def _draws_noise(answer):
    for position in range(1, POSITIONS + 2):
        reports = _drawn(answer, position, count=100)
        if (fixed := np.flatnonzero((reports == reports[0]).all(axis=0))).size:
            k = fixed[0]
            where = f"click at position {position}" if position <= POSITIONS else "do not click"
            return (
                f"100 users who {where} all send {reports[0, k]:.4g} as report {k + 1}: draw fresh noise for every"
                " report, read or not."
            )
    return None


def _reports_the_click(answer):
    for position in range(1, POSITIONS + 2):
        reports = _drawn(answer, position)
        wanted = np.arange(1, POSITIONS + 1) == position
        worst = int(np.argmax(np.abs(reports.mean(axis=0) - wanted)))
        if not abs(reports[:, worst].mean() - wanted[worst]) <= 6 * reports[:, worst].std() / math.sqrt(PLAYED):
            return (
                f"After a click at position {position}, report {worst + 1} is {reports[:, worst].mean():.2f} on"
                f" average; it should be {wanted[worst]:d}."
            )
    return None


def _hides_the_click(answer):
    for epsilon in (0.5, 2.0):
        for list_size in (2, POSITIONS):  # noise that grows with the list may do for a long one only
            reports = [_drawn(answer, position, epsilon, list_size=list_size) for position in range(1, list_size + 2)]
            for one, other in itertools.permutations(range(list_size + 1), 2):
                for see in (_signs, _evidence):
                    seen = (see(reports[which], one, other) for which in (one, other))
                    audit = best_event(*seen, confidence=CONFIDENCE)
                    if audit.epsilon() > epsilon:
                        names = [f"a click at {p + 1}" if p < list_size else "no click" for p in (one, other)]
                        return (
                            f"At ε = {epsilon:g}, K = {list_size}, some reports tell {names[0]} from {names[1]}:"
                            f" {audit}. A click that moves changes two reports: which noise hides both, drawn in the"
                            " same way wherever the click is?"
                        )
    return None


def _signs(reports, one, other):
    """Each report below 0, up to 1, or above."""
    return np.digitize(reports, [0, 1])


def _evidence(reports, one, other):
    """What the reports say for a click at `one` and against one at `other`."""
    padded = np.pad(reports, ((0, 0), (0, 1)))  # no click has no report
    return np.digitize(padded[:, one] - padded[:, other], SUMS)
