"""Results that are shipped: what is read back, what is refused."""

import json
from dataclasses import replace

import numpy as np
import pytest

from dpbandits.cli import main
from dpbandits.papers import stored
from dpbandits.papers.catalogue import FIGURES
from dpbandits.simulation import sweep

SMALL = {"horizon": 500, "runs": 4}


def small(name, **more):
    figure = FIGURES[name]
    return replace(figure, scales={"paper": {**figure.scales["paper"], **SMALL, **more}})


def packed(*figures):
    cells = {name: found for figure in figures for name, found in stored.cells_of(figure).items()}
    played = [(name, stored.code_of(cell), *cell.run(range(runs))) for name, (cell, runs) in cells.items()]
    return stored.pack(played, {"version": "0"})


def opened(arrays):
    arrays = dict(arrays)
    return stored.Stored(json.loads(arrays.pop("facts").tobytes().decode()), arrays)


@pytest.fixture(scope="module")
def figures():
    return small("wang-zhu-fig-5a", checkpoints=20), small("wang-zhu-fig-6a", checkpoints=[500], delta=[1.0, 0.1])


@pytest.fixture(scope="module")
def arrays(figures):
    return packed(*figures)


def test_mean_and_deviation_come_back(figures, arrays):
    ready = opened(arrays)
    for figure in figures:
        told, played = figure.data("paper", folder=ready), figure.data("paper")
        assert told.regret.dims == played.regret.dims and told.attrs == played.attrs
        np.testing.assert_allclose(told.regret.mean("run"), played.regret.mean("run"), rtol=1e-6)
        np.testing.assert_allclose(
            told.regret.std("run", ddof=1), played.regret.std("run", ddof=1), rtol=1e-5, atol=1e-3
        )
        np.testing.assert_array_equal(told.pulls, played.pulls)
        for cell, runs in stored.cells_of(figure).values():
            place = ready.place(cell, runs)
            regret = cell.run(range(runs))[0]
            assert np.array_equal(ready.last(place), regret[:, -1])
            quartiles = np.quantile(regret, stored.QUANTILES, axis=0)
            np.testing.assert_allclose(ready.curve(place, "quantiles"), quartiles, rtol=1e-6)


def test_nothing_is_played_to_find_the_cells(monkeypatch):
    monkeypatch.setattr("dpbandits.simulation.Cell.run", lambda *_: pytest.fail("a run was played"))
    cells = stored.cells_of(FIGURES["wang-zhu-fig-7a"])
    assert len(cells) == 2 * 13
    assert stored.cells_of(FIGURES["wang-zhu-fig-1a"]) == {}


def test_panels_share_cells():
    first, again = (stored.cells_of(FIGURES[name]) for name in ("cascading-fig-1a", "icassp-fig-3"))
    assert first.keys() == again.keys()


def test_missing_and_stale_results_are_refused(figures, arrays):
    ready = opened(arrays)
    with pytest.raises(
        ValueError, match="stored = True is not allowed: the shipped results have no dp-se on wang-zhu-1"
    ):
        sweep("dp-se", "wang-zhu-1", horizon=501, runs=4, folder=ready)
    ready.facts["code"][0] = "other"
    with pytest.raises(ValueError, match="the code of .* has changed since version 0 played the shipped results"):
        figures[0].data("paper", folder=ready)


def test_a_copy_without_results_says_so(tmp_path):
    with pytest.raises(ValueError, match="this copy of dpbandits has no shipped results"):
        stored.stored(tmp_path / "none.npz")


def test_the_file_holds_no_objects(arrays, tmp_path):
    np.savez_compressed(tmp_path / "x.npz", **arrays)
    again = stored.stored(tmp_path / "x.npz")
    assert again.places == opened(arrays).places
    assert all(array.dtype != object for array in again.arrays.values())


def test_stored_goes_with_the_paper_scale(tmp_path, capsys):
    assert main(["reproduce", "wang-zhu-fig-5a", "--stored", "--out", str(tmp_path)]) == 2
    assert "stored = True is not allowed: it goes with --scale paper" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_of_many_panels_those_that_are_not_stored_are_left_out_and_named(
    figures, arrays, tmp_path, capsys, monkeypatch
):
    ready, missing = figures[0], small("wang-zhu-fig-5c", checkpoints=20)
    monkeypatch.setattr("dpbandits.catalogue.figures", lambda: {f.name: f for f in (missing, ready)})
    monkeypatch.setattr("dpbandits.figures.reproduce.shipped", lambda: opened(arrays))
    command = ["--scale", "paper", "--stored", "--no-png", "--out", str(tmp_path)]
    assert main(["reproduce", "wang-zhu-fig-5", *command]) == 1
    assert f"left out, not stored: {missing.name}." in capsys.readouterr().err
    assert (tmp_path / f"{ready.name}.html").is_file() and not list(tmp_path.glob(f"{missing.name}*"))
    assert main(["reproduce", missing.name, *command]) == 2


@pytest.mark.slow
def test_the_shipped_file_is_small_and_its_panels_are_whole():
    ready = stored.stored()
    assert stored.FILE.stat().st_size <= 3_000_000
    wanted = {name for panel in ready.facts["panels"] for name in stored.cells_of(FIGURES[panel])}
    assert wanted == set(ready.places)


@pytest.mark.slow
def test_a_fiftieth_of_the_shipped_runs_is_played_again_bit_for_bit():
    """Stale results fail here: play the cells anew by benchmarks/store.py, late, when no kernel changes any more."""
    ready = stored.stored()
    cells = {name: found for panel in ready.facts["panels"] for name, found in stored.cells_of(FIGURES[panel]).items()}
    every = [(cell, runs, run) for cell, runs in cells.values() for run in range(runs)]
    for i in np.random.default_rng(2).choice(len(every), len(every) // 50, replace=False):
        cell, runs, run = every[i]
        played = cell.run([run])[0][0, -1]
        assert played == ready.last(ready.place(cell, runs))[run], f"{cell.algorithm.name}, run {run}"
