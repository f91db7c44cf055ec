"""Wang & Zhu 2024: what their arguments give beyond what is printed, as the companion 02b tells it."""

import itertools
import math

import numpy as np

from dpbandits.arguments import lemma_15, rivals, start_phases, theorem_4
from dpbandits.mechanisms.perturbations import law, pulls_needed_gauss
from dpbandits.privacy import smallest_pulls
from dpbandits.statements.record import Ledger

LEDGER = Ledger("wang-zhu", "Wang & Zhu 2024", "02b_why_it_holds")
add = LEDGER.add

DEFINITIONS = "Three definitions, side by side"
GAUSS = "Why the start phase of Gauss is long enough"
BETA = "Why Beta needs invented rewards"
EDGE = "Lemma 15, derived"
TOGETHER = "Why an elimination needs intervals, and lets all arms go at once"
LOWER = "Theorem 4, step by step"
PAIRS = [(1.0, 0.01), (0.1, 1e-4), (3.0, 0.1), (0.5, 0.0), (0.0, 0.05)]
CELLS = np.linspace(-15, 15, 6001) + 0.0013  # never a whole number, where a law of atoms jumps
TINY = 1e-9


@add(
    "theorem-11-pieces",
    "Theorem 11, proof of the privacy part",
    "Peak times shift at most δ, or F apart by δ below a point and densities apart by e^ε beyond it: either gives a "
    "branch of N_G*.",
    verdict="holds",
    kind="exact",
    heading=GAUSS,
    comment="The first piece is its branch as it stands, and at ε = 0 the exact need is as large. The second is "
    "simplified "
    "and allows fewer pulls than its branch; there the exact need is smaller still.",
    holds=lambda e: e["pieces_over_exact"] >= 1 and e["printed_over_pieces"] >= 1 and e["suffices_from_N*"],
    fails=lambda e: e["pieces_over_exact"] < 1 or e["printed_over_pieces"] < 1,
)
def two_pieces():
    """First N from which the pieces suffice, against the exact one and ⌈N_G*⌉; the least of both ratios over (ε, δ)."""
    over_exact, over_pieces, suffices = [], [], []
    for epsilon, delta in ((1.0, 0.01), (0.3, 0.01), (0.1, 0.001), (0.05, 0.05)):
        printed = math.ceil(pulls_needed_gauss(epsilon, delta))
        works = [start_phases.gauss_suffices(n, epsilon, delta) for n in range(1, 2 * printed)]
        first = len(works) - works[::-1].index(False) + 1 if False in works else 1
        over_exact.append(first / smallest_pulls("gauss", epsilon, delta))
        over_pieces.append(printed / first)
        suffices.append(all(works[printed - 1 :]))
    return {
        "pieces_over_exact": min(over_exact),
        "printed_over_pieces": min(over_pieces),
        "suffices_from_N*": all(suffices),
    }


@add(
    "section-6.2-growing-k",
    "Section 6.2, on Figure 2(d)–(f)",
    "The extra k, which grows with N, is necessary for privacy with Beta perturbations.",
    verdict="holds-if",
    kind="exact",
    heading=BETA,
    comment="Some k is necessary, and no fixed one serves every (ε, δ). But for one (ε, δ) a fixed k is enough at every"
    " N, with no start phase: it suffices that the smaller of the two counts is large enough, and equal counts ask "
    "for most.",
    holds_if=lambda e: (
        e["needed_without_k"] > 0.1
        and e["needed_with_k_20"] < 1e-3
        and e["needed_with_k_1"] > 0.05
        and e["change_over_N"] < 0.05
    ),
    holds=lambda e: e["needed_with_k_20"] > 0.01,
)
def fixed_k():
    """δ needed at ε = 1, R = 0 for N = 10⁶: without k, with k = 1, with k = 20, which is also looked at for N = 10⁴."""
    needed = {k: start_phases.beta(10**6, 0, k, 1.0).needed for k in (0, 1, 20)}
    change = abs(start_phases.beta(10**4, 0, 20, 1.0).needed / needed[20] - 1)
    worst = max(start_phases.beta(n, 0, 20, 1.0).needed for n in range(1, 300))
    return {
        "needed_without_k": needed[0],
        "needed_with_k_1": needed[1],
        "needed_with_k_20": max(worst, needed[20]),
        "change_over_N": change,
    }


