"""Table 1 of Chen et al. (2020) with numbers: what the paper's orders, and the constants of its theorems, come to."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import xarray as xr

from dpbandits import __version__
from dpbandits.bounds import BOUNDS
from dpbandits.bounds.chen import B_INF_HERE
from dpbandits.environments.semibandit.families import ARMS, LIST_SIZE
from dpbandits.parameters import EPSILON, HORIZON, Parameter, check_all

GAP = Parameter("gap", "gap Δ of every bad super arm", 0.2, low=0, open_low=True)
PARAMETERS = (ARMS, LIST_SIZE, GAP, EPSILON, B_INF_HERE, HORIZON.default_to(10**6))


@dataclass(frozen=True)
class Cell:
    """One cell. order: as printed, and its value at (m, K, Δ, ε, B, ln T) without any constant.

    upper, lower: (in words, number of the theorem, its parameters from those of the table), or None where the paper has
    no proof.
    """

    reward: str
    privacy: str
    order: str
    value: Callable[..., float]
    upper: tuple[str, int, Callable[[Mapping], Mapping]] | None = None
    lower: tuple[str, int, Callable[[Mapping], Mapping]] | None = None


def _gaps(given: Mapping) -> dict:
    return {name: [given["gap"]] * given["arms"] for name in ("gaps_min", "gaps_max")}


def _single(given: Mapping) -> dict:
    return {name: given[name] for name in ("arms", "gap", "smoothness")}


def _sized(given: Mapping) -> dict:
    return _single(given) | {"list_size": given["list_size"]}


def _theorem_4(given: Mapping) -> dict:
    return _gaps(given) | {"smoothness": given["smoothness"]}


def _theorem_4_by_fact_1(given: Mapping) -> dict:
    return _gaps(given) | {"smoothness": given["list_size"] * given["smoothness"]}


def _theorem_8(given: Mapping) -> dict:
    return _theorem_4(given) | {"list_size": given["list_size"]}


CELLS = (
    Cell(
        "B∞",
        "local",
        "Θ(m B² ln T/(ε²Δ))",
        lambda m, k, d, e, b, log: m * b**2 * log / (e**2 * d),
        ("4", 4, _theorem_4),
        ("5", 5, _single),
    ),
    Cell(
        "B∞",
        "central",
        "Θ̃(m B² ln T/(εΔ))",
        lambda m, k, d, e, b, log: m * b**2 * log / (e * d),
        ("8, B₁ = B∞", 8, _theorem_8),
        ("9, K = 1", 9, lambda g: _single(g) | {"list_size": 1}),
    ),
    Cell("B∞", "none", "Θ(m B² ln T/Δ)", lambda m, k, d, e, b, log: m * b**2 * log / d),
    Cell(
        "B₁",
        "local",
        "O(m K² B² ln T/(ε²Δ))",
        lambda m, k, d, e, b, log: m * k**2 * b**2 * log / (e**2 * d),
        ("4, B∞ = KB₁", 4, _theorem_4_by_fact_1),
        ("6", 6, _sized),
    ),
    Cell(
        "B₁",
        "central",
        "Θ̃(m K B² ln T/(εΔ))",
        lambda m, k, d, e, b, log: m * k * b**2 * log / (e * d),
        ("8", 8, _theorem_8),
        ("9", 9, _sized),
    ),
    Cell("B₁", "none", "Θ(m K B² ln T/Δ)", lambda m, k, d, e, b, log: m * k * b**2 * log / d),
)
COLUMNS = {
    "cell": "reward, privacy",
    "order": "order, as printed",
    "order_value": "its value",
    "upper": "upper: theorem",
    "upper_printed": "printed",
    "upper_corrected": "corrected",
    "lower": "lower: theorem",
    "lower_printed": "printed",
    "lower_corrected": "corrected",
}


def table_1(**given: object) -> xr.Dataset:
    """Both bounds of every cell after `horizon` rounds, with the constants as printed and corrected.

    arms (m), list_size (K), gap (Δ of every bad super arm, for all m arms), epsilon, smoothness (B_∞ or B₁), horizon.
    Lower bounds are the theorem's rate times ln T. Returns a table: variables are columns over `row`; NaN where there
    is no theorem ("–"), or where it does not apply, which a note says. Raises ValueError for a bad parameter.
    """
    given = check_all(PARAMETERS, given, "chen-table-1")
    if given["list_size"] > given["arms"]:
        raise ValueError(
            f"list_size = {given['list_size']} is not allowed (chen-table-1): it must be <= {given['arms']}, the number"
            " of arms."
        )
    numbers = [given[name] for name in ("arms", "list_size", "gap", "epsilon", "smoothness")]
    rows, notes = [], []
    for cell in CELLS:
        row = [f"{cell.reward},\u00a0{cell.privacy}", cell.order, cell.value(*numbers, math.log(given["horizon"]))]
        for side in (cell.upper, cell.lower):
            row += [side[0] if side else "–", *_values(side, given, notes)]
        rows.append(row)
    columns = dict(zip(COLUMNS, zip(*rows, strict=True), strict=True))
    data = {name: ("row", np.array(column), {"long_name": COLUMNS[name]}) for name, column in columns.items()}
    return xr.Dataset(data, attrs={"notes": json.dumps(list(dict.fromkeys(notes))), "version": __version__})


def _values(side, given: Mapping, notes: list[str]) -> tuple[float, float]:
    """(printed, corrected); notes get what keeps the theorem from applying."""
    if side is None:
        return math.nan, math.nan
    words, number, pick = side
    more = {"horizon": given["horizon"], "epsilon": given["epsilon"], **pick(given)}
    try:
        return tuple(
            BOUNDS[f"chen-theorem-{number}"].value(constants=constants, **more)
            for constants in ("printed", "corrected")
        )
    except ValueError as error:
        notes.append(f"Theorem {words}: {error}")
        return math.nan, math.nan
