"""The matroid explorers: their numbers against the modules they draw."""

from itertools import permutations

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from dpbandits import catalogue, simulate
from dpbandits.algorithms.matroid.replay import recorded, releases_of
from dpbandits.environments import build
from dpbandits.environments.matroid.instances import linear_bandit
from dpbandits.environments.matroid.questions import best_basis
from dpbandits.explorers import laziness, matroid_bounds, matroid_regret, see_a_matroid
from dpbandits.explorers.see_a_matroid import SHOWN
from dpbandits.explorers.toolkit.matroid_picture import APART, picture
from dpbandits.explorers.toolkit.tables import number

SMALL = {"horizon": 500, "runs": 2}
EVERY = ["omm", "kl-osm", "cts-gauss", "cts-beta", "dpucb-mat", "dpts-mat"]


def test_regret_of_all_six_is_simulates():
    panel = matroid_regret(EVERY, "random-spanning-tree", nodes=5, edge_count=8, graph_seed=3, epsilon=0.4, **SMALL)
    data = simulate(
        EVERY, "random-spanning-tree", nodes=5, edge_count=8, graph_seed=3, epsilon=0.4, **SMALL
    ).regret.mean("run")
    for name in EVERY:
        assert np.array_equal(panel.view.traces[name].y, data.sel(algorithm=name).values), name
        assert panel.view.traces[name].line.color == catalogue.algorithms()[name].colour


def test_share_of_a_random_basis():
    """By all orders of the seven vectors, the loop among them."""
    panel = matroid_regret(["omm"], **SMALL)
    instance = build("matroid-table-6.1")
    values = [instance.means[best_basis(instance.matroid, np.array(order))].sum() for order in permutations(range(7))]
    lost = 500 * (instance.optimal_value - np.mean(values))
    regret = panel.view.traces["omm"].y[-1]
    assert (
        f"<td class=dpb-num>{regret / lost:.0%}</td>" in panel.table.value
        and "a random basis, greedy" in panel.table.value
    )
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
    assert panel.error.startswith(
        "means of length 3 is not allowed (linear-matroid): there must be one for each of the 7"
    )
    box.value = "1, 0\n0, 1\n1, 1\n"
    assert not panel.error and panel.values["vectors"] == ((1, 0), (0, 1), (1, 1))
    assert "vectors=((1.0, 0.0), (0.0, 1.0), (1.0, 1.0)), means=(0.5, 0.4, 0.3)" in panel.code()
    box.value = "1:0,0:1,-2:.5"
    assert panel.values["vectors"][2] == (-2, 0.5) and box.value == "1, 0\n0, 1\n-2, 0.5"


@pytest.mark.parametrize(
    "typed, sentence",
    [
        ("1, 0\n0, x", "vectors = '1, 0\\n0, x' is not allowed: it must be at least one vector of finite numbers."),
        ("", "vectors = [] is not allowed"),
        ("1, 0\n0, 1, 0\n1, 1", "all must have one length, but number 1 has 3 numbers and number 0 has 2 numbers."),
        ("0, 0\n0, 0\n0, 0", "all vectors are zero"),
    ],
)
def test_bad_vectors_are_one_sentence(typed, sentence):
    panel = matroid_regret(["omm"], "linear-matroid", vectors=[[1, 0], [0, 1], [1, 1]], means=[0.5, 0.4, 0.3], **SMALL)
    panel.controls["vectors"].box.value = typed
    assert sentence in panel.error


@pytest.mark.parametrize(
    ("family", "rank"),
    [("uniform-matroid", 3), ("partition-matroid", 3), ("graphic-matroid", 3), ("transversal-matroid", 3)],
)
def test_what_needs_data_opens_with_some(family, rank):
    panel = matroid_regret(["omm", "dpucb-mat"], **SMALL)
    panel.set(instance=family)
    assert not panel.error and panel.cells[0].instance.name == family
    assert panel.cells[0].instance.rank == rank and panel.cells[0].instance.arms == 7
    same = matroid_regret(["omm", "dpucb-mat"], family, **SMALL)
    assert same.frame().equals(panel.frame())


