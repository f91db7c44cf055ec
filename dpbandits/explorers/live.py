"""From a paper's figure to the explorer that moves it: one call, or one button below a gallery."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

import ipywidgets as widgets

from dpbandits.algorithms.catalogue import ALGORITHMS
from dpbandits.explorers.adversary import adversary
from dpbandits.explorers.region import region
from dpbandits.explorers.regret import regret
from dpbandits.explorers.see_a_matroid import see_a_matroid
from dpbandits.explorers.semibandit_table import semibandit_table
from dpbandits.explorers.sweep_over import sweep_over
from dpbandits.explorers.toolkit.axes import PRESETS
from dpbandits.explorers.toolkit.engine import LIVE_HORIZON
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.papers.catalogue import FIGURES
from dpbandits.papers.changed_observation import changed_observation
from dpbandits.papers.chen_table import table_1
from dpbandits.papers.figure import Figure
from dpbandits.papers.matroid import ADDED, elements, failure_rates, played, recommended, regret_bounds
from dpbandits.papers.noise import PANELS, both_noises, multiplied
from dpbandits.papers.semi_bandit_sweeps import REWARDS, companions, over_companions, over_horizons, over_paths
from dpbandits.parameters import unknown
from dpbandits.simulation import sweep

#: What a saved notebook says in a menu's place, which lives in its kernel.
MENU = "A menu of live panels stands here: run the cell to use it."
UNUSED = ("checkpoints", "spacing", "movielens")  # what compute() takes and no panel does
#: What the panel draws in another way than the figure.
DRAWN = {
    "return": "The figure draws the return of a round; the panel draws the regret, what all returns lack of w̄(A*).",
    "rate": "The figure draws the regret divided by ln n; the panel draws the regret, over a logarithmic time axis.",
    "share": "The figure draws the share of uniform play's regret; the panel draws the regret, uniform play beside it.",
}


@dataclass(frozen=True)
class Opening:
    """How a figure comes alive: by make(**settings), with the switches `view`. beside: where the two differ, in
    words.
    """

    make: Callable[..., Panel]
    settings: Mapping[str, Any]
    view: Mapping[str, bool] = field(default_factory=dict)
    beside: str = ""

    def panel(self) -> Panel:
        """The explorer at the figure's settings."""
        panel = self.make(**self.settings)
        if self.view:
            panel.set(**self.view)
        return panel


def live(name: str) -> Panel | None:
    """The explorer at the settings of a paper's figure, at quick scale, and a printed line on what it has otherwise.

    name: of the figure, as in `dpbandits list figures`. One without an explorer gets a printed sentence, and None
    comes back. Raises ValueError for an unknown one.
    """
    opening = opening_of(name)
    if isinstance(opening, str):
        print(opening)
        return None
    if opening.beside:
        print(opening.beside)
    return opening.panel()


def gallery_live(paper: str) -> "GalleryLive":
    """A menu of a paper's figures and tables, and a button that opens the chosen one live below it.

    paper: the prefix of the figures' names: "wang-zhu", "cascading", "icassp", "chen" or "chandak". Nothing is
    simulated before the click. Raises ValueError for an unknown one.
    """
    from dpbandits.statements.catalogue import PREFIXES  # with all ledgers, which other explorers do without

    if paper not in PREFIXES:
        raise ValueError(unknown("paper", paper, PREFIXES))
    return GalleryLive([figure for name, figure in FIGURES.items() if name.startswith(f"{paper}-")])


class GalleryLive(widgets.VBox):
    """See gallery_live()."""

    def __init__(self, figures: list[Figure]):
        options = [(f"{figure.where}: {figure.title}", figure.name) for figure in figures]
        tip = "Which figure or table is opened. Arrow keys change it."
        self.menu = widgets.Dropdown(options=options, description="figure", tooltip=tip, layout={"width": "560px"})
        self.button = widgets.Button(description="Open live", tooltip="Open the explorer at these settings, below")
        self.call, self.line, self.place = widgets.HTML(), widgets.HTML(), widgets.VBox()
        super().__init__([widgets.HBox([self.menu, self.button, self.call]), self.line, self.place])
        self.button.on_click(lambda _: self.show(self.menu.value))
        self.menu.observe(lambda change: self._name(), "value")
        self._name()

    @property
    def panel(self) -> Panel | None:
        """The panel on show, if there is one."""
        return next(iter(self.place.children), None)

    def show(self, name: str) -> None:
        """Put up the explorer of the figure `name`; runs of the one before are broken off."""
        opening, before = opening_of(name), self.place.children
        self.place.children = []
        for panel in before:
            panel.stop()
            panel.close()
        if isinstance(opening, str):
            self._tell(opening)
            return
        self._tell("One moment …")
        self.place.children = [opening.panel()]
        self._tell(opening.beside or "Opened at the figure's settings.")

    def _name(self) -> None:
        """The call that does what the button does."""
        self.call.value = f'<code>explorers.live("{self.menu.value}")</code>'

    def _tell(self, words: str) -> None:
        self.line.value = f"<div role='status'>{escape(words)}</div>"

    def _repr_mimebundle_(self, **given):
        return super()._repr_mimebundle_(**given) | {"text/plain": MENU}


def opening_of(name: str) -> Opening | str:
    """How the figure `name` comes alive, or the sentence on why it does not. Raises ValueError for an unknown one."""
    if name not in FIGURES:
        raise ValueError(unknown("figure", name, FIGURES))
    figure = FIGURES[name]
    if name in PRESETS:
        noise = _noises()[1] if figure.compute is both_noises else ""
        return Opening(sweep_over, {"preset": name}, beside=noise)
    return OPENINGS[figure.compute](figure)


