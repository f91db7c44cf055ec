"""`dpbandits course`: a whole folder or none, and never over somebody's work."""

import importlib.util
import re
import shutil

import nbformat
import pytest

from dpbandits.cli import course, doctor, lab, main
from tests.notebooks import rules

ORIGIN = rules.FOLDER / lab.ASSIGNMENTS


def files(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_it_makes_a_course_folder(tmp_path, capsys):
    assert main(["course", str(tmp_path / "deep" / "mine")]) == 0
    made = tmp_path / "deep" / "mine"
    assert {"README.md", "answers.md", "nbgrader_config.py", "variants.toml"} == {
        p.name for p in made.iterdir() if p.is_file()
    }
    assert files(made / "source") == files(ORIGIN / "source") and course.sets(made)
    out = capsys.readouterr().out
    assert all(name in out for name in course.sets(made)) and "README.md" in out


def test_a_variant_changes_every_set_and_the_same_seed_makes_the_same(tmp_path, capsys):
    for name, seed in (("one", "5"), ("two", "5"), ("three", "6")):
        assert main(["course", str(tmp_path / name), "--variant", seed]) == 0
    one, two, three = (files(tmp_path / name / "source") for name in ("one", "two", "three"))
    assert one == two != three
    assert all(one[name] != text for name, text in files(ORIGIN / "source").items())
    assert "Variant 5 changes:" in capsys.readouterr().out
    keys = [(tmp_path / name / "answers.md").read_text(encoding="utf-8") for name in ("one", "two", "three")]
    assert keys[0] == keys[1] != keys[2]
    assert main(["course", str(tmp_path / "four"), "--variant", "-1"]) == 2
    assert "--variant -1 is not allowed" in capsys.readouterr().err and not (tmp_path / "four").exists()


def test_the_answer_key_has_every_solution_and_guide(tmp_path):
    assert main(["course", str(tmp_path)]) == 0
    page = (tmp_path / "answers.md").read_text(encoding="utf-8")
    assert page.count("\n## Problem set ") == len(course.sets(tmp_path)) == page.count("\n**Marking guide.**")
    for path in (tmp_path / "source").glob("*/*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            if "### BEGIN SOLUTION" in cell.source:
                inside = cell.source.split("### BEGIN SOLUTION\n")[1].split("### END")[0].strip()
                assert inside in page
            heading = re.match(r"## .*", cell.source)
            assert heading is None or f"\n#{heading[0]}\n" in page
    assert "SOLUTION" not in page and "HIDDEN" not in page and "grading" not in page


def test_an_empty_folder_will_do(tmp_path):
    assert main(["course", str(tmp_path)]) == 0 and course.sets(tmp_path)


def test_what_grading_left_in_a_clone_is_not_copied(tmp_path, monkeypatch):
    origin = tmp_path / "notebooks"
    shutil.copytree(ORIGIN, origin / lab.ASSIGNMENTS)
    (origin / lab.ASSIGNMENTS / "gradebook.db").write_text("marks")
    (origin / lab.ASSIGNMENTS / "source" / "PS1" / ".ipynb_checkpoints").mkdir()
    monkeypatch.setattr(lab, "source", lambda: (origin, False))
    made = course.make(str(tmp_path / "made"))
    assert files(made) == {
        name: text for name, text in files(origin / lab.ASSIGNMENTS).items() if name != "gradebook.db"
    }
    assert not list(made.rglob(".*"))


@pytest.mark.parametrize("kind", ["full", "file", "inside a file", "no name", "too long"])
def test_a_bad_place_is_refused_and_left_alone(kind, tmp_path, capsys):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    place = {"full": "full", "file": "file", "inside a file": "file/course", "no name": "", "too long": 300 * "x"}[kind]
    before = files(tmp_path)
    assert main(["course", str(tmp_path / place) if place else ""]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "is not allowed" in error and "Traceback" not in error
    assert "DIR = " in error and ("not empty" in error) == (kind == "full")
    assert files(tmp_path) == before


def test_a_full_disk_leaves_nothing_half(tmp_path, monkeypatch, capsys):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(course.shutil, "copytree", full)
    assert main(["course", str(tmp_path / "mine")]) == 1
    assert "No space left" in capsys.readouterr().err and not list((tmp_path / "mine").iterdir())


def test_without_nbgrader_the_folder_is_made_and_one_command_named(tmp_path, monkeypatch, capsys):
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "nbgrader" else real(name, *rest)
    )
    assert main(["course", str(tmp_path / "mine")]) == 0 and course.sets(tmp_path / "mine")
    error = capsys.readouterr().err
    assert (
        error.count("\n") == 1
        and doctor.command_for("grading") in error
        and "pip install" in error
        and "nbgrader" in error
    )


def test_learners_do_not_get_the_solutions(tmp_path):
    lab.deliver(rules.FOLDER, tmp_path)
    assert (tmp_path / "00_start_here.ipynb").is_file() and not (tmp_path / lab.ASSIGNMENTS).exists()
