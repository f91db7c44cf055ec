"""simulate() and sweep(): reproducible whatever the workers, resumable, labelled, and clear about bad input."""

import json
import math
import os
import signal
import threading
import time
from dataclasses import replace

import joblib
import numpy as np
import pytest
import xarray as xr

from dpbandits import catalogue, simulate, sweep
from dpbandits.algorithms.stochastic.bookkeeping import regret_of
from dpbandits.environments import bernoulli, build
from dpbandits.kernels import kernel
from dpbandits.simulation import Cell, checkpoint_rounds

SMALL = dict(horizon=200, runs=6, checkpoints=20, seed=11)


def uniform(means, horizon, checkpoints, streams, first=0.0):
    """A learner's own algorithm: every arm alike, except that `first` > 0 plays arm 0 alone."""
    regret, total, c = np.empty(checkpoints.size), 0.0, 0
    for t in range(1, horizon + 1):
        arm = 0 if first > 0 else streams.policy.integers(0, means.size)
        total += means.max() - means[arm]
        if t == checkpoints[c]:
            regret[c] = total
            c += 1
    return regret


def uncompilable(means, horizon, checkpoints, streams):
    """Numba cannot compile a dictionary of lists of mixed kinds."""
    notes = {"gaps": [float(means.max() - m) for m in means], 1: "mixed"}
    return np.array([t * notes["gaps"][-1] for t in checkpoints])


def slow(means, horizon, checkpoints, streams):
    time.sleep(0.25)
    return np.zeros(checkpoints.size)


@kernel
def greedy(means, horizon, checkpoints, streams, forced=2.0):
    """Each arm `forced` times, then the best arm for ever: a kernel of one's own that reports pulls."""
    pulls, regret, c = np.zeros(means.size, np.int64), np.empty(checkpoints.size), 0
    for t in range(1, horizon + 1):
        pulls[(t - 1) % means.size if t <= forced * means.size else means.argmax()] += 1
        if t == checkpoints[c]:
            regret[c] = regret_of(pulls, means)
            c += 1
    return regret, pulls


def values(result):
    return result.regret.values.tobytes()


# --- the same numbers whoever computes them ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def serial():
    return simulate(["ucb1", uniform], "wang-zhu-1", workers=1, **SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [2, 3, None])
def test_workers_do_not_change_a_bit(serial, workers):
    again = simulate(["ucb1", uniform], "wang-zhu-1", workers=workers, **SMALL)
    assert again.identical(serial)


@pytest.mark.slow
def test_processes_do_not_change_a_bit(serial):
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert simulate(["ucb1", uniform], "wang-zhu-1", **SMALL).identical(serial)


@pytest.mark.slow
def test_a_dask_cluster_does_not_change_a_bit(serial):
    distributed = pytest.importorskip("distributed", reason="dask's distributed is not installed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster),
    ):
        with joblib.parallel_config(backend="dask"):
            assert simulate(["ucb1", uniform], "wang-zhu-1", **SMALL).identical(serial)


@pytest.mark.slow
def test_a_dask_worker_killed_in_mid_sweep_costs_its_cells_only(tmp_path):
    distributed = pytest.importorskip("distributed", reason="dask's distributed is not installed")
    epsilons = [round(0.05 * i, 2) for i in range(1, 25)]
    given = {"horizon": 20_000, "runs": 20, "checkpoints": 5, "epsilon": epsilons, "delta": 0.01, "progress": False}
    killed, kept = [], {}

    def kill_one(pids):
        while len(parts := sorted(tmp_path.glob("[!.]*.npz"))) < 3:
            time.sleep(0.01)
        kept.update((part, part.stat().st_mtime_ns) for part in parts)
        os.kill(pids[0], signal.SIGKILL)
        killed.append(pids[0])

    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        enemy = threading.Thread(target=kill_one, args=(list(client.run(os.getpid).values()),))
        enemy.start()
        with joblib.parallel_config(backend="dask"):
            found = sweep("dp-ftpl-gauss", "wang-zhu-1", folder=tmp_path, **given)
        enemy.join()
    assert killed and 3 <= len(kept) < len(epsilons), "it must be in mid-sweep"
    assert found.identical(sweep("dp-ftpl-gauss", "wang-zhu-1", workers=1, **given))
    assert all(part.stat().st_mtime_ns == when for part, when in kept.items()), "what was finished is not played again"


