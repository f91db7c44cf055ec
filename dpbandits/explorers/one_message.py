"""What one user sends: every outcome behind much noise (cucb-ldp1), or one outcome behind little (cucb-ldp2)."""

from dataclasses import replace

import ipywidgets as widgets
import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.algorithms.catalogue import ALGORITHMS
from dpbandits.algorithms.semibandit.blind import USERS, Messages, blind_messages
from dpbandits.environments import Instance, build
from dpbandits.environments.semibandit.families import ARMS, GOOD_PARAMETERS, LIST_SIZE, MEAN_GAP
from dpbandits.explorers.toolkit.controls import Number, Seed
from dpbandits.explorers.toolkit.light import box
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.explorers.toolkit.plot import HIDDEN, live_figure
from dpbandits.explorers.toolkit.scales import Scale
from dpbandits.explorers.toolkit.tables import named, privacy_caption, table
from dpbandits.figures.palette import GREY, INK, line
from dpbandits.parameters import EPSILON, SEED

MOST = 5000  # users
FEW_ARMS = replace(ARMS, low=2, high=100)  # so that a move stays quick
FEW_USERS = replace(USERS, high=MOST)
STEPS = (1, 10, 100)
ALL, ONE = ALGORITHMS["cucb-ldp1"], ALGORITHMS["cucb-ldp2"]


def one_message(
    *,
    epsilon: float = 1.0,
    arms: int = 12,
    list_size: int = 3,
    gap: float = 0.4,
    users: int = 1,
    seed: int = 0,
    width: int | None = None,
    height: int = 560,
) -> "OneMessage":
    """What user number `users` is asked and sends under cucb-ldp1 and cucb-ldp2, and how good the estimates are by
    then.

    Both algorithms meet the same users with the same outcomes of the same uniformly random super arms, as they do while
    every index is cut at 1. Problem: good-arms. users: at most 5000; step() goes on. Raises ValueError for bad input.
    """
    return OneMessage(epsilon, arms, list_size, gap, users, seed, width, height)


