"""simulate() and sweep(): seeds, workers, checkpoints, labelled results.

The unit of work is a `Cell`: one algorithm with fixed parameters on one instance. Every run of a cell has its
own seed, so any split of the runs over threads, processes or machines gives the same numbers bit for bit.
"""

import copy
import hashlib
import itertools
import json
import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import xarray as xr
from joblib.parallel import get_active_backend
from tqdm.auto import tqdm

from dpbandits.algorithms.catalogue import find
from dpbandits.algorithms.record import Algorithm
from dpbandits.environments import INSTANCES, Instance, build
from dpbandits.files import writable_folder, write_whole
from dpbandits.kernels import Unknowable, kernel_hash, reach_hash
from dpbandits.parameters import HORIZON, RUNS, SEED, Parameter, unknown
from dpbandits.randomness import Streams, run_seed, seed_sequence, streams

SPACINGS = ("log", "linear")
TAKEN = ("algorithm", "run", "round", "arm", "regret", "pulls")  # what a result has of its own


@dataclass(frozen=True, eq=False)
class Cell:
    """One algorithm with its parameters on one instance: `run(range)` computes any of its runs."""

    algorithm: Algorithm
    instance: Instance
    parameters: Mapping[str, Any]
    horizon: int
    checkpoints: np.ndarray
    seed: int

    @cached_property
    def seeds(self) -> np.random.SeedSequence:
        """Seed of the cell. The horizon is not part of it: a longer run continues the shorter one."""
        late = {p.name: p.default for p in self.algorithm.all_parameters if p.late}
        given = {name: value for name, value in self.parameters.items() if name not in late or value != late[name]}
        return seed_sequence(
            self.seed,
            self.algorithm.name,
            sorted(given.items()),
            self.instance.name,
            sorted(self.instance.parameters.items()),
        )

    @cached_property
    def source(self) -> str:
        """Hash of the code that its numbers come from: the kernel with all that it reaches."""
        if self.algorithm.code:
            return self.algorithm.code
        return kernel_hash(self.algorithm.kernel(self.parameters))

    @cached_property
    def key(self) -> str:
        """Name of the cell on disk: everything that its numbers depend on, the code included."""
        try:
            given = reach_hash(self.instance.problem, self.algorithm.arguments(self.parameters))
        except Unknowable:  # an instance of a learner's own make; its name and parameters are in the seed
            given = ""
        rounds = self.checkpoints.tolist()
        facts = (self.seeds.entropy, self.seeds.spawn_key, self.horizon, rounds, given, self.source, _around())
        return hashlib.sha256(repr(facts).encode()).hexdigest()[:24]

    def run(self, runs: Iterable[int]) -> tuple[np.ndarray, np.ndarray | None]:
        """Regret (runs, checkpoints) and final pulls (runs, arms), or None where the algorithm reports none."""
        outcomes = [self.play(streams(run_seed(self.seeds, r))) for r in runs]
        pulls = None if outcomes[0][1] is None else np.array([o[1] for o in outcomes])
        return np.array([o[0] for o in outcomes]), pulls

    def play(self, own: Streams) -> tuple[np.ndarray, object]:
        """One run on these streams: regret (checkpoints,) and pulls. Raises ValueError where a learner's function
        returns anything else.
        """
        problem, rounds = self.instance.problem, self.checkpoints
        if self.algorithm.code:  # a learner's function may write into what it is given: its rivals must not see that
            problem, rounds = copy.deepcopy(problem), rounds.copy()
        outcome, pulls = self.algorithm.run(problem, self.horizon, rounds, own, self.parameters)[:2]
        wanted = f"{self.algorithm.name} must return finite regret at each of the {self.checkpoints.size} checkpoints"
        try:
            regret = np.asarray(outcome, dtype=float)
        except (TypeError, ValueError):
            raise ValueError(f"{wanted}; it returned what is no array of numbers.") from None
        if regret.shape != self.checkpoints.shape or not np.isfinite(regret).all():
            strange = "" if np.isfinite(regret).all() else " with NaN or infinity"
            raise ValueError(f"{wanted}; it returned shape {regret.shape}{strange}.")
        return regret, pulls if pulls is None or not self.algorithm.code else self._counted(pulls)

    def ready(self, own: Streams) -> Callable[[], tuple]:
        """`play(own)` for very many short runs on the same streams: what stays the same is prepared once."""
        if self.algorithm.code:
            return lambda: self.play(own)
        return self.algorithm.ready(self.instance.problem, self.horizon, self.checkpoints, own, self.parameters)

    def _counted(self, pulls: object) -> np.ndarray:
        """The pulls of a learner's function. Raises ValueError for what is no count of each arm."""
        try:
            counts = np.asarray(pulls, dtype=float)
        except (TypeError, ValueError):
            counts = np.empty((0, 0))
        arms = self.instance.facts.get("arms")
        if (
            counts.ndim != 1
            or not np.isfinite(counts).all()
            or (counts < 0).any()
            or counts.size != (arms or counts.size)
        ):
            each = f"each of the {arms} arms" if arms else "each arm"
            raise ValueError(f"{self.algorithm.name} must return how often {each} was pulled, or leave the pulls out.")
        return counts if np.any(counts % 1) else counts.astype(np.int64)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is merely unlucky about this cell."""
        return tuple(
            f"{self.algorithm.name}: {note}"
            for note in self.algorithm.notes(self.parameters, self.instance, self.horizon)
        )


@cache
def _around() -> str:
    """Hash of the code that hands a run its seed and its arguments."""
    return reach_hash(run_seed, streams, Algorithm.run)


def checkpoint_rounds(horizon: int, checkpoints: int | Sequence[int] = 300, spacing: str = "log") -> np.ndarray:
    """Increasing rounds that end with the horizon: about `checkpoints` of them, or the given ones."""
    if np.ndim(checkpoints) == 0:
        count = Parameter("checkpoints", "", kind="integer", low=1, high=10**6).check(checkpoints)
        Parameter("spacing", "", kind="choice", choices=SPACINGS).check(spacing)
        grid = (
            np.geomspace(1, horizon, count)
            if spacing == "log"
            else np.linspace(max(1, horizon / count), horizon, count)
        )
        return np.unique(np.append(np.round(grid).astype(np.int64), horizon))
    rounds = np.array(
        [Parameter("checkpoints", "", kind="integer", low=1, high=horizon).check(r) for r in checkpoints],  # type: ignore[union-attr]  # a single number has left
        dtype=np.int64,
    )
    return np.unique(np.append(rounds, horizon))


def cells_for(
    algorithms: Iterable,
    instance: str | Instance,
    given: Mapping[str, Any],
    *,
    horizon: int,
    checkpoints: np.ndarray,
    seed: int,
) -> list[Cell]:
    """One checked cell for each algorithm. A parameter goes to all that take it; one that nobody takes is refused."""
    family = INSTANCES.get(instance) if isinstance(instance, str) else None
    instance_names = {p.name for p in family.parameters} if family else set()
    built = build(instance, **{k: v for k, v in given.items() if k in instance_names})
    records = [find(a, built.setting) for a in algorithms]
    names = [r.name for r in records]
    if len(set(names)) < len(names):
        raise ValueError(f"algorithm = {names} is not allowed: each name once.")
    taken = {r.name: {p.name for p in r.all_parameters} for r in records}
    allowed = instance_names.union(*taken.values())
    for name in given:
        if name not in allowed:
            raise ValueError(unknown("parameter", name, sorted(allowed), f" of {', '.join(names)} on {built.name}"))
    return [
        Cell(r, built, r.bind({k: v for k, v in given.items() if k in taken[r.name]}), horizon, checkpoints, seed)
        for r in records
    ]


def simulate(
    algorithm: str | Callable | Sequence,
    instance: str | Instance,
    *,
    horizon: int,
    runs: int = 20,
    seed: int = 0,
    checkpoints: int | Sequence[int] = 300,
    spacing: str = "log",
    workers: int | None = None,
    progress: bool | None = None,
    **parameters: object,
) -> xr.Dataset:
    """Play `runs` independent games of `horizon` rounds.

    algorithm: a catalogue name, a function with a kernel's signature, or a list of these (then results carry an
    `algorithm` dimension).
    instance: a catalogue name or an Instance. parameters: whatever the algorithms or the instance take (`epsilon`,
    `means`, ...).
    checkpoints: how many rounds to record (`spacing` "log" or "linear"), or the rounds themselves.
    workers: how many at once; None means all cores, or what `joblib.parallel_config` says. Results do not depend on it.
    progress: show a bar; None shows one only when the work takes more than a second.

    Returns a Dataset with `regret` (algorithm, run, round), the cumulative pseudo-regret, and `pulls` (algorithm, run,
    arm). Its attributes hold the settings, the privacy guarantees and notes on unlucky settings. Raises ValueError for
    bad input.
    """
    return _play(
        algorithm, instance, {}, parameters, horizon, runs, seed, checkpoints, spacing, workers, None, progress
    )


def sweep(
    algorithm: str | Callable | Sequence,
    instance: str | Instance,
    *,
    horizon: int,
    runs: int = 20,
    seed: int = 0,
    checkpoints: int | Sequence[int] = 300,
    spacing: str = "log",
    workers: int | None = None,
    folder: str | os.PathLike | None = None,
    progress: bool | None = None,
    **parameters: object,
) -> xr.Dataset:
    """simulate() over a grid: every parameter given as a list becomes a dimension.

    `sweep("dp-ftpl-new", "wang-zhu-1", horizon=10**5, epsilon=[0.1, 1], delta=0.01)` has dims epsilon, run, round.
    A parameter that is a list by nature (`means`) is swept by a list of lists. An algorithm that does not take a swept
    parameter is run once and repeated along it. With `folder`, each finished cell is written there (whole or not at
    all) and read back when the same sweep is started again; `papers.stored.stored()` in its place gives shipped
    results. Other arguments and the result as for simulate().
    """
    swept = _find_swept(instance, parameters)
    if taken := [name for name in swept if name in TAKEN]:
        raise ValueError(
            f"{taken[0]} = a list is not allowed: the result has something else of that name; rename the parameter."
        )
    if empty := [name for name, values in swept.items() if not values]:
        raise ValueError(f"{empty[0]} = [] is not allowed: give at least one value.")
    return _play(
        algorithm, instance, swept, parameters, horizon, runs, seed, checkpoints, spacing, workers, folder, progress
    )


def _play(
    algorithm, instance, swept, parameters, horizon, runs, seed, checkpoints, spacing, workers, folder, progress
) -> xr.Dataset:
    horizon, runs, seed = HORIZON.check(horizon), RUNS.check(runs), SEED.check(seed)
    rounds = checkpoint_rounds(horizon, checkpoints, spacing)
    if workers is not None:
        Parameter("workers", "", kind="integer", low=1, high=1024).check(workers)
    single = isinstance(algorithm, str) or not isinstance(algorithm, Iterable)
    algorithms = [algorithm] if single else list(algorithm)
    if not algorithms:
        raise ValueError("algorithm = [] is not allowed: name at least one.")

    grid: list[list[Cell]] = []  # one row per grid point, one column per algorithm
    for point in itertools.product(*swept.values()):
        given = {**parameters, **dict(zip(swept, point, strict=True))}
        grid.append(cells_for(algorithms, instance, given, horizon=horizon, checkpoints=rounds, seed=seed))
    unique = {cell.key: cell for row in grid for cell in row}
    if hasattr(folder, "outcomes"):  # results that lie ready, see papers/stored.py
        outcomes = folder.outcomes(unique, runs)
    else:
        _check_memory(len(unique) * runs * rounds.size)
        place = None if folder is None else writable_folder(folder, "folder")
        outcomes = _run_all(unique, runs, workers, place, progress)
    return _label(grid, outcomes, swept, runs, rounds, single, seed)


def _find_swept(instance, parameters: Mapping) -> dict[str, Sequence]:
    kinds: dict[str, str] = {}
    if isinstance(instance, str) and instance in INSTANCES:
        kinds.update({p.name: p.kind for p in INSTANCES[instance].parameters})
    by_nature = {"vector": 1, "vectors": 2}
    return {
        name: list(value) for name, value in parameters.items() if _depth(value) > by_nature.get(kinds.get(name, ""), 0)
    }


def _depth(value) -> int:
    """How many lists deep: vectors need not have one length."""
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list | tuple) else np.ndim(value)


def _run_all(
    cells: Mapping[str, Cell], runs: int, workers: int | None, folder: Path | None, progress: bool | None
) -> dict:
    """All runs of all cells: {key: (regret, pulls)}."""
    done = {
        key: saved
        for key, cell in cells.items()
        if folder is not None and (saved := _load(folder / f"{key}-{runs}.npz", key, runs, cell)) is not None
    }
    todo = [key for key in cells if key not in done]
    # One task is one cell with all its runs; when cells are few the runs are split, so that no worker waits long at the
    # end for another's cell.
    jobs = workers or get_active_backend()[1] or -1  # asked for, set by joblib.parallel_config, or all cores
    active = joblib.effective_n_jobs(jobs)
    pieces = min(runs, max(1, -(-16 * active // max(1, len(todo)))))
    tasks = [(key, piece) for key in todo for piece in np.array_split(np.arange(runs), pieces)]
    parts: dict[str, list] = {key: [] for key in todo}
    pool = joblib.Parallel(n_jobs=jobs, prefer="threads", return_as="generator", batch_size=1)
    results = pool(joblib.delayed(_run_piece)(cells[key], piece.tolist()) for key, piece in tasks)
    quiet = os.environ.get("TQDM_DISABLE", "0") not in (
        "",
        "0",
    )  # tqdm's own variable, which its bar for notebooks overlooks
    show = {"delay": 1.0, "disable": quiet} if progress is None else {"disable": not progress}
    with tqdm(
        total=len(tasks) + len(done) * pieces, initial=len(done) * pieces, unit="task", leave=False, **show
    ) as bar:
        for (key, _), part in zip(tasks, results, strict=True):
            parts[key].append(part)
            bar.update()
            if len(parts[key]) == pieces:
                done[key] = _join(parts.pop(key))
                if folder is not None:
                    _save(folder / f"{key}-{runs}.npz", key, *done[key])
        if getattr(bar, "displayed", False):
            # A notebook's bar is hidden, not closed: a page that is still making its view would call that an error.
            bar.leave, bar.container.layout.display = True, "none"
    return done


def _run_piece(cell: Cell, runs: list[int]):
    return cell.run(runs)


def _join(parts: list) -> tuple[np.ndarray, np.ndarray | None]:
    regrets, pulls = zip(*parts, strict=True)
    return np.concatenate(regrets), None if pulls[0] is None else np.concatenate(pulls)


def _save(path: Path, key: str, regret: np.ndarray, pulls: np.ndarray | None) -> None:
    arrays = {"regret": regret} if pulls is None else {"regret": regret, "pulls": pulls}
    sealed: dict[str, Any] = {"seal": _seal(key, arrays), **arrays}
    write_whole(path, lambda part: np.savez_compressed(part, **sealed))


def _seal(key: str, arrays: Mapping[str, np.ndarray]) -> str:
    """Checksum of a cell's file: whose results, their names, kinds, shapes and every bit."""
    digest = hashlib.sha256(key.encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(repr((name, array.dtype.str, array.shape)).encode() + array.tobytes())
    return digest.hexdigest()


def _load(path: Path, key: str, runs: int, cell: Cell) -> tuple[np.ndarray, np.ndarray | None] | None:
    """A cell's results, if they lie there whole and are its own; else None, with a warning about a file that is not."""
    if not path.exists():
        return None
    try:
        with np.load(path, allow_pickle=False) as saved:
            arrays = {name: saved[name] for name in saved.files}
        seal = str(arrays.pop("seal"))
        if set(arrays) <= {"regret", "pulls"} and seal == _seal(key, arrays):
            regret = arrays["regret"]
            if regret.shape == (runs, cell.checkpoints.size) and np.isfinite(regret).all():
                return regret, arrays.get("pulls")
    except Exception:  # noqa: BLE001 - whatever is wrong with a file, its cell can be computed again
        pass
    warnings.warn(f"{path} does not hold the results that its name says: they are computed again.", stacklevel=2)
    return None


def _check_memory(numbers: int) -> None:
    """Raises ValueError where the results alone would take more than half of the memory that is free."""
    try:
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # this system does not tell
        return
    if 8 * numbers > free / 2:
        raise ValueError(
            f"runs and checkpoints are not allowed: their results would take {8e-9 * numbers:,.1f} GB, and"
            f" {1e-9 * free:,.1f} GB are free; ask for fewer checkpoints or runs."
        )


def _label(grid, outcomes, swept, runs: int, rounds: np.ndarray, single: bool, seed: int) -> xr.Dataset:
    names = [cell.algorithm.name for cell in grid[0]]
    lengths = [len(values) for values in swept.values()]
    # (algorithm, *swept, run, round)
    stacked = np.array([[outcomes[row[a].key][0] for row in grid] for a in range(len(names))])
    regret = stacked.reshape(len(names), *lengths, runs, rounds.size)
    dims = ("algorithm", *swept, "run")
    data = {"regret": ((*dims, "round"), regret)}
    all_pulls = [[outcomes[row[a].key][1] for row in grid] for a in range(len(names))]
    shapes = {None if p is None else p.shape for column in all_pulls for p in column}
    coords = {
        "algorithm": names,
        **{k: _coordinate(v) for k, v in swept.items()},
        "run": np.arange(runs),
        "round": rounds,
    }
    only = next(iter(shapes)) if len(shapes) == 1 else None
    if only is not None:
        arms = only[1]
        data["pulls"] = ((*dims, "arm"), np.array(all_pulls).reshape(len(names), *lengths, runs, arms))
        coords["arm"] = np.arange(1, arms + 1)
    first = grid[0]
    attrs = {
        "instance": first[0].instance.name,
        "instance_parameters": json.dumps(dict(first[0].instance.parameters)),
        "parameters": json.dumps({c.algorithm.name: dict(c.parameters) for c in first}),
        "swept": json.dumps(list(swept)),
        "guarantees": json.dumps(
            {c.algorithm.name: c.algorithm.guarantee(c.parameters, c.instance, c.horizon).as_dict() for c in first}
        ),
        "notes": json.dumps(list(dict.fromkeys(note for row in grid for cell in row for note in cell.notes))),
        "horizon": int(rounds[-1]),
        "runs": runs,
        "seed": seed if seed < 2**63 else str(seed),
        "version": _version(),
        "sources": json.dumps({c.algorithm.name: c.source for c in first}),
    }
    data_set = xr.Dataset(data, coords, attrs)
    data_set["regret"].attrs = {"long_name": "cumulative pseudo-regret", "units": "reward"}
    data_set["round"].attrs = {"long_name": "round t"}
    return data_set.isel(algorithm=0) if single else data_set


def _coordinate(values: Sequence) -> Sequence:
    return [str(v) for v in values] if _depth(values) > 1 else list(values)


def _version() -> str:
    from dpbandits import __version__

    return __version__
