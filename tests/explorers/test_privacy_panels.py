"""The explorers of the chapter on privacy: counters, adversary, mechanism."""

import math

import numpy as np
import pytest
from scipy.integrate import trapezoid

from dpbandits.explorers import adversary, counters, mechanism
from dpbandits.explorers.counters import MOST
from dpbandits.mechanisms import continual


def test_counters_exact_lines_by_hand():
    # ε = 1, T = 12 (4 levels): at t = 7 = 4 + 3, k = 2: hybrid 2·3·4 + 2·2·16; binary 2·3·16; logarithmic 2·3
    frame = counters(epsilon=1.0, length=12, streams=5).frame().set_index("t")
    assert frame["hybrid_exact"][7] == pytest.approx(math.sqrt(88)) and frame["binary_exact"][7] == pytest.approx(
        math.sqrt(96)
    )
    assert frame["logarithmic_exact"][7] == pytest.approx(math.sqrt(6)) and list(frame.index) == list(range(1, 13))


def test_counters_measured_lines_are_the_counters_and_near_the_exact():
    panel = counters(length=200, streams=500, seed=3)
    released = continual.binary_counter(np.zeros((500, 200)), 1.0, 200, np.random.default_rng(3))
    frame = panel.frame()
    assert np.allclose(frame["binary_measured"], np.sqrt((released**2).mean(axis=0)))
    for name in (
        "hybrid",
        "binary",
        "logarithmic",
    ):  # var of a mean square over 500 Laplace sums is at most 5/500 of its square
        assert np.abs(frame[f"{name}_measured"] ** 2 / frame[f"{name}_exact"] ** 2 - 1).mean() < 0.1
    assert np.array_equal(panel.view.traces["binary_measured"].y, frame["binary_measured"])


def test_halving_epsilon_doubles_every_error():
    panel = counters(length=50, streams=3)
    before = panel.frame()
    panel.set(epsilon=0.5)
    assert np.allclose(panel.frame().drop(columns="t"), 2 * before.drop(columns="t"))


def test_long_streams_are_fewer_and_the_panel_says_so():
    panel = counters(length=100, streams=10)
    panel.controls["length"].accept(2**14)
    panel.controls["streams"].accept(1000)
    count = MOST // 2**14
    assert (
        f"{count} streams" in panel.figure.layout.title.text
        and f"with {count} streams" in panel.message
        and f"(({count}, " in panel.code()
    )


def test_one_stream_shows_its_own_error():
    panel = counters(length=40, streams=1, seed=5)
    noise = continual.hybrid_counter(np.zeros((1, 40)), 1.0, np.random.default_rng(5))[0]
    assert (
        np.allclose(panel.view.traces["hybrid_measured"].y, np.abs(noise))
        and panel.figure.layout.yaxis.title.text == "|error|"
    )


def test_adversary_draws_theorem_4_its_tangent_and_the_attack():
    panel = adversary(epsilon=math.log(3), trials=20_000)
    _, least, line, laplace, played, mark = panel.figure.data
    assert np.allclose(least.y, 1 / (1 + np.exp(least.x))) and np.allclose(line.y, 0.5 - np.array(line.x) / 4)
    assert np.allclose(laplace.y, np.exp(-np.array(laplace.x) / 2) / 2)
    assert mark.y[0] == pytest.approx(0.25)
    attained = 1 / (1 + np.exp(np.array(played.x)))
    assert (np.abs(played.y - attained) < 5.5 * np.sqrt(attained * (1 - attained) / 20_000)).all()
    panel.set(epsilon=9.0)
    assert panel.view.traces["least"].x[-1] > 9 and not panel.error


def test_mechanism_draws_densities_and_their_loss():
    panel = mechanism("analytic", epsilon=0.5, delta=0.05, sensitivity=2.0)
    frame = panel.frame()
    for name in ("laplace", "gauss"):
        assert trapezoid(frame[f"{name}_0"], frame["x"]) == pytest.approx(1, abs=0.02)
        assert np.allclose(frame[f"{name}_loss"], np.log(frame[f"{name}_0"] / frame[f"{name}_shifted"]), atol=1e-9)
    assert np.abs(frame["laplace_loss"]).max() == pytest.approx(0.5)
    # E max(0, 1 − e^(ε − loss)) under value 0 is the δ asked for, as the analytic σ is the least
    excess = np.maximum(0, 1 - np.exp(0.5 - frame["gauss_loss"])) * frame["gauss_0"]
    assert trapezoid(excess, frame["x"]) == pytest.approx(0.05, rel=0.03)


def test_the_classical_gaussian_breaks_and_the_table_says_so():
    panel = mechanism("classical", epsilon=1.0, delta=0.001)
    assert "dpb-bad" not in panel.table.value
    panel.set(epsilon=9.0)
    assert "dpb-bad" in panel.table.value and not panel.error
    panel.set(calibration="analytic")
    assert "dpb-bad" not in panel.table.value
