"""Lazy and forgetful: when dpucb-mat renews an estimate, from which observations, and what a tree counter would make of
them.
"""

import math
from dataclasses import replace
from html import escape

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.algorithms.catalogue import ALGORITHMS
from dpbandits.algorithms.matroid.replay import Recorded, recorded, releases_of
from dpbandits.environments import Instance
from dpbandits.explorers.regret import PRESETS
from dpbandits.explorers.toolkit.controls import Control, Number, Seed, control_for
from dpbandits.explorers.toolkit.matroid_picture import element_name
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.explorers.toolkit.plot import live_figure
from dpbandits.explorers.toolkit.scales import Scale
from dpbandits.explorers.toolkit.simulation_panel import Problem, refuse_leftovers
from dpbandits.explorers.toolkit.tables import number, privacy_caption, table
from dpbandits.figures.palette import BLUE, GREY, INK, ORANGE, SKY
from dpbandits.mechanisms import continual
from dpbandits.parameters import EPSILON, HORIZON, SEED, Parameter
from dpbandits.simulation import checkpoint_rounds

ARM = Parameter("arm", "element whose estimate is followed, from 1", 1, kind="integer", low=1)
HORIZON_HERE = replace(HORIZON, low=2, high=20_000)
BATCHES = {"forgotten": "#c9c9c9", "in use": BLUE, "waiting": SKY}


def laziness(
    arm: int = 1,
    instance: str | Instance = "matroid-table-6.1",
    *,
    epsilon: float = 1.0,
    horizon: int = 2000,
    seed: int = 0,
    width: int | None = None,
    height: int = 600,
    **parameters: object,
) -> "LazinessExplorer":
    """One element of one run of DPUCB-MAT (Chandak 2023, Algorithm 2), and a tree counter fed with the same
    observations.

    Above: the lazy estimate, a sum of 1, 2, 4, ... observations with noise Lap(K/ε), renewed when so many new ones are
    there; the tree's sum of all of them, with the same ε for the whole transcript, over their number; and their mean
    without noise. In the
    middle: which observations are forgotten, in use and waiting. Below: standard deviations of the errors, of noise and
    observations together, for independent observations. arm: the element, from 1. horizon: at most 20 000. parameters:
    of the instance. Raises ValueError for bad input.
    """
    return LazinessExplorer(arm, instance, dict(parameters), (epsilon, horizon, seed), width, height)


