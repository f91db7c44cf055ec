"""An instance: the arrays that a kernel plays against, and the facts that bounds and plots need."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dpbandits.parameters import Parameter, check_all


@dataclass(frozen=True, eq=False)
class Instance:
    """One bandit problem.

    name: its family's name. setting: "stochastic", "cascade", "semi-bandit" or "matroid".
    parameters: what it was built from (enough to build it again).
    problem: the leading arguments of every kernel of this setting, e.g. (means,).
    facts: named quantities for bounds and tables (means, gaps, optimal value, ...).
    """

    name: str
    setting: str
    parameters: Mapping[str, Any]
    problem: tuple
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __getattr__(self, name: str):
        facts = self.__dict__.get("facts", {})
        if name in facts:
            return facts[name]
        raise AttributeError(f"Instance {self.__dict__.get('name')!r} has no {name!r}.")

    @property
    def label(self) -> str:
        """Name with its parameters, short."""
        shown = ", ".join(f"{k}={_short(v)}" for k, v in self.parameters.items())
        return f"{self.name}({shown})" if shown else self.name


def _short(value: object) -> str:
    if isinstance(value, tuple):
        return (
            f"{len(value)} values"
            if len(value) > 6
            else ",".join(":".join(map(_short, v)) if isinstance(v, tuple) else f"{v:g}" for v in value)
        )
    return f"{value:g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Family:
    """A named way to build instances: the catalogue's record."""

    name: str
    title: str
    setting: str
    paper: str
    where: str
    parameters: tuple[Parameter, ...]
    construct: Callable[..., Instance]

    def build(self, **given: object) -> Instance:
        """The instance with these parameters. Raises ValueError for a bad one."""
        return self.construct(**check_all(self.parameters, given, self.name))
