"""The semi-bandit kernels on bare arrays: the law of the readable ones, and all other problems handed to these."""

import numpy as np
import pytest

from dpbandits import simulate
from dpbandits.algorithms.semibandit import compact
from dpbandits.environments.semibandit import k_path, max_coverage, public_arms, super_arms, top_k
from tests.law import assert_same_law

GAMES = {
    "top-k": top_k([0.1, 0.2, 0.4, 0.5, 0.5], 2),
    "k-path": k_path(6, 2, 0.8),
    "public-arms": public_arms(7, 3, 1.2),
    "super-arms": super_arms([0.1, 0.3, 0.5, 0.05], [(1, 2, 4), (3,), (2, 4)], unequal=True),
}
# Settings at which indices leave 1, and some come below 0, within the horizon.
SETTINGS = {
    "cucb": {},
    "cucb-ldp1": {"epsilon": 20.0},
    "cucb-ldp2": {"epsilon": 8.0},
    "cucb-dp": {"epsilon": 1000.0},
    "cucb-dp-least": {"epsilon": 500.0, "exact": True},
}
HORIZON = 120


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", SETTINGS)
def test_same_law(name, game):
    """False alarm: 1e-6 a statistic, at most 8 of them a case."""
    plain, fast = (
        simulate(
            name,
            GAMES[game],
            horizon=HORIZON,
            runs=4000,
            checkpoints=[HORIZON // 3],
            workers=1,
            method=method,
            **SETTINGS[name],
        )
        for method in ("plain", "fast")
    )
    for t in (0, -1):
        assert_same_law(plain.regret[:, t].round(6), fast.regret[:, t].round(6), f"{name} on {game}, regret")
    for arm in range(plain.sizes["arm"]):
        assert_same_law(plain.pulls[:, arm], fast.pulls[:, arm], f"{name} on {game}, pulls of arm {arm}")


@pytest.mark.parametrize("name", SETTINGS)
def test_other_problems_are_played_by_the_readable_kernel(name):
    for other in (
        max_coverage([(1, 1), (1, 2), (2, 2)], [0.2, 0.1, 0.5], 1),
        top_k([0.05, 0.2, 0.5], 2, "disjunctive"),
    ):
        assert not compact.is_compact(other.problem[0])
        runs = [
            simulate(name, other, horizon=50, runs=2, seed=1, workers=1, method=method, **SETTINGS[name])
            for method in ("plain", "fast")
        ]
        assert runs[0].regret.shape == runs[1].regret.shape
    for game in GAMES.values():
        assert compact.is_compact(game.problem[0])


def test_arms_of_a_group_share_their_outcome():
    drawn, drawn_at, rng = np.empty(2), np.full(2, -1), np.random.Generator(np.random.SFC64(1))
    for t in range(200):
        first, again = (compact.outcome(0.5, 0, t, drawn, drawn_at, rng) for _ in range(2))
        assert first == again
    others = [compact.outcome(0.5, t % 2, t, drawn, drawn_at, rng) for t in range(200, 4200)]
    assert abs(np.mean(others) - 0.5) < 5 * 0.5 / 4000**0.5
