"""Nanoseconds a round of every stochastic algorithm, beside the cost of its random numbers alone, plain Python and
peers.

python benchmarks/kernels.py [--peers] [--json FILE]
"""

import argparse
import json
import math
import random
import time

import numpy as np

from dpbandits.algorithms import ALGORITHMS
from dpbandits.environments import build
from dpbandits.kernels import kernel
from dpbandits.mechanisms.perturbations import two_sided_exponential, two_sided_reach
from dpbandits.randomness import laplace, seed_sequence, streams

SETTINGS = {"epsilon": 1.0, "delta": 0.01}
WHOLE_RUN = (
    "dp-se",
    "gdp-elim-new",
    "adap-ucb",
    "adap-klucb",
    "dp-klucb",
    "dp-imed",
)  # their cost does not grow with every round


@kernel
def draw_uniform(rounds, arms, epsilon, delta, rng):
    total = 0.0
    for _ in range(rounds):
        total += rng.random()
    return total


@kernel
def draw_normals(rounds, arms, epsilon, delta, rng):
    total = 0.0
    for _ in range(rounds):
        total += rng.random()
        for _ in range(arms):
            total += rng.standard_normal()
    return total


@kernel
def draw_betas(rounds, arms, epsilon, delta, rng):
    total = 0.0
    for t in range(rounds):
        total += rng.random()
        for _ in range(arms):
            total += rng.beta(0.6 * (1000 + t / arms), 0.4 * (1000 + t / arms))
    return total


@kernel
def draw_two_sided(rounds, arms, epsilon, delta, rng):
    total, reach = 0.0, two_sided_reach(epsilon, delta)
    for _ in range(rounds):
        total += rng.random()
        for _ in range(arms):
            total += two_sided_exponential(rng, epsilon, reach)
    return total


@kernel
def draw_laplace(rounds, arms, epsilon, delta, rng):
    total = 0.0
    for _ in range(rounds):
        total += rng.random() + laplace(rng, 1.0)
    return total


BARE = {
    "ucb1": draw_uniform,
    "dp-ucb-int": draw_uniform,
    "thompson-gauss": draw_normals,
    "dp-ftpl-gauss": draw_normals,
    "thompson-beta": draw_betas,
    "dp-ftpl-beta": draw_betas,
    "dp-ftpl-new": draw_two_sided,
    "dp-ucb": draw_laplace,
    "dp-ucb-bound": draw_laplace,
    "private-ucb": draw_laplace,
    "dp-ts": draw_normals,
    "lazy-dp-ts": draw_betas,
}


def plain_python_ucb1(means, rounds, rng):
    """UCB1 as one would write it without a compiler."""
    arms = range(len(means))
    pulls, total = [0] * len(means), [0.0] * len(means)
    for t in range(1, rounds + 1):
        if t <= len(means):
            arm = t - 1
        else:
            index = [total[i] / pulls[i] + math.sqrt(2 * math.log(t) / pulls[i]) for i in arms]
            arm = index.index(max(index))
        total[arm] += rng.random() < means[arm]
        pulls[arm] += 1


def cpu(work, repeats: int = 3) -> float:
    """Least CPU seconds of this thread over some repeats."""
    best = math.inf
    for _ in range(repeats):
        start = time.thread_time()
        work()
        best = min(best, time.thread_time() - start)
    return best


def measure(instance_name: str, rounds: int, method: str = "plain") -> dict[str, dict]:
    """One row for each algorithm that has `method`: ns a round, bare ns a round, ratio; or ms a run."""
    instance, rows = build(instance_name), {}
    for algorithm in ALGORITHMS.values():
        if algorithm.setting != "stochastic" or (method != "plain" and method not in algorithm.methods):
            continue
        taken = {p.name for p in algorithm.all_parameters}
        given = {k: v for k, v in SETTINGS.items() if k in taken} | ({"method": method} if method != "plain" else {})
        values = algorithm.bind(given)

        def seconds(horizon, algorithm=algorithm, values=values):
            points = np.unique(np.geomspace(1, horizon, 300).astype(np.int64))
            run = lambda: algorithm.run(
                instance.problem, horizon, points, streams(seed_sequence(1, algorithm.name)), values
            )  # noqa: E731
            run()
            return cpu(run)

        if algorithm.name in WHOLE_RUN:
            rows[algorithm.name] = {"ms per 10^6 rounds": 1e3 * seconds(10**6)}
            continue
        # The second half of 2·rounds: what comes once (the start phase, the call) is left out.
        row = {"ns per round": 1e9 * (seconds(2 * rounds) - seconds(rounds)) / rounds}
        if algorithm.name in BARE and method == "plain":
            bare, rng = BARE[algorithm.name], np.random.Generator(np.random.SFC64(1))
            bare(10, instance.arms, 1.0, 0.01, rng)
            row["bare ns"] = 1e9 * cpu(lambda: bare(rounds, instance.arms, 1.0, 0.01, rng)) / rounds  # noqa: B023
            row["ratio"] = row["ns per round"] / row["bare ns"]
        rows[algorithm.name] = row
    return rows


def print_rows(title: str, rows: dict[str, dict]) -> None:
    print(f"\n{title}")
    for name, row in rows.items():
        print(f"  {name:26s}" + "   ".join(f"{key} {value:10.2f}" for key, value in row.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--peers", action="store_true", help="install the peers in environments of their own and time them too"
    )
    parser.add_argument("--json", metavar="FILE", help="write all numbers there")
    parser.add_argument("--rounds", type=int, default=200_000)
    arguments = parser.parse_args()

    report = {}
    for instance in ("wang-zhu-1", "wang-zhu-2"):
        arms = build(instance).arms
        report[f"N = {arms}"] = measure(instance, arguments.rounds)
        print_rows(f"N = {arms}, readable kernels", report[f"N = {arms}"])
    report["N = 101, fast"] = measure("wang-zhu-2", 10**6, "fast")
    print_rows("N = 101, method = fast, 10^6 rounds", report["N = 101, fast"])

    means, ours = build("wang-zhu-1").means.tolist(), report["N = 9"]["ucb1"]["ns per round"]
    others = {"plain Python": 1e9 * cpu(lambda: plain_python_ucb1(means, 20_000, random.Random(1)), 2) / 20_000}
    if arguments.peers:
        from peers import time_evaluator, time_peers

        others |= time_peers(means)
        if (evaluator := time_evaluator(means)) is not None:
            others["SMPyBandits' Evaluator"] = evaluator
            whole = f"{ours / 10:.1f} s here, {evaluator / 36_000:.1f} hours there (from 4 runs of 3000 rounds)"
            print(f"\nThe curve of UCB1, 10^6 rounds and 100 runs, of one core: {whole}")
    report["UCB1, N = 9"] = {name: {"ns per round": ns, "times ours": ns / ours} for name, ns in others.items()}
    print_rows("UCB1, N = 9", report["UCB1, N = 9"])
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)


if __name__ == "__main__":
    main()
