"""The controls of an explorer: one for each kind of `Parameter`.

Every control has `name`, `value` (already checked), `problem` (the sentence about the last entry that was refused) and
`reset()`. A number is a slider for the eye and a box for the exact value: the box takes all that the domain allows, the
slider its usual range. Assistive technology reads the box (a log slider announces its exponent, not its value).
"""

import math
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from html import escape
from typing import Any

import ipywidgets as widgets
import traitlets

from dpbandits.explorers.toolkit.light import light, looks
from dpbandits.explorers.toolkit.scales import Scale, scale_for
from dpbandits.parameters import Parameter


class Control(widgets.HBox):
    """A parameter's widgets. Subclasses make `children`, call accept() with what the user enters, and implement
    show().
    """

    value = traitlets.Any()
    problem = traitlets.Unicode()

    def __init__(self, parameter: Parameter, value: object, children: Iterable[widgets.Widget], style: str):
        super().__init__(list(children), _dom_classes=(style,), **looks(widgets.HBox))
        self.name, self.parameter = parameter.name, parameter
        self.default = self._normal(value)
        self._showing = False
        self._tips: dict[widgets.Widget, str] = {}  # of parts that have been out of use
        self.set_trait("value", self.default)
        self._redisplay()
        self.observe(lambda change: self._redisplay(), "value")

    def accept(self, entry: object) -> None:
        """Take `entry` if the domain allows it; else say so in `problem` and show the old value again."""
        if self._showing:  # the widgets are being set from here, not by the user
            return
        self.problem = ""  # so that the same mistake made twice is told twice
        try:
            self.value = self._normal(entry)
        except ValueError as error:
            self.problem = str(error)
        self._redisplay()

    def reset(self) -> None:
        """Back to the default."""
        self.value = self.default

    def idle(self, why: str) -> None:
        """Out of use, for a reason that its tooltip tells; "" puts it back into use."""
        for part in self.children:
            if hasattr(part, "disabled") and part.disabled != bool(why):
                part.disabled = bool(why)
                self._tips.setdefault(part, part.tooltip)
                part.tooltip = f"{self.name} plays no part now: {why}" if why else self._tips[part]

    def show(self, value: object) -> None:
        """Set the widgets to `value`."""
        raise NotImplementedError

    def _normal(self, entry: object) -> Any:
        return self.parameter.check(entry)

    def _redisplay(self) -> None:
        self._showing = True
        try:
            self.show(self.value)
        finally:
            self._showing = False


def _tip(parameter: Parameter, more: str = "") -> str:
    return f"{parameter.name}: {parameter.description}. It must be {parameter.domain}.{more}"


