"""The league: rules that hold are ranked by what they lose; who peeks, breaks off or promises too much is told."""

import json

import pytest

from dpbandits.cli import main

pytest.importorskip("psutil", reason="the test extra is not installed")
from dpbandits.course import league, standings  # noqa: E402

pytestmark = pytest.mark.slow

HEAD = """\
import numpy as np
from dpbandits import claim

def mine(means, horizon, checkpoints, streams, epsilon=1.0):
    arms, total, c, chosen = means.size, 0.0, 0, -1
    regret, sums, pulls = np.empty(checkpoints.size), np.zeros(means.size), np.zeros(means.size)
    for t in range(1, horizon + 1):
"""
TAIL = """\
        reward = streams.environment.random() < means[arm]
        sums[arm] += reward
        pulls[arm] += 1
        total += means.max() - means[arm]
        if t == checkpoints[c]:
            regret[c] = total
            c += 1
    return regret

"""
COMMITS = """\
        if t <= 100 * arms:
            arm = (t - 1) % arms
        elif chosen < 0:
            noisy = np.zeros(arms)
            for a in range(arms):
                noisy[a] = sums[a] + streams.noise.laplace(0.0, 1.0 / epsilon)
            chosen = arm = int(np.argmax(noisy))
        else:
            arm = chosen
"""
GREEDY = "        arm = t - 1 if t <= arms else int(np.argmax(sums / pulls))\n"
PEEKS = "        arm = int(np.argmax(means))\n"
CLAIMED = 'policy = claim(mine, "each reward is in one noisy sum", epsilon="epsilon")\n'
WORK = {
    "ada/policy.py": HEAD + COMMITS + TAIL + CLAIMED,
    "bob/policy.py": HEAD + GREEDY + TAIL + CLAIMED,
    "eve/policy.py": HEAD + PEEKS + TAIL + CLAIMED,
    "ivy/policy.py": "import os\ndef policy(means, horizon, checkpoints, streams):\n    os._exit(0)\n",
    "<b>joe/policy.py": HEAD + COMMITS + TAIL + "policy = mine\n",
    "kim/policy.py": "polcy = 1\n",
    "lea/policy.py": "def policy(arms):\n    return 1\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("submitted")
    for name, source in WORK.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(source, encoding="utf-8")
    (root / "zoe").mkdir()
    cell = {"cell_type": "code", "source": (HEAD + COMMITS + TAIL + CLAIMED).splitlines(True), "metadata": {}}
    (root / "zoe" / "mine.ipynb").write_text(json.dumps({"cells": [cell], "nbformat": 4}), encoding="utf-8")
    (root / "notes.txt").write_text("hello")
    return root


@pytest.fixture(scope="module")
def played(folder):
    return league.play(folder, horizon=2000, runs=4, seed=5, trials=4000)


def of(played, who):
    return next(team for team in played.teams if team.who == who)


def test_the_same_code_earns_the_same_whether_file_or_notebook(played):
    assert of(played, "ada").games == of(played, "zoe").games and of(played, "ada").shares
    assert of(played, "ada").guarantee["epsilon"] == 1 and not of(played, "ada").refuted


def test_a_promise_that_is_not_kept_is_refuted_and_comes_after_those_that_stand(played):
    bob = of(played, "bob")
    assert bob.refuted and bob.tried["epsilon"] > 1 and bob.shares
    order = [team.who for team in played.teams if team.setting == "stochastic"]
    assert order.index("bob") > order.index("ada")


def test_who_looks_at_the_means_is_found_out(played):
    assert "other means" in of(played, "eve").wrong and not of(played, "eve").shares


@pytest.mark.parametrize("who, why", [("ivy", "ended"), ("kim", "policy"), ("lea", "does not fit")])
def test_what_cannot_be_played_is_told(played, who, why):
    assert why in of(played, who).wrong


def test_what_no_policy_has_a_use_for_is_flagged(played):
    assert any("import os" in flag for flag in of(played, "ivy").flags) and not of(played, "ada").flags


def test_names_are_text_and_ours_have_no_rank(played):
    page = standings.page(played)
    assert "<b>joe" not in page and "&lt;b&gt;joe" in page and "notes.txt" in page
    rows = standings.rows(played)
    assert [r["rank"] for r in rows if r["ours"]] == [None] * 4
    ranked = [r for r in rows if r["rank"]]
    assert [r["rank"] for r in ranked] == list(range(1, 1 + len(ranked)))
    assert [r["share"] for r in ranked] == sorted(r["share"] for r in ranked)
    assert {r["who"] for r in ranked} == {"ada", "zoe", "<b>joe"}


def test_instances_follow_the_seed_and_ours_play_the_same_ones():
    assert league.hidden("matroid", 1) == league.hidden("matroid", 1) != league.hidden("matroid", 2)
    for setting in league.GROUNDS:
        for seed in range(50):
            for family, own in league.hidden(setting, seed):
                means = sorted(own.get("means", own.get("attraction")))
                assert 0.1 <= means[0] and means[-1] <= 0.9 and means[-1] - means[-2] >= 0.049
                assert league.build(family, **own).uniform_regret > 0


def test_the_command_writes_its_page_and_refuses_what_it_cannot_play(folder, tmp_path, capsys):
    small = tmp_path / "one"
    small.mkdir()
    (small / "kim.py").write_text(WORK["ada/policy.py"])
    out = tmp_path / "page.html"
    command = ["league", str(small), "--out", str(out), "--horizon", "500", "--runs", "2", "--trials", "100"]
    assert main(command) == 0
    assert "kim" in capsys.readouterr().out and "kim" in out.read_text(encoding="utf-8")
    for bad in (["--horizon", "0"], ["--epsilon", "nan"], ["--trials", "2"], ["--out", str(tmp_path / "x.pdf")]):
        assert main([*command, *bad]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert main(["league", str(tmp_path / "none")]) == 2
    (tmp_path / "empty").mkdir()
    assert main(["league", str(tmp_path / "empty"), "--json"]) == 2
