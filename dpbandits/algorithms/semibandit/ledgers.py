"""What one user's outcomes can move in each semi-bandit algorithm. K: the largest number of base arms in a super arm.

Super arms are functions of earlier messages (or releases), earlier super arms and random ties: they are public, and
so is which arms a user reports on. Local: the watcher sees the user's own messages. Central: the watcher sees all
super arms.
"""

from collections.abc import Callable, Mapping

import numpy as np

from dpbandits.algorithms.cascade.ledgers import AT_ITS_DELTA  # noqa: F401 (the semi-bandit records take it from here)
from dpbandits.algorithms.cascade.local import gauss_sigma
from dpbandits.algorithms.semibandit.central import node_scale
from dpbandits.privacy.ledger import MESSAGES, Gaussian, Laplace, Ledger, binary_counter
from dpbandits.privacy.watching import Messages

USER = "one user's outcomes"


def deterministic(parameters: Mapping, instance, horizon: int) -> Ledger:
    """Of CUCB."""
    return Ledger.none(
        "It adds no noise: one outcome can decide a later super arm with certainty, so no finite ε holds at any δ < 1.",
        unit=USER,
    )


def all_reports(parameters: Mapping, instance, horizon: int) -> Ledger:
    """cucb-ldp1: K outcomes, each with Lap(K/ε): K releases of ε/K."""
    size = instance.list_size
    return Ledger.of(
        Laplace(parameters["epsilon"] / size, size),
        by="the law's own privacy loss, composed numerically",
        why=f"A user sends up to {size} outcomes, each with Laplace noise of scale {size}/ε.",
        watcher=MESSAGES,
        unit=USER,
    )


def one_report(parameters: Mapping, instance, horizon: int) -> Ledger:
    """cucb-ldp2: one outcome with Lap(1/ε)."""
    return Ledger.of(
        Laplace(parameters["epsilon"]),
        by="the exact curve of the one report",
        why="A user sends one outcome; which arm it is about follows from public counts.",
        watcher=MESSAGES,
        unit=USER,
    )


def gauss(parameters: Mapping, instance, horizon: int) -> Ledger:
    """cucb-ldp-gauss: K outcomes, each with m·N(0, σ²): μ² = K/(mσ)²."""
    size = instance.list_size
    sigma = parameters["noise_multiplier"] * gauss_sigma.py_func(size, parameters["epsilon"], parameters["delta"])
    if sigma * sigma == 0:  # switched off, or too little for a float
        return Ledger.none("No noise is added.", unit=USER)
    return Ledger.of(
        Gaussian(size / (sigma * sigma), size),
        by="Gaussian differential privacy (Dong, Roth & Su 2022, Corollary 3.3)",
        why=f"A user sends up to {size} outcomes, each with noise of deviation {sigma:.4g}.",
        watcher=MESSAGES,
        unit=USER,
    )


def tree(least: bool):
    """cucb-dp and cucb-dp-least: a user is one leaf of one tree, of which up to K coordinates (or one) change by at
    most 1.
    """

    def ledger(parameters: Mapping, instance, horizon: int) -> Ledger:
        if horizon == 1:
            return Ledger.silent("The one super arm is chosen before any user was seen.", unit=USER)
        size = 1 if least else int(instance.list_size)
        scale = node_scale.py_func(horizon, size, parameters["epsilon"], parameters["exact"])
        levels = (horizon - 1).bit_length()
        return Ledger(
            (binary_counter(1 / scale, horizon - 1, size),),
            "the law's own privacy loss, composed numerically; exact levels of the tree",
            f"A user is one leaf, in one node of each of {levels} levels, with noise of scale {scale:.4g} on"
            f" each of {size} coordinates.",
            unit=USER,
        )

    return ledger


def _messages(draw_noise: Callable, size: int) -> Messages:
    """What a user sends whose outcomes are all 1 (0) or all 0 (1). draw_noise(rng, shape) -> the noise."""

    def draw(rng: np.random.Generator, trials: int, which: int) -> np.ndarray:
        return (which == 0) + draw_noise(rng, (trials, size))

    return Messages(draw, ("all outcomes 1", "all outcomes 0"))


def watch_all(parameters: Mapping, instance, horizon: int) -> Messages:
    """cucb-ldp1."""
    size = int(instance.list_size)
    return _messages(lambda rng, shape: rng.laplace(0, size / parameters["epsilon"], shape), size)


def watch_one(parameters: Mapping, instance, horizon: int) -> Messages:
    """cucb-ldp2."""
    return _messages(lambda rng, shape: rng.laplace(0, 1 / parameters["epsilon"], shape), 1)


def watch_gauss(parameters: Mapping, instance, horizon: int) -> Messages:
    """cucb-ldp-gauss."""
    size = int(instance.list_size)
    sigma = parameters["noise_multiplier"] * gauss_sigma.py_func(size, parameters["epsilon"], parameters["delta"])
    return _messages(lambda rng, shape: rng.normal(0, sigma, shape), size)


def lazy(parameters: Mapping, instance, horizon: int) -> Ledger:
    """cucb-dp-lazy: each outcome enters one batch, released once with Lap(K/ε): K releases of ε/K."""
    if horizon == 1:
        return Ledger.silent("The one super arm is chosen before any user was seen.", unit=USER)
    size = int(instance.list_size)
    return Ledger.of(
        Laplace(parameters["epsilon"] / size, size),
        by="the law's own privacy loss, composed numerically",
        why=f"A user's {size} outcomes enter {size} batch sums, each released once with noise of scale {size}/ε.",
        unit=USER,
    )