def test_the_same_seed_gives_the_same_and_another_gives_another(serial):
    same = simulate(["ucb1", uniform], "wang-zhu-1", **SMALL)
    other = simulate(["ucb1", uniform], "wang-zhu-1", **SMALL | {"seed": 12})
    assert values(same) == values(serial)
    final = other.regret.isel(round=-1).values
    assert not np.isin(final[1], serial.regret.isel(round=-1, algorithm=1).values).all()
    assert values(other) != values(serial)


def test_runs_differ_and_more_runs_extend_fewer(serial):
    more = simulate(["ucb1", uniform], "wang-zhu-1", **SMALL | {"runs": 9})
    assert len(set(serial.regret.isel(algorithm=1, round=-1).values)) == SMALL["runs"]
    np.testing.assert_array_equal(more.regret.values[:, :6], serial.regret.values)


def test_an_algorithm_alone_or_in_company_gives_the_same(serial):
    alone = simulate("ucb1", "wang-zhu-1", **SMALL)
    assert alone.regret.dims == ("run", "round")
    np.testing.assert_array_equal(alone.regret.values, serial.regret.sel(algorithm="ucb1").values)


def test_a_longer_horizon_continues_the_shorter_one():
    short = simulate("ucb1", "two-arms", horizon=100, checkpoints=[10, 50, 100])
    longer = simulate("ucb1", "two-arms", horizon=300, checkpoints=[10, 50, 100, 300])
    np.testing.assert_array_equal(longer.regret.sel(round=short["round"]).values, short.regret.values)


@pytest.mark.parametrize(
    "name", [n for n, a in catalogue.algorithms().items() if any(p.late for p in a.all_parameters)]
)
def test_a_late_parameter_moves_no_number_at_its_default(name):
    algorithm = catalogue.algorithms()[name]
    late = {p.name: p.default for p in algorithm.all_parameters if p.late}
    instance = build("k-path" if algorithm.setting == "semi-bandit" else "two-arms")
    cell = Cell(algorithm, instance, algorithm.bind({}), 100, np.array([100]), 0)
    before = {n: value for n, value in cell.parameters.items() if n not in late}
    assert cell.seeds.spawn_key == replace(cell, parameters=before).seeds.spawn_key
    for parameter, default in late.items():
        other = next(c for c in algorithm.all_parameters if c.name == parameter).choices[-1]
        assert other != default
        moved = replace(cell, parameters=dict(cell.parameters) | {parameter: other})
        assert moved.seeds.spawn_key != cell.seeds.spawn_key


def test_checkpoints_do_not_change_the_run():
    few = simulate("ucb1", "two-arms", horizon=100, checkpoints=3)
    many = simulate("ucb1", "two-arms", horizon=100, checkpoints=50, spacing="linear")
    np.testing.assert_array_equal(few.regret.sel(round=100).values, many.regret.sel(round=100).values)


# --- what comes back --------------------------------------------------------------------------------------------


def test_the_result_is_labelled_and_knows_its_settings(serial, tmp_path):
    assert serial.regret.dims == ("algorithm", "run", "round")
    assert serial["round"].values[0] == 1 and serial["round"].values[-1] == 200
    assert serial.attrs["horizon"] == 200 and serial.attrs["runs"] == 6 and serial.attrs["seed"] == 11
    assert json.loads(serial.attrs["guarantees"])["ucb1"]["label"] == "not private"
    assert (np.diff(serial.regret.values, axis=-1) >= 0).all() and (serial.regret.values >= 0).all()
    assert serial.regret.to_dataframe().shape == (2 * 6 * serial.sizes["round"], 1)
    serial.to_netcdf(tmp_path / "result.nc")
    with xr.open_dataset(tmp_path / "result.nc") as back:
        assert back.load().identical(serial)


def test_pulls_sum_to_the_rounds():
    result = simulate("ucb1", "wang-zhu-1", **SMALL)
    assert (result.pulls.sum("arm") == 200).all() and result.arm.values.tolist() == list(range(1, 10))


@pytest.mark.parametrize("spacing", ["log", "linear"])
@pytest.mark.parametrize("horizon, count", [(1, 1), (1, 300), (7, 300), (1000, 10), (10**6, 300), (5, 1)])
def test_checkpoints_increase_and_end_with_the_horizon(horizon, count, spacing):
    rounds = checkpoint_rounds(horizon, count, spacing)
    assert rounds[0] >= 1 and rounds[-1] == horizon and (np.diff(rounds) > 0).all() and rounds.size <= count + 1


