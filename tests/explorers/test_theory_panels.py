"""Region, shape, bounds and price of privacy: their numbers against the modules they draw."""

from html import escape, unescape

import numpy as np
import pytest
from scipy.integrate import trapezoid

from dpbandits import catalogue, simulate
from dpbandits.explorers import bounds, cascade_bounds, matroid_bounds, region, semibandit_bounds, shape
from dpbandits.explorers.toolkit.tables import number
from dpbandits.mechanisms.perturbations import law
from dpbandits.privacy import feasible_region, smallest_pulls, worst_violation


@pytest.mark.parametrize(
    "settings",
    [("beta", 6, 0, 1.0, 0.01), ("gauss", 1, 1, 0.5, 0.1), ("new", 30, 10, 0.0, 0.01), ("beta-plain", 9, 4, 1.0, 0.0)],
)
def test_region_draws_the_lemma(settings):
    name, pulls, total, epsilon, delta = settings
    panel = region(name, pulls=pulls, total=total, epsilon=epsilon, delta=delta)
    area, cdf = panel.figure.data[:2]
    assert np.allclose(cdf.y, law(name, pulls, total, epsilon, delta).cdf(cdf.x))
    low, high = feasible_region(law(name, pulls, total, epsilon, delta).cdf(area.x), epsilon, delta)
    half = len(area.x) // 2
    assert np.allclose(area.y[:half], low[:half]) and np.allclose(area.y[half:], high[half:])
    worst = worst_violation(*settings)
    assert ("leaves" in panel.summary_text) == worst.violated
    frame = panel.frame()
    seen = max(frame[c].max() for c in frame if c.startswith("excess"))
    assert seen <= worst.excess + 1e-9 and (not worst.violated or seen > 0.9 * worst.excess)


def test_region_names_the_smallest_n_beside_the_papers():
    panel = region("beta", pulls=6)
    enough = smallest_pulls("beta", 1.0, 0.01)
    assert enough == 32 and f"<td class=dpb-num>{enough}</td><td class=dpb-num>827</td>" in panel.table.value
    panel.set(pulls=enough - 1)
    assert "leaves" in panel.summary_text
    panel.set(pulls=enough)
    assert "stays inside" in panel.summary_text


def test_rewards_cannot_exceed_pulls():
    for make in (region, shape):
        panel = make(pulls=10, total=10)
        panel.set(pulls=4)
        assert panel.values["total"] == 4 and not panel.error
        panel.controls["total"].box.value = 5
        assert "total = 5 is not allowed" in panel.error


def test_both_zero_is_refused():
    for make in (region, shape):
        panel = make()
        panel.set(epsilon=0.0, delta=0.0)
        assert panel.error.startswith("epsilon = 0 is not allowed together with delta = 0")
        with pytest.raises(ValueError, match="together"):
            make(epsilon=0, delta=0)


@pytest.mark.parametrize("name", ["new", "beta", "gauss"])
def test_shape_draws_densities(name):
    panel = shape(name, pulls=12, total=5, epsilon=0.7, delta=0.02)
    chosen, laplace, gauss = panel.figure.data
    assert np.allclose(chosen.y, law(name, 12, 5, 0.7, 0.02).pdf(chosen.x))
    assert np.allclose(laplace.y, 12 * 0.7 / 2 * np.exp(-12 * 0.7 * np.abs(laplace.x - 5 / 12)))
    assert trapezoid(gauss.y, gauss.x) == pytest.approx(1, abs=0.01) if name != "beta" else True
    deviation = {"gauss": np.sqrt(2 / 12), "beta": law("beta", 12, 5).deviation}.get(name)
    if deviation:
        assert f"standard deviation {deviation:.3g}" in panel.summary_text


def test_shape_deviation_of_the_truncated_law():
    panel = shape("new", pulls=1, total=0, epsilon=1.0, delta=0.0)  # Laplace of scale 1: deviation √2
    assert "standard deviation 1.41" in panel.summary_text


def test_bounds_values_are_the_catalogues():
    panel = bounds(horizon=2000, runs=3, c0=0.05, alpha=0.2)
    known, at = catalogue.bounds(), {"horizon": 2000, "epsilon": 1.0, "delta": 0.01}
    most, upper, measured, lower, uniform = panel.figure.data[1:]
    data = simulate("dp-ftpl-new", "wang-zhu-1", horizon=2000, runs=3, epsilon=1.0, delta=0.01)
    assert measured.y[-1] == data.regret.mean("run").values[-1]
    assert upper.y[-1] == pytest.approx(known["wang-zhu-theorem-16"].value(**at, instance="wang-zhu-1"), rel=1e-12)
    assert not lower.visible and "No lower bound is stated for what dp-ftpl-new promises." in panel.caption.value
    assert most.y[-1] == pytest.approx(0.4 * most.x[-1]) and uniform.y[-1] == pytest.approx(0.2 * uniform.x[-1])
    frame = panel.frame()
    assert frame["upper_bound"].iloc[-1] == upper.y[-1] and frame["regret_mean"].iloc[-1] == measured.y[-1]


def test_a_lower_bound_is_about_those_who_keep_the_promise():
    panel = bounds("gdp-elim-new", horizon=2000, runs=2, c0=0.05, alpha=0.2)
    at = {"horizon": 2000, "epsilon": 1.0, "delta": 0.01, "c0": 0.05, "alpha": 0.2}
    assert panel.view.traces["lower"].y[-1] == catalogue.bounds()["wang-zhu-theorem-4"].value(**at)


