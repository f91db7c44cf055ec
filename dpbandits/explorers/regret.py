"""The regret explorer: any algorithms of one setting, side by side on one instance, live."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpbandits.algorithms.catalogue import ALGORITHMS, find
from dpbandits.algorithms.record import Algorithm
from dpbandits.environments import INSTANCES, Instance, build
from dpbandits.explorers.base import Panel
from dpbandits.explorers.controls import Choice, Control, Seed, Several, Switch, control_for, loosest
from dpbandits.explorers.engine import Engine, Job
from dpbandits.explorers.plot import HEIGHT, HIDDEN, WIDTH, live_figure, redraw
from dpbandits.explorers.tables import privacy_caption, privacy_cells, swatch, table
from dpbandits.figures.palette import line, translucent
from dpbandits.parameters import HORIZON, RUNS, SEED, Parameter, unknown
from dpbandits.simulation import Cell, cells_for, checkpoint_rounds

LIMIT = 6  # curves at once
SLOW = 0.2  # seconds without a result after which progress is shown


@dataclass(frozen=True)
class Preset:
    """What the regret explorer of one setting opens with. parameters: the algorithms' parameters that get a control."""

    title: str
    algorithms: tuple[str, ...]
    instances: tuple[str, ...]
    parameters: tuple[str, ...]


PRESETS: Mapping[str, Preset] = {
    "stochastic": Preset(
        "Private bandits: regret", ("ucb1", "dp-ftpl-new", "dp-ftpl-gauss", "dp-se"),
        ("wang-zhu-1", "wang-zhu-2", "two-arms", "bernoulli"), ("epsilon", "delta"),
    ),
}  # fmt: skip
OWN_MEANS = (0.2, 0.4, 0.5, 0.55)
VIEWS = {"regret": "regret over time", "pulls": "pulls of each arm"}


def regret(
    algorithms: Iterable[str | Callable] | None = None,
    instance: str | Instance | None = None,
    *,
    setting: str = "stochastic",
    offered: Iterable[str | Callable] | None = None,
    horizon: int = 10_000,
    runs: int = 20,
    seed: int = 0,
    width: int = WIDTH,
    height: int = HEIGHT,
    **parameters: object,
) -> "RegretExplorer":
    """Regret curves that follow the sliders.

    algorithms: chosen at first, names or own functions (at most 6). instance: chosen at first, a name or an Instance.
    setting: whose algorithms and instances are offered; offered: these algorithms instead of all of the setting.
    parameters: first values of whatever the algorithms or the instance take (`epsilon`, `delta`, `arms`, `gap`, `means`, ...);
    one that has no control by default gets one. width, height: of the figure, in pixels. Raises ValueError for bad input.
    """
    if setting not in PRESETS:
        raise ValueError(unknown("setting", setting, PRESETS))
    preset = PRESETS[setting]
    records = [a for a in ALGORITHMS.values() if a.setting == setting] if offered is None else [find(a, setting) for a in offered]
    first = list(algorithms) if algorithms is not None else [name for name in preset.algorithms if name in ALGORITHMS]
    chosen = [find(a, setting) for a in first]
    records += [a for a in chosen if a.name not in {r.name for r in records}]
    return RegretExplorer(preset, records, chosen, instance, parameters, horizon, runs, seed, width, height)