def test_given_checkpoints_are_sorted_and_completed():
    assert checkpoint_rounds(100, [50, 10, 10]).tolist() == [10, 50, 100]


def test_a_notebooks_bar_is_hidden_and_never_closed_under_the_page(monkeypatch, capsys):
    from tqdm.notebook import tqdm

    bars = []

    class Bar(tqdm):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            bars.append(self)

    monkeypatch.setattr("dpbandits.simulation.tqdm", Bar)
    simulate("ucb1", "two-arms", progress=True, **SMALL)
    (bar,) = bars
    assert bar.displayed and bar.container.comm is not None and bar.container.layout.display == "none"
    simulate("ucb1", "two-arms", **SMALL)  # over before a bar is worth showing
    assert not bars[1].displayed


def test_progress_is_shown_when_asked_for_and_hidden_by_tqdms_variable(capsys, monkeypatch):
    simulate("ucb1", "two-arms", progress=True, **SMALL)
    assert "task" in capsys.readouterr().err
    simulate("ucb1", "two-arms", **SMALL)  # it takes less than a second
    monkeypatch.setenv("TQDM_DISABLE", "1")
    with pytest.warns(UserWarning, match="plain Python"):
        simulate(slow, "two-arms", workers=1, **SMALL)
    assert not capsys.readouterr().err


# --- sweeps -----------------------------------------------------------------------------------------------------


def test_a_sweep_is_the_simulations_side_by_side():
    grid = sweep("ucb1", "two-arms", gap=[0.1, 0.3], **SMALL)
    assert grid.regret.dims == ("gap", "run", "round")
    for gap in (0.1, 0.3):
        np.testing.assert_array_equal(
            grid.regret.sel(gap=gap).values, simulate("ucb1", "two-arms", gap=gap, **SMALL).regret.values
        )


def test_two_swept_parameters_and_a_learners_own():
    grid = sweep(["ucb1", uniform], "two-arms", gap=[0.1, 0.3], first=[0.0, 1.0], **SMALL)
    assert grid.regret.dims == ("algorithm", "gap", "first", "run", "round")
    assert (grid.regret.sel(algorithm="uniform", first=1.0) == 0).all()
    np.testing.assert_array_equal(
        grid.regret.sel(algorithm="ucb1", first=0.0).values, grid.regret.sel(algorithm="ucb1", first=1.0).values
    )


def test_a_list_by_nature_is_swept_by_a_list_of_lists():
    assert sweep("ucb1", "bernoulli", means=[0.2, 0.8], **SMALL).regret.dims == ("run", "round")
    grid = sweep("ucb1", "bernoulli", means=[[0.2, 0.8], [0.5, 0.5]], **SMALL)
    assert grid.regret.dims == ("means", "run", "round") and (grid.regret.isel(means=1) == 0).all()


@pytest.fixture
def counted(monkeypatch):
    """The gaps of the cells that are really computed."""
    computed, run = [], Cell.run

    def spy(cell, runs):
        computed.append(cell.instance.parameters["gap"])
        return run(cell, runs)

    monkeypatch.setattr(Cell, "run", spy)
    return computed


def test_a_sweep_resumes_without_computing_a_finished_cell_again(counted, tmp_path):
    settings = dict(folder=tmp_path, workers=1, **SMALL)
    sweep("ucb1", "two-arms", gap=[0.1, 0.2], **settings)
    assert set(counted) == {0.1, 0.2}
    counted.clear()
    resumed = sweep("ucb1", "two-arms", gap=[0.1, 0.2, 0.3], **settings)
    assert set(counted) == {0.3}
    counted.clear()
    assert sweep("ucb1", "two-arms", gap=[0.1, 0.2, 0.3], **settings).identical(resumed) and not counted
    whole = sweep("ucb1", "two-arms", gap=[0.1, 0.2, 0.3], **SMALL)
    assert whole.identical(resumed)


@pytest.mark.parametrize("change", [{"seed": 12}, {"horizon": 150}, {"runs": 5}, {"checkpoints": 10}])
def test_another_setting_is_another_cell(counted, tmp_path, change):
    sweep("ucb1", "two-arms", gap=0.1, folder=tmp_path, workers=1, **SMALL)
    counted.clear()
    sweep("ucb1", "two-arms", gap=0.1, folder=tmp_path, workers=1, **SMALL | change)
    assert counted


