"""What is protected, and how much of it."""

from dpbandits.privacy.guarantee import Guarantee
from dpbandits.privacy.regions import (
    IntervalViolation,
    Violation,
    excess,
    feasible_region,
    interval_region,
    interval_violation,
    smallest_pulls,
    violations,
    worst_violation,
)

__all__ = [
    "Guarantee",
    "IntervalViolation",
    "Violation",
    "excess",
    "feasible_region",
    "interval_region",
    "interval_violation",
    "smallest_pulls",
    "violations",
    "worst_violation",
]
