"""The commands of the teacher's page, typed as they stand there, take a submission from release to marks."""

import csv
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dpbandits.cli import course, main
from tests.notebooks import rules

pytest.importorskip("nbgrader", reason="the test extra is not installed")
pytestmark = [pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"), pytest.mark.slow]  # nbgrader's own
PAGE = (rules.FOLDER / "assignments" / "README.md").read_text(encoding="utf-8")
RELEASE, DUE, COLLECT, GRADE, FEEDBACK, MARKS, PROVE, REMOVE = re.findall(r"```bash\n(.*?)```", PAGE, re.DOTALL)


def nbgrader(arguments: list[str]) -> None:
    """`nbgrader ...`, in a process of its own as at a teacher's desk; what it says is what pytest captures."""
    done = subprocess.run([sys.executable, "-m", "nbgrader", *arguments], capture_output=True, text=True)
    print(done.stdout)
    print(done.stderr, file=sys.stderr)
    assert not done.returncode, (arguments, done.stderr[-2000:])


@pytest.fixture
def typed(tmp_path, monkeypatch):
    """A course folder, and a function that types a block of commands there."""
    folder, bash = course.make(str(tmp_path / "mine")), shutil.which("bash") or pytest.skip("no bash here")
    monkeypatch.chdir(folder)

    def type_(block):
        for line in block.splitlines():
            words = shlex.split(line)
            if words[0] == "nbgrader":
                nbgrader(words[1:])
            elif words[0] == "dpbandits":
                assert main(words[1:]) in (0, 1)  # 1: something was not understood
            else:
                subprocess.run([bash, "-c", line], check=True)
        return folder

    return type_


def marks(folder: Path, kind: str = "plain") -> list[list[str]]:
    with (folder / f"marks-{kind}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def test_a_term_from_roster_to_marks(typed, capsys):
    folder = typed(RELEASE + DUE)
    (folder / "roster.csv").write_text(
        "id,name,email,lms_id\nada,Ada Lovelace,ada@uni.edu,101\nbob,Bob Byte,bob@uni.edu,102\ncyd,Cyd,,\n"
    )
    downloaded = folder / "downloaded" / "PS1" / "archive"
    downloaded.mkdir(parents=True)
    shutil.copy(folder / "source" / "PS1" / "PS1.ipynb", downloaded / "lovelaceada_101_7_PS1.ipynb")
    shutil.copy(folder / "release" / "PS1" / "PS1.ipynb", downloaded / "PS1.ipynb")  # names nobody
    everybody = shutil.copytree(folder / "release" / "PS1", folder / "all" / "Bob Byte_3_assignsubmission_file_").parent
    shutil.make_archive(str(downloaded / "all"), "zip", everybody)
    typed(COLLECT)
    assert "PS1.ipynb: nobody on the roster" in capsys.readouterr().out
    typed(GRADE + FEEDBACK + MARKS)
    assert {path.name for path in (folder / "submitted").iterdir()} == {"ada", "bob"}
    assert (folder / "feedback" / "ada" / "PS1" / "PS1.html").is_file()
    assert marks(folder) == [
        ["id", "name", "PS1", "late"],
        ["ada", "Ada Lovelace", "16.0", ""],
        ["bob", "Bob Byte", "0.0", ""],
        ["cyd", "Cyd", "", ""],
    ]
    assert marks(folder, "canvas") == [
        ["Student", "ID", "SIS Login ID", "Section", "PS1"], ["    Points Possible", "", "", "", "20.0"],
        ["Ada Lovelace", "101", "ada", "", "16.0"], ["Bob Byte", "102", "bob", "", "0.0"],
    ]  # fmt: skip
    assert marks(folder, "moodle") == [
        ["Email address", "ID number", "PS1"],
        ["ada@uni.edu", "ada", "16.0"],
        ["bob@uni.edu", "bob", "0.0"],
    ]
    notes = capsys.readouterr().err
    assert "PS1: 1 submissions have a written answer" in notes and "no lms_id for them: cyd" in notes
    before = marks(folder)
    typed(PROVE)
    assert [row[:3] for row in marks(folder)[4:]] == [["empty", "", "0.0"], ["solution", "", "16.0"]]
    typed(REMOVE + "dpbandits marks\n")
    assert marks(folder) == before


def test_the_page_lists_the_sets():
    listed = re.findall(r"^\| (PS\d+) \|", PAGE, re.MULTILINE)
    assert listed == sorted(path.stem for path in (rules.FOLDER / "assignments" / "source").glob("*/*.ipynb"))
