"""Every number in a chapter's prose stands in an output, a code cell or a statement of the same chapter."""

import json

import pytest

from dpbandits import catalogue
from tests.notebooks import prose, rules

CHAPTERS = pytest.mark.parametrize("path", rules.paths(), ids=lambda p: p.stem)


def statements(stem: str) -> str:
    """What the ledger states in this chapter, as one text; "" where there is no ledger."""
    known = getattr(catalogue, "statements", dict)()
    return "\n".join(s.statement for s in known.values() if str(s.chapter).startswith(stem[:2]))


@CHAPTERS
def test_prose_repeats_only_what_is_shown(path):
    notebook = json.loads(path.read_text())
    found = prose.unsupported(notebook, prose.exempt(path.stem), statements(path.stem))
    assert not found, f"{path.name}: no output or code cell has\n" + "\n".join(found)


@CHAPTERS
def test_exempt_phrases_are_still_there_and_have_a_reason(path):
    texts = [text for _, text in prose.prose(json.loads(path.read_text()))]
    for phrase, reason in prose.exempt(path.stem).items():
        assert any(phrase in text for text in texts), f"{path.name} no longer says {phrase!r}: take it off the list"
        assert len(reason.split()) >= 3 and prose.numbers(phrase), f"{phrase!r}: say why, and exempt numbers only"


# --- the check itself can fail -------------------------------------------------------------------------------------


def chapter(
    text: str, output: str = "the worst loses 353,681 of 0.1838\n", source: str = "run(horizon=20_000, runs=10**3)"
):
    return {
        "cells": [
            {"cell_type": "markdown", "source": ["# A chapter, 1987"]},
            {"cell_type": "code", "source": [source], "outputs": [{"output_type": "stream", "text": [output]}]},
            {"cell_type": "markdown", "source": [text]},
        ]
    }


@pytest.mark.parametrize(
    "text",
    [
        "It needs 0.106.",
        "Nothing before $1.4\\cdot10^{11}$ rounds.",
        "A loss of 353,682.",
        "About 350 in all.",
        "It is $0.43$ against less.",
        "| a table | 17.5 |",
        "In 95 % of the cases.",
        "Theorem 4 gives 47.",
        "- a list with 12 entries",
    ],
)
def test_a_number_from_nowhere_is_found(text):
    assert len(prose.unsupported(chapter(text), {})) == 1


@pytest.mark.parametrize(
    "text",
    [
        "It needs 0.184, or 0.1838, and loses 353,681: some 350,000.",
        "After 20,000 rounds, that is $20000$, of 1000 runs.",
        "Theorems 4, 11 and 13 of Section 5.2, Figure 5(a), chapters 2 to 5, Table 6.1, 2024.",
        "With $\\epsilon = 0.37$ and $x^2 + 5$ it is a formula; `code(77)` is code; [link](05_x.ipynb).",
        "Two or twelve things; 1 and 2 and 0 count.",
        "1. first\n2. second",
        "The items e7, B1 and 10⁵.",
    ],
)
def test_what_is_shown_or_exempt_passes(text):
    assert prose.unsupported(chapter(text), {}) == []


def test_exemptions_and_statements_count():
    assert prose.unsupported(chapter("One bets 20 to 1."), {"20 to 1": "e³ is about that"}) == []
    assert prose.unsupported(chapter("It begins at 41."), {}, more="The bound begins at 41.") == []
    assert prose.unsupported(chapter("A share of 35 %."), {}) and not prose.unsupported(chapter("35 %", "0.351\n"), {})


def test_rounding_goes_one_way():
    assert prose.supported(0.18, 2, [(0.1838, 4)]) and not prose.supported(0.1838, 4, [(0.18, 2)])
    assert prose.supported(7600, 0, [(7613.0, 0)]) and not prose.supported(7600, 0, [(7713.0, 0)])
    assert not prose.supported(40, 0, [(47.0, 0)])
