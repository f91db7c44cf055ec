"""Chen et al. 2020: combinatorial semi-bandits, local and central."""

import itertools
import math

import numpy as np
from scipy import integrate, optimize, special, stats

from dpbandits.algorithms.semibandit.blindness import first_seeing_horizon
from dpbandits.arguments.two_instances import local_price
from dpbandits.bounds.catalogue import BOUNDS
from dpbandits.environments import build
from dpbandits.mechanisms.continual import binary_variance, nodes_read
from dpbandits.statements.record import Ledger
from dpbandits.statements.tools import final_regret, slope, speaks_from

LEDGER = Ledger("chen", "Chen et al. 2020", "04_semibandits")
add = LEDGER.add

MECHANISM = "The mechanism"
SENDS = "Explore: what one user sends"
DIMENSION = "What the dimension costs"
ONE_ENOUGH = "Why one message is enough for $B_\\infty$"
TREE = "What the tree buys"
EYES = "Predict, then compute: when does it open its eyes?"
BOUNDS_HERE = "Bounds"
PARTS = "Where theory and measurement part"
TINY = 1e-9


# ---- Section 2 --------------------------------------------------------------------------------------------------


def _smoothness(reward, size: int) -> tuple[float, float]:
    """(B_∞, B_1) seen on 4,000 random pairs of mean vectors: |r(μ) − r(μ′)| over the largest, and over the sum of
    differences.
    """
    rng = np.random.default_rng(0)
    first = rng.random((4000, size))
    other = np.where(rng.random((4000, size)) < 0.5, first, rng.random((4000, size)))
    other[:1000] = np.clip(first[:1000] - rng.random((1000, 1)) * 0.1, 0, 1)
    change, differ = abs(reward(first) - reward(other)), abs(first - other)
    moved = differ.max(1) > 1e-9
    return float((change[moved] / differ[moved].max(1)).max()), float((change[moved] / differ[moved].sum(1)).max())


@add(
    "fact-1",
    "Fact 1",
    "A B_∞-smooth reward is B_1-smooth with the same constant; a B_1-smooth one is B_∞-smooth with K times its "
    "constant.",
    verdict="holds",
    kind="exact",
    heading=MECHANISM,
    holds=lambda e: e["b1_over_binf"] <= 1 + TINY and e["binf_over_k_b1"] <= 1 + TINY and e["binf_over_k_b1"] > 0.9,
    fails=lambda e: max(e["b1_over_binf"], e["binf_over_k_b1"]) > 1 + 1e-6,
)
def fact_1():
    """Constants of a sum, of 1 − Π(1 − μ), and of a maximum, K = 4."""
    pairs = [_smoothness(r, 4) for r in (lambda m: m.sum(1), lambda m: 1 - (1 - m).prod(1), lambda m: m.max(1))]
    return {
        "b1_over_binf": max(one / most for most, one in pairs),
        "binf_over_k_b1": max(most / (4 * one) for most, one in pairs),
    }


@add(
    "section-2.1-examples",
    "Section 2.1",
    "Linear rewards are B_1-smooth with constant 1, and probabilistic coverage is B_∞-smooth; both are monotone.",
    verdict="holds",
    kind="exact",
    heading=MECHANISM,
    comment="The B_∞ of coverage is the number of edges of a super arm, so it hides a K.",
    holds=lambda e: e["linear_b1"] <= 1 + TINY and e["coverage_binf"] <= e["edges"] + TINY and e["falls"] == 0,
    fails=lambda e: e["linear_b1"] > 1 + 1e-6 or e["coverage_binf"] > e["edges"] + 1e-6 or e["falls"] > 0,
)
def examples():
    """A sum of four means; coverage of two targets by two edges each; and whether raising a mean ever lowers either."""

    def coverage(m):
        return 2 - (1 - m[:, :2]).prod(1) - (1 - m[:, 2:]).prod(1)

    rng = np.random.default_rng(1)
    low = rng.random((2000, 4))
    high = low + (1 - low) * rng.random((2000, 4))
    falls = int((coverage(high) < coverage(low) - TINY).sum() + (high.sum(1) < low.sum(1) - TINY).sum())
    return {
        "linear_b1": _smoothness(lambda m: m.sum(1), 4)[1],
        "coverage_binf": _smoothness(coverage, 4)[0],
        "edges": 4,
        "falls": falls,
    }


# ---- Section 3: one report or K ---------------------------------------------------------------------------------


def _laplace_loss(size: int, scale: float) -> float:
    """Largest ln of the density ratio of `size` reports x + Lap(scale), for outcomes in [0, 1], over a grid of
    messages.
    """
    x = np.linspace(-5, 6, 1101)
    each = max(float((abs(x - b) - abs(x - a)).max()) / scale for a, b in itertools.product((0, 0.5, 1), repeat=2))
    return size * each


@add(
    "theorem-1",
    "Theorem 1",
    "CUCB-LDP1, where each of the K observed arms reports with Lap(K/ε), is ε-locally private.",
    verdict="holds",
    kind="exact",
    heading=SENDS,
    comment="The super arm is a function of earlier reports, and the number of reports is fixed.",
    holds=lambda e: e["largest_loss_over_epsilon"] <= 1 + TINY and e["largest_loss_over_epsilon"] > 0.99,
    fails=lambda e: e["largest_loss_over_epsilon"] > 1 + 1e-6,
)
def all_reports():
    """Loss of K reports over ε, for K = 1, 4, 16 and three ε."""
    return {"largest_loss_over_epsilon": max(_laplace_loss(k, k / e) / e for k in (1, 4, 16) for e in (0.1, 1.0, 5.0))}


@add(
    "theorem-3",
    "Theorem 3",
    "CUCB-LDP2, where only the least reported arm of the super arm reports, with Lap(1/ε), is ε-locally private.",
    verdict="holds",
    kind="exact",
    heading=SENDS,
    comment="Which arm reports is known from the counts, which depend on super arms alone.",
    holds=lambda e: e["largest_loss_over_epsilon"] <= 1 + TINY and e["two_reports_over_epsilon"] > 1.5,
    fails=lambda e: e["largest_loss_over_epsilon"] > 1 + 1e-6,
)
def one_report():
    """Loss of one report over ε; and what two with the same noise would lose."""
    return {
        "largest_loss_over_epsilon": max(_laplace_loss(1, 1 / e) / e for e in (0.1, 1.0, 5.0)),
        "two_reports_over_epsilon": _laplace_loss(2, 1.0),
    }


@add(
    "algorithm-1-bonus",
    "Algorithm 1, line 4",
    "The bonus 4√(2K ln T/(ε²T_i)) covers the mean of T_i reports with noise Lap(K/ε).",
    verdict="holds-if",
    kind="exact",
    heading=PARTS,
    comment="It holds if K ≤ 4 and reports are many: the bonus grows like √K and the noise like K, so that it is "
    "missed "
    "with probability about T^(−8/K), where the proof needs T⁻². With K² in place of K under the root it holds for "
    "every K and many reports; for few of them see theorem-4-bernstein.",
    holds_if=lambda e: e["exponents"][1] >= 2 and e["exponents"][2] < 2 and min(e["mended_exponents"]) >= 2,
    holds=lambda e: min(e["exponents"]) >= 2,
    fails=lambda e: e["exponents"][0] < 2,
)
def bonus():
    """−ln P(noise of the mean > bonus)/ln T for many reports (normal tail, T = 10^40), K = 1, 4, 16; as printed and
    mended.
    """
    log = 40 * math.log(10)

    def exponent(factor, size):  # bonus over the standard deviation √2 K/ε of a report
        return -stats.norm.logsf(4 * math.sqrt(2 * factor * log) / (math.sqrt(2) * size)) / log

    return {
        "exponents": [float(exponent(k, k)) for k in (1, 4, 16)],
        "mended_exponents": [float(exponent(k**2, k)) for k in (1, 4, 16)],
    }


