"""`dpbandits course`: a folder for teaching staff, in nbgrader's layout."""

import argparse
import importlib.util
import shutil
import sys
from pathlib import Path

from dpbandits.cli import doctor, lab
from dpbandits.files import fresh_folder

HELP = """\
make a course folder: problem sets that grade themselves, for nbgrader

DIR gets the problem sets with their solutions (source/), the answer key (answers.md), nbgrader's settings, what a term
needs (teaching/), and README.md, which walks through release, collecting, grading, feedback and marks. It must not
exist yet, or be empty.
With --variant some questions ask for other values, so that last year's answers do not fit: the same SEED makes the same
sets, and every set is changed. What students get is made from it
by `nbgrader generate_assignment`. Grading needs nbgrader; making the folder does not.

examples:
  dpbandits course my-course
  dpbandits course my-course --variant 2031
"""

PARTS = (
    "README.md",
    "nbgrader_config.py",
    "source",
    "teaching",
    "variants.toml",
)  # not: what grading in a clone itself may have left there


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the folder to make")
    parser.add_argument("--variant", type=int, metavar="SEED", help="change values and questions; a whole number >= 0")


def execute(arguments: argparse.Namespace) -> int:
    if arguments.variant is not None and arguments.variant < 0:
        raise ValueError(f"--variant {arguments.variant} is not allowed: it must be a whole number >= 0.")
    from dpbandits.course import key

    folder = make(arguments.folder)
    if arguments.variant is not None:
        from dpbandits.course import variants

        said = variants.apply(folder, arguments.variant)
        print(f"Variant {arguments.variant} changes:\n  " + "\n  ".join(said))
    key.write(folder)
    print(f"{folder} holds {', '.join(sets(folder))}. Begin with {folder / 'README.md'}.")
    if importlib.util.find_spec("nbgrader") is None:
        print(
            f"Grading needs nbgrader, which is not installed. Add it with: {doctor.command_for('grading')}",
            file=sys.stderr,
        )
    return 0


def make(folder: str) -> Path:
    """Fill `folder`, which must be new or empty, and give its path. Raises ValueError before anything is written."""
    origin = lab.source()[0] / lab.ASSIGNMENTS
    with fresh_folder(folder) as target:
        for part in PARTS:
            _copy(origin / part, target / part)
    return target


def sets(folder: Path) -> list[str]:
    """Names of the problem sets in a course folder."""
    return sorted(path.parent.name for path in (folder / "source").glob("*/*.ipynb"))


def _copy(origin: Path, place: Path) -> None:
    if origin.is_dir():
        shutil.copytree(
            origin, place, copy_function=shutil.copyfile, ignore=shutil.ignore_patterns(".*", "__pycache__")
        )
    else:
        shutil.copyfile(origin, place)
