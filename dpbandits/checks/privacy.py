"""Exercise of 01_privacy: randomised response."""

import math
from collections.abc import Callable

from dpbandits.checks.report import Report, report


def randomised_response(keep: Callable[[float], float], estimate: Callable[[float, float], float]) -> Report:
    """Exercise of 01_privacy. keep(epsilon) -> probability of a true answer; estimate(yes, epsilon) -> share of ones,
    from that of yes.
    """
    return report(
        (keep, estimate),
        {
            "keep gives a probability": _keeps_with_a_probability,
            "ε = 0 gives nothing away": _keeps_nothing_at_zero,
            "the answer is ε-private": _keeps_its_promise,
            "and as true as ε permits": _keeps_all_it_may,
            "estimate is right on average": _is_unbiased,
        },
    )


ANSWERED = (0.1, 0.5, 1.0, 3.0)


def _keeps_with_a_probability(functions):
    for epsilon in (0.0, *ANSWERED):
        p = functions[0](epsilon)
        if p is None:
            return "keep returned nothing: end it with `return ...`."
        if not 0 <= p <= 1:
            return f"keep({epsilon:g}) = {p:.4g} is no probability."
    return None


def _keeps_nothing_at_zero(functions):
    p = functions[0](0.0)
    return (
        None
        if math.isclose(p, 0.5, abs_tol=1e-9)
        else f"At ε = 0 an answer must not depend on the truth, but keep(0) = {p:.4g}; 1/2 is right."
    )


def _keeps_its_promise(functions):
    for epsilon in ANSWERED:
        p = functions[0](epsilon)
        if max(p, 1 - p) > (1 + 1e-9) * math.exp(epsilon) * min(p, 1 - p):
            loss = math.log(max(p, 1 - p) / min(p, 1 - p)) if 0 < p < 1 else math.inf
            return (
                f"At ε = {epsilon:g} you tell the truth with {p:.4g}: a yes is then e^{loss:.3g} times as likely under"
                " one truth as under the other."
            )
    return None


def _keeps_all_it_may(functions):
    for epsilon in ANSWERED:
        p = functions[0](epsilon)
        if p < 0.5:
            return (
                f"At ε = {epsilon:g} you lie more often than not (keep = {p:.4g}). That is as private, and confuses"
                " your pollster."
            )
        if p < (1 - 1e-9) * math.exp(epsilon) * (1 - p):
            return (
                f"At ε = {epsilon:g} you tell the truth with {p:.4g}; keep/(1 − keep) may be e^ε ="
                f" {math.exp(epsilon):.4g}, and is {p / (1 - p):.4g}."
            )
    return None


def _is_unbiased(functions):
    _, estimate = functions
    for epsilon in ANSWERED:
        p = 1 / (1 + math.exp(-epsilon))
        for share in (0.0, 0.3, 1.0):
            yes = p * share + (1 - p) * (1 - share)
            got = estimate(yes, epsilon)
            if got is None or not math.isclose(got, share, abs_tol=1e-9):
                shown = "nothing" if got is None else f"{got:.4g}"
                return (
                    f"At ε = {epsilon:g} a share of {share:g} makes {yes:.4g} say yes; from that you estimate {shown}."
                    " Solve for the share."
                )
        no, all_yes = estimate(0.0, epsilon), estimate(1.0, epsilon)
        if not math.isclose(mean := p * no + (1 - p) * all_yes, 0.0, abs_tol=1e-9):
            return (
                f"At ε = {epsilon:g}, ask one person whose truth is no: a share of 0 or of 1 says yes, you estimate"
                f" {no:.4g} or {all_yes:.4g}, on average {mean:.4g}. Cutting at 0 or 1 is allowed, and no longer right"
                " on average."
            )
    return None
