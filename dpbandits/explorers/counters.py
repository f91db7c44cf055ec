"""Continual counting: how far off is a private running sum, and when?"""

import math

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.explorers.toolkit.controls import Number, Seed, Several, Switch
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.explorers.toolkit.plot import HEIGHT, HIDDEN, live_figure
from dpbandits.explorers.toolkit.tables import table
from dpbandits.figures.palette import BLUE, GREEN, ORANGE, translucent
from dpbandits.mechanisms import continual
from dpbandits.parameters import EPSILON, SEED, Parameter

LENGTH = Parameter("length", "number T of items in the stream", 256, kind="integer", low=2, high=2**16)
STREAMS = Parameter(
    "streams", "number of streams whose errors are averaged (root mean square)", 100, kind="integer", low=1, high=2000
)
COLOURS = {"hybrid": BLUE, "binary": GREEN, "logarithmic": ORANGE}
TIPS = {
    "hybrid": "no horizon: ε/2 for sums at powers of two, ε/2 for a tree in between",
    "binary": "a tree over a horizon that is known",
    "logarithmic": "sums at powers of two only",
}
MOST = 1_000_000  # items in all streams together: long streams are fewer
POINTS = 480


def counters(
    *,
    epsilon: float = 1.0,
    length: int = 256,
    streams: int = 100,
    seed: int = 0,
    width: int | None = None,
    height: int = HEIGHT,
) -> "CountersExplorer":
    """Error of the hybrid, the binary and the logarithmic counter at every time, beside its exact standard deviation.

    length: T, number of items (the binary counter's horizon); streams: over how many the measured error is averaged:
    its root mean square. With 1, it is one run's error. Raises ValueError for bad input.
    """
    return CountersExplorer(epsilon, length, streams, seed, width, height)


