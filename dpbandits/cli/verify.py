"""`dpbandits verify`: recompute what the papers say."""

import argparse
import sys

from dpbandits.cli.output import as_json, number

HELP = """\
recompute statements of the papers: evidence, the verdict that follows from it, and whether the ledger says the same

Verdicts: holds; holds-if (under a condition that the ledger names); fails (as printed); vacuous (true, but says nothing
in practice); open. Exit code 1 where a verdict differs from the recorded one.

examples:
  dpbandits verify wang-zhu-lemma-8         one statement, with its numbers
  dpbandits verify chen                     all whose names begin so
  dpbandits verify all --workers 2          the whole ledger, some minutes
  dpbandits verify icassp --json            for other programs: name, verdict, recorded, evidence, seconds, ...

`dpbandits list statements` names them all.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", metavar="NAME", help="a name from `dpbandits list statements`, the beginning of one, or all"
    )
    parser.add_argument("--workers", type=int, help="processes (default: all cores)")
    parser.add_argument("--json", action="store_true", help="a JSON list of objects instead of lines")


def execute(arguments: argparse.Namespace) -> int:
    from dpbandits.parameters import Parameter
    from dpbandits.statements.catalogue import chosen, verify

    workers = arguments.workers
    if workers is not None:
        workers = Parameter("workers", "processes", kind="integer", low=1, high=1024).check(workers)
    found = []
    for finding in verify(chosen(arguments.name), workers):
        found.append(finding)
        if not arguments.json:
            print(readable(finding), flush=True)
    differing = [finding.statement.name for finding in found if not finding.agrees]
    if arguments.json:
        print(as_json([finding.as_dict() for finding in found]))
    elif len(found) > 1:
        print(f"{len(found)} statements, {sum(f.seconds for f in found):.0f} s of computing")
    if differing:
        print(f"dpbandits: not what the ledger records: {', '.join(differing)}.", file=sys.stderr)
    return 1 if differing else 0


def readable(finding) -> str:
    """The verdict, the statement, the comment and the numbers."""
    statement = finding.statement
    verdict = finding.verdict if finding.agrees else f"{finding.verdict}, RECORDED {statement.verdict}"
    numbers = ", ".join(f"{name} = {number(value)}" for name, value in finding.evidence.items())
    lines = [
        f"{statement.name}: {verdict}   ({statement.paper}, {statement.where}; {finding.seconds:.1f} s)",
        f"  {statement.statement}",
        *([f"  {statement.comment}"] if statement.comment else []),
        f"  {statement.kind}: {numbers}",
    ]
    return "\n".join(lines)
