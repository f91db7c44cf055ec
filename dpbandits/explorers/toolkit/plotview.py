"""The plot of a panel: a plotly figure, kept in Python, drawn in the browser by plotly.js, which reaches a page once.

What travels to the browser is shared among small models, so that nothing waits for plotly.js and nothing is lost:
  PlotView   the view. anywidget gives a model two seconds to start, and drops what comes for one that took longer: so
             nothing here ever changes;
  Parts      what changes: the looks of each trace, each array on its own, the layout. A core model of ipywidgets, which
             drops nothing;
  Page       one for a kernel: the style sheet, and where plotly.js is;
  Library    one for a kernel: plotly.js of the installed plotly, compressed. It follows the first panel unasked, since
             a kernel that runs all cells answers a question only after the last.
"""

import gzip
import hashlib
import threading
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from importlib import resources
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as widgets
import numpy as np
import plotly.graph_objects as go
import traitlets
from ipywidgets.widgets.widget import _remove_buffers
from plotly.offline import get_plotlyjs_version

from dpbandits.explorers.toolkit.light import light
from dpbandits.figures.dark import on_dark
from dpbandits.figures.labels import log_ticks

HERE = Path(__file__).parent
UNUSED = ["toImage", "select2d", "lasso2d", "autoScale2d"]  # the panel's own button saves a plot, named by its settings
CONFIG = {"displaylogo": False, "modeBarButtonsToRemove": UNUSED, "responsive": False}
LEFT_TO_PLOTLY = {"dtick": None, "tickvals": None, "ticktext": None, "minor": None}
SHORT = 8  # a list of numbers that is no longer than this stays among the looks
#: Integers by the least that holds them; what needs more becomes a float.
INTEGERS = (np.uint8, np.int16, np.int32)


class Parts(widgets.Widget):
    """A core model whose state is a dictionary: a change is one message, and a page that comes late gets all of it."""

    def __init__(self, **parts: object):
        self.parts: dict[str, Any] = parts
        super().__init__()

    def get_state(self, key=None, drop_defaults=False):
        state = super().get_state(key, drop_defaults)
        return state | self.parts if key is None else state

    def change(self, parts: Mapping[str, Any]) -> None:
        """Send the parts that are not what the browser has."""
        fresh = {name: value for name, value in parts.items() if name not in self.parts or self.parts[name] != value}
        self.parts |= fresh
        if fresh and self.comm is not None:
            state, paths, buffers = _remove_buffers(fresh)
            self.comm.send(data={"method": "update", "state": state, "buffer_paths": paths}, buffers=buffers)


class Library(Parts):
    """plotly.js on its way to a page. No server's limit on the messages of outputs holds a comm's first one back."""


@cache
def plotly_js() -> bytes:
    """plotly.js of the installed plotly, compressed: 1.5 MB of 5. Raises OSError where the file is missing."""
    return gzip.compress((resources.files("plotly") / "package_data" / "plotly.min.js").read_bytes(), 6, mtime=0)


class Page(Parts):
    """What all plots of a kernel share: the style sheet, plotly.js's version, and who brings it, or why nobody can."""

    def __init__(self):
        style = "\n".join(path.read_text(encoding="utf-8") for path in sorted(HERE.glob("*.css")))
        name = hashlib.sha256(style.encode()).hexdigest()[:12]
        super().__init__(style=style, style_name=name, version=get_plotlyjs_version(), library="", problem="")
        self.on_msg(lambda _, content, buffers: content.get("ask") == "plotly.js" and self.fetch())

    def fetch(self) -> None:
        """Send plotly.js, once more where it was sent before."""
        try:
            library = Library(source=plotly_js())
        except OSError as error:
            reason = f"{error.strerror or error}: {error.filename or 'plotly.min.js'}"
            self.change(
                {
                    "library": "",
                    "problem": f"plotly.js is missing from the installed plotly ({reason}). Install plotly again.",
                }
            )
        else:
            self.change({"library": library.model_id or "", "problem": ""})

    def fetch_soon(self) -> None:
        """Send plotly.js behind the output of the cell that runs now, so that the panel does not wait for it."""
        shell = _shell()
        if shell is None:
            self.fetch()
            return

        def after():
            shell.events.unregister("post_execute", after)
            self.fetch()

        shell.events.register("post_execute", after)


