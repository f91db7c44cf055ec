"""The cascade algorithms: names, titles, looks, parameters, guarantees, notes on unlucky runs.

Their `pulls` are T(e), how often each item was observed: w_0 included where there is one, first positions alone for the
two repaired ones.

With lists of one item the papers' guarantees hold. From two items on they fail whatever ε is, since how far a user read
depends on what they clicked, and is not hidden: `leaks.py` shows it. So a label depends on the instance.
"""

import math
from collections.abc import Mapping
from dataclasses import replace

from dpbandits.algorithms.cascade import central as central_kernels
from dpbandits.algorithms.cascade import lazy as lazy_kernels
from dpbandits.algorithms.cascade import ledgers, optimism, reports
from dpbandits.algorithms.cascade import local as local_kernels
from dpbandits.algorithms.record import Algorithm
from dpbandits.mechanisms import composition, gaussian
from dpbandits.parameters import BONUS_MULTIPLIER, DELTA, EPSILON, NOISE_MULTIPLIER, Parameter
from dpbandits.privacy import Guarantee

PAPER = "Wang et al. 2021"
USER = "one user's feedback"
LOCAL_NEIGHBOURS = "any two feedbacks of that user"
CENTRAL_NEIGHBOURS = "the same users with one of them changed"
KVETON = "Kveton et al. 2015"
DELTA_HERE = replace(DELTA, default=1e-3, open_high=True)
PRIVATE_INIT = Parameter(
    "private_init", "whether the first observation w_0 is noised like all others; else it is public", False, kind="flag"
)
LOG_OF = Parameter(
    "log_of",
    "what the logarithm in the privacy bonus looks at: max(T(e), e), T(e) (short paper) or the horizon (long paper)",
    "guarded-count",
    kind="choice",
    choices=central_kernels.LOG_OF,
)
CREDIT = Parameter(
    "credit",
    "who is credited with a click: its position, or (short paper) every observed item",
    "position",
    kind="choice",
    choices=central_kernels.CREDIT,
)
FIRST_LOCAL = (
    "Every user sends exactly one report, on the first position, whatever they click; the counts follow from the lists."
)
FIRST_CENTRAL = (
    "A user changes one entry of one counter, and which one follows from the lists: each list is computed from earlier"
    " lists and releases."
)


def laplace_buys(parameters: Mapping, list_size: int = 1, reports: int | None = None) -> tuple[float, float]:
    """(ε, δ) of `reports` (left out: K) reports 1{C = k} + m·Lap(K/ε), m = `noise_multiplier` > 0, that may all change:
    (ε/m · reports/K, 0), exactly.
    """
    return parameters["epsilon"] / parameters["noise_multiplier"] * _share(list_size, reports), 0.0


def gauss_buys(parameters: Mapping, list_size: int = 1, reports: int | None = None) -> tuple[float, float]:
    """(exact ε at δ, δ) of `reports` (left out: K) reports 1{C = k} + m·N(0, 2K ln(1.25/δ)/ε²) that may all change:
    their distance is sqrt(reports), so of K reports K cancels.
    """
    multiplier = parameters["noise_multiplier"] / math.sqrt(_share(list_size, reports))
    return gaussian.classical_buys(parameters["epsilon"], parameters["delta"], multiplier), parameters["delta"]


def composed_buys(parameters: Mapping, list_size: int = 1, reports: int | None = None) -> tuple[float, float]:
    """(ε, δ) of `reports` (left out: K) reports of ε₀/m each, ε₀ = ε/sqrt(4K ln(e + ε/δ)), by optimal composition
    (Kairouz, Oh & Viswanath 2015).
    """
    delta = parameters["delta"]
    each = (
        1
        / local_kernels.composed_scale.py_func(list_size, parameters["epsilon"], delta)
        / parameters["noise_multiplier"]
    )
    return composition.optimal_epsilon(delta, each, list_size if reports is None else reports), delta


def _share(list_size: int, reports: int | None) -> float:
    return 1.0 if reports is None else reports / list_size