class RegretExplorer(Panel):
    """See regret()."""

    def __init__(self, preset, records: Sequence[Algorithm], chosen, instance, parameters, horizon, runs, seed, width, height):
        self.records = {record.name: record for record in records}
        family, parameters = _first_instance(instance or preset.instances[0], dict(parameters))
        self.families = [INSTANCES[name] for name in dict.fromkeys((*preset.instances, family)) if name in INSTANCES]
        self.instance_controls = self._instance_controls(family, parameters)
        self.parameter_controls = self._parameter_controls(preset, parameters)
        if parameters:
            known = sorted({p.name for r in records for p in r.all_parameters} | set(self.instance_controls))
            raise ValueError(unknown("parameter", next(iter(parameters)), known, " of this explorer"))
        names = tuple(f.name for f in self.families)
        labels = {f.name: f.name if f.name != "bernoulli" else "own means" for f in self.families}
        groups = {
            f"algorithms (up to {LIMIT})": [
                Several(
                    "algorithms", {r.name: f"{r.title}; {r.paper}".strip("; ") for r in records}, [c.name for c in chosen], LIMIT,
                    {r.name: swatch(r) for r in records},
                )
            ],
            "problem": [
                Choice(Parameter("instance", "the bandit problem", kind="choice", choices=names), family, labels=labels),
                *self.instance_controls.values(),
            ],
            "privacy": list(self.parameter_controls.values()),
            "simulation": [control_for(HORIZON, horizon), control_for(RUNS, runs), Seed(SEED, seed)],
            "view": [
                Choice(Parameter("view", "what is plotted", kind="choice", choices=tuple(VIEWS)), "regret", labels=VIEWS),
                _switch("log_x", "log t", "Logarithmic time axis", True),
                _switch("log_y", "log y", "Logarithmic vertical axis", False),
                _switch("bands", "bands", "Mean ± one standard deviation", True),
            ],
        }  # fmt: skip
        self.engine = Engine(self._report)
        self.cells: list[Cell] = []
        self.refused: list[str] = []
        super().__init__(f"dpbandits-regret-{preset.instances[0].split('-')[0]}", preset.title, groups, self._figure(width, height), live=True)
        self._arrange(reset=False)
        self.refresh()

    # Controls.

    def _instance_controls(self, family: str, parameters: dict) -> dict[str, Control]:
        """A control for every parameter of every family offered, at the first family's values."""
        controls: dict[str, Control] = {}
        for f in sorted(self.families, key=lambda f: f.name != family):
            for parameter in f.parameters:
                if parameter.name not in controls:
                    start = parameters.pop(parameter.name, parameter.default)
                    domain = loosest(p for g in self.families for p in g.parameters if p.name == parameter.name)
                    controls[parameter.name] = control_for(domain, OWN_MEANS if start is None else parameter.check(start))
        return controls

    def _parameter_controls(self, preset: Preset, parameters: dict) -> dict[str, Control]:
        """A control for each of the preset's parameters and for each other one that was given a value."""
        taken = {p.name for r in self.records.values() for p in r.all_parameters}
        names = [n for n in (*preset.parameters, *(n for n in parameters if n not in preset.parameters)) if n in taken]
        controls = {}
        for name in names:
            same = [p for r in self.records.values() for p in r.all_parameters if p.name == name]
            domain = loosest(same) if same[0].kind in ("real", "integer") else same[0]
            controls[name] = control_for(domain, parameters.pop(name, domain.default))
        return controls

    def changed(self, control: Control) -> None:
        if control.name == "instance":
            self._arrange(reset=True)
        self.refresh()

    def _arrange(self, reset: bool) -> None:
        """Show the controls of the chosen family, at its own defaults."""
        family = INSTANCES[self.controls["instance"].value]
        own = {p.name: p for p in family.parameters}
        with self.quiet():
            for name, control in self.instance_controls.items():
                control.layout.display = None if name in own else "none"
                if reset and name in own and own[name].default is not None:
                    control.value = own[name].default

    # Computing.

    def instance(self) -> Instance:
        """The instance that the controls describe. Raises ValueError."""
        family = INSTANCES[self.values["instance"]]
        return build(family.name, **{p.name: self.values[p.name] for p in family.parameters})

    def update(self) -> None:
        values, self.cells, self.refused = self.values, [], []
        self.engine.stop()
        instance = self.instance()
        rounds = checkpoint_rounds(values["horizon"])
        for name in values["algorithms"]:
            record = self.records[name]
            given = {p.name: values[p.name] for p in record.all_parameters if p.name in self.parameter_controls}
            try:
                self.cells += cells_for([record], instance, given, horizon=values["horizon"], checkpoints=rounds, seed=values["seed"])
            except ValueError as error:
                self.refused.append(str(error))
        if not self.cells:
            raise ValueError(" ".join(self.refused))
        self.engine.start(self.cells, values["runs"])

    def stop(self) -> None:
        self.engine.stop()

    def finish(self) -> "RegretExplorer":
        """Wait for the runs in flight; for code in a next cell that needs the final numbers."""
        self.engine.finish()
        return self

    def _report(self, job: Job) -> None:
        with self._lock:
            if job is self.engine.job:
                self.guarded(lambda: self._draw(job))

    def _draw(self, job: Job) -> None:
        if job.error:
            raise job.error
        results = job.results()
        if all(regret.size for regret, _ in results):
            self._plot(results)
        self._tell_progress(job)

    def _tell_progress(self, job: Job) -> None:
        running = not job.ended.is_set()
        self.stop_button.disabled = not running
        self.progress.max, self.progress.value = job.total, job.done
        self.progress.layout.display = None if running else "none"
        if running and job.done == 0:
            self.tell("Computing; an algorithm that runs for the first time is compiled once, some seconds …")
        elif running:
            self.tell(f"{job.done // len(job.cells)} of {job.runs} runs …")
        elif job.done < job.total:
            self.tell(f"Stopped after {job.done} of {job.total} runs ({len(job.cells)} algorithms).")
        else:
            notes = [note for cell in job.cells for note in cell.notes]
            head = f"{job.runs} runs" + (f" in {1000 * job.seconds:,.0f} ms." if job.todo else ", from memory.")
            self.tell(" ".join([head, *self.refused, *notes]), bad=bool(self.refused))

    # Drawing.

    def _figure(self, width: int, height: int) -> go.FigureWidget:
        traces, self.traces = [], {}
        for record in self.records.values():
            look = {"name": record.name, "legendgroup": record.name, "visible": False}
            self.traces[record.name] = (len(traces), len(traces) + 1)
            traces += [
                go.Scatter(
                    **look, fill="toself", fillcolor=translucent(record.colour), line={"width": 0}, mode="lines",
                    hoverinfo="skip", showlegend=False,
                ),
                go.Scatter(**look, line=line(record), mode="lines", marker={"color": record.colour, "size": 5}),
            ]  # fmt: skip
        return live_figure(traces, name="dpbandits-regret", width=width, height=height, title=" ", x="round t", y="regret", log_x=True)

    def _plot(self, results) -> None:
        values, pulls = self.values, self.values["view"] == "pulls"
        stats = {c.algorithm.name: _spread(r if not pulls else p) for c, (r, p) in zip(self.cells, results, strict=True)}
        cell = self.cells[0]
        x = np.arange(1, cell.instance.arms + 1) if pulls else cell.checkpoints
        log_y, count = values["log_y"], len(results[0][0])
        quantity = "Pulls of each arm" if pulls else "Cumulative regret"
        edits = {}
        for name, (band, curve) in self.traces.items():
            edits[band] = edits[curve] = HIDDEN
            if name in stats:
                edits[curve] = {"x": x, "y": stats[name][0], "visible": True, "mode": "lines+markers" if pulls and x.size <= 30 else "lines"}
            if name in stats and values["bands"]:
                edits[band] = {**_band(x, *stats[name], log_y), "visible": True, "mode": "lines"}
        redraw(self.figure, edits, {
            "title.text": f"{quantity} on {cell.instance.name}, mean ± one standard deviation of {count} runs",
            "xaxis.type": "log" if values["log_x"] and not pulls else "linear", "xaxis.title.text": "arm" if pulls else "round t",
            "yaxis.type": "log" if log_y else "linear", "yaxis.title.text": "pulls" if pulls else "regret",
        })
        self._describe(results)

    def _describe(self, results) -> None:
        values, rows, guarantees, words = self.values, [], [], []
        for cell, (regret, _) in zip(self.cells, results, strict=True):
            mean, deviation = _spread(regret[:, -1])
            error = deviation / np.sqrt(len(regret))
            guarantee = cell.algorithm.guarantee(cell.parameters, cell.instance, cell.horizon)
            guarantees.append((cell.algorithm.name, guarantee))
            words.append(f"{cell.algorithm.name} {mean:,.4g}")
            name = f"{swatch(cell.algorithm)}{cell.algorithm.name}"
            rows.append((name, f"{mean:,.1f}", f"± {error:,.1f}", *privacy_cells(guarantee)))
        settings = ", ".join(f"{name} = {values[name]:g}" for name in ("epsilon", "delta") if name in self.parameter_controls)
        summary = f"Mean regret after {values['horizon']:,} rounds{' at ' + settings if settings else ''}: {', '.join(words)}."
        heads = ("algorithm", "regret at T", "std. error", "guaranteed", "scope")
        self.show(summary, table(heads, rows, numeric=(1, 2)), privacy_caption(guarantees))

    # Exports.

    def call(self) -> dict[str, object]:
        """The keyword arguments of simulate() for what is shown, `algorithm` and `instance` included."""
        values = self.values
        family = INSTANCES[values["instance"]]
        taken = {p.name for cell in self.cells for p in cell.algorithm.all_parameters}
        names = [p.name for p in family.parameters] + [name for name in self.parameter_controls if name in taken]
        return {
            "algorithm": [cell.algorithm.name for cell in self.cells], "instance": family.name,
            "horizon": values["horizon"], "runs": values["runs"], "seed": values["seed"], **{name: values[name] for name in names},
        }  # fmt: skip

    def code(self) -> str:
        call = self.call()
        own = {c.algorithm.name for c in self.cells} - set(ALGORITHMS)
        names = ", ".join(name if name in own else f'"{name}"' for name in call.pop("algorithm"))
        instance = call.pop("instance")
        return f'simulate([{names}], "{instance}", ' + ", ".join(f"{k}={v!r}" for k, v in call.items()) + ")"

    def frame(self) -> pd.DataFrame:
        """One row for each algorithm and round: mean, standard deviation and standard error of the regret over the runs."""
        parts = []
        for cell, (regret, _) in zip(self.cells, self.engine.finish().results(), strict=True):
            mean, deviation = _spread(regret)
            columns = {"algorithm": cell.algorithm.name, "round": cell.checkpoints, "regret_mean": mean, "regret_std": deviation}
            parts.append(pd.DataFrame({**columns, "regret_stderr": deviation / np.sqrt(len(regret)), "runs": len(regret)}))
        return pd.concat(parts, ignore_index=True)


