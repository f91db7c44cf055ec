"""The kernels' cache: hit by the next process and by another copy, never stale, and blind to all that is not
compiled.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numba
import pytest

import dpbandits
from dpbandits import cache, kernels

PACKAGE = Path(dpbandits.__file__).parent

HELPER = '''"""A helper."""

from dpbandits.kernels import kernel

STEP = 1


@kernel
def helper(x):
    return x + 10
'''
USER = """from dpbandits.algorithms import probe_helper
from dpbandits.kernels import kernel

FACTOR = 1.0
LABEL = "A label"


@kernel
def user(x):
    return probe_helper.helper(x) * FACTOR


@kernel
def other(x):
    return x - probe_helper.STEP
"""
PROGRAM = """import json
from dpbandits.algorithms.probe_user import other, user
def run(k):
    return [k(1.0), sum(k.stats.cache_hits.values()), sum(k.stats.cache_misses.values())]
print(json.dumps([run(user), run(other)]))"""
#: Hashes of all kernels of the package, by name.
HASHES = """import importlib, json, pkgutil, sys
import dpbandits
from dpbandits.kernels import kernel_hash
for part in ("algorithms", "environments", "mechanisms"):
    package = importlib.import_module(f"dpbandits.{part}")
    for module in pkgutil.walk_packages(package.__path__, f"dpbandits.{part}."):
        importlib.import_module(module.name)
