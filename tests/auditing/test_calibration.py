"""calibrate(): the promise is kept by the accountant, and hardly more than kept."""

import math

import pytest

from dpbandits import account, calibrate, simulate
from dpbandits.algorithms.catalogue import ALGORITHMS

HOPELESS = {
    "ucb1", "thompson-beta", "thompson-gauss", "cascade-ucb1", "cascade-klucb", "cascade-dp", "cascade-ldp-laplace",
    "cascade-ldp-gauss", "cascade-ldp-composed", "cucb", "omm", "kl-osm", "cts-gauss", "cts-beta", "dp-ucb-int",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(set(ALGORITHMS) - HOPELESS))
def test_the_promise_is_kept(name):
    found = calibrate(name, 0.8, 1e-5, 20_000)
    ceiling = account(name, horizon=20_000, **found)
    assert ceiling.proved and ceiling.epsilon <= 0.8
    if name not in ("dp-ftpl-beta", "dp-ftpl-gauss"):
        assert ceiling.epsilon >= 0.8 * 0.995
    for key, value in found.items():
        assert key in {p.name for p in ALGORITHMS[name].parameters} and math.isfinite(value)


@pytest.mark.parametrize("name", ["dp-ftpl-new", "dp-se", "adap-ucb", "cascade-dp-lazy"])
def test_a_found_parameter_is_short(name):
    """It is the same on every machine, then, whose logarithms may differ in their last bit."""
    (free,) = {knob.free for knob in ALGORITHMS[name].knobs}
    value = calibrate(name, 0.7, 1e-5, 3000)[free]
    assert value == float(f"{value:.6g}")
    if name in ("dp-se", "adap-ucb"):  # each reward is released once: all of ε is the release's
        assert value == 0.7


@pytest.mark.parametrize("name", sorted(HOPELESS - {"dp-ucb-int"}))
def test_what_cannot_be_promised_is_refused_in_one_sentence(name):
    with pytest.raises(ValueError, match=f"algorithm = {name} cannot be made \\(1, 1e-05\\)-private"):
        calibrate(name, 1, 1e-5, 1000)


def test_a_longer_start_phase_makes_gauss_private():
    found = calibrate("dp-ftpl-gauss", 1, 1e-5, 10**5, "two-arms")
    each = math.ceil(1 / (4 * math.pi * found["delta"] ** 2))
    assert found["epsilon"] == 0
    shorter = (10**5 - 2 * 0.99 * each) / (2 * 0.99 * each)
    assert account("dp-ftpl-gauss", "two-arms", horizon=10**5, **found).epsilon <= 1
    from dpbandits.mechanisms.gaussian import epsilon_from_mu

    assert epsilon_from_mu(1e-5, math.sqrt(shorter)) > 1  # a start phase shorter by 1 % would not do


def test_pure_promises():
    found = calibrate("dp-ftpl-new", 1, 0, 1002, "two-arms")
    assert found["delta"] == 0 and found["epsilon"] == pytest.approx(1 / 1000, rel=2e-4)
    assert calibrate("dp-se", 2, 0, 10**5)["epsilon"] == pytest.approx(2, rel=2e-4)
    blind = calibrate(
        "dp-ftpl-gauss", 1, 0, 10**4, "two-arms"
    )  # no Gaussian draw is pure: only a start phase to the end
    assert account("dp-ftpl-gauss", "two-arms", horizon=10**4, delta_total=0, **blind).epsilon == 0


def test_where_nothing_depends_on_data_the_parameter_stays():
    assert calibrate("dp-se", 2, 0, 1000)["epsilon"] == pytest.approx(2)


def test_it_can_be_played():
    given = calibrate("adap-ucb", 0.5, 1e-5, 3000, "wang-zhu-1")
    assert simulate("adap-ucb", "wang-zhu-1", horizon=3000, runs=2, **given).sizes["run"] == 2


def test_a_named_instance_takes_its_parameters():
    found = calibrate("cucb-ldp1", 1, 1e-5, 100, "k-path", arms=8, list_size=2)
    assert set(found) == {"epsilon"} and found["epsilon"] == pytest.approx(1, rel=1e-3)


@pytest.mark.parametrize(
    "given, words",
    [
        (dict(epsilon=0), "epsilon = 0 is not allowed"),
        (dict(delta=1), "delta_total = 1 is not allowed (calibrate)"),
        (dict(horizon=0), "horizon = 0 is not allowed"),
        (dict(algorithm="dp-see"), "Unknown algorithm 'dp-see'"),
        (dict(instance="two-armed"), "two-armed"),
    ],
)
def test_bad_input(given, words):
    with pytest.raises(ValueError) as caught:
        calibrate(**{"algorithm": "dp-se", "epsilon": 1, "delta": 1e-5, "horizon": 1000} | given)
    assert words in str(caught.value)
