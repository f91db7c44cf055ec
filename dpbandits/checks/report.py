"""What a self-check says, and how it is run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Report:
    """What became of each check: name -> "" when it passed, else the sentence that says what is wrong."""

    findings: Mapping[str, str]

    def __bool__(self) -> bool:
        return not any(self.findings.values())

    def __repr__(self) -> str:
        lines = [
            f"{'not yet' if sentence else 'ok     '}  {name}" + (f"\n         {sentence}" if sentence else "")
            for name, sentence in self.findings.items()
        ]
        passed = sum(not sentence for sentence in self.findings.values())
        return "\n".join([*lines, f"{passed} of {len(lines)} checks passed." if not self else "All checks passed."])


@dataclass(frozen=True)
class Folded:
    """Text that a notebook shows only after a click: the value to expect after a prediction. Elsewhere it reads as it
    is.
    """

    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return (
            "<details><summary>The answer: click when you have written down your"
            f" guess</summary><pre>{escape(self.text)}</pre></details>"
        )


def report(answer: object, checks: Mapping[str, Callable[[object], str | None]], basic: int = 1) -> Report:
    """Try `answer` on every check, in order; when one of the first `basic` fails, the others wait."""
    findings: dict[str, str] = {}
    for name, check in checks.items():
        try:
            findings[name] = check(answer) or ""
        except Exception as error:  # noqa: BLE001 - a learner's function may raise anything; the words help, the traceback does not
            findings[name] = f"Your function raised {type(error).__name__}: {error}".splitlines()[0]
        if len(findings) <= basic and findings[name]:
            break
    return Report(findings)
