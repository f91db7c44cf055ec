"""Cascading UCB under central privacy on lazy and forgetful estimates of the first position: ours.

Label. Fix all releases. Then every list is fixed, since it is computed from releases, counts of earlier lists and
random ties: which item stands first is known, and with it all batches. A user gives one number, 1{C = 1}, to one batch,
which is released once: noise of scale 1/ε on every released sum makes the lists ε-private. How far a user read enters
nothing.

Why the first position alone. K reports a user, with what was not looked at filled up so that their number tells
nothing, need noise K/ε for K times as many observations: the privacy term of a batch is no smaller, and a filled-up
report is biased.

Bound. In round t let n_e be the size of e's last batch and u_e = sqrt(ln t/n_e) + 2 ln t/(ε n_e). As for
`cucb_dp_lazy`, with probability 1 − 3L⌊lg t⌋ t^−2 every index lies in [w̄(e), w̄(e) + 2u_e]. An item e of the list
outside A* has taken the place of some a of A* with U(e) >= U(a), so w̄(a) − w̄(e) <= 2u_e. The item that goes first has
the fewest observations of the list, so the smallest batch (n_e is a function of the count) and the largest u: with D
the largest of these differences, D <= 2u_first, that is n_first <= max{16 ln T/D², 8 ln T/(εD)}, or n_first = 0. As f
is 1-Lipschitz in ℓ1 the round loses at most M·D, M = min(K, L − K). Each round is charged to the item that goes first,
which is observed; summed by parts over D from Δ_min to Δ_max this is

    M L [128 ln T/Δ_min + (32 ln T/ε)(1 + ln(Δ_max/Δ_min)) + Δ_max] + (worst loss) Σ_t min(1, 3L⌊lg t⌋ t^−2).
"""

import math

import numpy as np

from dpbandits.algorithms.batches import nothing_released, take_in
from dpbandits.algorithms.cascade.estimates import least_observed_first
from dpbandits.environments.cascade import best_reward, click, number_of_items, round_regret
from dpbandits.kernels import kernel
from dpbandits.randomness import top_k


@kernel
def cascade_dp_lazy(attraction, list_size, horizon, checkpoints, streams, epsilon):
    """Show the K items with the largest

        U(e) = w̃(e) + sqrt(ln t/n_e) + 2 ln t/(ε n_e),

    of these the one that stood first least often in front. Its batch takes in 1{C = 1}; batches hold 1, 2, 4, ...
    numbers, and w̃(e) = (sum of the last complete one + Lap(1/ε))/n_e with n_e its size. An item without one ranks
    first. There is no w_0, and the order behind the front does not matter. epsilon: > 0. Other
    arguments as `cascade_dp_first`. Returns (regret at the checkpoints, how often each item stood in front).
    """
    items = number_of_items(attraction)
    batches, index, chosen = nothing_released(items), np.empty(items), np.empty(list_size, np.int64)
    best, lost = best_reward(attraction, list_size), 0.0
    regret, c = np.empty(checkpoints.size), 0
    for t in range(1, horizon + 1):
        log = math.log(t)
        root, bonus = math.sqrt(log), 2.0 * log / epsilon
        for item in range(items):
            if batches.size[item] == 0:
                index[item] = np.inf
            else:
                index[item] = batches.mean[item] + root * batches.width[item] + bonus * batches.share[item]
        top_k(index, chosen, streams.policy)
        least_observed_first(chosen, batches.observed, streams.policy)
        position = click(chosen, t, attraction, streams.environment)
        take_in(batches, chosen[0], 1.0 if position == 1 else 0.0, 1.0 / epsilon, streams.noise)
        lost += round_regret(best, chosen, position, attraction)
        if t == checkpoints[c]:
            regret[c] = lost
            c += 1
    return regret, batches.observed
