"""The matroid algorithms: names, titles, looks, parameters, guarantees."""

from dpbandits.algorithms.matroid import jumps, labels, lazy, optimism, thompson
from dpbandits.algorithms.record import Algorithm
from dpbandits.parameters import EPSILON


def _algorithm(name, title, paper, where, function, colour, dash, parameters=(), guarantee=None, **more):
    given = {"guarantee": guarantee} if guarantee else {}
    return Algorithm(name, title, "matroid", paper, where, function, colour, dash, parameters, notes=labels.notes, **given, **more)


ALGORITHMS = (
    _algorithm("omm", "OMM", "Kveton et al. 2014", "Algorithm 2", optimism.omm, "#000000", "solid", methods={"fast": jumps.omm_fast}),
    _algorithm("kl-osm", "KL-OSM", "Talebi & Proutiere 2016", "Algorithm 1", optimism.kl_osm, "#000000", "dash"),
    _algorithm("cts-gauss", "CTS (Gauss)", labels.PAPER, "Section 6.1", thompson.cts_gauss, "#009E73", "dash"),
    _algorithm("cts-beta", "CTS (Beta)", "Wang & Chen 2018", "Algorithm 1", thompson.cts_beta, "#009E73", "dot"),
    _algorithm(
        "dpucb-mat", "DPUCB-MAT", labels.PAPER, "Algorithm 2", lazy.dpucb_mat, "#0072B2", "solid", (EPSILON,), labels.lazy("Theorem 8"),
        methods={"fast": jumps.dpucb_mat_fast},
    ),
    _algorithm(
        "dpts-mat", "DPTS-MAT", labels.PAPER, "Algorithm 5", lazy.dpts_mat, "#E69F00", "dash", (EPSILON,), labels.lazy("Theorem 10"),
    ),
)  # fmt: skip
