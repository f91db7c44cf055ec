"""The site: whole, with everything that has a name, no link that leads nowhere, nothing from elsewhere."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote

import nbformat
import pytest

from dpbandits import catalogue, explorers
from dpbandits.book import build, chapters, reference
from dpbandits.book.page import Site
from dpbandits.cli import COMMANDS, book, main
from dpbandits.formulas import mathml
from tests.notebooks import rules

pytestmark = pytest.mark.slow
#: Attributes by which a page loads something, or leads somewhere.
LOADS, LEADS = ("src", "srcset", "data", "poster"), ("href",)


class Reader(HTMLParser):
    """What a page loads, where it leads, its ids, and whether every element is closed."""

    VOID = {"meta", "link", "img", "input", "br", "hr"}

    def __init__(self, text: str):
        super().__init__()
        self.loads, self.leads, self.ids, self.open = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids += [given["id"]] if "id" in given else []
        self.loads += [given[name] for name in LOADS if name in given]
        if "href" in given:
            (self.loads if tag == "link" else self.leads).append(given["href"])
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if self.open and self.open[-1] == tag:
            self.open.pop()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("book") / "site"
    assert main(["book", str(made)]) == 0
    return made


@pytest.fixture(scope="module")
def pages(folder) -> dict[str, Reader]:
    return {path.name: Reader(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.html"))}


def test_every_link_leads_somewhere_on_the_site(folder, pages):
    wrong = []
    for name, page in pages.items():
        for link in page.leads:
            file, _, place = unquote(link).partition("#")
            if re.match(r"https?:", file):
                continue  # a link that a reader may follow; nothing is loaded
            if (file or name) not in pages or place and place not in pages[file or name].ids:
                wrong.append(f"{name}: {link}")
    assert not wrong


def test_nothing_is_loaded_from_elsewhere_and_all_that_is_loaded_is_there(folder, pages):
    loaded = {(name, address) for name, page in pages.items() for address in page.loads}
    assert not [pair for pair in loaded if address_is_far(pair[1])]
    assert {unquote(address) for _, address in loaded if not address.startswith("data:")} | set(pages) == {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    }
    for path in folder.glob("*.css"):
        assert not re.search(r"url\(|@import", path.read_text(encoding="utf-8"))


def address_is_far(address: str) -> bool:
    return bool(re.match(r"(?!data:)[a-z]+:(?!,)|//", address))


def test_pages_are_whole(pages):
    for name, page in pages.items():
        assert len(page.ids) == len(set(page.ids)), f"{name}: an id stands twice"
        assert not page.open, f"{name}: {page.open} is not closed"


def test_everything_that_has_a_name_is_there(pages):
    assert {f"{path.stem}.html" for path in rules.paths()} < set(pages)
    for name in ("algorithms", "bounds", "statements"):
        assert set(getattr(catalogue, name)()) <= set(pages[f"{name}.html"].ids)
    functions = set(pages["functions.html"].ids)
    assert {f"explorers.{name}" for name in explorers.__all__} | {f"command-{name}" for name in COMMANDS} <= functions
    assert {"dpbandits.simulate", "dpbandits.account"} <= functions


def test_chapters_keep_their_pictures_code_and_numbers(folder):
    for path in rules.paths():
        text = (folder / f"{path.stem}.html").read_text(encoding="utf-8")
        cells = nbformat.read(path, as_version=4).cells
        stored = sum("image/png" in o.get("data", {}) for c in cells for o in c.get("outputs", []))
        assert len(re.findall(r"<figure><img src='pictures/", text)) == stored
        code = sum(c.cell_type == "code" for c in cells) - 1  # the guard stays away
        assert len(re.findall(r"class='(?:cell|fold)'", text)) == code
        folded = sum(bool(c.metadata.get("jupyter")) for c in cells) - 1
        assert text.count("<details class='fold'>") == folded, "a solution stands open"
        prose = re.sub(r"<pre.*?</pre>|<code>.*?</code>|<[^>]*>", "", text, flags=re.DOTALL)
        assert "$" not in prose, "a formula as it is written"
        printed = re.findall(r"<pre class='printed'.*?</pre>", text, flags=re.DOTALL)
        assert not [p for p in printed if "$$" in p or "**" in p], "Markdown as it is written"
    live = (folder / "explorers.html").read_text(encoding="utf-8")
    assert "`" not in re.sub(r"<script.*?</script>", "", live, flags=re.DOTALL)


def test_formulas_are_mathml_without_what_is_left_of_latex(folder):
    for path in folder.glob("*.html"):
        for formula in re.findall(r"<math.*?</math>", path.read_text(encoding="utf-8"), flags=re.DOTALL):
            assert "\\" not in formula, formula
    assert ">{<" in mathml(r"\max\Bigl\{a, b\Bigr\}")


def test_names_are_escaped(tmp_path):
    evil = "<img src=x onerror=alert(1)>&\"'"
    cells = [nbformat.v4.new_markdown_cell(f"# {evil.replace('<', '&lt;')}"), nbformat.v4.new_code_cell(evil)]
    cells[1].outputs = [nbformat.v4.new_output("stream", name="stdout", text=evil)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "1.ipynb")
    chapter = chapters.read(tmp_path / "1.ipynb")
    site = Site({"1": evil}, reference.PAGES)
    page = Reader(site.page("1", evil, chapter.body(site, ()), ()).decode())
    assert "x" not in page.loads and page.loads == ["data:,", "book.css"]
    body, _ = reference.functions({evil: evil})
    assert not Reader(body).loads


# --- where it is written ---


def files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


@pytest.mark.parametrize("kind", ["full", "file", "inside a file", "no name", "too long"])
def test_a_bad_place_is_refused_and_left_alone(kind, tmp_path, capsys):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    place = {"full": "full", "file": "file", "inside a file": "file/site", "no name": "", "too long": 300 * "x"}[kind]
    assert main(["book", str(tmp_path / place) if place else ""]) == 2
    said = capsys.readouterr().err
    assert said.startswith("dpbandits: DIR = ") and said.count("\n") == 1
    assert files(tmp_path) == {"full", "full/mine.txt", "file"}


def test_an_interruption_leaves_nothing(tmp_path, monkeypatch):
    (tmp_path / "empty").mkdir()
    written = []

    def interrupted(path, write):
        written.append(path)
        if len(written) == 3:
            raise KeyboardInterrupt
        write(path)

    monkeypatch.setattr(book, "write_whole", interrupted)
    monkeypatch.setattr(book, "_build", lambda origin, commands: {f"pictures/{i}.png": b"x" for i in range(5)})
    for place in (tmp_path / "empty", tmp_path / "new"):
        written.clear()
        assert main(["book", str(place)]) == 130
    assert files(tmp_path) == {"empty"}


def test_what_is_missing_is_said(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(book.importlib.util, "find_spec", lambda name: None)
    assert main(["book", str(tmp_path / "site")]) == 2
    assert "latex2mathml" in capsys.readouterr().err and not (tmp_path / "site").exists()
    with pytest.raises(ValueError, match="There are no chapters"):
        build(tmp_path, {})
