"""The semi-bandit explorers: their numbers against the modules they draw."""

import numpy as np
import pytest
from scipy import stats

from dpbandits import catalogue, simulate
from dpbandits.algorithms.semibandit.blind import blind_messages, blind_tree
from dpbandits.environments import build
from dpbandits.explorers import cascade_bounds, one_message, semibandit_bounds, semibandit_regret, vector_tree
from dpbandits.explorers.toolkit.tables import number
from dpbandits.explorers.vector_tree import COMPLETE, READ

SMALL = {"horizon": 500, "runs": 2}
EVERY = ["cucb", "cucb-ldp1", "cucb-ldp2", "cucb-dp", "cucb-dp-least", "cucb-ldp-gauss"]


@pytest.mark.parametrize(
    "instance, given",
    [
        ("good-arms", {"arms": 6, "list_size": 2, "gap": 0.5, "reward": "disjunctive"}),
        ("k-path", {"arms": 6, "list_size": 2}),
        ("public-arms", {"arms": 7, "list_size": 2}),
        ("max-coverage", {"list_size": 1}),
    ],
)
def test_regret_of_all_six_is_simulates(instance, given):
    panel = semibandit_regret(EVERY, instance, epsilon=3.0, **given, **SMALL)
    data = simulate(EVERY, instance, epsilon=3.0, **given, **SMALL).regret.mean("run")
    for name in EVERY:
        assert np.array_equal(panel.view.traces[name].y, data.sel(algorithm=name).values), name
        assert panel.view.traces[name].line.color == catalogue.algorithms()[name].colour


def test_share_of_uniform_play_by_hand():
    # 2 good arms of mean .7 among 5, the others .3: a random pair holds .8 good arms on average, so it loses 1.2 · .4 a
    # round
    panel = semibandit_regret(["cucb-dp"], "good-arms", arms=5, list_size=2, gap=0.4, horizon=1000, runs=2)
    regret = panel.view.traces["cucb-dp"].y[-1]
    assert f"<td class=dpb-num>{regret / 480:.0%}</td>" in panel.table.value and "480.0" in panel.table.value
    assert abs(regret - 480) < 5 * 0.24**0.5 * 2000**0.5 / 2 and "as if it had observed nothing" in panel.message


def test_regret_against_less_than_the_best_has_no_share():
    panel = semibandit_regret(["cucb", "cucb-ldp2"], "max-coverage", **SMALL)
    assert "%" not in panel.table.value and "÷ uniform play" in panel.table.value
    assert panel.message.count("approximation regret") == 1 and "cucb, cucb-ldp2: approximation regret" in panel.message
    panel.set(oracle="exact")
    assert "%" in panel.table.value and "approximation" not in panel.message


def test_paths_that_do_not_come_out_even_are_one_sentence():
    panel = semibandit_regret(["cucb"], "k-path", **SMALL)
    panel.set(arms=10)
    assert (
        panel.error
        == "arms = 10 is not allowed (k-path): the arms are cut into paths of list_size = 4, so it must be a multiple"
        " of 4."
    )
    assert not any(trace.visible for trace in panel.figure.data)


@pytest.mark.parametrize("algorithm, upper", [("cucb-ldp1", 2), ("cucb-ldp2", 4), ("cucb-dp", 8)])
@pytest.mark.parametrize("constants", ["printed", "corrected"])
@pytest.mark.parametrize("instance", ["k-path", "public-arms", "single-arms", "good-arms"])
@pytest.mark.slow
def test_bounds_are_those_of_the_algorithm_on_its_instance(algorithm, upper, constants, instance):
    size = {} if instance == "single-arms" else {"list_size": 2}
    panel = semibandit_bounds(
        algorithm, instance, arms=8, gap=0.2, epsilon=0.5, reach=10**6, constants=constants, **size, **SMALL
    )
    central = algorithm == "cucb-dp"
    # Who is locally private is centrally private too: the larger one is drawn.
    lower = {"k-path": (9,) if central else (6, 9), "public-arms": (9,), "single-arms": () if central else (5,)}.get(
        instance, ()
    )
    known, given = catalogue.bounds(), {"horizon": 10**6, "epsilon": 0.5, "constants": constants}
    built = build(instance, arms=8, gap=0.2, **size)
    assert panel.view.traces["upper"].y[-1] == pytest.approx(
        known[f"chen-theorem-{upper}"].value(**given, instance=built)
    )
    assert bool(panel.view.traces["lower"].visible) is bool(lower) and not panel.error
    if lower:
        by_hand = {n: known[f"chen-theorem-{n}"].value(**given, arms=8, gap=0.2, **size) for n in lower}
        largest = max(by_hand, key=by_hand.get)
        assert panel.view.traces["lower"].y[-1] == pytest.approx(by_hand[largest])
        assert f"Theorem {largest}" in panel.table.value


