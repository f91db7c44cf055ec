"""Tables in plain text; nothing is loaded for them, so that the command line answers at once."""

from collections.abc import Sequence


def text_table(rows: Sequence[Sequence[object]], heads: Sequence[str], right: Sequence[int] = ()) -> str:
    """Columns as wide as their widest entry; `right` names those that are set flush right."""
    texts = [[str(cell) for cell in row] for row in [heads, *rows]]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    lines = [
        "  ".join(t.rjust(w) if i in right else t.ljust(w) for i, (t, w) in enumerate(zip(row, widths, strict=True)))
        for row in texts
    ]
    lines.insert(1, "  ".join("-" * w for w in widths))
    return "\n".join(line.rstrip() for line in lines)