PATHS = {"arms": 20, "list_size": 4, "gap": 0.5}


def _vacuous(number: int, algorithm: str) -> dict:
    """On 5 disjoint paths of 4 arms, gap 1/2, ε = 1: where the bound with either constants speaks; regret over
    it at T = 3·10⁴.
    """
    bound = BOUNDS[f"chen-theorem-{number}"]
    begins = {
        c: speaks_from(bound, 0.5, instance="k-path", epsilon=1.0, constants=c, **PATHS)
        for c in ("printed", "corrected")
    }
    mean, error = final_regret(algorithm, "k-path", horizon=30_000, runs=4, epsilon=1.0, **PATHS)
    value = bound.value(instance="k-path", horizon=30_000, epsilon=1.0, constants="corrected", **PATHS)
    return {
        "printed_speaks_from": begins["printed"],
        "corrected_speaks_from": begins["corrected"],
        "regret_over_bound": (mean + 5 * error) / value,
    }


SILENT = {
    "verdict": "vacuous",
    "kind": "measured",
    "heading": BOUNDS_HERE,
    "vacuous": lambda e: e["corrected_speaks_from"] > 10**5 and e["regret_over_bound"] <= 1,
    "holds": lambda e: e["corrected_speaks_from"] <= 10**5 and e["regret_over_bound"] <= 1,
    "fails": lambda e: e["regret_over_bound"] > 1,
}


def _log_lost_for_good(log: float, gap: float = 0.1) -> float:
    """ln of what CUCB-LDP2 loses at least on two single arms of means 0.9 and 0.9 − gap at ε = 1, log = ln T.

    With probability exp(−4√(2 ln T) − 0.3)/2 the noise of the best arm's first report is below minus the bonus less
    0.3; its index is then at most 0.7 for ever. The other arm's index stays above that with probability 1/2 and more.
    """
    return log + math.log(gap) - 2 * math.log(2) - 4 * math.sqrt(2 * log) - 0.3


def _local_bound(number: int, algorithm: str) -> dict:
    """`_vacuous`, and ln of the least loss over the corrected bound on two single arms (K = 1, where the two
    algorithms are one), ε = 1, Δ = 0.1: at T = 10⁶, 10³⁰, 10⁶⁰.
    """
    excess = [_log_lost_for_good(k * math.log(10)) - math.log(256 * k * math.log(10) / 0.1) for k in (6, 30, 60)]
    return _vacuous(number, algorithm) | {"log_least_loss_over_bound": excess}


SILENT_AND_FALSE = SILENT | {
    "verdict": "fails",
    "vacuous": lambda e: e["corrected_speaks_from"] > 10**5 and max(e["log_least_loss_over_bound"]) <= 0,
    "fails": lambda e: e["log_least_loss_over_bound"][-1] > 0 or e["regret_over_bound"] > 1,
}
FOR_GOOD = (
    "One report of the best arm that is too low by more than the bonus, which has probability exp(−4√(2 ln T)) "
    "and no smaller power of T, sends that arm away for good: regret of order T^{1−o(1)}. A further term of order "
    "ln T/(εT_i) in the bonus mends it."
)
add(
    "theorem-2",
    "Theorem 2",
    "The regret of CUCB-LDP1 is O(Σ K²B_∞² ln T/(ε²Δ)).",
    comment=f"{FOR_GOOD} (With √K in the bonus, as printed, the more so.) This is far beyond practical horizons; at "
    "those the bound, with the constants of its proof, says nothing.",
    **SILENT_AND_FALSE,
)(lambda: _local_bound(2, "cucb-ldp1"))
add(
    "theorem-4",
    "Theorem 4",
    "The regret of CUCB-LDP2 is O(Σ B_∞² ln T/(ε²Δ)), without K.",
    comment=f"{FOR_GOOD} Two more steps of the proof need mending (theorem-4-integral, theorem-4-hoeffding); with all "
    "that the order is right for ε ≤ 1. The failure shows far beyond practical horizons; at those the bound says "
    "nothing.",
    **SILENT_AND_FALSE,
)(lambda: _local_bound(4, "cucb-ldp2"))
add(
    "theorem-8",
    "Theorem 8",
    "The regret of CUCB-DP is O(Σ KB_1² ln² T/Δ) + O(mKB_1 ln³T ln(B_1K ln T/(Δ_max ε))/ε).",
    comment="With its constants it says nothing below the horizons given. The proof forgets a root "
    "(theorem-8-root); with it the first term is"
    " smaller than stated, KB² ln T/Δ.",
    **SILENT,
)(lambda: _vacuous(8, "cucb-dp"))


@add(
    "theorem-4-integral",
    "Appendix A",
    "The sum of 8B√(2 ln T/(ε²j)) over j ≤ 128B² ln T/(ε²Δ²) is at most 128B² ln T/(ε²Δ).",
    verdict="fails",
    kind="exact",
    heading=PARTS,
    comment="The integral is 256B² ln T/(ε²Δ). With 256 in place of 128 the proof goes on.",
    fails=lambda e: 1.9 < e["sum_over_claim"] <= 2 and abs(e["integral_over_claim"] - 2) < 1e-9,
    holds=lambda e: e["sum_over_claim"] <= 1,
)
def integral():
    """Both over the claim, B = ε = 1, Δ = 0.1, T = 10⁵."""
    log, gap = math.log(1e5), 0.1
    top = 128 * log / gap**2
    j = np.arange(1, int(top) + 1)
    claim = 128 * log / gap
    return {
        "sum_over_claim": float((8 * np.sqrt(2 * log / j)).sum() / claim),
        "integral_over_claim": 16 * math.sqrt(2 * log * top) / claim,
    }


@add(
    "theorem-4-bernstein",
    "Appendix A",
    "A mean of n draws of Lap(1/ε) stays within 2√(2 ln T/(ε²n)) with probability 1 − 2/T², for every n.",
    verdict="holds-if",
    kind="exact",
    heading=PARTS,
    comment="It holds if n is at least of order ln²T/ln ln T (4.2 ln T at T = 10⁴, 6.8 ln T at 10⁶, 14 ln T at 10¹²). "
    "For fewer reports the tail is exponential, not Gaussian: one draw is missed with probability exp(−2√(2 ln T)), "
    "far more than 2/T². A wider bound for few reports mends it.",
    holds_if=lambda e: e["ratio_at_1"] > 100 and e["ratio_at_8_log_T"] <= 1,
    holds=lambda e: max(e["ratio_at_1"], e["ratio_at_8_log_T"]) <= 1,
    fails=lambda e: e["ratio_at_8_log_T"] > 1,
)
def bernstein():
    """Exact tail over 2/T² at T = 10⁴, n = 1 and n = 8 ln T (a difference of two Gamma laws)."""
    t = 1e4
    n = math.ceil(8 * math.log(t))
    size = 2 * math.sqrt(2 * math.log(t) * n)
    tail = integrate.quad(lambda y: stats.gamma.pdf(y, n) * stats.gamma.sf(y + size, n), 0, 6 * n, limit=300)[0]
    return {
        "ratio_at_1": math.exp(-2 * math.sqrt(2 * math.log(t))) / (2 / t**2),
        "ratio_at_8_log_T": 2 * tail / (2 / t**2),
    }


