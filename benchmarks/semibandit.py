"""Nanoseconds a round of the semi-bandit algorithms: on each kind of decision set, and against the number of arms.

    python benchmarks/semibandit.py [--grow]

Top-K with m = 20, K = 4 is to cost at most 350 ns (cucb, cucb-ldp1, cucb-ldp2) and 800 ns (cucb-dp), and --grow shows
that choosing the top K costs as m grows, not as m ln m.
"""

import argparse
import math
import time

import numpy as np

from dpbandits.algorithms import ALGORITHMS
from dpbandits.environments import build
from dpbandits.environments.semibandit import top_k
from dpbandits.randomness import seed_sequence, streams

INSTANCES = ("top-k", "k-path", "public-arms", "max-coverage")


def ns_per_round(algorithm, instance, rounds: int = 50_000, repeats: int = 4) -> float:
    """Least CPU time of this thread over some repeats, at ε = 1."""
    values = algorithm.bind({p.name: 1.0 for p in algorithm.parameters if p.name == "epsilon"})
    best = math.inf
    for run in range(repeats + 1):  # the first one compiles
        start = time.thread_time()
        algorithm.run(instance.problem, rounds, np.array([rounds]), streams(seed_sequence(run)), values)
        best = min(best, time.thread_time() - start) if run else best
    return 1e9 * best / rounds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grow", action="store_true", help="top-K with 20 to 1280 arms, in place of the decision sets")
    grow = parser.parse_args().grow
    if grow:
        instances = {f"m = {m}": top_k(np.linspace(0.1, 0.9, m), 4) for m in (20, 80, 320, 1280)}
    else:
        instances = {name: build(name) for name in INSTANCES}
    print(f"{'ns a round':16}" + "".join(f"{name:>14}" for name in instances))
    for algorithm in ALGORITHMS.values():
        if algorithm.setting == "semi-bandit":
            costs = [ns_per_round(algorithm, instance) for instance in instances.values()]
            print(f"{algorithm.name:16}" + "".join(f"{cost:14.0f}" for cost in costs), flush=True)


if __name__ == "__main__":
    main()
