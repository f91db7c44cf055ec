"""The key observation of Wang et al. on cascades: how long the stream of a counter is decides the power of ln t."""

import math

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.arguments import cascades
from dpbandits.environments.cascade import ITEMS
from dpbandits.explorers.toolkit.controls import Number, Several, Switch
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.explorers.toolkit.plot import HEIGHT, HIDDEN, live_figure
from dpbandits.explorers.toolkit.tables import number, table
from dpbandits.figures.palette import BLUE, GREY, INK, ORANGE, VERMILION
from dpbandits.parameters import EPSILON, Parameter

GAP = Parameter("gap", "Δ of the wrong item", 0.15, low=0.001, high=1)
XI = Parameter("xi", "ξ of the reference (B)^(1 + ξ), dotted", 0.5, low=0.01, high=2)
DIGITS = Parameter("digits", "how far to look: T = 10 to this power", 12.0, low=2, high=300)
LOOKS = {"own count": (BLUE, "solid"), "rounds so far": (ORANGE, "dash"), "horizon": (VERMILION, "dashdot")}
POINTS = 240


def counter_radius(
    *,
    items: int = 20,
    epsilon: float = 1.0,
    gap: float = 0.15,
    xi: float = 0.5,
    digits: float = 12.0,
    exponents: bool = False,
    width: int | None = None,
    height: int = HEIGHT,
) -> "CounterRadiusExplorer":
    """How often a wrong item must be read until its bonus for noise fits into its gap, by the length of its stream.

    items L, epsilon (each counter has ε/L), gap Δ; xi: of the reference curve; digits: T = 10^digits. exponents: show
    the local power of ln t instead. Raises ValueError for bad input.
    """
    given = {"items": items, "epsilon": epsilon, "gap": gap, "xi": xi, "digits": digits, "exponents": exponents}
    return CounterRadiusExplorer(given, width, height)


class CounterRadiusExplorer(Panel):
    """See counter_radius()."""

    def __init__(self, given, width, height):
        exponents = Parameter("exponents", "The local power of ln t, d ln s / d ln ln t", kind="flag")
        groups = {
            "counters": [
                Several("streams", cascades.STREAMS, cascades.STREAMS, 3),
                Number(EPSILON, given["epsilon"], live=True),
            ],
            "problem": [
                Number(ITEMS, given["items"], live=True),
                Number(GAP, given["gap"], live=True),
                Number(DIGITS, given["digits"], live=True),
            ],
            "view": [Number(XI, given["xi"], live=True), Switch(exponents, given["exponents"], "powers of ln t")],
        }  # fmt: skip
        super().__init__("dpbandits-counter-radius", "How long is the stream?", groups, self._figure(height), width)
        self.refresh()

    def _figure(self, height: int) -> go.Figure:
        traces = {
            name: go.Scatter(
                name=f"stream as long as: {name}", line={"color": c, "width": 2.4, "dash": d}, mode="lines"
            )
            for name, (c, d) in LOOKS.items()
        }
        traces["reference"] = go.Scatter(
            name="B^(1 + ξ)", line={"color": INK, "width": 1.4, "dash": "dot"}, mode="lines"
        )
        traces["learning"] = go.Scatter(name="without privacy", line={"color": GREY, "width": 1.6}, mode="lines")
        return live_figure(traces, height=height, title=" ", x="rounds t", y="reads of a wrong item", log_x=True)

    def frame(self) -> pd.DataFrame:
        """t, and for each kind of stream how many reads are enough; the reference; and what learning alone asks."""
        v = self.values
        log_t = np.linspace(math.log(10), v["digits"] * math.log(10), POINTS)
        columns = {"log10_t": log_t / math.log(10)}
        for name in cascades.STREAMS:
            columns[name] = cascades.enough(log_t, name, items=v["items"], epsilon=v["epsilon"], gap=v["gap"])
        columns["reference"] = (12 * v["items"] * log_t / (v["epsilon"] * v["gap"])) ** (1 + v["xi"])
        columns["learning"] = cascades.learned(log_t, v["gap"])
        frame = pd.DataFrame(columns)
        if v["exponents"]:
            for name in (*cascades.STREAMS, "reference", "learning"):
                frame[name] = np.gradient(np.log(frame[name].to_numpy()), np.log(log_t))
        return frame

    def update(self) -> None:
        v, frame = self.values, self.frame()
        digits = frame["log10_t"].to_numpy()
        edits = dict.fromkeys(self.view.traces, HIDDEN)
        for name in (*v["streams"], "reference", "learning"):
            edits[name] = {"x": digits, "y": frame[name].to_numpy(), "visible": True}
        self.view.redraw(
            edits,
            {
                "title.text": self.titled(f"When does a gap of {v['gap']:g} show? L = {v['items']}"),
                "xaxis.type": "linear",
                "xaxis.title.text": "digits of t (log₁₀ t)",
                "yaxis.type": "linear" if v["exponents"] else "log",
                "yaxis.title.text": "power of ln t" if v["exponents"] else "reads of a wrong item",
            },
        )
        self._describe()

    def _describe(self) -> None:
        v = self.values
        ends = [math.log(10) * d for d in (v["digits"] * 0.99, v["digits"])]
        given = {"items": v["items"], "epsilon": v["epsilon"], "gap": v["gap"], "log_horizon": ends[1]}
        rows, words = [], []
        for name in v["streams"]:
            low, high = (float(cascades.enough(np.array(x), name, **given)) for x in ends)
            power = math.log(high / low) / math.log(ends[1] / ends[0])
            against_t = f"{100 * 10 ** (math.log10(high) - v['digits']):.2g} %" if v["digits"] < 290 else "–"
            rows.append((name, cascades.STREAMS[name], number(high), f"{power:.2f}", against_t))
            words.append(f"{name} {high:.3g}")
        text = f"At t = 10^{v['digits']:g} a wrong item is read so often before it shows: {', '.join(words)}."
        caption = (
            "Powers: d ln s / d ln ln t at the right end. Own count: s = B ln<sup>1.5</sup> s with B in proportion to"
            " ln t, so s is of order ln t (ln ln t)<sup>1.5</sup>, in the end less than ln<sup>1+ξ</sup> t for every ξ;"
            " where B<sup>1+ξ</sup> lies below s, the step of the proof does not hold yet. Horizon: fixed, so only the"
            " bonus' ln t grows with t; compare different T."
        )
        heads = ("stream", "what it is", "reads", "power of ln t", "of all rounds")
        self.show(text, table(heads, rows, numeric=(2, 3, 4)), caption)
        self.tell("Drawn.")

    def code(self) -> str:
        v = self.values
        given = f"items={v['items']}, epsilon={v['epsilon']!r}, gap={v['gap']!r}"
        return (
            "import numpy as np\nfrom dpbandits.arguments import cascades\n"
            f"log_t = np.linspace(np.log(10), {v['digits']!r} * np.log(10), 5)\n"
            + "\n".join(f'cascades.enough(log_t, "{name}", {given})' for name in v["streams"])
        )
