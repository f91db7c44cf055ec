"""Marks out of the gradebook, as Canvas and Moodle import them.

    written = export(course, "canvas")      # marks-canvas.csv

Canvas knows a student by ID, Moodle by e-mail address; both are on the roster. A column for each set, with its points.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

from dpbandits.course import roster
from dpbandits.files import write_whole

KINDS = ("canvas", "moodle", "plain")


@dataclass(frozen=True)
class Marks:
    """points: by student and set, None where nothing was handed in. best: of each set. waiting: written answers
    ungraded.
    """

    people: list[roster.Person]
    best: dict[str, float]
    points: dict[str, dict[str, float | None]]
    waiting: dict[str, int]
    late: dict[tuple[str, str], float]


def read(course: Path) -> Marks:
    """What the gradebook says of everybody on the roster, and of everybody else who handed in."""
    from nbgrader.api import Gradebook, MissingEntry

    if not (course / "gradebook.db").is_file():
        raise ValueError(f"{course} has no gradebook yet: release a set first.")
    people = {p.id: p for p in (roster.read(course / "roster.csv") if (course / "roster.csv").is_file() else [])}
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        best = {a.name: a.max_score for a in sorted(book.assignments, key=lambda a: a.name) if a.max_score}
        for student in book.students:
            people.setdefault(student.id, roster.Person(student.id))
        points = {who: dict.fromkeys(best) for who in people}
        waiting, late = dict.fromkeys(best, 0), {}
        for who in people:
            for name in best:
                try:
                    submission = book.find_submission(name, who)
                except MissingEntry:
                    continue
                points[who][name] = max(0.0, submission.score - (submission.late_submission_penalty or 0.0))
                waiting[name] += bool(submission.needs_manual_grade)
                if submission.total_seconds_late > 0:
                    late[who, name] = submission.total_seconds_late
    return Marks(list(people.values()), best, points, waiting, late)


def export(course: Path, kind: str) -> tuple[Path, list[str]]:
    """Write marks-KIND.csv in the course; gives its path and sentences that somebody should read before
    importing it.
    """
    if kind not in KINDS:
        raise ValueError(f"--for {kind}: it must be one of {', '.join(KINDS)}.")
    marks = read(course)
    rows = {"canvas": _canvas, "moodle": _moodle, "plain": _plain}[kind](marks)
    path = course / f"marks-{kind}.csv"

    def write(place):
        with place.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)

    write_whole(path, write)
    notes = [
        f"{name}: {n} submissions have a written answer that nobody has graded yet; it counts as 0."
        for name, n in marks.waiting.items()
        if n
    ]
    key = {"canvas": "lms_id", "moodle": "email"}.get(kind)
    unknown = [p.id for p in marks.people if key and not getattr(p, key)]
    if unknown:
        notes.append(f"Left out, since the roster has no {key} for them: {', '.join(unknown)}.")
    return path, notes


def _canvas(marks: Marks) -> list[list]:
    """Canvas: Student, ID, SIS Login ID, Section, and a column for each assignment; the second line has the
    points possible.
    """
    rows = [
        ["Student", "ID", "SIS Login ID", "Section", *marks.best],
        ["    Points Possible", "", "", "", *marks.best.values()],
    ]
    for person in marks.people:
        if person.lms_id:
            rows.append([person.name or person.id, person.lms_id, person.id, "", *_points(marks, person)])
    return rows


def _moodle(marks: Marks) -> list[list]:
    """Moodle: any columns; the teacher maps "Email address" to it and each set to a grade item, once."""
    rows = [["Email address", "ID number", *marks.best]]
    return rows + [[p.email, p.id, *_points(marks, p)] for p in marks.people if p.email]


def _plain(marks: Marks) -> list[list]:
    rows = [["id", "name", *marks.best, "late"]]
    for person in marks.people:
        late = "; ".join(
            f"{name} {seconds / 3600:.1f} h" for (who, name), seconds in marks.late.items() if who == person.id
        )
        rows.append([person.id, person.name, *_points(marks, person), late])
    return rows


def _points(marks: Marks, person) -> list:
    """Nothing handed in is an empty field, which leaves a platform's own mark as it is."""
    return ["" if p is None else p for p in marks.points[person.id].values()]
