"""A saved cell is read back only if it is whole and its own; whatever else lies in its place is computed again."""

import warnings
from concurrent.futures import ThreadPoolExecutor

import joblib
import numpy as np
import pytest

from dpbandits import simulate, sweep
from dpbandits.files import write_whole
from dpbandits.parameters import Parameter

SETTINGS = {"horizon": 50, "runs": 3, "checkpoints": 5}


def play(folder, seed=0):
    return sweep("ucb1", "two-arms", folder=folder, seed=seed, **SETTINGS)


@pytest.fixture
def cell(tmp_path):
    """(what was computed, its file)."""
    result = play(tmp_path)
    (file,) = tmp_path.glob("*.npz")
    return result, file


def same(one, other):
    return one.regret.equals(other.regret) and one.pulls.equals(other.pulls)


def test_a_whole_file_is_read_back(cell):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert same(cell[0], play(cell[1].parent))


def test_every_flipped_bit_is_found(cell):
    result, file = cell
    whole, rng = file.read_bytes(), np.random.default_rng(0)
    for place in rng.choice(8 * len(whole), 60, replace=False):
        spoilt = bytearray(whole)
        spoilt[place // 8] ^= 1 << place % 8
        file.write_bytes(spoilt)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert same(result, play(file.parent)), place


def _npz(**arrays):
    return lambda file: np.savez_compressed(file, **arrays)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda file: file.write_bytes(b""),
        lambda file: file.write_bytes(file.read_bytes()[:-20]),
        lambda file: file.write_text("not a file of numbers"),
        lambda file: np.save(file.open("wb"), np.zeros((3, 5))),
        _npz(regret=np.zeros((3, 5))),
        _npz(regret=np.full((3, 5), np.nan), seal="x"),
        _npz(regret=np.zeros((3, 5), complex), seal="x"),
        _npz(regret=np.full((3, 5), "a"), seal="x"),
        lambda file: (file.unlink(), file.mkdir()),
    ],
    ids=["empty", "cut", "text", "npy", "without seal", "NaN", "complex", "strings", "folder"],
)
def test_whatever_lies_in_its_place_is_computed_again(cell, spoil):
    result, file = cell
    spoil(file)
    with pytest.warns(UserWarning, match="computed again"):
        try:
            again = play(file.parent)
        except OSError:  # a folder cannot be replaced by a file
            assert file.is_dir()
            return
    assert same(result, again)


def test_another_cells_file_is_not_believed(cell):
    result, file = cell
    play(file.parent, seed=1)
    (other,) = set(file.parent.glob("*.npz")) - {file}
    file.write_bytes(other.read_bytes())
    with pytest.warns(UserWarning, match="computed again"):
        assert same(result, play(file.parent))


def test_many_writers_of_one_name_do_not_disturb_each_other(tmp_path):
    target = tmp_path / "result.txt"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: write_whole(target, lambda part: part.write_text(str(n) * 1000)), range(40)))
    assert len(set(target.read_text())) <= 2 and [f.name for f in tmp_path.iterdir()] == ["result.txt"]


def test_a_home_is_found_and_an_unknown_one_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    play("~/cells")
    assert list((tmp_path / "cells").glob("*.npz"))
    with pytest.raises(ValueError, match="folder = '~nobody-of-this-name/x' is not allowed"):
        play("~nobody-of-this-name/x")


def test_a_folder_that_cannot_be_is_refused_before_the_work(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="folder = .* is not allowed"):
        sweep("ucb1", "two-arms", horizon=10**12, runs=10, folder=tmp_path / "file" / "x")


def test_memory_is_asked_for_before_the_work():
    with pytest.raises(ValueError, match="GB are free"):
        simulate("ucb1", "two-arms", horizon=10**9, runs=10**6, checkpoints=10**6)


def test_jobs_set_for_joblib_are_kept(monkeypatch):
    asked = []
    plain = joblib.Parallel.__init__
    monkeypatch.setattr(
        joblib.Parallel, "__init__", lambda self, *a, **k: (asked.append(k.get("n_jobs")), plain(self, *a, **k))[1]
    )
    simulate("ucb1", "two-arms", **SETTINGS)
    with joblib.parallel_config(n_jobs=1):
        simulate("ucb1", "two-arms", **SETTINGS)
    simulate("ucb1", "two-arms", workers=2, **SETTINGS)
    assert asked == [-1, 1, 2]


def test_a_number_in_an_array_is_a_number():
    result = simulate("dp-se", "two-arms", epsilon=np.array(0.5), horizon=10, runs=1)
    assert '"epsilon": 0.5' in result.attrs["parameters"]


@pytest.mark.parametrize("value", ["x" * 10**6, 10**400, __import__("fractions").Fraction(10**400, 3), [[1] * 1000]])
def test_a_sentence_stays_short(value):
    with pytest.raises(ValueError) as refused:
        Parameter("epsilon", "", low=0).check(value)
    assert len(str(refused.value)) < 200 and "\n" not in str(refused.value)


def test_a_great_seed_can_be_saved(tmp_path):
    result = simulate("ucb1", "two-arms", seed=2**64, **SETTINGS)
    result.to_netcdf(tmp_path / "x.nc")
    assert int(result.attrs["seed"]) == 2**64
