"""Every bound shows its formula: LaTeX that is whole, with its symbols explained."""

import json

import pytest

from dpbandits import catalogue, cli

BOUNDS = catalogue.bounds()
#: How a parameter is written in a formula; those not listed by their own name are facts in the sums.
SIGNS = {
    "epsilon": r"\varepsilon",
    "delta": r"\delta",
    "xi": r"\xi",
    "c0": "c_0",
    "alpha": r"\alpha",
    "slack": r"\lambda",
}


@pytest.mark.parametrize("name", BOUNDS)
def test_formula(name):
    bound = BOUNDS[name]
    assert bound.formula.count("{") == bound.formula.count("}") and bound.formula.count("(") == bound.formula.count(")")
    sign = r"\ge " if bound.kind == "lower" else r"\le "
    assert sign in bound.formula
    assert (r"\liminf" in bound.formula) == bound.asymptotic
    signs = [SIGNS[p.name] for p in bound.parameters if p.name in SIGNS]
    assert not [sign for sign in signs if sign not in bound.formula and sign != r"\delta"]
    assert bound.symbols


def test_command_line_prints_formula_and_scope(capsys):
    assert cli.main(["list", "bounds", "--json"]) == 0
    listed = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert {name: entry["formula"] for name, entry in listed.items()} == {n: b.formula for n, b in BOUNDS.items()}
    assert listed["wang-zhu-theorem-4"]["scope"] == "transcript"
    arguments = ["--set", "instance=wang-zhu-1", "--set", "horizon=1000", "--set", "epsilon=1", "--set", "delta=0.01"]
    assert cli.main(["bound", "wang-zhu-theorem-16", *arguments]) == 0
    assert BOUNDS["wang-zhu-theorem-16"].formula in capsys.readouterr().out
