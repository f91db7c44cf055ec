"""Named parameters with a domain: one check, one sentence, wherever a value comes from."""

import difflib
import inspect
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Number, Real
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Parameter:
    """A parameter of an algorithm, an instance or a bound.

    kind: "real", "integer", "vector" (of reals), "vectors" (several, of any lengths), "choice", "flag" or "text" (a
    path). `low` and `high` bound each number, `open_low`/`open_high` leave the end itself out. `default` None with
    `required` means: must be given.
    """

    name: str
    description: str
    default: Any = None
    kind: str = "real"
    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False
    choices: tuple[str, ...] = ()
    min_size: int = 1
    required: bool = False
    infinite: bool = False  # whether +inf is allowed
    suggested: Any = None  # a first value where a theorem leaves this to its user, who must or may give it
    late: bool = False  # it came after its owner's runs were known: at its default it stays out of their seeds

    @property
    def domain(self) -> str:
        """What is allowed, in words."""
        if self.kind == "choice":
            return "one of " + ", ".join(self.choices)
        if self.kind == "flag":
            return "true or false"
        if self.kind == "text":
            return "a text"
        noun = {
            "real": "a finite number",
            "integer": "an integer",
            "vector": self._so_many("finite number"),
            "vectors": self._so_many("vector") + " of finite numbers",
        }[self.kind]
        if self.infinite:
            noun = "a number or infinity"
        ends = []
        if self.low > -math.inf:
            ends.append(f"{'>' if self.open_low else '>='} {self.low:g}")
        if self.high < math.inf:
            ends.append(f"{'<' if self.open_high else '<='} {self.high:g}")
        return " ".join(
            [noun + (", each" if self.kind in ("vector", "vectors") and ends else ""), " and ".join(ends)]
        ).strip()

    def _so_many(self, noun: str) -> str:
        plural = "" if self.min_size == 1 else "s"
        return (f"at least {'one' if self.min_size == 1 else self.min_size} " if self.min_size else "") + noun + plural

    def default_to(self, value: object) -> "Parameter":
        """The same parameter with another default."""
        return replace(self, default=value, required=False)

    def check(self, value: object, owner: str = "") -> Any:
        """`value` in its normal form. Raises ValueError with one sentence naming argument, value and domain."""
        try:
            return self._normal(value)
        except (TypeError, ValueError, OverflowError):
            where = f" ({owner})" if owner else ""
            raise ValueError(f"{self.name} = {show(value)} is not allowed{where}: it must be {self.domain}.") from None

    def _normal(self, value):
        if self.kind == "choice":
            if value not in self.choices:
                raise ValueError
            return value
        if self.kind == "text":
            return text if (text := os.fspath(value)) and isinstance(text, str) else self._refuse()
        if self.kind == "flag":
            if isinstance(value, bool | np.bool_):
                return bool(value)
            return (
                {"true": True, "false": False, "1": True, "0": False}[str(value).lower()]
                if str(value).lower() in ("true", "false", "1", "0")
                else self._refuse()
            )
        if self.kind == "vectors":
            values = tuple(tuple(self._number(number) for number in vector) for vector in value)
            if len(values) < self.min_size:
                raise ValueError
            return values
        if self.kind == "vector":
            if isinstance(value, str):
                raise ValueError
            values = tuple(self._number(v) for v in (value if isinstance(value, Iterable) else [value]))
            if len(values) < self.min_size:
                raise ValueError
            return values
        return self._number(value)

    def _number(self, value):
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = value.item()
        if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
            raise ValueError
        given, value = value, float(value)
        if math.isnan(value) or (math.isinf(value) and not (self.infinite and value > 0)):
            raise ValueError
        if (
            value < self.low
            or value > self.high
            or (self.open_low and value == self.low)
            or (self.open_high and value == self.high)
        ):
            raise ValueError
        if self.kind == "integer":
            if value != int(value):
                raise ValueError
            return int(given)  # not by way of the float, which rounds great integers
        return value

    @staticmethod
    def _refuse():
        raise ValueError


COLLECTIONS = (list, tuple, dict, set, frozenset)
PLAIN = (str, bytes, Number, os.PathLike, *COLLECTIONS)  # what a sentence shows; of all else it names the kind


