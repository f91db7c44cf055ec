"""Several sweeps as one result: along a setting that others follow, or as the panels of a figure."""

import json
from collections.abc import Mapping

import xarray as xr

from dpbandits.algorithms.catalogue import ALGORITHMS


def along(over: str, parts: Mapping[object, xr.Dataset]) -> xr.Dataset:
    """Results at the values of `over`, each from settings of its own, along a new dimension of this name.

    Guarantees are those of no instance in particular; notes are those of all; other attributes are those of the last
    part.
    """
    data = _regret(over, parts)
    values = json.loads(data.attrs["parameters"])
    records = {name: ALGORITHMS[name].guarantee(given).as_dict() for name, given in values.items()}
    return data.assign_attrs(guarantees=json.dumps(records))


def panels(parts: Mapping[str, xr.Dataset]) -> xr.Dataset:
    """Results along a dimension `panel`. The attribute `panels` holds the guarantees and parameters of each; notes and
    the rest as along().
    """
    facts = {
        name: {key: json.loads(part.attrs[key]) for key in ("guarantees", "parameters")} for name, part in parts.items()
    }
    return _regret("panel", parts).assign_attrs(panels=json.dumps(facts))


def _regret(over: str, parts: Mapping[object, xr.Dataset]) -> xr.Dataset:
    regret = xr.concat([part.regret for part in parts.values()], over).assign_coords({over: list(parts)})
    notes = dict.fromkeys(note for part in parts.values() for note in json.loads(part.attrs["notes"]))
    return xr.Dataset({"regret": regret}, attrs=list(parts.values())[-1].attrs | {"notes": json.dumps(list(notes))})
