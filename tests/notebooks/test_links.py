"""Every link of the notebooks and the README leads somewhere: the file is there, and so is the heading that it
names.
"""

import re
from pathlib import Path
from urllib.parse import unquote

import nbformat
import pytest

from tests.notebooks import rules

ROOT = rules.FOLDER.parent
PAGES = [
    *rules.paths(),
    *sorted((rules.FOLDER / "assignments").rglob("*.ipynb")),
    *sorted(rules.FOLDER.rglob("*.md")),
    ROOT / "README.md",
]
LINK = re.compile(r"(?<!`)\]\(([^)\s]+)\)")


def prose(page: Path) -> str:
    """The Markdown of a page, without code."""
    if page.suffix == ".ipynb":
        text = "\n\n".join(
            cell.source for cell in nbformat.read(page, as_version=4).cells if cell.cell_type == "markdown"
        )
    else:
        text = page.read_text(encoding="utf-8")
    return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)


def anchors(page: Path) -> set[str]:
    """As JupyterLab names its headings: spaces become hyphens. GitHub's are lower case and without punctuation."""
    headings = re.findall(r"^#+ +(.+?) *$", prose(page), flags=re.MULTILINE)
    return {h.replace(" ", "-") for h in headings} | {
        re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings
    }


def home(page: Path) -> Path:
    """The folder that a page's links start from. Students save a problem set beside the chapters."""
    return rules.FOLDER if page.is_relative_to(rules.FOLDER / "assignments/source") else page.parent


def broken(page: Path) -> list[str]:
    """The links that lead nowhere. What lies outside is not asked for: the tests need no internet."""
    found = []
    for link in LINK.findall(prose(page)):
        file, _, anchor = unquote(link).partition("#")
        if re.match(r"[a-z]+:", file):
            continue
        target = (home(page) / file) if file else page
        if not target.exists():
            found.append(f"{link}: no such file")
        elif anchor and anchor not in anchors(target):
            found.append(f"{link}: no such heading")
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page):
    assert not broken(page)


def test_a_broken_link_is_seen(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "# A title\n\n[a](#A-title) [b](#B-title) [c](other.md) `[d](no.md)` [e](https://example.org/nowhere)\n"
    )
    assert broken(page) == ["#B-title: no such heading", "other.md: no such file"]


def test_the_first_page_leads_to_every_chapter():
    text = prose(rules.paths()[0])
    assert {p.name for p in rules.paths()[1:]} <= set(LINK.findall(text))