# One function for each way in which figures are computed.


def _region(figure: Figure) -> Opening:
    return Opening(region, figure.settings_at("quick"))


def _curves(figure: Figure) -> Opening:
    """Regret against rounds."""
    given, said = _given(figure), [DRAWN.get(figure.builder, "")]
    if over := figure.look.get("over"):
        said.append(f"{_middle(given, over)} Move its control for the others.")
    if figure.compute is both_noises:
        factors, words = _noises()
        given |= factors
        said.append(words)
    said.append(_within(given))
    view = {"log_y": True} if figure.look.get("log_y") else {"log_x": True} if figure.builder == "rate" else {}
    return Opening(regret, given, view, _joined(said))


def _companions(figure: Figure) -> Opening:
    """Regret against rounds at one K: no family has K companions on a slider."""
    given = _given(figure)
    said = [f"{_middle(given, 'list_size')} It draws the regret over the rounds.", _within(given)]
    problem = {name: given.pop(name) for name in ("choices", "list_size", "gap")}
    return Opening(regret, given | {"instance": "super-arms", **companions(**problem)}, beside=_joined(said))


def _paths(figure: Figure) -> Opening:
    """Regret against K, with the sum as the reward."""
    given = _along(figure, "list_size")
    half, scale = list(REWARDS.items())[-1]
    given |= {"instance": "k-path", "arms": given.pop("bad_arms"), "smoothness": scale(1)}
    said = [
        f"The panel's reward is the {half}, as in the figure's right half. It has {given['arms']} arms at every K,"
        " where the figure has so many in its bad paths; a K that does not divide them is left out.",
        _within(given),
    ]
    return Opening(sweep_over, given, beside=_joined(said))


def _horizons(figure: Figure) -> Opening:
    """Regret against T."""
    given = _along(figure, "horizon")
    said = [DRAWN[figure.builder], f"{_middle(given, figure.look['over'])} Move its control for the others."]
    return Opening(sweep_over, given, beside=_joined(said))


def _bounds(figure: Figure) -> Opening:
    given = _given(figure) | {"algorithms": list(ADDED), "setting": "matroid"}
    said = "The table has the numbers at the last round; the panel draws regret and upper bounds over all of them."
    return Opening(regret, given, {"upper": True, "log_y": True}, _joined([said, _within(given)]))


def _adversary(figure: Figure) -> Opening:
    given = figure.settings_at("quick")
    return Opening(adversary, {name: given[name] for name in ("trials", "seed")})


def _table_1(figure: Figure) -> Opening:
    return Opening(semibandit_table, figure.settings_at("quick"))


def _elements(figure: Figure) -> Opening:
    said = "The table names the elements; the panel draws them, with the best basis and that of indices of your own."
    return Opening(see_a_matroid, {"matroid": figure.settings_at("quick")["instance"]}, beside=said)


def _films(figure: Figure) -> str:
    return (
        f"{figure.where} ({figure.name}) has no live panel: it counts which films are recommended, when the runs are"
        f" over. `dpbandits reproduce {figure.name} --out figures` draws it, and"
        ' explorers.live("chandak-fig-6.4a") plays the same algorithm on the same films.'
    )


OPENINGS: Mapping[Callable, Callable[[Figure], Opening | str]] = {
    changed_observation: _region,
    sweep: _curves,
    both_noises: _curves,
    played: _curves,
    over_companions: _companions,
    over_paths: _paths,
    over_horizons: _horizons,
    regret_bounds: _bounds,
    failure_rates: _adversary,
    table_1: _table_1,
    elements: _elements,
    recommended: _films,
}


# From a record's settings to a panel's. Each sentence says what the figure has otherwise.


def _given(figure: Figure) -> dict[str, Any]:
    """The figure's settings at quick scale, as an explorer names them."""
    given = {name: value for name, value in figure.settings_at("quick").items() if name not in UNUSED}
    if "algorithm" in given:
        given["algorithms"] = given.pop("algorithm")
        given["setting"] = ALGORITHMS[given["algorithms"][0]].setting
    return given


def _along(figure: Figure, moving: str) -> dict[str, Any]:
    """Arguments of sweep_over() for a figure with a list of values of `moving`."""
    given = _given(figure)
    values = given.pop(moving)
    return given | {"over": moving, "low": min(values), "high": max(values), "points": len(values)}


def _middle(given: dict[str, Any], name: str) -> str:
    """Of several values of a setting, the middle one takes their place in `given`; the sentence about it."""
    values = given[name]
    given[name] = sorted(values)[len(values) // 2]
    return f"The figure has {name} = {', '.join(f'{v:g}' for v in values)}; the panel opens at {given[name]:g}."


def _within(given: dict[str, Any]) -> str:
    """A horizon beyond what a panel plays comes down to it in `given`; the sentence about it, or none."""
    asked, most = given["horizon"], LIVE_HORIZON.high
    given["horizon"] = min(asked, most)
    return f"The figure has {asked:,} rounds; a panel plays {most:,} at most, and opens there." if asked > most else ""


def _noises() -> tuple[dict[str, float], str]:
    """(the paper's factors on noise and bonus, the sentence about them)."""
    factor, honest = PANELS.values()
    words = (
        f"Noise and bonus are multiplied by {factor:g}, as in the paper; with both factors at {honest:g} the panel has"
        " the noise of the theorems, as in the figure's right half."
    )
    return multiplied(factor), words


def _joined(said: list[str]) -> str:
    return " ".join(filter(None, said))