def _shell():
    try:
        from IPython import get_ipython
    except ImportError:
        return None
    return get_ipython()


_pages: list[Page] = []


def page() -> Page:
    """The kernel's Page; a new one where all widgets were closed."""
    if not _pages or _pages[-1].comm is None:
        _pages[:] = [Page()]
        _pages[-1].fetch_soon()
    return _pages[-1]


class PlotView(anywidget.AnyWidget):
    """A plotly figure whose traces have names, drawn where this widget stands.

    figure: a go.Figure whose traces have their names as `uid`, each its own; redraw() is what changes it, and sends
    only what is new. picture: stem of a downloaded picture's name, from the next redraw on.
    """

    _esm = HERE / "plotview.js"
    data = traitlets.Instance(widgets.Widget).tag(sync=True, **widgets.widget_serialization)
    page = traitlets.Instance(widgets.Widget).tag(sync=True, **widgets.widget_serialization)

    def __init__(self, figure: go.Figure, picture: str = "dpbandits"):
        self.figure, self.picture = figure, picture
        self.traces = {trace.uid: trace for trace in figure.data}
        if len(self.traces) != len(figure.data) or not all(self.traces):
            raise ValueError(
                f"uid: each trace must have its own name, and these have {[trace.uid for trace in figure.data]}."
            )
        self.version, self.zoom = 0, 0
        axes = {name: axis for name, axis in figure.layout.to_plotly_json().items() if name[1:5] == "axis"}
        self.ticked = {name: False for name, axis in axes.items() if not {"dtick", "tickvals"} & axis.keys()}
        self._lock = threading.RLock()
        super().__init__(data=Parts(config=CONFIG), page=page(), _dom_classes=("dpb-plot",))
        self._tick()
        self.push()

    def redraw(self, edits: Mapping[str, Mapping[str, Any]], sheet: Mapping[str, Any] | None = None) -> None:
        """Change traces (name -> property -> value) and the layout ("xaxis.type" -> value), in one message."""
        with self._lock:
            for name, edit in edits.items():
                for place, value in edit.items():
                    self.traces[name][place] = value
            for place, value in (sheet or {}).items():
                self.figure.layout[place] = value
            self._tick()
            self.push()

    def _tick(self) -> None:
        """Ticks of log axes at powers of ten, or at 1, 2, 5, 10, ...: plotly alone may write 2, 5, 10, 2, 5, 100."""
        for name in self.ticked:
            axis, place = self.figure.layout[name], name.replace("axis", "")
            if self.ticked[name]:
                axis.update(LEFT_TO_PLOTLY)
                axis._props.pop("minor", None)  # plotly leaves an empty one there: after a reset nothing may be left
            self.ticked[name] = axis.type == "log"
            if not self.ticked[name]:
                continue
            shown = [t for t in self.figure.data if t.visible is not False and place[0] in t]
            seen = [t[place[0]] for t in shown if (t[f"{place[0]}axis"] or place[0]) == place]
            ends = [10.0**end for end in axis.range or ()]
            values = np.array(ends or [v for part in seen if part is not None for v in part], float)
            values = values[np.isfinite(values) & (values > 0)]
            axis.update(log_ticks(values, axis.nticks or 9))

    def push(self) -> None:
        """Send what the figure has and the browser does not: after a change that redraw() did not make."""
        with self._lock:
            parts: dict[str, Any] = {"order": list(self.traces), "picture": self.picture}
            for name, trace in self.traces.items():
                parts[name] = _looks(trace.to_plotly_json(), name, parts)
            layout = _plain(self.figure.layout.to_plotly_json())
            parts["layout"] = layout | {"uirevision": self._kept_zoom()}
            parts["dark"] = {colour: on_dark(colour) for colour in sorted(set(colours(parts)))}
            gone = {
                name: None
                for name, value in self.data.parts.items()
                if "/" in name and name not in parts and value is not None
            }
            if any(self.data.parts.get(name) != value for name, value in (parts | gone).items()):
                self.version += 1
                self.data.change(parts | gone | {"version": self.version})

    def unzoom(self) -> None:
        """Let the next redraw show all of the plot, whatever part its reader has chosen."""
        self.zoom += 1

    def _kept_zoom(self) -> str:
        """A reader's zoom stays as long as this does: the same axes with the same meaning."""
        axes = [axis for name, axis in self.figure.layout.to_plotly_json().items() if name[1:5] == "axis"]
        return f"{self.zoom} " + "; ".join(f"{axis.get('type')} {axis.get('title', {}).get('text')}" for axis in axes)


