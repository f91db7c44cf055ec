"""The blame argument of Chen et al., Theorem 4, on a run: which step holds when, and how much room it leaves."""

from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.algorithms.catalogue import ALGORITHMS
from dpbandits.arguments.chen import ABOUT, REWARDS, STEPS, Blame, blame
from dpbandits.environments.semibandit.families import GAP, LIST_SIZE
from dpbandits.explorers.toolkit.controls import Choice, Number, Seed
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.explorers.toolkit.plot import HEIGHT, HIDDEN, live_figure
from dpbandits.explorers.toolkit.scales import Scale
from dpbandits.explorers.toolkit.tables import bad, privacy_caption, table
from dpbandits.figures.labels import thin
from dpbandits.figures.palette import BLUE, GREY, INK, ORANGE, VERMILION
from dpbandits.parameters import EPSILON, SEED, Parameter

REWARD = Parameter(
    "reward", "average of the path's outcomes (B∞ = 1) or their sum (B∞ = K)", kind="choice", choices=REWARDS
)
WHOM = Parameter("about", "which arm of the path a user reports on", kind="choice", choices=ABOUT)
BONUS = Parameter("bonus_multiplier", "what the bonus is multiplied by", 1.0, low=0, open_low=True, high=100)
ROUNDS = Parameter("horizon", "number of rounds T", 100_000, kind="integer", low=100, high=1_000_000)
SIZE = replace(LIST_SIZE, high=16)
HERE = replace(GAP, high=1.0)
PATHS = 5
LDP2 = ALGORITHMS["cucb-ldp2"]


def blame_panel(
    reward: str = "average",
    *,
    about: str = "least reported",
    epsilon: float = 4.0,
    gap: float = 0.5,
    list_size: int = 4,
    horizon: int = 100_000,
    bonus_multiplier: float = 1.0,
    seed: int = 0,
    width: int | None = None,
    height: int = HEIGHT,
) -> "BlamePanel":
    """A run of CUCB-LDP2 on five paths of K arms, with the books of the proof: for each play of a bad path, how often
    its blamed arm has been blamed, and how much of a gap its bonuses would explain.

    Break a hypothesis: report on another arm than the least reported one, shrink the bonus, take the sum for the
    average. The table says in how many rounds each step of the proof is false. Raises ValueError for bad input.
    """
    return BlamePanel(reward, about, epsilon, gap, list_size, horizon, bonus_multiplier, seed, width, height)


