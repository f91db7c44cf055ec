"""DP-FTPL-Beta is labelled proved where the mended proof reaches, and no further."""

import pytest

from dpbandits import catalogue


@pytest.mark.parametrize(
    "epsilon, delta, status",
    [
        (1, 0.01, "proved"),
        (0, 1e-6, "proved"),
        (23, 1e-300, "proved"),
        (30, 1e-200, "as claimed, fails"),
        (24, 1e-180, "as claimed, unchecked"),
    ],
)
def test_label(epsilon, delta, status):
    record = catalogue.algorithms()["dp-ftpl-beta"]
    found = record.guarantee(record.bind({"epsilon": epsilon, "delta": delta}))
    assert (found.status, found.scope, found.epsilon, found.delta) == (status, "per-selection", epsilon, delta)
    assert ("do not suffice" in found.note) == (status == "as claimed, fails")
