"""The semi-bandit algorithms: names, titles, looks, parameters, guarantees, notes on unlucky runs.

All labels hold, since a super arm is a function of earlier messages (or releases), earlier super arms and random ties:
it is public, and so is which arms a user reports on. For the local ones one user's messages are thus a Laplace or
Gaussian mechanism of known sensitivity, whatever came before. For the central ones: change the outcomes of round s. The
leaf of s changes by at most Δ in ℓ1 (K, or 1 where one arm is used) and lies in at most one node of each level, all
read after s only. Shift their noises, not drawn before, by minus the change: every later release, hence every super
arm, is the same, at the cost of exp(Δ/scale) for a level. The last read is at T − 1, so ⌊lg(T − 1)⌋ + 1 levels count.
"""

import math
from collections.abc import Mapping
from dataclasses import replace

from dpbandits.algorithms.record import Algorithm
from dpbandits.algorithms.semibandit import central, compact, ledgers, local, optimism
from dpbandits.algorithms.semibandit import lazy as lazy_kernels
from dpbandits.algorithms.semibandit.blindness import first_seeing_horizon, is_blind, observations_needed
from dpbandits.mechanisms import gaussian
from dpbandits.parameters import BONUS_MULTIPLIER, DELTA, EPSILON, NOISE_MULTIPLIER, Parameter
from dpbandits.privacy import Guarantee

CHEN = "Chen et al. 2020"
WANG = "Wang et al. 2021"
LOCAL_NEIGHBOURS = "any two outcome vectors of that user"
CENTRAL_NEIGHBOURS = "the same users with the outcomes of one of them changed"
RAW = "Realised rewards and regret are raw data and not covered."
DELTA_HERE = replace(DELTA, default=1e-3, open_high=True)
PRINTED = Parameter("printed", "the bonus as printed, with 2K in place of 2K²", False, kind="flag")
EXACT = Parameter(
    "exact",
    "the smallest node noise that gives ε, Lap(Δ·levels/ε), in place of the printed Lap(2Δ ln T/ε)",
    False,
    kind="flag",
)


def laplace_all(parameters: Mapping, instance=None, horizon=None) -> Guarantee:
    """Of cucb-ldp1."""
    size = "K" if instance is None else f"K = {instance.list_size}"
    return Guarantee(
        parameters["epsilon"],
        0.0,
        "local",
        "one user's outcomes",
        LOCAL_NEIGHBOURS,
        "proved",
        f"{CHEN}, Theorem 1",
        f"A user sends up to {size} outcomes, each with Laplace noise of scale K/ε; which arms they are about is"
        " public.",
    )


def laplace_one(parameters: Mapping, instance=None, horizon=None) -> Guarantee:
    """Of cucb-ldp2."""
    return Guarantee(
        parameters["epsilon"],
        0.0,
        "local",
        "one user's outcomes",
        LOCAL_NEIGHBOURS,
        "proved",
        f"{CHEN}, Theorem 3",
        "A user sends one outcome with Laplace noise of scale 1/ε; which arm it is about follows from public counts.",
    )


def gauss_all(parameters: Mapping, instance=None, horizon=None) -> Guarantee:
    """Of cucb-ldp-gauss: the classical noise, with its exact ε where the classical theorem's is too small."""
    nominal, delta, multiplier = (parameters[name] for name in ("epsilon", "delta", "noise_multiplier"))
    if multiplier == 0:
        return Guarantee.none("No noise is added.")
    exact = gaussian.classical_buys(nominal, delta, multiplier)
    enough = multiplier == 1 and exact <= nominal * (1 + 1e-9)
    if enough:
        noise = f"The exact ε of this noise at this δ is {exact:.3g}."
    elif multiplier != 1:
        noise = f"The noise is multiplied by {multiplier:g}: it buys ε = {exact:.3g} where {nominal:g} is written."
    else:
        noise = f"The printed noise is too small: at this δ it gives ε = {exact:.3g}, not {nominal:g}."
    return Guarantee(
        nominal if enough else exact,
        delta,
        "local",
        "one user's outcomes",
        LOCAL_NEIGHBOURS,
        "proved",
        f"{WANG} (arXiv), Theorem 9",
        f"{noise} The free first observation of every arm is taken to be public.",
    )


def tree(least: bool):
    """Of cucb-dp and cucb-dp-least."""

    def guarantee(parameters: Mapping, instance=None, horizon=None) -> Guarantee:
        leaf = "the outcome of one arm" if least else "up to K outcomes"
        note = f"One user is one leaf of the tree, {leaf}, and lies in one node of each level."
        if horizon is not None and horizon > 1:
            levels = (horizon - 1).bit_length()
            share = levels / horizon.bit_length() if parameters["exact"] else levels / (2 * math.log(horizon))
            note += f" At T = {horizon} the tree spends {share:.2f} of ε."
        where = "Section 3.2" if least else "Theorem 7"
        return Guarantee(
            parameters["epsilon"],
            0.0,
            "transcript",
            "one user's outcomes",
            CENTRAL_NEIGHBOURS,
            "proved",
            f"{CHEN}, {where}",
            f"{note} {RAW}",
        )

    return guarantee


def lazy(parameters: Mapping, instance=None, horizon=None) -> Guarantee:
    """Of cucb-dp-lazy; the argument stands above its kernel."""
    return Guarantee(
        parameters["epsilon"],
        0.0,
        "transcript",
        "one user's outcomes",
        CENTRAL_NEIGHBOURS,
        "proved",
        "",
        "For fixed releases the super arms are fixed, so a user's outcomes, up to K, enter as many released sums, each"
        f" once, with noise of scale K/ε. {RAW}",
    )


