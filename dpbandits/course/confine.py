"""Limits for the process of a submission: memory, and (on Linux 5.13 and later) which files it may open.

Elsewhere the folder is empty, the environment says nothing of the course, and that is all: `strength` says which it is.
"""

import ctypes
import os
import sys
from pathlib import Path

MEMORY = 8 * 2**30  # bytes of address space

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the system calls of Landlock, the same on all processors
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_ALL_FILES = (1 << 13) - 1  # everything that the first version knows
_NET = 3  # bind and connect by TCP, from version 4 on


class _Rules(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("net", ctypes.c_uint64)]


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32)]


def memory() -> None:
    """At most MEMORY bytes, where the system can be told."""
    try:
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        wanted = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
    except (ImportError, ValueError, OSError):
        pass


def files(own: Path, hidden: list[Path]) -> bool:
    """From now on this process writes in `own` alone, and reads Python, its packages and the system, but not `hidden`.

    Nor does it reach the network by TCP. Gives whether the system obeys; where not, nothing has changed.
    """
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(_CREATE, None, 0, 1)
    if version < 1:
        return False
    rules = _Rules(_ALL_FILES, _NET if version >= 4 else 0)
    ruleset = libc.syscall(_CREATE, ctypes.byref(rules), ctypes.sizeof(rules) if version >= 4 else 8, 0)
    if ruleset < 0:
        return False
    try:
        reading = _READ_FILE | _EXECUTE
        _allow(libc, ruleset, Path("/"), _READ_DIR)  # names may be read, contents may not
        roots = {Path(p).resolve() for p in (sys.prefix, sys.base_prefix, _PACKAGE, *filter(None, sys.path), *_SYSTEM)}
        for root in roots:
            if root != Path("/"):
                for place in _without(root, [h.resolve() for h in hidden]):
                    _allow(libc, ruleset, place, reading | _READ_DIR if place.is_dir() else reading)
        _allow(libc, ruleset, own, _ALL_FILES)
        _allow(libc, ruleset, Path("/dev/null"), _READ_FILE | _WRITE_FILE)
        return libc.prctl(38, 1, 0, 0, 0) == 0 and libc.syscall(_RESTRICT, ruleset, 0) == 0
    finally:
        os.close(ruleset)


_PACKAGE = Path(__file__).resolve().parents[1]
_SYSTEM = (
    "/usr",
    "/lib",
    "/lib64",
    "/bin",
    "/etc",
    "/proc/self",
    "/proc/meminfo",
    "/proc/cpuinfo",
    "/proc/stat",
    "/sys/devices/system",
    "/dev/urandom",
    "/dev/random",
)


def _without(place: Path, hidden: list[Path]):
    """`place`, or what is in it as far as it is not, and does not contain, something hidden."""
    if place in hidden or not place.exists():
        return
    if place.is_dir() and any(h.is_relative_to(place) for h in hidden):
        for child in place.iterdir():
            if not child.is_symlink():
                yield from _without(child, hidden)
    else:
        yield place


def _allow(libc, ruleset: int, place: Path, what: int) -> None:
    try:
        folder = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        beneath = _Beneath(what, folder)
        libc.syscall(_ADD, ruleset, 1, ctypes.byref(beneath), 0)
    finally:
        os.close(folder)
