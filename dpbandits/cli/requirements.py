"""What this package depends on, as it says itself, read with the standard library alone."""

import importlib.util
import re
import shutil
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

COMPARED = {
    ">=": lambda have, want: have >= want,
    "<=": lambda have, want: have <= want,
    ">": lambda have, want: have > want,
    "<": lambda have, want: have < want,
    "==": lambda have, want: have == want,
    "!=": lambda have, want: have != want,
    "~=": lambda have, want: have >= want and have[: len(want) - 1] == want[:-1],
}
LINE = re.compile(r"\s*([A-Za-z0-9._-]+)\s*(?:\[[^]]*\])?\s*\(?([^;)]*)\)?\s*(?:;(.*))?")


@dataclass(frozen=True)
class Requirement:
    """One dependency: its name, the versions that serve (">=1.26,<3"), the extra that asks for it ("": always)."""

    name: str
    versions: str
    extra: str = ""

    @property
    def module(self) -> str:
        """Its name in `import`."""
        return self.name.replace("-", "_")

    def __str__(self) -> str:
        return self.name + self.versions


def requirements() -> list[Requirement]:
    """Of the installed package. Raises PackageNotFoundError where it is not installed."""
    found = []
    for line in metadata.requires("dpbandits") or ():
        name, versions, marker = LINE.match(line).groups()
        extra = re.search(r"""extra\s*==\s*["']([^"']+)["']""", marker or "")
        found.append(Requirement(name, versions.replace(" ", ""), extra[1] if extra else ""))
    return found


def serves(version: str, versions: str) -> bool:
    """Whether a version is one of `versions`; what follows its numbers (rc1, .post2) is left out of the comparison."""
    have = _numbers(version)
    for bound in filter(None, versions.replace(" ", "").split(",")):
        sign = re.match(r"[<>=!~]+", bound)[0]
        want = _numbers(bound[len(sign) :])
        size = max(len(have), len(want)) if sign != "~=" else len(want)
        padded = have + (0,) * (size - len(have))
        if not COMPARED[sign](padded, want + (0,) * (size - len(want))):
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.match(r"v?(\d+(?:\.\d+)*)", version)[1].split("."))


def pip() -> str:
    """The command that installs into this Python: pip where it is, else uv, else pip once Python has brought it."""
    if importlib.util.find_spec("pip"):
        return f'"{sys.executable}" -m pip install'
    if shutil.which("uv"):
        return f'uv pip install --python "{sys.executable}"'
    return f'"{sys.executable}" -m ensurepip && "{sys.executable}" -m pip install'


def anew(name: str = "dpbandits") -> str:
    """The command that installs `name` anew: a dependency as it is asked for, this package from where it came."""
    if name == "dpbandits":
        clone = Path(__file__).resolve().parents[2]
        if (clone / "pyproject.toml").is_file():
            return f'{pip()} -e "{clone}"'
        return f"{pip()} --force-reinstall --no-deps dpbandits"
    try:
        wanted = {r.module: str(r) for r in requirements()}
    except metadata.PackageNotFoundError:
        wanted = {}
    return f'{pip()} --force-reinstall --no-deps "{wanted.get(name.replace("-", "_"), name)}"'
