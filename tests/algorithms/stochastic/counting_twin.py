"""Counter-based policies in plain Python: one arm's past as a list, block noises kept in a dictionary."""

import math

import numpy as np

from tests.mechanisms import counter_twin


class Arm:
    """Rewards of one arm, and the noise of every block of them that was ever read."""

    def __init__(self, counter, horizon, epsilon, rng):
        self.rewards, self.noise, self.items = [], {}, 0
        self.counter, self.horizon, self.epsilon, self.rng = counter, horizon, epsilon, rng

    def blocks(self, t):
        return self.counter(t, self.horizon, self.epsilon)

    def noisy_sum(self):
        blocks = self.blocks(self.items)
        for block, scale in blocks.items():
            if block not in self.noise:
                self.noise[block] = self.rng.laplace(0, scale)
        return sum(self.rewards) + sum(self.noise[block] for block in blocks)


def play(arms, index, horizon, reward, rng, feed="own"):
    """Selections when each round plays the largest index(arm, t), unplayed arms first, random ties; reward(arm, t) is 0
    or 1.
    """
    selections = []
    for t in range(1, horizon + 1):
        values = [index(arm, t) if arm.rewards else math.inf for arm in arms]
        top = max(values)
        ties = [j for j, value in enumerate(values) if value == top]
        i = ties[rng.integers(len(ties))] if len(ties) > 1 else ties[0]
        arms[i].rewards.append(reward(i, t))
        for arm in arms if feed == "every-round" else [arms[i]]:
            arm.items += 1  # a reward, or a 0
        selections.append(i)
    return selections


def policy(name, arms, horizon, epsilon, rng, tree_epsilon="divided"):
    """Fresh arms and the index of a counter-based policy."""
    if name == "private-ucb":
        share = epsilon / arms if tree_epsilon == "divided" else epsilon
        return [Arm(counter_twin.binary, horizon, share, rng) for _ in range(arms)], _private_ucb(arms, horizon, share)
    index = {"dp-ucb": _dp_ucb, "dp-ucb-bound": _dp_ucb_bound(epsilon)}[name]
    return [Arm(counter_twin.hybrid, horizon, epsilon, rng) for _ in range(arms)], index


def _dp_ucb(arm, t):
    n = len(arm.rewards)
    return arm.noisy_sum() / n + math.sqrt(2 * math.log(t) / n)


def _dp_ucb_bound(epsilon):
    def index(arm, t):
        n = len(arm.rewards)
        nu = 8**0.5 / epsilon * math.log(4 * t**4)
        return _dp_ucb(arm, t) + (nu if math.log2(n).is_integer() else nu * (1 + math.log(n))) / n

    return index


def _private_ucb(arms, horizon, share):
    log = math.log(horizon)
    return lambda arm, t: _dp_ucb(arm, t) + log**2 * math.log(arms * horizon * log / 0.1) / (share * len(arm.rewards))


def run(name, means, horizon, rng, feed="own", **parameters):
    """Regret and pulls of one run of a counter-based policy."""
    arms, index = policy(name, len(means), horizon, rng=rng, **parameters)
    play(arms, index, horizon, lambda i, t: int(rng.random() < means[i]), rng, feed)
    pulls = np.array([len(a.rewards) for a in arms])
    return float(pulls @ (max(means) - np.array(means))), pulls
