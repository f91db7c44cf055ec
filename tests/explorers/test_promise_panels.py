"""Ceilings, floors and the race at one promise: the panels' numbers against the functions that they show."""

import asyncio
import math

import numpy as np
import pytest

from dpbandits import account, audit, calibrate, simulate
from dpbandits.auditing.calibration import one_selection
from dpbandits.bounds.beside import same_items
from dpbandits.environments import build
from dpbandits.explorers import fair_race, privacy_over_time

SMALL = {"horizon": 600, "runs": 2}


def test_ceilings_are_the_accountants():
    panel = privacy_over_time(["thompson-gauss", "dp-se"], horizon=4000, arms=3, epsilon=0.4, trials=50)
    instance = same_items("stochastic", items=3, list_size=1)
    for name, given in (("thompson-gauss", {}), ("dp-se", {"epsilon": 0.4})):
        drawn = panel.view.traces[name]
        for t, epsilon in zip(drawn.x, drawn.y, strict=True):
            wanted = account(name, instance, horizon=int(t), **given).epsilon
            assert wanted == pytest.approx(epsilon) if wanted > 0 else np.isnan(epsilon)
    assert f"{account('thompson-gauss', instance, horizon=4000).epsilon:,.0f}" in panel.summary_text


def test_floors_are_the_audits_and_below_the_ceilings():
    panel = privacy_over_time(["thompson-gauss"], horizon=3000, trials=300, seed=4)
    ceiling, floor = panel.view.traces["thompson-gauss"], panel.view.traces["thompson-gauss: floor"]
    assert len(floor.x) == 3
    found = audit("thompson-gauss", horizon=3000, trials=300, seed=4, delta_total=1e-5)
    assert floor.x[-1] == 3000 and floor.y[-1] == pytest.approx(found.epsilon_at_least) and floor.y[-1] > 1
    for t, low in zip(floor.x, floor.y, strict=True):
        assert low <= np.interp(t, ceiling.x, ceiling.y)


@pytest.mark.slow
def test_what_has_no_ceiling_shows_its_floor_and_says_why():
    panel = privacy_over_time(setting="cascade", horizon=500, trials=400)
    assert np.isnan(np.asarray(panel.view.traces["cascade-ldp-laplace"].y, float)).all()
    floor = panel.view.traces["cascade-ldp-laplace: floor"]
    assert floor.visible and min(floor.y) > 2 and "their number gives the click position" in panel.caption.value
    assert "dp-se is not audited" in privacy_over_time(["dp-se"], horizon=200, trials=50).caption.value


def test_a_parameter_that_one_algorithm_refuses_is_told_and_the_rest_stays():
    panel = privacy_over_time(["dp-ftpl-gauss", "adap-ucb"], horizon=200, delta=0.0, trials=50)
    assert "delta = 0 is not allowed (dp-ftpl-gauss)" in panel.error
    assert panel.view.traces["adap-ucb"].visible and not panel.view.traces["dp-ftpl-gauss"].visible
    panel.set(delta=0.01)
    assert not panel.error and panel.view.traces["dp-ftpl-gauss"].visible


@pytest.mark.slow
def test_the_first_picture_comes_before_the_rest_and_a_move_drops_it():
    async def live():
        panel = privacy_over_time(["thompson-gauss", "dp-ftpl-new"], horizon=2000, trials=100)
        early = panel.steps.left
        assert early and not panel.stop_button.disabled and panel.ceilings
        panel.set(epsilon=0.2)
        for _ in range(600):
            await asyncio.sleep(0.1)
            if not panel.steps.left:
                break
        assert not panel.steps.left and panel.stop_button.disabled and panel.message == "Drawn."
        assert all(found.guarantee.epsilon == 0.2 for found in panel.ceilings["dp-ftpl-new"].values())
        panel.set(epsilon=0.3)
        panel.finish()
        assert {len(found) for found in panel.ceilings.values()} == {len(panel.horizons)}
        return panel.frame()

    frame = asyncio.run(live())
    again = privacy_over_time(["thompson-gauss", "dp-ftpl-new"], horizon=2000, trials=100, epsilon=0.3).frame()
    order = ["algorithm", "what", "rounds"]
    assert frame.sort_values(order, ignore_index=True).equals(again.sort_values(order, ignore_index=True))


def test_each_races_with_what_calibrate_says():
    panel = fair_race(algorithms=["adap-ucb", "dp-ftpl-gauss", "cucb-ldp2"], epsilon=0.7, **SMALL)
    instance = build("wang-zhu-1")
    for name in ("adap-ucb", "dp-ftpl-gauss", "cucb-ldp2"):
        arena = build("top-k", means=tuple(instance.means), list_size=1) if name == "cucb-ldp2" else instance
        given = calibrate(name, 0.7, 1e-5, 600, arena)
        wanted = simulate(name, arena, horizon=600, runs=2, seed=0, checkpoints=[600], **given).regret.mean().item()
        assert panel.view.traces[name].y[-1] == pytest.approx(wanted) and f"{name} {wanted:,.0f}" in panel.summary_text
        assert account(name, arena, horizon=600, **given).epsilon <= 0.7
    assert "each user" in panel.table.value and "the learner" in panel.table.value