class Number(Control):
    """Slider and number box. live: whether every move of a drag counts (closed forms) or only its end (simulations)."""

    def __init__(
        self, parameter: Parameter, value: float | None = None, scale: Scale | None = None, live: bool = False
    ):
        self.scale = scale = scale or scale_for(parameter)
        value = parameter.check(parameter.default if value is None else value)
        #: Whether a value goes together with the other controls; the slider stops at none that does not.
        self.fits: Callable[[float], bool] = lambda value: True
        self.integer = parameter.kind == "integer"
        tip = _tip(
            parameter, (" The left end of the slider is 0." if scale.zero else "") + " Arrow keys move the slider."
        )
        common = {"tooltip": tip, "continuous_update": live}
        if scale.log:
            low, high = math.log10(scale.low), math.log10(scale.high)
            readout = ",.0f" if self.integer else ".2g"
            kind: type[widgets.Widget] = widgets.FloatLogSlider
        else:
            low, high = scale.low, scale.high
            kind = widgets.IntSlider if self.integer else widgets.FloatSlider
            readout = "d" if self.integer else ".3g"
        at = (int if kind is widgets.IntSlider else float)(min(max(value, scale.low), scale.high))
        self.slider = light(kind, value=at, min=low, max=high, step=scale.step, readout_format=readout, **common)
        box = widgets.IntText if self.integer else widgets.FloatText
        self.box = light(box, value=value, description=scale.label, tooltip=tip, continuous_update=False)
        super().__init__(parameter, value, [self.slider, self.box], "dpb-number")
        self.slider.observe(lambda change: self._moved(change.new), "value")
        self.box.observe(lambda change: self.accept(change.new), "value")

    def _moved(self, position: float) -> None:
        # A browser moves the handle to the nearest stop when it first shows the slider; that is not the user's doing.
        if self._stop(position) != self._stop(self._on_slider(self.value)):
            value = self._rounded(position)
            if self.integer and value == self.value:  # many stops of a log slider lie between small integers
                value += 1 if position > self.value else -1
            fitting = self._fitting(value)
            if fitting is None:
                self._redisplay()
            else:
                self.accept(fitting)

    def _fitting(self, value: float) -> float | None:
        """The nearest value on the slider that fits: from `value` on in the direction of the move, then back towards
        where it was. None where there is none.
        """
        if self.fits(value):
            return value
        stops = self._stops()
        here, was = (self._stop(self._on_slider(number)) for number in (value, self.value))
        onward = stops[max(here, 0) :] if value > self.value else stops[: here + 1][::-1]
        back = stops[was : here + 1][::-1] if value > self.value else stops[max(here, 0) : was + 1]
        tried = (stop for stop in (*onward, *back) if stop != value)
        return next((stop for stop in tried if stop != self.value and self.fits(stop)), None)

    def _stops(self) -> list[float]:
        """The values at all stops of the slider, from the left."""
        low, high, step = self.scale.low, self.scale.high, self.scale.step
        if self.scale.log:
            count = round(math.log10(high / low) / step)
            return [self._rounded(low * 10 ** (i * step)) for i in range(count + 1)]
        stops = [self._rounded(low + i * step) for i in range(round((high - low) / step) + 1)]
        return [int(stop) for stop in stops] if self.integer else stops

    def follow(self) -> None:
        """Let the slider end where values begin that do not fit; where the value itself does not, it is all there."""
        stops, low, high = self._stops(), self.scale.low, self.scale.high
        if self.fits(self.value):
            at = min(max(self._stop(self._on_slider(self.value)), 0), len(stops) - 1)
            right = next((stop for stop in stops[:at:-1] if self.fits(stop)), self._on_slider(self.value))
            left = next((stop for stop in stops[:at] if self.fits(stop)), self._on_slider(self.value))
            high, low = (right if right > low else high), (left if left > low else low)
        self._showing = True
        try:
            widest = (math.log10(low), math.log10(max(high, low))) if self.scale.log else (low, max(high, low))
            self.slider.min = min(self.slider.min, widest[0])
            self.slider.max = max(self.slider.max, widest[1])
            self.slider.min, self.slider.max = widest
            self.slider.value = type(self.slider.value)(min(max(self._on_slider(self.value), low), high))
        finally:
            self._showing = False

    def _stop(self, position: float) -> int:
        """Which stop of the slider lies nearest."""
        if self.scale.log:
            return round(math.log10(position / self.scale.low) / self.scale.step)
        return round((position - self.scale.low) / self.scale.step)

    def _on_slider(self, value: float) -> float:
        return type(self.slider.value)(min(max(value, self.scale.low), self.scale.high))

    def _rounded(self, position: float) -> float:
        """What a slider position stands for: a number that is short to read and to type."""
        if self.scale.zero and position <= self.scale.low * 1.001:
            return 0.0
        if not self.scale.log:
            return round(position, 12)
        return int(float(f"{position:.2g}")) if self.integer else float(f"{position:.3g}")

    def limit(self, high: float) -> None:
        """A new upper end of domain and slider; a value beyond it moves there."""
        self.parameter, self.scale = replace(self.parameter, high=high), replace(self.scale, high=high)
        value = min(self.value, high)
        self._showing = True
        self.slider.value = min(self.slider.value, high)
        self.slider.max = high
        self._showing = False
        self.value = value
        self._redisplay()

    def show(self, value: float) -> None:
        self.box.value = value
        self.slider.value = self._on_slider(value)


class Entry(Control):
    """Something typed: a list of numbers, with commas between them. Other kinds: read() and write() of a subclass."""

    BOX, HINT = widgets.Text, " Commas between."

    def __init__(self, parameter: Parameter, value: object):
        tip = _tip(parameter, self.HINT)
        self.box = light(self.BOX, description=parameter.name, tooltip=tip, continuous_update=False)
        super().__init__(parameter, value, [self.box], "dpb-entry")
        self.box.observe(lambda change: self.accept(change.new), "value")

    @staticmethod
    def read(text: str) -> Any:
        """What was typed. Raises ValueError."""
        return [float(part) for part in text.replace(";", ",").split(",") if part.strip()]

    @staticmethod
    def write(value: tuple) -> str:
        """As it would be typed."""
        return ", ".join(f"{v:.12g}" for v in value)

    def _normal(self, entry: object) -> Any:
        if isinstance(entry, str):
            try:
                entry = self.read(entry)
            except ValueError:
                pass  # the parameter's own sentence shows what was typed
        return self.parameter.check(entry)

    def show(self, value: object) -> None:
        self.box.value = self.write(value)


class Rows(Entry):
    """Several vectors: one a line, with commas between their numbers, or as on the command line, 1:0:0,0:1:0."""

    BOX, HINT = widgets.Textarea, " One vector a line, commas between its numbers."

    @staticmethod
    def read(text: str) -> list[list[float]]:
        lines = text.split(",") if ":" in text else text.splitlines()
        return [Entry.read(line.replace(":", ",")) for line in lines if line.strip()]

    @staticmethod
    def write(value: tuple) -> str:
        return "\n".join(map(Entry.write, value))

    def show(self, value: tuple) -> None:
        self.box.rows = min(max(len(value), 2), 8)
        super().show(value)


