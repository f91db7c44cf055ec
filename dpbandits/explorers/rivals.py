"""The private rivals from inside: what they believe, what they compare, when they release, and whom they play."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.arguments.rivals import HOW, trace
from dpbandits.catalogue import algorithms
from dpbandits.environments.stochastic import bernoulli
from dpbandits.explorers.toolkit.controls import Choice, Number, Seed, Switch
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.explorers.toolkit.plot import live_figure
from dpbandits.explorers.toolkit.tables import privacy_cells, table
from dpbandits.figures.palette import BLUE, GREY, ORANGE, translucent
from dpbandits.parameters import EPSILON, SEED, Parameter

ALGORITHM = Parameter("algorithm", "the rival", kind="choice", choices=tuple(HOW))
GAP = Parameter("gap", "distance Δ of the two arms, around 1/2", 0.3, low=0.01, high=1)
ROUNDS = Parameter("horizon", "number of rounds T of this one run", 4000, kind="integer", low=50, high=20_000)
ARMS = ((BLUE, "arm 1, the better"), (ORANGE, "arm 2"))
POINTS = 480


def rivals(
    algorithm: str = "dp-se",
    *,
    epsilon: float = 1.0,
    gap: float = 0.3,
    horizon: int = 4000,
    seed: int = 0,
    width: int | None = None,
    height: int = 520,
) -> "RivalsExplorer":
    """One run of a private rival on two arms, 1/2 ± gap/2: noisy beliefs, the indices that are compared, and the plays.

    algorithm: "private-ucb", "dp-ucb", "dp-ucb-bound", "dp-ucb-int", "dp-se" or "adap-ucb". Raises ValueError.
    """
    return RivalsExplorer(algorithm, epsilon, gap, horizon, seed, width, height)


class RivalsExplorer(Panel):
    """See rivals()."""

    def __init__(self, algorithm, epsilon, gap, horizon, seed, width, height):
        log_x = Parameter("log_x", "Logarithmic axis of rounds", kind="flag")
        groups = {
            "rival": [Choice(ALGORITHM, algorithm), Number(EPSILON, epsilon)],
            "problem": [Number(GAP, gap), Number(ROUNDS, horizon)],
            "": [Seed(SEED, seed)],
            "view": [Switch(log_x, False, "log t")],
        }
        self._played = None, None
        super().__init__("dpbandits-rivals", "A rival from inside", groups, self._figure(height), width)
        self.refresh()

    def _figure(self, height: int) -> go.Figure:
        traces = {}
        for arm, (colour, name) in enumerate(ARMS):
            traces |= {
                f"mean {arm}": go.Scatter(
                    name="true mean", line={"color": translucent(colour, 0.6), "width": 1, "dash": "dot"}, mode="lines",
                    showlegend=False,
                ),
                f"belief {arm}": go.Scatter(
                    name=f"noisy mean, {name}", line={"color": colour, "width": 1.3, "dash": "dash"}, mode="lines"
                ),
                f"index {arm}": go.Scatter(
                    name=f"index, {name}", line={"color": colour, "width": 2.2}, mode="lines"
                ),
                f"plays {arm}": go.Scatter(
                    name=f"plays, {name}", line={"color": colour, "width": 2}, mode="lines", showlegend=False,
                    xaxis="x", yaxis="y2",
                ),
            }  # fmt: skip
        figure = live_figure(traces, height=height, title=" ", x="round t", y="reward")
        lower = figure.layout.yaxis.to_plotly_json() | {"title": {"text": "plays so far"}, "domain": [0, 0.25]}
        return figure.update_layout(
            yaxis={"domain": [0.36, 1], "zeroline": True, "zerolinecolor": GREY},
            yaxis2=lower,
            xaxis={"anchor": "y2"},
        )

    @property
    def _means(self) -> np.ndarray:
        gap = self.values["gap"]
        return np.array([0.5 + gap / 2, 0.5 - gap / 2])

    def _trace(self):
        """The run; played once for each setting."""
        v = self.values
        asked = tuple(v[name] for name in ("algorithm", "epsilon", "gap", "horizon", "seed"))
        if self._played[0] != asked:
            self._played = asked, trace(asked[0], self._means, asked[3], epsilon=asked[1], seed=asked[4])
        return self._played[1]

    def frame(self) -> pd.DataFrame:
        """t, and for each arm its noisy mean, its index, and its plays up to t."""
        v, found = self.values, self._trace()
        grid = np.geomspace(1, v["horizon"], POINTS) if v["log_x"] else np.linspace(1, v["horizon"], POINTS)
        rounds = np.unique(np.round(grid).astype(int))
        row = np.searchsorted(found.start, rounds, side="right") - 1
        into = np.minimum(rounds - found.start[row] + 1, found.length[row])
        columns = {"t": rounds}
        for arm in range(2):
            before = np.concatenate(([0], np.cumsum(np.where(found.arm == arm, found.length, 0))))
            index = found.index[row, arm]
            columns |= {
                f"belief_{arm + 1}": np.where(np.isinf(index), np.nan, found.belief[row, arm]),
                f"index_{arm + 1}": np.where(np.isinf(index), np.nan, index),
                f"plays_{arm + 1}": before[row] + np.where(found.arm[row] == arm, into, 0),
            }
        return pd.DataFrame(columns)

    def update(self) -> None:
        v, frame = self.values, self.frame()
        rounds = frame["t"].to_numpy()
        edits = {}
        shown = []
        for arm in range(2):
            edits[f"mean {arm}"] = {"x": rounds[[0, -1]], "y": self._means[[arm, arm]], "visible": True}
            for curve, column in (("belief", "belief"), ("index", "index"), ("plays", "plays")):
                y = frame[f"{column}_{arm + 1}"].to_numpy()
                edits[f"{curve} {arm}"] = {"x": rounds, "y": y, "visible": True}
                if curve == "index":
                    shown.append(y[np.isfinite(y)])
        tops = np.concatenate(shown)
        high = float(np.quantile(tops, 0.9)) if tops.size else 1.0
        better, poorer = self._means
        self.view.redraw(
            edits,
            {
                "title.text": self.titled(f"{v['algorithm']} on means {better:.3g} and {poorer:.3g}"),
                "xaxis.type": "log" if v["log_x"] else "linear",
                "yaxis.range": [-0.3, max(1.6, 1.25 * high)],
            },
        )
        self._describe()

    def _describe(self) -> None:
        v, found = self.values, self._trace()
        lost = int(found.pulls[1]) * v["gap"]
        used = "once" if found.reuse == 1 else f"up to {found.reuse:,} times"
        text = (
            f"{v['algorithm']}: {int(found.pulls[1]):,} of {v['horizon']:,} rounds went to the poor arm, a regret of"
            f" {lost:,.0f}. {int(found.released[-1]):,} numbers were released, and a reward entered them {used}."
        )
        rows = []
        known, instance = algorithms(), bernoulli(self._means)
        for name in HOW:
            algorithm = known[name]
            promise = privacy_cells(
                algorithm.guarantee(algorithm.bind({"epsilon": v["epsilon"]}), instance, horizon=v["horizon"])
            )
            mark = "<b>{}</b>" if name == v["algorithm"] else "{}"
            rows.append((mark.format(name), HOW[name], *promise))
        self.show(text, table(("rival", "how it works", "guaranteed", "scope"), rows), "One run, not an average.")
        self.tell("Played.")

    def code(self) -> str:
        v = self.values
        return (
            "from dpbandits.arguments import rivals\n"
            f'rivals.trace("{v["algorithm"]}", {self._means.tolist()}, {v["horizon"]}, epsilon={v["epsilon"]!r},'
            f" seed={v['seed']})"
        )
