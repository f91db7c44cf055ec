"""account(): the best proved ε of everything that a watcher of T rounds sees, and the argument for it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from dpbandits.algorithms.catalogue import as_algorithm
from dpbandits.algorithms.record import Algorithm
from dpbandits.auditing.compose import Composed, Gaussians, Largest, Single, compose, smallest
from dpbandits.environments import Instance
from dpbandits.mechanisms import composition
from dpbandits.parameters import DELTA, HORIZON
from dpbandits.privacy import Guarantee
from dpbandits.privacy.ledger import Gaussian, Ledger, Release, TwoSided
from dpbandits.simulation import cells_for

DELTA_TOTAL = replace(
    DELTA, name="delta_total", description="δ of everything that is seen", default=1e-5, open_low=False, open_high=True
)

#: Where no instance is named: the problems that the papers play on.
DEFAULTS = {
    "stochastic": "wang-zhu-1",
    "cascade": "cascade-paper",
    "semi-bandit": "top-k",
    "matroid": "matroid-table-6.1",
}


@dataclass(frozen=True)
class Account:
    """The ceiling: `epsilon` at `delta` for all that is seen in `horizon` rounds. Infinite where nothing finite is
    proved.

    guarantee: the algorithm's label. ledger: what one changed record can move, with the argument. epsilon_at_least: the
    same from below, for the very releases that the ceiling adds up; the two differ by the precision of the computation.
    """

    name: str
    instance: Instance
    parameters: Mapping[str, Any]
    horizon: int
    delta: float
    guarantee: Guarantee
    ledger: Ledger

    @property
    def composed(self) -> list[Composed | Gaussians | Single | Largest]:
        """The loss of each alternative; not kept here, since many accounts may live at a time."""
        return [_composed(releases) for releases in self.ledger.alternatives if releases]

    @cached_property
    def epsilon(self) -> float:
        """The smallest proved ε at `delta`."""
        return self.epsilon_at(self.delta)

    @cached_property
    def epsilon_at_least(self) -> float:
        """No smaller ε holds for the releases of the ledger, all of which a watcher might see: 0 where that is not
        known.
        """
        if not self.ledger.alternatives:
            return math.inf
        found = [_composed(tuple(smallest(releases))) for releases in self.ledger.alternatives if releases]
        return min(self.epsilon, max((c.epsilon_at_least(self.delta) for c in found), default=0.0))

    @property
    def by(self) -> str:
        """The theorem or rule."""
        return self.ledger.by

    @property
    def proved(self) -> bool:
        """Whether the ceiling says anything: a finite ε, with its argument."""
        return math.isfinite(self.epsilon)

    @property
    def impossible(self) -> float:
        """Mass of what one input gives and its neighbour never: no δ below it has a finite ε."""
        return max((c.infinity for c in self.composed), default=0.0)

    def epsilon_at(self, delta: float) -> float:
        """The smallest proved ε at another δ."""
        if not self.ledger.alternatives:
            return math.inf
        return max((c.epsilon(delta) for c in self.composed), default=0.0)

    def delta_at(self, epsilon: float) -> float:
        """The smallest proved δ at ε >= 0."""
        if not self.ledger.alternatives:
            return 1.0
        return max((c.delta(epsilon) for c in self.composed), default=0.0)

    @property
    def note(self) -> str:
        """What a reader must know about the number: why there is none, or none at this δ."""
        if not self.ledger.alternatives:
            return self.ledger.reason
        if math.isfinite(self.epsilon):
            return self.ledger.why
        pure = max((c.pure for c in self.composed), default=0.0)
        if self.delta == 0:
            more = (
                f" The pure ε is {pure:.4g}."
                if math.isfinite(pure)
                else " There is no pure ε: ask at some delta_total > 0."
            )
            return "At δ = 0 only (ε, δ) is proved, with δ > 0." + more
        if self.impossible == 0:
            return "The proved ε is larger than any number that a computer holds."
        return (
            f"At δ = {self.delta:g} there is no finite ε: with probability {self.impossible:.3g} something is"
            f" seen that the neighbour"
            f" never gives. {self._next()}"
        )

    def _next(self) -> str:
        above = min(0.999, 2 * self.impossible)
        found = self.epsilon_at(above)
        return (
            f"At δ = {above:.3g} it is {found:.4g}."
            if math.isfinite(found) and above > self.impossible
            else "No δ below 1 helps."
        )

    def rules(self) -> dict[str, float]:
        """ε at `delta` by other rules, for comparison: what each can prove from less than the laws themselves.

        basic: Σ ε_i. optimal: the best from the ε_i alone (equal ones; Kairouz, Oh & Viswanath 2015). zCDP: ρ = Σ
        ε_i²/2 or Σ μ_i²/2, ε = ρ + 2√(ρ ln(1/δ)) (Bun & Steinke 2016). Rényi: the laws' own moments, the best
        order. law: `epsilon`.
        """
        if not self.ledger.alternatives or self.delta == 0:
            return {"law": self.epsilon}
        rows = [_rules(releases, self.delta) for releases in self.ledger.alternatives if releases]
        names = (
            [name for name in ("basic", "optimal", "zCDP", "Rényi") if all(name in row for row in rows)] if rows else []
        )
        return {name: max(row[name] for row in rows) for name in names} | {"law": self.epsilon}

    def as_dict(self) -> dict:
        """The contract of `dpbandits privacy --json`, without an audit."""
        return {
            "algorithm": self.name,
            "instance": self.instance.name,
            "parameters": dict(self.instance.parameters) | dict(self.parameters) | {"horizon": self.horizon},
            "guarantee": self.guarantee.as_dict(),
            "transcript": {
                "epsilon": self.epsilon if self.proved else None,
                "delta": self.delta,
                "by": self.by,
                "proved": self.proved,
                "epsilon_at_least": self.epsilon_at_least if self.proved else None,
                "watcher": self.ledger.watcher,
                "unit": self.ledger.unit,
                "note": self.note,
            },
        }

    def __repr__(self) -> str:
        seen = f"{self.ledger.watcher} in {self.horizon:,} rounds, towards a change of {self.ledger.unit}"
        lines = [f"{self.name} on {self.instance.name}: labelled {self.guarantee.label}", f"What is seen: {seen}."]
        if self.proved:
            lines.append(f"Proved: {_pair(self.epsilon, self.delta)}, by {self.by}.{self._precision()}")
        else:
            lines.append("Proved: nothing finite.")
        return "\n".join([*lines, self.note])

    def _precision(self) -> str:
        low = self.epsilon_at_least
        if self.epsilon == 0 or self.epsilon - low <= 0.005 * self.epsilon:
            return ""
        return f" (Computed from above; from below the same releases give ε >= {low:.4g}.)"


def _pair(epsilon: float, delta: float) -> str:
    return f"ε = {epsilon:.4g}" + (f" at δ = {delta:g}" if delta else "")


@lru_cache(maxsize=32)  # up to a megabyte each
def _composed(releases: tuple[Release, ...]) -> Composed | Gaussians | Single | Largest:
    return compose(releases)


def _rules(releases: tuple[Release, ...], delta: float) -> dict[str, float]:
    """The other rules that apply to one list of releases."""
    found = {}
    if all(math.isfinite(r.pure) for r in releases):
        found["basic"] = sum(r.count * r.pure for r in releases)
        if len({r.pure for r in releases}) == 1 and 0 < releases[0].pure < 500:
            found["optimal"] = composition.optimal_epsilon(delta, releases[0].pure, sum(r.count for r in releases))
    one = releases[0] if len(releases) == 1 else None
    if isinstance(one, TwoSided) and one.delta > 0 and one.epsilon > 0:
        enough = one.count * one.delta < delta
        found["optimal"] = composition.optimal_epsilon(delta, one.epsilon, one.count, one.delta) if enough else math.inf
    if all(isinstance(r, Gaussian) or math.isfinite(r.pure) for r in releases):
        rho = sum(r.squares / 2 if isinstance(r, Gaussian) else r.count * r.pure**2 / 2 for r in releases)
        found["zCDP"] = rho + 2 * math.sqrt(rho * math.log(1 / delta))
    loss = _composed(releases)
    if isinstance(loss, Composed):
        found["Rényi"] = loss.chernoff(delta)
    return found


def subject(algorithm: str | Algorithm | Callable, instance: str | Instance | None) -> tuple[Algorithm, str | Instance]:
    """The record of what is watched, and the instance: where none is given, one of the papers' own. Raises
    ValueError.
    """
    record = as_algorithm(algorithm)
    return record, instance if instance is not None else DEFAULTS[record.setting]


def account(
    algorithm: str | Algorithm | Callable,
    instance: str | Instance | None = None,
    *,
    horizon: int,
    delta_total: float = DELTA_TOTAL.default,
    **parameters: object,
) -> Account:
    """What is proved about all that a watcher of `horizon` rounds sees: the ceiling on the ε of the whole transcript.

    algorithm: a catalogue name, a record or a function (of which nobody has proved anything). instance: a name or an
    Instance, by default one of the papers'. delta_total: in [0, 1), the δ of the whole transcript; the algorithm's
    own δ is its parameter `delta`. parameters: whatever algorithm or instance take. Raises ValueError for bad input.
    """
    record, instance = subject(algorithm, instance)
    horizon, delta_total = HORIZON.check(horizon), DELTA_TOTAL.check(delta_total)
    (cell,) = cells_for([record], instance, parameters, horizon=horizon, checkpoints=np.array([horizon]), seed=0)
    guarantee = record.guarantee(cell.parameters, cell.instance, horizon)
    ledger = record.ledger(cell.parameters, cell.instance, horizon)
    return Account(record.name, cell.instance, cell.parameters, horizon, delta_total, guarantee, ledger)
