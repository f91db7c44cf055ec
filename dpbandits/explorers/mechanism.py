"""Laplace and Gaussian noise on one number: two neighbouring values, their densities, and what telling them apart is
worth.
"""

import math
import warnings

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from scipy.special import ndtr

from dpbandits.explorers.toolkit.controls import Choice, Number, Switch
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.explorers.toolkit.plot import live_figure
from dpbandits.explorers.toolkit.tables import bad, table
from dpbandits.figures.palette import BLUE, GREY, INK, ORANGE, translucent
from dpbandits.mechanisms.gaussian import OPEN_DELTA, analytic_sigma, classical_limit, classical_sigma, exact_delta
from dpbandits.mechanisms.laplace import Laplace
from dpbandits.parameters import EPSILON, SENSITIVITY, Parameter

CALIBRATION = Parameter("calibration", "how σ follows from ε and δ", kind="choice", choices=("classical", "analytic"))
LABELS = {"classical": "classical formula", "analytic": "analytic: least σ"}
POINTS = 401


def mechanism(
    calibration: str = "classical",
    *,
    epsilon: float = 1.0,
    delta: float = 0.01,
    sensitivity: float = 1.0,
    width: int | None = None,
    height: int = 500,
) -> "MechanismExplorer":
    """Densities of the Laplace and the Gaussian mechanism for the values 0 and Δ = `sensitivity`, and the privacy loss.

    calibration: of the Gaussian's σ, "classical" (Dwork & Roth 2014) or "analytic" (Balle & Wang 2018, the least that
    gives (ε, δ)). The loss at an output x is ln of the ratio of the two densities there. Raises ValueError for bad
    input.
    """
    return MechanismExplorer(calibration, epsilon, delta, sensitivity, width, height)


