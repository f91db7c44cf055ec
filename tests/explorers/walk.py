"""Moves of a panel's controls, as a user makes them: through the whole range, in pairs, and in storms."""

import inspect
import math
import random
from collections.abc import Iterator

from dpbandits import explorers
from dpbandits.explorers.toolkit.controls import Choice, Control, Entry, Number, Seed, Several, Switch
from dpbandits.explorers.toolkit.panel import Panel

#: What keeps a panel quick, where it takes it; a move stays below LIMITS.
SMALL = {"horizon": 200, "runs": 2, "points": 3, "trials": 100, "streams": 5, "users": 30, "length": 64, "games": 20}
LIMITS = {
    "horizon": 2000,
    "runs": 4,
    "points": 5,
    "trials": 500,
    "streams": 20,
    "users": 500,
    "length": 512,
    "nodes": 8,
}
#: What nobody should enter.
NASTY = (None, math.nan, -1, math.inf, 1e300, 5e-324, 10**400, "x", "", [], {}, True, 0, "<b>", object())


def make(name: str) -> Panel:
    """The explorer `name`, small."""
    function = getattr(explorers, name)
    taken = inspect.signature(function).parameters
    if any(p.kind is p.VAR_KEYWORD for p in taken.values()) and name.endswith(("_regret", "_bounds")):
        taken = {**taken, "horizon": None, "runs": None}
    return function(**{key: value for key, value in SMALL.items() if key in taken})


def positions(control: Control, count: int = 7) -> list[object]:
    """Values through the whole range of a control, both ends among them."""
    if isinstance(control, Number):
        scale, top = control.scale, LIMITS.get(control.name, math.inf)
        low, high = scale.low, max(scale.low, min(scale.high, top))
        parts = [i / (count - 1) for i in range(count)]
        if scale.log:
            values = [low * (high / low) ** part for part in parts]
        else:
            values = [low + round((high - low) * part / scale.step) * scale.step for part in parts]
        values = [min(max(value, low), high) for value in values]
        found = [0.0] * scale.zero + [int(round(v)) if control.integer else float(f"{v:.6g}") for v in values]
        return list(dict.fromkeys(found))
    if isinstance(control, Choice):
        return list(control.parameter.choices)
    if isinstance(control, Switch):
        return [False, True]
    if isinstance(control, Seed):
        return [0, 1, 2**40]
    if isinstance(control, Several):
        some = [[option] for option in control.options]
        return [*some, list(control.options[: control.limit])]
    if isinstance(control, Entry):
        if control.parameter.kind == "vector":
            return [control.value, control.value[::-1], control.value[:3], (0.5,) * len(control.value), (0.0, 1.0)]
        return [control.value]
    return [control.value]


def slide(panel: Panel, values: dict[str, object]) -> None:
    """Move controls as a hand does: sliders by their handles, one after another, all else by choosing."""
    for name, value in values.items():
        control = panel.controls[name]
        if isinstance(control, Number):
            slider = control.slider
            low, high = (10**slider.min, 10**slider.max) if control.scale.log else (slider.min, slider.max)
            slider.value = type(slider.value)(min(max(value, low), high))
        else:
            panel.set(**{name: value})


def trouble(panel: Panel) -> str:
    """What is wrong with what a panel shows after a move; "" when nothing is."""
    if "fault, not you" in panel.error + panel.message or "Traceback" in panel.error:
        return panel.error
    if panel.blank and not panel.error:
        return "blank without a sentence"
    if panel.error and not panel.error.rstrip().endswith((".", "?", ")")):
        return f"no sentence: {panel.error}"
    if panel.blank and not is_plain(panel.blank):
        return f"no sentence: {panel.blank}"
    if not panel.blank and not any(t.visible is not False for t in panel.figure.data):
        return "no curve, and no word why"
    if not panel.blank and "nan" in panel.summary_text.split():
        return f"nan in words: {panel.summary_text}"
    return ""


def is_plain(sentence: str) -> bool:
    """Whether it is one of ours, and not a library's."""
    return sentence.endswith((".", "?")) and "Error" not in sentence


def alone(panel: Panel, count: int = 7) -> Iterator[dict[str, object]]:
    """Each position of each control (of a number, `count`), the others as the panel opens with them."""
    for name, control in panel.controls.items():
        for value in positions(control, count):
            yield {name: value}


def pair(panel: Panel, rng: random.Random) -> dict[str, object]:
    """Two controls at once, anywhere."""
    names = rng.sample(list(panel.controls), min(2, len(panel.controls)))
    return {name: rng.choice(positions(panel.controls[name], 9)) for name in names}


def move(panel: Panel, rng: random.Random) -> dict[str, object]:
    """One move of a storm: mostly one control, at times a pair, a nasty entry, or all back."""
    dice = rng.random()
    if dice < 0.05:
        return {rng.choice(list(panel.controls)): rng.choice(NASTY)}
    if dice < 0.25:
        return pair(panel, rng)
    name = rng.choice(list(panel.controls))
    return {name: rng.choice(positions(panel.controls[name], 12))}


def twin(name: str, panel: Panel) -> Panel:
    """A fresh panel, set to what the controls of this one say."""
    fresh = make(name)
    for _ in range(3):  # a move of one control may move another, and a range may have to widen first
        fresh.set(**panel.values)
        if fresh.values == panel.values:
            break
    return fresh
