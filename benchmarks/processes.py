"""How the time of a sweep falls with the number of processes, on this machine.

    python benchmarks/processes.py [--processes 1 2 4]

Sixteen values of ε of DP-UCB on nine arms, 20 runs each: wall seconds with 1, 2 and 4 workers (threads of compiled
code, as sweep() starts them; loky's processes beside them), each in a process that has compiled already, and the CPU
seconds that all took together. Where the CPU seconds rise with the workers they wait for each other or for the memory;
where only the wall seconds stop falling, there are no more cores.
"""

import argparse
import os
import time
from functools import partial

import joblib
import numpy as np
import psutil

from dpbandits import sweep

GIVEN = {"horizon": 100_000, "runs": 20, "checkpoints": 20, "progress": False}


def burnt() -> float:
    """CPU seconds of this process and those that it has started."""
    family = [psutil.Process(), *psutil.Process().children(recursive=True)]
    return sum(sum(member.cpu_times()[:2]) for member in family)


def seconds(workers: int, backend: str) -> tuple[float, float]:
    """(wall, CPU with children) of the sweep."""
    play = partial(sweep, "dp-ucb", "wang-zhu-1", epsilon=np.linspace(0.1, 2, 16).tolist())
    with joblib.parallel_config(backend=backend, n_jobs=workers):
        for _ in range(3):
            play(**GIVEN | {"horizon": 20_000})  # until all workers have started and compiled
        cpu, wall = burnt(), time.monotonic()
        play(**GIVEN)
        return time.monotonic() - wall, burnt() - cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4])
    arguments = parser.parse_args()
    print(f"{os.cpu_count()} cores\nworkers  backend    wall s   CPU s  times as fast as one")
    for backend in ("threading", "loky"):
        one = None
        for workers in arguments.processes:
            wall, cpu = seconds(workers, backend)
            one = one or wall
            print(f"{workers:7}  {backend:9} {wall:7.2f} {cpu:7.2f}  {one / wall:.2f}", flush=True)


if __name__ == "__main__":
    main()