@pytest.mark.parametrize("kind", ["uniform", "partition", "graphic", "transversal"])
def test_rank_and_size_have_sliders(kind):
    panel = matroid_regret(["dpucb-mat"], "good-elements", matroid=kind, **SMALL)
    panel.set(list_size=5, items=9)
    instance = panel.cells[0].instance
    assert not panel.error and (instance.rank, instance.arms, instance.kind) == (
        5,
        9,
        {"uniform": "partition"}.get(kind, kind),
    )
    bound = matroid_bounds("dpucb-mat", "good-elements", matroid=kind, list_size=5, items=9, **SMALL)
    theorem = catalogue.bounds()["chandak-theorem-9"]
    value = theorem.value(horizon=500, epsilon=bound.values["epsilon"], instance=instance)
    assert f">{number(value)}<" in bound.table.value
    panel.set(list_size=10)
    assert panel.error.startswith("list_size = 10 is not allowed (good-elements with items = 9)")


def test_blocks_and_folders(tmp_path):
    panel = matroid_regret(
        ["omm"], "partition-matroid", blocks=[[0, 1], [2]], means=[0.5, 0.4, 0.3], **SMALL
    )  # capacities may be left out
    assert (
        "capacities" not in panel.controls
        and not panel.error
        and eval(panel.code(), {"simulate": simulate}).regret.size
    )
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
    upper = panel.view.traces["upper"]
    assert upper.x[-1] == 10**8 and upper.y[-1] == pytest.approx(bound.value(horizon=10**8, **given))
    begins = panel.theory.uppers(panel, panel.cells, 10**8)[algorithm].falls_below(instance.worst_regret)
    for horizon, below in ((0.9 * begins, False), (1.1 * begins, True)):
        assert (bound.value(horizon=int(horizon), **given) < instance.worst_regret * int(horizon)) is below
    assert f"below the worst policy from about T = {number(float(f'{begins:.2g}'))} on" in panel.summary_text
    assert "a random basis" in panel.table.value and "constants" in panel.controls


def lines_of(panel, name):
    """The ends of the pieces of a trace."""
    trace = next(t for t in panel.figure.data if t.name == name)
    points, pieces = np.column_stack([trace.x, trace.y]), [[]]
    for point in points:
        if np.isnan(point[0]):
            pieces.append([])
        else:
            pieces[-1].append(point)
    return [np.array([piece[0], piece[-1]]) for piece in pieces if piece]


@pytest.mark.parametrize("kind", SHOWN)
def test_every_kind_is_drawn_with_its_bases_and_pairs(kind):
    panel = see_a_matroid(kind)
    instance, (index, basis) = panel.instance, panel.state()
    assert np.array_equal(index, SHOWN[kind][2]) and set(basis) == set(best_basis(instance.matroid, index))
    badges = panel.view.traces["badges"]
    ringed = {
        colour: {e for e, own in enumerate(badges.marker.line.color) if own == colour}
        for colour in badges.marker.line.color
    }
    optimal = set(instance.optimal_basis.tolist())
    assert set(range(instance.arms)) - set(basis) - optimal == ringed["#b0b0b0"] and optimal == ringed["#009E73"]
    assert set(basis) - optimal == ringed["#D55E00"]
    frame = panel.frame()
    changed = frame[frame["kept"] & (frame["element"] != frame["partner"])]
    assert len(lines_of(panel, "pairs of π")) == len(changed) > 0
    places = np.column_stack([badges.x, badges.y])
    for (start, end), row in zip(lines_of(panel, "pairs of π"), changed.itertuples(), strict=True):
        assert np.allclose(start, places[row.element - 1]) and np.allclose(end, places[int(row.partner) - 1])
    assert frame["loss"].sum() == pytest.approx(instance.optimal_value - instance.means[basis].sum())
    bars = panel.view.traces["walk"]
    assert list(bars.y) == sorted((index[e] for e in instance.matroid.elements), reverse=True)
    panel.to_means.click()
    assert len(lines_of(panel, "pairs of π")) == 0 and "loses 0." in panel.summary_text
    assert panel.values["weight_1"] == instance.means[0]


