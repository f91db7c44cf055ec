"""The @kernel decorator: numba's machine code, kept on disk under a name that follows what it was compiled from.

Numba notices an edit in the file of a cached function, be it in a comment, but not in a helper that this function calls
from another file: it would go on serving the old result. Here the name of a file in the cache carries `reach_hash`: the
kernel's code and all functions and constants that it can reach. Another edit changes nothing, and copies share.
"""

import contextlib
import hashlib
import os
import platform
import sys
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core import types
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.sigutils import normalize_signature

from dpbandits.cache import cache_folder, cache_problem, reason, tell
from dpbandits.reach import Unknowable, reach_hash

__all__ = ["Unknowable", "kernel", "kernel_hash", "prepared", "reach_hash"]

KEEP = 8  # versions of one kernel that stay in the cache, the last used ones


@cache
def kernel_hash(function) -> str:
    """`reach_hash` of a kernel, taken once: what it reaches is fixed when it is first compiled."""
    return reach_hash(function)


def prepared(function: Any, arguments: tuple) -> Callable[[], Any]:
    """`function(*arguments)`, to be called very often: a kernel is asked once only which types these are."""
    if hasattr(function, "typeof_pyval"):
        function = function.compile(tuple(map(function.typeof_pyval, arguments)))
    return lambda: function(*arguments)


def remove_old_versions(folder: Path, name: str) -> None:
    """Keep the `KEEP` versions of the kernel `name` that were used last."""
    pattern = f"{name}-{'?' * 24}"
    versions = sorted(folder.glob(f"{pattern}.nbi"), key=_used, reverse=True)
    for index in versions[KEEP:]:
        for file in folder.glob(f"{index.stem}.*"):
            file.unlink(missing_ok=True)


def _used(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except FileNotFoundError:
        return 0.0


class Locator:
    """Tells numba where a kernel's machine code lies. Its name says all, so no stamp is compared."""

    def __init__(self, function):
        self._py_file = function.__code__.co_filename  # for numba's warnings

    def get_cache_path(self) -> str:
        return cache_folder()

    def ensure_cache_path(self) -> None:
        os.makedirs(cache_folder(), exist_ok=True)

    def get_source_stamp(self) -> str:
        return ""


class KernelFiles(FunctionCache._impl_class):  # type: ignore[valid-type, misc]  # a class, kept as an attribute
    """How a kernel is put into files, and their name: where it stands in the package, and the hash of what it
    reaches.
    """

    def __init__(self, compiled):
        function = compiled.py_func
        self._lineno = function.__code__.co_firstlineno  # for numba's warnings
        self._locator = Locator(function)
        self.name = f"{function.__module__}.{function.__qualname__}".replace("<", "").replace(">", "")
        facts = (
            kernel_hash(compiled),
            self.name,
            numba.__version__,
            llvmlite.__version__,
            sys.implementation.cache_tag,
            platform.machine(),
        )
        self._filename_base = f"{self.name}-{hashlib.sha256(repr(facts).encode()).hexdigest()[:24]}"


class KernelIndex(IndexDataCacheFile):
    """The file that says where the machine code for each choice of argument types lies."""

    def save(self, key, data):
        """Argument types name their file. Numba counts instead, and two processes at once may give one number to two
        choices of types: then one would run the other's code.
        """
        name = self._data_name(int(hashlib.sha256(repr(key).encode()).hexdigest()[:12], 16))
        self._save_data(name, data)
        self._save_index(self._load_index() | {key: name})


class KernelCache(FunctionCache):
    """Numba's cache on disk for one kernel, opened when it is first compiled: by then the functions below it in
    its file exist.
    """

    def __init__(self, compiled):
        self._compiled, self._py_func, self._name = compiled, compiled.py_func, repr(compiled.py_func)
        self.enable()

    @cached_property
    def _impl(self) -> KernelFiles:
        return KernelFiles(self._compiled)

    @cached_property
    def _cache_path(self) -> str:
        return cache_folder()

    @cached_property
    def _cache_file(self):
        return KernelIndex(self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp())

    @cached_property
    def knowable(self) -> bool:
        """Whether all that the kernel reaches is known; if not, it is compiled anew in every process."""
        try:
            return bool(kernel_hash(self._compiled))
        except Unknowable:
            return False

    def load_overload(self, sig, target_context):
        if not self.knowable:
            return None
        index = Path(self._cache_file._index_path)
        try:
            found = super().load_overload(sig, target_context)
        except Exception:  # cut short, or about a class that has moved: pickle may raise anything
            found = None
            with contextlib.suppress(OSError):
                index.unlink(missing_ok=True)
        if found is not None:
            with contextlib.suppress(OSError):  # a cache that others filled for us may be read alone
                os.utime(index)  # `remove_old_versions` goes by the last use
        return found

    def save_overload(self, sig, data):
        if not self.knowable:
            return
        if why := cache_problem():
            tell(why)
            return
        try:
            super().save_overload(sig, data)
            remove_old_versions(Path(self._cache_path), self._impl.name)
        except OSError as error:  # the disk has filled up, say: the kernel runs all the same
            tell(reason(error))

    def flush(self):
        if self.knowable:
            super().flush()

    def _index_key(self, sig, codegen):
        """Argument types and processor; of named tuples also the order of their fields, which their type leaves out."""
        return sig, codegen.magic_tuple(), _layout(normalize_signature(sig)[0])


def _layout(kind) -> tuple:
    """Field names of all named tuples in a numba type, or in a tuple of types."""
    parts: tuple = ()
    if isinstance(kind, tuple):
        parts = kind
    elif isinstance(kind, types.BaseTuple):
        parts = tuple(kind.types)  # type: ignore[attr-defined]  # uniform or not, every kind of tuple has them
    return (
        getattr(kind, "fields", ()) if isinstance(kind, types.BaseNamedTuple) else (),
        *(_layout(part) for part in parts),
    )


def kernel(function=None, *, inline=False):
    """Compile with numba: disk cache named by what it is compiled from, interpreter lock released while it runs.

    inline: put its code in place of every call. For a short function that only passes parts of a large tuple on to
    others: a call hands over every array of the tuple, word by word, which can cost more than the work.
    """
    if function is None:
        return lambda function: kernel(function, inline=inline)
    compiled = numba.njit(nogil=True, inline="always" if inline else "never")(function)
    if hasattr(compiled, "py_func"):  # else numba is switched off
        compiled._cache = KernelCache(compiled)
    return compiled