@add(
    "lemma-15-first-cell",
    "Lemma 15, how it is found",
    "F(x) = e^ε F(x − 1/N) + δ on the lower half leaves the law of the first 1/N below the centre free; exponential "
    "pieces follow if a part s of a reward may cost (sε, δ(e^{sε} − 1)/(e^ε − 1)) only, the share that composes.",
    verdict="holds",
    kind="exact",
    heading=EDGE,
    comment="The paper gives the law without a derivation; this is ours. With half-lines alone even a law on a lattice "
    "will do, with intervals a density in steps.",
    holds=lambda e: (
        e["worst_half_line"] <= TINY
        and e["exponential_off_lemma_15"] <= TINY
        and e["exponential_in_proportion"] <= TINY
        and e["others_in_proportion"] > 1e-4
        and e["lattice_on_intervals"] > 0.01
        and e["steps_on_intervals"] <= TINY
    ),
    fails=lambda e: e["worst_half_line"] > 1e-6 or e["exponential_off_lemma_15"] > 1e-6,
)
def first_cell():
    """Four first cells at five (ε, δ): half-lines under whole shifts, intervals, half-lines under 0.4 of a shift."""
    free = max(lemma_15.half_lines(CELLS, *p, s).max() for p, s in itertools.product(PAIRS, lemma_15.SEEDS))
    off = max(abs(lemma_15.cdf(CELLS, *p) - law("new", 1, 0, *p).cdf(CELLS)).max() for p in PAIRS)
    part = {
        s: [lemma_15.half_lines(CELLS, *p, s, 0.4, in_proportion=True).max() for p in PAIRS[:4]] for s in lemma_15.SEEDS
    }
    return {
        "worst_half_line": float(free),
        "exponential_off_lemma_15": float(off),
        "exponential_in_proportion": float(max(part.pop("exponential"))),
        "others_in_proportion": float(min(map(min, part.values()))),
        "lattice_on_intervals": min(lemma_15.intervals(CELLS, *p, "atoms") for p in PAIRS[:4]),
        "steps_on_intervals": max(lemma_15.intervals(CELLS, *p, "one step") for p in PAIRS),
    }


@add(
    "lemma-15-one-cell",
    "Section 6.3, on Figure 3",
    "No law that keeps Lemma 8 has a radius that is smaller than that of Lemma 15's by more than 1/N.",
    verdict="holds",
    kind="exact",
    heading=EDGE,
    comment='This is a form of "the best one can do" that holds for every (ε, δ): each cell multiplies F by at most '
    "e^ε and adds at most δ. Within the last cell a staircase can be better.",
    holds=lambda e: e["largest_lead_in_cells"] <= 1 + TINY and e["climb_error"] <= TINY,
    fails=lambda e: e["largest_lead_in_cells"] > 1 + 1e-6,
)
def one_cell():
    """How many cells other laws on the edge are narrower at 2/T; and ⌈radius⌉ against a climb cell by cell."""
    leads, errors = [], []
    for pair, odds in itertools.product(PAIRS, (1e3, 1e6)):
        radius = lemma_15.radius(odds, *pair)
        leads += [radius - lemma_15.radius(odds, *pair, seed) for seed in lemma_15.SEEDS]
        value, cells = 1 / odds, 0
        while value < 0.5 - TINY:
            value, cells = math.exp(pair[0]) * value + pair[1], cells + 1
        errors.append(abs(cells - lemma_15.fewest_cells(odds, *pair)))
    return {"largest_lead_in_cells": float(max(leads)), "climb_error": float(max(errors))}


