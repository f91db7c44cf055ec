"""DP-TS (Ou, Avella Medina & Cummings 2024): Thompson sampling with Gaussian draws, whose own randomness is the noise.

What Thompson sampling draws is a Gaussian mechanism: changing one reward moves the centre of one θ, and nothing else. A
round that draws with n pulls of the arm moves it by 1/(n + 1) against a standard deviation of sqrt(c/(n + 1)): that is
μ = 1/sqrt(c (n + 1)) of Gaussian DP. Rounds add up as Σ μ² (Dong, Roth & Su 2022, for mechanisms chosen as one goes, if
each keeps its bound whatever came before). A reward that is there counts among the n pulls, so n >= max(b, 1), and it
is used in the rounds after the start phase only: `transcript_mu`. The bound is what it is when the arm is never pulled
again.

Reading. We had the paper's abstract and summaries of it, not its pages: b first pulls of each arm, and c times the
variance of Agrawal & Goyal (2013), whose draws are N(sum/(n + 1), 1/(n + 1)). That the bound is sqrt(T/2) for b <= 1
and c = 1 and sqrt(T/(c (b + 1))) in general follows from the argument above; its wording in the paper was not
checked. Nor was the order of the first pulls (here arm after arm).
"""

import math

import numpy as np

from dpbandits.algorithms.stochastic.bookkeeping import regret_of, zeros
from dpbandits.algorithms.stochastic.elimination import play
from dpbandits.kernels import kernel
from dpbandits.randomness import argmax


@kernel
def dp_ts(means, horizon, checkpoints, streams, pre_pulls, variance):
    """DP-TS: b = `pre_pulls` pulls of each arm, arm after arm; then in every round play the arm with the largest

        θ_i ~ N(sum_i/(n_i + 1), c/(n_i + 1)),  c = `variance`,

    n_i pulls of the arm with rewards summing to sum_i, those of the first pulls looked at together. θ is the privacy
    noise and is drawn from streams.noise. b = 0 and c = 1 is Thompson sampling of Agrawal & Goyal (2013).
    means: shape (arms,), in [0, 1]. checkpoints: increasing rounds, the last is the horizon. pre_pulls >= 0, variance >
    0. Returns (regret at the checkpoints, pulls).
    """
    arms = means.size
    gaps = means.max() - means
    pulls, total = zeros(arms)
    regret, state = np.empty(checkpoints.size), (0, 0, 0.0)
    for arm in range(arms):
        state = play(arm, pre_pulls, gaps[arm], horizon, checkpoints, state, regret, pulls)
        total[arm] = streams.environment.binomial(pulls[arm], means[arm])
    played, c, _ = state
    centre, deviation = total / (pulls + 1), np.sqrt(variance / (pulls + 1))
    theta = np.empty(arms)
    for t in range(played + 1, horizon + 1):
        for i in range(arms):
            theta[i] = centre[i] + deviation[i] * streams.noise.standard_normal()
        arm = argmax(theta, streams.policy)
        total[arm] += streams.environment.random() < means[arm]
        pulls[arm] += 1
        centre[arm], deviation[arm] = total[arm] / (pulls[arm] + 1), math.sqrt(variance / (pulls[arm] + 1))
        if t == checkpoints[c]:
            regret[c] = regret_of(pulls, means)
            c += 1
    return regret, pulls


def transcript_mu(pre_pulls: int, variance: float, horizon: int, arms: int = 1) -> float:
    """μ of the whole transcript: sqrt((T − max(b N, 1))/(c (max(b, 1) + 1))), 0 where no round uses a reward; a
    μ-Gaussian DP bound.
    """
    rounds = max(0, horizon - max(pre_pulls * arms, 1))
    return math.sqrt(rounds / (variance * (max(pre_pulls, 1) + 1)))


def thompson_mu(horizon: int, arms: int = 2) -> float:
    """μ of the transcript of `thompson_gauss`: a round that draws N(m̂, 2/n) is 1/sqrt(2n), and n >= 1, so sqrt((T −
    N)/2).

    The N first pulls are in random order, whatever the rewards. Arms that are left out of account make it larger only.
    """
    return math.sqrt(max(0, horizon - arms) / 2)
