"""A site of static pages: the chapters as they are stored, and the reference, made from the catalogue.

It is read from a folder or from any server, without the internet and, but for the page of live explorers, without
scripts: formulas are MathML, styles and pictures lie beside the pages.
"""

from collections.abc import Mapping
from html import escape
from pathlib import Path

from dpbandits.book import live, reference
from dpbandits.book.chapters import Chapter, read
from dpbandits.book.code import STYLES
from dpbandits.book.page import Site, link

HERE = Path(__file__).parent
INTRODUCTION = (
    "A bandit algorithm learns from people: it shows each one something and sees whether they click. What it shows"
    " next may betray what they did. Differential privacy bounds how much. These pages are the chapters of an"
    " interactive workbook as they read after a run: every number below was computed, and every plot drawn, by the"
    " code beside it. To move the sliders, install the package and start <code>dpbandits lab</code>."
)
WARNING = (
    "ε is privacy here, never exploration. Seeded generators and floating-point noise serve teaching and simulation;"
    " they do not protect real people’s data."
)


def build(notebooks: Path, commands: Mapping[str, str]) -> dict[str, bytes]:
    """All files of the site, by their path in it; nothing is written.

    notebooks: the folder of the executed chapters. commands: name -> help of each command. Raises ValueError where
    there is no chapter, OSError where plotly.js is missing.
    """
    chapters = [read(path) for path in sorted(notebooks.glob("*.ipynb"))]
    if not chapters:
        raise ValueError(f"There are no chapters in {str(notebooks)!r}.")
    pages = {"explorers": live.PAGE, **reference.PAGES}
    site = Site({chapter.name: chapter.title for chapter in chapters}, pages)
    files: dict[str, bytes] = {"index.html": site.page("index", "dpbandits", _front(chapters, pages))}
    for chapter in chapters:
        files[f"{chapter.name}.html"] = site.page(
            chapter.name, chapter.title, chapter.body(site, live.NAMES), chapter.contents
        )
        files |= {f"pictures/{name}": data for name, data in chapter.pictures.items()}
    for name, (body, contents) in reference.bodies(site, commands).items():
        files[f"{name}.html"] = site.page(name, pages[name][0], body, contents)
    body, scripts = live.page()
    files["explorers.html"] = site.page("explorers", live.PAGE[0], body, scripts=(*scripts, "live.js"))
    files |= scripts
    swatch = HERE.parent / "explorers" / "toolkit" / "swatch.css"
    style = "\n".join([swatch.read_text(encoding="utf-8"), (HERE / "book.css").read_text(encoding="utf-8"), STYLES])
    return files | {"book.css": style.encode(), "live.js": (HERE / "live.js").read_bytes()}


def _front(chapters: list[Chapter], pages: Mapping[str, tuple[str, str]]) -> str:
    """The first page: what this is, and where to begin."""
    rows = "".join(f"<li>{link(f'{c.name}.html', c.title)}<br>{c.question}</li>" for c in chapters)
    more = "".join(f"<li>{link(f'{name}.html', title)}: {escape(about)}</li>" for name, (title, about) in pages.items())
    return (
        f"<h1>Bandits under differential privacy</h1><p class='lead'>{INTRODUCTION}</p><p>{WARNING}</p>"
        f"<h2 id='chapters'>Chapters</h2><ol class='cards' start='0'>{rows}</ol><h2 id='reference'>Reference</h2>"
        f"<ul>{more}</ul>"
    )
