"""The bounds of Wang et al. (2021, arXiv), Theorems 2 to 12. Δ_{e,K} is the distance of item e from the K-th best.

`constants`: "printed" as the theorem states it, "corrected" as its proof gives it once its slips are mended; where they
differ, the docstring says why.
"""

import functools
import math
from dataclasses import replace

import numpy as np

from dpbandits.algorithms.cascade.local import composed_scale
from dpbandits.algorithms.kl import kl
from dpbandits.bounds.record import Bound, Term, Terms, total, vacuous
from dpbandits.environments.cascade import ITEMS, LIST_SIZE, check_list_size
from dpbandits.parameters import CONSTANTS, DELTA, EPSILON, Parameter

PAPER = "Wang et al. 2021"
DELTA_HERE = replace(DELTA, default=1e-3, open_high=True)
GAPS = Parameter(
    "gaps",
    "Δ_{e,K} of each of the L − K items outside the best list; one number for all where `items` is given",
    kind="vector",
    low=0,
    high=1,
    min_size=0,
)
COUNT = replace(ITEMS, default=None, description="number L of items; left out, K + the number of gaps")
SIZE = replace(LIST_SIZE, default=None)
XI = Parameter("xi", "ξ of the exponent 1 + ξ", 0.5, low=0, open_low=True, suggested=0.5)
C1 = Parameter(
    "c1", "constant c₁ of the hybrid counter's error; the algorithm is run with 1", 1.0, low=0, open_low=True
)
C2 = Parameter("c2", "constant c₂ of the theorem, not given in the paper", 0.0, low=0)
ARMS = Parameter("arms", "number m of base arms", kind="integer", low=1, required=True)
ARMS_AT_ONCE = Parameter(
    "list_size", "largest number K of base arms in a super arm", kind="integer", low=1, required=True
)
GAP_INVERSE = Parameter(
    "gap_inverse", "f⁻¹(Δ_min), f the bounded smoothness function", low=0, open_low=True, required=True
)
GAP_MAX = Parameter("gap_max", "Δ_max, the largest loss of a super arm", low=0, required=True)
P = Parameter("p", "attraction of the K best items", 0.2, low=0, high=1, open_low=True, open_high=True)
GAP = Parameter("gap", "Δ: all other items have attraction p − Δ", 0.15, low=0, high=1, open_low=True)


def complete(values) -> None:
    """Bring gaps, items and list_size together. Raises ValueError where they contradict each other."""
    size, items, gaps = values["list_size"], values["items"], values["gaps"]
    values["items"] = items = size + len(gaps) if items is None else items
    check_list_size(size, items)
    if len(gaps) == 1:
        values["gaps"] = gaps = gaps * (items - size)
    if len(gaps) != items - size:
        raise ValueError(
            f"gaps has {len(gaps)} entries: it must have one for all, or one for each of the {items - size} items"
            " outside the best list."
        )


def inverse_gaps(gaps) -> float:
    """Σ_e 1/Δ_{e,K}, infinite where an item ties with the K-th best."""
    return math.inf if 0 in gaps else float(sum(1 / gap for gap in gaps))


def theorem_2(horizon, epsilon, gaps, items, list_size, xi, c1, c2):
    """Σ 192/Δ_{e,K} · ((c₁L/ε) ln T)^{1+ξ} + (2π²/3) L + c₂. Printed; its proof ends with K in place of L and Δ^ξ in
    place of Δ.
    """
    return total(terms_2(horizon, epsilon, gaps, items, list_size, xi, c1, c2))


def terms_2(horizon, epsilon, gaps, items, list_size, xi, c1, c2):
    """The counters' noise, what is unlikely, and c₂."""
    noise = 192 * inverse_gaps(gaps) * (c1 * items / epsilon * np.log(horizon)) ** (1 + xi)
    formula = r"\sum_e \frac{192}{\Delta_{e,K}} \Bigl(\frac{c_1 L}{\varepsilon}\ln T\Bigr)^{1+\xi}"
    return (
        Term("learning from noisy counters", formula, noise),
        Term("rounds in which an estimate is off", r"\frac{2\pi^2}{3} L", 2 * math.pi**2 / 3 * items),
        Term("a constant that the paper does not give", "c_2", c2),
    )


