"""The command line: `dpbandits lab | app | book | doctor | list | run | bound | privacy | reproduce | verify`, and for
teaching staff `course | collect | marks`.

A user's mistake costs one sentence on stderr and exit code 2; an interruption one sentence and 130.
"""

import argparse
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Sequence

from dpbandits import __version__
from dpbandits.cli import (
    app,
    book,
    bound,
    collect,
    course,
    doctor,
    lab,
    league,
    listing,
    marks,
    privacy,
    reproduce,
    run,
    verify,
)

GRACE = 1.0  # seconds that an interrupted command has to leave by itself
INTERRUPTED = "\ndpbandits: interrupted; nothing is written half."
COMMANDS = {
    "lab": lab,
    "app": app,
    "book": book,
    "doctor": doctor,
    "list": listing,
    "run": run,
    "bound": bound,
    "privacy": privacy,
    "reproduce": reproduce,
    "verify": verify,
    "course": course,
    "collect": collect,
    "marks": marks,
    "league": league,
}

DESCRIPTION = """\
Bandits under differential privacy: run every algorithm, redraw every figure, evaluate every bound of five papers.

ε (epsilon) is privacy here, never exploration: it bounds how much one person's reward may change what is
observed. Smaller is more private, and costs regret. δ (delta) is the probability budget on top, 0 for pure privacy.
"""

EPILOG = """\
start here:
  dpbandits doctor                                  is everything installed? if not, how to mend it
  dpbandits lab                                     open the notebooks
  dpbandits app                                     only the explorers, large, for the lecture hall
  dpbandits book my-site                            the chapters as pages to read offline
  dpbandits list algorithms                         what there is, and what each one protects
  dpbandits run dp-ftpl-new --instance wang-zhu-1 --horizon 100000 --set epsilon=1 --set delta=0.01
  dpbandits bound wang-zhu-theorem-16 --set instance=wang-zhu-1 --set horizon=100000 --set epsilon=1
  dpbandits privacy dp-se --horizon 1e6             what a watcher of all rounds learns at most
  dpbandits reproduce wang-zhu-fig-4a --out figures
  dpbandits verify wang-zhu-lemma-8                 what a paper says, recomputed

`dpbandits COMMAND --help` explains one command. Seeded generators and floating-point noise serve teaching and
simulation; they do not protect real people's data.
"""


class Parser(argparse.ArgumentParser):
    """argparse with short answers: one sentence instead of the usage block."""

    def __init__(self, **options):
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **options)

    def error(self, message: str):
        raise ValueError(f"{message[:1].upper()}{message[1:].rstrip('.')}. See `{self.prog} --help`.")


def parser() -> Parser:
    """The parser of all commands."""
    top = Parser(prog="dpbandits", description=DESCRIPTION, epilog=EPILOG)
    top.add_argument("--version", action="version", version=f"dpbandits {__version__}")
    commands = top.add_subparsers(
        title="commands", metavar="COMMAND", dest="command", required=True, parser_class=Parser
    )
    for name, module in COMMANDS.items():
        about, *rest = module.HELP.strip().split("\n\n", 1)
        sub = commands.add_parser(name, help=about, description=about, epilog="\n".join(rest))
        module.add_arguments(sub)
        sub.set_defaults(execute=module.execute)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    console = argv is None
    argv = list(sys.argv[1:] if console else argv)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # what a terminal's encoding lacks is replaced, no reason to fail
            stream.reconfigure(errors="replace")
    argv, for_jupyter = lab.split(argv)
    if not argv:
        argv = ["--help"]
    try:
        if argv[0] not in COMMANDS and not argv[0].startswith("-"):
            from dpbandits.parameters import unknown

            raise ValueError(unknown("command", argv[0], COMMANDS))
        arguments = parser().parse_args(argv)
        arguments.for_jupyter = for_jupyter
        arguments.commands = {name: module.HELP for name, module in COMMANDS.items()}
        if console and arguments.command in ("run", "reproduce", "privacy", "verify"):
            _watch_for_interrupts()
        return arguments.execute(arguments)
    except ValueError as error:
        print(f"dpbandits: {error}", file=sys.stderr)
        return 2
    except (KeyboardInterrupt, SystemError, ImportError) as error:
        # Ctrl-C in the last moment of a compiled run, or in the midst of loading a library, looks like their own error
        # with the interruption as its cause.
        if caused_by_interruption(error):
            return interrupted()
        if not isinstance(error, ImportError):
            raise
        print(
            f"dpbandits: the installation is broken ({error}). `dpbandits doctor` says how to mend it.", file=sys.stderr
        )
        return 1
    except MemoryError:
        print("dpbandits: this needs more memory than there is: choose smaller sizes, or fewer runs.", file=sys.stderr)
        return 1
    except BrokenPipeError:  # `dpbandits list | head`: the reader has what it wanted
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # a full disk, say
        print(f"dpbandits: {error}", file=sys.stderr)
        return 1


def interrupted() -> int:
    """Say so; the exit code."""
    print(INTERRUPTED, file=sys.stderr)
    return 130


def caused_by_interruption(error: BaseException | None) -> bool:
    """Whether Ctrl-C is at its root."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _watch_for_interrupts() -> None:
    """Ctrl-C ends the process even while compiled rounds run, in which Python raises no KeyboardInterrupt: they may
    take minutes.
    """
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)

    def watch() -> None:
        while reader.recv(1) != bytes([signal.SIGINT]):
            pass
        time.sleep(GRACE)
        os.write(sys.stderr.fileno(), INTERRUPTED.encode() + b"\n")
        os._exit(130)

    threading.Thread(target=watch, daemon=True, name="interrupts").start()
    _KEPT.append(writer)


_KEPT: list[socket.socket] = []  # a socket that nobody refers to is closed
