"""What the papers' panels cost at their own size, in CPU seconds of one thread, and what the fast kernels gain.

    python benchmarks/paper.py [--panel BEGINNING] [--cells N] [--ratios] [--json FILE]

A panel's cost is estimated from one run of its cells, of at most N of them spread evenly over the panel, times the
runs. Cells that an earlier panel has are not counted again. --ratios: for each kernel that has a fast form, plain :
fast on a cell of a panel that plays it, both in one go.
"""

import argparse
import json
import time
from dataclasses import replace

import numpy as np

from dpbandits.papers.catalogue import FIGURES
from dpbandits.papers.stored import cells_of


def seconds_of(cell, run: int = 0) -> float:
    """CPU seconds of one run, once the kernel is compiled."""
    replace(cell, horizon=20, checkpoints=np.array([20])).run([0])
    started = time.thread_time()
    cell.run([run])
    return time.thread_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--panel", default="")
    parser.add_argument("--cells", type=int, default=12)
    parser.add_argument("--ratios", action="store_true")
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    seen, costs, examples = set(), {}, {}
    for figure in FIGURES.values():
        if not figure.simulated or not figure.name.startswith(arguments.panel):
            continue
        own = [(name, *found) for name, found in cells_of(figure).items() if name not in seen]
        seen |= {name for name, *_ in own}
        for _, cell, runs in own:
            examples.setdefault((cell.algorithm.name, cell.instance.name), (cell, runs))
        if arguments.ratios:
            continue
        kinds = {}
        for _, cell, runs in own:
            kinds.setdefault(cell.algorithm.name, []).append((cell, runs))
        cost = 0.0
        for cells in kinds.values():
            spread = np.unique(
                np.linspace(0, len(cells) - 1, max(2, arguments.cells // len(kinds))).round().astype(int)
            )
            tried = [cells[i] for i in spread]
            rate = sum(runs * seconds_of(cell) for cell, runs in tried) / sum(
                runs * cell.horizon for cell, runs in tried
            )
            cost += rate * sum(runs * cell.horizon for cell, runs in cells)
        costs[figure.name] = cost
        print(f"{figure.name:24} {len(own):4} cells {cost:9.1f} CPU s", flush=True)
    if not arguments.ratios:
        print(f"{'all':24} {sum(costs.values()):20.1f} CPU s")
    for (algorithm, instance), (cell, _) in examples.items() if arguments.ratios else ():
        if "fast" not in cell.algorithm.methods:
            continue
        plain, fast = (
            min(seconds_of(replace(cell, parameters={**cell.parameters, "method": method}), run) for run in range(2))
            for method in ("plain", "fast")
        )
        costs[f"{algorithm} on {instance}"] = plain / fast
        nanoseconds = f"{1e9 * plain / cell.horizon:9.1f} : {1e9 * fast / cell.horizon:8.1f} ns a round"
        print(f"{algorithm:16} {instance:18} {nanoseconds} = {plain / fast:6.1f}", flush=True)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(costs, file, indent=1)


if __name__ == "__main__":
    main()
