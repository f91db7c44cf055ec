"""Self-checks for the notebooks' exercises: named checks that say in words what is wrong.

    report = checks.feasible_region(my_region)      # prints itself as the result of a cell
    assert report                                   # true when every check passed: this is how a grader asks

Each exercise is one function, in the file of its chapter, taking the learner's answer. A check is a function of the
answer
that returns nothing when all is well, or a sentence. What the answer raises is told like any other finding.
"""

from dpbandits.checks.cascading import padded_reports
from dpbandits.checks.lower_bounds import first_horizon
from dpbandits.checks.matroids import lazy_releases
from dpbandits.checks.optimal_policies import feasible_region
from dpbandits.checks.privacy import randomised_response
from dpbandits.checks.report import Folded, Report, report
from dpbandits.checks.semibandits import one_message
from dpbandits.checks.your_algorithm import policy, private_policy

__all__ = [
    "Folded",
    "Report",
    "feasible_region",
    "first_horizon",
    "lazy_releases",
    "one_message",
    "padded_reports",
    "policy",
    "private_policy",
    "randomised_response",
    "report",
]
