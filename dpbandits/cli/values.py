"""`--set name=value`: numbers, names, comma-separated lists, colon-separated vectors."""

import argparse
from collections.abc import Iterable, Mapping
from typing import Any

SET_HELP = "set a parameter; repeat for more (--set epsilon=0.5 --set means=0.3,0.5,0.7)"


def add_set(parser: argparse.ArgumentParser) -> None:
    """The option --set."""
    parser.add_argument("--set", dest="settings", metavar="NAME=VALUE", action="append", default=[], help=SET_HELP)


def value(text: str) -> Any:
    """`text` as a number, a name, a tuple of these ("0.3,0.5"), or a tuple of vectors ("1:0,0:1"; in "0:2,1" the last
    is (1,)).
    """
    parts = [_vector(part) for part in text.split(",")]
    if any(isinstance(part, tuple) for part in parts):
        parts = [part if isinstance(part, tuple | str) else (part,) for part in parts]
    return tuple(parts) if len(parts) > 1 or isinstance(parts[0], tuple) else parts[0]


def settings(pairs: Iterable[str], options: Mapping[str, str] | None = None) -> dict[str, Any]:
    """{name: value} from NAME=VALUE texts. options: names that have an option of their own, and it. Raises
    ValueError.
    """
    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        name, text = name.strip(), text.strip()
        if not equals or not name or not text:
            raise ValueError(f"--set {pair!r} is not allowed: write --set name=value, as in --set epsilon=0.5.")
        if options and name in options:
            raise ValueError(f"--set {pair!r} is not allowed: {name} has an option of its own, {options[name]}.")
        if name in found:
            raise ValueError(f"--set {name} is given twice: once is enough (a list is written {name}=0.1,0.2).")
        found[name] = value(text)
    return found


def _vector(text: str) -> Any:
    numbers = [_number(part) for part in text.split(":")]
    return tuple(numbers) if len(numbers) > 1 and not any(isinstance(n, str) for n in numbers) else _number(text)


def _number(text: str) -> Any:
    text = text.strip()
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text
