"""A map of a bound: which of its parts rules at which ε (or δ) and T, and where it says nothing."""

from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.bounds import BOUNDS, Bound
from dpbandits.bounds.beside import arguments, same_items
from dpbandits.bounds.regimes import REGIMES, Parts, parts, stretches
from dpbandits.environments import Instance
from dpbandits.environments.cascade import ITEMS, LIST_SIZE, OTHER_MEAN, TOP_MEAN
from dpbandits.explorers.toolkit.controls import Choice, Control, control_for
from dpbandits.explorers.toolkit.light import place
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.explorers.toolkit.plot import HEIGHT, live_figure
from dpbandits.explorers.toolkit.tables import number, table
from dpbandits.explorers.toolkit.theory import first_value
from dpbandits.figures.palette import BLUE, GREEN, INK, ORANGE, SKY
from dpbandits.parameters import DELTA, EPSILON, HORIZON, Parameter, unknown

COLOURS = ("#d9d9d9", GREEN, BLUE, SKY, ORANGE)  # of REGIMES
RANGES = {"epsilon": (0.01, 10.0), "delta": (1e-10, 0.5)}
SYMBOLS = {"epsilon": "ε", "delta": "δ"}
LONGEST = 10**12
POINTS = 101
MOST = 100  # items, so that a move stays quick
PROBLEM = ("items", "list_size", "top_mean", "other_mean")
#: What theorems leave to their user.
ASKED = {p.name: p for b in BOUNDS.values() for p in b.parameters if p.suggested is not None}


def which_term_rules(
    bound: str = "wang-zhu-theorem-16",
    against: str = "epsilon",
    *,
    epsilon: float = 1.0,
    delta: float = 1e-4,
    horizon: int = 10**6,
    items: int = 8,
    list_size: int = 2,
    top_mean: float = 0.5,
    other_mean: float = 0.2,
    constants: str = "corrected",
    width: int | None = None,
    height: int = HEIGHT,
    **assumed: float,
) -> "WhichTermExplorer":
    """Where a theorem says nothing, where learning costs most, and where privacy does.

    bound: a catalogue name. against: "epsilon" or "delta", the horizontal axis; the vertical one is T. The cross
    marks (ε, δ, T). items L, list_size K, top_mean, other_mean: the problem, as `same_items` builds it in the bound's
    setting. constants: "printed" or "corrected", where they differ. assumed: `c0`, `alpha`, `xi`, what some theorems
    ask of their user. Raises ValueError for bad input.
    """
    if bound not in BOUNDS:
        raise ValueError(unknown("bound", bound, BOUNDS))
    if against not in RANGES:
        raise ValueError(unknown("axis", against, RANGES))
    for name in assumed:
        if name not in ASKED:
            raise ValueError(unknown("parameter", name, ASKED, " of this explorer"))
    problem = {"items": items, "list_size": list_size, "top_mean": top_mean, "other_mean": other_mean}
    return WhichTermExplorer(
        bound,
        against,
        {"epsilon": epsilon, "delta": delta, "horizon": horizon},
        problem,
        constants,
        assumed,
        width,
        height,
    )


