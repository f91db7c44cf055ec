"""The six semi-bandit algorithms in plain Python, written from the papers' pseudocode, on games of their own.

A game knows all its super arms (arms from 0), their expected rewards, how to draw one round's outcome of every arm, and
its oracle. Oracles compare all super arms, except that top-K takes the arms with the largest entries and coverage goes
greedily; ties at random. Tree noise: a vector for every block of rounds, drawn whole.
"""

import itertools
import math

from tests.mechanisms.counter_twin import tree_blocks


class Game:
    """arms, super_arms, reward(means, S), draw(rng) -> outcomes of all arms; goal per round; beta of the oracle."""

    def __init__(self, means, super_arms, reward, draw, alpha=1.0, beta=1.0, oracle=None):
        self.means, self.super_arms, self.reward, self.draw, self.beta = means, super_arms, reward, draw, beta
        self.goal = alpha * beta * max(reward(means, s) for s in super_arms)
        self.size = max(map(len, super_arms))
        self._oracle = oracle or self._compare

    def oracle(self, index, rng):
        if rng.random() > self.beta:
            return self.any(rng)
        return self._oracle(index, rng)

    def any(self, rng):
        return self.super_arms[rng.integers(len(self.super_arms))]

    def _compare(self, index, rng):
        return _best(self.super_arms, lambda s: round(self.reward(index, s), 12), rng)


def _best(options, value, rng):
    values = [value(o) for o in options]
    top = max(values)
    tied = [o for o, v in zip(options, values, strict=True) if v == top]
    return tied[rng.integers(len(tied))]


def total(means, s):
    return sum(means[i] for i in s)


def some(means, s):
    return 1 - math.prod(1 - means[i] for i in s)


def bernoulli(means, group=None):
    """Outcomes of all arms; arms of a group share one uniform number."""
    group = list(range(len(means))) if group is None else group

    def draw(rng):
        level = {g: rng.random() for g in set(group)}
        return [float(level[g] < mean) for g, mean in zip(group, means, strict=True)]

    return draw


def top_k(means, size, reward=total):
    def oracle(index, rng):
        shuffled = rng.permutation(len(means))
        return tuple(sorted(shuffled.tolist(), key=lambda i: -index[i])[:size])  # a stable sort of a shuffled list

    return Game(means, list(itertools.combinations(range(len(means)), size)), reward, bernoulli(means), oracle=oracle)


def coverage(edges, probabilities, picks, beta):
    """edges: (node, target). Greedy, measured against α β of the best with α = 1 − (1 − 1/picks)^picks."""
    of = {u: [e for e, (v, _) in enumerate(edges) if v == u] for u in dict.fromkeys(u for u, _ in edges)}

    def reward(means, s):
        by_target = {}
        for e in s:
            by_target.setdefault(edges[e][1], []).append(e)
        return sum(some(means, covering) for covering in by_target.values())

    def oracle(index, rng):
        chosen = []
        for _ in range(picks):
            union = [e for u in chosen for e in of[u]]
            rest = [u for u in of if u not in chosen]
            chosen.append(
                _best(rest, lambda u, union=union: round(reward(index, union + of[u]) - reward(index, union), 12), rng)
            )
        return tuple(sorted(e for u in chosen for e in of[u]))

    sets = [tuple(sorted(e for u in nodes for e in of[u])) for nodes in itertools.combinations(of, picks)]
    return Game(probabilities, sets, reward, bernoulli(probabilities), 1 - (1 - 1 / picks) ** picks, beta, oracle)


class Means:
    """Noisy mean and count of every arm."""

    def __init__(self, arms):
        self.count, self.mean = [0] * arms, [0.0] * arms

    def add(self, arm, report):
        n = self.count[arm]
        self.mean[arm], self.count[arm] = (n * self.mean[arm] + report) / (n + 1), n + 1


