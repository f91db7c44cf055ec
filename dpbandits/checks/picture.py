"""A picture of what a learner's functions did, for problem sets: an SVG inside the page, without a plot library.

    @picture.drawing
    def see_draws(epsilon=1.0):
        return picture.histogram({"your draws": draws(epsilon)}, curve=("your density", density), label="y")

    see_draws()

It shows in JupyterLab without scripts; where no page is, as on a marked copy, it says in words what it shows. An
answer that is missing, or fails, costs the picture and nothing else: a sentence stands in its place.
"""

import functools
import math
import traceback
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from itertools import cycle

import numpy as np

from dpbandits.checks import grading

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 640, 300, 20, 40, 34
NUMBERS = 52  # what `lines` leaves at the left for the numbers of its axis
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")  # as in figures/palette.py, which would load all algorithms
DASHES = ("", "8 4", "2 3", "10 3 2 3")
MOST = 400  # places of a curve that are drawn
SECONDS = 15.0  # of computing, for what a learner's functions do in one picture

#: Whether `regret` and `edges` draw what is ours. Where a course is marked the picture is the student's alone.
OURS = True


@dataclass(frozen=True)
class Picture:
    """svg: the drawing. words: the same in a sentence, for who does not see it."""

    svg: str
    words: str

    def __repr__(self) -> str:
        return self.words

    def _repr_html_(self) -> str:
        return f"<div>{self.svg}<p>{escape(self.words)}</p></div>"


def drawing(sketch: Callable) -> Callable[..., Picture]:
    """A function that draws what a learner's functions do, made safe: it always gives a Picture, if only of a sentence.

    sketch gives a Picture, or (see `regret`) a function that makes one, for which no time limit holds.
    """

    @functools.wraps(sketch)
    def drawn(*arguments, **named) -> Picture:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                made = grading.within(SECONDS, lambda: sketch(*arguments, **named))
                return made() if callable(made) else made
        except grading.TooLong:
            says = f"your functions took more than {SECONDS:g} s of computing. Is there an endless loop?"
        except NotImplementedError as error:
            says = f"{_culprit(error)} has no answer."
        except NameError as error:
            says = f"there is no {error.name or 'such name'}: run the cells above first."
        except grading.NotYet as error:
            says = str(error)
        except Exception as error:  # noqa: BLE001 - whatever an unfinished answer raises
            says = f"{_culprit(error)} raised {type(error).__name__}: {error}"
        return Picture("", f"Nothing to draw yet: {says}")

    return drawn


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
    x_of = _across(low, high, LEFT)
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
    words = "; ".join(f"{name}: mean {x.mean():.3g}, from {x.min():.3g} to {x.max():.3g}" for name, x in values.items())
    return _framed(pieces, names, words, label, (low, high), LEFT)


def lines(
    curves: Mapping[str, tuple],
    *,
    label: str,
    up: str,
    bands: Mapping[str, tuple] | None = None,
    dots: Mapping[str, tuple] | None = None,
    says: str = "",
) -> Picture:
    """Curves, bands and dots over one axis.

    curves, dots: name -> (places, heights). bands: name -> (places, lower ends, upper ends), in the colour of the curve
    of that name, grey where there is none. label, up: of the two axes. says: a sentence more.
    """
    curves, bands, dots = (
        {name: [np.asarray(part, float).ravel() for part in own] for name, own in (group or {}).items()}
        for group in (curves, bands, dots)
    )
    every = [*curves.values(), *bands.values(), *dots.values()]
    if not every or not all(part.size and np.isfinite(part).all() for own in every for part in own):
        return Picture("", "There is nothing to draw: a curve is empty, or has entries that are not finite.")
    low, high = _ends([own[0] for own in every])
    least, most = _ends([part for own in every for part in own[1:]])
    x_of = _across(low, high, NUMBERS)
    y_of = lambda y: HEIGHT - BOTTOM - (y - least) / (most - least) * (HEIGHT - BOTTOM - TOP)
    places = lambda x, y: " ".join(f"{x_of(a):.1f},{y_of(b):.1f}" for a, b in zip(x, y, strict=True))
    colours = dict(zip([*curves, *dots], cycle(COLOURS), strict=False))
    pieces, names, words = [], [], []
    for name, (x, lower, upper) in bands.items():
        few = _few(x)
        around = places([*x[few], *x[few][::-1]], [*lower[few], *upper[few][::-1]])
        colour = colours.get(name, "currentColor")
        pieces.append(f'<polygon points="{around}" fill="{colour}" fill-opacity="0.15"/>')
        names += [] if name in colours else [(colour, name)]
    for dash, (name, (x, y)) in zip(cycle(DASHES), curves.items(), strict=False):
        look = f'fill="none" stroke="{colours[name]}" stroke-width="2" stroke-dasharray="{dash}"'
        pieces.append(f'<polyline points="{places(x[_few(x)], y[_few(x)])}" {look}/>')
        names.append((colours[name], name))
        words.append(f"{name}: mean {y.mean():.3g}, from {y.min():.3g} to {y.max():.3g}")
    for name, (x, y) in dots.items():
        half = 2 if x.size > 50 else 4
        square = f"h{2 * half}v{2 * half}h-{2 * half}z"
        squares = "".join(f"M{x_of(a) - half:.1f} {y_of(b) - half:.1f}{square}" for a, b in zip(x, y, strict=True))
        pieces.append(f'<path d="{squares}" fill="{colours[name]}" fill-opacity="0.6"/>')
        names.append((colours[name], name))
        words.append(f"{name}: {x.size} places")
    for y in _round(least, most):
        pieces.append(f'<text x="{NUMBERS - 6}" y="{y_of(y) + 4:.1f}" text-anchor="end">{y:g}</text>')
    middle = (TOP + HEIGHT - BOTTOM) / 2
    pieces.append(f'<text transform="translate(12 {middle:g}) rotate(-90)" text-anchor="middle">{escape(up)}</text>')
    return _framed(pieces, names, "; ".join(words), label, (low, high), NUMBERS, says)


