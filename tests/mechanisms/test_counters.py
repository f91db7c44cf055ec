"""Continual counters: the law of every release, and what one item costs, against counters that re-sum their blocks."""

from functools import cache

import numpy as np
import pytest
from scipy import stats

from dpbandits.kernels import kernel
from dpbandits.mechanisms import continual, counters
from tests.law import assert_follows, assert_same_law, assert_variance
from tests.mechanisms import counter_twin as twin

LENGTH, REPLICATES, EPSILON = 70, 4000, 0.8
KINDS = ("binary", "logarithmic", "hybrid")
EDGES = (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 70)


@kernel
def _noises(kind, rows, length, epsilon, rng):
    """Noise (rows, length) of counters fed in turn; kind is a position in KINDS."""
    state = counters.new_counters(rows, length)
    scale = counters.binary_node_scale(length, 1.0, epsilon)
    noise = np.empty((rows, length))
    for t in range(length):
        for c in range(rows):
            if kind == 0:
                noise[c, t] = counters.binary_feed(state, c, scale, rng)
            elif kind == 1:
                noise[c, t] = counters.logarithmic_feed(state, c, 1.0, epsilon, rng)
            else:
                noise[c, t] = counters.hybrid_feed(state, c, 1.0, epsilon, rng)
    return noise


@kernel
def _reads(rows, times, horizon, rng):
    """Noise (rows, times) of binary counters read at these times alone, node scale 1."""
    state = counters.new_counters(rows, horizon)
    noise = np.empty((rows, times.size))
    for i in range(times.size):
        for c in range(rows):
            noise[c, i] = counters.binary_read(state, c, times[i], 1.0, rng)
    return noise


def _numpy_noises(kind, shape, epsilon, seed):
    stream = np.zeros(shape)
    if kind == "binary":
        return continual.binary_counter(stream, epsilon, shape[-1], seed)
    return getattr(continual, f"{kind}_counter")(stream, epsilon, seed)


def _variance(kind, t, epsilon, horizon):
    return getattr(continual, f"{kind}_variance")(t, epsilon, **({"horizon": horizon} if kind == "binary" else {}))


@pytest.fixture(scope="module", params=[(kind, form) for kind in KINDS for form in ("kernel", "numpy")], ids="-".join)
def sample(request):
    """(kind, noises of shape (REPLICATES, LENGTH)) of the compiled and of the NumPy form."""
    kind, form = request.param
    if form == "kernel":
        return kind, _noises(KINDS.index(kind), REPLICATES, LENGTH, EPSILON, np.random.default_rng(1))
    return kind, _numpy_noises(kind, (REPLICATES, LENGTH), EPSILON, 2)


@cache
def _sum_of_laplaces(*scales):
    """Exact cdf of a sum of independent Laplace variables, by inverting its characteristic function Π 1/(1 + b²u²)."""
    scales = np.array(scales)
    if scales.size == 1:
        return stats.laplace(scale=scales[0]).cdf
    width = np.sqrt(2 * (scales**2).sum())
    u = (np.arange(4000) + 0.5) * 0.04 / width
    weight = np.prod(1 / (1 + np.outer(u, scales) ** 2), axis=1) / u
    x = np.linspace(-12, 12, 801) * width
    cdf = 0.5 + (np.sin(np.outer(x, u)) @ weight) * (u[1] - u[0]) / np.pi
    return lambda values: np.interp(values, x, cdf)


def test_cdf_of_two_laplaces():
    x = np.array([0.5, 2.0, 6.0])
    exact = 1 - np.exp(-x) * (2 + x) / 4  # by hand: the density of Lap(1) + Lap(1) is (1 + |x|) e^-|x| / 4
    np.testing.assert_allclose(_sum_of_laplaces(1.0, 1.0)(x), exact, atol=2e-4)


@pytest.mark.slow
def test_law_and_variance_of_every_release(sample):
    kind, noise = sample
    for t in range(1, LENGTH + 1):
        scales = sorted(getattr(twin, kind)(t, LENGTH, EPSILON).values())
        assert _variance(kind, t, EPSILON, LENGTH) == pytest.approx(2 * np.square(scales).sum())
        assert_variance(noise[:, t - 1], 2 * np.square(scales).sum(), f"{kind} at {t}")
        assert_follows(noise[:, t - 1], _sum_of_laplaces(*scales), f"{kind} at {t}")


