"""Where the twins' chance comes from: a generator of their own, or the very draws of the package."""

import numpy as np

from dpbandits.environments.semibandit import choose, new_round
from dpbandits.randomness import streams, top_k


class Luck:
    """Independent draws: for comparisons in law."""

    def __init__(self, seed: int):
        self.rng = np.random.default_rng(seed)

    def reward(self, mean: float) -> float:
        """One Bernoulli reward."""
        return float(self.rng.random() < mean)

    def rewards(self, mean: float, count: int) -> float:
        """The sum of `count` Bernoulli rewards that are looked at together."""
        return float(sum(self.rng.random(count) < mean))

    def laplace(self, scale: float) -> float:
        """One draw of Laplace noise."""
        return self.rng.laplace(0.0, scale)

    def beta(self, a: float, b: float) -> float:
        """One draw of Beta(a, b)."""
        return self.rng.beta(a, b)

    def normal(self, mean: float, variance: float) -> float:
        """One Gaussian draw."""
        return self.rng.normal(mean, np.sqrt(variance))

    def one_of(self, equals: list):
        """One of several that are equally good."""
        return equals[self.rng.integers(len(equals))]

    def largest(self, values: list, count: int) -> list:
        """Places of the `count` largest values, ties at random: shuffled first, then sorted."""
        places = [int(i) for i in self.rng.permutation(len(values))]
        return sorted(places, key=lambda i: -values[i])[:count]


class SameLuck(Luck):
    """The draws that the package makes from this seed.

    Rewards from the first stream, ties from the second, noise and posterior draws from the third; rewards that are
    looked at together are one Binomial, Laplace noise is a difference of two exponentials.
    """

    def __init__(self, seed: int):
        self.environment, self.policy, self.noise = streams(np.random.SeedSequence(seed))

    def reward(self, mean: float) -> float:
        return float(self.environment.random() < mean)

    def rewards(self, mean: float, count: int) -> float:
        return float(self.environment.binomial(count, mean))

    def laplace(self, scale: float) -> float:
        return scale * (self.noise.standard_exponential() - self.noise.standard_exponential())

    def beta(self, a: float, b: float) -> float:
        return self.noise.beta(a, b)

    def normal(self, mean: float, variance: float) -> float:
        return mean + np.sqrt(variance) * self.noise.standard_normal()

    def one_of(self, equals: list):
        found = equals[0]
        for number, other in enumerate(equals[1:], 2):
            if self.policy.random() * number < 1.0:
                found = other
        return found

    def largest(self, values: list, count: int) -> list:
        chosen = np.zeros(count, np.int64)
        top_k(np.array(values, float), chosen, self.policy)
        return chosen.tolist()

    def super_arm(self, problem):
        """The package's oracle for this problem, as a function of the index."""
        arms, _, work = new_round(problem)

        def best(index) -> tuple:
            return tuple(arms[: choose(problem, np.array(index, float), arms, work, self.policy)].tolist())

        return best
