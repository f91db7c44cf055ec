"""The semi-bandit algorithms: names, titles, looks, parameters, guarantees."""

from dataclasses import replace

from dpbandits.algorithms.cascade.catalogue import BONUS, NOISE
from dpbandits.algorithms.record import Algorithm
from dpbandits.algorithms.semibandit import central, local, optimism, records
from dpbandits.parameters import DELTA, EPSILON, Parameter

DELTA_HERE = replace(DELTA, default=1e-3, open_high=True)
PRINTED = Parameter("printed", "the bonus as printed, with 2K in place of 2K²", False, kind="flag")
EXACT = Parameter(
    "exact",
    "the smallest node noise that gives ε, Lap(Δ·levels/ε), in place of the printed Lap(2Δ ln T/ε)",
    False,
    kind="flag",
)


def _algorithm(
    name, title, where, function, colour, dash, parameters, guarantee, notes=records.instance_notes, paper=records.CHEN
):
    return Algorithm(name, title, "semi-bandit", paper, where, function, colour, dash, parameters, guarantee, notes)


ALGORITHMS = (
    Algorithm(
        "cucb", "CUCB", "semi-bandit", "Chen, Wang & Yuan 2013", "Algorithm 1", optimism.cucb, "#000000", "solid",
        notes=records.instance_notes,
    ),
    _algorithm(
        "cucb-ldp1", "CUCB-LDP1", "Algorithm 1", local.cucb_ldp1, "#D55E00", "dot",
        (EPSILON, PRINTED), records.laplace_all, records.printed_notes,
    ),
    _algorithm("cucb-ldp2", "CUCB-LDP2", "Algorithm 2", local.cucb_ldp2, "#009E73", "solid", (EPSILON,), records.laplace_one),
    _algorithm(
        "cucb-dp", "CUCB-DP", "Algorithm 3", central.cucb_dp, "#0072B2", "dash",
        (EPSILON, EXACT), records.tree(False), records.blind_notes(False),
    ),
    _algorithm(
        "cucb-dp-least", "CUCB-DP, least observed", "Section 3.2", central.cucb_dp_least, "#56B4E9", "longdash",
        (EPSILON, EXACT), records.tree(True), records.blind_notes(True),
    ),
    _algorithm(
        "cucb-ldp-gauss", "CUCB, Gaussian", "Algorithm 4 (arXiv)", local.cucb_ldp_gauss, "#E69F00", "dashdot",
        (EPSILON, DELTA_HERE, NOISE, BONUS), records.gauss_all, records.gauss_notes, records.WANG,
    ),
)  # fmt: skip
