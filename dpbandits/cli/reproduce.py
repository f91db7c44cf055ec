"""`dpbandits reproduce`: the papers' figures, redrawn."""

import argparse
import sys
import time
from dataclasses import replace

from dpbandits.cli.values import value
from dpbandits.files import writable_folder

HELP = """\
redraw a figure of a paper, or all of them

Each panel becomes NAME.html (offline, next to one plotly.min.js), NAME.png where Chromium or Chrome is found, NAME.csv
(the numbers drawn) and NAME.json (settings, privacy labels, notes, version). quick takes seconds a panel; paper is the
paper's own number of rounds and runs and takes minutes a panel. Every finished part is kept in DIR/cells: start the
same command again after an interruption and it goes on from there.

--stored draws the panels at paper scale from the results that come with the package, at once, playing nothing.

FIGURE is a panel (wang-zhu-fig-4a), the beginning of several names (wang-zhu-fig-4), or all.

--movielens FOLDER draws the figures on films from your own copy of MovieLens 1M, the folder ml-1m. The data may not be
passed on, so this was tested on made-up folders of the same form and size, and never on the real one.

examples:
  dpbandits reproduce wang-zhu-fig-4a --out figures
  dpbandits reproduce wang-zhu-fig-6 --scale paper --out figures
  dpbandits reproduce all --scale paper --stored --out figures
  dpbandits reproduce all --out figures
  dpbandits reproduce chandak-fig-6.4 --movielens ~/ml-1m --out figures
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "figure", metavar="FIGURE", help="a name from `dpbandits list figures`, the beginning of names, or all"
    )
    parser.add_argument("--scale", default="quick", metavar="SCALE", help="quick (default) or paper")
    parser.add_argument("--out", required=True, metavar="DIR", help="folder for the files; made where it is missing")
    parser.add_argument(
        "--workers", default=None, metavar="W", help="how many runs at once (default: one for each core)"
    )
    films = "your own copy of ml-1m, for the figures on films; without it they use movielens-like"
    parser.add_argument("--movielens", default=None, metavar="FOLDER", help=films)
    ready = "draw from the results that come with the package (with --scale paper)"
    parser.add_argument("--stored", action="store_true", help=ready)
    parser.add_argument("--no-png", action="store_true", help="leave the PNG out")


def execute(arguments: argparse.Namespace) -> int:
    from dpbandits.catalogue import figures
    from dpbandits.figures.browser import find_browser
    from dpbandits.figures.reproduce import index, reproduce
    from dpbandits.papers.figure import SCALES
    from dpbandits.parameters import Parameter

    chosen = select(arguments.figure, figures())
    Parameter("scale", "", kind="choice", choices=SCALES).check(arguments.scale)
    workers = (
        arguments.workers
        if arguments.workers is None
        else Parameter("workers", "", kind="integer", low=1).check(value(arguments.workers))
    )
    if arguments.stored and (arguments.scale != "paper" or arguments.movielens is not None):
        raise ValueError("stored = True is not allowed: it goes with --scale paper, and without --movielens.")
    chosen = on_films(chosen, arguments.movielens) if arguments.movielens is not None else chosen
    folder = writable_folder(arguments.out)
    if not arguments.no_png and find_browser() is None:
        print("No browser found: the PNG files are left out.", file=sys.stderr)
    left_out: list[str] = []
    for number, figure in enumerate(chosen, 1):
        print(f"[{number}/{len(chosen)}] {figure.name}  {figure.title}", flush=True)
        started = time.perf_counter()
        how = {"workers": workers, "progress": True, "stored": arguments.stored}
        try:
            files = reproduce(figure, arguments.scale, folder, png=not arguments.no_png, **how)
        except ValueError as missing:  # one of many panels that is not stored is no reason to draw none
            if not arguments.stored or len(chosen) == 1:
                raise
            print(f"left out: {missing}", file=sys.stderr, flush=True)
            left_out.append(figure.name)
            continue
        print(
            f"{'':{len(str(len(chosen))) * 2 + 3}} {', '.join(f.suffix[1:] for f in files)} in"
            f" {time.perf_counter() - started:.1f} s",
            flush=True,
        )
    print(f"See {index(figures().values(), folder)}")
    if left_out:
        print(f"dpbandits: left out, not stored: {', '.join(left_out)}.", file=sys.stderr)
    return 1 if left_out else 0


def select(name: str, figures) -> list:
    """The figures that `name` means. Raises ValueError for none."""
    from dpbandits.parameters import unknown

    if name in figures:
        return [figures[name]]
    found = [figure for key, figure in figures.items() if name == "all" or key.startswith(name)]
    if not name or not found:
        raise ValueError(unknown("figure", name, ["all", *figures]) + " See `dpbandits list figures`.")
    return found


def on_films(chosen: list, folder: str) -> list:
    """The figures, those on films with the setting `movielens` = `folder`, a user's ml-1m. Raises ValueError."""
    from dpbandits.environments import build

    build("movielens", folder=folder)  # says what is wrong with it before anything is written
    if not any("movielens" in figure.settings for figure in chosen):
        raise ValueError(f"movielens = {folder!r} is not allowed: {chosen[0].name} is not about films.")
    films = {"movielens": folder}
    return [replace(f, settings={**f.settings, **films}) if "movielens" in f.settings else f for f in chosen]
