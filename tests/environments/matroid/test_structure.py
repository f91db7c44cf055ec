"""Rank, independence and greedy bases against the definitions, by enumeration of all subsets of small matroids."""

import numpy as np
import pytest

from dpbandits.environments.matroid import build, exact, questions
from dpbandits.environments.matroid.choose import choose, no_choice
from dpbandits.environments.matroid.structure import greedy
from tests.environments.matroid.oracles import KINDS, all_subsets, rank_of_rows


@pytest.mark.parametrize("kind", KINDS)
def test_all_subsets_of_small_random_matroids(kind):
    rng = np.random.default_rng(5)
    for _ in range(150):
        matroid, independent = KINDS[kind](rng)
        size = questions.size_of(matroid)
        sets = [subset for subset in all_subsets(size) if independent(subset)]
        assert sets == [subset for subset in all_subsets(size) if questions.is_independent(matroid, subset)]
        rank = max(map(len, sets))
        assert matroid.rank == rank
        assert list(questions.bases(matroid)) == [subset for subset in sets if len(subset) == rank]
        assert questions.loops(matroid) == [e for e in range(size) if (e,) not in sets]
        alone = [e for e in range(size) if (e,) in sets]
        parallel = {(e, f) for e in alone for f in alone if e < f and (e, f) not in sets}
        assert {
            (e, f) for group in questions.parallel_classes(matroid) for e in group for f in group if e < f
        } == parallel


@pytest.mark.parametrize("kind", KINDS)
def test_greedy_is_best_of_all_bases(kind):
    rng = np.random.default_rng(6)
    for number in range(300):
        matroid, independent = KINDS[kind](rng)
        size = questions.size_of(matroid)
        every = [subset for subset in all_subsets(size) if len(subset) == matroid.rank and independent(subset)]
        # every third with ties, every third with values of any sign
        weights = rng.integers(-1, 2, size).astype(float) if number % 3 == 0 else rng.normal(size=size) - number % 3
        for basis in (questions.best_basis(matroid, weights), questions.best_basis(matroid, weights, rng)):
            assert tuple(sorted(basis.tolist())) in every
            assert (np.diff(weights[basis]) <= 0).all()
            assert weights[basis].sum() == pytest.approx(
                max(weights[list(subset)].sum() for subset in every), abs=1e-12
            )


@pytest.mark.parametrize("kind", KINDS)
def test_checking_the_order_again_is_as_good_as_solving_again(kind):
    rng, solved = np.random.default_rng(7), 0
    for _ in range(40):
        matroid, _ = KINDS[kind](rng)
        size = questions.size_of(matroid)
        choice, chosen, basis = no_choice(matroid, size), np.empty(size, bool), np.empty(matroid.rank, np.int64)
        index = rng.normal(size=size)
        for _ in range(60):
            index += rng.normal(size=size) * 0.1
            if rng.random() < 0.2:
                index = index.round(1)  # ties
            if rng.random() < 0.1:
                index[rng.integers(size)] = np.inf
            solved += choose(matroid, index, choice, rng)
            assert (index[choice.order][1:] <= index[choice.order][:-1]).all()
            assert sorted(choice.order) == matroid.elements.tolist()
            greedy(matroid, choice.order, chosen, basis)
            assert (chosen == choice.chosen).all() and sorted(basis) == sorted(choice.basis)
            index[np.isinf(index)] = 1.0
    assert solved < 40 * 60 * 0.9  # the walk is really spared


def test_ties_are_broken_uniformly_whatever_came_before():
    # Four equal elements of which two are taken; a fifth always wins, a sixth never.
    matroid, rng = build.uniform(6, 3), np.random.default_rng(8)
    index = np.array([1.0, 1.0, 5.0, 1.0, 1.0, 0.0])
    choice, counts = no_choice(matroid, 6), np.zeros((6, 6))
    draws = 12_000
    for _ in range(draws):
        choose(matroid, index, choice, rng)
        assert choice.chosen[2] and not choice.chosen[5]
        one, other = np.flatnonzero(choice.chosen & (index == 1.0))
        counts[one, other] += 1
    pairs = counts[counts > 0]
    assert pairs.size == 6
    # chi-square with 5 degrees of freedom exceeds 36.0 with probability 1e-6
    assert ((pairs - draws / 6) ** 2 / (draws / 6)).sum() < 36.0


def test_independence_is_exact_where_floating_point_is_not():
    far = [[10**8, 10**8 + 1], [10**8 - 1, 10**8]]  # determinant 1
    assert np.linalg.matrix_rank(np.array(far, float)) == 1
    assert build.linear(far).rank == rank_of_rows(far) == 2
    assert build.linear([[0.1, 0.2], [0.3, 0.6]]).rank == 1  # as typed, though 0.1 · 3 is not 0.3 in binary
    assert build.linear([[0.1, 0.2], [0.3, 0.6 + 2**-53]]).rank == 2
    assert build.linear([[1e-300, 0], [1, 1e-300]]).rank == 2
    assert questions.parallel_classes(build.linear([[1, -2], [-3, 6], [2, 1]])) == [[0, 1]]


