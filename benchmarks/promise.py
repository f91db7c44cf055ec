"""What the accountant costs at a million rounds, and the first pictures of the panels that use it: CPU time, warm.

python benchmarks/promise.py
"""

import asyncio
import time

from dpbandits import account, explorers
from dpbandits.algorithms.catalogue import ALGORITHMS

T = 10**6


def ceilings() -> None:
    for name in ALGORITHMS:  # once at another horizon: compiled kernels come from disk
        account(name, horizon=1000).epsilon  # noqa: B018 (computed on demand)
    for name in ALGORITHMS:
        start = time.process_time()
        epsilon = account(name, horizon=T).epsilon
        print(f"{name:22s} {1e3 * (time.process_time() - start):6.0f} ms   ε = {epsilon:.4g}")


async def first_picture(make) -> float:
    """CPU seconds of the calling thread until the panel is there, what goes on in the background left out."""
    start = time.thread_time()
    panel = make()
    spent = time.thread_time() - start
    panel.stop()
    return spent


def pictures() -> None:
    for name in ("privacy_over_time", "fair_race"):
        for epsilon in (0.11, 0.12, 0.13):
            spent = asyncio.run(first_picture(lambda name=name, e=epsilon: getattr(explorers, name)(epsilon=e)))
            print(f"{name}(epsilon={epsilon}): first picture after {1e3 * spent:.0f} ms")


if __name__ == "__main__":
    ceilings()
    pictures()
