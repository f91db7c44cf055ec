"""The evidence itself: printed local algorithms name the click, printed cascade-dp gives a click away, repaired ones do
not.
"""

import math

import numpy as np
import pytest
from scipy import stats

from dpbandits.algorithms import ALGORITHMS
from dpbandits.algorithms.cascade import leaks
from dpbandits.environments.cascade import given_users
from dpbandits.privacy.audit import Audit, best_event, clopper_pearson
from dpbandits.randomness import seed_sequence, streams
from tests.law import FALSE_ALARM, assert_follows

PRINTED = ["cascade-ldp-laplace", "cascade-ldp-gauss", "cascade-ldp-composed"]
RNG = np.random.default_rng(1)


def counts(name, users, list_size, horizon, run, **parameters):
    """T(e) after `horizon` rounds of the compiled algorithm against given users."""
    algorithm = ALGORITHMS[name]
    problem = given_users(users, list_size).problem
    return algorithm.run(
        problem, horizon, np.array([horizon]), streams(seed_sequence(run, name)), algorithm.bind(parameters)
    )[1]


# Local: how many reports a user sends.


@pytest.mark.parametrize("name", [*PRINTED, "cascade-ldp-first"])
def test_the_compiled_algorithms_take_as_many_reports_as_user_reports_sends(name):
    # All 3 items tie at w_0 = 0 or are never seen; a user who likes n of 3 items clicks somewhere or nowhere.
    for run in range(20):
        likes = RNG.random(3) < 0.4
        users = np.array([np.zeros(3), likes])
        before = 0 if name == "cascade-ldp-first" else 3
        taken = counts(name, users, 3, 1, run).sum() - before
        sent = {leaks.user_reports(name, position, 3, RNG).size for position in ([1, 2, 3] if likes.any() else [4])}
        assert taken in sent
        if likes.all() or not likes.any():
            assert taken == (1 if likes.all() or name == "cascade-ldp-first" else 3)


@pytest.mark.parametrize("name", PRINTED)
@pytest.mark.parametrize("epsilon", [0.01, 1.0])
def test_printed_local_algorithms_name_the_click(name, epsilon):
    rates = leaks.guessing_rates(name, 4, trials=400, epsilon=epsilon)
    assert rates[:3].tolist() == [1, 1, 1]  # fewer than K reports: certain, at every ε
    assert rates.mean() > leaks.guessing_limit(epsilon, 4) + 0.2
    numbers = [
        np.array([leaks.user_reports(name, position, 4, RNG, epsilon=epsilon).size for _ in range(2000)])
        for position in (1, 5)
    ]
    assert (
        Audit.of(numbers[0] == 1, numbers[1] == 1).epsilon() > 4.8
    )  # 2000 of 2000 against none; unbounded as trials grow


@pytest.mark.parametrize("name", PRINTED)
def test_with_one_item_a_list_the_printed_ones_send_one_report(name):
    assert {leaks.user_reports(name, position, 1, RNG).size for position in (1, 2)} == {1}
    rates = leaks.guessing_rates(name, 1, trials=4000, epsilon=1.0)
    assert clopper_pearson(int(round(rates.sum() * 4000)), 8000, 1 - FALSE_ALARM)[0] <= leaks.guessing_limit(1.0, 1)


@pytest.mark.parametrize("list_size", [1, 2, 4])
@pytest.mark.slow
def test_the_repaired_local_algorithm_does_not(list_size):
    rates = leaks.guessing_rates("cascade-ldp-first", list_size, trials=4000, epsilon=1.0)
    right, trials = int(round(rates.sum() * 4000)), 4000 * (list_size + 1)
    assert clopper_pearson(right, trials, 1 - FALSE_ALARM)[0] <= leaks.guessing_limit(1.0, list_size)
    assert rates[0] == pytest.approx(1 - math.exp(-0.5) / 2, abs=0.05)
    assert {
        leaks.user_reports("cascade-ldp-first", position, list_size, RNG).size for position in range(1, list_size + 2)
    } == {1}
    # Reports in bins of width 1/2, click at 1 against none: no event tells more than ε.
    reports = [
        [leaks.user_reports("cascade-ldp-first", position, list_size, RNG)[0] for _ in range(20000)]
        for position in (1, 2)
    ]
    bins = np.clip(np.floor(2 * np.array(reports)), -8, 10).astype(int)
    assert 0.7 < best_event(bins[0], bins[1]).epsilon() <= 1
    assert 0.7 < best_event(bins[1], bins[0]).epsilon() <= 1


