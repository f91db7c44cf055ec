"""All statements by name, and running their evidence side by side."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import joblib

from dpbandits.parameters import unknown
from dpbandits.statements import (
    cascading,
    cascading_arguments,
    chandak,
    chandak_arguments,
    chen,
    chen_arguments,
    wang_zhu,
    wang_zhu_arguments,
    wang_zhu_figures,
    wang_zhu_proofs,
)
from dpbandits.statements.record import Finding, Statement, examine

LEDGERS = (
    wang_zhu.LEDGER,
    wang_zhu_proofs.LEDGER,
    wang_zhu_arguments.LEDGER,
    wang_zhu_figures.LEDGER,
    cascading.LEDGER,
    cascading.SHORT,
    cascading_arguments.LEDGER,
    chen.LEDGER,
    chen_arguments.LEDGER,
    chandak.LEDGER,
    chandak_arguments.LEDGER,
)
STATEMENTS: dict[str, Statement] = {statement.name: statement for ledger in LEDGERS for statement in ledger.statements}

PREFIXES = tuple(dict.fromkeys(ledger.prefix for ledger in LEDGERS))  # of the statements' names, one a paper


def chosen(name: str) -> list[Statement]:
    """The statement of that name, all whose names begin with it, or all for "all". Raises ValueError where there is
    none.
    """
    if name in STATEMENTS:
        return [STATEMENTS[name]]
    found = [s for s in STATEMENTS.values() if name == "all" or s.name.startswith(name)]
    if not found or not name:
        raise ValueError(unknown("statement", name, STATEMENTS))
    return found


def verify(statements: Iterable[Statement], workers: int | None = None) -> Iterator[Finding]:
    """The findings, in the given order, as they come. workers: processes; None means all cores, 1 means this one."""
    statements = list(statements)
    workers = min(joblib.cpu_count() if workers is None else workers, len(statements))
    if workers == 1:
        yield from map(examine, statements)
        return
    parallel = joblib.Parallel(n_jobs=workers, return_as="generator", backend="loky")
    for statement, (verdict, evidence, seconds) in zip(
        statements, parallel(joblib.delayed(_run)(s.name) for s in statements), strict=True
    ):
        yield Finding(statement, verdict, evidence, seconds)


def _run(name: str) -> tuple[str, Mapping[str, Any], float]:
    """In a worker process, which knows the statement by its name."""
    finding = examine(STATEMENTS[name])
    return finding.verdict, finding.evidence, finding.seconds