def _loss(buys, parameters: Mapping, list_size: int) -> tuple[float, float, str]:
    """(ε, δ) of the label and a sentence on the noise: the nominal pair where the printed noise is enough for it."""
    nominal, multiplier = parameters["epsilon"], parameters["noise_multiplier"]
    epsilon, delta = buys(parameters, list_size)
    if multiplier != 1:
        return (
            epsilon,
            delta,
            f"The noise is multiplied by {multiplier:g}: it buys ε = {epsilon:.3g} where {nominal:g} is written.",
        )
    if epsilon > nominal * (1 + 1e-9):
        return epsilon, delta, f"The printed noise is too small: at this δ it gives ε = {epsilon:.3g}, not {nominal:g}."
    if epsilon < nominal * (1 - 1e-9):
        return nominal, delta, f"The exact ε of this noise at this δ is {epsilon:.3g}."
    return nominal, delta, ""


def _user_0(buys, parameters: Mapping, list_size: int, items: int | None, others: float) -> tuple[float, str]:
    """(ε of user 0, a sentence): where w_0 is noised, user 0 sends a report about each of L items, each with noise
    for K.
    """
    if not parameters["private_init"]:
        return 0.0, "w_0 is taken to be public."
    if items is None:
        return 0.0, "w_0 is noised too: one user sends L reports, each with noise for K."
    epsilon = buys(parameters, list_size, items)[0]
    if epsilon <= others:
        return epsilon, "w_0 is noised too."
    return epsilon, (
        f"w_0 is noised too, but user 0 sends {items} reports, each with noise for {list_size}: together they cost"
        f" ε = {epsilon:.3g}."
    )


def local(buys, theorem: str):
    """Guarantee of an algorithm whose user sends one report for each observed position."""

    def guarantee(parameters, instance=None, horizon=None) -> Guarantee:
        if parameters["noise_multiplier"] == 0:
            return Guarantee.none("No noise is added.")
        list_size, items = (instance.facts["list_size"], instance.facts["items"]) if instance else (2, None)
        epsilon, delta, noise = _loss(buys, parameters, list_size)
        first, init = _user_0(buys, parameters, list_size, items, epsilon)
        single = list_size == 1
        if single:
            epsilon = max(epsilon, first)
        reason = (
            "Holds because lists have one item: every user sends exactly one report."
            if single
            else (
                "Fails from K = 2 on, whatever ε is: a user sends exactly min(C, K) reports, so their number tells the"
                " click position C."
            )
        )
        return Guarantee(
            epsilon,
            delta,
            "local",
            USER,
            LOCAL_NEIGHBOURS,
            "proved" if single else "as claimed, fails",
            f"{PAPER}, {theorem}",
            " ".join(part for part in (reason, noise, init) if part),
        )

    return guarantee


def central(parameters, instance=None, horizon=None) -> Guarantee:
    """Guarantee of cascade-dp."""
    if parameters["noise_multiplier"] == 0:
        return Guarantee.none("No noise is added.")
    epsilon, delta, noise = _loss(laplace_buys, parameters, 1)
    items, list_size = (instance.facts["items"], instance.facts["list_size"]) if instance else (3, 2)
    single, all_shown = list_size == 1, items == list_size
    if single:
        reason = (
            "Holds because lists have one item: T(e) is then known from the lists, and a user touches one counter (so"
            " ε/L would do)."
        )
    elif not all_shown:
        reason = (
            f"Fails from K = 2 on: {USES} A click on the first item makes it impossible that the next list drops the"
            f" second, {_apart(parameters, 'the listed items from the others')}; without a click it may."
        )
    elif items > 2:
        reason = (
            f"Fails from K = 2 on, also where a list holds every item and only their order is released: {USES}"
            f" A click on"
            " the first item makes it impossible that the next list puts the third before the second,"
            f" {_apart(parameters, 'the second from the third')}; without a click it may."
        )
    else:
        reason = (
            f"Fails also where a list holds both items and only their order is released: {USES} That is measured, at"
            " ε <= 1: over nine rounds the order shows ε >= 1.2 when user 1 clicks first or nothing."
        )
    status = "proved" if single else "as claimed, fails"
    measured = epsilon <= 1 and all(parameters[name] == value for name, value in AS_MEASURED.items())
    if items == list_size == 2 and not measured:
        status, reason = "as claimed, unchecked", f"The proof does not apply: {USES}"
    init = "w_0 is noised too." if parameters["private_init"] else "w_0 is taken to be public."
    return Guarantee(
        epsilon,
        delta,
        "transcript",
        USER,
        CENTRAL_NEIGHBOURS,
        status,
        f"{PAPER}, Theorem 1",
        " ".join(part for part in (reason, noise, init) if part),
    )


