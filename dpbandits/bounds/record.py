"""The catalogue's record of a bound."""

import functools
import operator
from collections.abc import Callable, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from dpbandits.environments import INSTANCES, Instance, build
from dpbandits.parameters import HORIZON, Parameter, check_all, unknown


class Term(NamedTuple):
    """A part of a bound: what it is for, in words; its formula in LaTeX; its value (an array, along horizons)."""

    words: str
    formula: str
    value: Any


Terms = Callable[..., tuple[Term, ...]]


def total(terms: Iterable[Term]) -> np.ndarray:
    """Their sum."""
    return functools.reduce(operator.add, (term.value for term in terms))


def arm_by_arm(first: tuple[str, str, np.ndarray], second: tuple[str, str, np.ndarray]) -> tuple[Term, Term]:
    """Σ over arms of the larger of two, apart: each is summed over the arms at which it is the larger.

    (words, formula of one arm's, values), the values of shape (arms, horizons).
    """
    (words, formula, values), (other_words, other_formula, others) = first, second
    values, others = np.broadcast_arrays(values, others)
    rules = values >= others
    return (
        Term(
            f"{words}, of the arms where it is the larger", rf"\sum_i {formula}", np.where(rules, values, 0).sum(axis=0)
        ),
        Term(f"{other_words}, of the others", rf"\sum_i {other_formula}", np.where(rules, 0, others).sum(axis=0)),
    )


@dataclass(frozen=True)
class Evaluation:
    """A bound at one setting.

    terms: what the value is the sum of; the largest of, where `largest`.
    value: bound on the regret after `horizon` rounds. notes: sentences about what it does not say there.
    parameters: all that it was computed from. rate: the bound on liminf R(T)/ln T, where the theorem is about that.
    """

    value: float
    notes: tuple[str, ...]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    rate: float | None = None
    terms: tuple[Term, ...] = ()
    largest: bool = False


def _no_terms(*horizon, **values) -> tuple[Term, ...]:
    return ()


