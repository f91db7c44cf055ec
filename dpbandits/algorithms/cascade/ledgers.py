"""What one user's feedback can move in each cascade algorithm: the argument for what is seen of it.

Local algorithms: the watcher sees the user's own messages. Central ones: the watcher sees all lists.
"""

from collections.abc import Callable, Mapping

import numpy as np

from dpbandits.algorithms.cascade.local import composed_scale, gauss_sigma
from dpbandits.algorithms.cascade.reports import Reports
from dpbandits.privacy.ledger import MESSAGES, Gaussian, Knob, Laplace, Ledger, hybrid_counter
from dpbandits.privacy.watching import Messages

USER = "one user's feedback"
EXACT = "the exact curve of the one report"
SILENT = Ledger.none("No noise is added.", unit=USER)


def deterministic(parameters: Mapping, instance, horizon: int) -> Ledger:
    """Of an index algorithm without noise."""
    return Ledger.none(
        "It adds no noise: one click can decide a later list with certainty, so no finite ε holds at any δ < 1.",
        unit=USER,
    )


def _one_message(release, parameters: Mapping, instance) -> Ledger:
    """Of a user who sends min(C, K) reports."""
    if parameters["noise_multiplier"] == 0:
        return SILENT
    if instance.facts["list_size"] > 1:
        reason = (
            "A user sends exactly min(C, K) reports: their number gives the click position C away, whatever"
            " the noise is, so no"
            " finite ε holds at any δ < 1."
        )
        return Ledger.none(reason, watcher=MESSAGES, unit=USER)
    return Ledger.of(
        release,
        by=EXACT,
        why="Lists have one item, so every user sends exactly one report.",
        watcher=MESSAGES,
        unit=USER,
    )


def laplace(parameters: Mapping, instance, horizon: int) -> Ledger:
    """cascade-ldp-laplace: 1{C = k} + m·Lap(K/ε)."""
    return _one_message(
        Laplace(parameters["epsilon"] / max(parameters["noise_multiplier"], 1e-300)), parameters, instance
    )


def composed(parameters: Mapping, instance, horizon: int) -> Ledger:
    """cascade-ldp-composed: 1{C = k} + m·Lap(b)."""
    scale = parameters["noise_multiplier"] * composed_scale.py_func(1, parameters["epsilon"], parameters["delta"])
    return _one_message(Laplace(1 / max(scale, 1e-300)), parameters, instance)


def gauss(parameters: Mapping, instance, horizon: int) -> Ledger:
    """cascade-ldp-gauss: 1{C = k} + m·N(0, σ²)."""
    sigma = parameters["noise_multiplier"] * gauss_sigma.py_func(1, parameters["epsilon"], parameters["delta"])
    return _one_message(Gaussian(max(sigma, 1e-100) ** -2.0), parameters, instance)


def first_local(parameters: Mapping, instance, horizon: int) -> Ledger:
    """cascade-ldp-first: one report 1{C = 1} + m·Lap(1/ε), whatever the user clicks."""
    if parameters["noise_multiplier"] == 0:
        return SILENT
    return Ledger.of(
        Laplace(parameters["epsilon"] / parameters["noise_multiplier"]),
        by=EXACT,
        why="A user sends exactly one report, on the first position; which item that is follows from public lists.",
        watcher=MESSAGES,
        unit=USER,
    )


def central(parameters: Mapping, instance, horizon: int) -> Ledger:
    """cascade-dp: hybrid counters at ε/L each. With lists of one item T(e) follows from the lists, and a user
    touches one counter.
    """
    multiplier = parameters["noise_multiplier"]
    if multiplier == 0:
        return SILENT
    if instance.facts["list_size"] > 1:
        reason = (
            "The index uses T(e), which tells how far each user read and is no output of the counters: after"
            " some feedbacks a list"
            " is possible that after others is not, so nothing finite is proved, and counting refutes the stated ε."
        )
        return Ledger.none(reason, unit=USER)
    if horizon == 1:
        return Ledger.silent("The one list is chosen before any user was seen.", unit=USER)
    return Ledger(
        hybrid_counter(parameters["epsilon"] / (instance.facts["items"] * multiplier), horizon),
        COUNTER,
        "Lists have one item: a user is one item of one counter, which has ε/L.",
        unit=USER,
    )


def first_central(parameters: Mapping, instance, horizon: int) -> Ledger:
    """cascade-dp-first: a user is one item of one hybrid counter at full ε; which one follows from the lists."""
    if parameters["noise_multiplier"] == 0:
        return SILENT
    if horizon == 1:
        return Ledger.silent("The one list is chosen before any user was seen.", unit=USER)
    return Ledger(
        hybrid_counter(parameters["epsilon"] / parameters["noise_multiplier"], horizon - 1),
        COUNTER,
        "A user is one item of one counter, that of the item in first position.",
        unit=USER,
    )


def lazy(parameters: Mapping, instance, horizon: int) -> Ledger:
    """cascade-dp-lazy: a user is one number in one batch, released once with Lap(1/ε); which one follows from the
    lists.
    """
    if horizon == 1:
        return Ledger.silent("The one list is chosen before any user was seen.", unit=USER)
    return Ledger.of(
        Laplace(parameters["epsilon"]),
        by="the exact curve of the one release",
        why="A user's click at the first position enters one batch sum, which is released once.",
        unit=USER,
    )


COUNTER = "the law's own privacy loss, composed numerically; exact levels of the counter, worst place in the stream"

#: Noise that takes a δ of its own: the transcript's.
AT_ITS_DELTA = (Knob("epsilon", lambda epsilon, delta, instance, horizon: {"delta": delta} if delta else {}),)


def watch(reports: Reports) -> Callable[..., Messages]:
    """How a local algorithm is audited: by what a user sends who clicks the first item (0), or nothing (1)."""

    def watched(parameters: Mapping, instance, horizon: int) -> Messages:
        size = int(instance.facts["list_size"])
        scale = reports.scale(size, parameters["epsilon"], parameters.get("delta", 0.0))

        def draw(rng: np.random.Generator, trials: int, which: int) -> np.ndarray:
            """1{C = k} and noise for every position that the user reports on, NaN where the click ends the reading."""
            sent = reports.draw(
                rng, (trials, 1 if reports.first_only else size), parameters["noise_multiplier"] * scale
            )
            if which == 0:
                sent[:, 0] += 1
                sent[:, 1:] = np.nan
            return sent

        return Messages(draw, ("a click on the first item", "no click"))

    return watched