def show(value: object) -> str:
    """The value in at most 60 characters, on one line."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    elif not isinstance(value, (*PLAIN, type(None))) or (isinstance(value, COLLECTIONS) and len(value) > 1000):
        return f"a {type(value).__name__}" + (f" of {len(value):,}" if isinstance(value, COLLECTIONS) else "")
    try:
        if isinstance(value, Real) and not isinstance(value, Integral):
            return f"{float(value):.12g}"
        text = repr(value[:80] if isinstance(value, str) else value)
    except Exception:  # noqa: BLE001 - a number too large for a float or for its digits, an object that cannot be shown
        return f"a {type(value).__name__}"
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "..."


def check_all(parameters: Iterable[Parameter], given: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """Values of all `parameters`, from `given` or their defaults. Raises ValueError for a missing, unknown or bad
    one.
    """
    known = {p.name: p for p in parameters}
    for name in given:
        if name not in known:
            raise ValueError(unknown("parameter", name, known, f" of {owner}"))
    values = {}
    for name, parameter in known.items():
        if name in given:
            values[name] = parameter.check(given[name], owner)
        elif parameter.required:
            raise ValueError(f"{name} is missing ({owner}): give {name} = {parameter.domain}.")
        else:
            values[name] = parameter.default
    return values


def unknown(kind: str, name: object, known: Iterable[str], of: str = "") -> str:
    """The sentence for an unknown name, with the nearest known one, or with all where they are few."""
    known = list(known)
    near = difflib.get_close_matches(str(name).lower(), known, n=1, cutoff=0.5)
    if near:
        hint = f" Did you mean {near[0]}?"
    elif not known:
        hint = " None is taken."
    else:
        hint = f" Known: {', '.join(known)}." if len(known) <= 40 else ""
    return f"Unknown {kind} {name!r}{of}.{hint}"


def check_function(
    name: str, function: object, arguments: Sequence[str], owner: str = "", by_name: bool = False
) -> None:
    """Raises ValueError unless `function` can be called with these arguments, in this order or `by_name`."""
    where, form = f" ({owner})" if owner else "", f"it must be a function of ({', '.join(arguments)})"
    if not callable(function):
        raise ValueError(f"{name} = {show(function)} is not allowed{where}: {form}.")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some built-in functions do not tell
        return
    try:
        signature.bind(**dict.fromkeys(arguments)) if by_name else signature.bind(*arguments)
    except TypeError:
        raise ValueError(f"{name}{signature} is not allowed{where}: {form}.") from None


# The names that everybody shares; a module narrows a domain or a default with dataclasses.replace or default_to.
EPSILON = Parameter("epsilon", "privacy loss bound ε (this is privacy, never exploration)", 1.0, low=0, open_low=True)
EPSILON_OR_ZERO = replace(EPSILON, open_low=False)
DELTA = Parameter("delta", "privacy slack δ", 0.01, low=0, high=1, open_low=True)
DELTA_OR_ZERO = replace(DELTA, open_low=False)
SENSITIVITY = Parameter("sensitivity", "largest change that one neighbour can cause", 1.0, low=0, open_low=True)
CONSTANTS = Parameter(
    "constants", "as the paper prints them, or corrected", "printed", kind="choice", choices=("printed", "corrected")
)
NOISE_MULTIPLIER = Parameter(
    "noise_multiplier", "factor on the noise; the papers' experiments use 0.01, which multiplies ε by 100", 1.0, low=0
)
BONUS_MULTIPLIER = Parameter(
    "bonus_multiplier", "factor on the index's answer to the noise; the papers' experiments use 0.01", 1.0, low=0
)
HORIZON = Parameter("horizon", "number of rounds T", kind="integer", low=1, high=10**12, required=True)
RUNS = Parameter("runs", "independent repetitions", 20, kind="integer", low=1, high=10**6)
SEED = Parameter("seed", "seed of all random streams", 0, kind="integer", low=0)
MEANS = Parameter("means", "mean reward of each arm", kind="vector", low=0, high=1, min_size=2, required=True)
