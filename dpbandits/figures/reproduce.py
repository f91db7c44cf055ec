"""A paper's panel on disk: page, picture, numbers, settings."""

import html
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import xarray as xr
from plotly.offline import get_plotlyjs

from dpbandits import __version__
from dpbandits.algorithms import ALGORITHMS
from dpbandits.figures.browser import screenshot
from dpbandits.figures.labels import by_algorithm, guarantee_at, panel_of, scope_label, spread
from dpbandits.figures.palette import FONT, GREY, INK
from dpbandits.figures.panel import draw, reading
from dpbandits.files import write_whole
from dpbandits.papers import Figure
from dpbandits.papers.stored import stored as shipped

WIDTH, HEIGHT = 860, 480
PLOTLY = "plotly.min.js"  # one copy for all pages of a folder
CELLS = "cells"  # finished parts of simulations, so that an interrupted one goes on where it was

STYLE = (
    f"body{{font-family:{FONT};color:{INK};max-width:{WIDTH}px;margin:12px;font-size:14px;line-height:1.45}}"
    f"p{{margin:6px 8px}}.small{{color:{GREY};font-size:12px}}"
    ".modebar{opacity:0}.js-plotly-plot:hover .modebar{opacity:1}"
)
GALLERY = (
    "body{max-width:none}main{display:grid;grid-template-columns:repeat(auto-fill,minmax(330px,1fr));gap:18px}"
    f"a{{color:{INK};text-decoration:none;border:1px solid #ddd;padding:8px}}img{{width:100%;display:block}}"
)


