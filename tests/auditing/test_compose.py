"""Composed losses against dp-accounting called directly, against closed forms, and from below against from above."""

import math

import numpy as np
import pytest
from dp_accounting import get_epsilon_gaussian
from dp_accounting.pld import privacy_loss_distribution as pld
from scipy.integrate import trapezoid

from dpbandits.auditing.compose import Composed, compose, smallest
from dpbandits.mechanisms.composition import optimal_epsilon
from dpbandits.mechanisms.gaussian import epsilon_from_mu
from dpbandits.mechanisms.perturbations import law
from dpbandits.privacy.ledger import BetaDraws, Gaussian, Laplace, TwoSided, binary_counter, hybrid_counter

DELTA = 1e-5


@pytest.mark.parametrize("mu", [0.05, 1.0, 7.0, 60.0])
def test_gaussian_is_dp_accountings(mu):
    found = compose([Gaussian(mu**2 / 4), Gaussian(3 * mu**2 / 4)])
    assert found.epsilon(DELTA) == pytest.approx(get_epsilon_gaussian(1 / mu, DELTA), rel=1e-6)
    assert found.epsilon(DELTA) == found.epsilon_at_least(DELTA) and found.delta(found.epsilon(DELTA)) <= DELTA * 1.001


@pytest.mark.parametrize("loss, count", [(0.5, 2), (0.25, 4), (0.1, 100), (0.03, 1000), (0.005, 20_000)])
def test_laplace_is_dp_accountings(loss, count):
    found = compose([Laplace(loss, count)])
    theirs = pld.from_laplace_mechanism(1 / loss, value_discretization_interval=loss / 100).self_compose(count)
    low, high = found.epsilon_at_least(DELTA), found.epsilon(DELTA)
    assert high == pytest.approx(theirs.get_epsilon_for_delta(DELTA), rel=2e-4)
    assert high * 0.98 <= low <= high
    assert found.delta(high) == pytest.approx(DELTA, rel=1e-3)


def test_unequal_laplace_is_dp_accountings():
    found = compose([Laplace(0.5), Laplace(0.05, 10), Laplace(0.2, 3)])
    parts = [
        pld.from_laplace_mechanism(1 / loss, value_discretization_interval=1e-4).self_compose(count)
        for loss, count in ((0.5, 1), (0.05, 10), (0.2, 3))
    ]
    theirs = parts[0].compose(parts[1]).compose(parts[2]).get_epsilon_for_delta(DELTA)
    assert found.epsilon(DELTA) == pytest.approx(theirs, rel=3e-4)


@pytest.mark.parametrize("loss", [0.01, 1.0, 20.0])
def test_one_laplace_release_by_hand(loss):
    found = compose([Laplace(loss)])
    assert found.epsilon(DELTA) == pytest.approx(max(0.0, loss + 2 * math.log(1 - DELTA)), abs=1e-9)
    assert found.epsilon(0.0) == loss and found.epsilon_at_least(0.0) == loss


@pytest.mark.parametrize("epsilon", [1e-4, 1e-7, 1e-9, 1e-11, 1e-14])
def test_losses_near_rounding_scale(epsilon):
    # Far below 1, every ε in the problem is in proportion; the curve's own rounding must not add to it.
    found = compose([TwoSided(epsilon, 0.0, 998)])
    usual = compose([TwoSided(1e-3, 0.0, 998)]).epsilon(1e-8) / 1e-3
    assert usual * 0.99 < found.epsilon(epsilon * 1e-5) / epsilon < usual * 1.1
    assert found.epsilon_at_least(epsilon * 1e-5) <= found.epsilon(epsilon * 1e-5)


@pytest.mark.parametrize("loss", [800.0, 1e5, 1e9, 1e300])
def test_losses_beyond_all_use(loss):
    many = compose([Laplace(loss, 5), TwoSided(loss, 0.0, 2)])
    assert many.epsilon(DELTA) == pytest.approx(7 * loss, rel=0.05) and many.epsilon(0.0) == pytest.approx(7 * loss)
    lost = compose([Laplace(loss, 5), TwoSided(loss, 1e-3)])
    assert lost.epsilon(1e-4) == lost.epsilon(0.0) == math.inf > lost.epsilon(1e-2)


def test_pure_epsilon_is_the_sum():
    assert compose([Laplace(0.2, 3), Laplace(0.4)]).epsilon(0.0) == pytest.approx(1.0)
    assert compose([Gaussian(1.0)]).epsilon(0.0) == math.inf
    assert compose([TwoSided(1.0, 0.01, 4)]).epsilon(0.0) == math.inf


