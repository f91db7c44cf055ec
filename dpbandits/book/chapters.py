"""A stored chapter as HTML: prose, code, printed numbers, pictures. Nothing is run."""

import base64
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from html import escape, unescape
from pathlib import Path
from urllib.parse import quote, unquote

from dpbandits.book.code import code
from dpbandits.book.page import Site, link, wide
from dpbandits.formulas import formulas

HELD = re.compile("\ue000(\\d+)\ue001")  # what stands for a formula while the Markdown around it is read
LONG = 45  # letters of LaTeX from which on a formula in a line may be wider than a phone: it scrolls by itself
PLACEHOLDER = "An explorer stands here"
FOLDED = "dpb-folded"  # marks the output that keeps a stored cell folded on nbconvert's page


@dataclass
class Chapter:
    """A chapter. name: of its page. title: its heading. question: its first sentence, HTML.

    pictures and contents, the headings as (id, HTML), are there after body().
    """

    name: str
    title: str
    cells: list
    folder: Path
    pictures: dict[str, bytes] = field(default_factory=dict)
    contents: list[tuple[str, str]] = field(default_factory=list)

    @property
    def question(self) -> str:
        """What stands below the title, without markup."""
        first = next((part for part in self.cells[0].source.split("\n\n")[1:] if part.strip()), "")
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"[*`]", "", first))
        return formulas(escape(plain, quote=False))

    def body(self, site: Site, live: Collection[str]) -> str:
        """The chapter as HTML. live: explorers that the site can move."""
        self.contents, self.pictures = [], {}
        parts = [self._cell(cell, site, live) for cell in self.cells if cell.get("id") != "guard"]
        return "\n".join(filter(None, parts))

    # --- cells ---

    def _cell(self, cell, site: Site, live: Collection[str]) -> str:
        if cell.cell_type == "markdown":
            return self._markdown(cell.source, site)
        if cell.cell_type != "code":
            return ""
        shown = code(cell.source) + "".join(self._output(output, site) for output in cell.outputs)
        names = re.findall(r"\bexplorers\.(\w+)\(", cell.source)
        shown += "".join(
            f"<p class='move'>{link(f'explorers.html#{name}', 'Move it here, one slider at a time')}</p>"
            for name in names
            if name in live
        )
        if cell.metadata.get("jupyter", {}).get("source_hidden"):
            return f"<details class='fold'><summary>Folded code: open it when you have tried</summary>{shown}</details>"
        return f"<div class='cell'>{shown}</div>"

    def _output(self, output, site: Site) -> str:
        if output.output_type == "stream":
            return f"<pre class='printed' tabindex='0'>{escape(output.text)}</pre>"
        if output.output_type == "error":
            return f"<pre class='printed' tabindex='0'>{escape(f'{output.ename}: {output.evalue}')}</pre>"
        data = output.data
        if "image/png" in data:
            name = f"{self.name}-{len(self.pictures) + 1}.png"
            self.pictures[name] = base64.b64decode(data["image/png"])
            words = data.get("text/plain", "")
            alt = "A plot" if words.startswith((PLACEHOLDER, "Figure(")) else words
            return f"<figure><img src='pictures/{quote(name)}' alt='{escape(alt)}' loading='lazy'></figure>"
        if folds(output):
            return ""  # the site folds by itself
        if "text/html" in data:
            return f"<div class='output'>{wide(_bare(data['text/html']))}</div>"
        if "text/markdown" in data:
            return f"<div class='output'>{self._markdown(data['text/markdown'], site)}</div>"
        return f"<pre class='printed' tabindex='0'>{escape(data.get('text/plain', ''))}</pre>"

    # --- prose ---

    def _markdown(self, source: str, site: Site) -> str:
        held: list[tuple[str, str]] = []

        def hold(made: str, latex: str) -> str:
            if latex.startswith("$$") or len(latex) > LONG:
                made = f"<span class='{'block' if latex.startswith('$$') else 'long'}' tabindex='0'>{made}</span>"
            held.append((made, latex))
            return f"\ue000{len(held) - 1}\ue001"

        text = _reader(self, site, held)(formulas(source, hold))
        return HELD.sub(lambda match: held[int(match[1])][0], text)


def read(path: Path) -> Chapter:
    """A notebook. Raises ValueError where it has no title."""
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    first = notebook.cells[0] if notebook.cells else None
    if first is None or not first.source.startswith("# "):
        raise ValueError(f"{path.name} does not begin with a title.")
    return Chapter(path.stem, first.source.splitlines()[0][2:].strip(), notebook.cells, path.parent)


def folds(output) -> bool:
    """Whether a stored output is there for nbconvert alone: it keeps its cell folded on that page."""
    return FOLDED in output.get("data", {}).get("text/html", "")


def anchor(heading: str) -> str:
    """The id of a heading, as JupyterLab names it: links between notebooks are written so."""
    return heading.replace(" ", "-")


def address(url: str, site: Site) -> str | None:
    """Where a link of a notebook leads on the site; None where nothing there answers it."""
    if re.match(r"[a-z]+:", url):
        return url
    file, _, place = unquote(url).partition("#")
    place = f"#{quote(place)}" if place else ""
    if not file:
        return place or None
    name = file.removesuffix(".ipynb")
    return f"{quote(name)}.html{place}" if name in site.chapters else None


def _reader(chapter: Chapter, site: Site, held: list[tuple[str, str]]):
    """A Markdown parser whose headings, links and pictures are the site's."""
    import mistune

    class Renderer(mistune.HTMLRenderer):
        def heading(self, text, level, **attributes):
            words = HELD.sub(lambda m: held[int(m[1])][1], unescape(re.sub(r"<[^>]*>", "", text)))
            if level == 2:
                chapter.contents.append((anchor(words), HELD.sub(lambda m: held[int(m[1])][0], text)))
            return f'<h{level} id="{escape(anchor(words))}">{text}</h{level}>\n'

        def link(self, text, url, title=None):
            place = address(url, site)
            return text if place is None else link(place, text, is_html=True)

        def image(self, text, url, title=None):
            file = chapter.folder / unquote(url)
            if re.match(r"[a-z]+:", url) or not file.is_file():
                return text
            chapter.pictures[file.name] = file.read_bytes()
            return f'<img src="pictures/{quote(file.name)}" alt="{escape(text)}" loading="lazy">'

        def block_code(self, text, info=None):
            return code(text.rstrip("\n"), (info or "").strip())

        def table(self, text):
            return wide(f"<table>{text}</table>")

    return mistune.create_markdown(renderer=Renderer(escape=False), plugins=["table", "strikethrough"])


def _bare(html: str) -> str:
    """A stored table without the style sheet that pandas puts before it."""
    return re.sub(r"<style scoped>.*?</style>", "", html, flags=re.DOTALL).replace(' border="1"', "")
