"""What the explorers that simulate share: controls for problem and privacy, the live engine, progress, the exact
call.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dpbandits.algorithms.catalogue import ALGORITHMS
from dpbandits.algorithms.record import Algorithm
from dpbandits.environments import INSTANCES, Instance, build
from dpbandits.environments.matroid.instances import TABLE_MEANS, TABLE_VECTORS
from dpbandits.explorers.toolkit.controls import Choice, Control, control_for, loosest
from dpbandits.explorers.toolkit.engine import Engine, Job
from dpbandits.explorers.toolkit.light import place
from dpbandits.explorers.toolkit.panel import Panel, in_words, is_sentence
from dpbandits.parameters import Parameter, check_all, unknown
from dpbandits.simulation import Cell, cells_for

PATIENCE = 1.5  # seconds that a first picture may keep its cell waiting, so that it is complete when it appears
#: Names in the menu of families that are not what they are called there.
OWN = {
    "bernoulli": "own means",
    "cascade": "own attractions",
    "linear-matroid": "own vectors",
    "good-elements": "K good elements of L",
    "uniform-matroid": "any K, own means",
    "partition-matroid": "own blocks",
    "graphic-matroid": "own graph",
    "transversal-matroid": "own sets",
    "good-arms": "top-k, K good arms",
    "top-k": "top-k, own means",
}
#: The largest sizes in a panel, where a move must end by itself: simulate() takes more.
LIVE_SIZES = {"arms": 1000, "items": 1000, "list_size": 200, "nodes": 40, "edge_count": 400}
LIVE_WORK = 2 * 10**9  # rounds times arms of one run
OWN_MEANS = (0.2, 0.3, 0.4, 0.45, 0.5, 0.55)
#: Where an instance needs data and none was given.
OWN_DATA = {
    "bernoulli": {"means": OWN_MEANS},
    "cascade": {"attraction": OWN_MEANS},
    "linear-matroid": {"vectors": TABLE_VECTORS, "means": TABLE_MEANS},
    "uniform-matroid": {"means": TABLE_MEANS, "list_size": 3},
    "partition-matroid": {"means": TABLE_MEANS, "blocks": ((0, 3), (1, 4, 6), (2, 5))},
    "graphic-matroid": {"means": TABLE_MEANS, "edges": ((0, 1), (1, 2), (2, 3), (0, 2), (1, 3), (0, 1), (0, 3))},
    "transversal-matroid": {"means": TABLE_MEANS, "sets": ((0, 3, 5, 6), (1, 4, 6), (2, 3, 4))},
}


class Problem:
    """The instance's controls: which family, and the parameters that its family takes.

    families: names offered. first: a name or an Instance; its parameters are taken out of `parameters`.
    """

    def __init__(self, families: Iterable[str], first: str | Instance, parameters: dict):
        if isinstance(first, Instance):
            parameters.update({name: value for name, value in first.parameters.items() if name not in parameters})
            first = first.name
        if not isinstance(first, str) or first not in INSTANCES:
            raise ValueError(unknown("instance", first, INSTANCES))
        self.families = [INSTANCES[name] for name in dict.fromkeys((*families, first)) if name in INSTANCES]
        labels = {family.name: OWN.get(family.name, family.name) for family in self.families}
        menu = Parameter("instance", "the bandit problem", kind="choice", choices=tuple(labels))
        self.menu = Choice(menu, first, labels=labels)
        self.own: dict[str, Control] = {}
        for family in sorted(self.families, key=lambda f: f.name != first):  # the first family's defaults win
            for parameter in family.parameters:
                if parameter.name not in self.own:
                    same = [p for f in self.families for p in f.parameters if p.name == parameter.name]
                    start = parameters.pop(
                        parameter.name, OWN_DATA.get(family.name, {}).get(parameter.name, parameter.default)
                    )
                    domain = loosest(same) if parameter.kind in ("real", "integer") else parameter
                    domain = replace(domain, high=min(domain.high, LIVE_SIZES.get(parameter.name, math.inf)))
                    if start is not None:
                        self.own[parameter.name] = control_for(domain, parameter.check(start))
                    elif parameter.required:
                        check_all([parameter], {}, family.name)
        self.arrange(reset=False)

    @property
    def controls(self) -> list[Control]:
        """All of them, the menu first."""
        return [self.menu, *self.own.values()]

    @property
    def parameters(self) -> dict[str, Any]:
        """The chosen family's parameters."""
        return {p.name: self.own[p.name].value for p in INSTANCES[self.menu.value].parameters if p.name in self.own}

    def instance(self, **moved: object) -> Instance:
        """What the controls describe, with these values `moved`. Raises ValueError."""
        return build(self.menu.value, **self.parameters | moved)

    def arrange(self, reset: bool) -> None:
        """Show the controls that the chosen family takes, with `reset` at its own defaults."""
        taken = {p.name: p for p in INSTANCES[self.menu.value].parameters}
        for name, control in self.own.items():
            place(control, name in taken)
            if reset and name in taken and taken[name].default is not None:
                control.value = taken[name].default


