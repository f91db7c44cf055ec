"""`dpbandits run`: one algorithm on one instance."""

import argparse
import importlib.util
import itertools
import json
import math
import time
from pathlib import Path

from dpbandits.cli.output import as_json, number
from dpbandits.cli.values import add_set, settings, value
from dpbandits.files import writable_file, writable_folder, write_whole
from dpbandits.texts import text_table

HELP = """\
play one algorithm on one instance and report its regret

Regret is the cumulative pseudo-regret: what the best arm would have earned on average, minus what the chosen arms
earn on average. The deviation is that between runs (divisor runs - 1). Equal commands print equal numbers, whatever
the number of workers; only `seconds` differs.

examples:
  dpbandits run ucb1 --instance wang-zhu-1 --horizon 10000
  dpbandits run dp-ftpl-new --instance wang-zhu-1 --horizon 100000 --runs 20 --seed 1 --set epsilon=1 --set delta=0.01
  dpbandits run dp-se --instance wang-zhu-1 --horizon 1e6 --set epsilon=0.1,1,10 --cells parts --out sweep.nc
  dpbandits run dp-se --instance bernoulli --set means=0.2,0.5,0.6 --set epsilon=0.5 --horizon 1e6 --out dp-se.csv

A list makes a sweep: --set epsilon=0.1,1,10 plays every value, and with a second list every pair of values. (Parameters
that are lists by nature, such as means, take one as they are.) A bar tells the time left. --cells DIR keeps each
finished part in DIR: start the same command again after an interruption and it goes on from there.

with --json: algorithm, instance, parameters, guarantee, rounds, regret_mean, regret_std, final (mean, std, stderr),
notes, seconds; of a sweep also swept (the lists) and points: for each its values, guarantee, regret and final. --out
writes every run: .nc (netCDF, for xarray), .csv or .parquet (columns algorithm, those swept, run, round, regret; the
latter needs pyarrow) or .json (the same as --json prints). `dpbandits list` names the algorithms, the instances and
their parameters.
"""

