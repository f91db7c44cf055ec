"""From what a learning platform gives to `submitted/`: who handed in what, and what was not understood.

Everything is found by looking into it: a notebook belongs to a set by its cells, whatever it is called. Nothing in
`downloaded/` is changed, so nothing can be lost; what nobody could be found for is named, with the reason.
"""

import csv
import io
import json
import re
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from dpbandits.course import roster
from dpbandits.files import write_whole

LARGEST = 50 * 2**20  # bytes of one file; a notebook has less than one of them
MOST = 500 * 2**20  # bytes that one archive may unpack to
DEPTH = 4  # archives inside of archives
LITTER = re.compile(
    r"(^|/)(__MACOSX|\.ipynb_checkpoints|\.git|__pycache__)(/|$)|(^|/)(\._[^/]*|\.DS_Store|Thumbs\.db|desktop\.ini)$"
)
WHO = "who.csv"


@dataclass(frozen=True)
class Found:
    """A notebook somewhere in `downloaded/`. trail: folders, archives and the file, outermost first."""

    trail: tuple[str, ...]
    notebook: dict
    time: datetime

    @property
    def where(self) -> str:
        return "/".join(self.trail)

    @property
    def number(self) -> int:
        """Of a copy: 1 for "PS1 (1).ipynb" and for "PS1-1.ipynb", 0 otherwise."""
        copies = re.findall(r"\((\d+)\)|-(\d+)(?=\.ipynb)", self.trail[-1])
        return int("".join(copies[-1])) if copies else 0

    @property
    def marked_late(self) -> bool:
        return any(re.search(r"_late_", part, re.IGNORECASE) for part in self.trail)


@dataclass
class Collection:
    """What `collect` did: sentences, in the order in which a teacher wants them."""

    name: str
    taken: dict[str, Found] = field(default_factory=dict)
    replaced: list[str] = field(default_factory=list)
    puzzling: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    litter: int = 0

    def __str__(self) -> str:
        lines = [f"{self.name}: {len(self.taken)} submissions collected."]
        for title, items in (
            ("More than one file of a student; the newest counts", self.replaced),
            ("Marked late by the platform", self.late),
            ("NOT UNDERSTOOD; nothing of it was collected, and it lies where it was", self.puzzling),
            ("On the roster, without a submission", self.missing),
        ):
            if items:
                lines += [f"{title}:", *(f"  {item}" for item in items)]
        if self.puzzling:
            lines.append(
                f"Say whose a file is in downloaded/{self.name}/{WHO} (a line `file,id` for each), and collect again."
            )
        return "\n".join(lines)


def collect(course: Path, name: str) -> Collection:
    """Fill submitted/ID/name/ from downloaded/name/archive/. Raises ValueError where there is nothing to begin with."""
    archive, release = course / "downloaded" / name / "archive", course / "release"
    if not (release / name / f"{name}.ipynb").is_file():
        raise ValueError(f"{name} has not been released in {course}: there is no release/{name}/{name}.ipynb.")
    if not archive.is_dir() or not any(archive.iterdir()):
        raise ValueError(f"{archive} is empty: put what the platform gives you there.")
    people = roster.read(course / "roster.csv") if (course / "roster.csv").is_file() else []
    told = _told(archive.parent / WHO, people)
    cells = {path.stem: _cells(json.loads(path.read_text(encoding="utf-8"))) for path in release.glob("*/*.ipynb")}
    done, owners = Collection(name), {}
    for trail, raw, time, problem in _walk(archive, done):
        where = "/".join(trail)
        found = None if problem else _notebook(trail, raw, time)
        if found is None:
            done.puzzling.append(f"{where}: {problem or 'it is not a notebook'}.")
            continue
        belongs = _set_of(found, cells, name)
        if belongs != name:
            done.puzzling.append(
                f"{where}: it is {'of no set of this course' if belongs is None else f'a {belongs}, not a {name}'}."
            )
            continue
        who, why = _who(found, people, told, name)
        if who is None:
            done.puzzling.append(f"{where}: {why}.")
        else:
            owners.setdefault(who, []).append(found)
    for who, founds in sorted(owners.items()):
        best = max(founds, key=lambda f: (f.time, f.number, f.where))
        done.taken[who] = best
        if len(founds) > 1:
            others = ", ".join(f.where for f in founds if f is not best)
            done.replaced.append(f"{who}: {best.where} counts, not {others}")
        if best.marked_late:
            done.late.append(f"{who}: {best.where}")
        _put(course / "submitted" / who / name, name, best, done)
    done.missing = [p.id for p in people if not (course / "submitted" / p.id / name / f"{name}.ipynb").is_file()]
    write_whole(archive.parent / "report.txt", lambda path: path.write_text(str(done) + "\n", encoding="utf-8"))
    return done


