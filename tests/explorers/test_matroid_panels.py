"""The matroid explorers: their numbers against the modules they draw."""

from itertools import permutations

import numpy as np
import pytest

from dpbandits import catalogue, simulate
from dpbandits.environments import build
from dpbandits.environments.matroid.questions import best_basis
from dpbandits.explorers import matroid_bounds, matroid_regret
from dpbandits.explorers.tables import number

SMALL = {"horizon": 500, "runs": 2}
EVERY = ["omm", "kl-osm", "cts-gauss", "cts-beta", "dpucb-mat", "dpts-mat"]


def test_regret_of_all_six_is_simulates():
    panel = matroid_regret(EVERY, "random-spanning-tree", nodes=5, edge_count=8, graph_seed=3, epsilon=0.4, **SMALL)
    data = simulate(EVERY, "random-spanning-tree", nodes=5, edge_count=8, graph_seed=3, epsilon=0.4, **SMALL).regret.mean("run")
    for name in EVERY:
        assert np.array_equal(panel.figure.data[panel.places[name][1]].y, data.sel(algorithm=name).values), name
        assert panel.figure.data[panel.places[name][1]].line.color == catalogue.algorithms()[name].colour


def test_share_of_a_random_basis():
    """By all orders of the seven vectors, the loop among them."""
    panel = matroid_regret(["omm"], **SMALL)
    instance = build("matroid-table-6.1")
    values = [instance.means[best_basis(instance.matroid, np.array(order))].sum() for order in permutations(range(7))]
    lost = 500 * (instance.optimal_value - np.mean(values))
    regret = panel.figure.data[panel.places["omm"][1]].y[-1]
    assert f"<td class=dpb-num>{regret / lost:.0%}</td>" in panel.table.value and "a random basis, greedy" in panel.table.value
    error = np.std(values) / 10_000**0.5
    assert abs(instance.uniform_regret - lost / 500) < 5 * error  # false alarm below 1e-6; the seed is fixed


def test_a_single_basis_has_no_share():
    panel = matroid_regret(["omm"], "linear-matroid", vectors=[[1, 0], [0, 1]], means=[0.5, 0.25], **SMALL)
    assert "÷ a random basis" in panel.table.value and "%" not in panel.table.value and not panel.error


def test_vectors_are_typed_line_by_line_or_as_on_the_command_line():
    panel = matroid_regret(["omm"], "linear-matroid", **SMALL)
    box = panel.controls["vectors"].box
    assert box.value.splitlines()[3] == "1, 0, 1"
    panel.set(means="0.5, 0.4, 0.3")
    assert panel.error.startswith("means = 3 numbers is not allowed (linear-matroid): there must be one for each of the 7")
    box.value = "1, 0\n0, 1\n1, 1\n"
    assert not panel.error and panel.values["vectors"] == ((1, 0), (0, 1), (1, 1))
    assert "vectors=((1.0, 0.0), (0.0, 1.0), (1.0, 1.0)), means=(0.5, 0.4, 0.3)" in panel.code()
    box.value = "1:0,0:1,-2:.5"
    assert panel.values["vectors"][2] == (-2, 0.5) and box.value == "1, 0\n0, 1\n-2, 0.5"


@pytest.mark.parametrize(
    "typed, sentence",
    [
        ("1, 0\n0, x", "vectors = '1, 0\\n0, x' is not allowed: it must be at least 1 vectors of finite numbers."),
        ("", "vectors = [] is not allowed"),
        ("1, 0\n0, 1, 0\n1, 1", "all must have one length, but number 1 has 3 numbers and number 0 has 2 numbers."),
        ("0, 0\n0, 0\n0, 0", "all vectors are zero"),
    ],
)
def test_bad_vectors_are_one_sentence(typed, sentence):
    panel = matroid_regret(["omm"], "linear-matroid", vectors=[[1, 0], [0, 1], [1, 1]], means=[0.5, 0.4, 0.3], **SMALL)
    panel.controls["vectors"].box.value = typed
    assert sentence in panel.error


def test_what_needs_data_asks_for_it(tmp_path):
    with pytest.raises(ValueError, match="edges is missing .graphic-matroid.: give edges = at least 1 vectors"):
        matroid_regret(["omm"], "graphic-matroid", **SMALL)
    panel = matroid_regret(["omm"], "partition-matroid", blocks=[[0, 1], [2]], means=[0.5, 0.4, 0.3], **SMALL)  # capacities may be left out
    assert "capacities" not in panel.controls and not panel.error and eval(panel.code(), {"simulate": simulate}).regret.size
    panel = matroid_regret(["omm"], "movielens", folder=str(tmp_path), **SMALL)
    assert "movies.dat cannot be read" in panel.error and panel.controls["folder"].box.value == str(tmp_path)


def test_a_user_who_comes_again_is_told_of():
    panel = matroid_regret(["omm", "dpucb-mat"], "movielens-like", **SMALL)
    assert "each of the 6040 users is drawn" in panel.message and panel.message.count("users") == 1


@pytest.mark.parametrize("algorithm, theorem", [("dpucb-mat", 9), ("dpts-mat", 11)])
@pytest.mark.parametrize("constants", ["printed", "corrected"])
def test_bounds_are_those_of_the_algorithm(algorithm, theorem, constants):
    panel = matroid_bounds(algorithm, epsilon=0.5, constants=constants, reach=10**8, **SMALL)
    bound, instance = catalogue.bounds()[f"chandak-theorem-{theorem}"], panel.cells[0].instance
    given = {"epsilon": 0.5, "instance": instance, "constants": constants}
    upper = panel.figure.data[2]
    assert upper.x[-1] == 10**8 and upper.y[-1] == pytest.approx(bound.value(horizon=10**8, **given))
    begins = panel.theory.uppers(panel, panel.cells, 10**8)[algorithm].falls_below(instance.worst_regret)
    for horizon, below in ((0.9 * begins, False), (1.1 * begins, True)):
        assert (bound.value(horizon=int(horizon), **given) < instance.worst_regret * int(horizon)) is below
    assert f"below the worst policy from about T = {number(float(f'{begins:.2g}'))} on" in panel.summary_text
    assert "a random basis" in panel.table.value and "constants" in panel.controls
