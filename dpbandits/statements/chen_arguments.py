"""Chen et al. 2020: the hypotheses and steps of its arguments, as the companions teach them."""

import itertools
import math

import numpy as np
from scipy import stats

from dpbandits.arguments import influence
from dpbandits.arguments.chen import additive, blame, congestion, gini, hard, most_to_blame
from dpbandits.arguments.two_instances import (
    contraction,
    pair,
    play,
    steps,
)
from dpbandits.bounds.catalogue import BOUNDS
from dpbandits.statements.record import Ledger

LEDGER = Ledger("chen", "Chen et al. 2020", "04b_why_it_holds")
add = LEDGER.add

ASSUMPTIONS = "Three assumptions, and what falls without each"
ORACLE = "Nearly right: an oracle that promises α of the best, with probability β"
BLAME = "Theorem 4: six steps, and somebody to blame"
ADDITIVE = "Theorem 8: two costs that add up"
BELOW = "From below: two instances, and what tells them apart"
TINY = 1e-9


@add(
    "assumption-1",
    "Section 2.1, Assumption 1",
    "The expected reward of a super arm follows from the means of its arms, as the assumption asks.",
    verdict="holds-if",
    kind="exact",
    heading=ASSUMPTIONS,
    comment="It holds if outcomes are independent across arms, or the reward is linear: an assumption about both.",
    holds_if=lambda e: e["spread_of_or"] > 0.4 and e["spread_of_sum"] <= TINY,
    holds=lambda e: e["spread_of_or"] <= TINY,
    fails=lambda e: e["spread_of_sum"] > 1e-6,
)
def means_alone():
    """Two coins of mean 1/2, joined in three ways: largest less smallest E[max], and E[sum]."""
    laws = ([0.25, 0.25, 0.25, 0.25], [0.5, 0, 0, 0.5], [0, 0.5, 0.5, 0])  # of 00, 01, 10, 11
    either = [law[1] + law[2] + law[3] for law in laws]
    total = [law[1] + law[2] + 2 * law[3] for law in laws]
    return {"spread_of_or": max(either) - min(either), "spread_of_sum": max(total) - min(total)}


@add(
    "assumption-3",
    "Section 2.1, Assumption 3",
    "If the reward rises with every mean (monotonicity), optimistic means make an optimistic value of every super arm, "
    "which is what the algorithms need.",
    verdict="holds",
    kind="measured",
    heading="A question first",
    comment="Where the reward falls with a mean, the learner may never look at the best super arm, and its regret is "
    "linear: the same two roads, told the other way round.",
    holds=lambda e: e["lost_share_falling"] > 0.99 and e["lost_share_rising"] < 0.01,
    fails=lambda e: e["lost_share_rising"] > 0.5,
)
def monotone():
    """Two roads, 5,000 rounds: share of the worst regret, told by the chance of a jam, and by that of a free ride."""
    worst = 5000 * 0.4
    return {
        "lost_share_falling": congestion(5000)[0] / worst,
        "lost_share_rising": congestion(5000, turn=True)[0] / worst,
    }


@add(
    "definition-1",
    "Section 2.1, Definition 1",
    "Greedy influence maximisation is an (1 − (1 − 1/k)^k, 1)-oracle, at least 1 − 1/e of the best.",
    verdict="holds",
    kind="exact",
    heading=ORACLE,
    comment="With the reach computed exactly; estimated by simulation, as in large networks, β is below 1.",
    holds=lambda e: e["smallest_slack"] >= -TINY and e["largest_increase"] <= 1e-9 and e["not_best"] > 0,
    fails=lambda e: e["smallest_slack"] < -1e-6 or e["largest_increase"] > 1e-6,
)
def greedy_promise():
    """Random probabilities on a town of eight, k = 2 and 3: ratio less α; how much more a person adds to a larger
    choice; towns in which greedy is not the best.
    """
    town, rng, slack, rises, missed = influence.town(), np.random.default_rng(4), [], [], 0
    for _ in range(40):
        reach = influence.spread(town, rng.random(len(town.edges)))
        rises.append(influence.largest_increase(reach, town.nodes))
        for k in (2, 3):
            got, top = reach[influence.greedy(reach, town.nodes, k)], reach[influence.best(reach, town.nodes, k)]
            slack.append(got / top - influence.promise(k))
            missed += got < top - 1e-9
    return {"smallest_slack": float(min(slack)), "largest_increase": float(max(rises)), "not_best": int(missed)}


