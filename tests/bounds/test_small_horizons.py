"""Every bound at the smallest horizons, under both constants, on instances and by the command line: a number, no
traceback.
"""

import json

import numpy as np
import pytest

from dpbandits import catalogue
from dpbandits.bounds.regimes import begins
from dpbandits.cli import main
from dpbandits.environments import build

HOMES = {
    "stochastic": ("wang-zhu-1",),
    "cascade": ("cascade-paper",),
    "semi-bandit": ("k-path", "top-k"),
    "matroid": ("matroid-table-6.1",),
}
ASKED = {"c0": 1.0, "alpha": 0.5}


def cases():
    for name, bound in catalogue.bounds().items():
        choices = ("printed", "corrected") if bound.taking(constants="printed") else (None,)
        homes = HOMES[bound.setting] if bound.facts and not bound.families else (None,)
        yield from ((name, constants, home) for constants in choices for home in homes)


@pytest.mark.parametrize("name, constants, home", cases())
def test_a_number_at_every_small_horizon(name, constants, home):
    bound = catalogue.bounds()[name]
    given = (
        bound.taking(**ASKED) | ({"constants": constants} if constants else {}) | ({"instance": home} if home else {})
    )
    for horizon in (1, 2, 3, 4, 5, 7, 10, 100):
        found = bound.evaluate(horizon=horizon, epsilon=1.0, **given)
        assert np.isfinite(found.value) and found.value >= 0
    assert np.isfinite(bound.curve([1, 2, 3], epsilon=1.0, **given)).all()


@pytest.mark.parametrize("theorem", [2, 4])
def test_one_round_on_the_command_line(theorem, capsys):
    command = f"bound chen-theorem-{theorem} --set horizon=1 --set instance=k-path --set constants=corrected --json"
    assert main(command.split()) in (0, None)
    assert np.isfinite(json.loads(capsys.readouterr().out)["value"])


def test_begins_with_corrected_constants():
    home = build("k-path")
    found = begins(
        catalogue.bounds()["chen-theorem-4"], home.worst_regret, instance=home, epsilon=1.0, constants="corrected"
    )
    value = catalogue.bounds()["chen-theorem-4"].value
    for horizon, below in ((found - 1, False), (found, True)):
        at = value(horizon=horizon, instance=home, epsilon=1.0, constants="corrected")
        assert (at < home.worst_regret * horizon) == below


def test_taking_keeps_what_the_bound_takes():
    known = catalogue.bounds()
    assert known["chen-theorem-4"].taking(constants="corrected", epsilon=1.0, horizon=5) == {
        "constants": "corrected",
        "epsilon": 1.0,
    }
    assert known["cascading-theorem-2"].taking(constants="corrected") == {}
