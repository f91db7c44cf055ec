"""All algorithms by name. Each setting has its records beside its kernels; here they meet."""

from collections.abc import Callable

from dpbandits.algorithms.cascade import records as cascade
from dpbandits.algorithms.matroid import records as matroid
from dpbandits.algorithms.record import Algorithm, from_function
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
