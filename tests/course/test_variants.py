"""Variants: a turned dial keeps its solution right and costs the answer to the other version its points."""

import copy
import re

import nbformat
import pytest

from dpbandits.course import variants
from dpbandits.course.judge import check
from tests.course.marked import SETS, SOURCE

DIALS = variants.dials(SOURCE.parent)


def read(name):
    return nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4)


def source(notebook, name):
    return next(cell.source for cell in notebook.cells if cell.id == name)


def fault(notebook, question, answer):
    names: dict = {}
    exec(source(notebook, "setup"), names)
    exec(answer, names)
    wanted = re.findall(r"^def (\w+)", source(notebook, question), re.MULTILINE)
    try:
        check(source(notebook, f"{question}-test"), {function: names[function] for function in wanted})
    except AssertionError as error:
        return str(error)
    return ""


@pytest.mark.slow
@pytest.mark.parametrize("dial", DIALS, ids=lambda dial: f"{dial['set']}, {dial['name']}")
def test_a_turned_dial_asks_something_else(dial):
    before = read(dial["set"])
    after = copy.deepcopy(before)
    variants.turn(after, dial)
    places = {
        change["cell"] for change in dial["change"] if not change["cell"].removeprefix("above ").startswith("see-")
    }
    asked = {place.removesuffix("-test") for place in places if not place.startswith("above")}
    told = {place.removeprefix("above ") for place in places if place.startswith("above")}
    assert asked == told
    for question in asked:
        old, new = source(before, question), source(after, question)
        assert not fault(after, question, new), "the solution of the variant"
        assert fault(after, question, old), "last year's answer"
        assert fault(before, question, new), "the variant's answer, handed in where the dial is not turned"


def test_every_seed_changes_every_set_and_seeds_differ():
    found = [tuple(dial["name"] for dial in variants.chosen(DIALS, seed)) for seed in range(40)]
    assert len(set(found)) > 35 and found[7] == tuple(d["name"] for d in variants.chosen(DIALS, 7))
    assert all({d["set"] for d in variants.chosen(DIALS, seed)} == set(SETS) for seed in range(40))


def test_any_seed_can_be_made(tmp_path):
    for seed in range(6):
        for name in SETS:
            place = tmp_path / str(seed) / "source" / name / f"{name}.ipynb"
            place.parent.mkdir(parents=True)
            nbformat.write(read(name), place)
        (tmp_path / str(seed) / variants.LIST).write_bytes((SOURCE.parent / variants.LIST).read_bytes())
        said = variants.apply(tmp_path / str(seed), seed)
        assert len(said) == len(variants.chosen(DIALS, seed))


def test_a_change_that_fits_nowhere_is_told():
    dial = {"set": "PS1", "name": "x", "change": [{"cell": "respond", "old": "nowhere", "new": ""}]}
    with pytest.raises(ValueError, match="stands 0 times in respond"):
        variants.turn(read("PS1"), dial)
