"""`dpbandits privacy`: what a watcher of all rounds learns, proved and counted."""

import argparse

from dpbandits.cli.output import as_json, number
from dpbandits.cli.values import add_set, settings, value

HELP = """\
what a watcher of T rounds learns: a ceiling that is proved, and a floor that is counted

The label of an algorithm says what it promises. This says what is proved about everything that is seen in T rounds:
all selections, or all messages of one user where users add the noise themselves. One changed reward may enter many
selections, so an ε for each selection is far from an ε for the transcript.

examples:
  dpbandits privacy dp-ftpl-new --horizon 1e5 --set epsilon=0.01 --set delta=1e-9
  dpbandits privacy dp-se --horizon 1e6 --set epsilon=0.5 --json
  dpbandits privacy cascade-dp --horizon 10 --audit 20000 --seed 1

with --json: guarantee (today's label), transcript (epsilon or null, delta, by, proved, note, ...), and with --audit
also audit (epsilon_at_least, delta, confidence, trials, witness, ...). --delta-total is the δ of all that is seen
(default 1e-5); the algorithm's own δ is --set delta=... . --audit plays it that often on each of two inputs that
differ in one user, and says which ε can be refuted: it proves nothing.
"""

OPTIONS = {
    "horizon": "--horizon",
    "delta_total": "--delta-total",
    "seed": "--seed",
    "trials": "--audit",
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
    parser.add_argument("--audit", metavar="TRIALS", help="also count: so many runs on each of two neighbouring inputs")
    parser.add_argument("--seed", default="0", metavar="S", help="seed of the audit (default 0)")
    add_set(parser)
    parser.add_argument("--json", action="store_true", help="print JSON instead of sentences")


def execute(arguments: argparse.Namespace) -> int:
    given = settings(arguments.settings, OPTIONS)
    horizon, delta, seed = value(arguments.horizon), value(arguments.delta_total), value(arguments.seed)
    from dpbandits import account
    from dpbandits.algorithms.catalogue import as_algorithm
    from dpbandits.parameters import SEED

    seed, instance = SEED.check(seed), arguments.instance
    record = as_algorithm(arguments.algorithm)
    if arguments.audit is not None and instance is None:
        from dpbandits.auditing.plays import small

        instance = small(record)  # what can be counted, for both
    ceiling = account(record, instance, horizon=horizon, delta_total=delta, **given)
    result, floor = ceiling.as_dict(), None
    if arguments.audit is not None:
        from dpbandits import audit

        floor = audit(
            record, instance, horizon=horizon, delta_total=delta, trials=value(arguments.audit), seed=seed, **given
        )
        result["audit"] = floor.as_dict()
    if arguments.json:
        print(as_json(result))
        return 0
    shown = ", ".join(f"{k} = {number(v)}" for k, v in result["parameters"].items())
    print("\n".join([repr(ceiling), f"settings   {shown}", *(["", repr(floor)] if floor else [])]))
    return 0
