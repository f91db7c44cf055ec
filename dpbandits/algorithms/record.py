"""The catalogue's record of an algorithm."""

import inspect
import math
import uuid
import warnings
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numba

from dpbandits.kernels import Unknowable, prepared, reach_hash
from dpbandits.parameters import Parameter, check_all
from dpbandits.privacy import Guarantee
from dpbandits.privacy.ledger import Knob, Ledger

#: Leading arguments of a kernel in each setting; after them come horizon, checkpoints, streams and the parameters.
PROBLEM_ARGUMENTS = {
    "stochastic": ("means",),
    "cascade": ("attraction", "list_size"),
    "semi-bandit": ("problem",),
    "matroid": ("means", "matroid", "users"),
}
COMMON_ARGUMENTS = ("horizon", "checkpoints", "streams")
#: How learners' own functions look: no algorithm of the catalogue has this colour with one of these dashes.
OWN_COLOUR, OWN_DASHES = "#CC79A7", ("solid", "dash", "dot")


def _no_guarantee(parameters: Mapping, instance=None, horizon=None) -> Guarantee:
    return Guarantee.none()


def _unknown_guarantee(parameters: Mapping, instance=None, horizon=None) -> Guarantee:
    return Guarantee.unknown()


def _no_ledger(parameters: Mapping, instance, horizon: int) -> Ledger:
    return Ledger.none("Nobody has worked out what one changed record can move, so nothing is proved.")