def _missed_by_sampling(epsilon: float, log: float, n: int) -> float:
    """ln of the exact P(|mean of n fair coins − 1/2| > 2√(2 ln T/(ε²n))) over 2/T², log = ln T."""
    reach = 2 * math.sqrt(2 * log * n) / epsilon  # of the sum
    tail = stats.binom.logsf(math.floor(n / 2 + reach + 1e-9), n, 0.5)
    return max(float(tail + 2 * log), -1e3)  # two tails over 2/T²; below −1000 the difference does not matter


@add(
    "theorem-4-hoeffding",
    "Appendix A",
    "The sampling error is covered by the noise's bound, since 2√(2 ln T/n) ≤ 2√(2 ln T/(ε²n)).",
    verdict="holds-if",
    kind="exact",
    heading=PARTS,
    comment="It holds if ε ≤ 2√2. The inequality that is given as the reason needs ε ≤ 1, but Hoeffding's bound has "
    "room: the outcomes stay within the noise's bound with probability 1 − 2T^(−16/ε²). For larger ε they spread "
    "more than the noise, and a term without ε is needed.",
    holds_if=lambda e: (
        max(e["log_missed_up_to_2.8"]) <= 0 < min(e["log_missed_at_4"])
        and e["inequality_ends_at"] < e["covered_up_to"][0]
        and max(abs(x / math.sqrt(8) - 1) for x in e["covered_up_to"]) < 0.15
    ),
    holds=lambda e: max(e["log_missed_up_to_2.8"] + e["log_missed_at_4"]) <= 0,
    fails=lambda e: max(e["log_missed_up_to_2.8"]) > 0,
)
def hoeffding():
    """ln of the exact probability (fair coins) that the outcomes leave the noise's bound, over 2/T², at ε ≤ 2.8 and at
    4, T = 10⁴ and 10¹²; the ε up to which it is at most 0, for n = 10⁶; the largest ε at which the inequality is true.
    """
    logs, counts = [k * math.log(10) for k in (4, 12)], (1000, 30_000, 10**6)
    found = {
        epsilon: [_missed_by_sampling(epsilon, log, n) for log in logs for n in counts]
        for epsilon in (0.3, 1.0, 2.0, 2.8, 4.0)
    }
    grid = np.linspace(0.01, 5, 500)
    true = [e for e in grid if math.sqrt(2 * logs[0] / 50) <= math.sqrt(2 * logs[0] / (e**2 * 50)) * (1 + 1e-12)]
    covered = [max(e for e in grid if _missed_by_sampling(e, log, 10**6) <= 0) for log in logs]
    return {
        "log_missed_up_to_2.8": [x for e, values in found.items() if e < 4 for x in values],
        "log_missed_at_4": found[4.0],
        "covered_up_to": [float(e) for e in covered],
        "inequality_ends_at": float(max(true)),
    }


@add(
    "section-3.2-one-message",
    "Section 3.2",
    "For B_∞-smooth rewards the regret of a round is controlled by the worst known arm of its super arm, so one "
    "report is enough.",
    verdict="holds",
    kind="exact",
    heading=ONE_ENOUGH,
    holds=lambda e: e["largest_share"] <= 1 + TINY and e["sum_over_largest"] > 3,
    fails=lambda e: e["largest_share"] > 1 + 1e-6,
)
def one_is_enough():
    """Change of a B_∞ reward (an average of 4 means) over B_∞ times the largest error; the same for a sum, where it is
    not enough.
    """
    rng = np.random.default_rng(2)
    means, errors = rng.random((5000, 4)) * 0.5, rng.random((5000, 4)) * 0.5
    errors[:100] = 0.3
    change = errors.mean(1)
    return {
        "largest_share": float((abs((means + errors).mean(1) - means.mean(1)) / errors.max(1)).max()),
        "average_change": float(change.mean()),
        "sum_over_largest": float((errors.sum(1) / errors.max(1)).max()),
    }


@add(
    "section-3.2-optimal",
    "Sections 3.2 and 3.3",
    "CUCB-LDP2 is optimal in all parameters: its bound (Theorem 4) has the order of the lower bound (Theorem 5).",
    verdict="holds-if",
    kind="exact",
    heading=BOUNDS_HERE,
    comment="It holds if ε ≤ 1 or so: there the two bounds have the same order in m, B, ε, Δ and T, and constants ten "
    "thousand apart (that Theorem 4 needs a mended bonus is another matter). For large ε Theorem 4's order falls "
    "below what any algorithm loses without privacy, so that it cannot be "
    "right there: the sampling error, which its proof leaves out (theorem-4-hoeffding), needs a term of its own.",
    holds_if=lambda e: (
        e["spread_small_epsilon"] < 4 and e["over_without_privacy_at_1"] > 1 > e["over_without_privacy_at_100"]
    ),
    holds=lambda e: (
        e["spread_small_epsilon"] < 4 and min(e["over_without_privacy_at_1"], e["over_without_privacy_at_100"]) > 1
    ),
    fails=lambda e: e["spread_small_epsilon"] > 100,
)
def matching_orders():
    """Printed Theorem 4 over printed Theorem 5 on m single arms at T = 10¹²: largest over smallest ratio for m = 5
    and 80, Δ from 0.001 to 0.1, ε from 0.001 to 1; and Theorem 4 over (m − 1)Δ ln T/kl(½ − Δ, ½), Lai and Robbins, at
    Δ = 10⁻³.
    """
    horizon, ratios, without = 10**12, [], {}

    def upper(arms, gap, epsilon):
        given = {"gaps_min": [0.0] + [gap] * (arms - 1), "gaps_max": [0.0] + [gap] * (arms - 1), "smoothness": 1.0}
        return BOUNDS["chen-theorem-4"].value(horizon=horizon, epsilon=epsilon, constants="printed", **given)

    for arms, gap, epsilon in itertools.product((5, 80), (0.001, 0.1), (0.001, 0.1, 1.0)):
        given = {"horizon": horizon, "epsilon": epsilon, "arms": arms, "gap": gap, "constants": "printed"}
        ratios.append(upper(arms, gap, epsilon) / BOUNDS["chen-theorem-5"].value(**given))
    for epsilon in (1.0, 100.0):
        without[epsilon] = upper(5, 1e-3, epsilon) / (4 * 1e-3 * math.log(horizon) / _kl(0.5 - 1e-3, 0.5))
    return {
        "spread_small_epsilon": max(ratios) / min(ratios),
        "largest_ratio": max(ratios),
        "over_without_privacy_at_1": without[1.0],
        "over_without_privacy_at_100": without[100.0],
    }


