"""What a watcher of T rounds learns: the proved ceiling and the counted floor on ε, against T."""

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.algorithms.catalogue import ALGORITHMS, as_algorithm
from dpbandits.algorithms.record import Algorithm
from dpbandits.auditing.accountant import DELTA_TOTAL, Account, account
from dpbandits.auditing.floor import Floor, audit
from dpbandits.auditing.plays import TRIALS
from dpbandits.bounds.beside import SETTINGS, same_items
from dpbandits.environments import Instance
from dpbandits.environments.cascade import LIST_SIZE
from dpbandits.explorers.toolkit.controls import Number, Seed, Several, control_for
from dpbandits.explorers.toolkit.light import place
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.explorers.toolkit.plot import HEIGHT, HIDDEN, by_height, live_figure
from dpbandits.explorers.toolkit.scales import Scale
from dpbandits.explorers.toolkit.steps import Step, Steps
from dpbandits.explorers.toolkit.tables import number, privacy_caption, swatch, table
from dpbandits.figures.palette import GREY, line
from dpbandits.parameters import DELTA_OR_ZERO, EPSILON, HORIZON, SEED, Parameter, unknown
from dpbandits.privacy.watching import Duel, Messages, Unwatchable

#: What each setting opens with.
OPENS = {
    "stochastic": ("thompson-gauss", "dp-ftpl-gauss", "dp-ftpl-new", "adap-ucb"),
    "cascade": ("cascade-ldp-laplace", "cascade-ldp-first", "cascade-dp-first", "cascade-dp-lazy"),
    "semi-bandit": ("cucb-ldp1", "cucb-ldp2", "cucb-dp", "cucb-dp-lazy"),
    "matroid": ("cts-gauss", "dpucb-mat", "dpts-mat"),
}
LIMIT = 6  # algorithms at once
ARMS = Parameter("arms", "number of arms or items", 2, kind="integer", low=2, high=101)
SIZE = replace(LIST_SIZE, high=20)
HORIZON_HERE = replace(HORIZON, low=100, high=10**7)
TRIALS_HERE = replace(TRIALS, low=50, high=20_000, description="runs on which a floor is counted")
POINTS = 13  # ceilings along the axis
FLOORS, LONGEST = 3, 30_000  # floors along the axis, and rounds that one watches at most
AT_ONCE = 0.05  # seconds of computing before the first picture


def privacy_over_time(
    algorithms: Iterable[str] | None = None,
    *,
    setting: str | None = None,
    epsilon: float = 0.1,
    delta: float = 1e-11,
    delta_total: float = DELTA_TOTAL.default,
    arms: int | None = None,
    list_size: int = 2,
    horizon: int = 100_000,
    trials: int = 400,
    seed: int = 0,
    width: int | None = None,
    height: int = HEIGHT,
) -> "PrivacyOverTimeExplorer":
    """ε of everything that a watcher sees, against the number of rounds T: what is proved, and what counting refutes.

    Lines: the accountant's ceiling at `delta_total`, each horizon on its own. Triangles: the audit's floor at the same
    δ, no smaller ε is possible (confidence 1 - 1e-6), counted in the background on `trials` runs of a small problem.
    epsilon, delta: of each algorithm as it is written, for what its label says. arms, list_size: of the problem (L
    and K; by default two arms, or 8 items). algorithms: at most 6, of one setting. Raises ValueError for bad input.
    """
    chosen = [as_algorithm(a) for a in algorithms] if algorithms is not None else []
    found = setting or (chosen[0].setting if chosen else "stochastic")
    if found not in SETTINGS:
        raise ValueError(unknown("setting", found, SETTINGS))
    for record in chosen:
        if record.setting != found:
            raise ValueError(f"algorithms: {record.name} is not allowed: it is not of the {found} setting.")
    names = tuple(a.name for a in chosen) or OPENS[found]
    arms = (2 if found == "stochastic" else 8) if arms is None else arms
    numbers = (epsilon, delta, delta_total, arms, list_size, horizon, trials, seed)
    return PrivacyOverTimeExplorer(found, names, numbers, width, height)


