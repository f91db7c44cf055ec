"""Play the papers' panels at their own size and write the results that are shipped: dpbandits/papers/stored.npz.

    python benchmarks/store.py --out FOLDER [--panel BEGINNING] [--processes N]     # plays; start it again to go on
    python benchmarks/store.py --out FOLDER --pack                                  # writes stored.npz from what is
    there

Every cell becomes a file of FOLDER when all its runs are played; panels share cells. CPU seconds of every cell are
kept with it. --pack takes the panels that are complete, and says which are not.
"""

import argparse
import hashlib
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from dpbandits import __version__
from dpbandits.files import write_whole
from dpbandits.papers.catalogue import FIGURES
from dpbandits.papers.stored import FILE, cells_of, code_of, pack

NEED_PULLS = ("chandak-table-6.2",)


def file_of(folder: Path, name: str) -> Path:
    """Where a cell's runs lie."""
    return folder / f"{hashlib.sha256(name.encode()).hexdigest()[:24]}.npz"


def play(cell, runs: int, path: Path) -> None:
    """Play a cell and write it, unless it is there. Code that has changed must give the same first run, bit for bit."""
    code = np.array(code_of(cell))
    if path.exists():
        with np.load(path) as saved:
            arrays = dict(saved)
        if arrays["code"] == code:
            return
        if np.array_equal(cell.run([0])[0], arrays["regret"][:1]):
            write_whole(path, lambda part: np.savez_compressed(part, **arrays | {"code": code}))
            return
    replace(cell, horizon=20, checkpoints=np.array([20])).run([0])  # compiles
    started = time.thread_time()
    regret, pulls = cell.run(range(runs))
    arrays = {"regret": regret, "seconds": np.array(time.thread_time() - started), "code": code}
    arrays |= {} if pulls is None else {"pulls": pulls}
    write_whole(path, lambda part: np.savez_compressed(part, **arrays))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--panel", default="", help="only panels whose names begin like this")
    parser.add_argument(
        "--share", default="0/1", help="I/N: only every N-th cell, from the I-th on, for N processes side by side"
    )
    parser.add_argument("--pack", action="store_true")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    share, shares = map(int, arguments.share.split("/"))
    chosen = [figure for name, figure in FIGURES.items() if name.startswith(arguments.panel) and figure.simulated]
    complete, parts, total = [], {}, 0.0
    for figure in chosen:
        seconds, missing = 0.0, 0
        for number, (name, (cell, runs)) in enumerate(cells_of(figure).items()):
            path = file_of(arguments.out, name)
            if not arguments.pack and number % shares == share:
                play(cell, runs, path)
            if not path.exists():
                missing += 1
                continue
            with np.load(path) as saved:
                if str(saved["code"]) != code_of(cell):
                    missing += 1
                    continue
                seconds += 0.0 if name in parts else float(saved["seconds"])
                keep = figure.name in NEED_PULLS
                if name not in parts or keep:
                    parts[name] = (name, code_of(cell), saved["regret"], saved["pulls"] if keep else None)
        total += seconds
        complete += [figure.name] if not missing else []
        print(f"{figure.name:24} {seconds:9.1f} CPU s{f', {missing} cells missing' if missing else ''}", flush=True)
    print(f"{'all':24} {total:9.1f} CPU s")
    if arguments.pack:
        wanted = {name for panel in complete for name in cells_of(FIGURES[panel])}
        arrays = pack(
            [part for name, part in parts.items() if name in wanted],
            {"version": __version__, "panels": complete, "seconds": total},
        )
        write_whole(FILE, lambda path: np.savez_compressed(path, **arrays))
        print(f"{FILE}: {FILE.stat().st_size / 1e6:.2f} MB, {len(complete)} panels, {len(wanted)} cells")


if __name__ == "__main__":
    main()
