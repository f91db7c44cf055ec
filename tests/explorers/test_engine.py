"""The live engine: simulate()'s numbers, in batches, cancelled by the next move."""

import asyncio
import time

import joblib
import numpy as np
import pytest

from dpbandits import simulate
from dpbandits.explorers.toolkit import engine
from dpbandits.explorers.toolkit.engine import Engine, Job, RunStore
from dpbandits.simulation import cells_for, checkpoint_rounds
from tests.explorers.waiting import until

NAMES = ["ucb1", "dp-ftpl-new"]
pytestmark = pytest.mark.filterwarnings("ignore:.*runs as plain Python")


@pytest.fixture(autouse=True)
def empty_store(monkeypatch):
    monkeypatch.setattr(engine, "STORE", RunStore())


def cells(horizon=500, names=NAMES, seed=0):
    rounds = checkpoint_rounds(horizon)
    return [c for n in names for c in cells_for([n], "wang-zhu-1", {}, horizon=horizon, checkpoints=rounds, seed=seed)]


def slow(means, horizon, checkpoints, streams):
    time.sleep(0.02)
    return np.zeros(checkpoints.size)


def broken(means, horizon, checkpoints, streams):
    raise RuntimeError("no such arm")


@pytest.fixture
def slow_cells():
    return cells_for([slow], "two-arms", {}, horizon=10, checkpoints=np.array([10]), seed=0)


def expected(**settings):
    return simulate(NAMES, "wang-zhu-1", horizon=500, **settings)


def assert_same(job, data):
    for (regret, pulls), name in zip(job.results(), NAMES, strict=True):
        assert np.array_equal(regret, data.regret.sel(algorithm=name).values)
        assert np.array_equal(pulls, data.pulls.sel(algorithm=name).values)


def test_numbers_of_simulate_without_a_loop():
    reports = []
    job = Engine(reports.append).start(cells(), 7)
    assert reports == [job] and job.done == job.total == 14
    assert_same(job, expected(runs=7))


def test_numbers_of_simulate_on_a_loop():
    async def play():
        reports = []
        live = Engine(lambda job: reports.append((job, job.done)))
        job = live.start(cells(seed=4), 7)
        await live._task
        return job, reports

    job, reports = asyncio.run(play())
    assert reports[-1] == (job, 14)
    assert_same(job, expected(runs=7, seed=4))


def test_what_is_known_is_not_computed_again():
    live = Engine(lambda job: None)
    live.start(cells(), 4)
    more = live.start(cells(), 6)
    assert len(more.todo) == 2 * 2
    assert_same(more, expected(runs=6))
    fewer = live.start(cells(), 3)
    assert fewer.todo == [] and fewer.ended.is_set()
    assert_same(fewer, expected(runs=3))


def test_runs_arrive_in_batches(slow_cells, monkeypatch):
    monkeypatch.setattr(engine, "REDRAW", 0.05)

    async def play():
        seen = []
        live = Engine(lambda job: seen.append(job.done))
        live.start(slow_cells, 40)
        await live._task
        return seen

    seen = asyncio.run(play())
    assert seen == sorted(seen) and seen[-1] == 40 and len(set(seen)) >= 3


def test_a_new_start_cancels_the_old_one(slow_cells):
    async def play():
        reports = []
        live = Engine(reports.append)
        first = live.start(slow_cells, 500)
        await until(lambda: first.done)
        second = live.start(cells(), 2)
        await until(lambda: second.told)
        return first, second, reports

    first, second, reports = asyncio.run(play())
    assert first.cancelled and first.done < 100 and second.done == second.total
    assert reports and reports[-1] is second
    done, begun = first.done, len(engine.STORE.of(first.keys[0]))
    time.sleep(0.5)
    assert first.done == done  # nothing goes on behind one's back
    assert len(engine.STORE.of(first.keys[0])) <= begun + joblib.cpu_count()  # and no run is begun


def test_stop_reports_what_there_is(slow_cells):
    async def play():
        reports = []
        live = Engine(lambda job: reports.append(job.done))
        job = live.start(slow_cells, 500)
        await until(lambda: job.done)
        assert live.stop() and not live.stop()
        await live._task
        return job, reports

    job, reports = asyncio.run(play())
    assert reports[-1] == job.done and 0 < job.done < 500
    assert len(job.results()[0][0]) == job.done


def test_a_stopped_job_stays_as_it_is(slow_cells):
    """What is shown is what is exported, though a run was in flight; the next move has that one, too."""

    async def play():
        live = Engine(lambda job: None)
        job = live.start(slow_cells, 500)
        await until(lambda: job.done)
        live.stop()
        done = job.done
        await until(lambda: len(engine.STORE.of(job.keys[0])) > done)
        return job, done

    job, done = asyncio.run(play())
    assert job.done == done == len(job.results()[0][0])


def test_an_error_in_a_run_is_kept():
    job = Engine(lambda job: None).start(
        cells_for([broken], "two-arms", {}, horizon=10, checkpoints=np.array([10]), seed=0), 5
    )
    assert isinstance(job.errors[0], RuntimeError) and job.done == job.total == 0


def test_an_error_leaves_out_its_own_cell_alone():
    bad = cells_for([broken], "wang-zhu-1", {}, horizon=500, checkpoints=checkpoint_rounds(500), seed=0)
    job = Engine(lambda job: None).start([*bad, *cells()], 3)
    assert set(job.errors) == {0} and job.done == job.total == 6 and job.ended.is_set()
    assert [len(regret) for regret, _ in job.results()] == [0, 3, 3]


def test_what_was_dropped_is_never_reported(slow_cells):
    async def play():
        reports = []
        live = Engine(reports.append)
        live.start(slow_cells, 50)
        live.drop()
        await asyncio.sleep(0.4)
        return live, reports

    live, reports = asyncio.run(play())
    assert reports == [] and live.finish() is None


def test_store_forgets_the_oldest_cell():
    store = RunStore(limit=5)
    for key in "abc":
        for run in range(2):
            store.add(key, run, (key, run))
    assert store.of("a") == {} and store.of("b") == {0: ("b", 0), 1: ("b", 1)} and len(store.of("c")) == 2


def test_unfinished_cells_have_empty_results():
    job = Job(cells(), 3)
    assert [regret.shape[0] for regret, _ in job.results()] == [0, 0] and job.done == 0