class WhichTermExplorer(Panel):
    """See which_term_rules()."""

    def __init__(self, bound, against, point, problem, constants, assumed, width, height):
        theorems = Parameter("bound", "the theorem that is taken apart", kind="choice", choices=tuple(BOUNDS))
        which = Parameter(
            "constants",
            "as the papers print them, or corrected",
            kind="choice",
            choices=("printed", "corrected"),
        )
        axes = Parameter("against", "the horizontal axis", kind="choice", choices=tuple(RANGES))
        self.assumed = {name: control_for(p, assumed.get(name, first_value(p)), live=True) for name, p in ASKED.items()}
        groups = {
            "theorem": [
                Choice(theorems, bound),
                Choice(axes, against, labels={n: f"{n} ({s})" for n, s in SYMBOLS.items()}),
                Choice(which, constants),
                *self.assumed.values(),
            ],
            "where the cross is": [control_for(p, point[p.name], live=True) for p in (EPSILON, DELTA, HORIZON)],
            "problem (K items at the top)": [
                control_for(replace(p, high=min(p.high, MOST)), problem[p.name], live=True)
                for p in (ITEMS, LIST_SIZE, TOP_MEAN, OTHER_MEAN)
            ],
        }
        super().__init__("dpbandits-which-term", "Which term rules?", groups, self._figure(height), width)
        self._arrange()
        self.refresh()

    def _figure(self, height: int) -> go.Figure:
        steps = np.repeat(np.arange(len(COLOURS) + 1) / len(COLOURS), 2)[1:-1]
        scale = [[float(s), COLOURS[i // 2]] for i, s in enumerate(steps)]
        keys = {
            regime: go.Scatter(
                x=[None],
                y=[None],
                name=regime,
                mode="markers",
                marker={"symbol": "square", "size": 13, "color": colour},
            )
            for regime, colour in zip(REGIMES, COLOURS, strict=True)
        }
        cross = {"symbol": "cross-thin", "size": 16, "line": {"width": 3, "color": INK}}
        traces = {
            "map": go.Heatmap(z=[[0]], zmin=-0.5, zmax=len(COLOURS) - 0.5, colorscale=scale, showscale=False),
            "here": go.Scatter(name="here", mode="markers", marker=cross, showlegend=False, hoverinfo="skip"),
            **keys,
        }
        figure = live_figure(traces, height=height, title=" ", x="ε", y="horizon T", log_x=True, log_y=True)
        return figure.update_layout(xaxis_showgrid=False, yaxis_showgrid=False, xaxis_title_standoff=6)

    @property
    def bound(self) -> Bound:
        """The chosen theorem."""
        return BOUNDS[self.values["bound"]]

    def changed(self, control: Control) -> None:
        self._arrange()
        super().changed(control)

    def _arrange(self) -> None:
        """Show what the theorem asks for, and δ where it has one."""
        taken = {p.name for p in self.bound.parameters}
        for name in (*self.assumed, "delta", "constants"):
            place(self.controls[name], name in taken)

    @property
    def together(self) -> tuple[str, ...]:
        return ("bound", *PROBLEM)

    def allows(self, **moved: object) -> None:
        if moved.keys() & set(PROBLEM):
            self._instance(**moved)

    def idle(self) -> dict[str, str]:
        if self.bound.setting == "stochastic":
            return {"list_size": "here one arm is the best, and one is played."}
        return {}

    def _instance(self, **moved: object) -> Instance:
        """The items as a problem of the theorem's setting, with these values `moved`. Raises ValueError."""
        v = self.values | moved
        return same_items(self.bound.setting, **{name: v[name] for name in PROBLEM})

    def _taken_apart(self, rounds, instance: Instance, **moved: float) -> Parts:
        v = self.values
        held = {name: v[name] for name in ("epsilon", "delta", "constants", *self.assumed)} | moved
        return parts(self.bound, rounds, instance.worst_regret, **arguments(self.bound, instance, held))

    def _axes(self) -> tuple[np.ndarray, np.ndarray]:
        x = np.geomspace(*RANGES[self._against], POINTS)
        return x, np.unique(np.geomspace(100, LONGEST, POINTS).astype(np.int64))

    @property
    def _against(self) -> str:
        """The axis; ε where the theorem has no δ."""
        return self.values["against"] if self._has_slack else "epsilon"

    @property
    def _has_slack(self) -> bool:
        """Whether the theorem has a δ."""
        return any(p.name == "delta" for p in self.bound.parameters)

    def _map(self) -> tuple[np.ndarray, np.ndarray, list[Parts]]:
        x, rounds = self._axes()
        instance = self._instance()
        return x, rounds, [self._taken_apart(rounds, instance, **{self._against: float(value)}) for value in x]

    def update(self) -> None:
        v, against = self.values, self._against
        x, rounds, columns = self._map()
        symbol = SYMBOLS[against]
        regimes = np.array([column.regime for column in columns], np.int8).T
        hover = f"{symbol} = %{{x:.3g}}, T = %{{y:.3g}}<br>%{{text}}<extra></extra>"
        shades = {"z": regimes, "text": np.array(REGIMES)[regimes], "hovertemplate": hover, "visible": True}
        edits = {"map": {"x": x, "y": rounds.astype(float), **shades}}
        edits |= {regime: {"x": [None], "y": [None], "visible": True} for regime in REGIMES}
        edits["here"] = {"x": np.array([v[against]]), "y": np.array([float(v["horizon"])]), "visible": True}
        theorem = f"{self.bound.paper}, {self.bound.where} ({self.bound.setting}, {self.bound.kind} bound)"
        self.view.redraw(
            edits,
            {
                "title.text": self.titled(theorem, (against, "horizon")),
                "xaxis.title.text": f"privacy {symbol}" if against == "epsilon" else symbol,
                "xaxis.range": np.log10(RANGES[against]),
                "yaxis.range": [2, np.log10(LONGEST)],
            },
        )
        self._describe()

    def _describe(self) -> None:
        v, bound, instance = self.values, self.bound, self._instance()
        here, column = (
            self._taken_apart([v["horizon"]], instance),
            self._taken_apart(np.unique(np.geomspace(10, LONGEST, 500).astype(np.int64)), instance),
        )
        said = [
            f"from about T = {_about(column.rounds[start])} on: {REGIMES[regime]}"
            for start, regime in stretches(column.regime)
        ]
        said[0] = f"{'for small' if len(said) > 1 else 'at every'} T: {REGIMES[column.regime[0]]}"
        at = f"ε = {v['epsilon']:g}" + (f", δ = {v['delta']:g}" if self._has_slack else "")
        worst = instance.worst_regret
        rows = [
            ("the bound", number(here.value[0]), f"{at}, T = {v['horizon']:,}"),
            ("without privacy", number(here.learning[0]), "the same, for an ε beyond all measure"),
            ("privacy adds", number(here.privacy[0]), REGIMES[here.regime[0]]),
            ("it would add", number(here.without_slack[0] - here.learning[0]), "at δ = 10⁻¹²"),
            ("the worst policy loses", number(worst * v["horizon"]), "the worst choice in every round"),
        ]
        if not self._has_slack:
            rows.pop(3)
        notes = "<br>".join(
            [
                (
                    "<b>Says nothing</b>: an upper bound above what the worst policy loses, or a lower bound of 0. "
                    "<b>Learning rules</b>: the term of privacy "
                    "is at most as large as what learning costs anyway."
                ),
                (
                    "<b>Cut by δ</b>: it is less than half of what it would be at δ = 10⁻¹². "
                    "<b>By δ alone</b>: half the ε would make it larger by less than a tenth."
                ),
            ]
        )
        self.show(
            f"{bound.paper}, {bound.where} at {at}: {'; '.join(said)}.",
            table(("where the cross is", "regret", ""), rows, numeric=(1,)),
            notes,
        )
        self.tell("Drawn.")

    def code(self) -> str:
        v = self.values
        problem = ", ".join(f"{name}={v[name]!r}" for name in ("items", "list_size", "top_mean", "other_mean"))
        held = ", ".join(f"{name}={v[name]!r}" for name in ("epsilon", "delta", "constants", *self.assumed))
        return (
            "from dpbandits import catalogue\nfrom dpbandits.bounds.beside import arguments, same_items\n"
            "from dpbandits.bounds.regimes import parts\n"
            f'bound, instance = catalogue.bounds()["{v["bound"]}"], same_items("{self.bound.setting}", {problem})\n'
            f"parts(bound, [{v['horizon']}], instance.worst_regret, **arguments(bound, instance, dict({held})))"
        )

    def frame(self) -> pd.DataFrame:
        """One row for each point of the map: ε or δ, round, bound, what learning costs, privacy adds, who rules."""
        x, rounds, columns = self._map()
        frames = [
            pd.DataFrame(
                {
                    self._against: value,
                    "round": rounds,
                    "bound": c.value,
                    "learning": c.learning,
                    "privacy": c.privacy,
                    "rules": np.array(REGIMES)[c.regime],
                }
            )
            for value, c in zip(x, columns, strict=True)
        ]
        return pd.concat(frames, ignore_index=True)


def _about(horizon: float) -> str:
    return number(float(f"{horizon:.2g}"))