class OneMessage(Panel):
    """See one_message()."""

    def __init__(self, epsilon, arms, list_size, gap, users, seed, width, height):
        groups = {
            "problem": [
                Number(FEW_ARMS, arms, Scale("arms m", 2, 40), live=True),
                Number(LIST_SIZE, list_size, Scale("list size K", 1, 12), live=True),
                Number(MEAN_GAP, gap, Scale("gap Δ", 0.01, 1, 0.01), live=True),
            ],
            "privacy": [Number(EPSILON, epsilon, live=True)],
            "the user": [Number(FEW_USERS, users, Scale("user", 1, MOST, 0.02, log=True), live=True), Seed(SEED, seed)],
        }
        steps = [
            self._button(
                f"next {n}" if n > 1 else "next user", f"Go on by {n} user{'s' * (n > 1)}", lambda n=n: self.step(n)
            )
            for n in STEPS
        ]
        board = box("dpb-buttons", *steps, kind=widgets.HBox)
        title = "What does one user send?"
        super().__init__("dpbandits-one-message", title, groups, self._figure(height), width, extras=[board])
        self.refresh()

    def step(self, users: int = 1) -> None:
        """Go on by so many users, at most to the last one."""
        self.set(users=min(self.values["users"] + users, MOST))

    def _figure(self, height: int) -> go.Figure:
        below = {"xaxis": "x2", "yaxis": "y2", "mode": "lines"}
        spread = lambda record: {"type": "data", "array": [], "color": record.colour, "thickness": 1.6, "width": 7}
        look = lambda record, symbol: {
            "mode": "markers",
            "marker": {"color": record.colour, "size": 11, "symbol": symbol},
        }
        traces = {
            "outcome": go.Scatter(
                name="outcome",
                mode="markers",
                marker={"color": INK, "size": 11, "symbol": "circle-open", "line": {"width": 2}},
            ),
            "all": go.Scatter(name=f"{ALL.name} sends", **look(ALL, "square"), error_y=spread(ALL)),
            "one": go.Scatter(name=f"{ONE.name} sends", **look(ONE, "diamond"), error_y=spread(ONE)),
        }
        for record in (ALL, ONE):
            traces |= {
                f"{record.name}_measured": go.Scatter(
                    **below, name=f"{record.name}, measured", line=line(record), showlegend=False
                ),
                f"{record.name}_expected": go.Scatter(
                    **below,
                    name=f"{record.name}, expected",
                    line={"color": record.colour, "width": 1},
                    showlegend=False,
                ),
            }
        traces["half"] = go.Scatter(
            **below, name="half the gap", line={"color": GREY, "dash": "dot", "width": 1.4}, showlegend=False
        )
        figure = live_figure(
            traces, height=height, title=" ", x="base arms of the user's super arm", y="outcome, message"
        )
        axes = {n: figure.layout[n].to_plotly_json() for n in ("xaxis", "yaxis")}
        return figure.update_layout(
            yaxis={"domain": [0.6, 1], "zeroline": True, "zerolinecolor": GREY},
            xaxis={"anchor": "y", "title": {"standoff": 4}},
            yaxis2=axes["yaxis"]
            | {
                "domain": [0, 0.4],
                "type": "log",
                "exponentformat": "none",
                "dtick": "D2",
                "tickformat": "~g",
                "title": {"text": "error of the estimates"},
            },
            xaxis2=axes["xaxis"]
            | {
                "anchor": "y2",
                "type": "log",
                "exponentformat": "none",
                "dtick": "D2",
                "tickformat": "~s",
                "title": {"text": "users so far"},
            },
        )

    together = ("arms", "list_size", "gap")

    def allows(self, **moved: object) -> None:
        if moved.keys() & set(self.together):
            self._instance(**moved)

    def _instance(self, **moved: object) -> Instance:
        own = {p.name for p in GOOD_PARAMETERS}
        return build("good-arms", **{name: value for name, value in (self.values | moved).items() if name in own})

    def _errors(self, sent: Messages, means: np.ndarray) -> pd.DataFrame:
        """For every user from whom on each arm has a report: root mean square over the arms of estimate − mean, and
        what is expected of it, given how often each arm was reported; nan before."""
        v, columns = self.values, {}
        variance = means * (1 - means)
        for record, arms, reports, scale in (
            (ALL, sent.super_arms, sent.all_reports, v["list_size"] / v["epsilon"]),
            (ONE, sent.reported[:, None], sent.one_report[:, None], 1 / v["epsilon"]),
        ):
            counts, sums = np.zeros((2, len(arms), means.size))
            np.put_along_axis(counts, arms, 1.0, axis=1)
            np.put_along_axis(sums, arms, reports, axis=1)
            counts, sums = counts.cumsum(axis=0), sums.cumsum(axis=0)
            with np.errstate(divide="ignore", invalid="ignore"):
                squares = (sums / counts - means) ** 2, (variance + 2 * scale**2) / counts
            for name, square in zip(("measured", "expected"), squares, strict=True):
                columns[f"{record.name}_{name}"] = np.where(
                    (counts > 0).all(axis=1), np.sqrt(square.mean(axis=1)), np.nan
                )
        return pd.DataFrame({"users": np.arange(1, len(sent.place) + 1)} | columns)

    def update(self) -> None:
        v, instance = self.values, self._instance()
        size, number = v["list_size"], v["users"]
        sent = blind_messages(instance.means, size, v["epsilon"], number, v["seed"])
        arms, place, x = sent.super_arms[-1], int(sent.place[-1]), np.arange(1, size + 1)
        deviation = np.sqrt(2) * np.array([size, 1]) / v["epsilon"]
        shown = {"visible": True}
        edits = {
            "outcome": {"x": x, "y": sent.outcomes[-1], **shown},
            "all": {"x": x - 0.12, "y": sent.all_reports[-1], "error_y.array": np.full(size, deviation[0]), **shown},
            "one": {
                "x": x[place : place + 1] + 0.12,
                "y": sent.one_report[-1:],
                "error_y.array": deviation[1:],
                **shown,
            },
        }
        errors = self._errors(sent, instance.means)
        keep = np.unique(np.geomspace(1, number, 400).round().astype(int)) - 1
        for name in errors.columns[1:]:
            known = keep[errors[name].to_numpy()[keep] > 0]
            edits[name] = (
                {"x": errors["users"].to_numpy()[known], "y": errors[name].to_numpy()[known], **shown}
                if known.size
                else HIDDEN
            )
        end = max(100, number)
        edits["half"] = {"x": np.array([1, end]), "y": np.full(2, v["gap"] / 2), **shown}
        ends = np.append(np.abs(sent.all_reports[-1]) + deviation[0], abs(sent.one_report[-1]) + deviation[1])
        tall = max(2.6 * deviation[0], 1.05 * ends.max(), 1.5)
        self.view.redraw(
            edits,
            {
                "title.text": self.titled(f"User {number:,}: {size} outcome{'s' * (size > 1)}, and what is sent"),
                "xaxis.tickvals": x,
                "xaxis.ticktext": [f"arm {i + 1}" for i in arms],
                "xaxis.range": [0.5, size + 0.5],
                "yaxis.range": [-tall, tall],
                "xaxis2.range": [0, np.log10(end)],
            },
        )
        self._describe(instance, sent, errors.iloc[-1], deviation)
        self.tell(f"User {number:,} of at most {MOST:,}.")

    def _describe(self, instance: Instance, sent: Messages, errors: pd.Series, deviation: np.ndarray) -> None:
        v, rows, guarantees = self.values, [], []
        size, arm = v["list_size"], int(sent.reported[-1])
        counts = [np.bincount(a.ravel(), minlength=v["arms"]) for a in (sent.super_arms, sent.reported)]
        messages = ", ".join(f"{x:.2f}" for x in sent.all_reports[-1]), f"{sent.one_report[-1]:.2f}"
        told = lambda x: "–" if np.isnan(x) else f"{x:.3f}"
        for i, record in enumerate((ALL, ONE)):
            about = f"all {size}" if i == 0 else f"arm {arm + 1} alone"
            off = (told(errors[f"{record.name}_{name}"]) for name in ("measured", "expected"))
            reports = f"{counts[i].min():,} to {counts[i].max():,}"
            rows.append(
                (
                    f"<span style='white-space:nowrap'>{named(record)}</span>",
                    about,
                    messages[i],
                    f"{deviation[i]:.3g}",
                    reports,
                    *off,
                )
            )
            guarantees.append((record.name, record.guarantee({"epsilon": v["epsilon"]}, instance, None)))
        before = counts[1][arm] - 1
        times = {0: "never", 1: "once"}.get(before, f"{before:,} times")
        text = (
            f"{ALL.name} asks user {v['users']:,} about all {size} arms, {ONE.name} about arm {arm + 1} alone: of these"
            f" it was reported least so far, {times}."
        )
        measured = [errors[f"{r.name}_measured"] for r in (ALL, ONE)]
        if not np.isnan(measured).any():
            text += (
                f" So far {ALL.name} is off by {measured[0]:.3f}, {ONE.name} by {measured[1]:.3f} (root mean square"
                f" over the {v['arms']} arms)."
            )
        notes = [
            f"Bars and “deviation”: the standard deviation of the noise, √2 K/ε and √2/ε. {ALL.name} has K times as"
            f" many reports, each with K² times the noise variance: its estimates are about √K = {size**0.5:.3g} times"
            " as far off. Thin lines: what to expect of the error, by the number of reports. Dotted: half the gap,"
            " below which the estimates tell good arms from others. Which arms are reported is public."
        ]
        heads = ("", "asks about", "sent", "deviation", "reports an arm", "error", "expected")
        self.show(text, table(heads, rows, numeric=(3, 4, 5, 6)), privacy_caption(guarantees, notes))

    def code(self) -> str:
        v, means = self.values, [float(m) for m in self._instance().means]
        return (
            f"from dpbandits.algorithms.semibandit.blind import blind_messages\nsent = blind_messages({means!r},"
            f" list_size={v['list_size']}, epsilon={v['epsilon']!r}, users={v['users']},"
            f" seed={v['seed']})\nsent.super_arms[-1] + 1, sent.outcomes[-1], sent.all_reports[-1], sent.reported[-1] +"
            " 1, sent.one_report[-1]"
        )

    def frame(self) -> pd.DataFrame:
        """One row for each user so far: the errors, and the arm (from 1) that cucb-ldp2 asks about, with its outcome
        and message.
        """
        v, instance = self.values, self._instance()
        sent = blind_messages(instance.means, v["list_size"], v["epsilon"], v["users"], v["seed"])
        outcome = np.take_along_axis(sent.outcomes, sent.place[:, None], axis=1)[:, 0]
        return self._errors(sent, instance.means).assign(
            arm=sent.reported + 1, outcome=outcome, message=sent.one_report
        )
