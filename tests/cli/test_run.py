"""`dpbandits run`: the JSON contract, determinism, files."""

import json
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import xarray as xr

from dpbandits.cli import main
from dpbandits.cli.run import _with_short_integers

RUN = [
    "run",
    "ucb1",
    "--instance",
    "wang-zhu-1",
    "--horizon",
    "2000",
    "--runs",
    "4",
    "--seed",
    "3",
    "--checkpoints",
    "20",
]


def printed(capsys, *argv):
    assert main([*RUN, *argv]) == 0
    return capsys.readouterr().out


def test_json_has_the_contract_s_keys(capsys):
    result = json.loads(printed(capsys, "--json"))
    assert list(result) == [
        "algorithm",
        "instance",
        "parameters",
        "guarantee",
        "rounds",
        "regret_mean",
        "regret_std",
        "final",
        "notes",
        "seconds",
    ]
    assert result["algorithm"] == "ucb1" and result["instance"] == "wang-zhu-1"
    assert result["parameters"] == {"arms": 9, "gap": 0.05, "horizon": 2000, "runs": 4, "seed": 3}
    assert result["guarantee"]["label"] == "not private"
    assert set(result["final"]) == {"mean", "std", "stderr"}
    assert len(result["rounds"]) == len(result["regret_mean"]) == len(result["regret_std"])
    assert result["rounds"][-1] == 2000 and result["final"]["mean"] == result["regret_mean"][-1]


def test_numbers_are_those_of_simulate(capsys):
    from dpbandits import simulate

    result = json.loads(printed(capsys, "--json"))
    regret = simulate("ucb1", "wang-zhu-1", horizon=2000, runs=4, seed=3, checkpoints=20).regret.values
    assert np.allclose(result["regret_mean"], np.mean(regret, axis=0), rtol=1e-15)
    assert np.allclose(result["regret_std"], [np.sqrt(sum((x - x.mean()) ** 2) / 3) for x in regret.T], rtol=1e-12)
    assert result["final"]["stderr"] == pytest.approx(result["final"]["std"] / 2, rel=1e-12)


def test_only_seconds_differs_between_equal_runs(capsys):
    first, second = (json.loads(printed(capsys, "--json", "--workers", workers)) for workers in ("1", "2"))
    del first["seconds"], second["seconds"]
    assert first == second


def test_settings_reach_the_instance(capsys):
    result = json.loads(printed(capsys, "--json", "--set", "arms=5", "--set", "gap=0.1"))
    assert result["parameters"] | {"arms": 5, "gap": 0.1} == result["parameters"]
    main([*RUN[:2], "--instance", "bernoulli", "--set", "means=0.2,0.9", "--horizon", "1e2", "--json"])
    assert json.loads(capsys.readouterr().out)["parameters"]["means"] == [0.2, 0.9]


def test_one_run_says_that_it_has_no_deviation(capsys):
    main([*RUN, "--runs", "1", "--json"])
    result = json.loads(capsys.readouterr().out)
    assert set(result["regret_std"]) == {0.0} and "single run" in result["notes"][-1]


def test_table_shows_label_settings_and_end(capsys):
    text = printed(capsys)
    assert "ucb1 on wang-zhu-1" in text and "not private" in text and "runs = 4" in text
    lines = text.splitlines()
    assert any(line.split()[:1] == ["2,000"] for line in lines) and any(line.startswith("final") for line in lines)


def test_files_hold_every_run(capsys, tmp_path):
    for suffix in ("nc", "csv", "json"):
        printed(capsys, "--out", str(tmp_path / f"result.{suffix}"))
    with xr.open_dataset(tmp_path / "result.nc", engine="scipy") as data:
        assert dict(data.regret.sizes) == {"run": 4, "round": data.sizes["round"]} and data.attrs["horizon"] == 2000
        regret = data.regret.values
    lines = (tmp_path / "result.csv").read_text().splitlines()
    assert lines[0] == "algorithm,run,round,regret" and len(lines) == 1 + regret.size
    assert float(lines[-1].split(",")[-1]) == regret[-1, -1]
    assert json.loads((tmp_path / "result.json").read_text())["final"]["mean"] == regret[:, -1].mean()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["result.csv", "result.json", "result.nc"]