@add(
    "lemma-15-truncated-laplace",
    "Lemma 15",
    "The law of Lemma 15 is a unique perturbation designed here.",
    verdict="fails",
    kind="exact",
    heading=EDGE,
    comment="It is the truncated Laplace mechanism of Geng, Ding, Guo and Kumar (2020) for the sensitivity 1/N: the "
    "same density and the same cut. Using it as a perturbation in a bandit is the paper's.",
    fails=lambda e: e["largest_difference"] <= TINY and e["points"] > 1000,
    holds=lambda e: e["largest_difference"] > 1e-3,
)
def truncated_laplace():
    """|F − F_TLap|, with λ = 1/(Nε) and A = λ ln(1 + (e^ε − 1)/(2δ)) as in that paper, over x for several settings."""
    worst, points = 0.0, 0
    for (epsilon, delta), pulls in itertools.product([p for p in PAIRS if min(p) > 0], (1, 7, 100)):
        scale = 1 / (pulls * epsilon)
        cut = scale * math.log(1 + math.expm1(epsilon) / (2 * delta))
        x = np.linspace(-1.2 * cut, 1.2 * cut, 801)
        inside = np.clip(x, -cut, cut)
        half = (np.exp(-np.abs(inside) / scale) - math.exp(-cut / scale)) / (2 * -math.expm1(-cut / scale))
        worst = max(
            worst, float(abs(np.where(x < 0, half, 1 - half) - law("new", pulls, 0, epsilon, delta).cdf(x)).max())
        )
        points += x.size
    return {"largest_difference": worst, "points": points}


@add(
    "section-5.2-together",
    "Section 5.2",
    "If all arms but one are eliminated together, the arm of every round before that is fixed; under ordinary "
    "elimination it is not.",
    verdict="holds",
    kind="exact",
    heading=TOGETHER,
    comment="The proof of Lemma 9 needs it, as Definition 3 counts the revisions along each action vector.",
    holds=lambda e: e["arms_at_one_round_dp_se"] > 1,
    fails=lambda e: e["arms_at_one_round_dp_se"] == 1,
)
def arms_of_a_round():
    """The most different arms that 20 runs of DP-SE play in one and the same round, three arms."""
    rounds = np.arange(1, 60_001, 500)
    runs = [rivals.trace("dp-se", [0.6, 0.475, 0.47], 60_000, epsilon=1.0, seed=seed) for seed in range(20)]
    arms = np.array([run.arm[np.searchsorted(run.start, rounds, side="right") - 1] for run in runs])
    return {"arms_at_one_round_dp_se": max(len(set(column)) for column in arms.T)}


@add(
    "theorem-4-chain",
    "Section 4, proof of Theorem 4",
    "With N₀ as chosen, what privacy carries over from one instance to the other is 1/5, while little regret would ask "
    "for 3/4.",
    verdict="holds",
    kind="exact",
    heading=LOWER,
    comment="The proof has room here: any regret below N₀Δ·4/5 on the first instance is contradicted as well.",
    holds=lambda e: e["largest_error"] <= 1e-6 and e["least_supposed"] >= 0.75,
    fails=lambda e: e["largest_error"] > 1e-3,
)
def chain():
    """|carried − 1/5| over ε, δ, T, c₀ and α."""
    errors, supposed = [], []
    for epsilon, delta, horizon in itertools.product((0.05, 1.0, 3.0), (0.0, 1e-8, 1e-3), (1e7, 1e10)):
        for c0, alpha in ((0.2, 0.1), (1.0, 0.3)):
            found = theorem_4.steps(epsilon, delta, horizon, c0=c0, alpha=alpha)
            errors.append(abs(found.carried - 0.2))
            supposed.append(found.seldom_1)
    return {"largest_error": max(errors), "least_supposed": min(supposed)}