def reproduce(
    figure: Figure, scale: str, folder: Path, *, png: bool = True, stored: bool = False, **how: object
) -> list[Path]:
    """Compute, draw and write one panel: NAME.html, .csv, .json, and .png where a browser is found. Returns the files.

    folder: exists and can be written. how: `progress`, `workers` as for sweep(). Parts that are done already are read
    back.
    """
    ready = shipped() if stored and figure.simulated else folder / CELLS
    data = figure.data(scale, **({"folder": ready, **how} if figure.simulated else {}))
    settings = describe(figure, data, scale)
    library = folder / PLOTLY
    if not library.is_file() or library.stat().st_size != len(get_plotlyjs().encode()):
        write_whole(library, lambda path: path.write_text(get_plotlyjs(), encoding="utf-8"))
    drawing = draw(figure, data)
    drawing.update_layout(width=WIDTH, height=max(0 if figure.builder == "table" else HEIGHT, drawing.layout.height))
    texts = {
        "html": page(figure, drawing, settings),
        "csv": frame(data).to_csv(index=False),
        "json": json.dumps(settings, indent=2, ensure_ascii=False) + "\n",
    }
    files = [folder / f"{figure.name}.{suffix}" for suffix in texts]
    for file, text in zip(files, texts.values(), strict=True):
        write_whole(file, lambda path, text=text: path.write_text(text, encoding="utf-8"))
    image = folder / f"{figure.name}.png"
    lines = sum(1.3 + len(text) // 125 for _, text in paragraphs(figure, settings))
    if png and screenshot(files[0], image, WIDTH + 24, drawing.layout.height + 60 + round(21 * lines)):
        files.append(image)
    return files


def index(figures: Iterable[Figure], folder: Path) -> Path:
    """Write index.html: a picture of, and a link to, each of `figures` that lies in `folder`."""
    cards = []
    for figure in figures:
        if (folder / f"{figure.name}.html").is_file():
            title = html.escape(f"{figure.where}: {figure.title}")
            image = (
                f"<img src='{figure.name}.png' alt='' loading='lazy'>"
                if (folder / f"{figure.name}.png").is_file()
                else ""
            )
            cards.append(f"<a href='{figure.name}.html'>{image}{title}</a>")
    text = (
        "<!DOCTYPE html>\n<html lang='en'><head><meta"
        f" charset='utf-8'><title>Figures</title><style>{STYLE}{GALLERY}</style></head>"
        f"<body><main>\n{chr(10).join(cards)}\n</main></body></html>\n"
    )
    write_whole(folder / "index.html", lambda path: path.write_text(text, encoding="utf-8"))
    return folder / "index.html"


def describe(figure: Figure, data: xr.Dataset, scale: str) -> dict:
    """What the JSON file says: the panel, its settings, privacy labels, notes, version."""
    facts = {
        key: json.loads(data.attrs[key])
        for key in ("guarantees", "notes", "worst", "panels", "sources")
        if key in data.attrs
    }
    if over := figure.look.get("over"):  # what the first value says is not true of the others
        where = "along the axis" if figure.builder == "tradeoff" else "as in the legend"
        _spread_over(over, where, data, facts)
        for panel, part in facts.get("panels", {}).items():
            _spread_over(over, where, panel_of(data, panel), part)
    facts |= json.loads(data.attrs.get("facts", "{}"))
    facts |= {key: data.attrs[key] for key in ("smallest_pulls", "printed_pulls") if key in data.attrs}
    return {
        "name": figure.name,
        "title": figure.title,
        "paper": figure.paper,
        "where": figure.where,
        "caption": figure.caption,
        "scale": scale,
        "settings": figure.settings_at(scale),
        **facts,
        "version": __version__,
    }


def _spread_over(over: str, where: str, data: xr.Dataset, facts: dict) -> None:
    """Say in the guarantees of `facts` that `over` takes many values, and which of them a note that changes speaks
    of.
    """
    first, last = data[over].values[[0, -1]]
    for name, record in facts["guarantees"].items():
        if record.get(over) is not None:
            changes = guarantee_at(data, ALGORITHMS[name], over, last).note != record["note"]
            note = f"At {over} = {first:g}: {record['note']}" if changes else record["note"]
            record |= {over: None, "label": f"{scope_label(record)}, {over} {where}", "note": note}


def frame(data: xr.Dataset) -> pd.DataFrame:
    """What the CSV file holds: mean, std and stderr over the runs for each point drawn; or the curves over x, or a
    table.
    """
    if "cdf" in data:
        return pd.DataFrame(_columns(data))
    if "regret" not in data:
        return data.to_dataframe().reset_index(drop="row" in data.dims)
    parts = []
    for algorithm, part in by_algorithm(data):
        regret = part.regret.reset_coords(drop=True)
        over = [d for d in regret.dims if d != "run"]
        mean, std = spread(regret.transpose("run", *over))
        rows = (
            xr.Dataset({"mean": (over, mean), "std": (over, std)}, {d: regret[d] for d in over})
            .to_dataframe()
            .reset_index()
        )
        rows.insert(0, "algorithm", algorithm.name)
        parts.append(rows.assign(stderr=rows["std"] / regret.sizes["run"] ** 0.5, runs=regret.sizes["run"]))
    return pd.concat(parts, ignore_index=True)


def _columns(data: xr.Dataset) -> Mapping[str, Any]:
    columns = {"x": data["x"].values, "F": data["cdf"].values}
    for change in data["change"].values:
        columns[f"F_after_{change:+d}"] = data["after"].sel(change=change).values
    return columns | {"lowest_allowed": data["low"].values, "highest_allowed": data["high"].values}


def paragraphs(figure: Figure, settings: dict) -> list[tuple[str, str]]:
    """(look, text) of what stands under the drawing: the caption, how to read it, the privacy labels, the first
    note.
    """
    small = " class='small'"
    panels = settings.get("panels", {"": settings})
    groups: dict[tuple[str, str, str], dict[str, None]] = {}
    for panel, part in panels.items():
        for name, record in part.get("guarantees", {}).items():
            everywhere = all(other["guarantees"][name] == record for other in panels.values())
            where = "" if everywhere else f"{panel.capitalize()} – "
            groups.setdefault((where, record["label"], record["note"]), {})[ALGORITHMS[name].title] = None
    told = " ".join(note for _, _, note in groups)
    notes = [note for note in settings.get("notes", []) if note.split(": ", 1)[-1] not in told]
    more = f" ({len(notes) - 1} more in the settings file.)" if len(notes) > 1 else ""
    how = reading(figure, settings["settings"])
    return [
        ("", figure.caption),
        *([(small, how)] if how else []),
        *(
            (small, f"{where}{', '.join(names)}: {label}. {note}".strip())
            for (where, label, note), names in groups.items()
        ),
        *((small, f"Note: {note}{more}") for note in notes[:1]),
    ]


def page(figure: Figure, drawing: go.Figure, settings: dict) -> str:
    """The HTML file: the drawing and what is said about it."""
    body = drawing.to_html(full_html=False, include_plotlyjs=PLOTLY, div_id=figure.name, config={"displaylogo": False})
    text = "".join(f"<p{look}>{html.escape(line)}</p>" for look, line in paragraphs(figure, settings))
    place, name = html.escape(f"{figure.paper}, {figure.where}"), figure.name
    return (
        "<!DOCTYPE html>\n<html lang='en'><head><meta"
        f" charset='utf-8'><title>{place}</title><style>{STYLE}</style></head><body>\n{body}\n{text}<p"
        f" class='small'>{place}, redrawn at {settings['scale']} scale by dpbandits {__version__}. <a"
        f" href='{name}.csv'>Numbers</a>, <a href='{name}.json'>settings</a>.</p>\n</body></html>\n"
    )
