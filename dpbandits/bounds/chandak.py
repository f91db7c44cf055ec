"""The bounds of Chandak (2023) on matroid bandits, with constants. Δ_{e,k} = w̄(a*_k) − w̄(e); ε₀ = ε/K; L elements, n
rounds.

The thesis states them up to O(·). `constants="printed"` puts in the constants of its proofs: an element is compared
wrongly with a*_k at most while T_e <= 27 ln(Kn)/(Δ min{Δ, ε₀}) (72 for DPTS-MAT), which takes at most 4 times as many
plays. Two gaps in
the proofs: Lemma 18 bounds a gap in [2^−r, 2^−(r−1)) from above by 2^−r; and Lemma 27 conditions on the first elements
of A^t, which says something about θ of a*_k too, and on its place under π_t, which the later elements decide.

`constants="corrected"` is proved throughout:
- Lemma 20's left-hand side takes the place of its right-hand side. It is at most 2/Δ_min + min{K, 1 +
  ln(Δ_max/Δ_min)}/ε₀, so
  Lemma 18 is not needed at all.
- What Lemma 23 hides in O(1/K²) is added up: chances of at most (Kt)^−3/2 (noise) and (Kt)^−6 (weights) for each batch.
- Lemma 27, with the samples θ of all elements but a*_k held fixed: if an element with θ_e <= y is played in a*_k's
  place, then
  a*_k would be played if θ of a*_k exceeded y, since greedy has then kept only elements above y, and they leave room
  for it. So these rounds, whatever the e, are at most P(θ <= y)/P(θ > y) times those with a*_k, batch by batch.
  Elements whose gap to a*_k is within a factor of 2 share one y, and Σ_s 2^(s+1) E[P(θ <= y)/P(θ > y)] <= H/(w̄(a*_k) −
  y)², without any ln n.
"""

import functools
from dataclasses import replace

import numpy as np

from dpbandits.bounds.record import Bound, Term, total, vacuous
from dpbandits.parameters import CONSTANTS, EPSILON, Parameter

PAPER = "Chandak 2023"
GAP_TABLE = Parameter(
    "gap_table",
    "Δ_{e,k}: one vector for each element e outside the optimal basis, with its gap to each of the K elements inside",
    kind="vectors",
    low=-1,
    high=1,
    min_size=0,
)
#: sup over c > 0 of Σ_s 2 c 2^s h(√(c 2^s)), s over all integers, rounded up. h(a) bounds E[P(θ <= y)/P(θ > y)] at T =
#: (a/(w̄ − y))²
#: by Hoeffding's inequality: h(a) = ∫ (d/dz of Φ/(1 − Φ)) min{1, exp(−2 max(0, z + a)²)} dz, Φ the normal distribution
#: function.
H = 6.63


def lemma_20(gaps, epsilon_0: float) -> tuple[float, float, float]:
    """(left, right, sharper right) of Lemma 20 for gaps Δ_1 >= ... >= Δ_K > 0, at ε₀ > 0:

        Σ_k Δ_k (1/(Δ_k min{Δ_k, ε₀}) − 1/(Δ_{k−1} min{Δ_{k−1}, ε₀})) <= 2/Δ_K + min{K, 1 + ln(Δ_1/Δ_K)}/ε₀ <= 2/Δ_K +
        K/ε₀.

    The printed right-hand side has K alone. In the sharper one 1/min{Δ, ε₀} <= 1/Δ + 1/ε₀, Lemma 19, and 1 − x <= −ln
    x.
    """
    gaps = np.sort(np.asarray(gaps, float))[::-1]
    # summed by parts: Σ_k (1 − Δ_{k+1}/Δ_k)/min{Δ_k, ε₀} with Δ_{K+1} = 0
    left = float(((1 - np.append(gaps[1:], 0.0) / gaps) / np.minimum(gaps, epsilon_0)).sum())
    logarithm = 1 + np.log(gaps[0] / gaps[-1])
    return left, 2 / gaps[-1] + gaps.size / epsilon_0, 2 / gaps[-1] + min(gaps.size, logarithm) / epsilon_0


