"""Python in colours, for a light and a dark sheet."""

import re
from html import escape

#: Kind of token (the beginning of pygments' short name) -> colour on a light and on a dark sheet.
COLOURS = {
    "k": ("#7a3e00", "#f0b060"),  # keywords
    "o": ("#444444", "#bbbbbb"),  # operators
    "s": ("#1a6b2f", "#8fd19e"),  # strings
    "m": ("#0b5394", "#8ab4f8"),  # numbers
    "c": ("#5f6368", "#a0a0a0"),  # comments
    "nf": ("#6a1b9a", "#d7a6f0"),  # names of functions, where they are defined
    "nb": ("#00606b", "#7fd4dd"),  # built-in names
}


def _rules(side: int) -> str:
    return "".join(f'.code [class^="{kind}"]{{color:{pair[side]}}}' for kind, pair in COLOURS.items())


STYLES = f"{_rules(0)}\n@media (prefers-color-scheme: dark) {{{_rules(1)}}}\n"


def code(source: str, language: str = "python") -> str:
    """A block of code; without colours where the language has no name here."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    if language not in ("python", "py"):
        return f"<pre class='code' tabindex='0'>{escape(source)}</pre>"
    made = highlight(source, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True))
    return f"<pre class='code' tabindex='0'>{re.sub(chr(10) + '$', '', made)}</pre>"
