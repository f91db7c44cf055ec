"""Exercises of the companions: a greedy oracle, a boosted draw, a lower bound from two instances."""

import itertools
import math
from collections.abc import Callable

import numpy as np
from scipy import stats

from dpbandits.arguments import influence
from dpbandits.arguments.chandak import boost
from dpbandits.arguments.two_instances import pulls_needed
from dpbandits.checks.report import Report, report

# ---- 04b: an oracle that is nearly right ------------------------------------------------------------------------


def greedy_choice(answer: Callable[[Callable, int, int], list[int]]) -> Report:
    """Exercise of 04b. answer(value, people, picks) -> the people chosen (from 1); value(list of people) -> reach."""
    return report(
        answer,
        {
            "so many different people": _right_number,
            "looks at what somebody adds, not at what they are worth alone": _sees_overlap,
            "keeps greedy's promise on every town tried": _keeps_promise,
            "asks for few values": _asks_little,
        },
    )


def _covering(sets):
    return lambda chosen: float(len(set().union(*(sets[u - 1] for u in chosen)))) if len(chosen) else 0.0


def _asked(answer, sets, picks):
    """(what it chose, the value function, how often it asked)."""
    count, plain = [0], _covering(sets)

    def value(chosen):
        count[0] += 1
        return plain(list(chosen))

    return answer(value, len(sets), picks), plain, count[0]


def _right_number(answer):
    sets = [{1, 2, 3}, {3, 4}, {5}, {1, 2}]
    for picks in (1, 2, 3):
        chosen, _, _ = _asked(answer, sets, picks)
        if chosen is None:
            return "Your function returned nothing: end it with `return chosen`."
        chosen = list(chosen)
        if len(chosen) != picks or len(set(chosen)) != picks:
            return f"For picks = {picks} you return {chosen}: give {picks} different people."
        if any(isinstance(u, bool) or not isinstance(u, int | np.integer) or not 1 <= u <= 4 for u in chosen):
            return f"You return {chosen}: people are the integers from 1 to 4 here."
    return None


def _sees_overlap(answer):
    sets = [{1, 2, 3, 4}, {2, 3, 4}, {5, 6}]
    chosen, value, _ = _asked(answer, sets, 2)
    if value(chosen) < 6:
        twice = "the second of them reaches nobody new"
        return (
            f"Person 1 reaches 1 to 4, person 2 reaches 2 to 4, person 3 reaches 5 and 6. You take {chosen}: {twice}."
        )
    return None


def _keeps_promise(answer):
    rng = np.random.default_rng(0)
    for _ in range(60):
        people, picks = int(rng.integers(4, 8)), int(rng.integers(2, 4))
        sets = [set(np.flatnonzero(rng.random(12) < rng.choice([0.2, 0.5])).tolist()) for _ in range(people)]
        chosen, value, _ = _asked(answer, sets, picks)
        top = max(value(some) for some in itertools.combinations(range(1, people + 1), picks))
        alpha = influence.promise(picks)
        if value(chosen) < alpha * top - 1e-9:
            reached = f"you reach {value(chosen):g} of {top:g}, and greedy at least {alpha:.3f} of it"
            return f"In one town of {people} people, picks = {picks}, {reached}."
    return None


def _asks_little(answer):
    rng = np.random.default_rng(1)
    sets = [set(np.flatnonzero(rng.random(40) < 0.2).tolist()) for _ in range(20)]
    _, _, count = _asked(answer, sets, 4)
    if count > 200:
        return f"With 20 people and picks = 4 you ask for {count:,} values; greedy needs fewer than 100."
    return None


# ---- 05b: the boost ---------------------------------------------------------------------------------------------


def boosted_draw(answer: Callable[..., float]) -> Report:
    """Exercise of 05b. answer(total, size, rank, epsilon, t, rng) -> θ of DPTS-MAT; total: the noisy sum of a batch."""
    return report(
        answer,
        {
            "a fresh number each time": _fresh,
            "spread: one over the root of the batch": _spread,
            "centre: the noisy mean, and the boost": _centre,
            "and it is a normal law": _normal,
        },
    )


DRAWS = 4000
CASES = ((13.0, 16, 3, 1.0, 50), (1.0, 1, 1, 4.0, 2), (50.0, 64, 5, 0.5, 1000))


def _drawn(answer, case, count=DRAWS):
    rng = np.random.default_rng(7)
    return np.array([float(answer(*case, rng)) for _ in range(count)])