def log_smallest_b(xi: float) -> float:
    """ln of the smallest B from which on B^ξ >= (1 + ξ)^1.5 ln^1.5 B, as the proof of Theorem 2 needs it.

    With y = ln B: ξy − 1.5 ln y − 1.5 ln(1 + ξ) falls until y = 1.5/ξ and rises after it; its larger root, or 0.
    """
    y = 1.5 / xi

    def excess(y):
        return xi * y - 1.5 * math.log(y) - 1.5 * math.log1p(xi)

    if excess(y) >= 0:
        return 0.0
    low, high = y, 2 * y
    while excess(high) < 0:
        low, high = high, 2 * high
    for _ in range(100):
        y = (low + high) / 2
        low, high = (y, high) if excess(y) < 0 else (low, y)
    return high


def laplace_tails(horizon):
    """Bound on how often, in T rounds, one item with fewer than 3 ln t reports can be underestimated by the Laplace
    noise.

    Σ_t Σ_{s < 3 ln t} P(Y_s > b sqrt(24 s ln t)), Y_s a sum of s draws of Lap(b), each by Chernoff's bound; the proof
    of Theorem 4 leaves these out. Not O(ln T): the first terms alone are about T exp(−sqrt(24 ln T)). Late rounds are
    taken in blocks (2^j, 2^{j+1}], each at its first round's probability.
    """
    horizon = np.asarray(horizon, float)
    edges = np.concatenate([np.arange(2, 1025.0), 2.0 ** np.arange(11, 2 + max(11, math.log2(horizon.max())))])
    starts, ends = edges[:-1], edges[1:]  # rounds starts <= t < ends
    chances = np.array([_underestimated(float(t), float(end)) for t, end in zip(starts, ends, strict=True)])
    return np.clip(horizon[..., None] + 1 - starts, 0, ends - starts) @ chances


@functools.cache
def _underestimated(t: float, end: float) -> float:
    """Chernoff's bound of laplace_tails in round t, for the numbers of reports that are too few in a round before
    `end`.
    """
    s = np.arange(1, math.ceil(3 * math.log(end)))
    size = np.sqrt(24 * s * math.log(t))
    theta = (np.sqrt(s**2 + size**2) - s) / size
    return min(1.0, float(np.sum(np.exp(-theta * size - s * np.log1p(-(theta**2))))))


def laplace_bound(horizon, gaps, items, list_size, scale, constants):
    """Theorems 4 and 8 with noise Lap(scale): c Σ (sqrt(1.5) + scale·sqrt(24))²/Δ_{e,K} · ln T + (2π²/3) L.

    Printed c = 4. Its proof squares Δ <= 2(c_{t,s} + h_{t,s}) to T(e) <= 2(…)² ln t/Δ² where it is 4(…)², so c = 8; and
    Lemma 5 needs s >= 3 ln t reports, which the best K items may not have: K · laplace_tails(T) is added.
    """
    return total(laplace_terms(horizon, gaps, items, list_size, scale, constants))


def laplace_terms(horizon, gaps, items, list_size, scale, constants):
    """c Σ (1.5 + 12b + 24b²)/Δ ln T, b the scale, part by part, and what is unlikely."""
    factor = 4 if constants == "printed" else 8
    order = factor * inverse_gaps(gaps) * np.log(horizon)
    each = lambda number: rf"{factor} \sum_e \frac{{{number}}}{{\Delta_{{e,K}}}} \ln T"
    terms = (
        Term("learning", each("1.5"), 1.5 * order),
        Term("learning and noise", each("12 b"), 12 * scale * order),
        Term("noise, b its scale", each("24 b^2"), 24 * scale**2 * order),
        Term("rounds in which an estimate is off", r"\frac{2\pi^2}{3} L", 2 * math.pi**2 / 3 * items),
    )
    if constants == "printed":
        return terms
    rare = Term("rounds after too few reports", r"K \sum_{t \le T} P(\ldots)", list_size * laplace_tails(horizon))
    return (*terms, rare)