class LazinessExplorer(Panel):
    """See laziness()."""

    def __init__(self, arm, instance, parameters, numbers, width, height):
        epsilon, horizon, seed = numbers
        self.problem = Problem(PRESETS["matroid"].instances, instance, parameters)
        refuse_leftovers(parameters, self.problem.own)
        arms = self.problem.instance().arms
        self.arm = Number(replace(ARM, high=arms), arm, Scale("element", 1, arms))
        self._run: tuple[object, Instance, Recorded] | None = None
        groups = {
            "problem": [*self.problem.controls, self.arm],
            "privacy": [control_for(EPSILON, epsilon)],
            "simulation": [
                Number(HORIZON_HERE, horizon, Scale("horizon T", 10, 20_000, 0.05, log=True)),
                Seed(SEED, seed),
            ],
        }
        super().__init__("dpbandits-laziness", "Lazy and forgetful", groups, self._figure(height), width)
        self.refresh()

    def _figure(self, height: int) -> go.Figure:
        strip, below = (
            {"yaxis": "y2", "mode": "lines", "hoverinfo": "skip"},
            {
                "yaxis": "y3",
                "mode": "lines",
                "showlegend": False,
            },
        )
        lazy, tree, plain = {"color": BLUE, "width": 2.2}, {"color": ORANGE, "width": 1.3}, {"color": INK, "width": 1.4}
        traces = {
            "mean": go.Scatter(name="true mean", mode="lines", line={"color": GREY, "dash": "dot", "width": 1.5}),
            "plain": go.Scatter(name="all, without noise", mode="lines", line=plain),
            "tree": go.Scatter(name="tree counter", mode="lines", line=tree),
            "lazy": go.Scatter(
                name="lazy and forgetful", mode="lines+markers", line=lazy | {"shape": "hv"}, marker={"size": 7}
            ),
            **{
                name: go.Scatter(**strip, name=name, line={"color": colour, "width": 13})
                for name, colour in BATCHES.items()
            },
            "sizes": go.Scatter(
                yaxis="y2", mode="text", textfont={"size": 11}, hoverinfo="skip", showlegend=False, cliponaxis=False
            ),
            "plain_error": go.Scatter(**below, name="all, without noise", line=plain),
            "tree_error": go.Scatter(**below, name="tree counter", line=tree),
            "lazy_error": go.Scatter(**below, name="lazy and forgetful", line=lazy | {"shape": "hv"}),
        }
        figure = live_figure(traces, height=height, title=" ", x="round t", y="estimate of the mean", log_x=True)
        axis = figure.layout.yaxis.to_plotly_json()
        return figure.update_layout(
            xaxis={"anchor": "y3"},
            yaxis={"domain": [0.54, 1], "zeroline": True, "zerolinecolor": "#bbbbbb"},
            yaxis2={"domain": [0.4, 0.48], "visible": False, "range": [-1, 1.6]},
            yaxis3=axis
            | {
                "domain": [0, 0.36],
                "type": "log",
                "title": {"text": "std. error"},
                "exponentformat": "power",
            },
        )

    def changed(self, control: Control) -> None:
        with self.quiet():
            if control is self.problem.menu:
                self.problem.arrange(reset=True)
        self.refresh()

    def run(self) -> tuple[Instance, Recorded]:
        """The run that the controls ask for; kept until they ask for another."""
        v = self.values
        asked = v["instance"], self.problem.parameters, v["epsilon"], v["horizon"], v["seed"]
        if self._run is None or self._run[0] != asked:
            instance = self.problem.instance()
            self._run = asked, instance, recorded(instance, v["horizon"], v["epsilon"], v["seed"])
        return self._run[1:]

    def update(self) -> None:
        v, (instance, run) = self.values, self.run()
        with self.quiet():
            self.arm.limit(instance.arms)
        e, mean = self.values["arm"] - 1, float(instance.means[self.values["arm"] - 1])
        releases, waiting = releases_of(run, e)
        ends = [release.rounds[-1] for release in releases]
        curves = self._curves(instance, run, e)
        estimates, seen = [r.estimate for r in releases], [r.rounds for r in releases]
        step = {"x": [*ends, v["horizon"]], "y": [*estimates, *estimates[-1:]]} if releases else {"x": [], "y": []}
        spans = {"forgotten": seen[:-1], "in use": seen[-1:], "waiting": [waiting] if waiting.size else []}
        edits = {"mean": {"x": np.array([1, v["horizon"]]), "y": np.array([mean, mean])}, "lazy": step}
        edits |= {
            name: {"x": curves["round"], "y": curves[name]} for name in ("plain", "tree", "plain_error", "tree_error")
        }
        edits |= {name: _strip(spans[name]) for name in BATCHES}
        batches = [rounds for own in spans.values() for rounds in own]
        told = _apart([(math.sqrt(rounds[0] * rounds[-1]), rounds.size) for rounds in batches], v["horizon"])
        edits["sizes"] = {"x": [x for x, _ in told], "y": [1.2] * len(told), "text": [f"{size}" for _, size in told]}
        errors = [self._lazy_error(instance, mean, r.rounds.size) for r in releases]
        edits["lazy_error"] = {"x": step["x"], "y": [*errors, *errors[-1:]]}
        name = escape(element_name(e + 1, instance.labels[e]))
        near = [*step["y"], *curves["plain"], mean]  # the tree's first sums may be far away
        self.view.redraw(
            {name: edit | {"visible": True} for name, edit in edits.items()},
            {
                "title.text": self.titled(
                    f"{name}: {len(releases)} estimates from {curves['observed']:,} observations"
                ),
                "xaxis.range": [0, math.log10(v["horizon"])],
                "yaxis.range": _clip(near, mean),
            },
        )
        self._describe(instance, e, releases, waiting, curves)
        self.tell(
            f"e{e + 1} is a loop: no basis holds it, and it is never played." if e in instance.loops else "Drawn."
        )

    def _curves(self, instance: Instance, run: Recorded, e: int) -> dict:
        """What is made of all observations so far, at some rounds: their mean, the tree's, and the standard deviations
        of both.
        """
        v, mean = self.values, instance.means[e]
        count = np.cumsum((run.played.bases == e).any(axis=1))
        rounds = checkpoint_rounds(v["horizon"])
        rounds = rounds[count[rounds - 1] > 0]
        if not rounds.size:
            return {
                "round": rounds,
                **dict.fromkeys(("plain", "tree", "plain_error", "tree_error"), np.empty(0)),
                "observed": 0,
            }
        n, stream = count[rounds - 1], run.weights[(run.played.bases == e).any(axis=1), e]
        sums = continual.binary_counter(
            stream, v["epsilon"], v["horizon"], np.random.default_rng([v["seed"], e]), instance.rank
        )
        noise = continual.binary_variance(n, v["epsilon"], v["horizon"], instance.rank) / n**2
        seen = mean * (1 - mean) / n
        return {
            "round": rounds,
            "plain": np.cumsum(stream)[n - 1] / n,
            "tree": sums[n - 1] / n,
            "plain_error": np.sqrt(seen),
            "tree_error": np.sqrt(seen + noise),
            "observed": int(stream.size),
        }

    def _lazy_error(self, instance: Instance, mean: float, size: int) -> float:
        return math.sqrt(mean * (1 - mean) / size + 2 * (instance.rank / (self.values["epsilon"] * size)) ** 2)

    def _describe(self, instance: Instance, e: int, releases, waiting, curves) -> None:
        v, rows = self.values, []
        ends = [*(release.rounds[-1] for release in releases[1:]), v["horizon"]]
        for release, until in zip(releases, ends, strict=False):
            size = release.rounds.size
            seen = str(release.rounds[0]) if size == 1 else f"{release.rounds[0]:,}–{release.rounds[-1]:,}"
            rows.append(
                (
                    f"{size:,}",
                    seen,
                    f"{release.rounds[-1] + 1:,}–{until:,}",
                    f"{release.total / size:.3f}",
                    f"{release.noise / size:+.3f}",
                    f"{release.estimate:.3f}",
                )
            )
        text = f"e{e + 1} was played in {curves['observed']:,} of {v['horizon']:,} rounds."
        if releases:
            used = releases[-1].rounds.size
            lazy, tree = self._lazy_error(instance, float(instance.means[e]), used), float(curves["tree_error"][-1])
            forgotten = curves["observed"] - used - waiting.size
            text += (
                f" Its estimate stands on {used:,} of these observations; {forgotten:,} are forgotten, {waiting.size:,}"
                " wait."
            )
            text += f" Standard error {number(lazy)}; a tree counter over all of them would have {number(tree)},"
            text += f" {number(tree / lazy)} times that." if lazy > 0 else "."
        levels, rank = v["horizon"].bit_length(), instance.rank
        notes = [
            (
                f"Noise: lazy, Lap({number(rank / v['epsilon'])}) = Lap(K/ε) once for a batch, since a weight enters"
                f" one release; tree, Lap({number(levels * rank / v['epsilon'])}) in each of up to {levels} nodes,"
                f" since a weight enters {levels} of them. K sums share the ε in both."
            ),
            (
                "The estimate counts a quarter to a half of what was seen, and so has up to twice the sampling error;"
                " its index adds bonuses for both."
            ),
        ]
        heads = ("T_e", "observed in rounds", "used in rounds", "their mean", "noise / T_e", "estimate w̃")
        guarantee = ALGORITHMS["dpucb-mat"].guarantee({"epsilon": v["epsilon"]}, instance, v["horizon"])
        self.show(text, table(heads, rows, numeric=range(6)), privacy_caption([("dpucb-mat", guarantee)], notes))

    def code(self) -> str:
        v = self.values
        given = "".join(f", {name}={value!r}" for name, value in self.problem.parameters.items())
        return (
            "from dpbandits.algorithms.matroid.replay import recorded, releases_of\nfrom dpbandits.environments import"
            " build\n"
            f'run = recorded(build("{v["instance"]}"{given}), {v["horizon"]}, epsilon={v["epsilon"]!r},'
            f" seed={v['seed']})\n"
            f"releases, waiting = releases_of(run, {v['arm'] - 1})"
        )

    def frame(self) -> pd.DataFrame:
        """One row for each renewal: size of the batch, first and last round of its observations, their sum, noise,
        estimate.
        """
        releases, _ = releases_of(self.run()[1], self.values["arm"] - 1)
        return pd.DataFrame(
            [(r.rounds.size, r.rounds[0], r.rounds[-1], r.total, r.noise, r.estimate) for r in releases],
            columns=["size", "first_round", "last_round", "total", "noise", "estimate"],
        )


