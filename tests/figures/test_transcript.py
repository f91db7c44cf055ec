"""The drawing of a transcript's privacy loss."""

import numpy as np

from dpbandits.figures import transcript
from dpbandits.privacy import TranscriptLoss

ROUNDS = np.array([10, 100, 1000])


def loss(law, epsilon, values):
    values = np.array(values, float)
    return TranscriptLoss(law, epsilon, 0.01, 1, ROUNDS, values, np.abs(values), None)


def test_median_band_and_nominal_epsilon():
    runs = [[0, k, -2 * k] for k in range(101)]
    figure = transcript.draw([loss("new", 1.0, runs), loss("gauss", 1.0, np.zeros((3, 3)))])
    band, middle, _, gauss, nominal = figure.data
    assert list(middle.x) == list(ROUNDS) and list(middle.y) == [0, 50, 100] and middle.name == "DP-FTPL-New"
    assert list(band.y) == [0, 95, 190, 10, 5, 0]
    assert list(gauss.y) == [0, 0, 0] and gauss.line.color != middle.line.color
    assert list(nominal.y) == [1.0, 1.0] and nominal.name == "ε = 1, of one selection"


def test_each_epsilon_has_its_line():
    figure = transcript.draw([loss("new", 1.0, np.ones((2, 3))), loss("gauss", 0.5, np.ones((2, 3)))])
    assert [t.name for t in figure.data if t.line.dash == "dot" and "of one selection" in t.name] == [
        "ε = 0.5, of one selection",
        "ε = 1, of one selection",
    ]
