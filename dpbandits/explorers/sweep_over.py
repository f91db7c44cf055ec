"""Regret against a parameter, live, in all four settings, with fitted slopes and the theorems' curves."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from html import escape
from types import SimpleNamespace

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.algorithms.catalogue import ALGORITHMS, find
from dpbandits.environments import INSTANCES, Instance, build
from dpbandits.explorers.regret import PRESETS as SETTINGS
from dpbandits.explorers.toolkit.axes import AXES, PRESETS, Axis, coarse_first, opening
from dpbandits.explorers.toolkit.controls import Choice, Control, Number, Seed, Several, Switch, control_for
from dpbandits.explorers.toolkit.engine import LIVE_HORIZON, LIVE_RUNS
from dpbandits.explorers.toolkit.plot import HEIGHT, HIDDEN, by_height, live_figure
from dpbandits.explorers.toolkit.scales import Scale
from dpbandits.explorers.toolkit.simulation_panel import (
    LIVE_WORK,
    Problem,
    SimulationPanel,
    parameter_controls,
    refuse_leftovers,
    spread,
)
from dpbandits.explorers.toolkit.slopes import fitted, steepest
from dpbandits.explorers.toolkit.tables import named, number, privacy_caption, swatch, table
from dpbandits.explorers.toolkit.theory import Theory
from dpbandits.explorers.toolkit.theory_along import VIEWS, Along, along, in_words
from dpbandits.figures.palette import GREY, line, translucent
from dpbandits.parameters import SEED, Parameter, unknown
from dpbandits.simulation import Cell

LIMIT = 6  # algorithms at once
POINTS = Parameter("points", "number of values along the axis", 8, kind="integer", low=2, high=40)
MARKERS = ("circle", "square", "diamond", "triangle-up", "cross", "x")
MOST_INSTANCES = 200  # that are kept for the next move
PATIENCE = 0.2  # seconds until the first picture, of what has arrived by then
#: What the panel opens with in each setting: algorithms, horizon, runs, what of theory is drawn, parameters.
OPENINGS = {
    "stochastic": (("dp-ftpl-gauss", "dp-ftpl-new"), 20_000, 3, "term", {"delta": 1e-6}),
    "cascade": (("cascade-ucb1", "cascade-ldp-laplace", "cascade-ldp-gauss"), 10_000, 2, "upper", {}),
    "semi-bandit": (("cucb", "cucb-ldp1", "cucb-ldp2"), 10_000, 2, "none", {"arms": 12, "list_size": 3}),
    "matroid": (("dpucb-mat", "dpts-mat"), 10_000, 4, "upper", {"method": "fast"}),
}


def sweep_over(
    setting: str | None = None,
    over: str = "epsilon",
    *,
    preset: str | None = None,
    algorithms: Iterable[str | Callable] | None = None,
    instance: str | Instance | None = None,
    low: float | None = None,
    high: float | None = None,
    points: int | None = None,
    horizon: int | None = None,
    runs: int | None = None,
    seed: int | None = None,
    inverse: bool | None = None,
    theory: str | None = None,
    width: int | None = None,
    height: int = HEIGHT,
    **parameters: object,
) -> "SweepExplorer":
    """Regret at the horizon while one parameter moves from `low` to `high` in `points` steps.

    setting: whose algorithms and instances are offered; left out, the preset's, or "stochastic". over: "epsilon",
    "delta", "horizon", "gap", "list_size" (K), "items" (L) or "arms", "noise_multiplier" (which moves the bonus
    alike), as far as the setting has them. preset: a paper's figure to open at ("cascading-fig-1e",
    "chandak-fig-6.3b", ...); what is given beside it takes the place of the figure's. inverse: the axis is 1/`over`,
    on linear scales. theory: "term" (what privacy adds, by the theorem), "upper", "lower" or "none". parameters:
    first values of whatever algorithms, instance or bounds take. Raises ValueError for bad input.
    """
    if preset is not None and preset not in PRESETS:
        raise ValueError(unknown("preset", preset, PRESETS, " of this explorer"))
    own = opening(preset) if preset else {}
    home = ALGORITHMS[own["algorithms"][0]].setting if preset else "stochastic"
    setting = home if setting is None else setting
    if setting not in AXES:
        raise ValueError(unknown("setting", setting, AXES))
    if preset and setting != home:
        raise ValueError(f"preset = {preset!r} is not allowed: it is of the {home} setting, not of the {setting} one.")
    names, rounds, times, drawn, more = OPENINGS[setting]
    usual = {"over": over, "algorithms": names, "horizon": rounds, "runs": times, "seed": 0}
    at = usual | {"points": POINTS.default, "inverse": False, "theory": drawn} | own
    given = {"algorithms": algorithms, "instance": instance, "low": low, "high": high, "points": points}
    given |= {"horizon": horizon, "runs": runs, "seed": seed, "inverse": inverse, "theory": theory}
    at |= {name: value for name, value in given.items() if value is not None}
    axes = {axis.name: axis for axis in AXES[setting]}
    if at["over"] not in axes:
        raise ValueError(unknown("parameter to vary", at["over"], axes, f" in the {setting} setting"))
    axis = axes[at["over"]]
    if "instance" not in at:
        at["instance"] = _home(axis, setting)
        at = {n: v for n, v in more.items() if n not in axis.stands} | at
    family = at["instance"].name if isinstance(at["instance"], Instance) else at["instance"]
    if family in INSTANCES and not _has(family, axis):
        fitting = ", ".join(f for f in SETTINGS[setting].instances if _has(f, axis))
        raise ValueError(
            f"over = {axis.name!r} is not allowed on {family}: it must be one of its own parameters; {fitting} have it."
        )
    if SETTINGS[setting].bounds:
        at.setdefault("constants", "corrected")  # what is proved
    at |= parameters
    chosen = [find(a, setting) for a in at.pop("algorithms")]
    opens = ("over", "instance", "horizon", "runs", "seed", "points", "inverse", "theory")
    named = SimpleNamespace(**{name: at.pop(name) for name in opens})
    ends = {"low": at.pop("low", axis.low), "high": at.pop("high", axis.high)}
    return SweepExplorer(setting, named, chosen, ends, at, width, height)


def _home(axis: Axis, setting: str) -> str:
    """The first instance family of the setting on which the axis means something."""
    families = SETTINGS[setting].instances
    return next((name for name in families if _has(name, axis)), families[0])


def _has(family: str, axis: Axis) -> bool:
    return not axis.fact or set(axis.stands) <= {p.name for p in INSTANCES[family].parameters}


class SweepExplorer(SimulationPanel):
    """See sweep_over()."""

    def __init__(self, setting, opens, chosen, ends, parameters, width, height):
        self.setting, self.axes = setting, {axis.name: axis for axis in AXES[setting]}
        offered = [a for a in ALGORITHMS.values() if a.setting == setting]
        offered += [a for a in chosen if a.name not in {r.name for r in offered}]
        self.records = {record.name: record for record in offered}
        self.theory = Theory(setting, parameters, SETTINGS[setting].bounds)
        problem = Problem(SETTINGS[setting].instances, opens.instance, parameters)
        privacy = parameter_controls(offered, SETTINGS[setting].parameters, parameters)
        refuse_leftovers(parameters, {*problem.own, *privacy, *self.theory.controls})
        axis = Parameter("over", "what moves along the axis", kind="choice", choices=tuple(self.axes))
        self.ends = [
            Number(
                Parameter(n, f"where the axis {verb}", low=0, open_low=True, high=1e9),
                ends[n],
                Scale(text, *self.axes[opens.over].reach, 0.1, log=True),
            )
            for n, verb, text in (("low", "begins", "axis from"), ("high", "ends", "axis to"))
        ]
        shown = Parameter("theory", "which curve of the theorems is drawn beside", kind="choice", choices=tuple(VIEWS))
        options = {r.name: ", ".join(filter(None, (r.title, r.paper))) for r in offered}
        groups = {
            f"algorithms (up to {LIMIT})": [
                Several("algorithms", options, [a.name for a in chosen], LIMIT, {r.name: swatch(r) for r in offered})
            ],
            "what moves": [
                Choice(axis, opens.over, labels={name: a.label for name, a in self.axes.items()}),
                *self.ends,
                control_for(POINTS, opens.points),
            ],
            "what stays": [*privacy.values(), *problem.controls],
            "simulation": [
                control_for(LIVE_HORIZON, opens.horizon),
                control_for(LIVE_RUNS, opens.runs),
                Seed(SEED, opens.seed),
            ],
            "theory": [Choice(shown, opens.theory, labels=VIEWS), *self.theory.controls.values()],
            "view": [
                Switch(Parameter("log_x", "logarithmic axis", kind="flag"), not opens.inverse, "log x"),
                Switch(Parameter("log_y", "logarithmic regret", kind="flag"), not opens.inverse, "log y"),
                Switch(Parameter("inverse", "one over the parameter on the axis", kind="flag"), opens.inverse, "1/x"),
                Switch(Parameter("fit", "the fitted line", kind="flag"), False, "fitted line"),
            ],
        }
        self.xs: dict[int, list] = {}  # id of a cell -> where on the axis it stands
        self.left_out: list[str] = []
        self.grid: list = []  # the values on the axis
        self._theory: dict[str, Along | None] = {}
        self._built: dict[tuple, Instance] = {}
        super().__init__(
            f"dpbandits-sweep-{setting}",
            "Regret against a parameter",
            problem,
            privacy,
            groups,
            self._figure(height),
            width,
            PATIENCE,
        )
        if self.engine.job and not self.engine.job.ended.is_set():  # what has arrived; the rest follows
            self._report(self.engine.job)

    @property
    def axis(self) -> Axis:
        """What moves."""
        return self.axes[self.values["over"]]

    def changed(self, control: Control) -> None:
        with self.quiet():
            if control.name == "over":
                low, high = self.axis.reach
                for end, value in zip(self.ends, (self.axis.low, self.axis.high), strict=True):
                    end.scale, end.value = replace(end.scale, low=low, high=high), value
                self._bring_along()
            elif control is self.problem.menu and not _has(control.value, self.axis):
                self.controls["over"].value = next(iter(self.axes))
        super().changed(control)

    def _bring_along(self) -> None:
        """An instance that has what moves, and an algorithm that takes it, where there was none."""
        if not _has(self.values["instance"], self.axis):
            self.problem.menu.value = _home(self.axis, self.setting)
        if not self._moves(self.chosen()):
            taker = next(record.name for record in self.records.values() if self._moves([record]))
            self.controls["algorithms"].value = (*self.values["algorithms"][: LIMIT - 1], taker)

    def _moves(self, records) -> bool:
        """Whether the axis means something to one of these algorithms."""
        alike = self.axis.fact or self.axis.name == "horizon"
        return alike or any(self.axis.name in {p.name for p in record.all_parameters} for record in records)

    # What goes together.

    @property
    def together(self) -> tuple[str, ...]:
        return (*super().together, "over", "low", "high")

    def allows(self, **moved: object) -> None:
        v = self.values | moved
        ends = [end for end in ("low", "high") if end in moved]
        some = self._some_place(v)  # instances take time to be built, so not all of them
        places = [self._place(self.axis.rounded(v[end]), v) for end in ends] or [some]
        if moved.keys() & {"horizon", "runs", "points"} or (ends and not self.axis.fact):
            places, _ = self._places(v)
            self._refuse_too_much(places, v)
        held = {name: value for name, value in moved.items() if name in self.privacy}
        for _, _, at, _ in places[:2]:  # the two ends, or what there is
            if held | at:
                super().allows(**held | at)

    def idle(self) -> dict[str, str]:
        moving = f"it is what moves along the axis, {self.axis.symbol}."
        theory = {} if self.values["theory"] != "none" else dict.fromkeys(self.theory.controls, "no theorem is drawn.")
        return super().idle() | theory | dict.fromkeys(self.axis.stands, moving)

    def _figure(self, height: int) -> go.Figure:
        traces = {}
        for place, record in enumerate(self.records.values()):
            look = {"visible": False, "legendgroup": record.name}
            faint = {"color": translucent(record.colour, 0.85), "width": 1.5}
            traces |= {
                record.name: go.Scatter(
                    **look, name=escape(record.name), mode="lines+markers", line=line(record),
                    marker={"symbol": MARKERS[place % 6], "size": 7, "color": record.colour},
                    error_y={"thickness": 1, "width": 2},
                ),
                f"{record.name}: theory": go.Scatter(
                    **look, mode="lines", line={**faint, "dash": "dot"}, hoverinfo="skip"
                ),
                f"{record.name}: fit": go.Scatter(
                    **look, mode="lines", line={**faint, "width": 1}, hoverinfo="skip", showlegend=False
                ),
            }  # fmt: skip
        plain = {"color": GREY, "dash": "dash", "width": 1.3}
        traces["chance"] = go.Scatter(name=SETTINGS[self.setting].chance[0], visible=False, mode="lines", line=plain)
        return live_figure(traces, height=height, title=" ", x="x", y="regret", log_x=True, log_y=True)

    # What is played.

    def at(self, x: float, values: Mapping | None = None) -> tuple[Instance, dict, int]:
        """Instance, the algorithms' and bounds' parameters that x stands for, and horizon, at x, with the panel's
        values or others. Raises ValueError.
        """
        v = self.values if values is None else values
        moved = self.axis.moved(x, v)
        given = {name: moved.get(name, v[name]) for name in self.problem.parameters}
        for name in given.keys() & moved.keys():
            self.controls[name].parameter.check(moved[name])  # a panel's sizes end before the instance's own
        key = (v["instance"], repr(given))
        if key not in self._built:
            self._built[key] = build(v["instance"], **given)
        instance = self._built[key]
        horizon = LIVE_HORIZON.check(moved.pop("horizon", v["horizon"]))
        return instance, {} if self.axis.fact else moved, horizon

    def _place(self, x: float, v: Mapping) -> tuple[float, Instance, dict, int]:
        return x, *self.at(x, v)

    def _along(self, v: Mapping) -> list[float]:
        """The values on the axis, its ends first."""
        if v["low"] >= v["high"]:
            raise ValueError(f"low = {v['low']:g} is not allowed: the axis must begin below its end, {v['high']:g}.")
        if not self._moves(self.chosen()):
            raise ValueError(f"over = {self.axis.name!r} is not allowed: none of the chosen algorithms takes it.")
        return coarse_first(self.axis.values(v["low"], v["high"], v["points"]))

    def _places(self, v: Mapping) -> tuple[list[tuple[float, Instance, dict, int]], list[str]]:
        """(x, *at(x)) along the axis, its ends first; why other values, at which there is no such instance, are left
        out.
        """
        places, left_out = [], []
        for x in self._along(v):
            try:
                places.append(self._place(x, v))
            except ValueError as error:
                left_out.append(str(error))
        if not places:
            raise ValueError(left_out[0])
        return places, left_out

    def _some_place(self, v: Mapping) -> tuple[float, Instance, dict, int]:
        """The first of _places() alone."""
        for x in self._along(v):
            try:
                return self._place(x, v)
            except ValueError as error:
                why = error
        raise why

    def plan(self) -> list[Cell]:
        self.theory.arrange(self.values["theory"] != "none")
        if len(self._built) > MOST_INSTANCES:
            self._built.clear()
        places, self.left_out = self._places(self.values)
        self._theory, self.grid = {}, sorted(x for x, *_ in places)
        self._refuse_too_much(places, self.values)
        self.xs, cells, broken = {}, {}, {}
        for x, instance, moved, horizon in places:
            for record in self.chosen():
                refused = len(self.refused)
                for cell in self.cells_of(record, instance, np.array([horizon]), **moved):
                    same = cells.setdefault(cell.key, cell)
                    self.xs.setdefault(id(same), []).append(x)
                if len(self.refused) > refused:
                    broken.setdefault(record.name, self.refused[-1])
        self.refused = list(broken.values())
        whole = [cell for cell in cells.values() if cell.algorithm.name not in broken]  # along all of the axis
        if not whole:
            raise ValueError(" ".join(self.refused))
        return whole

    @staticmethod
    def _refuse_too_much(places, v: Mapping) -> None:
        arms = lambda instance: instance.facts.get("arms") or instance.facts["items"]
        work = v["runs"] * len(v["algorithms"]) * sum(horizon * arms(instance) for _, instance, _, horizon in places)
        if work > LIVE_WORK:
            raise ValueError(
                f"points = {len(places)}, runs = {v['runs']}, T up to {max(p[3] for p in places):,} and"
                f" {len(v['algorithms'])} algorithms are not allowed together: {number(work)} rounds times arms, where"
                f" a panel takes at most {number(LIVE_WORK)}; ask for fewer, or use sweep()."
            )

    # What is drawn.

    def curves(self, results) -> dict[str, pd.DataFrame]:
        """name -> a table by x: mean and standard deviation of the regret at the horizon, runs; what has arrived."""
        rows: dict[str, list] = {}
        for cell, regret, _ in results:
            for x in self.xs[id(cell)]:
                mean, deviation = map(float, spread(regret[:, -1]))
                rows.setdefault(cell.algorithm.name, []).append((x, mean, deviation, len(regret)))
        return {
            name: pd.DataFrame(sorted(rows[name]), columns=["x", "mean", "deviation", "runs"])
            for name in self.values["algorithms"]
            if name in rows
        }

    def _shown(self, x) -> np.ndarray:
        x = np.asarray(x, float)
        return 1 / x if self.values["inverse"] else x

    def plot(self, results) -> None:
        v, curves = self.values, self.curves(results)
        theory = {name: self._beside(name) for name in curves}
        self._notes = list(dict.fromkeys(note for found in theory.values() if found for note in found.notes))
        edits = {name: HIDDEN for name in self.view.traces}
        fits = {}
        for name, curve in curves.items():
            x, mean = self._shown(curve["x"]), curve["mean"].to_numpy()
            fits[name] = fitted(x, mean)
            edits[name] = {
                "x": x,
                "y": self._above(mean),
                "visible": True,
                "error_y.array": curve["deviation"].to_numpy(),
            }
            if theory[name] is not None and theory[name].x.size:
                title = {"name": f"{escape(name)}: {VIEWS[v['theory']]}"}
                edits[f"{name}: theory"] = {
                    "x": self._shown(theory[name].x), "y": self._above(theory[name].y), "visible": True, **title
                }  # fmt: skip
            if v["fit"] and np.isfinite(fits[name][0]):
                slope, _, level = fits[name]
                edits[f"{name}: fit"] = {"x": x, "y": np.exp(level) * x**slope, "visible": True}
        xs = sorted({x for curve in curves.values() for x in curve["x"]})
        chance = [(self.at(x)[0].facts["uniform_regret"] * self.at(x)[2]) for x in xs]
        edits["chance"] = {"x": self._shown(xs), "y": np.array(chance), "visible": True}
        self.view.redraw(by_height(edits), self._sheet(results, curves, edits))
        self._describe(results, curves, theory, fits)

    def _beside(self, name: str) -> Along | None:
        """Theory's curve for an algorithm, worked out once for each move."""
        if name not in self._theory:
            self._theory[name] = along(self, self.records[name], np.array(self.grid))
        return self._theory[name]

    def _above(self, y) -> np.ndarray:
        y = np.asarray(y, float)
        return np.where(y > 0, y, np.nan) if self.values["log_y"] else y

    def _sheet(self, results, curves, edits) -> dict:
        v, runs = self.values, min(int(c["runs"].min()) for c in curves.values())
        symbol = f"1/{self.axis.symbol}" if v["inverse"] else self.axis.symbol
        drawn = np.concatenate([edit["y"] for edit in edits.values() if edit["visible"]])
        sheet = {
            "title.text": self.titled(f"{results[0][0].instance.name}, {runs} run{'s' if runs > 1 else ''} a point"),
            "xaxis.title.text": symbol,
            "yaxis.title.text": "regret after T rounds",
            "xaxis.type": "log" if v["log_x"] else "linear",
            "yaxis.type": "log" if v["log_y"] else "linear",
            "yaxis.rangemode": "tozero",
            "yaxis.range": None,
        }  # fmt: skip
        if v["log_y"] and (drawn > 0).any():
            low, high = np.log10(np.nanmin(drawn[drawn > 0])), np.log10(np.nanmax(drawn[np.isfinite(drawn)]))
            sheet["yaxis.range"] = [max(low, high - 7) - 0.1, high + 0.15]
        return sheet

    def _describe(self, results, curves, theory, fits) -> None:
        rows, words, guarantees = [], [], {}
        for cell, _, _ in results:
            record = cell.algorithm
            guarantees.setdefault(record.name, record.guarantee(cell.parameters, cell.instance, cell.horizon))
        symbol, at = self.axis.symbol.split(" = ")[0], ""
        if self.values["inverse"]:  # the slopes are over 1/x
            symbol, at = f"1/{symbol}", f"{symbol} = "
        for name, curve in curves.items():
            x, mean = curve["x"].to_numpy(), curve["mean"].to_numpy()
            slope, error, _ = fits[name]
            steep, left, right = steepest(self._shown(x), mean)
            beside = "–" if theory[name] is None else in_words(fitted(self._shown(x), theory[name].at(x))[0])
            ends = f"from {number(mean[0])} at {at}{x[0]:g} to {number(mean[-1])} at {at}{x[-1]:g}"
            words.append(f"{name} {ends}, slope {in_words(slope, error)}, steepest {in_words(steep)}")
            where = f"{in_words(steep)} ({left:.3g} to {right:.3g})" if np.isfinite(steep) else "–"
            row = (named(self.records[name]), number(mean[0]), number(mean[-1]), in_words(slope, error), beside)
            rows.append((*row, where, guarantees[name].scope))
        x = next(iter(curves.values()))["x"].to_numpy()
        heads = (
            "algorithm",
            f"at {at}{x[0]:g}",
            f"at {at}{x[-1]:g}",
            "fitted slope ± std. error",
            "slope of theory",
            "steepest piece",
            "scope",
        )
        notes = [
            "Slopes are of ln regret over the logarithm of what is on the axis; the fit is by least squares through all"
            " points, and its standard error from their distances to the line: it is large where a curve bends.",
            *self._notes,
        ]
        if self.left_out:
            notes.append(
                f"Left out {len(self.left_out)} value{'s' if len(self.left_out) > 1 else ''}: {self.left_out[0]}"
            )
        self.show(
            f"Regret against {symbol}: " + "; ".join(words) + ".",
            table(heads, rows, numeric=(1, 2)),
            privacy_caption(guarantees.items(), notes),
        )

    # How to have it without a panel.

    def code(self) -> str:
        """sweep() over the axis; where two things move together or the horizon does, a list of simulate()."""
        v, axis = self.values, self.axis
        algorithms = [self.records[name] for name in dict.fromkeys(cell.algorithm.name for cell in self.cells)]
        xs = sorted({x for places in self.xs.values() for x in places})
        moved = [axis.moved(x, v) for x in xs]
        taken = {p.name for a in algorithms for p in a.all_parameters} | set(self.problem.parameters) | {"horizon"}
        moved = [{n: x for n, x in point.items() if n in taken} for point in moved]
        names = list(moved[0])
        if len(names) == 1 and names != ["horizon"]:
            series = {names[0]: [point[names[0]] for point in moved]}
            return self.call("sweep", algorithms, **series, checkpoints=[v["horizon"]])
        fixed = {"checkpoints": [v["horizon"]]} if "horizon" not in names else {"checkpoints": 1}
        inside = self.call("simulate", algorithms, **{name: Source("x") for name in names}, **fixed)
        return f"[{inside} for x in {xs!r}]"

    def frame(self) -> pd.DataFrame:
        """One row for each algorithm and value on the axis: mean and standard deviation of the regret, runs, theory."""
        parts = []
        for name, curve in self.curves(self.finished(self.engine.finish())).items():
            beside = self._beside(name)
            columns = {"algorithm": name, self.axis.name: curve["x"], "regret_mean": curve["mean"]}
            columns |= {"regret_std": curve["deviation"], "runs": curve["runs"]}
            theory = np.nan if beside is None else beside.at(curve["x"].to_numpy())
            parts.append(pd.DataFrame({**columns, "theory": theory}))
        return pd.concat(parts, ignore_index=True)


class Source(str):
    """A piece of Python, shown as it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)
