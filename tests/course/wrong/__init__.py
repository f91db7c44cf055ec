"""Plausible wrong answers, a module for each problem set (ps1.py for PS1), each with a list WRONG."""

from typing import NamedTuple


class Wrong(NamedTuple):
    """In the solution of cell `answer`, `right` (found there once) is replaced by `wrong`; that must cost the points of
    `loses`.

    right, wrong: pieces of code. loses: grade_ids of test cells; left out, that of `answer` with "-test" behind it.
    """

    name: str
    answer: str
    right: str
    wrong: str
    loses: tuple[str, ...] = ()

    @property
    def lost(self) -> set[str]:
        return set(self.loses or (f"{self.answer}-test",))
