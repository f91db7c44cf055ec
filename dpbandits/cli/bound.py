"""`dpbandits bound`: the value of a theorem."""

import argparse

from dpbandits.cli.output import as_json, number
from dpbandits.cli.values import add_set, settings

HELP = """\
evaluate a theorem: an upper or lower bound on the regret

examples:
  dpbandits bound wang-zhu-theorem-16 --set instance=wang-zhu-1 --set horizon=1e6 --set epsilon=1 --set delta=0.01
  dpbandits bound wang-zhu-theorem-4 --set horizon=1e6 --set epsilon=0.1 --set delta=0 --set c0=1 --set alpha=0.5

`dpbandits list bounds` names the theorems and what each one takes. With --json: name, parameters, value, terms, notes.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="a name from `dpbandits list bounds`")
    add_set(parser)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a line")


def execute(arguments: argparse.Namespace) -> int:
    from dpbandits import catalogue
    from dpbandits.parameters import unknown

    given = settings(arguments.settings)
    bounds = catalogue.bounds()
    if arguments.name not in bounds:
        raise ValueError(unknown("bound", arguments.name, bounds))
    bound = bounds[arguments.name]
    found = bound.evaluate(**given)
    result = {
        "name": bound.name,
        "kind": bound.kind,
        "formula": bound.formula,
        "symbols": bound.symbols,
        "parameters": dict(found.parameters),
        "value": found.value,
        "value_is": "largest term" if found.largest else "sum of terms",
        "terms": [term._asdict() for term in found.terms],
        "notes": list(found.notes),
    }
    if found.rate is not None:
        result["rate"] = found.rate
    print(as_json(result) if arguments.json else readable(bound, result))
    return 0


def readable(bound, result: dict) -> str:
    """The value in one line, what it was computed from, and what it does not say."""
    side = "≤" if bound.kind == "upper" else "≥"
    lines = [
        f"{bound.title} ({bound.paper}, {bound.where})",
        f"regret {side} {number(result['value'])}"
        + (f"   (liminf R(T)/ln T {side} {number(result['rate'])})" if "rate" in result else ""),
        *terms(result),
        f"formula    {bound.formula}",
        f"where      {bound.symbols}",
        f"settings   {', '.join(f'{k} = {number(v)}' for k, v in result['parameters'].items())}",
        *(f"note       {note}" for note in result["notes"]),
    ]
    return "\n".join(lines)


def terms(result: dict) -> list[str]:
    """A line for each part of the value, where there is more than one."""
    parts = result["terms"]
    if len(parts) < 2:
        return []
    values = [number(part["value"]) for part in parts]
    width = max(map(len, values))
    heading = "of these, the largest" if result["value_is"] == "largest term" else "term by term"
    return [
        heading,
        *(f"  {v:>{width}}  {part['words']}:  {part['formula']}" for v, part in zip(values, parts, strict=True)),
    ]
