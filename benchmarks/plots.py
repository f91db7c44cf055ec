"""What a notebook's plots cost on their way to the browser, beside plotly's own FigureWidget in the same panels.

    python benchmarks/plots.py                             # chapter 02
    python benchmarks/plots.py 03_cascading.ipynb
    python benchmarks/plots.py 02_optimal_policies.ipynb 1e6        # over a line of a megabyte a second
    python benchmarks/plots.py --openings                  # messages and bytes of every chapter, without FigureWidget

It needs the extra `test` and a Chromium. Of each kind: the bytes from kernel to browser while the notebook runs; how
long all plots take to be drawn from the kernel's first cell, and from the end of its last, with the browser's processor
six times slower; what a move of the first regret panel's ε sends, and how long it takes to be seen. Read the ratios:
both kinds are measured in one run. All cells stay in the page here (windowing is off), since a plot out of sight is
drawn when its reader comes to it.
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import ipywidgets as widgets
import plotly.graph_objects as go

ROOT = Path(__file__).resolve().parents[1]
#: What a kernel does before its first cell, so that panels hold a FigureWidget.
EXCHANGE = """
import sys
sys.path[:0] = [{root!r}, {here!r}]
import dpbandits.explorers.toolkit.panel as panel
from plots import FigureWidgetView
panel.PlotView = FigureWidgetView
"""
#: And what it writes down: when each cell begins and ends.
CLOCK = """
import time
def _clock(*_):
    with open({file!r}, "a") as file:
        print(time.time(), file=file)
get_ipython().events.register("pre_run_cell", _clock)
get_ipython().events.register("post_run_cell", _clock)
"""
DRAWN = ".dpb-panel:has(.js-plotly-plot :is(.scatterlayer .trace, .hm, .barlayer .trace))"
#: When all panels are drawn, to a tenth of a second.
WATCH = """([drawn, panels]) => {
    const asked = setInterval(() => {
        if (document.querySelectorAll(drawn).length < panels) return;
        window.drawn = Date.now();
        clearInterval(asked);
    }, 100);
}"""


class FigureWidgetView(widgets.VBox):
    """What stood in a panel before PlotView: a FigureWidget, redrawn in one message of complete properties."""

    def __init__(self, figure: go.Figure, name: str = ""):
        self.figure, self.live, self.data = figure, go.FigureWidget(figure), widgets.Widget()
        self.traces = {trace.uid: trace for trace in figure.data}
        self.version = 0
        super().__init__([self.live])

    def redraw(self, edits, sheet=None) -> None:
        places = {name: place for place, name in enumerate(self.traces)}
        for name, edit in edits.items():
            for place, value in edit.items():
                self.traces[name][place] = value
        for place, value in (sheet or {}).items():
            self.figure.layout[place] = value
        properties = dict.fromkeys(place for edit in edits.values() for place in edit)
        complete = {p: [edit.get(p, self.traces[name][p]) for name, edit in edits.items()] for p in properties}
        self.live.plotly_update(complete, dict(sheet or {}), [places[name] for name in edits])

    def unzoom(self) -> None:
        """FigureWidget keeps a zoom as the browser has it."""

    def push(self) -> None:
        """All of it is sent by redraw()."""


def measure(name: str, exchange: bool, line: float = -1) -> dict[str, float]:
    """Bytes, messages, seconds until drawn, and a move's bytes and seconds, of the notebook `name`.

    line: bytes a second; -1: as many as come.
    """
    from tests.browser import lab

    with opened(name, exchange) as (notebook, frames, clock):
        notebook.slow(lab.SLOWER, int(line))
        notebook.page.evaluate(WATCH, [DRAWN, lab.made_in(name)])
        notebook.run_all(900)
        notebook.page.wait_for_function("() => window.drawn", timeout=300_000, polling=1000)
        first, *_, last = map(float, clock.read_text().split())  # the kernel's clock is this machine's
        drawn = notebook.page.evaluate("() => window.drawn") / 1000
        found = {"run and drawn, s": drawn - first, "drawn after, s": drawn - last}
        found |= {"bytes": sum(frames), "messages": len(frames)}
        notebook.slow(1, -1)
        return found | move(notebook, frames)


def opening(name: str) -> tuple[int, int, int, int]:
    """Panels, messages, bytes and style sheets of panels when the notebook `name` runs."""
    from tests.browser import lab

    with opened(name) as (notebook, frames, _):
        notebook.run_all(600)
        panels = len(notebook.explorers(120)) if lab.made_in(name) else 0
        return panels, len(frames), sum(frames), notebook.page.locator("style[id^=dpb-style]").count()


@contextmanager
def opened(name: str, exchange: bool = False) -> Iterator:
    """The notebook in JupyterLab, not run yet; the sizes of all messages that its kernel sends; when cells began and
    ended.
    """
    from playwright.sync_api import sync_playwright

    from dpbandits.figures.browser import find_browser
    from tests.browser import lab

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        home = Path(folder)
        startup = home / "ipython" / "profile_default" / "startup"
        startup.mkdir(parents=True)
        clock = home / "clock.txt"
        (startup / "clock.py").write_text(CLOCK.format(file=str(clock)), encoding="utf-8")
        if exchange:
            code = EXCHANGE.format(root=str(ROOT), here=str(ROOT / "benchmarks"))
            (startup / "exchange.py").write_text(code, encoding="utf-8")
        chromium = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        server = lab.LabServer(lab.copied(home), home)
        with server, server.settings("@jupyterlab/notebook-extension", "tracker", {"windowingMode": "none"}):
            context = chromium.new_context(viewport={"width": 1400, "height": 1000})
            notebook = lab.NotebookPage(context, server, name)
            frames: list[int] = []
            notebook.page.on("websocket", lambda socket: socket.on("framereceived", lambda f: frames.append(len(f))))
            notebook.open()
            yield notebook, frames, clock
            lab.end_kernels(context, server)
        chromium.close()


def move(notebook, frames: list[int]) -> dict[str, float]:
    """A press of the arrow key on ε in the first panel of regret curves: medians of five."""
    from tests.browser import lab

    panels = [lab.ExplorerOnPage(notebook, panel) for panel in notebook.page.locator(".dpb-panel").all()]
    panel = next(p for p in panels if "regret" in p.title.lower())
    handle = panel.locator.locator(".dpb-number", has_text="privacy ε").locator(".noUi-handle")
    seconds, sent, largest = [], [], []
    for _ in range(5):
        before = panel.settled()
        frames.clear()
        handle.focus()
        start = time.perf_counter()
        notebook.page.keyboard.press("ArrowRight")
        panel.wait_for_change(before, every=10)
        seconds.append(time.perf_counter() - start)
        panel.settled()
        sent.append(sum(frames))
        largest.append(max(frames))
    return {"a move, s": median(seconds), "a move, bytes": median(sent), "its largest message": max(largest)}


def main(name: str = "02_optimal_policies.ipynb", line: str = "-1") -> None:
    sys.path.insert(0, str(ROOT))
    if name == "--openings":
        print(f"{'chapter':28} panels messages       bytes  sheets")
        for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
            print("{:28} {:6} {:8} {:11,} {:7}".format(path.stem, *opening(path.name)), flush=True)
        return
    ours = measure(name, False, float(line))
    print({what: round(value, 2) for what, value in ours.items()}, flush=True)
    before = measure(name, True, float(line))
    print(f"{name}: PlotView, FigureWidget, ratio")
    for what, value in ours.items():
        print(f"  {what:22} {value:14,.1f} {before[what]:14,.1f} {value / before[what]:8.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
