"""The public modules say what they take and return, and mypy finds that they keep their word."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["files"]


def test_what_is_checked_is_there():
    assert FILES and all((ROOT / name).exists() for name in FILES)


@pytest.mark.slow
def test_mypy(tmp_path):
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_mypy_finds_a_wrong_word(tmp_path):
    """What it says of the rest is worth something: it sees through these modules."""
    wrong = tmp_path / "wrong.py"
    wrong.write_text("from dpbandits.randomness import run_seed\n\nnumber: str = run_seed(0, 1)\n")
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path), str(wrong)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and "wrong.py:3" in done.stdout, done.stdout + done.stderr
