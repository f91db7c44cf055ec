"""The price of privacy: regret against δ or ε, with the slopes that the theory gives (Wang & Zhu 2024, Figures 6 and
7).
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.algorithms.catalogue import ALGORITHMS, find
from dpbandits.bounds import BOUNDS
from dpbandits.environments import Instance
from dpbandits.explorers.regret import PRESETS
from dpbandits.explorers.toolkit.controls import Choice, Control, Number, Seed, Several, control_for
from dpbandits.explorers.toolkit.engine import LIVE_HORIZON, LIVE_RUNS
from dpbandits.explorers.toolkit.plot import HEIGHT, HIDDEN, live_figure
from dpbandits.explorers.toolkit.scales import Scale
from dpbandits.explorers.toolkit.simulation_panel import (
    Problem,
    SimulationPanel,
    parameter_controls,
    refuse_leftovers,
    spread,
)
from dpbandits.explorers.toolkit.tables import named, privacy_caption, swatch, table
from dpbandits.figures.palette import line, translucent
from dpbandits.parameters import SEED, Parameter, unknown
from dpbandits.simulation import Cell

SYMBOLS = {"delta": "δ", "epsilon": "ε"}
RANGES = {"delta": (1e-3, 1.0), "epsilon": (0.01, 10.0)}
POINTS = Parameter("points", "number of values along the axis", 10, kind="integer", low=2, high=40)
#: What privacy adds by the theorems, without its constant.
TERMS = {bound.algorithm: bound.privacy_term for bound in BOUNDS.values() if bound.privacy_term}
MARKERS = ("circle", "square", "diamond", "triangle-up", "cross", "x")


def extra_regret(
    against: str = "delta",
    *,
    algorithms: Iterable[str] = ("dp-ftpl-gauss", "dp-ftpl-new"),
    instance: str | Instance = "wang-zhu-1",
    epsilon: float = 0.0,
    delta: float = 0.001,
    low: float | None = None,
    high: float | None = None,
    points: int = 10,
    horizon: int = 100_000,
    runs: int = 3,
    seed: int = 0,
    width: int | None = None,
    height: int = HEIGHT,
    **parameters: object,
) -> "ExtraRegretExplorer":
    """Regret at the horizon while one privacy parameter moves and the other stays.

    against: "delta" or "epsilon", the one on the axis, from `low` to `high` in `points` steps; `epsilon` (>= 0) and
    `delta`: values of the other. Dotted: the term that privacy adds in the theorem, without its constant. Raises
    ValueError for bad input.
    """
    if against not in SYMBOLS:
        raise ValueError(unknown("parameter to vary", against, SYMBOLS))
    ends = {"low": low or RANGES[against][0], "high": high or RANGES[against][1]}
    fixed = {"epsilon": epsilon, "delta": delta, **parameters}
    return ExtraRegretExplorer(
        against, list(algorithms), instance, fixed, ends, points, (horizon, runs, seed), width, height
    )


class ExtraRegretExplorer(SimulationPanel):
    """See extra_regret()."""

    def __init__(self, against, chosen, instance, parameters, ends, points, numbers, width, height):
        self.records = {
            name: a
            for name, a in ALGORITHMS.items()
            if a.setting == "stochastic" and {"epsilon", "delta"} <= {p.name for p in a.parameters}
        }
        for name in chosen:
            if name not in self.records:
                raise ValueError(unknown("algorithm with ε and δ", find(name, "stochastic").name, self.records))
        problem = Problem(PRESETS["stochastic"].instances, instance, parameters)
        privacy = parameter_controls(self.records.values(), ("epsilon", "delta"), parameters)
        refuse_leftovers(parameters, {*problem.own, *privacy})
        horizon, runs, seed = numbers
        axis = Parameter(
            "against", "which privacy parameter moves along the axis", kind="choice", choices=tuple(SYMBOLS)
        )
        self.ends = [
            Number(
                Parameter(n, f"where the axis {v}", low=0, open_low=True, high=100),
                ends[n],
                Scale(text, 1e-6, 10, 0.1, log=True),
            )
            for n, v, text in (("low", "begins", "axis from"), ("high", "ends", "axis to"))
        ]
        options = {r.name: f"{r.title}, {r.paper}" for r in self.records.values()}
        groups = {
            "algorithms (up to 6)": [
                Several("algorithms", options, chosen, 6, {r.name: swatch(r) for r in self.records.values()})
            ],
            "what moves, what stays": [
                Choice(axis, against, labels={n: f"{n} ({s}) moves" for n, s in SYMBOLS.items()}),
                *privacy.values(),
                *self.ends,
            ],
            "problem": problem.controls,
            "simulation": [
                control_for(POINTS, points),
                control_for(LIVE_HORIZON, horizon),
                control_for(LIVE_RUNS, runs),
                Seed(SEED, seed),
            ],
        }
        super().__init__(
            "dpbandits-extra-regret", "The price of privacy", problem, privacy, groups, self._figure(height), width
        )
        self._arrange()

    def changed(self, control: Control) -> None:
        if control.name == "against":
            self._arrange()
            with self.quiet():
                for end, value in zip(self.ends, RANGES[control.value], strict=True):
                    end.value = value
        super().changed(control)

    def _arrange(self) -> None:
        for name, control in self.privacy.items():
            control.layout.display = "none" if name == self.values["against"] else None

    def _figure(self, height: int) -> go.Figure:
        traces = {}
        for number, record in enumerate(self.records.values()):
            look = {"visible": False, "legendgroup": record.name}
            traces |= {
                record.name: go.Scatter(
                    **look,
                    name=record.name,
                    mode="lines+markers",
                    line=line(record),
                    marker={"symbol": MARKERS[number % 6], "size": 7, "color": record.colour},
                    error_y={"thickness": 1, "width": 2},
                ),
                f"{record.name}: theory": go.Scatter(
                    **look,
                    name=f"{record.name}: theory's extra term",
                    mode="lines",
                    line={"color": translucent(record.colour, 0.85), "dash": "dot", "width": 1.5},
                    hoverinfo="skip",
                ),
            }
        figure = live_figure(traces, height=height, title=" ", x="δ", y="regret", log_x=True, log_y=True)
        return figure.update_layout(xaxis_dtick=1, yaxis_dtick=1)

    @property
    def together(self) -> tuple[str, ...]:
        return (*super().together, "against", "low", "high")

    def allows(self, **moved: object) -> None:
        ends = [moved.get(n, self.controls[n].value) for n in ("low", "high")]
        if moved.keys() & {"low", "high"}:
            if ends[0] >= ends[1]:
                raise ValueError(f"low = {ends[0]:g} is not allowed: the axis must begin below its end, {ends[1]:g}.")
            for end in ends:
                super().allows(**{self.values["against"]: end})
        else:
            super().allows(**moved)

    @property
    def axis(self) -> list[float]:
        """The values along the axis, three digits each."""
        v = self.values
        if v["low"] >= v["high"]:
            raise ValueError(f"low = {v['low']:g} is not allowed: the axis must begin below its end, {v['high']:g}.")
        return [float(f"{x:.3g}") for x in np.geomspace(v["low"], v["high"], v["points"])]

    def plan(self) -> list[Cell]:
        v, instance, axis = self.values, self.problem.instance(), self.axis
        rounds = np.array([v["horizon"]])
        per_algorithm = {
            name: [
                cell for x in axis for cell in self.cells_of(self.records[name], instance, rounds, **{v["against"]: x})
            ]
            for name in v["algorithms"]
        }
        whole = {name: cells for name, cells in per_algorithm.items() if len(cells) == len(axis)}
        self.refused = list(dict.fromkeys(self.refused))[:2]
        if not whole:
            raise ValueError(" ".join(self.refused))
        return [cell for cells in whole.values() for cell in cells]

    def _curves(self, results) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray, int]]:
        """name -> x, mean, standard deviation, runs."""
        curves: dict[str, list] = {}
        for cell, regret, _ in results:
            curves.setdefault(cell.algorithm.name, []).append(
                (cell.parameters[self.values["against"]], *spread(regret[:, -1]), len(regret))
            )
        return {name: (*np.array([c[:3] for c in rows]).T, min(c[3] for c in rows)) for name, rows in curves.items()}

    def _theory(self, name: str, instance: Instance, x: np.ndarray) -> np.ndarray | None:
        if name not in TERMS:
            return None
        fixed = {n: c.value for n, c in self.privacy.items() if n in SYMBOLS}
        return np.array(
            [
                TERMS[name][1](
                    instance.facts["gaps"], self.values["horizon"], **fixed | {self.values["against"]: float(t)}
                )
                for t in x
            ]
        )

    def plot(self, results) -> None:
        v, instance = self.values, results[0][0].instance
        curves = self._curves(results)
        symbol, other = SYMBOLS[v["against"]], "epsilon" if v["against"] == "delta" else "delta"
        edits, slopes = {}, {}
        for name in self.records:
            edits[name] = edits[f"{name}: theory"] = HIDDEN
            if name in curves:
                x, mean, deviation, _ = curves[name]
                edits[name] = {"x": x, "y": mean, "visible": True, "error_y.array": deviation}
                fine = np.geomspace(x.min(), x.max(), 200)
                extra = self._theory(name, instance, fine)
                if extra is not None:
                    edits[f"{name}: theory"] = {"x": fine, "y": np.where(extra > 0, extra, np.nan), "visible": True}
                slopes[name] = self._slopes(name, instance, x, mean)
        means = np.concatenate([c[1] for c in curves.values()])
        low, high = np.log10(max(means.min(), 1) / 2.5), np.log10(max(means.max(), 1) * 3)
        runs = min(c[3] for c in curves.values())
        self.view.redraw(
            edits,
            {
                "title.text": (
                    f"{instance.name} at {SYMBOLS[other]} = {v[other]:g}, T = {v['horizon']:,}, {runs}"
                    f" run{'s' if runs > 1 else ''}"
                ),
                "xaxis.title.text": symbol,
                "yaxis.title.text": "regret after T rounds",
                "yaxis.range": [low, high],
            },
        )
        self._describe([cell for cell, _, _ in results], curves, slopes)

    def _slopes(self, name: str, instance: Instance, x: np.ndarray, mean: np.ndarray) -> tuple:
        """Steepest measured slope between points two apart, where, and the slope of the theory's extra term there."""
        step = min(2, x.size - 1)
        if step == 0:  # a single point so far
            return float("nan"), x[0], x[0], None
        safe = np.maximum(mean, 1e-9)
        measured = np.log(safe[step:] / safe[:-step]) / np.log(x[step:] / x[:-step])
        at = int(np.argmin(measured))
        extra = self._theory(name, instance, x[[at, at + step]])
        slope = (
            None
            if extra is None or not (extra > 0).all()
            else float(np.log(extra[1] / extra[0]) / np.log(x[at + step] / x[at]))
        )
        return float(measured[at]), float(x[at]), float(x[at + step]), slope

    def _describe(self, cells, curves, slopes) -> None:
        symbol, rows, words, guarantees = SYMBOLS[self.values["against"]], [], [], {}
        for cell in cells:
            guarantees.setdefault(
                cell.algorithm.name,
                (cell.algorithm, cell.algorithm.guarantee(cell.parameters, cell.instance, cell.horizon)),
            )
        grows = all(mean[0] > mean[-1] for _, mean, _, _ in curves.values())
        for name, (x, mean, _, _) in curves.items():
            slope, left, right, theory = slopes[name]
            words.append(
                f"{name} {'from' if grows else 'is'} {mean[-1]:,.0f} at {symbol} = {x[-1]:g} {'to' if grows else 'and'}"
                f" {mean[0]:,.0f} at {symbol} = {x[0]:g}"
                + (f", steepest slope {slope:.2f}" if mean.any() else ", without a slope")
            )
            record, guarantee = guarantees[name]
            where = f"{slope:.2f} ({symbol} {left:.2g} to {right:.2g})"
            rows.append(
                (
                    named(record),
                    f"{mean[-1]:,.0f}",
                    f"{mean[0]:,.0f}",
                    where,
                    "–" if theory is None else f"{theory:.2f}",
                    guarantee.scope,
                )
            )
        x = next(iter(curves.values()))[0]
        heads = (
            "algorithm",
            f"at {symbol} = {x[-1]:g}",
            f"at {symbol} = {x[0]:g}",
            "steepest measured slope",
            "theory there",
            "scope",
        )
        terms = "; ".join(f"{name}: {TERMS[name][0]}" for name in curves if name in TERMS)
        note = (
            f"Dotted, and “theory there”: the term that privacy adds, alone and without its constant ({terms})."
            if terms
            else ""
        )
        caption = privacy_caption([(n, g) for n, (_, g) in guarantees.items()], [note] if note else [])
        self.show(
            ("Regret grows: " if grows else "Regret: ") + "; ".join(words) + ".",
            table(heads, rows, numeric=(1, 2)),
            caption,
        )

    def code(self) -> str:
        v = self.values
        other = "epsilon" if v["against"] == "delta" else "delta"
        algorithms = list({cell.algorithm.name: cell.algorithm for cell in self.cells}.values())
        return self.call(
            "sweep", algorithms, **{v["against"]: self.axis, other: v[other], "checkpoints": [v["horizon"]]}
        )

    def frame(self) -> pd.DataFrame:
        """One row for each algorithm and value on the axis: mean and standard deviation of the regret, and the theory's
        extra term.
        """
        parts = []
        for name, (x, mean, deviation, runs) in self._curves(self.finished(self.engine.finish())).items():
            extra = self._theory(name, self.cells[0].instance, x)
            columns = {"algorithm": name, self.values["against"]: x, "regret_mean": mean, "regret_std": deviation}
            parts.append(pd.DataFrame({**columns, "runs": runs, "extra_term": np.nan if extra is None else extra}))
        return pd.concat(parts, ignore_index=True)
