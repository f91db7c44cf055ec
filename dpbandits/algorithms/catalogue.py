"""All algorithms by name. Each setting has its records beside its kernels; here they meet."""

import inspect
from collections.abc import Callable

from dpbandits.algorithms.cascade import records as cascade
from dpbandits.algorithms.matroid import records as matroid
from dpbandits.algorithms.record import COMMON_ARGUMENTS, PROBLEM_ARGUMENTS, Algorithm, from_function, plain_function
from dpbandits.algorithms.semibandit import records as semibandit
from dpbandits.algorithms.stochastic import records as stochastic
from dpbandits.parameters import unknown

ALGORITHMS: dict[str, Algorithm] = {
    algorithm.name: algorithm
    for algorithm in (*stochastic.ALGORITHMS, *cascade.ALGORITHMS, *semibandit.ALGORITHMS, *matroid.ALGORITHMS)
}


def find(algorithm: str | Algorithm | Callable, setting: str) -> Algorithm:
    """The record for a name, a record or a learner's own function, fit for `setting`. Raises ValueError."""
    if isinstance(algorithm, str):
        if algorithm not in ALGORITHMS:
            raise ValueError(unknown("algorithm", algorithm, ALGORITHMS))
        algorithm = ALGORITHMS[algorithm]
    elif callable(algorithm):
        algorithm = from_function(algorithm, setting)
    if not isinstance(algorithm, Algorithm):
        raise ValueError(f"algorithm = {algorithm!r} is not allowed: it must be a name, a function or a list of these.")
    if algorithm.setting != setting:
        raise ValueError(
            f"{algorithm.name} plays in the {algorithm.setting} setting, but the instance is of the {setting} setting."
        )
    return algorithm


def setting_of(policy: Callable) -> str:
    """The setting whose kernels begin with the arguments of this function. Raises ValueError where there is none."""
    plain = plain_function(policy)
    names = tuple(inspect.signature(plain).parameters)
    leading = {setting: (*own, *COMMON_ARGUMENTS) for setting, own in PROBLEM_ARGUMENTS.items()}
    for setting, wanted in leading.items():
        if names[: len(wanted)] == wanted:
            return setting
    fits = "; ".join(f"{', '.join(wanted)} ({setting})" for setting, wanted in leading.items())
    raise ValueError(
        f"{plain.__name__}({', '.join(names)}) does not fit: its arguments must begin with one of: {fits}."
    )


def as_algorithm(policy: str | Algorithm | Callable) -> Algorithm:
    """The record of a policy: a name, a record, or a function, whose arguments tell its setting. Raises ValueError."""
    if isinstance(policy, Algorithm):
        return policy
    if callable(policy):
        return from_function(policy, setting_of(policy))
    setting = ALGORITHMS[policy].setting if isinstance(policy, str) and policy in ALGORITHMS else ""
    return find(policy, setting)