def theorem_4(horizon, epsilon, gaps, items, list_size, constants):
    """laplace_bound with scale K/ε."""
    return laplace_bound(horizon, gaps, items, list_size, list_size / epsilon, constants)


def terms_4(horizon, epsilon, gaps, items, list_size, constants):
    """laplace_terms with scale K/ε."""
    return laplace_terms(horizon, gaps, items, list_size, list_size / epsilon, constants)


def theorem_8(horizon, epsilon, delta, gaps, items, list_size, constants):
    """laplace_bound with scale sqrt(4K ln(e + ε/δ))/ε. The theorem prints O(K log(1/δ) log T/ε²); the constants are
    Theorem 4's.
    """
    return laplace_bound(horizon, gaps, items, list_size, composed_scale(list_size, epsilon, delta), constants)


def terms_8(horizon, epsilon, delta, gaps, items, list_size, constants):
    """laplace_terms with theorem_8's scale."""
    return laplace_terms(horizon, gaps, items, list_size, composed_scale(list_size, epsilon, delta), constants)


def theorem_6(horizon, epsilon, delta, gaps, items, list_size, constants):
    """Σ 2 (2 sqrt(1.5) + (8/ε) sqrt(K ln(1.25/δ)))²/Δ_{e,K} · ln T; corrected, + (π²/2) L.

    The additive term is missing in print: π²/3 for the clicks and Σ_t Σ_{s<=t} t⁻³ <= π²/6 for the noise, for each
    item.
    """
    return total(terms_6(horizon, epsilon, delta, gaps, items, list_size, constants))


def terms_6(horizon, epsilon, delta, gaps, items, list_size, constants):
    """2 Σ (6 + 4 sqrt(1.5) s + s²)/Δ ln T with s = (8/ε) sqrt(K ln(1.25/δ)), part by part; corrected, what is
    unlikely.
    """
    noise = 8 / epsilon * math.sqrt(list_size * math.log(1.25 / delta))
    order = 2 * inverse_gaps(gaps) * np.log(horizon)
    each = lambda number: rf"2 \sum_e \frac{{{number}}}{{\Delta_{{e,K}}}} \ln T"
    terms = (
        Term("learning", each("6"), 6 * order),
        Term("learning and noise", each(r"4\sqrt{1.5}\, s"), 4 * math.sqrt(1.5) * noise * order),
        Term("noise, s = (8/ε)√(K ln(1.25/δ))", each("s^2"), noise**2 * order),
    )
    if constants == "printed":
        return terms
    return (*terms, Term("rounds in which an estimate is off", r"\frac{\pi^2}{2} L", math.pi**2 / 2 * items))


def theorem_10(horizon, epsilon, delta, arms, list_size, gap_inverse, gap_max, constants):
    """[128 K ln(1.25/δ) ln T/(min{ε², 2} f⁻¹(Δ_min)²) + π²/3 + 1] m Δ_max; corrected, 2(1 + ln T) more in the bracket.

    The proof bounds the noise of T_i reports at each value of T_i with probability 1 − 2t⁻² and forgets to add up the t
    values that T_i may have: 2/t in round t.
    """
    return total(terms_10(horizon, epsilon, delta, arms, list_size, gap_inverse, gap_max, constants))


