"""Wang & Zhu's panels: their settings against Section 8, and Figures 1 to 3 against an independent reading of
Lemma 8.
"""

import json
import math

import numpy as np
import pytest
from scipy import stats

from dpbandits.papers.catalogue import FIGURES

PANELS = [
    f"{number}{letter}"
    for number, letters in enumerate(("abc", "abcdef", "abc", "abcd", "abcd", "ab", "ab"), 1)
    for letter in letters
]


def panel(name):
    return FIGURES[f"wang-zhu-fig-{name}"]


def test_every_panel_is_there_with_its_words():
    assert [f"wang-zhu-fig-{p}" for p in PANELS] == [name for name in FIGURES if name.startswith("wang-zhu")]
    for p in PANELS:
        figure = panel(p)
        assert figure.where == f"Figure {p[0]}({p[1]})" and figure.paper == "Wang & Zhu 2024"
        assert figure.title and figure.caption.endswith(".")


@pytest.mark.parametrize(
    ("name", "instance", "epsilon", "delta"),
    [
        ("4a", "wang-zhu-1", 1, 0.01),
        ("4b", "wang-zhu-1", 1, math.exp(-10)),
        ("4c", "wang-zhu-2", 1, 0.01),
        ("4d", "wang-zhu-2", 1, math.exp(-10)),
        ("5a", "wang-zhu-1", 1, 0),
        ("5b", "wang-zhu-1", 0.1, 0),
        ("5c", "wang-zhu-2", 1, 0),
        ("5d", "wang-zhu-2", 0.1, 0),
    ],
)
def test_regret_panels_are_section_8_s(name, instance, epsilon, delta):
    settings = panel(name).settings_at("paper")
    assert (settings["instance"], settings["epsilon"], settings["delta"]) == (instance, epsilon, delta)
    assert settings["horizon"] == 10**6 and settings["runs"] == 100
    others = {"dp-ftpl-gauss", "dp-ftpl-beta", "dp-ucb-int"} if name[0] == "4" else {"dp-ucb", "dp-ucb-bound", "dp-se"}
    assert set(settings["algorithm"]) == {"dp-ftpl-new", *others}


@pytest.mark.parametrize(
    ("name", "fixed", "value", "swept"),
    [
        ("6a", "epsilon", 0, "delta"),
        ("6b", "epsilon", 0.1, "delta"),
        ("7a", "delta", 1e-10, "epsilon"),
        ("7b", "delta", 1e-3, "epsilon"),
    ],
)
def test_tradeoff_panels_are_section_8_s(name, fixed, value, swept):
    for scale, runs in (("quick", None), ("paper", 100)):
        settings = panel(name).settings_at(scale)
        assert settings[fixed] == value and settings["instance"] == "wang-zhu-1" and settings["horizon"] == 10**6
        assert runs is None or settings["runs"] == runs
        grid = np.array(settings[swept])
        assert (grid > 0).all() and (np.diff(grid) < 0).all() and np.ptp(np.diff(np.log(grid))) < 0.01
    assert len(panel(name).settings_at("paper")[swept]) > len(panel(name).settings_at("quick")[swept])


def test_figure_5_says_that_two_promises_are_compared():
    for letter in "abcd":
        caption = panel(f"5{letter}").caption
        assert "each single selection" in caption and "whole sequence" in caption


def test_unknown_scale():
    with pytest.raises(ValueError, match="'huge'.*quick, paper"):
        panel("4a").settings_at("huge")


def cdfs(settings):
    """F, and F′ for one reward more, by scipy."""
    law, pulls, total, epsilon = (settings[k] for k in ("law", "pulls", "total", "epsilon"))

    def of(total):
        if law == "gauss":
            return stats.norm(total / pulls, math.sqrt(2 / pulls)).cdf
        if law == "new":
            return stats.laplace(total / pulls, 1 / (pulls * epsilon)).cdf
        extra = pulls // 8 + 1 if law == "beta" else 0
        return stats.beta(total + 1 + extra, pulls - total + 1 + extra).cdf

    return of(total), of(total + 1)


def breaks(one, two, epsilon, delta):
    """By how much the worst of the four inequalities fails."""
    return max(
        np.max(a - math.exp(epsilon) * b - delta)
        for a, b in ((one, two), (two, one), (1 - one, 1 - two), (1 - two, 1 - one))
    )


@pytest.mark.parametrize("name", [p for p in PANELS if p[0] in "123"])
def test_the_titles_of_the_region_panels_are_true(name):
    figure = panel(name)
    settings, data = figure.settings_at("quick"), figure.data("quick")
    before, after = cdfs(settings)
    x = data["x"].values
    assert np.allclose(data["cdf"], before(x), rtol=1e-9, atol=1e-12)
    assert np.allclose(data["after"].sel(change=1), after(x), rtol=1e-9, atol=1e-12)
    failure = breaks(before(x), after(x), settings["epsilon"], settings["delta"])
    outside = (data["after"] < data["low"] - 1e-9) | (data["after"] > data["high"] + 1e-9)
    assert ("outside" in figure.title) == (failure > 1e-6) == bool(outside.any())
    assert json.loads(data.attrs["worst"])["violated"] == ("outside" in figure.title)


def test_the_claims_of_the_captions_about_n_star():
    one, seven, beta = panel("1a").data(), panel("1b").data(), panel("2b").data()
    assert one.attrs["printed_pulls"] == pytest.approx(7.68, abs=0.005) and one.attrs["smallest_pulls"] == 2
    assert seven.attrs["pulls"] == math.ceil(seven.attrs["printed_pulls"])
    assert beta.attrs["pulls"] == math.ceil(beta.attrs["printed_pulls"]) and beta.attrs["smallest_pulls"] == 32
    assert panel("2f").data().attrs["smallest_pulls"] == "none"


@pytest.mark.parametrize("name", ["3a", "3b", "3c"])
def test_new_lies_on_the_edge_but_for_the_corner(name):
    data = panel(name).data()
    centre, pulls = data.attrs["total"] / data.attrs["pulls"], data.attrs["pulls"]
    for change in (1, -1):
        after = data["after"].sel(change=change)
        distance = np.minimum(abs(after - data["low"]), abs(after - data["high"])).values
        between = (change * (data["x"].values - centre) > 1e-12) & (
            change * (data["x"].values - centre) < 1 / pulls - 1e-12
        )
        assert distance[~between].max() < 1e-9
        assert distance[between].max() > 1e-5  # rounded on the inside


def test_figure_2d_stores_the_need_of_the_law():
    """Both directions count: 0.0903 is the smaller one."""
    facts = json.loads(panel("2d").data().attrs["worst"])
    assert facts["needed_delta"] == pytest.approx(0.175784, abs=1e-6)
