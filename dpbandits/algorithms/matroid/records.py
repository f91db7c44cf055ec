"""The matroid algorithms: names, titles, looks, parameters, guarantees, notes on unlucky runs."""

import math

from scipy.special import bdtr

from dpbandits.algorithms.matroid import jumps, lazy, ledgers, optimism, thompson
from dpbandits.algorithms.record import Algorithm
from dpbandits.parameters import EPSILON
from dpbandits.privacy import Guarantee

PAPER = "Chandak 2023"
DOUBTFUL = 0.01  # chance that some user appears more often than the label says


def appearances(horizon: int, users: int, chance: float = DOUBTFUL) -> int:
    """The number of rounds that none of `users` exceeds, with probability >= 1 − chance, if each round draws a user
    uniformly.

    By the union bound: the least m with users · P(Binomial(horizon, 1/users) > m) <= chance.
    """
    low, high = 0, horizon
    while low < high:
        middle = (low + high) // 2
        if users * (1 - bdtr(middle, horizon, 1 / users)) <= chance:
            high = middle
        else:
            low = middle + 1
    return low


def for_a_user(epsilon: float, instance, horizon: int) -> tuple[str, ...]:
    """What the ε of one round makes for a user who is drawn again and again; nothing where there are no users."""
    users = instance.problem[2].shape[0]
    if not users:
        return ()
    most, mean = appearances(horizon, users), horizon / users
    return (
        (
            f"ε holds for one round, and a user has it as often as they are drawn: each of the {users} users is drawn"
            f" {mean:.3g} times on average in {horizon} rounds, none more than {most} times with probability"
            f" {1 - DOUBTFUL:g}, which makes ε = {most * epsilon:.3g}."
        ),
    )


def lazy_releases(theorem: str):
    """Guarantee of an algorithm that releases each batch once with noise Lap(K/ε)."""

    def guarantee(parameters, instance=None, horizon=None) -> Guarantee:
        epsilon = parameters["epsilon"]
        note = (
            f"{theorem} states 2ε. For fixed releases the plays are fixed, so a round's weights enter K released sums,"
            " each once: these move by at most K in all, and noise of scale K/ε hides that at ε."
        )
        if instance and horizon:
            note = " ".join([note, *for_a_user(epsilon, instance, horizon)])
        return Guarantee(
            epsilon,
            0.0,
            "transcript",
            "the weights of one round",
            "the same rounds with the weights of one of them changed",
            "proved",
            f"{PAPER}, {theorem}",
            note,
        )

    return guarantee


def notes(parameters, instance, horizon: int) -> tuple[str, ...]:
    """Optimal bases that are not unique, arms that cannot all be seen, users who are seen again."""
    facts = instance.facts
    said: tuple[str, ...] = ()
    if facts["gap_max"] <= 0:
        said += ("every basis is optimal, so the regret is 0.",)
    elif not facts["unique_best"]:
        said += (
            (
                "the optimal basis is not unique: elements of equal mean can take each other's place, and playing"
                " either costs nothing."
            ),
        )
    seen = facts["matroid"].elements.size
    if horizon < math.ceil(seen / facts["rank"]):
        said += (f"the horizon {horizon} ends before each of the {seen} elements was played once.",)
    return (*said, *for_a_user(parameters["epsilon"], instance, horizon)) if "epsilon" in parameters else said


def _algorithm(name, title, paper, where, function, colour, dash, parameters=(), guarantee=None, **more):
    given = {"guarantee": guarantee} if guarantee else {}
    return Algorithm(
        name, title, "matroid", paper, where, function, colour, dash, parameters, notes=notes, **given, **more
    )


ALGORITHMS = (
    _algorithm(
        "omm",
        "OMM",
        "Kveton et al. 2014",
        "Algorithm 2",
        optimism.omm,
        "#000000",
        "solid",
        methods={"fast": jumps.omm_fast},
        ledger=ledgers.deterministic,
    ),
    _algorithm(
        "kl-osm",
        "KL-OSM",
        "Talebi & Proutiere 2016",
        "Algorithm 1",
        optimism.kl_osm,
        "#000000",
        "dash",
        ledger=ledgers.deterministic,
    ),
    _algorithm(
        "cts-gauss",
        "CTS (Gauss)",
        PAPER,
        "Section 6.1",
        thompson.cts_gauss,
        "#009E73",
        "dash",
        ledger=ledgers.cts_gauss,
    ),
    _algorithm(
        "cts-beta",
        "CTS (Beta)",
        "Wang & Chen 2018",
        "Algorithm 1",
        thompson.cts_beta,
        "#009E73",
        "dot",
        ledger=ledgers.cts_beta,
    ),
    _algorithm(
        "dpucb-mat",
        "DPUCB-MAT",
        PAPER,
        "Algorithm 2",
        lazy.dpucb_mat,
        "#0072B2",
        "solid",
        (EPSILON,),
        lazy_releases("Theorem 8"),
        methods={"fast": jumps.dpucb_mat_fast},
        ledger=ledgers.lazy,
    ),
    _algorithm(
        "dpts-mat",
        "DPTS-MAT",
        PAPER,
        "Algorithm 5",
        lazy.dpts_mat,
        "#E69F00",
        "dash",
        (EPSILON,),
        lazy_releases("Theorem 10"),
        ledger=ledgers.lazy,
    ),
)
