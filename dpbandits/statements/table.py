"""The ledger on a page: one readable table per paper, each line of which opens."""

import html
from collections.abc import Mapping
from dataclasses import dataclass

from dpbandits.parameters import unknown
from dpbandits.statements.catalogue import LEDGERS, PREFIXES, STATEMENTS
from dpbandits.statements.record import KINDS, UNDECIDED, VERDICTS, Finding, Statement, examine

ROWS = '<table style="width:100%;table-layout:fixed;text-align:left">{}</table>'
ROW = '<tr><td style="text-align:left;vertical-align:top;width:{}">{}</td><td style="text-align:left">{}</td></tr>'


@dataclass(frozen=True)
class Table:
    """Statements as lines that open: in a notebook each shows its comment and what its evidence computes."""

    statements: tuple[Statement, ...]

    def _repr_html_(self) -> str:
        return ROWS.format(
            "".join(ROW.format("24%", f"<b>{VERDICTS[s.verdict]}</b>", _line(s)) for s in self.statements)
        )

    def __repr__(self) -> str:
        return "\n".join(f"{VERDICTS[s.verdict]:32}  {s.name}: {s.statement}" for s in self.statements)


def table(paper: str, verdict: str = "") -> Table:
    """The statements of a paper, by the prefix of its names, with this verdict; all where it is left out. Raises
    ValueError.
    """
    if paper not in PREFIXES:
        raise ValueError(unknown("paper", paper, PREFIXES))
    if verdict and verdict not in VERDICTS:
        raise ValueError(unknown("verdict", verdict, VERDICTS))
    own = (s for ledger in LEDGERS if ledger.prefix == paper for s in ledger.statements)
    return Table(tuple(s for s in own if verdict in ("", s.verdict)))


def counts() -> dict[str, dict[str, int]]:
    """For each paper how many statements have each verdict."""
    found: dict[str, dict[str, int]] = {}
    for ledger in LEDGERS:
        row = found.setdefault(ledger.paper, dict.fromkeys(VERDICTS, 0))
        for statement in ledger.statements:
            row[statement.verdict] += 1
    return found


@dataclass(frozen=True)
class Opened:
    """A statement with the numbers of its evidence, as text."""

    finding: Finding

    def __repr__(self) -> str:
        s, numbers = self.finding.statement, self.finding.evidence
        lines = [
            f"{s.paper}, {s.where}: {s.statement}",
            f"  {VERDICTS.get(self.finding.verdict, UNDECIDED)}. {s.comment}",
        ]
        return "\n".join([*lines, *(f"    {name} = {rounded(value)}" for name, value in numbers.items())])


def evidence(name: str) -> Opened:
    """Compute the evidence of the statement `name` and show it. Raises ValueError for an unknown name."""
    if name not in STATEMENTS:
        raise ValueError(unknown("statement", name, STATEMENTS))
    return Opened(examine(STATEMENTS[name]))


def rounded(value: object) -> str:
    """Three significant digits: what is printed must not depend on the machine."""
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(rounded, value)) + "]"
    if isinstance(value, float):
        return "0" if abs(value) < 1e-12 else f"{value:.3g}"
    return str(value)


def _line(s: Statement) -> str:
    place = f"Taught in <code>{s.chapter}</code>, under “{html.escape(s.heading)}”."
    about = html.escape(" ".join((s.evidence.__doc__ or KINDS[s.kind]).split()))
    parts: Mapping[str, str] = {"": html.escape(s.comment), f"Evidence ({s.kind}):": about, "Run it:": ""}
    body = "".join(f"<p>{head} {text}</p>" for head, text in parts.items() if text)
    run = f"<p><code>dpbandits verify {s.name}</code></p><p>{place}</p>"
    return f"<details><summary>{html.escape(s.where)}: {html.escape(s.statement)}</summary>{body}{run}</details>"
