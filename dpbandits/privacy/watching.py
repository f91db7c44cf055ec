"""How an audit looks at an algorithm where it does not simply play it against given rewards. A record says which."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Duel:
    """A perturbed leader on two arms of mean 1/2, whose selection probabilities are known, and so the likelihood
    of a transcript.

    law: "gauss", "beta" or "new" (Laplace noise, δ = 0). start: pulls of both arms before the first draw.
    """

    law: str
    start: int


@dataclass(frozen=True)
class Messages:
    """What one user sends: draw(rng, trials, which) -> reports, shape (trials, K), NaN for one that is not sent.

    which: 0 or 1, the two feedbacks that are compared; words: what they are.
    """

    draw: Callable[[np.random.Generator, int, int], np.ndarray]
    words: tuple[str, str]


@dataclass(frozen=True)
class OneByOne:
    """A kernel to be played in place of the record's own, which draws the rewards of many rounds at once: the same
    arguments and the same law, one number from the environment for each reward.
    """

    kernel: Callable


@dataclass(frozen=True)
class Unwatchable:
    """Why it cannot be audited."""

    reason: str
