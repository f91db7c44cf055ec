"""The tree's releases, the argument behind the central label played out, and the labels."""

import math

import numpy as np
import pytest

from dpbandits import catalogue, simulate
from dpbandits.algorithms.semibandit.blindness import (
    first_seeing_horizon,
    is_blind,
    observations_needed,
    observations_when_blind,
)
from dpbandits.algorithms.semibandit.central import node_scale
from dpbandits.environments.semibandit import k_path, max_coverage, public_arms, super_arms, top_k
from dpbandits.kernels import kernel
from dpbandits.mechanisms import gaussian
from dpbandits.mechanisms.counters import binary_read, new_counters
from tests.algorithms.semibandit import twins
from tests.law import assert_variance

HORIZON = 64


@kernel
def _releases(rows, read, sensitivity, epsilon, exact, rng):
    """Noise (rows, HORIZON) of coordinates that are read in the rounds marked in `read` (rows, HORIZON), else 0."""
    tree, scale = new_counters(rows, HORIZON), node_scale(HORIZON, sensitivity, epsilon, exact)
    noise = np.zeros((rows, HORIZON))
    for t in range(1, HORIZON + 1):
        for i in range(rows):
            if read[i, t - 1]:
                noise[i, t - 1] = binary_read(tree, i, t, scale, rng)
    return noise


@pytest.mark.parametrize("sensitivity", [1.0, 4.0])
@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("share", [1.0, 0.3])
def test_the_release_has_the_exact_variance_at_every_round(sensitivity, exact, share):
    """2 popcount(t) b², b = 2Δ ln T/ε as printed or Δ·levels/ε; also for arms that are played only now and then."""
    rng, epsilon = np.random.default_rng(7), 0.8
    read = rng.random((6000, HORIZON)) < share
    noise = _releases(6000, read, sensitivity, epsilon, exact, rng)
    scale = sensitivity * (7 if exact else 2 * math.log(64)) / epsilon
    for t in range(1, HORIZON + 1):
        assert_variance(noise[read[:, t - 1], t - 1], 2 * t.bit_count() * scale**2, f"t = {t}")


@pytest.mark.parametrize("name", ["cucb-dp", "cucb-dp-least"])
@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("changed", [1, 7, 32, 63])
def test_a_changed_user_is_hidden_by_a_shift_of_the_nodes_above(name, exact, changed):
    """After all outcomes of one user are turned round, the noises shifted by the change on the nodes above that leaf
    give the same super arms to the end; the shift costs at most ε."""
    horizon, epsilon = 64, 400.0
    outcomes = np.random.default_rng(changed).integers(0, 2, (horizon, 5)).astype(float)

    def play(outcomes, nodes, noise_rng):
        stream = iter(outcomes.tolist())
        game = twins.top_k([0.05, 0.1, 0.2, 0.3, 0.1], 2)
        game.draw = lambda rng: next(stream)
        return twins.run(
            name,
            game,
            horizon,
            np.random.default_rng(5),
            epsilon,
            exact=exact,
            noise_rng=noise_rng,
            noise_of_block=nodes,
        )[2]

    nodes = {}
    chosen = play(outcomes, nodes, np.random.default_rng(4))
    turned = outcomes.copy()
    turned[changed - 1] = 1 - turned[changed - 1]
    seen = np.isin(np.arange(5), chosen[changed - 1])
    if name == "cucb-dp-least":  # the leaf holds one of the two, which one follows from the past: try both
        candidates = [np.arange(5) == arm for arm in chosen[changed - 1]]
    else:
        candidates = [seen]
    agreeing = []
    for used in candidates:
        change = np.where(used, turned[changed - 1] - outcomes[changed - 1], 0)
        shifted = {b: v - change * (b[0] < changed <= b[1]) for b, v in nodes.items()}
        agreeing.append(play(turned, shifted, None) == chosen)
    assert any(agreeing)
    unit = 1 if name == "cucb-dp-least" else 2
    scale = unit * (7 if exact else 2 * math.log(horizon)) / epsilon
    above = sum(1 for first, last in nodes if first < changed <= last < horizon)  # nobody acts on the last release
    assert 0 < above * unit / scale <= epsilon * (1 + 1e-12)


@pytest.mark.parametrize("horizon", [2, 3, 4, 5, 8, 9, 17, 1000, 10**6, 10**9])
def test_the_printed_scale_suffices_at_every_horizon(horizon):
    """levels that anybody acts on, times Δ, over the scale: the ε that is spent."""
    levels = (horizon - 1).bit_length()
    for exact in (False, True):
        assert levels * 3.0 / node_scale(horizon, 3.0, 0.5, exact) <= 0.5 * (1 + 1e-12)


def _guarantee(name, instance=None, horizon=None, **given):
    record = catalogue.algorithms()[name]
    return record.guarantee(record.bind(given), instance, horizon)


