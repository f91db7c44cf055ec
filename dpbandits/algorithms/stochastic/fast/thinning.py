"""Which arms can win this round? Thinning the argmax by a Poisson process.

Take any threshold c that depends on the past alone, and let λ_i = −ln P(θ_i <= c). Lay intervals of length λ_1, λ_2, …
end to end under a Poisson process of rate 1: interval i is empty with probability exp(−λ_i) = P(θ_i <= c),
independently of the others, so "interval i is hit" has exactly the law of "θ_i > c". Some arm is hit: the winner is
among those hit, and only they need a θ, drawn above c (a single one wins without). None is hit, which has probability
exp(−Σλ): every arm draws its θ below c. Only the arm that was played changes its λ; c is chosen anew when too many or
too few arms are hit.

The walk over the intervals skips whole blocks by their sums. The distributions of the laws are in gauss.py, new.py,
beta.py.
"""

import math

import numpy as np

from dpbandits.kernels import kernel

BLOCK = 8


@kernel
def empty_rates(arms):
    """(rates, sums of their blocks), all 0; rates are padded to whole blocks."""
    blocks = (arms + BLOCK - 1) // BLOCK
    return np.zeros(blocks * BLOCK), np.zeros(blocks)


@kernel
def set_rate(i, rate, rates, blocks):
    """λ_i = `rate`. The sum of its block is formed anew, so that rounding does not pile up."""
    rates[i] = rate
    first = i - i % BLOCK
    total = 0.0
    for j in range(first, first + BLOCK):
        total += rates[j]
    blocks[i // BLOCK] = total


@kernel
def hit_arms(rng, rates, blocks, hit):
    """Write the arms whose interval is hit into `hit`; return how many."""
    count, left = 0, rng.standard_exponential()  # left: way to the next point
    for b in range(blocks.size):
        if left >= blocks[b]:
            left -= blocks[b]
            continue
        for i in range(b * BLOCK, (b + 1) * BLOCK):
            if left < rates[i]:
                hit[count] = i
                count += 1
                left = rng.standard_exponential()  # without memory: start again at the end of this interval
            else:
                left -= rates[i]
    return count


@kernel
def target_sum(arms):
    """The Σλ to aim at: then "none is hit", which costs a draw for every arm, has probability 1/arms."""
    return max(1.0, math.log(arms))


@kernel
def drifted(now, chosen, count):
    """Whether a new threshold pays, from the past alone.

    now, chosen: Σλ, and its value when the threshold was chosen; count: arms hit in the round before. A large Σλ alone
    does no harm: an arm with a large λ is one hit, no more.
    """
    return now < 0.5 * chosen or count > 2.0 * chosen + 2.0