def terms_10(horizon, epsilon, delta, arms, list_size, gap_inverse, gap_max, constants):
    """Learning through the noise, first rounds, and what is unlikely."""
    log_t, worst = np.log(horizon), arms * gap_max
    learn = 128 * list_size * math.log(1.25 / delta) * log_t / (min(epsilon**2, 2) * gap_inverse**2)
    formula = r"\frac{128 K \ln(1.25/\delta) \ln T}{\min\{\varepsilon^2, 2\} f^{-1}(\Delta_{\min})^2} m \Delta_{\max}"
    terms = (
        Term("learning through the noise", formula, learn * worst),
        Term("rounds in which an estimate is off", r"\frac{\pi^2}{3} m \Delta_{\max}", math.pi**2 / 3 * worst),
        Term("each arm's first round", r"m \Delta_{\max}", worst),
    )
    if constants == "printed":
        return terms
    return (*terms, Term("rounds with unlikely noise", r"2(1 + \ln T) m \Delta_{\max}", 2 * (1 + log_t) * worst))


def theorem_11(epsilon, items, list_size, p, gap):
    """(L − K) p (1 − p)^K/(2 min{4, e^{2ε}} (e^ε − 1)² Δ), on liminf R(T)/ln T of a consistent ε-locally private
    algorithm.
    """
    log = math.log(2) + min(math.log(4), 2 * epsilon) + 2 * (epsilon + math.log(-math.expm1(-epsilon)))
    return (items - list_size) * p * (1 - p) ** list_size / gap * math.exp(-log)


def terms_11(epsilon, items, list_size, p, gap):
    """It is one."""
    formula = r"\frac{(L-K)\, p\,(1-p)^{K}}{2\min\{4, e^{2\varepsilon}\}(e^{\varepsilon}-1)^2\,\Delta} \ln T"
    return (
        Term("telling the items apart through private reports", formula, theorem_11(epsilon, items, list_size, p, gap)),
    )


def theorem_12(epsilon, items, list_size, p, gap):
    """(L − K)(1 − p)^{K−1} · max{Δ/kl(p − Δ, p), 1/(200 ε)}, on liminf R(T)/ln T of a consistent ε-private algorithm.

    The theorem prints Ω(1/Δ + 1/ε); these are the two constants of its proof: Kveton et al. (2015, Theorem 4) without
    privacy, and Claim 14 of Shariff & Sheffet (2018). Both hold, so the larger does.
    """
    return max(term.value for term in terms_12(epsilon, items, list_size, p, gap))


def terms_12(epsilon, items, list_size, p, gap):
    """Without privacy, and from it: the larger is the bound."""
    share, head = (items - list_size) * (1 - p) ** (list_size - 1), "(L-K)(1-p)^{K-1}"
    return (
        Term(
            "without privacy",
            rf"{head} \frac{{\Delta \ln T}}{{\mathrm{{kl}}(p-\Delta, p)}}",
            share * (gap / kl(p - gap, p)),
        ),
        Term("from privacy", rf"{head} \frac{{\ln T}}{{200\,\varepsilon}}", share * (1 / (200 * epsilon))),
    )


def _feasible(values) -> None:
    check_list_size(values["list_size"], values["items"])
    if values["gap"] >= values["p"]:
        raise ValueError(f"gap = {values['gap']:g} is not allowed: it must be > 0 and < p = {values['p']:g}.")


def _notes(horizon, value, gaps, **values) -> tuple[str, ...]:
    if 0 in gaps:
        return ("void: the theorem asks for a unique best list, but an item ties with its last one (gap 0).",)
    if value >= horizon:
        return (f"says nothing at this horizon: no algorithm loses more than one click a round, {horizon:g} in all.",)
    return ()


def _notes_2(horizon, value, epsilon, gaps, items, xi, c1, **values):
    notes = _notes(horizon, value, gaps)
    if gaps and 0 not in gaps:
        log_log = log_smallest_b(xi) + math.log(epsilon * max(gaps) / (6 * c1 * items))  # ln ln T
        if math.exp(min(log_log, 700)) > math.log(horizon):
            notes += (f"its proof with ξ = {xi:g} is for horizons of about e^({_power(log_log)}) and more.",)
    return notes


