"""The papers' panels at their own size, as played once and shipped: `dpbandits reproduce X --scale paper --stored`.

One file holds every cell of the panels it has: mean, standard deviation and quartiles of the regret over the runs at
the cell's checkpoints, the last regret of every single run, and the pulls where a panel needs them. It also holds
what they depend on: version, seed, and a hash of the code that played them. Numbers whose code has changed since are
refused. `benchmarks/store.py` writes it.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).parent / "stored.npz"
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
REFUSED, INSTEAD = "stored = True is not allowed:", "Leave it out to play them."


class Stored:
    """What a sweep reads its cells from in place of a folder: `sweep(..., folder=stored())`."""

    def __init__(self, facts: Mapping, arrays: Mapping[str, np.ndarray]):
        self.facts, self.arrays = facts, arrays

    def outcomes(self, cells: Mapping[str, Any], runs: int) -> dict:
        """{key: (regret, pulls)} as if every cell had been played. Raises ValueError for one that is missing or stale.

        regret (runs, checkpoints) is a sample with the stored mean and deviation, half of it on either side of the
        mean: what is drawn from it is right, single runs are not told. pulls (runs, arms): of the runs, or None.
        """
        return {key: self.outcome(cell, runs) for key, cell in cells.items()}

    def outcome(self, cell, runs: int):
        """Of one cell."""
        place = self.place(cell, runs)
        mean, deviation = self.curve(place, "mean"), self.curve(place, "deviation")
        side = np.where(np.arange(runs) % 2, 1.0, -1.0) * np.sqrt((runs - 1) / runs)
        pulls = self.arrays.get(f"pulls-{place}")
        return mean + side[:, None] * deviation, pulls

    def place(self, cell, runs: int) -> int:
        """The number of a cell in the file. Raises ValueError where it is missing, or was played by other code."""
        name = identity(cell, runs)
        if name not in self.places:
            what = f"{cell.algorithm.name} on {cell.instance.name}"
            raise ValueError(f"{REFUSED} the shipped results have no {what} at these settings. {INSTEAD}")
        place = self.places[name]
        if self.facts["code"][place] != code_of(cell):
            changed = f"the code of {cell.algorithm.name} has changed since version {self.facts['version']} played"
            raise ValueError(f"{REFUSED} {changed} the shipped results. {INSTEAD}")
        return place

    @property
    def places(self) -> Mapping[str, int]:
        """Identity of a cell -> its number."""
        return self.facts["places"]

    def curve(self, place: int, what: str) -> np.ndarray:
        """mean, deviation (checkpoints,), or quantiles (len(QUANTILES), checkpoints), of a cell's regret."""
        first, last = self.arrays["start"][place : place + 2]
        return self.arrays[what][..., first:last]

    def last(self, place: int) -> np.ndarray:
        """The last regret of every run of a cell, bit for bit, shape (runs,)."""
        first, last = self.arrays["run_start"][place : place + 2]
        return self.arrays["last"][first:last]


def identity(cell, runs: int) -> str:
    """Name of a cell: all that fixes its numbers but the code."""
    seeds = cell.seeds
    return json.dumps([seeds.entropy, list(seeds.spawn_key), cell.horizon, _short(cell.checkpoints), runs])


def _short(checkpoints: np.ndarray) -> list[int]:
    """Enough of the checkpoints to tell grids apart."""
    return [int(checkpoints.size), int(checkpoints[0]), int(checkpoints[checkpoints.size // 2]), int(checkpoints[-1])]


def code_of(cell) -> str:
    """Hash of the code that plays the cell."""
    return cell.source


@cache
def stored(file: Path = FILE) -> Stored:
    """The shipped results. Raises ValueError where there are none."""
    if not file.is_file():
        raise ValueError(f"{REFUSED} this copy of dpbandits has no shipped results. {INSTEAD}")
    with np.load(file, allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    return Stored(json.loads(arrays.pop("facts").tobytes().decode()), arrays)


def pack(parts: Iterable[tuple[str, str, np.ndarray, np.ndarray | None]], facts: Mapping) -> dict[str, np.ndarray]:
    """Arrays of the file from (identity, code, regret (runs, checkpoints), pulls or None) of every cell, and further
    facts.
    """
    places, code, curves, lasts, arrays = {}, [], [], [], {}
    for place, (name, source, regret, pulls) in enumerate(parts):
        places[name] = place
        code.append(source)
        deviation = regret.std(axis=0, ddof=1) if len(regret) > 1 else 0 * regret[0]
        curves.append((regret.mean(axis=0), deviation, np.quantile(regret, QUANTILES, axis=0)))
        lasts.append(regret[:, -1])
        if pulls is not None:
            arrays[f"pulls-{place}"] = pulls.astype(np.int32)
    mean, deviation, quantiles = (
        np.concatenate(part, axis=-1).astype(np.float32) for part in zip(*curves, strict=True)
    )
    text = json.dumps({**facts, "places": places, "code": code, "quantiles": QUANTILES})
    return arrays | {
        "facts": np.frombuffer(text.encode(), np.uint8),
        "start": np.cumsum([0, *(part[0].size for part in curves)]),
        "run_start": np.cumsum([0, *(part.size for part in lasts)]),
        "mean": mean, "deviation": deviation, "quantiles": quantiles, "last": np.concatenate(lasts),
    }  # fmt: skip


class _Collector:
    """Takes the place of a folder as Stored does, and notes which cells a sweep asks for."""

    def __init__(self):
        self.cells: dict[str, tuple[object, int]] = {}

    def outcomes(self, cells: Mapping[str, Any], runs: int) -> dict:
        self.cells |= {identity(cell, runs): (cell, runs) for cell in cells.values()}
        return {
            key: (np.zeros((runs, cell.checkpoints.size)), np.zeros((runs, _arms(cell)))) for key, cell in cells.items()
        }


def _arms(cell) -> int:
    first = cell.instance.problem[0]
    return np.shape(getattr(first, "means", first))[-1]


def cells_of(figure, scale: str = "paper") -> dict[str, tuple[object, int]]:
    """{identity: (cell, runs)} of all that a panel plays at this scale; nothing is played."""
    if not figure.simulated:
        return {}
    collector = _Collector()
    figure.data(scale, folder=collector)
    return collector.cells
