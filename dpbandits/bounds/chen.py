"""The bounds of Chen et al. (2020). Δ^i_min, Δ^i_max: least and largest gap of a bad super arm that holds base arm i.

Sums run over the arms with Δ^i_min > 0. The theorems print orders; the constants are those of their proofs.
`constants`:
"printed" as the proof ends, "corrected" as it should; the docstrings say where they part. Lower bounds are on
liminf R(T)/ln T of a consistent algorithm, on one instance each: `hard_instance` builds it.
"""

import functools
import math
from dataclasses import replace

import numpy as np

from dpbandits.algorithms.kl import kl
from dpbandits.bounds.record import Bound, Term, Terms, total, vacuous
from dpbandits.environments import Instance
from dpbandits.environments.semibandit import k_path, public_arms, single_arms
from dpbandits.environments.semibandit.families import ARMS, GAP, LIST_SIZE
from dpbandits.environments.semibandit.listing import SMOOTHNESS
from dpbandits.parameters import CONSTANTS, EPSILON, Parameter

PAPER = "Chen et al. 2020"
TREE = r"\sum_i \frac{48 B_1 K \ln^3 T}{\varepsilon}\Bigl(1 + \ln %s\Bigr)"  # the second term of Theorem 8
RANGE = 0.35  # of Δ/B (Theorem 5) or Δ/(BK) (Theorems 6 and 9)
GAPS_MIN = Parameter("gaps_min", "Δ^i_min of every base arm; 0 where no bad super arm holds it", kind="vector", low=0)
GAPS_MAX = Parameter("gaps_max", "Δ^i_max of every base arm", kind="vector", low=0)
SIZE = replace(LIST_SIZE, default=None, description="largest number K of base arms in a super arm")
B_INF = replace(SMOOTHNESS, default=None, description="B_∞ of the reward's smoothness")
B_1 = replace(SMOOTHNESS, default=None, description="B₁ of the reward's smoothness")
B_INF_HERE, B_1_HERE = replace(B_INF, default=1.0), replace(B_1, default=1.0)
SMALL_GAP = replace(GAP, default=0.2)


def inverse_gaps(gaps_min) -> float:
    """Σ 1/Δ^i_min over the positive ones."""
    return sum(1 / gap for gap in gaps_min if gap > 0)


def missed_means(horizon, b: float):
    """Bound on the chance that, of one arm, some mean of n <= T noisy reports is off by more than 4b sqrt(2 ln T / n).

    A report is an outcome in [0, 1] plus Lap(b). Chernoff's bound with u/b in the exponent: the deviation has
    probability at most 2 exp(−n max_u {u q − u²/(8b²) + ln(1 − u²)}), q = 4 sqrt(2 ln T / n). That falls with n, so
    from n = 64 ln T on the last value is repeated. It is not O(1/T): the first terms alone are about exp(−4 sqrt(2 ln
    T)).
    """
    return np.array([_missed(float(t), float(b)) for t in np.atleast_1d(horizon)]).reshape(np.shape(horizon))


@functools.lru_cache(maxsize=2**16)
def _missed(t: float, b: float) -> float:
    """missed_means at one horizon."""
    log = math.log(t)
    if log == 0:  # no room for a deviation: nothing is promised for a single report
        return 1.0
    n = np.arange(1, min(t, math.ceil(64 * log)) + 1)
    q = 4 * np.sqrt(2 * log / n)
    u = _best_exponent(q, b)
    exponent = n * (u * q - u**2 / (8 * b**2) + np.log1p(-(u**2)))
    terms = 2 * np.exp(-exponent)
    return float(terms.sum() + (t - n.size) * terms[-1])


def _best_exponent(q, b: float):
    """The u in [0, 1) of missed_means: u/(4b²) + 2u/(1 − u²) = q, by Newton's steps down from where it is q or more.

    The left side is convex, so they do not overshoot; any u gives a valid bound, so it does not matter where they end.
    """
    u = q / (1 + np.sqrt(1 + q**2))  # 2u/(1 − u²) = q
    for _ in range(6):
        rest = 1 - u**2
        u = u - (u / (4 * b**2) + 2 * u / rest - q) / (1 / (4 * b**2) + 2 * (1 + u**2) / rest**2)
    return u