SUFFIXES = (".nc", ".csv", ".parquet", ".json")
OPTIONS = {
    "horizon": "--horizon",
    "runs": "--runs",
    "seed": "--seed",
    "checkpoints": "--checkpoints",
    "spacing": "--spacing",
    "workers": "--workers",
    "algorithm": "the first argument",
    "instance": "--instance",
    "progress": "the bar on stderr",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("algorithm", metavar="ALGORITHM", help="a name from `dpbandits list algorithms`")
    parser.add_argument("--instance", required=True, metavar="NAME", help="a name from `dpbandits list instances`")
    parser.add_argument("--horizon", required=True, metavar="T", help="rounds of a run, such as 100000 or 1e5")
    parser.add_argument("--runs", default="20", metavar="R", help="independent runs (default 20)")
    parser.add_argument("--seed", default="0", metavar="S", help="seed of all random draws (default 0)")
    add_set(parser)
    parser.add_argument(
        "--checkpoints", default="300", metavar="N", help="about how many rounds to report (default 300)"
    )
    parser.add_argument(
        "--spacing", default="log", metavar="HOW", help="log or linear spacing of these rounds (default log)"
    )
    parser.add_argument(
        "--workers", default=None, metavar="W", help="how many runs at once (default: one for each core)"
    )
    parser.add_argument("--out", metavar="FILE", help="also write the results: .nc, .csv, .parquet or .json")
    parser.add_argument("--cells", metavar="DIR", help="keep finished parts here, and go on from those that are here")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def execute(arguments: argparse.Namespace) -> int:
    given = settings(arguments.settings, OPTIONS)
    out = writable_file(arguments.out, SUFFIXES) if arguments.out is not None else None
    if out and out.suffix.lower() == ".parquet":
        need_pyarrow(out)
    cells = writable_folder(arguments.cells, "cells") if arguments.cells is not None else None
    from dpbandits import sweep

    started = time.perf_counter()
    data = sweep(
        arguments.algorithm,
        arguments.instance,
        horizon=value(arguments.horizon),
        runs=value(arguments.runs),
        seed=value(arguments.seed),
        checkpoints=value(arguments.checkpoints),
        spacing=arguments.spacing,
        workers=None if arguments.workers is None else value(arguments.workers),
        folder=cells,
        **given,
    )
    seconds = time.perf_counter() - started
    many = json.loads(data.attrs["swept"])
    result = summary_of_points(data, many, seconds) if many else summary(data, seconds)
    if out:
        write_whole(out, lambda path: _write(path, data, result))
    text = readable_points if many else readable
    print(as_json(result) if arguments.json else text(result) + (f"\nwritten    {out}" if out else ""))
    return 0


def need_pyarrow(out: Path) -> None:
    """Raises ValueError where Parquet files cannot be written."""
    if importlib.util.find_spec("pyarrow") is None:
        raise ValueError(
            f"out = {str(out)!r} is not allowed: .parquet needs pyarrow (pip install pyarrow); .nc does not."
        )


def summary(data, seconds: float) -> dict:
    """The result of simulate() for one algorithm, as --json prints it."""
    name = str(data.algorithm.values)
    regret, runs = data.regret.values, data.sizes["run"]
    std = regret.std(axis=0, ddof=1) if runs > 1 else 0.0 * regret[0]
    notes = json.loads(data.attrs["notes"])
    if runs == 1:
        notes.append("A single run has no deviation: regret_std is given as 0.")
    parameters = json.loads(data.attrs["instance_parameters"]) | json.loads(data.attrs["parameters"])[name]
    return {
        "algorithm": name,
        "instance": data.attrs["instance"],
        "parameters": parameters | {k: data.attrs[k] for k in ("horizon", "runs", "seed")},
        "guarantee": json.loads(data.attrs["guarantees"])[name],
        "rounds": data["round"].values,
        "regret_mean": regret.mean(axis=0),
        "regret_std": std,
        "final": {"mean": regret[:, -1].mean(), "std": std[-1], "stderr": std[-1] / math.sqrt(runs)},
        "notes": notes,
        "seconds": seconds,
    }


def summary_of_points(data, swept: list[str], seconds: float) -> dict:
    """The result of sweep() for one algorithm, as --json prints it."""
    name = str(data.algorithm.values)
    fixed = summary(data.isel({over: 0 for over in swept}), seconds)
    fixed["parameters"] = {k: v for k, v in fixed["parameters"].items() if k not in swept}
    points = []
    for place in itertools.product(*(range(data.sizes[over]) for over in swept)):
        part = data.isel(dict(zip(swept, place, strict=True)))
        values = {over: part[over].item() for over in swept}
        found = summary(part, seconds)
        guarantee = guarantee_of(name, data.attrs, values)
        points.append(
            {**values, "guarantee": guarantee, **{k: found[k] for k in ("regret_mean", "regret_std", "final")}}
        )
    kept = {k: fixed[k] for k in ("algorithm", "instance", "parameters")}
    lists = {"swept": {over: data[over].values for over in swept}, "rounds": fixed["rounds"], "points": points}
    return {**kept, **lists, "notes": fixed["notes"], "seconds": seconds}


def guarantee_of(name: str, attrs: dict, values: dict) -> dict:
    """What the algorithm promises at a point of a sweep; in a list of lists, whose values are texts, at its first."""
    from dpbandits.algorithms import ALGORITHMS
    from dpbandits.environments import build

    parameters, on = json.loads(attrs["parameters"])[name], json.loads(attrs["instance_parameters"])
    parameters |= {k: v for k, v in values.items() if k in parameters}
    instance = build(attrs["instance"], **on | {k: v for k, v in values.items() if k in on and not isinstance(v, str)})
    return ALGORITHMS[name].guarantee(parameters, instance, attrs["horizon"]).as_dict()


def readable_points(result: dict) -> str:
    """A sweep's summary as a short text: one line a point."""
    swept = list(result["swept"])
    rows = [
        (
            *(number(point[over]) for over in swept),
            f"{point['final']['mean']:,.2f}",
            f"{point['final']['stderr']:,.2f}",
            point["guarantee"]["label"],
        )
        for point in result["points"]
    ]
    settings = ", ".join(f"{k} = {number(v)}" for k, v in result["parameters"].items())
    table = text_table(rows, [*swept, "regret", "its standard error", "privacy"], right=range(len(swept) + 2))
    return "\n".join(
        [
            f"{result['algorithm']} on {result['instance']}",
            f"settings   {settings}",
            "",
            table,
            "",
            f"regret after {result['rounds'][-1]:,} rounds, {result['seconds']:.2f} s",
            *(f"note       {note}" for note in result["notes"]),
        ]
    )


def readable(result: dict, lines: int = 10) -> str:
    """The summary as a short text: the label, about `lines` checkpoints, the end."""
    rounds, guarantee, final = result["rounds"], result["guarantee"], result["final"]
    first, last = max(1, rounds[-1] / 10**4), rounds[-1]
    wanted = [first * (last / first) ** (k / (lines - 1)) for k in range(lines)]
    shown = sorted({min(range(len(rounds)), key=lambda i: abs(math.log(rounds[i] / w))) for w in wanted})
    rows = [(f"{rounds[i]:,}", f"{result['regret_mean'][i]:,.2f}", f"{result['regret_std'][i]:,.2f}") for i in shown]
    settings = ", ".join(f"{k} = {number(v)}" for k, v in result["parameters"].items())
    protects = f"privacy    {guarantee['label']}" + (f" [{guarantee['theorem']}]" if guarantee["theorem"] else "")
    text = [
        f"{result['algorithm']} on {result['instance']}",
        protects,
        *([f"           {guarantee['note']}"] if guarantee["note"] else []),
        f"settings   {settings}",
        "",
        text_table(rows, ["round", "regret", "deviation"], right=(0, 1, 2)),
        "",
        (
            f"final      {final['mean']:,.2f} ± {final['stderr']:,.2f} (mean and its standard error),"
            f" {result['seconds']:.2f} s"
        ),
        *(f"note       {note}" for note in result["notes"]),
    ]
    return "\n".join(text)


def _write(path: Path, data, result: dict) -> None:
    if path.suffix.lower() == ".nc":
        _with_short_integers(data).to_netcdf(path, engine="scipy")
    elif path.suffix.lower() in (".csv", ".parquet"):
        frame = data.regret.to_dataframe().reset_index()
        frame = frame[["algorithm", *json.loads(data.attrs["swept"]), "run", "round", "regret"]]
        frame.to_csv(path, index=False) if path.suffix.lower() == ".csv" else frame.to_parquet(path, index=False)
    else:
        path.write_text(as_json(result) + "\n", encoding="utf-8")


def _with_short_integers(data):
    """netCDF 3 has integers of 32 bits: a greater seed or horizon becomes text, and such rounds become floats, exact
    here.
    """
    limit = 2**31
    long = {name: str(value) for name, value in data.attrs.items() if isinstance(value, int) and value >= limit}
    rounds = data["round"]
    if rounds.max() >= limit:
        data = data.assign_coords(round=rounds.astype(float).assign_attrs(rounds.attrs))
    return data.assign_attrs(long)
