"""When one arm leads: jumps over the rounds that it wins for sure (exact in law).

Take a threshold c and an arm ℓ, the leader, from the past alone. A round is quiet if θ_ℓ > c and θ_i <= c for all
others: then ℓ wins, and nothing but its own record changes. As in thinning.py the others exceed c as intervals of
length λ_i = −ln P(θ_i <= c) are hit by a Poisson process. The chance that θ_ℓ falls to c moves with ℓ's rewards: let
D say how far its rewards are ahead of c. While D stays above some level, −ln P(θ_ℓ > c) is at most some β, which
gets an interval too. Lay these intervals, of length h = Σλ_i + β a round, end to end: the way to the next point is
Exp(1), so ⌊Exp(1)/h⌋ rounds are quiet. In the round with the point each of the others whose interval is hit exceeds
c; if β's is hit, θ_ℓ is below c with probability P(θ_ℓ <= c)/(1 − exp(−β)).

A reward lowers D by c at most, so that (D − level)/c quiet rounds may be played in one step, their rewards one
Binomial draw, before D is looked at again. Once below the level, a new level is taken, and a new way: Poisson
processes do not remember.

c is chosen to make h small. Where even the least h is large nobody leads, and rounds are played one by one for a
while.
"""

import math

from dpbandits.algorithms.stochastic.bookkeeping import record_block, regret_of
from dpbandits.kernels import kernel

MANY = 16  # from so many arms on thinning without a leader is used
NOBODY = 0.3  # from this h on playing one by one is as cheap
POINTS = 32  # the threshold is chosen anew after so many points
GROWTH = 1.05  # and when the leader has so many times the pulls
LEAST = 2.0  # the least distance between D and its level when that is set
RATIO = 0.5 * (math.sqrt(5.0) - 1.0)
STEPS = 8  # of the golden section


@kernel
def hit_others(rng, left, rates, hit):
    """Write the arms whose interval is hit into `hit`; `left`: way to the first point. Returns (how many, way left
    after the last).
    """
    count = 0
    for i in range(rates.size):
        if left < rates[i]:
            hit[count] = i
            count += 1
            left = rng.standard_exponential()
        else:
            left -= rates[i]
    return count, left


@kernel
def play_leader(leader, rounds, t, means, checkpoints, c, regret, pulls, total, rng):
    """`rounds` rounds of the leader after round t: fills checkpoints, pulls, total. Returns the new c."""
    if checkpoints[c] <= t + rounds:
        c = record_block(regret, checkpoints, c, t, rounds, regret_of(pulls, means), means.max() - means[leader])
    total[leader] += rng.binomial(rounds, means[leader]) if rounds > 1 else rng.random() < means[leader]
    pulls[leader] += rounds
    return c


@kernel
def patience(t):
    """How many rounds are played one by one before a leader is looked for again."""
    return 64 + t // 16


@kernel
def walking(margin):
    """What the steps cost with a level `margin` below D, in rounds with a point for each round: a step plays about
    `margin` rounds,

    and D, a random walk, takes some margin² rounds down to the level.
    """
    return 0.2 / margin + 0.3 / (margin * margin)