def _put(folder: Path, name: str, found: Found, done: Collection) -> None:
    """Write a submission, unless a newer one lies there already."""
    stamp, place = folder / "timestamp.txt", folder / f"{name}.ipynb"
    if place.is_file() and stamp.is_file():
        try:
            before = datetime.strptime(stamp.read_text().strip(), "%Y-%m-%d %H:%M:%S UTC").replace(tzinfo=UTC)
        except ValueError:
            before = found.time
        if before > found.time:
            done.replaced.append(
                f"{folder.parent.name}: what was collected before is newer ({before:%Y-%m-%d %H:%M}) and stays"
            )
            return
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(found.notebook, indent=1, ensure_ascii=False)
    write_whole(place, lambda path: path.write_text(text, encoding="utf-8"))
    write_whole(stamp, lambda path: path.write_text(f"{found.time:%Y-%m-%d %H:%M:%S} UTC\n"))


def _who(found: Found, people, told: dict[str, str], name: str) -> tuple[str | None, str]:
    for file, who in told.items():
        if found.where == file or found.trail[-1] == file:
            return who, ""
    if not people:
        return roster.called(list(found.trail), name), "its name and its folder's say nobody's"
    persons = roster.whose(list(found.trail), people, name)
    if len(persons) == 1:
        return persons[0].id, ""
    if not persons:
        return None, "nobody on the roster is meant by this name"
    return None, f"it may be {' or '.join(p.id for p in persons[:5])}'s"


def _told(path: Path, people) -> dict[str, str]:
    """What a teacher has said in who.csv: file, id."""
    if not path.is_file():
        return {}
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = [[cell.strip() for cell in row] for row in csv.reader(file) if len(row) >= 2]
    known = {p.id for p in people}
    found = {row[0]: row[1] for row in rows if row[:2] != ["file", "id"]}
    for who in found.values():
        if (known and who not in known) or not re.fullmatch(r"[\w.@-]+", who):
            raise ValueError(f"{path.name}: id = {who!r} is not allowed: it is not on the roster.")
    return found


def _cells(notebook: dict) -> set[str]:
    """Grade ids, and cell ids, of a notebook's cells."""
    found = set()
    for cell in notebook["cells"]:
        mark = cell.get("metadata", {}).get("nbgrader") if isinstance(cell.get("metadata"), dict) else None
        for name in (mark.get("grade_id") if isinstance(mark, dict) else None, cell.get("id")):
            if isinstance(name, str):
                found.add(name)
    return found


def _set_of(found: Found, cells: dict[str, set[str]], name: str) -> str | None:
    """The set whose cells it has most of; by its name where it has none of any (a program may have dropped the ids)."""
    own = _cells(found.notebook)
    others = {key: ids - set().union(*(i for k, i in cells.items() if k != key)) for key, ids in cells.items()}
    best = max(others, key=lambda key: len(own & others[key]))
    if own & others[best]:
        return best
    says = [
        key
        for key in cells
        if re.search(rf"(?<![a-z0-9]){re.escape(key)}(?![0-9])", found.trail[-1].replace("_", " "), re.IGNORECASE)
    ]
    return says[0] if len(says) == 1 else None


