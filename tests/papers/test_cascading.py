"""The panels of both papers on cascading bandits: their settings against the texts, their captions against the
numbers.
"""

import json

import numpy as np
import pytest

from dpbandits import simulate
from dpbandits.environments import build
from dpbandits.figures import panel, reproduce
from dpbandits.mechanisms import gaussian
from dpbandits.papers.catalogue import FIGURES
from dpbandits.papers.noise import both_noises, bought

LONG = [f"cascading-fig-{p}" for p in ("1a", "1b", "1c", "1d", "1e", "1f", "1g", "1h", "1i", "2a", "2b", "2c", "2d")]
SHORT = [f"icassp-fig-{p}" for p in "1234"]
PRINTED = ["cascade-ldp-laplace", "cascade-ldp-gauss"]


def small(name, **settings):
    """The panel in short, with its record."""
    figure = FIGURES[name]
    given = {**figure.settings_at("quick"), "horizon": 3000, "runs": 2, "workers": 1, **settings}
    return figure, figure.compute(**given | {"checkpoints": [3000] if name.endswith("1e") else 30})


def test_every_panel_is_there_with_its_words():
    assert LONG + SHORT == [name for name in FIGURES if name.startswith(("cascading", "icassp"))]
    for name in LONG + SHORT:
        figure = FIGURES[name]
        assert figure.paper == ("Wang et al. 2021" if name in LONG else "Wang et al. 2022")
        # Each says where the picture agrees with the paper's words, or where it does not.
        assert "as the paper reports" in figure.caption or "The paper's text says" in figure.caption, name
        assert "Right: " in figure.caption and figure.caption.endswith(".")
    assert FIGURES["cascading-fig-2c"].where == "Figure 2(c)" and FIGURES["icassp-fig-3"].where == "Figure 3"


@pytest.mark.parametrize(
    ("name", "epsilon", "list_size"),
    [
        ("cascading-fig-1a", 0.2, 4),
        ("cascading-fig-1b", 0.5, 4),
        ("cascading-fig-1c", 1, 4),
        ("cascading-fig-1d", 2, 4),
        ("cascading-fig-2a", 0.2, 4),
        ("cascading-fig-2b", 0.2, 8),
        ("cascading-fig-2c", 0.2, 12),
        ("cascading-fig-2d", 0.2, 16),
        ("icassp-fig-3", 0.2, 4),
        ("icassp-fig-4", 0.5, 4),
    ],
)
def test_local_panels_are_section_7_s(name, epsilon, list_size):
    settings = FIGURES[name].settings_at("paper")
    assert (settings["epsilon"], settings["list_size"], settings["delta"]) == (epsilon, list_size, 1e-3)
    assert (settings["horizon"], settings["runs"], settings["instance"]) == (10**5, 10, "cascade-paper")
    assert settings["algorithm"] == ["cascade-ucb1", *PRINTED, "cascade-ldp-first"]


def test_panels_over_epsilon_and_over_items():
    over = FIGURES["cascading-fig-1e"].settings_at("paper")
    assert np.allclose(over["epsilon"], np.linspace(0.02, 2, 100)) and over["runs"] == 10
    for paper, (by_epsilon, by_items), log_of in (
        ("long", LONG[5:7], "horizon"),
        ("short", SHORT[:2], "guarded-count"),
    ):
        settings = FIGURES[by_epsilon].settings_at("paper")
        assert settings["epsilon"] == [0.1, 0.5, 1, 2] and settings["log_of"] == log_of, paper
        assert FIGURES[by_items].settings_at("paper")["items"] == [8, 12, 16, 20]


@pytest.mark.parametrize(("name", "epsilon"), [("cascading-fig-1h", 0.2), ("cascading-fig-1i", 2.0)])
def test_semi_bandit_panels_are_section_7_s(name, epsilon):
    settings = FIGURES[name].settings_at("paper")
    assert (settings["epsilon"], settings["delta"], settings["horizon"], settings["runs"]) == (epsilon, 1e-3, 10**5, 10)
    assert settings["algorithm"] == ["cucb", "cucb-ldp-gauss"]
    instance = build(settings["instance"], means=settings["means"], list_size=settings["list_size"])
    assert (instance.arms, instance.list_size) == (20, 4) and instance.uniform_regret == pytest.approx(4 * 0.15 * 0.8)


