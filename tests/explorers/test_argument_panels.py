"""The panels of the companions: their numbers against the modules they draw."""

import numpy as np
import pytest

from dpbandits.arguments import cascades, lemma_15
from dpbandits.arguments import rivals as traces
from dpbandits.explorers import counter_radius, lemma_15_edge, rivals
from dpbandits.mechanisms.perturbations import law
from dpbandits.privacy import feasible_region


def drawn(panel, name):
    return next(trace for trace in panel.figure.data if trace.uid == name)


def test_the_edge_is_lemma_15_where_it_is_built():
    panel = lemma_15_edge(epsilon=0.5, delta=0.02, cells=3)
    built = drawn(panel, "F")
    y, seen = np.asarray(built.x), np.isfinite(built.y)
    assert (np.abs(y[seen]) <= 3).all() and np.abs(y[~seen]).min() > 3
    assert np.asarray(built.y)[seen] == pytest.approx(law("new", 1, 0, 0.5, 0.02).cdf(y[seen]))
    assert "stays in the region" in panel.summary_text and not np.any(drawn(panel, "broken").y)


def test_the_edge_tells_who_keeps_costs_in_proportion():
    panel = lemma_15_edge("one step", shift=0.5, in_proportion=True)
    y = np.asarray(drawn(panel, "F′").x)
    before, after = (lemma_15.cdf(at, 1.0, 0.01, "one step") for at in (y, y - 0.5))
    low, high = feasible_region(after, *lemma_15.graded(1.0, 0.01, 0.5))
    worst = min((high - before).min(), (before - low).min())
    assert "leaves the region" in panel.summary_text and worst < -0.01
    assert min(drawn(panel, "broken").y) == pytest.approx(worst)
    panel.set(first_cell="exponential")
    assert "stays in the region" in panel.summary_text
    panel.set(first_cell="atoms", in_proportion=False)
    assert "broken by" in panel.table.value and "stays in the region" in panel.summary_text


def test_the_edge_without_a_cut():
    assert "there is no cut" in lemma_15_edge(delta=0).summary_text
    with pytest.raises(ValueError, match="together"):
        lemma_15_edge(epsilon=0, delta=0)


def test_a_rival_draws_its_trace():
    panel = rivals("adap-ucb", horizon=300, seed=3)
    found = traces.trace("adap-ucb", [0.65, 0.35], 300, epsilon=1.0, seed=3)
    frame = panel.frame()
    assert frame["t"].tolist() == list(range(1, 301))
    assert frame[["plays_1", "plays_2"]].iloc[-1].tolist() == found.pulls.tolist()
    assert (frame["plays_1"] + frame["plays_2"] == frame["t"]).all()
    assert f"{found.pulls[1]} of 300 rounds went to the poor arm" in panel.summary_text
    assert "entered them once" in panel.summary_text
    last = np.searchsorted(found.start, 300, side="right") - 1
    assert frame["index_1"].iloc[-1] == pytest.approx(found.index[last, 0])


def test_the_stream_s_length():
    panel = counter_radius(items=10, epsilon=0.5, gap=0.2, digits=8)
    frame = panel.frame()
    log_t = frame["log10_t"].to_numpy() * np.log(10)
    for name in cascades.STREAMS:
        assert frame[name].to_numpy() == pytest.approx(cascades.enough(log_t, name, items=10, epsilon=0.5, gap=0.2))
    assert f"own count {frame['own count'].iloc[-1]:.3g}" in panel.summary_text
    panel.set(exponents=True, digits=200.0)
    powers = panel.frame().iloc[-2]
    assert 1 < powers["own count"] < 1.4 and powers["rounds so far"] == pytest.approx(2.5, abs=0.01)
    assert powers["learning"] == pytest.approx(1, abs=0.01)
