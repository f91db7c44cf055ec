"""The reference, made from the catalogue's own records and docstrings: it cannot say anything else than they do."""

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape

import dpbandits
from dpbandits import catalogue, explorers
from dpbandits.algorithms.record import plain_function
from dpbandits.book.chapters import anchor
from dpbandits.book.code import code
from dpbandits.book.page import Site, inline, link, table
from dpbandits.formulas import mathml
from dpbandits.parameters import Parameter
from dpbandits.privacy.guarantee import SCOPES
from dpbandits.statements.record import KINDS, VERDICTS

#: Page -> its title, and what it is about.
PAGES = {
    "functions": ("Functions and commands", "what Python and the command line offer"),
    "algorithms": ("Algorithms", "every algorithm with its formula, source, parameters, and what it really guarantees"),
    "bounds": ("Bounds", "every upper and lower bound as a formula, and whom it is about"),
    "statements": ("Statements", "what the papers say, one sentence each, and what became of it"),
}
Page = tuple[str, list[tuple[str, str]]]  # body, contents


def bodies(site: Site, commands: Mapping[str, str]) -> dict[str, Page]:
    """Page -> its body and its contents. commands: name -> help."""
    return {
        "functions": functions(commands),
        "algorithms": algorithms(),
        "bounds": bounds(),
        "statements": statements(site),
    }


# --- functions ---


def functions(commands: Mapping[str, str]) -> Page:
    """Public functions, explorers and commands by their docstrings."""
    public = {name: getattr(dpbandits, name) for name in dpbandits.__all__ if name[0] != "_" and name != "catalogue"}
    parts = [
        _head("functions", "Everything here is imported from <code>dpbandits</code>."),
        "<h2 id='python'>Python</h2>",
        *(_function(name, function, "dpbandits") for name, function in public.items()),
        "<h2 id='catalogue'>The catalogue</h2><p>Mappings from name to record.</p>",
        table(
            ("call", "what it gives"),
            [
                (f"<code>catalogue.{name}()</code>", inline(inspect.getdoc(function) or ""))
                for name, function in inspect.getmembers(catalogue, inspect.isfunction)
            ],
        ),
        "<h2 id='explorers'>Explorers</h2><p>Each call returns a live panel for a cell of JupyterLab:"
        " <code>from dpbandits import explorers</code>.</p>",
        *(_function(name, getattr(explorers, name), "explorers") for name in explorers.__all__),
        "<h2 id='commands'>Commands</h2>",
        *(
            f"<section id='command-{name}'><h3><code>dpbandits {escape(name)}</code></h3>{prose(text)}</section>"
            for name, text in commands.items()
        ),
    ]
    kinds = ("python", "Python"), ("catalogue", "The catalogue"), ("explorers", "Explorers"), ("commands", "Commands")
    return "".join(parts), list(kinds)


def _function(name: str, function, home: str) -> str:
    signature = str(inspect.signature(function)).split(" -> ")[0]
    text = inspect.getdoc(function) or ""
    return (
        f"<section id='{escape(home)}.{escape(name)}'><h3><code>{escape(name)}</code></h3>"
        f"{code(name + re.sub(r' = (?=[^ ])', '=', signature))}{prose(text)}</section>"
    )


# --- algorithms ---


def algorithms() -> Page:
    """Every algorithm by setting: a table of all, then one after the other."""
    parts, contents = [_head("algorithms", "What each one guarantees stands at its default parameters.")], []
    for setting, records in _grouped(catalogue.algorithms().values(), "setting"):
        rows = [
            (link(f"#{a.name}", a.title), f"<code>{escape(a.name)}</code>", _source(a), escape(_guarantee(a).label))
            for a in records
        ]
        parts += [_section(setting, f"The {setting} setting"), table(("algorithm", "name", "source", "label"), rows)]
        parts += map(_algorithm, records)
        contents.append((anchor(setting), f"The {escape(setting)} setting"))
    return "".join(parts), contents


def _guarantee(algorithm):
    return algorithm.guarantee({p.name: p.default for p in algorithm.all_parameters})


def _algorithm(algorithm) -> str:
    label = _guarantee(algorithm)
    about = [("source", _source(algorithm)), ("label", f"<b>{escape(label.label)}</b>")]
    if label.scope not in ("none", "unknown"):
        about += [("protects", escape(SCOPES[label.scope])), ("neighbours", escape(label.neighbouring))]
    about += [(name, escape(text)) for name, text in (("stated in", label.theorem), ("note", label.note)) if text]
    on = [link(f"bounds.html#{b.name}", b.title) for b in catalogue.bounds().values() if b.algorithm == algorithm.name]
    about += [("bounds", ", ".join(on))] * bool(on)
    text = inspect.getdoc(plain_function(algorithm.function)) or ""
    return (
        f"<section id='{escape(algorithm.name)}'><h3>{escape(algorithm.title)} <code>{escape(algorithm.name)}</code>"
        f"</h3>{prose(text)}{_facts(about)}{_parameters(algorithm.all_parameters)}</section>"
    )


# --- bounds ---


