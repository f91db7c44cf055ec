"""A statement of a paper: our wording, evidence that runs, and a verdict that is derived from the evidence.

The recorded verdict is what the ledger shows before anything has run. It is never taken on trust: `examine` computes
the evidence, `judge` reads the verdict off the numbers, and a difference between the two is an error of the ledger.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

VERDICTS = {
    "holds": "holds",
    "holds-if": "holds if",
    "fails": "fails as printed",
    "vacuous": "true, but says nothing in practice",
    "open": "open",
}
KINDS = {
    "exact": "computed up to rounding: identities, all small cases, fine grids",
    "measured": "simulated or sampled, with a margin of errors",
    "argument": "only a proof decides: what follows from it, or what it rests on, is computed",
}
UNDECIDED = "undecided"  # what a judge says whose rules all stay silent; never a recorded verdict

Evidence = Mapping[str, Any]


@dataclass(frozen=True)
class Statement:
    """One statement.

    name: "<prefix>-<item>", with a word behind it where one item says several things. paper, where: as in the
    catalogues.
    statement: what the paper says, in one sentence of ours. verdict: key of VERDICTS. kind: key of KINDS.
    chapter, heading: the notebook and its heading where the matter is taught. comment: what an author would want to
    know: the condition under which it holds, what mends it, why it is open. evidence() -> numbers (a dict of numbers,
    booleans or lists of these). rules: verdict -> test of that evidence; the first that is true decides.
    slow: takes more than about five seconds.
    """

    name: str
    paper: str
    where: str
    statement: str
    verdict: str
    kind: str
    chapter: str
    heading: str
    comment: str
    evidence: Callable[[], Evidence]
    rules: Mapping[str, Callable[[Evidence], bool]]
    slow: bool = False

    def __post_init__(self):
        for value, allowed in ((self.verdict, VERDICTS), (self.kind, KINDS)):
            if value not in allowed:
                raise ValueError(f"{value!r} is not allowed ({self.name}): it must be one of {', '.join(allowed)}.")
        if self.verdict not in self.rules or len(self.rules) < 2:
            raise ValueError(f"{self.name} needs a rule for {self.verdict!r}, and one for another verdict.")
        if self.verdict != "holds" and not self.comment:
            raise ValueError(f"{self.name} needs a comment: its condition, what mends it, or why it is open.")

    @property
    def title(self) -> str:
        """For tables that mix kinds of records."""
        return self.statement

    def judge(self, evidence: Evidence) -> str:
        """The verdict that `evidence` gives: pure, and "undecided" where no rule is true."""
        return next((verdict for verdict, test in self.rules.items() if test(evidence)), UNDECIDED)


@dataclass(frozen=True)
class Finding:
    """A statement after its evidence has run. verdict: the derived one. evidence: its numbers. seconds: what they
    took.
    """

    statement: Statement
    verdict: str
    evidence: Evidence
    seconds: float

    @property
    def agrees(self) -> bool:
        """Whether the derived verdict is the recorded one."""
        return self.verdict == self.statement.verdict

    def as_dict(self) -> dict:
        """For JSON."""
        return summary(self.statement) | {
            "verdict": self.verdict,
            "recorded": self.statement.verdict,
            "evidence": dict(self.evidence),
            "seconds": round(self.seconds, 3),
        }


def examine(statement: Statement) -> Finding:
    """Run the evidence and judge it."""
    start = time.perf_counter()
    evidence = statement.evidence()
    return Finding(statement, statement.judge(evidence), evidence, time.perf_counter() - start)


def summary(statement: Statement) -> dict:
    """What a list shows of a statement, without running anything. basis: what its evidence is, key of KINDS."""
    names = ("name", "paper", "where", "statement", "verdict", "chapter", "heading", "comment")
    shown = {name: getattr(statement, name) for name in names}
    return shown | {"kind": "statement", "basis": statement.kind, "slow": statement.slow}


@dataclass
class Ledger:
    """The statements of one paper, in its order. prefix: of their names. chapter: the notebook that teaches the
    paper.
    """

    prefix: str
    paper: str
    chapter: str
    statements: list[Statement] = field(default_factory=list)

    def add(
        self, item: str, where: str, statement: str, *, verdict: str, kind: str, heading: str, comment: str = "",
        chapter: str = "", slow: bool = False, **rules: Callable[[Evidence], bool],
    ):  # fmt: skip
        """Decorator of an evidence function. rules: tests by verdict, in the order in which they are asked;
        `holds_if` for "holds-if".
        """
        named = {verdict.replace("_", "-"): test for verdict, test in rules.items()}

        def record(evidence: Callable[[], Evidence]):
            name, place = f"{self.prefix}-{item}", chapter or self.chapter
            given = (name, self.paper, where, statement, verdict, kind, place, heading, comment, evidence, named, slow)
            self.statements.append(Statement(*given))
            return evidence

        return record
