"""Slow twins of the private stochastic algorithms, written from the papers' pseudocode with NumPy alone."""

import math

import numpy as np


def follow_the_perturbed_leader(means, horizon, start, draw, runs, rng):
    """Regret (runs, horizon) and pulls (runs, arms): `start` pulls of each arm in order, then argmax of draw(pulls,
    total, rng).
    """
    means = np.asarray(means)
    arms, rows = means.size, np.arange(runs)
    pulls, total = np.zeros((runs, arms)), np.zeros((runs, arms))
    lost = np.empty((runs, horizon))
    for t in range(horizon):
        if t < start * arms:
            arm = np.full(runs, t // start)
        else:
            arm = draw(pulls, total, rng).argmax(axis=1)
        reward = rng.random(runs) < means[arm]
        pulls[rows, arm] += 1
        total[rows, arm] += reward
        lost[:, t] = means.max() - means[arm]
    return lost.cumsum(axis=1), pulls


def draw_gauss(pulls, total, rng):
    """Algorithm 1, line 9."""
    return rng.normal(total / pulls, np.sqrt(2 / pulls))


def draw_beta(pulls, total, rng):
    """Algorithm 2, line 9."""
    k = np.floor(pulls / 8) + 1
    return rng.beta(total + 1 + k, pulls - total + 1 + k)


def lemma_15(rng, n, centre, epsilon, delta):
    """Draws by inverting the printed cdf, its two limits included."""
    u = rng.random(np.shape(centre))
    low = np.minimum(u, 1 - u)  # the cdf is symmetric about the centre
    if delta == 0:
        reach = -np.log(2 * low) / (n * epsilon)
    elif epsilon == 0:
        reach = (0.5 - low) / (n * delta)
    else:
        e = math.exp(epsilon) - 1
        reach = -np.log((low * e / delta + 1) / (e / (2 * delta) + 1)) / (n * epsilon)
    return np.where(u < 0.5, centre - reach, centre + reach)


def draw_new(epsilon, delta, horizon):
    """Algorithm 3, line 7."""
    e, big = math.exp(epsilon) - 1, horizon
    if epsilon == 0:
        width = (big - 2) / (2 * big * delta)
    else:
        width = math.log((big * e + 2 * big * delta) / (2 * e + 2 * big * delta)) / epsilon

    def draw(pulls, total, rng):
        centre = total / pulls + np.sqrt(math.log(horizon) / pulls) + width / pulls
        return lemma_15(rng, pulls, centre, epsilon, delta)

    return draw


class Log:
    """Rounds played so far, cut at the horizon."""

    def __init__(self, means, horizon, rng):
        self.means, self.horizon, self.rng = np.asarray(means), horizon, rng
        self.arms = []

    def play(self, arm, times):
        """Sum of the rewards of `times` pulls; the surplus over the horizon is not logged."""
        self.arms += [arm] * int(min(times, self.horizon - len(self.arms)))
        return int((self.rng.random(int(min(times, self.horizon))) < self.means[arm]).sum())

    @property
    def over(self):
        """Whether the horizon has been reached."""
        return len(self.arms) >= self.horizon

    def result(self):
        """Regret of every round, and pulls."""
        arms = np.array(self.arms)
        return (self.means.max() - self.means[arms]).cumsum(), np.bincount(arms, minlength=self.means.size)


def dp_se(means, horizon, epsilon, rng):
    """Sajed & Sheffet 2019, Algorithm 2, with β = 1/T."""
    log, alive, epoch, beta = Log(means, horizon, rng), list(range(len(means))), 0, 1 / horizon
    while len(alive) > 1:
        epoch += 1
        s, gap = len(alive), 2.0**-epoch
        rounds = (
            math.floor(
                max(
                    32 * math.log(8 * s * epoch**2 / beta) / gap**2,
                    8 * math.log(4 * s * epoch**2 / beta) / (epsilon * gap),
                )
            )
            + 1
        )
        h = math.sqrt(math.log(8 * s * epoch**2 / beta) / (2 * rounds))
        c = math.log(4 * s * epoch**2 / beta) / (rounds * epsilon)
        noisy = {}
        for arm in alive:
            noisy[arm] = log.play(arm, rounds) / rounds + rng.laplace(0, 1 / (epsilon * rounds))
            if log.over:
                return log.result()
        best = max(noisy.values())
        alive = [arm for arm in alive if best - noisy[arm] <= 2 * h + 2 * c]
    log.play(alive[0], horizon)
    return log.result()


def gdp_elim_new(means, horizon, epsilon, delta, rng):
    """Wang & Zhu 2024, Algorithm 4."""
    log, k, square, e = Log(means, horizon, rng), 0, horizon**2, math.exp(epsilon) - 1
    while True:
        k += 1
        gap = 2.0**-k
        if epsilon == 0:
            privacy = 4 / gap * (square - 2) / (square * delta)
        else:
            privacy = 4 / (gap * epsilon) * math.log((square * e + square * delta) / (2 * e + square * delta))
        rounds = math.ceil(max(32 * math.log(horizon) / gap**2, privacy))
        theta = np.empty(len(means))
        for arm in range(len(means)):
            total = log.play(arm, rounds)
            if log.over:
                return log.result()
            theta[arm] = lemma_15(rng, rounds, total / rounds, epsilon, delta / 2)
        order = np.argsort(theta)
        if theta[order[-1]] >= theta[order[-2]] + gap:
            log.play(int(order[-1]), horizon)
            return log.result()
