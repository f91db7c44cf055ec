"""A picture of what a learner's function did, for problem sets: an SVG inside the page, without a plot library.

    picture.histogram({"your draws": draws}, curve=("your density", density), label="y")

It shows in JupyterLab without scripts; where no page is, as on a marked copy, it says in words what it shows.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape

import numpy as np

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 640, 300, 20, 40, 34
COLOURS = ("#0072B2", "#D55E00")  # as in figures/palette.py, which would load all algorithms


@dataclass(frozen=True)
class Picture:
    """svg: the drawing. words: the same in a sentence, for who does not see it."""

    svg: str
    words: str

    def __repr__(self) -> str:
        return self.words

    def _repr_html_(self) -> str:
        return f"<div>{self.svg}<p>{escape(self.words)}</p></div>"


def histogram(
    samples: Mapping[str, object],
    *,
    label: str,
    whole: bool = False,
    curve: tuple[str, Callable[[float], float]] | None = None,
    mark: tuple[str, float] | None = None,
) -> Picture:
    """Up to two samples as histograms of one area, on one axis; a density over them; a vertical line.

    samples: name -> numbers. label: of the axis. whole: a bar for each whole number; else 60 bars. curve: (name,
    function). mark: (name, place).
    """
    values = {name: np.asarray(numbers, float).ravel() for name, numbers in samples.items()}
    if not values or any(numbers.size == 0 or not np.isfinite(numbers).all() for numbers in values.values()):
        return Picture("", "There is nothing to draw: a sample is empty, or has entries that are not finite.")
    places = [x for numbers in values.values() for x in (numbers.min(), numbers.max())] + ([mark[1]] if mark else [])
    low, high = min(places), max(places)
    margin = 0.02 * (high - low) or 1.0
    low, high = (math.floor(low) - 0.5, math.ceil(high) + 0.5) if whole else (low - margin, high + margin)
    steps = np.linspace(low, high, (round(high - low) if whole else 60) + 1)
    heights = {n: np.histogram(x, steps, density=True)[0] for n, x in values.items()}
    grid = np.linspace(low, high, 241)
    drawn = np.array([curve[1](float(x)) for x in grid], float) if curve else np.zeros(1)
    most = max(*(h.max() for h in heights.values()), float(np.nanmax(drawn)), 1e-300)
    x_of = lambda x: LEFT + (x - low) / (high - low) * (WIDTH - 2 * LEFT)
    y_of = lambda y: HEIGHT - BOTTOM - np.clip(y / most, 0, 1) * (HEIGHT - BOTTOM - TOP)
    pieces, names = [], []
    for colour, (name, tall) in zip(COLOURS, heights.items(), strict=False):
        line = [
            f"{x_of(x):.1f},{y_of(y):.1f}" for x, y in zip(np.repeat(steps, 2)[1:-1], np.repeat(tall, 2), strict=True)
        ]
        ends = [f"{x_of(low):.1f},{y_of(0):.1f}", *line, f"{x_of(high):.1f},{y_of(0):.1f}"]
        pieces.append(f'<polygon points="{" ".join(ends)}" fill="{colour}" fill-opacity="0.25" stroke="{colour}"/>')
        names.append((colour, name))
    if curve:
        line = " ".join(f"{x_of(x):.1f},{y_of(y):.1f}" for x, y in zip(grid, drawn, strict=True) if np.isfinite(y))
        pieces.append(f'<polyline points="{line}" fill="none" stroke="currentColor" stroke-width="2"/>')
        names.append(("currentColor", curve[0]))
    if mark:
        at = f"{x_of(mark[1]):.1f}"
        ends = f'x1="{at}" x2="{at}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"'
        pieces.append(f'<line {ends} stroke="currentColor" stroke-dasharray="5 4"/>')
        names.append(("currentColor", mark[0]))
    ticks = [f'<text x="{x_of(x):.1f}" y="{HEIGHT - 22}" text-anchor="middle">{x:g}</text>' for x in _round(low, high)]
    legend = "".join(f'<tspan fill="{colour}" dx="14">■ {escape(name)}</tspan>' for colour, name in names)
    words = "; ".join(f"{name}: mean {x.mean():.3g}, from {x.min():.3g} to {x.max():.3g}" for name, x in values.items())
    svg = (
        f'<svg role="img" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" style="max-width:100%" fill="currentColor"'
        f' font-size="12" font-family="system-ui, sans-serif"><title>{escape(words)}</title>'
        f'<line x1="{LEFT}" x2="{WIDTH - LEFT}" y1="{HEIGHT - BOTTOM}" y2="{HEIGHT - BOTTOM}" stroke="currentColor"/>'
        f'{"".join(pieces)}{"".join(ticks)}<text x="0" y="18">{legend}</text>'
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 4}" text-anchor="middle">{escape(label)}</text></svg>'
    )
    return Picture(svg, words[0].upper() + words[1:] + ".")


def _round(low: float, high: float) -> list[float]:
    """Some five round numbers between the ends."""
    raw = (high - low) / 5
    power = 10.0 ** np.floor(np.log10(raw))
    step = next(power * k for k in (1, 2, 5, 10) if power * k >= raw)
    return [float(round(k * step, 12)) for k in range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)]
