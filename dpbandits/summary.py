"""Results as short texts, for notebooks and terminals."""

import json

import numpy as np
import xarray as xr

from dpbandits.algorithms.catalogue import ALGORITHMS
from dpbandits.bounds import BOUNDS, Bound
from dpbandits.bounds.beside import arguments
from dpbandits.environments import Instance, build
from dpbandits.parameters import unknown
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


class Theorems:
    """Formulas that a notebook sets, as Markdown; as plain text the same, unset."""

    def __init__(self, text: str):
        self.text = text

    def _repr_markdown_(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text


def theorems(
    *names: str, horizon: int = 10**6, instance: str | Instance | None = None, **parameters: object
) -> Theorems:
    """Bounds of the catalogue as formulas: each with its symbols, and with its value term by term where it can be had.

    instance: in place of the facts that a bound asks for; without one, formulas alone. parameters: `epsilon`, `delta`,
    `constants` ("corrected" where left out), ...; each bound takes its own. Raises ValueError for an unknown name.
    """
    built = None if instance is None else build(instance)
    parts = []
    for name in names:
        if name not in BOUNDS:
            raise ValueError(unknown("bound", name, BOUNDS))
        bound = BOUNDS[name]
        parts.append(f"**{bound.where or bound.name}.** {bound.title}:\n\n$${bound.formula}$$\n\n*{bound.symbols}.*")
        if built is not None:
            parts.append(_in_terms(bound, built, horizon, parameters))
    return Theorems("\n\n".join(parts))


def _in_terms(bound: Bound, instance: Instance, horizon: int, parameters: dict) -> str:
    """A table of a bound's terms and their values at a horizon; a sentence where it is not about the instance."""
    if bound.families and instance.name not in bound.families:
        return f"(It is about {' or '.join(bound.families)}.)"
    found = bound.evaluate(horizon=horizon, **arguments(bound, instance, parameters))
    rows = [f"| {term.words} | ${term.formula}$ | {_rounded(term.value)} |" for term in found.terms]
    if len(rows) > 1:
        rows.append(f"| {'the largest' if found.largest else 'all together'} | | {_rounded(found.value)} |")
    return "\n".join([f"| at T = {horizon:,} | | |", "|:--|:--|--:|", *rows])


def _rounded(value: float) -> str:
    return f"{value:,.0f}" if 10 <= value < 1e10 else f"{value:.3g}"


def _short(value: object) -> str:
    return f"{value:g}" if isinstance(value, float | int | np.number) else str(value)
