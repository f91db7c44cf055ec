"""The picture that a panel or a figure leaves in a stored notebook, so that it reads without a kernel."""

import base64
import json
import struct
import zlib
from collections.abc import Iterator
from html import escape
from importlib import resources

import nbformat
import numpy as np
from nbformat.v4 import new_output
from plotly.offline import get_plotlyjs

from dpbandits.figures.browser import find_browser

FIGURE = "application/vnd.dpbandits.figure+json"  # what a panel shows at first, on its way to a picture
PLAIN = "application/vnd.plotly.v1+json"  # a figure without a panel: JupyterLab draws it, other readers cannot
SHARP = 1.5  # dots of a picture for one pixel
LIVE = "A picture of the explorer as it opens: run this cell in JupyterLab (<code>dpbandits lab</code>) to move it."

#: Run before a notebook's first cell: panels hand out what they show, when all their runs are finished.
HAND_OUT = f"""
def _hand_out():
    try:
        from dpbandits.explorers.toolkit.panel import Panel
    except ImportError:  # the guard says what to do
        return
    import json

    from IPython.display import display

    bare = Panel._repr_mimebundle_

    def bundle(self, **given):
        if hasattr(self, "finish"):
            self.finish()
        shown = {{"figure": self.figure.to_json(), "summary": self.summary_text}}
        return bare(self, **given) | {{{FIGURE!r}: json.dumps(shown)}}

    Panel._repr_mimebundle_ = bundle
    Panel._ipython_display_ = lambda self: display(self._repr_mimebundle_(), raw=True)


_hand_out()
del _hand_out
"""


def shown_in(notebook: nbformat.NotebookNode) -> Iterator[tuple[list, int, dict]]:
    """(outputs of a cell, place, what is drawn there), last places first, so that others may go behind them."""
    for cell in notebook.cells:
        for place in reversed(range(len(cell.get("outputs", [])))):
            data = cell.outputs[place].get("data", {})
            if FIGURE in data:
                yield cell.outputs, place, json.loads(data[FIGURE])
            elif PLAIN in data:
                yield cell.outputs, place, {"figure": json.dumps(data[PLAIN]), "summary": None}


def draw(notebook: nbformat.NotebookNode) -> None:
    """Put a picture beside every figure and every panel's view, and two sentences behind the latter: in place.

    Raises OSError where there is no browser to draw it.
    """
    todo, program = list(shown_in(notebook)), find_browser()
    if not todo:
        return
    if program is None:
        raise OSError("Stored pictures need Chromium or Chrome: install one, or name it in DPBANDITS_BROWSER.")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = chromium.new_page(device_scale_factor=SHARP, viewport={"width": 1000, "height": 900})
        page.set_content("<!doctype html><body style='margin: 0'><div id='plot' style='width: fit-content'></div>")
        page.add_script_tag(content=get_plotlyjs())
        for outputs, place, shown in todo:
            page.evaluate(PLOT, [shown["figure"], FRONT_END])
            taken = base64.b64encode(page.locator("#plot").screenshot(type="png")).decode()
            width, height, pixels = page.evaluate(PIXELS, taken)
            rgba = np.frombuffer(base64.b64decode(pixels), np.uint8).reshape(height, width, 4)
            outputs[place].data["image/png"] = base64.b64encode(small_png(rgba[:, :, :3])).decode()
            if shown["summary"] is not None:
                outputs.insert(place + 1, caption(shown["summary"]))
        chromium.close()


#: The front end's own way to draw a layout, and how tall it lets it be.
FRONT_END = (resources.files("dpbandits") / "explorers" / "toolkit" / "plotview.js").read_text(encoding="utf-8")
FRONT_END = FRONT_END.replace("export default { render };", "({ fitted, tall, paint, copy });")
PLOT = """([text, frontEnd]) => {
    const view = eval(frontEnd), plot = document.getElementById("plot");
    const { data, layout } = JSON.parse(text), size = { width: layout.width ?? 700, height: layout.height ?? 450 };
    Plotly.purge(plot);
    return view.paint(Plotly, plot, data, view.fitted(layout, size), { staticPlot: true }, new Map());
}"""


PIXELS = """async picture => {
    const image = new Image();
    image.src = `data:image/png;base64,${picture}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const bytes = pen.getImageData(0, 0, image.width, image.height).data;
    let text = "";
    for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
    return [image.width, image.height, btoa(text)];
}"""


def small_png(rgb: np.ndarray) -> bytes:
    """A PNG of at most 256 colours, the most frequent ones. rgb: uint8, shape (height, width, 3)."""
    height, width, _ = rgb.shape
    coarse = np.minimum((rgb.reshape(-1, 3).astype(int) + 4) // 8 * 8, 255)
    colours, place, count = np.unique(coarse, axis=0, return_inverse=True, return_counts=True)
    palette = colours[np.argsort(-count, kind="stable")[:256]]
    nearest = ((colours[:, None, :] - palette[None, :, :]) ** 2).sum(axis=2).argmin(axis=1).astype(np.uint8)
    rows = np.zeros((height, width + 1), np.uint8)  # each begins with its filter: none
    rows[:, 1:] = nearest[place.reshape(-1)].reshape(height, width)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
    body = chunk(b"PLTE", palette.astype(np.uint8).tobytes()) + chunk(b"IDAT", zlib.compress(rows.tobytes(), 9))
    return b"\x89PNG\r\n\x1a\n" + head + body + chunk(b"IEND", b"")


def caption(summary: str) -> nbformat.NotebookNode:
    """What stands under a picture: the panel's own sentence, and how to make it live."""
    return new_output("display_data", {"text/html": f"<p>{escape(summary)}</p><p><em>{LIVE}</em></p>"})
