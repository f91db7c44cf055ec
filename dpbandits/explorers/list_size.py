"""The price of longer lists: noise, bonus and regret of the local cascade algorithms against K."""

import math

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.algorithms.catalogue import ALGORITHMS
from dpbandits.environments import Instance, build
from dpbandits.environments.cascade import uniform_value
from dpbandits.explorers.toolkit.controls import Choice, Number, Seed, Switch, control_for
from dpbandits.explorers.toolkit.engine import LIVE_HORIZON, LIVE_RUNS
from dpbandits.explorers.toolkit.plot import HEIGHT, HIDDEN, by_height, live_figure
from dpbandits.explorers.toolkit.scales import Scale
from dpbandits.explorers.toolkit.simulation_panel import (
    Problem,
    SimulationPanel,
    parameter_controls,
    refuse_leftovers,
    spread,
)
from dpbandits.explorers.toolkit.tables import named, number, privacy_caption, table
from dpbandits.figures.palette import GREY, line
from dpbandits.parameters import SEED, Parameter
from dpbandits.simulation import Cell

VIEWS = {"noise": "noise of one report", "bonus": "what the index adds for it", "regret": "regret (simulated)"}
AXES = {"noise": "standard deviation", "bonus": "bonus after T rounds", "regret": "regret after T rounds"}
LONGEST = Parameter(
    "longest", "largest list size K on the axis; where items are played, at most L", 40, kind="integer", low=2, high=200
)
PLAYED = 6  # list sizes at which regret is simulated


def list_size(
    view: str = "noise",
    *,
    epsilon: float = 0.2,
    delta: float = 0.001,
    longest: int = 40,
    horizon: int = 10_000,
    runs: int = 5,
    seed: int = 0,
    width: int | None = None,
    height: int = HEIGHT,
    **parameters: object,
) -> "ListSizeExplorer":
    """Laplace, Gaussian, composed and first-position noise against the list size K, and where they cross.

    view: "noise", the standard deviation of one report; "bonus", what the index adds for it after `horizon` rounds of
    uniform play (an item is then observed in E min(C, K)/L of the rounds, in first position in 1/L of them); "regret",
    simulated at some K. parameters: `items`, `top_mean`, `other_mean` of cascade-paper, `noise_multiplier`,
    `bonus_multiplier`. Raises ValueError for bad input.
    """
    given = {"epsilon": epsilon, "delta": delta, **parameters}
    return ListSizeExplorer(view, given, longest, (horizon, runs, seed), width, height)


