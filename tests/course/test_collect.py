"""Collecting from what platforms and people make: whose, of which set, the newest, and nothing lost or broken."""

import copy
import io
import json
import stat
import tarfile
import zipfile
from datetime import UTC, datetime

import nbformat
import pytest

from dpbandits.course import roster
from dpbandits.course.collect import collect
from tests.course.marked import SOURCE

ROSTER = """\
id,name,email,lms_id
ada,"Lovelace, Ada",ada.lovelace@uni.edu,101
jdoe,Jane Doe,j.doe@uni.edu,102
jdoe2,Janet Doe,janet@uni.edu,103
zoe,Zoë O'Hara-Müller,zoe@uni.edu,104
cantor,Georg Cantor,cantor@uni.edu,105
li,Li Wei,li.wei@uni.edu,4567
"""


def notebook(name="PS1", mark="", bare=False):
    made = nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4)
    made.cells[0].source += mark
    if bare:  # a program dropped nbgrader's notes and the ids
        for cell in made.cells:
            cell.metadata = {}
            cell.pop("id")
        made.nbformat_minor = 4
    return json.dumps(made)


def packed(files, times=None):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in files.items():
            info = zipfile.ZipInfo(name, (times or {}).get(name, (2026, 10, 1, 12, 0, 0)))
            archive.writestr(info, text)
    return out.getvalue()


@pytest.fixture
def course(tmp_path):
    for name in ("PS1", "PS2"):
        place = tmp_path / "release" / name / f"{name}.ipynb"
        place.parent.mkdir(parents=True)
        place.write_text(notebook(name))
    (tmp_path / "roster.csv").write_text(ROSTER, encoding="utf-8")
    (tmp_path / "downloaded" / "PS1" / "archive").mkdir(parents=True)
    return tmp_path


def put(course, files):
    for name, data in files.items():
        place = course / "downloaded" / "PS1" / "archive" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data if isinstance(data, bytes) else data.encode())


def taken(course):
    done = collect(course, "PS1")
    return done, {p.parents[1].name for p in (course / "submitted").glob("*/PS1/PS1.ipynb")}


@pytest.mark.parametrize(
    ("name", "who"),
    [
        ("ada_PS1.ipynb", "ada"),
        ("PS1_ada.ipynb", "ada"),
        ("PS1-ada-lovelace.ipynb", "ada"),
        ("lovelaceada_101_99887_PS1.ipynb", "ada"),  # Canvas
        ("lovelaceada_LATE_101_4567_PS1-1.ipynb", "ada"),  # 4567 is a submission's number here, and Li Wei's own
        ("weili_4567_101_PS1.ipynb", "li"),
        ("Ada Lovelace_2333_assignsubmission_file_/PS1.ipynb", "ada"),  # Moodle
        ("Jane Doe_2334_assignsubmission_file_/homework/PS1 (1).ipynb", "jdoe"),
        ("Janet Doe_103_assignsubmission_file_PS1.ipynb", "jdoe2"),
        ("homework/j.doe/PS1.ipynb", "jdoe"),
        ("Zoe OHara Muller - PS1.ipynb", "zoe"),
        ("zoë o'hara-müller/PS1.ipynb", "zoe"),
        ("cantor_PS2.ipynb", "cantor"),  # a PS1 all the same
        ("homework/cantor/my final version.ipynb", "cantor"),
        ("cantor.ipynb.txt", "cantor"),
        ("PS1_cantor copy.ipynb", "cantor"),
    ],
)
def test_whose_it_is(course, name, who):
    put(course, {name: notebook()})
    done, students = taken(course)
    assert students == {who} and not done.puzzling
    assert done.missing == [p.id for p in roster.read(course / "roster.csv") if p.id != who]


@pytest.mark.parametrize(
    "name", ["doe_PS1.ipynb", "PS1.ipynb", "homework/PS1.ipynb", "somebody_PS1.ipynb", "12345.ipynb"]
)
def test_what_may_be_anybodys_is_named_and_left(course, name):
    put(course, {name: notebook(), "ada_PS1.ipynb": notebook()})
    done, students = taken(course)
    assert students == {"ada"} and len(done.puzzling) == 1 and done.puzzling[0].startswith(name)
    assert name in (course / "downloaded" / "PS1" / "report.txt").read_text()
    (course / "downloaded" / "PS1" / "who.csv").write_text(f"file,id\n{name},li\n")
    done, students = taken(course)
    assert students == {"ada", "li"} and not done.puzzling


