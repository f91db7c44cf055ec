"""The privacy labels: they depend on K and on the noise, and say why."""

import json
import math

import pytest

from dpbandits import simulate
from dpbandits.algorithms import ALGORITHMS
from dpbandits.environments import build
from dpbandits.environments.cascade import cascade
from dpbandits.mechanisms.gaussian import exact_delta

PRINTED = ["cascade-dp", "cascade-ldp-laplace", "cascade-ldp-gauss", "cascade-ldp-composed"]
REPAIRED = ["cascade-dp-first", "cascade-ldp-first"]


def label(name, list_size=4, **parameters):
    instance = build("cascade-paper", list_size=list_size) if list_size else None
    algorithm = ALGORITHMS[name]
    return algorithm.guarantee(algorithm.bind(parameters), instance, 1000)


@pytest.mark.parametrize("name", PRINTED)
def test_printed_claims_hold_for_single_items_only(name):
    assert label(name, 1).status == "proved" and "one item" in label(name, 1).note
    for list_size in (2, 4, None):  # None: the instance is not known yet
        assert label(name, list_size).status == "as claimed, fails" and "K = 2" in label(name, list_size).note
    assert (label(name).epsilon, label(name).scope) == (1, "transcript" if name == "cascade-dp" else "local")


@pytest.mark.parametrize("name", REPAIRED)
def test_repaired_ones_hold_for_every_list_size(name):
    for list_size in (1, 2, 20, None):
        guarantee = label(name, list_size, epsilon=0.5)
        assert (guarantee.status, guarantee.epsilon, guarantee.delta) == ("repaired", 0.5, 0)


@pytest.mark.parametrize("name", ["cascade-ucb1", "cascade-klucb"])
def test_without_noise_nothing_is_promised(name):
    assert label(name).scope == "none"
    for noisy in PRINTED + REPAIRED:
        assert label(noisy, 1, noise_multiplier=0).scope == "none"


def test_multiplied_noise_says_what_it_buys():
    for name in ("cascade-dp", "cascade-ldp-laplace", *REPAIRED):
        guarantee = label(name, 1, epsilon=0.2, noise_multiplier=0.01)
        assert guarantee.epsilon == pytest.approx(20) and "buys ε = 20 where 0.2 is written" in guarantee.note
    gauss = label("cascade-ldp-gauss", 1, epsilon=0.2, noise_multiplier=0.01)
    sigma = 0.01 * math.sqrt(2 * math.log(1250)) / 0.2
    assert exact_delta(gauss.epsilon, sigma) == pytest.approx(1e-3)
    assert label("cascade-ldp-laplace", 1, noise_multiplier=2.0).epsilon == 0.5


def test_gaussian_noise_beyond_its_theorem():
    assert label("cascade-ldp-gauss", 1, epsilon=7.0).epsilon == 7  # still enough
    too_little = label("cascade-ldp-gauss", 1, epsilon=9.0)  # above classical_limit(1e-3) = 7.46
    assert too_little.epsilon > 9 and "too small" in too_little.note


def notes(name, instance="cascade-paper", horizon=50, **parameters):
    return json.loads(simulate(name, instance, horizon=horizon, runs=1, workers=1, **parameters).attrs["notes"])


@pytest.mark.slow
def test_notes_name_the_theorems_range():
    assert notes("cascade-ldp-gauss", epsilon=1) == []
    assert "0 < epsilon <= 1" in notes("cascade-ldp-gauss", epsilon=2)[0]
    said = notes("cascade-ldp-composed", epsilon=1)
    assert "0 < epsilon <= 0.9" in said[0] and "from K = 28 on" in said[1]
    assert notes("cascade-ldp-composed", "cascade-paper", epsilon=0.9, items=40, list_size=30) == []


def test_notes_on_the_instance():
    assert "not unique" in notes("cascade-ucb1", cascade([0.5, 0.2, 0.2], 2))[0]
    assert "every item" in notes("cascade-dp", cascade([0.5, 0.2], 2))[0]
    for name in REPAIRED:
        assert notes(name, horizon=20) == []
        assert "before each of the 20 items stood first once" in notes(name, horizon=19)[0]
