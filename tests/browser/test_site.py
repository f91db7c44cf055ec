"""The site opened from its folder: in both themes, on a phone, without the internet, its explorers by keyboard."""

import pytest

from dpbandits.cli import main
from tests.browser import lab

pytestmark = pytest.mark.slow

PHONE = {"width": 390, "height": 800}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("book") / "site"
    assert main(["book", str(made)]) == 0
    return made


@pytest.fixture(params=["light", "dark"])
def page(request, browser):
    context = browser.new_context(viewport=PHONE, color_scheme=request.param)
    yield context.new_page()
    context.close()


def test_every_page_reads_on_a_phone(folder, page):
    troubles, asked = [], []
    lab.watch(page, troubles.append)
    page.on("request", lambda request: asked.append(request.url))
    for path in sorted(folder.glob("*.html")):
        page.goto(path.as_uri())
        assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"], f"{path.name} is too wide"
        assert not lab.obstacles(page, "body"), path.name
    formula = page.goto((folder / "bounds.html").as_uri()) and page.locator("math").first.bounding_box()
    assert formula["width"] > 50 and formula["height"] > 15
    assert not troubles
    assert all(address.startswith(("file:", "data:")) for address in asked)


def test_explorers_move_one_slider_at_a_time(folder, page):
    troubles = []
    lab.watch(page, troubles.append)
    page.set_viewport_size({"width": 1200, "height": 900})
    page.goto((folder / "explorers.html").as_uri())
    sections = page.locator(".live")
    for i in range(sections.count()):
        section = sections.nth(i)
        plot, sliders = section.locator(".js-plotly-plot"), section.locator("input")
        opened, words = plot.evaluate(lab.ExplorerOnPage.DATA), section.locator(".summary").text_content()
        places = sliders.evaluate_all("all => all.map(slider => slider.value)")
        for k in range(sliders.count()):
            sliders.nth(k).focus()
            page.keyboard.press("ArrowRight")
            assert plot.evaluate(lab.ExplorerOnPage.DATA) != opened
            now = sliders.evaluate_all("all => all.map(slider => slider.value)")
            assert [place for j, place in enumerate(now) if j != k] == [p for j, p in enumerate(places) if j != k]
            page.keyboard.press("ArrowLeft")
            assert plot.evaluate(lab.ExplorerOnPage.DATA) == opened
            assert section.locator(".summary").text_content() == words
    assert not troubles
