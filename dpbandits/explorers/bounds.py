"""Lower bound, measured regret, upper bound: how tight are the theorems?"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from html import escape

import ipywidgets as widgets
import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.algorithms.catalogue import find
from dpbandits.environments import Instance
from dpbandits.explorers.regret import PRESETS
from dpbandits.explorers.toolkit.controls import Choice, Seed, Switch, control_for
from dpbandits.explorers.toolkit.engine import LIVE_HORIZON, LIVE_RUNS
from dpbandits.explorers.toolkit.plot import HEIGHT, HIDDEN, band, by_height, live_figure
from dpbandits.explorers.toolkit.simulation_panel import (
    Problem,
    SimulationPanel,
    parameter_controls,
    refuse_leftovers,
    spread,
)
from dpbandits.explorers.toolkit.tables import FAILS, number, privacy_caption, swatch, table
from dpbandits.explorers.toolkit.theory import Curve, Theory, no_lower_bound
from dpbandits.figures.palette import GREY, INK, translucent
from dpbandits.parameters import HORIZON, SEED, Parameter, unknown
from dpbandits.simulation import Cell, checkpoint_rounds

REACH = replace(
    HORIZON, name="reach", description="round up to which bounds are drawn, at least the horizon", required=False
)


def bounds(
    algorithm: str = "dp-ftpl-new",
    instance: str | Instance = "wang-zhu-1",
    *,
    setting: str = "stochastic",
    horizon: int = 100_000,
    runs: int = 10,
    seed: int = 0,
    reach: int | None = None,
    width: int | None = None,
    height: int = HEIGHT,
    **parameters: object,
) -> "BoundsExplorer":
    """What the theorems say about an algorithm, beside what it does, and beside uniform play.

    algorithm: one that a theorem bounds from above. instance: a name or an Instance. reach: the round up to which
    bounds are drawn, at least the horizon. parameters: first values of what algorithm, instance or bounds take
    (`epsilon`, `delta`, `c0`, `alpha`, `gap`, ...). Raises ValueError for bad input.
    """
    return BoundsExplorer(setting, algorithm, instance, dict(parameters), (horizon, runs, seed, reach), width, height)


def cascade_bounds(
    algorithm: str = "cascade-ldp-laplace", instance: str | Instance = "cascade-paper", **settings: object
) -> "BoundsExplorer":
    """bounds() in the cascade setting, drawn far beyond the horizon, to where a theorem begins to say something."""
    return bounds(algorithm, instance, setting="cascade", **settings)


def semibandit_bounds(
    algorithm: str = "cucb-ldp2", instance: str | Instance = "k-path", *, runs: int = 3, **settings: object
) -> "BoundsExplorer":
    """bounds() in the semi-bandit setting, drawn to where the upper bounds begin to say something.

    The lower bounds are about one instance each: Theorem 5 single-arms, 6 k-path, 9 public-arms and k-path.
    """
    return bounds(algorithm, instance, setting="semi-bandit", runs=runs, **settings)


def matroid_bounds(
    algorithm: str = "dpucb-mat", instance: str | Instance = "matroid-table-6.1", **settings: object
) -> "BoundsExplorer":
    """bounds() in the matroid setting, by the constants of the thesis's proofs or of complete ones, to where they say
    something.
    """
    return bounds(algorithm, instance, setting="matroid", **settings)


class BoundsExplorer(SimulationPanel):
    """See bounds()."""

    TABLE = widgets.HTMLMath

    def __init__(self, setting, algorithm, instance, parameters, numbers, width, height):
        self.preset = preset = PRESETS[setting]
        self.theory = Theory(setting, parameters, preset.bounds)
        self.theory.arrange(True)
        names = tuple(self.theory.upper_of)
        if algorithm not in names:
            raise ValueError(unknown("algorithm with an upper bound", algorithm, names))
        self.records = {name: find(name, setting) for name in names}
        problem = Problem(preset.instances, instance, parameters)
        privacy = parameter_controls(self.records.values(), preset.parameters, parameters)
        refuse_leftovers(parameters, set(problem.own) | set(privacy) | set(self.theory.controls))
        horizon, runs, seed, reach = numbers
        menu = Parameter("algorithm", "whose regret, and whose theorem", kind="choice", choices=names)
        groups = {
            "algorithm and its theorem": [Choice(menu, algorithm)],
            "problem": problem.controls,
            "privacy": list(privacy.values()),
            preset.assumed: list(self.theory.controls.values()),
            "simulation": [control_for(LIVE_HORIZON, horizon), control_for(LIVE_RUNS, runs), Seed(SEED, seed)],
            "view": [
                control_for(REACH, reach or preset.reach or horizon),
                Switch(Parameter("log_x", "logarithmic time axis", kind="flag"), True, "log t"),
                Switch(Parameter("log_y", "logarithmic vertical axis", kind="flag"), True, "log y"),
            ],
        }
        figure = self._figure(height)
        super().__init__(
            f"dpbandits-bounds-{setting}", "How tight are the theorems?", problem, privacy, groups, figure, width
        )

    def _figure(self, height: int) -> go.Figure:
        look = {"mode": "lines", "visible": False}
        traces = {
            "band": go.Scatter(
                **look, fill="toself", fillcolor=translucent(INK), line={"width": 0}, hoverinfo="skip", showlegend=False
            ),
            "worst": go.Scatter(**look, name="no policy loses more", line={"color": GREY, "dash": "dot", "width": 1.4}),
            "upper": go.Scatter(**look, name="upper bound", line={"color": INK, "dash": "dash", "width": 2}),
            "measured": go.Scatter(**look, name="measured", line={"color": INK, "width": 2.4}),
            "lower": go.Scatter(**look, name="lower bound", line={"color": GREY, "dash": "longdash", "width": 2}),
            "chance": go.Scatter(
                **look, name=self.preset.chance[0], line={"color": GREY, "dash": "dashdot", "width": 1.4}
            ),
        }
        return live_figure(traces, height=height, title=" ", x="round t", y="regret", log_x=True, log_y=True)

    def plan(self) -> list[Cell]:
        rounds = checkpoint_rounds(self.values["horizon"])
        cells = self.cells_of(self.records[self.values["algorithm"]], self.problem.instance(), rounds)
        if not cells:
            raise ValueError(" ".join(self.refused))
        return cells

    def plot(self, results) -> None:
        v, (cell, regret, _) = self.values, results[0]
        mean, deviation = spread(regret)
        rounds = cell.checkpoints
        upper, lower = self._theorems(cell)
        far, facts = (
            np.unique(np.append(rounds[::2], checkpoint_rounds(max(v["horizon"], v["reach"]), 150))),
            cell.instance.facts,
        )
        shown = {"visible": True, "mode": "lines"}

        def positive(x, y):
            return {"x": x, "y": np.where(y > 0, y, np.nan) if v["log_y"] else y, **shown}

        edits = {
            "band": {
                **band(rounds, mean, deviation, v["log_y"]),
                **shown,
                "fillcolor": translucent(cell.algorithm.colour),
                "line.color": INK,
            },
            "worst": positive(far, facts["worst_regret"] * far),
            "upper": HIDDEN if upper is None else positive(upper.x, upper.y),
            "measured": (
                positive(rounds, mean)
                | {
                    "line.color": cell.algorithm.colour,
                    "line.dash": cell.algorithm.dash,
                    "name": f"measured, mean of {len(regret)} run{'s' * (len(regret) > 1)}",
                }
            ),
            "lower": HIDDEN if lower is None else positive(lower.x, lower.y),
            "chance": positive(far, facts["uniform_regret"] * far),
        }
        self.view.redraw(
            by_height(edits),
            {
                "title.text": self.titled(f"{v['algorithm']} on {cell.instance.name}"),
                "xaxis.type": "log" if v["log_x"] else "linear",
                "yaxis.type": "log" if v["log_y"] else "linear",
            },
        )
        self._describe(cell, mean[-1], deviation[-1] / np.sqrt(len(regret)), upper, lower)

    def _describe(self, cell, mean: float, error: float, upper, lower) -> None:
        v, facts = self.values, cell.instance.facts
        most, uniform = facts["worst_regret"] * cell.horizon, facts["uniform_regret"] * cell.horizon
        times = lambda value: f"{number(value / mean)} ×" if mean > 0 else "–"
        rows = [("no policy loses more", "the worst choice in every round", number(most), times(most))]
        words = [f"{v['algorithm']} loses {mean:,.0f} in {cell.horizon:,} rounds"]
        for curve, name in ((upper, "upper bound"), (lower, "lower bound")):
            if curve is not None:
                value = curve.value
                rows.append((name, _evaluated(curve), number(value), times(value)))
                words.append(
                    f"the {name} is {number(value)}" + (f", {number(value / mean)} times that" if mean > 0 else "")
                )
        spreads = f"± {number(error)} (std. error)" if v["runs"] > 1 else "one run"
        rows.insert(1, (*self.preset.chance, number(uniform), times(uniform)))
        rows.insert(
            3 if upper else 2,
            (f"{swatch(cell.algorithm)}measured", spreads, f"{mean:,.1f}", "1 ×"),
        )
        rows = [
            row
            for known in rows
            for row in (known, *_terms(known[0], {"upper bound": upper, "lower bound": lower}, times))
        ]
        if upper is not None and upper.value >= most:
            words.append("the upper bound says nothing yet: no policy could lose that much")
        if upper is not None:
            words.append(
                self._begins(upper, facts, "it" if lower is None or upper.value >= most else "the upper bound")
            )
        if lower is not None and lower.bound.asymptotic:
            words.append(self._late(lower, facts))
            if lower.value > mean:
                words.append("so this T, at which less was lost, is still too small for it")
        guarantee = cell.algorithm.guarantee(cell.parameters, cell.instance, cell.horizon)
        shown = [curve for curve in (upper, lower) if curve is not None]
        notes = [f"{curve.bound.where}: {curve.bound.symbols}." for curve in shown]
        told = [note for curve in shown for note in curve.notes]
        notes += [note for note in told if "says nothing at this horizon" not in note]  # told above, by this instance
        if lower is None and not self.theory.lower_bounds(cell):
            notes.append(no_lower_bound([cell.algorithm.name]))
        if lower is not None and guarantee.status == FAILS:
            notes.append(
                "The lower bound is about algorithms that keep this promise; this one does not, and may lose less."
            )
        caption = privacy_caption([(cell.algorithm.name, guarantee)], notes)
        self.show("; ".join(words) + ".", table(("", "where", "at T", "÷ measured"), rows, numeric=(2, 3)), caption)

    def _theorems(self, cell):
        """Curves of the upper and the lower bound, each None where it does not apply."""
        reach = self.values["reach"]
        return self.theory.uppers(self, [cell], reach).get(cell.algorithm.name), self.theory.lower(self, [cell], reach)

    def _begins(self, upper, facts, who: str) -> str:
        """Where the upper bound falls below what anybody loses, and below uniform play."""
        about = lambda x: number(float(f"{x:.2g}"))
        anybody, uniform = upper.falls_below(facts["worst_regret"]), upper.falls_below(facts["uniform_regret"])
        if anybody is None:
            return f"up to T = {upper.x[-1]:,} {who} is never below the worst policy: draw it further"
        chance = self.preset.chance[0]
        beats = f"not yet below {chance}" if uniform is None else f"below {chance} from about {about(uniform)}"
        return f"{who} is below the worst policy from about T = {about(anybody)} on, and {beats}"

    def _late(self, lower, facts) -> str:
        """Until when a bound on liminf R(T)/ln T cannot hold yet: while it is above what a random choice loses."""
        chance, below = self.preset.chance[0], lower.falls_below(facts["uniform_regret"])
        when = (
            f"up to T = {lower.x[-1]:,} it is"
            if below is None
            else f"before T = {number(math.ceil(below))} it would be"
        )
        early = "" if below == lower.x[0] else f"; {when} more than {chance} loses"
        return f"the lower bound is a rate for T → ∞{early}"

    def code(self) -> str:
        v, names = self.values, [c.algorithm.name for c in self.cells]
        lines = [
            "from dpbandits import catalogue, simulate",
            f"regret = {self.call('simulate', [c.algorithm for c in self.cells])}",
        ]
        lower = [bound for cell in self.cells for bound in self.theory.lower_bounds(cell)]
        for bound in [self.theory.upper_of[n] for n in names] + lower:
            given = {"horizon": v["horizon"]} | self.theory.given(bound, self.cells[0], self)
            if "instance" in given:
                given |= {"instance": v["instance"], **self.problem.parameters}
            lines.append(
                f'catalogue.bounds()["{bound.name}"].value({", ".join(f"{k}={x!r}" for k, x in given.items())})'
            )
        return "\n".join(lines)

    def frame(self) -> pd.DataFrame:
        """round, measured mean and standard deviation, and the bounds (empty where a bound says nothing)."""
        regret = self.engine.finish().results()[0][0]
        mean, deviation = spread(regret)
        cell = self.cells[0]
        frame = pd.DataFrame(
            {"round": cell.checkpoints, "regret_mean": mean, "regret_std": deviation, "runs": len(regret)}
        )
        for name, curve in zip(("upper", "lower"), self._theorems(cell), strict=True):
            if curve is not None:
                frame = frame.merge(pd.DataFrame({"round": curve.x, f"{name}_bound": curve.y}), on="round", how="outer")
        return frame


def _formula(latex: str) -> str:
    """A cell's formula, for the browser to set."""
    return f"<span class='dpb-formula'>\\({escape(latex)}\\)</span>"


def _evaluated(curve: Curve) -> str:
    """Where a bound stands, and what its value is made from: the formula as printed, or a corrected one."""
    bound, printed = curve.bound, _formula(curve.bound.formula)
    if curve.constants != "corrected":
        return f"{bound.where}{', as printed' * bool(curve.constants)}: {printed}"
    if len(curve.terms) == 1:
        return f"{bound.where}, <b>corrected</b>: {_formula(curve.terms[0].formula)}"
    parts = f": the {'largest' if bound.largest else 'sum'} of the terms below" if curve.terms else ""
    return f"{bound.where}, <b>corrected</b>{parts} (not as printed: {printed})"


def _terms(name: str, curves: Mapping[str, Curve | None], times: Callable[[float], str]) -> list[tuple[str, ...]]:
    """The rows of a bound's parts, where it has more than one."""
    curve = curves.get(name)
    if curve is None or len(curve.terms) < 2:
        return []
    head = "or " if curve.bound.largest else "+ "
    return [
        (
            f"<span class='dpb-term'>{'  ' if first else head}{escape(term.words)}</span>",
            _formula(term.formula),
            number(term.value),
            times(term.value),
        )
        for first, term in zip([True] + [False] * len(curve.terms), curve.terms, strict=False)
    ]
