"""What ε means for somebody who wants to know one bit: how often must they fail? (Chandak 2023, Figure 2.1)"""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.explorers.toolkit.controls import Number, Seed
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.explorers.toolkit.plot import HEIGHT, live_figure
from dpbandits.explorers.toolkit.tables import table
from dpbandits.figures import failure
from dpbandits.figures.palette import VERMILION
from dpbandits.parameters import EPSILON, SEED
from dpbandits.privacy.adversary import TRIALS, laplace_failure, least_failure, measured_failure, tangent

FARTHEST = 5.0  # ε at the right end, unless the slider is beyond it
PLAYED = 12  # values of ε at which randomised response is played


def adversary(
    *, epsilon: float = 1.0, trials: int = 10_000, seed: int = 0, width: int | None = None, height: int = HEIGHT
) -> "AdversaryExplorer":
    """The least failure rate of an adversary against ε-privacy, 1/(1 + e^ε), its tangent, and randomised response,
    played.

    trials: how often each value of the bit is asked for at each played ε. Raises ValueError for bad input.
    """
    return AdversaryExplorer(epsilon, trials, seed, width, height)


class AdversaryExplorer(Panel):
    """See adversary()."""

    def __init__(self, epsilon, trials, seed, width, height):
        groups = {
            "privacy": [Number(EPSILON, epsilon, live=True)],
            "randomised response, played": [Number(TRIALS, trials, live=True), Seed(SEED, seed)],
        }
        super().__init__(
            "dpbandits-adversary", "How often must an adversary fail?", groups, self._figure(height), width
        )
        self.refresh()

    def _figure(self, height: int) -> go.Figure:
        yours = go.Scatter(name="your ε", mode="markers", marker={"color": VERMILION, "size": 13, "symbol": "diamond"})
        figure = live_figure(failure.traces() | {"yours": yours}, height=height, title=" ", x="ε", y="failure rate")
        return figure.update_layout(yaxis_range=[-0.02, 0.56])

    def _end(self) -> float:
        return max(FARTHEST, 1.2 * self.values["epsilon"])

    def update(self) -> None:
        frame, chosen = self.frame(), self.values["epsilon"]
        x, played = frame["epsilon"].to_numpy(), self._played()
        edits = {name: {"x": x, "y": frame[column].to_numpy()} for name, column in failure.CURVES.items()}
        edits |= {
            "left": failure.area(x, edits["least"]["y"]),
            "played": {"x": played[0], "y": played[1]},
            "yours": {"x": np.array([chosen]), "y": np.array([least_failure(chosen)])},
        }
        self.view.redraw(
            {name: edit | {"visible": True} for name, edit in edits.items()},
            {
                "title.text": (
                    f"A secret bit behind ε = {chosen:g}: no adversary fails less often than"
                    f" {least_failure(chosen):.3g}"
                ),
                "xaxis.range": [-0.02 * self._end(), 1.02 * self._end()],
            },
        )
        self._describe()

    def _played(self) -> tuple[np.ndarray, np.ndarray]:
        x = np.linspace(0, self._end(), PLAYED + 1)[1:]
        return x, np.array([self._measured(epsilon, i) for i, epsilon in enumerate(x, 1)])

    def _measured(self, epsilon: float, number: int) -> float:
        return measured_failure(epsilon, self.values["trials"], np.random.default_rng([self.values["seed"], number]))

    def _describe(self) -> None:
        v, chosen = self.values, self.values["epsilon"]
        measured, least, line = self._measured(chosen, 0), float(least_failure(chosen)), float(tangent(chosen))
        rows = [
            ("no adversary does better", "Theorem 4", f"{least:.4f}"),
            ("tangent at ε = 0", "1/2 − ε/4", f"{line:.4f}" + (" (says nothing)" if line <= 0 else "")),
            ("randomised response, formula", "the theorem, attained", f"{least:.4f}"),
            (f"randomised response, {v['trials']:,} tries a bit", "worse of the two bits", f"{measured:.4f}"),
            ("bit + Lap(1/ε)", "½ e^(−ε/2)", f"{float(laplace_failure(chosen)):.4f}"),
            ("a coin", "knows nothing", "0.5000"),
        ]
        text = (
            f"At ε = {chosen:g} every adversary fails with probability {least:.3g} or more, where a coin fails with 0.5"
        )
        error = float(np.sqrt(least * (1 - least) / v["trials"]))
        text += f"; against randomised response the best one failed in {measured:.3g} of the tries (± {error:.2g})."
        caption = (
            "The failure rate is that of the worse of the two values of the bit. The adversary knows the algorithm, the"
            " output and <b>everybody else's data</b>. This is what ε promises; what else can be learned about a user"
            " from a release, ε does not say."
        )
        self.show(text, table(("adversary against", "", "failure rate"), rows, numeric=(2,)), caption)
        self.tell("Drawn.")

    def code(self) -> str:
        v = self.values
        return (
            "import numpy as np\nfrom dpbandits.privacy.adversary import least_failure, measured_failure,"
            f" tangent\nleast_failure(epsilon={v['epsilon']!r}),"
            f" tangent(epsilon={v['epsilon']!r})\nmeasured_failure(epsilon={v['epsilon']!r}, trials={v['trials']},"
            f" rng=np.random.default_rng([{v['seed']}, 0]))"
        )

    def frame(self) -> pd.DataFrame:
        """epsilon and the three curves."""
        x = np.linspace(0, self._end(), 201)
        return pd.DataFrame(
            {
                "epsilon": x,
                "least_failure": least_failure(x),
                "tangent": tangent(x),
                "laplace_failure": laplace_failure(x),
            }
        )