ours = [m for n, m in list(sys.modules.items()) if n.startswith("dpbandits")]
found = [v for m in ours for v in vars(m).values() if hasattr(v, "py_func")]
print(json.dumps({f"{k.py_func.__module__}.{k.py_func.__qualname__}": kernel_hash(k) for k in found}))"""


class Copy:
    """A copy of the package, its process and its cache, which two copies may share."""

    def __init__(self, folder: Path, cache: Path):
        self.folder, self.cache = folder, cache
        shutil.copytree(PACKAGE, folder / "dpbandits", ignore=shutil.ignore_patterns("__pycache__", "_notebooks"))

    def edit(self, file: str, before: str, after: str) -> None:
        path = self.folder / "dpbandits" / file
        text = path.read_text(encoding="utf-8")
        assert before in text, f"{file} no longer has {before!r}"
        path.write_text(text.replace(before, after, 1), encoding="utf-8")

    def add_probes(self) -> None:
        (self.folder / "dpbandits" / "algorithms" / "probe_helper.py").write_text(HELPER)
        (self.folder / "dpbandits" / "algorithms" / "probe_user.py").write_text(USER)

    def run(self, program: str, *flags: str):
        environment = os.environ | {
            "PYTHONPATH": str(self.folder),
            "DPBANDITS_CACHE": str(self.cache),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        command = [sys.executable, *flags, "-c", program]
        done = subprocess.run(command, env=environment, cwd=self.folder, capture_output=True, text=True)
        assert not done.returncode, done.stderr
        return json.loads(done.stdout)


@pytest.fixture
def copy(tmp_path):
    return Copy(tmp_path / "one", tmp_path / "cache")


@pytest.mark.slow
def test_compiled_code_follows_what_it_was_compiled_from(copy, tmp_path):
    copy.add_probes()
    probe = "algorithms/probe_helper.py", "algorithms/probe_user.py"
    # (user's value, hits, misses), (other's)
    assert copy.run(PROGRAM) == [[11.0, 0, 1], [0.0, 0, 1]]
    assert copy.run(PROGRAM) == [[11.0, 1, 0], [0.0, 1, 0]], (
        "the second process must find the machine code of the first"
    )

    second = Copy(tmp_path / "two", copy.cache)
    second.add_probes()
    assert second.run(PROGRAM) == [[11.0, 1, 0], [0.0, 1, 0]], (
        "two copies with the same kernels share their machine code"
    )

    copy.edit(probe[1], '"A label"', '"Another label"\nMORE = "lines"\n')
    copy.edit(probe[0], '"""A helper."""', '"""A helper, explained."""\n\n# with a comment')
    copy.edit(probe[0], "def helper(x):\n", 'def helper(x: float) -> float:\n    """Explained."""\n\n')
    assert copy.run(PROGRAM) == [[11.0, 1, 0], [0.0, 1, 0]], "words, annotations and line numbers are not compiled"

    copy.edit(probe[0], "x + 10", "x + 20")
    assert copy.run(PROGRAM) == [[21.0, 0, 1], [0.0, 1, 0]], (
        "the caller, and only the caller, of an edited helper in another file"
    )
    copy.edit(probe[0], "STEP = 1", "STEP = 3")
    assert copy.run(PROGRAM) == [[21.0, 1, 0], [-2.0, 0, 1]], "a constant of another file, for those alone that use it"
    copy.edit(probe[1], "FACTOR = 1.0", "FACTOR = 2.0")
    assert copy.run(PROGRAM) == [[42.0, 0, 1], [-2.0, 1, 0]]
    copy.edit(probe[1], "FACTOR = 2.0", "FACTOR = 1.0")
    copy.edit(probe[0], "x + 20", "x + 10")
    assert copy.run(PROGRAM) == [[11.0, 1, 0], [-2.0, 1, 0]], "the earlier version is still there"

    for file in copy.cache.rglob("*.nbi"):
        file.write_bytes(file.read_bytes()[:-9])
    assert copy.run(PROGRAM) == [[11.0, 0, 1], [-2.0, 0, 1]], "a file cut short is compiled anew"
    assert copy.run(PROGRAM) == [[11.0, 1, 0], [-2.0, 1, 0]]


@pytest.mark.slow
def test_hashes_of_all_kernels_follow_edits_that_reach_them_and_no_others(copy):
    before = copy.run(HASHES)
    assert len(before) > 150 and len(set(before.values())) == len(before)
    assert copy.run(HASHES, "-OO") == before, "docstrings do not count"

    for file in (copy.folder / "dpbandits" / "algorithms").rglob("*.py"):  # every title, and the lines below it
        text = file.read_text(encoding="utf-8")
        file.write_text(
            "# a comment\n\n" + re.sub(r'"([^"\n]*(?:UCB|Thompson|OMM)[^"\n]*)",', r'"\1, renamed",\n', text),
            encoding="utf-8",
        )
    copy.edit("randomness.py", '"""One draw of Laplace(0, scale)', '"""One single draw of Laplace(0, scale)')
    assert copy.run(HASHES) == before, "a label, a comment, a docstring"

    copy.edit("mechanisms/counters.py", "        bit += 1\n", "        bit += 2 - 1 + 0 * n\n")
    after = copy.run(HASHES)
    changed = {name for name in before if after[name] != before[name]}
    assert changed == callers_of(copy, "lowest_bit")
    assert {
        f"dpbandits.algorithms.stochastic.counting.{name}" for name in ("dp_ucb", "dp_ucb_bound", "private_ucb")
    } < changed
    assert "dpbandits.mechanisms.counters.bit_length" not in changed and "dpbandits.randomness.laplace" not in changed


def callers_of(copy: Copy, name: str) -> set[str]:
    """Kernels whose text names `name`, or a kernel whose text does: found by words in the files alone."""
    bodies = {}
    for file in (copy.folder / "dpbandits").rglob("*.py"):
        module = ".".join(file.relative_to(copy.folder).with_suffix("").parts)
        for found in re.finditer(
            r"^@kernel.*\ndef (\w+)((?:.*\n)(?:(?:[ )].*)?\n)*)", file.read_text(encoding="utf-8"), re.MULTILINE
        ):
            code = re.sub(r'"""[\s\S]*?"""|#.*', "", found[2])
            bodies[f"{module}.{found[1]}"] = set(re.findall(r"\w+", code))
    reached = {full for full in bodies if full.endswith(f".{name}")}
    while True:
        names = {full.rpartition(".")[2] for full in reached}
        more = {full for full, words in bodies.items() if words & names} | reached
        if more == reached:
            return reached
        reached = more


@pytest.mark.slow
def test_saved_cells_follow_their_own_kernel(copy):
    program = """import json