def test_zips_of_macs_of_platforms_and_in_zips(course):
    inner = packed(
        {
            "homework/PS1.ipynb": notebook(mark="li"),
            "__MACOSX/homework/._PS1.ipynb": b"\0\1",
            "homework/.DS_Store": b"\0",
        }
    )
    put(
        course,
        {
            "ada.zip": packed(
                {
                    "PS1/PS1.ipynb": notebook(),
                    "__MACOSX/PS1/._PS1.ipynb": b"\0\1",
                    "PS1/.ipynb_checkpoints/PS1-checkpoint.ipynb": notebook(mark="STALE"),
                }
            ),
            "jdoe.zip": packed(
                {
                    "PS1.ipynb": notebook(),
                    "__MACOSX/._PS1.ipynb": b"\0\1",
                    ".ipynb_checkpoints/PS1-checkpoint.ipynb": notebook(mark="STALE"),
                }
            ),
            "submissions.zip": packed(
                {"liwei_4567_1_homework.zip": inner, "Zoë O'Hara-Müller_9_assignsubmission_file_/PS1.ipynb": notebook()}
            ),
        },
    )
    done, students = taken(course)
    assert students == {"ada", "jdoe", "li", "zoe"} and not done.puzzling and done.litter == 6
    assert not any("STALE" in (course / "submitted" / who / "PS1" / "PS1.ipynb").read_text() for who in students)


def test_the_newer_one_counts_and_both_are_named(course):
    times = {"ada_PS1.ipynb": (2026, 10, 1, 9, 0, 0), "ada_PS1 (1).ipynb": (2026, 10, 2, 9, 0, 0)}
    put(course, {"all.zip": packed({n: notebook(mark=n) for n in times}, times)})
    done, _ = taken(course)
    assert done.replaced == ["ada: all.zip/ada_PS1 (1).ipynb counts, not all.zip/ada_PS1.ipynb"]
    stamp = (course / "submitted/ada/PS1/timestamp.txt").read_text().strip()
    local = datetime(2026, 10, 2, 9).astimezone(UTC)
    assert stamp == f"{local:%Y-%m-%d %H:%M:%S} UTC"
    same = (2026, 10, 3, 9, 0, 0)  # of the same time: the copy with the number was made later
    put(course, {"all.zip": packed({n: notebook(mark=n) for n in times}, dict.fromkeys(times, same))})
    done, _ = taken(course)
    assert "ada_PS1 (1).ipynb counts" in done.replaced[0]
    put(
        course,
        {"all.zip": packed({"ada_PS1.ipynb": notebook(mark="STALER")}, {"ada_PS1.ipynb": (2026, 9, 1, 9, 0, 0)})},
    )
    done, _ = taken(course)
    assert "is newer" in done.replaced[0] and "STALER" not in (course / "submitted/ada/PS1/PS1.ipynb").read_text()


def test_late_by_the_platform_s_own_word(course):
    put(course, {"lovelaceada_LATE_101_5_PS1.ipynb": notebook()})
    assert collect(course, "PS1").late == ["ada: lovelaceada_LATE_101_5_PS1.ipynb"]


def test_another_set_is_no_ps1_whatever_it_is_called(course):
    put(
        course,
        {"ada_PS1.ipynb": notebook("PS2"), "li_PS1.ipynb": notebook(bare=True), "jdoe.ipynb": notebook(bare=True)},
    )
    done, students = taken(course)
    assert students == {"li"}
    assert [p.split(": ", 1)[1] for p in sorted(done.puzzling)] == [
        "it is a PS2, not a PS1.",
        "it is of no set of this course.",
    ]


