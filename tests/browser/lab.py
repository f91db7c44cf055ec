"""A JupyterLab server of its own, and a browser page that remembers what went wrong.

Nothing of the user's Jupyter is touched or read: configuration, data and runtime folders are fresh, and the
notebooks are a copy.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import nbformat
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import TimeoutError as NotInTime

from tests.notebooks import rules

#: Parts of browser messages that are not ours to mend, each with the reason why it leaves no plot empty.
HARMLESS = {
    # anywidget gives a model two seconds to start, too little on a busy machine; what changes comes by way of models
    # that have all the time they need: test_plots.py draws and moves plots where every model is too late for anywidget.
    "[anywidget] Failed to initialize model.": "nothing is lost by it",
}

#: A student's laptop on a bad day: the processor this many times slower, and this many bytes a second.
SLOWER, BYTES_PER_SECOND = 6, 1_000_000

#: Lab extensions that talk to the internet or open dialogs; they have no part in the workbook.
DISABLED = ("@jupyterlab/apputils-extension:announcements", "@jupyterlab/extensionmanager-extension")


def copied(home: Path) -> Path:
    """A folder in `home` with a copy of the notebooks, unexecuted."""
    shutil.copytree(rules.FOLDER, home / "notebooks", ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    for path in (home / "notebooks").glob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.update(execution_count=None, outputs=[])
        nbformat.write(notebook, path)
    return home / "notebooks"


def made_in(name: str) -> int:
    """How many explorers the cells of a notebook make."""
    cells = nbformat.read(rules.FOLDER / name, as_version=4).cells
    return sum(len(re.findall(r"\bexplorers\.\w+\(", c.source)) for c in cells if c.cell_type == "code")


class LabServer:
    """`jupyter lab` on a free port, showing the notebooks in `folder`. Use as a context manager."""

    def __init__(self, folder: Path, home: Path):
        self.folder, self.home = folder, home
        config = home / "config" / "labconfig"
        config.mkdir(parents=True)
        (config / "page_config.json").write_text(json.dumps({"disabledExtensions": {name: True for name in DISABLED}}))
        places = {f"JUPYTER_{kind}_DIR": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "RUNTIME")}
        places |= {f"JUPYTERLAB_{kind}_DIR": str(home / kind.lower()) for kind in ("SETTINGS", "WORKSPACES")}
        self.environment = os.environ | places | {"IPYTHONDIR": str(home / "ipython")}

    def __enter__(self) -> "LabServer":
        self.log = open(self.home / "lab.log", "w")  # noqa: SIM115 - open as long as the server
        command = [
            sys.executable,
            "-m",
            "jupyterlab",
            "--no-browser",
            "--allow-root",
            "--ServerApp.port=0",
            "--IdentityProvider.token=",
            "--expose-app-in-browser",
        ]
        command += [f"--ServerApp.root_dir={self.folder}", "--ServerApp.ip=127.0.0.1"]
        self.process = subprocess.Popen(command, env=self.environment, stdout=self.log, stderr=subprocess.STDOUT)
        self.url = self._wait_for_url()
        return self

    def __exit__(self, *_) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.log.close()

    @contextmanager
    def settings(self, extension: str, plugin: str, values: dict):
        """JupyterLab's settings of one plugin while this lasts, for pages opened meanwhile."""
        file = self.home / "settings" / extension / f"{plugin}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))
        yield
        file.unlink()

    def _wait_for_url(self, seconds: float = 120) -> str:
        """The server writes its address into its runtime folder when it listens."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            for file in (self.home / "runtime").glob("jpserver-*.json"):
                try:
                    return json.loads(file.read_text())["url"]
                except ValueError:  # half written
                    pass
            time.sleep(0.2)
        self.log.flush()
        raise RuntimeError("JupyterLab did not start:\n" + (self.home / "lab.log").read_text()[-3000:])


def watch(page, note) -> None:
    """Tell `note` whatever goes wrong in the page: errors on its console, exceptions, requests that fail."""
    tell = lambda trouble: None if any(words in trouble for words in HARMLESS) else note(trouble)
    page.on(
        "console",
        lambda message: message.type == "error" and tell(f"console: {message.text} {message.location.get('url', '')}"),
    )
    page.on("pageerror", lambda error: tell(f"exception: {error}"))
    page.on("requestfailed", lambda request: tell(f"request failed: {request.url} {request.failure}"))
    page.on("response", lambda response: response.status >= 400 and tell(f"HTTP {response.status}: {response.url}"))


def obstacles(page, part: str = ".dpb-panel") -> list[str]:
    """What axe-core finds serious or critical for people who use a keyboard, a screen reader or weak eyes, in `part` of
    the page.
    """
    # no preload: axe-core would ask for the style sheets a second time, which a page opened from a file may not
    found = Axe().run(page, context=part, options={"resultTypes": ["violations"], "preload": False}).response
    assert found["passes"], "axe-core looked at nothing"
    return [
        f"{rule['id']} ({rule['impact']}): {rule['help']}: {node['html'][:200]}"
        for rule in found["violations"]
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


def end_kernels(context, server: LabServer) -> None:
    """Shut down all kernels: each keeps some hundred megabytes."""
    forgery = {cookie["name"]: cookie["value"] for cookie in context.cookies()}.get("_xsrf", "")
    for session in context.request.get(f"{server.url}api/sessions").json():
        done = context.request.delete(f"{server.url}api/sessions/{session['id']}", headers={"X-XSRFToken": forgery})
        assert done.status == 204, done.text()


class NotebookPage:
    """A notebook opened in the browser. The file must come without execution counts: their return tells the end."""

    # Cells out of sight are not in the page: what is asked of all of them is asked of the notebook's model.
    CELLS = "[...jupyterapp.shell.currentWidget.content.model.cells].filter(cell => cell.type === 'code')"
    FAILED = f"{CELLS}.flatMap(cell => cell.outputs.toJSON()).filter(output => output.output_type === 'error')"
    DONE = f"""() => {FAILED}.length > 0
        || {CELLS}.every(cell => cell.executionCount !== null && cell.executionState !== 'running')"""
    BAD = f"""() => {CELLS}.flatMap(cell => cell.outputs.toJSON())
        .filter(output => output.output_type === 'error' || output.name === 'stderr')
        .map(output => [output.evalue ?? output.text].flat().join('').slice(0, 300))"""
    #: Positions of the cells that show a panel: a widget that is no bar of progress.
    PLACES = """() => [...jupyterapp.shell.currentWidget.content.model.cells].map((cell, place) => [cell, place])
        .filter(([cell]) => cell.type === 'code' && cell.outputs.toJSON().map(output => output.data ?? {}).some(
            data => 'application/vnd.jupyter.widget-view+json' in data
                && !/^\\s*\\d+%/.test([data['text/plain']].flat().join(''))))
        .map(([, place]) => place)"""
    SHOW = "async place => { await jupyterapp.shell.currentWidget.content.scrollToItem(place, 'start'); }"

    def __init__(self, context, server: LabServer, name: str):
        self.page, self.server, self.name, self.troubles = context.new_page(), server, name, []
        self.devtools, self.leaving = context.new_cdp_session(self.page), False
        watch(self.page, self._note)

    def open(self) -> None:
        """Open the notebook in JupyterLab, or open it again."""
        page = self.page
        self.leaving = True
        page.goto("about:blank")
        page.wait_for_timeout(300)
        self.leaving = False
        page.goto(
            f"{self.server.url}lab/workspaces/{Path(self.name).stem}/tree/{self.name}", wait_until="domcontentloaded"
        )
        page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=60_000)

    def _note(self, trouble: str) -> None:
        if not (self.leaving and "net::ERR_ABORTED" in trouble):  # what a page breaks off as it is left
            self.troubles.append(trouble)

    def slow(self, slower: float = SLOWER, bytes_per_second: int = BYTES_PER_SECOND) -> None:
        """Slow the page's processor and connection from now on; slow(1, -1) lets it run again."""
        line = {"offline": False, "latency": 20 if bytes_per_second > 0 else 0}
        line |= {f"{way}loadThroughput": bytes_per_second for way in ("down", "up")}
        self.devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        self.devtools.send("Network.emulateNetworkConditions", line)

    def run_all(self, seconds: float = 180) -> None:
        """Run > Run All Cells in the open notebook, wait until every cell is done."""
        page = self.page
        self.wait_for_kernel(self.name, seconds)
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        self.wait_for_cells(seconds)

    def wait_for_cells(self, seconds: float = 180) -> None:
        """Wait until every cell is done, or one has failed."""
        # Once a second: asked at every frame, as is usual, a slow page has no time left for what its kernel sends.
        self.page.wait_for_function(self.DONE, timeout=seconds * 1000, polling=1000)

    def command(self, name: str, arguments: dict | None = None, wait: bool = True) -> None:
        """One of JupyterLab's own commands, as its menus and keys call them. wait: until it is done."""
        call = f"async ([name, given]) => {{ {'await' * wait} jupyterapp.commands.execute(name, given); }}"
        self.page.evaluate(call, [name, arguments or {}])

    def wait_for_kernel(self, name: str, seconds: float = 60) -> None:
        """Without a connected kernel, JupyterLab answers Run All with a question."""
        end = time.monotonic() + seconds
        states = {}
        while states.get(name) != "idle":
            assert time.monotonic() < end, f"{name}: its kernel is {states.get(name, 'not there')}"
            self.page.wait_for_timeout(300)
            sessions = self.page.request.get(f"{self.server.url}api/sessions").json()
            states = {s["path"]: s["kernel"]["execution_state"] for s in sessions}
        idle = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook-ExecutionIndicator[data-status='idle']"
        self.page.wait_for_selector(idle, timeout=60_000)

    def errors(self) -> list[str]:
        """What cells that ended in an error, or wrote to stderr, said."""
        return self.page.evaluate(self.BAD)

    def explorers(self, seconds: float = 60) -> list["ExplorerOnPage"]:
        """Panels in page order, each once brought into sight; waits for their plots, and for curves in them."""
        found = []
        for place in self.page.evaluate(self.PLACES):
            cell = self.page.locator(f".jp-NotebookPanel:not(.lm-mod-hidden) [data-windowed-list-index='{place}']")
            found.append(ExplorerOnPage(self, cell.locator(".dpb-panel").first, place))
            found[-1].show(seconds)
        return found


