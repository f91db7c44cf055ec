"""The self-check of 04_semibandits passes right messages, and names each usual mistake."""

import numpy as np
import pytest

from dpbandits import checks
from tests.checks.naming import named


def least(outcomes, counts, rng):
    return rng.choice([arm for arm in outcomes if counts[arm] == min(counts.values())])


def message(
    pick=lambda outcomes, counts, rng: least(outcomes, counts, rng),
    scale=lambda outcomes, epsilon: 1 / epsilon,
    factor=1.0,
):
    def sent(outcomes, counts, epsilon, rng):
        arm = pick(outcomes, counts, rng)
        return arm, factor * outcomes[arm] + rng.laplace(0, scale(outcomes, epsilon))

    return sent


def randomised_response(outcomes, counts, epsilon, rng):
    """Also ε-private and unbiased, with less noise than Laplace's at ε = 2."""
    arm = least(outcomes, counts, rng)
    keep = 1 / (1 + np.exp(-epsilon))
    bit = rng.random() < (keep if rng.random() < outcomes[arm] else 1 - keep)
    return arm, (bit - (1 - keep)) / (2 * keep - 1)


def first_least(outcomes, counts, rng):
    return min(outcomes, key=counts.get)


@pytest.mark.parametrize("answer", [message(), message(first_least), randomised_response])
@pytest.mark.slow
def test_right_messages_pass(answer):
    report = checks.one_message(answer)
    assert report and len(report.findings) == 6, repr(report)


@pytest.mark.parametrize(
    "answer, name, words",
    [
        (lambda outcomes, counts, epsilon, rng: None, "sends an arm", "returned nothing"),
        (lambda outcomes, counts, epsilon, rng: 0.5, "sends an arm", "returned 0.5"),
        (lambda outcomes, counts, epsilon, rng: (7, 0.5), "sends an arm", "you report on 7"),
        (
            message(lambda outcomes, counts, rng: max(outcomes, key=outcomes.get)),
            "it is a least",
            "arms 5 and 8 have fewer",
        ),
        (
            message(lambda outcomes, counts, rng: 5 if outcomes[5] >= outcomes[8] else 8),
            "which arm",
            "Break ties without looking",
        ),
        (
            message(lambda outcomes, counts, rng: rng.choice(sorted(counts, key=counts.get)[:2])),
            "it is a least",
            "arm 3 has fewer",
        ),
        (message(factor=0.0), "the report is right", "your report on it is"),
        (message(scale=lambda outcomes, epsilon: 0.5 / epsilon), "the message is", "which scale hides it?"),
        (
            message(lambda outcomes, counts, rng: 5 if outcomes[5] >= outcomes[8] else 8),
            "the message is",
            "let the arm tell nothing",
        ),
        (message(scale=lambda outcomes, epsilon: len(outcomes) / epsilon), "with no more", "whatever K is"),
    ],
)
@pytest.mark.slow
def test_a_usual_mistake_is_named(answer, name, words):
    named(checks.one_message(answer), name, words)