def instance_notes(parameters: Mapping, instance, horizon: int) -> tuple[str, ...]:
    """What the regret is measured against, and instances without a bad super arm."""
    notes: tuple[str, ...] = ()
    if instance.alpha * instance.beta < 1:
        share = instance.alpha * instance.beta
        notes += (
            (
                f"approximation regret: rounds are measured against {share:.3g} of the best reward,"
                " and one that earns more counts as negative."
            ),
        )
    if instance.gap_max == 0:
        notes += ("no super arm is bad here: the regret never grows.",)
    return notes


def printed_notes(parameters: Mapping, instance, horizon: int) -> tuple[str, ...]:
    """As instance_notes, and the print's bonus where it is too small."""
    notes, size = instance_notes(parameters, instance, horizon), instance.list_size
    if parameters["printed"] and size > 4:
        notes += (
            (
                "the printed bonus has 2K where the noise asks for 2K²:"
                f" with K = {size} > 4 a mean leaves it with probability about T^(−8/K), not T^(−2)."
            ),
        )
    return notes


def gauss_notes(parameters: Mapping, instance, horizon: int) -> tuple[str, ...]:
    """As instance_notes, and ε beyond the classical Gaussian theorem."""
    notes, epsilon, delta = instance_notes(parameters, instance, horizon), parameters["epsilon"], parameters["delta"]
    if epsilon > 1:
        notes += (
            (
                f"epsilon = {epsilon:g} is beyond the theorem on Gaussian noise, which is proved for 0 < epsilon <= 1;"
                f" at delta = {delta:g} this noise is enough up to epsilon = {gaussian.classical_limit(delta):.3g}."
            ),
        )
    return notes


def _round(number: float) -> str:
    """Three digits, thousands set off."""
    return f"{float(f'{number:.3g}'):,.0f}"


def blind_notes(least: bool):
    """As instance_notes, and a horizon that ends before anything is learned."""

    def notes(parameters: Mapping, instance, horizon: int) -> tuple[str, ...]:
        found, epsilon = instance_notes(parameters, instance, horizon), parameters["epsilon"]
        if horizon > 1 and is_blind(instance, horizon, epsilon, least):
            needed = observations_needed(
                horizon, epsilon, instance.arms, 1 if least else instance.list_size, float(instance.means.min())
            )
            seeing = first_seeing_horizon(instance, epsilon, least)
            found += (
                (
                    f"plays as if it had observed nothing: an index falls below 1 only after about {_round(needed)}"
                    f" observations of an arm; a horizon of about {_round(seeing)} is the first that reaches them."
                ),
            )
        return found

    return notes


def _algorithm(
    name, title, where, function, colour, dash, parameters, guarantee, notes=instance_notes, paper=CHEN, **more
):
    return Algorithm(
        name, title, "semi-bandit", paper, where, function, colour, dash, parameters, guarantee, notes, **more
    )


ALGORITHMS = (
    Algorithm(
        "cucb",
        "CUCB",
        "semi-bandit",
        "Chen, Wang & Yuan 2013",
        "Algorithm 1",
        optimism.cucb,
        "#000000",
        "solid",
        notes=instance_notes,
        ledger=ledgers.deterministic,
        methods={"fast": compact.cucb},
    ),
    _algorithm(
        "cucb-ldp1",
        "CUCB-LDP1",
        "Algorithm 1",
        local.cucb_ldp1,
        "#D55E00",
        "dot",
        (EPSILON, PRINTED),
        laplace_all,
        printed_notes,
        ledger=ledgers.all_reports,
        methods={"fast": compact.cucb_ldp1},
        watch=ledgers.watch_all,
    ),
    _algorithm(
        "cucb-ldp2",
        "CUCB-LDP2",
        "Algorithm 2",
        local.cucb_ldp2,
        "#009E73",
        "solid",
        (EPSILON,),
        laplace_one,
        ledger=ledgers.one_report,
        methods={"fast": compact.cucb_ldp2},
        watch=ledgers.watch_one,
    ),
    _algorithm(
        "cucb-dp",
        "CUCB-DP",
        "Algorithm 3",
        central.cucb_dp,
        "#0072B2",
        "dash",
        (EPSILON, EXACT),
        tree(False),
        blind_notes(False),
        ledger=ledgers.tree(False),
        methods={"fast": compact.cucb_dp},
    ),
    _algorithm(
        "cucb-dp-least",
        "CUCB-DP, least observed",
        "Section 3.2",
        central.cucb_dp_least,
        "#56B4E9",
        "longdash",
        (EPSILON, EXACT),
        tree(True),
        blind_notes(True),
        ledger=ledgers.tree(True),
        methods={"fast": compact.cucb_dp_least},
    ),
    _algorithm(
        "cucb-ldp-gauss",
        "CUCB, Gaussian",
        "Algorithm 4 (arXiv)",
        local.cucb_ldp_gauss,
        "#E69F00",
        "dashdot",
        (EPSILON, DELTA_HERE, NOISE_MULTIPLIER, BONUS_MULTIPLIER),
        gauss_all,
        gauss_notes,
        WANG,
        ledger=ledgers.gauss,
        knobs=ledgers.AT_ITS_DELTA,
        watch=ledgers.watch_gauss,
        rescales=True,
    ),
    _algorithm(
        "cucb-dp-lazy",
        "CUCB, lazy",
        "",
        lazy_kernels.cucb_dp_lazy,
        "#0072B2",
        "solid",
        (EPSILON,),
        lazy,
        paper="ours",
        ledger=ledgers.lazy,
    ),
)
