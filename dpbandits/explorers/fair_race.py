"""The fair race: all algorithms of a setting at one promise, by the accountant, and what each of them loses."""

import time
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.algorithms.catalogue import ALGORITHMS, as_algorithm
from dpbandits.algorithms.record import Algorithm
from dpbandits.auditing.accountant import DELTA_TOTAL
from dpbandits.auditing.calibration import calibrate, one_selection
from dpbandits.environments import Instance, build
from dpbandits.explorers.regret import PRESETS
from dpbandits.explorers.toolkit.controls import Choice, Seed, Several, Switch, control_for
from dpbandits.explorers.toolkit.engine import LIVE_HORIZON, LIVE_RUNS
from dpbandits.explorers.toolkit.plot import HIDDEN, by_height, live_figure
from dpbandits.explorers.toolkit.simulation_panel import Problem, SimulationPanel, refuse_leftovers, spread
from dpbandits.explorers.toolkit.steps import Step, Steps
from dpbandits.explorers.toolkit.tables import number, swatch, table
from dpbandits.figures.palette import GREY, line
from dpbandits.parameters import EPSILON, SEED, Parameter, unknown
from dpbandits.simulation import Cell, cells_for, checkpoint_rounds

#: The one without noise, beside which all others are seen.
PLAIN = {"stochastic": "ucb1", "cascade": "cascade-ucb1", "semi-bandit": "cucb", "matroid": "omm"}
#: Algorithms of other settings that play the same problem with noise from its users: with K = 1 a super arm is one arm.
GUESTS = {"stochastic": ("cucb-ldp2", "cucb-ldp-gauss")}
#: Their accountant takes longest, so that the first picture does not wait for them.
SLOW = ("private-ucb", "dp-ucb-bound", "dp-ucb", "cascade-dp-first", "dp-ftpl-new", "dp-ftpl-beta", "dp-ucb-int")
DELTA_HERE = replace(DELTA_TOTAL, name="delta", description="δ of the promise")
PROMISES = {"everything": "all that is seen", "one selection": "each selection alone"}
PROMISE = Parameter("promise", "what is promised to be (ε, δ)-private", kind="choice", choices=tuple(PROMISES))
AGAINST = Parameter("against", "what regret is drawn against", kind="choice", choices=("rounds", "epsilon"))
EPSILONS = (0.1, 0.3, 1.0, 3.0, 10.0)  # where regret is drawn against ε, beside the ε asked for
HEIGHT = 540  # a legend of twenty names
BESIDE = {"orientation": "v", "x": 1.02, "xanchor": "left", "y": 1, "yanchor": "top", "yref": "paper"}
AT_ONCE = 0.04  # seconds of calibrating before the first picture


def fair_race(
    setting: str = "stochastic",
    *,
    instance: str | Instance | None = None,
    algorithms: Iterable[str] | None = None,
    promise: str = "everything",
    against: str = "rounds",
    epsilon: float = 1.0,
    delta: float = DELTA_TOTAL.default,
    horizon: int = 20_000,
    runs: int = 3,
    seed: int = 0,
    width: int | None = None,
    height: int = HEIGHT,
    **problem: object,
) -> "FairRaceExplorer":
    """Regret of all algorithms of a setting where each of them is (epsilon, delta)-private for the same watcher.

    promise: "everything", each algorithm's parameters found by `calibrate` for `horizon` rounds; or, with arms alone,
    "one selection", where each watcher sees a single one. against: "rounds", or "epsilon" with regret at the horizon.
    algorithms: those that race at first, by default all that can make the promise; beside them, of the stochastic
    setting, two to which users send noisy rewards. problem: parameters of the instance. Raises ValueError for bad
    input.
    """
    if setting not in PRESETS:
        raise ValueError(unknown("setting", setting, PRESETS))
    numbers = (epsilon, delta, horizon, runs, seed)
    return FairRaceExplorer(setting, instance, algorithms, promise, against, dict(problem), numbers, width, height)


def _may(record: Algorithm, instance: Instance) -> bool:
    """Whether it has a parameter to turn, and an accountant's answer that is not "nothing"."""
    if not {knob.free for knob in record.knobs} & {p.name for p in record.all_parameters}:
        return False
    return record.setting != instance.setting or bool(record.ledger(record.bind({}), instance, 1000).alternatives)


