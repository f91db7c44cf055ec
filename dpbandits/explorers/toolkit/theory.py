"""The bounds that lie over measured regret: which theorem speaks about which algorithm, and what else it wants to
know.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from dpbandits.bounds import BOUNDS, Bound
from dpbandits.bounds.beside import WEAKER
from dpbandits.explorers.toolkit.controls import Control, control_for
from dpbandits.mechanisms.perturbations import pulls_needed_beta, pulls_needed_gauss, two_sided_width
from dpbandits.simulation import Cell, checkpoint_rounds

#: First values of what a bound asks of its user. Nothing in the papers fixes them.
START = {"c0": 1.0, "alpha": 0.5}
POINTS = 150


def _start_phase(pulls_needed: Callable) -> Callable:
    return lambda gaps, horizon, epsilon, delta: pulls_needed(epsilon, delta) * gaps.sum()


def _wider_radius(gaps, horizon, epsilon, delta):
    return (gaps > 0).sum() * two_sided_width(epsilon, delta, float(horizon))


#: The term that privacy adds in the theorem (Wang & Zhu 2024, 11, 13, 16), without its constant: (in words, function of
#: gaps, T, ε, δ).
EXTRA = {
    "dp-ftpl-gauss": ("Σ Δᵢ N_G*, the start phase", _start_phase(pulls_needed_gauss)),
    "dp-ftpl-beta": ("Σ Δᵢ N_B*, the start phase", _start_phase(pulls_needed_beta)),
    "dp-ftpl-new": ("Σ (1/ε) ln[(T(e^ε−1)+2Tδ)/(2(e^ε−1)+2Tδ)]", _wider_radius),
}


@dataclass(frozen=True)
class Curve:
    """A bound at the rounds `x`, its value at the horizon, and notes: what it does not say there."""

    bound: Bound
    x: np.ndarray
    y: np.ndarray
    value: float
    notes: tuple[str, ...]

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


class Theory:
    """The bounds of one setting and a control for each parameter that only they take (first values come out of
    `parameters`).

    also: of the parameters that have a default, those that get a control too.
    """

    def __init__(self, setting: str, parameters: dict, also: Iterable[str] = ()):
        bounds = [bound for bound in BOUNDS.values() if bound.setting == setting]
        self.upper_of = {bound.algorithm: bound for bound in bounds if bound.kind == "upper"}
        self.lower_bounds = [bound for bound in bounds if bound.kind == "lower"]
        wanted = {
            p.name: p
            for bound in bounds
            for p in bound.parameters
            if (p.required or p.name in also) and p.name not in bound.facts
        }
        self.controls: dict[str, Control] = {
            name: control_for(parameter, parameters.pop(name, START.get(name, parameter.default)))
            for name, parameter in wanted.items()
        }
        self.arrange(False)

    def arrange(self, shown: bool) -> None:
        """Show or hide the controls."""
        for control in self.controls.values():
            control.layout.display = None if shown else "none"

    def uppers(self, panel, cells: list[Cell], reach: int = 1) -> dict[str, Curve]:
        """The upper bound of each cell's algorithm, where there is one; what does not apply is told in
        panel.refused.
        """
        bounded = [(c.algorithm.name, c) for c in cells if c.algorithm.name in self.upper_of]
        curves = {name: self.curve(self.upper_of[name], c, panel, reach) for name, c in bounded}
        return {name: curve for name, curve in curves.items() if curve is not None}

    def lower_bound(self, cells: Iterable[Cell]) -> tuple[Bound, Cell] | None:
        """The first lower bound of the setting that is about one of these algorithms, by the scope that it claims, on
        its instance.
        """
        scopes = [(c.algorithm.guarantee(c.parameters, c.instance, c.horizon).scope, c) for c in cells]
        fit = ((b, c) for b in self.lower_bounds for scope, c in scopes if b.scope in ("", scope, WEAKER.get(scope)))
        return next(((b, c) for b, c in fit if not b.families or c.instance.name in b.families), None)

    def lower(self, panel, cells: Iterable[Cell], reach: int = 1) -> Curve | None:
        """What lower_bound() finds, at the panel's privacy parameters."""
        found = self.lower_bound(cells)
        return self.curve(*found, panel, reach) if found else None

    def curve(self, bound: Bound, cell: Cell, panel, reach: int = 1) -> Curve | None:
        """One bound along the rounds of `cell`, and on to `reach`; or None and a sentence in panel.refused."""
        held = {name: control.value for name, control in (panel.privacy | self.controls).items()}
        given = {p.name: held[p.name] for p in bound.parameters if p.name in held}
        if bound.facts:
            given["instance"] = cell.instance
        further = checkpoint_rounds(reach)
        rounds = np.append(cell.checkpoints[cell.checkpoints >= min(3, cell.horizon)], further[further > cell.horizon])
        x = rounds[np.unique(np.linspace(0, rounds.size - 1, POINTS).astype(int))]
        try:
            at_horizon = bound.evaluate(horizon=cell.horizon, **given)
            notes = tuple(f"{bound.where}: {note}" for note in at_horizon.notes)
            return Curve(bound, x, bound.curve(x, **given), at_horizon.value, notes)
        except ValueError as error:
            if str(error) not in panel.refused:
                panel.refused.append(str(error))
            return None
