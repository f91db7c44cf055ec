"""Table 1 of Chen et al. by hand, and the captions of the figures that their theorems ask for against short runs."""

import json
import math

import numpy as np
import pytest

from dpbandits import simulate
from dpbandits.algorithms.semibandit.blindness import first_seeing_horizon
from dpbandits.environments import build
from dpbandits.figures.panel import draw, reading
from dpbandits.figures.tradeoff import slope_between
from dpbandits.papers.catalogue import FIGURES
from dpbandits.papers.chen_table import table_1
from dpbandits.papers.semi_bandit_sweeps import companions

NAMES = ["chen-table-1", "chen-list-size", "chen-epsilon", "chen-horizon", "chen-smoothness"]
LOG = math.log(10**6)


def final(name, **settings):
    """Mean regret of the panel at the horizon, one run."""
    given = {**FIGURES[name].settings_at("quick"), "runs": 1, "workers": 1, **settings}
    if name != "chen-horizon":
        given["checkpoints"] = [given["horizon"]]
    data = FIGURES[name].compute(**given)
    return data, (data.regret.isel(round=-1) if "round" in data.dims else data.regret).mean("run")


def test_every_panel_is_there_with_its_words():
    assert [name for name in FIGURES if name.startswith("chen")] == NAMES
    for name in NAMES:
        figure = FIGURES[name]
        assert (
            figure.paper == "Chen et al. 2020"
            and figure.caption.endswith(".")
            and (name == NAMES[0] or "settings here are ours" in figure.caption)
        )
    assert all(FIGURES[name].settings_at("paper")["runs"] >= 10 for name in NAMES[1:])


def test_the_table_by_hand():
    table = table_1(arms=12, list_size=3, gap=0.2, epsilon=0.5, smoothness=2.0, horizon=10**6)
    orders = [12 * 4 * LOG / 0.05, 12 * 4 * LOG / 0.1, 12 * 4 * LOG / 0.2]
    assert np.allclose(table.order_value, [*orders, 9 * orders[0], 3 * orders[1], 3 * orders[2]])
    upper, lower = table.upper_printed.values, table.lower_printed.values
    assert upper[0] == pytest.approx(128 * orders[0] + 2 * 12 * 0.2)
    assert upper[3] == pytest.approx(128 * 9 * orders[0] + 2 * 12 * 0.2)
    square = (math.exp(0.5) - 1) ** 2
    assert lower[0] == pytest.approx(4 * 11 / (64 * square * 0.2) * LOG) and lower[3] == pytest.approx(
        4 * 9 * 3 / (64 * square * 0.2) * LOG
    )
    assert lower[1] == pytest.approx(4 * 11 / 0.2 * LOG) and lower[4] == pytest.approx(4 * 3 * 9 / 0.2 * LOG)
    none = [2, 5]
    assert np.isnan(upper[none]).all() and np.isnan(lower[none]).all() and table.upper.values[2] == "–"
    assert (table.upper_corrected > table.lower_corrected)[[0, 1, 3, 4]].all() and json.loads(
        table.attrs["notes"]
    ) == []


def test_a_theorem_that_does_not_apply_leaves_its_cell_empty_and_says_why():
    table = table_1(gap=0.5, arms=10)
    assert np.isnan(table.lower_printed.values[[0, 1]]).all() and np.isfinite(table.lower_printed.values[4])
    notes = json.loads(table.attrs["notes"])
    assert any("Theorem 5: gap = 0.5 is not allowed" in n for n in notes) and any(
        "Theorem 6: arms = 10" in n for n in notes
    )
    drawing = draw(FIGURES["chen-table-1"], table)
    assert drawing.data[0].cells["values"][7][0] == "" and reading(FIGURES["chen-table-1"], {}) == ""


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"epsilon": 0}, "epsilon = 0"),
        ({"list_size": 21}, "must be <= 20"),
        ({"gap": -1}, "gap = -1"),
        ({"k": 3}, "'k'"),
    ],
)
def test_bad_entries_are_refused(given, words):
    with pytest.raises(ValueError, match=words):
        table_1(**given)


def test_what_the_caption_says_of_the_table():
    figure = FIGURES["chen-table-1"]
    table = figure.data()
    ratio = [table[f"upper_{c}"].values[[0, 3]] / table.order_value.values[[0, 3]] for c in ("printed", "corrected")]
    assert np.allclose(ratio[0], 128, rtol=1e-3) and np.allclose(ratio[1], 256, rtol=1e-3)
    assert (table.upper_corrected.values[[1, 4]] > 200_000).all()