def _power(log: float) -> str:
    return f"{math.exp(log):.3g}" if log < 700 else f"e^{log:.4g}"


def _notes_gauss(horizon, value, epsilon, gaps, **values):
    notes = _notes(horizon, value, gaps)
    if epsilon > 1:
        notes += (
            f"epsilon = {epsilon:g} is beyond the Gaussian mechanism's theorem, which is proved for 0 < epsilon <= 1.",
        )
    return notes


def _notes_composed(horizon, value, epsilon, gaps, **values):
    notes = _notes(horizon, value, gaps)
    if epsilon > 0.9:
        notes += (f"epsilon = {epsilon:g} is beyond the composition theorem, which is stated for 0 < epsilon <= 0.9.",)
    return (*notes, "the theorem prints an order only, O(K log(1/δ) log T/ε²): the constants are those of Theorem 4.")


def _notes_10(horizon, value, epsilon, delta, arms, list_size, gap_inverse, gap_max, constants):
    notes = ()
    if list_size * math.log(1.25 / delta) < 3 / 8:
        notes += ("its proof needs K ln(1.25/delta) >= 3/8, so that the privacy term covers the sampling error.",)
    return notes + vacuous(horizon, value, gap_max)


def _notes_11(horizon, value, epsilon, items, list_size, p, gap):
    return (
        (
            "on one instance: K items at p, the others at p − Δ. With p = 1/K and ε → 0 it is about (L − K)/(2eKΔε²):"
            " the remark after the theorem leaves out the factor 1/K."
        ),
    )


def _notes_12(horizon, value, epsilon, items, list_size, p, gap):
    share = (items - list_size) * (1 - p) ** (list_size - 1)
    without, private = share * gap / kl(p - gap, p), share / (200 * epsilon)
    return (
        (
            f"on one instance: K items at p, the others at p − Δ. Rates: {without:.6g} without privacy, {private:.6g}"
            " from it."
        ),
    )


#: Theorem number -> (formula in LaTeX, what its symbols mean and what a correction changes).
FORMULAS = {
    2: (
        r"R(T) \le \sum_{e} \frac{192}{\Delta_{e,K}} \Bigl(\frac{c_1 L}{\varepsilon}\ln "
        r"T\Bigr)^{1+\xi} + \frac{2\pi^2}{3} L + c_2",
        "e runs over the L − K items outside the best list, Δ_{e,K} is the gap to its last item; ξ > 0, c₁ "
        "of the hybrid counter",
    ),
    4: (
        r"R(T) \le 4 \sum_{e} \frac{\bigl(\sqrt{1.5} + "
        r"\frac{K}{\varepsilon}\sqrt{24}\bigr)^2}{\Delta_{e,K}} \ln T + \frac{2\pi^2}{3} L",
        "e runs over the L − K items outside the best list; corrected: 8 in place of 4, and K times the "
        "chance of few reports",
    ),
    6: (
        r"R(T) \le 2 \sum_{e} \frac{\bigl(2\sqrt{1.5} + "
        r"\frac{8}{\varepsilon}\sqrt{K\ln(1.25/\delta)}\bigr)^2}{\Delta_{e,K}} \ln T",
        "e runs over the L − K items outside the best list; corrected: + (π²/2) L",
    ),
    8: (
        r"R(T) \le 4 \sum_{e} \frac{\bigl(\sqrt{1.5} + \frac{1}{\varepsilon}\sqrt{96 K "
        r"\ln(e+\varepsilon/\delta)}\bigr)^2}{\Delta_{e,K}} \ln T + \frac{2\pi^2}{3} L",
        "printed as O(K ln(1/δ) ln T/ε²); the constants are Theorem 4's, with the scale √(4K ln(e + ε/δ))/ε",
    ),
    10: (
        r"R(T) \le \Bigl[\frac{128 K \ln(1.25/\delta) \ln T}{\min\{\varepsilon^2, 2\}\, "
        r"f^{-1}(\Delta_{\min})^2} + \frac{\pi^2}{3} + 1\Bigr] m\, \Delta_{\max}",
        "m base arms, f the bounded smoothness function; corrected: 2(1 + ln T) more in the bracket",
    ),
    11: (
        r"\liminf_{T\to\infty} \frac{R(T)}{\ln T} \ge \frac{(L-K)\, p\,(1-p)^{K}}{2\min\{4, "
        r"e^{2\varepsilon}\}(e^{\varepsilon}-1)^2\,\Delta}",
        "L items, the K best of attraction p, all others p − Δ; for consistent ε-locally private algorithms",
    ),
    12: (
        r"\liminf_{T\to\infty} \frac{R(T)}{\ln T} \ge (L-K)(1-p)^{K-1} "
        r"\max\Bigl\{\frac{\Delta}{\mathrm{kl}(p-\Delta, p)},\; \frac{1}{200\,\varepsilon}\Bigr\}",
        "L items, the K best of attraction p, all others p − Δ; printed as Ω(1/Δ + 1/ε), with the "
        "constants of its proof",
    ),
}


