"""A policy of one's own: its setting, its claim, and its place among all others.

A policy is a plain function with a kernel's signature (algorithms/record.py). What it promises nobody knows, so its
label is "unknown" until its author states a guarantee and why it holds; then the label says that it is a claim.
smoke.py tries it.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr

from dpbandits.algorithms.catalogue import ALGORITHMS, as_algorithm
from dpbandits.algorithms.record import Algorithm
from dpbandits.environments import INSTANCES, Instance, build
from dpbandits.parameters import HORIZON, Parameter, check_function, unknown
from dpbandits.privacy import Guarantee
from dpbandits.simulation import cells_for, simulate

#: What neighbours are, by scope: (unit, relation).
UNITS = {
    "per-selection": ("one reward", "the same history with one of its rewards changed"),
    "transcript": ("one reward", "the same rewards with one of them changed"),
    "local": ("one user's feedback", "any two feedbacks of one user"),
    "global": ("one reward", "the same rewards with one of them changed"),
}
BOUNDED = Parameter("epsilon", "", low=0)
SLACK = Parameter("delta", "", low=0, high=1)


def claim(
    policy: Algorithm | Callable,
    why: str,
    *,
    scope: str = "transcript",
    epsilon: float | str | Callable[..., float] = "epsilon",
    delta: float | str | Callable[..., float] = 0.0,
) -> Algorithm:
    """The policy with the guarantee that its author states; use the result in place of the function.

    why: the argument in a sentence or two; it stands in captions. scope: "per-selection", "transcript", "local" or
    "global". epsilon, delta: a number, the name of one of the policy's parameters, or a function of all of them (by
    name). Its status is "as claimed, unchecked", whatever a smoke test finds: only a proof would change that. Raises
    ValueError.
    """
    record = as_algorithm(policy)
    if not isinstance(scope, str) or scope not in UNITS:
        raise ValueError(f"scope = {scope!r} is not allowed: it must be one of {', '.join(UNITS)}.")
    if not isinstance(why, str) or not why.strip():
        raise ValueError(f"why = {why!r} is not allowed: say in a sentence why the guarantee holds.")
    taken = [p.name for p in record.all_parameters]
    for value in (epsilon, delta):
        if isinstance(value, str) and value not in taken:
            raise ValueError(unknown("parameter", value, taken, f" of {record.name}"))
    for name, value in (("epsilon", epsilon), ("delta", delta)):
        if callable(value):
            check_function(name, value, taken, record.name, by_name=True)

    def number(parameter: Parameter, value, parameters) -> float:
        found = parameters[value] if isinstance(value, str) else value(**parameters) if callable(value) else value
        return parameter.check(found, record.name)

    def guarantee(parameters, instance=None, horizon=None) -> Guarantee:
        pair = number(BOUNDED, epsilon, parameters), number(SLACK, delta, parameters)
        return Guarantee(*pair, scope, *UNITS[scope], "as claimed, unchecked", note=why.strip())

    guarantee(record.bind({}))
    return replace(record, guarantee=guarantee)


def compare(
    policy: str | Algorithm | Callable | Iterable,
    instance: str | Instance,
    *,
    horizon: int,
    runs: int = 20,
    seed: int = 0,
    **settings: Any,
) -> xr.Dataset:
    """Play a policy (or several) and all algorithms of its setting on one instance; the least mean regret at the end
    comes first.

    policy: a function with a kernel's signature, a claim() or a name. instance: a name or an Instance. settings: what
    simulate() takes (checkpoints, workers, ...) and whatever the algorithms or the instance take (`epsilon`, `delta`,
    `means`, ...). An algorithm that cannot be played at these parameters is left out, and the notes say why; where a
    policy itself cannot, its ValueError is raised. Returns what simulate() returns.
    """
    given_policies = list(policy) if isinstance(policy, Iterable) and not isinstance(policy, str) else [policy]
    if not given_policies:
        raise ValueError("policy = [] is not allowed: give at least one.")
    mine = [as_algorithm(p) for p in given_policies]
    own = (
        {p.name for p in INSTANCES[instance].parameters}
        if isinstance(instance, str) and instance in INSTANCES
        else set()
    )
    setting = build(instance, **{n: v for n, v in settings.items() if n in own}).setting
    others = [a for a in ALGORITHMS.values() if a.setting == setting and a.name not in {m.name for m in mine}]
    played, left_out = list(mine), []
    for rival in others:
        given = {n: v for n, v in settings.items() if n in own | {p.name for p in rival.all_parameters}}
        try:
            cells_for(
                [rival], instance, given, horizon=HORIZON.check(horizon), checkpoints=np.array([horizon]), seed=seed
            )
        except ValueError as reason:
            left_out.append(f"{rival.name} is left out: {reason}")
        else:
            played.append(rival)
    result = simulate(played, instance, horizon=horizon, runs=runs, seed=seed, **settings)
    order = np.argsort(result.regret.isel(round=-1).mean("run").values, kind="stable")
    notes = json.dumps([*json.loads(result.attrs["notes"]), *left_out])
    return result.isel(algorithm=order).assign_attrs(notes=notes)
