"""Hostile input, storms of moves, kills, crowds: `python -m tests.hardening [--seconds N] [--only PART ...]`.

Parts: api, cli (hypothesis throws values at every name), storms (500 moves for each explorer, with and without an event
loop, compared with a fresh panel every 50), kills, crowd (two processes in one folder), backends. Each part prints what
it tried and what fell through; exit code 1 where anything did. --seconds bounds each part, the full size is without it.
"""

import argparse
import asyncio
import contextlib
import gc
import io
import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from dpbandits import account, catalogue, explorers, simulate, sweep
from dpbandits.cli import main
from dpbandits.environments import build
from tests.explorers import walk

INPUTS, MOVES, KILLS = 10_000, 500, 20
BATCH = 100  # inputs that hypothesis draws at a time
EVERY = 50  # moves between two comparisons with a fresh panel
GROWTH = 30e6  # bytes by which a storm may let the memory grow
MOST_MEMORY = 6 * 2**30  # of this process: whatever asks for more gets a MemoryError, and that must not be seen
ONE_OF_EACH = {  # setting -> (algorithm, instance)
    "stochastic": ("dp-ftpl-new", "wang-zhu-1"),
    "cascade": ("cascade-ldp-laplace", "cascade-paper"),
    "semi-bandit": ("cucb-ldp2", "k-path"),
    "matroid": ("dpts-mat", "matroid-table-6.1"),
}
NUMBERS = st.one_of(
    st.sampled_from([0, 1, -1, 2, 3, 5, 10, 0.5, 1.0, 1e-3, 1e10, 10**10, 1e200, 1e308, 5e-324, -0.0, 2**64, 10**400]),
    st.sampled_from([math.nan, math.inf, -math.inf, Fraction(1, 3), Fraction(10**400, 3), np.float64(0.2), np.int8(3)]),
    st.floats(0, 2),
    st.integers(1, 40),
)
OTHERS = st.sampled_from(
    [None, "", "x", "x" * 10**6, [], {}, (), [0.5], [0.2, 0.9], [[1, 0], [0, 1]], True, b"1", object(), "<b>é\n",
     np.array(0.5), np.arange(3), pd.DataFrame({"a": [1, 2]}), np.array([]), {0.5}, "0.5", 1j, lambda: 1]
)  # fmt: skip
VALUES = st.one_of(NUMBERS, NUMBERS, NUMBERS, OTHERS)


class Trouble(Exception):
    """Something fell through."""


def sentence(error: BaseException) -> None:
    """Raises Trouble unless an error is a user's mistake, told as this package tells it."""
    text = str(error)
    if type(error) is not ValueError or not text.rstrip().endswith((".", "?")) or "\n" in text or len(text) > 600:
        raise Trouble(f"{type(error).__name__}: {text[:300]}") from error


