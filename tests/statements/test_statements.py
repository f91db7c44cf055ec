"""The ledger: every verdict follows from evidence that runs, and every statement is taught where it says."""

import json
import math
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from dpbandits.cli import main
from dpbandits.statements import VERDICTS, examine
from dpbandits.statements import catalogue as ledger
from dpbandits.statements.record import UNDECIDED

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
STATEMENTS = ledger.STATEMENTS
PREFIXES = {
    "wang-zhu": "Wang & Zhu 2024",
    "cascading": "Wang et al. 2021",
    "icassp": "Wang et al. 2022",
    "chen": "Chen et al. 2020",
    "chandak": "Chandak 2023",
}
BY_NAME = [pytest.param(s, id=s.name, marks=pytest.mark.slow if s.slow else ()) for s in STATEMENTS.values()]


@pytest.mark.slow
@pytest.mark.parametrize("statement", BY_NAME)
def test_the_evidence_gives_the_recorded_verdict(statement):
    finding = examine(statement)
    assert finding.agrees, f"{finding.verdict}: {dict(finding.evidence)}"
    json.dumps(finding.as_dict())  # plain numbers, no arrays
    unknown = statement.judge(_nothing_known(finding.evidence))
    assert unknown == UNDECIDED, f"{unknown} without knowing any number"


def _nothing_known(value):
    """The same evidence with every number unknown: a judge that looks at its evidence cannot decide then."""
    if isinstance(value, dict):
        return {name: _nothing_known(v) for name, v in value.items()}
    if isinstance(value, list | tuple):
        return [_nothing_known(v) for v in value]
    return False if isinstance(value, bool) else math.nan


def test_names_and_papers():
    assert len(STATEMENTS) == sum(len(part.statements) for part in ledger.LEDGERS), "a name stands twice"
    for name, statement in STATEMENTS.items():
        prefix = next(p for p in PREFIXES if name.startswith(f"{p}-"))
        assert statement.paper == PREFIXES[prefix]
        assert statement.statement.endswith(".") and len(statement.statement) < 300, name


@cache
def headings(chapter: str) -> set[str]:
    cells = json.loads((NOTEBOOKS / f"{chapter}.ipynb").read_text())["cells"]
    lines = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown").splitlines()
    return {line.lstrip("#").strip() for line in lines if line.startswith("#")}


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_its_chapter_has_that_heading(statement):
    assert statement.heading in headings(statement.chapter)


def test_a_record_must_be_able_to_say_something_else():
    statement = STATEMENTS["wang-zhu-lemma-8"]
    with pytest.raises(ValueError, match="needs a rule"):
        replace(statement, rules={"holds": statement.rules["holds"]})
    with pytest.raises(ValueError, match="must be one of"):
        replace(statement, verdict="true")
    with pytest.raises(ValueError, match="needs a comment"):
        replace(statement, verdict="fails", comment="")


def test_verify_prints_json(capsys):
    assert main(["verify", "wang-zhu-fact-1", "--json", "--workers", "1"]) == 0
    entries = json.loads(capsys.readouterr().out)
    exact = [e for e in entries if e["name"] == "wang-zhu-fact-1"]
    assert len(entries) == len(exact) == 1
    assert {"paper", "where", "statement", "verdict", "recorded", "chapter", "evidence", "seconds"} <= set(exact[0])
    assert exact[0]["verdict"] == exact[0]["recorded"] == "holds" and exact[0]["evidence"]["smallest"] >= 1


@pytest.mark.slow
def test_verify_takes_a_prefix_and_several_processes(capsys):
    assert main(["verify", "wang-zhu-lemma-15", "--json", "--workers", "2"]) == 0  # an exact name is that one alone
    assert len(json.loads(capsys.readouterr().out)) == 1
    assert main(["verify", "wang-zhu-lemma-15-", "--workers", "2"]) == 0
    text = capsys.readouterr().out
    meant = [name for name in STATEMENTS if name.startswith("wang-zhu-lemma-15-")]
    assert "wang-zhu-lemma-15-limits: holds" in text and f"\n{len(meant)} statements" in text


def test_verify_says_where_it_differs(capsys, monkeypatch):
    statement = STATEMENTS["wang-zhu-fact-2"]
    monkeypatch.setitem(STATEMENTS, statement.name, replace(statement, verdict="fails"))
    assert main(["verify", statement.name, "--workers", "1"]) == 1
    said = capsys.readouterr()
    assert "holds, RECORDED fails" in said.out and statement.name in said.err


@pytest.mark.parametrize("name", ["wang-zhu-lemma-99", "", "theorem"])
def test_verify_of_an_unknown_name(name, capsys):
    assert main(["verify", name]) == 2
    assert "statement" in capsys.readouterr().err


def test_every_verdict_occurs():
    assert {s.verdict for s in STATEMENTS.values()} == set(VERDICTS)
