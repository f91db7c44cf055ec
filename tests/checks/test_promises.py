"""The self-check of 08_fair_race accepts the right start phase, and names what is wrong with each usual mistake."""

import math

import pytest

from dpbandits import account, checks
from dpbandits.checks import promises
from dpbandits.mechanisms.gaussian import epsilon_from_mu
from tests.checks.naming import named


def right(horizon, arms, mu):
    return math.ceil(horizon / (2 * mu**2 + arms))


def test_the_right_start_passes():
    assert checks.longer_start(right) and checks.longer_start(promises.fewest)


def test_the_right_answer_is_the_accountants():
    """With ⌈1/(4πδ²)⌉ pulls before the first draw, at ε = 0, the ledger has μ² of just this many draws."""
    for horizon, arms, mu in ((20_000, 9, 1.0), (20_000, 9, 0.25)):
        pulls = promises.fewest(horizon, arms, mu)
        delta = 1 / math.sqrt(4 * math.pi * (pulls - 1e-6))
        ceiling = account("dp-ftpl-gauss", "wang-zhu-1", horizon=horizon, epsilon=0, delta=delta)
        assert ceiling.ledger.alternatives[0][0].squares == pytest.approx(promises.squares(horizon, arms, pulls))
        assert ceiling.epsilon <= epsilon_from_mu(1e-5, mu) * (1 + 1e-9)
        assert promises.squares(horizon, arms, pulls - 1) > mu**2


@pytest.mark.parametrize(
    "answer, name, words",
    [
        (lambda horizon, arms, mu: None, "gives a number of pulls", "returned nothing"),
        (lambda horizon, arms, mu: horizon / (2 * mu**2 + arms), "gives a number of pulls", "math.ceil"),
        (lambda horizon, arms, mu: 0, "gives a number of pulls", "n >= 1"),
        (lambda horizon, arms, mu: max(1, math.ceil(1 / (2 * mu**2))), "every draw counts", "all later rounds"),
        (lambda horizon, arms, mu: math.ceil(horizon / (2 * mu**2)), "every draw counts", "nothing is drawn"),
        (lambda horizon, arms, mu: max(1, horizon // int(2 * mu**2 + arms + 1)), "the promise is kept", "is allowed"),
        (lambda horizon, arms, mu: right(horizon, arms, mu) + 1, "and no pull is wasted", "would do"),
        (lambda horizon, arms, mu: 3_000, "a longer horizon asks for more", "goes from 3,000"),
        (
            lambda horizon, arms, mu: right(horizon, arms, mu) + (horizon == 500),
            "it never goes on beyond the horizon",
            "nothing is left",
        ),
        (lambda horizon, arms, mu: 1 // 0, "gives a number of pulls", "ZeroDivisionError"),
    ],
)
def test_a_usual_mistake_is_named(answer, name, words):
    named(checks.longer_start(answer), name, words)