def test_the_captions_of_the_semi_bandit_panels_are_true():
    lost = {}
    for name in ("cascading-fig-1h", "cascading-fig-1i"):
        data = FIGURES[name].compute(
            **{**FIGURES[name].settings_at("quick"), "runs": 2, "checkpoints": 2, "workers": 1}
        )
        last = data.regret.isel(round=-1).mean("run") / (0.48 * 10**5)
        lost[name] = {
            p: [float(last.sel(panel=p, algorithm=a)) for a in ("cucb", "cucb-ldp-gauss")]
            for p in ("as in the paper", "honest noise")
        }
    small, large = lost.values()
    assert (
        small["as in the paper"][1] > 2 * small["as in the paper"][0]
        and large["as in the paper"][1] < 1.25 * large["as in the paper"][0]
    )
    assert small["honest noise"][1] > 0.85 and 0.5 < large["honest noise"][1] < 0.75
    assert (
        "stands for ε = 29.6" in FIGURES["cascading-fig-1h"].caption
        and "ε = 1,570" in FIGURES["cascading-fig-1i"].caption
    )


def test_both_noises_are_two_sweeps():
    data = both_noises(
        algorithm=PRINTED, instance="cascade-paper", horizon=500, runs=2, checkpoints=5, epsilon=0.5, delta=1e-3
    )
    for name, factor in (("as in the paper", 0.01), ("honest noise", 1.0)):
        alone = simulate(
            PRINTED,
            "cascade-paper",
            horizon=500,
            runs=2,
            checkpoints=5,
            epsilon=0.5,
            delta=1e-3,
            noise_multiplier=factor,
            bonus_multiplier=factor,
        )
        assert np.array_equal(data.regret.sel(panel=name), alone.regret)
        facts = json.loads(data.attrs["panels"])[name]
        assert facts["guarantees"] == json.loads(alone.attrs["guarantees"])
        assert facts["parameters"]["cascade-ldp-gauss"]["bonus_multiplier"] == factor


def test_what_a_hundredth_of_the_noise_buys():
    assert bought("cascade-ldp-laplace", epsilon=0.2) == "20" and bought("cascade-dp", epsilon=0.5) == "50"
    exact = float(bought("cascade-ldp-gauss", epsilon=0.2))
    mu = 20 / np.sqrt(2 * np.log(1.25 / 1e-3))
    assert gaussian.delta_from_mu(exact, mu) == pytest.approx(1e-3, rel=0.02)
    assert "ε = 20 (Laplace) and 29.6 (Gaussian" in FIGURES["icassp-fig-3"].caption and exact == 29.6


def test_the_captions_are_true():
    """Short runs (2 of 20,000 rounds) of the panels' two ends; differences are many times the spread of the runs."""
    for name in ("cascading-fig-1a", "cascading-fig-2c"):
        _, data = small(name, horizon=20_000)
        lost = data.regret.isel(round=-1).mean("run")
        paper, honest = lost.sel(panel="as in the paper"), lost.sel(panel="honest noise")
        uniform = build("cascade-paper", list_size=FIGURES[name].settings["list_size"]).uniform_regret * 20_000
        assert (honest.sel(algorithm=PRINTED) > 0.85 * uniform).all() and (paper < 0.6 * uniform).all()
        laplace, gauss, none = (float(paper.sel(algorithm=a)) for a in (*PRINTED, "cascade-ucb1"))
        assert none < gauss < laplace and (laplace > 1.3 * gauss) == (name == "cascading-fig-2c")
    for name, order in (("cascading-fig-1f", -1), ("cascading-fig-1g", 1), ("icassp-fig-1", -1), ("icassp-fig-2", 1)):
        _, data = small(name, horizon=20_000)
        lost = data.regret.isel(round=-1).mean("run").sel(panel="as in the paper", algorithm="cascade-dp")
        assert (order * np.diff(lost) > 0).all(), name