def local_bound(horizon, b, gaps_min, gaps_max, smoothness, constants):
    """c B² b² Σ ln T/Δ^i_min, b the scale of a report's noise, and a term for the rounds in which a mean is missed.

    Printed: c = 128 and 2m Δ_max. The proof's sum of B 8 sqrt(2) b sqrt(ln T / j) over j <= 128 B² b² ln T/Δ² is 256 B²
    b² ln T/Δ, so c = 256; every arm's first report is Σ Δ^i_max; and T Δ_max m missed_means(T) replaces the union
    bound, whose Bernstein inequality is for n >= ln T reports and ε <= 1 alone.
    """
    return total(local_terms(horizon, b, gaps_min, gaps_max, smoothness, constants))


def local_terms(horizon, b, gaps_min, gaps_max, smoothness, constants):
    """Learning through the noise, first reports, and rounds in which a mean is missed."""
    order = smoothness**2 * b**2 * inverse_gaps(gaps_min) * np.log(horizon)
    arms, worst = len(gaps_min), max(gaps_max)
    words, formula = "learning through noise of scale b", r"\sum_i \frac{%d\,B_\infty^2 b^2 \ln T}{\Delta^i_{\min}}"
    if constants == "printed":
        return (
            Term(words, formula % 128, 128 * order),
            Term("rounds in which a mean is missed", r"2m\,\Delta_{\max}", 2 * arms * worst),
        )
    missed = worst * horizon * np.minimum(1, arms * missed_means(horizon, b))
    return (
        Term(words, formula % 256, 256 * order),
        Term("each arm's first report", r"\sum_i \Delta^i_{\max}", sum(gaps_max)),
        Term("rounds in which a mean is missed", r"T \Delta_{\max} \min\{1,\, m P(\ldots)\}", missed),
    )


def theorem_2(horizon, epsilon, gaps_min, gaps_max, list_size, smoothness, constants):
    """local_bound with noise K/ε, for B_∞-smooth rewards. The paper leaves its proof out: it is Theorem 4's."""
    return local_bound(horizon, list_size / epsilon, gaps_min, gaps_max, smoothness, constants)


def terms_2(horizon, epsilon, gaps_min, gaps_max, list_size, smoothness, constants):
    """local_terms with noise K/ε."""
    return local_terms(horizon, list_size / epsilon, gaps_min, gaps_max, smoothness, constants)


def theorem_4(horizon, epsilon, gaps_min, gaps_max, smoothness, constants):
    """local_bound with noise 1/ε, for B_∞-smooth rewards: no K."""
    return local_bound(horizon, 1 / epsilon, gaps_min, gaps_max, smoothness, constants)


def terms_4(horizon, epsilon, gaps_min, gaps_max, smoothness, constants):
    """local_terms with noise 1/ε."""
    return local_terms(horizon, 1 / epsilon, gaps_min, gaps_max, smoothness, constants)


def theorem_8(horizon, epsilon, gaps_min, gaps_max, list_size, smoothness, constants):
    """Σ (16B sqrt(ln(mT) n_i) + (48BK ln³T/ε)(1 + ln n_i)) + 3 Σ Δ^i_max, for B₁-smooth rewards, with

        n_i = max{256 B²K² ln(mT)/Δ², 96 BK² ln³T/(εΔ)},  Δ = Δ^i_min.

    Printed: ln T for ln(mT), though the bonus has ln(mT); the sum of the two for their maximum; and its root forgotten,
    16B sqrt(ln T) n_i, without which the first term does not even have the unit of a reward. In the second term it puts
    256 B²K² ln⁴T/(εΔ²) for n_i. Noise: the tree's sum of at most ⌊lg T⌋ + 1 nodes stays within 12K ln³T/ε; corrected
    adds what Chernoff's bound leaves.
    """
    return total(terms_8(horizon, epsilon, gaps_min, gaps_max, list_size, smoothness, constants))


