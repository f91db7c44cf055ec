"""Theorem 4 of Wang & Zhu 2024, step by step: no globally private algorithm looks at a poor arm too seldom.

Two instances, arm 1 at 1/2 and arm 2 at 1/2 − Δ (I₁) or 1/2 + Δ (I₂). Turning each 0 of arm 2 into a 1 with probability
p = 2Δ/(1/2 + Δ) makes rewards of I₁ into rewards of I₂ (the print lowers ones, which goes the other way: see the
ledger). If arm 2 is played at most n times, that is about np changed rewards: too few to be noticed.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpbandits.environments.stochastic import bernoulli
from dpbandits.mechanisms.composition import chained
from dpbandits.mechanisms.perturbations import check_pair
from dpbandits.parameters import DELTA_OR_ZERO, EPSILON
from dpbandits.simulation import simulate


def group(epsilon: float, delta: float, changes: float) -> tuple[float, float]:
    """(mε, δ(e^{mε} − 1)/(e^ε − 1), at most 1): what m changed rewards may cost if one costs (ε, δ).

    m steps of P <= e^ε P′ + δ, one after the other: δ(1 + e^ε + … + e^{(m−1)ε}) is a geometric sum.
    """
    return chained(*check_pair(epsilon, delta), changes)


def chance(gap: float) -> float:
    """p(Δ) = 2Δ/(1/2 + Δ): with which a 0 of arm 2 becomes a 1."""
    return 2 * gap / (0.5 + gap)


def raise_rewards(rewards: np.ndarray, gap: float, rng: np.random.Generator) -> np.ndarray:
    """Rewards of arm 2 in I₁ made into rewards of arm 2 in I₂."""
    return np.where(rng.random(rewards.shape) < chance(gap), 1, rewards)


@dataclass(frozen=True)
class Steps:
    """The proof at numbers of one's own.

    plays: N₀. changes: how many rewards the rule changes in N₀ plays of arm 2. seldom_1: what the supposed regret says
    of P₁(N₂ <= N₀), at least. seldom_2: what regret c₀T^α says of P₂(N₂ <= N₀), at most. carried: how large privacy
    lets P₁(N₂ <= N₀) be, given seldom_2. regret: ¼N₀Δ.
    """

    plays: float
    changes: float
    seldom_1: float
    seldom_2: float
    carried: float
    regret: float

    @property
    def contradiction(self) -> bool:
        """Whether so little regret is impossible."""
        return self.carried < self.seldom_1


def steps(
    epsilon: float, delta: float, horizon: float, *, c0: float = 1.0, alpha: float = 0.5, gap: float = 0.25,
    supposed: float = 0.25,
) -> Steps:  # fmt: skip
    """Suppose regret `supposed`·N₀Δ on I₁ and at most c₀T^α on I₂; N₀ as in the paper's equation (4).

    supposed: 1/4 in the paper, which leaves P₁ >= 3/4 where 1/5 would do.
    """
    epsilon, delta = EPSILON.check(epsilon), DELTA_OR_ZERO.check(delta)
    grown, c = math.expm1(epsilon), 2 * c0 / gap
    power = float(horizon) ** (1 - alpha)
    plays = math.log((grown + 5 * delta) * power / (5 * c * grown + 5 * delta * power)) / (epsilon * chance(gap))
    plays = max(plays, 0.0)
    seldom_2 = min(1.0, c / power)  # N₀ <= T/2 is used here
    cost, slack = group(epsilon, delta, plays * chance(gap))
    return Steps(
        plays, plays * chance(gap), 1 - supposed, seldom_2, min(1.0, math.exp(cost) * seldom_2 + slack), gap * plays / 4
    )


def seldom(
    algorithm: str, plays: float, *, gap: float = 0.25, horizon: int = 2000, runs: int = 400, seed: int = 0, **given
) -> tuple[float, float]:
    """(P₁, P₂): how often arm 2 is played at most `plays` times on I₁ and on I₂, measured."""
    shares = []
    for sign in (-1, 1):
        arms = bernoulli([0.5, 0.5 + sign * gap])
        found = simulate(algorithm, arms, horizon=horizon, runs=runs, seed=seed, checkpoints=[horizon], workers=1,
                         progress=False, **given)  # fmt: skip
        shares.append(float((found.pulls.isel(arm=1).values <= plays).mean()))
    return shares[0], shares[1]
