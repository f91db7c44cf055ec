"""The stochastic algorithms: names, titles, looks, parameters, guarantees."""

from dpbandits.algorithms.record import Algorithm
from dpbandits.algorithms.stochastic import counting_records, doubling, interval, optimism, private_records, thompson
from dpbandits.privacy import Guarantee


def _thompson_gauss(parameters, instance=None, horizon=None) -> Guarantee:
    return Guarantee.none(
        "Nothing is claimed. One selection with n pulls of the arm behind it is 1/sqrt(2n)-Gaussian DP; over the rounds the squares add up."
    )


ALGORITHMS = (
    Algorithm("ucb1", "UCB1", "stochastic", "Auer, Cesa-Bianchi & Fischer 2002", "Figure 1", optimism.ucb1, "#000000"),
    Algorithm("thompson-beta", "Thompson (Beta)", "stochastic", "Agrawal & Goyal 2012", "Algorithm 1", thompson.thompson_beta, "#000000", "dash"),
    Algorithm(
        "thompson-gauss", "Thompson (Gauss)", "stochastic", "Agrawal & Goyal 2013", "", thompson.thompson_gauss, "#000000", "dot",
        guarantee=_thompson_gauss,
    ),
    *counting_records.RECORDS,
    *private_records.RECORDS,
    *doubling.RECORDS,
    *interval.RECORDS,
)