AS_MEASURED = {"noise_multiplier": 1, "bonus_multiplier": 1, "log_of": "guarded-count", "credit": "position"}
USES = "the index uses T(e), which tells how far each user read and is no output of the counters."


def _apart(parameters: Mapping, whom: str) -> str:
    """When an item that nobody looks at keeps its place for sure: ties are broken anew in every round."""
    return "as w_0's noise leaves no ties" if parameters["private_init"] else f"where the public w_0 tells {whom}"


def repaired(scope: str, reason: str):
    """Guarantee of a repaired algorithm, which uses the first position alone."""

    def guarantee(parameters, instance=None, horizon=None) -> Guarantee:
        if parameters["noise_multiplier"] == 0:
            return Guarantee.none("No noise is added.")
        epsilon, delta, noise = _loss(laplace_buys, parameters, 1)
        neighbours = LOCAL_NEIGHBOURS if scope == "local" else CENTRAL_NEIGHBOURS
        return Guarantee(epsilon, delta, scope, USER, neighbours, "repaired", "", f"{reason} {noise}".strip())

    return guarantee


def lazy(parameters, instance=None, horizon=None) -> Guarantee:
    """Of cascade-dp-lazy; the argument stands above its kernel."""
    note = (
        "A user's click at the first position enters one released sum, once; which one follows from the lists, and"
        " these from earlier releases."
    )
    return Guarantee(parameters["epsilon"], 0.0, "transcript", USER, CENTRAL_NEIGHBOURS, "proved", "", note)


def instance_notes(parameters, instance, horizon: int) -> tuple[str, ...]:
    """Optimal lists that are not unique."""
    if instance.facts["items"] == instance.facts["list_size"]:
        return ("a list holds every item, so all lists are optimal and the regret is 0.",)
    if not instance.facts.get("unique_best", True):
        return ("the optimal list is not unique (items tie at its last place): bounds that need a gap say nothing.",)
    return ()


def gauss_notes(parameters, instance, horizon: int) -> tuple[str, ...]:
    """As instance_notes, and ε beyond the classical Gaussian theorem."""
    notes = instance_notes(parameters, instance, horizon)
    if parameters["epsilon"] <= 1:
        return notes
    exact = gaussian.delta_from_mu(
        parameters["epsilon"], parameters["epsilon"] / math.sqrt(2 * math.log(1.25 / parameters["delta"]))
    )
    limit = gaussian.classical_limit(parameters["delta"])
    return (
        *notes,
        (
            f"epsilon = {parameters['epsilon']:g} is beyond the theorem on Gaussian noise, which is proved for 0 <"
            f" epsilon <= 1; the exact delta of this noise is {exact:.3g} (it stays below {parameters['delta']:g} up to"
            f" epsilon = {limit:.3g})."
        ),
    )


def composed_notes(parameters, instance, horizon: int) -> tuple[str, ...]:
    """As instance_notes, ε beyond the composition theorem, and whether composing pays."""
    notes = instance_notes(parameters, instance, horizon)
    epsilon, list_size = parameters["epsilon"], instance.facts["list_size"]
    if epsilon > 0.9:
        notes += (f"epsilon = {epsilon:g} is beyond the composition theorem, which is stated for 0 < epsilon <= 0.9.",)
    pays = composition.corollary_pays_from(epsilon, parameters["delta"])
    if list_size < pays:
        notes += (
            (
                f"with K = {list_size} this noise is larger than that of cascade-ldp-laplace; it becomes smaller from K"
                f" = {pays} on."
            ),
        )
    return notes


def first_notes(parameters, instance, horizon: int) -> tuple[str, ...]:
    """As instance_notes, and a horizon that ends before every item stood first once."""
    items = instance.facts["items"]
    short = (
        (f"the horizon {horizon} ends before each of the {items} items stood first once.",) if horizon < items else ()
    )
    return instance_notes(parameters, instance, horizon) + short


def _algorithm(
    name, title, paper, where, function, colour, dash, parameters=(), guarantee=None, notes=instance_notes, **more
):
    if guarantee:
        more["guarantee"] = guarantee
    return Algorithm(name, title, "cascade", paper, where, function, colour, dash, parameters, notes=notes, **more)


