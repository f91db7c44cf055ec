"""What all tests of wrong answers ask of a report."""

from dpbandits.checks.report import Report


def named(report: Report, name: str, words: str) -> str:
    """The report is not all well, and the one check whose name begins with `name` says `words`: its sentence."""
    assert not report, repr(report)
    (sentence,) = [s for n, s in report.findings.items() if n.startswith(name)]
    assert words in sentence, repr(report)
    return sentence
