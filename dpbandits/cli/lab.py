"""`dpbandits lab`: JupyterLab on the notebooks."""

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from dpbandits import __version__
from dpbandits.files import writable_folder, write_whole

HELP = """\
open JupyterLab on the notebooks

Give DIR to work on a copy: what you run and save stays there. Without it an installed package copies the notebooks to
./dpbandits-notebooks, and a clone opens its own, where each saved run is a change that git sees. A copy never
overwrites your work: a notebook that you have run or edited stays as it is, and a newer version of it is put beside it
with the version in its name. The problem sets with their solutions are not among them: see `dpbandits course --help`.

DIR comes first; all that follows goes to JupyterLab as it is.

examples:
  dpbandits lab my-notebooks
  dpbandits lab
  dpbandits lab my-notebooks --no-browser --port 9000
"""

PACKAGE = Path(__file__).resolve().parents[1]
DELIVERED = ".dpbandits.json"  # in DIR: the hash of each file as it was delivered
OWN = (
    "These are the clone's own notebooks: each saved run is a change that git sees. To work on a copy:"
    " dpbandits lab my-notebooks"
)
FIRST = "00_start_here.ipynb"
ASSIGNMENTS = "assignments"  # for teaching staff: `dpbandits course` hands it out, a copy for learners leaves it out
LEFT_OUT = {ASSIGNMENTS, ".ipynb_checkpoints", "__pycache__"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder",
        nargs="?",
        metavar="DIR",
        help="where to work (default: the clone's notebooks, or ./dpbandits-notebooks)",
    )
    parser.usage = "dpbandits lab [DIR] [JUPYTER OPTIONS ...]"


def split(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """After `lab [DIR]`, everything from the first option on belongs to JupyterLab: (ours, theirs)."""
    if argv[:1] != ["lab"]:
        return list(argv), []
    ours = next((i for i, a in enumerate(argv) if a.startswith("-") and a not in ("-h", "--help")), len(argv))
    return list(argv[:ours]), [a for a in argv[ours:] if a != "--"]


def execute(arguments: argparse.Namespace) -> int:
    folder, news = prepare(arguments.folder)
    for sentence in news:
        print(sentence, file=sys.stderr)
    first = [f"--LabApp.default_url=/lab/tree/{FIRST}"] if (folder / FIRST).is_file() else []
    command = [
        sys.executable,
        "-P",
        "-m",
        "jupyterlab",
        f"--ServerApp.root_dir={folder}",
        *allowed(),
        *first,
        *arguments.for_jupyter,
    ]
    before = signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl-C is JupyterLab's: it asks before it stops
    # -P: a learner's random.py in the current folder must not stand before Python's own.
    server = subprocess.Popen(command)
    ended = signal.signal(signal.SIGTERM, lambda *_: server.terminate())  # no server stays behind
    try:
        return server.wait()
    finally:
        signal.signal(signal.SIGINT, before)
        signal.signal(signal.SIGTERM, ended)


def allowed() -> list[str]:
    """What lets JupyterLab start for root, who is the only user of many containers. It would not otherwise."""
    return ["--allow-root"] if getattr(os, "geteuid", lambda: 1)() == 0 else []


def source() -> tuple[Path, bool]:
    """Where the notebooks come from, and whether that is a clone's folder, which may be worked in. Raises
    ValueError.
    """
    clone = PACKAGE.parent / "notebooks"
    if (PACKAGE.parent / "pyproject.toml").is_file() and clone.is_dir():
        return clone, True
    packaged = PACKAGE / "_notebooks"
    if packaged.is_dir():
        return packaged, False
    raise ValueError(
        "The notebooks are not in this installation: install dpbandits again, from its wheel or its clone."
    )


def prepare(folder: str | None) -> tuple[Path, list[str]]:
    """The folder to open, with the notebooks in it, and what there is to say about it."""
    origin, clone = source()
    if folder is None and clone:
        return origin, [OWN]
    target = writable_folder(folder or "dpbandits-notebooks").resolve()
    return target, deliver(origin, target)


def deliver(origin: Path, target: Path) -> list[str]:
    """Copy what is new in `origin` to `target` without touching what its owner has changed there.

    Returns a sentence for each file that was kept although a newer version exists.
    """
    ledger = target / DELIVERED
    delivered, news = _read(ledger), []
    for file in sorted(f for f in origin.rglob("*") if f.is_file() and not LEFT_OUT & set(f.relative_to(origin).parts)):
        name, ours = file.relative_to(origin).as_posix(), _hash(file)
        place, known = target / name, delivered.get(name)
        if place.exists() and _hash(place) not in (ours, known):  # changed by its owner
            if ours == known:
                continue  # and there is nothing newer to give
            place = place.with_name(f"{place.stem}-{__version__}{place.suffix}")
            if place.exists() and _hash(place) != ours:
                news.append(
                    f"{name} is kept with your changes; its newer version is left out, since {place.name} exists"
                    " already."
                )
                continue
            news.append(f"{name} is kept with your changes; its newer version is {place.name}.")
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, partial(shutil.copyfile, file))
        delivered[name] = ours
    write_whole(ledger, lambda path: path.write_text(json.dumps(delivered, indent=1), encoding="utf-8"))
    return news


def _read(ledger: Path) -> dict[str, str]:
    try:
        found = json.loads(ledger.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
