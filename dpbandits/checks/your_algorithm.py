"""Exercises of 07_your_algorithm: a policy of one's own."""

from collections.abc import Callable, Mapping

import numpy as np

from dpbandits import simulate
from dpbandits.algorithms.catalogue import as_algorithm
from dpbandits.algorithms.record import Algorithm
from dpbandits.checks.report import Report, report
from dpbandits.environments import build
from dpbandits.own.policy import claim
from dpbandits.own.smoke import smoke_test
from dpbandits.randomness import seed_sequence, streams

#: A small problem of each setting.
PROBLEMS = {
    "stochastic": ("two-arms", {}),
    "cascade": ("cascade", {"attraction": (0.5, 0.4, 0.2), "list_size": 2}),
    "semi-bandit": ("top-k", {"means": (0.5, 0.4, 0.2), "list_size": 2}),
    "matroid": ("uniform-matroid", {"means": (0.5, 0.4, 0.2), "list_size": 2}),
}
REPORTED = np.array([1, 2, 7, 40, 200])


def policy(answer: Callable) -> Report:
    """Whether a function can be played: its arguments, what it returns, and where its random numbers come from."""
    return report(answer, PLAYABLE, len(PLAYABLE))


def private_policy(answer: Callable) -> Report:
    """Exercise of 07_your_algorithm: a stochastic policy with a parameter epsilon that learns and is ε-private as a
    transcript.
    """
    further = {
        "it has a parameter epsilon": _takes_epsilon,
        "no event tells more than ε": _survives,
        "it learns": _learns,
    }
    return report(answer, PLAYABLE | further, len(PLAYABLE) + 1)


def _played(answer, seed=0) -> tuple[np.ndarray, Mapping]:
    """What one run returns, as it is, and the facts of its instance."""
    record = as_algorithm(answer)
    name, parameters = PROBLEMS[record.setting]
    instance, own = build(name, **parameters), streams(seed_sequence(seed, "checks"))
    return record.run(instance.problem, int(REPORTED[-1]), REPORTED, own, record.bind({}))[0], instance.facts


def _fits_a_setting(answer):
    if not callable(answer) and not isinstance(answer, Algorithm):
        return f"You gave {answer!r}; give the function itself."
    try:
        as_algorithm(answer)
    except ValueError as error:
        return str(error)
    return None


def _returns_regret(answer):
    regret, _ = _played(answer)
    if regret is None:
        return "Your function returned nothing: end it with `return regret`."
    if np.shape(regret) != REPORTED.shape:
        return (
            f"Asked for regret at {REPORTED.size} checkpoints, your function returned the shape {np.shape(regret)};"
            f" ({REPORTED.size},) is right."
        )
    return None


def _is_finite(answer):
    regret = np.asarray(_played(answer)[0], float)
    bad = np.flatnonzero(~np.isfinite(regret))
    return (
        f"At round {REPORTED[bad[0]]} your regret is {regret[bad[0]]}; it must be a finite number."
        if bad.size
        else None
    )


def _is_a_regret(answer):
    regret, facts = _played(answer)
    worst = facts.get("worst_regret", facts["gap_max"])
    if "worst_regret" in facts and (np.diff(regret, prepend=0) < -1e-9).any():
        return (
            f"Regret adds up what each round lost, so it cannot fall; yours is {np.round(regret, 3)} at rounds"
            f" {REPORTED}."
        )
    if (above := np.flatnonzero(regret > worst * REPORTED + 1e-9)).size:
        t = REPORTED[above[0]]
        return (
            f"At round {t} your regret is {regret[above[0]]:.4g}; the worst policy loses {worst:.4g} a round,"
            f" {worst * t:.4g} by then."
        )
    return None


def _repeats_itself(answer):
    one, other = (_played(answer)[0] for _ in range(2))
    return (
        None
        if np.array_equal(one, other)
        else "Two runs with the same streams differ: draw all random numbers from `streams`."
    )


def _takes_rewards_one_by_one(answer):
    if as_algorithm(answer).setting == "cascade":
        return None
    try:
        smoke_test(answer, trials=8)
    except ValueError as error:
        return str(error)
    return None


PLAYABLE = {
    "its arguments are those of a setting": _fits_a_setting,
    "it returns regret at every checkpoint": _returns_regret,
    "without NaN or infinity": _is_finite,
    "and the regret can be one": _is_a_regret,
    "all randomness comes from the streams": _repeats_itself,
    "rewards are taken one by one": _takes_rewards_one_by_one,
}


def _takes_epsilon(answer):
    record = as_algorithm(answer)
    if record.setting != "stochastic":
        return f"This exercise is of the stochastic setting; your function is of the {record.setting} one."
    return (
        None if "epsilon" in {p.name for p in record.parameters} else "Give your function a parameter: `epsilon=1.0`."
    )


#: (ε, rounds, runs, long): short games as the chapter plays them; a policy that is silent in all of them gets a
#: long one,
#: on arms so close that what it learned from one user may decide.
GAMES = ((1.0, 10, 10_000, False), (1.0, 20, 40_000, False), (0.5, 40, 10_000, False), (1.0, 4000, 1000, True))


def _survives(answer):
    claimed, moved = claim(answer, "The exercise asks for it."), False
    for epsilon, horizon, trials, long in GAMES:
        if long and moved:
            break
        game = {"horizon": horizon, "epsilon": epsilon, "long": long} | ({"gap": 0.01} if long else {})
        test = smoke_test(claimed, "two-arms", trials=100, **game)
        if not test.silent:
            test = smoke_test(claimed, "two-arms", trials=trials, **game)
        moved |= not test.silent
        if test.refuted:
            return (
                f"At ε = {epsilon:g}, in {horizon} rounds: {test.selections}: {test.finding.audit}."
                " How many releases does one reward enter?"
            )
    return (
        None
        if moved
        else "In 4000 rounds it always selected the same: no test can see it. Let it release something sooner."
    )


def _learns(answer):
    result = simulate(answer, "two-arms", horizon=5000, runs=20, seed=0, epsilon=5.0)
    lost, blind = result.regret.isel(round=-1).mean().item(), 5000 * build("two-arms").uniform_regret
    return (
        None
        if lost < blind / 2
        else (
            f"At ε = 5 it loses {lost:.0f} in 5000 rounds on two arms; choosing blindly loses {blind:.0f}. Half of that"
            " should do."
        )
    )
