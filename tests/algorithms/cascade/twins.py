"""Slow twins of the cascade algorithms, written from the papers: lists of everything that was reported, sorted
afresh.
"""

import math

import numpy as np
from scipy.optimize import brentq
from scipy.special import rel_entr

from tests.mechanisms.counter_twin import hybrid


def reward(weights):
    return 1 - math.prod(1 - w for w in weights)


def play(means, size, horizon, rng, index, estimator, *, first_only=False, whole_list=False, noised_start=False):
    """Regret after every round and the number of reports of each item.

    means: one for each item, or a table of users (then the regret means nothing). index(t, n, estimate) of an item with
    n reports. estimator(item, entry) takes one more 0 or 1 and gives the estimate.
    """
    users = means if np.ndim(means) == 2 else None
    means = means[0] if users is not None else means
    items = range(len(means))
    best = reward(sorted(means)[-size:])
    counts, estimates = [0] * len(means), [0.0] * len(means)
    if not first_only:
        for e in items:
            entry = int(rng.random() < means[e])
            noisy = estimator(e, entry, first=True)
            counts[e], estimates[e] = 1, noisy if noised_start else entry
    regret, total = [], 0.0
    for t in range(1, horizon + 1):
        values = [index(t, counts[e], estimates[e]) if counts[e] else math.inf for e in items]
        shown = sorted(items, key=lambda e: (-values[e], rng.random()))[:size]
        if first_only:
            fewest = min(counts[e] for e in shown)
            lead = rng.choice([e for e in shown if counts[e] == fewest])
            shown.remove(lead)
            shown.insert(0, lead)
        attracted = [rng.random() < p for p in means] if users is None else users[t % len(users)]
        clicks = [k for k, e in enumerate(shown) if attracted[e]]
        observed = shown[:1] if first_only else shown[: clicks[0] + 1] if clicks else shown
        for k, e in enumerate(observed):
            entry = bool(clicks) if whole_list else bool(clicks) and k == clicks[0]
            estimates[e] = estimator(e, int(entry))
            counts[e] += 1
        total += best - reward(means[e] for e in shown)
        regret.append(total)
    return regret, counts


def items_of(means):
    return np.shape(means)[-1]


def averaging(items, noise):
    """Estimator: the mean of what was reported, each report with its own noise() (but not w_0, unless `start`)."""

    def build(start=False):
        reports = [[] for _ in range(items)]

        def estimate(item, entry, first=False):
            reports[item].append(entry + (noise() if start or not first else 0.0))
            return sum(reports[item]) / len(reports[item])

        return estimate

    return build


def counting(items, epsilon, multiplier, rng):
    """Estimator: a hybrid counter's noisy sum over the number of entries."""
    entries, noises = [[] for _ in range(items)], [{} for _ in range(items)]

    def estimate(item, entry, first=False):
        entries[item].append(entry)
        t = len(entries[item])
        blocks = hybrid(t, t, epsilon)
        for block, scale in blocks.items():
            noises[item].setdefault(block, multiplier * rng.laplace(0, scale))
        return (sum(entries[item]) + sum(noises[item][block] for block in blocks)) / t

    return estimate


def ucb(t, n, estimate):
    return estimate + math.sqrt(1.5 * math.log(t) / n)


def ucb1(means, size, horizon, rng):
    return play(means, size, horizon, rng, ucb, averaging(items_of(means), lambda: 0.0)())


def klucb(means, size, horizon, rng):
    def index(t, n, p):
        level = (math.log(t) + (3 * math.log(math.log(t)) if t >= 3 else 0)) / n

        def excess(q):
            return rel_entr(p, q) + rel_entr(1 - p, 1 - q) - level

        if p == 1 or level <= 0:
            return p
        return brentq(excess, p, 1 - 1e-15, xtol=1e-14)

    return play(means, size, horizon, rng, index, averaging(items_of(means), lambda: 0.0)())


