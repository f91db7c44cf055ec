"""`dpbandits book`: the chapters and the reference as static pages."""

import argparse
import importlib.util
import os
from pathlib import Path

from dpbandits.cli import doctor, lab
from dpbandits.files import fresh_folder, write_whole

HELP = """\
make a site: all chapters with their plots, and the reference, as pages that read offline

DIR gets index.html and everything that it leads to: the chapters as they are stored, with the pictures of their
explorers; functions, commands, algorithms, bounds and statements; and a page of explorers that move without Python.
Open index.html from the folder, or put DIR on any web server. DIR must not exist yet, or be empty.

examples:
  dpbandits book my-site
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the folder to make")


def execute(arguments: argparse.Namespace) -> int:
    if importlib.util.find_spec("latex2mathml") is None:
        raise ValueError(
            f"The formulas need latex2mathml, which is not installed. Add it with: {doctor.command_for('book')}"
        )
    origin = lab.source()[0]
    place = Path(os.path.expanduser(arguments.folder))
    made = not os.path.exists(place)
    try:
        with fresh_folder(arguments.folder) as target:
            files = _build(origin, arguments.commands)
            write(files, target)
    except BaseException:
        if made and os.path.isdir(place):
            place.rmdir()
        raise
    size = sum(map(len, files.values())) / 1e6
    print(f"{target} holds {len(files)} files, {size:.1f} MB. Begin with {target / 'index.html'}.")
    return 0


def _build(origin: Path, commands: dict[str, str]) -> dict[str, bytes]:
    """commands: what each command says of itself."""
    from dpbandits.book import build

    return build(origin, commands)


def write(files: dict[str, bytes], target: Path) -> None:
    """Write the files below `target`, the first page last."""
    for name in sorted(files, key=lambda name: name == "index.html"):
        place = target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, lambda part, data=files[name]: part.write_bytes(data))