def test_by_default_all_race_that_can_make_the_promise():
    panel = fair_race("matroid", **SMALL)
    assert panel.values["algorithms"] == ("dpucb-mat", "dpts-mat")
    panel = fair_race("cascade", **SMALL)
    assert panel.values["algorithms"] == ("cascade-ldp-first", "cascade-dp-first", "cascade-dp-lazy")
    panel.set(algorithms=["cascade-dp", "cascade-dp-lazy"])
    assert "algorithm = cascade-dp cannot be made" in panel.caption.value and not panel.error
    panel.set(algorithms=["cascade-dp"])
    assert panel.error.startswith("algorithm = cascade-dp cannot be made")


def test_against_epsilon():
    panel = fair_race(algorithms=["dp-imed"], against="epsilon", epsilon=0.5, **SMALL)
    drawn = panel.view.traces["dp-imed"]
    assert list(drawn.x) == [0.1, 0.3, 0.5, 1, 3, 10] and drawn.y[0] > drawn.y[-1]
    at = simulate(
        "dp-imed", "wang-zhu-1", checkpoints=[600], **SMALL, **calibrate("dp-imed", 3, 1e-5, 600, "wang-zhu-1")
    )
    assert drawn.y[4] == pytest.approx(at.regret.mean().item())


def test_one_selection():
    assert one_selection("dp-ftpl-new", 1, 0.01, 5000) == {"epsilon": 1, "delta": 0.01}
    assert one_selection("adap-ucb", 1, 0, 5000) == calibrate("adap-ucb", 1, 0, 5000)
    found = one_selection("dp-ts", 1, 1e-5, 10**5, "two-arms")
    from dpbandits.mechanisms.gaussian import epsilon_from_mu

    assert epsilon_from_mu(1e-5, 1 / math.sqrt(2 * found["variance"])) == pytest.approx(1, rel=1e-3)
    for name, words in (("thompson-gauss", "cannot be made"), ("dp-ftpl-gauss", "delta = 0 is not allowed")):
        with pytest.raises(ValueError, match=words):
            one_selection(name, 1, 0 if name == "dp-ftpl-gauss" else 1e-5, 100)
    with pytest.raises(ValueError, match="cannot be made .* mended|cannot be made"):
        one_selection("dp-ftpl-beta", 30, 1e-200, 1000)


def test_what_promises_nothing_has_its_own_line_in_the_table():
    panel = fair_race(algorithms=["adap-ucb", "dp-se"], **SMALL)
    drawn = panel.view.traces["plain"]
    assert drawn.line.dash == "dash" and drawn.visible
    (row,) = [row for row in panel.table.value.split("<tr") if "ucb1" in row]
    assert f"dpb-swatch dpb-{drawn.line.dash}'" in row and f"--dpb-light:{drawn.line.color}" in row


def test_a_live_race_grows_as_algorithms_are_calibrated():
    async def live():
        panel = fair_race(algorithms=["adap-ucb", "dp-ucb", "dp-ftpl-new"], **SMALL)
        assert "adap-ucb" in panel.summary_text or panel.steps.left
        for _ in range(900):
            await asyncio.sleep(0.1)
            if not panel.steps.left and panel.engine.job and panel.engine.job.told:
                break
        return panel.summary_text

    text = asyncio.run(live())
    assert text == fair_race(algorithms=["adap-ucb", "dp-ucb", "dp-ftpl-new"], **SMALL).summary_text
    assert "dp-ucb " in text and "dp-ftpl-new" in text


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: privacy_over_time(["dp-see"]), "Unknown algorithm 'dp-see'"),
        (lambda: privacy_over_time(setting="linear"), "Unknown setting 'linear'"),
        (
            lambda: privacy_over_time(["dp-se", "cucb-dp"]),
            "cucb-dp is not allowed: it is not of the stochastic setting",
        ),
        (lambda: privacy_over_time(trials=10**6), "trials = 1000000 is not allowed"),
        (lambda: privacy_over_time(delta_total=1.0), "delta_total = 1 is not allowed"),
        (lambda: fair_race("linear"), "Unknown setting 'linear'"),
        (lambda: fair_race(algorithms=["cucb-dp"]), "Unknown algorithm of this race 'cucb-dp'"),
        (lambda: fair_race(promise="some"), "promise = 'some' is not allowed"),
        (lambda: fair_race(against="arms"), "against = 'arms' is not allowed"),
        (lambda: fair_race(epsilon=0), "epsilon = 0 is not allowed"),
        (lambda: fair_race(delta=1), "delta = 1 is not allowed"),
        (lambda: fair_race(nosuch=1), "Unknown parameter 'nosuch' of this explorer"),
    ],
)
def test_bad_input(make, words):
    with pytest.raises(ValueError) as caught:
        make()
    assert words in str(caught.value)