@pytest.mark.parametrize("name", [*PRINTED, "cascade-ldp-first"])
def test_reports_carry_the_printed_noise(name):
    given = {"epsilon": 0.5} | ({"delta": 0.01} if "gauss" in name or "composed" in name else {})
    reports = np.array([leaks.user_reports(name, 1, 3, RNG, noise_multiplier=2.0, **given)[0] for _ in range(3000)]) - 1
    laws = {
        "cascade-ldp-laplace": stats.laplace(scale=2 * 3 / 0.5),
        "cascade-ldp-gauss": stats.norm(scale=2 / 0.5 * math.sqrt(6 * math.log(125))),
        "cascade-ldp-composed": stats.laplace(scale=2 * math.sqrt(12 * math.log(math.e + 50)) / 0.5),
        "cascade-ldp-first": stats.laplace(scale=2 / 0.5),
    }
    assert_follows(reports, laws[name].cdf, name)


# Central: what the lists give away.


@pytest.mark.slow
def test_transcripts_are_what_the_compiled_algorithm_shows():
    # Later users like nothing, so every item shown is observed, and T(e) follows from the lists.
    for users in leaks.neighbours(4, 2, 5):
        for name, first_only in (("cascade-dp", False), ("cascade-dp-first", True)):
            lists = leaks.transcripts(
                users, 2, epsilon=3.0, trials=4000, seed=3, private_init=False, first_only=first_only
            )
            shown = np.ones((4000, 4), int) * (not first_only)
            for t in range(5):
                seen = lists[:, t, : 1 if first_only or (t == 0 and users[1].any()) else 2]
                np.add.at(shown, (np.arange(4000)[:, None], seen), 1)
            given = {} if first_only else {"private_init": False}
            ours = np.array([counts(name, users, 2, 5, run, epsilon=3.0, **given) for run in range(4000)])
            both = np.concatenate([np.sort(shown), np.sort(ours)])
            table = np.zeros((2, len(names := np.unique(both, axis=0))))
            for row, half in enumerate((both[:4000], both[4000:])):
                for place, n in zip(
                    *np.unique((half[:, None] == names).all(axis=2).argmax(axis=1), return_counts=True), strict=True
                ):
                    table[row, place] = n
            table = table[:, table.sum(axis=0) >= 20]
            assert stats.chi2_contingency(table).pvalue > FALSE_ALARM, f"{name}: {table}"


@pytest.mark.parametrize("private_init", [False, True])
@pytest.mark.parametrize("items, list_size", [(3, 2), (6, 3)])
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 5.0])
def test_after_a_click_cascade_dp_cannot_drop_the_second_item(private_init, items, list_size, epsilon):
    quiet, clicking = (
        leaks.second_item_dropped(
            leaks.transcripts(users, list_size, epsilon=epsilon, trials=40000, seed=2, private_init=private_init)
        )
        for users in leaks.neighbours(items, list_size, 2)
    )
    audit = Audit.of(quiet, clicking)
    assert audit.other_hits == 0 and audit.hits > 1000
    assert audit.epsilon() > epsilon  # it grows without end with the number of trials
    assert audit.epsilon(delta=0.03) > 4  # so no small δ helps either