class ListSizeExplorer(SimulationPanel):
    """See list_size()."""

    def __init__(self, view, parameters, longest, numbers, width, height):
        self.records = {name: record for name, record in ALGORITHMS.items() if record.reports}
        taken = {"items", "top_mean", "other_mean", *(p.name for r in self.records.values() for p in r.parameters)}
        refuse_leftovers({name: None for name in parameters if name not in taken}, taken)  # list_size is on the axis
        problem = Problem(["cascade-paper"], "cascade-paper", parameters)
        self.own = {name: control for name, control in problem.own.items() if name != "list_size"}
        privacy = parameter_controls(
            self.records.values(), ("epsilon", "delta", "noise_multiplier", "bonus_multiplier"), parameters
        )
        horizon, runs, seed = numbers
        what = Parameter("view", "what is plotted", kind="choice", choices=tuple(VIEWS))
        groups = {
            "against K": [Choice(what, view, labels=VIEWS), Number(LONGEST, longest, Scale("K up to", 2, 64))],
            "privacy": list(privacy.values()),
            "problem (first K items at the top)": list(self.own.values()),
            "simulation": [control_for(LIVE_HORIZON, horizon), control_for(LIVE_RUNS, runs), Seed(SEED, seed)],
            "view": [
                Switch(
                    Parameter("log_x", "logarithmic K: a power of K is a straight line", kind="flag"), True, "log K"
                ),
                Switch(Parameter("log_y", "logarithmic vertical axis", kind="flag"), True, "log y"),
            ],
        }
        super().__init__(
            "dpbandits-list-size", "The price of longer lists", problem, privacy, groups, self._figure(height), width
        )

    def _figure(self, height: int) -> go.Figure:
        look = lambda record: {"name": record.name, "line": line(record), "marker": {"color": record.colour, "size": 6}}
        traces = {name: go.Scatter(**look(record), visible=False) for name, record in self.records.items()}
        ring = {"size": 13, "color": "rgba(0,0,0,0)", "line": {"color": GREY, "width": 2}}
        traces["crossing"] = go.Scatter(
            name="crossing: from here on smaller", mode="markers", marker=ring, visible=False
        )
        traces["chance"] = go.Scatter(
            name="uniform play", mode="lines", line={"color": GREY, "dash": "dot", "width": 1.6}, visible=False
        )
        return live_figure(traces, height=height, title=" ", x="list size K", y="noise").update_layout(
            xaxis_tickformat="d"
        )

    @property
    def sizes(self) -> np.ndarray:
        """The K on the axis: all of them, or those that are simulated, below L (a list of all items loses nothing)."""
        v = self.values
        if v["view"] == "noise":
            return np.arange(1, v["longest"] + 1)
        if v["view"] == "bonus":
            return np.arange(1, min(v["longest"], v["items"]) + 1)
        return np.unique(np.round(np.linspace(1, max(1, min(v["longest"], v["items"] - 1)), PLAYED)).astype(int))

    together = ("items", "top_mean", "other_mean")

    def allows(self, **moved: object) -> None:
        if moved.keys() & self.own.keys():
            own = {name: control.value for name, control in self.own.items()} | moved
            build("cascade-paper", list_size=1, **own)
        else:
            super().allows(**moved)

    def idle(self) -> dict[str, str]:
        view = self.values["view"]
        unused = {
            "noise": (*self.own, "bonus_multiplier", "horizon", "runs", "seed"),
            "bonus": ("noise_multiplier", "runs", "seed"),
            "regret": (),
        }[view]
        why = {
            "noise": "the noise of one report depends on K, ε and δ alone.",
            "bonus": "the bonus follows from a formula, in which it does not occur.",
        }
        return super().idle() | {name: why[view] for name in unused}

    def _instance(self, size: int) -> Instance:
        own = {name: control.value for name, control in self.own.items()}
        return build("cascade-paper", list_size=min(int(size), own["items"]), **own)

    def _closed(self) -> dict[str, np.ndarray]:
        """name -> noise or bonus at each of `sizes`."""
        v = self.values
        scales = {
            name: np.array([record.reports.scale(int(size), v["epsilon"], v["delta"]) for size in self.sizes])
            for name, record in self.records.items()
        }
        if v["view"] == "noise":
            factor = {name: record.reports.deviation for name, record in self.records.items()}
            return {name: v["noise_multiplier"] * factor[name] * scale for name, scale in scales.items()}
        return {name: v["bonus_multiplier"] * self._answer(name, scale) for name, scale in scales.items()}

    def _answer(self, name: str, scale: np.ndarray) -> np.ndarray:
        """What the index adds at the horizon for noise of this scale, from as many observations as uniform play
        makes.
        """
        reports, horizon = self.records[name].reports, self.values["horizon"]
        read = 1.0 if reports.first_only else np.array([self._read(size) for size in self.sizes])
        n = np.maximum(1, horizon * read / self.values["items"])
        return scale * reports.answer(math.log(horizon)) / np.sqrt(n)

    def _read(self, size: int) -> float:
        """E min(C, K): positions that a user reads of a random list."""
        attraction = self._instance(size).attraction
        return 1 + sum(1 - uniform_value(attraction, k) for k in range(1, int(size)))

    def _cells_at(self, size: int) -> list[Cell]:
        instance, rounds = self._instance(size), np.array([self.values["horizon"]])
        return [cell for record in self.records.values() for cell in self.cells_of(record, instance, rounds)]

    def plan(self) -> list[Cell]:
        cells = [cell for size in self.sizes for cell in self._cells_at(size)]
        self.refused = list(dict.fromkeys(self.refused))
        if not cells:
            raise ValueError(" ".join(self.refused))
        return cells

    def update(self) -> None:
        if self.values["view"] == "regret":
            super().update()
            return
        self.engine.drop()
        self.refused = []
        self.cells = self._cells_at(self.sizes[-1])
        self._draw_curves(self._closed())
        self.fade(False)
        self.stop_button.disabled = True
        self.tell(
            f"Drawn, from the formula{' alone: the problem plays no part' if self.values['view'] == 'noise' else ''}."
        )

    def plot(self, results) -> None:
        self._draw_curves(self._means(results))

    def _means(self, results) -> dict[str, np.ndarray]:
        """name -> mean regret at each of `sizes`, nan where no run is finished."""
        curves = {cell.algorithm.name: np.full(self.sizes.size, np.nan) for cell, _, _ in results}
        for cell, regret, _ in results:
            curves[cell.algorithm.name][self.sizes == cell.instance.list_size] = spread(regret[:, -1])[0]
        return curves

    def _draw_curves(self, curves: dict[str, np.ndarray]) -> None:
        v, sizes, regret = self.values, self.sizes, self.values["view"] == "regret"
        edits, crossings = {}, self.crossings(curves) if not regret else []
        for name in self.records:
            edits[name] = HIDDEN
            if name in curves:
                y = curves[name]
                edits[name] = {
                    "x": sizes,
                    "y": y,
                    "visible": True,
                    "mode": "lines+markers" if regret or sizes.size < 30 else "lines",
                }
        points = [(size, curves[lower][size - 1]) for lower, _, size in crossings]
        edits["crossing"] = edits["chance"] = HIDDEN
        if points:
            edits["crossing"] = {
                "x": np.array([p[0] for p in points]),
                "y": np.array([p[1] for p in points]),
                "visible": True,
            }
        if regret:
            lost = [v["horizon"] * self._instance(size).uniform_regret for size in sizes]
            edits["chance"] = {"x": sizes, "y": np.array(lost), "visible": True}
        self.view.redraw(
            by_height(edits),
            {
                "title.text": self.titled(f"{VIEWS[v['view']].capitalize()} against K"),
                "yaxis.title.text": AXES[v["view"]],
                "xaxis.type": "log" if v["log_x"] else "linear",
                "xaxis.range": np.log10(sizes[[0, -1]]) + [-0.03, 0.03] if v["log_x"] else [0.5, sizes[-1] + 0.5],
                "yaxis.type": "log" if v["log_y"] else "linear",
                "yaxis.rangemode": "tozero",
            },
        )
        self._describe(curves, crossings)

    @staticmethod
    def crossings(curves: dict[str, np.ndarray]) -> list[tuple[str, str, int]]:
        """(lower, higher, K): from K on, to the end of the axis, the first is below the second; before, it was not."""
        found = []
        for lower, low in curves.items():
            for higher, high in curves.items():
                not_below = np.flatnonzero(low >= high * (1 - 1e-12))
                if (
                    not_below.size
                    and not_below[-1] + 1 < low.size
                    and (low[: not_below[-1] + 1] > high[: not_below[-1] + 1]).any()
                ):
                    found.append((lower, higher, int(not_below[-1]) + 2))
        return found

    def _describe(self, curves, crossings) -> None:
        v, sizes, rows, guarantees = self.values, self.sizes, [], []
        regret = v["view"] == "regret"
        instance = self._instance(sizes[-1])
        shown = sorted({0, sizes.size // 2, sizes.size - 1})
        for name, y in curves.items():
            cell = next(c for c in self.cells if c.algorithm.name == name)
            guarantees.append((name, cell.algorithm.guarantee(cell.parameters, instance, v["horizon"])))
            rows.append(
                (
                    named(cell.algorithm),
                    *(number(y[i]) for i in shown),
                    *([] if regret else [_growth(sizes, y)]),
                )
            )
        short = lambda name: name.removeprefix("cascade-ldp-")
        if regret:
            words = [f"{short(n)} {y[-1]:,.0f}" for n, y in curves.items()]
            text = (
                f"Regret at K = {sizes[-1]}: {', '.join(words)}; uniform play"
                f" {v['horizon'] * instance.uniform_regret:,.0f}."
            )
        else:
            words = [f"{short(a)} below {short(b)} from K = {size}" for a, b, size in crossings]
            text = f"Crossings up to K = {sizes[-1]}: {'; '.join(words) or 'none'}."
        heads = ("algorithm", *(f"K = {sizes[i]}" for i in shown), *([] if regret else ["grows like"]))
        hint = (
            "A user of the printed algorithms reports on every item that they read, one of the repaired one on one item"
            " alone."
        )
        caption = privacy_caption(guarantees, [hint] if v["view"] == "bonus" else [])
        self.show(text, table(heads, rows, numeric=range(1, 1 + len(shown))), caption)

    def code(self) -> str:
        v = self.values
        if v["view"] == "regret":
            taken = {"list_size": [int(size) for size in self.sizes], "checkpoints": [v["horizon"]]}
            return self.call("sweep", list(self.records.values()), **taken)
        arguments = ", ".join(f"{name}={v[name]!r}" for name in ("longest", "horizon", *self.own, *self.privacy))
        return f'from dpbandits.explorers import list_size\nlist_size("{v["view"]}", {arguments}).frame()'

    def frame(self) -> pd.DataFrame:
        """list_size, and what is plotted of each algorithm."""
        regret = self.values["view"] == "regret"
        curves = self._means(self.finished(self.engine.finish())) if regret else self._closed()
        return pd.DataFrame({"list_size": self.sizes} | curves)


def _growth(sizes: np.ndarray, y: np.ndarray) -> str:
    """K to the slope between the ends in log scales."""
    if y.size < 2 or not min(y[0], y[-1]) > 0:
        return "–"
    return f"K^{math.log(y[-1] / y[0]) / math.log(sizes[-1] / sizes[0]):.2f}"
