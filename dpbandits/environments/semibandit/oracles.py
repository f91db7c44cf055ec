"""Oracles as Python functions: those of the instances, and how good a learner's own one is."""

from collections.abc import Callable, Sequence
from operator import index

import numpy as np

from dpbandits.environments.instance import Instance
from dpbandits.environments.semibandit.decisions import LISTED, TOP_K
from dpbandits.environments.semibandit.instances import worth
from dpbandits.environments.semibandit.problem import choose, new_round
from dpbandits.parameters import SEED, Parameter, check_function


def oracle_of(instance: Instance, seed: int = 0) -> Callable[[Sequence[float]], tuple[int, ...]]:
    """The instance's own oracle: oracle(means) -> super arm, base arms numbered from 1 in increasing order."""
    problem, rng = _problem(instance), np.random.default_rng(SEED.check(seed))
    arms, _, work = new_round(problem)

    def oracle(means) -> tuple[int, ...]:
        estimates = np.asarray(means, float)
        if estimates.shape != problem.means.shape or np.isnan(estimates).any():
            wanted = f"there must be one number, not NaN, for each of the {problem.means.size} arms"
            raise ValueError(f"means of shape {estimates.shape} is not allowed: {wanted}.")
        size = choose(problem, estimates, arms, work, rng)
        return tuple(int(arm) + 1 for arm in arms[:size])

    return oracle


def measure_oracle(
    instance: Instance, oracle: Callable, trials: int = 200, alpha: float | None = None, seed: int = 0
) -> tuple[float, float]:
    """How near to the best an oracle(means) -> super arm (base arms from 1) comes, at random means in [0, 1].

    Returns the least ratio of its reward to the best, and the share of trials with a ratio of at least `alpha` (the
    instance's α when left out): estimates of α and β. Raises ValueError where it leaves the decision set.
    """
    trials = Parameter("trials", "", kind="integer", low=1).check(trials)
    check_function("oracle", oracle, ("means",))
    problem, rng, ratios = _problem(instance), np.random.default_rng(SEED.check(seed)), []
    wanted = instance.facts["alpha"] if alpha is None else Parameter("alpha", "", low=0, high=1).check(alpha)
    sets = (
        None
        if instance.super_arms is None
        else {tuple(int(a) for a in s): number for number, s in enumerate(instance.super_arms)}
    )
    for _ in range(trials):
        means = rng.random(problem.means.size) ** rng.choice([0.2, 1, 5])  # high, even and low ones
        chosen = oracle(means.copy())
        arms = _member(chosen, sets, problem)
        if sets is None:
            best = worth(problem.reward, means, np.argsort(-means)[: problem.decisions.size])
        else:
            best = max(worth(problem.reward, means, s, _table(problem, number)) for s, number in sets.items())
        reached = worth(problem.reward, means, arms, _table(problem, sets[arms] if sets else 0))
        ratios.append(reached / best if best > 0 else 1.0)
    return min(ratios), float(np.mean(np.array(ratios) >= wanted - 1e-12))


def _problem(instance: Instance):
    if instance.setting != "semi-bandit":
        raise ValueError(f"instance = {instance.name} is not allowed: it must be of the semi-bandit setting.")
    return instance.problem[0]


def _table(problem, number: int) -> int:
    return number if problem.decisions.kind == LISTED else 0


def _member(chosen, sets, problem) -> tuple[int, ...]:
    """The super arm with arms from 0, if the decision set holds it."""
    try:
        arms = tuple(sorted(index(arm) - 1 for arm in chosen))
    except TypeError:
        raise ValueError(
            f"oracle is not allowed: it returned {chosen!r}; it must return the base arms of a super arm, integers from"
            " 1 on."
        ) from None
    if problem.decisions.kind == TOP_K:
        allowed = (
            len(set(arms)) == len(arms) == problem.decisions.size and 0 <= arms[0] and arms[-1] < problem.means.size
        )
    else:
        allowed = arms in sets
    if not allowed:
        raise ValueError(
            f"oracle is not allowed: it returned {tuple(a + 1 for a in arms)}, which is outside the decision set."
        )
    return arms