def _notebook(trail, raw: bytes, time: datetime) -> Found | None:
    try:
        data = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or not isinstance(data.get("cells"), list):
        return None
    if not all(isinstance(c, dict) and isinstance(c.get("source", ""), (str, list)) for c in data["cells"]):
        return None
    return Found(tuple(trail), data, time)


def _walk(folder: Path, done: Collection) -> Iterator[tuple[list[str], bytes, datetime, str]]:
    """(trail, contents, time, problem) of every file, also inside of archives; litter is counted and passed over."""
    for path in sorted(folder.rglob("*")):
        trail = list(path.relative_to(folder).parts)
        if path.is_dir() and not path.is_symlink():
            continue
        if LITTER.search("/".join(trail)):
            done.litter += 1
            continue
        if path.is_symlink() or not path.is_file():
            yield trail, b"", datetime.now(UTC), "it is a link, not a file"
            continue
        if path.stat().st_size > MOST:
            yield trail, b"", datetime.now(UTC), "it is too large"
            continue
        time = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        yield from _open(trail, path.read_bytes(), time, done, DEPTH, [MOST])


def _open(trail, raw: bytes, time: datetime, done: Collection, depth: int, budget: list[int]):
    name = trail[-1].lower()
    if zipfile.is_zipfile(io.BytesIO(raw)) and not name.endswith(".ipynb"):
        yield from _unpack(trail, raw, time, done, depth, budget, _zip_members)
    elif name.endswith((".tar", ".tar.gz", ".tgz")):
        yield from _unpack(trail, raw, time, done, depth, budget, _tar_members)
    elif name.endswith((".zip", ".rar", ".7z", ".gz")):
        yield trail, b"", time, "it is an archive that cannot be opened"
    elif name.endswith((".ipynb", ".ipynb.json", ".ipynb.txt", ".json", ".txt")):
        yield trail, raw, time, ""
    else:
        yield trail, b"", time, "it is no notebook"


def _unpack(trail, raw, time, done, depth, budget, members):
    if depth == 0:
        yield trail, b"", time, "archives lie in archives too deep"
        return
    try:
        for inner, when, read, problem in members(raw, time):
            parts = [part for part in inner.replace("\\", "/").split("/") if part not in ("", ".", "..")]
            if LITTER.search("/".join(parts)):
                done.litter += 1
            elif problem or not parts:
                yield [*trail, *parts], b"", when, problem or "it has no name"
            else:
                try:
                    inside = read(min(LARGEST, budget[0]) + 1)
                except Exception as error:  # noqa: BLE001 - encrypted, damaged, or of an unknown method
                    yield [*trail, *parts], b"", when, f"it cannot be unpacked ({type(error).__name__}: {error})"
                    continue
                if len(inside) > min(LARGEST, budget[0]):
                    yield [*trail, *parts], b"", when, "it is too large"
                    continue
                budget[0] -= len(inside)
                yield from _open([*trail, *parts], inside, when, done, depth - 1, budget)
    except Exception as error:  # noqa: BLE001 - whatever a damaged archive raises
        yield trail, b"", time, f"it cannot be opened ({type(error).__name__}: {error})"


def _zip_members(raw: bytes, time: datetime):
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            try:  # a zip knows the local time of whoever packed it
                when = datetime(*info.date_time).astimezone(UTC)
            except (ValueError, OverflowError, OSError):
                when = time
            link = (info.external_attr >> 16) & 0o170000 == 0o120000
            yield (
                info.filename,
                when,
                lambda most, info=info: _most(archive.open(info), most),
                "it is a link" if link else "",
            )


def _tar_members(raw: bytes, time: datetime):
    with tarfile.open(fileobj=io.BytesIO(raw)) as archive:
        for info in archive:
            if info.isdir():
                continue
            when = datetime.fromtimestamp(info.mtime, UTC) if 0 < info.mtime < 2**33 else time
            yield (
                info.name,
                when,
                lambda most, info=info: _most(archive.extractfile(info), most),
                "" if info.isfile() else "it is a link",
            )


def _most(stream, most: int) -> bytes:
    with stream:
        return stream.read(most)