def test_one_prime_is_not_enough_where_it_divides_a_minor():
    (prime,) = exact.certifying_primes([[1, 0], [0, 1]])
    assert all(prime % d for d in range(2, 8193)) and prime < 2**26
    matroid = build.linear(
        [[prime, 0], [1, 1], [prime - 1, 2 * prime - 1]]
    )  # the last is (0,0) − (1,1) modulo the prime
    assert matroid.primes.size == 2
    assert questions.is_independent(matroid, [1, 2]) and questions.is_independent(matroid, [0, 1]) and matroid.rank == 2
    rng = np.random.default_rng(9)
    for _ in range(100):
        vectors = rng.integers(-2, 3, (4, 3)) * rng.choice([1, prime], (4, 1))
        vectors[3] = vectors[:3].T @ rng.integers(-1, 2, 3)
        if vectors.any():
            matroid = build.linear(vectors)
            for subset in all_subsets(4):
                assert questions.rank_of(matroid, subset) == rank_of_rows(vectors[list(subset)].tolist())


def test_seventeen_dimensions_against_floating_point():
    rng = np.random.default_rng(10)
    vectors = (rng.random((100, 18)) < 0.12).astype(int)
    matroid = build.linear(vectors)
    assert matroid.primes.size == 1
    for _ in range(60):
        subset = rng.permutation(100)[: rng.integers(1, 30)]
        assert questions.rank_of(matroid, subset) == np.linalg.matrix_rank(vectors[subset])


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: build.linear([[1, 0], [1, 0, 0]]), "vectors = .* number 1 has 3 numbers and number 0 has 2"),
        (lambda: build.linear([]), "vectors = .* must be at least one vector of"),
        (lambda: build.linear([[0, 0], [0, 0]]), "vectors .* all vectors are zero, so the rank is 0"),
        (lambda: build.linear([[]]), "vectors = .* number 0 is empty"),
        (lambda: build.linear([[1, float("nan")]]), "vectors"),
        (lambda: build.linear("ab"), "vectors = 'ab'"),
        (lambda: build.uniform(5, 0), "rank = 0"),
        (lambda: build.uniform(5, 6), "rank = 6 .* <= 5"),
        (lambda: build.uniform(0, 1), "size = 0"),
        (lambda: build.partition([[0, 1], [3]]), "blocks = .* element 2 is in none"),
        (lambda: build.partition([[1, 2]]), "element 0 is in none"),
        (lambda: build.partition([[0, 1], [1]]), "element 1 is in two"),
        (lambda: build.partition([[0], [1.5]]), "blocks = .* 1.5 is not a whole number"),
        (lambda: build.partition([[0], [-1]]), "blocks"),
        (lambda: build.partition([[], []]), "blocks"),
        (lambda: build.partition([[0], [1]], [1]), "capacities = .* one for each of the 2 blocks"),
        (lambda: build.partition([[0], [1]], [0, 0]), "capacities .* rank is 0"),
        (lambda: build.partition([[0], [1]], [1, -1]), "capacities"),
        (lambda: build.graphic([]), "edges = .* at least one vector"),
        (lambda: build.graphic([[1, 1], [2, 2]]), "edges .* every edge is a loop, so the rank is 0"),
        (lambda: build.graphic([[0, 1, 2]]), "edges = .* two ends, but one has 3 numbers"),
        (lambda: build.graphic([[0, 0.5]]), "0.5 is not a whole number"),
        (lambda: build.transversal([[0], [5]], 3), "sets = .* there are 3 elements, .* number 5"),
        (lambda: build.transversal([[10**12]]), "size = 1000000000001 .* <= 1e.06"),
        (lambda: questions.rank_of(build.uniform(3, 2), [0.5]), "elements = .0.5. .* from 0 to 2"),
        (lambda: questions.rank_of(build.uniform(3, 2), "ab"), "elements = "),
        (lambda: build.transversal([[]], 3), "sets .* all sets are empty"),
        (lambda: questions.rank_of(build.uniform(3, 2), [3]), "elements = .* from 0 to 2"),
        (lambda: questions.best_basis(build.uniform(3, 2), [1, 2]), "weights of shape"),
        (lambda: questions.best_basis(build.uniform(3, 2), [1, 2, np.nan]), "weights of shape"),
    ],
)
def test_bad_input_gets_one_sentence(make, words):
    with pytest.raises(ValueError, match=words) as error:
        make()
    assert "\n" not in str(error.value)


def test_a_capacity_beyond_its_block_is_the_block():
    matroid = build.partition([[0, 1], [2]], [1e300, 1])
    assert matroid.rank == 3 and matroid.limits.tolist() == [2, 1]