from dpbandits.simulation import cells_for, checkpoint_rounds
cells = cells_for(["ucb1", "dp-ucb", "dp-se"], "two-arms", {}, horizon=100, checkpoints=checkpoint_rounds(100), seed=0)
print(json.dumps([cell.key for cell in cells]))"""
    ucb1, dp_ucb, dp_se = copy.run(program)
    copy.edit("algorithms/stochastic/records.py", '"UCB1"', '"UCB 1"')
    assert copy.run(program) == [ucb1, dp_ucb, dp_se], "a label"
    copy.edit("mechanisms/counters.py", "        bit += 1\n", "        bit += 2 - 1 + 0 * n\n")
    after = copy.run(program)
    assert after[0] == ucb1 and after[1] != dp_ucb and after[2] == dp_se
    copy.edit("environments/stochastic.py", "[0.5, 0.5 - gap]", "[0.6, 0.6 - gap]")
    edited = copy.run(program)
    assert all(a != b for a, b in zip(edited, after, strict=True)), "the instance's arrays are part of a cell"


def test_methods_follow_the_kernel_that_they_choose():
    from dpbandits.algorithms.catalogue import ALGORITHMS

    chosen = [a for a in (ALGORITHMS.values() if isinstance(ALGORITHMS, dict) else ALGORITHMS) if a.methods]
    assert chosen
    for algorithm in chosen:
        hashes = {kernels.kernel_hash(algorithm.kernel({"method": m})) for m in ("plain", *algorithm.methods)}
        assert len(hashes) == 1 + len(algorithm.methods), algorithm.name


def test_old_versions_and_unused_files_are_removed(tmp_path):
    versions = [tmp_path / f"module.name-{number:024x}.nbi" for number in range(kernels.KEEP + 3)]
    for age, index in enumerate(versions):
        for file in (index, index.with_suffix(".1.nbc")):
            file.touch()
            os.utime(file, (time.time() - age, time.time() - age))
    other = tmp_path / f"module.name_too-{0:024x}.nbi"
    other.touch()
    kernels.remove_old_versions(tmp_path, "module.name")
    kept = versions[: kernels.KEEP]
    assert set(tmp_path.iterdir()) == {other, *kept, *(index.with_suffix(".1.nbc") for index in kept)}

    long_ago = time.time() - (cache.KEEP_DAYS + 1) * 86400
    (tmp_path / "of-an-earlier-release").mkdir()
    for entry in (kept[0], tmp_path / "of-an-earlier-release"):
        os.utime(entry, (long_ago, long_ago))
    cache.remove_unused(tmp_path)
    assert (
        kept[0] not in set(tmp_path.iterdir())
        and kept[1].exists()
        and not (tmp_path / "of-an-earlier-release").exists()
    )


def test_decorating_leaves_numba_as_it_was():
    before = numba.config.CACHE_DIR
    double = kernels.kernel(lambda x: 2 * x)
    assert double(21) == 42 and numba.config.CACHE_DIR == before
    assert double.targetoptions["nogil"], "a simulation in a thread must not freeze the sliders"


def test_the_order_of_a_named_tuple_s_fields_is_part_of_the_key():
    from collections import namedtuple

    key = kernels.KernelCache(kernels.kernel(lambda pair: pair.a))._index_key
    codegen = numba.core.registry.cpu_target.target_context.codegen()
    kinds = [numba.typeof(namedtuple("Pair", order)(1.0, 2.0)) for order in (("a", "b"), ("b", "a"))]
    assert key((kinds[0],), codegen)[2] != key((kinds[1],), codegen)[2]


def test_two_processes_that_save_at_once_keep_their_code_apart(tmp_path, monkeypatch):
    first, second = (kernels.KernelIndex(tmp_path, "module.name", "") for _ in range(2))
    with monkeypatch.context() as patch:
        patch.setattr(first, "_load_index", dict)  # each looked before the other wrote
        patch.setattr(second, "_load_index", dict)
        first.save((numba.float64,), "for numbers")
        second.save((numba.int64,), "for integers")
        first.save((numba.float64,), "for numbers")
    assert first.load((numba.int64,)) in (None, "for integers") and first.load((numba.float64,)) == "for numbers"
    second.save((numba.int64,), "for integers")
    assert second.load((numba.float64,)) == "for numbers" and second.load((numba.int64,)) == "for integers"
