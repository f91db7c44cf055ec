"""Figures in two panels, for papers that shrink the noise in their experiments: as they ran, and with the noise of the
theorems.

Both papers on cascading bandits say that all noise was multiplied by 0.01. We take that for the part of the index that
answers the noise too: were it left as it is, the algorithms would explore as if the noise were there, and play nearly
uniformly, which is not what the papers report.
"""

from collections.abc import Mapping

import xarray as xr

from dpbandits.algorithms.catalogue import ALGORITHMS
from dpbandits.environments import build
from dpbandits.papers.figure import Figure
from dpbandits.papers.joined import panels
from dpbandits.simulation import sweep

PANELS = {"as in the paper": 0.01, "honest noise": 1.0}
HORIZON = 10**5


def multiplied(factor: float) -> dict[str, float]:
    """Noise and the part of the index that answers it, times `factor`: parameters of an algorithm."""
    return {"noise_multiplier": factor, "bonus_multiplier": factor}


def both_noises(**settings: object) -> xr.Dataset:
    """sweep(**settings) with noise_multiplier and bonus_multiplier at 0.01 and at 1, along a dimension `panel` (see
    panels()).
    """
    return panels({name: sweep(**settings, **multiplied(factor)) for name, factor in PANELS.items()})


def bought(algorithm: str, *, list_size: int = 4, **parameters: object) -> str:
    """The ε that the noise × 0.01 stands for, in three digits, from the algorithm's guarantee record."""
    record = ALGORITHMS[algorithm]
    instance = build("cascade-paper", list_size=list_size)
    given = record.bind({**parameters, "noise_multiplier": PANELS["as in the paper"]})
    return f"{float(f'{record.guarantee(given, instance, HORIZON).epsilon:.3g}'):,.10g}"


def two_panels(
    name: str,
    paper: str,
    where: str,
    title: str,
    caption: str,
    builder: str,
    look: Mapping,
    quick: Mapping,
    full: Mapping,
    **settings: object,
) -> Figure:
    """A figure of both_noises() on `cascade-paper`: `quick` and `full` are what differs between the scales."""
    fixed = {"instance": "cascade-paper", "horizon": HORIZON, "seed": 2021, **settings}
    scales = {"quick": {"runs": 4, **quick}, "paper": {"runs": 10, **full}}
    return Figure(
        name,
        title,
        paper,
        where,
        caption,
        both_noises,
        builder,
        fixed,
        scales,
        simulated=True,
        look={"uniform": True, **look},
    )
