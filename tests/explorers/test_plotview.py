"""A plot as its browser gets it: all of it at first, then what changed, and all of it again for one that comes late."""

import gzip

import numpy as np
import plotly.graph_objects as go
import pytest
from plotly.offline import get_plotlyjs

from dpbandits import explorers
from dpbandits.explorers.toolkit import plotview
from dpbandits.explorers.toolkit.panel import GONE, SAVED
from dpbandits.explorers.toolkit.plotview import PlotView, pack, page
from dpbandits.figures.palette import layout
from tests.notebooks import rules


@pytest.fixture(name="plot")
def a_plot():
    x = np.linspace(0, 1, 50)
    traces = [
        go.Scatter(uid="mean", x=x, y=x**2, name="curve", line={"color": "#0072B2"}),
        go.Scatter(uid="band", x=x, y=x**3, name="curve", error_y={"array": x}, fillcolor="rgba(0,114,178,0.16)"),
    ]
    plot = PlotView(go.Figure(traces, layout(title="a title", x="t", y="y")))
    sent = []
    plot.data.comm.send = lambda data=None, buffers=None, **other: sent.append((data, buffers))
    plot.data.sent = sent
    return plot


def changes(plot):
    """What was sent since the last call, with buffers in their places: one dictionary for each message."""
    found = []
    for data, buffers in plot.data.sent:
        state = data["state"]
        for path, buffer in zip(data["buffer_paths"], buffers or [], strict=True):
            place = state
            for step in path[:-1]:
                place = place[step]
            place[path[-1]] = bytes(buffer)
        found.append(state)
    plot.data.sent.clear()
    return found


def numbers(part):
    return np.frombuffer(part["bytes"], part["dtype"]).reshape(part["shape"])


def test_a_move_is_one_message_with_what_changed(plot):
    y = np.linspace(3, 4, 50)
    plot.redraw({"mean": {"y": y}, "band": {"y": plot.traces["band"].y}})
    (sent,) = changes(plot)
    assert set(sent) == {"mean/y", "version"} and np.array_equal(numbers(sent["mean/y"]), y)
    plot.redraw({"mean": {"y": y.copy()}}, {"title.text": "a title"})
    assert changes(plot) == []
    plot.redraw({"mean": {"line.width": 3}}, {"title.text": "another"})
    (sent,) = changes(plot)
    assert set(sent) == {"mean", "layout", "version"} and sent["layout"]["title"]["text"] == "another"
    assert sent["mean"]["line"] == {"color": "#0072B2", "width": 3} and sent["mean"]["x"] == {"part": "mean/x"}


def test_the_view_itself_never_changes(monkeypatch):
    """A browser that needs more than two seconds for it loses what comes then: once, the class that styles hang on."""
    sent = []
    monkeypatch.setattr(PlotView, "send_state", lambda self, key=None: self.comm is not None and sent.append(key))
    panel = explorers.region()
    panel.set(epsilon=2)
    panel.controls["delta"].accept(2)  # refused
    panel.reset()
    panel.close()
    assert sent == [] and "dpb-plot" in panel.view._dom_classes


def test_versions_count_what_is_sent(plot):
    first = plot.version
    plot.redraw({"mean": {"y": np.zeros(50)}})
    plot.redraw({"mean": {"y": np.zeros(50)}})
    plot.redraw({"mean": {"y": np.ones(50)}})
    assert [sent["version"] for sent in changes(plot)] == [first + 1, first + 2] and plot.version == first + 2


def test_a_browser_that_comes_late_gets_what_is_shown_now(plot):
    plot.redraw(
        {"mean": {"y": np.full(50, 7.0)}, "band": {"visible": False, "x": None, "y": None}}, {"title.text": "now"}
    )
    state = plot.data.get_state()
    assert state["order"] == ["mean", "band"] and state["layout"]["title"]["text"] == "now"
    assert numbers(state["mean/y"]).tolist() == [7.0] * 50 and state["band/x"] is None and "x" not in state["band"]
    assert numbers(state["band/error_y/array"]).size == 50 and state["band"]["error_y"] == {
        "array": {"part": "band/error_y/array"}
    }