def test_vectors_lie_where_the_projection_puts_them():
    panel = see_a_matroid(linear_bandit([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]], [0.9, 0.8, 0.7, 0.6]))
    for turn in (0.0, 90.0):
        panel.set(turn=turn)
        (one, two, three), up = [piece[1] for piece in lines_of(panel, "in A and A*")], np.cos(np.radians(20))
        if turn == 0:  # the first axis points at the eye: it is seen from 20 degrees above
            assert np.allclose(one, [0, -np.sin(np.radians(20))]) and np.allclose(two, [1, 0])
        else:
            assert np.allclose(one, [-1, 0]) and np.allclose(two, [0, -np.sin(np.radians(20))])
        assert np.allclose(three, [0, up])


def test_the_graphs_lines_join_its_nodes():
    panel = see_a_matroid("graph")
    drawn = [*lines_of(panel, "in A alone"), *lines_of(panel, "in A and A*")]
    kept = sorted(tuple(sorted(panel_node(panel, end) for end in line)) for line in drawn)
    edges = SHOWN["graph"][1]["edges"]
    assert kept == sorted(edges[e] for e in panel.state()[1])


def panel_node(panel, place):
    """The node whose name stands next to this place."""
    names = panel.view.traces["names"]
    return int(names.text[np.argmin(np.hypot(np.array(names.x) - place[0], np.array(names.y) - place[1]))])


@pytest.mark.slow
def test_a_run_is_dpucb_mats():
    panel = see_a_matroid("graph", indices="run", epsilon=0.7, round=57, seed=3)
    played = recorded(panel.instance, 200, 0.7, 3).played
    for at in (1, 57, 200):
        panel.set(round=at)
        index, basis = panel.state()
        assert np.array_equal(index, played.index[at - 1]) and np.array_equal(basis, played.bases[at - 1])
        assert panel.frame()["kept"].sum() == 4 and list(panel.frame().query("kept")["element"] - 1) == list(basis)
    panel.set(round=1)
    assert (
        "∞" in panel.table.value
        and panel.view.traces["walk"].x[0].endswith("∞")
        and np.isfinite(np.array(panel.view.traces["walk"].y, float)).all()
    )
    assert "transcript" in panel.caption.value


def test_what_cannot_be_seen_is_refused():
    with pytest.raises(ValueError, match="at most 12 elements"):
        see_a_matroid("movielens-like")
    with pytest.raises(ValueError, match="Unknown matroid 'vector'.*Did you mean vectors"):
        see_a_matroid("vector")
    with pytest.raises(ValueError, match="must be a matroid instance"):
        see_a_matroid("wang-zhu-1")
    assert not see_a_matroid("random-spanning-tree").error
    assert not see_a_matroid(
        linear_bandit([[1, 0, 0, 0], [0, 1, 0, 0]], [0.5, 0.4])
    ).error  # four dimensions: points in a row


def test_renewals_are_those_of_the_run():
    """From the recorded run by the definition: batches of 1, 2, 4, ... plays in their order, each with one draw of
    noise.
    """
    instance = build("matroid-table-6.1")
    run = recorded(instance, 400, 0.5, seed=2)
    for e in range(7):
        plays = [t + 1 for t, basis in enumerate(run.played.bases) if e in basis]
        releases, waiting = releases_of(run, e)
        for i, release in enumerate(releases):
            own, plays = plays[: 2**i], plays[2**i :]
            assert list(release.rounds) == own
            at = own[-1] - 1
            assert release.total == run.weights[np.array(own) - 1, e].sum() and release.noise == run.noise[at, e]
            assert release.estimate == pytest.approx(run.played.estimate[at, e])
        assert list(waiting) == plays and len(plays) < 2 ** len(releases)
    assert releases == [] and waiting.size == 0  # e7 is a loop


