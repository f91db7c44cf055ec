"""Runs of cells, live: computed in threads, reported on the kernel's event loop, cancelled by the next move.

A thread never touches a widget: it fills a store of finished runs. The loop looks there a few times a second and draws
what has arrived, so the first picture comes early and its bands tighten. Where no event loop is running (a script, a
test) start() computes everything and reports once. The numbers are those of simulate(): the same cells, the same seeds.
"""

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import joblib
import numpy as np

from dpbandits.parameters import HORIZON, RUNS
from dpbandits.simulation import Cell

REDRAW = 0.25  # seconds between two pictures of a job in flight
LIVE_HORIZON = replace(HORIZON, high=10**7)  # a run in flight cannot be broken off, so in a panel it must end by itself
LIVE_RUNS = replace(RUNS, high=1000)
KEPT_RUNS = 20_000  # finished runs that are kept for the next move, about 50 MB at 300 checkpoints


class RunStore:
    """Finished runs by cell: a slider that goes back, or asks for more runs, computes nothing twice."""

    def __init__(self, limit: int = KEPT_RUNS):
        self._runs: OrderedDict[str, dict[int, tuple]] = OrderedDict()
        self._lock, self._limit, self._count = threading.Lock(), limit, 0

    def of(self, key: str) -> dict[int, tuple]:
        """run -> (regret, pulls) of the cell `key`; a copy."""
        with self._lock:
            if key in self._runs:
                self._runs.move_to_end(key)
            return dict(self._runs.get(key, {}))

    def add(self, key: str, run: int, outcome: tuple) -> None:
        with self._lock:
            rows = self._runs.setdefault(key, {})
            self._count += run not in rows
            rows[run] = outcome
            while self._count > self._limit and len(self._runs) > 1:
                self._count -= len(self._runs.popitem(last=False)[1])


STORE = RunStore()


class Job:
    """`runs` runs of every cell. Its results may be read at any time, and stay as they are once it has ended."""

    def __init__(self, cells: Sequence[Cell], runs: int):
        self.cells, self.runs = list(cells), runs
        self.keys = [cell.key for cell in self.cells]
        self._rows = [{r: o for r, o in STORE.of(key).items() if r < runs} for key in self.keys]
        self.todo = [(c, r) for r in range(runs) for c in range(len(self.cells)) if r not in self._rows[c]]
        self.errors: dict[int, Exception] = {}  # of cells that broke off: their other runs are left out
        self.cancelled = False
        self.ended = threading.Event()
        self.told = False  # whether its end was reported
        self.on_end: Callable[[], None] = lambda: None
        self.started, self.seconds = time.perf_counter(), 0.0
        self._lock, self._left = threading.Lock(), len(self.todo)
        if not self.todo:
            self._end()

    @property
    def total(self) -> int:
        """Runs of all cells together, those that broke off left out."""
        return self.runs * (len(self.cells) - len(self.errors))

    @property
    def done(self) -> int:
        """Finished ones among them."""
        return sum(len(rows) for c, rows in enumerate(self._rows) if c not in self.errors)

    def results(self) -> list[tuple[np.ndarray, np.ndarray | None]]:
        """For every cell: regret (finished runs, checkpoints) and pulls (finished runs, arms) or None, in the order of
        the runs. A cell that broke off has none.
        """
        outcomes = []
        for c, (cell, rows) in enumerate(zip(self.cells, self._rows, strict=True)):
            finished = [] if c in self.errors else [outcome for _, outcome in sorted(rows.copy().items())]
            regret = np.array([o[0] for o in finished]).reshape(-1, cell.checkpoints.size)
            outcomes.append(
                (regret, np.array([o[1] for o in finished]) if finished and finished[0][1] is not None else None)
            )
        return outcomes

    def launch(self) -> None:
        """Begin, in threads of its own: a run in flight cannot be broken off, so a cancelled job must not stand in the
        way.
        """
        if not self.todo:
            return
        pool = ThreadPoolExecutor(joblib.cpu_count(), thread_name_prefix="dpbandits")
        for c, r in self.todo:
            pool.submit(self._one, c, r)
        pool.shutdown(wait=False)

    def cancel(self) -> None:
        """Start no further run."""
        self.cancelled = True
        self._end()

    def _one(self, c: int, r: int) -> None:
        if self.ended.is_set():
            return
        outcome = None
        if c not in self.errors:
            try:
                regret, pulls = self.cells[c].run([r])
                outcome = regret[0], None if pulls is None else pulls[0]
                STORE.add(self.keys[c], r, outcome)
            except Exception as error:  # noqa: BLE001 - a learner's own function may raise anything: the panel tells it
                self.errors.setdefault(c, error)
        with self._lock:
            if outcome is not None and not self.ended.is_set():  # a late one is in the store, for the next move
                self._rows[c][r] = outcome
            self._left -= 1
            last = self._left == 0
        if last:
            self._end()

    def _end(self) -> None:
        with self._lock:
            if self.ended.is_set():
                return
            self.seconds = time.perf_counter() - self.started
            self.ended.set()
        self.on_end()


class Engine:
    """At most one job at a time. report(job) is called now and then, always where start() was called, and once at the
    end.
    """

    def __init__(self, report: Callable[[Job], None]):
        self._report = report
        self.job: Job | None = None
        self._task: asyncio.Task | None = None  # a task that nobody refers to may vanish

    def start(self, cells: Sequence[Cell], runs: int) -> Job:
        """Cancel what is in flight and compute these."""
        self.drop()
        job = self.job = Job(cells, runs)
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            loop = None
        job.launch()
        if loop is None or job.ended.is_set():
            self.finish()
        else:
            self._task = loop.create_task(self._follow(job, loop))
        return job

    def finish(self) -> Job | None:
        """Wait for the job in flight, and report it."""
        if self.job and not self.job.told:
            self.job.ended.wait()
            self.job.told = True
            self._report(self.job)
        return self.job

    def stop(self) -> bool:
        """Cancel what is in flight; whether there was something."""
        running = self.job is not None and not self.job.ended.is_set()
        if running:
            self.job.cancel()
        return running

    def drop(self) -> None:
        """Cancel what is in flight, and forget it: nothing of it is reported or shown from here on."""
        self.stop()
        self.job = None

    async def _follow(self, job: Job, loop: asyncio.AbstractEventLoop) -> None:
        ended = asyncio.Event()
        job.on_end = lambda: None if loop.is_closed() else loop.call_soon_threadsafe(ended.set)
        finished = False
        while not finished:
            try:
                await asyncio.wait_for(ended.wait(), 0 if job.ended.is_set() else REDRAW)
            except TimeoutError:
                pass
            if self.job is not job or job.told:
                return
            job.told = finished = job.ended.is_set()
            self._report(job)
