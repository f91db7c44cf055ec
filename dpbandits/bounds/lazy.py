"""Upper bounds for the lazy algorithms of our own; the proofs stand above their kernels, in algorithms/semibandit
and cascade/lazy.py.
"""

import math
from dataclasses import replace

import numpy as np

from dpbandits.bounds.record import Bound, Term, total, vacuous
from dpbandits.environments.cascade import ITEMS, LIST_SIZE
from dpbandits.environments.semibandit.listing import SMOOTHNESS
from dpbandits.parameters import EPSILON, Parameter

GAPS_MIN = Parameter("gaps_min", "Δ^i_min of every base arm; 0 where no bad super arm holds it", kind="vector", low=0)
GAPS_MAX = Parameter("gaps_max", "Δ^i_max of every base arm", kind="vector", low=0)
SIZE = replace(LIST_SIZE, default=None, description="largest number K of base arms in a super arm")
B_INF = replace(SMOOTHNESS, default=None, description="B_∞ of the reward's smoothness")
COUNT = replace(ITEMS, default=None, description="number L of items")
LIST = replace(LIST_SIZE, default=None)
GAP_MIN = Parameter("gap_min", "least distance of an item outside the best list from one inside", low=0, high=1)
GAP_MAX = Parameter("gap_max", "greatest distance of an item outside the best list from one inside", low=0, high=1)
WORST = Parameter("worst_regret", "what the worst list loses in a round", low=0, high=1)


def failures(horizon, arms: int):
    """Σ_t min(1, 3m⌊lg t⌋ t^−2) over t <= T, for an array of horizons: the expected number of rounds in which some
    estimate is off.

    Summed up to 2^14, and beyond it by ∫ 3m lg t/t² dt from there, which is no less.
    """
    horizon, top = np.asarray(horizon, float), 1 << 14
    t = np.arange(1, top + 1)
    terms = np.minimum(1.0, 3 * arms * (np.frexp(t)[1] - 1) / t.astype(float) ** 2)
    sums = np.cumsum(terms)[np.minimum(horizon, top).astype(int) - 1]
    return sums + 3 * arms * (_tail(top) - _tail(np.maximum(horizon, top)))


def _tail(start):
    """∫ lg t/t² dt from `start` on."""
    return (np.log(start) + 1) / (start * math.log(2))


def semi_bandit(horizon, epsilon, gaps_min, gaps_max, list_size, smoothness):
    """Σ [128 B² ln T/Δ^i_min + (32 BK ln T/ε)(1 + ln(Δ^i_max/Δ^i_min)) + Δ^i_max] + Δ_max Σ_t min(1, 3m⌊lg t⌋ t^−2),
    B = B_∞.
    """
    return total(semi_bandit_terms(horizon, epsilon, gaps_min, gaps_max, list_size, smoothness))


def semi_bandit_terms(horizon, epsilon, gaps_min, gaps_max, list_size, smoothness):
    """Learning, privacy, first rounds, and rounds in which an estimate is off."""
    log = np.log(np.asarray(horizon, float))
    bad = [(low, high) for low, high in zip(gaps_min, gaps_max, strict=True) if low > 0]
    private = 32 * smoothness * list_size / epsilon * sum(1 + math.log(high / low) for low, high in bad)
    return (
        Term(
            "learning",
            r"\sum_i \frac{128 B^2 \ln T}{\Delta^i_{\min}}",
            128 * smoothness**2 * sum(1 / low for low, _ in bad) * log,
        ),
        Term(
            "privacy",
            r"\sum_i \frac{32 B K \ln T}{\varepsilon}\Big(1 + \ln\frac{\Delta^i_{\max}}{\Delta^i_{\min}}\Big)",
            private * log,
        ),
        Term("each arm's first rounds", r"\sum_i \Delta^i_{\max}", sum(high for _, high in bad)),
        Term(
            "rounds in which an estimate is off",
            r"\Delta_{\max} \sum_{t \le T} \min\{1,\, 3m\lfloor\lg t\rfloor t^{-2}\}",
            max(gaps_max) * failures(horizon, len(gaps_min)),
        ),
    )


def cascade(horizon, epsilon, items, list_size, gap_min, gap_max, worst_regret):
    """M L [128 ln T/Δ_min + (32 ln T/ε)(1 + ln(Δ_max/Δ_min)) + Δ_max] + (worst loss) Σ_t min(1, 3L⌊lg t⌋ t^−2), M =
    min(K, L − K).

    Infinite where Δ_min = 0: an item ties with the best list's last one.
    """
    return total(cascade_terms(horizon, epsilon, items, list_size, gap_min, gap_max, worst_regret))