def test_a_half_written_file_is_ignored_and_replaced(counted, tmp_path):
    whole = sweep("ucb1", "two-arms", gap=0.1, folder=tmp_path, workers=1, **SMALL)
    (file,) = tmp_path.iterdir()
    for damage in (b"", b"PK\x03\x04 half", file.read_bytes()[:-200]):
        file.write_bytes(damage)
        counted.clear()
        assert sweep("ucb1", "two-arms", gap=0.1, folder=tmp_path, workers=1, **SMALL).identical(whole) and counted
    (tmp_path / "left-behind.part").write_bytes(b"half")
    counted.clear()
    assert sweep("ucb1", "two-arms", gap=0.1, folder=tmp_path, workers=1, **SMALL).identical(whole) and not counted


def test_an_interrupted_sweep_keeps_its_finished_cells_whole(monkeypatch, tmp_path):
    run = Cell.run

    def interrupt_the_second(cell, runs):
        if cell.instance.parameters["gap"] == 0.2:
            raise KeyboardInterrupt
        return run(cell, runs)

    monkeypatch.setattr(Cell, "run", interrupt_the_second)
    with pytest.raises(KeyboardInterrupt):
        sweep("ucb1", "two-arms", gap=[0.1, 0.2], folder=tmp_path, workers=1, **SMALL)
    names = [p.name for p in tmp_path.iterdir()]
    assert len(names) == 1 and names[0].endswith(f"-{SMALL['runs']}.npz")


def test_an_edited_function_of_the_same_name_is_computed_anew(tmp_path):
    def version(body):
        scope = {"np": np}
        source = f"def mine(means, horizon, checkpoints, streams):\n    return np.{body}(checkpoints * 1.0)\n"
        exec(source, scope)
        return scope["mine"]

    root, log = (sweep(version(body), "two-arms", folder=tmp_path, **SMALL) for body in ("sqrt", "log"))
    np.testing.assert_allclose(root.regret.isel(run=0), np.sqrt(root["round"]))
    np.testing.assert_allclose(log.regret.isel(run=0), np.log(log["round"]))


# --- a learner's own function -----------------------------------------------------------------------------------


def test_a_function_is_taken_in_place_of_a_name():
    result = simulate(uniform, "two-arms", **SMALL, gap=0.25)
    assert result.algorithm.item() == "uniform" and "pulls" not in result
    assert abs(result.regret.isel(round=-1).mean().item() - 25) < 25 * 0.4
    assert json.loads(result.attrs["guarantees"])["uniform"]["label"] == "privacy unknown"


def test_a_parameter_of_its_own():
    result = simulate(uniform, "two-arms", **SMALL, first=1)
    assert (result.regret == 0).all()


def test_a_kernel_of_ones_own_reports_pulls():
    result = simulate(greedy, "bernoulli", means=[0.2, 0.7], **SMALL)
    np.testing.assert_array_equal(result.pulls.values, [[2, 198]] * SMALL["runs"])
    np.testing.assert_allclose(result.regret.isel(round=-1), 1.0)


def test_what_numba_cannot_compile_runs_as_plain_python_and_says_so():
    with pytest.warns(UserWarning, match="uncompilable runs as plain Python, which is slow"):
        result = simulate(uncompilable, "two-arms", workers=1, **SMALL, gap=0.25)
    np.testing.assert_allclose(result.regret.isel(run=0), 0.25 * result["round"])


# --- bad input --------------------------------------------------------------------------------------------------


def no_horizon(means, checkpoints, streams):
    return checkpoints


def no_default(means, horizon, checkpoints, streams, width):
    return checkpoints


def wrong_shape(means, horizon, checkpoints, streams):
    return checkpoints[:2] * 1.0


def not_a_number(means, horizon, checkpoints, streams):
    return checkpoints * math.nan


def no_numbers(means, horizon, checkpoints, streams):
    return "much"