def fuzz(strategy, attempt: Callable, count: int, seconds: float) -> tuple[int, list[str]]:
    """(inputs tried, what fell through) of `count` inputs or `seconds`; one input of each kind of fault is told."""
    end, tried, found, batch = time.monotonic() + seconds, 0, {}, 0

    def one(drawn):
        nonlocal tried
        tried += 1
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                attempt(drawn)
        except Exception as error:  # noqa: BLE001 - whatever falls through is what is looked for
            told = f"{type(error).__name__}: {error}"[:300]
            found.setdefault(re.sub(r"[\d.e+-]+|'[^']*'", "#", told)[:90], f"{told} <- {repr(drawn)[:300]}")

    while tried < count and time.monotonic() < end:  # in batches, which end soon after the time does
        examples = settings(
            max_examples=min(BATCH, count - tried), database=None, deadline=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        seed(batch)(examples(given(strategy)(one)))()
        batch += 1
    return tried, list(found.values())


def attempt_bound(drawn) -> None:
    name, values = drawn
    record = catalogue.bounds()[name]
    given_values = spoilt(record.parameters, values, record.facts)
    try:
        value = record.value(**given_values)
    except ValueError as error:
        return sentence(error)
    if math.isnan(value):
        raise Trouble(f"{name} is NaN")


def attempt_run(drawn) -> None:
    name, instance, values, (horizon, runs, seed, checkpoints) = drawn
    record, family = catalogue.algorithms()[name], catalogue.instances()[instance]
    given_values = spoilt((*record.all_parameters, *family.parameters), values)
    try:
        result = simulate(name, instance, horizon=horizon, runs=runs, seed=seed, checkpoints=checkpoints, workers=1,
                          progress=False, **given_values)  # fmt: skip
    except ValueError as error:
        return sentence(error)
    if not np.isfinite(result.regret.values).all():
        raise Trouble(f"{name} on {instance}: regret is not finite")


def attempt_account(drawn) -> None:
    name, values, horizon = drawn
    record = catalogue.algorithms()[name]
    given_values = spoilt(record.all_parameters, values)
    try:
        account(name, horizon=horizon, **given_values)
    except ValueError as error:
        sentence(error)


def attempt_instance(drawn) -> None:
    name, values = drawn
    given_values = spoilt(catalogue.instances()[name].parameters, values)
    try:
        build(name, **given_values)
    except ValueError as error:
        sentence(error)


def attempt_cli(words: list[str]) -> None:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(words)
        except SystemExit as left:  # --help
            code = left.code
    said = err.getvalue()
    if code == 2 and (not said.startswith("dpbandits: ") or len(said) > 800):
        raise Trouble(f"exit code 2 with {said[:300]!r}")
    if code not in (0, 2):
        raise Trouble(f"exit code {code} with {said[:300]!r}")
    if code == 0 and "--json" in words:
        json.loads(out.getvalue(), parse_constant=lambda name: (_ for _ in ()).throw(Trouble(f"{name} in JSON")))


SPOILS = st.lists(st.tuples(st.integers(0, 11), VALUES), max_size=3)


def some(names):
    """A name, and (position of a parameter, value) of a few that are spoilt."""
    return st.tuples(st.sampled_from(sorted(names)), SPOILS)


def spoilt(parameters, spoils, facts=()) -> dict[str, object]:
    """Values that go together, some of them replaced. Of a bound that takes facts, at times an instance gives them."""
    values = {p.name: typical(p) for p in parameters}
    for position, value in spoils:
        if parameters:
            values[parameters[position % len(parameters)].name] = value
    if facts and len(spoils) % 2:
        values = {name: value for name, value in values.items() if name not in facts} | {"instance": "two-arms"}
    return {name: value for name, value in values.items() if value is not ...}


def typical(parameter) -> object:
    """A value that is allowed, `...` where leaving it out does."""
    first = parameter.default if parameter.suggested is None else parameter.suggested
    if first is not None:
        return first
    if not parameter.required:
        return ...
    low, high = max(parameter.low, 0), min(parameter.high, 1)
    kinds = {"integer": int(max(low, 3)), "vector": (0.2, 0.9), "vectors": ((1, 0), (0, 1)), "text": "x"}
    return kinds.get(parameter.kind, (low + high) / 2 if high > low else low + 1)


SMALL = st.one_of(st.integers(1, 40), st.integers(1, 40), VALUES)
TEXTS = st.sampled_from(
    "0 1 -1 0.5 nan inf 1e400 1e200 5e-324 1e10 10000000000 x 3 8".split()
    + "0.2,0.9 1:0,0:1 , : 0.5,, é <b> null true 1_0 0x10 ١".split()
    + ["", "two-arms", "9" * 400, "0." + "0" * 400 + "1"]
)


def lines_of_words():
    """Command lines."""
    bounds, algorithms, instances = (
        sorted(getattr(catalogue, kind)()) for kind in ("bounds", "algorithms", "instances")
    )
    keys = sorted({p.name for b in catalogue.bounds().values() for p in b.parameters} | {"nosuch", "", "means", "gap"})
    pairs = st.lists(st.tuples(st.sampled_from(keys), TEXTS).map(lambda pair: ["--set", "=".join(pair)]), max_size=5)
    tail = st.lists(st.sampled_from(["--json", "--nosuch", "-", "--", "--set"]), max_size=1)
    names = st.sampled_from([*bounds, *algorithms, "nosuch", "", "-1", "all"])
    bound = st.tuples(st.sampled_from([*bounds, "nosuch", ""]), pairs, tail).map(
        lambda d: ["bound", d[0], *sum(d[1], []), *d[2]]
    )
    small = st.sampled_from(["1", "3", "20", "0", "-5", "x", "1e2", "1.5", "", "nan", "1e30"])
    who, where = st.sampled_from([*algorithms, "nosuch"]), st.sampled_from([*instances, "nosuch"])
    run = st.tuples(who, where, small, small, pairs, tail).map(
        lambda d: ["run", d[0], "--instance", d[1], "--horizon", d[2], "--runs", d[3], *sum(d[4], []), *d[5]]
    )
    privacy = st.tuples(st.sampled_from(algorithms), small, pairs, tail).map(
        lambda d: ["privacy", d[0], "--horizon", d[1], *sum(d[2], []), *d[3]]
    )
    other = st.tuples(st.sampled_from(["list", "bound", "run", "verify", "marks", "nosuch", ""]), names).map(list)
    return st.one_of(bound, run, privacy, other)


def api(seconds: float, count: int = INPUTS) -> tuple[str, list[str]]:
    runs = st.tuples(
        st.sampled_from(sorted(catalogue.algorithms())), st.sampled_from(sorted(catalogue.instances())),
        SPOILS, st.tuples(SMALL, st.one_of(st.integers(1, 2), VALUES), SMALL, SMALL),
    ).filter(lambda d: not _long(d[3]))  # fmt: skip
    accounts = st.tuples(some(catalogue.algorithms()), st.integers(1, 200)).map(lambda d: (*d[0], d[1]))
    plans = {
        "bounds": (some(catalogue.bounds()), attempt_bound, 0.4),
        "instances": (some(catalogue.instances()), attempt_instance, 0.2),
        "runs": (runs, attempt_run, 0.3),
        "accounts": (accounts, attempt_account, 0.1),
    }
    told, faults = [], []
    for name, (strategy, attempt, share) in plans.items():
        tried, found = fuzz(strategy, attempt, int(count * share), seconds * share)
        told.append(f"{name} {tried}")
        faults += [f"{name}: {fault}" for fault in found]
    return ", ".join(told), faults


def _long(sizes) -> bool:
    """Whether a run with these would be allowed, and take long."""
    horizon, runs = (float(s) if isinstance(s, (int, float)) and abs(s) < 1e300 else 0 for s in sizes[:2])
    return horizon * max(runs, 1) > 1000


def cli(seconds: float, count: int = INPUTS // 2) -> tuple[str, list[str]]:
    tried, faults = fuzz(lines_of_words().filter(lambda w: len(w) < 40), attempt_cli, count, seconds)
    return f"command lines {tried}", faults


def memory() -> int:
    """Bytes that this process holds."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def compared(name: str, panel) -> str:
    """How a panel's numbers differ from those of a fresh one with the same settings; "" where they do not."""
    fresh = walk.twin(name, panel)
    if fresh.values != panel.values:
        return f"settings cannot be set again: {fresh.values} for {panel.values}"[:300]
    frames = []
    for one in (panel, fresh):
        try:
            frames.append(one.frame())
        except ValueError as error:
            frames.append(str(error))
    if any(isinstance(frame, str) for frame in frames):
        same = isinstance(frames[0], str) and isinstance(frames[1], str)
    else:
        same = frames[0].equals(frames[1])
    fresh.stop()
    fresh.close()
    return "" if same else f"a fresh panel shows other numbers at {panel.values}"[:400]


def storm(name: str, moves: int, number: int, every: int = EVERY, seconds: float = math.inf) -> tuple[int, list[str]]:
    """(moves, faults) of one panel without an event loop, or on the one that runs."""
    rng, panel, faults, end = random.Random(f"{name} {number}"), walk.make(name), [], time.monotonic() + seconds
    done, held = 0, 0
    while done < moves and time.monotonic() < end:
        asked = walk.move(panel, rng)
        try:
            panel.set(**asked)
            if rng.random() < 0.03:
                panel.reset()
        except Exception as error:  # noqa: BLE001 - a move never raises
            faults.append(f"{name} {asked}: {type(error).__name__}: {error}"[:300])
        if fault := walk.trouble(panel):
            faults.append(f"{name} {asked}: {fault}"[:400])
        done += 1
        if done == min(every, moves // 2):
            gc.collect()
            held = memory()
        if done % every == 0 or done == moves:
            panel.finish()
            if fault := compared(name, panel):
                faults.append(f"{name} after {done} moves: {fault}")
    panel.finish()
    panel.close()
    gc.collect()
    if held and memory() - held > GROWTH:
        faults.append(f"{name}: the memory grew by {(memory() - held) / 1e6:.0f} MB")
    return done, list(dict.fromkeys(faults))


async def _storm_on_a_loop(*arguments) -> tuple[int, list[str]]:
    return storm(*arguments)


def storms(seconds: float, moves: int = MOVES, names=tuple(explorers.PANELS)) -> tuple[str, list[str]]:
    total, faults, share = 0, [], seconds / (2 * len(names))
    for name in names:
        for way in (lambda *a: storm(*a), lambda *a: asyncio.run(_storm_on_a_loop(*a))):
            done, found = way(name, moves, 0, EVERY, share)
            total += done
            faults += found
        print(f"  storms: {name} done, {len(faults)} faults so far", flush=True)
    return f"moves {total} of {len(names)} explorers", list(dict.fromkeys(faults))


PROGRAM = """import sys, numpy as np
from dpbandits import sweep
result = sweep(["ucb1", "dp-se"], "two-arms", horizon=20_000, runs=3, epsilon=[0.2, 0.5, 1, 2, 4], folder=sys.argv[1],
               workers=2, progress=False)
np.save(sys.argv[2], result.regret.values)"""


def _played(folder: str, out: str) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-c", PROGRAM, folder, out], stderr=subprocess.PIPE, text=True)


def kills(seconds: float, count: int = KILLS) -> tuple[str, list[str]]:
    """Killed in mid-work, again and again in one folder, and then finished: the numbers are those of a whole run."""
    faults, rng, end, killed = [], random.Random(0), time.monotonic() + seconds, 0
    with tempfile.TemporaryDirectory() as place:
        began = time.monotonic()
        whole = _played(f"{place}/whole", f"{place}/whole.npy")
        if whole.wait():
            return "", [f"kills: {whole.stderr.read()[-300:]}"]
        long = time.monotonic() - began
        for _ in range(count):
            if time.monotonic() > end:
                break
            process = _played(f"{place}/half", f"{place}/half.npy")
            time.sleep(rng.uniform(0.3, 1.0) * long)
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.wait()
            killed += 1
            cells = sorted(Path(place, "half").glob("*.npz")) if Path(place, "half").is_dir() else []
            if len(cells) == 10:  # all there: take some away, so that there is work to break off
                for cell in rng.sample(cells, 5):
                    cell.unlink()
        last = _played(f"{place}/half", f"{place}/half.npy")
        said = last.communicate()[1]
        if last.returncode or "computed again" in said:
            faults.append(f"kills: {said[-300:]}")
        elif not np.array_equal(np.load(f"{place}/whole.npy"), np.load(f"{place}/half.npy")):
            faults.append("kills: a resumed sweep has other numbers")
    return f"kills {killed}", faults


def crowd(seconds: float, count: int = 5) -> tuple[str, list[str]]:
    """Two processes at once in one folder."""
    faults, end, met = [], time.monotonic() + seconds, 0
    for _ in range(count):
        if time.monotonic() > end:
            break
        with tempfile.TemporaryDirectory() as place:
            both = [_played(f"{place}/cells", f"{place}/{n}.npy") for n in range(2)]
            said = [process.communicate()[1] for process in both]
            met += 1
            if any(process.returncode for process in both) or "computed again" in "".join(said):
                faults.append(f"crowd: {' '.join(said)[-300:]}")
            elif not np.array_equal(np.load(f"{place}/0.npy"), np.load(f"{place}/1.npy")):
                faults.append("crowd: two processes have other numbers")
            elif left := [f.name for f in Path(place, "cells").iterdir() if f.suffix != ".npz" or f.name[0] == "."]:
                faults.append(f"crowd: left behind {left}")
    return f"crowds {met}", faults


def backends(seconds: float, count: int = 4) -> tuple[str, list[str]]:
    """Serial, threads, processes and dask: bit for bit the same."""
    from distributed import Client

    faults, compared_pairs = [], 0
    asked = {"horizon": 500, "runs": 6, "checkpoints": 20, "progress": False, "epsilon": [0.5, 2.0]}
    plays = list(ONE_OF_EACH.values())[:count]
    serial = [sweep(*play, workers=1, **asked) for play in plays]

    def compare(backend: str, **options) -> None:
        nonlocal compared_pairs
        with joblib.parallel_config(backend, **options):
            for play, reference in zip(plays, serial, strict=True):
                result = sweep(*play, **asked)
                compared_pairs += 1
                if not (result.regret.equals(reference.regret) and result.pulls.equals(reference.pulls)):
                    faults.append(f"backends: {play[0]} has other numbers with {backend}")

    compare("threading", n_jobs=3)
    compare("loky", n_jobs=2)
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50):
        compare("dask")
    return f"backends {compared_pairs}", faults


PARTS = {"api": api, "cli": cli, "storms": storms, "kills": kills, "crowd": crowd, "backends": backends}


def parts(only, seconds: float) -> Iterator[tuple[str, str, list[str], float]]:
    """(part, what it tried, what fell through, seconds)."""
    for name in only:
        began = time.monotonic()
        told, faults = PARTS[name](seconds)
        yield name, told, faults, time.monotonic() - began


def run(argv=None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.hardening", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=math.inf, help="at most, for each part")
    parser.add_argument("--only", nargs="+", default=list(PARTS), choices=list(PARTS), help="these parts")
    parser.add_argument("--explorers", nargs="+", default=list(explorers.PANELS), help="of storms: these alone")
    options = parser.parse_args(argv)
    if {"api", "cli"} & set(options.only):
        limit_memory()
    PARTS["storms"] = lambda seconds: storms(seconds, names=options.explorers)
    bad = 0
    for name, told, faults, took in parts(options.only, options.seconds):
        print(f"{name}: {told}; {len(faults)} fell through ({took:.0f} s)", flush=True)
        for fault in faults:
            print(f"  - {fault}", flush=True)
        bad += len(faults)
    return int(bad > 0)


def limit_memory() -> None:
    """So that a fault costs a MemoryError, and not the machine."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    sys.exit(run())
