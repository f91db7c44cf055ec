"""A matroid that one can see: the greedy basis follows the indices, and π_t pairs it with the best one."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from html import escape

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.algorithms.catalogue import ALGORITHMS
from dpbandits.algorithms.matroid.replay import recorded
from dpbandits.environments import INSTANCES, Instance, build
from dpbandits.environments.matroid.questions import best_basis
from dpbandits.environments.matroid.walk import account
from dpbandits.explorers.toolkit.controls import Choice, Control, Number, Seed
from dpbandits.explorers.toolkit.light import place
from dpbandits.explorers.toolkit.matroid_picture import (
    Picture,
    bent,
    element_name,
    head,
    lines_with_gaps,
    named,
    picture,
    room,
)
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.explorers.toolkit.plot import live_figure
from dpbandits.explorers.toolkit.scales import Scale
from dpbandits.explorers.toolkit.tables import privacy_caption, table
from dpbandits.figures.palette import GREEN, GREY, INK, PURPLE, VERMILION
from dpbandits.parameters import EPSILON, SEED, Parameter, unknown

#: What the menu offers, by kind: (instance, its parameters, indices to begin with). Loops and parallel elements where
#: the kind has them.
SHOWN: Mapping[str, tuple[str, dict, tuple[float, ...]]] = {
    "vectors": ("matroid-table-6.1", {}, (0.7, 0.5, 0.6, 0.65, 0.3, 0.85, 0.9)),
    "graph": (
        "graphic-matroid",
        {
            "edges": ((0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (2, 3), (3, 4), (2, 4), (4, 4)),
            "means": (0.7, 0.6, 0.5, 0.65, 0.4, 0.8, 0.55, 0.3, 0.9),
        },
        (0.5, 0.8, 0.4, 0.3, 0.75, 0.6, 0.35, 0.7, 0.9),
    ),
    "blocks": (
        "partition-matroid",
        {
            "blocks": ((0, 1, 2), (3, 4), (5, 6, 7), (8,)),
            "capacities": (1, 1, 2, 0),
            "means": (0.8, 0.5, 0.2, 0.6, 0.3, 0.9, 0.7, 0.4, 0.95),
        },
        (0.4, 0.7, 0.3, 0.6, 0.2, 0.75, 0.5, 0.8, 0.9),
    ),
    "sets": (
        "transversal-matroid",
        {"sets": ((0, 1), (1, 2, 3), (3, 4)), "means": (0.8, 0.5, 0.6, 0.7, 0.3, 0.9)},
        (0.4, 0.7, 0.3, 0.8, 0.6, 0.9),
    ),
    "any K": (
        "uniform-matroid",
        {"means": (0.8, 0.7, 0.6, 0.5, 0.4, 0.2), "list_size": 3},
        (0.5, 0.7, 0.6, 0.8, 0.3, 0.4),
    ),
}
MOST = 12  # elements that there is room for
ROUNDS = 1000
INDICES = {"weights": "your own", "run": "those of a run"}
INDEX = Parameter(
    "indices",
    "where the indices come from: your own sliders, or a run of dpucb-mat",
    kind="choice",
    choices=tuple(INDICES),
)
ROUND = Parameter("round", "round t of the run", 100, kind="integer", low=1, high=ROUNDS)
TURN = Parameter("turn", "angle in degrees by which the vectors are turned", 35.0, low=0, high=360)
#: Elements by what they are now: (name, colour, width and dash of a line, fill of a badge, fill of a bar).
STATES = {
    "neither": ("in neither", "#b0b0b0", 1.6, "solid", "#ffffff", "#d5d5d5"),
    "optimal": ("in A* alone", GREEN, 3, "dash", "#ffffff", "#ffffff"),
    "played": ("in A alone", VERMILION, 4.5, "solid", "#f7d9c6", VERMILION),
    "both": ("in A and A*", GREEN, 4.5, "solid", "#c9ebe0", GREEN),
}


def see_a_matroid(
    matroid: str | Instance = "vectors",
    *,
    indices: str = "weights",
    epsilon: float = 1.0,
    round: int = 100,
    seed: int = 0,
    width: int | None = None,
    height: int = 640,
) -> "SeeAMatroid":
    """A matroid, its greedy basis A for the indices that you set or that a run of dpucb-mat has, and the best basis A*.

    Above, the elements; below, the greedy walk: from the greatest index to the least, keeping what is independent.
    Dotted: the pairs of π_t, by which the loss w̄(A*) − w̄(A) splits into one difference for each place (Chandak 2023,
    Section 4.1.3).

    matroid: "vectors" (Table 6.1), "graph", "blocks", "sets", "any K", or an instance of at most 12 elements, by its
    name or itself. indices: "weights" or "run". epsilon, round (at most 1000), seed: of the run. Raises ValueError for
    bad input.
    """
    return SeeAMatroid(matroid, indices, epsilon, round, seed, width, height)


class SeeAMatroid(Panel):
    """See see_a_matroid()."""

    def __init__(self, matroid, indices, epsilon, at, seed, width, height):
        self.instances = {name: build(family, **given) for name, (family, given, _) in SHOWN.items()}
        self.sources = {name: _source(family, given) for name, (family, given, _) in SHOWN.items()}
        first = self._offer(matroid)
        names = tuple(self.instances)
        most = max(i.arms for i in self.instances.values())
        slide = Scale("", 0, 1, 0.01)
        weight = lambda e: Parameter(f"weight_{e + 1}", f"your index of element {e + 1}", 0.0, low=0, high=1)
        start = (*self._first_indices(first), *[0.0] * most)[:most]
        self.weights = [Number(weight(e), w, slide, live=True) for e, w in enumerate(start)]
        self.to_means = self._button("indices = means", "Set your indices to the true means", self.know_the_means)
        rounds = Scale("round t", 1, ROUNDS, 0.03, log=True)
        self.run = [Number(EPSILON, epsilon, live=True), Number(ROUND, at, rounds, live=True), Seed(SEED, seed)]
        self.turn = Number(TURN, scale=Scale("turn", 0, 360, 5), live=True)
        groups = {
            "matroid": [Choice(Parameter("matroid", "what is shown", kind="choice", choices=names), first), self.turn],
            "indices": [Choice(INDEX, indices, labels=INDICES), *self.weights, *self.run],
        }
        super().__init__(
            "dpbandits-matroid",
            "A matroid, and the greedy walk",
            groups,
            self._figure(height),
            width,
            extras=[self.to_means],
        )
        self._arrange()
        self.refresh()

    def _offer(self, matroid: str | Instance) -> str:
        """Put it on the menu; its name there."""
        if isinstance(matroid, str) and matroid in self.instances:
            return matroid
        if isinstance(matroid, str) and matroid not in INSTANCES:
            raise ValueError(
                unknown(
                    "matroid", matroid, [*self.instances, *(n for n, f in INSTANCES.items() if f.setting == "matroid")]
                )
            )
        instance = build(matroid) if isinstance(matroid, str) else matroid
        if not isinstance(instance, Instance):
            raise ValueError(f"matroid = {instance!r} is not allowed: it must be a name or an Instance.")
        if instance.setting != "matroid" or instance.arms > MOST:
            raise ValueError(
                f"matroid = {instance.name!r} is not allowed: it must be a matroid instance of at most {MOST} elements."
            )
        self.instances[instance.name] = instance
        self.sources[instance.name] = (
            _source(instance.name, instance.parameters) if instance.name in INSTANCES else "yours"
        )
        return instance.name

    def _figure(self, height: int) -> go.Figure:
        above = {"xaxis": "x2", "yaxis": "y2", "visible": False}
        faint = {"color": "#dcdcdc", "width": 1}
        traces = {"background": go.Scatter(**above, mode="lines", line=faint, hoverinfo="skip", showlegend=False)}
        for state, (name, colour, thick, dash, *_) in STATES.items():
            look = {"line": {"color": colour, "width": thick, "dash": dash}, "hoverinfo": "skip"}
            traces[state] = go.Scatter(**above, **look, name=name, mode="lines")
        heads = {"mode": "lines", "fill": "toself", "fillcolor": PURPLE, "line": {"width": 0}, "showlegend": False}
        badge = {"size": 23, "line": {"width": 2.5}}
        traces |= {
            "pairs": go.Scatter(
                **above,
                name="pairs of π",
                mode="lines",
                line={"color": PURPLE, "width": 2, "dash": "dot"},
                hoverinfo="skip",
            ),
            "heads": go.Scatter(**above, **heads, hoverinfo="skip"),
            "badges": go.Scatter(
                **above,
                mode="markers+text",
                marker=badge,
                showlegend=False,
                hovertemplate="%{customdata}<extra></extra>",
            ),
            "names": go.Scatter(
                **above, mode="text", textfont={"color": GREY, "size": 12}, hoverinfo="skip", showlegend=False
            ),
            "walk": go.Bar(showlegend=False, textposition="none", marker={"line": {"width": 2}}),
            "means": go.Scatter(
                name="mean w̄",
                mode="markers",
                marker={"symbol": "line-ew-open", "size": 20, "color": INK, "line": {"width": 2}},
            ),
        }
        figure = live_figure(traces, height=height, title=" ", x="elements in the order of the walk", y="index")
        hidden = {"visible": False}
        return figure.update_layout(
            yaxis={"domain": [0, 0.26], "rangemode": "tozero"},
            xaxis={"type": "category", "showgrid": False, "title": {"standoff": 6}},
            yaxis2=hidden | {"domain": [0.38, 1], "scaleanchor": "x2"},
            xaxis2=hidden | {"domain": [0, 1], "anchor": "y2"},
            bargap=0.35,
        )

    def changed(self, control: Control) -> None:
        with self.quiet():
            if control.name == "matroid":
                self._set_weights(self._first_indices(control.value))
            self._arrange()
        self.refresh()

    def know_the_means(self) -> None:
        """Your indices become the true means: greedy then finds A*."""
        with self.hold():
            self._set_weights(self.instance.means.tolist())

    def _set_weights(self, values: Iterable[float]) -> None:
        for weight, value in zip(self.weights, values, strict=False):
            weight.value = value

    def _first_indices(self, name: str) -> Iterable[float]:
        """What the sliders begin with: of an instance of your own, its means in reverse."""
        return SHOWN[name][2] if name in SHOWN else self.instances[name].means[::-1].tolist()

    def _arrange(self) -> None:
        """Show the controls that this matroid and these indices take."""
        instance, run = self.instance, self.values["indices"] == "run"
        for e, weight in enumerate(self.weights):
            place(weight, not run and e < instance.arms)
            weight.box.description = element_name(e + 1, instance.labels[e] if e < instance.arms else "")
        place(self.to_means, not run)
        for control in self.run:
            place(control, run)
        place(self.turn, "vectors" in instance.facts)

    @property
    def instance(self) -> Instance:
        """The matroid bandit that is shown."""
        return self.instances[self.values["matroid"]]

    def state(self) -> tuple[np.ndarray, np.ndarray]:
        """(indices, shape (L,); the basis A by decreasing index, shape (K,)). Among equals a lower number goes first,
        in a run chance.
        """
        v, instance = self.values, self.instance
        if v["indices"] == "run":
            played = _run(instance, v["epsilon"], v["seed"]).played
            return played.index[v["round"] - 1], played.bases[v["round"] - 1]
        index = np.array([weight.value for weight in self.weights[: instance.arms]])
        return index, best_basis(instance.matroid, index)

    def update(self) -> None:
        v, instance, (index, basis) = self.values, self.instance, self.state()
        frame = self.frame()
        shape, state = picture(instance, basis, v["turn"]), self._states(basis)
        curves = [
            self._curve(shape, row.element - 1, int(row.partner) - 1)
            for row in frame[frame["kept"]].itertuples()
            if row.partner != row.element
        ]
        edits = {"background": lines_with_gaps(shape.background)}
        for name in STATES:
            edits[name] = lines_with_gaps([line for line, own in zip(shape.lines, state, strict=True) if own == name])
        edits |= {
            "pairs": lines_with_gaps(curves),
            "heads": lines_with_gaps([head(curve, shape) for curve in curves]),
        }
        told = [
            f"e{e + 1} {escape(label)}, w̄ = {mean:g}"
            for e, (label, mean) in enumerate(zip(instance.labels, instance.means, strict=True))
        ]
        numbers = [str(e + 1) for e in range(instance.arms)]
        edits["badges"] = named(shape.badges, numbers) | {"customdata": told} | self._colours(state, 4)
        edits["names"] = named(shape.points, shape.names)
        edits |= self._bars(frame, index, state)
        when = f"Round {v['round']} of a run, ε = {v['epsilon']:g}" if v["indices"] == "run" else "Your indices"
        self.view.redraw(
            edits,
            {"title.text": self.titled(f"{when}: A = {_set(basis)}"), **room(shape), "yaxis.range": self._range(index)},
        )
        self._describe(frame, basis)
        self.tell("Drawn.")

    def _states(self, basis) -> list[str]:
        """A key of STATES for each element."""
        words = {(False, False): "neither", (False, True): "optimal", (True, False): "played", (True, True): "both"}
        return [words[e in basis, e in self.instance.optimal_basis] for e in range(self.instance.arms)]

    @staticmethod
    def _curve(shape: Picture, e: int, partner: int) -> np.ndarray:
        """From an element to its partner, beside the straight line, on which others may lie."""
        one, other = shape.badges[[e, partner]]
        return bent(one, other, 0.12 if len(shape.lines[partner]) > 1 else 0.4 / np.linalg.norm(other - one))

    @staticmethod
    def _colours(states: Iterable[str], fill: int) -> dict[str, list[str]]:
        return {
            "marker.color": [STATES[own][fill] for own in states],
            "marker.line.color": [STATES[own][1] for own in states],
        }

    def _range(self, index: np.ndarray) -> list[float]:
        """Of the index axis: with all finite ones, all means, and room for a bar that stands for ∞."""
        finite = np.append(index[np.isfinite(index)], self.instance.means)
        return [min(0.0, 1.3 * finite.min()), 1.3 * max(finite.max(), 1e-9)]

    def _bars(self, frame: pd.DataFrame, index: np.ndarray, states: list[str]) -> dict[str, dict]:
        """The walk: a bar for each index, and the means. Loops take no part in it."""
        rows = [row for row in frame.rename(columns={"index": "height"}).itertuples() if row.why != "loop"]
        high = self._range(index)[1] / 1.1
        names = [f"e{row.element}<br>{_number(row.height)}" for row in rows]
        bars = {"x": names, "y": [min(row.height, high) for row in rows], "visible": True}
        colours = self._colours([states[row.element - 1] for row in rows], 5)
        return {"walk": bars | colours, "means": {"x": names, "y": [row.mean for row in rows], "visible": True}}

    def _describe(self, frame: pd.DataFrame, basis) -> None:
        instance, v = self.instance, self.values
        moved = [row.loss for row in frame.itertuples() if row.kept and row.partner != row.element]
        split = (
            " = " + " + ".join(f"{loss:.3g}" if loss >= 0 else f"({loss:.3g})" for loss in moved)
            if len(moved) > 1
            else ""
        )
        lost = max(0.0, instance.optimal_value - instance.means[basis].sum())
        text = (
            f"Greedy keeps {_set(basis)}; the best basis is A* = {_set(instance.optimal_basis)}; a round with A loses"
            f" {lost:.3g}{split}."
        )
        rows = [
            (
                escape(element_name(r.element, r.label)),
                f"{r.mean:.3g}",
                "–" if r.why == "loop" else _number(r.height),
                r.why,
                *_pair(r),
            )
            for r in frame.rename(columns={"index": "height"}).itertuples()
        ]
        parallel = ", ".join(map(_set, instance.parallel))
        notes = [f"Parallel, so that a basis holds one of them at most: {parallel}."] if parallel else []
        notes += [f"Loops, in no basis: {_set(instance.loops)}."] if instance.loops else []
        notes += (
            [] if instance.unique_best else ["The best basis is not unique: among equals, A* prefers lower numbers."]
        )
        guarantees = []
        if v["indices"] == "run":
            guarantees.append(
                ("dpucb-mat", ALGORITHMS["dpucb-mat"].guarantee({"epsilon": v["epsilon"]}, instance, ROUNDS))
            )
        else:
            notes.append("The indices are yours: there are no data here, and nothing to protect.")
        heads = ("element", "mean w̄", "index", "greedy walk", "paired with", "loses")
        self.show(text, table(heads, rows, numeric=(1, 2, 5)), privacy_caption(guarantees, notes))

    def code(self) -> str:
        v, instance = self.values, self.instance
        lines = ["from dpbandits.environments import build", "from dpbandits.environments.matroid.walk import account"]
        lines.append(f"instance = {self.sources[v['matroid']]}")
        if v["indices"] == "run":
            lines.append("from dpbandits.algorithms.matroid.replay import recorded")
            lines.append(
                f"played = recorded(instance, {v['round']}, epsilon={v['epsilon']!r}, seed={v['seed']}).played"
            )
            return "\n".join([*lines, "account(instance, played.index[-1], played.bases[-1])"])
        lines.append("from dpbandits.environments.matroid.questions import best_basis")
        lines.append(f"index = {[weight.value for weight in self.weights[: instance.arms]]!r}")
        return "\n".join([*lines, "account(instance, index, best_basis(instance.matroid, index))"])

    def frame(self) -> pd.DataFrame:
        """One row for each element in the order of the walk: see environments.matroid.walk.account."""
        return pd.DataFrame(account(self.instance, *self.state()))


@lru_cache(maxsize=16)
def _run(instance: Instance, epsilon: float, seed: int):
    return recorded(instance, ROUNDS, epsilon, seed)


def _source(name: str, parameters: Mapping) -> str:
    return f'build("{name}"' + "".join(f", {key}={value!r}" for key, value in parameters.items()) + ")"


def _set(elements: Iterable[int]) -> str:
    return "{" + ", ".join(f"e{e + 1}" for e in elements) + "}"


def _number(index: float) -> str:
    return "∞" if index == np.inf else f"{index:.3g}"


def _pair(row) -> tuple[str, str]:
    return (f"e{int(row.partner)}", f"{row.loss:.3g}") if row.kept else ("", "")
