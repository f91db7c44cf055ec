"""Files from an explorer: whole or not at all, never over an older one."""

import re
from html import escape
from pathlib import Path

import pandas as pd
import plotly.graph_objects as go

from dpbandits.explorers.toolkit.tables import code_block
from dpbandits.files import write_whole


def write_csv(folder: Path, name: str, frame: pd.DataFrame, code: str) -> Path:
    """The table as CSV; the first lines are comments (#) with the code that gives it. Read it with comment="#"."""
    header = "".join(f"# {line}\n" for line in code.splitlines())
    return _write(folder, name, ".csv", header + frame.to_csv(index=False))


def write_html(
    folder: Path, name: str, title: str, figure: go.Figure, parts: tuple[str, ...], code: str, style: str
) -> Path:
    """One page that needs no network: the plot, `parts` (HTML) and the code. Nothing sets formulas there, so they stand
    as they are written.
    """
    unset = re.sub(r"\\\((.*?)\\\)", r"<code>\1</code>", "".join(parts))
    plot = go.Figure(figure).to_html(full_html=False, include_plotlyjs=True)
    page = (
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{escape(title)}</title><style>{style}body"
        " { font-family: system-ui, sans-serif; max-width: 900px; margin: 24px auto; }</style></head><body"
        " class='dpb-panel'><h1"
        f" class='dpb-title'>{escape(title)}</h1>{plot}{unset}{code_block(code)}</body></html>"
    )
    return _write(folder, name, ".html", page)


def _write(folder: Path, name: str, suffix: str, text: str) -> Path:
    """Write to the first free name: `name`, `name-2`, ..."""
    count, path = 1, folder / f"{name}{suffix}"
    while path.exists():
        count += 1
        path = folder / f"{name}-{count}{suffix}"
    write_whole(path, lambda part: part.write_text(text, encoding="utf-8", newline=""))
    return path.resolve()