@add(
    "section-3.2-mab",
    "Section 3.2",
    "For K = 1, multi-armed bandits, CUCB-LDP1 and CUCB-LDP2 are the same algorithm.",
    verdict="holds",
    kind="measured",
    heading=DIMENSION,
    holds=lambda e: abs(e["one"] - e["two"]) <= 5 * e["error"] and e["scale_difference"] == 0,
    fails=lambda e: abs(e["one"] - e["two"]) > 10 * e["error"] or e["scale_difference"] > 0,
)
def one_arm_at_a_time():
    """Regret on four single arms, ε = 1, T = 5000, 100 runs each; scales K/ε and 1/ε."""
    given = {"means": [0.9, 0.5, 0.4, 0.1], "list_size": 1, "horizon": 5000, "runs": 100, "epsilon": 1.0}
    one, two = final_regret("cucb-ldp1", "top-k", **given), final_regret("cucb-ldp2", "top-k", **given)
    return {"one": one[0], "two": two[0], "error": math.hypot(one[1], two[1]), "scale_difference": 1 / 1.0 - 1.0}


@add(
    "section-3.2-central",
    "Section 3.2, footnote 4",
    "With a tree over the least pulled arm's outcomes, B_∞-smooth bandits get central privacy with regret Õ(mB_∞² "
    "ln T/(εΔ)).",
    verdict="open",
    kind="argument",
    heading=EYES,
    comment="The proof is left out in the paper, and no constants are given. With the bonus that its tree needs, "
    "the algorithm plays at random until"
    " the horizon given here, so that runs decide nothing about the order.",
    open=lambda e: e["blind_until"] > 10**5,
    holds=lambda e: e["blind_until"] <= 10**5,
)
def central_least():
    """Least horizon at which cucb-dp-least notices an outcome, 5 paths of 4 arms, gap 1/2, ε = 1."""
    return {"blind_until": first_seeing_horizon(build("k-path", **PATHS), 1.0, least=True)}


# ---- Sections 3.3 and 4.1: lower bounds under local privacy ------------------------------------------------------


def _kl(p, q) -> float:
    return float(special.rel_entr(p, q) + special.rel_entr(1 - p, 1 - q))


@add(
    "theorem-5",
    "Theorem 5",
    "A consistent ε-locally private algorithm for B_∞-smooth rewards has liminf R/ln T ≥ B²(m − 1)/(64(e^ε − 1)²Δ) "
    "on some instance.",
    verdict="holds",
    kind="argument",
    heading=BOUNDS_HERE,
    comment="A step of its proof is false (theorem-5-divergence) and not needed: with total variation the constant "
    "64 becomes"
    " min{4, e^{2ε}} ≤ 4, so the printed bound holds with room.",
    holds=lambda e: e["smallest_ratio"] >= 16 - TINY and e["package_error"] <= 1e-9,
    fails=lambda e: e["smallest_ratio"] < 1,
)
def local_lower():
    """The bound by total variation, (Δ/B)² min{4, e^{2ε}}(e^ε − 1)² a pull, over the printed one; against the
    package.
    """
    ratios, errors = [], []
    for epsilon, gap in itertools.product((0.01, 0.5, 1.0, 3.0), (0.05, 0.3)):
        proved = 19 * gap / (local_price(epsilon) * gap**2)
        printed = 19 / (64 * math.expm1(epsilon) ** 2 * gap)
        given = {"horizon": 10, "epsilon": epsilon, "arms": 20, "gap": gap}
        found = [BOUNDS["chen-theorem-5"].evaluate(constants=c, **given).rate for c in ("printed", "corrected")]
        errors += [abs(found[0] / printed - 1), abs(found[1] / proved - 1)]
        ratios.append(proved / printed)
    return {"smallest_ratio": min(ratios), "package_error": max(errors)}


@add(
    "section-3.3-gaps",
    "Section 3.3",
    "The lower bound for equal gaps carries over to unequal ones, with Δ^i_min of each base arm in the place of Δ.",
    verdict="holds-if",
    kind="argument",
    heading=BOUNDS_HERE,
    comment="It holds if it says that for given gaps there is an instance: single arms, where raising the mean of "
    "arm i "
    "alone just above the best one changes the law of its own rewards only, by a total variation of Δ_i. Not on every "
    "instance: with super arms {1}, {2} and {1, 2} and a sum, who always plays {1, 2} loses nothing.",
    holds_if=lambda e: e["smallest_ratio"] >= 1 and e["others_changed"] == 0 and e["loss_of_both"] == 0 < e["gap_of_1"],
    holds=lambda e: e["smallest_ratio"] >= 1 and e["loss_of_both"] > 0,
    fails=lambda e: e["smallest_ratio"] < 1 or e["others_changed"] > 0,
)
def unequal_gaps():
    """Four arms with unequal gaps: Σ_i Δ_i/(min{4, e^{2ε}}(e^ε − 1)²TV_i²), TV_i of the two laws of arm i, over the
    printed bound with Δ_i; arms other than i whose law changes. Means 0.7 and 0.4, super arms {1}, {2}, {1, 2}, sum:
    what {1, 2} loses, and Δ_min of arm 1.
    """
    worth = {(0,): 0.7, (1,): 0.4, (0, 1): 0.7 + 0.4}
    best = max(worth.values())
    means, ratios, changed = np.array([0.7, 0.6, 0.4, 0.1]), [], 0
    for epsilon in (0.01, 1.0, 3.0):
        share = local_price(epsilon)
        proved, printed = 0.0, 0.0
        for i in range(1, 4):
            other = np.where(np.arange(4) == i, means[0] + 1e-9, means)
            variation = abs(means - other)  # of coins
            changed += int((np.delete(variation, i) > 0).sum())
            gap = means[0] - means[i]
            proved += gap / (share * variation[i] ** 2)
            printed += 1 / (64 * math.expm1(epsilon) ** 2 * gap)
        ratios.append(proved / printed)
    return {
        "smallest_ratio": float(min(ratios)),
        "others_changed": changed,
        "loss_of_both": best - worth[0, 1],
        "gap_of_1": best - max(value for arms, value in worth.items() if 0 in arms and value < best),
    }


@add(
    "section-3.3-central",
    "Section 3.3",
    "Under central privacy with B_∞-smooth rewards the lower bound is Ω(mB_∞² ln T/(εΔ)).",
    verdict="holds-if",
    kind="exact",
    heading=BOUNDS_HERE,
    comment="It holds if one of ε and Δ is of constant size. Where both are small, single arms (K = 1, B = 1) have "
    "algorithms whose regret is of order m ln T (1/Δ + 1/ε), far below the product; the proof is left out in the "
    "paper.",
    holds_if=lambda e: e["upper_over_claim_both_small"] < 0.01 and e["upper_over_claim_constant_epsilon"] > 1,
    holds=lambda e: min(e["upper_over_claim_both_small"], e["upper_over_claim_constant_epsilon"]) > 1,
    fails=lambda e: e["upper_over_claim_constant_epsilon"] < 1,
)
def product_from_below():
    """An upper bound (cucb-dp-lazy, K = 1, two arms) over m ln T/(εΔ) at T = 10¹²: ε = 1 and Δ = 10⁻⁵; ε = Δ = 10⁻⁵."""

    def over(epsilon, gap):
        instance = build("top-k", means=[0.5, 0.5 - gap], list_size=1)
        value = BOUNDS["cucb-dp-lazy-upper"].value(horizon=10**12, epsilon=epsilon, instance=instance)
        return value / (2 * math.log(1e12) / (epsilon * gap))

    return {"upper_over_claim_constant_epsilon": over(1.0, 1e-5), "upper_over_claim_both_small": over(1e-5, 1e-5)}


