"""The record of one panel of a paper's figure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import xarray as xr

from dpbandits.parameters import unknown

SCALES = ("quick", "paper")


@dataclass(frozen=True)
class Figure:
    """One panel: what to compute, and how it is drawn.

    title, caption: our own words; the caption says what to see, and what to beware of when comparing.
    compute(**settings) -> Dataset. settings: its arguments at both scales; scales: those that depend on the scale.
    simulated: whether compute() also takes `folder`, `progress` and `workers` (sweep does).
    builder: name of the drawing function in dpbandits.figures.panel; look: its further arguments.
    """

    name: str
    title: str
    paper: str
    where: str
    caption: str
    compute: Callable[..., xr.Dataset]
    builder: str
    settings: Mapping[str, Any]
    scales: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    simulated: bool = False
    look: Mapping[str, Any] = field(default_factory=dict)

    def settings_at(self, scale: str) -> dict[str, Any]:
        """The arguments of compute() at "quick" or "paper" scale. Raises ValueError for another one."""
        if scale not in SCALES:
            raise ValueError(unknown("scale", scale, SCALES))
        return {**self.settings, **self.scales.get(scale, {})}

    def data(self, scale: str = "quick", **how: object) -> xr.Dataset:
        """The panel's numbers. how: `folder`, `progress`, `workers` as for sweep(), where the panel is simulated."""
        return self.compute(**self.settings_at(scale), **(how if self.simulated else {}))
