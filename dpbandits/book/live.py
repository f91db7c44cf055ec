"""Explorers with a closed form, moved without a kernel: each position of each slider is computed when the site is made.

One slider moves at a time, from where the panel opens. What a page loads of one explorer is a script, since a page that
is opened from a folder may read no other files.
"""

import base64
import json
from collections.abc import Mapping, Sequence
from html import escape
from importlib import resources

import numpy as np

from dpbandits import explorers
from dpbandits.book.page import inline
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.explorers.toolkit.plotview import CONFIG, colours
from dpbandits.figures.dark import on_dark
from dpbandits.figures.labels import number

PAGE = ("Explorers to move", "some explorers live in these pages, without Python: one slider at a time")


def _log(low: float, high: float, points: int) -> list[float]:
    return [float(f"{value:.2g}") for value in np.geomspace(low, high, points)]


#: Explorer -> control -> its positions.
SLIDERS: Mapping[str, Mapping[str, Sequence[float]]] = {
    "region": {
        "epsilon": _log(0.05, 5, 21),
        "delta": _log(0.001, 0.5, 19),
        "pulls": [1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 50, 64, 80, 100],
        "total": list(range(7)),
    },
    "shape": {
        "epsilon": _log(0.05, 5, 21),
        "delta": _log(0.001, 0.5, 19),
        "pulls": [10, 12, 15, 20, 25, 32, 40, 50, 64, 80, 100, 200, 400],
    },
    "mechanism": {"epsilon": _log(0.1, 4, 21), "delta": _log(1e-6, 0.2, 19), "sensitivity": _log(0.2, 5, 15)},
    "counters": {"epsilon": _log(0.05, 10, 21), "length": [16, 32, 64, 100, 128, 200, 256, 400, 512, 700, 1000]},
}
NAMES = frozenset(SLIDERS)


def page() -> tuple[str, dict[str, bytes]]:
    """The page's body, and the scripts that it loads, plotly.js first. Raises OSError where that is missing."""
    plotly = (resources.files("plotly") / "package_data" / "plotly.min.js").read_bytes()
    scripts, parts = {"plotly.min.js": plotly}, [f"<h1>{escape(PAGE[0])}</h1>", f"<p class='lead'>{ABOUT}</p>"]
    for name in SLIDERS:
        panel = getattr(explorers, name)()
        parts.append(_place(name, panel))
        scripts[f"live-{name}.js"] = (
            f"(window.dpbLive ??= {{}})[{json.dumps(name)}] = {positions(name, panel)};".encode()
        )
        panel.close()
    return "".join(parts), scripts


ABOUT = (
    "Each slider moves alone, from where the panel opens: moving another puts the first one back. All sliders together,"
    " and those that need a simulation, are in the notebooks."
)


def _place(name: str, panel: Panel) -> str:
    """Where an explorer stands, before its script has run."""
    rows = "".join(
        f"<label>{escape(panel.controls[control].box.description)} <input type='range' data-control='{control}' min='0'"
        f" max='{len(values) - 1}' step='1'> <output></output></label>"
        for control, values in SLIDERS[name].items()
    )
    function = getattr(explorers, name)
    return (
        f"<section class='live' id='{name}' data-explorer='{name}'><h2>{escape(panel.title)}</h2>"
        f"<p>{inline(function.__doc__.split('.')[0])}.</p><div class='sliders'>{rows}</div>"
        "<div class='sheet' role='figure'><noscript>The plot needs scripts, which this browser blocks.</noscript></div>"
        "<p class='summary' role='status'></p><div class='wide numbers' tabindex='0'></div></section>"
    )


def positions(name: str, panel: Panel) -> str:
    """JSON: the figure as the panel opens, and for each position of each slider what differs from it.

    Arrays stand once, as float32 in base64, and are named by their number.
    """
    arrays: dict[str, int] = {}
    start = {control: panel.controls[control].value for control in SLIDERS[name]}
    opened = _shown(panel, arrays)
    sliders = {}
    for control, values in SLIDERS[name].items():
        values = sorted({*values, start[control]})
        frames = []
        for value in values:
            panel.set(**{control: value})
            if not panel.error:
                frames.append({"value": number(value)} | _differences(opened, _shown(panel, arrays)))
        panel.set(**start)
        sliders[control] = {"at": values.index(start[control]), "frames": frames}
    dark = {colour: on_dark(colour) for colour in sorted(set(colours(opened)))}
    whole = {"opened": opened, "sliders": sliders, "arrays": list(arrays), "dark": dark, "config": CONFIG}
    return json.dumps(whole, separators=(",", ":"), ensure_ascii=False).replace("</", "<\\/")


def _shown(panel: Panel, arrays: dict[str, int]) -> dict:
    """What a panel shows now: traces by name, layout, sentence and table."""
    if hasattr(panel, "finish"):
        panel.finish()
    traces = {name: _plain(trace.to_plotly_json(), arrays) for name, trace in panel.view.traces.items()}
    layout = _plain(panel.figure.layout.to_plotly_json(), arrays)
    return {"traces": traces, "layout": layout, "summary": panel.summary_text, "table": panel.table.value}


def _plain(value: object, arrays: dict[str, int]) -> object:
    """For JSON; an array of numbers becomes {"array": its number}."""
    if isinstance(value, dict):
        return {key: _plain(item, arrays) for key, item in value.items()}
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiu" and value.ndim == 1:
        text = base64.b64encode(np.asarray(value, "<f4").tobytes()).decode()
        return {"array": arrays.setdefault(text, len(arrays))}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(item, arrays) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and value != value else value


def _differences(opened: dict, now: dict) -> dict:
    """What to lay over `opened`: of each trace and of the layout the properties that differ; words as they are."""

    def over(before: dict, after: dict) -> dict:
        changed = {key: value for key, value in after.items() if before.get(key) != value}
        return changed | {key: None for key in before if key not in after}

    traces = {
        name: changed for name, trace in now["traces"].items() if (changed := over(opened["traces"][name], trace))
    }
    words = {key: now[key] for key in ("summary", "table") if now[key] != opened[key]}
    return {"traces": traces, "layout": over(opened["layout"], now["layout"])} | words
