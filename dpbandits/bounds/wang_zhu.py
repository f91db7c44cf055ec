"""The bounds of Wang & Zhu (2024). Δ_i is the gap of arm i; sums run over the arms with Δ_i > 0.

`constants`: "printed" as the theorem states it, "corrected" as its proof gives it once its slip is mended.
"""

import numpy as np

from dpbandits.bounds.record import Bound, Term, Terms, arm_by_arm, total, vacuous
from dpbandits.mechanisms.perturbations import check_pair, pulls_needed_beta, pulls_needed_gauss, two_sided_width
from dpbandits.parameters import CONSTANTS, DELTA, DELTA_OR_ZERO, EPSILON_OR_ZERO, Parameter

PAPER = "Wang & Zhu 2024"
GAPS = Parameter(
    "gaps",
    "distance of each arm's mean from the best; a 0 is the best arm, which is added when none is given",
    kind="vector",
    low=0,
    high=1,
)
SLACK = Parameter("slack", "λ of the theorem; left out, half of its upper limit", low=0, open_low=True)
C0 = Parameter(
    "c0", "regret is at most c0·T^alpha on every instance", low=0, open_low=True, required=True, suggested=1.0
)
ALPHA = Parameter(
    "alpha",
    "regret is at most c0·T^alpha on every instance",
    low=0,
    high=1,
    open_high=True,
    required=True,
    suggested=0.5,
)

width = np.vectorize(two_sided_width, otypes=[float], doc="two_sided_width for arrays of odds.")


def suboptimal(gaps) -> np.ndarray:
    """The positive gaps as a column, to be summed over against a row of horizons."""
    gaps = np.asarray(gaps, float)
    return gaps[gaps > 0][:, None]


def arms_of(gaps) -> int:
    """Number of arms; a best arm is counted even if its 0 was not given."""
    return len(gaps) + (0.0 not in gaps)


def _pair(values) -> None:
    check_pair(values["epsilon"], values["delta"])


def theorem_4(horizon, epsilon, delta, c0, alpha):
    """max(0, (1/(16ε)) ln[((e^ε−1)T^{1−α} + 5δT^{1−α})/(40c₀(e^ε−1) + 5δT^{1−α})]); 0 also where T is too small for the
    theorem.

    The regret of some two-armed instance, for an (ε, δ)-globally private algorithm with regret at most c₀T^α
    everywhere.
    """
    value = _unconditional_4(horizon, epsilon, delta, c0, alpha)
    return np.where(horizon >= 48 * value, np.maximum(value, 0), 0)  # T >= (3/ε) ln[…]


def terms_4(horizon, epsilon, delta, c0, alpha):
    """It is one."""
    formula = r"\frac{1}{16\varepsilon} \ln[\ldots]"
    return (Term("what the promise costs", formula, theorem_4(horizon, epsilon, delta, c0, alpha)),)


def _unconditional_4(horizon, epsilon, delta, c0, alpha):
    room = np.asarray(horizon, float) ** (1 - alpha)
    if epsilon == 0:
        return (room - 40 * c0) / (80 * delta * room)
    grown, rest = -np.expm1(-epsilon), np.exp(-epsilon)  # numerator and denominator divided by e^ε
    return np.log1p((room - 40 * c0) * grown / (40 * c0 * grown + 5 * delta * room * rest)) / (16 * epsilon)


def _notes_4(horizon, value, epsilon, delta, c0, alpha):
    free = float(_unconditional_4(horizon, epsilon, delta, c0, alpha))
    if free <= 0:
        return (
            (
                f"void: T^(1−α) = {horizon ** (1 - alpha):.6g} does not exceed 40·c0 = {40 * c0:.6g}, so the logarithm"
                " is not positive."
            ),
        )
    if horizon < 48 * free:
        return (f"void: the theorem asks for a horizon of at least {48 * free:.6g} here.",)
    return ("for some two-armed instance, and for algorithms that are private as a whole transcript (global privacy).",)


def _slack_limit(share: float):
    def check(values) -> None:
        gaps = suboptimal(values["gaps"])
        if gaps.size == 0:
            return
        limit = share * float(gaps.min())
        if values["slack"] is None:
            values["slack"] = limit / 2
        elif values["slack"] >= limit:
            raise ValueError(
                f"slack = {values['slack']:g} is not allowed: it must be > 0 and < {limit:.6g}, {share:g} of the"
                " smallest gap."
            )

    return check


def theorem_11(horizon, epsilon, delta, gaps, slack, constants):
    """Σ max{2Δ ln T/(Δ − 2λ)², N_G* Δ}, with λ = `slack` < Δ_min/2; the theorem's Θ(N/λ⁴) has no constant and is left
    out.

    Corrected, 4 in place of 2: θ has variance 2/N, so it exceeds its mean by Δ − 2λ with probability at most
    exp(−N(Δ − 2λ)²/4), which is 1/T from N = 4 ln T/(Δ − 2λ)² on. The proof (Fact 6) takes the variance 1/N there.
    """
    return total(terms_11(horizon, epsilon, delta, gaps, slack, constants))


