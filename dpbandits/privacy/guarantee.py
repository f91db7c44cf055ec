"""The privacy label of an algorithm, as a record. Legends, captions and tables take their words from here."""

import math
from dataclasses import asdict, dataclass

SCOPES = {
    "none": "nothing",
    "per-selection": "each single selection given the past; over all rounds only composition",
    "transcript": "the whole sequence of selections",
    "local": "every message, before it leaves the user",
    "global": "everything that is released, against a central adversary",
    "unknown": "not known",
}
STATUSES = ("proved", "as claimed, fails", "as claimed, unchecked", "repaired", "not private", "unknown")


@dataclass(frozen=True)
class Guarantee:
    """(epsilon, delta) for `scope`, towards neighbours that differ in one `unit`.

    epsilon, delta: the bound that holds (`status` "proved" or "repaired") or that is claimed; infinite epsilon means
    none.
    scope: key of SCOPES. unit: what one neighbour may change. neighbouring: the relation in words.
    status: one of STATUSES. theorem: where it is stated. note: what a reader must know besides, one or two sentences.
    """

    epsilon: float
    delta: float
    scope: str
    unit: str
    neighbouring: str
    status: str
    theorem: str = ""
    note: str = ""

    def __post_init__(self):
        if self.scope not in SCOPES:
            raise ValueError(f"scope = {self.scope!r} is not allowed: it must be one of {', '.join(SCOPES)}.")
        if self.status not in STATUSES:
            raise ValueError(f"status = {self.status!r} is not allowed: it must be one of {', '.join(STATUSES)}.")

    @classmethod
    def none(cls, note: str = "") -> "Guarantee":
        """No protection at all."""
        return cls(math.inf, 0.0, "none", "-", "-", "not private", note=note)

    @classmethod
    def unknown(cls, note: str = "Nobody has stated a guarantee for this algorithm.") -> "Guarantee":
        """An algorithm whose author has not said what it protects."""
        return cls(math.inf, 0.0, "unknown", "-", "-", "unknown", note=note)

    @property
    def pair(self) -> str:
        """The numbers alone: "ε = 1", "(1, 0.01)" or "none"."""
        if self.scope in ("none", "unknown"):
            return self.scope
        return f"ε = {self.epsilon:.3g}" if self.delta == 0 else f"({self.epsilon:.3g}, {self.delta:.3g})"

    @property
    def label(self) -> str:
        """One short phrase for a legend: numbers, scope, and a warning where the claim fails."""
        if self.scope in ("none", "unknown"):
            return {"none": "not private", "unknown": "privacy unknown"}[self.scope]
        warning = "" if self.status in ("proved", "repaired") else f" ({self.status})"
        return f"{self.pair} {self.scope}{warning}"

    def as_dict(self) -> dict:
        """For JSON: infinity becomes None; `label` is added."""
        record = asdict(self) | {"label": self.label}
        return {k: None if isinstance(v, float) and math.isinf(v) else v for k, v in record.items()}
