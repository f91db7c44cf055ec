"""What counting can prove about ε: one event, two neighbouring inputs, many runs of each.

If an algorithm is (ε, δ)-private, P(event) <= e^ε P′(event) + δ. So intervals for the two probabilities give a lower
bound on ε. It can refute a claim, never prove one: another event, or other neighbours, may tell more.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from dpbandits.parameters import Parameter

CONFIDENCE = Parameter("confidence", "probability that the lower bound on ε holds", 1 - 1e-6, low=0, high=1, open_low=True, open_high=True)


def clopper_pearson(hits: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Exact two-sided interval for a probability from `hits` in `trials` (Clopper & Pearson 1934)."""
    if not 0 <= hits <= trials or trials < 1:
        raise ValueError(f"hits = {hits} of trials = {trials} is not allowed: hits must be from 0 to trials, and trials >= 1.")
    tail = (1 - CONFIDENCE.check(confidence)) / 2
    low = stats.beta.ppf(tail, hits, trials - hits + 1) if hits > 0 else 0.0
    high = stats.beta.isf(tail, hits + 1, trials - hits) if hits < trials else 1.0
    return float(low), float(high)


@dataclass(frozen=True)
class Audit:
    """An event that happened in `hits` of `trials` runs on one input, and in `other_hits` of `other_trials` on its neighbour."""

    hits: int
    trials: int
    other_hits: int
    other_trials: int
    confidence: float = CONFIDENCE.default

    @classmethod
    def of(cls, happened, other_happened, confidence: float = CONFIDENCE.default) -> "Audit":
        """From two arrays of booleans, one entry a run."""
        return cls(int(np.sum(happened)), len(happened), int(np.sum(other_happened)), len(other_happened), confidence)

    @property
    def intervals(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Intervals for the two probabilities, which hold together with `confidence`."""
        each = (1 + self.confidence) / 2
        return clopper_pearson(self.hits, self.trials, each), clopper_pearson(self.other_hits, self.other_trials, each)

    def epsilon(self, delta: float = 0.0) -> float:
        """No smaller ε is possible at this δ, with `confidence`: max(0, ln((p − δ)/q)), p the lower and q the upper end."""
        (low, _), (_, high) = self.intervals
        return max(0.0, math.log((low - delta) / high)) if low > delta else 0.0

    def __str__(self) -> str:
        p, q = self.hits / self.trials, self.other_hits / self.other_trials
        return f"probability {p:.4g} against {q:.4g}: ε >= {self.epsilon():.3g} at the least"


def best_event(outcomes, other_outcomes, confidence: float = CONFIDENCE.default) -> Audit:
    """The event that tells most, found on one half of the runs and counted on the other half.

    outcomes, other_outcomes: shape (runs,) or (runs, d), integers: what an onlooker sees. The event is a set of outcomes:
    the more likely ones under the first input, down to the likelihood ratio where the bound on ε is largest.
    """
    outcomes, other_outcomes = (np.reshape(o, (len(o), -1)) for o in (outcomes, other_outcomes))
    names, codes = np.unique(np.concatenate([outcomes, other_outcomes]), axis=0, return_inverse=True)
    codes = codes.ravel()
    first, second = codes[: len(outcomes)], codes[len(outcomes) :]
    found = [np.bincount(half[::2], minlength=len(names)) for half in (first, second)]
    order = np.argsort(-(found[0] + 0.5) / (found[1] + 0.5), kind="stable")
    hits, other_hits = (np.cumsum(counts[order]) for counts in found)
    trials = len(first[::2]), len(second[::2])
    bounds = [Audit(int(a), trials[0], int(b), trials[1], confidence).epsilon() for a, b in zip(hits, other_hits, strict=True)]
    event = order[: int(np.argmax(bounds)) + 1]
    return Audit.of(np.isin(first[1::2], event), np.isin(second[1::2], event), confidence)