def terms_8(horizon, epsilon, gaps_min, gaps_max, list_size, smoothness, constants):
    """Learning, the tree's noise, first rounds, and rounds in which the noise is larger."""
    horizon = np.asarray(horizon, float)
    log, arms = np.log(horizon), len(gaps_min)
    gaps = np.array([gap for gap in gaps_min if gap > 0])[:, None]
    noise = 48 * smoothness * list_size * log**3 / epsilon
    if constants == "printed":
        needed = 256 * smoothness**2 * list_size**2 * log / gaps**2 + 96 * smoothness * list_size**2 * log**3 / (
            epsilon * gaps
        )
        inside = 256 * smoothness**2 * list_size**2 * log**4 / (epsilon * gaps**2)
        learn, inside = 16 * smoothness * np.sqrt(log) * needed, noise * (1 + np.log(np.maximum(inside, 1)))
        return (
            Term("learning", r"\sum_i 16 B_1 \sqrt{\ln T}\, n_i", learn.sum(axis=0)),
            Term(
                "the tree's noise",
                TREE % r"\frac{256 B_1^2 K^2 \ln^4 T}{\varepsilon (\Delta^i_{\min})^2}",
                inside.sum(axis=0),
            ),
            Term("each arm's first rounds", r"3\sum_i \Delta^i_{\max}", 3 * sum(gaps_max)),
        )
    wide = np.log(arms * horizon)
    needed = np.maximum(
        256 * smoothness**2 * list_size**2 * wide / gaps**2, 96 * smoothness * list_size**2 * log**3 / (epsilon * gaps)
    )
    learn, inside = 16 * smoothness * np.sqrt(wide * needed), noise * (1 + np.log(np.maximum(needed, 1)))
    larger = max(gaps_max) * horizon * np.minimum(1, arms * horizon * _node_sums(log))
    return (
        Term("learning", r"\sum_i 16 B_1 \sqrt{\ln(mT)\, n_i}", learn.sum(axis=0)),
        Term("the tree's noise", TREE % "n_i", inside.sum(axis=0)),
        Term("each arm's first rounds", r"3\sum_i \Delta^i_{\max}", 3 * sum(gaps_max)),
        Term("rounds with unlikely noise", r"T \Delta_{\max} \min\{1,\, m T P(\ldots)\}", larger),
    )


def _node_sums(log):
    """Chernoff's bound on P(|sum of ⌊lg T⌋ + 1 draws of Lap(1)| > 6 ln²T): 12K ln³T/ε in units of a node's 2K ln
    T/ε.
    """
    count, size = np.floor(log / math.log(2)) + 1, 6 * np.maximum(log, 1e-9) ** 2
    theta = (np.sqrt(count**2 + size**2) - count) / size
    return 2 * np.exp(-theta * size - count * np.log1p(-(theta**2)))


def private_price(epsilon: float) -> float:
    """1/(min{4, e^{2ε}} (e^ε − 1)²): by Duchi et al. (2018, Theorem 1) a private report of total variation τ has
    divergence τ² over it.
    """
    return math.exp(-min(math.log(4), 2 * epsilon) - 2 * epsilon) / math.expm1(-epsilon) ** 2


APART = "telling the super arms apart through private reports"
PRICE = {"printed": "64", "corrected": r"\min\{4, e^{2\varepsilon}\}"}


def theorem_5(epsilon, arms, gap, smoothness, constants):
    """(m − 1) B²/(c Δ) with c = 64 (e^ε − 1)² printed; corrected, c = min{4, e^{2ε}} (e^ε − 1)².

    Its step D(f_a || f*) <= 4Δ²/B² is false on its instance, whose arms have mean 0: D is −ln(1 − 2Δ/B) > 2Δ/B. It is
    not needed: the lemma is about total variation, which is Δ/B when the arm's mean is raised just above the best. So
    64 holds, and is slack.
    """
    if constants == "printed":
        return smoothness**2 * (arms - 1) / (64 * gap) * _square(epsilon)
    return smoothness**2 * (arms - 1) / gap * private_price(epsilon)


def terms_5(epsilon, arms, gap, smoothness, constants):
    """It is one."""
    formula = rf"\frac{{(m-1) B_\infty^2 \ln T}}{{{PRICE[constants]}\,(e^{{\varepsilon}}-1)^2\,\Delta}}"
    return (Term(APART, formula, theorem_5(epsilon, arms, gap, smoothness, constants)),)