def laplace(means, size, horizon, rng, epsilon=1.0, noise_multiplier=1.0, bonus_multiplier=1.0, private_init=False):
    def index(t, n, estimate):
        return ucb(t, n, estimate) + bonus_multiplier * size / epsilon * math.sqrt(24 * math.log(t) / n)

    estimator = averaging(items_of(means), lambda: noise_multiplier * rng.laplace(0, size / epsilon))(private_init)
    return play(means, size, horizon, rng, index, estimator, noised_start=private_init)


def gauss(
    means, size, horizon, rng, epsilon=1.0, delta=1e-3, noise_multiplier=1.0, bonus_multiplier=1.0, private_init=False
):
    sigma = math.sqrt(2 * size * math.log(1.25 / delta)) / epsilon

    def index(t, n, estimate):
        return ucb(t, n, estimate) + bonus_multiplier * sigma * math.sqrt(2 * math.log(2 * t**3) / n)

    estimator = averaging(items_of(means), lambda: noise_multiplier * rng.normal(0, sigma))(private_init)
    return play(means, size, horizon, rng, index, estimator, noised_start=private_init)


def composed(
    means, size, horizon, rng, epsilon=1.0, delta=1e-3, noise_multiplier=1.0, bonus_multiplier=1.0, private_init=False
):
    log = math.log(math.e + epsilon / delta)

    def index(t, n, estimate):
        privacy = 4 / epsilon * math.sqrt(6 * size * log * math.log(t) / n)
        return estimate + math.sqrt(3 * math.log(t) / (2 * n)) + bonus_multiplier * privacy

    estimator = averaging(
        items_of(means), lambda: noise_multiplier * rng.laplace(0, math.sqrt(4 * size * log) / epsilon)
    )(private_init)
    return play(means, size, horizon, rng, index, estimator, noised_start=private_init)


def ldp_first(means, size, horizon, rng, epsilon=1.0, noise_multiplier=1.0, bonus_multiplier=1.0):
    def index(t, n, estimate):
        return ucb(t, n, estimate) + bonus_multiplier / epsilon * math.sqrt(24 * math.log(t) / n)

    estimator = averaging(items_of(means), lambda: noise_multiplier * rng.laplace(0, 1 / epsilon))()
    return play(means, size, horizon, rng, index, estimator, first_only=True)


def dp(
    means,
    size,
    horizon,
    rng,
    epsilon=1.0,
    log_of="guarded-count",
    credit="position",
    noise_multiplier=1.0,
    bonus_multiplier=1.0,
    private_init=True,
):
    items = items_of(means)

    def index(t, n, estimate):
        looked_at = {"guarded-count": max(n, math.e), "count": n, "horizon": horizon}[log_of]
        privacy = 3 * items * math.log(looked_at) ** 1.5 * math.log(t) / (epsilon * n)
        return ucb(t, n, estimate) + bonus_multiplier * privacy

    estimator = counting(items, epsilon / items, noise_multiplier, rng)
    return play(
        means, size, horizon, rng, index, estimator, whole_list=credit == "whole-list", noised_start=private_init
    )


def dp_first(means, size, horizon, rng, epsilon=1.0, noise_multiplier=1.0, bonus_multiplier=1.0):
    def index(t, n, estimate):
        return ucb(t, n, estimate) + bonus_multiplier * 3 * math.log(max(n, math.e)) ** 1.5 * math.log(t) / (
            epsilon * n
        )

    return play(
        means, size, horizon, rng, index, counting(items_of(means), epsilon, noise_multiplier, rng), first_only=True
    )


def sample(twin, runs, seed, *arguments, **parameters):
    """Regrets (runs, rounds) and report counts (runs, items) of independent games."""
    rng = np.random.default_rng(seed)
    regrets, counts = zip(*(twin(*arguments, rng, **parameters) for _ in range(runs)), strict=True)
    return np.array(regrets), np.array(counts)