@add(
    "definition-2",
    "Section 2.1, Definition 2",
    "Regret is measured against αβ of the best, so that a learner with an (α, β)-oracle can have sublinear regret.",
    verdict="holds",
    kind="measured",
    heading=ORACLE,
    comment="Against the best itself it is linear, and against αβ of it here negative: the oracle does better than its "
    "promise.",
    holds=lambda e: e["late_against_best"] > 0.2 and e["late_against_promise"] < 0,
    fails=lambda e: e["late_against_promise"] > 0.05,
)
def approximation_regret():
    """Greedy and CUCB-LDP2 on the town of eight, ε = 4: regret of a round in the second half of 20,000."""
    town = influence.town()
    reach = influence.spread(town, influence.PROBABILITIES)
    top = float(reach[influence.best(reach, town.nodes, 2)])
    learnt = influence.learn(town, influence.PROBABILITIES, horizon=20_000, checkpoints=(10_000, 20_000))
    late = float(learnt.reward[1] - learnt.reward[0]) / 10_000
    return {"late_against_best": top - late, "late_against_promise": influence.promise(2) * top - late}


@add(
    "theorem-4-blame",
    "Appendix A",
    "Each play of a bad super arm blames one arm, which also reports; so N_i ≤ T_i, and no arm is blamed more than "
    "128B² ln T/(ε²Δ²) times.",
    verdict="holds-if",
    kind="measured",
    heading=BLAME,
    comment="It holds on the event that all estimates stay within their confidence, and up to one: an arm with at "
    "most J blames may be blamed once more, so the count is ⌊J⌋ + 1. At T = 1 the limit is 0, and the first play may "
    "be bad. If another arm than the blamed one reports, N_i ≤ T_i fails, and the count with it.",
    holds_if=lambda e: (
        e["false_steps"] == 0
        and e["most_over_limit"] <= 1
        and e["books_broken_otherwise"] > 0
        and e["blames_at_T_1"] == e["limit_at_T_1"] + 1
    ),
    holds=lambda e: e["most_over_limit"] <= 1 and e["false_steps"] == 0 and e["blames_at_T_1"] <= e["limit_at_T_1"],
    fails=lambda e: e["most_over_limit"] > 1 or e["false_steps"] > 0,
)
def blamed():
    """Five paths, K = 4, average and sum, ε = 4, T = 10⁵: false steps; most blames over J; arms with N_i > T_i if
    any arm of the path reports. And one round: most blames over 20 seeds, and J.
    """
    runs = [blame(reward=reward) for reward in ("average", "sum")]
    return {
        "false_steps": int(sum(run.failed.sum() for run in runs)),
        "most_over_limit": float(max(run.blamed.max() / run.limit for run in runs)),
        "books_broken_otherwise": int(blame(about="any").failed[4]),
        "blames_at_T_1": int(max(blame(horizon=1, seed=seed).blamed.max() for seed in range(20))),
        "limit_at_T_1": float(blame(horizon=1).limit),
    }


@add(
    "theorem-8-trick",
    "Section 4.2, proof of Theorem 8",
    "Since Δ_S ≤ 2Δ_S − max Δ^i_min, an arm may be charged 2(B b_i − Δ^i_min/(2K)), and nothing once that is negative.",
    verdict="holds",
    kind="exact",
    heading=ADDITIVE,
    comment="Without it the sum of 1/√n over all rounds is of order √T.",
    holds=lambda e: e["least_charged"] >= 1 - TINY and e["saved_at_1e24"] > 1000,
    fails=lambda e: e["least_charged"] < 1 - 1e-6,
)
def twice_minus_largest():
    """What is charged over the gap, least of 20,000 random super arms of 1 to 8 arms; the sum without the trick over
    that with it, T = 10²⁴.
    """
    rng, least = np.random.default_rng(5), math.inf
    for _ in range(20_000):
        bonuses = rng.random(rng.integers(1, 9)) ** 4
        lost, charged, _ = most_to_blame(bonuses, bonuses.sum() * rng.random(bonuses.size))
        least = min(least, charged / lost)
    far = additive(1.0, 0.5, 4, 10**24)
    return {"least_charged": float(least), "saved_at_1e24": far.chance_of_all / far.chance}