def test_the_figure_stays_a_plain_one(plot):
    plot.redraw({"band": {"error_y.array": np.arange(50.0)}}, {"yaxis.type": "log"})
    assert type(plot.figure) is go.Figure and plot.figure.layout.yaxis.type == "log"
    assert [trace.uid for trace in plot.figure.data] == ["mean", "band"] and plot.figure.data[1].error_y.array[-1] == 49


def test_an_unknown_trace_or_property_is_refused(plot):
    with pytest.raises(KeyError, match="nosuch"):
        plot.redraw({"nosuch": {"x": [1]}})
    with pytest.raises(ValueError, match="nosuch"):
        plot.redraw({"mean": {"nosuch": 1}})


def test_traces_without_names_are_refused():
    for traces in ([go.Scatter()], [go.Scatter(uid="a"), go.Bar(uid="a")]):
        with pytest.raises(ValueError, match="^uid: each trace must have its own name"):
            PlotView(go.Figure(traces))


def test_a_zoom_lasts_as_long_as_the_axes_mean_the_same(plot):
    kept = lambda: plot.data.parts["layout"]["uirevision"]
    first = kept()
    plot.redraw({"mean": {"y": np.zeros(50)}}, {"title.text": "x", "yaxis.range": [0, 2]})
    assert kept() == first
    plot.redraw({}, {"yaxis.type": "log"})
    assert kept() != first
    plot.redraw({}, {"yaxis.type": "linear"})
    assert kept() == first
    plot.unzoom()
    plot.push()
    assert kept() != first


def test_every_colour_has_one_for_the_dark(plot):
    dark = plot.data.parts["dark"]
    assert (
        dark["white"] == "#111111" and dark["#0072B2"] == "#0082cc" and dark["rgba(0,114,178,0.16)"].endswith(",0.16)")
    )
    plot.redraw({"mean": {"marker.color": ["#D55E00", "#ffffff"] * 10}})
    assert "#D55E00" in plot.data.parts["dark"]


@pytest.mark.parametrize(
    "values, dtype",
    [
        (np.arange(5), "uint8"),
        (np.array([-1, 300]), "int16"),
        (np.array([70_000]), "int32"),
        (np.array([10**12]), "float64"),
        (np.array([0.5, np.nan]), "float64"),
        (np.float32([1, 2]), "float32"),
        (np.float16([1, 2]), "float64"),
        (list(range(20)), "uint8"),
        ([0.5] * 20, "float64"),
        (np.zeros((3, 4)), "float64"),
        (np.array([]), "float64"),
    ],
)
def test_numbers_travel_as_they_are(values, dtype):
    packed = pack(values)
    assert packed["dtype"] == dtype and np.array_equal(numbers(packed), np.asarray(values), equal_nan=True)


def test_words_travel_as_codes():
    words = np.array([["up", "down", "up"]] * 5)
    packed = pack(words)
    assert packed["words"] == ["down", "up"] and packed["dtype"] == "uint8"
    assert np.array_equal(np.array(packed["words"])[numbers(packed)], words)


@pytest.mark.parametrize(
    "values",
    [
        [1, 2, 3],
        ["a", "b"],
        [1, None] * 10,
        [[1], [1, 2]] * 10,
        [True, False] * 10,
        [[0.0, "red"], [1.0, "blue"]] * 10,
        [f"{i}" for i in range(300)],
    ],
)
def test_short_and_mixed_lists_stay(values):
    assert pack(values) is None


def test_no_part_is_lost_to_json(plot):
    plot.redraw({"mean": {"x": [1.0, float("nan"), 2.0], "y": np.array([1, 2, 3])}}, {"xaxis.tickvals": np.arange(3)})
    state = plot.data.get_state()
    assert state["mean"]["x"] == [1.0, None, 2.0] and state["layout"]["xaxis"]["tickvals"] == [0, 1, 2]


# --- plotly.js ---------------------------------------------------------------------------------------------------


@pytest.fixture(name="fresh_page")
def a_fresh_page(monkeypatch):
    monkeypatch.setattr(plotview, "_pages", [])
    plotview.plotly_js.cache_clear()
    yield page
    plotview.plotly_js.cache_clear()


def test_plotly_js_is_that_of_the_installed_plotly():
    assert gzip.decompress(plotview.plotly_js()).decode("utf-8") == get_plotlyjs()
    assert len(plotview.plotly_js()) < 1_700_000


