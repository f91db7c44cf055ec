"""The bounds that lie over measured regret: which theorem speaks about which algorithm, and what else it wants to
know.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpbandits.bounds import BOUNDS, Bound
from dpbandits.bounds.beside import arguments, lower_bounds
from dpbandits.bounds.record import Term
from dpbandits.explorers.toolkit.controls import Control, control_for
from dpbandits.explorers.toolkit.light import place
from dpbandits.parameters import Parameter
from dpbandits.simulation import Cell, checkpoint_rounds

POINTS = 150


@dataclass(frozen=True)
class Curve:
    """A bound at the rounds `x`, its value at the horizon, notes (what it does not say there), whom it is `about`, and
    the `terms` that make the value, and whose `constants` they have ("" where there is no choice).
    """

    bound: Bound
    x: np.ndarray
    y: np.ndarray
    value: float
    notes: tuple[str, ...]
    about: tuple[str, ...] = ()
    terms: tuple[Term, ...] = ()
    constants: str = ""

    def falls_below(self, slope: float) -> float | None:
        """From which round on y < slope · x, as far as the curve goes; None where that is not so at its end."""
        above = np.flatnonzero(self.y >= slope * self.x)
        if above.size == 0:
            return float(self.x[0])
        if above[-1] == self.x.size - 1:
            return None
        i = above[-1]  # between x[i] and x[i + 1], both differences nearly straight in ln x
        excess = np.log(self.y[i : i + 2] / (slope * self.x[i : i + 2]))
        return float(np.exp(np.interp(0, -excess, np.log(self.x[i : i + 2]))))


def largest(curves: Sequence[Curve]) -> Curve | None:
    """Lower bounds that all hold, as one: the largest at each round, under the name of the largest at the end."""
    if not curves:
        return None
    last, here = max(curves, key=lambda curve: curve.y[-1]), max(curves, key=lambda curve: curve.value)
    notes = tuple(dict.fromkeys(note for curve in curves for note in curve.notes))
    highest = np.max([c.y for c in curves], axis=0)
    terms = last.terms if here is last else ()
    return Curve(last.bound, last.x, highest, here.value, notes, last.about, terms, last.constants)


def no_lower_bound(names: Sequence[str]) -> str:
    """The sentence for algorithms about whose promise no theorem speaks."""
    return f"No lower bound is stated for what {', '.join(names)} promise{'s' if len(names) == 1 else ''}."


def first_value(parameter: Parameter) -> Any:
    """What a control opens with: the suggestion, where a theorem leaves the value to its user, else the default."""
    return parameter.default if parameter.suggested is None else parameter.suggested


class Theory:
    """The bounds of one setting and a control for each parameter that only they take (first values come out of
    `parameters`).

    also: of the parameters that have a default, those that get a control too.
    """

    def __init__(self, setting: str, parameters: dict, also: Iterable[str] = ()):
        bounds = [bound for bound in BOUNDS.values() if bound.setting == setting]
        self.upper_of = {bound.algorithm: bound for bound in bounds if bound.kind == "upper"}
        self.has_lower = any(bound.kind == "lower" for bound in bounds)
        wanted = {
            p.name: p
            for bound in bounds
            for p in bound.parameters
            if (p.required or p.name in also) and p.name not in bound.facts
        }
        self.controls: dict[str, Control] = {
            name: control_for(parameter, parameters.pop(name, first_value(parameter)))
            for name, parameter in wanted.items()
        }
        self.arrange(False)

    def arrange(self, shown: bool) -> None:
        """Show or hide the controls."""
        for control in self.controls.values():
            place(control, shown)

    def uppers(self, panel, cells: list[Cell], reach: int = 1) -> dict[str, Curve]:
        """The upper bound of each cell's algorithm, where there is one; what does not apply is told in
        panel.refused.
        """
        bounded = [(c.algorithm.name, c) for c in cells if c.algorithm.name in self.upper_of]
        curves = {name: self.curve(self.upper_of[name], c, panel, reach) for name, c in bounded}
        return {name: curve for name, curve in curves.items() if curve is not None}

    def lower_bounds(self, cell: Cell) -> tuple[Bound, ...]:
        """The lower bounds about what this cell's algorithm promises, on its instance."""
        return lower_bounds(cell.algorithm, cell.parameters, cell.instance)

    def lower(self, panel, cells: Iterable[Cell], reach: int = 1) -> Curve | None:
        """What the algorithms with a lower bound on what they promise cannot beat, at the panel's privacy parameters.

        Of one algorithm's bounds the largest at each round; of several algorithms', the least at the horizon, which
        is true of them all: `about` names them.
        """
        found = {}
        for cell in cells:
            curves = [
                curve for b in self.lower_bounds(cell) if (curve := self.curve(b, cell, panel, reach)) is not None
            ]
            if curves:
                found[cell.algorithm.name] = largest(curves)
        if not found:
            return None
        return replace(min(found.values(), key=lambda curve: curve.value), about=tuple(found))

    def given(self, bound: Bound, cell: Cell, panel) -> dict[str, Any]:
        """What `bound` takes besides the horizon: what the controls say, and the facts of the cell's instance."""
        held = {name: control.value for name, control in (panel.privacy | self.controls).items()}
        return arguments(bound, cell.instance, held)

    def curve(self, bound: Bound, cell: Cell, panel, reach: int = 1) -> Curve | None:
        """One bound along the rounds of `cell`, and on to `reach`; or None and a sentence in panel.refused."""
        given = self.given(bound, cell, panel)
        further = checkpoint_rounds(reach)
        rounds = np.append(cell.checkpoints[cell.checkpoints >= min(3, cell.horizon)], further[further > cell.horizon])
        x = rounds[np.unique(np.linspace(0, rounds.size - 1, POINTS).astype(int))]
        try:
            at_horizon = bound.evaluate(horizon=cell.horizon, **given)
            notes = tuple(f"{bound.where}: {note}" for note in at_horizon.notes)
            told = {"terms": at_horizon.terms, "constants": at_horizon.parameters.get("constants", "")}
            return Curve(bound, x, bound.curve(x, **given), at_horizon.value, notes, **told)
        except ValueError as error:
            if str(error) not in panel.refused:
                panel.refused.append(str(error))
            return None
