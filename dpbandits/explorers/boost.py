"""Why DPTS-MAT needs its boost: how often must a good element be drawn before θ passes y?"""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.algorithms.catalogue import ALGORITHMS
from dpbandits.arguments.chandak import boost as added
from dpbandits.arguments.chandak import odds_against
from dpbandits.explorers.toolkit.controls import Number, Switch
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.explorers.toolkit.plot import HEIGHT, HIDDEN, live_figure
from dpbandits.explorers.toolkit.scales import Scale
from dpbandits.explorers.toolkit.tables import privacy_caption, table
from dpbandits.figures.palette import BLUE, GREEN, GREY, INK, VERMILION, translucent
from dpbandits.parameters import EPSILON, Parameter

GOOD = Parameter("good", "mean of the good element's batch", 0.8, low=0.05, high=1)
GAP = Parameter(
    "gap", "gap Δ to the element that is played in its place; y lies Δ/3 below the mean", 0.3, low=0.01, high=1
)
RANK = Parameter("rank", "K, elements played in a round", 3, kind="integer", low=1, high=100)
SIZE = Parameter("size", "weights in the batch, T_e", 16, kind="integer", low=1, high=65_536)
ROUND = Parameter("t", "round t, of which the boost grows with the logarithm", 100, kind="integer", low=2, high=10**9)
NOISE = Parameter("noise", "the noise of the sum, in units of its scale K/ε", -2.0, low=-12, high=12)
BOOSTED = Parameter("boosted", "add 3 ln(Kt)/(ε₀T_e) to the centre", kind="flag")
TS = ALGORITHMS["dpts-mat"]


def boost(
    *,
    epsilon: float = 1.0,
    rank: int = 3,
    size: int = 64,
    noise: float = -3.0,
    good: float = 0.8,
    gap: float = 0.3,
    t: int = 100,
    boosted: bool = True,
    width: int | None = None,
    height: int = HEIGHT,
) -> "Boost":
    """The law of θ of a good element whose noise came out badly: without noise, with it, with the boost; and (1 − Y)/Y,
    the expected number of times that somebody else is played first, Y = P(θ > y).

    noise: in scales K/ε; −3 or less has a probability of about 2 %. Raises ValueError for bad input.
    """
    return Boost(epsilon, rank, size, noise, good, gap, t, boosted, width, height)


