"""The short form of tests/hardening.py, which a longer look uses in full."""

import pytest

from dpbandits import explorers
from tests import hardening


@pytest.mark.slow
@pytest.mark.parametrize("part", ["api", "cli"])
def test_hostile_input(part):
    told, faults = hardening.PARTS[part](8, 400)
    assert not faults, (told, faults)


@pytest.mark.slow
def test_a_short_storm():
    done, faults = 0, []
    for number, name in enumerate(explorers.PANELS):
        if number % 4 == 0:
            moves, found = hardening.storm(name, 12, 1, 12, 10)
            done, faults = done + moves, faults + found
    assert not faults and done > 40, faults


@pytest.mark.slow
def test_killed_crowded_and_spread():
    for part, count in (("kills", 1), ("crowd", 1), ("backends", 1)):
        told, faults = hardening.PARTS[part](60, count)
        assert not faults, (told, faults)
