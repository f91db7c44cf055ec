"""Explorers for a lecture hall: a menu, one panel below it, everything large and in strong contrast.

Nothing here computes: a panel is the one that a notebook shows, with larger letters and thicker lines.
"""

from collections.abc import Callable

import ipywidgets as widgets

from dpbandits import explorers
from dpbandits.explorers.toolkit.panel import Panel
from dpbandits.parameters import unknown

HEIGHT = 620  # of the figure in pixels, at least
LETTERS = 20  # the figure's font in pixels
GROWN, THICKER = 1.5, 1.8  # the factors on what grows with the letters, and on line widths


#: What each explorer shows, for the public of a lecture.
ABOUT = {
    "adversary": "Somebody tries to read one secret bit: how often must they fail, by what ε is?",
    "all_settings": "Bounds and measured regret of four kinds of bandits, on the same items.",
    "blame": "A bad choice was made: which of its arms was known too little? A proof, followed on a real run.",
    "boost": "The noise of a good element came out badly: how long must it wait, with a boost and without?",
    "bounds": "What theorems promise, what an algorithm loses, and what a random choice would lose.",
    "cascade_bounds": "Lists that users read from the top: what theorems promise, and from which T on they mean it.",
    "cascade_regret": "Lists that users read from the top: what learning costs, and what privacy adds.",
    "change_of_measure": "Two worlds, one learner: how much must it play to tell them apart?",
    "counter_radius": "How often must a wrong item be shown before the noise lets its flaw be seen?",
    "counters": "Three ways to count privately for ever: how large are their errors, measured and exact?",
    "fair_race": "Who wins if all algorithms keep the same promise?",
    "guess_the_click": "A game: which item did the user click? Guess it from the private report.",
    "hard_instance": "Two instances that nobody can tell apart cheaply: where lower bounds come from.",
    "laziness": "An estimate that is renewed rarely, and forgets: is it better than one that counts everything?",
    "lemma_15_edge": "A noise that uses every bit of what privacy permits, built step by step.",
    "list_size": "What do longer lists cost in noise, in caution and in regret?",
    "matroid_bounds": "Bases of a matroid: what theorems promise, and what is measured.",
    "matroid_regret": "Bases of a matroid: what learning costs, and what privacy adds.",
    "mechanism": "Laplace or Gaussian noise: what does an onlooker learn from one noisy number?",
    "one_message": "What does a single user send, and what can be learnt from many of them?",
    "privacy_over_time": "Somebody watches all T rounds: how much have they learnt, at most and at least?",
    "region": "One reward changes: does the law of the choice stay within what privacy permits?",
    "regret": "What does privacy cost a bandit? Regret by the round, as ε and δ move.",
    "rivals": "Private algorithms from inside: what they believe, what they compare, what they play.",
    "see_a_matroid": "A matroid to look at: which elements does the greedy choice take, and which are best?",
    "semibandit_bounds": "Several arms at once: what theorems promise, and what is measured.",
    "semibandit_regret": "Several arms at once: what learning costs, and what privacy adds.",
    "semibandit_table": "A table of orders from a paper, with numbers in its cells.",
    "shape": "The noise that a private learner adds to a mean, beside Laplace's and Gauss's.",
    "sweep_over": "Regret against ε, or against any other size: which power does it follow?",
    "vector_tree": "A sum over users from a few noisy nodes: which of them are read, and how noisy is it?",
    "which_term_rules": "A map of a theorem: where it says nothing, where learning costs more, and where privacy does.",
}


def enlarge(panel: Panel) -> Panel:
    """The same panel for the last row: larger letters in controls, tables and plot, thicker lines, all the room."""
    figure, traces = panel.figure, panel.view.traces
    width = {name: THICKER * t.line.width for name, t in traces.items() if t.type == "scatter" and t.line.width}
    sheet = {
        "font.size": LETTERS,
        "font.color": "#000000",
        "title.font.size": LETTERS + 2,
        "height": max(figure.layout.height, HEIGHT),
    }
    sheet |= {"margin.l": 100, "margin.t": 64, "margin.b": max(88, GROWN * figure.layout.margin.b)}
    legend = figure.layout.legend
    if legend.font.size:  # one that was made smaller than the rest
        sheet["legend.font.size"] = GROWN * legend.font.size
    if legend.entrywidth:
        sheet["legend.entrywidth"] = GROWN * legend.entrywidth
    panel.view.redraw({name: {"line.width": w} for name, w in width.items()}, sheet)
    return panel


def maker(name: str) -> Callable[[], Panel]:
    """The function that makes the explorer `name`, one in `dpbandits.explorers.PANELS`. Raises ValueError for
    another.
    """
    if name not in explorers.PANELS:
        raise ValueError(unknown("explorer", name, explorers.PANELS))
    return getattr(explorers, name)


class Stage(widgets.VBox):
    """A menu of all explorers and the chosen one below it.

    first: the explorer shown at first, a name in `dpbandits.explorers.PANELS`. Raises ValueError for another.
    """

    def __init__(self, first: str = "regret"):
        maker(first)  # refused before anything is made
        tip = "Which explorer is shown. Arrow keys change it."
        names = [(name.replace("_", " "), name) for name in explorers.PANELS]
        self.menu = widgets.Dropdown(options=names, value=first, description="explorer", tooltip=tip)
        self.menu.add_class("dpb-menu")
        self.about, self.place = widgets.HTML(), widgets.VBox()
        self.about.add_class("dpb-about")
        top = widgets.HBox([self.menu, self.about])
        top.add_class("dpb-top")
        super().__init__([top, self.place])
        self.add_class("dpb-stage")
        self.menu.observe(lambda change: self.show(change.new), "value")
        self.show(first)

    @property
    def panel(self) -> Panel:
        """The panel on show."""
        return self.place.children[0]

    def show(self, name: str) -> None:
        """Put up the explorer `name`, at its defaults; runs of the one before are broken off."""
        make, before = maker(name), self.place.children
        self.place.children, self.about.value = [], "one moment ..."
        for panel in before:
            panel.stop()
            panel.close()
        self.place.children = [enlarge(make())]
        self.about.value = ABOUT[name]
