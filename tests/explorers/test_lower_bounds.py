"""One answer to "which lower bound applies": every panel gives the one of bounds.beside, for every algorithm."""

import pytest

from dpbandits import catalogue
from dpbandits.bounds.beside import WEAKER, arguments, lower_bounds, upper_bound
from dpbandits.environments import build
from dpbandits.explorers import cascade_regret, matroid_regret, regret, semibandit_regret
from dpbandits.explorers.toolkit.theory import Theory

PANELS = {
    "stochastic": (regret, "wang-zhu-1"),
    "cascade": (cascade_regret, "cascade-paper"),
    "semi-bandit": (semibandit_regret, "k-path"),
    "matroid": (matroid_regret, "matroid-table-6.1"),
}
ALGORITHMS = catalogue.algorithms()


def test_every_lower_bound_names_the_scope_that_it_is_about():
    for bound in catalogue.bounds().values():
        assert bound.scope in (("transcript", "local") if bound.kind == "lower" else ("",)), bound.name


@pytest.mark.slow
@pytest.mark.parametrize("name", ALGORITHMS)
def test_all_panels_agree(name):
    record = ALGORITHMS[name]
    make, instance_name = PANELS[record.setting]
    panel = make([name], instance_name, horizon=60, runs=1)
    panel.finish()
    (cell,) = panel.cells
    promise = record.guarantee(cell.parameters, cell.instance)
    scope = promise.scope
    wanted = {
        b.name
        for b in catalogue.bounds().values()
        if b.kind == "lower"
        and b.setting == record.setting
        and b.scope in (scope, WEAKER.get(scope))
        and (not b.families or instance_name in b.families)
        and (
            promise.delta == 0 or record.setting != "stochastic" or any(p.name == "delta" for p in b.parameters)
        )  # the others are about δ = 0
    }
    found = {b.name for b in lower_bounds(record, cell.parameters, build(instance_name))}
    assert found == wanted
    assert {b.name for b in Theory(record.setting, {}).lower_bounds(cell)} == wanted
    if "lower" in panel.controls:
        panel.set(lower=True)
        panel.finish()
        drawn = "Lower bound" in panel.summary_text
        assert drawn is bool(wanted) and ("No lower bound is stated" in panel.caption.value) is not drawn


@pytest.mark.parametrize("name", ["cascade-ldp-laplace", "cucb-ldp2", "dpucb-mat"])
def test_bounds_over_regret_have_the_constants_of_the_page_of_all_settings(name):
    """Where no control asks for other ones: the corrected constants."""
    record = ALGORITHMS[name]
    make, instance_name = PANELS[record.setting]
    panel = make([name], instance_name, horizon=60, runs=1, epsilon=0.5)
    panel.set(upper=True)
    panel.finish()
    bound = upper_bound(record)
    given = arguments(bound, build(instance_name), {"epsilon": 0.5})
    drawn = panel.view.traces[f"{name}, upper"]
    assert given["constants"] == "corrected" and drawn.y[-1] == bound.value(horizon=60, **given)
    assert drawn.y[-1] != bound.value(horizon=60, **given | {"constants": "printed"})
