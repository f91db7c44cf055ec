"""The exercises of the companions 02b and 03b: right answers pass, usual mistakes are named."""

import math

import pytest

from dpbandits import checks
from dpbandits.arguments import cascades


def step(F, epsilon, delta):
    first = math.exp(epsilon) * F + delta
    second = 1 - math.exp(-epsilon) * (1 - F - delta)
    return min(1, first, second)


WRONG_STEPS = {
    "gives a number": lambda F, e, d: None,
    "starts with δ": lambda F, e, d: F,
    "never falls, never passes 1": lambda F, e, d: math.exp(e) * F + d,
    "with ε = 0 it rises by δ": lambda F, e, d: step(F, max(e, 0.1), d),
    "in the lower half the first inequality rules": lambda F, e, d: min(1, F + d),
    "in the upper half the second one does": lambda F, e, d: min(1, math.exp(e) * F + d),
    "is the edge of Lemma 8 everywhere": lambda F, e, d: step(F, e, d) if e != 2.0 or F < 0.6 else F,
}


def price(attraction, shown):
    return cascades.price(attraction, shown).total


def unread(attraction, shown):
    return sum(w.gap for w in cascades.price(attraction, shown).wrong)


def unpaired(attraction, shown):
    size = len(shown)
    missing = [e for e in range(size) if e not in shown][::-1]
    return sum(
        w.read * (attraction[e] - attraction[w.item])
        for w, e in zip(cascades.price(attraction, shown).wrong, missing, strict=True)
    )


WRONG_PRICES = {
    "gives a number": lambda a, s: [1, 2],
    "the best items in any order cost nothing": lambda a, s: price(a, s) + 0.01,
    "a wrong item in first place is read for certain": lambda a, s: price(a, s) * 0.5,
    "one below others is read if none of them attracts": unread,
    "pairs wrong items with missing ones, in order": unpaired,
    "is never below the regret, nor above regret over (1 − w̄(1))^(K − 1)": lambda a, s: (
        price(a, s) if len(s) < 3 else cascades.price(a, s).regret
    ),
}


def test_right_answers_pass():
    assert checks.next_cell(step) and checks.list_price(price)


@pytest.mark.parametrize("wrong", WRONG_STEPS)
def test_a_wrong_step_is_named(wrong):
    report = checks.next_cell(WRONG_STEPS[wrong])
    assert not report and report.findings[wrong]


@pytest.mark.parametrize("wrong", WRONG_PRICES)
def test_a_wrong_price_is_named(wrong):
    report = checks.list_price(WRONG_PRICES[wrong])
    assert not report and report.findings[wrong]
