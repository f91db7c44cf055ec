"""Privacy labels of the semi-bandit algorithms, and what to say about unlucky runs.

All labels hold, since a super arm is a function of earlier messages (or releases), earlier super arms and random ties: it
is public, and so is which arms a user reports on. For the local ones one user's messages are thus a Laplace or Gaussian
mechanism of known sensitivity, whatever came before. For the central ones: change the outcomes of round s. The leaf of s
changes by at most Δ in ℓ1 (K, or 1 where one arm is used) and lies in at most one node of each level, all read after s
only. Shift their noises, not drawn before, by minus the change: every later release, hence every super arm, is the same,
at the cost of exp(Δ/scale) for a level. The last read is at T − 1, so ⌊lg(T − 1)⌋ + 1 levels count.
"""

import math
from collections.abc import Mapping

from dpbandits.algorithms.cascade.labels import gauss_buys
from dpbandits.algorithms.semibandit.blindness import first_seeing_horizon, is_blind, observations_needed
from dpbandits.mechanisms import gaussian
from dpbandits.privacy import Guarantee

CHEN = "Chen et al. 2020"
WANG = "Wang et al. 2021"
LOCAL_NEIGHBOURS = "any two outcome vectors of that user"
CENTRAL_NEIGHBOURS = "the same users with the outcomes of one of them changed"
RAW = "Realised rewards and regret are raw data and not covered."


def laplace_all(parameters: Mapping, instance=None, horizon=None) -> Guarantee:
    """Of cucb-ldp1."""
    size = "K" if instance is None else f"K = {instance.list_size}"
    return Guarantee(
        parameters["epsilon"], 0.0, "local", "one user's outcomes", LOCAL_NEIGHBOURS, "proved", f"{CHEN}, Theorem 1",
        f"A user sends up to {size} outcomes, each with Laplace noise of scale K/ε; which arms they are about is public.",
    )  # fmt: skip


def laplace_one(parameters: Mapping, instance=None, horizon=None) -> Guarantee:
    """Of cucb-ldp2."""
    return Guarantee(
        parameters["epsilon"], 0.0, "local", "one user's outcomes", LOCAL_NEIGHBOURS, "proved", f"{CHEN}, Theorem 3",
        "A user sends one outcome with Laplace noise of scale 1/ε; which arm it is about follows from public counts.",
    )  # fmt: skip


def gauss_all(parameters: Mapping, instance=None, horizon=None) -> Guarantee:
    """Of cucb-ldp-gauss: the classical noise, with its exact ε where the classical theorem's is too small."""
    nominal, delta, multiplier = (parameters[name] for name in ("epsilon", "delta", "noise_multiplier"))
    if multiplier == 0:
        return Guarantee.none("No noise is added.")
    exact, _ = gauss_buys(parameters)
    enough = multiplier == 1 and exact <= nominal * (1 + 1e-9)
    if enough:
        noise = f"The exact ε of this noise at this δ is {exact:.3g}."
    elif multiplier != 1:
        noise = f"The noise is multiplied by {multiplier:g}: it buys ε = {exact:.3g} where {nominal:g} is written."
    else:
        noise = f"The printed noise is too small: at this δ it gives ε = {exact:.3g}, not {nominal:g}."
    return Guarantee(
        nominal if enough else exact, delta, "local", "one user's outcomes", LOCAL_NEIGHBOURS, "proved", f"{WANG} (arXiv), Theorem 9",
        f"{noise} The free first observation of every arm is taken to be public.",
    )  # fmt: skip


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


def instance_notes(parameters: Mapping, instance, horizon: int) -> tuple[str, ...]:
    """What the regret is measured against, and instances without a bad super arm."""
    notes = ()
    if instance.alpha * instance.beta < 1:
        share = instance.alpha * instance.beta
        notes += (
            f"approximation regret: rounds are measured against {share:.3g} of the best reward,"
            " and one that earns more counts as negative.",
        )
    if instance.gap_max == 0:
        notes += ("no super arm is bad here: the regret never grows.",)
    return notes


def printed_notes(parameters: Mapping, instance, horizon: int) -> tuple[str, ...]:
    """As instance_notes, and the print's bonus where it is too small."""
    notes, size = instance_notes(parameters, instance, horizon), instance.list_size
    if parameters["printed"] and size > 4:
        notes += (
            f"the printed bonus has 2K where the noise asks for 2K²:"
            f" with K = {size} > 4 a mean leaves it with probability about T^(−8/K), not T^(−2).",
        )
    return notes


def gauss_notes(parameters: Mapping, instance, horizon: int) -> tuple[str, ...]:
    """As instance_notes, and ε beyond the classical Gaussian theorem."""
    notes, epsilon, delta = instance_notes(parameters, instance, horizon), parameters["epsilon"], parameters["delta"]
    if epsilon > 1:
        notes += (
            f"epsilon = {epsilon:g} is beyond the theorem on Gaussian noise, which is proved for 0 < epsilon <= 1;"
            f" at delta = {delta:g} this noise is enough up to epsilon = {gaussian.classical_limit(delta):.3g}.",
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
                f"plays as if it had observed nothing: an index falls below 1 only after about {_round(needed)} observations of an arm;"
                f" a horizon of about {_round(seeing)} is the first that reaches them.",
            )
        return found

    return notes