def test_companions_make_no_difference():
    single, four = build("super-arms", **companions(5, 1, 0.6)), build("super-arms", **companions(5, 4, 0.6))
    assert [tuple(s) for s in four.super_arms] == [(0, 1, 2, 3 + j) for j in range(5)] and four.list_size == 4
    for instance in (single, four):
        assert instance.gap_min == instance.gap_max == pytest.approx(0.6) and instance.uniform_regret == pytest.approx(
            0.48
        )


@pytest.mark.slow
def test_k_squared_against_none():
    _, lost = final("chen-list-size", list_size=[2, 4], horizon=600_000)
    slope = {
        a: slope_between(lost.list_size.values.astype(float), lost.sel(algorithm=a).values, 2, 4)
        for a in lost.algorithm.values
    }
    assert 1.7 < slope["cucb-ldp1"] < 2.3 and abs(slope["cucb-ldp2"]) < 0.5 and abs(slope["cucb"]) < 0.2


@pytest.mark.slow
def test_one_over_epsilon_squared_against_one_over_epsilon():
    _, lost = final("chen-epsilon", epsilon=[1.0, 10.0])
    slope = {a: slope_between(lost.epsilon.values, lost.sel(algorithm=a).values, 1, 10) for a in lost.algorithm.values}
    assert -2.15 < slope["cucb-ldp1"] < -1.7 and -2.15 < slope["cucb-ldp2"] < -1.7
    assert -1.05 < slope["cucb-dp"] < -0.8 and -1.05 < slope["cucb-dp-least"] < -0.8
    for central in ("cucb-dp", "cucb-dp-least"):
        assert (lost.sel(algorithm=central) > 5 * lost.sel(algorithm="cucb-ldp1")).all()


@pytest.mark.slow
def test_paths_with_average_and_sum():
    data, lost = final("chen-smoothness", list_size=[2, 6], horizon=400_000)
    slopes = {
        (panel[:3], a): slope_between(
            lost.list_size.values.astype(float), lost.sel(panel=panel, algorithm=a).values, 2, 6
        )
        for panel in lost.panel.values
        for a in lost.algorithm.values
    }
    for key, expected in {
        ("ave", "cucb"): -1,
        ("ave", "cucb-ldp2"): 0,
        ("ave", "cucb-ldp1"): 1,
        ("sum", "cucb"): 1,
        ("sum", "cucb-ldp2"): 2,
    }.items():
        assert abs(slopes[key] - expected) < 0.35, (key, slopes[key])
    assert slopes["sum", "cucb-ldp1"] > slopes["sum", "cucb-ldp2"] + 0.2
    drawing = draw(FIGURES["chen-smoothness"], data)
    assert any(f"slope {slopes['sum', 'cucb']:.2f}" in t.name for t in drawing.data if t.name)


def test_linked_settings_are_those_of_simulate():
    data, _ = final("chen-smoothness", list_size=[2, 3], horizon=2000)
    alone = simulate(
        ["cucb", "cucb-ldp1", "cucb-ldp2"],
        "k-path",
        arms=15,
        list_size=3,
        gap=0.5,
        smoothness=1 / 3,
        epsilon=4.0,
        horizon=2000,
        checkpoints=[2000],
        runs=1,
        seed=2020,
        method="fast",
    )
    assert np.array_equal(data.regret.isel(panel=0).sel(list_size=3), alone.regret)
    assert (
        "up to K outcomes"
        in json.loads(data.attrs["panels"])["sum of the outcomes, B₁ = 1"]["guarantees"]["cucb-ldp1"]["note"]
    )


def test_blind_until_the_dotted_line():
    instance = build("top-k")
    first = first_seeing_horizon(instance, 10.0)
    data, lost = final("chen-horizon", horizon=[first // 3, 3 * first], epsilon=[10.0], algorithm=["cucb-dp"])
    share = lost.values.ravel() / (instance.uniform_regret * lost.horizon.values)
    assert abs(share[0] - 1) < 0.01 and share[1] < 0.8
    drawing = draw(FIGURES["chen-horizon"], data)
    curve, line = (t for t in drawing.data if t.x is not None)
    assert (
        np.allclose(curve.y, share)
        and list(line.x) == [first, first]
        and drawing.layout.annotations[0].text == f"{first:,}"
    )
    rows = FIGURES["chen-horizon"].settings_at("paper")["horizon"]
    assert rows[0] == 1000 and rows[-1] == 10**7 and (np.diff(rows) > 0).all()
