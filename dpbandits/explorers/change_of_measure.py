"""Two instances, one learner: what it has seen weighs for one of them, and how little it can weigh under privacy."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.arguments.two_instances import POLICIES, Pair, Runs, contraction, pair, play, steps
from dpbandits.explorers.toolkit.controls import Choice, Number, Seed, Switch
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.explorers.toolkit.plot import HEIGHT, live_figure
from dpbandits.explorers.toolkit.scales import Scale
from dpbandits.explorers.toolkit.tables import table
from dpbandits.figures.palette import BLUE, GREY, INK, ORANGE, VERMILION
from dpbandits.parameters import EPSILON, SEED, Parameter

HALF_GAP = Parameter(
    "gap", "how far arm 2 is below arm 1 in instance 1, and above it in instance 2", 0.1, low=0.001, high=0.4
)
ROUNDS = Parameter("horizon", "number of rounds T", 50, kind="integer", low=2, high=20_000)
MANY = Parameter("runs", "runs on each of the two instances", 4000, kind="integer", low=2, high=20_000)
POLICY = Parameter(
    "policy", "optimistic (UCB), uniform (a fair coin), stubborn (always arm 1)", kind="choice", choices=POLICIES
)
LOCAL = Parameter("local", "every outcome goes through randomised response at ε", kind="flag")
MOST = 20_000_000  # rounds in all
BINS = 60


def change_of_measure(
    policy: str = "optimistic",
    *,
    gap: float = 0.1,
    horizon: int = 50,
    epsilon: float = 1.0,
    local: bool = False,
    runs: int = 4000,
    seed: int = 0,
    width: int | None = None,
    height: int = HEIGHT,
) -> "ChangeOfMeasure":
    """How much a history weighs for instance 1 against instance 2 (ln of its likelihoods' ratio L), when either is
    true; and instance 1's histories, each weighed by e^−L: they have to lie on instance 2's.

    The table has every step from there to a lower bound, both sides of each inequality. Raises ValueError for bad
    input.
    """
    return ChangeOfMeasure(policy, gap, horizon, epsilon, local, runs, seed, width, height)


class ChangeOfMeasure(Panel):
    """See change_of_measure()."""

    def __init__(self, policy, gap, horizon, epsilon, local, runs, seed, width, height):
        groups = {
            "two instances": [Number(HALF_GAP, gap, Scale("gap Δ", 0.01, 0.4, 0.01))],
            "the learner": [
                Choice(POLICY, policy),
                Number(ROUNDS, horizon, Scale("horizon T", 10, 5000, 0.05, log=True)),
            ],
            "privacy": [Switch(LOCAL, local, "local privacy"), Number(EPSILON, epsilon)],
            "simulation": [Number(MANY, runs, Scale("runs", 100, 20_000, 0.05, log=True)), Seed(SEED, seed)],
        }
        super().__init__(
            "dpbandits-change-of-measure", "Which of two worlds is it?", groups, self._figure(height), width
        )
        self.refresh()

    def _figure(self, height: int) -> go.Figure:
        step = lambda colour, **more: {"mode": "lines", "line": {"color": colour, "width": 2.2, "shape": "hvh"} | more}
        traces = {
            "one": go.Scatter(name="instance 1 is true", **step(BLUE)),
            "two": go.Scatter(name="instance 2 is true", **step(VERMILION, dash="dash")),
            "weighed": go.Scatter(
                name="instance 1, weighed by e^−L", mode="markers", marker={"color": INK, "size": 7, "symbol": "circle"}
            ),
            "zero": go.Scatter(name="no evidence", mode="lines", line={"color": GREY, "dash": "dot", "width": 1.5}),
            "mean": go.Scatter(
                name="E₁[L] by counting plays", mode="lines", line={"color": ORANGE, "dash": "longdash", "width": 2}
            ),
        }
        return live_figure(
            traces, height=height, title=" ", x="L, evidence for instance 1 (nats)", y="share of the runs"
        )

    def _played(self) -> tuple[Pair, Runs, Runs]:
        v = self.values
        if v["runs"] * v["horizon"] > MOST:
            raise ValueError(
                f"runs = {v['runs']:,} at horizon = {v['horizon']:,} is not allowed: at most {MOST:,} rounds in all."
            )
        two = pair(v["gap"], v["epsilon"] if v["local"] else None)
        given = {name: v[name] for name in ("horizon", "runs", "policy", "seed")}
        return two, play(two, 1, **given), play(two, 2, **given)

    def _shares(self, one: Runs, other: Runs) -> pd.DataFrame:
        """Histogram of L: its middle, and the share of the runs of each kind."""
        low, high = (float(f(np.append(one.loss, other.loss))) for f in (np.min, np.max))
        edges = np.linspace(low - 1e-9, high + 1e-9, BINS + 1) if high > low else np.linspace(low - 1, low + 1, 4)
        runs = one.loss.size
        counted = [np.histogram(r.loss, edges)[0] / runs for r in (one, other)]
        weighed = np.histogram(one.loss, edges, weights=np.exp(-one.loss))[0] / runs
        return pd.DataFrame(
            {"loss": (edges[1:] + edges[:-1]) / 2, "one": counted[0], "two": counted[1], "weighed": weighed}
        )

    def update(self) -> None:
        v, (two, one, other) = self.values, self._played()
        shares = self._shares(one, other)
        x, tall = shares["loss"].to_numpy(), float(shares[["one", "two"]].to_numpy().max()) * 1.25
        found = steps(two, one, other, v["horizon"])
        seen = shares["weighed"].to_numpy() > 0
        edits = {name: {"x": x, "y": shares[name].to_numpy(), "visible": True} for name in ("one", "two")}
        edits |= {
            "weighed": {"x": x[seen], "y": np.minimum(shares["weighed"].to_numpy()[seen], tall), "visible": True},
            "zero": {"x": np.zeros(2), "y": np.array([0, tall]), "visible": True},
            "mean": {"x": np.full(2, found.decomposed), "y": np.array([0, tall]), "visible": True},
        }
        private = f", ε = {v['epsilon']:g} local" if v["local"] else ", no privacy"
        self.view.redraw(
            edits,
            {"title.text": self.titled(f"{v['policy']}{private}, Δ = {v['gap']:g}"), "yaxis.range": [0, tall]},
        )
        self._describe(two, one, found)
        self.tell(f"{v['runs']:,} runs on each instance.")

    def _describe(self, two: Pair, one: Runs, found) -> None:
        v = self.values
        low, high = two.first[1], two.other[1]
        both, ceiling, plain = contraction(low, high, v["epsilon"])
        pulls = float(one.pulls.mean())
        needed = np.log(max(v["horizon"], 2)) / two.divergence
        rows = [
            (
                "change of measure: P₂(arm 2 in half the rounds)",
                f"{found.reweighted:.3f} ± {found.reweighted_error:.3f} from instance 1",
                f"{found.counted:.3f} counted",
            ),
            (
                "decomposition: E₁[L] and E₁[N₂]·D",
                f"{found.divergence:.3f} ± {found.divergence_error:.3f}",
                f"{pulls:.1f} · {two.divergence:.4g} = {found.decomposed:.3f}",
            ),
            (
                "Bretagnolle–Huber: P₁(A) + P₂(not A) ≥ ½e^−D",
                f"{found.mistakes:.3f}",
                f"{found.at_least:.3f}",
            ),
            (
                "contraction: D + D′ of a private report, at most",
                f"{both:.4g}",
                f"{ceiling:.4g} (no privacy {plain:.4g})",
            ),
        ]
        text = (
            f"A report about arm 2 is worth D = {two.divergence:.4g}; {pulls:.1f} of them weigh {found.decomposed:.3g}"
            f" nats in all. The learner is wrong with P₁(A) + P₂(not A) = {found.mistakes:.3f}, at least"
            f" {found.at_least:.3f}; ln T/D is {needed:,.0f} plays."
        )
        caption = (
            "A: arm 2 is played in at least half of the rounds: costly in instance 1, where it is the worse arm, as"
            " not-A is in instance 2. The dots are instance 1's runs, each counted e^−L times: where few and heavy,"
            " they scatter. ± is one standard error."
        )
        self.show(text, table(("step", "one side", "the other"), rows), caption)

    def code(self) -> str:
        v = self.values
        epsilon = repr(v["epsilon"]) if v["local"] else "None"
        given = ", ".join(f"{name}={v[name]!r}" for name in ("horizon", "runs", "policy", "seed"))
        return (
            "from dpbandits.arguments.two_instances import contraction, pair, play, steps\n"
            f"two = pair({v['gap']!r}, {epsilon})\n"
            f"one, other = (play(two, instance, {given}) for instance in (1, 2))\n"
            f"steps(two, one, other, {v['horizon']}), contraction(two.first[1], two.other[1], epsilon={v['epsilon']!r})"
        )

    def frame(self) -> pd.DataFrame:
        """The histogram: middle of each bin, and the three shares."""
        _, one, other = self._played()
        return self._shares(one, other)
