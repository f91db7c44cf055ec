"""Nanoseconds a round of the matroid algorithms, by each method, and milliseconds of a long run by exact jumps.

    python benchmarks/matroid.py

Aims on one core. L = 7, rank 3: dpucb-mat at most 500 ns; method = fast: 10⁶ rounds of omm and dpucb-mat in 10 ms. L =
100, rank 17: Thompson samples at most 12 µs, lazy indices (dpucb-mat) at most 1 µs. The indices of omm move in every
round, and in most rounds of the first 20 000 its basis does too (2 rounds in 3, on movielens-like), so there the walk
itself is what counts.
"""

import numpy as np
from kernels import cpu
from semibandit import ns_per_round

from dpbandits.algorithms import ALGORITHMS
from dpbandits.environments import build
from dpbandits.randomness import seed_sequence, streams

INSTANCES = {"matroid-table-6.1": 50_000, "random-spanning-tree": 50_000, "movielens-like": 20_000}  # rounds


def main() -> None:
    print(f"{'ns a round':16}" + "".join(f"{name:>22}" for name in INSTANCES))
    matroid = [a for a in ALGORITHMS.values() if a.setting == "matroid"]
    for algorithm in matroid:
        costs = [ns_per_round(algorithm, build(name), rounds) for name, rounds in INSTANCES.items()]
        print(f"{algorithm.name:16}" + "".join(f"{cost:22.0f}" for cost in costs), flush=True)
    instance = build("matroid-table-6.1")
    print(f"\n{'ms a run':16}{'10⁶ rounds, method = fast':>30}")
    for algorithm in matroid:
        if algorithm.methods:
            values = algorithm.bind({p.name: 1.0 for p in algorithm.parameters} | {"method": "fast"})
            run = lambda: algorithm.run(instance.problem, 10**6, np.array([10**6]), streams(seed_sequence(1)), values)  # noqa: B023
            run()
            print(f"{algorithm.name:16}{1e3 * cpu(run):30.2f}")


if __name__ == "__main__":
    main()
