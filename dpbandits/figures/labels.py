"""What all builders share: who is who in a labelled result, statistics over the runs, and at most 500 points a curve."""

import json
from collections.abc import Iterator

import numpy as np
import xarray as xr

from dpbandits.algorithms.catalogue import ALGORITHMS
from dpbandits.algorithms.record import Algorithm

MOST_POINTS = 500


def by_algorithm(data: xr.Dataset) -> Iterator[tuple[Algorithm, xr.Dataset]]:
    """(record, its part of the result). A learner's own function has a black dotted line."""
    many = data if "algorithm" in data.dims else data.expand_dims("algorithm")
    for name in many["algorithm"].values:
        yield ALGORITHMS.get(str(name)) or _own(str(name)), many.sel(algorithm=name)


def _own(name: str) -> Algorithm:
    return Algorithm(name, name, "", "yours", "", _own, "#000000", "dot")


def privacy_label(data: xr.Dataset, name: str) -> str:
    """The label of an algorithm in this result: "(1, 0.01) per-selection"."""
    return json.loads(data.attrs["guarantees"])[name]["label"]


def spread(regret: xr.DataArray) -> tuple[np.ndarray, np.ndarray]:
    """Mean over the runs, and their standard deviation (divisor runs − 1; 0 for a single run)."""
    runs = regret.sizes["run"]
    return regret.mean("run").values, (regret.std("run", ddof=1) if runs > 1 else 0 * regret.isel(run=0)).values


def log_ticks(values: np.ndarray) -> dict:
    """Ticks of a log axis over positive `values`: decades with small ticks between, or 1, 2, 5, 10, ... when they span few."""
    if values.size == 0 or values.max() / values.min() > 30:
        return {"dtick": 1, "minor": {"ticks": "outside", "dtick": "D1", "ticklen": 3}}
    first, last = int(np.floor(np.log10(values.min()))) - 1, int(np.ceil(np.log10(values.max()))) + 1
    ticks = [float(f"{digit}e{power}") for power in range(first, last) for digit in (1, 2, 5)]
    return {"tickvals": ticks, "ticktext": [f"{tick:,.10g}" for tick in ticks]}


def thin(count: int, most: int = MOST_POINTS) -> np.ndarray:
    """Positions of at most `most` of `count` points, evenly, both ends included."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int))
