"""The tree of cucb-dp: which nodes are read, with what noise, and what is left of it in every arm's mean."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.algorithms.catalogue import ALGORITHMS
from dpbandits.algorithms.semibandit.blind import TIME, TreeReading, blind_tree
from dpbandits.algorithms.semibandit.records import EXACT
from dpbandits.environments import build
from dpbandits.environments.semibandit.families import ARMS, LIST_SIZE
from dpbandits.explorers.toolkit.controls import Number, Seed, Switch
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.explorers.toolkit.plot import live_figure
from dpbandits.explorers.toolkit.scales import Scale
from dpbandits.explorers.toolkit.tables import number, privacy_caption, table
from dpbandits.figures.palette import BLUE, INK, SKY, VERMILION
from dpbandits.parameters import EPSILON, SEED

ROUNDS = 64  # of the tree
ROUND = replace(TIME, high=ROUNDS)
SOME_ARMS = replace(ARMS, high=40)  # that there is room for
RECORD = ALGORITHMS["cucb-dp"]
NODES = [(level, first) for level in range(ROUNDS.bit_length()) for first in range(0, ROUNDS, 1 << level)]
READ, COMPLETE, OPEN = BLUE, "#c6e1f2", "#f1f1f1"  # colours of nodes
KEYS = {"read now": READ, "complete": COMPLETE, "not yet complete": OPEN}


def vector_tree(
    *,
    t: int = 23,
    epsilon: float = 1.0,
    arms: int = 12,
    list_size: int = 3,
    exact: bool = False,
    seed: int = 0,
    width: int | None = None,
    height: int = 560,
) -> "VectorTree":
    """The tree of cucb-dp over 64 rounds, read after round t, and the noise in every base arm's mean.

    A leaf is one user's vector of outcomes, and every node carries Laplace noise on each of its `arms` coordinates. In
    a round the sums of the K arms played are read; an arm's mean stays as it was when it was last played. The super
    arms are uniformly random, as cucb-dp plays so early. exact: noise K·levels/ε in place of the printed 2K ln T/ε.
    Raises ValueError for bad input.
    """
    return VectorTree(t, epsilon, arms, list_size, exact, seed, width, height)


class VectorTree(Panel):
    """See vector_tree()."""

    def __init__(self, t, epsilon, arms, list_size, exact, seed, width, height):
        groups = {
            "round": [Number(ROUND, t, Scale("round t", 1, ROUNDS), live=True)],
            "privacy": [Number(EPSILON, epsilon, live=True), Switch(EXACT, exact, "exact noise")],
            "problem": [
                Number(SOME_ARMS, arms, Scale("arms m", 1, 40), live=True),
                Number(LIST_SIZE, list_size, Scale("list size K", 1, 12), live=True),
            ],
            "": [Seed(SEED, seed)],
        }
        super().__init__("dpbandits-vector-tree", "A tree with vectors for leaves", groups, self._figure(height), width)
        self.refresh()

    def _figure(self, height: int) -> go.Figure:
        below = {"xaxis": "x2", "yaxis": "y2"}
        levels, starts = np.array(NODES).T
        boxes = {"x": 1 << levels, "y": levels, "base": starts, "orientation": "h", "width": 0.86}
        key = lambda name, colour: go.Scatter(
            name=name, x=[None], y=[None], mode="markers", marker={"color": colour, "symbol": "square", "size": 11}
        )
        edge = {"width": 1, "color": "white"}
        traces = {
            "nodes": go.Bar(
                **boxes,
                marker={"line": edge, "color": [OPEN] * len(NODES)},
                showlegend=False,
                hovertemplate="%{customdata}<extra></extra>",
            ),
            **{name: key(name, colour) for name, colour in KEYS.items()},
            "deviation": go.Bar(**below, name="standard deviation", marker={"color": SKY}),
            "noise": go.Scatter(
                **below,
                name="drawn, without its sign",
                mode="markers",
                marker={"color": INK, "size": 7, "symbol": "x-thin", "line": {"width": 2}},
            ),
            "bonus": go.Scatter(
                **below,
                name="bonus that covers it",
                mode="markers",
                marker={"color": VERMILION, "size": 17, "symbol": "line-ew", "line": {"width": 3, "color": VERMILION}},
            ),
        }
        figure = live_figure(traces, height=height, title=" ", x="rounds that a node sums", y="level")
        axes = {n: figure.layout[n].to_plotly_json() for n in ("xaxis", "yaxis")}
        return figure.update_layout(
            yaxis={
                "domain": [0.58, 1],
                "range": [-0.55, 6.55],
                "dtick": 1,
                "showgrid": False,
                "title": {"text": "length of a node"},
            },
            xaxis={
                "anchor": "y",
                "range": [-0.4, ROUNDS + 0.4],
                "dtick": 8,
                "showgrid": False,
                "title": {"standoff": 4},
            },
            yaxis_tickvals=list(range(7)),
            yaxis_ticktext=[str(1 << level) for level in range(7)],
            yaxis2=axes["yaxis"]
            | {
                "domain": [0, 0.38],
                "type": "log",
                "exponentformat": "none",
                "dtick": 1,
                "title": {"text": "noise in the mean"},
            },
            xaxis2=axes["xaxis"] | {"anchor": "y2", "title": {"text": "base arm"}},
            bargap=0.3,
        )

    together = ("arms", "list_size")

    def allows(self, **moved: object) -> None:
        v = self.values | moved
        replace(LIST_SIZE, high=v["arms"]).check(v["list_size"])

    def _reading(self) -> TreeReading:
        v = self.values
        tree = blind_tree(v["arms"], v["list_size"], v["epsilon"], v["t"], ROUNDS, v["seed"], v["exact"])
        if not math.isfinite(tree.scale**2):
            raise ValueError(
                f"epsilon: {v['epsilon']:g} is not allowed: the variance of its noise is beyond any number."
            )
        return tree

    def update(self) -> None:
        v, tree, frame = self.values, self._reading(), self.frame()
        seen, read = frame["pulls"].to_numpy() > 0, set(tree.nodes)
        spans = [(first, first + (1 << level)) for level, first in NODES]
        colours = [READ if span in read else COMPLETE if span[1] <= v["t"] else OPEN for span in spans]
        hover = [
            f"rounds {first + 1} to {last},"
            f" {'read now' if (first, last) in read else 'complete' if last <= v['t'] else 'not yet complete'}"
            for first, last in spans
        ]
        x, shown = frame["arm"].to_numpy()[seen], {"visible": True}
        edits = {
            "nodes": {
                "x": np.array([last - first for first, last in spans]),
                "marker.color": colours,
                "customdata": hover,
                **shown,
            }
        }
        edits |= {name: {"x": np.array([np.nan]), **shown} for name in KEYS}
        for name in ("deviation", "noise", "bonus"):
            edits[name] = {"x": x, "y": np.abs(frame[name].to_numpy()[seen]), **shown}
        drawn = np.concatenate([edits["deviation"]["y"], edits["bonus"]["y"]])
        self.view.redraw(
            edits,
            {
                "title.text": self.titled(
                    f"After round {v['t']}: the sum is that of {len(read)} node{'s' * (len(read) > 1)}"
                ),
                "xaxis2.range": [0.4, v["arms"] + 0.6],
                "xaxis2.dtick": 1 if v["arms"] <= 20 else 2,
                "yaxis2.range": [math.log10(drawn.min()) - 0.8, math.log10(drawn.max()) + 0.2],
            },
        )
        self._describe(tree, frame)
        self.tell(f"Round {v['t']} plays arms {', '.join(str(i + 1) for i in tree.chosen)}.")

    def _describe(self, tree: TreeReading, frame: pd.DataFrame) -> None:
        v, one, count = self.values, 2 * tree.scale**2, len(tree.nodes)
        rows = [
            (
                f"rounds {first + 1} to {last}" if last - first > 1 else f"round {last}",
                last - first,
                f"{tree.scale:.3g}",
                number(one),
            )
            for first, last in tree.nodes
        ]
        rows.append(("<b>the sum</b>", v["t"], "", f"<b>{number(count * one)}</b>"))
        nodes = table(("node read now", "length", "scale of its noise", "variance"), rows, numeric=(1, 2, 3))
        cells = [
            (
                str(arm),
                f"{pulls}",
                f"{at}" if at else "never",
                *((number(x) for x in (deviation, noise, bonus)) if at else ("–",) * 3),
            )
            for arm, pulls, at, deviation, noise, bonus in frame.itertuples(index=False)
        ]
        heads = ("base arm", "played", "last read", "deviation", "drawn", "bonus")
        arms = table(heads, cells, numeric=range(6))
        ratio = (frame["bonus"] / frame["deviation"])[frame["pulls"] > 0]
        text = (
            f"After round {v['t']} = {v['t']:b} in binary, {count} node{'s' * (count > 1)} of noise scale"
            f" {tree.scale:.3g} {'adds' if count == 1 else 'add'} up to a variance of {number(count * one)} for each"
            " coordinate. The bonus that is to"
            f" cover it is {number(ratio.min())} to {number(ratio.max())} times the standard deviation."
        )
        guarantee = RECORD.guarantee(
            {"epsilon": v["epsilon"], "exact": v["exact"]},
            build("good-arms", arms=v["arms"], list_size=v["list_size"]),
            ROUNDS,
        )
        notes = [
            guarantee.note,
            f"A leaf is a user's vector of up to K = {v['list_size']} outcomes, so the noise has scale "
            + ("K·levels/ε with 7 levels" if v["exact"] else "2K ln T/ε with T = 64")
            + ". An arm that is not played keeps its mean and the noise in it. The bonus is 12K ln³T/(ε Tᵢ).",
        ]
        heading = "<div class='dpb-heading' style='padding: 8px 0 2px'>the noise in the mean of every arm</div>"
        self.show(text, nodes + heading + arms, privacy_caption([(RECORD.name, guarantee)], notes))

    def code(self) -> str:
        v = self.values
        given = ", ".join(f"{name}={v[name]!r}" for name in ("arms", "list_size", "epsilon", "t", "seed", "exact"))
        return f"from dpbandits.algorithms.semibandit.blind import blind_tree\nblind_tree({given}, horizon={ROUNDS})"

    def frame(self) -> pd.DataFrame:
        """For each base arm (from 1): how often played, when last read (0: never), and of its mean (nan before the
        first play) the standard deviation of the noise, the noise drawn and the bonus."""
        v, tree = self.values, self._reading()
        count = np.where(tree.pulls > 0, tree.pulls, np.nan)
        bonus = 12 * v["list_size"] * math.log(ROUNDS) ** 3 / v["epsilon"]
        columns = {
            "pulls": tree.pulls,
            "read_at": tree.read_at,
            "deviation": tree.deviation / count,
            "noise": tree.noise / count,
        }
        return pd.DataFrame({"arm": np.arange(1, v["arms"] + 1)} | columns | {"bonus": bonus / count})
