"""All eight cascade algorithms: their laws against slow twins, their limits, and what an option changes."""

import math

import numpy as np
import pytest
from scipy import stats

from dpbandits import simulate
from dpbandits.environments.cascade import cascade, given_users
from tests.algorithms.cascade import twins
from tests.law import FALSE_ALARM, assert_same_law

pytestmark = pytest.mark.slow

RUNS, HORIZON = 300, 60
ONE = ([0.7, 0.4, 0.3], 1)
ALL = ([0.6, 0.3, 0.15], 3)
ALL_BUT_ONE = ([0.6, 0.3, 0.1], 2)
SOME = ([0.1, 0.5, 0.3, 0.05, 0.4], 2)
INSTANCES = [ONE, ALL, ALL_BUT_ONE, SOME]


def assert_matches_twin(name, twin, attraction, size, seed=1, horizon=HORIZON, **parameters):
    ours = simulate(
        name,
        cascade(attraction, size),
        horizon=horizon,
        runs=6 * RUNS,
        seed=seed,
        checkpoints=[horizon // 3],
        workers=1,
        **parameters,
    )
    regrets, counts = twins.sample(twin, RUNS, seed, attraction, size, horizon, **parameters)
    for column, t in enumerate((horizon // 3, horizon)):
        assert_same_law(ours.regret[:, column].round(6), regrets[:, t - 1].round(6), f"{name}, regret at {t}")
    for item in range(len(attraction)):
        assert_same_law(ours.pulls[:, item], counts[:, item], f"{name}, observations of item {item}")


@pytest.mark.parametrize("attraction, size", INSTANCES)
@pytest.mark.parametrize("name, twin", [("cascade-ucb1", twins.ucb1), ("cascade-klucb", twins.klucb)])
def test_without_privacy(name, twin, attraction, size):
    assert_matches_twin(name, twin, attraction, size, horizon=HORIZON if name == "cascade-ucb1" else 30)


@pytest.mark.parametrize("attraction, size", INSTANCES)
@pytest.mark.parametrize(
    "name, twin, parameters",
    [
        ("cascade-ldp-laplace", twins.laplace, {"epsilon": 4.0, "bonus_multiplier": 0.1}),
        ("cascade-ldp-gauss", twins.gauss, {"epsilon": 6.0, "delta": 0.05, "bonus_multiplier": 0.1}),
        (
            "cascade-ldp-composed",
            twins.composed,
            {"epsilon": 8.0, "delta": 0.05, "noise_multiplier": 0.5, "bonus_multiplier": 0.1},
        ),
        ("cascade-ldp-first", twins.ldp_first, {"epsilon": 4.0, "bonus_multiplier": 0.1}),
        ("cascade-dp", twins.dp, {"epsilon": 20.0, "bonus_multiplier": 0.2}),
        ("cascade-dp-first", twins.dp_first, {"epsilon": 4.0, "bonus_multiplier": 0.2}),
    ],
)
def test_with_privacy(name, twin, parameters, attraction, size):
    assert_matches_twin(name, twin, attraction, size, **parameters)


@pytest.mark.parametrize(
    "name, twin",
    [
        ("cascade-ldp-laplace", twins.laplace),
        ("cascade-ldp-gauss", twins.gauss),
        ("cascade-ldp-composed", twins.composed),
        ("cascade-ldp-first", twins.ldp_first),
    ],
)
def test_full_noise_and_bonus(name, twin):
    assert_matches_twin(name, twin, *SOME, horizon=90, epsilon=3.0)


@pytest.mark.parametrize(
    "name, twin, noise",
    [
        ("cascade-ldp-laplace", twins.laplace, 0.2),
        ("cascade-ldp-gauss", twins.gauss, 0.1),
        ("cascade-ldp-composed", twins.composed, 0.1),
        ("cascade-ldp-first", twins.ldp_first, 0.3),
        ("cascade-dp", twins.dp, 0.1),
        ("cascade-dp-first", twins.dp_first, 0.3),
    ],
)
def test_noise_without_its_bonus(name, twin, noise):
    assert_matches_twin(name, twin, *SOME, horizon=120, epsilon=1.0, noise_multiplier=noise, bonus_multiplier=0.0)


def above_two_laplaces(x, scale):
    """P(X + Y > x) of two draws of Lap(scale), x >= 0."""
    return math.exp(-x / scale) * (1 + x / (2 * scale)) / 2


@pytest.mark.parametrize(
    "name, parameters, chance",
    [
        ("cascade-ldp-laplace", {"epsilon": 4.0}, lambda x: 1 - stats.laplace(scale=2 / 4).sf(x)),
        (
            "cascade-ldp-gauss",
            {"epsilon": 9.0, "delta": 0.01},
            lambda x: 1 - stats.norm(scale=math.sqrt(4 * math.log(125)) / 9).sf(x),
        ),
        (
            "cascade-ldp-composed",
            {"epsilon": 12.0, "delta": 0.1},
            lambda x: 1 - stats.laplace(scale=math.sqrt(8 * math.log(math.e + 120)) / 12).sf(x),
        ),
        ("cascade-dp", {"epsilon": 15.0, "private_init": False}, lambda x: 1 - above_two_laplaces(x, 2 * 3 / 15)),
    ],
)
@pytest.mark.parametrize("multiplier", [0.7, 1.0])
def test_noise_by_hand(name, parameters, chance, multiplier):
    """Round 1 shows items 0 and 1, ahead by w_0, to a user who likes neither; round 2 drops item 2 if both noises leave
    them ahead:

    (1 + X)/2 + sqrt(1.5 ln 2 / 2) > 0 + sqrt(1.5 ln 2) for both, that is X > x.
    """
    x = 2 * (math.sqrt(1.5 * math.log(2)) * (1 - math.sqrt(0.5)) - 0.5)  # -0.403
    users = given_users([[1, 1, 0], [0, 0, 0], [0, 0, 0]], 2)
    given = parameters | {"noise_multiplier": multiplier, "bonus_multiplier": 0.0}
    pulls = simulate(name, users, horizon=2, runs=8000, workers=1, **given).pulls
    dropped = int((pulls[:, 2] == 1).sum())
    assert stats.binomtest(dropped, 8000, chance(-x / multiplier) ** 2).pvalue > FALSE_ALARM


@pytest.mark.parametrize("name, scale", [("cascade-ldp-first", 1 / 2), ("cascade-dp-first", 2 / 2)])
@pytest.mark.parametrize("multiplier", [0.7, 1.0])
def test_noise_of_the_repaired_by_hand(name, scale, multiplier):
    """Rounds 1 and 2 show each item once to users who like item 0; round 3 shows item 1 if its noise is ahead by more
    than 1.
    """
    users = given_users([[1, 0]] * 4, 1)
    pulls = simulate(
        name, users, horizon=3, runs=8000, workers=1, epsilon=2.0, noise_multiplier=multiplier, bonus_multiplier=0.0
    ).pulls
    chance = above_two_laplaces(1, multiplier * scale)
    assert stats.binomtest(int((pulls[:, 1] == 2).sum()), 8000, chance).pvalue > FALSE_ALARM


@pytest.mark.parametrize("log_of", ["guarded-count", "count", "horizon"])
@pytest.mark.parametrize("credit", ["position", "whole-list"])
def test_options_of_the_counter_algorithm(log_of, credit):
    given = {"epsilon": 20.0, "log_of": log_of, "credit": credit, "noise_multiplier": 0.5, "bonus_multiplier": 0.1}
    assert_matches_twin("cascade-dp", twins.dp, *SOME, **given)


@pytest.mark.parametrize(
    "name, twin, private_init",
    [
        ("cascade-ldp-laplace", twins.laplace, True),
        ("cascade-ldp-gauss", twins.gauss, True),
        ("cascade-ldp-composed", twins.composed, True),
        ("cascade-dp", twins.dp, True),
        ("cascade-dp", twins.dp, False),
    ],
)
def test_first_observation_noised_or_public(name, twin, private_init):
    parameters = {"epsilon": 8.0, "bonus_multiplier": 0.0, "private_init": private_init}
    assert_matches_twin(name, twin, [0.9, 0.5, 0.1], 1, horizon=12, **parameters)


def alternating_users(items, size):
    """Users for whom only item 0 differs from the others, so that without noise chance breaks ties and does nothing
    else.
    """
    rng = np.random.default_rng(4)
    users = np.repeat(rng.random((23, 2)) < [0.6, 0.45], [1, items - 1], axis=1).astype(float)
    users[: 1 if size > 1 else items + 1] = (
        np.arange(items) == 0
    )  # w_0, and where there is none the first time in front
    return users


@pytest.mark.parametrize("horizon", [30, 150])
@pytest.mark.parametrize(
    "name, twin, size, parameters",
    [
        ("cascade-ucb1", twins.ucb1, 2, {}),
        ("cascade-klucb", twins.klucb, 2, {}),
        *[("cascade-ldp-laplace", twins.laplace, 2, {"epsilon": 0.5, "bonus_multiplier": b}) for b in (0.02, 0.1, 1.0)],
        *[
            ("cascade-ldp-gauss", twins.gauss, 2, {"epsilon": 0.5, "delta": 0.01, "bonus_multiplier": b})
            for b in (0.02, 0.1, 1.0)
        ],
        *[
            ("cascade-ldp-composed", twins.composed, 2, {"epsilon": 0.5, "delta": 0.01, "bonus_multiplier": b})
            for b in (0.01, 0.05, 1.0)
        ],
        *[("cascade-ldp-first", twins.ldp_first, 1, {"epsilon": 0.5, "bonus_multiplier": b}) for b in (0.05, 0.2, 1.0)],
        *[("cascade-dp-first", twins.dp_first, 1, {"epsilon": 0.5, "bonus_multiplier": b}) for b in (0.05, 0.2, 1.0)],
        *[
            ("cascade-dp", twins.dp, 2, {"epsilon": 0.5, "bonus_multiplier": b, "log_of": g})
            for b in (0.01, 0.1, 1.0)
            for g in ("guarded-count", "count", "horizon")
        ],
        ("cascade-dp", twins.dp, 2, {"epsilon": 0.5, "bonus_multiplier": 0.05, "credit": "whole-list"}),
    ],
)
def test_without_noise_the_same_users_get_the_same_lists(name, twin, size, parameters, horizon):
    """Sharper than the laws above: a constant that is wrong by a tenth moves all counts."""
    users, given = alternating_users(size + 1, size), parameters | ({"noise_multiplier": 0.0} if parameters else {})
    ours = simulate(name, given_users(users, size), horizon=horizon, runs=400, workers=1, **given).pulls
    counts = twins.sample(twin, 60, 0, users, size, horizon, **given)[1]
    assert_same_law(ours[:, 0], counts[:, 0], f"{name}, observations of item 0")
    assert_same_law(ours.min("arm"), counts.min(axis=1), f"{name}, fewest observations")


def test_without_noise_and_its_bonus_the_printed_algorithms_are_cascade_ucb1():
    instance = cascade(*SOME)
    given = {"horizon": 400, "runs": 400, "workers": 1, "checkpoints": [100]}
    plain = simulate("cascade-ucb1", instance, **given)
    for name in ("cascade-dp", "cascade-ldp-laplace", "cascade-ldp-gauss", "cascade-ldp-composed"):
        for parameters in ({"epsilon": 1.0, "noise_multiplier": 0.0, "bonus_multiplier": 0.0}, {"epsilon": 1e9}):
            ours = simulate(name, instance, seed=1, **given, **parameters)
            for column in range(2):
                assert_same_law(
                    ours.regret[:, column].round(6), plain.regret[:, column].round(6), f"{name} against cascade-ucb1"
                )
    first = [
        simulate(name, instance, seed=1, epsilon=1e9, **given).regret
        for name in ("cascade-dp-first", "cascade-ldp-first")
    ]
    assert_same_law(first[0][:, 1].round(6), first[1][:, 1].round(6), "the two repaired ones without noise")


@pytest.mark.parametrize(
    "name", ["cascade-ucb1", "cascade-ldp-laplace", "cascade-dp", "cascade-ldp-first", "cascade-dp-first"]
)
def test_counts_and_certain_items(name):
    # Items that always or never attract: every list is clicked at its first attractive item.
    result = simulate(name, cascade([1.0, 1.0, 1.0], 2), horizon=50, runs=3, workers=1)
    start = 0 if name.endswith("first") else 3
    np.testing.assert_array_equal(result.pulls.sum("arm"), start + 50)  # one observation a round
    np.testing.assert_allclose(result.regret, 0, atol=1e-12)
    result = simulate(name, cascade([0.0, 0.0, 0.0], 2), horizon=50, runs=3, workers=1)
    np.testing.assert_array_equal(result.pulls.sum("arm"), start + (50 if name.endswith("first") else 100))
    np.testing.assert_allclose(result.regret, 0, atol=1e-12)


def test_a_longer_run_continues_a_shorter_one_unless_the_bonus_looks_at_the_horizon():
    given = {"runs": 2, "workers": 1, "epsilon": 1.0}
    for name in ("cascade-ucb1", "cascade-ldp-gauss", "cascade-dp", "cascade-dp-first"):
        parameters = given if name != "cascade-ucb1" else {k: v for k, v in given.items() if k != "epsilon"}
        short = simulate(name, cascade(*SOME), horizon=40, checkpoints=[10, 20], **parameters)
        long = simulate(name, cascade(*SOME), horizon=80, checkpoints=[10, 20, 40], **parameters)
        np.testing.assert_array_equal(short.regret, long.regret[:, :3])
    given |= {"checkpoints": [200], "log_of": "horizon", "bonus_multiplier": 0.01}
    short, long = (
        simulate("cascade-dp", "cascade-paper", horizon=horizon, **given).regret[:, 0] for horizon in (200, 2000)
    )
    assert (short != long).any()


def test_without_an_explicit_click_the_first_items_never_seen_come_first():
    # In the first L rounds every item stands first exactly once.
    for name in ("cascade-ldp-first", "cascade-dp-first"):
        result = simulate(name, "cascade-paper", horizon=20, runs=10, workers=1)
        np.testing.assert_array_equal(result.pulls, 1)


def test_a_bonus_that_looks_at_the_bare_count_leaves_items_unseen_for_good():
    # ln 1 = 0: an item whose first noise, Lap(2L/ε), is below −5 would need t > exp(25/1.5) to come back.
    def unseen(log_of):
        return (
            (simulate("cascade-dp", "cascade-paper", horizon=4000, runs=20, workers=1, log_of=log_of).pulls == 1)
            .sum("arm")
            .values
        )

    assert unseen("count").min() >= 4 and unseen("count").mean() > 8
    assert unseen("guarded-count").max() == 0


def test_credit_to_the_whole_list_learns_the_wrong_items():
    given = {
        "horizon": 20000,
        "runs": 10,
        "workers": 1,
        "noise_multiplier": 0.01,
        "bonus_multiplier": 0.01,
        "checkpoints": [10000],
    }
    late = {}
    for credit in ("position", "whole-list"):
        regret = simulate("cascade-dp", "cascade-paper", credit=credit, **given).regret
        late[credit] = float((regret[:, 1] - regret[:, 0]).mean()) / 10000
    assert late["whole-list"] > 5 * late["position"]
