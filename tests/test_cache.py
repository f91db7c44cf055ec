"""The kernels' cache in bad company: a full disk, files cut short, no folder. Kernels run all the same."""

import json
import os
import subprocess
import sys

import pytest

#: Prints: value, hits, misses; a limit on the size of files, in bytes, stands for a full disk.
PROGRAM = """import json, resource, signal, sys
from dpbandits.randomness import laplace
from dpbandits.mechanisms.counters import bit_length, lowest_bit
if {limit}:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
found = [k(12) for k in (bit_length, lowest_bit)]
stats = [sum(s.values()) for k in (bit_length, lowest_bit) for s in (k.stats.cache_hits, k.stats.cache_misses)]
print(json.dumps([found, stats]))"""
VALUES = [4, 2]


def run(cache, tmp_path, limit=0):
    """Values, (hits, misses) of both kernels, warnings, and what lies in the folder for temporary files."""
    own = tmp_path / "tmp"
    own.mkdir(exist_ok=True)
    around = os.environ | {"DPBANDITS_CACHE": str(cache), "TMPDIR": str(own)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(limit=limit)], env=around, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    values, stats = json.loads(done.stdout)
    return values, stats, done.stderr, list(own.iterdir())


@pytest.mark.slow
def test_a_full_disk(tmp_path):
    values, stats, said, left = run(tmp_path / "cache", tmp_path, limit=5000)
    assert values == VALUES and stats == [0, 1, 0, 1] and not left
    assert said.count("cannot be kept") == 1 and "dpbandits doctor" in said and "Traceback" not in said
    assert not [f for f in (tmp_path / "cache" / "kernels").iterdir() if ".tmp." in f.name]
    values, stats, said, _ = run(tmp_path / "cache", tmp_path)  # there is room again
    assert (values, stats, said) == (VALUES, [0, 1, 0, 1], "")
    assert run(tmp_path / "cache", tmp_path)[1] == [1, 0, 1, 0]


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("keep", [0, 0.5], ids=["empty", "half"])
@pytest.mark.slow
def test_files_cut_short(tmp_path, kind, keep):
    run(tmp_path / "cache", tmp_path)
    for file in (tmp_path / "cache" / "kernels").glob(f"*.{kind}"):
        whole = file.read_bytes()
        file.write_bytes(whole[: int(keep * len(whole))])
    values, stats, said, _ = run(tmp_path / "cache", tmp_path)
    assert (values, stats, said) == (VALUES, [0, 1, 0, 1], "")
    assert run(tmp_path / "cache", tmp_path)[1] == [1, 0, 1, 0], "mended by the way"


@pytest.mark.slow
def test_a_folder_that_cannot_be_leaves_nothing_behind(tmp_path):
    (tmp_path / "cache").write_text("a file")
    for _ in range(2):
        values, stats, said, left = run(tmp_path / "cache", tmp_path)
        assert values == VALUES and stats == [0, 1, 0, 1] and not left
        assert said.count("cannot be kept") == 1 and str(tmp_path / "cache") in said


@pytest.mark.slow
def test_a_cache_that_may_only_be_read_is_used(tmp_path, monkeypatch):
    """As a class shares it: its kernels are found, and nobody is told of what is no trouble to them."""
    run(tmp_path / "cache", tmp_path)
    blocked = PROGRAM.replace("import json, ", "import json, tempfile, ").replace(
        "found = ",
        "def no(*a, **k): raise PermissionError(13, 'Permission denied')\n"
        "import os; tempfile.TemporaryFile = os.utime = os.replace = no\nfound = ",
    )
    around = os.environ | {"DPBANDITS_CACHE": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", blocked.format(limit=0)], env=around, capture_output=True, text=True)
    assert (json.loads(done.stdout), done.stderr) == ([VALUES, [1, 0, 1, 0]], "")
