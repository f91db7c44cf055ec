"""The command line in surroundings that others have: a terminal of few letters, no home, little patience."""

import os
import signal
import subprocess
import sys

import pytest

HEAVY = {"numpy", "numba", "scipy", "xarray", "pandas", "joblib", "plotly"}


def run(*words, **environment):
    command = [sys.executable, "-m", "dpbandits", *words]
    return subprocess.run(command, capture_output=True, env=os.environ | environment, timeout=300)


def test_help_loads_nothing_heavy():
    code = f"import sys, dpbandits.cli; dpbandits.cli.parser(); print(*({HEAVY!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not done.stdout.strip()


@pytest.mark.parametrize("encoding", ["cp1252", "iso-8859-1", "ascii"])
@pytest.mark.slow
def test_a_terminal_of_few_letters(encoding):
    done = run(
        "bound", "wang-zhu-theorem-18", "--set", "horizon=100", "--set", "means=0.5,0.4", PYTHONIOENCODING=encoding
    )
    assert done.returncode == 0 and b"regret ?" in done.stdout, done.stderr
    assert run("--help", PYTHONIOENCODING=encoding).returncode == 0


def test_no_home_to_be_found():
    done = run("list", "bounds", HOME="/nonexistent-home", XDG_CACHE_HOME="")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("module", ["argparse", "dpbandits.cli", "numpy.linalg", "numba", "xarray"])
@pytest.mark.slow
def test_an_interruption_while_libraries_load_ends_quietly(module, tmp_path):
    """Ctrl-C comes in the very moment in which `module` is looked for."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os, signal, sys\n"
        "class Interrupter:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r} and 'dpbandits.__main__' in str(sys.argv) + str(sys.orig_argv):\n"
        "            sys.meta_path.remove(self)\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupter())\n"
    )
    words = [sys.executable, "-m", "dpbandits.__main__", "run", "ucb1", "--instance", "two-arms", "--horizon", "10"]
    done = subprocess.run(
        words,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background job ignores it
    )
    assert done.returncode == 130 and "Traceback" not in done.stderr, done.stderr