def test_no_law_beats_the_best_of_pure_epsilons():
    # Randomised response is the worst of all ε-private releases.
    for loss, count in ((0.1, 50), (0.4, 7)):
        assert compose([Laplace(loss, count)]).epsilon(DELTA) <= optimal_epsilon(DELTA, loss, count)


@pytest.mark.parametrize(
    "epsilon, delta", [(1.0, 0.01), (0.1, 0.001), (0.0, 0.05), (2.0, 0.0), (0.3, 0.7), (1e-2, 1e-9)]
)
def test_curve_of_the_truncated_law_is_its_integral(epsilon, delta):
    # ∫ max(0, p − e^x q) on a fine grid, both laws from their own densities.
    one = TwoSided(epsilon, delta)
    reach = min(30 / max(epsilon, 1e-2), law("new", 1, 0, epsilon, delta).reach) + 2
    y = np.linspace(-reach - 1, reach + 1, 2_000_001) + 1e-7
    p, q = law("new", 1, 0, epsilon, delta).pdf(y), law("new", 1, 1, epsilon, delta).pdf(y)
    for x in (-0.5, 0.0, 0.3 * epsilon, epsilon, 1.0):
        wanted = trapezoid(np.maximum(0, p - math.exp(x) * q), y)
        assert float(one.curve(np.array([x]))[0]) == pytest.approx(wanted, abs=2e-4)
    assert one.impossible == pytest.approx(trapezoid(np.where(q == 0, p, 0), y), abs=2e-4)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("epsilon, delta", [(5e-324, 0.5), (1.0, 5e-324), (5e-324, 1e-3), (1e8, 1e-300), (1e300, 0.1)])
def test_a_law_at_the_ends_of_the_floating_point_range(epsilon, delta):
    one = TwoSided(epsilon, delta)
    curve = one.curve(np.linspace(-1, 1, 5) * one.reach)
    assert np.isfinite(curve).all() and (np.diff(curve) <= 0).all() and curve[-1] == pytest.approx(delta, abs=1e-99)


