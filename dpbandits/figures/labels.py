"""What all builders share: who is who in a labelled result, statistics over the runs, and at most 500 points a
curve.
"""

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from html import escape

import numpy as np
import xarray as xr

from dpbandits.algorithms.catalogue import ALGORITHMS
from dpbandits.algorithms.record import Algorithm
from dpbandits.environments import Instance, build
from dpbandits.figures.palette import VALUES
from dpbandits.privacy import Guarantee

MOST_POINTS = 500
SYMBOLS = {"epsilon": "ε", "delta": "δ", "items": "L", "list_size": "K"}


def by_algorithm(data: xr.Dataset) -> Iterator[tuple[Algorithm, xr.Dataset]]:
    """(record, its part of the result). A learner's own function has a black dotted line."""
    many = data if "algorithm" in data.dims else data.expand_dims("algorithm")
    for name in many["algorithm"].values:
        yield ALGORITHMS.get(str(name)) or _own(str(name)), many.sel(algorithm=name)


def _own(name: str) -> Algorithm:
    return Algorithm(name, escape(name), "", "yours", "", _own, "#000000", "dot")  # plotly reads a title as HTML


def privacy_label(data: xr.Dataset, name: str) -> str:
    """The label of an algorithm in this result: "(1, 0.01) per-selection"."""
    return json.loads(data.attrs["guarantees"])[name]["label"]


def curves(data: xr.Dataset, over: str = "") -> Iterator[tuple[Algorithm, str, xr.Dataset]]:
    """(record, privacy label, its part of the result) of each line: one an algorithm, or one for each value of `over`
    too.

    The lines of one algorithm then differ in colour and dash; one that does not depend on `over` keeps its look and is
    there once.
    """
    parameters, everywhere = json.loads(data.attrs["parameters"]), over in json.loads(data.attrs["instance_parameters"])
    fixed = {a.colour for a, _ in by_algorithm(data) if over not in parameters[a.name] and not everywhere}
    looks = [look for look in VALUES if look[0] not in fixed]
    for algorithm, part in by_algorithm(data):
        if not over:
            yield algorithm, privacy_label(data, algorithm.name), part
            continue
        varies = everywhere or over in parameters[algorithm.name]
        for value, (colour, dash) in zip(data[over].values if varies else data[over].values[:1], looks, strict=False):
            title = f"{algorithm.title}, {SYMBOLS.get(over, over)} = {value:g}"
            look = (
                replace(algorithm, name=f"{algorithm.name} {value:g}", title=title, colour=colour, dash=dash)
                if varies
                else algorithm
            )
            yield look, guarantee_at(data, algorithm, over, value).label, part.sel({over: value})


def instance_at(data: xr.Dataset, over: str = "", value: object = None) -> Instance:
    """The catalogue's instance that the result was played on, where `over` is `value`."""
    parameters = json.loads(data.attrs["instance_parameters"])
    return build(data.attrs["instance"], **parameters | ({over: value} if over in parameters else {}))


def guarantee_at(data: xr.Dataset, algorithm: Algorithm, over: str, value: object) -> Guarantee:
    """What `algorithm` promises where `over` is `value`; the result's own records are those of the first value."""
    parameters = json.loads(data.attrs["parameters"])[algorithm.name]
    parameters |= {over: value} if over in parameters else {}
    return algorithm.guarantee(parameters, instance_at(data, over, value), data.attrs["horizon"])


def scope_label(record: dict) -> str:
    """The label of a guarantee without its numbers, for an axis along which ε or δ changes."""
    if record["scope"] in ("none", "unknown"):
        return record["label"]
    return record["scope"] + ("" if record["status"] in ("proved", "repaired") else f" ({record['status']})")


def panel_of(data: xr.Dataset, panel: str) -> xr.Dataset:
    """One panel of a result with a dimension `panel`, with that panel's parameters and guarantees."""
    facts = {key: json.dumps(value) for key, value in json.loads(data.attrs["panels"])[panel].items()}
    return data.sel(panel=panel, drop=True).assign_attrs(facts)


def spread(regret: xr.DataArray) -> tuple[np.ndarray, np.ndarray]:
    """Mean over the runs, and their standard deviation (divisor runs − 1; 0 for a single run)."""
    runs = regret.sizes["run"]
    return regret.mean("run").values, (regret.std("run", ddof=1) if runs > 1 else 0 * regret.isel(run=0)).values


def number(value: float) -> str:
    """A number in a sentence or a cell: three or more digits, thousands set off, no exponent where it can be
    avoided.
    """
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e9 else f"{value:.3g}"


def log_ticks(values: np.ndarray, most: int | None = None) -> dict:
    """Ticks of a log axis over positive `values`: decades with small ticks between, at most `most` of them; where two
    powers of ten may not fit, 1, 2, 5, 10, ...; where hardly one of these may, round numbers in equal steps.
    """
    spread = values.max() / values.min() if values.size else math.inf
    if spread >= 100 or spread < 1 + 1e-9:  # plotly shows a decade to either side of a single value
        every = max(1, math.ceil(math.log10(spread) / most)) if most and spread < math.inf else 1
        return {"dtick": every, "minor": {"ticks": "outside", "dtick": "D1", "ticklen": 3}}
    if spread <= 5:
        ticks = round_numbers(values.min(), values.max())
        return {"tickvals": ticks, "ticktext": [f"{tick:,.10g}" for tick in ticks]}
    first, last = int(np.floor(np.log10(values.min()))) - 1, int(np.ceil(np.log10(values.max()))) + 1
    ticks = [float(f"{digit}e{power}") for power in range(first, last) for digit in (1, 2, 5)]
    return {"tickvals": ticks, "ticktext": [f"{tick:,.10g}" for tick in ticks]}


def round_numbers(low: float, high: float) -> list[float]:
    """Up to six multiples of 1, 2 or 5 times a power of ten, from low to high, and one beyond either end."""
    least = (high - low) / 5 * (1 - 1e-9)
    power = 10.0 ** math.floor(math.log10(least))
    step = next(digit * power for digit in (1, 2, 5, 10) if digit * power >= least)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [float(f"{k * step:.12g}") for k in range(max(first, 1), last + 1)]


def thin(count: int, most: int = MOST_POINTS) -> np.ndarray:
    """Positions of at most `most` of `count` points, evenly, both ends included."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int))