def bounds() -> Page:
    """Every bound by paper."""
    parts, contents = (
        [_head("bounds", "A bound on the regret R(T) after T rounds; each is a function to be called.")],
        [],
    )
    for paper, records in _grouped(catalogue.bounds().values(), "paper"):
        parts += [_section(paper, paper), *map(_bound, records)]
        contents.append((anchor(paper), escape(paper)))
    return "".join(parts), contents


def _bound(bound) -> str:
    whom = (
        f"every algorithm whose privacy has this scope: {bound.scope}, {SCOPES[bound.scope]}"
        if bound.scope
        else "any algorithm"
    )
    about = [("side", f"{escape(bound.kind)} bound, {escape(bound.setting)} setting"), ("source", _source(bound))]
    if bound.algorithm:
        about.append(("about", link(f"algorithms.html#{bound.algorithm}", bound.algorithm)))
    elif bound.kind == "lower":
        about.append(("scope", escape(whom)))
    if bound.families:
        about.append(("instances", escape(", ".join(bound.families))))
    formula = mathml(bound.formula, "block")
    return (
        f"<section id='{escape(bound.name)}'><h3>{escape(bound.title)} <code>{escape(bound.name)}</code></h3>"
        f"<div class='wide formula' tabindex='0'>{formula}</div><p>{escape(bound.symbols)}</p>"
        f"{_facts(about)}{_parameters(bound.all_parameters)}</section>"
    )


# --- statements ---


def statements(site: Site) -> Page:
    """The ledger: the verdict beside each statement of a paper."""
    records = list(catalogue.statements().values())
    papers = list(dict.fromkeys(s.paper for s in records))
    counts = [
        (link(f"#{anchor(p)}", p), *(str(sum(s.paper == p and s.verdict == v for s in records)) for v in VERDICTS))
        for p in papers
    ]
    about = (
        "Each statement has evidence that runs; its verdict is derived from the numbers, and <code>dpbandits verify"
        " NAME</code> derives it again."
    )
    parts = [_head("statements", about), table(("paper", *map(escape, VERDICTS.values())), counts)]
    for paper, group in _grouped(records, "paper"):
        parts += [_section(paper, paper), *(_statement(s, site) for s in group)]
    return "".join(parts), [(anchor(p), escape(p)) for p in papers]


def _statement(statement, site: Site) -> str:
    about = [("evidence", escape(KINDS[statement.kind]))]
    if statement.chapter in site.chapters:
        place = f"{statement.chapter}.html#{anchor(statement.heading)}" if statement.heading else ""
        title = site.chapters[statement.chapter]
        about.append(("taught in", link(place or f"{statement.chapter}.html", f"{title}: {statement.heading}")))
    comment = f"<p>{escape(statement.comment)}</p>" if statement.comment else ""
    return (
        f"<section class='statement' id='{escape(statement.name)}'>"
        f"<p><span class='verdict {escape(statement.verdict)}'>{escape(VERDICTS[statement.verdict])}</span>"
        f" <b>{escape(statement.where)}.</b> {escape(statement.statement)}</p><details><summary><code>"
        f"{escape(statement.name)}</code></summary>{comment}{_facts(about)}</details></section>"
    )


# --- what they share ---


def _head(name: str, about: str) -> str:
    return f"<h1>{escape(PAGES[name][0])}</h1><p class='lead'>{about}</p>"


def _section(name: str, title: str) -> str:
    return f'<h2 id="{escape(anchor(name))}">{escape(title)}</h2>'


def _grouped(records: Iterable, field: str) -> Iterator[tuple[str, list]]:
    """(value, records that have it), in the order of first appearance."""
    groups: dict[str, list] = {}
    for record in records:
        groups.setdefault(getattr(record, field), []).append(record)
    yield from groups.items()


def _source(record) -> str:
    return escape(", ".join(filter(None, (record.paper, record.where))))


def _facts(pairs: Iterable[tuple[str, str]]) -> str:
    """What a record says, in two columns; the second is HTML."""
    return f"<dl>{''.join(f'<dt>{escape(name)}</dt><dd>{html}</dd>' for name, html in pairs)}</dl>"


def _parameters(parameters: Iterable[Parameter]) -> str:
    rows = [
        (f"<code>{escape(p.name)}</code>", escape(p.description), _default(p), escape(p.domain)) for p in parameters
    ]
    return table(("parameter", "what it is", "default", "allowed"), rows) if rows else ""


def _default(parameter: Parameter) -> str:
    if parameter.default is None:
        return "must be given" if parameter.required else "–"
    return f"<code>{escape(str(parameter.default))}</code>"


def prose(text: str) -> str:
    """A docstring or a help text: paragraphs, and what is indented or set in columns as it stands."""
    blocks = [block for block in re.split(r"\n\s*\n", text.strip("\n")) if block.strip()]
    return "".join(_block(block) for block in blocks)


def _block(block: str) -> str:
    lines = block.splitlines()
    first, rest = lines[0], lines[1:]
    if all(line.startswith("  ") for line in lines):
        return f"<pre tabindex='0'>{escape(inspect.cleandoc(block))}</pre>"
    if rest and all(line.startswith("  ") for line in rest):  # a heading and what stands below it
        return f"<p>{inline(first)}</p><pre tabindex='0'>{escape(inspect.cleandoc(chr(10).join(rest)))}</pre>"
    return f"<p>{inline(' '.join(line.strip() for line in lines))}</p>"
