"""The cascade algorithms: names, titles, looks, parameters, guarantees.

Their `pulls` are T(e), how often each item was observed: w_0 included where there is one, first positions alone for the
two repaired ones.
"""

from dataclasses import replace

from dpbandits.algorithms.cascade import central, labels, local, optimism
from dpbandits.algorithms.record import Algorithm
from dpbandits.parameters import DELTA, EPSILON, Parameter

KVETON = "Kveton et al. 2015"
DELTA_HERE = replace(DELTA, default=1e-3, open_high=True)
NOISE = Parameter("noise_multiplier", "factor on the noise; the papers' experiments use 0.01, which multiplies ε by 100", 1.0, low=0)
BONUS = Parameter("bonus_multiplier", "factor on the index's answer to the noise; the papers' experiments use 0.01", 1.0, low=0)
PRIVATE_INIT = Parameter("private_init", "whether the first observation w_0 is noised like all others; else it is public", False, kind="flag")
LOG_OF = Parameter(
    "log_of", "what the logarithm in the privacy bonus looks at: max(T(e), e), T(e) (short paper) or the horizon (long paper)",
    "guarded-count", kind="choice", choices=central.LOG_OF,
)  # fmt: skip
CREDIT = Parameter(
    "credit", "who is credited with a click: its position, or (short paper) every observed item",
    "position", kind="choice", choices=central.CREDIT,
)  # fmt: skip
FIRST_LOCAL = "Every user sends exactly one report, on the first position, whatever they click; the counts follow from the lists."
FIRST_CENTRAL = (
    "A user changes one entry of one counter, and which one follows from the lists: each list is computed from earlier"
    " lists and releases."
)


def _algorithm(name, title, paper, where, function, colour, dash, parameters=(), guarantee=None, notes=labels.instance_notes):
    given = {"guarantee": guarantee} if guarantee else {}
    return Algorithm(name, title, "cascade", paper, where, function, colour, dash, parameters, notes=notes, **given)


ALGORITHMS = (
    _algorithm("cascade-ucb1", "CascadeUCB1", KVETON, "Algorithm 1", optimism.cascade_ucb1, "#000000", "solid"),
    _algorithm("cascade-klucb", "CascadeKL-UCB", KVETON, "Algorithm 1", optimism.cascade_klucb, "#000000", "dash"),
    _algorithm(
        "cascade-dp", "Cascading UCB, central", labels.PAPER, "Algorithm 1", central.cascade_dp, "#0072B2", "solid",
        (EPSILON, LOG_OF, CREDIT, NOISE, BONUS, PRIVATE_INIT.default_to(True)), labels.central,
    ),
    _algorithm(
        "cascade-ldp-laplace", "Cascading UCB, local, Laplace", labels.PAPER, "Algorithm 2", local.cascade_ldp_laplace,
        "#D55E00", "dot", (EPSILON, NOISE, BONUS, PRIVATE_INIT), labels.local(labels.laplace_buys, "Theorem 3"),
    ),
    _algorithm(
        "cascade-ldp-gauss", "Cascading UCB, local, Gaussian", labels.PAPER, "Algorithm 3", local.cascade_ldp_gauss,
        "#E69F00", "dash", (EPSILON, DELTA_HERE, NOISE, BONUS, PRIVATE_INIT), labels.local(labels.gauss_buys, "Theorem 5"), labels.gauss_notes,
    ),
    _algorithm(
        "cascade-ldp-composed", "Cascading UCB, local, composed", labels.PAPER, "Section 5.3", local.cascade_ldp_composed,
        "#CC79A7", "dashdot", (EPSILON, DELTA_HERE, NOISE, BONUS, PRIVATE_INIT), labels.local(labels.composed_buys, "Theorem 8"), labels.composed_notes,
    ),
    _algorithm(
        "cascade-ldp-first", "Cascading UCB, local, first position", "ours", "repair of Algorithm 2", local.cascade_ldp_first,
        "#009E73", "solid", (EPSILON, NOISE, BONUS), labels.repaired("local", FIRST_LOCAL), labels.first_notes,
    ),
    _algorithm(
        "cascade-dp-first", "Cascading UCB, central, first position", "ours", "repair of Algorithm 1", central.cascade_dp_first,
        "#56B4E9", "longdash", (EPSILON, NOISE, BONUS), labels.repaired("transcript", FIRST_CENTRAL), labels.first_notes,
    ),
)