def _fresh(answer):
    one, other = _drawn(answer, CASES[0], 2)
    return "Two draws are the same number: use rng." if one == other else None


def _spread(answer):
    for case in CASES:
        measured, wanted = float(_drawn(answer, case).std()), 1 / math.sqrt(case[1])
        if abs(measured / wanted - 1) > 0.08:  # 7 standard errors
            hint = " (A variance is not a standard deviation.)" * (abs(measured * case[1] - 1) < 0.1)
            return f"For a batch of {case[1]} your draws spread by {measured:.3f}; the law has {wanted:.3f}.{hint}"
    return None


def _centre(answer):
    for case in CASES:
        total, size, rank, epsilon, t = case
        measured, added = float(_drawn(answer, case).mean()), boost(size, rank, epsilon, t)
        wanted, error = total / size + added, 6 / math.sqrt(size * DRAWS)
        if abs(measured - wanted) <= error:
            continue
        if abs(measured - total / size) <= error:
            return f"For {case[:5]} your draws lie around {measured:.3f}, the noisy mean itself: where is the boost?"
        if abs(measured - total / size - added / rank) <= error:
            return f"For {case[:5]} your boost is K = {rank} times too small: ε₀ is ε/K."
        return f"For (total, size, K, ε, t) = {case[:5]} your draws lie around {measured:.3f}, not {wanted:.3f}."
    return None


def _normal(answer):
    total, size, rank, epsilon, t = CASES[0]
    centre = total / size + boost(size, rank, epsilon, t)
    law = stats.norm(centre, 1 / math.sqrt(size))
    if stats.kstest(_drawn(answer, CASES[0]), law.cdf).pvalue < 1e-6:
        return "Centre and spread are right, but the law is no normal one."
    return None


# ---- 06b: a lower bound -----------------------------------------------------------------------------------------


def rebuilt_bound(answer: Callable[[list[float], str, float], float]) -> Report:
    """Exercise of 06b. answer(means, trust, epsilon) -> liminf R(T)/ln T at least; trust: none, local or central."""
    return report(
        answer,
        {
            "gives a number": _a_number,
            "without privacy: Lai and Robbins": lambda answer: _matches(answer, "none"),
            "local: contraction": lambda answer: _matches(answer, "local"),
            "central: coupling": lambda answer: _matches(answer, "central"),
            "privacy never makes it easier": _never_easier,
            "arms that tie with the best cost nothing": _ties,
        },
    )


def _rate(means, trust, epsilon):
    best = max(means)
    return sum((best - p) * pulls_needed(p, best, trust, epsilon) for p in means if p < best)


def _a_number(answer):
    found = answer([0.5, 0.4], "none", 1.0)
    if found is None:
        return "Your function returned nothing: end it with `return rate`."
    if not isinstance(found, int | float | np.floating) or not math.isfinite(found):
        return f"Your function returned {found!r}: give a finite number."
    return None


def _matches(answer, trust):
    for means, epsilon in (([0.5, 0.4], 0.1), ([0.6, 0.3, 0.5], 0.5), ([0.5, 0.45, 0.2, 0.1], 0.05)):
        found, wanted = float(answer(list(means), trust, epsilon)), _rate(means, trust, epsilon)
        if abs(found / wanted - 1) <= 1e-6:
            continue
        told = f"For means {means}, {trust}, ε = {epsilon:g} you give {found:,.4g}; the arguments give {wanted:,.4g}."
        plays = sum(pulls_needed(p, max(means), trust, epsilon) for p in means if p < max(means))
        return told + (" That is the number of plays: what does each cost?" if abs(found / plays - 1) < 1e-6 else "")
    return None


def _never_easier(answer):
    for trust in ("local", "central"):
        found, plain = float(answer([0.5, 0.4], trust, 20.0)), _rate([0.5, 0.4], "none", 1.0)
        if found < plain * (1 - 1e-6):
            easier = "a private learner is a learner: take the larger of two lower bounds"
            return f"At ε = 20, {trust}, you give {found:.3g}, below {plain:.3g} without privacy: {easier}."
    return None


def _ties(answer):
    found, wanted = float(answer([0.5, 0.5, 0.4], "none", 1.0)), _rate([0.5, 0.5, 0.4], "none", 1.0)
    return None if abs(found / wanted - 1) <= 1e-6 else f"For [0.5, 0.5, 0.4] you give {found:.4g}, not {wanted:.4g}."
