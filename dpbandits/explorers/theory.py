"""The bounds that lie over measured regret: which theorem speaks about which algorithm, and what else it wants to know."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpbandits.bounds import BOUNDS, Bound
from dpbandits.explorers.controls import Control, control_for
from dpbandits.mechanisms.perturbations import pulls_needed_beta, pulls_needed_gauss, two_sided_width
from dpbandits.simulation import Cell

#: First values of what a bound asks of its user. Nothing in the papers fixes them.
START = {"c0": 1.0, "alpha": 0.5}
POINTS = 150


def _start_phase(pulls_needed: Callable) -> Callable:
    return lambda gaps, horizon, epsilon, delta: pulls_needed(epsilon, delta) * gaps.sum()


def _wider_radius(gaps, horizon, epsilon, delta):
    return (gaps > 0).sum() * two_sided_width(epsilon, delta, float(horizon))


#: The term that privacy adds in the theorem (Wang & Zhu 2024, 11, 13, 16), without its constant: (in words, function of gaps, T, ε, δ).
EXTRA = {
    "dp-ftpl-gauss": ("Σ Δᵢ N_G*, the start phase", _start_phase(pulls_needed_gauss)),
    "dp-ftpl-beta": ("Σ Δᵢ N_B*, the start phase", _start_phase(pulls_needed_beta)),
    "dp-ftpl-new": ("Σ (1/ε) ln[(T(e^ε−1)+2Tδ)/(2(e^ε−1)+2Tδ)]", _wider_radius),
}


@dataclass(frozen=True)
class Curve:
    """A bound at the rounds `x`; notes: what it does not say at the last of them."""

    bound: Bound
    x: np.ndarray
    y: np.ndarray
    notes: tuple[str, ...]


class Theory:
    """The bounds of one setting and a control for each parameter that only they take (first values come out of `parameters`)."""

    def __init__(self, setting: str, parameters: dict):
        bounds = [bound for bound in BOUNDS.values() if bound.setting == setting]
        self.upper_of = {bound.algorithm: bound for bound in bounds if bound.kind == "upper"}
        self.lower_bounds = [bound for bound in bounds if bound.kind == "lower"]
        wanted = {p.name: p for bound in bounds for p in bound.parameters if p.required and p.name not in bound.facts}
        self.controls: dict[str, Control] = {
            name: control_for(parameter, parameters.pop(name, START.get(name, parameter.default))) for name, parameter in wanted.items()
        }
        self.arrange(False)

    def arrange(self, shown: bool) -> None:
        """Show or hide the controls."""
        for control in self.controls.values():
            control.layout.display = None if shown else "none"

    def uppers(self, panel, cells: list[Cell]) -> dict[str, Curve]:
        """The upper bound of each cell's algorithm, where there is one; what does not apply is told in panel.refused."""
        curves = {
            c.algorithm.name: self.curve(self.upper_of[c.algorithm.name], c, panel) for c in cells if c.algorithm.name in self.upper_of
        }
        return {name: curve for name, curve in curves.items() if curve is not None}

    def lower(self, panel, cell: Cell) -> Curve | None:
        """The first lower bound of the setting, at the panel's privacy parameters."""
        return self.curve(self.lower_bounds[0], cell, panel) if self.lower_bounds else None

    def curve(self, bound: Bound, cell: Cell, panel) -> Curve | None:
        """One bound along the rounds of `cell`, or None and a sentence in panel.refused."""
        held = {name: control.value for name, control in (panel.privacy | self.controls).items()}
        given = {p.name: held[p.name] for p in bound.parameters if p.name in held}
        if bound.facts:
            given["instance"] = cell.instance
        rounds = cell.checkpoints[cell.checkpoints >= min(3, cell.horizon)]
        x = rounds[np.unique(np.linspace(0, rounds.size - 1, POINTS).astype(int))]
        try:
            return Curve(
                bound, x, bound.curve(x, **given), tuple(f"{bound.where}: {n}" for n in bound.evaluate(horizon=cell.horizon, **given).notes)
            )
        except ValueError as error:
            if str(error) not in panel.refused:
                panel.refused.append(str(error))
            return None