def _positive(gap_table) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """The positive gaps of each element e that has some, greatest first; and those to each a*_k, likewise."""
    table = np.array(gap_table, float)
    rows, columns = (table, table.T) if table.size else ((), ())
    of_rows, of_columns = ([np.sort(v[v > 0])[::-1] for v in side if (v > 0).any()] for side in (rows, columns))
    return of_rows, of_columns


def _rank(gap_table) -> int:
    return len(gap_table[0]) if len(gap_table) else 1


@functools.lru_cache(maxsize=256)
def _unlikely(rank: int) -> float:
    """Σ_t (number of batch sizes up to t)((Kt)^−3/2 + (Kt)^−6): rounds in which one given element's estimate is off. At
    most 1.8.
    """
    t = np.arange(1, 10_000.0)
    rest = 2.0e-7  # of the terms left out: the first one falls like lg(t)/(2 t³)
    return float(((np.floor(np.log2(t)) + 1) * ((rank * t) ** -3 / 2 + (rank * t) ** -6)).sum()) + rest


def _learning(horizon, epsilon, gap_table, constants, factor):
    """Σ_e factor·ln(Kn)·(2/Δ_{e,min} + min{K, lg(Kn)}/ε₀); corrected: Lemma 20's left-hand side, and what is
    unlikely.
    """
    rank, horizon = _rank(gap_table), np.asarray(horizon, float)
    elements, optimal = _positive(gap_table)
    log, epsilon_0 = np.log(rank * horizon), epsilon / rank
    head = rf"\sum_e {factor} \ln(Kn)"
    if constants == "printed":
        levels = np.minimum(rank, log / np.log(2)) / epsilon_0
        return (
            Term(
                "learning", rf"{head} \frac{{2}}{{\Delta_{{e,\min}}}}", factor * log * sum(2 / g[-1] for g in elements)
            ),
            Term(
                "noise",
                rf"{head} \frac{{K \min\{{K, \log_2(Kn)\}}}}{{\varepsilon}}",
                factor * log * len(elements) * levels,
            ),
        )
    both = sum(lemma_20(gaps, epsilon_0)[0] for gaps in elements)
    unlikely = _unlikely(rank) * sum(gaps[0] for gaps in (*elements, *optimal))
    steps = r"\sum_k \frac{1 - \Delta_{e,k+1}/\Delta_{e,k}}{\min\{\Delta_{e,k}, \varepsilon/K\}}"
    return (
        Term("learning through the noise", f"{head} {steps}", factor * log * both),
        Term(
            "rounds in which an estimate is off, u_K for each element (u_K ≤ 1.8)", r"u_K \sum \Delta_{\max}", unlikely
        ),
    )


def theorem_9(horizon, epsilon, gap_table, constants):
    """DPUCB-MAT: Σ_e 108 ln(Kn)(2/Δ_{e,min} + min{K, lg(Kn)} K/ε) over the elements e with a positive gap."""
    return total(terms_9(horizon, epsilon, gap_table, constants))


def terms_9(horizon, epsilon, gap_table, constants):
    """_learning with the constants of DPUCB-MAT."""
    return _learning(horizon, epsilon, gap_table, constants, 4 * 27)


def theorem_11(horizon, epsilon, gap_table, constants):
    """DPTS-MAT: as Theorem 9 with 288 for 108, plus Σ_k 4·288·2 ln(L²(n + e³²))/Δ_{min,k} over the optimal elements.

    Corrected: plus Σ_k Σ_r 9 H D_r/d_r², where d_r and D_r are the least and the greatest gap to a*_k in [2^−r,
    2^−(r−1)).
    """
    return total(terms_11(horizon, epsilon, gap_table, constants))


