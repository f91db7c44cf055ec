"""Who is in the course, and whom the name of a file means.

`roster.csv` has a line for each student, under the headings id, name, email, lms_id; only `id` must be there. `id` is
what folders and marks are called by; `lms_id` is the number by which the learning platform knows the student.
"""

import csv
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

HEADINGS = ("id", "name", "email", "lms_id")
#: What people call a folder of homework, and what platforms put into names: nobody's name.
NOBODY = {
    "homework",
    "submission",
    "submissions",
    "assignment",
    "assignments",
    "hw",
    "downloads",
    "download",
    "desktop",
    "documents",
    "archive",
    "notebooks",
    "notebook",
    "source",
    "release",
    "final",
    "solution",
    "late",
    "copy",
    "assignsubmission",
    "file",
    "onlinetext",
    "new",
    "users",
    "home",
    "tmp",
    "extracted",
    "all",
    "untitled",
    "my",
    "the",
    "problemset",
    "problem",
    "set",
    "version",
}


@dataclass(frozen=True)
class Person:
    """One student. name: as it is written, in either order. email, lms_id: "" where unknown."""

    id: str
    name: str = ""
    email: str = ""
    lms_id: str = ""


def read(path: Path) -> list[Person]:
    """The people of a roster. Raises ValueError with one sentence."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        sample = file.read(2000)
        file.seek(0)
        rows = list(csv.DictReader(file, delimiter=";" if sample.count(";") > sample.count(",") else ","))
    found: dict[str, Person] = {}
    for number, row in enumerate(rows, 2):
        given = {
            (key or "").strip().lower().replace(" ", "_").replace("-", "_"): (value or "").strip()
            for key, value in row.items()
            if isinstance(value, (str, type(None)))
        }
        if "id" not in given:
            raise ValueError(f"{path.name} has no column `id`: its first line must be {','.join(HEADINGS)}.")
        given["email"] = given.get("email") or given.get("e_mail", "")
        person = Person(**{key: given.get(key, "") for key in HEADINGS})
        if not any(given.values()):
            continue
        if not re.fullmatch(r"[\w.@-]+", person.id):
            raise ValueError(
                f"{path.name}, line {number}: id = {person.id!r} is not allowed: use letters, digits, . _ @ and - only."
            )
        if person.id in found:
            raise ValueError(f"{path.name}, line {number}: id = {person.id!r} stands there twice.")
        found[person.id] = person
    return list(found.values())


def plain(text: str) -> str:
    """Lower case, without accents, spaces and signs: "Zoë O'Hara" is "zoeohara"."""
    pieces = unicodedata.normalize("NFKD", text.casefold().replace("ß", "ss").replace("ø", "o").replace("ł", "l"))
    return "".join(c for c in pieces if c.isalnum())


def words(text: str) -> list[str]:
    return [word for word in (plain(w) for w in re.split(r"[^\w']+|_", text)) if word]


def whose(trail: list[str], people: list[Person], name: str) -> list[Person]:
    """The people whom the parts of a path may mean, by the surest kind of evidence that there is; none or one is best.

    trail: folders, zip files and the file itself, outermost first. name: of the problem set, which means nobody.
    """
    parts = [_without(part, name) for part in reversed(trail)]
    for evidence in (_by_key, _by_name, _by_words):
        for part in parts:  # the file's own name is surer than its folder's
            found = [person for person in people if evidence(part, person)]
            if found:
                return found
    return []


def called(trail: list[str], name: str) -> str | None:
    """Without a roster: what the file, its folder or its zip file is called by, as an id; None where that means
    nobody.
    """
    for part in reversed(trail):
        rest = re.split(r"_\d+_assignsubmission", _without(part, name))[0]
        rest = re.sub(r"(_late)?_\d+_\d+(_.*)?$", "", rest, flags=re.IGNORECASE)
        rest = re.sub(r"[^\w.@-]+", "-", rest).strip("._-")
        if rest and not set(words(rest)) <= NOBODY and not rest.isdigit():
            return rest
    return None


def _without(part: str, name: str) -> str:
    """A part of a path without its ending, the name of the set and the marks of copies."""
    part = unicodedata.normalize("NFC", part)
    part = re.sub(r"(\.ipynb|\.json|\.txt|\.zip|\.tar|\.gz|\.tgz)+$", "", part, flags=re.IGNORECASE)
    part = re.sub(r"\s*\(\d+\)|\s+copy(\s+\d+)?$|[-\s]checkpoint$", "", part, flags=re.IGNORECASE)
    part = re.sub(rf"(?<![a-z]){re.escape(name)}(?![0-9a-z])(-\d+(?!\d))?", " ", part, flags=re.IGNORECASE)
    return part.strip(" _-.")


def _by_key(part: str, person: Person) -> bool:
    """Its id, e-mail or number on the platform stands there as a whole."""
    pieces = {part.casefold(), *part.casefold().split("_"), *re.split(r"[\s_]+", part.casefold())}
    keys = {person.id.casefold(), person.email.casefold(), person.lms_id.casefold()} - {""}
    # On Canvas a file is NAME_[LATE_]NUMBER_SUBMISSION_FILE: the second number is a submission's, and may be
    # somebody's.
    if canvas := re.match(r"^[^_]+_(?:late_)?(\d+)_\d+", part.casefold()):
        pieces = {p for p in pieces if not p.isdigit()} | {canvas[1]}
    elif moodle := re.match(r"^(.+)_\d+_assignsubmission", part.casefold()):
        pieces = {moodle[1]}
    return bool(keys & pieces)


def _by_name(part: str, person: Person) -> bool:
    """The whole name, in either order, and nothing else but numbers and words that mean nobody."""
    rest = [w for w in words(part) if not w.isdigit() and w not in NOBODY]
    return bool(person.name) and "".join(rest) in _spellings(person.name)


def _by_words(part: str, person: Person) -> bool:
    """Every word of the name stands there, in any order; of an e-mail, what stands before the @; two letters at
    least.
    """
    there, name = set(words(part)), [w for w in words(person.name) if len(w) > 1]
    local = plain(person.email.split("@")[0])
    return (len(name) > 1 and set(name) <= there) or (len(local) > 2 and (local in there or plain(part) == local))


def _spellings(name: str) -> set[str]:
    """Jane Mary Doe: also "Doe, Jane Mary", and what Canvas makes of it, doejanemary."""
    if "," in name:
        last, first = name.split(",", 1)
        name = f"{first} {last}"
    parts = words(name)
    turned = {"".join(parts[-k:] + parts[:-k]) for k in range(1, len(parts))}
    return {"".join(parts), *turned}
