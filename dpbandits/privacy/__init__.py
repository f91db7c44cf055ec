"""What is protected, and how much of it."""

from dpbandits.privacy.guarantee import Guarantee
from dpbandits.privacy.regions import (
    IntervalViolation,
    Violation,
    excess,
    feasible_region,
    interval_region,
    interval_violation,
    needed_delta,
    smallest_pulls,
    violations,
    worst_violation,
)
from dpbandits.privacy.selection import selection_probabilities
from dpbandits.privacy.transcript import TranscriptLoss, composed_totals, start_pulls, transcript_loss

__all__ = [
    "Guarantee",
    "IntervalViolation",
    "TranscriptLoss",
    "Violation",
    "composed_totals",
    "excess",
    "feasible_region",
    "interval_region",
    "interval_violation",
    "needed_delta",
    "selection_probabilities",
    "smallest_pulls",
    "start_pulls",
    "transcript_loss",
    "violations",
    "worst_violation",
]