def terms_11(horizon, epsilon, delta, gaps, slack, constants):
    """Learning and the start phase, each of the arms where it is the larger."""
    gap, factor = suboptimal(gaps), 4 if constants == "corrected" else 2
    learn = factor * gap / (gap - 2 * (slack or 0)) ** 2 * np.log(horizon)
    return arm_by_arm(
        ("learning", rf"\frac{{{factor}\Delta_i \ln T}}{{(\Delta_i-2\lambda)^2}}", learn),
        ("start phase", r"N_G^*\Delta_i", pulls_needed_gauss(epsilon, delta) * gap),
    )


def theorem_13(horizon, epsilon, delta, gaps, slack):
    """Σ max{5Δ ln T/(2(Δ − 5λ/2)²), N_B* Δ}, with λ = `slack` < 2Δ_min/5; the theorem's Θ(N/λ⁴) has no constant and is
    left out.
    """
    return total(terms_13(horizon, epsilon, delta, gaps, slack))


def terms_13(horizon, epsilon, delta, gaps, slack):
    """Learning and the start phase, each of the arms where it is the larger."""
    gap = suboptimal(gaps)
    learn = 2.5 * gap / (gap - 2.5 * (slack or 0)) ** 2 * np.log(horizon)
    return arm_by_arm(
        ("learning", r"\frac{5\Delta_i \ln T}{2(\Delta_i-\frac52\lambda)^2}", learn),
        ("start phase", r"N_B^*\Delta_i", pulls_needed_beta(epsilon, delta) * gap),
    )


def _notes_first_terms(horizon, value, epsilon, delta, gaps, slack):
    if slack is None:
        return ()
    left_out = f"first terms only: the theorem adds a constant, not given, times N/λ⁴ = {arms_of(gaps) / slack**4:.3g}."
    return (left_out, *vacuous(horizon, value, max(gaps)))


def _notes_11(horizon, value, epsilon, delta, gaps, slack, constants):
    notes = _notes_first_terms(horizon, value, epsilon, delta, gaps, slack)
    if notes and constants == "printed":
        notes += ("its proof gives 4 in place of 2 (constants = corrected).",)
    return notes


def theorem_16(horizon, epsilon, delta, gaps):
    """Σ max{16 ln T/Δ, (4/ε) ln[(T(e^ε−1) + 2Tδ)/(2(e^ε−1) + 2Tδ)]} + 4N."""
    return total(terms_16(horizon, epsilon, delta, gaps))


def terms_16(horizon, epsilon, delta, gaps):
    """Learning and privacy, each of the arms where it is the larger, and 4N."""
    private = 4 * width(epsilon, delta, horizon)
    return (
        *arm_by_arm(
            ("learning", r"\frac{16\ln T}{\Delta_i}", 16 * np.log(horizon) / suboptimal(gaps)),
            ("privacy", r"\frac{4}{\varepsilon}\ln[\ldots]", private),
        ),
        Term("each arm's first rounds", "4N", 4.0 * arms_of(gaps)),
    )


def theorem_18(horizon, epsilon, delta, gaps):
    """Σ (1024 Δ ln T/Δ_min² + (32 Δ/(ε Δ_min)) ln[(T²(e^ε−1) + T²δ)/(2(e^ε−1) + T²δ)]) + 4N."""
    return total(terms_18(horizon, epsilon, delta, gaps))


def terms_18(horizon, epsilon, delta, gaps):
    """Learning, privacy and 4N."""
    gap = suboptimal(gaps)
    least, log = gap.min(initial=1.0), np.log(horizon)  # 1: any, where the sums are empty
    privacy = np.maximum(width(epsilon, delta / 2, np.asarray(horizon, float) ** 2), 0)
    learn = r"\sum_i \frac{1024\,\Delta_i \ln T}{\Delta_{\min}^2}"
    return (
        Term("learning", learn, gap.sum() * (1024 * log / least**2)),
        Term(
            "privacy",
            r"\sum_i \frac{32\,\Delta_i}{\varepsilon\,\Delta_{\min}} \ln[\ldots]",
            gap.sum() * (32 * privacy / least),
        ),
        Term("each arm's first rounds", "4N", 4.0 * arms_of(gaps)),
    )


def _notes_vacuous(horizon, value, epsilon, delta, gaps):
    return vacuous(horizon, value, max(gaps))


def _start_phase(pulls_needed):
    return lambda gaps, horizon, epsilon, delta: pulls_needed(epsilon, delta) * gaps.sum()


def _wider_radius(gaps, horizon, epsilon, delta):
    return (gaps > 0).sum() * two_sided_width(epsilon, delta, float(horizon))