def test_covariance_between_releases(sample):
    """Random combinations of all releases have the variance that shared blocks give them."""
    kind, noise = sample
    exact = twin.covariance(getattr(twin, kind), LENGTH, EPSILON)
    rng = np.random.default_rng(3)
    for _ in range(60):
        weights = rng.standard_normal(LENGTH) * (rng.random(LENGTH) < rng.choice([0.05, 0.2, 1]))
        weights[rng.integers(LENGTH)] = 1
        assert_variance(noise @ weights, weights @ exact @ weights, kind)


@pytest.mark.parametrize(
    "kind, s, t, shared",
    # Worked out by hand. In units of (1/ε)²: binary for 70 items has 7 levels, so each shared node gives 2·49.
    [
        ("binary", 4, 6, 98),
        ("binary", 6, 7, 196),
        ("binary", 3, 5, 0),
        ("binary", 63, 64, 0),
        ("binary", 64, 70, 98),
        ("logarithmic", 3, 4, 4),
        ("logarithmic", 4, 7, 6),
        ("hybrid", 3, 4, 16),
        ("hybrid", 6, 7, 24 + 32),
        ("hybrid", 7, 9, 24),
    ],
)
def test_covariances_by_hand(kind, s, t, shared):
    assert twin.covariance(getattr(twin, kind), LENGTH, 1.0)[s - 1, t - 1] == pytest.approx(shared)


def test_variances_by_hand():
    # t = 13 = 8 + 5, so k = 3 and τ = 101 in binary: 2·4·4 + 2·2·36 = 176 at ε = 1.
    assert continual.hybrid_variance(13, 1.0) == 176
    assert continual.hybrid_variance([1, 2, 3, 4], 1.0).tolist() == [8, 16, 24, 24]
    assert continual.binary_variance([1, 7, 8], 1.0, horizon=8).tolist() == [32, 96, 32]
    assert continual.logarithmic_variance([1, 2, 3, 4], 0.5).tolist() == [8, 16, 16, 24]
    assert continual.hybrid_variance(13, 1.0, sensitivity=3) == 9 * 176


@pytest.mark.parametrize("n", range(1, 71))
@pytest.mark.parametrize("kind", KINDS)
def test_one_item_costs_epsilon(kind, n):
    """Pure DP of a tree is the largest sum of Δ/scale over the blocks that hold one item: ε exactly for the binary
    and logarithmic counters, at most ε for the hybrid. The scales are those of the package's variances."""
    reads = [getattr(twin, kind)(t, n, 1.0) for t in range(1, n + 1)]
    for t, read in enumerate(reads, 1):
        assert _variance(kind, t, 1.0, n) == pytest.approx(2 * sum(b**2 for b in read.values()))
    blocks = {block: scale for read in reads for block, scale in read.items()}
    costs = [
        sum(1 / scale for block, scale in blocks.items() if block[-2] < item <= block[-1]) for item in range(1, n + 1)
    ]
    if kind == "hybrid":
        assert max(costs) <= 1 + 1e-12 and (n < 4 or max(costs) == pytest.approx(1))
    else:
        released = 2 ** (n.bit_length() - 1)  # later items have not left the logarithmic counter yet
        assert max(costs) == pytest.approx(1) and (kind == "binary" or min(costs[:released]) == pytest.approx(1))


@pytest.mark.parametrize("n", EDGES)
def test_binary_horizons(n):
    """Every horizon sets its own number of levels: the release at the horizon has the exact variance."""
    noise = _noises(0, REPLICATES, n, EPSILON, np.random.default_rng(n))[:, -1]
    assert_variance(noise, continual.binary_variance(n, EPSILON, n), f"horizon {n}")


@pytest.mark.parametrize("times", [[1, 2, 3, 4], [5, 13, 13, 24, 25, 70], [64], [63, 64, 65], [2, 70], list(EDGES)])
def test_reads_may_jump(times):
    """A counter read now and then has the same joint law as one read after every item."""
    exact = twin.covariance(lambda t, horizon, epsilon: dict.fromkeys(twin.tree_blocks(t), 1.0), LENGTH, 1.0)
    index = np.array(times) - 1
    noise = _reads(REPLICATES, np.array(times), LENGTH, np.random.default_rng(5))
    rng = np.random.default_rng(6)
    for weights in [*np.eye(len(times)), *rng.standard_normal((10, len(times)))]:
        assert_variance(noise @ weights, weights @ exact[np.ix_(index, index)] @ weights, f"reads at {times}")