ALGORITHMS = (
    _algorithm(
        "cascade-ucb1",
        "CascadeUCB1",
        KVETON,
        "Algorithm 1",
        optimism.cascade_ucb1,
        "#000000",
        "solid",
        ledger=ledgers.deterministic,
    ),
    _algorithm(
        "cascade-klucb",
        "CascadeKL-UCB",
        KVETON,
        "Algorithm 1",
        optimism.cascade_klucb,
        "#000000",
        "dash",
        ledger=ledgers.deterministic,
    ),
    _algorithm(
        "cascade-dp",
        "Cascading UCB, central",
        PAPER,
        "Algorithm 1",
        central_kernels.cascade_dp,
        "#0072B2",
        "solid",
        (EPSILON, LOG_OF, CREDIT, NOISE_MULTIPLIER, BONUS_MULTIPLIER, PRIVATE_INIT.default_to(True)),
        central,
        ledger=ledgers.central,
        noise_buys=laplace_buys,
        rescales=True,
    ),
    _algorithm(
        "cascade-ldp-laplace",
        "Cascading UCB, local, Laplace",
        PAPER,
        "Algorithm 2",
        local_kernels.cascade_ldp_laplace,
        "#D55E00",
        "dot",
        (EPSILON, NOISE_MULTIPLIER, BONUS_MULTIPLIER, PRIVATE_INIT),
        local(laplace_buys, "Theorem 3"),
        ledger=ledgers.laplace,
        noise_buys=laplace_buys,
        reports=reports.LAPLACE,
        watch=ledgers.watch(reports.LAPLACE),
        rescales=True,
    ),
    _algorithm(
        "cascade-ldp-gauss",
        "Cascading UCB, local, Gaussian",
        PAPER,
        "Algorithm 3",
        local_kernels.cascade_ldp_gauss,
        "#E69F00",
        "dash",
        (EPSILON, DELTA_HERE, NOISE_MULTIPLIER, BONUS_MULTIPLIER, PRIVATE_INIT),
        local(gauss_buys, "Theorem 5"),
        gauss_notes,
        ledger=ledgers.gauss,
        knobs=ledgers.AT_ITS_DELTA,
        noise_buys=gauss_buys,
        reports=reports.GAUSS,
        watch=ledgers.watch(reports.GAUSS),
        rescales=True,
    ),
    _algorithm(
        "cascade-ldp-composed",
        "Cascading UCB, local, composed",
        PAPER,
        "Section 5.3",
        local_kernels.cascade_ldp_composed,
        "#CC79A7",
        "dashdot",
        (EPSILON, DELTA_HERE, NOISE_MULTIPLIER, BONUS_MULTIPLIER, PRIVATE_INIT),
        local(composed_buys, "Theorem 8"),
        composed_notes,
        ledger=ledgers.composed,
        knobs=ledgers.AT_ITS_DELTA,
        noise_buys=composed_buys,
        reports=reports.COMPOSED,
        watch=ledgers.watch(reports.COMPOSED),
    ),
    _algorithm(
        "cascade-ldp-first",
        "Cascading UCB, local, first position",
        "ours",
        "repair of Algorithm 2",
        local_kernels.cascade_ldp_first,
        "#009E73",
        "solid",
        (EPSILON, NOISE_MULTIPLIER, BONUS_MULTIPLIER),
        repaired("local", FIRST_LOCAL),
        first_notes,
        ledger=ledgers.first_local,
        noise_buys=laplace_buys,
        reports=reports.FIRST,
        watch=ledgers.watch(reports.FIRST),
    ),
    _algorithm(
        "cascade-dp-first",
        "Cascading UCB, central, first position",
        "ours",
        "repair of Algorithm 1",
        central_kernels.cascade_dp_first,
        "#56B4E9",
        "longdash",
        (EPSILON, NOISE_MULTIPLIER, BONUS_MULTIPLIER),
        repaired("transcript", FIRST_CENTRAL),
        first_notes,
        ledger=ledgers.first_central,
        noise_buys=laplace_buys,
    ),
    _algorithm(
        "cascade-dp-lazy",
        "Cascading UCB, lazy",
        "ours",
        "",
        lazy_kernels.cascade_dp_lazy,
        "#0072B2",
        "dash",
        (EPSILON,),
        lazy,
        first_notes,
        ledger=ledgers.lazy,
    ),
)
