"""Semi-bandit instances from one's own list of super arms, reward and outcomes."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dpbandits.environments.instance import Instance
from dpbandits.environments.semibandit import outcomes as laws
from dpbandits.environments.semibandit import rewards
from dpbandits.environments.semibandit.decisions import listed
from dpbandits.environments.semibandit.instances import MOST_SUPER_ARMS, check_independence, semi_bandit
from dpbandits.parameters import MEANS, Parameter, check_all

SMOOTHNESS = Parameter(
    "smoothness", "B, the reward of one unit of outcome: it multiplies the reward", 1.0, low=0, open_low=True
)
REWARD = Parameter(
    "reward",
    "sum of the outcomes, their average, or the chance that one of them succeeds",
    "linear",
    kind="choice",
    choices=rewards.NAMES,
)
OUTCOMES = Parameter("outcomes", "law of the outcomes with these means", "bernoulli", kind="choice", choices=laws.NAMES)
SUPER_ARMS = Parameter(
    "super_arms",
    "the super arms, each a vector of base arms numbered from 1",
    ((1, 2), (2, 3), (3, 4), (4, 5)),
    kind="vectors",
    low=1,
)
UNEQUAL = Parameter("unequal", "whether super arms may have different sizes", False, kind="flag")
LIST_PARAMETERS = (MEANS.default_to((0.3, 0.4, 0.5, 0.6, 0.7)), SUPER_ARMS, REWARD, OUTCOMES, SMOOTHNESS, UNEQUAL)


def given_values(parameters: Sequence[Parameter], name: str, **values: object) -> dict[str, Any]:
    """Checked values of all parameters; None stands for the default."""
    return check_all(parameters, {key: value for key, value in values.items() if value is not None}, name)


def super_arms(
    means=None,
    super_arms=(),
    reward: str | Callable = "linear",
    outcomes="bernoulli",
    smoothness=1.0,
    unequal=False,
    *,
    group=None,
    name="super-arms",
) -> Instance:
    """An explicit list of super arms (base arms numbered from 1); the oracle compares them all.

    reward: "linear", "average" (for super arms of one size), "disjunctive", or your own reward(outcomes, super_arm) of
    0/1 outcomes (see rewards.from_function). outcomes: "bernoulli", "beta", a table of outcomes (rows, arms) of which
    every round sees one row, or a sampler(rng, size) that fills one (then leave `means` out). group: (arms,), arms with
    equal numbers share their draw. unequal: allows super arms of different sizes.
    """
    named = isinstance(outcomes, str)
    given = {"smoothness": SMOOTHNESS.check(smoothness, name), "unequal": UNEQUAL.check(unequal, name)}
    if named:
        OUTCOMES.check(outcomes, name)
        means = np.array(MEANS.check(means, name))
        group = None if group is None else _groups(group, means, outcomes, name)
        law = laws.by_name(outcomes, means.size, group)
        given |= {"means": tuple(means.tolist()), "outcomes": outcomes} | (
            {} if group is None else {"group": tuple(group)}
        )
    else:
        if means is not None or group is not None:
            raise ValueError(f"means and group are not allowed beside given outcomes ({name}): both follow from them.")
        law = laws.from_sampler(outcomes, name) if callable(outcomes) else laws.from_rows(outcomes, name)
        means = law.rows.mean(axis=0)
        given["outcomes"] = _digest("given", law.rows)
    sets = _checked_super_arms(super_arms, means.size, given["unequal"], name)
    given["super_arms"] = tuple(tuple(i + 1 for i in s) for s in sets)
    size = max(map(len, sets))
    if callable(reward):
        if given["smoothness"] != 1:
            raise ValueError(
                f"smoothness = {smoothness:g} is not allowed ({name}): a given reward function has its own; it must"
                " be 1."
            )
        function = rewards.from_function(reward, sets, name)
        given["reward"] = _digest(getattr(reward, "__name__", "given"), function.values)
    else:
        given["reward"] = REWARD.check(reward, name)
        if reward == "average" and min(map(len, sets)) < size:
            raise ValueError(f"reward = 'average' is not allowed ({name}): the super arms have different sizes.")
        function = rewards.by_name(reward, means.size, size, given["smoothness"])
    check_independence(function, law, sets, name)
    return semi_bandit(name, given, means, listed(sets), function, law, super_arms=sets)


def _checked_super_arms(given, arms: int, unequal: bool, name: str) -> list[tuple[int, ...]]:
    """Sorted super arms, arms from 0."""
    sets = SUPER_ARMS.check(given, name)
    for number, chosen in enumerate(sets, 1):
        if not chosen:
            raise ValueError(f"super_arms is not allowed ({name}): super arm {number} is empty.")
        if any(i != int(i) or i > arms for i in chosen):
            raise ValueError(
                f"super_arms is not allowed ({name}): super arm {number} is {chosen}; arms are integers from 1 to"
                f" {arms}."
            )
        if len(set(chosen)) < len(chosen):
            raise ValueError(f"super_arms is not allowed ({name}): super arm {number} holds an arm twice.")
        if len(chosen) != len(sets[0]) and not unequal:
            raise ValueError(
                f"super_arms is not allowed ({name}): super arm {number} has {len(chosen)} arms and the first has"
                f" {len(sets[0])}; if that is meant, say unequal=True."
            )
    sets = [tuple(sorted(int(i) - 1 for i in chosen)) for chosen in sets]
    if len(set(sets)) < len(sets):
        raise ValueError(f"super_arms is not allowed ({name}): a super arm is given twice.")
    if missing := set(range(arms)).difference(*sets):
        raise ValueError(f"super_arms is not allowed ({name}): arm {min(missing) + 1} is in none of them.")
    if len(sets) > MOST_SUPER_ARMS:
        raise ValueError(
            f"super_arms is not allowed ({name}): {len(sets)} of them are too many; at most {MOST_SUPER_ARMS} are"
            " compared."
        )
    return sets


def _groups(group, means: np.ndarray, outcomes: str, name: str) -> list[int]:
    try:
        group = np.asarray(group)
    except ValueError:  # rows of different lengths
        group = np.empty((0, 0))
    if group.ndim != 1:
        raise ValueError(f"group is not allowed ({name}): it must be a list of {means.size} numbers, one for each arm.")
    group = np.unique(group, return_inverse=True)[1].tolist()
    if len(group) != means.size:
        raise ValueError(f"group has {len(group)} values for {means.size} arms ({name}): give one for each arm.")
    if outcomes == "beta":
        for g in set(group):
            if np.ptp(means[np.array(group) == g]) > 0:
                raise ValueError(
                    f"group is not allowed ({name}): beta outcomes can be shared by arms of one mean only."
                )
    return group


def _digest(name: str, numbers: np.ndarray) -> str:
    """A name that changes with the numbers, so that results of different data are kept apart."""
    return f"{name} {hashlib.sha256(np.ascontiguousarray(numbers).tobytes()).hexdigest()[:12]}"