def parameter_controls(records: Iterable[Algorithm], names: Iterable[str], parameters: dict) -> dict[str, Control]:
    """A control for each of `names`, and each other name in `parameters`, that some algorithm takes; first values are
    taken out.
    """
    taken: dict[str, list[Parameter]] = {}
    for record in records:
        for parameter in record.all_parameters:
            taken.setdefault(parameter.name, []).append(parameter)
    controls = {}
    for name in dict.fromkeys((*names, *parameters)):
        if name in taken:
            same = taken[name]
            domain = loosest(same) if same[0].kind in ("real", "integer") else same[0]
            controls[name] = control_for(domain, parameters.pop(name, domain.default))
    return controls


def refuse_leftovers(parameters: Mapping[str, Any], known: Iterable[str]) -> None:
    """Raises ValueError for a parameter that no control took."""
    for name in parameters:
        raise ValueError(unknown("parameter", name, sorted(known), " of this explorer"))


class SimulationPanel(Panel):
    """A panel with an engine. A subclass writes plan() and plot() besides code() and frame()."""

    def __init__(
        self, name, title, problem: Problem, privacy: Mapping[str, Control], groups, figure, width, patience=PATIENCE
    ):
        self.problem, self.privacy = problem, privacy
        self.engine = Engine(self._report)
        self.cells: list[Cell] = []
        self.refused: list[str] = []
        super().__init__(name, title, groups, figure, width, live=True)
        self.refresh()
        if self.engine.job and self.engine.job.ended.wait(patience):
            self.engine.finish()

    def plan(self) -> list[Cell]:
        """The cells that the controls ask for. What cannot be played goes to `refused`; ValueError where nothing
        can.
        """
        raise NotImplementedError

    def plot(self, results: list[tuple[Cell, np.ndarray, np.ndarray | None]]) -> None:
        """Draw (cell, regret, pulls) of every cell of which some runs are finished: a first axis of at least one
        run.
        """
        raise NotImplementedError

    @property
    def together(self) -> tuple[str, ...]:
        return ("instance", *self.problem.parameters) if "instance" in self.controls else ()

    def allows(self, **moved: object) -> None:
        if moved.keys() & self.problem.parameters.keys():
            self.problem.instance(**moved)
        elif moved.keys() & self.privacy.keys():
            refused = [error for record in self.chosen() for error in self._refusal(record, moved)]
            if refused and len(refused) == len(self.chosen()):
                raise refused[0]

    def chosen(self) -> list[Algorithm]:
        """The algorithms that the controls ask for."""
        names = self.values.get("algorithms") or [self.values[n] for n in ("algorithm",) if n in self.values]
        return [self.records[name] for name in names or self.records]

    def _refusal(self, record: Algorithm, moved: Mapping[str, object]) -> list[ValueError]:
        """Why an algorithm does not take the privacy parameters with these values `moved`, if it does not."""
        held = {name: control.value for name, control in self.privacy.items()} | moved
        try:
            record.bind({p.name: held[p.name] for p in record.all_parameters if p.name in held})
        except ValueError as error:
            return [error]
        return []

    def idle(self) -> dict[str, str]:
        taken = {p.name for record in self.chosen() for p in record.all_parameters}
        return {name: "none of the chosen algorithms takes it." for name in self.privacy if name not in taken}

    def changed(self, control: Control) -> None:
        if control is self.problem.menu:
            with self.quiet():
                self.problem.arrange(reset=True)
        self.refresh()

    def update(self) -> None:
        self.engine.drop()
        self.refused, self.cells = [], []
        self.cells = self.plan()
        for cell in self.cells:
            work = cell.horizon * cell.instance.facts.get("arms", 1)
            if work > LIVE_WORK:
                most = LIVE_WORK * cell.horizon // work
                raise ValueError(
                    f"horizon = {cell.horizon} is not allowed: with {cell.instance.facts['arms']} arms a run would take"
                    f" too long to be watched; it must be <= {most} here. simulate() plays it."
                )
        self.play(self.cells)

    def play(self, cells: list[Cell]) -> None:
        """Begin these runs. What is drawn belongs to earlier settings until the first of them are there."""
        self.cells = cells
        self.fade(not self.engine.start(cells, self.values["runs"]).told)

    def cells_of(self, record: Algorithm, instance: Instance, rounds: np.ndarray, **other: object) -> list[Cell]:
        """The cell of one algorithm, or none and a sentence in `refused`. other: values that no control holds."""
        held = {name: control.value for name, control in self.privacy.items()} | other
        given = {p.name: held[p.name] for p in record.all_parameters if p.name in held}
        try:
            return cells_for(
                [record], instance, given, horizon=int(rounds[-1]), checkpoints=rounds, seed=self.values["seed"]
            )
        except ValueError as error:
            self.refused.append(str(error))
            return []

    def stop(self) -> None:
        self.engine.stop()

    def finish(self) -> "SimulationPanel":
        """Wait for the runs in flight: for a next cell that needs the final numbers."""
        self.engine.finish()
        return self

    def call(self, function: str, algorithms: Sequence[Algorithm], **other: object) -> str:
        """Source of the call of simulate() or sweep() for what is shown."""
        names = ", ".join(f'"{a.name}"' if a.name in ALGORITHMS else a.name for a in algorithms)
        taken = {p.name for a in algorithms for p in a.all_parameters}
        v = self.values
        arguments = {"horizon": v["horizon"], "runs": v["runs"], "seed": v["seed"], **self.problem.parameters}
        arguments |= {name: control.value for name, control in self.privacy.items() if name in taken} | other
        return (
            f'{function}([{names}], "{self.problem.menu.value}", '
            + ", ".join(f"{k}={value!r}" for k, value in arguments.items())
            + ")"
        )

    def _report(self, job: Job) -> None:
        with self._lock:
            if job is self.engine.job:
                self.guarded(lambda: self._draw(job))

    def _draw(self, job: Job) -> None:
        running = not job.ended.is_set()
        self.stop_button.disabled = not running
        self.progress.max, self.progress.value = job.total, job.done
        place(self.progress, running)
        broken = [self._broken(job.cells[c], error) for c, error in sorted(job.errors.items())]
        self.refused += [sentence for sentence in dict.fromkeys(broken) if sentence not in self.refused]
        self.cells = [cell for c, cell in enumerate(job.cells) if c not in job.errors]
        results = self.finished(job)
        if results:
            self.plot(results)
        elif not running:
            raise ValueError(" ".join(self.refused) or "Stopped before a run was finished: move a control to go on.")
        self.fade(not results)
        self.tell(self._progress(job, running))
        if self.refused and not running:
            self.tell(" ".join(self.refused), bad=True)

    @staticmethod
    def _broken(cell: Cell, error: Exception) -> str:
        """The sentence about an algorithm that broke off."""
        if is_sentence(error):
            return str(error)
        own = f"its own code breaks off ({type(error).__name__}: {error})."
        return f"{cell.algorithm.name} is left out: {own if cell.algorithm.code else in_words(error)}"

    @staticmethod
    def finished(job: Job) -> list[tuple[Cell, np.ndarray, np.ndarray | None]]:
        """What plot() takes."""
        return [(cell, *outcome) for cell, outcome in zip(job.cells, job.results(), strict=True) if len(outcome[0])]

    def _progress(self, job: Job, running: bool) -> str:
        if running and job.done == 0:
            return "Computing; an algorithm that runs for the first time is compiled, some seconds …"
        if running:
            return f"{job.done} of {job.total} runs …"
        if job.done < job.total:
            return f"Stopped after {job.done} of {job.total} runs."
        first: dict[
            str, tuple[str, ...]
        ] = {}  # an algorithm's notes in the first cell that has some; in others they are alike
        for cell in job.cells:
            if cell.notes:
                first.setdefault(cell.algorithm.name, cell.notes)
        similar = sum(len(cell.notes) for cell in job.cells) - sum(map(len, first.values()))
        who: dict[str, list[str]] = {}  # what several share is told once
        for name, own in first.items():
            for note in own:
                who.setdefault(note.removeprefix(f"{name}: "), []).append(name)
        told = [f"{', '.join(names)}: {note}" for note, names in who.items()] + [f"(Similar: {similar} more.)"] * (
            similar > 0
        )
        head = f"{job.done} run{'s' if job.done > 1 else ''}" + (
            f" in {1000 * job.seconds:,.0f} ms." if job.todo else ", from memory."
        )
        return " ".join([head, *told])


def spread(sample: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation over the runs (first axis; divisor runs − 1, 0 for a single run)."""
    return sample.mean(axis=0), sample.std(axis=0, ddof=1) if len(sample) > 1 else np.zeros(sample.shape[1:])
