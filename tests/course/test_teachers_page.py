"""The commands of the teacher's page, typed as they stand there, take a submission from release to marks."""

import csv
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from dpbandits.cli import course
from tests.notebooks import rules

pytest.importorskip("nbgrader", reason="the test extra is not installed")
from jupyter_core.application import NoStart  # noqa: E402
from nbgrader.apps import NbGraderApp  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # nbgrader's own
PAGE = (rules.FOLDER / "assignments" / "README.md").read_text(encoding="utf-8")
RELEASE, COLLECT, GRADE, FEEDBACK, MARKS, PROVE, REMOVE = re.findall(r"```bash\n(.*?)```", PAGE, re.DOTALL)


def nbgrader(arguments: list[str]) -> None:
    """`nbgrader ...`, in this process: each start of Python would take seconds. Failure is an exception or an exit
    code.
    """
    app = NbGraderApp.instance()
    try:
        app.initialize(arguments)
        app.start()
    except NoStart:  # how a subcommand ends well
        pass
    except SystemExit as end:
        assert not end.code, arguments
    finally:
        NbGraderApp.clear_instance()


@pytest.fixture
def typed(tmp_path, monkeypatch):
    """A course folder, and a function that types a block of commands there."""
    folder, bash = course.make(str(tmp_path / "mine")), shutil.which("bash") or pytest.skip("no bash here")
    monkeypatch.chdir(folder)

    def type_(block):
        for line in block.splitlines():
            words = shlex.split(line)
            nbgrader(words[1:]) if words[0] == "nbgrader" else subprocess.run([bash, "-c", line], check=True)
        return folder

    return type_


def marks(folder: Path) -> dict[str, tuple[str, str]]:
    with (folder / "marks.csv").open(newline="", encoding="utf-8") as file:
        return {
            row["student_id"]: (row["score"], row["max_score"])
            for row in csv.DictReader(file)
            if row["assignment"] == "PS1"
        }


def test_from_release_to_marks(typed):
    folder = typed(RELEASE)
    downloaded = folder / "downloaded" / "PS1" / "archive"
    downloaded.mkdir(parents=True)
    shutil.copy(folder / "source" / "PS1" / "PS1.ipynb", downloaded / "ada_PS1.ipynb")
    shutil.copy(folder / "release" / "PS1" / "PS1.ipynb", downloaded / "PS1.ipynb")  # names nobody
    everybody = shutil.copytree(folder / "release" / "PS1", folder / "all" / "bob").parent
    shutil.make_archive(str(downloaded / "all"), "zip", everybody)
    typed(COLLECT + GRADE + FEEDBACK + MARKS)
    assert {path.name for path in (folder / "submitted").iterdir()} == {"ada", "bob"}
    assert (folder / "feedback" / "ada" / "PS1" / "PS1.html").is_file()
    two = {"ada": ("16.0", "20.0"), "bob": ("0.0", "20.0")}
    assert marks(folder) == two
    typed(PROVE)
    assert marks(folder) == two | {"solution": two["ada"], "empty": two["bob"]}
    typed(REMOVE + MARKS)
    assert marks(folder) == two


def test_the_page_lists_the_sets():
    listed = re.findall(r"^\| (PS\d+) \|", PAGE, re.MULTILINE)
    assert listed == sorted(path.stem for path in (rules.FOLDER / "assignments" / "source").glob("*/*.ipynb"))
