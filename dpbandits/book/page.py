"""The frame of every page: where one is, where else one can go, and nothing from elsewhere."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from dpbandits import __version__


@dataclass(frozen=True)
class Site:
    """The site's map. chapters: page -> title, in reading order. pages: page -> (title, what it is about)."""

    chapters: Mapping[str, str]
    pages: Mapping[str, tuple[str, str]]

    def page(
        self,
        name: str,
        title: str,
        body: str,
        contents: Sequence[tuple[str, str]] = (),
        scripts: Iterable[str] = (),
    ) -> bytes:
        """One page. body: HTML. contents: (id, HTML) of its headings. scripts: to be loaded behind it, in order."""
        whole = title if name == "index" else f"{title} · dpbandits"
        return (
            "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
            "<meta name='viewport' content='width=device-width, initial-scale=1'>"
            f"<meta name='color-scheme' content='light dark'><title>{escape(whole)}</title>"
            "<link rel='icon' href='data:,'><link rel='stylesheet' href='book.css'></head><body>"
            "<a class='skip' href='#main'>To the text</a>"
            "<header><a class='home' href='index.html'>dpbandits</a>"
            "<a class='to-menu' href='#menu'>Contents</a></header>"
            f"<main id='main'>{body}{self._turn(name)}</main>{self._menu(name, contents)}"
            f"<footer>Made by dpbandits {escape(__version__)}.</footer>"
            f"{''.join(f'<script src={escape(script)!r}></script>' for script in scripts)}</body></html>\n"
        ).encode()

    def _menu(self, here: str, contents: Sequence[tuple[str, str]]) -> str:
        inside = "".join(f"<li>{link(f'#{anchor}', html, is_html=True)}</li>" for anchor, html in contents)
        inside = f"<ul class='inside'>{inside}</ul>" if inside else ""

        def entries(titles: Mapping[str, str]) -> str:
            return "".join(
                f"<li>{link(f'{name}.html', title, current=name == here)}{inside if name == here else ''}</li>"
                for name, title in titles.items()
            )

        reference = {name: title for name, (title, _) in self.pages.items()}
        return (
            "<nav id='menu' aria-label='Contents'><h2>Chapters</h2>"
            f"<ol start='0'>{entries(self.chapters)}</ol><h2>Reference</h2><ul>{entries(reference)}</ul></nav>"
        )

    def _turn(self, here: str) -> str:
        """Links to the chapter before and the one after."""
        names = list(self.chapters)
        if here not in names:
            return ""
        place = names.index(here)
        before, after = names[max(0, place - 1) : place], names[place + 1 : place + 2]
        links = [link(f"{n}.html", f"← {self.chapters[n]}") for n in before]
        links += [link(f"{n}.html", f"{self.chapters[n]} →", style="after") for n in after]
        return f"<div class='turn'>{''.join(links)}</div>"


def inline(text: str) -> str:
    """A docstring's words as HTML: `names` in it as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def link(address: str, text: str, *, is_html: bool = False, current: bool = False, style: str = "") -> str:
    """A link. text: escaped here, unless it is HTML already."""
    marks = " aria-current='page'" * current + (f" class='{style}'" if style else "")
    return f'<a href="{escape(address)}"{marks}>{text if is_html else escape(text)}</a>'


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table that scrolls by itself where the window is narrow. Cells are HTML."""
    head = "".join(f"<th>{cell}</th>" for cell in heads)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return wide(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")


def wide(html: str) -> str:
    """What may be wider than a phone: it scrolls sideways, by finger and by keyboard."""
    return f"<div class='wide' tabindex='0'>{html}</div>"