# --- how a figure becomes parts ---------------------------------------------------------------------------------------


def _looks(value: object, place: str, parts: dict[str, Any]) -> Any:
    """`value` for JSON; each array goes to `parts` under its place, which stands in its stead as {"part": place}."""
    if isinstance(value, dict):
        return {key: _looks(item, f"{place}/{key}", parts) for key, item in value.items()}
    if isinstance(value, (np.ndarray, list, tuple)) and (packed := pack(value)) is not None:
        parts[place] = packed
        return {"part": place}
    return _plain(value)


def pack(values: object) -> dict[str, Any] | None:
    """An array as {"dtype", "shape", "bytes"}, words as codes beside {"words"}; None for what is short or mixed."""
    try:
        array = np.asarray(values)
    except ValueError:
        return None
    if array.size <= SHORT and not isinstance(values, np.ndarray) or array.ndim == 0:
        return None
    if array.dtype.kind == "U" and not isinstance(values, np.ndarray):
        array = np.asarray(values, object)  # numpy has made words of numbers that stand among words
    if array.dtype.kind in "OU" and array.size > SHORT and all(isinstance(word, str) for word in array.flat):
        words, codes = np.unique(array.astype(str), return_inverse=True)
        if words.size <= 256:
            return pack(codes.reshape(array.shape)) | {"words": words.tolist()}
        return None
    if array.dtype.kind in "iu":
        fits = (
            kind
            for kind in INTEGERS
            if array.size == 0 or np.iinfo(kind).min <= array.min() <= array.max() <= np.iinfo(kind).max
        )
        array = array.astype(next(fits, np.float64))
    elif array.dtype.kind != "f":
        return None
    elif array.dtype not in (np.float32, np.float64):
        array = array.astype(np.float64)
    return {"dtype": array.dtype.name, "shape": list(array.shape), "bytes": np.ascontiguousarray(array).tobytes()}


def _plain(value: object) -> Any:
    """`value` for JSON: arrays as lists, what is no number as None."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(item) for item in (value.tolist() if isinstance(value, np.ndarray) else value)]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and value != value else value


def colours(value: object, key: str = "") -> Iterator[str]:
    """Every colour in looks, arrays and layout, as it is written there."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from colours(item, key if name == "words" else name)
    elif isinstance(value, list):
        for item in value:
            yield from colours(item, key)
    elif isinstance(value, str) and (key.endswith(("color", "colorscale"))):
        yield value


def waiting() -> widgets.HTML:
    """The sentence in a plot's place until the page's own scripts take over; it stays where they may not run."""
    late = (
        "No plot yet: the page's scripts are blocked, or anywidget is missing where Jupyter runs."
        " `dpbandits doctor` says more."
    )
    text = (
        "<style>@keyframes dpb-late { to { visibility: visible } }</style>"
        "<div class='dpb-waiting' role='status'>The plot is on its way …"
        f"<span style='visibility: hidden; animation: dpb-late 0s 15s forwards'> {escape(late)}</span></div>"
    )
    return light(widgets.HTML, text)
