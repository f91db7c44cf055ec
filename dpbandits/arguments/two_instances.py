"""From two instances to a number: what every lower bound of the course is made of.

Two instances that differ in one arm, a learner, and the log-likelihood ratio L of what it has seen. Change of measure:
E₁[e^−L 1_A] = P₂(A). Divergence decomposition: E₁[L] = Σ_a E₁[N_a] D_a. Bretagnolle and Huber: P₁(A) + P₂(not A) >=
e^−E₁[L]/2. What privacy adds: contraction of D_a under local privacy (Duchi, Jordan & Wainwright 2018, Theorem 1), and
a coupling under central privacy (Karwa & Vadhan 2018, Lemma 6.1; ours is the sharper form of it), or both together
(Azize et al. 2025).
"""

import math
from typing import NamedTuple

import numpy as np
from scipy import stats

from dpbandits.algorithms.kl import kl
from dpbandits.algorithms.private_kl import private_kl
from dpbandits.bounds.catalogue import BOUNDS
from dpbandits.kernels import kernel
from dpbandits.randomness import argmax

POLICIES = ("optimistic", "uniform", "stubborn")
TRUST = ("none", "local", "central")


class Runs(NamedTuple):
    """Runs of one policy on one of the two instances. pulls: (runs,), of arm 2. loss: (runs,), L = ln of the likelihood
    of all messages under instance 1 over that under instance 2.
    """

    pulls: np.ndarray
    loss: np.ndarray


class Pair(NamedTuple):
    """Two two-armed instances. first, other: the means; they differ in arm 2 alone. divergence: D(report about arm 2 in
    instance 1 ‖ in instance 2). keep: chance that a report is the true outcome (1 without privacy).
    """

    first: tuple[float, float]
    other: tuple[float, float]
    divergence: float
    keep: float


def pair(gap: float, epsilon: float | None, best: float = 0.5) -> Pair:
    """Arm 1 has mean `best`; arm 2 is `gap` below it, or, in the other instance, `gap` above. epsilon: of randomised
    response on each outcome; None for no privacy.
    """
    keep = 1.0 if epsilon is None else kept(epsilon)
    divergence = float(kl(told(best - gap, keep), told(best + gap, keep)))
    return Pair((best, best - gap), (best, best + gap), divergence, keep)


def kept(epsilon: float) -> float:
    """How often a randomised response is the true outcome."""
    return 1 / (1 + math.exp(-epsilon))


def told(mean, keep: float):
    """The mean of reports that are the true outcome with chance `keep`, about an arm (or arms) of this mean."""
    return mean * keep + (1 - mean) * (1 - keep)


def play(two: Pair, instance: int, *, horizon: int, runs: int, policy: str = "optimistic", seed: int = 0) -> Runs:
    """Let a policy meet instance 1 or 2. optimistic: UCB on reports; uniform: a fair coin; stubborn: always arm 1."""
    rng = np.random.default_rng([seed, instance])
    one, other = (told(np.array(means), two.keep) for means in (two.first, two.other))
    here = one if instance == 1 else other
    return Runs(*_play(here, one, other, two.keep, horizon, runs, POLICIES.index(policy), rng))


@kernel
def _play(here, one, two, keep, horizon, runs, policy, rng):
    """The runs behind play(); here, one, two: means of reports. The loss counts reports alone: the policy's own choices
    have the same law in both.
    """
    pulls, loss = np.zeros(runs, np.int64), np.zeros(runs)
    bonus = math.sqrt(0.5 * math.log(horizon)) / max(1e-9, 2.0 * keep - 1.0)
    index, total, count = np.empty(2), np.empty(2), np.empty(2)
    for r in range(runs):
        total[:], count[:] = 0.0, 0.0
        for _ in range(horizon):
            if policy == 1:
                arm = int(2.0 * rng.random())
            elif policy == 2:
                arm = 0
            else:
                for a in range(2):
                    if count[a] == 0.0:
                        index[a] = math.inf
                    else:
                        mean = (total[a] / count[a] - (1.0 - keep)) / max(1e-9, 2.0 * keep - 1.0)
                        index[a] = mean + bonus / math.sqrt(count[a])
                arm = argmax(index, rng)
            report = rng.random() < here[arm]
            total[arm] += report
            count[arm] += 1.0
            if report:
                loss[r] += math.log(one[arm] / two[arm])
            else:
                loss[r] += math.log((1.0 - one[arm]) / (1.0 - two[arm]))
        pulls[r] = int(count[1])
    return pulls, loss


