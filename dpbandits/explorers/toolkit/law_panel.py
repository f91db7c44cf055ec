"""What the explorers of a perturbation law share: a law, N, R, ε and δ, with R at most N."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from dpbandits.explorers.toolkit.controls import Choice, Control, Number
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.mechanisms.perturbations import LAWS, check_pair, law
from dpbandits.parameters import DELTA_OR_ZERO, EPSILON_OR_ZERO, Parameter

LAW = Parameter("law", "how θ spreads around an arm's mean", kind="choice", choices=LAWS)
LABELS = {
    "gauss": "gauss: N(R/N, 2/N)",
    "beta": "beta: Beta(R+1+k, …)",
    "beta-plain": "beta-plain: without k",
    "new": "new: Lemma 15",
}
PULLS = Parameter("pulls", "pulls N of the arm", 6, kind="integer", low=1)
TOTAL = Parameter("total", "sum R of its rewards, at most N", 0, kind="integer", low=0)


class LawPanel(Panel):
    """A Panel with the controls of a law first, and then those of `groups`.

    first: the law's name, pulls, total, epsilon and delta to open with. Raises ValueError where these are bad.
    """

    def __init__(
        self,
        name: str,
        title: str,
        first: tuple,
        groups: Mapping[str, Sequence[Control]],
        figure: go.Figure,
        width,
    ):
        law_name, pulls, total, epsilon, delta = first
        self.total = Number(TOTAL, total, live=True)
        of_the_law = {
            "law of θ": [Choice(LAW, law_name, labels=LABELS), Number(PULLS, pulls, live=True), self.total],
            "privacy asked for": [Number(EPSILON_OR_ZERO, epsilon, live=True), Number(DELTA_OR_ZERO, delta, live=True)],
        }
        check_pair(epsilon, delta)
        law(law_name, pulls, total, epsilon, delta)
        super().__init__(name, title, of_the_law | groups, figure, width)
        self.total.limit(self.values["pulls"])
        self.refresh()

    def changed(self, control: Control) -> None:
        if control.name == "pulls":
            with self.quiet():
                self.total.limit(control.value)
        self.refresh()
