"""`dpbandits privacy`: what a watcher of all rounds learns, proved and counted."""

import argparse

from dpbandits.cli.output import as_json, number
from dpbandits.cli.values import add_set, settings, value

HELP = """\
what a watcher of T rounds learns: a ceiling that is proved

The label of an algorithm says what it promises. This says what is proved about everything that is seen in T rounds:
all selections, or all messages of one user where users add the noise themselves. One changed reward may enter many
selections, so an ε for each selection is far from an ε for the transcript.

examples:
  dpbandits privacy dp-ftpl-new --horizon 1e5 --set epsilon=0.01 --set delta=1e-9
  dpbandits privacy dp-se --horizon 1e6 --set epsilon=0.5 --json

with --json: algorithm, instance, parameters, guarantee (today's label), transcript (epsilon or null, delta, by, proved,
epsilon_at_least, watcher, unit, note). --delta-total is the δ of all that is seen (default 1e-5); the algorithm's own δ
is --set delta=... .
"""

OPTIONS = {
    "horizon": "--horizon",
    "delta_total": "--delta-total",
    "algorithm": "the first argument",
    "instance": "--instance",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("algorithm", metavar="ALGORITHM", help="a name from `dpbandits list algorithms`")
    parser.add_argument(
        "--instance", metavar="NAME", help="a name from `dpbandits list instances` (default: one of the papers')"
    )
    parser.add_argument("--horizon", required=True, metavar="T", help="rounds that are watched, such as 100000 or 1e5")
    parser.add_argument(
        "--delta-total", default="1e-5", metavar="D", help="δ of everything that is seen (default 1e-5)"
    )
    add_set(parser)
    parser.add_argument("--json", action="store_true", help="print JSON instead of sentences")


def execute(arguments: argparse.Namespace) -> int:
    given = settings(arguments.settings, OPTIONS)
    horizon, delta = value(arguments.horizon), value(arguments.delta_total)
    from dpbandits import account

    ceiling = account(arguments.algorithm, arguments.instance, horizon=horizon, delta_total=delta, **given)
    result = ceiling.as_dict()
    shown = ", ".join(f"{k} = {number(v)}" for k, v in result["parameters"].items())
    print(as_json(result) if arguments.json else f"{ceiling!r}\nsettings   {shown}")
    return 0
