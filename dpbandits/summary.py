"""Results as short texts, for notebooks and terminals."""

import json

import numpy as np
import xarray as xr

from dpbandits.algorithms.catalogue import ALGORITHMS
from dpbandits.environments import Instance, build
from dpbandits.texts import text_table


def summary(result: xr.Dataset) -> str:
    """The regret at the horizon, mean ± standard error over the runs, for each algorithm and swept value; and what each
    protects.

    result: from simulate() or sweep(). The label of a sweep is left out where it would change along it. Notes on
    unlucky settings come last.
    """
    final = result.regret.isel(round=-1)
    if "algorithm" not in final.dims:
        final = final.expand_dims("algorithm")
    swept = json.loads(result.attrs["swept"])
    labels = (
        {name: guarantee["label"] for name, guarantee in json.loads(result.attrs["guarantees"]).items()}
        if not swept
        else {}
    )
    rows = []
    for name in final.algorithm.values:
        for point in np.ndindex(*(final.sizes[s] for s in swept)):
            at = dict(zip(swept, point, strict=True))
            runs = final.sel(algorithm=name).isel(at).values
            error = runs.std(ddof=1) / np.sqrt(runs.size) if runs.size > 1 else 0.0
            values = [_short(final[s].values[i]) for s, i in at.items()]
            rows.append([name, *values, f"{runs.mean():,.1f}", f"± {error:,.1f}", *([labels[name]] if labels else [])])
    heads = ["algorithm", *swept, "regret", "", *(["privacy"] if labels else [])]
    head = f"after {result.attrs['horizon']:,} rounds on {result.attrs['instance']}, {result.attrs['runs']} runs"
    return "\n".join(
        [
            head,
            "",
            text_table(rows, heads, right=range(1, len(swept) + 3)),
            *(f"note: {n}" for n in json.loads(result.attrs["notes"])),
        ]
    )


def promises(instance: str | Instance, *, horizon: int, **parameters: object) -> str:
    """What every algorithm of the instance's setting protects there: name, title, label, at parameters that it may
    take.
    """
    built = build(instance)
    rows = []
    for algorithm in ALGORITHMS.values():
        if algorithm.setting == built.setting:
            taken = {p.name for p in algorithm.all_parameters}
            values = algorithm.bind({k: v for k, v in parameters.items() if k in taken})
            rows.append((algorithm.name, algorithm.title, algorithm.guarantee(values, built, horizon).label))
    return text_table(rows, ("name", "algorithm", "what is guaranteed"))


def _short(value: object) -> str:
    return f"{value:g}" if isinstance(value, float | int | np.number) else str(value)