@pytest.mark.parametrize("pulls, extra", [(1, 0), (9, 2), (97, 13)])
@pytest.mark.slow
def test_beta_draws_dominate_every_total(pulls, extra):
    draws, x = BetaDraws(pulls, extra), np.linspace(-3, 3, 41)
    grid = np.linspace(0, 1, 400_001)[1:-1]
    curve = draws.curve(x)
    for later in (pulls, pulls + 1, pulls + 7, 3 * pulls):
        k = extra + (later - pulls) // 8
        for total in {0, later // 3, later // 2, later - 1}:
            from scipy import stats

            p = stats.beta(total + 1 + k, later - total + 1 + k).pdf(grid)
            q = stats.beta(total + 2 + k, later - total + k).pdf(grid)
            for one, other in ((p, q), (q, p)):
                exact = [trapezoid(np.maximum(0, one - math.exp(e) * other), grid) for e in x]
                assert (curve >= np.array(exact) - 1e-6).all()
    worst = stats.beta(1 + extra, pulls + 1 + extra).pdf(grid), stats.beta(2 + extra, pulls + extra).pdf(grid)
    attained = [max(trapezoid(np.maximum(0, a - math.exp(e) * b), grid) for a, b in (worst, worst[::-1])) for e in x]
    assert curve == pytest.approx(np.array(attained), abs=1e-5)  # and R = 0 attains it


@pytest.mark.parametrize(
    "releases",
    [
        [TwoSided(0.02, 1e-9, 1000)],
        [BetaDraws(97, 13, 400)],
        [Laplace(0.3, 30), TwoSided(0.1, 1e-8, 20)],
        [Laplace(j**-0.55) for j in range(1, 200)],
        [Gaussian(0.04, 1), Laplace(0.2, 5)],
    ],
)
@pytest.mark.slow
def test_from_below_and_from_above_enclose_a_simulated_loss(releases):
    """δ at a few ε from independent draws of the loss itself, by the curve's own inverse."""
    found = compose(releases)
    low, high = found.epsilon_at_least(1e-3), found.epsilon(1e-3)
    assert 0 < low <= high <= 1.1 * low
    rng, runs = np.random.default_rng(3), 60_000
    total = np.zeros(runs)
    for r in releases:
        total += _draw_losses(r, runs, rng)
    excess = np.clip(-np.expm1(low - total), 0, 1)
    at_low = excess.mean() + 5 * excess.std() / math.sqrt(runs)
    excess = np.clip(-np.expm1(high - total), 0, 1)
    at_high = excess.mean() - 5 * excess.std() / math.sqrt(runs)
    assert at_high <= 1e-3 <= at_low  # 5 deviations: a false alarm is rarer than 1e-6


def _draw_losses(release, runs, rng):
    count = release.count
    if isinstance(release, Gaussian):
        return rng.normal(release.squares / 2, release.mu, runs)
    if isinstance(release, Laplace):
        y = rng.laplace(0, 1, (runs, count))
        return (np.abs(y - release.loss) - np.abs(y)).sum(1)
    if isinstance(release, TwoSided):
        first, second = (law("new", 1, total, release.epsilon, release.delta) for total in (0, 1))
        total = np.zeros(runs)
        for _ in range(count):
            y = first.sample(rng, runs)
            with np.errstate(divide="ignore"):
                total += np.log(first.pdf(y)) - np.log(second.pdf(y))
        return total
    a, b = release.extra + 1, release.pulls + release.extra
    x = rng.beta(a, b + 1, (runs, count))
    return (math.log(a / b) + np.log1p(-x) - np.log(x)).sum(1)


def test_ranges_of_losses_are_bracketed():
    exact = [Laplace(j**-0.55) for j in range(1, 400)]
    grouped = [Laplace(j**-0.55, 10, (j + 9) ** -0.55) for j in range(1, 400, 10)]
    grouped[-1] = Laplace(391**-0.55, 9, 399**-0.55)
    truth = compose(exact)
    assert compose(smallest(grouped)).epsilon_at_least(DELTA) <= truth.epsilon(DELTA) <= compose(grouped).epsilon(DELTA)


def test_impossible_outcomes_need_their_mass():
    found = compose([TwoSided(0.01, 1e-3, 100)])
    mass = 1 - (1 - 1e-3) ** 100
    assert found.infinity == pytest.approx(mass, rel=1e-6)
    assert found.epsilon(0.9 * mass) == math.inf and found.epsilon(1.05 * mass) < 1
    assert compose([TwoSided(1.0, 0.01, 10**6)]).epsilon(0.5) == math.inf


def test_tiny_deltas_fall_back_on_moments():
    found = compose([Laplace(1e-3, 10**6)])
    assert isinstance(found, Composed) and found.rounding > 1e-20
    tiny = found.epsilon(1e-20)
    assert found.epsilon(1e-8) < tiny < math.inf
    # Rényi: a Laplace release of small loss is nearly a Gaussian one
    assert tiny == pytest.approx(epsilon_from_mu(1e-20, 1.0), rel=0.05)


def test_counters_by_enumeration():
    """Nodes of every item, from the blocks that the reads use."""
    for items in range(1, 70):
        nodes = _nodes_read(items)
        most = max(sum(p in range(*node) for node in nodes) for p in range(1, items + 1))
        assert binary_counter(0.1, items)[0].count == most
        found = {_key(alternative) for alternative in hybrid_counter(1.0, items)}
        wanted = {_key(a) for a in _hybrid_by_hand(items)}
        assert found <= wanted | {_key((Laplace(0.5),))}
        for alternative in wanted:  # each place in the stream is dominated by a listed one
            assert any(all(x in other for x in alternative) or _below(alternative, other) for other in found)


def _nodes_read(items):
    nodes = set()
    for t in range(1, items + 1):
        end = t
        while end:
            low = end & -end
            nodes.add((end - low + 1, end + 1))
            end -= low
    return nodes


def _hybrid_by_hand(items):
    found = []
    for place in range(1, items + 1):
        k = place.bit_length() - 1
        tau = place - 2**k
        if tau == 0:
            found.append((Laplace(0.5),))
            continue
        inside = _nodes_read(min(2**k - 1, items - 2**k))
        count = sum(tau in range(*node) for node in inside)
        parts = [Laplace(0.5)] if items >= 2 ** (k + 1) else []
        if count:
            parts.append(Laplace(1 / (2 * k), count))
        found.append(tuple(parts))
    return found


def _key(alternative):
    return tuple(sorted((r.loss, r.count) for r in alternative))


def _below(one, other):
    """Fewer releases of the same losses."""
    counts = dict(other)
    return all(counts.get(loss, 0) >= count for loss, count in one)
