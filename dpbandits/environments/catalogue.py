"""All instances by name."""

from dpbandits.environments import cascade, matroid, semibandit, stochastic
from dpbandits.environments.instance import Family, Instance
from dpbandits.parameters import unknown

INSTANCES: dict[str, Family] = {
    family.name: family for family in (*stochastic.FAMILIES, *cascade.FAMILIES, *semibandit.FAMILIES, *matroid.FAMILIES)
}


def build(instance: str | Instance, **parameters: object) -> Instance:
    """An instance from a name and its parameters; an Instance is handed through (it takes no parameters)."""
    if isinstance(instance, Instance):
        if parameters:
            raise ValueError(
                f"{', '.join(parameters)} cannot be set on a ready-made instance: build it with them instead."
            )
        return instance
    if not isinstance(instance, str) or instance not in INSTANCES:
        raise ValueError(unknown("instance", instance, INSTANCES))
    return INSTANCES[instance].build(**parameters)
