"""The companions' checks accept right answers and name the usual mistakes."""

import math

import numpy as np
import pytest

from dpbandits import checks
from dpbandits.algorithms.kl import kl
from dpbandits.arguments.two_instances import central_price, local_price


def greedy(value, people, picks):
    chosen = []
    for _ in range(picks):
        rest = [u for u in range(1, people + 1) if u not in chosen]
        chosen.append(max(rest, key=lambda u: value([*chosen, u])))
    return chosen


def alone(value, people, picks):
    return sorted(range(1, people + 1), key=lambda u: -value([u]))[:picks]


def every(value, people, picks):
    from itertools import combinations

    return list(max(combinations(range(1, people + 1), picks), key=lambda some: value(list(some))))


@pytest.mark.parametrize(
    "answer, words",
    [
        (alone, "reaches nobody new"),
        (every, "you ask for"),
        (lambda value, people, picks: [1] * picks, "different people"),
        (lambda value, people, picks: None, "returned nothing"),
        (lambda value, people, picks: list(range(picks)), "integers from 1"),
        (lambda value, people, picks: list(range(1, picks + 1)), "reaches nobody new"),
        (lambda value, people, picks: 1 / 0, "ZeroDivisionError"),
    ],
)
def test_greedy_mistakes(answer, words):
    report = checks.greedy_choice(answer)
    assert not report and words in repr(report)


def theta(lift=lambda *given: None, spread=lambda size: size**-0.5):
    def draw(total, size, rank, epsilon, t, rng):
        return rng.normal(total / size + lift(size, rank, epsilon, t), spread(size))

    return draw


RIGHT = lambda size, rank, epsilon, t: 3 * math.log(rank * t) * rank / (epsilon * size)


@pytest.mark.parametrize(
    "answer, words",
    [
        (theta(lambda *given: 0.0), "where is the boost?"),
        (theta(lambda size, rank, epsilon, t: RIGHT(size, rank, epsilon, t) / rank), "ε₀ is ε/K"),
        (theta(lambda size, rank, epsilon, t: RIGHT(size, rank, epsilon, t) / 2), "lie around"),
        (theta(RIGHT, lambda size: 1 / size), "not a standard deviation"),
        (lambda total, size, rank, epsilon, t, rng: total / size, "Two draws are the same"),
        (
            lambda total, size, rank, epsilon, t, rng: (
                total / size + RIGHT(size, rank, epsilon, t) + rng.laplace(0, (2 * size) ** -0.5)
            ),
            "no normal one",
        ),
    ],
)
def test_boost_mistakes(answer, words):
    report = checks.boosted_draw(answer)
    assert not report and words in repr(report)


def rate(means, trust, epsilon):
    best, total = max(means), 0.0
    for p in means:
        if p < best:
            price = kl(p, best)
            if trust == "local":
                price = min(price, local_price(epsilon) * (best - p) ** 2)
            elif trust == "central":
                price = min(price, central_price(best - p, epsilon))
            total += (best - p) / price
    return total


@pytest.mark.parametrize(
    "answer, words",
    [
        (lambda means, trust, epsilon: None, "returned nothing"),
        (lambda means, trust, epsilon: np.inf, "finite number"),
        (lambda means, trust, epsilon: rate(means, "none", epsilon), "local, ε = 0.1 you give"),
        (
            lambda means, trust, epsilon: sum(1 / kl(p, max(means)) for p in means if p < max(means)),
            "what does each cost",
        ),
        (
            lambda means, trust, epsilon: (
                rate(means, "none", 1)
                if trust == "none"
                else sum(1 / (local_price(epsilon) * (max(means) - p)) for p in means if p < max(means))
            ),
            "a private learner is a learner",
        ),
    ],
)
def test_bound_mistakes(answer, words):
    report = checks.rebuilt_bound(answer)
    assert not report and words in repr(report)


def test_right_answers_pass():
    assert checks.greedy_choice(greedy) and checks.boosted_draw(theta(RIGHT)) and checks.rebuilt_bound(rate)