@add(
    "definition-5",
    "Section 3.3, Definition 5",
    "A lower bound needs consistency: without it an algorithm may have no regret at all on one instance.",
    verdict="holds",
    kind="exact",
    heading=BELOW,
    holds=lambda e: e["stubborn_here"] == 0 and e["stubborn_there_share"] == 1,
    fails=lambda e: e["stubborn_here"] > 0,
)
def stubborn():
    """Always arm 1, which is the best by 0.3, or the worse by 0.3: regret, and its share of the worst, T = 1000."""
    two, horizon = pair(0.3, None), 1000
    here = play(two, 1, horizon=horizon, runs=2, policy="stubborn").pulls
    there = horizon - play(two, 2, horizon=horizon, runs=2, policy="stubborn").pulls
    return {"stubborn_here": float(0.3 * here.mean()), "stubborn_there_share": float(there.mean() / horizon)}


@add(
    "section-3.3-reduction",
    "Section 3.3",
    "Multiplying a bandit's rewards by B turns a bound of order 1/Δ into one of order B²/Δ, for B_∞-smooth rewards.",
    verdict="holds",
    kind="exact",
    heading=BELOW,
    holds=lambda e: max(e["errors"]) <= TINY,
    fails=lambda e: max(e["errors"]) > 1e-6,
)
def scaled():
    """The package's Theorem 5, both constants, at B = 2, 4, 8 over B² times that at B = 1, less 1."""

    def rate(b, constants):
        given = {"horizon": 10, "epsilon": 0.2, "arms": 20, "gap": 0.1, "smoothness": b, "constants": constants}
        return BOUNDS["chen-theorem-5"].evaluate(**given).rate

    return {"errors": [abs(rate(b, c) / (b**2 * rate(1, c)) - 1) for b in (2, 4, 8) for c in ("printed", "corrected")]}


@add(
    "section-4.1-k-path",
    "Section 4.1",
    "On paths whose arms share one outcome a play tells as much as one coin of a distance Δ/(BK), whatever K is.",
    verdict="holds",
    kind="exact",
    heading=BELOW,
    comment="With independent arms it would tell about √K times as much.",
    holds=lambda e: max(e["shared_errors"]) <= TINY and e["independent_over_shared_at_16"] > 3,
    fails=lambda e: max(e["shared_errors"]) > 1e-6,
)
def shared_coin():
    """Total variation of a path's outcomes, alike and independent, means ½ and ½ − Δ/K, Δ = 0.5."""
    errors, ratio = [], 0.0
    for size in (1, 4, 16):
        step, counts = 0.5 / size, np.arange(size + 1)
        alike = 0.5 * (abs(0.5 - (0.5 - step)) + abs(0.5 - (0.5 + step)))  # all ones, or all zeros
        errors.append(abs(alike - step))
        independent = 0.5 * abs(stats.binom.pmf(counts, size, 0.5) - stats.binom.pmf(counts, size, 0.5 - step)).sum()
        ratio = float(independent / alike)
    return {"shared_errors": errors, "independent_over_shared_at_16": ratio}


@add(
    "section-4.3-max",
    "Section 4.3, proof of Theorem 9",
    "Lower bounds Ω(a) and Ω(b) make Ω(max{a, b}) = Ω(a + b), and one without privacy holds with it.",
    verdict="holds",
    kind="exact",
    heading=BELOW,
    holds=lambda e: 0.5 - TINY <= e["smallest"] and e["largest"] <= 1 + TINY and e["private_at_least_plain"],
    fails=lambda e: e["smallest"] < 0.5 - 1e-6,
)
def max_and_sum():
    """max{a, b}/(a + b) on a grid; and whether the central rate on paths is never below that without privacy."""
    ratios = [max(a, b) / (a + b) for a, b in itertools.product(np.geomspace(1e-3, 1e3, 13), repeat=2)]
    rates = [hard("k-path", 20, 4, 0.5, epsilon).rates for epsilon in (0.01, 0.2, 5.0)]
    return {
        "smallest": float(min(ratios)),
        "largest": float(max(ratios)),
        "private_at_least_plain": all(r["central"] >= r["none"] - 1e-9 for r in rates),
    }


