"""Where the start phase of DP-FTPL-Beta (Wang & Zhu 2024, Theorem 13) suffices: proved, refuted, or neither.

The proof puts x* at h = sqrt(ln(e(a + b)/(2πabδ²))/(a + b)) below the mean a/(a + b) and shows f/f′ <= e^ε beyond it
where h <= εab/((a + b)(a + b + bε)). It then asks for a²b²/(a + b)³ >= ln(e/(2πδ²))/ε², which is this with a + b in
place of a + b + bε: true for ε → 0 only. What its other steps give away (Pinsker's inequality with 1/2 where 2 holds, ε
where e^ε − 1 holds) pays for that up to ε = 1.83; the paper's claim is for every ε.

Proved in its place, with n = a + b = N + 1 + 2k >= 5(N + 1)/4 and p = a/n, both p and q = 1 − p at least 1/10. The
half-line that costs most ends at x = p/(p + q e^ε), so the δ needed is at most F(x) − F′(x), by Stirling's formula at
most

    sqrt(e/(2πnpq)) exp(−n g(p)),   g(p) = KL(p, x) = ln(p + q e^ε) − qε,

and with p and q exchanged for the other direction. g is concave in p, so it is least at p = 1/10 or 9/10; pq >= 0.09;
and all of it falls as N grows. Without the exponential factor it is at most δ from N = 40e/(9πδ²) on, whatever ε is.
"""

import math

from dpbandits.mechanisms.perturbations import pulls_needed_beta
from dpbandits.privacy.hockey_stick import hockey_sticks

LEAST_SHARE = 0.1  # of either kind of reward among the n that the law counts, the invented ones included


def beta_exponent(epsilon: float) -> float:
    """min over p in [1/10, 9/10] of g(p) = ln(p + (1 − p)e^ε) − (1 − p)ε, without overflow or cancellation."""
    p, q = LEAST_SHARE, 1 - LEAST_SHARE
    if epsilon < 1e-3:  # the cumulants of a Bernoulli(1/10) variable; the next one, in ε⁴, is positive
        return p * q * epsilon**2 / 2 * (1 - (q - p) * epsilon / 3)
    return min(math.log(p * math.exp(-epsilon) + q) + p * epsilon, math.log(q * math.exp(-epsilon) + p) + q * epsilon)


def log_beta_need(pulls: int, epsilon: float) -> float:
    """ln of a δ at which Lemma 8 holds for DP-FTPL-Beta's law from N = `pulls` >= 1 on, for every R and one changed
    reward.
    """
    n = 1.25 * (pulls + 1)
    spread = 0.5 * math.log(math.e / (2 * math.pi * n * LEAST_SHARE * (1 - LEAST_SHARE)))
    return spread - n * beta_exponent(epsilon)


def beta_start(epsilon: float, delta: float) -> str:
    """Whether ⌈N_B*⌉ pulls of every arm make each selection (epsilon, delta)-private: "proved", "fails" or "unchecked".

    fails: at N = ⌈N_B*⌉ and R = 0 one changed reward needs a δ that is larger, computed exactly. epsilon >= 0, delta
    in [0, 1].
    """
    needed = pulls_needed_beta(epsilon, delta)
    if needed == math.inf:  # δ = 0: the start phase never ends
        return "proved"
    pulls = math.ceil(needed)
    log_delta = math.log(delta)
    if (
        math.log(pulls) >= math.log(40 * math.e / (9 * math.pi)) - 2 * log_delta
        or log_beta_need(pulls, epsilon) <= log_delta
    ):
        return "proved"
    return (
        "fails"
        if max(delta_alone for delta_alone, _ in hockey_sticks("beta", pulls, 0, epsilon, delta)) > delta
        else "unchecked"
    )