@pytest.mark.parametrize("kind", KINDS)
def test_kernel_agrees_with_the_twin_that_sums_blocks(kind):
    rng, bits = np.random.default_rng(7), np.random.default_rng(8).integers(0, 2, LENGTH).tolist()
    slow = np.array([twin.releases(getattr(twin, kind), bits, EPSILON, rng) for _ in range(400)])
    fast = np.cumsum(bits) + _noises(KINDS.index(kind), 400, LENGTH, EPSILON, rng)
    if kind == "logarithmic":
        fast = fast - np.cumsum(bits) + np.cumsum(bits)[[2 ** (t.bit_length() - 1) - 1 for t in range(1, LENGTH + 1)]]
    for t in EDGES:
        assert_same_law(slow[:, t - 1], fast[:, t - 1], f"{kind} at {t}")


@pytest.mark.parametrize("kind", KINDS)
def test_noise_is_inverse_to_epsilon(kind):
    """With the same draws, half of ε means twice the noise, exactly; and a huge ε means none."""
    one, half = (_noises(KINDS.index(kind), 3, LENGTH, e, np.random.default_rng(9)) for e in (1.0, 0.5))
    np.testing.assert_allclose(half, 2 * one, rtol=1e-12)
    one, half = (_numpy_noises(kind, (3, LENGTH), e, 9) for e in (1.0, 0.5))
    np.testing.assert_allclose(half, 2 * one, rtol=1e-12)
    assert np.abs(_noises(KINDS.index(kind), 3, LENGTH, 1e12, np.random.default_rng(9))).max() < 1e-8


def test_noiseless_releases_are_the_sums():
    bits = np.random.default_rng(10).integers(0, 2, (3, LENGTH))
    sums = bits.cumsum(axis=-1)
    np.testing.assert_allclose(continual.binary_counter(bits, 1e12, 100, 0), sums, atol=1e-8)
    np.testing.assert_allclose(continual.hybrid_counter(bits, 1e12, 0), sums, atol=1e-8)
    board = continual.logarithmic_counter(bits, 1e12, 0)
    np.testing.assert_allclose(board[:, [0, 1, 2, 3, 6, 7, 69]], sums[:, [0, 1, 1, 3, 3, 7, 63]], atol=1e-8)


@pytest.mark.parametrize("kind", range(3))
def test_counters_side_by_side_are_independent(kind):
    noise = _noises(kind, 2 * REPLICATES, LENGTH, EPSILON, np.random.default_rng(11))
    left, right = noise[:REPLICATES], noise[REPLICATES:]
    for t in EDGES:
        assert_variance(
            left[:, t - 1] + right[:, t - 1], 2 * _variance(KINDS[kind], t, EPSILON, LENGTH), f"{KINDS[kind]} at {t}"
        )


@pytest.mark.parametrize("n", [1, 2, 3, 2**20 - 1, 2**20, 2**40 + 1])
def test_integer_logarithms(n):
    assert counters.bit_length(n) == n.bit_length()
    assert counters.lowest_bit(n) == (n & -n).bit_length() - 1


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: continual.binary_counter([1, 0], 1.0, 1), "horizon = 1"),
        (lambda: continual.binary_counter([], 1.0, 1), "stream"),
        (lambda: continual.hybrid_counter([1, np.nan], 1.0), "stream"),
        (lambda: continual.hybrid_counter([1], 0.0), "epsilon = 0"),
        (lambda: continual.logarithmic_counter([1], 1.0, sensitivity=-1), "sensitivity = -1"),
        (lambda: continual.binary_variance(9, 1.0, horizon=8), "t = 9"),
        (lambda: continual.hybrid_variance(0, 1.0), "t = 0"),
        (lambda: continual.hybrid_variance(1.5, 1.0), "t = 1.5"),
    ],
)
def test_bad_input_is_named(call, said):
    with pytest.raises(ValueError, match=said):
        call()
