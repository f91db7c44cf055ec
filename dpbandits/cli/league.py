"""`dpbandits league`: submitted policies on hidden instances, as a page."""

import argparse
import importlib.util
import sys
from pathlib import Path

from dpbandits.cli import doctor
from dpbandits.cli.output import as_json
from dpbandits.files import writable_file, write_whole

HELP = """\
play all submitted policies on hidden instances, with label, audit and regret, as a page

DIR holds the submissions: notebooks or Python files, directly or in folders; each defines `policy`, a function with a
kernel's arguments (chapter 07) or a claim of one. Each runs in a process of its own. The instances are drawn from
--seed: choose one, and keep it to yourself until the end. Ranked are those whose claim was not refuted; a policy that
looks at the means is found out and not ranked.

examples:
  dpbandits league submitted --seed 4711 --out league.html
  dpbandits league submitted --horizon 1e5 --runs 50 --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the folder with the submissions")
    parser.add_argument("--out", metavar="FILE", default="league.html", help="the page (default: league.html here)")
    for name, default in (("horizon", 10_000), ("runs", 20), ("seed", 0), ("trials", 10_000)):
        parser.add_argument(f"--{name}", type=float, default=default, metavar="N", help=f"default {default:,}")
    parser.add_argument("--epsilon", type=float, default=1.0, help="for policies with this parameter (default 1)")
    parser.add_argument("--delta", type=float, default=1e-6, help="for policies with this parameter (default 1e-6)")
    parser.add_argument("--json", action="store_true", help="print all as JSON, and write no page")


def execute(arguments: argparse.Namespace) -> int:
    folder = Path(arguments.folder).expanduser()
    if not folder.is_dir():
        raise ValueError(f"DIR = {arguments.folder!r} is not allowed: it must be a folder that exists.")
    out = None if arguments.json else writable_file(arguments.out, (".html",))
    if importlib.util.find_spec("nbgrader") is None:
        raise ValueError(
            f"The league needs nbgrader, which is not installed. Add it with: {doctor.command_for('grading')}"
        )
    from dpbandits.course import league, standings

    given = {name: getattr(arguments, name) for name in ("horizon", "runs", "seed", "trials", "epsilon", "delta")}
    played = league.play(folder.resolve(), tell=lambda step: print(step, file=sys.stderr), **given)
    if out is None:
        print(as_json(standings.rows(played)))
        return 0
    write_whole(out, lambda part: Path(part).write_text(standings.page(played), encoding="utf-8"))
    print(standings.text(played))
    print(f"\n{out} is written.")
    return 0