@add(
    "theorem-5-divergence",
    "Appendix B",
    "On its instance, with means Δ/B, 0, …, 0 and one 0 raised to 2Δ/B, the divergence is at most 4Δ²/B².",
    verdict="fails",
    kind="exact",
    heading=PARTS,
    comment="From mean 0 to 2Δ/B it is −ln(1 − 2Δ/B), more than 2Δ/B: linear, not quadratic. Means away from 0, or "
    "total variation, mend it.",
    fails=lambda e: min(e["ratios"]) > 1 and e["ratios"][0] > 10,
    holds=lambda e: max(e["ratios"]) <= 1,
)
def divergence_5():
    """−ln(1 − 2δ) over 4δ² for δ = 0.01, 0.1, 0.34."""
    return {"ratios": [-math.log1p(-2 * d) / (4 * d**2) for d in (0.01, 0.1, 0.34)]}


@add(
    "theorem-5-small-epsilon",
    "Theorems 5 and 6",
    "For ε ≤ 1/2 the factor (e^ε − 1)² is at most 2ε², so 64(e^ε − 1)² may be replaced by 128ε².",
    verdict="holds",
    kind="exact",
    heading=BOUNDS_HERE,
    holds=lambda e: e["largest_ratio"] <= 1,
    fails=lambda e: e["largest_ratio"] > 1,
)
def small_epsilon():
    """(e^ε − 1)²/(2ε²) on (0, 1/2]."""
    epsilon = np.linspace(1e-4, 0.5, 2000)
    return {"largest_ratio": float((np.expm1(epsilon) ** 2 / (2 * epsilon**2)).max())}


@add(
    "theorem-6",
    "Theorem 6",
    "For B_1-smooth rewards a consistent ε-locally private algorithm has liminf R/ln T ≥ B²(m − K)K/(64(e^ε − "
    "1)²Δ) on disjoint paths.",
    verdict="holds",
    kind="argument",
    heading=BOUNDS_HERE,
    comment="By total variation, with min{4, e^{2ε}} for 64. The proof's own chain breaks at a divergence "
    "(theorem-6-divergence), and its last lines print mK for (m − K)K.",
    holds=lambda e: e["smallest_ratio"] >= 16 - TINY and e["package_error"] <= 1e-9,
    fails=lambda e: e["smallest_ratio"] < 1,
)
def local_lower_paths():
    """(m/K − 1)Δ/((Δ/(BK))² min{4, e^{2ε}}(e^ε − 1)²) over the printed bound, m = 20."""
    ratios, errors = [], []
    for epsilon, size in itertools.product((0.01, 1.0, 3.0), (1, 4, 10)):
        gap = 0.1
        proved = (20 / size - 1) * gap / ((gap / size) ** 2 * local_price(epsilon))
        printed = (20 - size) * size / (64 * math.expm1(epsilon) ** 2 * gap)
        given = {"horizon": 10, "epsilon": epsilon, "arms": 20, "list_size": size, "gap": gap}
        errors.append(abs(BOUNDS["chen-theorem-6"].evaluate(constants="printed", **given).rate / printed - 1))
        ratios.append(proved / printed)
    return {"smallest_ratio": min(ratios), "package_error": max(errors)}


@add(
    "theorem-6-divergence",
    "Appendix C",
    "The divergence between a path with means 1/2 − Δ/(BK) and one with 1/2 + Δ/(BK) is at most 8Δ²/(BK)².",
    verdict="fails",
    kind="exact",
    heading=PARTS,
    comment="It is 2δ ln((1/2 + δ)/(1/2 − δ)) with δ = Δ/(BK), more than 8δ² for every δ > 0. Raising the mean "
    "just above 1/2, or total variation, mends it.",
    fails=lambda e: min(e["ratios"]) > 1 and e["ratios"][-1] > 1.1,
    holds=lambda e: max(e["ratios"]) <= 1,
)
def divergence_6():
    """The divergence over 8δ² for δ = 0.05, 0.2, 0.34."""
    return {"ratios": [_kl(0.5 - d, 0.5 + d) / (8 * d**2) for d in (0.05, 0.2, 0.34)]}


@add(
    "section-4.1-conjecture",
    "Sections 4.1 and 5",
    "The right order under local privacy with B_1-smooth rewards is mK²B_1² ln T/(ε²Δ), so that the lower bound is "
    "loose by K.",
    verdict="open",
    kind="exact",
    heading=DIMENSION,
    comment="A conjecture of the paper. Upper and lower bound differ by K in order; nothing here decides which is "
    "right.",
    open=lambda e: abs(e["exponent_in_K"] - 1) < 0.05,
    holds=lambda e: abs(e["exponent_in_K"]) < 0.05,
)
def conjecture():
    """Exponent of K in (K²m upper)/(Km lower) along m = 40K, by the package's printed bounds with B_∞ = KB_1."""
    ratios = []
    for size in (4, 40):
        given = {"arms": 40 * size, "list_size": size, "gap": 0.1}
        instance = build("k-path", **given)
        upper = BOUNDS["chen-theorem-4"].value(instance=instance, horizon=10**12, epsilon=0.1)
        lower = BOUNDS["chen-theorem-6"].value(horizon=10**12, epsilon=0.1, **given)
        ratios.append(upper / lower)
    return {"exponent_in_K": math.log10(ratios[1] / ratios[0])}


# ---- Section 4.2: the tree --------------------------------------------------------------------------------------


@add(
    "section-4.2-nodes",
    "Section 4.2",
    "A sum at round t is read from ⌈log t⌉ nodes of the tree.",
    verdict="holds-if",
    kind="exact",
    heading=TREE,
    comment="It holds if t ≥ 2: it is the number of ones of t in binary, at most ⌈lg t⌉ except at t = 1, where one "
    "node is read.",
    holds_if=lambda e: e["exceptions"] == [1] and e["largest"] == 10,
    holds=lambda e: e["exceptions"] == [] and e["largest"] == 10,
    fails=lambda e: len(e["exceptions"]) > 1,
)
def nodes():
    """All t up to 1023 in which more nodes are read than ⌈lg t⌉."""
    read = {t: len(nodes_read(t)) for t in range(1, 1024)}
    return {
        "exceptions": [t for t, n in read.items() if n > math.ceil(math.log2(t))],
        "largest": max(read.values()),
    }


def _levels(horizon: int) -> int:
    """Nodes that hold round 1, counted: dyadic blocks up to `horizon`."""
    return sum(1 for level in range(64) if 2**level <= horizon)