def run(
    name,
    game,
    horizon,
    rng,
    epsilon=None,
    delta=None,
    printed=False,
    exact=False,
    noise_rng=None,
    noise_of_block=None,
    noise_multiplier=1.0,
    bonus_multiplier=1.0,
):
    """(regret, pulls, super arms) of one run. noise_of_block: (first, last] -> vector, filled as blocks are read."""
    noise_rng, noise_of_block = noise_rng or rng, {} if noise_of_block is None else noise_of_block
    m, k, log_horizon = len(game.means), game.size, math.log(horizon)
    learned = Means(m)
    if name in ("cucb", "cucb-ldp-gauss"):
        for arm, outcome in enumerate(game.draw(rng)):
            learned.add(arm, outcome)
    sigma = math.sqrt(2 * k * math.log(1.25 / delta)) / epsilon if delta else None
    unit = 1 if name == "cucb-dp-least" else k
    levels = len(f"{horizon:b}")
    scale = (levels * unit if exact else 2 * unit * log_horizon) / epsilon if "dp" in name.split("-") else None
    leaves, chosen_so_far = [], []

    def index(arm, t):
        n, mean = learned.count[arm], learned.mean[arm]
        if n == 0:
            return 1.0
        match name:
            case "cucb":
                return min(1.0, mean + math.sqrt(3 * math.log(t) / (2 * n)))
            case "cucb-ldp1":
                return min(1.0, mean + 4 * math.sqrt(2 * (k if printed else k**2) * log_horizon / (epsilon**2 * n)))
            case "cucb-ldp2":
                return min(1.0, mean + 4 * math.sqrt(2 * log_horizon / (epsilon**2 * n)))
            case "cucb-ldp-gauss":
                plain = (
                    mean
                    + math.sqrt(3 * math.log(t) / (2 * n))
                    + bonus_multiplier * 2 / epsilon * math.sqrt(2 * k * math.log(1.25 / delta) * math.log(t) / n)
                )
                return plain if game.reward is total else min(1.0, max(0.0, plain))
            case _:
                return min(
                    1.0, mean + math.sqrt(4 * math.log(m * horizon) / n) + 12 * unit * log_horizon**3 / (n * epsilon)
                )

    def released(arm, t):
        noise = 0.0
        for block in tree_blocks(t):
            if block not in noise_of_block:
                noise_of_block[block] = noise_rng.laplace(0, scale, m)
            noise += noise_of_block[block][arm]
        return sum(leaf.get(arm, 0.0) for leaf in leaves) + noise

    regret, pulls = 0.0, [0] * m
    for t in range(1, horizon + 1):
        indices = [index(arm, t) for arm in range(m)]
        negative = name not in ("cucb", "cucb-ldp-gauss") and min(indices) < 0
        chosen = game.any(rng) if negative else game.oracle(indices, rng)
        chosen_so_far.append(chosen)
        outcomes = game.draw(rng)
        regret += game.goal - game.reward(game.means, chosen)
        for arm in chosen:
            pulls[arm] += 1
        least = _best(chosen, lambda arm: -learned.count[arm], rng)
        match name:
            case "cucb":
                for arm in chosen:
                    learned.add(arm, outcomes[arm])
            case "cucb-ldp1":
                for arm in chosen:
                    learned.add(arm, outcomes[arm] + rng.laplace(0, k / epsilon))
            case "cucb-ldp2":
                learned.add(least, outcomes[least] + rng.laplace(0, 1 / epsilon))
            case "cucb-ldp-gauss":
                for arm in chosen:
                    learned.add(arm, outcomes[arm] + rng.normal(0, noise_multiplier * sigma))
            case _:
                used = (least,) if name == "cucb-dp-least" else chosen
                leaves.append({arm: outcomes[arm] for arm in used})
                for arm in used:
                    learned.count[arm] += 1
                    learned.mean[arm] = released(arm, t) / learned.count[arm]
    return regret, pulls, chosen_so_far