def terms_11(horizon, epsilon, gap_table, constants):
    """_learning with the constants of DPTS-MAT, and what the samples of the optimal elements cost."""
    rank, horizon = _rank(gap_table), np.asarray(horizon, float)
    learning = _learning(horizon, epsilon, gap_table, constants, 4 * 72)
    elements, optimal = _positive(gap_table)
    size, words = len(gap_table) + rank, "samples of optimal elements that are too small"
    if constants == "printed":
        each = 4 * 288 * np.log(size**2 * (horizon + np.exp(32))) * 2
        formula = r"\sum_{k=1}^{K} \frac{2304 \ln(L^2(n+e^{32}))}{\Delta_{\min,k}}"
        return (*learning, Term(words, formula, each * sum(1 / gaps[-1] for gaps in optimal)))
    low = sum(9 * H * group.max() / group.min() ** 2 for gaps in optimal for group in _within_two(gaps))
    rest = sum(gaps[0] for gaps in elements) / (horizon**3 * rank**4)
    return (
        *learning,
        Term(words, r"\sum_k \sum_r 9 H D_r/d_r^2", low),
        Term("samples of other elements that are too large", r"\frac{\sum_e \Delta_{e,\max}}{n^3 K^4}", rest),
    )


def _within_two(gaps) -> list[np.ndarray]:
    """The gaps in classes [2^−r, 2^−(r−1))."""
    classes = np.ceil(-np.log2(gaps))
    return [gaps[classes == r] for r in np.unique(classes)]


def _same_length(values) -> None:
    lengths = {len(row) for row in values["gap_table"]}
    if len(lengths) > 1 or 0 in lengths:
        raise ValueError(
            f"gap_table = rows of {sorted(lengths)} numbers is not allowed: each row must have K >= 1 numbers."
        )


def _notes(horizon, value, epsilon, gap_table, constants):
    _, optimal = _positive(gap_table)
    said = ("takes the factors O(1) of the thesis's proofs as 1.",) if constants == "printed" else ()
    why = (  # the worst basis may lose less
        "the largest gap to each element of the best basis, summed, times the horizon"
    )
    return (*said, *vacuous(horizon, value, sum(gaps[0] for gaps in optimal), why))


#: Theorem number -> (formula in LaTeX, what its symbols mean and what a correction changes).
FORMULAS = {
    9: (
        r"R(n) \le \sum_e 108 \ln(Kn) \Bigl(\frac{2}{\Delta_{e,\min}} + \frac{K \min\{K, "
        r"\log_2(Kn)\}}{\varepsilon}\Bigr)",
        "e runs over the elements outside the best basis, K is the rank; corrected: the sum of Lemma 20 "
        "itself, and what is unlikely",
    ),
    11: (
        r"R(n) \le \sum_e 288 \ln(Kn) \Bigl(\frac{2}{\Delta_{e,\min}} + \frac{K \min\{K, "
        r"\log_2(Kn)\}}{\varepsilon}\Bigr) + \sum_{k=1}^{K} \frac{2304 "
        r"\ln(L^2(n+e^{32}))}{\Delta_{\min,k}}",
        "e runs over the elements outside the best basis, K is the rank, L the number of elements; "
        "corrected: the last sum has no ln n, and Lemma 20 itself stands in the first",
    ),
}


BOUNDS = tuple(
    Bound(
        f"chandak-theorem-{number}",
        f"Regret of {title}",
        PAPER,
        f"Theorem {number}",
        "upper",
        "matroid",
        (replace(EPSILON, default=2.0), GAP_TABLE, CONSTANTS.default_to("corrected")),
        function,
        _notes,
        _same_length,
        ("gap_table",),
        "linear-matroid",
        algorithm,
        formula=FORMULAS[number][0],
        symbols=FORMULAS[number][1],
        terms=terms,
    )
    for number, title, function, terms, algorithm in (
        (9, "DPUCB-MAT", theorem_9, terms_9, "dpucb-mat"),
        (11, "DPTS-MAT", theorem_11, terms_11, "dpts-mat"),
    )
)
