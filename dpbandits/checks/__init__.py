"""Self-checks for the notebooks' exercises: named checks that say in words what is wrong.

    report = checks.feasible_region(my_region)      # prints itself as the result of a cell
    assert report                                   # true when every check passed: this is how a grader asks

Each exercise is one function, in the file of its chapter, taking the learner's answer. A check is a function of the
answer that returns nothing when all is well, or a sentence. What the answer raises is told like any other finding.

Problem sets use `grading` and `laws`, which need no simulation: so the rest is loaded on first use.
"""

from importlib import import_module

#: Where each check is defined.
HOMES = {
    "boosted_draw": "arguments",
    "greedy_choice": "arguments",
    "rebuilt_bound": "arguments",
    "padded_reports": "cascading",
    "first_horizon": "lower_bounds",
    "lazy_releases": "matroids",
    "feasible_region": "optimal_policies",
    "randomised_response": "privacy",
    "longer_start": "promises",
    "Folded": "report",
    "Report": "report",
    "one_message": "semibandits",
    "next_cell": "why_it_holds",
    "list_price": "why_it_holds",
    "policy": "your_algorithm",
    "private_policy": "your_algorithm",
}
__all__ = sorted(HOMES)


def __getattr__(name: str):
    if name in HOMES:
        return getattr(import_module(f"dpbandits.checks.{HOMES[name]}"), name)
    raise AttributeError(f"module 'dpbandits.checks' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *HOMES})