class MechanismExplorer(Panel):
    """See mechanism()."""

    def __init__(self, calibration, epsilon, delta, sensitivity, width, height):
        log_y = Parameter("log_y", "Logarithmic density: the loss is the distance between the two curves", kind="flag")
        groups = {
            "privacy asked for": [Number(EPSILON, epsilon, live=True), Number(OPEN_DELTA, delta, live=True)],
            "mechanism": [
                Number(SENSITIVITY, sensitivity, live=True),
                Choice(CALIBRATION, calibration, "Gaussian", labels=LABELS),
            ],
            "view": [Switch(log_y, False, "log density")],
        }
        super().__init__("dpbandits-mechanism", "Two neighbours behind noise", groups, self._figure(height), width)
        self.refresh()

    def _figure(self, height: int) -> go.Figure:
        traces = {}
        for short, name, colour in (("laplace", "Laplace", BLUE), ("gauss", "Gaussian", ORANGE)):
            traces |= {
                f"{short}_0": go.Scatter(name=f"{name}, value 0", line={"color": colour, "width": 2.4}, mode="lines"),
                f"{short}_shifted": go.Scatter(
                    name=f"{name}, value Δ", line={"color": colour, "width": 2, "dash": "dash"}, mode="lines"
                ),
                f"{short}_loss": go.Scatter(
                    name=f"loss, {name}", line={"color": colour, "width": 2}, mode="lines", yaxis="y2", showlegend=False
                ),
            }
        look = {
            "fill": "toself",
            "fillcolor": translucent(GREY, 0.16),
            "line": {"width": 0},
            "mode": "lines",
            "hoverinfo": "skip",
        }
        traces["within"] = go.Scatter(name="loss within ±ε", yaxis="y2", **look)
        figure = live_figure(traces, height=height, title=" ", x="output x", y="density")
        lower = figure.layout.yaxis.to_plotly_json() | {
            "title": {"text": "privacy loss"},
            "domain": [0, 0.34],
            "zeroline": True,
        }
        return figure.update_layout(
            yaxis={"domain": [0.42, 1]},
            yaxis2=lower | {"zerolinecolor": INK},
            xaxis={"anchor": "y2"},
        )

    def _sigma(self) -> float:
        v = self.values
        if v["calibration"] == "analytic":
            return analytic_sigma(v["epsilon"], v["delta"], v["sensitivity"])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what it warns of is told below the plot
            return classical_sigma(v["epsilon"], v["delta"], v["sensitivity"])

    def update(self) -> None:
        v, frame = self.values, self.frame()
        x = frame["x"].to_numpy()
        edits = {
            name: {"x": x, "y": frame[name].to_numpy(), "visible": True} for name in self.view.traces if name in frame
        }
        strip = np.array([v["epsilon"]] * 2 + [-v["epsilon"]] * 2)
        edits["within"] = {"x": x[[0, -1, -1, 0]], "y": strip, "visible": True}
        top = max(frame["laplace_0"].max(), frame["gauss_0"].max())
        self.view.redraw(
            edits,
            {
                "title.text": (
                    f"Outputs for the values 0 and {v['sensitivity']:g}, at (ε, δ) = ({v['epsilon']:g}, {v['delta']:g})"
                ),
                "yaxis.type": "log" if v["log_y"] else "linear",
                "yaxis.range": [math.log10(top) - 5, math.log10(top) + 0.2] if v["log_y"] else [0, 1.08 * top],
                "yaxis2.range": [-2.2 * v["epsilon"], 2.2 * v["epsilon"]],
            },
        )
        self._describe()

    def _describe(self) -> None:
        v, sigma = self.values, self._sigma()
        epsilon, delta, sensitivity = v["epsilon"], v["delta"], v["sensitivity"]
        scale = Laplace.calibrated(epsilon, sensitivity).scale
        exact = float(exact_delta(epsilon, sigma, sensitivity))
        mu = sensitivity / sigma
        exceeds = float(ndtr(mu / 2 - epsilon / mu))  # the loss is N(μ²/2, μ²)
        promise = f"{exact:.3g} ≤ {delta:g}" if exact <= delta * (1 + 1e-9) else bad(f"{exact:.3g} > {delta:g}")
        rows = [
            ("Laplace", f"b = {scale:.3g}", f"{math.sqrt(2) * scale:.3g}", f"{epsilon:g}", "0", "0"),
            ("Gaussian", f"σ = {sigma:.3g}", f"{sigma:.3g}", "unbounded", f"{exceeds:.3g}", promise),
        ]
        heads = (
            "mechanism",
            "scale",
            "std. deviation",
            "largest loss",
            f"P(loss > {epsilon:g})",
            f"exact δ at ε = {epsilon:g}",
        )
        text = (
            f"Laplace noise of scale {scale:.3g} keeps the loss within ±{epsilon:g} everywhere; the Gaussian of σ ="
            f" {sigma:.3g} exceeds it "
        )
        text += f"with probability {exceeds:.3g}, and its exact δ at this ε is {exact:.3g}."
        caption = (
            "The loss at x is ln(density of value 0 ÷ density of value Δ). ε bounds it; δ is what is left above:"
            " E[max(0, 1 − e^(ε − loss))]."
        )
        if v["calibration"] == "classical":
            limit = classical_limit(delta)
            caption += (
                " The classical σ is proved for ε ≤ 1; at this δ its exact δ stays below the nominal one up to ε ="
                f" {limit:.3g}."
            )
        self.show(text, table(heads, rows, numeric=(2, 3, 4, 5)), caption)
        self.tell("Drawn.")

    def code(self) -> str:
        v = self.values
        arguments = f"epsilon={v['epsilon']!r}, delta={v['delta']!r}, sensitivity={v['sensitivity']!r}"
        return (
            f"from dpbandits.mechanisms.gaussian import {v['calibration']}_sigma, exact_delta\n"
            "from dpbandits.mechanisms.laplace import Laplace\n"
            f"Laplace.calibrated({v['epsilon']!r}, {v['sensitivity']!r})\n"
            f"sigma = {v['calibration']}_sigma({arguments})\n"
            f"exact_delta({v['epsilon']!r}, sigma, {v['sensitivity']!r})"
        )

    def frame(self) -> pd.DataFrame:
        """x, the densities for the values 0 and Δ, and the loss, of both mechanisms."""
        v = self.values
        shift, law, sigma = v["sensitivity"], Laplace.calibrated(v["epsilon"], v["sensitivity"]), self._sigma()
        half = 3.2 * max(sigma, math.sqrt(2) * law.scale)
        x = shift / 2 + np.linspace(-half, half, POINTS)
        normal = lambda x: np.exp(-((x / sigma) ** 2) / 2) / (sigma * math.sqrt(2 * math.pi))
        columns = {"laplace_0": law.pdf(x), "laplace_shifted": law.pdf(x - shift)}
        columns |= {
            "laplace_loss": (np.abs(x - shift) - np.abs(x)) / law.scale,
            "gauss_0": normal(x),
            "gauss_shifted": normal(x - shift),
        }
        return pd.DataFrame({"x": x} | columns | {"gauss_loss": shift * (shift - 2 * x) / (2 * sigma**2)})
