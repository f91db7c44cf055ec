"""The kernels' cache: hit by the next process, never stale."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import dpbandits
from dpbandits import kernels

PACKAGE = Path(dpbandits.__file__).parent

HELPER = "from dpbandits.kernels import kernel\n\n@kernel\ndef helper(x):\n    return x + {added}\n"
USER = (
    "from dpbandits.algorithms.probe_helper import helper\nfrom dpbandits.kernels import kernel\n\n@kernel\ndef"
    " user(x):\n    return helper(x)\n"
)
PROGRAM = (
    "from dpbandits.algorithms.probe_user import user\n"
    "print(user(1.0), sum(user.stats.cache_hits.values()), sum(user.stats.cache_misses.values()))"
)


@pytest.fixture
def package(tmp_path):
    """A copy of the package with two more kernels, one of which calls the other across files; and its process."""
    copy = tmp_path / "dpbandits"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "_notebooks"))
    (copy / "__init__.py").write_text("")
    (copy / "algorithms" / "__init__.py").write_text("")
    (copy / "algorithms" / "probe_user.py").write_text(USER)

    def run(added: int) -> tuple[float, int, int]:
        (copy / "algorithms" / "probe_helper.py").write_text(HELPER.format(added=added))
        environment = os.environ | {
            "PYTHONPATH": str(tmp_path),
            "DPBANDITS_CACHE": str(tmp_path / "cache"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
        )
        value, hits, misses = done.stdout.split()
        return float(value), int(hits), int(misses)

    return run


def test_an_edited_helper_in_another_file_is_never_served_stale(package):
    assert package(added=10) == (11.0, 0, 1)
    assert package(added=10) == (11.0, 1, 0), "the second process must find the machine code of the first"
    assert package(added=20) == (21.0, 0, 1), "the caller was served from a cache that does not know its helper's edit"
    assert package(added=10) == (11.0, 1, 0), "the folder of the earlier sources is still there"


def test_every_kernel_lies_in_a_folder_that_the_hash_reads():
    outside = [
        file.relative_to(PACKAGE).as_posix()
        for file in PACKAGE.rglob("*.py")
        if "\n@kernel" in file.read_text() and file.relative_to(PACKAGE).parts[0] not in kernels.KERNEL_SOURCES
    ]
    assert not outside, f"their edits would go unnoticed: {outside}"


def test_the_hash_follows_names_and_contents(tmp_path):
    for name in ("mechanisms", "environments", "algorithms"):
        (tmp_path / name).mkdir()
    for name in ("kernels.py", "randomness.py", "mechanisms/a.py"):
        (tmp_path / name).write_text("x = 1\n")
    first = kernels.source_hash(tmp_path)
    assert len(first) == 16 and first == kernels.source_hash(tmp_path)
    (tmp_path / "mechanisms" / "a.py").rename(tmp_path / "mechanisms" / "b.py")
    renamed = kernels.source_hash(tmp_path)
    (tmp_path / "mechanisms" / "b.py").write_text("x = 2\n")
    assert len({first, renamed, kernels.source_hash(tmp_path)}) == 3
    (tmp_path / "simulation.py").write_text("a kernel cannot reach this")
    assert kernels.source_hash(tmp_path) == kernels.source_hash(tmp_path)


@pytest.fixture
def fresh_folder(monkeypatch):
    """cache_folder() with its memory cleared before and after."""
    kernels.cache_folder.cache_clear()
    yield monkeypatch
    kernels.cache_folder.cache_clear()


def test_old_folders_are_removed_but_not_the_current_one(fresh_folder, tmp_path):
    fresh_folder.setenv("DPBANDITS_CACHE", str(tmp_path))
    for age in range(6):
        old = tmp_path / "kernels" / f"old{age}"
        old.mkdir(parents=True)
        os.utime(old, (1000 - age, 1000 - age))
    current = kernels.cache_folder()
    left = {p.name for p in (tmp_path / "kernels").iterdir()}
    assert left == {Path(current).name, "old0", "old1", "old2"}


def test_a_cache_that_cannot_be_written_is_replaced(fresh_folder, tmp_path):
    blocked = tmp_path / "a-file"
    blocked.write_text("not a folder")
    fresh_folder.setenv("DPBANDITS_CACHE", str(blocked))
    folder = kernels.cache_folder()
    assert os.path.isdir(folder) and not folder.startswith(str(blocked))


def test_decorating_leaves_numba_as_it_was():
    before = numba.config.CACHE_DIR
    double = kernels.kernel(lambda x: 2 * x)
    assert double(21) == 42 and numba.config.CACHE_DIR == before
    assert double.targetoptions["nogil"], "a simulation in a thread must not freeze the sliders"
