"""Sweeps over semi-bandits in which several settings move together: what the figures of chen.py compute."""

from collections.abc import Sequence
from typing import Any

import xarray as xr

from dpbandits.papers.joined import along, panels
from dpbandits.simulation import sweep

REWARDS = {"average of the outcomes, B∞ = 1": lambda size: 1.0 / size, "sum of the outcomes, B₁ = 1": lambda size: 1.0}


def companions(choices: int, list_size: int, gap: float) -> dict[str, Any]:
    """Parameters of `super-arms`: K − 1 companions, in every super arm, and one of `choices` further arms.

    One choice has mean 1/2 + Δ/2, all others 1/2 − Δ/2, companions 1/2. The choice alone makes a difference: leave the
    companions out of the reward, and every regret is the same, with B_∞ = B₁ = 1.
    """
    shared = tuple(range(1, list_size))
    means = (*[0.5] * len(shared), 0.5 + gap / 2, *[0.5 - gap / 2] * (choices - 1))
    return {"means": means, "super_arms": tuple((*shared, list_size + j) for j in range(choices))}


def over_companions(list_size: Sequence[int], choices: int, gap: float, **settings: object) -> xr.Dataset:
    """sweep() on companions() along `list_size`."""
    return along(
        "list_size",
        {size: sweep(instance="super-arms", **companions(choices, size, gap), **settings) for size in list_size},
    )


def over_paths(list_size: Sequence[int], bad_arms: int, **settings: object) -> xr.Dataset:
    """sweep() on `k-path` along `list_size`, with `bad_arms` arms in bad paths whatever K is, in a panel for each of
    REWARDS.
    """

    def at(size, scale):
        return sweep(instance="k-path", arms=bad_arms + size, list_size=size, smoothness=scale(size), **settings)

    return panels({name: along("list_size", {k: at(k, scale) for k in list_size}) for name, scale in REWARDS.items()})


def over_horizons(horizon: Sequence[int], **settings: object) -> xr.Dataset:
    """Final regret of sweep() along `horizon`: each is played from its start, since the algorithms look at T."""
    parts = {t: sweep(horizon=t, checkpoints=[t], **settings) for t in horizon}
    data = along("horizon", {t: part.isel(round=-1, drop=True) for t, part in parts.items()})
    return data.assign_attrs(guarantees=list(parts.values())[-1].attrs["guarantees"])
