"""Records of the algorithms of Wang & Zhu (2024) and of DP-SE: parameters, privacy labels, notes on unlucky runs."""

import math
from dataclasses import replace

from dpbandits.algorithms.record import Algorithm
from dpbandits.algorithms.stochastic import elimination, perturbed_leader
from dpbandits.algorithms.stochastic.fast import beta, gauss, new
from dpbandits.mechanisms.perturbations import pulls_needed_beta, pulls_needed_gauss
from dpbandits.parameters import DELTA, EPSILON, Parameter
from dpbandits.privacy import Guarantee

WANG_ZHU = "Wang & Zhu 2024"
EPSILON_OR_ZERO = replace(EPSILON, open_low=False)
DELTA_OR_ZERO = replace(DELTA, open_low=False)
START = Parameter(
    "start", "how the start phase is played: arm after arm, or in turns", "in-order", kind="choice", choices=("in-order", "round-robin")
)
SMALLEST = 1e-100  # below it 1/ε and 1/δ leave the floating-point range


def _per_selection(theorem: str):
    def guarantee(parameters, instance=None, horizon=None) -> Guarantee:
        return Guarantee(
            parameters["epsilon"], parameters["delta"], "per-selection", "one reward", "the same history with one observed reward changed",
            "proved", f"{WANG_ZHU}, {theorem}",
            "One selection given the past. A reward is used again in every later round: over T rounds only composition follows.",
        )

    return guarantee


def _elimination_new(parameters, instance=None, horizon=None) -> Guarantee:
    # Changing one reward moves the centre of one θ by at most 1/N(k); that θ's law is (ε, δ/2) under such a shift, for every
    # set of outcomes, and all that is played later is computed from the θ's and other rewards.
    return Guarantee(
        parameters["epsilon"], parameters["delta"] / 2, "transcript", "one reward", "the same rewards with one of them changed",
        "proved", f"{WANG_ZHU}, Theorem 18",
        "One reward enters one draw, which is made at δ/2: as printed the transcript spends δ/2, where the theorem states δ.",
    )


def _successive_elimination(parameters, instance=None, horizon=None) -> Guarantee:
    return Guarantee(
        parameters["epsilon"], 0.0, "transcript", "one reward", "the same rewards with one of them changed", "proved",
        "Sajed & Sheffet 2019", "One reward enters the noisy mean of one epoch only.",
    )


def _not_both_zero(parameters) -> None:
    if parameters["epsilon"] < SMALLEST and parameters["delta"] < SMALLEST:
        raise ValueError(
            f"epsilon = {parameters['epsilon']:g} with delta = {parameters['delta']:g} is not allowed: one of them must be > 0"
            f" (at least {SMALLEST:g})."
        )


def _start_notes(pulls_needed):
    def notes(parameters, instance, horizon: int) -> tuple[str, ...]:
        arms = instance.facts["arms"]
        each = max(1, math.ceil(min(pulls_needed(parameters), 1e18)))
        if each * arms < horizon:
            return ()
        return (
            f"the start phase needs {each} pulls of each of {arms} arms, {each * arms} rounds; the horizon {horizon} ends inside it,"
            " so no arm is chosen from data.",
        )

    return notes


def _new_notes(parameters, instance, horizon: int) -> tuple[str, ...]:
    small = ("the horizon is below 3, where the centre of the law means nothing.",) if horizon < 3 else ()
    return small + _start_notes(lambda _: 1)(parameters, instance, horizon)


def _phase_notes(first_phase):
    def notes(parameters, instance, horizon: int) -> tuple[str, ...]:
        arms = instance.facts["arms"]
        if first_phase(parameters, arms, horizon) * arms <= horizon:
            return ()
        return (
            f"the horizon {horizon} cuts the first phase of {arms} arms short: nothing is released and no arm is chosen from data.",
        )

    return notes


RECORDS = (
    Algorithm(
        "dp-se", "DP-SE", "stochastic", "Sajed & Sheffet 2019", "Algorithm 2", elimination.dp_se, "#D55E00", "dot",
        (EPSILON,), _successive_elimination,
        _phase_notes(lambda p, arms, horizon: elimination.dp_se_epoch(1, arms, horizon, p["epsilon"])[0]),
    ),
    Algorithm(
        "dp-ftpl-gauss", "DP-FTPL-Gauss", "stochastic", WANG_ZHU, "Algorithm 1", perturbed_leader.dp_ftpl_gauss, "#E69F00", "dash",
        (EPSILON_OR_ZERO, DELTA, START), _per_selection("Theorem 11"),
        _start_notes(lambda p: pulls_needed_gauss(p["epsilon"], p["delta"])), methods={"fast": gauss.dp_ftpl_gauss},
    ),
    Algorithm(
        "dp-ftpl-beta", "DP-FTPL-Beta", "stochastic", WANG_ZHU, "Algorithm 2", perturbed_leader.dp_ftpl_beta, "#009E73", "dashdot",
        (EPSILON_OR_ZERO, DELTA), _per_selection("Theorem 13"),
        _start_notes(lambda p: pulls_needed_beta(p["epsilon"], p["delta"])), methods={"fast": beta.dp_ftpl_beta},
    ),
    Algorithm(
        "dp-ftpl-new", "DP-FTPL-New", "stochastic", WANG_ZHU, "Algorithm 3", perturbed_leader.dp_ftpl_new, "#0072B2", "solid",
        (EPSILON_OR_ZERO, DELTA_OR_ZERO), _per_selection("Theorem 16"), _new_notes, _not_both_zero, {"fast": new.dp_ftpl_new},
    ),
    Algorithm(
        "gdp-elim-new", "GDP-Elim-New", "stochastic", WANG_ZHU, "Algorithm 4", elimination.gdp_elim_new, "#56B4E9", "longdash",
        (EPSILON_OR_ZERO, DELTA_OR_ZERO), _elimination_new,
        _phase_notes(lambda p, arms, horizon: elimination.gdp_elim_phase(0.5, horizon, p["epsilon"], p["delta"])), _not_both_zero,
    ),
)
