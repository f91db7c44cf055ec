"""All four settings on one page: the same items as four problems, each with its bounds and with what is lost."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.algorithms.catalogue import ALGORITHMS
from dpbandits.algorithms.record import Algorithm
from dpbandits.bounds import BOUNDS
from dpbandits.bounds.beside import SETTINGS, arguments, lower_bounds, same_items, upper_bound
from dpbandits.environments import Instance
from dpbandits.explorers.toolkit.controls import Choice, Seed, control_for
from dpbandits.explorers.toolkit.engine import LIVE_HORIZON, LIVE_RUNS
from dpbandits.explorers.toolkit.plot import HIDDEN, live_figure
from dpbandits.explorers.toolkit.simulation_panel import (
    Problem,
    SimulationPanel,
    parameter_controls,
    refuse_leftovers,
    spread,
)
from dpbandits.explorers.toolkit.tables import FAILS, named, number, privacy_caption, table
from dpbandits.explorers.toolkit.theory import Curve, largest, no_lower_bound
from dpbandits.figures.palette import GREY, INK
from dpbandits.parameters import HORIZON, SEED, Parameter, unknown
from dpbandits.simulation import Cell, checkpoint_rounds

HEIGHT = 640
REACH = HORIZON.default_to(10**9)
ITEM_NAMES = ("items", "list_size", "top_mean", "other_mean")
ASKED = {p.name: p.suggested for b in BOUNDS.values() for p in b.parameters if p.suggested is not None}
BOUNDED = {s: tuple(a.name for a in ALGORITHMS.values() if a.setting == s and upper_bound(a)) for s in SETTINGS}
POINTS = 60  # of a bound's curve
LINES = ("the worst policy", "upper bound", "measured", "lower bound", "uniform play")


def all_settings(
    *,
    stochastic: str = "gdp-elim-new",
    cascade: str = "cascade-ldp-laplace",
    semi_bandit: str = "cucb-ldp2",
    matroid: str = "dpucb-mat",
    epsilon: float = 1.0,
    delta: float = 0.01,
    horizon: int = 20_000,
    runs: int = 3,
    seed: int = 0,
    reach: int = 10**9,
    constants: str = "corrected",
    width: int | None = None,
    height: int = HEIGHT,
    **problem: object,
) -> "AllSettingsExplorer":
    """Upper bound, lower bound and measured regret of one algorithm in each setting, on the same items.

    stochastic, cascade, semi_bandit, matroid: an algorithm that a theorem bounds from above. reach: the round up to
    which bounds are drawn. constants: of all bounds, "printed" or "corrected". problem: `items` L, `list_size`
    K, `top_mean`, `other_mean`, as for `same_items`. Raises ValueError for bad input.
    """
    chosen = dict(zip(SETTINGS, (stochastic, cascade, semi_bandit, matroid), strict=True))
    for setting, name in chosen.items():
        if name not in BOUNDED[setting]:
            raise ValueError(unknown(f"algorithm with an upper bound ({setting})", name, BOUNDED[setting]))
    return AllSettingsExplorer(
        chosen, {"epsilon": epsilon, "delta": delta} | problem, (horizon, runs, seed, reach), constants, width, height
    )


class AllSettingsExplorer(SimulationPanel):
    """See all_settings()."""

    def __init__(self, chosen, parameters, numbers, constants, width, height):
        self.records = {name: ALGORITHMS[name] for names in BOUNDED.values() for name in names}
        given = {"items": 8, "list_size": 2, "top_mean": 0.5, "other_mean": 0.2} | parameters
        problem = Problem(["cascade-paper"], "cascade-paper", given)
        privacy = parameter_controls(
            self.records.values(), ("epsilon", "delta"), {n: given.pop(n) for n in ("epsilon", "delta")}
        )
        refuse_leftovers(given, {*ITEM_NAMES, "epsilon", "delta"})
        menus = {
            s: Parameter(s.replace("-", "_"), f"the algorithm of the {s} setting", kind="choice", choices=BOUNDED[s])
            for s in SETTINGS
        }
        horizon, runs, seed, reach = numbers
        which = Parameter(
            "constants",
            "of all bounds: as the papers print them, or corrected",
            kind="choice",
            choices=("printed", "corrected"),
        )
        far = Parameter(
            "reach", "round up to which bounds are drawn, at least the horizon", kind="integer", low=1, high=10**12
        )
        groups = {
            "privacy": list(privacy.values()),
            "problem (K items at the top)": [problem.own[name] for name in ITEM_NAMES],
            "algorithms": [Choice(menu, chosen[s], label=s) for s, menu in menus.items()],
            "simulation": [control_for(LIVE_HORIZON, horizon), control_for(LIVE_RUNS, runs), Seed(SEED, seed)],
            "bounds": [control_for(far, reach), Choice(which, constants)],
        }
        super().__init__(
            "dpbandits-all-settings", "Four settings, one page", problem, privacy, groups, self._figure(height), width
        )

    def _figure(self, height: int) -> go.Figure:
        looks = (
            {"color": GREY, "dash": "dot", "width": 1.4},
            {"color": INK, "dash": "dash", "width": 2},
            {"color": INK, "width": 2.6},
            {"color": GREY, "dash": "longdash", "width": 2},
            {"color": GREY, "dash": "dashdot", "width": 1.4},
        )
        traces = {
            f"{setting}, {name}": go.Scatter(
                name=name,
                mode="lines",
                line=look,
                visible=False,
                legendgroup=name,
                showlegend=place == 0,
                xaxis=f"x{place + 1}",
                yaxis=f"y{place + 1}",
            )
            for place, setting in enumerate(SETTINGS)
            for name, look in zip(LINES, looks, strict=True)
        }
        figure = live_figure(traces, height=height, title=" ", x="round t", y="regret", log_x=True, log_y=True)
        sheet = {k: figure.layout[f"{k}axis"].to_plotly_json() for k in "xy"}
        for place in range(len(SETTINGS)):
            suffix, right, low = str(place + 1) if place else "", place % 2, place // 2
            ends = {"x": [0.55 * right, 0.45 + 0.55 * right], "y": [0.08, 0.45] if low else [0.6, 0.97]}
            for k, other in ("xy", "yx"):
                title = {
                    "text": "" if (right if k == "y" else not low) else sheet[k]["title"]["text"],
                    "font": {"size": 13},
                    "standoff": 4,
                }
                own = {"domain": ends[k], "anchor": f"{other}{suffix}", "nticks": 6, "title": title}
                figure.update_layout({f"{k}axis{suffix}": sheet[k] | own})
            figure.add_annotation(
                text="",
                x=ends["x"][0],
                y=ends["y"][1] + 0.015,
                xref="paper",
                yref="paper",
                xanchor="left",
                yanchor="bottom",
                showarrow=False,
            )
        return figure.update_layout(margin_b=30)

    together = ITEM_NAMES

    def allows(self, **moved: object) -> None:
        if moved.keys() & set(ITEM_NAMES):
            for setting in SETTINGS:
                self.instance(setting, **moved)
        else:
            super().allows(**moved)

    def chosen(self) -> list[Algorithm]:
        return [self.records[self.values[setting.replace("-", "_")]] for setting in SETTINGS]

    def instance(self, setting: str, **moved: object) -> Instance:
        """The items as a problem of this setting, with these values `moved`. Raises ValueError."""
        return same_items(setting, **{name: (self.values | moved)[name] for name in ITEM_NAMES})

    def plan(self) -> list[Cell]:
        rounds, cells = checkpoint_rounds(self.values["horizon"], 150), []
        for setting in SETTINGS:
            try:
                instance = self.instance(setting)
            except ValueError as error:
                self.refused.append(str(error))
                continue
            cells += self.cells_of(self.records[self.values[setting.replace("-", "_")]], instance, rounds)
        self.refused = list(dict.fromkeys(self.refused))
        if not cells:
            raise ValueError(" ".join(self.refused))
        return cells

    def _theorems(self, cell: Cell) -> tuple[Curve | None, Curve | None]:
        """Upper and lower bound of a cell, far out; where several lower bounds hold, the largest at each round."""
        uppers = [b for b in (upper_bound(cell.algorithm),) if b]
        lowers = lower_bounds(cell.algorithm, cell.parameters, cell.instance)
        return self._curve(uppers, cell), self._curve(lowers, cell)

    @property
    def _given(self) -> dict[str, Any]:
        """What the bounds may take from the controls, and what they leave to their user."""
        return {name: self.values[name] for name in ("epsilon", "delta", "constants")} | ASKED

    def _curve(self, bounds, cell: Cell) -> Curve | None:
        x = np.unique(
            np.append(np.geomspace(10, max(self.values["reach"], cell.horizon), POINTS), cell.horizon).astype(np.int64)
        )
        curves = []
        for bound in bounds:
            given = arguments(bound, cell.instance, self._given)
            try:
                y, at_horizon = bound.curve(x, **given), bound.evaluate(horizon=cell.horizon, **given)
            except ValueError as error:
                self.refused += [sentence for sentence in (str(error),) if sentence not in self.refused]
                continue
            notes = tuple(f"{bound.paper}, {bound.where}: {note}" for note in at_horizon.notes)
            curves.append(Curve(bound, x, y, at_horizon.value, notes))
        return largest(curves)

    def plot(self, results) -> None:
        by_setting = {cell.instance.setting: (cell, regret) for cell, regret, _ in results}
        edits, sheet, told = {}, {}, []
        for place, setting in enumerate(SETTINGS):
            own = {name: f"{setting}, {name}" for name in LINES}
            edits |= {trace: HIDDEN for trace in own.values()}
            sheet[f"annotations[{place}].text"] = f"{setting}: not at these settings"
            if setting not in by_setting:
                continue
            cell, regret = by_setting[setting]
            mean, facts = spread(regret)[0], cell.instance.facts
            upper, lower = self._theorems(cell)
            far = np.array([10.0, max(self.values["reach"], cell.horizon)])
            drawn = (
                (far, facts["worst_regret"] * far),
                (upper.x, upper.y) if upper else None,
                (cell.checkpoints, mean),
                (lower.x, lower.y) if lower else None,
                (far, facts["uniform_regret"] * far),
            )
            for trace, line in zip(own.values(), drawn, strict=True):
                if line is not None:
                    edits[trace] = {"x": line[0], "y": np.where(line[1] > 0, line[1], np.nan), "visible": True}
            edits[own["measured"]] |= {"line.color": cell.algorithm.colour, "line.dash": cell.algorithm.dash}
            sheet[f"annotations[{place}].text"] = f"<b>{setting}</b>: {cell.algorithm.name}"
            told.append((cell, regret[:, -1], upper, lower))
        v = self.values
        sheet["title.text"] = self.titled(
            f"L = {v['items']}, K = {v['list_size']}, means {v['top_mean']:g} and {v['other_mean']:g}"
        )
        self.view.redraw(edits, sheet)
        self._describe(told)

    def _describe(self, told) -> None:
        v, rows, words, guarantees, notes = self.values, [], [], [], []
        for cell, final, upper, lower in told:
            facts, guarantee = (
                cell.instance.facts,
                cell.algorithm.guarantee(cell.parameters, cell.instance, cell.horizon),
            )
            guarantees.append((cell.algorithm.name, guarantee))
            most = facts["worst_regret"] * cell.horizon
            begins, beats = (
                upper.falls_below(facts[f"{who}_regret"]) if upper else None for who in ("worst", "uniform")
            )
            about = lambda x: "–" if x is None else number(float(f"{x:.2g}"))
            rows.append(
                (
                    named(cell.algorithm),
                    number(lower.value) if lower else "–",
                    f"{final.mean():,.0f}",
                    number(facts["uniform_regret"] * cell.horizon),
                    number(most),
                    number(upper.value) if upper else "–",
                    about(begins),
                    about(beats),
                )
            )
            above = f", its upper bound {number(upper.value)}" if upper else ""
            words.append(f"{cell.algorithm.name} loses {final.mean():,.0f} of at most {number(most)}{above}")
            notes += lower.notes if lower else ()
            if lower and guarantee.status == FAILS:
                notes.append(
                    f"{cell.algorithm.name} does not keep the promise that its lower bound is about, and may lose less."
                )
        heads = (
            "algorithm",
            "lower",
            "measured",
            "uniform",
            "worst",
            "upper",
            "upper &lt; worst<br>from T ≈",
            "upper &lt; uniform<br>from T ≈",
        )
        silent = [cell.algorithm.name for cell, _, _, lower in told if lower is None]
        if silent:
            notes.append(no_lower_bound(silent))
        notes.append(
            "Upper bounds are about the instance shown; a lower bound is about all algorithms with the same promise,"
            " in places on another instance of the same size."
        )
        self.show(
            f"After T = {v['horizon']:,}: {'; '.join(words)}.",
            table(heads, rows, numeric=range(1, 8)),
            privacy_caption(guarantees, notes),
        )

    def code(self) -> str:
        v = self.values
        problem, given = _written({name: v[name] for name in ITEM_NAMES}), _written(self._given)
        lines = [
            "from dpbandits import catalogue, simulate",
            "from dpbandits.bounds.beside import arguments, same_items",
        ]
        for cell in self.cells:
            held = {n: v[n] for n in ("epsilon", "delta") if n in cell.parameters}
            played = _written({"horizon": v["horizon"], "runs": v["runs"], "seed": v["seed"], **held})
            lines += [
                f'instance = same_items("{cell.instance.setting}", {problem})',
                f'simulate("{cell.algorithm.name}", instance, {played})',
            ]
            for bound in (upper_bound(cell.algorithm), *lower_bounds(cell.algorithm, cell.parameters, cell.instance)):
                lines.append(f'bound = catalogue.bounds()["{bound.name}"]')
                lines.append(f"bound.value(horizon={v['horizon']}, **arguments(bound, instance, dict({given})))")
        return "\n".join(lines)

    def frame(self) -> pd.DataFrame:
        """setting, algorithm, round, and what is drawn: measured mean, upper and lower bound (empty where none)."""
        parts = []
        for cell, regret, _ in self.finished(self.engine.finish()):
            frame = pd.DataFrame({"round": cell.checkpoints, "regret_mean": spread(regret)[0], "runs": len(regret)})
            for name, curve in zip(("upper_bound", "lower_bound"), self._theorems(cell), strict=True):
                if curve is not None:
                    frame = frame.merge(pd.DataFrame({"round": curve.x, name: curve.y}), on="round", how="outer")
            parts.append(frame.assign(setting=cell.instance.setting, algorithm=cell.algorithm.name))
        return pd.concat(parts, ignore_index=True)


def _written(arguments: dict[str, Any]) -> str:
    """As in a call."""
    return ", ".join(f"{name}={value!r}" for name, value in arguments.items())