#: Theorem number -> (formula in LaTeX, what its symbols mean and what a correction changes).
FORMULAS = {
    4: (
        r"R(T) \ge \frac{1}{16\varepsilon} \ln\frac{(e^{\varepsilon}-1)\,T^{1-\alpha} + 5\delta "
        r"T^{1-\alpha}}{40 c_0 (e^{\varepsilon}-1) + 5\delta T^{1-\alpha}}",
        "on one of two two-armed instances, for every algorithm with regret at most c₀T^α everywhere; 0 "
        "where that is negative",
    ),
    11: (
        r"R(T) \le \sum_{i:\Delta_i>0} \max\Bigl\{\frac{2\Delta_i \ln T}{(\Delta_i-2\lambda)^2},\; "
        r"N_G^*\Delta_i\Bigr\},\quad N_G^* = \min\Bigl\{\frac{1}{4\pi\delta^2},\; "
        r"\frac{\ln(e/(4\pi\delta^2))}{\varepsilon^2}\Bigr\}",
        "Δ_i the gap of arm i, λ = slack < Δ_min/2; a term of order N/λ⁴ without a constant is left out; corrected: 4 "
        "in place of 2",
    ),
    13: (
        r"R(T) \le \sum_{i:\Delta_i>0} \max\Bigl\{\frac{5\Delta_i \ln "
        r"T}{2(\Delta_i-\frac52\lambda)^2},\; N_B^*\Delta_i\Bigr\},\quad N_B^* = "
        r"\max\Bigl\{\min\Bigl\{\frac{40e}{9\pi\delta^2},\; "
        r"\frac{8000\ln(e/(2\pi\delta^2))}{81\varepsilon^2}\Bigr\},\; \frac{1000e}{9\pi}\Bigr\}",
        "Δ_i the gap of arm i, λ = slack < 2Δ_min/5; a term of order N/λ⁴ without a constant is left out",
    ),
    16: (
        r"R(T) \le \sum_{i:\Delta_i>0} \max\Bigl\{\frac{16\ln T}{\Delta_i},\; \frac{4}{\varepsilon} "
        r"\ln\frac{T(e^{\varepsilon}-1)+2T\delta}{2(e^{\varepsilon}-1)+2T\delta}\Bigr\} + 4N",
        "Δ_i the gap of arm i, N the number of arms",
    ),
    18: (
        r"R(T) \le \sum_{i:\Delta_i>0} \Bigl(\frac{1024\,\Delta_i \ln T}{\Delta_{\min}^2} + "
        r"\frac{32\,\Delta_i}{\varepsilon\,\Delta_{\min}} "
        r"\ln\frac{T^2(e^{\varepsilon}-1)+T^2\delta}{2(e^{\varepsilon}-1)+T^2\delta}\Bigr) + 4N",
        "Δ_i the gap of arm i, Δ_min the smallest positive one, N the number of arms",
    ),
}


TERMS: dict[int, Terms] = {4: terms_4, 11: terms_11, 13: terms_13, 16: terms_16, 18: terms_18}


def _upper(number, algorithm, title, function, parameters, notes, check, privacy_term=None):
    return Bound(
        f"wang-zhu-theorem-{number}",
        f"Regret of {title}",
        PAPER,
        f"Theorem {number}",
        "upper",
        "stochastic",
        parameters,
        function,
        notes,
        check,
        ("gaps",),
        "bernoulli",
        algorithm,
        maximum=privacy_term is not None,
        privacy_term=privacy_term,
        formula=FORMULAS[number][0],
        symbols=FORMULAS[number][1],
        terms=TERMS[number],
    )


BOUNDS = (
    Bound(
        "wang-zhu-theorem-4",
        "Least regret of a globally private algorithm",
        PAPER,
        "Theorem 4",
        "lower",
        "stochastic",
        (EPSILON_OR_ZERO, DELTA_OR_ZERO, C0, ALPHA),
        theorem_4,
        _notes_4,
        _pair,
        scope="transcript",
        formula=FORMULAS[4][0],
        symbols=FORMULAS[4][1],
        terms=TERMS[4],
    ),
    _upper(
        11,
        "dp-ftpl-gauss",
        "DP-FTPL-Gauss",
        theorem_11,
        (EPSILON_OR_ZERO, DELTA, GAPS, SLACK, CONSTANTS),
        _notes_11,
        _slack_limit(1 / 2),
        ("Σ Δᵢ N_G*, the start phase", _start_phase(pulls_needed_gauss)),
    ),
    _upper(
        13,
        "dp-ftpl-beta",
        "DP-FTPL-Beta",
        theorem_13,
        (EPSILON_OR_ZERO, DELTA, GAPS, SLACK),
        _notes_first_terms,
        _slack_limit(2 / 5),
        ("Σ Δᵢ N_B*, the start phase", _start_phase(pulls_needed_beta)),
    ),
    _upper(
        16,
        "dp-ftpl-new",
        "DP-FTPL-New",
        theorem_16,
        (EPSILON_OR_ZERO, DELTA_OR_ZERO, GAPS),
        _notes_vacuous,
        _pair,
        ("Σ (1/ε) ln[(T(e^ε−1)+2Tδ)/(2(e^ε−1)+2Tδ)]", _wider_radius),
    ),
    _upper(
        18, "gdp-elim-new", "GDP-Elim-New", theorem_18, (EPSILON_OR_ZERO, DELTA_OR_ZERO, GAPS), _notes_vacuous, _pair
    ),
)
