"""Exercise of 05_matroids: sums released lazily, forgetfully, behind noise for K of them."""

import math
from collections.abc import Callable

import numpy as np

from dpbandits.checks.report import Report, report
from dpbandits.privacy.audit import best_event

PLAYED = 8_000  # how often an answer is asked for one experiment, or half of it
ROUNDS = np.array([1.0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0])  # weights of one element: batches of 1, 2, 4 and 8
SUMS = np.array([1.0, 1, 3, 1])


def lazy_releases(answer: Callable[[np.ndarray, int, float, np.random.Generator], np.ndarray]) -> Report:
    """Exercise of 05_matroids. answer(weights, rank, epsilon, rng) -> the noisy sums released about one element.

    weights: what was observed of the element, in order, each 0 or 1. rank: K, how many elements are played in a round.
    """
    return report(
        answer,
        {
            "one release for each complete batch": _releases_in_time,
            "a release is random": _releases_noise,
            "on average the sum of its own batch": _forgets,
            "K releases together are ε-private": _hides_a_round,
            "and no noisier than that needs": _wastes_nothing,
        },
    )


def _released(answer, weights, rank=2, epsilon=2.0, seed=0, count=PLAYED):
    rng = np.random.default_rng([seed, rank])
    return np.array([np.asarray(answer(np.array(weights), rank, epsilon, rng), float) for _ in range(count)])


def _releases_in_time(answer):
    rng = np.random.default_rng(0)
    for observed in (0, 1, 2, 3, 6, 7, 15, 20):
        sums = answer(np.ones(observed), 2, 1.0, rng)
        if sums is None:
            return "Your function returned nothing: end it with `return sums`."
        complete = (observed + 1).bit_length() - 1
        if np.size(sums) != complete:
            filled = f"After play {observed}, {complete} of the batches of 1, 2, 4, ... are complete"
            return f"{filled}; you release {np.size(sums)}. What is incomplete waits."
    return None


def _releases_noise(answer):
    one, other = _released(answer, ROUNDS, count=2)
    if not (one != other).all():
        return f"The same weights twice give {one.round(2)} and {other.round(2)}: draw fresh noise for each release."
    together = np.triu(np.abs(np.corrcoef(_released(answer, ROUNDS).T)), k=1)  # pairs of releases of one run
    if together.max() <= 6 / math.sqrt(PLAYED):
        return None
    i, j = np.unravel_index(together.argmax(), together.shape)
    noises = f"The noises of releases {i + 1} and {j + 1} have a correlation of {together[i, j]:.2f} in absolute value"
    return f"{noises}: comparing the two takes noise away. Draw fresh noise for each release."


def _forgets(answer):
    sums = _released(answer, ROUNDS)
    mean, error = sums.mean(axis=0), 6 * sums.std(axis=0) / math.sqrt(PLAYED)
    wrong = np.flatnonzero(~(np.abs(mean - SUMS) <= error))
    if not wrong.size:
        return None
    k = int(wrong[0])
    if np.abs(mean - np.cumsum(SUMS))[wrong].max() < 0.2:
        once = f"Use a weight once; release {k + 1} is for {2**k} of them."
        return f"Release {k + 1} is {mean[k]:.2f} on average: the sum of all weights so far. {once}"
    told = f"Release {k + 1} is {mean[k]:.2f} on average; the {2**k} weights of its batch sum to {SUMS[k]:g}."
    return told + " (A sum, not a mean.)" * bool(abs(mean[k] - SUMS[k] / 2**k) <= error[k])


def _hides_a_round(answer):
    changed = ROUNDS.copy()
    changed[2] = 0  # in the second batch
    for rank, epsilon in ((2, 2.0), (3, 3.0)):
        seen = []
        for number, weights in enumerate((changed, ROUNDS)):  # that round's weight of all `rank` elements at once
            drawn = (_released(answer, weights, rank, epsilon, 10 * number + e) for e in range(rank))
            seen.append(np.sum([np.digitize(releases[:, 1], [0.0, 0.5]) for releases in drawn], axis=0))
        audit = best_event(*seen)
        if audit.epsilon() > epsilon:
            return (
                f"With K = {rank} and ε = {epsilon:g}, one round's weights changed, the K releases that they enter tell"
                f" too much: {audit}. Each moves by 1: how far do all K move together?"
            )
    return None


def _wastes_nothing(answer):
    for rank, epsilon in ((1, 2.0), (4, 1.0)):
        measured = float(_released(answer, ROUNDS, rank, epsilon, count=PLAYED // 2)[:, 3].std())
        enough = math.sqrt(2) * rank / epsilon
        if measured > 1.2 * enough:
            noise = f"your noise has standard deviation {measured:.2f}, and {enough:.2f} is enough"
            return f"With K = {rank} and ε = {epsilon:g} {noise}: fixed plays, K sums, each by 1."
    return None