class Steps(NamedTuple):
    """What the runs of one policy on both instances say of each step. reweighted: estimate of P₂(A) from instance 1
    alone, Σ e^−L 1_A / runs, A: arm 2 in at least half of the rounds. Errors are standard errors.
    """

    reweighted: float
    reweighted_error: float
    counted: float
    divergence: float
    divergence_error: float
    decomposed: float
    mistakes: float
    at_least: float


def steps(two: Pair, one: Runs, other: Runs, horizon: int) -> Steps:
    """Change of measure, decomposition, Bretagnolle and Huber, on runs of both instances."""
    often, often_there = one.pulls >= horizon / 2, other.pulls >= horizon / 2
    weights, runs = np.exp(-one.loss) * often, one.pulls.size
    mean, decomposed = float(one.loss.mean()), float(one.pulls.mean()) * two.divergence
    return Steps(
        float(weights.mean()),
        float(weights.std() / math.sqrt(runs)),
        float(often_there.mean()),
        mean,
        float(one.loss.std() / math.sqrt(runs)),
        decomposed,
        float(often.mean() + 1 - often_there.mean()),
        0.5 * math.exp(-decomposed),
    )


# ---- privacy ----------------------------------------------------------------------------------------------------


def contraction(p: float, q: float, epsilon: float) -> tuple[float, float, float]:
    """(D of a randomised response of mean p from one of mean q, and back, added up; its bound min{4, e^2ε}(e^ε − 1)²
    TV²; the same sum without privacy).
    """
    keep = kept(epsilon)
    both = lambda a, b: float(kl(a, b) + kl(b, a))
    return both(told(p, keep), told(q, keep)), local_price(epsilon) * (p - q) ** 2, both(p, q)


def local_price(epsilon: float) -> float:
    """min{4, e^2ε}(e^ε − 1)²."""
    return min(4.0, math.exp(2 * epsilon)) * math.expm1(epsilon) ** 2


def central_price(variation: float, epsilon: float) -> float:
    """ln(1 + TV (e^ε − 1)): by what factor, in the logarithm, one more sample can change a probability."""
    return float(np.logaddexp(math.log1p(-variation), math.log(variation) + epsilon)) if variation < 1 else epsilon


class Coupled(NamedTuple):
    """ln of P(event) for samples of mean p over that for mean q: the largest over thresholds, and two ceilings for n
    samples. at: the threshold.
    """

    largest: float
    ours: float
    karwa_vadhan: float
    at: float


def coupling(p: float, q: float, samples: int, epsilon: float) -> Coupled:
    """The noisy count of `samples` coins, Lap(1/ε), against a threshold: exact probabilities for means p > q.

    ours: n ln(1 + TV(e^ε − 1)), by exchanging one sample after the other: where the two couple, nothing changes; where
    they do not, e^ε at most. karwa_vadhan: 6 ε n TV, which is larger for small ε and fails for large.
    """
    counts = np.arange(samples + 1)
    thresholds = np.linspace(-samples, 2 * samples, 601)
    above = stats.laplace.sf(thresholds[:, None] - counts, scale=1 / epsilon)
    ratio = np.log(above @ stats.binom.pmf(counts, samples, p)) - np.log(above @ stats.binom.pmf(counts, samples, q))
    place = int(np.argmax(ratio))
    variation = abs(p - q)
    ours = samples * central_price(variation, epsilon)
    return Coupled(float(ratio[place]), ours, 6 * epsilon * samples * variation, float(thresholds[place]))