def _no_notes(horizon: int, value: float, **values) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True)
class Bound:
    """A theorem as a function.

    name, title, paper, where: as in the other catalogues. kind: "upper" or "lower". setting: as an Algorithm's.
    parameters: what it takes besides `horizon`. function(horizon, **values) -> bound for an array of horizons (float);
    a bound on liminf R(T)/ln T is marked `asymptotic`, and its function(**values) returns that rate. notes(horizon,
    value, **values) -> sentences about what the number does not say. check(values): raises ValueError where parameters
    are bad only together.
    facts: those parameters that an instance can give (by `instance`, a name with its parameters or an Instance).
    family: the instance family whose own parameters (`means`) may be given directly instead.
    algorithm: the algorithm whose regret an upper bound is about.
    fact_names: what the instance calls a fact, where it is not the parameter's name.
    scope: whose regret a lower bound is about: algorithms that promise privacy of this scope. "" for an upper bound,
    which is about one algorithm.
    families: the instance families that it is about, where an instance is given; () where any of its setting.
    maximum: whether it is a maximum of a term of learning and one of privacy (arm by arm); all others are sums.
    privacy_term: what privacy adds, without its constant: (in words, function of gaps, T, ε, δ); None where it is not
    told apart.
    formula: the theorem in LaTeX, as printed. symbols: what stands in it, and what a correction changes.
    terms(as function) -> the parts that add up to it; whose largest it is, where `largest`.
    """

    name: str
    title: str
    paper: str
    where: str
    kind: str
    setting: str
    parameters: tuple[Parameter, ...]
    function: Callable[..., np.ndarray]
    notes: Callable[..., tuple[str, ...]] = _no_notes
    check: Callable[[Mapping], None] | None = None
    facts: tuple[str, ...] = ()
    family: str = ""
    algorithm: str = ""
    asymptotic: bool = False
    fact_names: Mapping[str, str] = field(default_factory=dict)
    scope: str = ""
    families: tuple[str, ...] = ()
    maximum: bool = False
    privacy_term: tuple[str, Callable[..., float]] | None = None
    formula: str = ""
    symbols: str = ""
    terms: Callable[..., tuple[Term, ...]] = _no_terms
    largest: bool = False

    @property
    def all_parameters(self) -> tuple[Parameter, ...]:
        """`horizon`, the bound's own parameters, and the ways to give an instance in place of its facts."""
        own = (HORIZON, *self.parameters)
        if not self.facts:
            return own
        names = self.families or tuple(f.name for f in INSTANCES.values() if f.setting == self.setting)
        instance = Parameter(
            "instance", f"an instance in place of {', '.join(self.facts)}", kind="choice", choices=names
        )
        direct = [replace(p, required=False) for p in self._family_parameters if p.name not in {q.name for q in own}]
        return (*own, instance, *direct)

    def taking(self, **given: object) -> dict[str, Any]:
        """Those of `given` that are parameters of this bound: one choice of `constants`, say, for bounds of all
        kinds.
        """
        own = {p.name for p in self.parameters}
        return {name: value for name, value in given.items() if name in own}

    def evaluate(self, **given: object) -> Evaluation:
        """The bound with its notes. Takes `horizon`, the parameters, and `means` or `instance` in place of facts.
        Raises ValueError.
        """
        values = self._values(given)
        shown = dict(values)
        horizon = values.pop("horizon")
        with self._within_floats():
            value = float(self._at(np.array([horizon], float), values)[0])
            rate = float(self.function(**values)) if self.asymptotic else None
            notes, terms = tuple(self.notes(horizon, value, **values)), self._terms_at(horizon, values)
            return Evaluation(value, notes, shown, rate, terms, self.largest)

    def value(self, **given: object) -> float:
        """The bound alone."""
        values = self._values(given)
        horizon = values.pop("horizon")
        with self._within_floats():
            return float(self._at(np.array([horizon], float), values)[0])

    def curve(self, rounds, **given: object) -> np.ndarray:
        """The bound at each of `rounds` (as horizons), for a plot; other arguments as for evaluate, without
        `horizon`.
        """
        rounds = np.asarray([HORIZON.check(t, self.name) for t in rounds], float)
        values = self._values({**given, "horizon": 1})
        values.pop("horizon")
        with self._within_floats():
            return self._at(rounds, values)

    @contextmanager
    def _within_floats(self):
        """Infinite bounds pass silently; a number that floats cannot hold on the way is refused in a sentence."""
        try:
            with np.errstate(all="ignore"):
                yield
        except ArithmeticError as error:
            raise ValueError(
                f"{self.name} cannot be computed there: a parameter is too small or too large ({error})."
            ) from None

    def _at(self, rounds: np.ndarray, values: Mapping) -> np.ndarray:
        if self.asymptotic:
            return self.function(**values) * np.log(rounds)
        return np.asarray(self.function(rounds, **values), float)

    def _terms_at(self, horizon: int, values: Mapping) -> tuple[Term, ...]:
        """The parts at one horizon, as numbers: of a rate, times ln(horizon)."""
        if self.asymptotic:
            return tuple(t._replace(value=float(t.value * np.log(float(horizon)))) for t in self.terms(**values))
        parts = self.terms(np.array([horizon], float), **values)
        return tuple(t._replace(value=float(np.broadcast_to(t.value, 1)[0])) for t in parts)

    @property
    def _family_parameters(self) -> tuple[Parameter, ...]:
        return INSTANCES[self.family].parameters if self.family else ()

    def _values(self, given: Mapping[str, Any]) -> dict[str, Any]:
        own = {p.name for p in (HORIZON, *self.parameters)}
        direct = {name: value for name, value in given.items() if name in own}
        if set(given) - own:
            direct |= self._facts_of_instance(given, own)  # a name that builds the instance may also be that of a fact
        values, known = check_all((HORIZON, *self.parameters), direct, self.name), {p.name for p in self.parameters}
        for fact in self.facts:
            if values[fact] is None:
                others = " or ".join(["instance", *(p.name for p in self._family_parameters if p.name not in known)])
                raise ValueError(f"{fact} is missing ({self.name}): give it, or {others} in its place.")
        if self.check:
            self.check(values)
        return values

    def _facts_of_instance(self, given: Mapping[str, Any], own: set[str]) -> dict[str, Any]:
        """The facts, from `instance` (or the family) and those of the given names that build it."""
        given = dict(given)
        instance = given.pop("instance", self.family)
        by_name = isinstance(instance, str) and instance in INSTANCES
        builds = {p.name for p in INSTANCES[instance].parameters} if by_name else set()
        for name in given:
            if name not in own | builds:
                known = {p.name for p in self.all_parameters} | builds
                raise ValueError(unknown("parameter", name, sorted(known), f" of {self.name}"))
        for name in given:
            if name in self.facts and name not in builds:
                raise ValueError(
                    f"{name} is not allowed beside an instance or its means ({self.name}): give one of them."
                )
        built = (
            instance
            if isinstance(instance, Instance)
            else build(instance, **{n: v for n, v in given.items() if n in builds})
        )
        if built.setting != self.setting:
            raise ValueError(
                f"instance = {built.name} is not allowed ({self.name}): it must be of the {self.setting} setting."
            )
        if self.families and built.name not in self.families:
            raise ValueError(
                f"instance = {built.name} is not allowed ({self.name}): it must be {' or '.join(self.families)}."
            )
        facts = {fact: built.facts[self.fact_names.get(fact, fact)] for fact in self.facts}
        for parameter in self.parameters:
            if facts.get(parameter.name, 0) is None:
                lacks = f"it has no {parameter.name} ({parameter.description}) at these sizes"
                raise ValueError(f"instance = {built.name} is not allowed ({self.name}): {lacks}.")
        return facts


def vacuous(horizon: int, value: float, gap_max: float, why: str = "largest gap times the horizon") -> tuple[str, ...]:
    """The note on an upper bound that no policy could exceed anyway. gap_max: at least what a round can lose; why: how
    that is known.
    """
    if value < horizon * gap_max:
        return ()
    return (f"says nothing at this horizon: no policy loses more than {horizon * gap_max:.6g} ({why}).",)
