"""Whether all that a panel's plot says can be read, at the sizes that JupyterLab gives it.

python -m tests.browser.layout              every control of every panel through its range, and pairs: an hour
python -m tests.browser.layout region bounds       of these panels
"""

import base64
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from plotly.offline import get_plotlyjs

from dpbandits import explorers
from dpbandits.explorers.toolkit.plotview import colours
from dpbandits.figures.dark import on_dark
from tests.explorers import walk
from tests.notebooks.pictures import FRONT_END

#: Window -> width of a panel's plot in it, beside JupyterLab's file list, and the height that the window leaves it.
SIZES = {(1100, 700): (638, 319), (1440, 900): (686, 750), (1920, 1080): (858, 930)}
PLOTS = tuple(SIZES.values())
LOOK = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8").rstrip()
PAIRS = 6


class Plots:
    """A page that draws a panel's plot in each of SIZES, and says what cannot be read there."""

    def __init__(self, browser):
        self.page = browser.new_page(viewport={"width": 1000, "height": 900})
        self.page.set_content("<!doctype html><body style='margin: 0'>")
        self.page.add_script_tag(content=get_plotlyjs())
        self.page.evaluate(f"frontEnd => {{ globalThis.plots = {LOOK}(eval(frontEnd)); }}", FRONT_END)

    def clear(self) -> None:
        """Forget the plots of the panel before."""
        self.page.evaluate("plots.clear()")

    def faults(self, panel, sizes=PLOTS) -> dict[int, list[str]]:
        """Width -> what is wrong there; nothing where the panel shows no plot but a sentence."""
        panel.finish()
        if panel.blank:
            return {}
        text = panel.figure.to_json()
        found = {width: self.page.evaluate("given => plots.look(given)", [text, width, high]) for width, high in sizes}
        found[sizes[0][0]] += self.faint(text, *sizes[0])
        return {width: seen for width, seen in found.items() if seen}

    def faint(self, text: str, width: int, high: int) -> list[str]:
        """Words of a plot (its JSON) that are too faint in either theme, and curves that are in one of them."""
        dark = {colour: on_dark(colour) for colour in colours(json.loads(text))}
        strengths = []
        for theme in (None, dark):
            self.page.evaluate("given => plots.look(given)", [text, width, high, theme])
            bare = self.page.locator(f"#p{width}").screenshot(style="text { visibility: hidden !important }")
            given = [width, base64.b64encode(bare).decode()]
            strengths.append(self.page.evaluate("given => plots.strength(given)", given))
        on_white, in_dark = strengths
        pairs = zip(on_white["curves"], in_dark["curves"], strict=True)
        return [
            *(f"on white: {name}" for name in on_white["words"]),
            *(f"in the dark: {name}" for name in in_dark["words"]),
            *(f"in the dark a curve's contrast is {d:.2f}, not {w:.2f}" for w, d in pairs if d < min(0.9 * w, 3)),
            *(f"on white a curve's contrast is {w:.2f}" for w in on_white["curves"] if w < 1.3),
        ]

    def picture(self, path: Path, width: int) -> None:
        """The plot of this width as it stands."""
        self.page.locator(f"#p{width}").screenshot(path=path)


def moves(panel, rng: random.Random, pairs: int = PAIRS) -> Iterator[dict[str, object]]:
    """Each position of each control alone, then pairs."""
    yield from list(walk.alone(panel, 3))
    for _ in range(pairs):
        yield walk.pair(panel, rng)


def walked(name: str, plots: Plots, folder: Path | None = None) -> dict[str, dict[int, list[str]]]:
    """Move -> width -> what is wrong, for a panel taken through all its moves; a picture of each fault in `folder`."""
    panel, found = walk.make(name), {}
    plots.clear()
    for asked in [{}, *moves(panel, random.Random(name))]:
        walk.slide(panel, asked)
        if seen := plots.faults(panel):
            found[str(asked)] = seen
            if folder is not None:
                for width in seen:
                    plots.picture(folder / f"{name}-{len(found)}-{width}.png", width)
        panel.reset()
    panel.close()
    return found


def main(names: list[str]) -> int:
    """Exit code 1 where something cannot be read. With --pictures DIR as the first two, a picture of each fault."""
    from playwright.sync_api import sync_playwright

    from dpbandits.figures.browser import find_browser

    folder = Path(names[1]) if names[:1] == ["--pictures"] else None
    bad = 0
    with sync_playwright() as playwright:
        plots = Plots(playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"]))
        for name in names[2 * bool(folder) :] or explorers.PANELS:
            found = walked(name, plots, folder)
            bad += bool(found)
            print(f"{name}: {'all can be read' if not found else ''}", flush=True)
            for asked, seen in found.items():
                print(f"  {asked}: {seen}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
