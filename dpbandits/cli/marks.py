"""`dpbandits marks`: a course's marks as a learning platform imports them."""

import argparse
import sys
from pathlib import Path

HELP = """\
write the marks of a course as Canvas or Moodle imports them

Run it in a course folder, or name that with --course. It writes marks-canvas.csv, marks-moodle.csv or marks-plain.csv
there, with everybody on roster.csv. Written answers that nobody has graded yet are named.

examples:
  dpbandits marks --for canvas
  dpbandits marks --for moodle --course my-course
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--for", dest="kind", default="plain", metavar="PLATFORM", help="canvas, moodle or plain (default)"
    )
    parser.add_argument("--course", default=".", metavar="DIR", help="the course's folder (default: this one)")


def execute(arguments: argparse.Namespace) -> int:
    from dpbandits.course.marks import export

    path, notes = export(Path(arguments.course).expanduser().resolve(), arguments.kind)
    print(f"{path} is written.")
    for note in notes:
        print(note, file=sys.stderr)
    return 0
