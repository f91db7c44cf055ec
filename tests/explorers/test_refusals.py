"""A refused move leaves no trace: what is exported is what is shown, and the way back gives the picture of before."""

import asyncio
import time

import numpy as np
import pytest

from dpbandits.explorers import (
    all_settings,
    bounds,
    cascade_regret,
    list_size,
    matroid_bounds,
    regret,
    semibandit_regret,
    sweep_over,
    vector_tree,
)

SMALL = {"horizon": 300, "runs": 2}
#: Moves that are refused, though each number alone is allowed: (panel, move, whether it opens with small sizes).
REFUSED = {
    "bounds": (lambda: bounds("dp-ftpl-new", "two-arms", **SMALL), {"arms": 9, "gap": 0.6}),
    "regret": (lambda: regret(["ucb1"], "two-arms", **SMALL), {"gap": 0.7, "arms": 9}),
    "sweep": (lambda: sweep_over(points=3, **SMALL), {"low": 5.0, "high": 0.1}),
    "too much": (lambda: sweep_over(points=3, **SMALL), {"runs": 1000, "horizon": 1_000_000}),
    "all settings": (lambda: all_settings(**SMALL), {"top_mean": 0.1, "other_mean": 0.9}),
    "semi-bandit": (lambda: semibandit_regret(["cucb"], "k-path", arms=12, **SMALL), {"arms": 13}),
    "tree": (vector_tree, {"arms": 3, "list_size": 12}),
    "cascade": (lambda: cascade_regret(["cascade-ucb1"], **SMALL), {"list_size": 20, "items": 8}),
}


def seen(panel):
    return [(t.uid, t.visible is not False and (repr(t.x), repr(t.y))) for t in panel.figure.data]


@pytest.mark.parametrize("name", REFUSED)
def test_there_and_back(name, tmp_path):
    make, move = REFUSED[name]
    panel = make()
    panel.code_button.value = True
    first, numbers, back = seen(panel), panel.frame(), {n: panel.values[n] for n in move}
    panel.set(**move)
    if panel.values == {**panel.values, **back}:  # refused at the door: then all stays as it was
        assert panel.error and seen(panel) == first and panel.frame().equals(numbers)
        return
    if panel.blank:
        with pytest.raises(ValueError, match="Nothing is shown"):
            panel.frame()
        assert panel.save_csv(tmp_path) is None and panel.save_html(tmp_path) is None
    panel.set(**back)
    assert not panel.error and seen(panel) == first and panel.frame().equals(numbers)


def unlucky(means, horizon, checkpoints, streams, epsilon=1.0):
    return checkpoints * (1 / (int(epsilon * 10) if epsilon < 0.1 else 1))


@pytest.mark.filterwarnings("ignore:.*runs as plain Python")
def test_an_algorithm_that_breaks_off_is_left_out_alone():
    panel = regret(["ucb1", unlucky], "two-arms", **SMALL)
    panel.set(epsilon=0.05)
    assert "unlucky is left out: its own code breaks off (ZeroDivisionError" in panel.error
    assert set(panel.frame()["algorithm"]) == {"ucb1"} and "unlucky" not in panel.code()
    panel.set(epsilon=1.0)
    assert not panel.error and set(panel.frame()["algorithm"]) == {"ucb1", "unlucky"}


def lame(means, horizon, checkpoints, streams):
    time.sleep(0.2)
    return np.zeros(checkpoints.size)


@pytest.mark.filterwarnings("ignore:.*runs as plain Python")
def test_runs_in_flight_do_not_come_back_after_a_refusal():
    async def play():
        panel = regret([lame], "two-arms", horizon=200, runs=30)
        panel.set(seed=1)
        await asyncio.sleep(0.3)
        panel.set(arms=9, gap=0.7)
        assert panel.blank
        await asyncio.sleep(1)
        return panel

    panel = asyncio.run(play())
    assert panel.blank and all(trace.visible is False for trace in panel.figure.data)


@pytest.mark.filterwarnings("ignore:.*runs as plain Python")
def test_stopped_before_anything_was_finished():
    async def play():
        panel = regret([lame], "two-arms", horizon=200, runs=30)
        panel.set(seed=2)
        panel.stop()
        panel.finish()
        return panel

    panel = asyncio.run(play())
    assert "Stopped before a run was finished" in panel.error
    with pytest.raises(ValueError, match="Nothing is shown"):
        panel.frame()


def test_noise_times_zero_is_drawn():
    panel = list_size("noise")
    panel.set(noise_multiplier=0.0)
    assert not panel.error and "object" not in panel.summary_text
    panel.set(view="bonus", bonus_multiplier=0.0)
    assert not panel.error


def test_bounds_of_every_setting_come_back():
    panel = matroid_bounds(**SMALL)
    first = seen(panel)
    panel.set(epsilon=1e-300)
    panel.reset()
    assert seen(panel) == first
