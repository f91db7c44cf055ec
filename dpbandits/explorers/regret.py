"""The regret explorer: any algorithms of one setting, side by side on one instance, live."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import escape

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.algorithms.catalogue import ALGORITHMS, find
from dpbandits.environments import Instance
from dpbandits.explorers.toolkit.controls import Choice, Control, Seed, Several, Switch, control_for
from dpbandits.explorers.toolkit.engine import LIVE_HORIZON, LIVE_RUNS
from dpbandits.explorers.toolkit.plot import HEIGHT, HIDDEN, band, by_height, live_figure
from dpbandits.explorers.toolkit.simulation_panel import (
    Problem,
    SimulationPanel,
    parameter_controls,
    refuse_leftovers,
    spread,
)
from dpbandits.explorers.toolkit.tables import named, privacy_caption, privacy_cells, swatch, table
from dpbandits.explorers.toolkit.theory import Theory, no_lower_bound
from dpbandits.figures.palette import GREY, line, translucent
from dpbandits.parameters import SEED, Parameter, unknown
from dpbandits.simulation import Cell, checkpoint_rounds

LIMIT = 6  # algorithms at once
LOWER = Parameter("lower", "what no policy with this promise can beat, by theorem", kind="flag")
VIEWS = {"regret": "regret over time", "pulls": "pulls of each arm"}


@dataclass(frozen=True)
class Preset:
    """What the explorers of one setting open with.

    parameters: the algorithms' parameters that get a control. bounds: the bounds' parameters that get one though they
    have a default; assumed: heading over all that the bounds ask for; reach: how far bounds are drawn (0: to the
    horizon).
    arm: what is played. chance: who plays without looking (his loss in a round is the instance's fact
    `uniform_regret`), and how;
    share: whether the table of regrets tells what share of his regret that is.
    """

    title: str
    algorithms: tuple[str, ...]
    instances: tuple[str, ...]
    parameters: tuple[str, ...] = ("epsilon", "delta")
    bounds: tuple[str, ...] = ()
    assumed: str = "the lower bound assumes regret ≤ c₀T^α"
    reach: int = 0
    arm: str = "arm"
    chance: tuple[str, str] = ("uniform play", "any choice, equally likely")
    share: bool = False


PRESETS: Mapping[str, Preset] = {
    "stochastic": Preset(
        "Private bandits: regret",
        ("ucb1", "dp-ftpl-new", "dp-ucb-int", "adap-ucb"),
        ("wang-zhu-1", "wang-zhu-2", "two-arms", "bernoulli"),
    ),
    "cascade": Preset(
        "Private cascading bandits: regret",
        ("cascade-ucb1", "cascade-dp", "cascade-ldp-laplace", "cascade-ldp-first"),
        ("cascade-paper", "cascade"),
        ("epsilon", "delta", "noise_multiplier", "bonus_multiplier"),
        ("xi", "constants"),
        "what the theorems leave open",
        10**9,
        "item",
    ),
    "semi-bandit": Preset(
        "Private semi-bandits: regret",
        ("cucb", "cucb-ldp1", "cucb-ldp2", "cucb-dp"),
        ("good-arms", "k-path", "public-arms", "max-coverage", "single-arms", "top-k"),
        ("epsilon", "delta", "noise_multiplier", "bonus_multiplier"),
        ("constants",),
        "of the paper's proofs, or corrected",
        10**10,
        "base arm",
        ("uniform play", "any super arm, equally likely"),
        True,
    ),
    "matroid": Preset(
        "Private matroid bandits: regret",
        ("omm", "cts-gauss", "dpucb-mat", "dpts-mat"),
        (
            "matroid-table-6.1",
            "good-elements",
            "random-spanning-tree",
            "movielens-like",
            "linear-matroid",
            "uniform-matroid",
            "partition-matroid",
            "graphic-matroid",
            "transversal-matroid",
        ),
        ("epsilon",),
        ("constants",),
        "whose constants",
        10**9,
        "element",
        ("a random basis", "greedy on a random order"),
        True,
    ),
}


def regret(
    algorithms: Iterable[str | Callable] | None = None,
    instance: str | Instance | None = None,
    *,
    setting: str = "stochastic",
    offered: Iterable[str | Callable] | None = None,
    horizon: int = 10_000,
    runs: int = 20,
    seed: int = 0,
    width: int | None = None,
    height: int = HEIGHT,
    **parameters: object,
) -> "RegretExplorer":
    """Regret curves that follow the sliders.

    algorithms: chosen at first, names or own functions (at most 6). instance: chosen at first, a name or an Instance.
    setting: whose algorithms and instances are offered; offered: these algorithms instead of all of the setting.
    parameters: first values of whatever the algorithms or the instance take (`epsilon`, `delta`, `arms`, `gap`,
    `means`, ...); one that has no control by default gets one. width, height: of the figure, in pixels. Raises
    ValueError for bad input.
    """
    if setting not in PRESETS:
        raise ValueError(unknown("setting", setting, PRESETS))
    preset = PRESETS[setting]
    records = [find(a, setting) for a in offered or (name for name, a in ALGORITHMS.items() if a.setting == setting)]
    first = (
        list(algorithms)
        if algorithms is not None
        else [n for n in preset.algorithms if n in {r.name for r in records}] or [records[0]]
    )
    chosen = [find(a, setting) for a in first]
    records += [a for a in chosen if a.name not in {r.name for r in records}]
    return RegretExplorer(
        setting, records, [a.name for a in chosen], instance, dict(parameters), (horizon, runs, seed), width, height
    )


def cascade_regret(
    algorithms: Iterable[str | Callable] | None = None, instance: str | Instance | None = None, **settings: object
) -> "RegretExplorer":
    """regret() in the cascade setting, with sliders for L, K, both attractions, ε, δ and the multipliers of noise and
    bonus.
    """
    return regret(algorithms, instance, setting="cascade", **settings)


def semibandit_regret(
    algorithms: Iterable[str | Callable] | None = None,
    instance: str | Instance | None = None,
    *,
    horizon: int = 30_000,
    runs: int = 4,
    **settings: object,
) -> "RegretExplorer":
    """regret() in the semi-bandit setting, with a decision set to choose, and m, K, Δ, ε, δ and the multipliers of the
    Gaussian algorithm's noise and bonus on sliders.

    The table also tells which share of the regret of uniform play is left.
    """
    return regret(algorithms, instance, setting="semi-bandit", horizon=horizon, runs=runs, **settings)


def matroid_regret(
    algorithms: Iterable[str | Callable] | None = None, instance: str | Instance | None = None, **settings: object
) -> "RegretExplorer":
    """regret() in the matroid setting: Table 6.1, K good elements of L (uniform, partition, graphic or transversal),
    spanning trees of a random graph, films, or vectors, blocks, a graph or sets of your own.

    The instance gives the rank K. The table also tells which share of a random basis' regret is left.
    """
    return regret(algorithms, instance, setting="matroid", **settings)


class RegretExplorer(SimulationPanel):
    """See regret()."""

    def __init__(self, setting, records, chosen, instance, parameters, numbers, width, height):
        preset = PRESETS[setting]
        self.preset = preset
        self.records = {record.name: record for record in records}
        self.theory = Theory(setting, parameters)
        problem = Problem(preset.instances, instance or preset.instances[0], parameters)
        privacy = parameter_controls(records, preset.parameters, parameters)
        refuse_leftovers(
            parameters,
            {p.name for r in records for p in r.all_parameters} | set(problem.own) | set(self.theory.controls),
        )
        options = {r.name: ", ".join(filter(None, (r.title, r.paper))) for r in records}
        horizon, runs, seed = numbers
        groups = {
            f"algorithms (up to {LIMIT})": [
                Several("algorithms", options, chosen, LIMIT, {r.name: swatch(r) for r in records})
            ],
            "problem": problem.controls,
            "privacy": list(privacy.values()),
            "simulation": [control_for(LIVE_HORIZON, horizon), control_for(LIVE_RUNS, runs), Seed(SEED, seed)],
            "view": [
                Choice(
                    Parameter("view", "what is plotted", kind="choice", choices=tuple(VIEWS)), "regret", labels=VIEWS
                ),
                *self.theory.controls.values(),
                Switch(Parameter("log_x", "logarithmic time axis", kind="flag"), False, "log t"),
                Switch(Parameter("log_y", "logarithmic vertical axis", kind="flag"), False, "log y"),
                Switch(Parameter("bands", "mean ± one standard deviation of the runs", kind="flag"), True, "bands"),
                *([Switch(LOWER, False, "lower bound")] if self.theory.has_lower else []),
                Switch(
                    Parameter("upper", "what the theorems promise for the chosen algorithms", kind="flag"),
                    False,
                    "upper bounds",
                ),
            ],
        }
        super().__init__(
            f"dpbandits-regret-{setting}", preset.title, problem, privacy, groups, self._figure(height), width
        )

    def changed(self, control: Control) -> None:
        self.theory.arrange(self.values.get("lower", False))
        super().changed(control)

    def _figure(self, height: int) -> go.Figure:
        traces = {}
        for record in self.records.values():
            look = {"name": escape(record.name), "legendgroup": record.name, "visible": False, "mode": "lines"}
            fill = {"fill": "toself", "fillcolor": translucent(record.colour), "line": {"width": 0}}
            bound = {
                "name": f"{escape(record.name)}, upper bound",
                "showlegend": False,
                "line": {"color": record.colour, "dash": "dot", "width": 1.2},
            }
            traces |= {
                f"{record.name}, band": go.Scatter(**look, **fill, hoverinfo="skip", showlegend=False),
                record.name: go.Scatter(**look, line=line(record), marker={"color": record.colour, "size": 5}),
                f"{record.name}, upper": go.Scatter(**look | bound),
            }
        traces["lower bound"] = go.Scatter(
            name="lower bound", visible=False, mode="lines", line={"color": GREY, "dash": "longdash", "width": 1.6}
        )
        figure = live_figure(traces, height=height, title=" ", x="round t", y="cumulative regret")
        return figure.update_layout(yaxis_rangemode="tozero", xaxis_tickformat="~s")

    def plan(self) -> list[Cell]:
        instance, rounds = self.problem.instance(), checkpoint_rounds(self.values["horizon"])
        cells = [
            cell for name in self.values["algorithms"] for cell in self.cells_of(self.records[name], instance, rounds)
        ]
        if not cells:
            raise ValueError(" ".join(self.refused))
        return cells

    def plot(self, results) -> None:
        v, pulls = self.values, self.values["view"] == "pulls"
        cell, count = results[0][0], min(len(r) for _, r, _ in results)
        if pulls and (silent := [c.algorithm.name for c, _, p in results if p is None]):
            raise ValueError(f"view = 'pulls' is not allowed: {', '.join(silent)} does not report its pulls.")
        x = np.arange(1, results[0][2].shape[1] + 1) if pulls else cell.checkpoints
        curves = {c.algorithm.name: spread(p if pulls else r) for c, r, p in results}
        uppers = self.theory.uppers(self, [c for c, _, _ in results]) if v["upper"] and not pulls else {}
        lower = self.theory.lower(self, [c for c, _, _ in results]) if v.get("lower") and not pulls else None
        edits = {
            "lower bound": (HIDDEN if lower is None else {"x": lower.x, "y": lower.y, "visible": True, "mode": "lines"})
        }
        for name in self.records:
            edits[f"{name}, band"] = edits[name] = edits[f"{name}, upper"] = HIDDEN
            if name in curves:
                edits[name] = {
                    "x": x,
                    "y": curves[name][0],
                    "visible": True,
                    "mode": "lines+markers" if pulls and x.size <= 30 else "lines",
                }
                if v["bands"]:
                    edits[f"{name}, band"] = {**band(x, *curves[name], v["log_y"]), "visible": True, "mode": "lines"}
            if name in uppers:
                edits[f"{name}, upper"] = {"x": uppers[name].x, "y": uppers[name].y, "visible": True, "mode": "lines"}
        what = f"Pulls of each {self.preset.arm}" if pulls else "Regret"
        runs = f"mean{' ± std. deviation' if v['bands'] else ''} of {count} run{'s' if count > 1 else ''}"
        self.view.redraw(
            edits if pulls else by_height(edits),
            {
                "title.text": self.titled(f"{what} on {cell.instance.name}, {runs}"),
                "xaxis.type": "log" if v["log_x"] and not pulls else "linear",
                "xaxis.title.text": self.preset.arm if pulls else "round t",
                "yaxis.type": "log" if v["log_y"] else "linear",
                "yaxis.title.text": "pulls" if pulls else "cumulative regret",
            },
        )
        self._describe(results, uppers, lower)

    def _describe(self, results, uppers, lower) -> None:
        v, rows, guarantees, words = self.values, [], [], []
        facts = results[0][0].instance.facts
        # Where regret is measured against less than the best, a share of it means nothing.
        chance = (
            facts["uniform_regret"] * v["horizon"]
            if self.preset.share and facts.get("alpha", 1) * facts.get("beta", 1) == 1
            else 0
        )
        for cell, regret, _ in results:
            name = cell.algorithm.name
            mean, deviation = spread(regret[:, -1])
            guarantee = cell.algorithm.guarantee(cell.parameters, cell.instance, cell.horizon)
            guarantees.append((name, guarantee))
            words.append(
                f"{name} {mean:,.0f}" + (f" (upper bound {uppers[name].y[-1]:,.0f})" if name in uppers else "")
            )
            row = (named(cell.algorithm), f"{mean:,.1f}", self._error(regret, deviation))
            rows.append((*row, *self._share(mean, chance), *privacy_cells(guarantee)))
        settings = ", ".join(
            f"{c.scale.label.split()[-1]} = {c.value:g}" for n, c in self.privacy.items() if n in ("epsilon", "delta")
        )
        summary = (
            f"Mean regret after {v['horizon']:,} rounds{' at ' + settings if settings else ''}: {', '.join(words)}."
        )
        if lower is not None:
            summary += f" Lower bound {lower.y[-1]:,.3g} for {', '.join(lower.about)}."
        who, how = self.preset.chance
        if self.preset.share:
            lost = facts["uniform_regret"] * v["horizon"]
            rows.append((f"{who}, {how}", f"{lost:,.1f}", "", *self._share(lost, chance), "–", "–"))
        heads = (
            "algorithm",
            "regret at T",
            "std. error",
            *([f"÷ {who}"] if self.preset.share else []),
            "guaranteed",
            "scope",
        )
        notes = ["Dotted: the upper bound of the algorithm in the same colour."] if uppers else []
        if v.get("lower") and v["view"] != "pulls" and lower is None:
            notes.append(no_lower_bound([cell.algorithm.name for cell, _, _ in results]))
        notes += [note for curve in [*uppers.values(), *([lower] if lower is not None else [])] for note in curve.notes]
        self.show(
            summary,
            table(heads, rows, numeric=(1, 2, 3) if self.preset.share else (1, 2)),
            privacy_caption(guarantees, notes),
        )

    @staticmethod
    def _error(regret: np.ndarray, deviation: float) -> str:
        """Standard error of the mean; one run has none."""
        return f"± {deviation / np.sqrt(len(regret)):,.1f}" if len(regret) > 1 else "one run"

    def _share(self, regret: float, chance: float) -> list[str]:
        """The cell that tells which share of chance's regret this is, where there is such a column."""
        return [f"{regret / chance:.0%}" if chance > 0 else "–"] if self.preset.share else []

    def code(self) -> str:
        return self.call("simulate", [cell.algorithm for cell in self.cells])

    def frame(self) -> pd.DataFrame:
        """One row for each algorithm and round: mean, standard deviation and standard error of the regret over the
        runs.
        """
        parts = []
        for cell, regret, _ in self.finished(self.engine.finish()):
            mean, deviation = spread(regret)
            columns = {
                "algorithm": cell.algorithm.name,
                "round": cell.checkpoints,
                "regret_mean": mean,
                "regret_std": deviation,
            }
            parts.append(
                pd.DataFrame({**columns, "regret_stderr": deviation / np.sqrt(len(regret)), "runs": len(regret)})
            )
        return pd.concat(parts, ignore_index=True)