class FairRaceExplorer(SimulationPanel):
    """See fair_race()."""

    def __init__(self, setting, instance, algorithms, promise, against, given, numbers, width, height):
        epsilon, delta, horizon, runs, seed = numbers
        own = [a for a in ALGORITHMS.values() if a.setting == setting and a.name != PLAIN[setting]]
        self.records = {a.name: a for a in (*own, *(ALGORITHMS[n] for n in GUESTS.get(setting, ())))}
        self.plain = ALGORITHMS[PLAIN[setting]]
        problem = Problem(PRESETS[setting].instances, instance or PRESETS[setting].instances[0], given)
        refuse_leftovers(given, problem.own)
        first = problem.instance()
        names = list(algorithms) if algorithms is not None else [n for n, r in self.records.items() if _may(r, first)]
        for name in names:
            if as_algorithm(name).name not in self.records:
                raise ValueError(unknown("algorithm of this race", name, self.records))
        self.made: dict[tuple, dict[str, object] | str] = {}  # parameters by what was asked for, or why there are none
        self.steps = Steps(self.guarded, self._more)
        options = {r.name: ", ".join(filter(None, (r.title, r.paper))) for r in self.records.values()}
        groups = {
            "algorithms": [
                Several("algorithms", options, names, len(options), {r.name: swatch(r) for r in self.records.values()})
            ],
            "the promise": [
                *([Choice(PROMISE, promise, labels=PROMISES)] if setting == "stochastic" else []),
                control_for(EPSILON, epsilon),
                control_for(DELTA_HERE, delta),
            ],
            "problem": problem.controls,
            "simulation": [control_for(LIVE_HORIZON, horizon), control_for(LIVE_RUNS, runs), Seed(SEED, seed)],
            "view": [
                Choice(AGAINST, against),
                Switch(Parameter("log_y", "logarithmic axes", kind="flag"), True, "log axes"),
            ],
        }
        title = f"One promise for all: {setting}"
        super().__init__(f"dpbandits-fair-race-{setting}", title, problem, {}, groups, self._figure(height), width)

    def _figure(self, height: int) -> go.Figure:
        grey = {"color": GREY, "dash": "dot", "width": 1.5}
        traces = {
            "chance": go.Scatter(name="uniform play", mode="lines", line=grey, visible=False),
            "plain": go.Scatter(
                name=f"{self.plain.name}, no promise", mode="lines", line=grey | {"dash": "dash"}, visible=False
            ),
        }
        for record in self.records.values():
            traces[record.name] = go.Scatter(
                name=record.name, mode="lines", line=line(record), marker={"size": 6}, visible=False
            )
        figure = live_figure(traces, height=height, title=" ", x="round t", y="cumulative regret")
        return figure.update_layout(legend=BESIDE | {"font": {"size": 11}}, meta={"lowest": 470})

    # What is asked for, and what of it is known.

    @property
    def _epsilons(self) -> list[float]:
        """The ε at which the race is run."""
        here = self.values["epsilon"]
        return sorted({*EPSILONS, here}) if self.values["against"] == "epsilon" else [here]

    def _asked(self, name: str, epsilon: float) -> tuple:
        v = self.values
        sizes = v["instance"], tuple(sorted(self.problem.parameters.items()))
        return name, v.get("promise", "everything"), epsilon, v["delta"], v["horizon"], sizes

    def _arena(self, record: Algorithm) -> Instance:
        """The problem as this algorithm plays it."""
        if record.setting == self.instance.setting:
            return self.instance
        return build("top-k", means=tuple(map(float, self.instance.means)), list_size=1)

    def _wanted(self) -> list[tuple[str, float]]:
        """What is still to be calibrated, the quick ones first."""
        names = sorted(self.values["algorithms"], key=lambda name: name in SLOW)
        wanted = [(name, epsilon) for name in names for epsilon in self._epsilons]
        return sorted(
            (pair for pair in wanted if self._asked(*pair) not in self.made),
            key=lambda pair: (pair[0] in SLOW, pair[1] != self.values["epsilon"]),
        )

    def _calibrated(self, name: str, epsilon: float) -> dict[str, object] | str:
        """Parameters that make the promise, or why there are none."""
        v, record = self.values, self.records[name]
        of = one_selection if v.get("promise") == "one selection" else calibrate
        try:
            return of(name, epsilon, v["delta"], v["horizon"], self._arena(record))
        except ValueError as error:
            return str(error)

    def update(self) -> None:
        self.engine.drop()
        self.steps.drop()
        self.refused, self.cells = [], []
        self.instance = self.problem.instance()
        begun, wanted = time.thread_time(), self._wanted()
        while wanted and time.thread_time() - begun < AT_ONCE:
            pair = wanted.pop(0)
            self.made[self._asked(*pair)] = self._calibrated(*pair)
        known = (self.made.get(self._asked(name, e)) for name in self.values["algorithms"] for e in self._epsilons)
        if wanted and not any(isinstance(found, dict) for found in known):
            self.fade(True)
            self.tell("Calibrating …")
        else:
            self.play(self.plan())
        self.steps.start(map(self._step, wanted))

    def _step(self, pair: tuple[str, float]) -> Step:
        key = self._asked(*pair)
        return lambda: self._calibrated(*pair), lambda found: self.made.__setitem__(key, found)

    def _more(self) -> None:
        """More is calibrated: race again; runs that were finished are not run again."""
        self.cells = self.plan()
        if self.cells:
            self.engine.start(self.cells, self.values["runs"])

    def plan(self) -> list[Cell]:
        v, cells, why = self.values, [], []
        rounds = checkpoint_rounds(v["horizon"]) if v["against"] == "rounds" else np.array([v["horizon"]])
        for name in v["algorithms"]:
            for epsilon in self._epsilons:
                found = self.made.get(self._asked(name, epsilon))
                if isinstance(found, dict):
                    cells += self._cells(self.records[name], found, rounds)
                elif found is not None:
                    why.append(found)
        if not cells and not self.steps.left:
            raise ValueError(" ".join(dict.fromkeys(why)))
        return cells + (self._cells(self.plain, {}, rounds) if cells else [])

    def _cells(self, record: Algorithm, given: dict[str, object], rounds: np.ndarray) -> list[Cell]:
        settings = {"horizon": int(rounds[-1]), "checkpoints": rounds, "seed": self.values["seed"]}
        return cells_for([record], self._arena(record), given, **settings)

    def stop(self) -> None:
        self.steps.drop()
        super().stop()

    def finish(self) -> "FairRaceExplorer":
        self.steps.finish()
        return super().finish()

    def _draw(self, job) -> None:
        super()._draw(job)
        if self.steps.left:
            self.stop_button.disabled = False
            self.tell(f"{self.message} {self.steps.left} more to calibrate …")

    def plot(self, results) -> None:
        v, edits = self.values, {name: HIDDEN for name in self.view.traces}
        runs: dict[str, list[tuple[Cell, np.ndarray]]] = {}
        for cell, regret, _ in results:
            runs.setdefault(cell.algorithm.name, []).append((cell, regret))
        over_rounds = v["against"] == "rounds"
        for name, own in runs.items():
            trace = "plain" if name == self.plain.name else name
            if over_rounds:
                x, y = own[0][0].checkpoints, spread(own[0][1])[0]
            elif trace == "plain":
                x, y = np.array([self._epsilons[0], self._epsilons[-1]]), np.full(2, own[0][1][:, -1].mean())
            else:
                at = {self._epsilon_of(cell): regret[:, -1].mean() for cell, regret in own}
                x, y = np.array(sorted(at)), np.array([at[e] for e in sorted(at)])
            mode = "lines" if over_rounds or trace == "plain" else "lines+markers"
            edits[trace] = {"x": x, "y": np.where(y > 0, y, np.nan) if v["log_y"] else y, "visible": True, "mode": mode}
        blind = self.instance.facts["uniform_regret"]
        if over_rounds:
            x = results[0][0].checkpoints
            edits["chance"] = {"x": x, "y": blind * x, "visible": True}
        else:
            x = np.array([self._epsilons[0], self._epsilons[-1]])
            edits["chance"] = {"x": x, "y": np.full(2, blind * v["horizon"]), "visible": True}
        what = PROMISES[v.get("promise", "everything")]
        self.view.redraw(
            by_height(edits),
            {
                "title.text": self.titled(f"{self.instance.name}, {what}", () if over_rounds else ("epsilon",)),
                "xaxis.type": "linear" if over_rounds and not v["log_y"] else "log",
                "xaxis.title.text": "round t" if over_rounds else "ε of the promise",
                "yaxis.type": "log" if v["log_y"] else "linear",
                "yaxis.title.text": "cumulative regret" if over_rounds else f"regret at T = {v['horizon']:,}",
            },
        )
        self._describe(runs)

    def _epsilon_of(self, cell: Cell) -> float:
        """The ε that this cell's parameters were made for."""
        for epsilon in self._epsilons:
            found = self.made.get(self._asked(cell.algorithm.name, epsilon))
            if isinstance(found, dict) and all(cell.parameters[n] == x for n, x in found.items()):
                return epsilon
        return float("nan")

    def _describe(self, runs) -> None:
        v, rows = self.values, []
        lost = self.instance.facts["uniform_regret"] * v["horizon"]
        order = []
        for name, own in runs.items():
            here = [(c, r) for c, r in own if name == self.plain.name or self._epsilon_of(c) == v["epsilon"]]
            if here:
                order.append((float(here[0][1][:, -1].mean()), name, *here[0]))
        for mean, name, cell, regret in sorted(order, key=lambda row: row[0]):
            made = self.made.get(self._asked(name, v["epsilon"]), {})
            played = ", ".join(f"{n} = {x:.4g}" for n, x in made.items()) if name != self.plain.name else "–"
            scope = cell.algorithm.guarantee(cell.parameters, cell.instance, cell.horizon).scope
            noise = "nobody" if name == self.plain.name else "each user" if scope == "local" else "the learner"
            error = spread(regret[:, -1])[1] / np.sqrt(len(regret))
            share = f"{mean / lost:.0%}" if lost > 0 else "–"
            record = self.records.get(name) or replace(self.plain, colour=GREY, dash="dash")  # as its line is drawn
            rows.append((swatch(record) + name, f"{mean:,.0f}", f"± {error:,.0f}", share, played, noise))
        rows.append(("uniform play", f"{lost:,.0f}", "", "100%", "–", "–"))
        heads = ("algorithm", "regret at T", "std. error", "÷ uniform play", "played with", "noise from")
        told = ", ".join(f"{name} {mean:,.0f}" for mean, name, *_ in sorted(order, key=lambda row: row[0]))
        one = v.get("promise") == "one selection"
        head = (
            f"Regret after {v['horizon']:,} rounds where {'one selection is' if one else 'all that is seen is'}"
            f" ({v['epsilon']:g}, {v['delta']:g})-private: {told}; uniform play {number(lost)}."
        )
        self.show(head, table(heads, rows, (1, 2, 3)), self._caption(one))

    def _caption(self, one: bool) -> str:
        v, notes = self.values, []
        if one:
            notes.append(
                "<b>One selection</b>: the right promise where each watcher sees a single one, as users see the answer"
                " to their own search, or an advertisement of their own. Two watchers who compare notes have seen two."
                " The perturbed leaders play at this (ε, δ) itself, as their promise is about one selection given the"
                " past; the others as for all selections, of which one is a part."
            )
        else:
            notes.append(
                "<b>All that is seen</b>: every selection of all rounds, or, where users add the noise, every message"
                " of a user. Each algorithm has the parameters with which this is (ε, δ), by the accountant."
            )
        cannot = [self.made.get(self._asked(name, v["epsilon"])) for name in v["algorithms"]]
        notes += [why for why in cannot if isinstance(why, str)]
        return "<br>".join(notes)

    def code(self) -> str:
        v = self.values
        given = "".join(f", {name}={value!r}" for name, value in self.problem.parameters.items())
        of = "one_selection" if v.get("promise") == "one selection" else "calibrate"
        lines = [
            "from dpbandits import simulate",
            "from dpbandits.auditing.calibration import calibrate, one_selection",
            "from dpbandits.environments import build",
            "",
            f"instance = build({v['instance']!r}{given})",
        ]
        if any(self.records[n].setting != self.instance.setting for n in v["algorithms"]):
            lines.append("for_users = build('top-k', means=tuple(map(float, instance.means)), list_size=1)")
        for name in v["algorithms"]:
            arena = "instance" if self.records[name].setting == self.instance.setting else "for_users"
            for epsilon in self._epsilons:
                if isinstance(self.made.get(self._asked(name, epsilon)), dict):
                    played = f"horizon={v['horizon']}, runs={v['runs']}, seed={v['seed']}"
                    asked = f"{name!r}, epsilon={epsilon!r}, delta={v['delta']!r}, horizon={v['horizon']}"
                    lines.append(f"simulate({name!r}, {arena}, {played}, **{of}({asked}, instance={arena}))")
        return "\n".join(lines)

    def frame(self) -> pd.DataFrame:
        """One row for each algorithm, ε and round: mean and standard deviation of the regret over the runs."""
        parts = []
        for cell, regret, _ in self.finished(self.engine.job):
            mean, deviation = spread(regret)
            plain = cell.algorithm.name == self.plain.name
            columns = {
                "algorithm": cell.algorithm.name,
                "epsilon": np.inf if plain else self._epsilon_of(cell),
                "round": cell.checkpoints,
                "regret_mean": mean,
                "regret_std": deviation,
                "runs": len(regret),
            }
            parts.append(pd.DataFrame(columns))
        return pd.concat(parts, ignore_index=True)