def theorem_6(epsilon, arms, list_size, gap, smoothness, constants):
    """(m − K) K B²/(c Δ) with c as in Theorem 5, for B₁-smooth rewards.

    Its proof puts 8Δ²/(BK)² for a divergence of two means 2Δ/(BK) apart, which may be 32Δ²/(BK)². With total variation
    put in directly, and the mean raised just above the best, 64 becomes min{4, e^{2ε}} <= 4.
    """
    return theorem_5(epsilon, arms // list_size, gap, smoothness * list_size, constants)


def terms_6(epsilon, arms, list_size, gap, smoothness, constants):
    """It is one."""
    formula = rf"\frac{{(m-K)\,K B_1^2 \ln T}}{{{PRICE[constants]}\,(e^{{\varepsilon}}-1)^2\,\Delta}}"
    return (Term(APART, formula, theorem_6(epsilon, arms, list_size, gap, smoothness, constants)),)


def theorem_9(epsilon, arms, list_size, gap, smoothness, constants):
    """max{without privacy, with it}; printed max{B²K(m − K)/Δ, BK(m − 2K + 1)/(800 ε)}.

    Corrected, with δ = Δ/(BK): (⌊m/K⌋ − 1) Δ · max{1/kl(1/2 − δ, 1/2), 1/ln(1 + δ(e^ε − 1))}, both on disjoint paths of
    K arms
    alike: about B²K(m − K)/(2Δ) and, for small ε, B(m − K)/ε, without the factor K.
    The first printed constant is at least twice what KL-UCB over the paths loses. The second rests on public arms whose
    means are
    raised for one super arm: all bad super arms hold them, so all their plays tell the two instances apart, not those
    of the one. From K = 2 on it is not proved; our constant is the larger one all the same while ε is small and K <
    800.
    """
    return max(term.value for term in terms_9(epsilon, arms, list_size, gap, smoothness, constants))


def terms_9(epsilon, arms, list_size, gap, smoothness, constants):
    """Without privacy, and from it: the larger is the bound."""
    if constants == "printed":
        learn = smoothness**2 * list_size * (arms - list_size) / gap
        private = smoothness * list_size * (arms - 2 * list_size + 1) / (800 * epsilon)
        return (
            Term("without privacy", r"\frac{B_1^2 K (m-K)}{\Delta} \ln T", learn),
            Term("from privacy", r"\frac{B_1 K (m-2K+1)}{800\,\varepsilon} \ln T", private),
        )
    step = gap / (smoothness * list_size)
    distinct = np.logaddexp(math.log1p(-step), math.log(step) + epsilon)  # ln(1 + δ(e^ε − 1))
    lost, head = (arms // list_size - 1) * gap, r"\frac{(\lfloor m/K \rfloor - 1)\,\Delta \ln T}"
    return (
        Term("without privacy", head + r"{\mathrm{kl}(1/2 - d, 1/2)}", lost * (1 / kl(0.5 - step, 0.5))),
        Term("from privacy", head + r"{\ln(1 + d(e^{\varepsilon} - 1))}", lost * (1 / float(distinct))),
    )


def _square(epsilon: float) -> float:
    """1/(e^ε − 1)², for any ε."""
    return math.exp(-2 * epsilon) / math.expm1(-epsilon) ** 2


def hard_instance(theorem: int, arms: int, list_size: int, gap: float, smoothness: float = 1.0) -> Instance:
    """The instance on which Theorem 5, 6 or 9 is proved. Theorem 5's are single arms, whatever list_size: means Δ/B, 0,
    ..., 0.
    """
    bound = {int(b.name.rsplit("-", 1)[1]): b for b in BOUNDS if b.kind == "lower"}.get(theorem)
    if bound is None:
        raise ValueError(f"theorem = {theorem!r} is not allowed: it must be 5, 6 or 9.")
    given = {"arms": arms, "gap": gap, "smoothness": smoothness} | ({} if theorem == 5 else {"list_size": list_size})
    bound.evaluate(horizon=1, **given)  # the theorem's own checks
    if theorem == 5:
        return single_arms(**given)
    return (k_path if theorem == 6 else public_arms)(**given)


def _gaps(values) -> None:
    lowest, highest = values["gaps_min"], values["gaps_max"]
    if len(lowest) != len(highest) or any(low > high * (1 + 1e-9) for low, high in zip(lowest, highest, strict=True)):
        raise ValueError(
            "gaps_max is not allowed: it must have one entry for each of gaps_min, and none may be smaller."
        )


def _range(values) -> None:
    size, arms, gap, smoothness = values.get("list_size", 1), values["arms"], values["gap"], values["smoothness"]
    if gap >= RANGE * smoothness * size:
        divisor = "smoothness" if "list_size" not in values else "(smoothness·list_size)"
        raise ValueError(
            f"gap = {gap:g} is not allowed: the theorem asks for gap/{divisor} < {RANGE}, that is gap <"
            f" {RANGE * smoothness * size:.6g}."
        )
    if size > arms:
        raise ValueError(f"list_size = {size} is not allowed: it must be <= {arms}, the number of arms.")


def _multiple(values) -> None:
    _range(values)
    if values["arms"] % values["list_size"]:
        raise ValueError(
            f"arms = {values['arms']} is not allowed: it must be a multiple of list_size = {values['list_size']}."
        )


def _twice(values) -> None:
    _range(values)
    if values["arms"] < 2 * values["list_size"]:
        raise ValueError(
            f"arms = {values['arms']} is not allowed: it must be >= 2·list_size = {2 * values['list_size']}."
        )


def _notes_upper(horizon, value, epsilon, gaps_max, constants, **values):
    notes = vacuous(horizon, value, max(gaps_max))
    if epsilon > 1 and constants == "printed":
        notes += (
            (
                f"epsilon = {epsilon:g}: its proof covers the spread of the outcomes by that of the noise, which asks"
                " for epsilon <= 1."
            ),
        )
    return notes


def _notes_8(horizon, value, gaps_max, **values):
    return vacuous(horizon, value, max(gaps_max))


def _notes_9(horizon, value, epsilon, arms, list_size, constants, **values):
    if constants == "corrected":
        return ("the corrected constants are proved on disjoint paths (k-path).",)
    notes = ("its first term is at least twice what KL-UCB over disjoint paths loses.",)
    if list_size > 1:
        notes += (
            (
                "the second term is not proved for K > 1: every bad super arm holds the public arms, so all of their"
                " plays are informative."
            ),
        )
    return notes


#: Theorem number -> (formula in LaTeX, what its symbols mean and what a correction changes).
FORMULAS = {
    2: (
        r"R(T) \le \sum_i \frac{128\,B_\infty^2 K^2 \ln T}{\varepsilon^2 \Delta^i_{\min}} + "
        r"2m\,\Delta_{\max}",
        "i runs over the base arms that some bad super arm holds; corrected: 256, Σ Δ^i_max, and the "
        "chance that a noisy mean is missed",
    ),
    4: (
        r"R(T) \le \sum_i \frac{128\,B_\infty^2 \ln T}{\varepsilon^2 \Delta^i_{\min}} + "
        r"2m\,\Delta_{\max}",
        "i runs over the base arms that some bad super arm holds; corrected: 256, Σ Δ^i_max, and the "
        "chance that a noisy mean is missed",
    ),
    5: (
        r"\liminf_{T\to\infty} \frac{R(T)}{\ln T} \ge \frac{(m-1) "
        r"B_\infty^2}{64\,(e^{\varepsilon}-1)^2\,\Delta}",
        "m single arms; corrected: min{4, e^{2ε}} in place of 64",
    ),
    6: (
        r"\liminf_{T\to\infty} \frac{R(T)}{\ln T} \ge \frac{(m-K)\,K "
        r"B_1^2}{64\,(e^{\varepsilon}-1)^2\,\Delta}",
        "m base arms in disjoint paths of K; corrected: min{4, e^{2ε}} in place of 64",
    ),
    8: (
        r"R(T) \le \sum_i \Bigl[16 B_1 \sqrt{\ln T}\, n_i + \frac{48 B_1 K \ln^3 "
        r"T}{\varepsilon}\Bigl(1 + \ln\frac{256 B_1^2 K^2 \ln^4 T}{\varepsilon "
        r"(\Delta^i_{\min})^2}\Bigr)\Bigr] + 3\sum_i \Delta^i_{\max},\quad n_i = \frac{256 B_1^2 "
        r"K^2 \ln T}{(\Delta^i_{\min})^2} + \frac{96 B_1 K^2 \ln^3 T}{\varepsilon \Delta^i_{\min}}",
        "i runs over the base arms that some bad super arm holds; corrected: √n_i in the first term, the "
        "larger of the two in n_i, ln(mT), and the chance that the noise is larger",
    ),
    9: (
        r"\liminf_{T\to\infty} \frac{R(T)}{\ln T} \ge \max\Bigl\{\frac{B_1^2 K (m-K)}{\Delta},\; "
        r"\frac{B_1 K (m-2K+1)}{800\,\varepsilon}\Bigr\}",
        "m base arms; corrected, with d = Δ/(B₁K): (⌊m/K⌋ − 1) Δ · max{1/kl(1/2 − d, 1/2), 1/ln(1 + d(e^ε − 1))}",
    ),
}


TERMS: dict[int, Terms] = {2: terms_2, 4: terms_4, 5: terms_5, 6: terms_6, 8: terms_8, 9: terms_9}


def _upper(number, algorithm, title, function, parameters, smoothness, notes=_notes_upper):
    facts = ("gaps_min", "gaps_max", *(p.name for p in parameters), "smoothness")
    return Bound(
        f"chen-theorem-{number}",
        f"Regret of {title}",
        PAPER,
        f"Theorem {number}",
        "upper",
        "semi-bandit",
        (EPSILON, GAPS_MIN, GAPS_MAX, *parameters, B_INF if smoothness == "smoothness_inf" else B_1, CONSTANTS),
        function,
        notes,
        _gaps,
        facts,
        "top-k",
        algorithm,
        fact_names={"smoothness": smoothness},
        formula=FORMULAS[number][0],
        symbols=FORMULAS[number][1],
        terms=TERMS[number],
    )


def _lower(
    number,
    scope,
    title,
    function,
    parameters,
    smoothness,
    families,
    check,
    notes=lambda horizon, value, **values: (),
    maximum=False,
):
    return Bound(
        f"chen-theorem-{number}",
        title,
        PAPER,
        f"Theorem {number}",
        "lower",
        "semi-bandit",
        (EPSILON, *parameters, CONSTANTS),
        function,
        notes,
        check,
        tuple(p.name for p in parameters),
        asymptotic=True,
        fact_names={"gap": "gap_min", "smoothness": smoothness},
        scope=scope,
        families=families,
        maximum=maximum,
        formula=FORMULAS[number][0],
        symbols=FORMULAS[number][1],
        terms=TERMS[number],
        largest=maximum,
    )


BOUNDS = (
    _upper(2, "cucb-ldp1", "CUCB-LDP1", theorem_2, (SIZE,), "smoothness_inf"),
    _upper(4, "cucb-ldp2", "CUCB-LDP2", theorem_4, (), "smoothness_inf"),
    _upper(8, "cucb-dp", "CUCB-DP", theorem_8, (SIZE,), "smoothness_1", _notes_8),
    _lower(
        5,
        "local",
        "Least regret under local privacy, B_∞-smooth",
        theorem_5,
        (ARMS, SMALL_GAP, B_INF_HERE),
        "smoothness_inf",
        ("single-arms",),
        _range,
    ),
    _lower(
        6,
        "local",
        "Least regret under local privacy, B₁-smooth",
        theorem_6,
        (ARMS, LIST_SIZE, SMALL_GAP, B_1_HERE),
        "smoothness_1",
        ("k-path",),
        _multiple,
    ),
    _lower(
        9,
        "transcript",
        "Least regret under central privacy, B₁-smooth",
        theorem_9,
        (ARMS, LIST_SIZE, SMALL_GAP, B_1_HERE),
        "smoothness_1",
        ("public-arms", "k-path"),
        _twice,
        _notes_9,
        True,
    ),
)
