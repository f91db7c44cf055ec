"""Files are written whole or not at all, and a place that cannot be written is refused before the work starts."""

import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """`write(temporary)` fills a file beside `path`, which then takes its place. The suffix of `path` is kept."""
    temporary = path.with_name(f".{uuid.uuid4().hex}-{path.name}")  # two containers may share a process number
    try:
        write(temporary)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def writable_file(path: str | os.PathLike, suffixes: tuple[str, ...]) -> Path:
    """The path, once it is sure that a file with one of `suffixes` can be written there. Raises ValueError."""
    if not os.fspath(path):
        raise _refusal(path, "it is empty")
    file = _expanded(path)
    if file.suffix.lower() not in suffixes:
        raise _refusal(path, f"its name must end with {' or '.join(suffixes)}")
    if not os.path.isdir(file.parent):
        raise _refusal(path, f"there is no folder {str(file.parent)!r}")
    try:
        if file.is_dir():
            raise _refusal(path, "it is a folder")
        if file.exists() and not os.access(file, os.W_OK):
            raise _refusal(path, "it may not be written")
    except OSError as error:  # a name that is too long, say
        raise _refusal(path, _reason(error)) from None
    _try_writing(path, file.parent)
    return file


def writable_folder(path: str | os.PathLike, name: str = "out") -> Path:
    """The folder, made where it was missing, once it is sure that it can be written. Raises ValueError, about the
    argument `name`.
    """
    if not os.fspath(path):
        raise _refusal(path, "it is empty", name)
    folder = _expanded(path, name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _refusal(path, "it is a file" if os.path.isfile(folder) else _reason(error), name) from None
    _try_writing(path, folder, name)
    return folder


@contextmanager
def fresh_folder(path: str | os.PathLike, name: str = "DIR") -> Iterator[Path]:
    """A folder to fill, new or empty until now. Whatever breaks that off leaves it empty: half of it would be refused
    at the next try. Raises ValueError, about the argument `name`, before anything is written.
    """
    target = _expanded(path, name)
    if os.fspath(path) and os.path.isdir(target) and any(target.iterdir()):
        raise _refusal(path, "it is not empty, and nothing in it may be overwritten", name)
    target = writable_folder(path, name).resolve()
    try:
        yield target
    except BaseException:  # an interruption, a full disk
        for place in target.iterdir():
            shutil.rmtree(place) if place.is_dir() else place.unlink()
        raise


def _expanded(path: str | os.PathLike, name: str = "out") -> Path:
    """With ~ replaced by the home that it names."""
    try:
        return Path(path).expanduser()
    except RuntimeError:  # an unknown user
        raise _refusal(path, "there is no such home", name) from None


def _try_writing(path: str | os.PathLike, folder: Path, name: str = "out") -> None:
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise _refusal(path, _reason(error), name) from None


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _refusal(path: str | os.PathLike, reason: str, name: str = "out") -> ValueError:
    return ValueError(f"{name} = {str(path)!r} is not allowed: {reason}.")