class Boost(Panel):
    """See boost()."""

    def __init__(self, epsilon, rank, size, noise, good, gap, t, boosted, width, height):
        groups = {
            "the good element": [
                Number(SIZE, size, Scale("batch T", 1, 4096, 0.05, log=True), live=True),
                Number(NOISE, noise, Scale("noise", -8, 8, 0.1), live=True),
                Number(GOOD, good, Scale("mean", 0.05, 1, 0.05), live=True),
                Number(GAP, gap, Scale("gap Δ", 0.05, 1, 0.05), live=True),
            ],
            "privacy": [
                Number(EPSILON, epsilon, live=True),
                Number(RANK, rank, Scale("rank K", 1, 20), live=True),
            ],
            "the boost": [
                Number(ROUND, t, Scale("round t", 2, 10**6, 0.05, log=True), live=True),
                Switch(BOOSTED, boosted, "boost"),
            ],
        }
        super().__init__("dpbandits-boost", "What is the boost for?", groups, self._figure(height), width)
        self.refresh()

    def _figure(self, height: int) -> go.Figure:
        curve = lambda name, colour, dash: go.Scatter(
            name=name, mode="lines", line={"color": colour, "width": 2.2, "dash": dash}
        )
        traces = {
            "passes": go.Scatter(
                name="θ passes y", mode="lines", fill="toself", line={"width": 0}, fillcolor=translucent(BLUE, 0.2)
            ),
            "plain": curve("no noise", GREY, "dot"),
            "bare": curve("noise, no boost", VERMILION, "dash"),
            "used": curve("the law in use", BLUE, "solid"),
            "y": curve("y = mean − Δ/3", INK, "longdash"),
            "mean": curve("mean", GREEN, "dashdot"),
        }
        return live_figure(traces, height=height, title=" ", x="θ", y="density")

    @property
    def _centres(self) -> dict[str, float]:
        """Of the three laws."""
        v = self.values
        noisy = v["good"] + v["noise"] * v["rank"] / (v["epsilon"] * v["size"])
        lift = added(v["size"], v["rank"], v["epsilon"], v["t"])
        return {"plain": v["good"], "bare": noisy, "used": noisy + lift if v["boosted"] else noisy}

    def update(self) -> None:
        v, centres = self.values, self._centres
        spread, y = v["size"] ** -0.5, v["good"] - v["gap"] / 3
        ends = min([*centres.values(), y]) - 4 * spread, max([*centres.values(), y]) + 4 * spread
        x = np.linspace(*ends, 320)
        density = {
            name: np.exp(-((x - c) ** 2) / (2 * spread**2)) / (spread * np.sqrt(2 * np.pi))
            for name, c in centres.items()
        }
        tall = 1.15 / (spread * np.sqrt(2 * np.pi))
        above = x[x > y]
        used = density["used"][x > y]
        edits = {name: {"x": x, "y": d, "visible": True} for name, d in density.items()}
        edits |= {
            "passes": (
                {"x": np.r_[above, above[::-1]], "y": np.r_[used, np.zeros(used.size)], "visible": True}
                if above.size
                else HIDDEN
            ),
            "y": {"x": np.full(2, y), "y": np.array([0, tall]), "visible": True},
            "mean": {"x": np.full(2, v["good"]), "y": np.array([0, tall]), "visible": True},
        }
        self.view.redraw(
            edits,
            {
                "title.text": self.titled(f"θ of the good element: batch of {v['size']:,}, noise {v['noise']:g} × K/ε"),
                "xaxis.range": list(ends),
                "yaxis.range": [0, tall],
            },
        )
        self._describe(centres, y)
        self.tell("Move the noise to the left: how long must the good element wait, with and without the boost?")

    def _describe(self, centres: dict[str, float], y: float) -> None:
        v, rows = self.values, []
        words = {"plain": "no noise", "bare": "noise, no boost", "used": "the law in use"}
        waits = {name: float(odds_against(c, y, v["size"])) for name, c in centres.items()}
        for name, centre in centres.items():
            rows.append((words[name], f"{centre:.3f}", f"{1 / (1 + waits[name]):.3g}", f"{waits[name]:.3g}"))
        tail = 0.5 * np.exp(-abs(v["noise"]))
        text = (
            f"With this noise θ passes y = {y:.3g} with probability {1 / (1 + waits['used']):.3g}: (1 − Y)/Y"
            f" = {waits['used']:.3g}. Without a boost it would be {waits['bare']:.3g}, without noise"
            f" {waits['plain']:.3g}. Noise this far out or farther, on this side, has probability {tail:.2g}."
        )
        guarantee = TS.guarantee({"epsilon": v["epsilon"]})
        note = (
            "The boost is a number that everybody knows: it changes nothing in what is released. (1 − Y)/Y is the"
            " number of rounds, on average, that go by before θ passes y, if nothing else changes."
        )
        heads = ("", "centre", "Y = P(θ > y)", "(1 − Y)/Y")
        self.show(text, table(heads, rows, numeric=(1, 2, 3)), privacy_caption([(TS.name, guarantee)], [note]))

    def code(self) -> str:
        v, y = self.values, self.values["good"] - self.values["gap"] / 3
        lift = f" + boost({v['size']}, {v['rank']}, epsilon={v['epsilon']!r}, t={v['t']})" if v["boosted"] else ""
        return (
            "from dpbandits.arguments.chandak import boost, odds_against\n"
            f"centre = {v['good']!r} + {v['noise']!r} * {v['rank']} / ({v['epsilon']!r} * {v['size']}){lift}\n"
            f"odds_against(centre, {y!r}, {v['size']})  # (1 − Y)/Y at epsilon={v['epsilon']!r}"
        )

    def frame(self) -> pd.DataFrame:
        """One row for each of the three laws: its centre, Y, and (1 − Y)/Y."""
        centres, y = self._centres, self.values["good"] - self.values["gap"] / 3
        waits = [float(odds_against(c, y, self.values["size"])) for c in centres.values()]
        return pd.DataFrame(
            {
                "law": list(centres),
                "centre": list(centres.values()),
                "wait": waits,
                "passes": [1 / (1 + w) for w in waits],
            }
        )
