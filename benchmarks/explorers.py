"""What a slider's move costs in the kernel (compute, then assemble the plot), and what the first cell of a notebook
costs.

python benchmarks/explorers.py
"""

import subprocess
import sys
import time

FIRST_CELL = (
    "import time; t = time.perf_counter(); from dpbandits import explorers; explorers.regret();"
    " print(time.perf_counter() - t)"
)


def main() -> None:
    for _ in range(2):  # the first process may have to compile
        first = float(
            subprocess.run(
                [sys.executable, "-c", FIRST_CELL], check=True, capture_output=True, text=True
            ).stdout.split()[-1]
        )
    print(f"first cell, compiled kernels on disk: {first:.1f} s")

    from dpbandits import explorers

    panel = explorers.regret()
    for epsilon in (0.5, 0.7, 1.3):
        start, cpu = time.perf_counter(), time.process_time()
        panel.set(epsilon=epsilon)
        panel.finish()
        print(
            f"regret(): ε moves to {epsilon}: {1e3 * (time.perf_counter() - start):.0f} ms"
            f" ({1e3 * (time.process_time() - cpu):.0f} ms CPU)"
        )
    panel = explorers.region()
    for epsilon in (0.5, 0.7, 1.3):
        start = time.perf_counter()
        panel.set(epsilon=epsilon)
        print(f"region(): ε moves to {epsilon}: {1e3 * (time.perf_counter() - start):.0f} ms")


if __name__ == "__main__":
    main()
