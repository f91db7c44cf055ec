"""`dpbandits app` in a real browser: no code, large letters, every control by keyboard, nobody without the token."""

import signal
import subprocess
import sys

import pytest

from dpbandits.explorers.toolkit.stage import ABOUT
from tests.browser import lab

pytestmark = pytest.mark.slow

SHOWN = ("region", "guess_the_click", "regret")  # a closed form, a game, a simulation
DRAWN = ".dpb-panel .js-plotly-plot .scatterlayer .trace"
UNDER_FOCUS = "() => [document.activeElement.className, !!document.activeElement.closest('.dpb-panel')]"


@pytest.fixture(scope="module")
def address():
    command = [sys.executable, "-m", "dpbandits", "app", SHOWN[0], "--no-browser"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        server.stdout.readline()
        yield server.stdout.readline().strip()
    finally:
        server.send_signal(signal.SIGTERM)
        assert server.wait(30) == 0


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport={"width": 1600, "height": 1000})
    yield context.new_page()
    context.close()


def test_a_lecture(address, page):
    troubles = []
    lab.watch(page, troubles.append)
    page.goto(address)
    for name in SHOWN:
        page.locator(".dpb-menu select").select_option(label=name.replace("_", " "))
        page.get_by_text(ABOUT[name]).wait_for(timeout=90_000)
        page.locator(DRAWN).first.wait_for(state="attached", timeout=90_000)
        assert page.locator(".dpb-panel").count() == 1
        assert not lab.obstacles(page, ".dpb-stage")
        smallest = page.locator(
            ".dpb-panel label:visible, .dpb-panel input:visible, .dpb-panel td:visible"
        ).evaluate_all("all => Math.min(...all.map(e => parseFloat(getComputedStyle(e).fontSize)))")
        assert smallest >= 16, f"{name}: letters of {smallest} px"
    assert page.locator(".jp-InputArea:visible, .highlight:visible").count() == 0, "code is shown"

    def data() -> str:
        return page.locator(".js-plotly-plot").evaluate(lab.ExplorerOnPage.DATA)

    before = data()
    page.locator(".dpb-menu select").focus()
    for _ in range(60):  # by Tab alone to the first slider
        page.keyboard.press("Tab")
        style, inside = page.evaluate(UNDER_FOCUS)
        if inside and "noUi-handle" in str(style):
            break
    else:
        raise AssertionError("no slider is reached by Tab")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "([read, old]) => eval(read)(document.querySelector('.js-plotly-plot')) !== old",
        arg=[lab.ExplorerOnPage.DATA, before],
    )
    assert not troubles


def test_nobody_enters_without_the_token(address, page):
    bare = address.split("?")[0]
    page.goto(bare)
    assert "/login" in page.url
    assert (
        page.request.get(bare + "api/kernels").status in (403, 404)
        or "/login" in page.request.get(bare + "api/kernels").url
    )
