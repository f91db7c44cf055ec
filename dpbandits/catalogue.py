"""Everything that has a name: algorithms, instances, bounds, figures, statements. Mappings from name to record."""

from collections.abc import Mapping


def algorithms() -> Mapping:
    """Name -> Algorithm."""
    from dpbandits.algorithms.catalogue import ALGORITHMS

    return ALGORITHMS


def instances() -> Mapping:
    """Name -> Family (a named way to build instances)."""
    from dpbandits.environments.catalogue import INSTANCES

    return INSTANCES


def bounds() -> Mapping:
    """Name -> Bound."""
    from dpbandits.bounds.catalogue import BOUNDS

    return BOUNDS


def figures() -> Mapping:
    """Name -> Figure (a panel of a paper: what to run and how to draw it)."""
    from dpbandits.papers.catalogue import FIGURES

    return FIGURES


def statements() -> Mapping:
    """Name -> Statement (what a paper says, with evidence that runs and a verdict)."""
    from dpbandits.statements.catalogue import STATEMENTS

    return STATEMENTS