def test_a_bound_that_says_nothing_is_called_so():
    assert "says nothing yet" in bounds(horizon=1000, runs=1).summary_text


@pytest.mark.parametrize(
    ("make", "algorithm", "name", "given"),
    [
        (bounds, "dp-ftpl-new", "wang-zhu-theorem-16", {"epsilon": 1.0, "delta": 0.01}),
        (cascade_bounds, "cascade-ldp-laplace", "cascading-theorem-4", {"epsilon": 0.5, "constants": "printed"}),
        (semibandit_bounds, "cucb-ldp2", "chen-theorem-4", {"epsilon": 0.5, "constants": "corrected"}),
        (matroid_bounds, "dpucb-mat", "chandak-theorem-9", {"epsilon": 0.5, "constants": "printed"}),
    ],
)
def test_formula_and_terms_stand_beside_the_value(make, algorithm, name, given, tmp_path):
    panel = make(algorithm, horizon=2000, runs=1, **given)
    bound = catalogue.bounds()[name]
    found = bound.evaluate(horizon=2000, instance=panel.cells[0].instance, **given)
    shown = panel.table.value
    assert f"\\({escape(bound.formula)}\\)" in shown and bound.symbols in unescape(panel.caption.value)
    assert len(found.terms) > 1 and sum(t.value for t in found.terms) == pytest.approx(found.value)
    rows = shown.split("<tr>")
    for term in found.terms:
        row = next(row for row in rows if escape(term.words) in row)
        assert f"\\({escape(term.formula)}\\)" in row and f">{number(term.value)}<" in row
    page = panel.save_html(tmp_path).read_text(encoding="utf-8")  # where nothing sets it
    assert f"<code>{escape(bound.formula)}</code>" in page and f"\\({escape(bound.formula)}\\)" not in page


def test_region_over_f_is_one_region_for_all_laws():
    panel = region("gauss", pulls=9, total=2, view="F′ over F", beside="all", second=(0.2, 0.1))
    drawn = {trace.uid: trace for trace in panel.figure.data}
    area = drawn["left"]
    half = len(area.x) // 2
    low, high = feasible_region(area.x[:half], 1.0, 0.01)
    assert np.allclose(area.y[:half], low) and np.allclose(area.y[half:], high[::-1], atol=0.02)
    new, after = law("new", 9, 2), law("new", 9, 3)
    curve = drawn["beside new"]
    at = np.linspace(0.1, 0.9, 5)
    assert np.interp(at, curve.x, curve.y) == pytest.approx(after.cdf(new.quantile(at)), abs=1e-3)
    assert drawn["second"].visible and drawn["second"].name == "(0.2, 0.1)" and not drawn["group"].visible


def test_region_names_the_inequality_that_makes_an_edge():
    panel = region("gauss", pulls=9, total=2, edges=True)
    drawn = {trace.uid: trace for trace in panel.figure.data}
    cdf, (low, high) = drawn["F"].y, feasible_region(drawn["F"].y, 1.0, 0.01)
    lower = np.fmax(drawn["edge 1"].y, drawn["edge 4"].y)
    upper = np.fmin(drawn["edge 2"].y, drawn["edge 3"].y)
    inside = (low > 1e-9) & (high < 1 - 1e-9)
    assert inside.sum() > 50 and np.allclose(lower[inside], low[inside]) and np.allclose(upper[inside], high[inside])
    assert cdf[np.isfinite(drawn["edge 3"].y)].max() < 0.5 < cdf[np.isfinite(drawn["edge 2"].y)].max()


@pytest.mark.parametrize("name", ["gauss", "beta", "new"])
def test_region_for_k_changed_rewards_and_for_intervals(name):
    panel = region(name, pulls=40, total=20, epsilon=0.5, delta=0.02, changed=3)
    need = float(panel.summary_text.split("δ = ")[1].split(",")[0].split(" ")[0])
    x = np.linspace(-0.5, 1.5, 20001)
    before, after = law(name, 40, 20, 0.5, 0.02), law(name, 40, 23, 0.5, 0.02)
    assert need == pytest.approx((before.cdf(x) - np.exp(0.5) * after.cdf(x)).max(), rel=0.02)
    assert "Group privacy allows 3 changes (1.5, " in panel.summary_text
    intervals = region(name, pulls=40, total=20, epsilon=0.5, delta=0.02, events="intervals", interval=4)
    curve = next(trace for trace in intervals.figure.data if trace.uid == "F")
    assert np.allclose(curve.y, before.cdf(np.asarray(curve.x) + 0.1) - before.cdf(curve.x))
    assert "δ needed" in intervals.table.value and "Lemma 9" in intervals.caption.value
    # of all events a half-line tells most, so Lemma 9 asks twice the δ of Lemma 8 and no more
    one = region(name, pulls=40, total=20, epsilon=0.5, delta=0.02)
    told = [float(p.summary_text.split("δ = ")[1].split(",")[0].split(" ")[0]) for p in (one, intervals)]
    assert told[1] == pytest.approx(2 * told[0], rel=0.02)


def test_region_refuses_more_changes_than_there_are_rewards():
    panel = region("gauss", pulls=2, total=1)
    panel.set(changed=3)
    assert "changed = 3 is not allowed with pulls = 2" in panel.error
