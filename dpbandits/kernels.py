"""The @kernel decorator: numba's machine code, kept on disk under a name that follows the sources.

Numba notices an edit in the file of a cached function, but not in a helper that this function
calls from another file: it would go on serving the old result. So the cache folder carries a
hash of every source that a kernel can reach; an edit anywhere opens a new folder.
"""

import hashlib
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

import numba
import platformdirs

PACKAGE = Path(__file__).parent
KERNEL_SOURCES = ("kernels.py", "randomness.py", "mechanisms", "environments", "algorithms")
KEEP = 4  # cache folders of earlier sources that are left in place


def source_hash(package: Path = PACKAGE) -> str:
    """Hash (16 hex digits) of all sources that a kernel can call."""
    digest = hashlib.sha256()
    for name in KERNEL_SOURCES:
        for file in sorted((package / name).rglob("*.py")) if (package / name).is_dir() else [package / name]:
            digest.update(file.relative_to(package).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@cache
def loaded_sources() -> str:
    """The hash of the sources that this process runs, taken once, when the first kernel is made: a later edit is not in
    use yet.
    """
    return source_hash()


def cache_root() -> Path:
    """Where the cache folders are wanted. `DPBANDITS_CACHE` moves it."""
    return Path(os.environ.get("DPBANDITS_CACHE") or platformdirs.user_cache_dir("dpbandits")) / "kernels"


@cache
def cache_folder() -> str:
    """Where compiled kernels lie; a root that cannot be written is replaced by a temporary folder."""
    root = cache_root()
    folder = root / loaded_sources()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            os.utime(folder)
    except OSError:
        return tempfile.mkdtemp(prefix="dpbandits-kernels-")
    for old in sorted(root.iterdir(), key=os.path.getmtime, reverse=True)[KEEP:]:
        shutil.rmtree(old, ignore_errors=True)
    return str(folder)


def kernel(function=None, *, inline=False):
    """Compile with numba: disk cache named by the sources, interpreter lock released while it runs.

    inline: put its code in place of every call. For a short function that only passes parts of a large tuple on to
    others:
    a call hands over every array of the tuple, word by word, which can cost more than the work.
    """
    if function is None:
        return lambda function: kernel(function, inline=inline)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = cache_folder()
    try:
        return numba.njit(cache=True, nogil=True, inline="always" if inline else "never")(function)
    finally:
        numba.config.CACHE_DIR = before
