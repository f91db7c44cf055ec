"""Kill a sweep at random moments (SIGKILL: no time to tidy up), start it again each time, and compare with an
undisturbed one.

    python benchmarks/kills.py [--kills 20] [--workers 2] [--seed 1]

The same command runs to its end in a folder of its own, then is killed again and again in another. It prints a line
a kill and fails unless: the results are the same file byte for byte; every part that was finished at a kill is left
as it was, so that what is played twice is at most the parts in play, one for each worker; and nothing is left over
but parts.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EPSILONS = ",".join(f"{0.02 * i:.2f}" for i in range(1, 61))
PLAY = f"run dp-ftpl-gauss --instance wang-zhu-1 --horizon 20000 --runs 20 --checkpoints 10 --set epsilon={EPSILONS}"


def command(folder: Path, workers: int) -> list[str]:
    """`dpbandits run` on 60 values of ε, its parts and its table in `folder`."""
    parts = ["--workers", str(workers), "--cells", str(folder / "cells"), "--out", str(folder / "sweep.csv")]
    return [sys.executable, "-m", "dpbandits", *PLAY.split(), *parts]


def parts_of(folder: Path) -> dict[str, tuple[int, bytes]]:
    """{name: (time of writing, content)} of the finished parts."""
    return {
        p.name: (p.stat().st_mtime_ns, p.read_bytes())
        for p in (folder / "cells").glob("*.npz")
        if not p.name.startswith(".")
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as place:
        calm, rough = Path(place) / "calm", Path(place) / "rough"
        calm.mkdir()
        rough.mkdir()
        started = time.monotonic()
        subprocess.run(command(calm, arguments.workers), check=True, capture_output=True)
        whole, wanted = time.monotonic() - started, parts_of(calm)
        kills = 0
        while kills < arguments.kills:
            before = parts_of(rough)
            process = subprocess.Popen(command(rough, arguments.workers), stdout=-3, stderr=-3)
            try:
                process.wait(timeout=rng.uniform(0.05, 0.6) * whole)
                for name in list(parts_of(rough)):  # it came to its end: start again from nothing
                    (rough / "cells" / name).unlink()
                (rough / "sweep.csv").unlink()
                continue
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            kills += 1
            after = parts_of(rough)
            kept = all(after.get(name) == found for name, found in before.items())
            right = all(content == wanted[name][1] for name, (_, content) in after.items())
            print(f"kill {kills:2}: {len(after):2} of {len(wanted)} parts are finished", flush=True)
            table = rough / "sweep.csv"
            early = table.exists() and table.read_bytes() != (calm / "sweep.csv").read_bytes()
            if not kept or not right or early:
                sys.exit("a finished part was written again, or a part is wrong, or half a table is there")
        before = parts_of(rough)
        subprocess.run(command(rough, arguments.workers), check=True, capture_output=True)
        after = parts_of(rough)
        assert all(after[name] == found for name, found in before.items()), "a finished part was written again"
        assert {n: c for n, (_, c) in after.items()} == {n: c for n, (_, c) in wanted.items()}, "the parts differ"
        assert (rough / "sweep.csv").read_bytes() == (calm / "sweep.csv").read_bytes(), "the tables differ"
        print(f"{kills} kills: the same {len(wanted)} parts and the same table, byte for byte")


if __name__ == "__main__":
    main()
