"""Exercise of 04_semibandits: the one message of a user of CUCB-LDP2."""

import itertools
import math
from collections.abc import Callable, Mapping

import numpy as np

from dpbandits.checks.report import Report, report
from dpbandits.privacy.audit import best_event

COUNTS = {3: 4, 5: 2, 8: 2, 9: 7}  # reports so far on the arms of a route; 5 and 8 are the least reported
OTHER_COUNTS = {3: 1, 5: 6, 8: 2, 9: 7}  # one least reported arm, and it is another one
ROUTES = [
    {3: a, 5: b, 8: c, 9: d} for a, b, c, d in ((1, 0, 0, 0), (0, 1, 0, 1), (0, 0, 1, 0), (1, 1, 1, 1), (0, 0, 0, 0))
]
DRAWN = 8_000  # messages of one user


def one_message(
    answer: Callable[[Mapping[int, float], Mapping[int, int], float, np.random.Generator], tuple[int, float]],
) -> Report:
    """Exercise of 04_semibandits. answer(outcomes, counts, epsilon, rng) -> (arm, report): what a user sends.

    outcomes: arm -> outcome in [0, 1], of the arms that were played. counts: arm -> reports so far, of the same arms;
    public.
    """
    return report(
        answer,
        {
            "sends an arm that was played, and a number": _sends_a_pair,
            "it is a least reported arm": _sends_the_least,
            "which arm it is, the outcomes do not tell": _arm_is_public,
            "the report is right on average": _is_unbiased,
            "the message is ε-private": _keeps_its_promise,
            "with no more noise than that takes": _wastes_no_noise,
        },
    )


def _messages(answer, outcomes, epsilon=1.0, count=DRAWN, counts=COUNTS):
    """Arms and reports of `count` users with these outcomes."""
    rng = np.random.default_rng(sum(2**i * bool(x) for i, x in enumerate(outcomes.values())))
    pairs = [answer(dict(outcomes), dict(counts), epsilon, rng) for _ in range(count)]
    return np.array([p[0] for p in pairs]), np.array([float(p[1]) for p in pairs])


def _sends_a_pair(answer):
    rng = np.random.default_rng(0)
    for outcomes in ROUTES:
        message = answer(dict(outcomes), dict(COUNTS), 1.0, rng)
        if message is None:
            return "Your function returned nothing: end it with `return arm, report`."
        if np.shape(message) != (2,):
            return f"Your function returned {message!r}; give two values, the arm and the report."
        if message[0] not in outcomes:
            return f"Arms {', '.join(map(str, outcomes))} were played, and you report on {message[0]!r}."
    return None


def _sends_the_least(answer):
    for (counts, fewer), outcomes in itertools.product(
        ((COUNTS, "arms 5 and 8 have"), (OTHER_COUNTS, "arm 3 has")), ROUTES
    ):
        for arm in np.unique(_messages(answer, outcomes, count=50, counts=counts)[0]).tolist():
            if counts[arm] > min(counts.values()):
                return f"With counts {counts} and outcomes {outcomes} you report on arm {arm}; {fewer} fewer reports."
    return None


def _arm_is_public(answer):
    drawn = [_messages(answer, outcomes)[0] for outcomes in ROUTES]
    shares = [float((arms == 5).mean()) for arms in drawn]
    low, high = int(np.argmin(shares)), int(np.argmax(shares))
    if shares[high] - shares[low] > 6 * math.sqrt(0.5 / DRAWN):
        one, other = ROUTES[high], ROUTES[low]
        return (
            f"Arms 5 and 8 are level. Of users with outcomes {one} you ask about 5 in {shares[high]:.0%} of the cases,"
            f" with {other} in {shares[low]:.0%}: the arm tells the outcomes, with no noise on it. Break ties without"
            " looking."
        )
    return None


def _is_unbiased(answer):
    for outcomes in ROUTES:
        arms, reports = _messages(answer, outcomes)
        for arm in np.unique(arms).tolist():
            own = reports[arms == arm]
            if not abs(own.mean() - outcomes[arm]) <= 6 * own.std() / math.sqrt(own.size) + 1e-9:
                return f"Arm {arm} had outcome {outcomes[arm]}, and your report on it is {own.mean():.2f} on average."
    return None


def _keeps_its_promise(answer):
    for epsilon in (0.5, 2.0):
        seen = []
        for outcomes in ROUTES:
            arms, reports = _messages(answer, outcomes, epsilon)
            seen.append(np.digitize(reports, [-1.0, 0.0, 0.5, 1.0, 2.0]) + 6 * np.searchsorted(list(COUNTS), arms))
        for one, other in itertools.permutations(range(len(ROUTES)), 2):
            audit = best_event(seen[one], seen[other])
            if audit.epsilon() > epsilon:
                told = (
                    f"At ε = {epsilon:g} some message tells the outcomes {ROUTES[one]} from {ROUTES[other]}: {audit}."
                )
                if _arm_is_public(answer):
                    return f"{told} First let the arm tell nothing; no noise on the report can mend that."
                return f"{told} One outcome in [0, 1] is sent, about an arm that is known anyway; which scale hides it?"
    return None


def _wastes_no_noise(answer):
    for epsilon in (0.5, 2.0):
        spread, needed = float(_messages(answer, ROUTES[4], epsilon)[1].std()), math.sqrt(2) / epsilon
        if not spread <= 1.25 * needed:
            return (
                f"At ε = {epsilon:g} your report has a standard deviation of {spread:.2f}; Lap(1/ε) has {needed:.2f}"
                " and is enough, whatever K is."
            )
    return None
