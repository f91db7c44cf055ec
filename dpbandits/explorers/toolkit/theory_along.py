"""What the theorems say along a parameter, beside what is measured there."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dpbandits.algorithms.record import Algorithm
from dpbandits.bounds.beside import arguments, lower_bounds, upper_bound
from dpbandits.bounds.regimes import NO_PRIVACY

VIEWS = {"term": "what privacy adds", "upper": "upper bound", "lower": "lower bound", "none": "none"}
FINE = 30  # points of a curve where nothing is counted in whole numbers


@dataclass(frozen=True)
class Along:
    """A theorem's curve: points x, y, and at(x), its values where regret was measured; what is to be said about it."""

    x: np.ndarray
    y: np.ndarray
    measured: dict[float, float]
    notes: tuple[str, ...]

    def at(self, xs) -> np.ndarray:
        """Its values at measured points."""
        return np.array([self.measured[float(x)] for x in xs])


def along(panel, record: Algorithm, xs: np.ndarray) -> Along | None:
    """The chosen curve of theory for this algorithm, empty where no theorem is about it; None where none is wanted."""
    if panel.values["theory"] == "none":
        return None
    notes: list[str] = []
    v, axis = panel.values, panel.axis
    value = lambda x, told: _value(panel, record, int(x) if axis.whole else float(x), v, told)
    measured = {float(x): value(x, notes) for x in xs}
    if not np.isfinite(list(measured.values())).any():
        return Along(np.empty(0), np.empty(0), measured, tuple(dict.fromkeys(notes)))
    smooth = not axis.whole and xs.size > 1
    fine = np.geomspace(xs.min(), xs.max(), FINE) if smooth else xs
    y = [value(x, []) for x in fine] if smooth else list(measured.values())
    return Along(np.asarray(fine, float), np.array(y), measured, tuple(dict.fromkeys(notes)))


def _value(panel, record: Algorithm, x: float, v: Mapping, notes: list[str]) -> float:
    """The curve at x; NaN where no theorem is about it."""
    try:
        instance, moved, horizon = panel.at(x, v)
        held = {name: v[name] for name in (*panel.privacy, *panel.theory.controls)} | moved
        epsilon = _of_the_theorem(record, held, notes)
        if epsilon is None:
            return float("nan")
        held["epsilon"] = epsilon
        return _CURVES[v["theory"]](record, instance, held, horizon, notes)
    except ValueError as error:
        notes.append(str(error))
        return float("nan")


def _of_the_theorem(record: Algorithm, held: dict, notes: list[str]) -> float | None:
    """The ε at which the theorems speak about this algorithm; None where its noise is not theirs."""
    taken = {p.name for p in record.all_parameters}
    noise, bonus = (held.get(n, 1) if n in taken else 1 for n in ("noise_multiplier", "bonus_multiplier"))
    if noise == bonus == 1:
        return held.get("epsilon", 1.0)
    if noise == bonus > 0 and record.rescales:
        notes.append("Theorems at noise and bonus × m are those at ε/m, which is the same algorithm.")
        return held["epsilon"] / noise
    notes.append(f"No theorem is about {record.name} with its noise × {noise:g} and its bonus × {bonus:g}.")
    return None


def _upper(record, instance, held, horizon, notes) -> float:
    bound = upper_bound(record)
    if bound is None:
        return float("nan")
    found = bound.value(horizon=horizon, **arguments(bound, instance, held))
    notes.append(f"{record.name}: the upper bound of {bound.paper or 'this package'}, {bound.where or bound.name}.")
    return found


def _lower(record, instance, held, horizon, notes) -> float:
    given = {p.name: held[p.name] for p in record.all_parameters if p.name in held}
    values = []
    for bound in lower_bounds(record, record.bind(given), instance):
        values.append(bound.value(horizon=horizon, **arguments(bound, instance, held)))
        limit = ", a rate for T → ∞ times ln T" if bound.asymptotic else ""
        notes.append(f"{record.name}: the lower bound of {bound.paper}, {bound.where}{limit}.")
    return max(values, default=float("nan"))


def _term(record, instance, held, horizon, notes) -> float:
    bound = upper_bound(record)
    if bound is None:
        return float("nan")
    if bound.privacy_term is not None:
        words, term = bound.privacy_term
        notes.append(f"{record.name}: the term that privacy adds, alone and without its constant, {words}.")
        given = {"epsilon": held["epsilon"], "delta": held.get("delta", 0.0)}
        return float(term(instance.facts["gaps"], horizon, **given))
    given = arguments(bound, instance, held)
    notes.append(f"{record.name}: the bound of {bound.paper}, {bound.where}, less its value without privacy.")
    at = bound.value(horizon=horizon, **given)
    return at - bound.value(horizon=horizon, **given | {"epsilon": NO_PRIVACY})


_CURVES = {"upper": _upper, "lower": _lower, "term": _term}


def in_words(slope: float, error: float | None = None) -> str:
    """A slope in two digits, with its standard error; a dash where there is none."""
    if not np.isfinite(slope):
        return "–"
    return f"{round(slope, 2) + 0.0:.2f}" + ("" if error is None or not np.isfinite(error) else f" ± {error:.2f}")
