"""The greedy walk told in words: against the definitions, by enumeration."""

import numpy as np
import pytest

from dpbandits.environments import build
from dpbandits.environments.matroid import questions
from dpbandits.environments.matroid.instances import matroid_bandit
from dpbandits.environments.matroid.walk import account
from tests.environments.matroid.oracles import KINDS, all_subsets


@pytest.mark.parametrize("kind", KINDS)
def test_circuits_are_the_smallest_dependent_sets(kind):
    rng, found = np.random.default_rng(21), 0
    for _ in range(60):
        matroid, independent = KINDS[kind](rng)
        size = questions.size_of(matroid)
        basis = questions.best_basis(matroid, rng.normal(size=size)).tolist()
        for e in sorted(set(range(size)) - set(basis) - set(questions.loops(matroid))):
            dependent = [set(s) for s in all_subsets(size) if set(s) <= {*basis, e} and not independent(s)]
            smallest = [s for s in dependent if not any(other < s for other in dependent)]
            assert smallest == [{*questions.circuit(matroid, basis, e), e}]
            found += 1
    assert found > 30 and questions.circuit(matroid, basis[:-1], basis[-1]) == []


def test_an_account_by_hand():
    """Table 6.1 with e6 = (2, 0, 0) and e4 = (1, 0, 1) ahead of everybody."""
    instance = build("matroid-table-6.1")
    index = np.array([0.7, 0.5, 0.6, 0.65, 0.3, 0.85, 0.9])
    rows = account(instance, index, questions.best_basis(instance.matroid, index))
    assert [(row["element"], row["why"]) for row in rows] == [
        (6, "kept"),
        (1, "parallel to e6"),
        (4, "kept"),
        (3, "depends on e4, e6"),
        (2, "kept"),
        (5, "depends on e2, e4, e6"),
        (7, "loop"),
    ]
    assert [(row["partner"], round(row["loss"], 12)) for row in rows if row["kept"]] == [(1, 0.4), (3, 0.4), (2, 0.0)]


@pytest.mark.parametrize("kind", KINDS)
def test_losses_add_up_and_ties_of_a_run_are_followed(kind):
    rng = np.random.default_rng(22)
    for _ in range(60):
        matroid, _ = KINDS[kind](rng)
        size = questions.size_of(matroid)
        instance = matroid_bandit(matroid, rng.random(size))
        index = rng.integers(0, 3, size).astype(float)
        basis = questions.best_basis(matroid, index, rng)
        rows = account(instance, index, basis)
        assert {row["element"] - 1 for row in rows if row["kept"]} == set(basis.tolist())
        lost = sum(row["loss"] for row in rows if row["kept"])
        assert lost == pytest.approx(instance.optimal_value - instance.means[basis].sum())
        assert all(row["kept"] or row["why"] == "loop" or row["why"][:7] in ("depends", "paralle") for row in rows)
        assert all(row["why"] not in ("depends on ", "parallel to ") for row in rows)