@add(
    "section-4.3-public-arms",
    "Section 4.3, Appendix E",
    "On the instance with public arms one bad super arm's plays alone tell the two instances apart.",
    verdict="holds-if",
    kind="exact",
    heading=BELOW,
    comment="It holds if K = 1. From K = 2 on every bad super arm shows the raised public arms.",
    holds_if=lambda e: e["telling"][0] == 1 and e["telling"][1] == e["bad"][1] and e["telling"][2] == e["bad"][2],
    holds=lambda e: max(e["telling"]) == 1,
    fails=lambda e: e["telling"][0] > 1,
)
def who_tells():
    """Bad super arms with a raised arm, and all of them; m = 20, K = 1, 2, 4."""
    found = [hard("public-arms", 20, size, 0.3, 1.0) for size in (1, 2, 4)]
    return {"telling": [int(f.tells.sum()) for f in found], "bad": [len(f.super_arms) - 1 for f in found]}


@add(
    "section-5-gini",
    "Section 5",
    "Gini-weighted smoothness, which weighs a slope by the spread of its outcome, avoids the factor K of B_∞.",
    verdict="holds-if",
    kind="exact",
    heading=ASSUMPTIONS,
    comment='It holds without privacy: for "one succeeds" its constant is below 1 for every K. With privacy it is a '
    "question of the paper, and open: the noise does not shrink where outcomes do not vary.",
    holds_if=lambda e: max(e["gini"]) < 1 and e["b_inf"][-1] == 64,
    fails=lambda e: max(e["gini"]) > 2,
)
def weighted():
    """B_∞ and the weighted constant of 1 − Π(1 − μ_i), K = 1, 4, 16, 64."""
    found = [gini(size) for size in (1, 4, 16, 64)]
    return {"b_inf": [f[0] for f in found], "gini": [f[1] for f in found]}


@add(
    "appendix-c-model",
    "Appendix C",
    "In the likelihood ratio of two histories the policy cancels; what is left are the messages' laws.",
    verdict="holds",
    kind="measured",
    heading="Step 1: weigh histories",
    chapter="06b_from_two_instances",
    holds=lambda e: max(e["off_in_errors"]) < 5 and e["largest_decomposition_error"] < 5,
    fails=lambda e: max(e["off_in_errors"]) > 8 or e["largest_decomposition_error"] > 8,
)
def policy_cancels():
    """UCB and a coin, no privacy and ε = 1, 20 rounds, 20,000 runs each: |E₁[e^−L 1_A] − P₂(A)| and |E₁[L] − E₁[N]D| in
    standard errors.
    """
    off, split = [], []
    for policy, epsilon in itertools.product(("optimistic", "uniform"), (None, 1.0)):
        two = pair(0.1, epsilon)
        one, other = (play(two, i, horizon=20, runs=20_000, policy=policy, seed=3) for i in (1, 2))
        found = steps(two, one, other, 20)
        error = math.hypot(found.reweighted_error, math.sqrt(found.counted * (1 - found.counted) / 20_000))
        off.append(abs(found.reweighted - found.counted) / error)
        split.append(abs(found.divergence - found.decomposed) / found.divergence_error)
    return {"off_in_errors": off, "largest_decomposition_error": float(max(split))}


@add(
    "lemma-4-reached",
    "Appendix C, Lemma 4",
    "The ceiling min{4, e^{2ε}}(e^ε − 1)² TV² on what two private reports tell cannot be lowered in order.",
    verdict="holds-if",
    kind="exact",
    heading="Step 5, local: contraction",
    chapter="06b_from_two_instances",
    comment="It holds if ε is small: randomised response then reaches it up to a factor that tends to 1. At ε = 1 it "
    "is more than ten times too high for two coins.",
    holds_if=lambda e: e["ratio_at_0.01"] < 1.05 and e["ratio_at_1"] > 5,
    holds=lambda e: e["ratio_at_1"] < 2,
    fails=lambda e: e["ratio_at_0.01"] < 1,
)
def nearly_reached():
    """Ceiling over the divergences of randomised response, means 0.45 and 0.55, ε = 0.01 and 1."""
    ratio = lambda epsilon: contraction(0.45, 0.55, epsilon)[1] / contraction(0.45, 0.55, epsilon)[0]
    return {"ratio_at_0.01": ratio(0.01), "ratio_at_1": ratio(1.0)}
