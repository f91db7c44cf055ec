"""`dpbandits lab`: what goes to whom, and copies that never overwrite a learner's work."""

import pytest

from dpbandits import __version__
from dpbandits.cli import lab, main


@pytest.fixture
def origin(tmp_path):
    folder = tmp_path / "origin"
    (folder / "images").mkdir(parents=True)
    (folder / "00_start_here.ipynb").write_text("start")
    (folder / "02_chapter.ipynb").write_text("chapter, first edition")
    (folder / "images" / "a.png").write_bytes(b"png")
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints" / "x.ipynb").write_text("no")
    return folder


@pytest.fixture
def target(tmp_path):
    (tmp_path / "mine").mkdir()
    return tmp_path / "mine"


def files(folder):
    return {
        p.relative_to(folder).as_posix(): p.read_text()
        for p in folder.rglob("*")
        if p.is_file() and p.name != lab.DELIVERED
    }


def test_split_gives_jupyter_what_follows_the_folder():
    assert lab.split(["lab"]) == (["lab"], [])
    assert lab.split(["lab", "DIR", "--no-browser", "--port", "9000"]) == (
        ["lab", "DIR"],
        ["--no-browser", "--port", "9000"],
    )
    assert lab.split(["lab", "--port", "9000"]) == (["lab"], ["--port", "9000"])
    assert lab.split(["lab", "--help"]) == (["lab", "--help"], [])
    assert lab.split(["run", "ucb1", "--json"]) == (["run", "ucb1", "--json"], [])


def test_first_delivery_is_complete(origin, target):
    assert lab.deliver(origin, target) == []
    assert files(target) == {
        "00_start_here.ipynb": "start",
        "02_chapter.ipynb": "chapter, first edition",
        "images/a.png": "png",
    }


def test_an_untouched_file_is_renewed(origin, target):
    lab.deliver(origin, target)
    (origin / "02_chapter.ipynb").write_text("second edition")
    assert lab.deliver(origin, target) == []
    assert files(target)["02_chapter.ipynb"] == "second edition"


def test_an_edited_file_stays_and_nothing_is_said_while_nothing_is_new(origin, target):
    lab.deliver(origin, target)
    (target / "02_chapter.ipynb").write_text("my answers")
    before = files(target)
    assert lab.deliver(origin, target) == [] and files(target) == before


def test_the_newer_version_of_an_edited_file_goes_beside_it(origin, target):
    lab.deliver(origin, target)
    (target / "02_chapter.ipynb").write_text("my answers")
    (origin / "02_chapter.ipynb").write_text("second edition")
    (sentence,) = lab.deliver(origin, target)
    beside = f"02_chapter-{__version__}.ipynb"
    assert beside in sentence
    assert files(target)["02_chapter.ipynb"] == "my answers" and files(target)[beside] == "second edition"
    assert lab.deliver(origin, target) == []  # told once
    (target / beside).write_text("my answers there too")
    (origin / "02_chapter.ipynb").write_text("third edition")
    (sentence,) = lab.deliver(origin, target)
    assert "left out" in sentence
    assert files(target)["02_chapter.ipynb"] == "my answers" and files(target)[beside] == "my answers there too"


def test_a_file_that_was_there_before_is_taken_for_the_owner_s(origin, target):
    (target / "00_start_here.ipynb").write_text("somebody's own")
    (target / lab.DELIVERED).write_text("not json")
    assert len(lab.deliver(origin, target)) == 1
    assert files(target)["00_start_here.ipynb"] == "somebody's own"


def test_jupyter_is_started_on_the_folder(origin, target, monkeypatch):
    calls = []

    class Started:
        def __init__(self, command):
            calls.append(command)

        def wait(self):
            return 7

    monkeypatch.setattr(lab, "source", lambda: (origin, False))
    monkeypatch.setattr(lab.subprocess, "Popen", Started)
    assert main(["lab", str(target), "--no-browser", "--port", "9000"]) == 7
    (command,) = calls
    assert command[1:4] == ["-P", "-m", "jupyterlab"] and command[-3:] == ["--no-browser", "--port", "9000"]
    assert (
        f"--ServerApp.root_dir={target.resolve()}" in command
        and "--LabApp.default_url=/lab/tree/00_start_here.ipynb" in command
    )


@pytest.mark.parametrize("user, said", [(0, True), (1000, False)])
def test_root_may_start_it_too(user, said, monkeypatch):
    monkeypatch.setattr(lab.os, "geteuid", lambda: user, raising=False)
    assert ("--allow-root" in lab.allowed()) is said


def test_a_clone_is_worked_in_and_an_installed_package_is_copied(origin, target, monkeypatch):
    monkeypatch.chdir(target)
    monkeypatch.setattr(lab, "source", lambda: (origin, True))
    assert lab.prepare(None) == (origin, [lab.OWN]) and lab.OWN.endswith(" dpbandits lab my-notebooks")
    monkeypatch.setattr(lab, "source", lambda: (origin, False))
    folder, _ = lab.prepare(None)
    assert folder == (target / "dpbandits-notebooks").resolve() and (folder / "02_chapter.ipynb").is_file()


def test_a_folder_that_cannot_be_made_is_refused(origin, target, monkeypatch, capsys):
    (target / "file").write_text("")
    monkeypatch.setattr(lab, "source", lambda: (origin, False))
    assert main(["lab", str(target / "file")]) == 2
    assert "it is a file" in capsys.readouterr().err
