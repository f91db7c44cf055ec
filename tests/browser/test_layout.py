"""No legend lies over a curve, a title, or the numbers of an axis, in any explorer, however wide its plot is."""

import pytest
from plotly.offline import get_plotlyjs

from dpbandits import explorers
from tests.notebooks.pictures import FITTED

pytestmark = pytest.mark.slow

WIDTHS = (420, 640, 880)
DRAW = """([text, fitted, width]) => {
    const { data, layout } = JSON.parse(text);
    Plotly.purge("plot");
    return Plotly.newPlot("plot", data, eval(fitted)(layout, { width, height: layout.height }));
}"""
#: Legends and titles that lie over something by more than two pixels, and words that the edge of the plot cuts.
OVERLAPS = """() => {
    const plot = document.getElementById("plot"), frame = plot.getBoundingClientRect(), found = [];
    const boxes = (name) => [...plot.querySelectorAll(name)].map((part) => {
        const { left, right, top, bottom } = part.getBoundingClientRect();
        return { name: `${name} ${part.textContent.slice(0, 30)}`, left, right, top, bottom };
    });
    const axes = Object.values(plot._fullLayout._plots).map(({ xaxis: x, yaxis: y }) => ({
        name: "the axes", left: frame.left + x._offset, right: frame.left + x._offset + x._length,
        top: frame.top + y._offset, bottom: frame.top + y._offset + y._length,
    }));
    const kinds = ["x", "y", "x2", "y2", "x3", "y3"].flatMap((axis) => [`.${axis}title`, `.${axis}tick`]);
    const words = kinds.flatMap(boxes), legends = boxes(".legend, .legend2"), titles = boxes(".gtitle");
    const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
    const look = (some, others) => {
        for (const a of some) for (const b of others) if (over(a, b)) found.push(`${a.name} over ${b.name}`);
    };
    look([...legends, ...titles], [...words, ...axes]);
    look(legends, titles);
    for (const { name, left, right, top, bottom } of [...legends, ...titles, ...words]) {
        const inside = left > frame.left - 1 && right < frame.right + 1 && top > frame.top - 1
            && bottom < frame.bottom + 1;
        if (!inside) found.push(`${name} is cut`);
    }
    return found;
}"""


@pytest.fixture(scope="module")
def page(browser):
    made = browser.new_page(viewport={"width": 1000, "height": 900})
    made.set_content("<!doctype html><body style='margin: 0'><div id='plot' style='width: fit-content'></div>")
    made.add_script_tag(content=get_plotlyjs())
    yield made
    made.close()


@pytest.mark.parametrize("name", explorers.PANELS)
def test_legends_and_titles_leave_data_and_axes_free(name, page):
    panel = getattr(explorers, name)()
    if hasattr(panel, "finish"):
        panel.finish()
    text, found = panel.figure.to_json(), {}
    panel.close()
    for width in WIDTHS:
        page.evaluate(DRAW, [text, FITTED, width])
        if seen := page.evaluate(OVERLAPS):
            found[width] = seen
    assert not found