def test_labels():
    for name, scope in (
        ("cucb-ldp1", "local"),
        ("cucb-ldp2", "local"),
        ("cucb-dp", "transcript"),
        ("cucb-dp-least", "transcript"),
    ):
        for instance in (None, top_k([0.1, 0.2, 0.3], 2), max_coverage([(1, 1), (1, 2), (2, 2)], [0.5], 1)):
            g = _guarantee(name, instance, epsilon=0.3)
            assert (g.epsilon, g.delta, g.scope, g.status, g.unit) == (0.3, 0, scope, "proved", "one user's outcomes")
    assert "K = 2" in _guarantee("cucb-ldp1", max_coverage([(1, 1), (1, 2), (2, 2)], [0.5], 1)).note
    assert "spends 0.72 of ε" in _guarantee("cucb-dp", None, 10**6).note  # 20/(2 ln 10⁶)
    assert _guarantee("cucb").scope == "none"


def test_the_gaussian_label_is_the_exact_one():
    g = _guarantee("cucb-ldp-gauss", epsilon=0.5, delta=1e-3)
    assert (g.epsilon, g.delta, g.status) == (0.5, 1e-3, "proved")
    beyond = _guarantee("cucb-ldp-gauss", epsilon=20.0, delta=1e-3)
    assert beyond.epsilon > 20 and "too small" in beyond.note
    shrunk = _guarantee("cucb-ldp-gauss", epsilon=0.2, delta=1e-3, noise_multiplier=0.01)
    assert "it buys ε = 29.6 where 0.2 is written" in shrunk.note and shrunk.epsilon == pytest.approx(29.6, abs=0.05)
    assert gaussian.exact_delta(shrunk.epsilon, 0.01 * math.sqrt(2 * math.log(1250)) / 0.2, 1.0) == pytest.approx(1e-3)
    assert _guarantee("cucb-ldp-gauss", noise_multiplier=0).scope == "none"
    # √K of sensitivity against σ = sqrt(2K ln(1.25/δ))/ε: K cancels.
    for size in (1, 9):
        sigma = math.sqrt(2 * size * math.log(1250)) / 20
        assert gaussian.exact_delta(beyond.epsilon, sigma, math.sqrt(size)) == pytest.approx(1e-3)


@pytest.mark.parametrize(
    "name, given, words",
    [
        ("cucb-ldp1", dict(epsilon=0), "epsilon = 0"),
        ("cucb-ldp2", dict(epsilon=math.inf), "epsilon = inf"),
        ("cucb-dp", dict(epsilon=math.nan), "epsilon = nan"),
        ("cucb-dp", dict(exact="much"), "exact = 'much' is not allowed .cucb-dp.: it must be true or false"),
        ("cucb-ldp1", dict(printed=3), "printed = 3"),
        ("cucb-ldp-gauss", dict(delta=0), "delta = 0"),
        ("cucb-ldp-gauss", dict(delta=1), "delta = 1"),
        ("cucb", dict(epsilon=1), "Unknown parameter 'epsilon'"),
        ("ucb1", {}, "ucb1 plays in the stochastic setting, but the instance is of the semi-bandit setting"),
    ],
)
def test_bad_input_is_refused(name, given, words):
    with pytest.raises(ValueError, match=words):
        simulate(name, "top-k", horizon=10, **given)


def test_observations_needed_solves_its_equation():
    n = observations_needed(10**5, 2.0, 20, 4, 0.3)
    assert 0.3 + math.sqrt(4 * math.log(20 * 10**5) / n) + 12 * 4 * math.log(10**5) ** 3 / (n * 2) == pytest.approx(1)
    assert observations_needed(100, 1.0, 20, 4, 1.0) == math.inf


@pytest.mark.parametrize(
    "instance, most, most_least",
    [
        (top_k([0.5] * 20, 4), 200, 50),
        (k_path(20, 4, 0.5), 200, 50),
        (public_arms(20, 4, 0.5), 1000 * 13 / 14, 1000 * 13 / 14),
        (super_arms([0.5] * 3, [(1, 2), (2, 3)]), 1000, 1000),
    ],
)
def test_observations_when_blind(instance, most, most_least):
    assert observations_when_blind(instance, 1000) == pytest.approx(most)
    assert observations_when_blind(instance, 1000, least=True) == pytest.approx(most_least)


@pytest.mark.parametrize("name", ["cucb-dp", "cucb-dp-least"])
def test_a_blind_horizon_is_played_uniformly_and_says_so(name):
    """At the horizon where the note stops, the play has changed; at half of it not."""
    instance, least = top_k([0.1] * 2 + [0.9] * 2, 1 if name == "cucb-dp" else 2), name == "cucb-dp-least"
    seeing = first_seeing_horizon(instance, 100.0, least)
    assert is_blind(instance, seeing - 1, 100.0, least) and not is_blind(instance, seeing, 100.0, least)
    blind = simulate(name, instance, horizon=seeing // 2, runs=40, epsilon=100.0)
    assert "as if it had observed nothing" in blind.attrs["notes"]
    uniform = instance.list_size * seeing // 2 / 4
    error = math.sqrt(uniform * (1 - instance.list_size / 4) / 40)
    assert (abs(blind.pulls.values.mean(axis=0) - uniform) < 5.5 * error).all()
    later = simulate(name, instance, horizon=3 * seeing, runs=5, epsilon=100.0)
    assert "observed nothing" not in later.attrs["notes"]
    assert (later.pulls.values[:, :2] < later.pulls.values[:, 2:] - 0.1 * seeing).all()
