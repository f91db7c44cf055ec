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
        self.about.value = make.__doc__.strip().splitlines()[0]