class PrivacyOverTimeExplorer(Panel):
    """See privacy_over_time()."""

    def __init__(self, setting, chosen, numbers, width, height):
        epsilon, delta, delta_total, arms, size, horizon, trials, seed = numbers
        self.refused: list[str] = []
        self.ceilings: dict[str, dict[int, Account]] = {}
        self.floors: dict[str, list[Floor]] = {}
        self.silent: dict[str, str] = {}
        self.setting = setting
        self.records = {a.name: a for a in ALGORITHMS.values() if a.setting == setting}
        options = {r.name: f"{r.title}, {r.paper}" for r in self.records.values()}
        groups = {
            f"algorithms (up to {LIMIT})": [
                Several("algorithms", options, chosen, LIMIT, {r.name: swatch(r) for r in self.records.values()})
            ],
            "each algorithm's own": [control_for(EPSILON, epsilon), control_for(DELTA_OR_ZERO, delta)],
            "what is watched": [
                Number(DELTA_TOTAL, delta_total, Scale("δ in all", 1e-10, 0.1, 0.1, log=True)),
                control_for(ARMS, arms),
                *([] if setting == "stochastic" else [control_for(SIZE, size)]),
                Number(HORIZON_HERE, horizon, Scale("T up to", 100, 10**7, 0.1, log=True)),
            ],
            "counting": [
                Number(TRIALS_HERE, trials, Scale("runs", 50, 20_000, 0.1, log=True)),
                Seed(SEED, seed),
            ],
        }
        title = "What a watcher of T rounds learns"
        super().__init__(
            f"dpbandits-privacy-over-time-{setting}", title, groups, self._figure(height), width, live=True
        )
        self.steps = Steps(self.guarded, self._draw)
        self.refresh()

    def _figure(self, height: int) -> go.Figure:
        traces = {
            "own": go.Scatter(
                name="ε as written", mode="lines", line={"color": GREY, "dash": "dot", "width": 1.3}, visible=False
            )
        }
        for record in self.records.values():
            look = {"visible": False, "legendgroup": record.name}
            marker = {"symbol": "triangle-up", "size": 9, "color": record.colour}
            traces[record.name] = go.Scatter(**look, name=record.name, mode="lines", line=line(record))
            traces[f"{record.name}: floor"] = go.Scatter(
                **look, name=f"{record.name}: floor", mode="markers", marker=marker, showlegend=False
            )
        return live_figure(traces, height=height, title=" ", x="rounds T", y="ε", log_x=True, log_y=True)

    @property
    def horizons(self) -> list[int]:
        """Where ceilings are drawn."""
        found = np.geomspace(max(10, self.values["horizon"] / 10**4), self.values["horizon"], POINTS)
        return sorted({int(round(t)) for t in found})

    def _given(self, record: Algorithm) -> dict[str, float]:
        own = {p.name for p in record.parameters}
        return {name: self.values[name] for name in ("epsilon", "delta") if name in own}

    def _instance(self) -> Instance:
        v = self.values
        return same_items(self.setting, items=v["arms"], list_size=v.get("list_size", 1))

    def update(self) -> None:
        self.steps.drop()
        self.ceilings, self.floors, self.silent, self.refused = {}, {}, {}, []
        self.instance = self._instance()
        wanted = self._wanted()
        begun = time.thread_time()
        while wanted and time.thread_time() - begun < AT_ONCE:
            name, horizon = wanted.pop(0)
            self._take(name, horizon, self._account(name, horizon))
        if not self.ceilings and not wanted:
            raise ValueError(" ".join(self.refused))
        self.steps.start([*self._finer(wanted), *self._counting()])
        self._draw()

    def _wanted(self) -> list[tuple[str, int]]:
        """Every ceiling, coarse ones first: the ends, then the middle, then all between."""
        last = len(self.horizons) - 1
        places = list(dict.fromkeys([last, 0, last // 2, last // 4, 3 * last // 4, *range(last)]))
        return [(name, self.horizons[place]) for place in places for name in self.values["algorithms"]]

    def _account(self, name: str, horizon: int) -> Account | str:
        """The ceiling, computed here, or why there is none."""
        given, delta = self._given(self.records[name]), self.values["delta_total"]
        try:
            found = account(name, self.instance, horizon=horizon, delta_total=delta, **given)
            _ = found.epsilon
        except ValueError as error:
            return str(error)
        return found

    def _take(self, name: str, horizon: int, found: Account | str) -> None:
        if isinstance(found, str):
            self.refused += [found] if found not in self.refused else []
        else:
            self.ceilings.setdefault(name, {})[horizon] = found

    def _finer(self, wanted: list[tuple[str, int]]) -> Iterator[Step]:
        for name, horizon in wanted:
            yield (
                lambda name=name, horizon=horizon: self._account(name, horizon),
                lambda found, name=name, horizon=horizon: self._take(name, horizon, found),
            )

    def _counting(self) -> Iterator[Step]:
        """Floors, the short ones first."""
        steps = []
        for name in self.values["algorithms"]:
            record = self.records[name]
            try:
                steps += [(rounds, name, instance) for rounds, instance in self._watched(record)]
            except ValueError as error:
                self._take(name, 0, str(error))
        for rounds, name, instance in sorted(steps, key=lambda step: step[0]):
            yield (
                lambda name=name, rounds=rounds, instance=instance: self._audit(name, rounds, instance),
                lambda found, name=name: self._take_floor(name, found),
            )

    def _watched(self, record: Algorithm) -> list[tuple[int, Instance | None]]:
        """(rounds, instance) of the floors: one user's messages are the same at every T."""
        longest = self.values["horizon"]
        own = record.bind(self._given(record))
        watch = record.watch(own, self.instance, longest) if record.watch else None
        if isinstance(watch, Unwatchable):
            self.silent[record.name] = watch.reason
            return []
        if isinstance(watch, Messages):
            return [(longest, self.instance)]
        if isinstance(watch, Duel):
            most = min(longest, LONGEST)
            return [(int(t), None) for t in np.unique(np.geomspace(min(100, most), most, FLOORS).astype(int))]
        return [(min(60, longest), None)]

    def _audit(self, name: str, rounds: int, instance: Instance | None) -> Floor | str:
        v = self.values
        seen = {"delta_total": v["delta_total"], "trials": v["trials"], "seed": v["seed"], "horizon": rounds}
        try:
            return audit(name, instance, **seen, **self._given(self.records[name]))
        except ValueError as error:
            return str(error)

    def _take_floor(self, name: str, found: Floor | str) -> None:
        if isinstance(found, str):
            self._take(name, 0, found)
        else:
            self.floors.setdefault(name, []).append(found)

    def stop(self) -> None:
        """Break off the counting, and keep what there is."""
        if self.steps.drop():
            self.guarded(self._draw)

    def finish(self) -> "PrivacyOverTimeExplorer":
        """Compute what is left to be computed."""
        self.steps.finish()
        return self

    def _draw(self) -> None:
        edits = {name: HIDDEN for name in self.view.traces}
        v, ends = self.values, np.array([self.horizons[0], self.horizons[-1]])
        if any("epsilon" in self._given(self.records[name]) for name in self.ceilings):
            edits["own"] = {"x": ends, "y": np.full(2, v["epsilon"]), "visible": True}
        for name, found in self.ceilings.items():
            x = sorted(found)
            y = np.array([found[t].epsilon if 0 < found[t].epsilon < math.inf else np.nan for t in x])
            edits[name] = {"x": np.array(x), "y": y, "visible": True}
            floors = [(x, f.epsilon_at_least) for f in self.floors.get(name, []) for x in self._places(f)]
            floors = [(x, low) for x, low in floors if low > 0]
            if floors:
                x, low = np.array(floors).T
                edits[f"{name}: floor"] = {"x": x, "y": low, "visible": True, "showlegend": not np.isfinite(y).any()}
        of = "all that is seen" if self.setting in ("cascade", "semi-bandit") else "all selections"
        sizes = f"{v['arms']} arms" if self.setting == "stochastic" else f"L = {v['arms']}, K = {v['list_size']}"
        self.view.redraw(
            by_height(edits),
            {"title.text": self.titled(f"ε of {of} at a total δ of {v['delta_total']:g}, {sizes}")},
        )
        self._describe()

    def _places(self, floor: Floor) -> list[int]:
        """Where a floor is drawn: what one user sends tells the same at every T."""
        return self.horizons[:: POINTS // 2] if floor.neighbours.startswith("the user") else [floor.rounds]

    def _describe(self) -> None:
        rows, guarantees, notes, finite = [], [], list(self.refused), []
        for name, found in self.ceilings.items():
            last = found[max(found)]
            guarantees.append((name, last.guarantee))
            ceiling = number(last.epsilon) if math.isfinite(last.epsilon) else "none"
            finite += [f"{name} {ceiling}"] if math.isfinite(last.epsilon) else []
            notes += [] if math.isfinite(last.epsilon) else [f"{name}: {last.note}"]
            counted = max(self.floors.get(name, []), key=lambda f: f.epsilon_at_least, default=None)
            floor = "–" if counted is None else f"{number(counted.epsilon_at_least)} ({counted.rounds:,} rounds)"
            by = last.by.split(";")[0] if last.by else "–"
            rows.append((swatch(self.records[name]) + name, last.guarantee.pair, ceiling, floor, by))
        notes += [f"{name} is not audited: {reason}" for name, reason in self.silent.items()]
        notes.append(
            "A floor is counted on a small problem of its own (two arms, or three items and lists of two; for messages,"
            " the problem shown), with confidence 1 − 10⁻⁶; a ceiling is about the problem shown."
        )
        v = self.values
        heads = ("algorithm", "label", f"ceiling at T = {v['horizon']:,}", "largest floor", "by")
        summary = (
            f"Proved at δ = {v['delta_total']:g} for all that is seen in {v['horizon']:,} rounds:"
            f" ε = {', '.join(finite) or 'nothing finite'}."
        )
        self.show(summary, table(heads, rows, (2, 3)), privacy_caption(guarantees, notes))
        self._progress()

    def _progress(self) -> None:
        running, total = self.steps.left > 0, self.steps.total
        self.stop_button.disabled = not running
        self.progress.max, self.progress.value = max(total, 1), total - self.steps.left
        place(self.progress, running)
        self.tell(f"{total - self.steps.left} of {total} refinements …" if running else "Drawn.")
        if self.refused:
            self.tell(" ".join(self.refused), bad=True)

    def code(self) -> str:
        v, lines = self.values, []
        for name in self.ceilings:
            given = "".join(f", {n}={x!r}" for n, x in self._given(self.records[name]).items())
            asked = f"horizon={v['horizon']}, delta_total={v['delta_total']!r}{given}"
            lines.append(f"account({name!r}, instance, {asked}).epsilon")
        return (
            "from dpbandits import account\nfrom dpbandits.bounds.beside import same_items\n\n"
            f"instance = same_items({self.setting!r}, items={v['arms']}, list_size={v.get('list_size', 1)})\n"
            + "\n".join(lines)
        )

    def frame(self) -> pd.DataFrame:
        """One row for each ceiling and floor: algorithm, rounds, ε, δ and which of the two it is."""
        rows = [
            (name, t, found[t].epsilon, found[t].delta, "ceiling")
            for name, found in self.ceilings.items()
            for t in sorted(found)
        ]
        rows += [
            (name, f.rounds, f.epsilon_at_least, f.delta, "floor") for name, found in self.floors.items() for f in found
        ]
        return pd.DataFrame(rows, columns=["algorithm", "rounds", "epsilon", "delta", "what"])