@add(
    "lemma-1",
    "Lemma 1",
    "The tree with noise Lap(‖X‖₁ log T/ε) at every node is ε-private.",
    verdict="fails",
    kind="exact",
    heading=TREE,
    comment="An item is in ⌊lg T⌋ + 1 nodes, one more than lg T and 1.44 times ln T: it spends more than ε with "
    "either logarithm."
    " ⌊lg T⌋ + 1 in its place mends it.",
    fails=lambda e: min(e["spent_natural"]) > 1.4 and min(e["spent_binary"]) > 1,
    holds=lambda e: max(e["spent_binary"]) <= 1,
)
def tree_levels():
    """What one item spends over ε at T = 2^k, k = 4, 10, 20, with ln T and with lg T."""
    horizons = [2**k for k in (4, 10, 20)]
    return {
        "spent_natural": [_levels(t) / math.log(t) for t in horizons],
        "spent_binary": [_levels(t) / math.log2(t) for t in horizons],
    }


@add(
    "theorem-7",
    "Theorem 7",
    "CUCB-DP, with Lap(2K ln T/ε) at every node and coordinate, is ε-private.",
    verdict="holds",
    kind="exact",
    heading=TREE,
    comment="Although Lemma 1 is short of a level: its factor 2 and natural logarithm make up for it. What is released "
    "are super arms, and the last one is chosen from T − 1 rounds. Whoever released the sums of all T rounds too would "
    "spend more than ε at T = 1, 2 and 4.",
    holds=lambda e: e["exceptions"] == [] and e["checked"] > 1000,
    fails=lambda e: len(e["exceptions"]) > 0,
)
def vector_tree():
    """All T up to 5,000 and around powers of two up to 2¹⁹ at which a user, who enters with K outcomes each node that
    holds his round, spends more than ε: nodes read for super arms up to T, and nodes of all T rounds.
    """
    horizons = sorted({*range(1, 5000), *(2**k + d for k in range(12, 20) for d in (-1, 0, 1))})
    return {
        "exceptions": [t for t in horizons if _levels(t - 1) > 2 * math.log(t)],
        "exceptions_of_all_sums": [t for t in horizons if _levels(t) > 2 * math.log(t)],
        "checked": len(horizons),
    }


@add(
    "lemma-2",
    "Lemma 2",
    "A bad super arm's gap is at most B_1 Σ(4√(ln T/T_i) + 24K ln³T/(T_i ε)), the sum of its bonuses and errors.",
    verdict="holds-if",
    kind="exact",
    heading=PARTS,
    comment="In its proof ln T must be read as ln(mT): the bonus of Algorithm 3 has ln(mT), which is more than that "
    "sum "
    "allows for m ≥ 2. Hoeffding's bound has room, so that as printed it still holds for m up to about T^0.9.",
    holds_if=lambda e: e["printed_ratio"] > 1 and e["mended_ratio"] <= 1 + TINY,
    holds=lambda e: e["printed_ratio"] <= 1,
    fails=lambda e: e["mended_ratio"] > 1 + 1e-6,
)
def sum_of_bonuses():
    """√(4 ln(mT)/n) + √(4 ln T/n) over 4√(ln T/n) and over 4√(ln(mT)/n), m = 20, T = 10⁵."""
    bonus, error = math.sqrt(4 * math.log(20e5)), math.sqrt(4 * math.log(1e5))
    return {
        "printed_ratio": (bonus + error) / (4 * math.sqrt(math.log(1e5))),
        "mended_ratio": (bonus + error) / (4 * math.sqrt(math.log(20e5))),
    }


@add(
    "section-4.2-separates",
    "Section 4.2",
    "The tree's noise enters the mean of T_i outcomes as 1/T_i in place of 1/√T_i; so the bound is a sum in Δ and ε, "
    "and not a product.",
    verdict="holds",
    kind="exact",
    heading=TREE,
    holds=lambda e: (
        abs(e["noise_power"] + 1) < 0.1
        and abs(e["local_noise_power"] + 0.5) < 0.01
        and abs(e["central_power_of_epsilon"] + 1) < 0.1
        and abs(e["local_power_of_epsilon"] + 2) < 0.1
        and abs(e["central_power_of_gap"]) < 0.1
    ),
    fails=lambda e: e["central_power_of_epsilon"] < -1.5 or e["central_power_of_gap"] < -0.5,
)
def separated():
    """Powers of n in the exact deviation of the tree's noise over n (T = 2³⁹) and of n local reports; powers of ε in
    Theorems 8 and 4 (complete proofs) from ε = 10⁻⁹ to 10⁻⁸, and of Δ in Theorem 8 at ε = 10⁻⁹; the best 4 of 20
    arms, T = 10⁹.
    """
    counts = [2**k - 1 for k in (8, 38)]  # all bits set: the most nodes
    tree = [math.sqrt(float(binary_variance(n, 1.0, 2**39))) / n for n in counts]
    local = [math.sqrt(2 / n) for n in counts]

    def value(number, epsilon, gap=0.2):
        instance = build("top-k", means=[0.5] * 4 + [0.5 - gap] * 16, list_size=4)
        return BOUNDS[f"chen-theorem-{number}"].value(
            horizon=10**9, epsilon=epsilon, instance=instance, constants="corrected"
        )

    return {
        "noise_power": slope(counts, tree),
        "local_noise_power": slope(counts, local),
        "central_power_of_epsilon": math.log10(value(8, 1e-8) / value(8, 1e-9)),
        "local_power_of_epsilon": math.log10(value(4, 1e-8) / value(4, 1e-9)),
        "central_power_of_gap": math.log10(value(8, 1e-9, 0.2) / value(8, 1e-9, 0.02)),
    }


@add(
    "theorem-8-enough",
    "Section 4.2, proof of Theorem 8",
    "From n = max{256B²K² ln T/Δ², 96BK² ln³T/(εΔ)} observations on, 4B√(ln T/n) + 24BK ln³T/(nε) ≤ Δ/(2K).",
    verdict="holds",
    kind="exact",
    heading=BOUNDS_HERE,
    holds=lambda e: e["largest_ratio"] <= 1 + TINY and e["largest_ratio"] > 0.5,
    fails=lambda e: e["largest_ratio"] > 1 + 1e-6,
)
def enough():
    """Left over right at that n, on a grid of ε, Δ, K, T."""
    found = []
    for epsilon, gap, size, t in itertools.product((0.01, 1.0), (0.01, 0.5), (1, 8), (1e3, 1e9)):
        log = math.log(t)
        n = max(256 * size**2 * log / gap**2, 96 * size**2 * log**3 / (epsilon * gap))
        found.append((4 * math.sqrt(log / n) + 24 * size * log**3 / (n * epsilon)) / (gap / (2 * size)))
    return {"largest_ratio": max(found)}


@add(
    "theorem-8-root",
    "Section 4.2, proof of Theorem 8",
    "Σ 16B√(ln T)·(256B²K² ln T/Δ² + 96BK² ln³T/(εΔ)) simplifies to O(B²K ln²T/Δ + …).",
    verdict="fails",
    kind="exact",
    heading=PARTS,
    comment="The integral of 8B√(ln T/n) up to n is 16B√(n ln T): a root is missing, without which the expression "
    "is of order 1/Δ² and"
    " does not simplify so. With the root the first term is 256B²K ln T/Δ, better than stated.",
    fails=lambda e: e["printed_growth"] > 50 and e["mended_growth"] < 2,
    holds=lambda e: e["printed_growth"] < 2,
)
def forgotten_root():
    """By what factor the expression over B²K ln²T/Δ grows when Δ falls from 0.1 to 0.001, as printed and with
    the root; ε = 10¹².
    """

    def first(gap, root):
        log, size = math.log(1e6), 4
        n = 256 * size**2 * log / gap**2
        return 16 * math.sqrt(log) * (math.sqrt(n) if root else n) / (size * log**2 / gap)

    return {
        "printed_growth": first(1e-3, False) / first(0.1, False),
        "mended_growth": first(1e-3, True) / first(0.1, True),
    }


