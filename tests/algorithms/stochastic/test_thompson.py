"""Thompson sampling: same law as the twins, invariants."""

import math

import numpy as np
import pytest

from dpbandits import catalogue, simulate
from dpbandits.environments import bernoulli
from dpbandits.mechanisms.gaussian import delta_from_mu
from tests.algorithms.stochastic import twins
from tests.law import assert_same_law

MEANS = (0.3, 0.4, 0.7)


def _draw_beta(pulls, total, rng):
    return rng.beta(1 + total, 1 + pulls - total)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name, start, draw", [("thompson-beta", 0, _draw_beta), ("thompson-gauss", 1, twins.draw_gauss)]
)
def test_same_law_as_the_twin(name, start, draw):
    rounds = [2, 5, 20, 100]
    lost, pulls = twins.follow_the_perturbed_leader(MEANS, 100, start, draw, 20_000, np.random.default_rng(1))
    run = simulate(name, bernoulli(MEANS), horizon=100, runs=10_000, seed=2, checkpoints=rounds, workers=1)
    for t in rounds[start:]:  # the first selections of the twin are in order, ours at random
        assert_same_law(lost[:, t - 1].round(9), run.regret.sel(round=t).values.round(9), f"{name}: regret at {t}")
    for i in range(len(MEANS)):
        assert_same_law(pulls[:, i], run.pulls.values[:, i], f"{name}: pulls of arm {i}")


@pytest.mark.parametrize("name", ["thompson-beta", "thompson-gauss"])
@pytest.mark.parametrize("horizon", [1, 2, 3, 1000])
def test_pulls_and_regret_fit_together(name, horizon):
    run = simulate(name, bernoulli(MEANS), horizon=horizon, runs=5)
    assert (run.pulls.sum("arm") == horizon).all()
    np.testing.assert_allclose(run.regret.values[:, -1], run.pulls.values @ (0.7 - np.array(MEANS)), atol=1e-9)
    if name == "thompson-gauss" and horizon >= len(MEANS):
        assert (run.pulls > 0).all()


@pytest.mark.slow
def test_first_selection_is_uniform():
    for name in ("thompson-beta", "thompson-gauss"):
        first = simulate(name, bernoulli(MEANS), horizon=1, runs=3000, workers=1).pulls.values
        assert abs(first.mean(axis=0) - 1 / 3).max() < 5 * np.sqrt(2 / 9 / 3000)  # false alarm 2e-6 in all


def test_labels():
    assert catalogue.algorithms()["thompson-beta"].guarantee({}).label == "not private"
    gauss = catalogue.algorithms()["thompson-gauss"]
    one = gauss.guarantee({})
    # N(m̂, 2/n) after one changed reward is sqrt(1/2)-Gaussian DP at most; its ε at 10⁻⁶ solves delta_from_mu = 10⁻⁶
    assert (one.scope, one.delta) == ("per-selection", 1e-6)
    assert delta_from_mu(one.epsilon, math.sqrt(0.5)) == pytest.approx(1e-6)
    for horizon in (4, 1000, 10**12):
        whole = gauss.guarantee({}, bernoulli(MEANS), horizon)
        assert (whole.scope, whole.status) == ("transcript", "proved")
        assert delta_from_mu(whole.epsilon, math.sqrt((horizon - 3) / 2)) == pytest.approx(1e-6, rel=1e-3)
    assert gauss.guarantee({}, bernoulli(MEANS), 3).epsilon == 0
