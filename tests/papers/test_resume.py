"""A panel that is interrupted goes on where it was, and ends with the same numbers."""

import numpy as np
import pytest

from dpbandits import simulation
from dpbandits.papers.catalogue import FIGURES

SMALL = {"horizon": 3000, "runs": 2, "checkpoints": [3000], "delta": [1.0, 0.3, 0.1, 0.03]}


def small(folder=None):
    figure = FIGURES["wang-zhu-fig-6b"]
    return figure.compute(**{**figure.settings_at("paper"), **SMALL}, folder=folder, workers=1)


def test_interrupted_between_cells(tmp_path, monkeypatch):
    real_save, real_piece, saved, computed = simulation._save, simulation._run_piece, [], []

    def save_three_and_stop(path, *rest):
        if len(saved) == 3:
            raise KeyboardInterrupt
        real_save(path, *rest)
        saved.append(path.name)

    monkeypatch.setattr(simulation, "_save", save_three_and_stop)
    with pytest.raises(KeyboardInterrupt):
        small(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(saved)

    def counted(cell, runs):
        computed.append(cell.key)
        return real_piece(cell, runs)

    monkeypatch.setattr(simulation, "_save", real_save)
    monkeypatch.setattr(simulation, "_run_piece", counted)
    resumed = small(tmp_path)
    assert len(set(computed)) == 8 - 3
    assert np.array_equal(resumed.regret, small().regret)


def test_a_damaged_part_is_computed_again(tmp_path):
    first = small(tmp_path)
    next(tmp_path.iterdir()).write_bytes(b"half a file")
    assert np.array_equal(small(tmp_path).regret, first.regret)
