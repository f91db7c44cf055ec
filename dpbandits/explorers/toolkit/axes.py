"""What can move along the axis of a sweep, in each setting, and which parameters follow it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpbandits.papers.catalogue import FIGURES
from dpbandits.papers.noise import PANELS, multiplied
from dpbandits.simulation import sweep


def _alone(name: str) -> Callable[[float, Mapping], dict[str, Any]]:
    return lambda x, values: {name: x}


@dataclass(frozen=True)
class Axis:
    """One quantity that moves.

    label: in the menu; symbol: on the axis. low, high: where the axis begins and ends at first. moved(x, values) -> the
    parameters that x stands for, beside the panel's other values. stands: the controls that it takes the place of.
    whole: whether it is a whole number. fact: whether the instance follows it, not the algorithms.
    """

    name: str
    label: str
    symbol: str
    low: float
    high: float
    moved: Callable[[float, Mapping], dict[str, Any]]
    stands: tuple[str, ...]
    whole: bool = False
    fact: bool = False

    @property
    def reach(self) -> tuple[float, float]:
        """How far the sliders of its ends go, where the other controls allow it: ten times as far, twice in counts."""
        return (max(self.low / 10, 1.0), self.high * 2) if self.whole else (self.low / 10, self.high * 10)

    def values(self, low: float, high: float, points: int) -> list:
        """The values along the axis, evenly spaced in log scale: three digits each, or whole numbers, each once."""
        return sorted({self.rounded(x) for x in np.geomspace(low, high, points)})

    def rounded(self, x: float) -> float:
        """x in three digits; at least 1 and whole, where it counts something."""
        short = float(f"{x:.3g}")
        return max(1, int(short + 0.5)) if self.whole else short


def _axis(name: str, label: str, symbol: str, low: float, high: float, whole: bool = False, fact: bool = False) -> Axis:
    return Axis(name, label, symbol, low, high, _alone(name), (name,), whole, fact)


EPSILON = _axis("epsilon", "ε moves", "ε", 0.01, 10.0)
DELTA = _axis("delta", "δ moves", "δ", 1e-3, 1.0)
HORIZON = _axis("horizon", "T moves", "horizon T", 1e3, 1e5, whole=True)
NOISE = Axis(  # the papers' experiments shrink both alike
    "noise_multiplier",
    "noise × moves",
    "factor on noise and bonus",
    0.01,
    1.0,
    lambda x, values: multiplied(x),
    tuple(multiplied(1.0)),
)
GAP = _axis("gap", "gap Δ moves", "gap Δ", 0.05, 0.5, fact=True)
CASCADE_GAP = Axis(
    "gap",
    "gap Δ moves",
    "gap Δ = top − other mean",
    0.02,
    0.2,
    lambda x, values: {"other_mean": round(values["top_mean"] - x, 12)},
    ("other_mean",),
    fact=True,
)
LIST_SIZE = _axis("list_size", "K moves", "list size K", 1, 10, whole=True, fact=True)
AXES: Mapping[str, tuple[Axis, ...]] = {
    "stochastic": (
        EPSILON,
        DELTA,
        _axis("arms", "N moves", "arms N", 2, 9, whole=True, fact=True),
        _axis("gap", "gap Δ moves", "gap Δ", 0.005, 0.1, fact=True),
        HORIZON,
    ),
    "cascade": (
        EPSILON,
        _axis("delta", "δ moves", "δ", 1e-6, 0.5),
        LIST_SIZE,
        _axis("items", "L moves", "items L", 5, 40, whole=True, fact=True),
        CASCADE_GAP,
        NOISE,
        HORIZON,
    ),
    "semi-bandit": (
        EPSILON,
        _axis("delta", "δ moves", "δ", 1e-6, 0.5),
        _axis("list_size", "K moves", "arms K of a super arm", 1, 6, whole=True, fact=True),
        _axis("arms", "m moves", "base arms m", 6, 48, whole=True, fact=True),
        GAP,
        NOISE,
        HORIZON,
    ),
    "matroid": (
        EPSILON,
        _axis("list_size", "K moves", "rank K", 1, 8, whole=True, fact=True),
        _axis("items", "L moves", "elements L", 6, 48, whole=True, fact=True),
        GAP,
        HORIZON,
    ),
}


def _is_sweep(figure) -> bool:
    """Whether a figure is regret at the horizon against one parameter, on an instance of the catalogue."""
    return figure.builder == "tradeoff" and "instance" in figure.settings and "over" in figure.look


#: The papers' figures that a panel can open at.
PRESETS = {name: figure for name, figure in FIGURES.items() if _is_sweep(figure)}


def opening(name: str) -> dict[str, Any]:
    """What a panel opens with at the figure `name`: keyword arguments of sweep_over(), as at quick scale.

    Where a figure has two panels, the first: with the paper's factor on the noise.
    """
    figure = PRESETS[name]
    given = figure.settings_at("quick")
    values = given.pop(figure.look["over"])
    given = {n: value for n, value in given.items() if n != "checkpoints"}
    if figure.compute is not sweep:
        given |= multiplied(PANELS["as in the paper"])
    if figure.look.get("inverse"):  # on linear axes a bound far above would press the points down
        given["theory"] = "none"
    return {
        "over": figure.look["over"],
        "algorithms": given.pop("algorithm"),
        "low": min(values),
        "high": max(values),
        "points": len(values),
        "inverse": bool(figure.look.get("inverse")),
        **given,
    }


def coarse_first(xs: list) -> list:
    """The ends, the middle, the quarters, ...: so that the first points to arrive already span the axis."""
    order, step = [0, len(xs) - 1], 1 << max(len(xs) - 1, 1).bit_length()
    while step:
        order += range(0, len(xs), step)
        step //= 2
    return [xs[i] for i in dict.fromkeys(order)]