@add(
    "theorem-8-dominated",
    "After Theorem 8",
    "With ε constant the second term of Theorem 8 is nearly dominated by the first.",
    verdict="holds-if",
    kind="exact",
    heading=BOUNDS_HERE,
    comment="It holds if Δ is small against 1/ln T. For a fixed gap it is the other way round: ln³T against ln²T.",
    holds_if=lambda e: e["at_gap_half"] > 1 and e["at_gap_tiny"] < 1 and e["grows"] > 1.5,
    holds=lambda e: e["at_gap_half"] <= 1,
    fails=lambda e: e["at_gap_tiny"] > 1,
)
def dominated():
    """Second over first term without constants, K = 4, B = ε = 1, T = 10⁶: Δ = 1/2 and 10⁻⁴; growth of it up to
    T = 10¹².
    """

    def ratio(gap, t):
        log = math.log(t)
        return gap * log * math.log(4 * log / gap)

    return {
        "at_gap_half": ratio(0.5, 1e6),
        "at_gap_tiny": ratio(1e-4, 1e6),
        "grows": ratio(0.5, 1e12) / ratio(0.5, 1e6),
    }


@add(
    "lemma-5",
    "Appendix D, Lemma 5",
    "All means of outcomes stay within √(4 ln T/T_i) of their expectations with probability at least 1 − 2/T.",
    verdict="holds-if",
    kind="exact",
    heading=BOUNDS_HERE,
    comment="It holds for m ≤ T⁵ arms: each of the mT² events has probability at most 2T⁻⁸. Some limit on m is needed: "
    "the number of arms that break it is computed, with all of them in one super arm.",
    holds_if=lambda e: (
        e["union_times_T"] <= 2 and e["exact_over_hoeffding"] <= 1 + TINY and math.isfinite(e["arms_that_break_it"])
    ),
    fails=lambda e: e["exact_over_hoeffding"] > 1 + 1e-6 or e["arms_that_break_it"] <= e["most_arms"],
)
def means_stay():
    """T·(m T² tails) with m = T⁵ at T = 30; exact binomial tails over 2 exp(−8 ln T); from how many arms on, all
    played in all T rounds with mean 1/2 or less, some mean leaves with probability above 2/T.
    """
    t, worst, breaking = 30, 0.0, math.inf
    for n, p in itertools.product(range(1, 200), (0.05, 0.3, 0.5)):
        reach = math.sqrt(4 * math.log(t) * n)
        tail = stats.binom.cdf(n * p - reach, n, p) + stats.binom.sf(math.floor(n * p + reach), n, p)
        worst = max(worst, tail)
        if n == t and tail > 0:
            breaking = min(breaking, math.log1p(-2 / t) / math.log1p(-tail))
    return {
        "union_times_T": t**5 * t**2 * 2 * t**-8 * t,
        "exact_over_hoeffding": float(worst / (2 * t**-8)),
        "most_arms": t**5,
        "arms_that_break_it": float(breaking),
    }


@add(
    "lemma-6",
    "Appendix D, Lemma 6",
    "For large T the tree's noise stays within 12K ln³T/ε with probability at least 1 − 1/(mT).",
    verdict="holds",
    kind="exact",
    heading=TREE,
    comment="And by far: 12K ln³T/ε is a hundred and more standard deviations of that noise, which is why CUCB-DP "
    "plays blindly for so long.",
    holds=lambda e: max(e["log_excess"]) <= 0 and min(e["deviations"]) > 20,
    fails=lambda e: min(e["log_excess"]) > 0,
)
def tree_noise():
    """ln of Chernoff's bound on P(|sum of ⌊lg T⌋ + 1 nodes| > 6 ln²T nodes' scales) times m²T³, m = 20; and the
    bound in deviations; T = 10⁴, 10⁶, 10⁹.
    """
    excess, deviations = [], []
    for t in (1e4, 1e6, 1e9):
        count, size = math.floor(math.log2(t)) + 1, 6 * math.log(t) ** 2
        theta = (math.sqrt(count**2 + size**2) - count) / size
        excess.append(math.log(2) - theta * size - count * math.log1p(-(theta**2)) + math.log(20**2 * t**2))
        deviations.append(size / math.sqrt(2 * count))
    return {"log_excess": excess, "deviations": deviations}


# ---- Section 4.3: lower bound under central privacy --------------------------------------------------------------


@add(
    "theorem-9",
    "Theorem 9",
    "A consistent ε-private algorithm for B_1-smooth rewards has regret Ω(B²mK ln T/Δ + BmK ln T/ε).",
    verdict="open",
    kind="argument",
    heading=PARTS,
    comment="The first term holds, on disjoint paths. The second is not proved for K ≥ 2 (lemma-7). What we can "
    "prove on disjoint paths is"
    " B(m − K)/ε for small ε, without the factor K.",
    open=lambda e: e["informative_super_arms"] > 1 and e["proved_second_over_printed_order"] < 1,
    holds=lambda e: e["informative_super_arms"] == 1,
)
def central_lower():
    """Bad super arms whose outcomes differ between the two instances of the proof; the part of BmK/ε that the
    paths give, K = 10.
    """
    size, arms, epsilon, gap = 10, 200, 1e-3, 0.1
    step = gap / size
    proved = (arms / size - 1) * gap / math.log1p(step * math.expm1(epsilon))
    return {
        "informative_super_arms": _informative(4, 20),
        "proved_second_over_printed_order": proved / (arms * size / epsilon),
    }


def _informative(size: int, arms: int) -> int:
    """On the instance of Lemma 7: bad super arms with an arm whose mean is raised when those of one bad super
    arm are.
    """
    public = set(range(size, 2 * size - 1))
    bad = [public | {own} for own in range(2 * size - 1, arms)]
    return sum(bool(s & bad[0]) for s in bad)


@add(
    "lemma-7",
    "Appendix E, Lemma 7",
    "Raising the means of one bad super arm's arms changes the law of that super arm's outcomes only, so its few "
    "plays are all that tells the instances apart.",
    verdict="fails",
    kind="exact",
    heading=PARTS,
    comment="From K = 2 on all bad super arms share the K − 1 public arms, which are raised too: every play of any "
    "bad super arm tells. Raising"
    " the private arm alone would leave that one different, and loses the factor K. (S* should have K base arms, "
    "not m.)",
    fails=lambda e: e["informative"] == e["bad_super_arms"] and e["bad_super_arms"] > 1 and e["informative_at_1"] == 1,
    holds=lambda e: e["informative"] == 1,
)
def public_arms():
    """Bad super arms that contain a raised arm, m = 20: K = 4 and K = 1."""
    return {
        "informative": _informative(4, 20),
        "bad_super_arms": 20 - 2 * 4 + 1,
        "informative_at_1": _informative(1, 20),
    }


