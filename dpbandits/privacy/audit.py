"""What counting can prove about ε: one event, two neighbouring inputs, many runs of each.

If an algorithm is (ε, δ)-private, P(event) <= e^ε P′(event) + δ. So intervals for the two probabilities give a lower
bound on ε. It can refute a claim, never prove one: another event, or other neighbours, may tell more.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import stats

from dpbandits.parameters import Parameter

CONFIDENCE = Parameter(
    "confidence", "probability that the lower bound on ε holds", 1 - 1e-6, low=0, high=1, open_low=True, open_high=True
)


def clopper_pearson(hits: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Exact two-sided interval for a probability from `hits` in `trials` (Clopper & Pearson 1934)."""
    if not 0 <= hits <= trials or trials < 1:
        raise ValueError(
            f"hits = {hits} of trials = {trials} is not allowed: hits must be from 0 to trials, and trials >= 1."
        )
    low, high = _ends(np.array([hits]), trials, CONFIDENCE.check(confidence))
    return float(low[0]), float(high[0])


def _ends(hits: np.ndarray, trials: int, confidence: float) -> tuple[np.ndarray, np.ndarray]:
    """Both ends of the interval, for many counts at once."""
    tail = (1 - confidence) / 2
    low = np.where(hits > 0, stats.beta.ppf(tail, np.maximum(hits, 1), trials - hits + 1), 0.0)
    high = np.where(hits < trials, stats.beta.isf(tail, hits + 1, np.maximum(trials - hits, 1)), 1.0)
    return low, high


@dataclass(frozen=True)
class Audit:
    """An event that happened in `hits` of `trials` runs on one input, and in `other_hits` of `other_trials` on its
    neighbour.
    """

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
        """No smaller ε is possible at this δ, with `confidence`: max(0, ln((p − δ)/q)), p the lower and q the upper
        end.
        """
        (low, _), (_, high) = self.intervals
        return max(0.0, math.log((low - delta) / high)) if low > delta else 0.0

    def __str__(self) -> str:
        p, q = self.hits / self.trials, self.other_hits / self.other_trials
        return f"probability {p:.4g} against {q:.4g}: ε >= {self.epsilon():.3g} at the least"


def best_event(outcomes, other_outcomes, confidence: float = CONFIDENCE.default) -> Audit:
    """The event that tells most, found on one half of the runs and counted on the other half.

    outcomes, other_outcomes: shape (runs,) or (runs, d), integers: what an onlooker sees. The event is a set of
    outcomes: the more likely ones under the first input, down to the likelihood ratio where the bound on ε is largest.
    """
    _, first, second = _coded(outcomes, other_outcomes)
    event = _telling(first[::2], second[::2], 0.0, confidence)
    return Audit.of(np.isin(first[1::2], event), np.isin(second[1::2], event), confidence)


@dataclass(frozen=True)
class Finding:
    """The view and the event that tell most. outcomes: the event, shape (outcomes, d); audit: how often it happened.

    swapped: whether the event is the likelier one under the second input; the audit then counts that input first.
    """

    view: str
    outcomes: np.ndarray
    swapped: bool
    audit: Audit


def best_view(
    views: Mapping[str, np.ndarray],
    other_views: Mapping[str, np.ndarray],
    delta: float = 0.0,
    confidence: float = CONFIDENCE.default,
) -> Finding:
    """As best_event, where an onlooker may look in several ways, and either input may be the likelier one.

    views, other_views: name -> outcomes, as for best_event. A quarter of the runs finds an event in every view, the
    next quarter compares the views by their bound on ε at `delta`, and only the other half counts the winner: so there
    is one event to count, whatever was tried, and its bound holds with `confidence`.
    """
    best: tuple[float, str, bool, np.ndarray, np.ndarray, np.ndarray] | None = None
    for view in views:
        names, *inputs = _coded(views[view], other_views[view])
        for swapped in (False, True):
            first, second = inputs[::-1] if swapped else inputs
            event = _telling(first[::4], second[::4], delta, confidence)
            trial = Audit.of(np.isin(first[2::4], event), np.isin(second[2::4], event), confidence).epsilon(delta)
            if best is None or trial > best[0]:
                best = trial, view, swapped, names, first, second
    assert best is not None, "there is no view to look at"
    _, view, swapped, names, first, second = best
    event = _telling(first[::2], second[::2], delta, confidence)
    return Finding(
        view, names[event], swapped, Audit.of(np.isin(first[1::2], event), np.isin(second[1::2], event), confidence)
    )


def _coded(outcomes, other_outcomes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All different outcomes, shape (outcomes, d), and for both inputs the number of each run's outcome among them."""
    outcomes, other_outcomes = (np.reshape(o, (len(o), -1)) for o in (outcomes, other_outcomes))
    rows = np.concatenate([outcomes, other_outcomes])
    shifted = rows - rows.min()
    if shifted.max() < 255:  # rows as strings of bytes, none of them 0: in the same order, and sorted many times faster
        keys = np.ascontiguousarray(shifted + 1, dtype=np.uint8).view(f"S{rows.shape[1]}").ravel()
        _, where, codes = np.unique(keys, return_index=True, return_inverse=True)
        names = rows[where]
    else:
        names, codes = np.unique(rows, axis=0, return_inverse=True)
        codes = codes.ravel()
    return names, codes[: len(outcomes)], codes[len(outcomes) :]


def _telling(first: np.ndarray, second: np.ndarray, delta: float, confidence: float) -> np.ndarray:
    """The event, as a set of codes, with the largest bound on ε in these very runs (which is too good: count it in
    others).
    """
    size = 1 + max(first.max(), second.max())
    found = [np.bincount(codes, minlength=size) for codes in (first, second)]
    order = np.argsort(-(found[0] + 0.5) / (found[1] + 0.5), kind="stable")
    hits, other_hits = (np.cumsum(counts[order]) for counts in found)
    (low, _), (_, high) = (
        _ends(counts, len(codes), (1 + confidence) / 2) for counts, codes in ((hits, first), (other_hits, second))
    )
    return order[
        : int(np.argmax(np.maximum(low - delta, 0) / high)) + 1
    ]  # the bound on ε is the logarithm of this, or 0
