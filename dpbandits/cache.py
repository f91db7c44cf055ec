"""Where compiled kernels are kept, and why they cannot be. Nothing of numba is loaded: doctor looks here, too."""

import errno
import os
import shutil
import tempfile
import time
import warnings
from functools import cache
from pathlib import Path

KEEP_DAYS = 90  # after which a file that was not used goes
ROOM = 200e6  # bytes that all compiled kernels take, with some to spare


def cache_root() -> Path:
    """Where compiled kernels are wanted. `DPBANDITS_CACHE` moves it."""
    own = os.environ.get("DPBANDITS_CACHE")
    if not own:
        import platformdirs

        own = platformdirs.user_cache_dir("dpbandits")
    return Path(own) / "kernels"


@cache
def cache_folder() -> str:
    """Where compiled kernels lie; made, and rid of what nobody uses, where it can be written."""
    root = cache_root()
    if not cache_problem():
        remove_unused(root)
    return str(root)


@cache
def cache_problem() -> str:
    """Why nothing new can be kept in the cache's folder, in words; "" where it can."""
    root = cache_root()
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root) as trial:
            trial.write(b"0" * 4096)
            trial.flush()
    except OSError as error:
        return reason(error)
    return ""


def reason(error: OSError) -> str:
    """Why, in lower-case words."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "the disk is full"
    return (error.strerror or str(error)).lower()


@cache  # once in a process, and for each reason
def tell(why: str) -> None:
    """Say that kernels are compiled anew by every process."""
    warnings.warn(
        f"Compiled kernels cannot be kept in {cache_root()} ({why}): every start compiles anew, for up to a minute."
        " `dpbandits doctor` says how to mend it.",
        stacklevel=2,
    )


def damaged() -> list[Path]:
    """Files of the cache that hold nothing, as a full disk leaves them."""
    root = cache_root()
    return sorted(file for file in root.glob("*.nb[ic]") if file.stat().st_size == 0) if root.is_dir() else []


def room() -> float:
    """Bytes that are free where the cache is, or would be."""
    return shutil.disk_usage(_existing(cache_root())).free


def in_the_way() -> Path | None:
    """The file that stands where a folder of the cache should be."""
    there = _existing(cache_root())
    return None if there.is_dir() else there


def _existing(path: Path) -> Path:
    """`path`, or the nearest folder or file above it that exists."""
    return path if os.path.lexists(path) or path == path.parent else _existing(path.parent)


def remove_unused(folder: Path) -> None:
    """Remove what nobody used for `KEEP_DAYS` days: kernels that are gone, folders of earlier releases, broken-off
    writes.
    """
    for entry in folder.iterdir():
        try:
            if time.time() - entry.stat().st_mtime > KEEP_DAYS * 86400:
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        except OSError:  # another process was first, or the entry is not ours
            continue