def test_theorem_10_bounds_the_gaussian_algorithm():
    panel = semibandit_bounds(
        "cucb-ldp-gauss", arms=8, list_size=2, gap=0.2, epsilon=0.5, delta=0.01, reach=10**6, **SMALL
    )
    facts = {"arms": 8, "list_size": 2, "gap_inverse": 0.1, "gap_max": 0.2}  # B_∞ = K = 2
    expected = catalogue.bounds()["cascading-theorem-10"].value(horizon=10**6, epsilon=0.5, delta=0.01, **facts)
    assert panel.view.traces["upper"].y[-1] == pytest.approx(expected) and not panel.error


def test_where_the_bounds_begin_to_say_something():
    panel = semibandit_bounds("cucb-ldp2", "k-path", arms=8, list_size=2, gap=0.4, reach=10**9, **SMALL)
    bound, instance = catalogue.bounds()["chen-theorem-4"], panel.cells[0].instance
    begins = panel.theory.uppers(panel, panel.cells, 10**9)["cucb-ldp2"].falls_below(instance.worst_regret)
    for horizon, below in ((0.9 * begins, False), (1.1 * begins, True)):
        assert (bound.value(horizon=int(horizon), epsilon=1.0, instance=instance) < 0.4 * int(horizon)) is below
    assert f"below the worst policy from about T = {number(float(f'{begins:.2g}'))} on" in panel.summary_text


def test_a_lower_bound_on_the_limit_is_called_so():
    # Theorem 9, m = 8, K = 2, Δ = .4: 2 · 6/.4 = 30; 30 ln T is above the 3/4 · .4 T of uniform play until T = 648
    panel = semibandit_bounds("cucb-dp", "k-path", arms=8, list_size=2, gap=0.4, **SMALL)
    assert "a rate for T → ∞; before T = 648 it would be more than uniform play loses" in panel.summary_text
    assert "a rate for T → ∞" in cascade_bounds("cascade-dp", **SMALL).summary_text


def test_one_message_shows_the_users_messages():
    panel = one_message(epsilon=0.5, arms=8, list_size=3, gap=0.6, users=40, seed=2)
    sent = blind_messages([0.8] * 3 + [0.2] * 5, 3, 0.5, 40, seed=2)
    outcome, everything, one = (panel.view.traces[name] for name in ("outcome", "all", "one"))
    assert np.array_equal(outcome.y, sent.outcomes[-1]) and np.array_equal(everything.y, sent.all_reports[-1])
    assert list(one.y) == [sent.one_report[-1]] and one.x[0] == pytest.approx(sent.place[-1] + 1.12)
    assert list(panel.figure.layout.xaxis.ticktext) == [f"arm {i + 1}" for i in sent.super_arms[-1]]
    assert everything.error_y.array[0] == pytest.approx(2**0.5 * 6) and one.error_y.array[0] == pytest.approx(
        2**0.5 * 2
    )
    for step, shown in ((1, 41), (10, 51), (100, 151)):
        panel.step(step)
        assert panel.values["users"] == shown and f"User {shown}" in panel.figure.layout.title.text
    panel.set(users=4999)
    panel.step(10)
    assert panel.values["users"] == 5000 and not panel.error


