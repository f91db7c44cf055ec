"""`dpbandits list`: everything that has a name."""

import argparse
import textwrap
from functools import partial

from dpbandits.cli.output import as_json, number

HELP = """\
what there is: algorithms, instances, bounds, figures, statements

The line below an algorithm says what is really guaranteed at the default parameters: per selection, for the whole
transcript, local, or nothing; a claim that fails is marked so. A bound has its formula (LaTeX) below it.

examples:
  dpbandits list                      all five lists
  dpbandits list algorithms           the algorithms with their privacy labels
  dpbandits list bounds --json        for other programs: name, title, paper, where, parameters
  dpbandits list statements           what the papers say, and what became of it (`dpbandits verify` recomputes it)
"""

WIDTH = 100
KINDS = ("algorithms", "instances", "bounds", "figures", "statements")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "kind", nargs="?", choices=KINDS, metavar="KIND", help=f"one of {', '.join(KINDS)}; all when left out"
    )
    parser.add_argument("--json", action="store_true", help="a JSON list of objects instead of text")


def execute(arguments: argparse.Namespace) -> int:
    kinds = (arguments.kind,) if arguments.kind else KINDS
    if arguments.json:
        print(as_json([entry for kind in kinds for entry in entries(kind)]))
        return 0
    print("\n\n".join(f"{kind.upper()}\n{_table(kind)}" for kind in kinds))
    return 0


def entries(kind: str) -> list[dict]:
    """One record for each name of a kind."""
    from dpbandits import catalogue

    if kind == "statements":
        from dpbandits.statements import summary

        return [summary(record) for record in catalogue.statements().values()]
    found = []
    for record in getattr(catalogue, kind)().values():
        entry = {
            "name": record.name,
            "kind": kind.removesuffix("s"),
            "title": record.title,
            "paper": record.paper,
            "where": record.where,
        }
        entry["parameters"] = _parameters(record)
        if kind in ("algorithms", "instances"):
            entry["setting"] = record.setting
        if kind == "algorithms":
            entry["guarantee"] = record.guarantee({p.name: p.default for p in record.all_parameters}).as_dict()
        if kind == "bounds":
            entry |= {
                "side": record.kind,
                "setting": record.setting,
                "scope": record.scope,
                "formula": record.formula,
                "symbols": record.symbols,
            }
        found.append(entry)
    return found


def _parameters(record) -> list[dict]:
    if hasattr(record, "settings_at"):  # a figure: nothing to set, but what it is drawn from
        return [{"name": name, "default": value} for name, value in record.settings_at("paper").items()]
    return [
        {
            "name": p.name,
            "description": p.description,
            "kind": p.kind,
            "allowed": p.domain,
            "required": p.required,
            "default": p.default,
        }
        for p in getattr(record, "all_parameters", record.parameters)
    ]


def _table(kind: str) -> str:
    """Each name with its title, and what belongs to it below, none wider than WIDTH."""
    found = entries(kind)
    wide = max(len(entry["name"]) for entry in found)
    return "\n".join(line for entry in found for line in _lines(kind, entry, wide))


def _lines(kind: str, entry: dict, wide: int) -> list[str]:
    source = ", ".join(filter(None, (entry["paper"], entry["where"])))
    if kind == "statements":
        head, below = entry["verdict"], [f"{entry['statement']} ({source})"]
    else:
        settings = ", ".join(
            p["name"] if p["default"] is None else f"{p['name']}={number(p['default'])}" for p in entry["parameters"]
        )
        own = entry["guarantee"]["label"] if kind == "algorithms" else entry.get("formula", "")
        head, below = entry["title"], [own, "" if kind == "figures" else settings, source]
    wrap = partial(textwrap.wrap, width=WIDTH, break_long_words=False, break_on_hyphens=False)
    return [
        *wrap(f"{entry['name']:{wide}}  {head}", subsequent_indent=" " * (wide + 2)),
        *(line for text in below for line in wrap(text, initial_indent="    ", subsequent_indent="        ")),
    ]