def karwa_vadhan_fails_from(variation: float) -> float:
    """The least ε (to 0.01) at which one randomised response beats e^(6 ε TV): P = 1 with chance TV, Q never."""
    for epsilon in np.arange(0.01, 50, 0.01):
        true, lie = kept(epsilon), kept(-epsilon)
        if math.log((variation * true + (1 - variation) * lie) / lie) > 6 * epsilon * variation:
            return float(round(epsilon, 2))
    return math.inf


class Mixed(NamedTuple):
    """Nats a coin. told: D between a private count of coins of mean p and one of mean q, over their number. ceiling:
    d_ε(p, q) = ε(r − p) + kl(r, q) with r = `at`; changed, weighed: ε TV and kl alone, the same at r = q and r = p.
    """

    told: float
    ceiling: float
    at: float
    changed: float
    weighed: float


def mixture(p: float, q: float, samples: int, epsilon: float) -> Mixed:
    """What an ε-private count of `samples` coins of mean p tells against mean q, for 0 < p < q < 1: exact."""
    one, two = noisy_count(p, samples, epsilon), noisy_count(q, samples, epsilon)
    told = float(np.exp(one) @ (one - two)) / samples
    at = max(p, q / (q + (1 - q) * math.exp(epsilon)))
    return Mixed(told, float(private_kl(p, q, epsilon)), at, epsilon * (q - p), float(kl(p, q)))


def noisy_count(mean: float, samples: int, epsilon: float) -> np.ndarray:
    """Logarithms of the chances of "below 0", 0, 1, …, n and "above n", for the count of n = `samples` coins plus noise
    that is z with a chance in proportion to e^(−ε|z|): ε-private, as one coin moves the count by 1. Shape (n + 3,).

    (What is drawn below 0 or above n has the same shape whatever the mean, so those two say all.)
    """
    counts = np.arange(samples + 1)
    chances = stats.binom.logpmf(counts, samples, mean)
    from_below = np.logaddexp.accumulate(chances + epsilon * counts) - epsilon * counts
    from_above = np.logaddexp.accumulate((chances - epsilon * counts)[::-1])[::-1] + epsilon * counts
    inside = np.logaddexp(from_below, np.append(from_above[1:] - epsilon, -np.inf))
    beyond = -epsilon - math.log(-math.expm1(-epsilon))
    found = np.concatenate(([from_above[0] + beyond], inside, [from_below[-1] + beyond]))
    return found + math.log(math.tanh(epsilon / 2))


# ---- putting it together ----------------------------------------------------------------------------------------


def pulls_needed(p: float, best: float, trust: str, epsilon: float = 1.0) -> float:
    """Plays of an arm of mean p, in units of ln T, without which a consistent learner cannot tell it from one just
    above `best`: 1/D, with D the least of what the trust leaves. Local: 1/(min{4, e^2ε}(e^ε − 1)² TV²).
    """
    plain = 1 / float(kl(p, best))
    if trust == "none":
        return plain
    if trust == "local":
        return max(plain, 1 / (local_price(epsilon) * (best - p) ** 2))
    return max(plain, 1 / central_price(best - p, epsilon))


def finite(horizon: float, gap: float, price: float) -> float:
    """The least r with R₁, R₂ <= r on means ½ and ½ − Δ, and on ½ and ½ + Δ, in `horizon` rounds: 2r >= (TΔ/4)
    e^(−rD/Δ), where `price` is D, what one play of arm 2 can tell.
    """
    low, high = 0.0, horizon * gap
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (
            (low, middle) if 2 * middle >= horizon * gap / 4 * math.exp(-middle * price / gap) else (middle, high)
        )
    return high


