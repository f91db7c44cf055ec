"""The same items as four problems, and the bounds that speak about an algorithm there."""

from collections.abc import Mapping
from typing import Any

from dpbandits.algorithms.record import Algorithm
from dpbandits.bounds.catalogue import BOUNDS
from dpbandits.bounds.record import Bound
from dpbandits.environments import Instance, build
from dpbandits.environments.cascade import ITEMS, LIST_SIZE, OTHER_MEAN, TOP_MEAN
from dpbandits.parameters import check_all

SETTINGS = ("stochastic", "cascade", "semi-bandit", "matroid")
#: Who keeps the first promise keeps the second one too.
WEAKER = {"local": "transcript"}


def same_items(
    setting: str, *, items: int = 8, list_size: int = 2, top_mean: float = 0.5, other_mean: float = 0.2
) -> Instance:
    """L items of which the best have mean `top_mean` and all others `other_mean`, as a problem of this setting.

    stochastic: one best arm, the last one, whatever list_size is. cascade: lists of K items. semi-bandit: k-path,
    disjoint paths of K arms (L is rounded up to a multiple of K, at least 2K), with means 1/2 and 1/2 less the same
    gap, as its lower bounds need it. matroid: any K of the items. Raises ValueError for bad input.
    """
    given = check_all(
        (ITEMS, LIST_SIZE, TOP_MEAN, OTHER_MEAN),
        {"items": items, "list_size": list_size, "top_mean": top_mean, "other_mean": other_mean},
        setting,
    )
    items, size, top, other = given.values()
    if top < other:
        raise ValueError(f"top_mean = {top:g} is not allowed: it must be >= other_mean = {other:g}.")
    if setting not in SETTINGS:
        raise ValueError(f"setting = {setting!r} is not allowed: it must be one of {', '.join(SETTINGS)}.")
    if size > items:
        raise ValueError(f"list_size = {size} is not allowed: it must be <= items = {items}.")
    if setting == "stochastic":
        return build("bernoulli", means=[other] * (items - 1) + [top])
    if setting == "cascade":
        return build("cascade-paper", **given)
    if setting == "semi-bandit":
        paths = max(2, -(-items // size))
        return build("k-path", arms=paths * size, list_size=size, gap=round(size * (top - other), 12))
    return build("uniform-matroid", means=[top] * size + [other] * (items - size), list_size=size)


def upper_bound(algorithm: Algorithm) -> Bound | None:
    """The theorem that bounds its regret from above."""
    return next((b for b in BOUNDS.values() if b.algorithm == algorithm.name), None)


def lower_bounds(algorithm: Algorithm, parameters: Mapping[str, Any], instance: Instance) -> tuple[Bound, ...]:
    """The theorems about all algorithms that keep the promise that this one makes (or claims); all of them hold
    together. None where it promises nothing, or nothing that a theorem of its setting is about.
    """
    promise = algorithm.guarantee(parameters, instance)
    scope = promise.scope
    lower = [b for b in BOUNDS.values() if b.kind == "lower" and b.setting == algorithm.setting]
    promised = [b for b in lower if b.scope in (scope, WEAKER.get(scope))]
    if promise.delta > 0 and algorithm.setting == "stochastic":  # a theorem that takes no δ is about δ = 0
        promised = [b for b in promised if any(p.name == "delta" for p in b.parameters)]
    return tuple(b for b in promised if not b.families or instance.name in b.families)


def arguments(bound: Bound, instance: Instance, held: Mapping[str, Any]) -> dict[str, Any]:
    """What bound.evaluate() takes besides `horizon`: `held` where it takes it; the facts, from the instance.

    Where `held` names no `constants`, the corrected ones, of upper and lower bounds alike. Theorem 5 of Chen et al.
    is about single arms: on any other instance, as many of them, with the gap of one arm.
    """
    own = {p.name for p in bound.parameters} - set(bound.facts)
    given = {name: value for name, value in held.items() if name in own}
    if "constants" in own:
        given.setdefault("constants", "corrected")
    if bound.families == ("single-arms",) and instance.name not in bound.families:
        given |= {"arms": instance.arms, "gap": instance.gap_min / instance.list_size, "smoothness": 1.0}
    elif bound.facts:
        given["instance"] = instance
    return given
