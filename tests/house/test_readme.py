"""What the README says is so."""

import re
import shutil
import subprocess
import tomllib

import pytest

from dpbandits import cli
from tests.house.readme import README, with_table
from tests.notebooks import rules

ROOT = README.parent
TEXT = README.read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
BLOCKS = re.findall(r"```bash\n(.*?)```", TEXT, re.DOTALL)
LAB, TEST = (block.strip() for block in BLOCKS[:2])


def test_the_table_of_algorithms_is_the_catalogue_s():
    assert with_table(TEXT) == TEXT, "run: python -m tests.house.readme"


def test_every_notebook_is_among_the_chapters():
    linked = re.findall(r"\]\(notebooks/([^/]*?\.ipynb)\)", TEXT)
    assert linked == [path.name for path in rules.paths()]


def test_every_picture_is_there_and_small():
    pictures = re.findall(r"!\[.*?\]\((.*?)\)", TEXT)
    assert pictures
    for picture in pictures:
        assert (ROOT / picture).stat().st_size < 300 * 1024


@pytest.mark.parametrize("command", [LAB, TEST])
def test_each_of_the_two_commands_is_one_line_that_bash_reads(command):
    assert "\n" not in command
    bash = shutil.which("bash") or pytest.skip("no bash here")
    assert subprocess.run([bash, "-n", "-c", command], check=False).returncode == 0


def test_the_two_commands_make_an_environment_install_and_start():
    venv, install, start = (part.strip() for part in LAB.split("&&"))
    assert venv == "python3 -m venv .venv" and install == ".venv/bin/python -m pip install -e ."
    script, command, folder = start.removeprefix(".venv/bin/").split()
    assert script in PROJECT["scripts"] and command in cli.COMMANDS
    assert f"{folder}/" in (ROOT / ".gitignore").read_text().splitlines(), "git must not see what learners save"
    venv, install, start = (part.strip() for part in TEST.split("&&"))
    (extra,) = re.fullmatch(r'\.venv/bin/python -m pip install -e "\.\[(\w+)\]"', install).groups()
    assert (
        venv == "python3 -m venv .venv"
        and extra in PROJECT["optional-dependencies"]
        and start == ".venv/bin/python -m pytest"
    )


def test_the_ci_runs_the_readme_s_test_command():
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111, "it must be executable"
    done = subprocess.run([script, "--print"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == TEST


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", [line for block in BLOCKS[2:] for line in block.splitlines() if line.startswith("dpbandits ")]
)
def test_each_command_shown_is_understood(line, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = line.split()[1:]
    if words[0] == "reproduce":
        words += ["--no-png"]
    assert cli.main(words) == 0, capsys.readouterr().err
