"""How the numbers that everybody shares look as sliders: label, usual range, log or linear."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from dpbandits.parameters import Parameter


@dataclass(frozen=True)
class Scale:
    """A slider from `low` to `high`. step: in the number's own unit, or in decades on a log slider. zero: its left end
    is 0.
    """

    label: str
    low: float
    high: float
    step: float = 1
    log: bool = False
    zero: bool = False


def _log(label: str, low: float, high: float, step: float = 0.05) -> Scale:
    return Scale(label, low, high, step, log=True)


SCALES: Mapping[str, Scale] = {
    "epsilon": _log("privacy ε", 0.01, 10),
    "delta": _log("δ", 1e-10, 0.5, 0.1),
    "horizon": _log("horizon T", 100, 10**6, 0.1),
    "reach": _log("draw to T", 100, 10**12, 0.1),
    "runs": Scale("runs", 1, 100),
    "arms": Scale("arms", 2, 101),
    "gap": _log("gap Δ", 0.001, 0.5),
    "items": Scale("items L", 2, 40),
    "list_size": Scale("list size K", 1, 20),
    "nodes": Scale("nodes", 2, 20),
    "edge_count": Scale("edges L", 1, 60),
    "graph_seed": Scale("graph seed", 0, 50),
    "data_seed": Scale("data seed", 0, 50),
    "top_mean": Scale("top mean", 0, 1, 0.01),
    "other_mean": Scale("other mean", 0, 1, 0.01),
    "pulls": _log("pulls N", 1, 10**5, 0.02),
    "total": Scale("sum R", 0, 100),
    "smoothness": _log("smooth. B", 0.1, 10),
    "noise_multiplier": _log("noise ×", 0.01, 10),
    "bonus_multiplier": _log("bonus ×", 0.01, 10),
    "points": Scale("points", 2, 40),
    "trials": _log("tries a bit", 10, 10**5),
    "length": _log("length T", 16, 2**14, 0.02),
    "streams": _log("streams", 1, 1000),
    "sensitivity": _log("Δ", 0.01, 10),
    "c0": _log("c₀", 0.01, 100),
    "alpha": Scale("α", 0, 0.95, 0.05),
    "xi": _log("ξ", 0.01, 10),
    "slack": _log("slack λ", 0.01, 1),
}


def scale_for(parameter: Parameter) -> Scale:
    """The usual slider of `parameter`; else its domain, or a decade and a half to each side of its default."""
    scale = SCALES.get(parameter.name)
    if scale is None and math.isfinite(parameter.low) and math.isfinite(parameter.high):
        step = 1 if parameter.kind == "integer" else (parameter.high - parameter.low) / 100
        scale = Scale(parameter.name, parameter.low, parameter.high, step)
    if scale is None:
        start = abs(float(parameter.default or 1.0)) or 1.0
        scale = _log(parameter.name, start / 30, start * 30)
    takes_zero = parameter.low < 0 or (parameter.low == 0 and not parameter.open_low)
    return replace(scale, zero=True) if scale.log and takes_zero else scale