def test_laziness_draws_the_renewals_and_the_errors():
    panel = laziness(4, epsilon=0.5, horizon=400, seed=2)
    releases, waiting = releases_of(recorded(build("matroid-table-6.1"), 400, 0.5, seed=2), 3)
    frame = panel.frame()
    assert list(frame["size"]) == [2**i for i in range(len(releases))] and list(frame["noise"]) == [
        r.noise for r in releases
    ]
    assert np.allclose(frame["estimate"], (frame["total"] + frame["noise"]) / frame["size"])
    steps, errors = panel.view.traces["lazy"], panel.view.traces["lazy_error"]
    assert (
        list(steps.x) == [*frame["last_round"], 400]
        and list(steps.y[:-1]) == list(frame["estimate"])
        and steps.y[-1] == steps.y[-2]
    )
    # K = 3, ε = 1/2: Lap(6) on each sum, variance 72; weights with mean .2
    assert np.allclose(np.square(errors.y[:-1]), 0.16 / frame["size"] + 72 / frame["size"] ** 2)
    tree, observed = panel.view.traces["tree_error"], frame["size"].sum() + waiting.size
    nodes = int(observed).bit_count()  # 400 has 9 digits: Lap(9 · 6) in each node
    assert tree.y[-1] ** 2 == pytest.approx(0.16 / observed + 2 * nodes * 54**2 / observed**2)
    text = (
        f"stands on {frame['size'].iloc[-1]} of these observations; {frame['size'][:-1].sum()} are forgotten,"
        f" {waiting.size} wait."
    )
    assert f"e4 was played in {observed} of 400 rounds" in panel.summary_text and text in panel.summary_text
    assert [t.name for t in panel.figure.data[4:7]] == ["forgotten", "in use", "waiting"]
    last = panel.view.traces["in use"]
    assert (last.x[0], last.x[1]) == (frame["first_round"].iloc[-1], frame["last_round"].iloc[-1])


def test_a_loop_is_never_played_and_an_element_must_exist():
    panel = laziness(7, horizon=50)
    assert "e7 is a loop" in panel.message and len(panel.frame()) == 0 and not panel.error
    with pytest.raises(ValueError, match="arm = 8 is not allowed"):
        laziness(8)
    panel.controls["arm"].box.value = 8
    assert panel.error.startswith("arm = 8 is not allowed: it must be an integer >= 1 and <= 7")
    panel.set(arm=7, instance="random-spanning-tree")
    assert not panel.error and panel.controls["arm"].slider.max == 12
    panel.set(arm=12, nodes=4, edge_count=5)
    assert panel.values["arm"] == 5 and not panel.error


def test_more_privacy_favours_laziness_and_less_the_tree():
    """At small ε noise rules, and the tree has more of it; without noise, forgetting costs up to twice the error."""
    error = lambda panel, name: panel.view.traces[f"{name}_error"].y[-1]
    private, loose = laziness(1, epsilon=0.3), laziness(1, epsilon=1e6)
    assert error(private, "tree") > 2 * error(private, "lazy")
    assert 1 < error(loose, "lazy") / error(loose, "tree") <= 2


@pytest.mark.parametrize("turn", range(0, 361, 5))
def test_numbers_of_turned_vectors_lie_apart(turn):
    """Seen along an axis, vectors lie on each other: their numbers, and the axes' names, do not."""
    shape = picture(see_a_matroid("vectors").instance, (), turn)
    places = np.vstack([shape.badges, shape.points])
    assert pdist(places).min() >= 0.98 * APART
