"""Summaries say what the labelled result says."""

import json

import pytest

from dpbandits import catalogue, simulate, sweep
from dpbandits.summary import promises, summary, text_table, theorems


def test_each_algorithm_has_its_mean_error_and_label():
    result = simulate(["ucb1", "dp-se"], "two-arms", horizon=300, runs=5, epsilon=1)
    head, empty, heads, rule, first, second, *notes = summary(result).splitlines()
    assert head == "after 300 rounds on two-arms, 5 runs" and not empty and set(rule) == {"-", " "}
    assert heads.split() == ["algorithm", "regret", "privacy"]
    for line, name in ((first, "ucb1"), (second, "dp-se")):
        final = result.regret.sel(algorithm=name).isel(round=-1)
        error = final.std("run", ddof=1).item() / 5**0.5
        label = json.loads(result.attrs["guarantees"])[name]["label"]
        assert line.split(maxsplit=4)[:4] == [
            name,
            f"{final.mean().item():,.1f}",
            "±",
            f"{error:,.1f}",
        ] and line.endswith(label)
    assert [n.removeprefix("note: ") for n in notes] == json.loads(result.attrs["notes"]) != []


def test_one_run_has_no_error():
    assert "± 0.0" in summary(simulate("ucb1", "two-arms", horizon=10, runs=1))


def test_a_sweep_has_a_row_for_each_value():
    text = summary(sweep("dp-se", "two-arms", horizon=200, runs=3, epsilon=[0.5, 2], gap=[0.1, 0.2, 0.3]))
    rows = [line.split()[:3] for line in text.splitlines() if line.startswith("dp-se ")]
    assert rows == [["dp-se", e, g] for e in ("0.5", "2") for g in ("0.1", "0.2", "0.3")]
    assert "privacy" not in text


def test_promises_name_every_algorithm_of_the_setting_with_its_label():
    lines = promises("wang-zhu-1", horizon=1000, epsilon=0.5, delta=0.01).splitlines()[2:]
    assert [line.split()[0] for line in lines] == [
        a.name for a in catalogue.algorithms().values() if a.setting == "stochastic"
    ]
    assert any(line.endswith("(0.5, 0.01) per-selection") for line in lines) and any(
        line.endswith("not private") for line in lines
    )


@pytest.mark.parametrize("right, line", [((), "a  1"), ((1,), "a   1")])
def test_columns_line_up(right, line):
    assert text_table([["a", 1]], ["x", "yy"], right).splitlines()[-1] == line


def test_theorems_are_told_in_formulas_and_terms():
    names = ("cascading-theorem-4", "cascading-theorem-12", "cascading-theorem-11")
    shown = theorems(*names, instance="cascade-paper", horizon=10**5, epsilon=0.5)._repr_markdown_()
    for name in names:
        bound = catalogue.bounds()[name]
        assert f"$${bound.formula}$$" in shown and bound.symbols in shown and f"**{bound.where}.**" in shown
        own = {"constants": "corrected"} if name.endswith("-4") else {}
        found = bound.evaluate(horizon=10**5, instance="cascade-paper", epsilon=0.5, **own)
        for term in found.terms:
            value = f"{term.value:,.0f}" if term.value >= 10 else f"{term.value:.3g}"
            assert f"| {term.words} | ${term.formula}$ | {value} |" in shown
    assert "| all together | |" in shown and "| the largest | |" in shown
    assert shown == repr(theorems(*names, instance="cascade-paper", horizon=10**5, epsilon=0.5))


def test_theorems_without_an_instance_or_about_another():
    assert "|" not in repr(theorems("wang-zhu-theorem-16"))
    assert "(It is about single-arms.)" in repr(theorems("chen-theorem-5", instance="k-path"))
    with pytest.raises(ValueError, match="Did you mean wang-zhu-theorem-16"):
        theorems("wang-zhu-theorem-161")
