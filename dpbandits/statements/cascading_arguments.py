"""Wang et al. 2021: what their arguments rest on and what follows from them, as the companion 03b tells it."""

import numpy as np

from dpbandits.arguments import cascades
from dpbandits.statements.record import Ledger

LEDGER = Ledger("cascading", "Wang et al. 2021", "03b_why_it_holds")
add = LEDGER.add

PRICE = "What a wrong item costs"
LOCAL = "Local noise: three events and a weighted sum"
SHARES = "Why ε/L is wasteful"
TINY = 1e-9


@add(
    "theorem-4-weighted-sum",
    "Appendix D, after Kveton et al. 2015",
    "Spent in the worst way on the K best items, the plays of a wrong item cost at most 2/Δ_{e,K}, where each pair "
    "alone would cost 1/Δ_{e,e*}.",
    verdict="holds",
    kind="exact",
    heading=LOCAL,
    comment="So K pairs cost as much as two, whatever K is. The limit is reached as the gaps fall steadily and far.",
    holds=lambda e: e["largest_ratio"] <= 1 + TINY and e["largest_ratio"] > 0.9,
    fails=lambda e: e["largest_ratio"] > 1 + 1e-6,
)
def weighted_sum():
    """The sum over 2/Δ_{e,K}: random gaps, and gaps that fall steadily, K up to 200."""
    rng, ratios = np.random.default_rng(0), []
    for size in (1, 2, 5, 20, 200):
        for gaps in (np.sort(rng.uniform(0.001, 1, size))[::-1], np.geomspace(1, 0.001, size)):
            worst, twice = cascades.weighted(gaps)
            ratios.append(float(worst / twice))
    return {"largest_ratio": max(ratios)}


@add(
    "section-4-stronger-counters",
    "Section 4",
    "A user enters at most min(C, K) of the L counters, and of these only one with a 1.",
    verdict="holds",
    kind="exact",
    heading=SHARES,
    comment="So with ε/L a user who reads the whole list spends Kε/L. With a public number of entries two users differ "
    "in at most two counters, and ε/2 for each would do (ε/K where values are arbitrary); that number is not public, "
    "and "
    "the first position alone makes it so.",
    holds=lambda e: e["spent_of_epsilon"] <= e["K_over_L"] + TINY and e["most_entries"] == 4 and e["most_ones"] == 1,
    fails=lambda e: e["spent_of_epsilon"] > e["K_over_L"] + 1e-6 or e["most_ones"] > 1,
)
def entries():
    """All click positions of a list of 4 of 20 items, ε = 1 and shares of ε/20."""
    spent = [cascades.spent(20, 4, position, 1.0, 20) for position in range(1, 6)]
    seen = [min(position, 4) for position in range(1, 6)]
    ones = [sum(k == position for k in range(1, n + 1)) for position, n in zip(range(1, 6), seen, strict=True)]
    return {
        "spent_of_epsilon": max(spent),
        "K_over_L": 4 / 20,
        "most_entries": max(seen),
        "most_ones": max(ones),
    }


@add(
    "section-8-cube-root",
    "Section 8, a first step",
    "If the price of item e is 1/(ε_e²Δ_e), as under local noise, shares of ε in proportion to Δ_e^(−1/3) are the best "
    "of a given sum.",
    verdict="holds",
    kind="exact",
    heading=SHARES,
    comment="To use it one would have to know the gaps, and the items of the best list pay as well. It shows what "
    "unequal shares can win, not how.",
    holds=lambda e: e["best_over_any_other"] <= 1 + TINY and e["equal_over_best"] > 1.1,
    fails=lambda e: e["best_over_any_other"] > 1 + 1e-6,
)
def cube_root():
    """Against 2,000 random shares for three sets of gaps; and equal shares over the best where the gaps differ much."""
    rng, worst = np.random.default_rng(0), 0.0
    for gaps in ([0.4, 0.1, 0.05], [0.2] * 4, [0.9, 0.3, 0.1, 0.01]):
        gaps = np.array(gaps)
        _, _, best = cascades.unequal(gaps, 1.0)
        others = rng.dirichlet(np.ones(gaps.size), 2000)
        worst = max(worst, float((best / np.sum(1 / (others**2 * gaps), axis=1)).max()))
    _, equal, best = cascades.unequal([0.9, 0.3, 0.1, 0.01], 1.0)
    return {"best_over_any_other": worst, "equal_over_best": equal / best}
