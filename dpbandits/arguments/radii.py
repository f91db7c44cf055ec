"""The regret of Theorems 11, 16 and 18 of Wang & Zhu 2024: two radii, and what happens with probability 1/T.

Theorem 16: θ = μ̂ + both radii + noise. With probability 1 − 4/T it is above μ and below μ plus twice both radii, so a
poor arm stops being played when these fit into its gap. Theorem 11 has no such lift: its arm waits for a good draw.
"""

import math

import numpy as np
from scipy import stats

from dpbandits.algorithms.stochastic.elimination import gdp_elim_phase
from dpbandits.mechanisms.perturbations import check_pair, law, two_sided_width


def radii(pulls, horizon: float, epsilon: float, delta: float) -> tuple[np.ndarray, np.ndarray]:
    """(√(ln T/N), w/N): what N rewards leave open of μ, and how far the noise reaches (but for 1/T on either side)."""
    epsilon, delta = check_pair(epsilon, delta)
    pulls = np.asarray(pulls, float)
    return np.sqrt(math.log(horizon) / pulls), two_sided_width(epsilon, delta, float(horizon)) / pulls


def last_pull(gap: float, horizon: float, epsilon: float, delta: float) -> tuple[int, float]:
    """(the N from which on twice both radii are below the gap, the theorem's max{16 ln T/Δ², (4/(Δε)) ln[…]})."""
    width, log = two_sided_width(epsilon, delta, float(horizon)), math.log(horizon)
    root = (math.sqrt(log) + math.sqrt(log + 2 * gap * width)) / gap  # √N solves ΔN = 2√(N ln T) + 2w
    return math.ceil(root**2), max(16 * log / gap**2, 4 * width / gap)


def misses(
    pulls: int, mean: float, horizon: float, epsilon: float, delta: float, lift: tuple[bool, bool] = (True, True)
) -> tuple[float, float]:
    """(P(θ < μ), P(θ > μ + 2 radii)) of law New after N coins of bias μ, exactly; lift: which radii are added to μ̂."""
    total = np.arange(pulls + 1)
    learning, private = radii(pulls, horizon, epsilon, delta)
    noise = law("new", pulls, 0, epsilon, delta)
    away = mean - total / pulls - lift[0] * learning - lift[1] * private  # θ < μ is noise < away
    weights = stats.binom.pmf(total, pulls, mean)
    return float(weights @ noise.cdf(away)), float(weights @ noise.sf(away + 2 * (learning + private)))


def waiting(pulls: int, mean: float, slack: float, kind: str = "gauss", **pair: float) -> float:
    """E[1/p] − 1 with p = P(θ >= μ − λ | the arm's rewards): rounds lost until a good draw of the best arm, exactly.

    kind: "gauss", "beta" or "beta-plain". Appendix A's sum over N of this is the Θ(1/λ⁴) of Theorem 11.
    """
    total = np.arange(pulls + 1)
    good = np.array([law(kind, pulls, r, **pair).sf(mean - slack) for r in total])
    weights = stats.binom.pmf(total, pulls, mean)
    seen = weights > 1e-250
    return float(weights[seen] @ ((1 - good[seen]) / good[seen]))


def phases(horizon: int, epsilon: float, delta: float, arms: int, longest: int = 20) -> list[tuple]:
    """(k, Δ(k), N(k), √(2 ln T/N(k)), w/N(k), rounds of all phases up to k) of GDP-Elim-New, until T is spent."""
    width, spent, rows = two_sided_width(epsilon, delta / 2, float(horizon) ** 2), 0, []
    for k in range(1, longest + 1):
        length = gdp_elim_phase(2.0**-k, horizon, epsilon, delta)
        spent += arms * length
        rows.append((k, 2.0**-k, length, math.sqrt(2 * math.log(horizon) / length), width / length, spent))
        if spent >= horizon:
            break
    return rows


def commits(
    means, horizon: int, epsilon: float, delta: float, *, shorter: float = 1, phases: int = 12, trials: int = 20_000,
    seed: int = 0,
) -> tuple[float, float]:  # fmt: skip
    """(how often GDP-Elim-New settles on an arm that is not the best, its mean phase of doing so), from `trials` runs.

    shorter: divides every N(k); 1 is the algorithm. phases: at most so many are played, horizon or not.
    """
    means, rng = np.asarray(means, float), np.random.default_rng(seed)
    open_runs, wrong, when = np.arange(trials), 0, []
    noise = law("new", 1, 0, epsilon, delta / 2)
    for k in range(1, phases + 1):
        step = 2.0**-k
        length = max(1, math.ceil(gdp_elim_phase(step, horizon, epsilon, delta) / shorter))
        size = (open_runs.size, means.size)
        theta = (rng.binomial(length, means, size) + noise.sample(rng, size)) / length
        order = np.sort(theta, axis=1)
        settles = order[:, -1] - order[:, -2] >= step
        wrong += int((theta.argmax(axis=1)[settles] != means.argmax()).sum())
        when += [k] * int(settles.sum())
        open_runs = open_runs[~settles]
        if not open_runs.size:
            break
    return wrong / trials, float(np.mean(when)) if when else math.nan
