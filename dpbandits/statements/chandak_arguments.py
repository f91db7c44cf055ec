"""Chandak 2023: the steps of its arguments, as the companion teaches them."""

import math

from dpbandits.arguments import chandak as why
from dpbandits.environments import build
from dpbandits.statements.record import Ledger

LEDGER = Ledger("chandak", "Chandak 2023", "05b_why_it_holds")
add = LEDGER.add

PROMISE = "Before the bandit: what is promised, and to whom"
EVENTS = "DPUCB-MAT: three ways to be wrong about an element"

BOOST = "Thompson sampling: the boost, and how long a good element waits"
PRINTED = "What is printed beside it"
TINY = 1e-9


@add(
    "section-2.2-too-small",
    "Section 2.2",
    "With an ε far below 1/n, such as 2⁻¹⁰⁰, the outputs for any two data sets of n records cannot be told apart.",
    verdict="holds",
    kind="exact",
    heading=PROMISE,
    holds=lambda e: e["advantage_at_tiny"] < 1e-12 and e["count_at_ten_over_n"] > 0.95 and e["count_over_limit"] <= 1,
    fails=lambda e: e["advantage_at_tiny"] > 0.01 or e["count_over_limit"] > 1 + 1e-9,
)
def too_small():
    """n = 1000 zeros or ones: best chance to be right less ½ at ε = 2⁻¹⁰⁰; that of a noisy count at ε = 10/n, over the
    limit by group privacy.
    """
    count = 0.5 + 0.5 * (1 - math.exp(-5.0))  # total variation of Lap(1/ε) at distance n, nε = 10
    limit = why.knows(0.01, 1000)
    return {
        "advantage_at_tiny": why.knows(2.0**-100, 1000) - 0.5,
        "count_at_ten_over_n": count,
        "count_over_limit": count / limit,
    }


@add(
    "lemma-23-events",
    "Proof of Lemma 23, (5.13) to (5.15)",
    "If a bad element's index reaches the good one's, it was lucky, or the other unlucky, or the widths still exceed "
    "half the gap; the first two have probability O(1/(Kt)²).",
    verdict="holds",
    kind="exact",
    heading=EVENTS,
    holds=lambda e: e["largest_over_allowed"] <= 1 and e["third_at_l"] == 0 and e["third_at_l_over_9"] > 0,
    fails=lambda e: e["largest_over_allowed"] > 1 or e["third_at_l"] > 0,
)
def three_events():
    """Exact chances of the first two over (Kt)⁻³/2 + (Kt)⁻⁶, largest; settings in which the third is possible at l, and
    at l/9.
    """
    ratios, at, before = [], 0, 0
    for rank, epsilon, t in ((1, 1.0, 20), (3, 2.0, 200), (5, 0.5, 50)):
        for size in (1, 8, 64, 512):
            found = why.events(size, 0.8, 0.6, rank, epsilon, t)
            ratios.append(max(found.too_high, found.too_low) / ((rank * t) ** -3.0 / 2 + (rank * t) ** -6.0))
        size = math.ceil(why.enough(0.2, rank, epsilon, t))
        at += 0.1 < why.widths(size, rank, epsilon, t).both
        before += 0.1 < why.widths(size / 9, rank, epsilon, t).both
    return {"largest_over_allowed": float(max(ratios)), "third_at_l": int(at), "third_at_l_over_9": int(before)}


@add(
    "section-5.3-dominance",
    "Section 5.3",
    "A normal law with a larger centre stochastically dominates one with a smaller centre and the same variance.",
    verdict="holds",
    kind="exact",
    heading=BOOST,
    holds=lambda e: e["smallest_difference"] >= -TINY and e["reversed"] < -0.1,
    fails=lambda e: e["smallest_difference"] < -1e-6,
)
def dominance():
    """Least P(θ > x) − P(θ′ > x) over x and pairs of centres; and with the two exchanged."""
    pairs = [(a, b, size) for a in (0.5, 0.9) for b in (0.1, 0.5) for size in (1, 16, 256) if a >= b]
    return {
        "smallest_difference": min(why.dominates(*pair) for pair in pairs),
        "reversed": why.dominates(0.1, 0.9, 16),
    }


@add(
    "section-5.3-boost",
    "Section 4.1.2 and proof of Lemma 25",
    "With the boost the noisy case reduces to the one without noise: while |noise| ≤ 3 ln(Kt) scales, (1 − Y)/Y is at "
    "most what it is without privacy.",
    verdict="holds",
    kind="exact",
    heading=BOOST,
    comment="Without the boost the expectation of (1 − Y)/Y over Laplace noise is infinite: e^{cz²} against e^{−z}.",
    holds=lambda e: e["boosted_over_plain"] <= 1 and e["bare_growth"] > 1e6,
    fails=lambda e: e["boosted_over_plain"] > 1,
)
def boosted():
    """Largest E[(1 − Y)/Y] with noise and boost over that without noise, noise cut at 3 ln(Kt); by what factor the
    bare one grows when the cut moves from 4 to 10 scales; K = 3, ε = 1.
    """
    ratios = []
    for size in (1, 4, 16, 64):
        for t in (10, 1000):
            found = why.price(size, 0.8, 0.3, 3, 1.0, t, cut=3 * math.log(3 * t))
            ratios.append(found.boosted / found.plain)
    near, far = (why.price(16, 0.8, 0.3, 3, 1.0, 100, cut=cut).bare for cut in (4.0, 10.0))
    return {"boosted_over_plain": float(max(ratios)), "bare_growth": float(far / near)}


@add(
    "section-4.1-beta",
    "Section 4.1.2, Table 3.1",
    "Beta draws may cost an extra 1/Δ⁴, where Gaussian ones cost 1/Δ times a logarithm.",
    verdict="open",
    kind="exact",
    heading=BOOST,
    comment="As upper bounds of two proofs, yes. The waits themselves grow like 1/Δ² for normal draws and like "
    "ln(1/Δ)/Δ² for Beta draws: at small gaps these do cost more, but nothing comes near 1/Δ⁴.",
    open=lambda e: max(e["exponents"]) < 3,
    holds=lambda e: e["exponents"][1] > 3.5,
)
def normal_or_beta():
    """Exponent of 1/Δ in the summed waits, Δ = 0.3 to 0.1, mean 0.8: normal, Beta."""

    def waits(gap, beta):
        batches = [2**s for s in range(int(math.log2(40 / gap**2)))]
        price = why.beta_price if beta else why.normal_price
        return sum(2 * size * price(size, 0.8, 0.8 - gap / 3) for size in batches)

    return {"exponents": [math.log(waits(0.1, b) / waits(0.3, b)) / math.log(3) for b in (False, True)]}


@add(
    "section-6.1-return",
    "Section 6.1",
    "The experiments measure the expected return per round, averaged over the rounds so far.",
    verdict="holds",
    kind="exact",
    heading=PRINTED,
    comment="It is the best return less regret per round; a basis drawn by chance has seven tenths of it on Table 6.1.",
    holds=lambda e: 0.6 < e["chance_share"] < 0.75,
    fails=lambda e: e["chance_share"] < 0.3,
)
def chance_return():
    """Return of a greedy basis in a random order over the best one's, Table 6.1."""
    table = build("matroid-table-6.1")
    return {"chance_share": float(1 - table.uniform_regret / table.optimal_value)}