def _strip(spans: list[np.ndarray]) -> dict:
    """Pieces from the first to the last round of each batch, a short one for a single round."""
    ends = [(rounds[0], max(rounds[-1], 1.03 * rounds[0]), np.nan) for rounds in spans]
    return {"x": np.ravel(ends), "y": np.zeros(3 * len(ends))}


def _apart(sizes: list[tuple[float, int]], horizon: int, pixels: int = 480) -> list[tuple[float, int]]:
    """(round, size) of the batches whose sizes can stand side by side on a log axis of so many pixels, larger first.

    A digit takes 7 pixels, and two numbers stand 6 apart.
    """
    told: list[tuple[float, int]] = []
    for x, size in sorted(sizes, key=lambda one: -one[1]):
        far = [pixels * abs(math.log(x / other)) / math.log(horizon) for other, _ in told]
        need = [3.5 * (len(str(size)) + len(str(known))) + 6 for _, known in told]
        if all(away >= least for away, least in zip(far, need, strict=True)):
            told.append((x, size))
    return sorted(told)


def _clip(values: list[float], mean: float) -> list[float]:
    """A range that holds these values, as far as they are within 1 of the mean, with some room."""
    inside = np.clip(values, mean - 1, mean + 1)
    return [inside.min() - 0.1, inside.max() + 0.1]
