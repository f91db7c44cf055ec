"""What the selections of DP-UCB-Int give away: the event's probability against simulation, and the labels that
follow.
"""

import math

import numpy as np
import pytest

from dpbandits import catalogue
from dpbandits.algorithms.stochastic.interval import dp_ucb_int, interval
from dpbandits.algorithms.stochastic.interval_looks import in_a_row, selections_need
from dpbandits.algorithms.stochastic.interval_loss import certainly_exceeds, composed
from dpbandits.environments import build
from dpbandits.randomness import run_seed, seed_sequence, streams


@pytest.mark.parametrize(
    "f, arms, v, first, rival, every_round",
    [
        (1, 2, 1.1, 1.0, 0.0, False),
        (2, 3, 1.1, 0.0, 1.0, False),
        (1, 9, 1.4, 1.0, 1.0, False),
        (1, 3, 1.1, 1.0, 0.0, True),
    ],
)
def test_against_simulation(f, arms, v, first, rival, every_round):
    """Four choices in a row, drawn 200,000 times; five standard errors (false alarm 5e-6 in all)."""
    rng, trials, looks = np.random.default_rng(3), 200_000, 4
    scale, t = f ** (v / 2 - 1), arms * f + 1

    def others():
        return np.max([(rival if i == 0 else 0) + rng.laplace(0, scale, trials) for i in range(arms - 1)], axis=0)

    largest, alive, found = others(), np.ones(trials, bool), []
    for j in range(looks):
        n, now = f * (j + 1), t + f * j
        if every_round:
            largest = others()
        bonus = math.sqrt(2 * math.log(now if every_round else t) / f)
        mine = first / n + rng.laplace(0, n ** (v / 2 - 1), trials) + math.sqrt(2 * math.log(now) / n)
        alive &= mine > largest + bonus
        found.append(alive.mean())
    exact = in_a_row(f, arms, looks, v, first, rival, every_round)
    assert abs(exact - found).max() < 5 * math.sqrt(0.25 / trials)


@pytest.mark.slow
def test_the_kernel_follows_the_same_law():
    """Sure arms: two of them pay nothing, the second always. P(the third, ... ) by exchange: arm 1 is chosen first of
    all.
    """
    means, cell = np.array([0.0, 1.0, 0.0]), seed_sequence(6)
    runs = [dp_ucb_int(means, 4, np.array([4]), streams(run_seed(cell, r)), 1.0, 1.1, 0)[1][0] for r in range(20_000)]
    exact = in_a_row(1, 3, 1, 1.1, 0.0, 1.0)[0]
    assert abs(np.mean(np.array(runs) == 2) - exact) < 5 * math.sqrt(exact / 20_000)


def test_by_hand_for_one_look_of_two_arms():
    # the difference of two Lap(1): P(X − Y > z) = e^−z (2 + z)/4 for z >= 0
    assert in_a_row(1, 2, 1, 1.1, 0.0, 1.0)[0] == pytest.approx(math.exp(-1) * 3 / 4, rel=1e-9)
    assert in_a_row(1, 2, 1, 1.1, 1.0, 1.0)[0] == pytest.approx(0.5, rel=1e-9)


@pytest.mark.parametrize("arms", [2, 9, 101])
def test_selections_never_show_more_than_the_releases(arms):
    for epsilon in (0.01, 0.1, 0.5, 1.0, 2.0):
        shown = selections_need(epsilon, interval(epsilon, 2**62), arms, 10**6, 1.1)
        assert 0 <= shown < 1
        if shown > 0:
            assert certainly_exceeds(epsilon, shown / 1e6, 10**6)
            assert composed(epsilon, 10**6).epsilon > epsilon


def test_the_label_says_what_is_shown_and_what_is_not():
    record = catalogue.algorithms()["dp-ucb-int"]

    def label(instance, epsilon, **more):
        return record.guarantee(record.bind({"epsilon": epsilon, **more}), build(instance), 10**6)

    nine = label("wang-zhu-1", 1.0)
    assert nine.status == "as claimed, fails" and "Of the selections alone it is shown, for 9 arms" in nine.note
    assert "δ >= 0.014" in nine.note
    two = label("two-arms", 1.0)
    assert two.status == "as claimed, unchecked" and "is not shown here for 2 arms" in two.note
    assert label("two-arms", 0.1).status == "as claimed, fails"
    assert label("wang-zhu-1", 5.0).status == "as claimed, unchecked"
    assert record.guarantee(record.bind({})).status == "as claimed, fails"  # on some instance
    anew = label("wang-zhu-1", 1.0, refresh="every-round")
    assert anew.status == "as claimed, fails" and "ε′ = 1e+06" in anew.note


def test_refreshing_every_round_composes_over_the_rounds():
    # ε = 0.5: f = 2; after the 2 · 3 rounds of the start phase each of 94 rounds may cost 2^-0.55
    loss = composed(0.5, 100, every_round=True, arms=3)
    assert loss.epsilon == pytest.approx(94 * 2**-0.55)
    assert composed(0.5, 6, every_round=True, arms=3).epsilon == 0
    assert composed(0.5, None, slack=1e-6, every_round=True).epsilon == math.inf
