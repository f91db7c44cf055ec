"""What the weights of one round can move in each matroid algorithm: up to K of them, one for each element of the basis.

Where users return (MovieLens), a user has the ε of one round as often as they are drawn.
"""

from collections.abc import Mapping

from dpbandits.privacy.ledger import BetaDraws, Gaussian, Laplace, Ledger

ROUND = "the weights of one round"
SILENT = Ledger.silent("The one basis is chosen before any weight was seen.", unit=ROUND)
NEVER_AGAIN = "worst schedule: none of the K elements is played again"


def deterministic(parameters: Mapping, instance, horizon: int) -> Ledger:
    """Of OMM and KL-OSM."""
    return Ledger.none(
        "It adds no noise: one weight can decide a later basis with certainty, so no finite ε holds at any δ < 1.",
        unit=ROUND,
    )


def cts_gauss(parameters: Mapping, instance, horizon: int) -> Ledger:
    """θ ~ N(m̂, 1/N): a weight moves m̂ by 1/N, which is 1/√N deviations, N >= 1; K elements, T − 1 later rounds."""
    if horizon == 1:
        return SILENT
    squares = int(instance.facts["rank"]) * (horizon - 1)
    return Ledger.of(
        Gaussian(float(squares), squares),
        by=f"Gaussian differential privacy (Dong, Roth & Su 2022, Corollary 3.3); {NEVER_AGAIN}",
        why=f"Each draw that re-uses a weight after N >= 1 plays adds 1/N to μ²: at most {squares:,} in all.",
        unit=ROUND,
    )


def cts_beta(parameters: Mapping, instance, horizon: int) -> Ledger:
    """θ ~ Beta(1 + S, 1 + N − S): for each of K elements and T − 1 later rounds at most Beta(1, 2) against Beta(2,
    1).
    """
    if horizon == 1:
        return SILENT
    return Ledger.of(
        BetaDraws(1, 0, int(instance.facts["rank"]) * (horizon - 1)),
        by=f"the law's own privacy loss, composed numerically; {NEVER_AGAIN}",
        why="A pair of neighbouring Beta laws tells most when N is least: Beta(1, 2) against Beta(2, 1).",
        unit=ROUND,
    )


def lazy(parameters: Mapping, instance, horizon: int) -> Ledger:
    """dpucb-mat, dpts-mat: each weight enters one batch, released once with Lap(K/ε): K releases of ε/K."""
    if horizon == 1:
        return SILENT
    rank = int(instance.facts["rank"])
    return Ledger.of(
        Laplace(parameters["epsilon"] / rank, rank),
        by="the law's own privacy loss, composed numerically",
        why=(
            f"A round's {rank} weights enter {rank} batch sums, each released once with Laplace noise of"
            f" scale {rank}/ε."
        ),
        unit=ROUND,
    )