class BlamePanel(Panel):
    """See blame_panel()."""

    def __init__(self, reward, about, epsilon, gap, list_size, horizon, bonus_multiplier, seed, width, height):
        groups = {
            "problem: five paths": [
                Choice(REWARD, reward),
                Number(HERE, gap, Scale("gap Δ", 0.05, 1, 0.05)),
                Number(SIZE, list_size, Scale("list size K", 1, 16)),
            ],
            "privacy": [Number(EPSILON, epsilon)],
            "the proof's hypotheses": [
                Choice(WHOM, about, "report on"),
                Number(BONUS, bonus_multiplier, Scale("bonus ×", 0.01, 4, 0.05, log=True)),
            ],
            "run": [Number(ROUNDS, horizon, Scale("horizon T", 1000, 10**6, 0.1, log=True)), Seed(SEED, seed)],
        }
        super().__init__("dpbandits-blame", "Which arm is to blame?", groups, self._figure(height), width)
        self.refresh()

    def _figure(self, height: int) -> go.Figure:
        dot = {"mode": "markers"}
        traces = {
            "plays": go.Scatter(name="plays of a bad path", marker={"color": BLUE, "size": 6}, **dot),
            "broken": go.Scatter(
                name="below the gap: a step is false", marker={"color": VERMILION, "size": 8, "symbol": "x"}, **dot
            ),
            "ceiling": go.Scatter(
                name="what j reports of the blamed arm allow", mode="lines", line={"color": INK, "width": 2}
            ),
            "gap": go.Scatter(name="gap Δ", mode="lines", line={"color": ORANGE, "dash": "dash", "width": 2.2}),
            "limit": go.Scatter(
                name="128 B∞² ln T/(ε²Δ²)", mode="lines", line={"color": GREY, "dash": "dot", "width": 2}
            ),
        }
        return live_figure(
            traces, height=height, title=" ", x="how often the arm has been blamed, j", y="2 B∞ × largest bonus",
            log_x=True, log_y=True,
        )  # fmt: skip

    def _run(self) -> Blame:
        return blame(paths=PATHS, **self.values)

    def update(self) -> None:
        v, run = self.values, self._run()
        finite = np.flatnonzero(np.isfinite(run.ceiling))
        keep = finite[thin(finite.size, 450)] if finite.size else finite
        false = np.flatnonzero(run.ceiling < v["gap"] - 1e-12)
        false = false[thin(false.size, 400)] if false.size else false
        end = max(run.limit * 1.6, float(run.count.max()) * 1.2 if run.count.size else 1)
        j = np.geomspace(1, end, 200)
        bonus = v["bonus_multiplier"] * 4 * np.sqrt(2 * np.log(v["horizon"]) / j) / v["epsilon"]
        ceiling = 2 * run.smoothness * bonus
        low = min(v["gap"], float(run.ceiling[keep].min()) if keep.size else v["gap"], float(ceiling[-1])) * 0.7
        shown = lambda at: (
            {"x": run.count[at].astype(float), "y": run.ceiling[at], "visible": True} if at.size else HIDDEN
        )
        edits = {
            "plays": shown(keep),
            "broken": shown(false),
            "ceiling": {"x": j, "y": ceiling, "visible": True},
            "gap": {"x": np.array([1, end]), "y": np.full(2, v["gap"]), "visible": True},
            "limit": {"x": np.full(2, run.limit), "y": np.array([low, ceiling[0]]), "visible": True},
        }
        self.view.redraw(
            edits,
            {
                "title.text": self.titled(f"{run.count.size:,} plays of a bad path, and who is blamed"),
                "xaxis.range": [0, np.log10(end)],
                "yaxis.range": [np.log10(low), np.log10(ceiling[0] * 1.3)],
            },
        )
        self._describe(run)
        self.tell("A play above the dashed line is explained by the bonuses; one below it is not.")

    def _describe(self, run: Blame) -> None:
        v, rows, false = self.values, [], []
        for number, (step, failed, asked) in enumerate(zip(STEPS, run.failed, run.asked, strict=True), 1):
            share = f"{failed:,} of {asked:,} {'arms' if number > 4 else 'plays' if number == 4 else 'rounds'}"
            rows.append((str(number), step, bad(share) if failed else share))
            if failed:
                false.append(str(number))
        most = int(run.blamed.max())
        text = (
            f"Regret {v['gap'] * run.count.size:,.0f}. The most blamed arm was blamed {most:,} times, the proof allows"
            f" {run.limit:,.0f}. "
        )
        text += f"Steps that are false somewhere: {', '.join(false)}." if false else "No step is false anywhere."
        guarantee = LDP2.guarantee({"epsilon": v["epsilon"]})
        notes = ["Which arm is blamed and which reports is decided by public counts: privacy is the same throughout."]
        self.show(text, table(("", "step", "false in"), rows), privacy_caption([(LDP2.name, guarantee)], notes))

    def code(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.values.items())
        return f"from dpbandits.arguments.chen import blame\nrun = blame(paths={PATHS}, {given})\nrun.failed, run.asked"

    def frame(self) -> pd.DataFrame:
        """One row for each play of a bad path: the blamed arm (from 1), how often by then, what would explain it."""
        run = self._run()
        return pd.DataFrame({"arm": run.arm + 1, "count": run.count, "ceiling": run.ceiling, "gap": self.values["gap"]})