@pytest.mark.slow
def test_the_compiled_cascade_dp_does_the_same():
    # The first list is {0, 1}. After a click at its first item T = 2 and 1; if list 2 dropped the second, T would stay
    # 1.
    quiet, clicking = leaks.neighbours(3, 2, 2)
    after_click = np.array([counts("cascade-dp", clicking, 2, 2, run, private_init=False) for run in range(4000)])
    assert after_click[:, :2].min() == 2
    without = np.array([counts("cascade-dp", quiet, 2, 2, run, private_init=False) for run in range(4000)])
    dropped_one = (without[:, :2] == 2).any(axis=1)  # the first or the second, with equal probability
    exact = leaks.second_item_dropped(leaks.transcripts(quiet, 2, epsilon=1.0, trials=20000, private_init=False)).mean()
    assert stats.binomtest(int(dropped_one.sum()), 4000, 2 * exact).pvalue > FALSE_ALARM


@pytest.mark.parametrize("first_only, list_size", [(True, 2), (False, 1), (True, 1)])
@pytest.mark.parametrize("rounds", [2, 4, 7])
def test_repaired_and_single_item_lists_pass_the_same_test(first_only, list_size, rounds):
    lists = [
        leaks.transcripts(users, list_size, epsilon=1.0, trials=30000, seed=seed, first_only=first_only)
        for seed, users in enumerate(leaks.neighbours(3, list_size, rounds))
    ]
    seen = [np.concatenate([x[:, 0], x[:, -1]], axis=1) for x in lists]
    for one, other in ((0, 1), (1, 0)):
        assert best_event(seen[one], seen[other]).epsilon() <= 1
        if list_size > 1:
            assert Audit.of(*(leaks.second_item_dropped(lists[i]) for i in (one, other))).epsilon() <= 1


def test_what_multiplied_noise_buys():
    assert leaks.noise_buys("cascade-ldp-laplace", 4, epsilon=0.2, noise_multiplier=0.01) == (pytest.approx(20), 0)
    assert leaks.noise_buys("cascade-dp", 4, epsilon=1.0, noise_multiplier=0.01) == (pytest.approx(100), 0)
    # Gauss: μ = 0.2/(0.01 sqrt(2 ln 1250)); at the ε found, Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ) is δ, here by scipy.
    for multiplier in (0.01, 1.0):
        epsilon, delta = leaks.noise_buys("cascade-ldp-gauss", 4, epsilon=0.2, delta=1e-3, noise_multiplier=multiplier)
        mu = 0.2 / (multiplier * math.sqrt(2 * math.log(1250)))
        tail = math.exp(epsilon + stats.norm.logcdf(-mu / 2 - epsilon / mu))
        assert stats.norm.cdf(mu / 2 - epsilon / mu) - tail == pytest.approx(delta, rel=1e-6)
    assert leaks.noise_buys("cascade-ldp-gauss", 4, epsilon=0.2, noise_multiplier=0.01)[0] == pytest.approx(
        29.6, abs=0.1
    )
    # Composed, one report: Lap(sqrt(4 ln(e + ε/δ))/ε) alone, at slack δ: ε₀ + ln(1 − δ − δ e^{-ε₀})
    each = 0.5 / math.sqrt(4 * math.log(math.e + 500))
    wanted = each + math.log(1 - 1e-3 * (1 + math.exp(-each)))
    assert leaks.noise_buys("cascade-ldp-composed", 1, epsilon=0.5, delta=1e-3)[0] == pytest.approx(wanted)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: leaks.noise_buys("cascade-ucb1"), "Unknown algorithm with noise 'cascade-ucb1'"),
        (lambda: leaks.noise_buys("cascade-dp", noise_multiplier=0), "noise_multiplier = 0 is not allowed"),
        (lambda: leaks.user_reports("cascade-dp", 1, 2, RNG), "Unknown local algorithm 'cascade-dp'"),
        (lambda: leaks.user_reports("cascade-ldp-laplace", 4, 2, RNG), "position = 4 is not allowed"),
        (lambda: leaks.guessing_rates("cascade-ldp-laplace", 0), "list_size = 0"),
        (lambda: leaks.guessing_rates("cascade-ldp-gauss", 2, epsilon=-1.0), "epsilon = -1"),
    ],
)
def test_bad_input(call, words):
    with pytest.raises(ValueError, match=words):
        call()