def regret(lost, algorithm: str, instance: str, *, blind: float, seed: int = 0, **parameters) -> Callable[[], Picture]:
    """What a learner's policy loses, beside one of ours on the same problem; the bands are two standard errors.

    lost: what each round lost, shape (runs, rounds). algorithm, instance, parameters: as for simulate(). blind: what a
    round loses if everything is chosen at random. Gives a function that draws, for `drawing`: compiling ours may take
    longer than a learner's functions may.
    """
    sums = np.cumsum(np.asarray(lost, float), axis=1)
    (runs, rounds), curves, bands, said = sums.shape, {}, {}, []

    def add(name: str, places: np.ndarray, found: np.ndarray) -> None:
        mean, error = found.mean(axis=0), found.std(axis=0, ddof=1) / math.sqrt(len(found))
        curves[name], bands[name] = (places, mean), (places, mean - 2 * error, mean + 2 * error)
        said.append(f"{name} {mean[-1]:.0f} ± {2 * error[-1]:.0f}")

    def draw() -> Picture:
        add("yours", np.arange(1, rounds + 1), sums)
        if OURS:
            from dpbandits.simulation import simulate

            given = {"horizon": rounds, "runs": max(runs, 20), "seed": seed, "checkpoints": 200, "spacing": "linear"}
            ours = simulate(algorithm, instance, progress=False, **given, **parameters)
            add(f"ours ({algorithm})", ours["round"].values, ours["regret"].transpose("run", "round").values)
        curves["blind choice"] = ([0, rounds], [0, blind * rounds])
        says = f"Lost after {rounds} rounds: {', '.join(said)}, blind choice {blind * rounds:.0f}."
        return lines(curves, bands=bands, label="round", up="regret so far", says=says)

    return draw


def edges(epsilon: float, delta: float) -> dict[str, tuple]:
    """For `lines`: the true edges of the region where (F, F′) may lie, as a closed curve."""
    if not OURS:
        return {}
    from dpbandits.privacy import feasible_region

    places = np.linspace(0, 1, 161)
    low, high = feasible_region(places, epsilon, delta)
    return {"true edges": ([*places, *places[::-1], 0], [*low, *high[::-1], low[0]])}


def _framed(pieces, names, words: str, label: str, ends: tuple[float, float], left: int, says: str = "") -> Picture:
    """Axis, legend and title around what was drawn between the ends of the axis."""
    x_of = _across(*ends, left)
    ticks = [f'<text x="{x_of(x):.1f}" y="{HEIGHT - 22}" text-anchor="middle">{x:g}</text>' for x in _round(*ends)]
    legend = "".join(f'<tspan fill="{colour}" dx="14">■ {escape(name)}</tspan>' for colour, name in names)
    words = f"{words[0].upper()}{words[1:]}. {says}".rstrip()
    svg = (
        f'<svg role="img" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" style="max-width:100%" fill="currentColor"'
        f' font-size="12" font-family="system-ui, sans-serif"><title>{escape(words)}</title>'
        f'<line x1="{left}" x2="{WIDTH - LEFT}" y1="{HEIGHT - BOTTOM}" y2="{HEIGHT - BOTTOM}" stroke="currentColor"/>'
        f'{"".join(pieces)}{"".join(ticks)}<text x="0" y="18">{legend}</text>'
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 4}" text-anchor="middle">{escape(label)}</text></svg>'
    )
    return Picture(svg, words)


def _across(low: float, high: float, left: int) -> Callable:
    """From a place on the axis to its pixel, where the axis begins `left` pixels from the edge."""
    return lambda x: left + (x - low) / (high - low) * (WIDTH - left - LEFT)


def _round(low: float, high: float) -> list[float]:
    """Some five round numbers between the ends."""
    raw = (high - low) / 5
    power = 10.0 ** np.floor(np.log10(raw))
    step = next(power * k for k in (1, 2, 5, 10) if power * k >= raw)
    return [float(round(k * step, 12)) for k in range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)]


def _ends(parts: list[np.ndarray]) -> tuple[float, float]:
    """Least and greatest of all, apart from each other."""
    low, high = min(p.min() for p in parts), max(p.max() for p in parts)
    return (float(low), float(high)) if high > low else (float(low) - 1, float(high) + 1)


def _few(x: np.ndarray) -> np.ndarray:
    """Indices of at most MOST places, the first and the last among them."""
    return np.unique(np.linspace(0, x.size - 1, min(x.size, MOST)).round().astype(int))


def _culprit(error: Exception) -> str:
    """The innermost function on the way to an error that a learner wrote: no library's, and not ours."""
    names = [
        frame.name
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename not in (__file__, grading.__file__)
        and "site-packages" not in frame.filename
        and not frame.filename.endswith(".pyx")
        and not frame.name.startswith("<")
    ]
    return names[-1] if names else "your function"
