"""A game: you are the curious server. Which item did the user click?"""

from dataclasses import replace

import ipywidgets as widgets
import numpy as np
import pandas as pd
import plotly.graph_objects as go
from scipy import stats

from dpbandits.algorithms.cascade.leaks import LOCAL, guess_click, guessing_limit, user_reports
from dpbandits.environments.cascade import LIST_SIZE, cascade
from dpbandits.explorers.toolkit.controls import Choice, Number, Seed
from dpbandits.explorers.toolkit.light import box, light, place
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.explorers.toolkit.plot import HIDDEN, live_figure
from dpbandits.explorers.toolkit.scales import Scale
from dpbandits.explorers.toolkit.tables import bad, privacy_caption, table
from dpbandits.figures.palette import BLUE, GREEN, GREY, INK, VERMILION
from dpbandits.parameters import DELTA, EPSILON, SEED, Parameter

ALGORITHM = Parameter("algorithm", "how a user's feedback is sent", kind="choice", choices=tuple(LOCAL))
SIZE = replace(LIST_SIZE, high=8)  # one button each
DELTA_HERE = replace(DELTA, open_high=True)
AT_ONCE = 100  # users whom the rule guesses at one press


def guess_the_click(
    algorithm: str = "cascade-ldp-laplace",
    *,
    epsilon: float = 0.2,
    delta: float = 0.001,
    list_size: int = 4,
    seed: int = 0,
    width: int | None = None,
    height: int = 500,
) -> "GuessTheClick":
    """Guess the click position of one user after the other from the reports that a local cascade algorithm sends.

    Every position 1..K and "no click" is equally likely. The score stands beside chance, 1/(K + 1), beside what an
    epsilon-private report allows, e^ε/(K + e^ε), and beside a fixed rule, which counts the reports. list_size K <= 8. A
    button lets that rule play 100 users. Methods: guess(position), K + 1 for no click; let_the_rule_play(). Raises
    ValueError for bad input.
    """
    return GuessTheClick(algorithm, epsilon, delta, list_size, seed, width, height)