def hostile():
    """Files that somebody may hand in, and a word of what is said about each."""
    deep = packed({"PS1.ipynb": notebook()})
    for _ in range(6):
        deep = packed({"a.zip": deep})
    link = io.BytesIO()
    with zipfile.ZipFile(link, "w") as archive:
        info = zipfile.ZipInfo("PS1.ipynb")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("PS1.ipynb", b" " * (60 * 2**20))
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w") as archive:
        info = tarfile.TarInfo("PS1.ipynb")
        info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(info)
    locked = bytearray(packed({"PS1.ipynb": notebook()}))
    for start in (locked.find(b"PK\x03\x04") + 6, locked.find(b"PK\x01\x02") + 8):
        locked[start] |= 1  # says that it is encrypted
    return {
        "ada deep.zip": (deep, "too deep"),
        "ada link.zip": (link.getvalue(), "link"),
        "ada bomb.zip": (bomb.getvalue(), "too large"),
        "ada.tar": (tar.getvalue(), "link"),
        "ada locked.zip": (bytes(locked), "cannot be unpacked"),
        "ada cut.zip": (packed({"PS1.ipynb": notebook()})[:-40], "cannot be opened"),
        "ada.rar": (b"Rar!\x1a\x07\x00", "cannot be opened"),
        "ada.pdf": (b"%PDF", "no notebook"),
        "ada empty.ipynb": (b"", "not a notebook"),
        "ada html.ipynb": (b"<!DOCTYPE html><html>log in</html>", "not a notebook"),
        "ada list.ipynb": (b"[1, 2]", "not a notebook"),
        "ada odd.ipynb": (b'{"cells": [3, {"source": {"a": 1}}]}', "not a notebook"),
        "ada deep.ipynb": (b"[" * 100_000, "not a notebook"),
    }


def test_nothing_hostile_ends_the_collection_or_leaves_its_folder(course):
    files = hostile()
    put(course, {name: data for name, (data, _) in files.items()})
    put(
        course,
        {
            "li.zip": packed(
                {"../../../../../../evil/PS1.ipynb": notebook(), "/abs/notes.txt": b"x", "..\\..\\x.ipynb": b"{}"}
            )
        },
    )
    put(course, {"zoe_PS1.ipynb": notebook()})
    (course / "downloaded/PS1/archive/ada_link.ipynb").symlink_to("/etc/passwd")
    before = {p for p in course.rglob("*")}
    done, students = taken(course)
    assert students == {"zoe", "li"}
    for name, (_, words) in files.items():
        assert any(line.startswith(name) and words in line for line in done.puzzling), (name, done.puzzling)
    assert sum("ada_link" in line for line in done.puzzling) == 1
    made = {p.relative_to(course).parts[0] for p in set(course.rglob("*")) - before}
    assert made == {"submitted", "downloaded"} and not (course.parent / "evil").exists()


def test_without_a_roster_names_are_ids(course):
    (course / "roster.csv").unlink()
    put(
        course,
        {
            "ada_PS1.ipynb": notebook(),
            "doejane_102_77_PS1-1.ipynb": notebook(),
            "Li Wei_9_assignsubmission_file_/PS1.ipynb": notebook(),
            "zoe.zip": packed({"homework/PS1.ipynb": notebook()}),
            "PS1.ipynb": notebook(),
        },
    )
    done, students = taken(course)
    assert students == {"ada", "doejane", "Li-Wei", "zoe"} and len(done.puzzling) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [("name\nAda\n", "no column `id`"), ("id\nada\nada\n", "twice"), ("id\n../x\n", "is not allowed")],
)
def test_a_bad_roster_is_refused(course, text, words):
    (course / "roster.csv").write_text(text)
    put(course, {"ada_PS1.ipynb": notebook()})
    with pytest.raises(ValueError, match=words):
        collect(course, "PS1")


def test_nothing_to_collect_is_said(course):
    with pytest.raises(ValueError, match="is empty"):
        collect(course, "PS1")
    with pytest.raises(ValueError, match="has not been released"):
        collect(course, "PS9")


def test_a_submission_is_copied_as_it_is(course):
    text = copy.copy(notebook(mark=" Übung ✓"))
    put(course, {"ada_PS1.ipynb": text})
    taken(course)
    assert json.loads((course / "submitted/ada/PS1/PS1.ipynb").read_text(encoding="utf-8")) == json.loads(text)
