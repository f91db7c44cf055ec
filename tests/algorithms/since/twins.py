"""Slow plain twins of the algorithms since the five papers, written from their descriptions and from nothing else.

Each plays one game of `horizon` rounds with the chance of `luck` (luck.py) and returns what was played in each round:
arms from 0, super arms and lists as tuples. ln is natural, t is the round that is being decided, from 1 on.
"""

import math

# ---- Bernoulli arms whose divergences are measured up to 1. A mean q is written as u = −ln(1 − q): near 1, where
# doubles cannot tell the q of two arms apart, the u still can.


def away(q: float) -> float:
    """u = −ln(1 − q)."""
    return math.inf if q >= 1 else -math.log1p(-q)


def kl(p: float, u: float) -> float:
    """kl(p, q) of two Bernoulli means, in nats."""
    if u == math.inf:
        return 0.0 if p == 1 else math.inf
    heads = p * math.log(p / -math.expm1(-u)) if p > 0 else 0.0
    tails = (1 - p) * (math.log1p(-p) + u) if p < 1 else 0.0
    return heads + tails


def private_kl(p: float, u: float, epsilon: float) -> float:
    """d_ε(p, q) = min over r in [p, q] of ε(r − p) + kl(r, q), for p <= q.

    What is minimised is convex in r, with the slope ε + ln(r/(1 − r)) − ln(q/(1 − q)): it is least where the odds of r
    are e^−ε times those of q, or at p where that lies below p.
    """
    if away(p) >= u:
        return 0.0
    if u == math.inf:
        return epsilon * (1 - p)  # r = 1 costs ε(1 − p), and kl(r, 1) is infinite for every other r
    log_q = math.log(-math.expm1(-u))
    log_r, log_rest = split(log_q + u - epsilon)
    r, rest = math.exp(log_r), math.exp(log_rest)
    if r <= p:
        return kl(p, u)
    return epsilon * (r - p) + r * (log_r - log_q) + rest * (log_rest + u)


def split(log_odds: float) -> tuple[float, float]:
    """ln r and ln(1 − r) of the mean r with these odds."""
    less = -math.log1p(math.exp(-abs(log_odds)))
    return (less, less - log_odds) if log_odds > 0 else (less + log_odds, less)


def furthest(divergence, p: float, bound: float) -> float:
    """The largest q with divergence(p, q) <= bound, as u: by doubling and bisection."""
    if p >= 1 or divergence(p, math.inf) <= bound:
        return math.inf
    low = away(p)
    high = low + 1.0
    while divergence(p, high) <= bound:
        low, high = high, 2 * high
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if divergence(p, middle) <= bound else (low, middle)
    return low


def cut(x: float) -> float:
    """x, brought into [0, 1]."""
    return min(1.0, max(0.0, x))


def argmax(index: list, luck) -> int:
    """Where the largest index stands, ties at random."""
    top = max(index)
    return luck.one_of([i for i, value in enumerate(index) if value == top])


# ---- Azize & Basu 2022: episodes that double an arm's count, and estimates from the last episode alone.


def adaptive_episodes(means, horizon, epsilon, luck, index) -> list:
    """index(noisy mean, rewards in the last episode, t)."""
    count, last, played = [0] * len(means), [None] * len(means), []
    while len(played) < horizon:
        t = len(played) + 1
        fresh = [i for i, n in enumerate(count) if n == 0]
        arm = luck.one_of(fresh) if fresh else argmax([index(*known, t) for known in last], luck)
        length = max(1, count[arm])  # until the count is twice what it was
        played += [arm] * length
        count[arm] += length
        if len(played) <= horizon:
            last[arm] = (luck.rewards(means[arm], length) / length + luck.laplace(1 / (epsilon * length)), length)
    return played[:horizon]


def adap_ucb(means, horizon, luck, epsilon, alpha=3.1) -> list:
    """m + sqrt(α ln t/(2M)) + α ln t/(εM)."""

    def index(mean, length, t):
        return mean + math.sqrt(alpha * math.log(t) / (2 * length)) + alpha * math.log(t) / (epsilon * length)

    return adaptive_episodes(means, horizon, epsilon, luck, index)


def adap_klucb(means, horizon, luck, epsilon, alpha=3.1) -> list:
    """max{q : kl(cut(m + α ln t/(εM)), q) <= α ln t/M}."""

    def index(mean, length, t):
        raised = cut(mean + alpha * math.log(t) / (epsilon * length))
        return furthest(kl, raised, alpha * math.log(t) / length)

    return adaptive_episodes(means, horizon, epsilon, luck, index)


# ---- Azize, Wu, Honda, Orabona, Ito & Basu 2025: phases that grow by a factor; nothing is forgotten, and each phase
# adds noise of its own to the arm's sum.


def growing_phases(means, horizon, epsilon, growth, luck, prefer) -> list:
    """prefer(noisy means cut to [0, 1], counts, t) -> the index, of which the largest wins."""
    count, total, played = [0] * len(means), [0.0] * len(means), []
    while len(played) < horizon:
        t = len(played) + 1
        fresh = [i for i, n in enumerate(count) if n == 0]
        if fresh:
            arm, length = luck.one_of(fresh), 1
        else:
            arm = argmax(prefer([cut(s / n) for s, n in zip(total, count, strict=True)], count, t), luck)
            length = max(count[arm] + 1, math.floor(growth * count[arm])) - count[arm]
        played += [arm] * length
        count[arm] += length
        if len(played) <= horizon:
            total[arm] += luck.rewards(means[arm], length) + luck.laplace(1 / epsilon)
    return played[:horizon]


