"""A small picture of a figure without a browser: its lines, areas and markers as SVG, a few kB."""

from html import escape

import numpy as np
import plotly.graph_objects as go

from dpbandits.figures.palette import GREY, INK

POINTS = 36  # of a line
DASHES = {"dash": "5 3", "dot": "1.5 2.5", "dashdot": "5 2 1.5 2", "longdash": "8 3", "longdashdot": "8 2 1.5 2"}
LEFT, RIGHT, TOP, BOTTOM = 40, 8, 8, 24


def thumbnail(figure: go.Figure, width: int = 320, height: int = 200, areas: bool = True) -> str:
    """SVG of the figure's scatter traces, in their own colours and dashes, with the ends of the axes as numbers.

    areas: with them, or with lines and markers alone. Where nothing can be drawn (a table), an empty string.
    """
    traces = [t for t in figure.data if t.type == "scatter" and t.visible in (None, True) and t.x is not None]
    traces = traces if areas else [t for t in traces if t.fill != "toself"]
    pairs = dict.fromkeys((t.xaxis or "x", t.yaxis or "y") for t in traces)
    parts = [_axes(figure, traces, pair, f"clip{n}", width, height) for n, pair in enumerate(pairs)]
    if not (drawn := "".join(part for part in parts if part)):
        return ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' font-family="sans-serif" font-size="10">{drawn}</svg>'
    )


def colour_of(trace) -> str | None:
    """Of its line or its markers; None where it has not one colour of its own."""
    colour = trace.line.color or trace.marker.color
    return colour if isinstance(colour, str) else None


def _axes(figure, traces, pair, clip: str, width: int, height: int) -> str:
    """One pair of axes with what lies on it."""
    x_axis, y_axis = (figure.layout[name[0] + "axis" + name[1:]] for name in pair)
    own = [t for t in traces if (t.xaxis or "x", t.yaxis or "y") == pair]
    x_log, y_log = x_axis.type == "log", y_axis.type == "log"
    points = [(_numbers(t.x, x_log), _numbers(t.y, y_log)) for t in own]
    x_range, y_range = _range(x_axis, [p[0] for p in points]), _range(y_axis, [p[1] for p in points])
    if x_range is None or y_range is None:
        return ""
    (x0, x1), (y0, y1) = x_axis.domain or (0, 1), y_axis.domain or (0, 1)
    box_x = LEFT + x0 * (width - LEFT - RIGHT), LEFT + x1 * (width - LEFT - RIGHT)
    box_y = height - BOTTOM - y0 * (height - TOP - BOTTOM), height - BOTTOM - y1 * (height - TOP - BOTTOM)
    drawn = "".join(
        _trace(trace, _place(x, x_range, box_x), _place(y, y_range, box_y))
        for trace, (x, y) in zip(own, points, strict=True)
    )
    left, right, low, high = *box_x, *box_y
    ends = [
        (left, low + 11, "start", x_range[0], x_log), (right, low + 11, "end", x_range[1], x_log),
        (left - 3, low, "end", y_range[0], y_log), (left - 3, high + 8, "end", y_range[1], y_log),
    ]  # fmt: skip
    texts = "".join(
        f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{GREY}">{_said(value, log)}</text>'
        for x, y, anchor, value, log in ends
    )
    title = x_axis.title.text or ""
    texts += (
        f'<text x="{(left + right) / 2:.0f}" y="{low + 11:.0f}" text-anchor="middle" fill="{INK}">'
        f"{escape(_plain(title))}</text>"
    )
    frame = f'x="{left:.0f}" y="{high:.0f}" width="{right - left:.0f}" height="{low - high:.0f}"'
    return (
        f'<clipPath id="{clip}"><rect {frame}/></clipPath><g clip-path="url(#{clip})">{drawn}</g>'
        f'<rect {frame} fill="none" stroke="{GREY}" stroke-width="0.7"/>{texts}'
    )


def _numbers(values, log: bool) -> np.ndarray:
    """As floats, logarithms on a log axis; NaN where there is no place."""
    found = np.array([np.nan if v is None else v for v in values], dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(found > 0, np.log10(found), np.nan) if log else found


def _range(axis, values) -> tuple[float, float] | None:
    """The axis' own range, or that of what is drawn."""
    every = np.concatenate([v for v in values]) if values else np.empty(0)
    every = every[np.isfinite(every)]
    given = axis.range or (None, None)
    if (given[0] is None or given[1] is None) and not every.size:
        return None
    low = float(every.min()) if given[0] is None else float(given[0])
    high = float(every.max()) if given[1] is None else float(given[1])
    return (low, high) if high > low else (low - 0.5, low + 0.5)


def _place(values: np.ndarray, within: tuple[float, float], box: tuple[float, float]) -> np.ndarray:
    return box[0] + (values - within[0]) / (within[1] - within[0]) * (box[1] - box[0])


def _trace(trace, x: np.ndarray, y: np.ndarray) -> str:
    """A line with gaps where there is no place, an area, or dots."""
    colour = colour_of(trace) or INK
    mode = trace.mode or "lines"
    keep = np.unique(np.linspace(0, x.size - 1, min(x.size, POINTS)).round().astype(int)) if x.size else []
    runs: list[list[str]] = [[]]
    for i in keep:
        if np.isfinite(x[i]) and np.isfinite(y[i]):
            runs[-1].append(f"{x[i]:.4g},{np.clip(y[i], -1e4, 1e4):.4g}")
        elif runs[-1]:
            runs.append([])
    drawn = ""
    if trace.fill == "toself":
        area = trace.fillcolor or colour
        drawn += "".join(f'<polygon points="{" ".join(run)}" fill="{area}" fill-opacity="0.5"/>' for run in runs if run)
    if "lines" in mode and (trace.line.width is None or trace.line.width > 0):
        step = trace.line.shape == "hv"
        dash = DASHES.get(trace.line.dash or "", "")
        style = f' stroke-dasharray="{dash}"' if dash else ""
        for run in runs:
            told = _stairs(run) if step else run
            if len(told) > 1:
                drawn += (
                    f'<polyline points="{" ".join(told)}" fill="none" stroke="{colour}" stroke-width="1.5"{style}/>'
                )
    if "markers" in mode:
        spots = (point.split(",") for run in runs for point in run)
        drawn += "".join(f'<circle cx="{a}" cy="{b}" r="1.8" fill="{colour}"/>' for a, b in spots)
    return drawn


def _stairs(run: list[str]) -> list[str]:
    """Points of a line that goes first across, then up."""
    told = run[:1]
    for before, after in zip(run, run[1:], strict=False):
        told += [f"{after.split(',')[0]},{before.split(',')[1]}", after]
    return told


def _plain(text: str) -> str:
    """A title without plotly's marks, up to its first comma."""
    for mark in ("<b>", "</b>", "<i>", "</i>", "<sub>", "</sub>", "<sup>", "</sup>"):
        text = text.replace(mark, "")
    return text.split("<br>")[0].split(",")[0]


def _said(value: float, log: bool) -> str:
    """An end of an axis, short."""
    value = 10**value if log else value
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}"
