"""Peak memory against the horizon: a run keeps O(arms) state, so T = 10^7 must cost no more than T = 10^4.

python benchmarks/memory.py
"""

import subprocess
import sys

CASE = (
    "import dpbandits; dpbandits.simulate({name!r}, 'wang-zhu-1', horizon={horizon}, runs=2, workers=1, progress=False)"
)
REPORT = "; import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"


def peak(name: str, horizon: int) -> float:
    """Peak resident MB of a fresh process."""
    code = CASE.format(name=name, horizon=horizon) + REPORT
    return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)


def main() -> None:
    for name in ("ucb1", "dp-ucb", "dp-se", "dp-ftpl-gauss"):
        peak(name, 1000)  # compiled and cached, so that the compiler's own memory does not count
        small, large = peak(name, 10**4), peak(name, 10**7)
        print(f"{name:14s} T = 10^4: {small:6.1f} MB   T = 10^7: {large:6.1f} MB   difference {large - small:5.1f} MB")


if __name__ == "__main__":
    main()
