"""The stochastic algorithms: names, titles, looks, parameters, guarantees."""

from dpbandits.algorithms.record import Algorithm
from dpbandits.algorithms.stochastic import optimism, private_records

ALGORITHMS = (
    Algorithm("ucb1", "UCB1", "stochastic", "Auer, Cesa-Bianchi & Fischer 2002", "Figure 1", optimism.ucb1, "#000000"),
    *private_records.RECORDS,
)
