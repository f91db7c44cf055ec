"""The wheel carries the package and the notebooks, and nothing else."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytest.importorskip("hatchling", reason="the test extra is not installed")


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = out.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_all_notebooks_travel(names):
    expected = {f"dpbandits/_notebooks/{p.name}" for p in (ROOT / "notebooks").glob("*.ipynb")}
    assert expected and expected <= set(names)


def test_the_course_travels(names):
    course = ROOT / "notebooks" / "assignments"
    files = [*(course / name for name in ("README.md", "nbgrader_config.py", "variants.toml"))]
    files += [*course.glob("source/*/*.ipynb"), *course.glob("teaching/*.md")]
    assert {f"dpbandits/_notebooks/{p.relative_to(ROOT / 'notebooks').as_posix()}" for p in files} <= set(names)


def test_all_modules_travel(names):
    expected = {p.relative_to(ROOT).as_posix() for p in (ROOT / "dpbandits").rglob("*.py")}
    assert expected <= set(names)


def test_nothing_else_travels(names):
    strangers = [n for n in names if not n.startswith("dpbandits") or "__pycache__" in n or ".ipynb_checkpoints" in n]
    assert not strangers


def test_the_command_is_declared(names):
    assert any(n.endswith("entry_points.txt") for n in names)
