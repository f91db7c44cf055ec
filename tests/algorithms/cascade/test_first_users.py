"""What user 0 sends where w_0 is noised, and when cascade-dp gives a click away although lists hold every item."""

import math

import numpy as np
import pytest

from dpbandits.algorithms import ALGORITHMS
from dpbandits.algorithms.cascade import leaks
from dpbandits.algorithms.cascade.local import cascade_ldp_laplace
from dpbandits.environments import build
from dpbandits.mechanisms.composition import optimal_epsilon
from dpbandits.mechanisms.gaussian import exact_delta
from dpbandits.privacy.audit import Audit, best_view
from dpbandits.randomness import run_seed, seed_sequence, streams


def label(name, items, list_size, **parameters):
    algorithm = ALGORITHMS[name]
    instance = build("cascade-paper", items=items, list_size=list_size)
    return algorithm.guarantee(algorithm.bind(parameters), instance, 1000)


@pytest.mark.parametrize(("items", "list_size", "epsilon"), [(5, 1, 1.0), (20, 1, 0.3), (2, 1, 2.0)])
def test_user_0_pays_for_every_item(items, list_size, epsilon):
    # L reports that may all change by 1, each with noise of scale K/ε: L · ε/K
    laplace = label("cascade-ldp-laplace", items, list_size, epsilon=epsilon, private_init=True)
    assert laplace.epsilon == pytest.approx(items * epsilon / list_size) and laplace.status == "proved"
    assert f"user 0 sends {items} reports" in laplace.note
    # Gauss: two vectors of L reports are sqrt(L) apart, σ = sqrt(2K ln(1.25/δ))/ε
    gauss = label("cascade-ldp-gauss", items, list_size, epsilon=epsilon, delta=1e-3, private_init=True)
    sigma = math.sqrt(2 * list_size * math.log(1250)) / epsilon / math.sqrt(items)
    assert exact_delta(gauss.epsilon, sigma) == pytest.approx(1e-3, rel=1e-6)
    composed = label("cascade-ldp-composed", items, list_size, epsilon=epsilon, delta=1e-3, private_init=True)
    each = epsilon / math.sqrt(4 * list_size * math.log(math.e + epsilon / 1e-3))
    assert composed.epsilon == pytest.approx(max(epsilon, optimal_epsilon(1e-3, each, items)))
    for name in ("cascade-ldp-laplace", "cascade-ldp-gauss", "cascade-ldp-composed"):  # where w_0 is public
        assert label(name, items, list_size, epsilon=epsilon).epsilon == epsilon
    assert label("cascade-dp", items, list_size, epsilon=epsilon, private_init=True).epsilon == epsilon


def first_lists(w_0, seed, runs=20_000):
    """Which item the kernel shows first, over many runs: users like what w_0 likes, lists have one item."""
    cell, rounds = seed_sequence(seed), np.array([1])
    return np.array(
        [
            np.argmax(cascade_ldp_laplace(w_0, 1, 1, rounds, streams(run_seed(cell, r)), 1.0, 1.0, 1.0, True)[1])
            for r in range(runs)
        ]
    )


@pytest.mark.slow
def test_the_first_list_alone_refutes_the_nominal_epsilon():
    """At L = 5 and ε = 1; the interval's false-alarm rate is 1e-6. The label says 5."""
    likes_one, likes_others = np.array([1.0, 0, 0, 0, 0]), np.array([0, 1.0, 1, 1, 1])
    shown, instead = (first_lists(w_0, seed) == 0 for seed, w_0 in enumerate((likes_one, likes_others)))
    found = Audit.of(shown, instead).epsilon()
    assert 1.3 < found < 5


@pytest.mark.parametrize("private_init", [True, False])
@pytest.mark.parametrize("items", [3, 4])
def test_lists_of_every_item_give_the_click_away_by_their_order(items, private_init):
    # w_0 tells the second item from the third
    tables = [table.copy() for table in leaks.neighbours(items, items, 2)]
    swapped = []
    for seed, table in enumerate(tables):
        table[0] = [1, 1] + [0] * (items - 2)
        lists = leaks.transcripts(table, items, epsilon=1, trials=4000, seed=seed, private_init=private_init)
        place = np.argsort(lists[:, 1], axis=1)
        second, third = (np.take_along_axis(place, lists[:, :1, k], 1)[:, 0] for k in (1, 2))
        swapped.append((third < second).mean())
    assert swapped[0] > 0.2 and swapped[1] == 0
    guarantee = label("cascade-dp", items, items, private_init=private_init)
    assert guarantee.status == "as claimed, fails" and "the third before the second" in guarantee.note


def test_with_public_w_0_the_note_speaks_of_ties():
    apart = label("cascade-dp", 5, 2, private_init=False)
    assert "where the public w_0 tells the listed items from the others" in apart.note
    assert "as w_0's noise leaves no ties" in label("cascade-dp", 5, 2, private_init=True).note
    # and with a tie the sentence without its condition is false: all items alike, user 1 clicks the first
    users = np.zeros((3, 5))
    users[1] = 1
    lists = leaks.transcripts(users, 2, epsilon=1, trials=4000, private_init=False)
    assert 0.3 < leaks.second_item_dropped(lists).mean() < 0.9


@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_two_items_both_shown(epsilon):
    """Only the order of two items is released, and it shows more than ε; false-alarm rate 1e-6."""
    for private_init in (True, False):
        orders = [
            leaks.transcripts(users, 2, epsilon=epsilon, trials=60_000, seed=seed, private_init=private_init)[..., 0]
            for seed, users in enumerate(leaks.neighbours(2, 2, 9))
        ]
        assert best_view({"order": orders[0]}, {"order": orders[1]}).audit.epsilon() > 1.2
        assert label("cascade-dp", 2, 2, epsilon=epsilon, private_init=private_init).status == "as claimed, fails"
    assert label("cascade-dp", 2, 2, epsilon=3.0).status == "as claimed, unchecked"