class GuessTheClick(Panel):
    """See guess_the_click()."""

    def __init__(self, algorithm, epsilon, delta, list_size, seed, width, height):
        groups = {
            "what the user sends": [
                Choice(ALGORITHM, algorithm),
                Number(EPSILON, epsilon),
                Number(DELTA_HERE, delta),
                Number(SIZE, list_size, Scale("list size K", 1, 8)),
            ],
            "": [Seed(SEED, seed)],
        }
        self.guesses = [self._button(self._words(k, 0), "", lambda k=k: self.guess(k)) for k in range(1, SIZE.high + 2)]
        self.rule_button = self._button(
            f"rule × {AT_ONCE}", f"A fixed rule guesses {AT_ONCE} users", self.let_the_rule_play
        )
        heading = light(widgets.HTML, "<div class='dpb-heading'>where did the user click?</div>")
        board = box("dpb-buttons", *self.guesses, self.rule_button, kind=widgets.HBox)
        super().__init__(
            "dpbandits-guess", "Can you guess the click?", groups, self._figure(height), width, extras=[heading, board]
        )
        self.refresh()

    def _figure(self, height: int) -> go.Figure:
        below = {"xaxis": "x2", "yaxis": "y2"}
        traces = {
            "report": go.Bar(name="report", marker={"color": BLUE}, width=0.5, showlegend=False),
            "half": go.Scatter(
                name="1/2", mode="lines", line={"color": GREY, "dash": "dot", "width": 1.5}, showlegend=False
            ),
            "yours": go.Scatter(**below, name="your score", mode="lines+markers", line={"color": INK, "width": 2.2}),
            "rules": go.Scatter(**below, name="the rule's score", mode="lines", line={"color": VERMILION, "width": 2}),
            "limit": go.Scatter(
                **below, name="what ε allows", mode="lines", line={"color": GREEN, "dash": "dash", "width": 2}
            ),
            "chance": go.Scatter(
                **below, name="chance", mode="lines", line={"color": GREY, "dash": "dot", "width": 1.5}
            ),
        }
        figure = live_figure(traces, height=height, title=" ", x="position in the list", y="report")
        axes = {n: figure.layout[n].to_plotly_json() for n in ("xaxis", "yaxis")}
        return figure.update_layout(
            yaxis={"domain": [0.6, 1], "zeroline": True},
            xaxis={"anchor": "y", "title": {"standoff": 4}},
            yaxis2=axes["yaxis"] | {"domain": [0, 0.4], "range": [-0.04, 1.04], "title": {"text": "guessed right"}},
            xaxis2=axes["xaxis"] | {"anchor": "y2", "title": {"text": "users"}},
        )

    # The game. User number n (from 0) is drawn from (seed, n), so the same game can be played again.

    def user(self, number: int) -> tuple[int, np.ndarray]:
        """Click position (K + 1: none) and reports of user `number`."""
        v = self.values
        rng = np.random.default_rng([v["seed"], number])
        position = int(rng.integers(1, v["list_size"] + 2))
        return position, user_reports(v["algorithm"], position, v["list_size"], rng, **self._privacy())

    def guess(self, position: int) -> None:
        """Say where the present user clicked, and go on to the next."""
        truth, _ = self.user(self.number)
        self._rule_guesses()
        self.yours.append(position == truth)
        was = "did not click" if truth > self.values["list_size"] else f"clicked at position {truth}"
        self._next(f"{'Right' if self.yours[-1] else 'Wrong'}: that user {was}.")

    def let_the_rule_play(self, users: int = AT_ONCE) -> None:
        """The rule guesses this user and the next ones; you do not."""
        for _ in range(users):
            self._rule_guesses()
            self.number += 1
        self._next(f"The rule has guessed {users} users.", 0)

    def _rule_guesses(self) -> None:
        v = self.values
        truth, reports = self.user(self.number)
        rng = np.random.default_rng([v["seed"], self.number, 1])
        self.rules.append(guess_click(reports, v["list_size"], rng, LOCAL[v["algorithm"]].reports.first_only) == truth)

    def _next(self, message: str, step: int = 1) -> None:
        self.number += step
        self.guarded(self._draw)
        self.tell(message)

    def update(self) -> None:
        """A new game: the settings changed."""
        self.number, self.yours, self.rules = 0, [], []
        size = self.values["list_size"]
        for k, button in enumerate(self.guesses, 1):
            button.description = self._words(k, size)
            button.tooltip = f"Guess: {button.description}"
            place(button, k <= size + 1)
        self._draw()
        self.tell("A new game: guess from the reports.")

    @staticmethod
    def _words(position: int, size: int) -> str:
        return "no click" if position > size else f"position {position}"

    def _privacy(self) -> dict[str, float]:
        taken = {p.name for p in LOCAL[self.values["algorithm"]].parameters}
        return {name: self.values[name] for name in ("epsilon", "delta") if name in taken}

    @property
    def _levels(self) -> tuple[float, float]:
        """Chance, and what ε allows."""
        size = self.values["list_size"]
        return 1 / (size + 1), guessing_limit(self.values["epsilon"], size)

    def _draw(self) -> None:
        v, (_, reports) = self.values, self.user(self.number)
        size, (chance, limit) = v["list_size"], self._levels
        end = max(len(self.rules), 10)
        edits = {
            "report": {"x": np.arange(1, reports.size + 1), "y": reports, "visible": True},
            "half": {"x": np.array([0.5, size + 0.5]), "y": np.array([0.5, 0.5]), "visible": True},
            "limit": {"x": np.array([0, end]), "y": np.array([limit, limit]), "visible": True},
            "chance": {"x": np.array([0, end]), "y": np.array([chance, chance]), "visible": True},
        }
        for name, score in (("yours", self.yours), ("rules", self.rules)):
            edits[name] = HIDDEN
            if score:
                count = np.arange(1, len(score) + 1)
                keep = np.unique(np.linspace(0, len(score) - 1, 300).astype(int))
                edits[name] = {"x": count[keep], "y": (np.cumsum(score) / count)[keep], "visible": True}
        sent = f"{reports.size} report{'s' if reports.size > 1 else ''}"
        self.view.redraw(
            edits,
            {
                "title.text": self.titled(f"User {self.number + 1} sends {sent}, {v['algorithm']}"),
                "xaxis.range": [0.5, size + 0.5],
                "xaxis.tickvals": list(range(1, size + 1)),
                "xaxis2.range": [0, end],
            },
        )
        self._describe(reports.size)

    def _describe(self, reports: int) -> None:
        v, (chance, limit) = self.values, self._levels
        score = lambda hits: (f"{sum(hits)} of {len(hits)}", f"{np.mean(hits):.3f}") if hits else ("–", "–")
        proof = _broken(self.rules, limit)
        rule = (
            "a report above 1/2 means position 1" if LOCAL[v["algorithm"]].reports.first_only else "count the reports"
        )
        rows = [
            ("you", *score(self.yours)),
            (f"the rule: {rule}", *score(self.rules)),
            ("chance", f"1/{v['list_size'] + 1}", f"{chance:.3f}"),
            ("what ε-local privacy allows, whoever guesses", "e^ε/(K + e^ε)", f"{limit:.3f}"),
        ]
        text = (
            f"User {self.number + 1} sends {reports} report{'s' if reports > 1 else ''}. An ε-private report allows"
            f" {limit:.3g} of the guesses"
        )
        text += (
            f" to be right, chance is {chance:.3g}; you have {score(self.yours)[0]}, the rule {score(self.rules)[0]}."
        )
        record = LOCAL[v["algorithm"]]
        bound = record.bind(self._privacy())
        guarantee = record.guarantee(bound, cascade([0.5] * v["list_size"], v["list_size"]), None)
        caption = privacy_caption([(record.name, guarantee)])
        if proof:
            caption += "<br>" + bad(
                "The rule is right too often for chance under ε-local privacy (false alarm below one in a million)."
            )
        self.show(text, table(("who guesses", "right", "share"), rows, numeric=(1, 2)), caption)

    def code(self) -> str:
        v = self.values
        given = "".join(f", {name}={value!r}" for name, value in self._privacy().items())
        return (
            "import numpy as np\nfrom dpbandits.algorithms.cascade.leaks import guessing_limit, guessing_rates,"
            " user_reports\n"
            f"rng = np.random.default_rng([{v['seed']}, {self.number}])\n"
            f"position = int(rng.integers(1, {v['list_size'] + 2}))  # the secret\n"
            f'user_reports("{v["algorithm"]}", position, {v["list_size"]}, rng{given})\n'
            f'guessing_rates("{v["algorithm"]}", {v["list_size"]}, trials=1000{given}).mean(),'
            f" guessing_limit({v['epsilon']!r}, {v['list_size']})"
        )

    def frame(self) -> pd.DataFrame:
        """One row for each report of the present user: position and report. The score is in the table."""
        _, reports = self.user(self.number)
        return pd.DataFrame({"user": self.number + 1, "position": np.arange(1, reports.size + 1), "report": reports})


def _broken(hits: list[bool], limit: float) -> bool:
    """Whether this many right guesses refute ε-local privacy, at a false alarm of 1e-6 (binomial, one-sided)."""
    return bool(hits) and stats.binom.sf(sum(hits) - 1, len(hits), limit) < 1e-6
