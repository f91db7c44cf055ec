"""The blame argument's books, influence by brute force, and the pictures' counts."""

import itertools
import math

import numpy as np
import pytest

from dpbandits.arguments import influence
from dpbandits.arguments.chen import ABOUT, additive, blame, congestion, gini, hard, most_to_blame, sum_of_ceilings
from dpbandits.arguments.two_instances import local_price
from dpbandits.bounds.catalogue import BOUNDS


@pytest.mark.parametrize("reward", ["average", "sum"])
def test_books_balance(reward):
    run = blame(reward=reward, paths=3, list_size=2, horizon=20_000, epsilon=3.0)
    assert run.arm.size == run.count.size == run.ceiling.size == run.blamed.sum() == run.asked[3]
    for arm in range(6):
        assert run.count[run.arm == arm].tolist() == list(range(1, run.blamed[arm] + 1))
    assert run.blamed[:2].sum() == 0 and run.reports.sum() == 20_000 and (run.blamed <= run.reports).all()
    bonus = 2 * run.smoothness * 4 * math.sqrt(2 * math.log(20_000)) / 3.0
    again = run.count > 1  # the first blame may come before any report
    assert (run.ceiling[again] <= bonus / np.sqrt(run.count[again] - 1) + 1e-9).all()  # N_i <= T_i


def test_each_hypothesis_can_be_broken():
    assert not blame(horizon=20_000).failed.any()
    assert all(blame(about=about, horizon=20_000).failed[4] for about in ABOUT[1:])
    small = blame(bonus_multiplier=0.02, horizon=20_000)
    assert small.failed[0] > 10_000 and small.failed[3] > 0


def test_sums_against_long_hand():
    most, total, closed = sum_of_ceilings(2.0, 0.3, 1000, 1.5)
    assert most == int(128 * 2.25 * math.log(1000) / 0.36)
    assert total == pytest.approx(sum(8 * 1.5 * math.sqrt(2 * math.log(1000) / (4 * j)) for j in range(1, most + 1)))
    assert 0.95 * closed < total < closed
    parts = additive(1.0, 0.5, 2, 1000)
    n, log = math.ceil(parts.enough), math.log(1000)
    exact = sum(2 * 4 * math.sqrt(log / j) for j in range(1, n + 1)), sum(48 * 2 * log**3 / j for j in range(1, n + 1))
    assert exact[0] <= parts.chance * 1.001 and exact[1] <= parts.noise * 1.001
    assert parts.chance < 1.1 * exact[0] and parts.noise < 1.1 * exact[1]
    assert 4 * math.sqrt(log / n) + 24 * 2 * log**3 / n <= 0.5 / 4 + 1e-9


def test_charges_cover_the_gap():
    rng = np.random.default_rng(0)
    for _ in range(500):
        bonuses = rng.random(5) ** 3
        lost, charged, everybody = most_to_blame(bonuses, bonuses.sum() * rng.random(5))
        assert lost <= charged + 1e-12 <= everybody + 2e-12
    assert most_to_blame(np.array([1.0, 0.01]), np.array([1.0, 1.0])) == pytest.approx((1.01, 1.5, 2.02))


def test_a_falling_reward_is_never_tried():
    assert congestion(1000) == (pytest.approx(400), 0)
    assert congestion(1000, turn=True) == (0.0, 1000)
    assert 20 < congestion(20_000, jam=0.6, turn=True)[0] < 300  # there road 2 is the better one


def test_gini_by_a_difference_quotient():
    mu = np.full(3, 0.2)
    slope = [(1 - np.prod(1 - mu - 1e-6 * np.eye(3)[i]) - (1 - np.prod(1 - mu))) / 1e-6 for i in range(3)]
    assert math.sqrt(sum(0.2 * 0.8 * s**2 for s in slope)) <= gini(3)[1] + 1e-6
    assert gini(7)[0] == pytest.approx(7)


def test_influence_by_walking_every_world():
    edges, p = ((1, 2), (2, 3), (1, 3), (3, 4)), (0.3, 0.6, 0.2, 0.9)
    town = influence.town(edges)
    reach = influence.spread(town, p)
    for chosen in range(16):
        total = 0.0
        for world in itertools.product((0, 1), repeat=4):
            active = set(influence.people(chosen))
            while new := {v for (u, v), on in zip(edges, world, strict=True) if on and u in active} - active:
                active |= new
            total += math.prod(q if on else 1 - q for q, on in zip(p, world, strict=True)) * len(active)
        assert reach[chosen] == pytest.approx(total)
    assert town.covers[0b0010].tolist() == [False, True, False, True]  # from person 2: 2→3 and 3→4
    assert influence.law(np.array([0.3, 0.6])) == pytest.approx([0.28, 0.12, 0.42, 0.18])


def test_greedy_and_best():
    town = influence.town()
    reach = influence.spread(town, influence.PROBABILITIES)
    picked, best = influence.greedy(reach, 8, 2), influence.best(reach, 8, 2)
    assert influence.people(picked) == (1, 3) and influence.people(best) == (2, 3)
    assert influence.promise(2) <= reach[picked] / reach[best] < 1
    assert influence.promise(1) == 1 and influence.promise(10**6) == pytest.approx(1 - 1 / math.e, abs=1e-6)
    bent = np.array([0.0, 1, 1, 3])  # together they add more
    assert influence.largest_increase(bent, 2) == pytest.approx(1)
    with pytest.raises(ValueError, match="at most 9 and 12"):
        influence.town([(1, v) for v in range(2, 15)])


def test_learners_learn_what_their_oracle_allows():
    town = influence.town()
    reach = influence.spread(town, influence.PROBABILITIES)
    given = {"epsilon": 8.0, "horizon": 20_000, "checkpoints": (10_000, 20_000)}
    for oracle, top in (
        ("exact", reach[influence.best(reach, 8, 2)]),
        ("greedy", reach[influence.greedy(reach, 8, 2)]),
    ):
        learnt = influence.learn(town, influence.PROBABILITIES, oracle=oracle, **given)
        assert (learnt.reward[1] - learnt.reward[0]) / 10_000 == pytest.approx(top, abs=0.05)
        assert learnt.reward[1] == pytest.approx(float(learnt.played @ reach)) and learnt.played.sum() == 20_000
    failing = influence.learn(town, influence.PROBABILITIES, beta=0.01, **given)
    by_chance = np.mean([reach[s] for s in influence.choices(8, 2)])
    assert failing.reward[1] / 20_000 == pytest.approx(by_chance, abs=0.05)


def test_hard_instances():
    paths = hard("k-path", 20, 4, 0.4, 0.1)
    assert paths.tells.tolist() == [False, True, False, False, False] and paths.place.shape == (20, 2)
    given = {"horizon": 10, "epsilon": 0.1, "arms": 20, "list_size": 4, "gap": 0.4, "constants": "corrected"}
    assert paths.rates["local"] == pytest.approx(BOUNDS["chen-theorem-6"].evaluate(**given).rate)
    assert paths.rates["central"] == pytest.approx(BOUNDS["chen-theorem-9"].evaluate(**given).rate)
    assert paths.pulls["local"] == pytest.approx(1 / (local_price(0.1) * 0.1**2))
    public = hard("public-arms", 20, 4, 0.4, 0.1)
    assert public.tells[1:].all() and not public.tells[0] and len(public.super_arms) == 14
    assert public.rates["central"] == pytest.approx(0.4 * public.pulls["central"])
    assert np.unique(public.place, axis=0).shape == (20, 2)