def dp_klucb(means, horizon, luck, epsilon, growth=2.0) -> list:
    """The largest max{q >= m : n d_ε(m, q) <= ln t}."""

    def prefer(mean, count, t):
        def distance(p, u):
            return private_kl(p, u, epsilon)

        return [furthest(distance, m, math.log(t) / n) for m, n in zip(mean, count, strict=True)]

    return growing_phases(means, horizon, epsilon, growth, luck, prefer)


def dp_imed(means, horizon, luck, epsilon, growth=2.0) -> list:
    """The smallest n d_ε(m, m*) + ln n, with m* the largest m."""

    def prefer(mean, count, t):
        best = away(max(mean))
        return [-(n * private_kl(m, best, epsilon) + math.log(n)) for m, n in zip(mean, count, strict=True)]

    return growing_phases(means, horizon, epsilon, growth, luck, prefer)


# ---- Hu & Hegde 2022, Algorithm 2.


def lazy_dp_ts(means, horizon, luck, epsilon) -> list:
    """θ ~ Beta(O p + 1, O (1 − p) + 1) in every round, p = cut(m + 3 ln t/(ε O)), from the last full batch of O."""
    waiting, size, mean, played = [0] * len(means), [0] * len(means), [0.0] * len(means), []
    for t in range(1, horizon + 1):
        draws = []
        for m, n in zip(mean, size, strict=True):
            if n == 0:
                draws.append(math.inf)  # an arm without a full batch comes first
            else:
                p = cut(m + 3 * math.log(t) / (epsilon * n))
                draws.append(luck.beta(n * p + 1, n * (1 - p) + 1))
        arm = argmax(draws, luck)
        played.append(arm)
        waiting[arm] += 1
        if waiting[arm] == max(1, 2 * size[arm]):  # batches of 1, 2, 4, ...
            size[arm], waiting[arm] = waiting[arm], 0
            mean[arm] = (luck.rewards(means[arm], size[arm]) + luck.laplace(1 / epsilon)) / size[arm]
    return played


# ---- Ou, Avella Medina & Cummings 2024.


def dp_ts(means, horizon, luck, pre_pulls=1, variance=1.0) -> list:
    """b pulls of each arm, one arm after the other, then θ ~ N(sum/(n + 1), c/(n + 1)) in every round."""
    count = [pre_pulls] * len(means)
    total = [luck.rewards(mean, pre_pulls) for mean in means]
    played = [arm for arm in range(len(means)) for _ in range(pre_pulls)]
    while len(played) < horizon:
        arm = argmax([luck.normal(s / (n + 1), variance / (n + 1)) for s, n in zip(total, count, strict=True)], luck)
        played.append(arm)
        count[arm] += 1
        total[arm] += luck.reward(means[arm])
    return played[:horizon]


# ---- Ours: lazy, forgetful batches of 1, 2, 4, ... observations, each released once.


class Batches:
    """One arm's: the open batch, and of the last full one the size n and the noisy mean m."""

    def __init__(self):
        self.open, self.size, self.mean = [], 0, 0.0

    def take(self, observation: float, noise) -> None:
        self.open.append(observation)
        if len(self.open) == max(1, 2 * self.size):
            self.size = len(self.open)
            self.mean = (sum(self.open) + noise()) / self.size
            self.open = []


def cucb_dp_lazy(arms, horizon, luck, epsilon, list_size, super_arm, outcomes) -> list:
    """super_arm(index) -> the oracle's choice; index = cut(m + sqrt(ln t/n) + 2K ln t/(ε n)), 1 before the first
    release, noise of scale K/ε. outcomes(super arm) -> what its arms give in this round.
    """
    batches, played = [Batches() for _ in range(arms)], []
    for t in range(1, horizon + 1):
        index = []
        for b in batches:
            if b.size == 0:
                index.append(1.0)
            else:
                width = math.sqrt(math.log(t) / b.size) + 2 * list_size * math.log(t) / (epsilon * b.size)
                index.append(cut(b.mean + width))
        chosen = super_arm(index)
        played.append(chosen)
        for arm, outcome in zip(chosen, outcomes(chosen), strict=True):
            batches[arm].take(outcome, lambda: luck.laplace(list_size / epsilon))
    return played


def best_of(super_arms, luck):
    """The oracle that compares all super arms, for a linear reward."""

    def best(index) -> tuple:
        values = [math.fsum(index[arm] for arm in s) for s in super_arms]  # fsum: no tie is broken by rounding
        return super_arms[argmax(values, luck)]

    return best


def cascade_dp_lazy(attraction, horizon, luck, epsilon, list_size) -> list:
    """The K items with the largest m + sqrt(ln t/n) + 2 ln t/(ε n), infinite before the first release; the one that
    stood in front least often goes there, and only the click there is looked at, with noise of scale 1/ε.

    Each round's list, the front item first.
    """
    batches, in_front, played = [Batches() for _ in attraction], [0] * len(attraction), []
    for t in range(1, horizon + 1):
        index = []
        for b in batches:
            if b.size == 0:
                index.append(math.inf)
            else:
                index.append(b.mean + math.sqrt(math.log(t) / b.size) + 2 * math.log(t) / (epsilon * b.size))
        chosen = luck.largest(index, list_size)
        fewest = min(in_front[item] for item in chosen)
        front = luck.one_of([item for item in chosen if in_front[item] == fewest])
        shown = (front, *(item for item in chosen if item != front))
        clicks = 0.0
        for place, item in enumerate(shown):  # the user reads on until the first click
            if luck.reward(attraction[item]):
                clicks = float(place == 0)
                break
        played.append(shown)
        in_front[front] += 1
        batches[front].take(clicks, lambda: luck.laplace(1 / epsilon))
    return played