class Words(Entry):
    """A text, such as a folder."""

    HINT = ""

    @staticmethod
    def read(text: str) -> str:
        return text.strip()

    @staticmethod
    def write(value: str) -> str:
        return value


class Choice(Control):
    """One of several: a menu. labels: what is shown for each choice."""

    def __init__(self, parameter: Parameter, value: str, label: str = "", labels: Mapping[str, str] | None = None):
        options = [((labels or {}).get(c, c), c) for c in parameter.choices]
        tip = f"{parameter.name}: {parameter.description}."
        self.menu = light(
            widgets.Dropdown,
            options=options,
            value=parameter.check(value),
            description=label or parameter.name,
            tooltip=tip,
        )
        super().__init__(parameter, value, [self.menu], "dpb-entry")
        self.menu.observe(lambda change: self.accept(change.new), "value")

    def show(self, value: str) -> None:
        self.menu.value = value


class Switch(Control):
    """On or off: a check box."""

    def __init__(self, parameter: Parameter, value: bool, label: str = ""):
        words = {"description": label or parameter.name, "tooltip": parameter.description}
        self.box = light(widgets.Checkbox, value=parameter.check(value), indent=False, **words)
        super().__init__(parameter, value, [self.box], "dpb-switch")
        self.box.observe(lambda change: self.accept(change.new), "value")

    def show(self, value: bool) -> None:
        self.box.value = value


class Several(Control):
    """Some of many, at most `limit` at once: check boxes. options: name -> tooltip; swatches: name -> HTML before the
    name.
    """

    def __init__(
        self,
        name: str,
        options: Mapping[str, str],
        value: Iterable[str],
        limit: int = 6,
        swatches: Mapping[str, str] | None = None,
    ):
        self.limit, self.options = limit, tuple(options)
        self.boxes = {
            option: light(
                widgets.Checkbox,
                value=option in value,
                description=(swatches or {}).get(option, "") + escape(option),
                description_allow_html=True,
                tooltip=f"{option}: {tip}",
                indent=False,
            )
            for option, tip in options.items()
        }
        parameter = Parameter(name, f"at most {limit} at once", kind="choice", choices=self.options)
        super().__init__(parameter, value, self.boxes.values(), "dpb-several")
        if max(map(len, options)) > 17:  # too long for two in a row
            self.add_class("dpb-long")
        for box in self.boxes.values():
            box.observe(lambda change: self.accept([o for o, b in self.boxes.items() if b.value]), "value")

    def _normal(self, entry: Iterable[str]) -> tuple[str, ...]:
        if isinstance(entry, str) or not isinstance(entry, Iterable):
            entry = [entry]
        chosen = {self.parameter.check(option) for option in entry}
        if not 1 <= len(chosen) <= self.limit:
            raise ValueError(
                f"{self.parameter.name}: {len(chosen)} chosen is not allowed: 1 to {self.limit} can be shown at once."
            )
        return tuple(option for option in self.options if option in chosen)

    def show(self, value: tuple[str, ...]) -> None:
        for option, box in self.boxes.items():
            box.value = option in value


class Seed(Control):
    """The seed, and a button that draws a new one: it never changes by itself."""

    def __init__(self, parameter: Parameter, value: int = 0):
        tip = _tip(parameter, " The same seed gives the same numbers.")
        value = parameter.check(value)
        self.box = light(widgets.IntText, value=value, description="seed", tooltip=tip, continuous_update=False)
        words = {"description": "new seed", "tooltip": "Other random numbers, the same settings"}
        self.button = light(widgets.Button, **words)
        super().__init__(parameter, value, [self.box, self.button], "dpb-entry")
        self.box.observe(lambda change: self.accept(change.new), "value")
        self.button.on_click(lambda _: self.accept(secrets.randbelow(10**6)))

    def show(self, value: int) -> None:
        self.box.value = value


TYPED = {"vector": Entry, "vectors": Rows, "text": Words}


def control_for(parameter: Parameter, value: object = None, live: bool = False) -> Control:
    """The control that fits the kind of `parameter`, at `value` or its default."""
    value = parameter.default if value is None else value
    if parameter.kind in TYPED:
        return TYPED[parameter.kind](parameter, value)
    if parameter.kind in ("choice", "flag"):
        return (Choice if parameter.kind == "choice" else Switch)(parameter, value)
    return Number(parameter, value, live=live)


def loosest(parameters: Iterable[Parameter]) -> Parameter:
    """One parameter whose domain holds those of all `parameters`, which share a name."""
    parameters = list(parameters)
    low, high = min(p.low for p in parameters), max(p.high for p in parameters)
    return replace(
        parameters[0],
        low=low,
        high=high,
        required=False,
        open_low=all(p.open_low for p in parameters if p.low == low),
        open_high=all(p.open_high for p in parameters if p.high == high),
    )
