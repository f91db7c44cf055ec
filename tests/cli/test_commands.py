"""Help that teaches, `list`, `python -m dpbandits`, values on the command line."""

import json
import subprocess
import sys

import pytest

from dpbandits import catalogue
from dpbandits.cli import COMMANDS, main
from dpbandits.cli.output import as_json, number
from dpbandits.cli.values import settings, value
from dpbandits.summary import text_table


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples(command, capsys):
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])
    text = capsys.readouterr().out
    assert f"dpbandits {command}" in text and "examples:" in text


def test_help_says_that_epsilon_is_privacy(capsys):
    with pytest.raises(SystemExit, match="0"):
        main([])
    text = capsys.readouterr().out
    assert "never exploration" in text and all(command in text for command in COMMANDS)


def test_python_dash_m():
    done = subprocess.run(
        [sys.executable, "-m", "dpbandits", "run", "nothing"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1


@pytest.mark.parametrize("kind", ["algorithms", "instances", "bounds", "figures"])
def test_list_names_everything(kind, capsys):
    assert main(["list", kind, "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert [e["name"] for e in entries] == list(getattr(catalogue, kind)())
    for entry in entries:
        assert {"name", "title", "paper", "where", "parameters"} <= set(entry) and entry["title"]
        if kind == "algorithms":
            assert entry["setting"] and entry["guarantee"]["label"]
    assert main(["list", kind]) == 0
    text = capsys.readouterr().out
    assert all(e["name"] in text for e in entries)


def test_list_of_statements(capsys):
    assert main(["list", "statements", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert [e["name"] for e in entries] == list(catalogue.statements())
    for entry in entries:
        assert {"name", "paper", "where", "statement", "verdict", "chapter"} <= set(entry) and entry["statement"]
    assert main(["list", "statements"]) == 0
    text = capsys.readouterr().out
    assert all(e["name"] in text for e in entries)


@pytest.mark.parametrize("kind", ["algorithms", "instances", "bounds", "figures", "statements"])
def test_a_list_fits_a_terminal_of_100_columns(kind, capsys):
    main(["list", kind])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 100 and len(lines) > 2 * len(getattr(catalogue, kind)())


def test_list_alone_is_all_five(capsys):
    main(["list", "--json"])
    kinds = {e["kind"] for e in json.loads(capsys.readouterr().out)}
    assert kinds == {"algorithm", "instance", "bound", "figure", "statement"}


def test_bound_prints_what_the_function_gives(capsys):
    argv = [
        "bound",
        "wang-zhu-theorem-16",
        "--set",
        "instance=wang-zhu-1",
        "--set",
        "horizon=1e6",
        "--set",
        "epsilon=1",
        "--set",
        "delta=0.01",
    ]
    assert main([*argv, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    found = catalogue.bounds()["wang-zhu-theorem-16"].evaluate(
        instance="wang-zhu-1", horizon=10**6, epsilon=1, delta=0.01
    )
    assert (
        result["name"] == "wang-zhu-theorem-16"
        and result["value"] == found.value
        and result["parameters"]["horizon"] == 10**6
    )
    assert [part["value"] for part in result["terms"]] == [term.value for term in found.terms]
    assert result["value_is"] == "sum of terms"
    assert sum(part["value"] for part in result["terms"]) == pytest.approx(found.value)
    assert main(argv) == 0
    printed = capsys.readouterr().out
    assert f"regret ≤ {found.value:.6g}" in printed and "term by term" in printed
    for term in found.terms:
        assert any(f"{term.value:.6g}  {term.words}:  {term.formula}" in line for line in printed.splitlines())


def test_bound_of_one_term_and_bound_that_is_the_largest(capsys):
    assert main(["bound", "cascading-theorem-11", "--set", "horizon=1000"]) == 0
    assert "term by term" not in capsys.readouterr().out
    assert main(["bound", "cascading-theorem-12", "--set", "horizon=1000"]) == 0
    assert "of these, the largest" in capsys.readouterr().out
    assert main(["bound", "cascading-theorem-12", "--set", "horizon=1000", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["value_is"] == "largest term"
    assert max(part["value"] for part in result["terms"]) == pytest.approx(result["value"])


def test_values():
    assert value("1") == 1 and isinstance(value("1"), int)
    assert value("1e-3") == 0.001 and value("guarded-count") == "guarded-count"
    assert value("0.2, 0.5,.7") == (0.2, 0.5, 0.7) and value("count,horizon") == ("count", "horizon")
    assert value("1:0:0,0:1:0") == ((1, 0, 0), (0, 1, 0)) and value("1:0") == ((1, 0),)
    assert value("0:2,1") == ((0, 2), (1,))
    assert value("C:/data") == "C:/data"
    assert settings(["epsilon=1", "means = 0.1,0.2"]) == {"epsilon": 1, "means": (0.1, 0.2)}


def test_json_is_strict():
    assert json.loads(as_json({"a": float("inf"), "b": float("nan"), "c": (1, 2.5), "d": True})) == {
        "a": None,
        "b": None,
        "c": [1, 2.5],
        "d": True,
    }


def test_table_and_numbers():
    assert text_table([("a", 10), ("bcd", 2)], ["x", "yy"], right=(1,)) == "x    yy\n---  --\na    10\nbcd   2"
    assert (
        number(0.1) == "0.1" and number((0.5, 1)) == "0.5,1" and number(tuple(range(20))) == "0,1,2,...,19 (20 values)"
    )