def test_a_failed_write_leaves_nothing(tmp_path, monkeypatch, capsys):
    def broken(path, *_):
        path.write_text("half")
        raise OSError("disk full")

    monkeypatch.setattr("dpbandits.cli.run._write", broken)
    assert main([*RUN, "--out", str(tmp_path / "x.csv")]) == 1
    assert "disk full" in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_interruption_is_one_sentence(monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("dpbandits.simulation._run_all", interrupted)
    assert main(RUN) == 130
    assert "interrupted" in capsys.readouterr().err


#: The command in its own process, which says on stdout when the rounds begin; their kernel is compiled by then.
INTERRUPTED = """import sys
from dpbandits import cli, simulate, simulation
simulate("dp-ftpl-beta", "wang-zhu-2", horizon=200, runs=1, progress=False)
play = simulation.Cell.play
def told(cell, own):
    print("rounds", flush=True)
    return play(cell, own)
simulation.Cell.play = told
sys.exit(cli.main())"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_interruption_while_compiled_rounds_run(tmp_path):
    """10⁹ rounds of 101 Beta draws would take hours; Python raises no KeyboardInterrupt inside them."""
    command = "run dp-ftpl-beta --instance wang-zhu-2 --horizon 1e9 --runs 1 --workers 1 --out".split()
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, *command, str(tmp_path / "x.csv")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # as at a terminal
    )
    assert process.stdout.readline() == "rounds\n"
    time.sleep(0.5)  # from the word into the rounds
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130 and "interrupted" in told and not list(tmp_path.iterdir())


def test_a_seed_beyond_32_bits_is_written(tmp_path):
    file, seed = tmp_path / "long.nc", 2**60 + 1
    assert (
        main(
            [
                "run",
                "ucb1",
                "--instance",
                "two-arms",
                "--horizon",
                "9",
                "--runs",
                "1",
                "--seed",
                str(seed),
                "--out",
                str(file),
            ]
        )
        == 0
    )
    with xr.open_dataset(file, engine="scipy") as data:
        assert data.attrs["seed"] == str(seed) and data.sizes["round"] == 9


def test_rounds_beyond_32_bits_are_written():
    data = xr.Dataset({"regret": ("round", [0.0, 1.0])}, {"round": [1, 10**11]}, {"horizon": 10**11, "runs": 1})
    short = _with_short_integers(data)
    assert short["round"].values.tolist() == [1.0, 1e11] and short.attrs == {"horizon": str(10**11), "runs": 1}


SWEEP = ["run", "dp-se", *RUN[2:], "--set", "epsilon=0.1,1"]


def test_a_list_is_a_dimension(capsys, tmp_path):
    from dpbandits import sweep

    assert main([*SWEEP, "--set", "gap=0.05,0.1", "--json", "--out", str(tmp_path / "x.csv")]) == 0
    result = json.loads(capsys.readouterr().out)
    data = sweep("dp-se", "wang-zhu-1", horizon=2000, runs=4, seed=3, checkpoints=20, epsilon=[0.1, 1], gap=[0.05, 0.1])
    assert result["swept"] == {"epsilon": [0.1, 1], "gap": [0.05, 0.1]}
    assert "epsilon" not in result["parameters"] and result["parameters"]["horizon"] == 2000
    assert [(p["epsilon"], p["gap"]) for p in result["points"]] == [(0.1, 0.05), (0.1, 0.1), (1, 0.05), (1, 0.1)]
    for point in result["points"]:
        regret = data.regret.sel(epsilon=point["epsilon"], gap=point["gap"])
        assert np.allclose(point["regret_mean"], regret.mean("run"), rtol=1e-14)
        assert point["guarantee"]["epsilon"] == point["epsilon"]
    lines = (tmp_path / "x.csv").read_text().splitlines()
    assert lines[0] == "algorithm,epsilon,gap,run,round,regret" and len(lines) == 1 + data.regret.size


def test_a_sweep_reads_as_a_table_and_goes_on_from_its_parts(capsys, tmp_path, monkeypatch):
    assert main([*SWEEP, "--cells", str(tmp_path / "parts")]) == 0
    first = capsys.readouterr().out
    assert "epsilon" in first and "0.1-DP" in first.replace("ε = 0.1", "0.1-DP") and "2,000 rounds" in first
    assert len(list((tmp_path / "parts").iterdir())) == 2
    monkeypatch.setattr("dpbandits.simulation._run_piece", lambda *_: pytest.fail("a part was played again"))
    assert main([*SWEEP, "--cells", str(tmp_path / "parts")]) == 0
    again = capsys.readouterr().out
    cut = [text.split("rounds,")[0] for text in (first, again)]  # but for the seconds
    assert cut[0] == cut[1]


def test_lists_by_nature_stay_lists(capsys):
    assert main(["run", "dp-se", "--instance", "bernoulli", *RUN[4:], "--set", "means=0.2,0.9", "--json"]) == 0
    assert "swept" not in json.loads(capsys.readouterr().out)


def test_parquet_without_pyarrow_is_refused(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main([*RUN, "--out", str(tmp_path / "x.parquet")]) == 2
    assert "needs pyarrow" in capsys.readouterr().err and not list(tmp_path.iterdir())