TERMS: dict[int, Terms] = {2: terms_2, 4: terms_4, 6: terms_6, 8: terms_8, 10: terms_10, 11: terms_11, 12: terms_12}


def _upper(number, algorithm, title, function, parameters, notes=_notes):
    return Bound(
        f"cascading-theorem-{number}",
        f"Regret of {title}",
        PAPER,
        f"Theorem {number}",
        "upper",
        "cascade",
        (*parameters, GAPS, COUNT, SIZE),
        function,
        notes,
        complete,
        ("gaps", "list_size"),
        "cascade",
        algorithm,
        formula=FORMULAS[number][0],
        symbols=FORMULAS[number][1],
        terms=TERMS[number],
    )


def _lower(number, scope, title, function, notes, maximum=False):
    return Bound(
        f"cascading-theorem-{number}",
        title,
        PAPER,
        f"Theorem {number}",
        "lower",
        "cascade",
        (EPSILON, ITEMS, LIST_SIZE, P, GAP),
        function,
        notes,
        _feasible,
        ("items", "list_size", "p", "gap"),
        asymptotic=True,
        scope=scope,
        maximum=maximum,
        formula=FORMULAS[number][0],
        symbols=FORMULAS[number][1],
        terms=TERMS[number],
        largest=maximum,
    )


BOUNDS = (
    _upper(2, "cascade-dp", "cascading UCB under central privacy", theorem_2, (EPSILON, XI, C1, C2), _notes_2),
    _upper(4, "cascade-ldp-laplace", "cascading UCB with local Laplace noise", theorem_4, (EPSILON, CONSTANTS)),
    _upper(
        6,
        "cascade-ldp-gauss",
        "cascading UCB with local Gaussian noise",
        theorem_6,
        (EPSILON, DELTA_HERE, CONSTANTS),
        _notes_gauss,
    ),
    _upper(
        8,
        "cascade-ldp-composed",
        "cascading UCB with composed local noise",
        theorem_8,
        (EPSILON, DELTA_HERE, CONSTANTS),
        _notes_composed,
    ),
    Bound(
        "cascading-theorem-10",
        "Regret of CUCB with local Gaussian noise",
        PAPER,
        "Theorem 10",
        "upper",
        "semi-bandit",
        (EPSILON, DELTA_HERE, ARMS, ARMS_AT_ONCE, GAP_INVERSE, GAP_MAX, CONSTANTS),
        theorem_10,
        _notes_10,
        facts=("arms", "list_size", "gap_inverse", "gap_max"),
        algorithm="cucb-ldp-gauss",
        formula=FORMULAS[10][0],
        symbols=FORMULAS[10][1],
        terms=TERMS[10],
    ),
    _lower(11, "local", "Least regret of a locally private algorithm", theorem_11, _notes_11),
    _lower(12, "transcript", "Least regret of a centrally private algorithm", theorem_12, _notes_12, True),
)