class CountersExplorer(Panel):
    """See counters()."""

    def __init__(self, epsilon, length, streams, seed, width, height):
        flag = lambda name, text: Parameter(name, text, kind="flag")
        groups = {
            "counters": [Several("shown", TIPS, TIPS, 3)],
            "stream": [
                Number(EPSILON, epsilon, live=True),
                Number(LENGTH, length, live=True),
                Number(STREAMS, streams, live=True),
            ],
            "": [Seed(SEED, seed)],
            "view": [
                Switch(flag("measured", "errors of simulated streams"), True, "measured"),
                Switch(flag("log_x", "logarithmic time axis"), False, "log t"),
                Switch(flag("log_y", "logarithmic error axis"), False, "log y"),
            ],
        }
        super().__init__(
            "dpbandits-counters", "Counting in public: three private counters", groups, self._figure(height), width
        )
        self.refresh()

    def _figure(self, height: int) -> go.Figure:
        traces = {}
        for name, colour in COLOURS.items():
            traces |= {
                f"{name}_measured": go.Scatter(
                    name=f"{name}, measured",
                    line={"color": translucent(colour, 0.5), "width": 4},
                    mode="lines",
                    hoverinfo="skip",
                ),
                f"{name}_exact": go.Scatter(name=f"{name}, exact", line={"color": colour, "width": 1.6}, mode="lines"),
            }
        return live_figure(traces, height=height, title=" ", x="items counted, t", y="error")

    def _times(self) -> np.ndarray:
        length = self.values["length"]
        grid = np.geomspace(1, length, POINTS) if self.values["log_x"] else np.linspace(1, length, min(length, POINTS))
        return np.unique(np.round(grid).astype(int))

    @property
    def _streams(self) -> int:
        return min(self.values["streams"], MOST // self.values["length"])

    def _exact(self, name: str, times) -> np.ndarray:
        v = self.values
        horizon = {"horizon": v["length"]} if name == "binary" else {}
        return np.sqrt(getattr(continual, f"{name}_variance")(times, v["epsilon"], **horizon))

    def _noise(self, name: str) -> np.ndarray:
        """What the counter adds to streams of nothing, shape (streams, length)."""
        v = self.values
        horizon = {"horizon": v["length"]} if name == "binary" else {}
        counter = getattr(continual, f"{name}_counter")
        return counter(
            np.zeros((self._streams, v["length"])), v["epsilon"], **horizon, rng=np.random.default_rng(v["seed"])
        )

    def update(self) -> None:
        v = self.values
        frame = self.frame()
        edits = {name: HIDDEN for name in self.view.traces}
        for name in v["shown"]:
            for curve in (f"{name}_measured", f"{name}_exact")[0 if v["measured"] else 1 :]:
                edits[curve] = {"x": frame["t"].to_numpy(), "y": frame[curve].to_numpy(), "visible": True}
        count, one = self._streams, self._streams == 1
        drawn = np.concatenate([edit["y"] for edit in edits.values() if edit["visible"]])
        low, top = drawn[drawn > 0].min(), drawn.max()
        self.view.redraw(
            edits,
            {
                "title.text": (
                    f"Error at ε = {v['epsilon']:g}:"
                    f" {'one stream' if one else f'root mean square of {count:,} streams'}, and exact"
                ),
                "xaxis.type": "log" if v["log_x"] else "linear",
                "yaxis.type": "log" if v["log_y"] else "linear",
                "yaxis.title.text": "|error|" if one else "error, std. deviation",
                "yaxis.range": [math.log10(low) - 0.1, math.log10(top) + 0.1] if v["log_y"] else [0, 1.05 * top],
            },
        )
        self._describe()
        self.tell(
            "Drawn."
            if count == v["streams"]
            else f"Drawn, with {count:,} streams: more of this length would take too long."
        )

    def _describe(self) -> None:
        v, rows, words = self.values, [], []
        power = 1 << (
            v["length"].bit_length() - 1
        )  # here the hybrid counter is at its best, one item before at its worst
        before, times = power - 1, np.arange(1, v["length"] + 1)
        shown = list(dict.fromkeys((before, power, v["length"])))
        for name in v["shown"]:
            exact = self._exact(name, times)
            at = int(np.argmax(exact))
            rows.append((name, *(f"{exact[t - 1]:.3g}" for t in shown), f"{exact[at]:.3g} at t = {at + 1:,}"))
            words.append(f"{name} {exact[before - 1]:.3g} at t = {before:,}, {exact[power - 1]:.3g} at t = {power:,}")
        plain = math.sqrt(2) * v["length"] / v["epsilon"]
        rows.append(
            ("noise on every sum", *[f"{plain:.3g}"] * len(shown), f"each of {v['length']:,} sums at ε/{v['length']:,}")
        )
        heads = ("counter", *(f"t = {t:,}" for t in shown), "largest")
        caption = (
            "All ε-private for the whole sequence of sums, when one item changes by at most 1. The error is against the"
            " sum that a counter is about: the logarithmic one speaks of the first 2^k items only, and says nothing"
            " about those since. Its error grows with the number of releases; that of a tree follows the ones in the"
            " binary digits of t."
        )
        self.show(
            f"Standard deviation of the error: {'; '.join(words)}.",
            table(heads, rows, numeric=range(1, 1 + len(shown))),
            caption,
        )

    def code(self) -> str:
        v = self.values
        lines = ["import numpy as np", "from dpbandits.mechanisms import continual"]
        for name in v["shown"]:
            horizon = f", horizon={v['length']}" if name == "binary" else ""
            arguments = f"epsilon={v['epsilon']!r}{horizon}"
            lines.append(f"continual.{name}_variance(np.arange(1, {v['length'] + 1}), {arguments}) ** 0.5")
            lines.append(
                f"continual.{name}_counter(np.zeros(({self._streams}, {v['length']})), {arguments}, rng={v['seed']})"
            )
        return "\n".join(lines)

    def frame(self) -> pd.DataFrame:
        """t, and for each counter that is shown the measured and the exact error."""
        times = self._times()
        columns = {"t": times}
        for name in self.values["shown"]:
            columns[f"{name}_measured"] = np.sqrt((self._noise(name)[:, times - 1] ** 2).mean(axis=0))
            columns[f"{name}_exact"] = self._exact(name, times)
        return pd.DataFrame(columns)
