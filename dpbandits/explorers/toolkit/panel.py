"""What all explorers share: the panel, its buttons, its status line, its exports.

A subclass gives controls and a figure whose traces exist from the start, and writes
  update()   what a change of a control does: compute, then view.redraw(...) and show(...);
  code()     the call that gives the same numbers without a panel;
  frame()    the numbers behind the plot, for CSV.
A ValueError in update() is the user's mistake: its sentence goes to the status line, and clear() hides the curves, so
that no plot ever stands beside settings that it does not belong to. Then code() and frame() refuse, and nothing is
saved, until a move is drawn again.
"""

import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import contextmanager
from functools import partial, wraps
from html import escape
from pathlib import Path
from typing import Any

import ipywidgets as widgets
import pandas as pd
import plotly.graph_objects as go
from IPython.display import display

from dpbandits.explorers.toolkit import export
from dpbandits.explorers.toolkit.controls import Control, Number
from dpbandits.explorers.toolkit.light import box, light, renew
from dpbandits.explorers.toolkit.plotview import PlotView, waiting
from dpbandits.explorers.toolkit.tables import code_block
from dpbandits.parameters import unknown

#: What a saved notebook says in a panel's place, and beside it: no file holds a panel, which lives in its kernel.
SAVED = "An explorer stands here: run the cell to use it."
GONE = "No explorer above? It lives while its kernel does: run this cell again."
#: What a title says of the controls, so that a picture on a slide makes sense alone.
TOLD = {"epsilon": "ε", "delta": "δ", "horizon": "T"}
HERE = Path(__file__).parent
STYLE = "".join((HERE / f"{name}.css").read_text(encoding="utf-8") for name in ("panel", "swatch"))