def hardest(horizon: float, trust: str, epsilon: float = 1.0) -> tuple[float, float]:
    """(largest of finite() over gaps, that gap): no learner keeps below it on every two-armed problem. trust: none or
    local.
    """
    gaps = np.geomspace(0.45 / math.sqrt(horizon), 0.45, 300)
    found = []
    for gap in gaps:
        plain = float(kl(0.5 - gap, 0.5 + gap))
        price = plain if trust == "none" else min(plain, local_price(epsilon) * (2 * gap) ** 2)
        found.append(finite(horizon, gap, price))
    place = int(np.argmax(found))
    return float(found[place]), float(gaps[place])


def best_event(p: float, q: float, samples: int) -> tuple[float, float]:
    """(least P(A) + Q(not A) over all events A of `samples` coins, ½e^−D): how much Bretagnolle and Huber give away."""
    counts = np.arange(samples + 1)
    one, two = stats.binom.pmf(counts, samples, p), stats.binom.pmf(counts, samples, q)
    return float(np.minimum(one, two).sum()), 0.5 * math.exp(-samples * float(kl(p, q)))


def changes_needed(likely: float, unlikely: float, epsilon: float, delta: float = 0.0) -> float:
    """Changed rewards without which an (ε, δ)-private learner cannot give an event chance `likely` in one world and
    `unlikely` in the other: likely <= e^kε unlikely + δ(e^kε − 1)/(e^ε − 1), solved for k.
    """
    grown = math.expm1(epsilon)
    return math.log((likely * grown + delta) / (unlikely * grown + delta)) / epsilon


def rebuilt() -> list[tuple[str, str, float, float]]:
    """(bound, ingredients, its value in the catalogue, the same from the ingredients) for the lower bounds of the
    course, at ε = 0.1, δ = 10⁻⁶ where there is one.
    """
    epsilon, rows = 0.1, []
    here = {"horizon": 10**6, "epsilon": epsilon}
    semi = {"arms": 20, "gap": 0.2, "constants": "corrected"}
    cascade = {"items": 20, "list_size": 4, "p": 0.2, "gap": 0.1}

    def add(name, ingredients, value, attribute="rate", **given):
        rows.append((name, ingredients, float(getattr(BOUNDS[name].evaluate(**here, **given), attribute)), value))

    means = (0.6, 0.5, 0.3)
    basu = sum((0.6 - p) / min(float(kl(p, 0.6)), 6 * epsilon * (0.6 - p)) for p in means[1:])
    add("azize-basu-lower", "max{kl, coupling as 6εTV}, each arm", basu, means=means)
    sharp = sum((0.6 - p) / float(private_kl(p, 0.6, epsilon)) for p in means[1:])
    add("azize-2025-lower", "change some rewards, weigh the others", sharp, means=means)
    local = lambda step: 1 / (local_price(epsilon) * step**2)
    add("chen-theorem-5", "contraction, TV = Δ/B", 19 * 0.2 * local(0.2), smoothness=1.0, **semi)
    add("chen-theorem-6", "contraction, TV = Δ/K, K-path", 4 * 0.2 * local(0.05), list_size=4, smoothness=1.0, **semi)
    central = 4 * 0.2 * pulls_needed(0.45, 0.5, "central", epsilon)
    add("chen-theorem-9", "max{kl, coupling}, K-path", central, list_size=4, smoothness=1.0, **semi)
    seen = (1 - 0.2) ** 3
    add("cascading-theorem-11", "contraction, (1−p)^(K−1)", 16 * seen * 0.1 * local(0.1), **cascade)
    pulls = pulls_needed(0.1, 0.2, "central", epsilon)
    add("cascading-theorem-12", "max{kl, coupling}, (1−p)^(K−1)", 16 * seen * 0.1 * pulls, **cascade)
    room = (10**6) ** 0.5
    k = changes_needed(0.2, 8 / room, epsilon, 1e-6) / 16
    add("wang-zhu-theorem-4", "coupling with δ, events 1/5 and 8c₀T^(α−1)", k, "value", delta=1e-6, c0=1.0, alpha=0.5)
    return rows
