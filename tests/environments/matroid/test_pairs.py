"""The permutation π_t: its three properties, what Lemma 22 says and does not hold, and the split of the regret."""

import numpy as np
import pytest

from dpbandits.environments.matroid import build, pairs, questions
from tests.environments.matroid.oracles import KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_three_properties_for_random_pairs_of_bases(kind):
    rng = np.random.default_rng(11)
    for number in range(200):
        matroid, independent = KINDS[kind](rng)
        size = questions.size_of(matroid)
        means, index = rng.random(size), rng.normal(size=size)
        if number % 4 == 0:
            means, index = means.round(1), index.round(0)  # ties
        optimal, played = questions.best_basis(matroid, means, rng), questions.best_basis(matroid, index, rng)
        pi = pairs.permutation(matroid, played, optimal)
        assert sorted(pi) == list(range(matroid.rank))
        for k in range(matroid.rank):
            partner = optimal[pi[k]]
            if played[k] in optimal:
                assert partner == played[k]  # 1
            else:
                assert index[played[k]] >= index[partner]  # 3
            assert partner not in played[:k] and independent([*played[:k], partner])  # 2
            mixed = [*played[:k], *(optimal[pi[j]] for j in range(k, matroid.rank))]
            assert len(set(mixed)) == matroid.rank and independent(mixed)  # Claim 12


def test_by_hand():
    # Four vectors in the plane; b and d are parallel. A* = (c, d), A = (a, b).
    matroid = build.linear([[1, 0], [0, 1], [1, 1], [0, 2]])
    a, b, c, d = range(4)
    assert pairs.permutation(matroid, [a, b], [c, d]).tolist() == [1, 0]  # b with c, then a with d
    assert pairs.permutation(matroid, [c, b], [c, d]).tolist() == [0, 1]
    # Lemma 22 says that a partner can replace its element in A: but a's partner d is parallel to b. Only {a_1..a_{k−1}}
    # matter
    # (property 2), which is all that the regret bounds use.
    assert not questions.is_independent(matroid, [d, b])


def test_losses_of_pairs_are_the_regret():
    rng = np.random.default_rng(12)
    for kind in KINDS:
        matroid, _ = KINDS[kind](rng)
        size = questions.size_of(matroid)
        means = rng.random(size)
        optimal = questions.best_basis(matroid, means)
        played = [questions.best_basis(matroid, rng.normal(size=size)) for _ in range(50)]
        losses = pairs.pair_losses(matroid, means, played, optimal)
        assert losses.shape == (matroid.rank, size)
        assert losses.sum() == pytest.approx(sum(means[optimal].sum() - means[basis].sum() for basis in played))
        assert losses[:, optimal] == pytest.approx(0)  # an optimal element is paired with itself
    matroid = build.linear([[1, 0], [0, 1], [1, 1], [0, 2]])
    losses = pairs.pair_losses(matroid, [0.1, 0.2, 0.9, 0.5], [[0, 1], [0, 1], [2, 3]], [2, 3])
    np.testing.assert_allclose(losses, [[0, 2 * 0.7, 0, 0], [2 * 0.4, 0, 0, 0]])


@pytest.mark.parametrize("played", [[0], [1, 3], [0, 0], [0, 1, 2]])
def test_what_is_no_basis_is_refused(played):
    matroid = build.linear([[1, 0], [0, 1], [1, 1], [0, 2]])
    with pytest.raises(ValueError, match="played = .* is not allowed: it must be a basis, 2 independent"):
        pairs.permutation(matroid, played, [2, 3])
    with pytest.raises(ValueError, match="means of shape .1,. .* each of the"):
        pairs.pair_losses(matroid, [0.5], [[2, 3]], [2, 3])
    with pytest.raises(ValueError, match="optimal"):
        pairs.permutation(matroid, [2, 3], played)
