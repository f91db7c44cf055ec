"""Small HTML: tables of numbers, privacy cells, code."""

from collections.abc import Iterable, Sequence
from html import escape

from dpbandits.algorithms.record import Algorithm
from dpbandits.figures.dark import on_dark
from dpbandits.figures.labels import number
from dpbandits.privacy.guarantee import SCOPES, Guarantee

__all__ = ["FAILS", "bad", "code_block", "named", "number", "privacy_caption", "privacy_cells", "swatch", "table"]

FAILS = "as claimed, fails"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], numeric: Iterable[int] = ()) -> str:
    """An HTML table. Cells are HTML already; `numeric` columns are set flush right."""
    numeric = set(numeric)

    def cells(tag: str, row: Sequence[str]) -> str:
        return "".join(f"<{tag}{' class=dpb-num' if i in numeric else ''}>{cell}</{tag}>" for i, cell in enumerate(row))

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table class='dpb-table'><thead><tr>{cells('th', heads)}</tr></thead><tbody>{body}</tbody></table>"


def privacy_cells(guarantee: Guarantee) -> tuple[str, str]:
    """What is guaranteed, and for what. Red only where the claim fails."""
    promise = "nothing" if guarantee.scope == "none" else escape(guarantee.pair)
    scope = "–" if guarantee.scope == "none" else escape(guarantee.scope)
    if guarantee.status not in ("proved", "not private", "unknown"):
        promise += f" ({escape(guarantee.status)})"
    tip = escape(f"{guarantee.theorem}. {guarantee.note}".strip(". "), quote=True)
    mark = " class='dpb-bad'" if guarantee.status == FAILS else ""
    return f"<span{mark} title='{tip}'>{promise}</span>", f"<span title='{tip}'>{scope}</span>"


def privacy_caption(guarantees: Iterable[tuple[str, Guarantee]], notes: Iterable[str] = ()) -> str:
    """What the labels of the table mean: one sentence for each scope and unit, then claims that fail, then other
    `notes`.
    """
    groups: dict[tuple[str, str, str], list[str]] = {}
    warnings = []
    for name, guarantee in guarantees:
        if guarantee.scope not in ("none", "unknown"):
            groups.setdefault((guarantee.scope, guarantee.unit, guarantee.neighbouring), []).append(name)
        if guarantee.note and guarantee.status not in ("proved", "repaired", "not private", "unknown"):
            warnings.append(f"<b>{escape(name)}</b>: {escape(guarantee.note)}")
    lines = [
        f"<b>{escape(', '.join(names))}</b> ({escape(scope)}): protects {escape(SCOPES[scope])}."
        f" Neighbours: {escape(neighbouring)}; unit: {escape(unit)}."
        for (scope, unit, neighbouring), names in groups.items()
    ]
    if len({scope for scope, _, _ in groups}) > 1:
        lines.insert(
            0, "<b>Beware:</b> the same ε promises different things here; compare the scopes before the curves."
        )
    return "<br>".join([*lines, *warnings, *map(escape, notes)])


def swatch(algorithm: Algorithm) -> str:
    """A piece of the algorithm's line, for a label."""
    colours = f"--dpb-light:{algorithm.colour};--dpb-dark:{on_dark(algorithm.colour)}"
    return f"<span class='dpb-swatch dpb-{algorithm.dash}' style='{colours}'></span>"


def named(algorithm: Algorithm) -> str:
    """Its line and its name, for a cell: a name is text, whatever its author has put into it."""
    return swatch(algorithm) + escape(algorithm.name)


def bad(text: str) -> str:
    """A cell that says: a claim fails here."""
    return f"<span class='dpb-bad'>{escape(text)}</span>"


def code_block(code: str) -> str:
    """Python, as it is."""
    return f"<pre class='dpb-code' aria-label='Python code'>{escape(code)}</pre>"