def default_nan(means, horizon, checkpoints, streams, width=math.nan):
    return checkpoints * 1.0


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (dict(algorithm="ucb"), "Unknown algorithm 'ucb'. Did you mean ucb1?"),
        (dict(algorithm=7), "algorithm = 7 is not allowed: it must be a name, a function or a list of these."),
        (dict(algorithm=[7]), "algorithm = 7 is not allowed: it must be a name, a function or a list of these."),
        (dict(algorithm=[]), "algorithm = [] is not allowed: name at least one."),
        (dict(algorithm=["ucb1", "ucb1"]), "algorithm = ['ucb1', 'ucb1'] is not allowed: each name once."),
        (
            dict(algorithm=no_horizon),
            (
                "no_horizon(means, checkpoints, streams) does not fit: in this setting the arguments must begin with"
                " means, horizon, checkpoints, streams."
            ),
        ),
        (dict(algorithm=no_default), "no_default: the parameter width needs a default value."),
        (
            dict(algorithm=wrong_shape),
            "wrong_shape must return finite regret at each of the 18 checkpoints; it returned shape (2,).",
        ),
        (
            dict(algorithm=not_a_number),
            (
                "not_a_number must return finite regret at each of the 18 checkpoints; it returned shape (18,) with NaN"
                " or infinity."
            ),
        ),
        (
            dict(algorithm=no_numbers),
            (
                "no_numbers must return finite regret at each of the 18 checkpoints; it returned what is no array of"
                " numbers."
            ),
        ),
        (dict(algorithm=default_nan), "default_nan: the default of width is nan; it must be a number."),
        (dict(instance="wang-zhu-9"), "Unknown instance 'wang-zhu-9'. Did you mean wang-zhu-"),
        (dict(instance=3), "Unknown instance 3."),
        (dict(horizon=0), "horizon = 0 is not allowed: it must be an integer >= 1 and <= 1e+12."),
        (dict(horizon=math.nan), "horizon = nan is not allowed: it must be an integer >= 1 and <= 1e+12."),
        (dict(horizon="1e4"), "horizon = '1e4' is not allowed: it must be an integer >= 1 and <= 1e+12."),
        (dict(runs=0), "runs = 0 is not allowed: it must be an integer >= 1 and <= 1e+06."),
        (dict(seed=-1), "seed = -1 is not allowed: it must be an integer >= 0."),
        (dict(workers=0), "workers = 0 is not allowed: it must be an integer >= 1 and <= 1024."),
        (dict(checkpoints=0), "checkpoints = 0 is not allowed: it must be an integer >= 1 and <= 1e+06."),
        (dict(checkpoints=[5, 300]), "checkpoints = 300 is not allowed: it must be an integer >= 1 and <= 200."),
        (dict(spacing="cubic"), "spacing = 'cubic' is not allowed: it must be one of log, linear."),
        (dict(epsilon=1), "Unknown parameter 'epsilon' of ucb1 on two-arms."),
        (dict(gap=0.7), "gap = 0.7 is not allowed (two-arms): it must be a finite number >= 0 and <= 0.5."),
        (
            dict(instance="bernoulli", means=[0.5, 1.5]),
            "means = [0.5, 1.5] is not allowed (bernoulli): it must be at least 2 finite numbers, each >= 0 and <= 1.",
        ),
        (
            dict(instance="bernoulli", means=[0.5]),
            "means = [0.5] is not allowed (bernoulli): it must be at least 2 finite numbers, each >= 0 and <= 1.",
        ),
        (
            dict(instance="bernoulli"),
            "means is missing (bernoulli): give means = at least 2 finite numbers, each >= 0 and <= 1.",
        ),
        (
            dict(instance="wang-zhu-1", arms=30),
            "gap = 0.05 is not allowed (wang-zhu-1): 30 means this far apart leave [0, 1]; gap must be <= 0.0344828.",
        ),
    ],
)
def test_bad_input_gets_one_sentence(arguments, sentence):
    call = dict(algorithm="ucb1", instance="two-arms", **SMALL) | arguments
    with pytest.raises(ValueError) as caught:
        simulate(call.pop("algorithm"), call.pop("instance"), **call)
    assert str(caught.value).startswith(sentence)


def test_a_ready_made_instance_takes_no_parameters():
    instance = bernoulli([0.2, 0.8])
    assert simulate("ucb1", instance, **SMALL).attrs["instance"] == "bernoulli"
    with pytest.raises(ValueError, match="^Unknown parameter 'means' of ucb1 on bernoulli"):
        simulate("ucb1", instance, means=[0.1, 0.2], **SMALL)


def test_a_folder_that_cannot_be_written_is_refused_before_the_work(counted, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="^folder = .* is not allowed: "):
        sweep("ucb1", "two-arms", gap=0.1, folder=tmp_path / "file" / "inside", **SMALL)
    assert not counted
