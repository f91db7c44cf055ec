"""What a user's report is made of under the local algorithms: shared by kernels, panels and the evidence on leaks."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from dpbandits.algorithms.cascade import local


@dataclass(frozen=True)
class Reports:
    """One report at `noise_multiplier` = `bonus_multiplier` = 1.

    scale(list_size, epsilon, delta): the noise is this times a draw of standard deviation `deviation` (Laplace: √2).
    answer(log_t): an index adds scale · answer(ln t) / sqrt(n) for n observations.
    first_only: users report on the first position alone, whatever they click; else on all min(C, K) that they read.
    """

    scale: Callable[[int, float, float], float]
    deviation: float
    answer: Callable[[float], float]
    gaussian: bool = False
    first_only: bool = False

    def draw(self, rng, size: int | tuple[int, ...], scale: float):
        """Independent noises of this shape: scale times a standard normal or a standard Laplace draw."""
        return scale * rng.standard_normal(size) if self.gaussian else rng.laplace(0, scale, size)


def _laplace(scale, first_only=False) -> Reports:
    answer = lambda log_t: local.LAPLACE_ANSWER * math.sqrt(log_t)
    return Reports(scale, math.sqrt(2), answer, first_only=first_only)


LAPLACE = _laplace(lambda list_size, epsilon, delta: list_size / epsilon)
GAUSS = Reports(local.gauss_sigma, 1.0, local.gauss_answer, gaussian=True)
COMPOSED = _laplace(local.composed_scale)
FIRST = _laplace(lambda list_size, epsilon, delta: 1 / epsilon, first_only=True)