def test_all_plots_of_a_kernel_share_one_page(fresh_page):
    first, second = (PlotView(go.Figure(go.Scatter(uid="a"))) for _ in range(2))
    assert first.page is second.page is fresh_page() and first.data is not second.data
    assert len(first._esm) < 14_000
    first.page.close()
    assert PlotView(go.Figure(go.Scatter(uid="a"))).page is not first.page


def test_a_plotly_without_its_file_says_what_to_do(fresh_page, monkeypatch, tmp_path):
    monkeypatch.setattr(plotview.resources, "files", lambda package: tmp_path)
    problem = fresh_page().parts["problem"]
    assert (
        problem.startswith("plotly.js is missing from the installed plotly (No such file")
        and "Install plotly again" in problem
    )
    assert fresh_page().parts["library"] == ""


def test_another_try_brings_it(fresh_page, monkeypatch, tmp_path):
    files = plotview.resources.files
    monkeypatch.setattr(plotview.resources, "files", lambda package: tmp_path)
    shared = fresh_page()
    monkeypatch.setattr(plotview.resources, "files", files)
    shared._handle_custom_msg({"ask": "plotly.js"}, [])
    assert shared.parts["problem"] == "" and shared.parts["library"]


def test_plotly_js_follows_the_first_panel(fresh_page, monkeypatch):
    """In a kernel it is sent when the cell is done, so that the panel does not wait behind it."""
    waiting = []

    class Events:
        def register(self, name, call):
            assert name == "post_execute"
            waiting.append(call)

        def unregister(self, name, call):
            waiting.remove(call)

    monkeypatch.setattr(plotview, "_shell", lambda: type("Shell", (), {"events": Events()}))
    shared = fresh_page()
    assert shared.parts["library"] == "" and len(waiting) == 1
    waiting[0]()
    assert shared.parts["library"] and not waiting


def test_a_saved_panel_reads_as_a_sentence(monkeypatch):
    """What a file keeps of a panel: its view for a live kernel, and words for everybody else."""
    shown = []
    monkeypatch.setattr("dpbandits.explorers.toolkit.panel.display", lambda data, raw: shown.append(data))
    panel = explorers.shape()
    panel._ipython_display_()
    view, sentence = shown
    assert set(view) == {rules.WIDGET_VIEW, "text/plain"} and view["text/plain"] == SAVED == rules.PLACEHOLDER
    assert set(sentence) == {"text/html"} and GONE in sentence["text/html"]
    panel.close()
    panel._ipython_display_()
    assert shown[2:] == [{"text/plain": SAVED}]


def test_log_axes_tell_whole_numbers():
    """Powers of ten over many, 1, 2, 5, 10, ... over few, equal steps over fewer; plotly's choice on linear axes."""
    figure = go.Figure([go.Scatter(uid="curve", x=[1, 2], y=[1.0, 2.0])], layout(title="t", x="x", y="y", log_y=True))
    plot = PlotView(figure)
    axis = figure.layout.yaxis
    plot.redraw({"curve": {"y": np.array([1e-3, 1e9])}})
    assert axis.dtick == 2 and axis.tickvals is None
    plot.redraw({"curve": {"y": np.array([3.0, 60.0])}})
    assert axis.dtick is None and set(axis.ticktext) >= {"5", "10", "20", "50"}
    plot.redraw({"curve": {"y": np.array([3.0, 4.0])}})
    assert axis.dtick is None and axis.ticktext == ("3", "3.2", "3.4", "3.6", "3.8", "4")
    plot.redraw({"curve": {"y": np.array([3.0, np.nan, 0.0, 600.0])}}, {"yaxis.type": "log"})
    assert axis.dtick == 1
    plot.redraw({}, {"yaxis.type": "linear"})
    assert axis.dtick is axis.tickvals is None


def test_a_log_axis_that_is_switched_on_has_its_own_ticks():
    """Also where a format of its numbers is set; a level line is one value."""
    curve = go.Scatter(uid="curve", x=[1, 200], y=[3.0, 3.0])
    view = PlotView(go.Figure([curve], {"xaxis": {"tickformat": "~s"}, "yaxis": {"type": "log"}}))
    view.redraw({}, {"xaxis.type": "log"})
    assert view.figure.layout.xaxis.dtick == view.figure.layout.yaxis.dtick == 1
    view.redraw({}, {"xaxis.type": "linear"})
    assert view.figure.layout.xaxis.dtick is None
