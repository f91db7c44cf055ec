"""The README's table of algorithms, written from the catalogue: python -m tests.house.readme"""

import re
from pathlib import Path

from dpbandits import catalogue

README = Path(__file__).parents[2] / "README.md"
PART = re.compile(r"(<!-- algorithms: begin .*? -->\n)(.*?)(<!-- algorithms: end -->)", re.DOTALL)


def table() -> str:
    """Markdown: one row for each algorithm, with its label at the default parameters."""
    lines = ["| name | algorithm | setting | from | what is guaranteed |", "|---|---|---|---|---|"]
    for a in catalogue.algorithms().values():
        label = a.guarantee(a.bind({})).label
        lines.append(f"| `{a.name}` | {a.title} | {a.setting} | {a.paper} | {label} |")
    return "\n".join(lines) + "\n"


def with_table(text: str) -> str:
    """The README's text with today's table in its place."""
    return PART.sub(lambda match: match[1] + table() + match[3], text)


if __name__ == "__main__":
    README.write_text(with_table(README.read_text(encoding="utf-8")), encoding="utf-8")
