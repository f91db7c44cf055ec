"""`dpbandits collect`: submissions from what a learning platform gives."""

import argparse
from pathlib import Path

HELP = """\
sort what a learning platform gives into submitted/, and say what was not understood

Run it in a course folder, or name that with --course. It looks through downloaded/SET/archive: notebooks, folders and
archives as Canvas, Moodle and people make them. With a roster.csv (id, name, email, lms_id) it finds out whose each
file is. A newer file replaces an older one. Nothing in downloaded/ is changed. Exit code 1 when something was not
understood.

examples:
  dpbandits collect PS1
  dpbandits collect PS1 --course my-course
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="SET", help="the problem set, such as PS1")
    parser.add_argument("--course", default=".", metavar="DIR", help="the course's folder (default: this one)")


def execute(arguments: argparse.Namespace) -> int:
    from dpbandits.course.collect import collect

    done = collect(Path(arguments.course).expanduser().resolve(), arguments.name)
    print(done)
    return int(bool(done.puzzling))