#: A plot that shows what its panel's kernel last sent.
DRAWN = ".dpb-plot[data-version] .js-plotly-plot"


class ExplorerOnPage:
    """One explorer: its sliders, its plot."""

    #: Everything that plotly has drawn: coordinates of each visible trace.
    DATA = (
        "plot => JSON.stringify(plot._fullData.filter(t => t.visible === true).map(t => [t.name, [...(t.x ?? [])],"
        " [...(t.y ?? [])]]))"
    )

    STATE = """plots => plots.map(el => `version ${el.dataset.version}, ${el.clientWidth} x ${el.clientHeight} px,`
        + ` says "${el.querySelector('.dpb-note')?.textContent}", ${el.querySelectorAll('.trace').length} curves`)"""

    def __init__(self, notebook: NotebookPage, locator, place: int | None = None):
        self.notebook, self.locator, self.place = notebook, locator, place

    def show(self, seconds: float = 60) -> None:
        """Bring the panel into sight, as a reader does by scrolling; waits for curves in its plot.

        Where cells above it still grow, JupyterLab pushes it out of the page again: a reader follows.
        """
        curve, end = self.locator.locator(f"{DRAWN} .trace, {DRAWN} .hm"), time.monotonic() + seconds
        while self._scroll() or not curve.count():
            here = f"in its place: {self.state()}" if self.locator.count() else "it is not in the page"
            assert time.monotonic() < end, f"panel at cell {self.place}: no curve in {seconds:.0f} s; {here}"
            self.notebook.page.wait_for_timeout(100)

    def _scroll(self) -> bool:
        """Scroll to the panel; whether it was not in sight."""
        if self.place is not None and not self.locator.count():
            self.notebook.page.evaluate(NotebookPage.SHOW, self.place)
        try:
            self.locator.scroll_into_view_if_needed(timeout=1000)
        except NotInTime:
            return True
        return False

    def state(self) -> list[str]:
        """What stands in the plot's place: of each view the version drawn, its size, its sentence, what is around."""
        return self.locator.locator(".dpb-plot").evaluate_all(self.STATE)

    @property
    def title(self) -> str:
        return self.locator.locator(".dpb-title").first.text_content()  # out of sight it has no inner text

    def data(self) -> str:
        """What the plot shows, as one comparable string, and what the panel refuses: a position may be none."""
        refused = self.locator.locator(".dpb-bad").all_text_contents()
        return self.locator.locator(".js-plotly-plot").first.evaluate(self.DATA) + "".join(refused)

    def settled(self, seconds: float = 60) -> str:
        """The data once they have stopped changing."""
        before, end = None, time.monotonic() + seconds
        while (now := self.data()) != before:
            assert time.monotonic() < end, f"{self.title}: the plot never came to rest"
            before = now
            self.notebook.page.wait_for_timeout(1000)
        return now

    def press(self, slider: int, key: str) -> None:
        """Focus the handle of the slider with this number and press a key."""
        handle = self.locator.locator(".noUi-handle:visible").nth(slider)
        handle.focus()
        self.notebook.page.keyboard.press(key)

    def wait_for_change(self, before: str, seconds: float = 60, every: float = 200) -> str:
        """The data after they changed, asked for `every` so many milliseconds. Raises AssertionError when they stay."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if (now := self.data()) != before:
                return now
            self.notebook.page.wait_for_timeout(every)
        raise AssertionError(f"{self.title}: the plot did not follow the slider in {seconds:.0f} s")

    def picture(self, path: Path) -> None:
        self.locator.scroll_into_view_if_needed()
        self.locator.screenshot(path=path)