class Panel(widgets.VBox):
    """Controls left, plot right, both always in view together; below them a sentence, a table and the privacy caption.

    name: stem of exported files. groups: the controls by heading ("" for none), in the order shown; each name once.
    figure: of live_figure(); the plot's traces go by the names that they have there. width: of the plot in pixels; None
    lets it follow the room there is. live: whether there are simulations to stop. extras: what else stands below the
    controls.
    """

    TABLE = widgets.HTML  # HTMLMath where formulas stand in the table, between \\( and \\)

    def __init__(
        self,
        name: str,
        title: str,
        groups: Mapping[str, Sequence[Control]],
        figure: go.Figure,
        width: int | None = None,
        live: bool = False,
        extras: Sequence[widgets.Widget] = (),
    ):
        self.name, self.title, self.figure = name, title, figure
        self.view = PlotView(figure, name)
        if width is not None:
            figure.layout.width, self.view.layout.width = width, f"{width}px"
        self.controls = {control.name: control for group in groups.values() for control in group}
        self._lock, self._held = threading.RLock(), 0
        self.status, self.trouble, self.summary, self.caption, self.source = (light(widgets.HTML) for _ in range(5))
        self.table = light(self.TABLE)
        self.message = self.error = self.summary_text = ""
        self.blank, self._drawing = "", 0  # why nothing is shown; how many calls of guarded() are under way
        hidden = {"layout": {"display": "none"}, "_dom_classes": ("dpb-progress",)}
        self.progress = light(widgets.IntProgress, tooltip="runs finished", **hidden)
        controls = box("dpb-controls", *self._grouped(groups), *extras)
        left = box("dpb-left", self._heading(), controls, self.progress, self.trouble, self.status)
        body = box("dpb-body", left, box("dpb-right", waiting(), self.view))
        below = box("dpb-below", self._buttons(live), self.summary, self.table, self.source, self.caption)
        super().__init__([body, below], _dom_classes=("dpb-panel",))
        renew()
        self._followed: tuple = ()
        for control in self.controls.values():
            if isinstance(control, Number):
                control.fits = partial(self._fits, control.name)
            control.observe(lambda change: self.changed(change.owner), "value")
            control.observe(lambda change: change.new and self.tell(change.new, bad=True), "problem")

    def _buttons(self, live: bool) -> widgets.Widget:
        self.reset_button = self._button("Reset", "Back to the settings this panel opened with", self.reset)
        self.stop_button = self._button("Stop", "Break off the simulation and keep what there is", self.stop)
        self.stop_button.disabled = True
        tip = "The call that gives exactly these numbers"
        self.code_button = light(widgets.ToggleButton, description="Show code", tooltip=tip)
        self.code_button.observe(lambda change: self._show_code(), "value")
        self.csv_button = self._button("CSV", "Save the numbers behind the plot beside the notebook", self.save_csv)
        self.html_button = self._button(
            "HTML", "Save plot, table and code as one page beside the notebook", self.save_html
        )
        self.png_button = self._button("PNG", "Download the plot as a PNG picture", lambda: None)
        self.png_button.add_class("dpb-png")  # the browser itself takes the picture, and says whether it did
        self.view.data.on_msg(lambda _, content, buffers: self._pictured(content.get("picture")))
        stop = [self.stop_button] if live else []
        row = [self.reset_button, *stop, self.code_button, self.csv_button, self.html_button, self.png_button]
        return box("dpb-buttons", *row)

    def _repr_mimebundle_(self, **given):
        return super()._repr_mimebundle_(**given) | {"text/plain": SAVED}

    def _ipython_display_(self) -> None:
        """The panel, and below it a sentence that its style sheet hides: it is read where there is no panel."""
        if self.comm is None:  # closed: there is nothing to show any more
            display({"text/plain": SAVED}, raw=True)
            return
        display(self._repr_mimebundle_(), raw=True)
        display({"text/html": f"<p class='dpb-saved'>{escape(GONE)}</p>"}, raw=True)

    # What a subclass writes.

    def __init_subclass__(cls, **options):
        """In every subclass, code() and frame() tell of what is shown, or say why nothing is."""
        super().__init_subclass__(**options)
        for name in {"code", "frame"} & vars(cls).keys():
            setattr(cls, name, _of_what_is_shown(vars(cls)[name]))

    def update(self) -> None:
        raise NotImplementedError

    def code(self) -> str:
        raise NotImplementedError

    def frame(self) -> pd.DataFrame:
        raise NotImplementedError

    together: tuple[str, ...] = ()  # controls whose ranges depend on each other

    def allows(self, **moved: object) -> None:
        """Raises ValueError where the controls, with these values `moved`, cannot be drawn: sliders end before that."""

    def idle(self) -> Mapping[str, str]:
        """Controls that play no part at these settings, and why: they are out of use."""
        return {}

    # What it can use.

    @property
    def values(self) -> dict[str, Any]:
        """The value of every control."""
        return {name: control.value for name, control in self.controls.items()}

    def settings(self) -> dict[str, Any]:
        """The controls of TOLD that play a part now, and their values."""
        unused = self.idle()
        used = (name for name in TOLD if name in self.controls and name not in unused)
        return {name: self.values[name] for name in used if self.controls[name].layout.display != "none"}

    def titled(self, text: str, axes: Sequence[str] = ()) -> str:
        """A title that names ε, δ and T where `text` does not say them, apart from what moves along `axes`."""
        said = text.replace("(ε, δ) = ", "ε = δ = ")
        told = {TOLD[name]: value for name, value in self.settings().items() if name not in axes}
        return ", ".join([text, *(f"{s} = {value:,.10g}" for s, value in told.items() if f"{s} = " not in said)])

    @property
    def picture(self) -> str:
        """The name of a saved picture of what is shown: the panel's, with what ε, δ and T are."""
        return "-".join([self.name, *(f"{name}-{value:.10g}" for name, value in self.settings().items())])

    def set(self, **values: object) -> None:
        """Move controls, as a user would, with one redraw; the status line says what was refused. Raises ValueError for
        an unknown name.
        """
        for name in values:
            if name not in self.controls:
                raise ValueError(unknown("control", name, self.controls, f" of {self.name}"))
        with self.hold():
            for name, value in values.items():
                self.controls[name].accept(value)
        if refused := [self.controls[name].problem for name in values if self.controls[name].problem]:
            self.tell(" ".join(refused), bad=True)  # once more: the redraw has cleared the line

    def changed(self, control: Control) -> None:
        """A control has a new value. Extend it where one control moves another."""
        self.refresh()

    @contextmanager
    def hold(self):
        """Many changes, one redraw at the end."""
        with self.quiet():
            yield
        self.refresh()

    @contextmanager
    def quiet(self):
        """Changes without a redraw."""
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1

    def refresh(self) -> None:
        """Redraw from the controls. Never raises: what goes wrong is told on the status line."""
        if self._held:
            return
        with self._lock:
            self.trouble.value = self.error = ""
            self.guarded(self._update)

    def _fits(self, name: str, value: object) -> bool:
        try:
            self.controls[name].parameter.check(value)
            self.allows(**{name: value})
        except ValueError:
            return False
        return True

    def _update(self) -> None:
        self._follow()
        self.view.picture = self.picture
        self.update()

    def _follow(self) -> None:
        """Ranges and use of the controls follow the others."""
        unused = self.idle()
        for name, control in self.controls.items():
            control.idle(unused.get(name, ""))
        now = tuple(self.values[name] for name in self.together)
        if now and now != self._followed:
            self._followed = now
            for name in self.together:
                if isinstance(self.controls[name], Number):
                    self.controls[name].follow()

    def guarded(self, work) -> None:
        """Do `work`; an exception becomes a sentence on the status line and an empty plot."""
        self.blank, self._drawing = "", self._drawing + 1
        try:
            work()
            self._show_code()
        except Exception as error:  # noqa: BLE001 - a callback's traceback would be lost, so its words go to the status line
            self._fail(in_words(error))
        finally:
            self._drawing -= 1

    def clear(self) -> None:
        """Hide all curves. They keep what the next update() does not set anew."""
        self.view.redraw({name: {"visible": False} for name in self.view.traces})

    def finish(self) -> "Panel":
        """Wait for what is in flight; closed forms are always there."""
        return self

    def tell(self, message: str, bad: bool = False) -> None:
        """Write on the status line; `bad`, what was refused or failed, on a line of its own that stays until the next
        move.
        """
        if bad:
            self.error = message
            self.trouble.value = f"<div class='dpb-status dpb-bad' role='alert'>{escape(message)}</div>"
        else:
            self.message = message
            self.status.value = f"<div class='dpb-status' role='status'>{escape(message)}</div>"

    def fade(self, stale: bool) -> None:
        """Dim plot, sentence and table while they do not belong to the controls yet."""
        (self.add_class if stale else self.remove_class)("dpb-stale")

    def show(self, summary: str, table: str, caption: str = "") -> None:
        """The sentence under the plot (text), the table and the caption (HTML)."""
        self.summary.value = f"<div class='dpb-summary'>{escape(summary)}</div>"
        self.table.value = table
        self.caption.value = f"<div class='dpb-caption'>{caption}</div>" if caption else ""
        self.summary_text = summary

    # The buttons.

    def reset(self) -> None:
        """All controls back to their defaults, and all of the plot in sight."""
        self.view.unzoom()
        with self.hold():
            for control in self.controls.values():
                control.reset()

    def stop(self) -> None:
        """Break off a simulation; closed forms have none."""

    def save_csv(self, folder: str | Path = ".") -> Path | None:
        """Write the numbers behind the plot into `folder` (the notebook's); says where, and returns it."""
        return self._save(folder, lambda: export.write_csv(Path(folder), self.name, self.frame(), self.script()))

    def save_html(self, folder: str | Path = ".") -> Path | None:
        """Write plot, table and code as one page into `folder` (the notebook's); says where, and returns it."""
        parts = lambda: (self.summary.value, self.table.value, self.caption.value)
        return self._save(
            folder,
            lambda: export.write_html(Path(folder), self.name, self.title, self.figure, parts(), self.script(), STYLE),
        )

    def _save(self, folder, write) -> Path | None:
        self.finish()
        if self.blank:
            self.tell(f"Nothing was saved, as nothing is shown: {self.blank}", bad=True)
            return None
        try:
            path = write()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            self.tell(f"Nothing was saved: {str(folder)!r} cannot be written ({reason}).", bad=True)
            return None
        self.tell(f"Saved {path}")
        return path

    def _pictured(self, taken: bool | None) -> None:
        if taken is not None:
            done = f"The browser saves the picture {self.view.picture}.png among its downloads."
            self.tell(done if taken else "There is no picture to save before the plot is drawn.", bad=not taken)

    def _fail(self, message: str) -> None:
        self.blank = message
        self.clear()
        self.fade(False)
        self.show("No curve is shown: see the message beside the controls.", "")
        self._show_code()
        self.tell("")
        self.tell(message, bad=True)

    def script(self) -> str:
        """code(), with the import that it needs."""
        code = self.code()
        used = [name for name in ("catalogue", "simulate", "sweep") if re.search(rf"\b{name}\b", code)]
        return code if "import " in code else f"from dpbandits import {', '.join(used)}\n\n{code}"

    def _show_code(self) -> None:
        wanted = self.code_button.value
        text = f"# Nothing is shown: {self.blank}" if self.blank else self.script() if wanted else ""
        self.source.value = code_block(text) if wanted else ""

    def _button(self, label: str, tip: str, action) -> widgets.Button:
        button = light(widgets.Button, description=label, tooltip=tip)
        button.on_click(lambda _: action())
        return button

    def _heading(self) -> widgets.HTML:
        return light(widgets.HTML, f"<div class='dpb-title' role='heading' aria-level='3'>{escape(self.title)}</div>")

    @staticmethod
    def _grouped(groups: Mapping[str, Iterable[Control]]) -> list[widgets.Widget]:
        rows: list[widgets.Widget] = []
        for heading, controls in groups.items():
            if heading:
                rows.append(light(widgets.HTML, f"<div class='dpb-heading'>{escape(heading)}</div>"))
            switches = [c for c in controls if "dpb-switch" in c._dom_classes]
            rows += [c for c in controls if c not in switches]
            if switches:
                rows.append(box("dpb-switches", *switches, kind=widgets.HBox))
        return rows


def in_words(error: Exception) -> str:
    """What went wrong, for who moved a control: a mistake's own sentence, the limits of numbers and memory in words."""
    if is_sentence(error):
        return str(error)
    if isinstance(error, ArithmeticError):  # a division by zero, an overflow
        return "These settings are so extreme that the numbers no longer fit: nothing can be drawn here."
    if isinstance(error, MemoryError):
        return "These settings need more memory than there is: choose smaller sizes."
    detail = f"{type(error).__name__}: {error}"
    return f"This panel has a fault, not you: please report it with these settings ({detail})."


def is_sentence(error: Exception) -> bool:
    """Whether it tells a user's mistake, as this package does, and is not an error inside a library."""
    return isinstance(error, ValueError) and str(error).endswith((".", "?"))


def _of_what_is_shown(method: Callable) -> Callable:
    """code() or frame() that raises ValueError where nothing is shown; frame() waits for the numbers first."""

    @wraps(method)
    def guarded(self, *arguments, **named):
        if method.__name__ == "frame" and not self._drawing:
            self.finish()
        if self.blank:
            raise ValueError(f"Nothing is shown: {self.blank}")
        return method(self, *arguments, **named)

    return guarded
