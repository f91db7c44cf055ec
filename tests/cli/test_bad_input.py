"""Every mistake: exit code 2, one sentence on stderr that names the argument and what is allowed, nothing on stdout."""

import os
import stat

import pytest

from dpbandits.cli import main

RUN = ["run", "ucb1", "--instance", "wang-zhu-1", "--horizon", "100", "--runs", "2"]


def run(*extra):
    return [*RUN, *extra]


CASES = {
    "unknown command": (["runn"], ["'runn'", "run"]),
    "unknown option": (run("--epsilon", "1"), ["--epsilon"]),
    "no algorithm": (["run"], ["ALGORITHM", "--instance", "--horizon"]),
    "unknown algorithm": (["run", "ucb2", "--instance", "wang-zhu-1", "--horizon", "9"], ["'ucb2'", "ucb1"]),
    "unknown instance": (["run", "ucb1", "--instance", "wang-zhu-9", "--horizon", "9"], ["'wang-zhu-9'", "wang-zhu"]),
    "unknown parameter": (run("--set", "epsilom=1"), ["'epsilom'"]),
    "horizon zero": (run("--horizon", "0"), ["horizon = 0", ">= 1"]),
    "horizon negative": (run("--horizon", "-5"), ["horizon = -5", ">= 1"]),
    "horizon fractional": (run("--horizon", "10.5"), ["horizon = 10.5", "integer"]),
    "horizon a word": (run("--horizon", "long"), ["horizon = 'long'", "integer"]),
    "horizon nan": (run("--horizon", "nan"), ["horizon = nan", "integer"]),
    "horizon infinite": (run("--horizon", "inf"), ["horizon = inf", "integer"]),
    "horizon a list": (run("--horizon", "10,20"), ["horizon", "integer"]),
    "horizon without end": (run("--horizon", "1e300"), ["horizon", "<="]),
    "runs zero": (run("--runs", "0"), ["runs = 0", ">= 1"]),
    "seed negative": (run("--seed", "-1"), ["seed = -1", ">= 0"]),
    "workers zero": (run("--workers", "0"), ["workers = 0", ">= 1"]),
    "spacing": (run("--spacing", "cubic"), ["spacing = 'cubic'", "log, linear"]),
    "checkpoints zero": (run("--checkpoints", "0"), ["checkpoints = 0", ">= 1"]),
    "checkpoints without end": (run("--checkpoints", "1e12"), ["checkpoints", "<="]),
    "set without value": (run("--set", "gap"), ["'gap'", "name=value"]),
    "set with empty value": (run("--set", "gap="), ["'gap='", "name=value"]),
    "set twice": (run("--set", "gap=0.1", "--set", "gap=0.2"), ["gap", "twice"]),
    "set what has an option": (run("--set", "horizon=5"), ["horizon", "--horizon"]),
    "gap with a bad value in a list": (run("--set", "gap=0.1,0.5"), ["gap = 0.5", "<="]),
    "gap too wide": (run("--set", "gap=0.5"), ["gap = 0.5", "<="]),
    "one arm": (run("--set", "arms=1"), ["arms = 1", ">= 2"]),
    "means missing": (["run", "ucb1", "--instance", "bernoulli", "--horizon", "9"], ["means is missing"]),
    "one mean": (
        ["run", "ucb1", "--instance", "bernoulli", "--horizon", "9", "--set", "means=0.5"],
        ["means = 0.5", "at least 2"],
    ),
    "mean above one": (
        ["run", "ucb1", "--instance", "bernoulli", "--horizon", "9", "--set", "means=0.5,1.5"],
        ["means", "<= 1"],
    ),
    "mean nan": (
        ["run", "ucb1", "--instance", "bernoulli", "--horizon", "9", "--set", "means=0.5,nan"],
        ["means", ">= 0"],
    ),
    "mean missing": (["run", "ucb1", "--instance", "bernoulli", "--horizon", "9", "--set", "means=0.5,"], ["means"]),
    "out without suffix": (run("--out", "result"), ["out = 'result'", ".csv"]),
    "out in no folder": (run("--out", "no-such-folder/x.csv"), ["no-such-folder/x.csv", "no folder"]),
    "epsilon zero": (["run", "dp-se", *RUN[2:], "--set", "epsilon=0"], ["epsilon = 0", "> 0"]),
    "epsilon negative": (["run", "dp-se", *RUN[2:], "--set", "epsilon=-1"], ["epsilon = -1", "> 0"]),
    "epsilon nan": (["run", "dp-se", *RUN[2:], "--set", "epsilon=nan"], ["epsilon = nan", "> 0"]),
    "epsilon infinite": (["run", "dp-se", *RUN[2:], "--set", "epsilon=inf"], ["epsilon = inf", "finite"]),
    "epsilon a word": (["run", "dp-se", *RUN[2:], "--set", "epsilon=small"], ["epsilon = 'small'", "number"]),
    "epsilon and delta zero": (
        ["run", "dp-ftpl-new", *RUN[2:], "--set", "epsilon=0", "--set", "delta=0"],
        ["epsilon = 0", "delta = 0", "> 0"],
    ),
    "delta zero for gauss": (["run", "dp-ftpl-gauss", *RUN[2:], "--set", "delta=0"], ["delta = 0", "> 0"]),
    "delta zero for beta": (["run", "dp-ftpl-beta", *RUN[2:], "--set", "delta=0"], ["delta = 0", "> 0"]),
    "delta above one": (["run", "dp-ftpl-new", *RUN[2:], "--set", "delta=2"], ["delta = 2", "<= 1"]),
    "a choice that is none": (
        ["run", "dp-ftpl-gauss", *RUN[2:], "--set", "start=late"],
        ["start = 'late'", "in-order, round-robin"],
    ),
    "unknown bound": (["bound", "wang-zhu-theorem-5"], ["'wang-zhu-theorem-5'", "wang-zhu-theorem"]),
    "bound without horizon": (["bound", "wang-zhu-theorem-16", "--set", "instance=wang-zhu-1"], ["horizon is missing"]),
    "bound without gaps": (["bound", "wang-zhu-theorem-16", "--set", "horizon=9"], ["gaps is missing"]),
    "bound on an unknown instance": (
        ["bound", "wang-zhu-theorem-16", "--set", "horizon=9", "--set", "instance=x"],
        ["'x'", "instance"],
    ),
    "out with too long a name": (run("--out", 300 * "x" + ".csv"), ["out = 'xxx", "too long"]),
    "unknown figure": (["reproduce", "nosuch", "--out", "x"], ["'nosuch'", "dpbandits list figures"]),
    "figures into too long a name": (["reproduce", "chen-table-1", "--out", 300 * "x"], ["out = 'xxx", "too long"]),
    "vectors of two lengths": (
        [
            "run",
            "omm",
            "--instance",
            "linear-matroid",
            "--horizon",
            "9",
            "--set",
            "vectors=1:0:0,0:1",
            "--set",
            "means=0.5,0.4",
        ],
        ["vectors", "one length", "number 1 has 2 numbers"],
    ),
    "list what": (["list", "papers"], ["'papers'", "figures"]),
}


@pytest.mark.parametrize("case", CASES)
def test_one_clear_sentence(case, capsys, tmp_path, monkeypatch):
    argv, words = CASES[case]
    monkeypatch.chdir(tmp_path)
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and err.startswith("dpbandits: ") and "Traceback" not in err, err
    for word in words:
        assert word in err, err
    assert not list(tmp_path.iterdir())


def test_out_is_refused_before_the_run(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("dpbandits.simulation._run_all", lambda *_: pytest.fail("the run has started"))
    folder = tmp_path / "x.csv"
    folder.mkdir()
    assert main(run("--out", str(folder))) == 2
    assert "it is a folder" in capsys.readouterr().err
    file = tmp_path / "file"
    file.write_text("")
    assert main(run("--out", str(file / "x.csv"))) == 2
    assert "there is no folder" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_protected_folder_is_refused(tmp_path, capsys):
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert main(run("--out", str(tmp_path / "x.csv"))) == 2
        assert "permission denied" in capsys.readouterr().err
    finally:
        tmp_path.chmod(stat.S_IRWXU)
