"""One version: what Python says, what is installed, what is cited, and the newest entry of the changelog."""

import re
import tomllib
from pathlib import Path

from dpbandits import __version__

ROOT = Path(__file__).parents[2]


def test_all_places_name_one_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)[1]
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)[1]
    assert {__version__, project, cited, newest} == {__version__}


def test_the_release_is_cited_with_its_day():
    released = re.search(r"^date-released: (.+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)[1]
    newest = re.search(r"^## .*\((.+)\)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)[1]
    assert released == newest and re.fullmatch(r"\d{4}-\d\d-\d\d", released)
