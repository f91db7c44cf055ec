"""Every figure and table of a paper, redrawn at its own size where that is stored, beside what the paper says of it."""

import html
import re
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote

import plotly.graph_objects as go

from dpbandits.figures.panel import draw
from dpbandits.figures.thumbnail import colour_of, thumbnail
from dpbandits.papers.catalogue import FIGURES
from dpbandits.papers.figure import Figure
from dpbandits.papers.stored import stored
from dpbandits.parameters import unknown
from dpbandits.statements.catalogue import PREFIXES, STATEMENTS
from dpbandits.statements.record import VERDICTS, Statement

ABOUT = re.compile(rf"({'|'.join(PREFIXES)})-(fig|table)-([0-9.]+)([a-z]*)((?:-[0-9]+)*)(?=-|$)")
GRID = "display:grid;grid-template-columns:repeat(auto-fill,minmax(340px,1fr));gap:14px"
CARD = "border:1px solid #8886;border-radius:4px;padding:8px;min-width:0"
SHEET = "max-width:100%;background:#fff"
SMALL = "font-size:0.88em;margin:4px 0"


@dataclass(frozen=True)
class Card:
    """One panel: its figure, and the statements about it."""

    figure: Figure
    statements: tuple[Statement, ...]

    @cached_property
    def picture(self) -> go.Figure | None:
        """The panel at the paper's size; None where that is neither closed form nor stored."""
        if not self.figure.simulated:
            return draw(self.figure, self.figure.data("paper"))
        try:
            return draw(self.figure, self.figure.data("paper", folder=stored()))
        except ValueError:
            return None

    @property
    def html(self) -> str:
        """Picture, what the paper says with our verdict, our caption, the command that redraws it and the call that
        opens it live.
        """
        figure = self.figure
        said = "".join(
            f"<p style='{SMALL}'><b>{VERDICTS[s.verdict]}</b>: {html.escape(s.statement)}</p>" for s in self.statements
        )
        if not said:
            said = f"<p style='{SMALL}'>The paper draws no conclusion from it, or has none like it.</p>"
        command = f"dpbandits reproduce {figure.name} --scale paper" + (" --stored" if figure.simulated else "")
        return (
            f"<div style='{CARD}'><b>{html.escape(figure.where)}</b>: {html.escape(figure.title)}{self._image()}{said}"
            f"<details style='{SMALL}'><summary>What to see</summary>{html.escape(figure.caption)}</details>"
            f"<p style='{SMALL}'><code>{command} --out figures</code><br>"
            f"<code>explorers.live(&quot;{figure.name}&quot;)</code></p></div>"
        )

    def _names(self) -> str:
        """Which colour is which, as in the figure's legend."""
        drawn = (t for t in self.picture.data if t.name and t.showlegend is not False and t.type == "scatter")
        named = {t.name.split("<br>")[0]: t for t in drawn}  # without the privacy label below the name
        colours = {name: colour_of(trace) for name, trace in named.items()}
        names = (
            f"<span style='color:{colour}'>■</span> {html.escape(name)}" for name, colour in colours.items() if colour
        )
        return f"<p style='{SMALL}'>{' &nbsp; '.join(names)}</p>"

    def _image(self) -> str:
        if self.picture is None:
            return f"<p style='{SMALL}'><i>Not stored: the command plays it.</i></p>"
        if drawn := thumbnail(self.picture, areas=not self.figure.simulated):
            source = quote(drawn, safe=" =:/,.()%")
            what = html.escape(f"{self.figure.where}: {self.figure.title}", quote=True)
            return f'<p><img style="{SHEET}" alt="{what}" src="data:image/svg+xml,{source}"></p>{self._names()}'
        return f"<p style='{SMALL}'><i>A table: the command prints it.</i></p>"


@dataclass(frozen=True)
class Gallery:
    """All panels of a paper; in a notebook, cards side by side."""

    cards: tuple[Card, ...]

    def _repr_html_(self) -> str:
        return f"<div style='{GRID}'>{''.join(card.html for card in self.cards)}</div>"

    def __repr__(self) -> str:
        lines = []
        for card in self.cards:
            said = "; ".join(f"{s.name}: {VERDICTS[s.verdict]}" for s in card.statements) or "nothing is said of it"
            lines.append(f"{card.figure.name:20} {said}")
        return "\n".join(lines)


def gallery(paper: str) -> Gallery:
    """The figures and tables of a paper, by the prefix of their names. Raises ValueError for an unknown one."""
    if paper not in PREFIXES:
        raise ValueError(unknown("paper", paper, PREFIXES))
    own = (figure for name, figure in FIGURES.items() if name.startswith(f"{paper}-"))
    return Gallery(tuple(Card(figure, about(figure.name)) for figure in own))


def about(name: str) -> tuple[Statement, ...]:
    """What the ledger has about a panel: "fig-1" speaks of all panels of Figure 1, "fig-1hi" of two, "fig-3-4" of two
    figures.
    """
    if not (panel := ABOUT.match(name)):
        return ()
    paper, kind, number, letter, _ = panel.groups()
    found = []
    for statement in STATEMENTS.values():
        if match := ABOUT.match(statement.name):
            numbers = [match[3], *match[5].split("-")[1:]]
            if (paper, kind) == match.groups()[:2] and number in numbers and (not match[4] or letter in match[4]):
                found.append(statement)
    return tuple(found)