def _no_notes(parameters: Mapping, instance, horizon: int) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True)
class Algorithm:
    """An algorithm: what it is called, how it looks, what it takes and what it promises.

    function: kernel(*problem, horizon, checkpoints, streams, *parameters in this order) -> (regret, pulls):
    cumulative pseudo-regret at the checkpoints and the final number of pulls of every arm.
    guarantee(parameters, instance=None, horizon=None) -> Guarantee; instance and horizon may be None (not known yet).
    notes(parameters, instance, horizon) -> sentences about what is merely unlucky in this run.
    check(parameters): raises ValueError where parameters are bad only together.
    methods: further exact kernels with the same arguments and law, chosen by `method`.
    ledger(parameters, instance, horizon) -> Ledger: all that one changed record can move, for dpbandits.auditing.
    knobs: how it is made as private as one asks; by default its epsilon is turned.
    watch(parameters, instance, horizon): how an audit looks at it, where not by playing it against given rewards.
    noise_buys(parameters, list_size) -> (ε, δ): what a cascade algorithm's noise gives if only its values were seen.
    reports: of a local cascade algorithm, how a report is made (algorithms/cascade/reports.py).
    rescales: whether noise and bonus times m make the same algorithm with ε/m in place of ε.
    """

    name: str
    title: str
    setting: str
    paper: str
    where: str
    function: Callable
    colour: str
    dash: str = "solid"
    parameters: tuple[Parameter, ...] = ()
    guarantee: Callable[..., Guarantee] = _no_guarantee
    notes: Callable[..., tuple[str, ...]] = _no_notes
    check: Callable[[Mapping], None] | None = None
    methods: Mapping[str, Callable] = field(default_factory=dict)
    ledger: Callable[..., Ledger] = _no_ledger
    knobs: tuple[Knob, ...] = (Knob(),)
    watch: Callable | None = None
    noise_buys: Callable[..., tuple[float, float]] | None = None
    reports: object = None
    rescales: bool = False
    code: str = ""  # of a learner's own function: the hash of all that it reaches, which saved results follow

    @property
    def all_parameters(self) -> tuple[Parameter, ...]:
        """The kernel's parameters and, where there is a choice, `method`."""
        if not self.methods:
            return self.parameters
        method = Parameter(
            "method",
            "which exact kernel draws the run",
            "plain",
            kind="choice",
            choices=("plain", *self.methods),
            late=self.setting == "semi-bandit",  # elsewhere the choice is as old as the algorithms
        )
        return (*self.parameters, method)

    def bind(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters, checked. Raises ValueError."""
        values = check_all(self.all_parameters, given, self.name)
        if self.check:
            self.check(values)
        return values

    def kernel(self, values: Mapping[str, Any]) -> Callable:
        """The kernel that plays with these parameters."""
        return self.methods.get(values.get("method", ""), self.function)

    def arguments(self, values: Mapping[str, Any]) -> tuple:
        """The kernel's own parameters, as it takes them."""
        return tuple(_argument(p, values[p.name]) for p in self.parameters)

    def run(self, problem: tuple, horizon: int, checkpoints, streams, values: Mapping[str, Any]):
        """One run: (regret at the checkpoints, pulls or None)."""
        return _pair(self.kernel(values)(*problem, horizon, checkpoints, streams, *self.arguments(values)))

    def ready(self, problem: tuple, horizon: int, checkpoints, streams, values: Mapping[str, Any]) -> Callable[[], Any]:
        """run() with these arguments, for very many short runs: what stays the same is prepared once."""
        given = (*problem, horizon, checkpoints, streams, *self.arguments(values))
        call = prepared(self.kernel(values), given)
        return lambda: _pair(call())


def _pair(outcome):
    """(regret, pulls): what a kernel returns, or regret alone."""
    return outcome if isinstance(outcome, tuple) else (outcome, None)


def _argument(parameter: Parameter, value: object) -> Any:
    """As a kernel takes it: a choice by its position, all else as it is."""
    return parameter.choices.index(value) if parameter.kind == "choice" else value


def plain_function(function: Callable) -> Callable:
    """The Python function, compiled or not. Raises ValueError for what is called alike and is none, such as a class."""
    plain = getattr(function, "py_func", function)
    if not inspect.isfunction(plain):
        raise ValueError(f"algorithm = {plain!r} is not allowed: give a function written with def.")
    return plain


def from_function(function: Callable, setting: str) -> Algorithm:
    """A learner's own function, taken for an algorithm, as it is now: an edit in a helper or a global makes a new one.

    Where what it reaches cannot be known (a clock, a file), nothing is kept from one call to the next.
    """
    try:
        code = reach_hash(plain_function(function))
    except Unknowable:
        code = uuid.uuid4().hex
    return _from_function(function, setting, code)


@lru_cache(maxsize=64)
def _from_function(function: Callable, setting: str, code: str) -> Algorithm:
    """A learner's own function, taken for an algorithm.

    Its signature is a kernel's: the problem arrays, horizon, checkpoints, streams, then its parameters, each with
    a default. It is compiled once in memory; what numba cannot compile runs as plain Python, with a warning.
    """
    name = getattr(function, "__name__", "your-algorithm")
    leading = (*PROBLEM_ARGUMENTS[setting], *COMMON_ARGUMENTS)
    plain = plain_function(function)
    signature = list(inspect.signature(plain).parameters.values())
    if tuple(p.name for p in signature[: len(leading)]) != leading:
        raise ValueError(
            f"{name}({', '.join(p.name for p in signature)}) does not fit: in this setting the arguments must begin"
            f" with {', '.join(leading)}."
        )
    extra = signature[len(leading) :]
    if missing := [p.name for p in extra if p.default is inspect.Parameter.empty]:
        raise ValueError(f"{name}: the parameter {missing[0]} needs a default value.")
    parameters = tuple(
        Parameter(p.name, f"parameter of {name}", infinite=True).default_to(_number(name, p)) for p in extra
    )
    # Compiled anew: numba keeps the helpers and globals that a function had when it was first compiled.
    runner = _compiled_or_plain(plain, getattr(function, "targetoptions", {}))
    return Algorithm(
        name,
        name,
        setting,
        "yours",
        "",
        runner,
        OWN_COLOUR,
        OWN_DASHES[zlib.crc32(name.encode()) % len(OWN_DASHES)],
        parameters,
        guarantee=_unknown_guarantee,
        code=code,
    )


def _number(name: str, argument: inspect.Parameter) -> float:
    if not isinstance(argument.default, int | float) or math.isnan(argument.default):
        raise ValueError(f"{name}: the default of {argument.name} is {argument.default!r}; it must be a number.")
    return float(argument.default)


def _compiled_or_plain(function: Callable, options: Mapping = MappingProxyType({})) -> Callable:
    compiled = numba.njit(**{"nogil": True} | {k: v for k, v in options.items() if k not in ("cache", "nopython")})(
        function
    )
    chosen: list[Callable] = []

    def run(*arguments):
        if not chosen:
            try:
                compiled.compile(tuple(numba.typeof(a) for a in arguments))
                chosen.append(compiled)
            except Exception as error:  # noqa: BLE001 - numba refuses some Python by errors that are none of its own
                reason = (str(error).strip().splitlines() or [type(error).__name__])[-1]
                warnings.warn(
                    f"{function.__name__} runs as plain Python, which is slow: numba says {reason!r}.", stacklevel=2
                )
                chosen.append(function)
        return chosen[0](*arguments)

    return run