@add(
    "appendix-e-groups",
    "Appendix E",
    "From n outcomes of either of two laws at total variation TV, an ε-private mechanism's outputs differ in "
    "probability by a factor of at most e^{6εn TV} (Karwa and Vadhan).",
    verdict="holds-if",
    kind="exact",
    heading="The mechanism: a sum of two costs",
    chapter="06_lower_bounds",
    comment="It holds if ε is below 2.9, where e^ε − 1 = 6ε. A coupling changes a binomial number of outcomes; so "
    "the factor is (1 + TV(e^ε − 1))^n at most, which randomised response on every outcome attains. That holds for "
    "every ε, and is what our bound with corrected constants takes.",
    holds_if=lambda e: (
        e["largest_up_to_2"] <= 1 + TINY and e["largest_at_6"] > 1 and e["attained_over_coupling"] <= 1 + TINY
    ),
    holds=lambda e: max(e["largest_up_to_2"], e["largest_at_6"]) <= 1,
    fails=lambda e: e["largest_up_to_2"] > 1 + 1e-6,
)
def groups():
    """ln of the largest ratio of two output laws over 6εn TV: coins with means 0 and TV, randomised response on each
    of n, all ones and all zeros as outputs; ε up to 2, and ε = 6; and over n ln(1 + TV(e^ε − 1)).
    """
    found, coupling = {}, []
    for epsilon, n, variation in itertools.product((0.1, 1.0, 2.0, 6.0), (1, 10), (0.01, 0.2)):
        keep = math.exp(epsilon) / (1 + math.exp(epsilon))
        answers = [m * keep + (1 - m) * (1 - keep) for m in (0.0, variation)]  # P(answer 1)
        ratios = [math.log(answers[1] / answers[0]), math.log((1 - answers[0]) / (1 - answers[1]))]
        loss = n * max(ratios)
        found.setdefault(epsilon, []).append(loss / (6 * epsilon * n * variation))
        coupling.append(loss / (n * math.log1p(variation * math.expm1(epsilon))))
    return {
        "largest_up_to_2": max(max(v) for e, v in found.items() if e <= 2),
        "largest_at_6": max(found[6.0]),
        "attained_over_coupling": max(coupling),
        "equal_at": float(optimize.brentq(lambda e: math.expm1(e) - 6 * e, 1, 5)),
    }


@add(
    "lemma-3",
    "Appendix C, Lemma 3",
    "The divergence of two histories is Σ_S E[N_S] times the divergence of one private report about S.",
    verdict="holds",
    kind="exact",
    heading="The mechanism: a sum of two costs",
    chapter="06_lower_bounds",
    holds=lambda e: e["error"] <= TINY and e["divergence"] > 0.01,
    fails=lambda e: e["error"] > 1e-6,
)
def decomposition():
    """Two super arms, three rounds, reports by randomised response, an adaptive policy: both sides by all 64
    histories.
    """
    keep = math.exp(0.7) / (1 + math.exp(0.7))
    reports = [
        {0: m * keep + (1 - m) * (1 - keep), 1: v * keep + (1 - v) * (1 - keep)} for m, v in ((0.5, 0.3), (0.5, 0.6))
    ]

    def histories(law):
        for plays in itertools.product((0, 1), repeat=3):
            for answers in itertools.product((0, 1), repeat=3):
                chance, score = 1.0, 0
                for play, answer in zip(plays, answers, strict=True):
                    lean = 0.5 + 0.2 * math.tanh(score)
                    chance *= (lean if play == 1 else 1 - lean) * (law[play] if answer else 1 - law[play])
                    score += (1 if play == 1 else -1) * (1 if answer else -1)
                yield plays, chance

    first, second = list(histories(reports[0])), list(histories(reports[1]))
    whole = sum(p * math.log(p / q) for (_, p), (_, q) in zip(first, second, strict=True))
    split = sum(sum(p * plays.count(s) for plays, p in first) * _kl(reports[0][s], reports[1][s]) for s in (0, 1))
    return {"divergence": whole, "error": abs(whole - split)}


@add(
    "lemma-4",
    "Appendix C, Lemma 4",
    "After an α-private report the two divergences add up to at most min{4, e^{2α}}(e^α − 1)² TV².",
    verdict="holds",
    kind="exact",
    heading="The mechanism: a sum of two costs",
    chapter="06_lower_bounds",
    holds=lambda e: e["largest_ratio"] <= 1 and e["largest_ratio"] > 0.1,
    fails=lambda e: e["largest_ratio"] > 1,
)
def data_processing():
    """Left over right for extreme α-private channels (each output row a or a e^α) on two and three inputs, and random
    pairs of laws.
    """
    rng, found = np.random.default_rng(3), []
    for alpha, inputs in itertools.product((0.05, 0.5, 1.0, 2.5), (2, 3)):
        rows = np.array(list(itertools.product((1.0, math.exp(alpha)), repeat=inputs))[1:-1])
        channel = rows / rows.sum(0)  # each column sums to 1; rows keep their ratios only for symmetric sets of rows
        for p, q in zip(rng.dirichlet(np.ones(inputs), 60), rng.dirichlet(np.ones(inputs), 60), strict=True):
            one, two = channel @ p, channel @ q
            loss = float(((one - two) * np.log(one / two)).sum())
            variation = 0.5 * abs(p - q).sum()
            found.append(loss / (local_price(alpha) * variation**2))
    return {"largest_ratio": max(found)}


@add(
    "appendix-c-two-regrets",
    "Appendix C",
    "P(A) + Q(not A) ≥ ½ exp(−D(P‖Q)), so two instances cannot both have small regret.",
    verdict="holds",
    kind="exact",
    heading="The mechanism: a sum of two costs",
    chapter="06_lower_bounds",
    holds=lambda e: e["smallest_ratio"] >= 1,
    fails=lambda e: e["smallest_ratio"] < 1,
)
def bretagnolle_huber():
    """Left over right for coins P, Q on a grid and the event \"heads\"."""
    grid = np.linspace(0.001, 0.999, 200)
    return {"smallest_ratio": min((p + 1 - q) / (0.5 * math.exp(-_kl(p, q))) for p in grid for q in grid[::5])}


@add(
    "table-1-product",
    "Table 1",
    "The additive bounds under central privacy may be written as products, Θ̃(mKB_1² ln T/(εΔ)).",
    verdict="holds-if",
    kind="exact",
    heading=BOUNDS_HERE,
    comment="It holds if one of ε and Δ is of constant size. As a lower bound the product is too large otherwise: "
    "1/Δ + 1/ε is less than"
    " 2/(εΔ) by a factor of about 1/(ε + Δ).",
    holds_if=lambda e: e["constant_epsilon"] < 3 and e["both_small"] > 40,
    holds=lambda e: e["both_small"] < 3,
    fails=lambda e: e["constant_epsilon"] > 40,
)
def products():
    """1/(εΔ) over 1/Δ + 1/ε at ε = 1, Δ = 0.01 and at ε = Δ = 0.01."""

    def ratio(epsilon, gap):
        return 1 / (epsilon * gap) / (1 / epsilon + 1 / gap)

    return {"constant_epsilon": ratio(1.0, 0.01), "both_small": ratio(0.01, 0.01)}