def test_shrinking_the_noise_alone_or_crediting_all_items_is_not_what_the_papers_report():
    def lost(**more):
        given = {
            "horizon": 20_000,
            "runs": 2,
            "checkpoints": [20_000],
            "workers": 1,
            "epsilon": 2.0,
            "noise_multiplier": 0.01,
        }
        return float(simulate(more.pop("algorithm"), "cascade-paper", **given, **more).regret.mean())

    uniform = build("cascade-paper").uniform_regret * 20_000
    for algorithm in PRINTED:
        assert (
            lost(algorithm=algorithm, bonus_multiplier=1.0)
            > 0.7 * uniform
            > 2 * lost(algorithm=algorithm, bonus_multiplier=0.01)
        )
    read = {"algorithm": "cascade-dp", "bonus_multiplier": 0.01}
    assert lost(**read, credit="whole-list") > 2 * lost(**read)


def test_drawing_of_two_panels():
    figure, data = small("cascading-fig-1a")
    drawing = panel.draw(figure, data)
    for suffix, name in (("", "as in the paper"), ("2", "honest noise")):
        curves = {t.name.split("<br>")[0]: t for t in drawing.data if t.name and t.xaxis == f"x{suffix}"}
        curve, mean = (
            curves["Cascading UCB, local, Laplace"],
            data.regret.sel(panel=name, algorithm="cascade-ldp-laplace").mean("run"),
        )
        assert np.allclose(curve.y, mean) and curve.legend == f"legend{suffix}" and curve.yaxis == f"y{suffix}"
        assert ("ε = 20 local" if suffix == "" else "ε = 0.2 local") in curve.name and "fails" in curve.name
    dashed = next(t for t in drawing.data if t.name == "uniform play" and t.xaxis == "x2")
    assert dashed.y[-1] == pytest.approx(3000 * build("cascade-paper").uniform_regret)
    assert {a.text for a in drawing.layout.annotations} == {"as in the paper", "honest noise"}


def test_drawing_of_lines_by_value():
    figure, data = small("cascading-fig-1f")
    names = [t.name for t in panel.draw(figure, data).data if t.name and t.xaxis == "x"]
    assert sum("CascadeUCB1" in name for name in names) == 1
    assert any("ε = 0.5<br>" in name and "ε = 50 transcript" in name for name in names) and any(
        "ε = 200 transcript" in name for name in names
    )
    figure, data = small("icassp-fig-2")
    dashed = [t for t in panel.draw(figure, data).data if t.legendgroup == "uniform" and t.xaxis == "x2"]
    lines = {t.line.color: t for t in panel.draw(figure, data).data if t.xaxis == "x2" and t.name and "L = " in t.name}
    assert [t.y[-1] for t in dashed] == pytest.approx(
        [3000 * build("cascade-paper", items=n).uniform_regret for n in (8, 12, 16, 20)]
    )
    assert [lines[t.line.color].name.split("<br>")[0][-6:].strip() for t in dashed] == [
        "L = 8",
        "L = 12",
        "L = 16",
        "L = 20",
    ]


def test_files_of_two_panels(tmp_path, monkeypatch):
    figure, data = small("cascading-fig-1e")
    monkeypatch.setattr(type(figure), "data", lambda *_, **__: data)
    page, numbers, settings = reproduce.reproduce(figure, "quick", tmp_path, png=False)
    rows = numbers.read_text().splitlines()
    assert rows[0] == "algorithm,panel,epsilon,round,mean,std,stderr,runs" and len(rows) == 1 + 4 * 2 * 7
    panels = json.loads(settings.read_text())["panels"]
    assert (
        panels["honest noise"]["guarantees"]["cascade-ldp-laplace"]["label"]
        == "local (as claimed, fails), epsilon along the axis"
    )
    assert panels["as in the paper"]["guarantees"]["cascade-ldp-first"]["note"].startswith("At epsilon = 0.02: ")
    assert panels["honest noise"]["guarantees"]["cascade-ldp-first"]["note"].startswith("Every user sends")
    text = page.read_text()
    assert (
        "<p class='small'>CascadeUCB1: not private.</p>" in text
        and "As in the paper – Cascading UCB, local, Laplace: local" in text
    )