def _first_instance(instance: str | Instance, parameters: dict) -> tuple[str, dict]:
    if isinstance(instance, Instance):
        return instance.name, {**instance.parameters, **parameters}
    build(instance, **{p.name: v for p in INSTANCES[instance].parameters if (v := parameters.get(p.name)) is not None}) if instance in INSTANCES else build(instance)
    return instance, parameters


def _switch(name: str, label: str, tip: str, value: bool) -> Switch:
    return Switch(Parameter(name, tip, kind="flag"), value, label)


def _spread(sample: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation over the runs (first axis; divisor runs − 1, 0 for a single run)."""
    return sample.mean(axis=0), sample.std(axis=0, ddof=1) if len(sample) > 1 else np.zeros(sample.shape[1:])


def _band(x: np.ndarray, mean: np.ndarray, deviation: np.ndarray, log: bool) -> dict:
    """A closed polygon of at most about 300 points."""
    keep = np.unique(np.append(np.arange(0, x.size, max(1, x.size // 150)), x.size - 1))
    low = mean - deviation
    if log:
        low = np.maximum(low, np.where(mean > 0, mean / 100, np.nan))
    return {"x": np.concatenate([x[keep], x[keep][::-1]]), "y": np.concatenate([(mean + deviation)[keep], low[keep][::-1]])}