def cascade_terms(horizon, epsilon, items, list_size, gap_min, gap_max, worst_regret):
    """Learning, privacy, first rounds, and rounds in which an estimate is off; one alone where a list cannot be bad, or
    where nothing is promised.
    """
    if list_size == items:
        return (Term("every list holds all items", "0", np.zeros(np.shape(horizon))),)
    if gap_min == 0:
        least = np.full(np.shape(horizon), math.inf if worst_regret else 0.0)
        return (Term("an item ties with the best list's last one", r"\Delta_{\min} = 0", least),)
    log, pairs = np.log(np.asarray(horizon, float)), min(list_size, items - list_size) * items
    return (
        Term("learning", r"M L \frac{128 \ln T}{\Delta_{\min}}", pairs * (128 / gap_min) * log),
        Term(
            "privacy",
            r"M L \frac{32 \ln T}{\varepsilon}\Big(1 + \ln\frac{\Delta_{\max}}{\Delta_{\min}}\Big)",
            pairs * (32 / epsilon * (1 + math.log(gap_max / gap_min))) * log,
        ),
        Term("each item's first rounds", r"M L \Delta_{\max}", pairs * gap_max),
        Term(
            "rounds in which an estimate is off",
            r"w \sum_{t \le T} \min\{1,\, 3L\lfloor\lg t\rfloor t^{-2}\}",
            worst_regret * failures(horizon, items),
        ),
    )


def _pairs(values) -> None:
    lowest, highest = values["gaps_min"], values["gaps_max"]
    if len(lowest) != len(highest) or any(low > high * (1 + 1e-9) for low, high in zip(lowest, highest, strict=True)):
        raise ValueError(
            "gaps_max is not allowed: it must have one entry for each of gaps_min, and none may be smaller."
        )


def _order(values) -> None:
    if values["gap_min"] > values["gap_max"]:
        raise ValueError(
            f"gap_max = {values['gap_max']:g} is not allowed: it must be >= gap_min = {values['gap_min']:g}."
        )
    if values["list_size"] > values["items"]:
        raise ValueError(f"list_size = {values['list_size']} is not allowed: it must be <= items = {values['items']}.")


BOUNDS = (
    Bound(
        "cucb-dp-lazy-upper", "Regret of lazy CUCB under central privacy", "ours", "", "upper", "semi-bandit",
        (EPSILON, GAPS_MIN, GAPS_MAX, SIZE, B_INF), semi_bandit,
        lambda horizon, value, gaps_max, **values: vacuous(horizon, value, max(gaps_max)),
        _pairs, ("gaps_min", "gaps_max", "list_size", "smoothness"), "top-k", "cucb-dp-lazy",
        fact_names={"smoothness": "smoothness_inf"},
        formula=(
            r"R(T) \le \sum_i \Big[\frac{128 B^2 \ln T}{\Delta^i_{\min}} + \frac{32 B K \ln T}{\varepsilon}"
            r"\Big(1 + \ln\frac{\Delta^i_{\max}}{\Delta^i_{\min}}\Big) + \Delta^i_{\max}\Big]"
            r" + \Delta_{\max} \sum_{t \le T} \min\{1,\, 3m\lfloor\lg t\rfloor t^{-2}\}"
        ),
        symbols="Δ^i: gaps of bad super arms that hold arm i; B: B_∞ of the reward; K: size of a super arm; m: arms",
        terms=semi_bandit_terms,
    ),
    Bound(
        "cascade-dp-lazy-upper", "Regret of lazy cascading UCB under central privacy", "ours", "", "upper", "cascade",
        (EPSILON, COUNT, LIST, GAP_MIN, GAP_MAX, WORST), cascade,
        lambda horizon, value, worst_regret, **values: vacuous(horizon, value, worst_regret),
        _order, ("items", "list_size", "gap_min", "gap_max", "worst_regret"), "cascade", "cascade-dp-lazy",
        formula=(
            r"R(T) \le M L \Big[\frac{128 \ln T}{\Delta_{\min}} + \frac{32 \ln T}{\varepsilon}"
            r"\Big(1 + \ln\frac{\Delta_{\max}}{\Delta_{\min}}\Big) + \Delta_{\max}\Big]"
            r" + w \sum_{t \le T} \min\{1,\, 3L\lfloor\lg t\rfloor t^{-2}\}"
        ),
        symbols="Δ: distances of items outside the best list from those inside; M = min(K, L − K); w: worst loss",
        terms=cascade_terms,
    ),
)  # fmt: skip