def test_errors_of_the_estimates_by_replay():
    panel, means = one_message(epsilon=2.0, arms=6, list_size=2, gap=0.4, users=90, seed=4), [0.7] * 2 + [0.3] * 4
    sent, frame = blind_messages(means, 2, 2.0, 90, seed=4), panel.frame().set_index("users")
    for n in (60, 90):
        every, one = ([[] for _ in range(6)] for _ in range(2))
        for chosen, reports, arm, report in zip(
            sent.super_arms[:n], sent.all_reports, sent.reported, sent.one_report, strict=False
        ):
            for i, x in zip(chosen, reports, strict=True):
                every[i].append(x)
            one[arm].append(report)
        for name, of, scale in (("cucb-ldp1", every, 1.0), ("cucb-ldp2", one, 0.5)):
            off = np.mean([(np.mean(x) - mean) ** 2 for x, mean in zip(of, means, strict=True)]) ** 0.5
            expected = (
                np.mean([(mean * (1 - mean) + 2 * scale**2) / len(x) for x, mean in zip(of, means, strict=True)]) ** 0.5
            )
            assert frame[f"{name}_measured"][n] == pytest.approx(off) and frame[f"{name}_expected"][n] == pytest.approx(
                expected
            )
    assert frame["cucb-ldp2_measured"].isna()[1] and "–" in one_message().table.value


@pytest.mark.slow
def test_expected_error_is_the_measured_one_on_average():
    for name in ("cucb-ldp1", "cucb-ldp2"):
        ratios = []
        for seed in range(150):
            last = one_message(epsilon=1.0, arms=4, list_size=2, users=200, seed=seed).frame().iloc[-1]
            ratios.append(last[f"{name}_measured"] ** 2 / last[f"{name}_expected"] ** 2)
        z = (np.mean(ratios) - 1) / (np.std(ratios, ddof=1) / len(ratios) ** 0.5)
        assert abs(z) < stats.norm.isf(5e-7), (name, z)


def test_vector_tree_marks_the_nodes_and_their_noise():
    panel = vector_tree(t=23, epsilon=0.5, arms=6, list_size=2, seed=1)
    tree, boxes = blind_tree(6, 2, 0.5, 23, seed=1), panel.view.traces["nodes"]
    marked = [(b, b + x) for b, x, c in zip(boxes.base, boxes.x, boxes.marker.color, strict=True) if c == READ]
    assert sorted(marked) == tree.nodes and len(boxes.x) == 127
    complete = [b + x for b, x, c in zip(boxes.base, boxes.x, boxes.marker.color, strict=True) if c == COMPLETE]
    assert max(complete) <= 23 and len(complete) + len(marked) == 23 + 11 + 5 + 2 + 1  # ⌊23/2^k⌋ nodes of each length
    deviation, noise, bonus = (panel.view.traces[name] for name in ("deviation", "noise", "bonus"))
    assert np.allclose(deviation.y, tree.deviation / tree.pulls) and np.allclose(
        noise.y, np.abs(tree.noise) / tree.pulls
    )
    assert np.allclose(bonus.y, 12 * 2 * np.log(64) ** 3 / 0.5 / tree.pulls)
    assert (
        f"variance of {number(2 * 4 * (8 * np.log(64)) ** 2)}" in panel.summary_text
        and "10111 in binary" in panel.summary_text
    )
    panel.set(t=64)
    assert "is that of 1 node" in panel.figure.layout.title.text


def test_noise_beyond_any_number_is_one_sentence():
    panel = vector_tree()
    panel.set(epsilon=5e-324)
    assert "epsilon: 4.94066e-324 is not allowed" in panel.error and "nan" not in panel.summary_text
    panel.set(epsilon=1)
    assert not panel.error and "add up" in panel.summary_text


def test_arms_that_were_never_played_have_no_mean():
    panel = vector_tree(t=1, arms=12, list_size=3)
    assert panel.table.value.count("never") == 9 and len(panel.view.traces["deviation"].x) == 3 and not panel.error
    panel.set(list_size=13)
    assert panel.error == "list_size = 13 is not allowed: it must be <= 12, the number of arms."
