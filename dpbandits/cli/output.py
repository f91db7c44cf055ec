"""How results are printed: strict JSON, short numbers."""

import json
import math
from numbers import Integral, Real
from typing import Any


def plain(value: object) -> Any:
    """`value` made of what JSON knows: arrays and tuples become lists; infinity and NaN become null."""
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value) if math.isfinite(value) else None
    return str(value)


def as_json(value: object) -> str:
    """`value` as strict JSON, readable."""
    return json.dumps(plain(value), indent=2, ensure_ascii=False, allow_nan=False)


def number(value: object) -> str:
    """A number, a tuple of numbers or a name, short."""
    if isinstance(value, list | tuple):
        shown = [":".join(map(number, v)) if isinstance(v, list | tuple) else number(v) for v in value]
        return ",".join(shown) if len(shown) <= 10 else f"{','.join(shown[:3])},...,{shown[-1]} ({len(shown)} values)"
    return (
        f"{value:.6g}"
        if isinstance(value, Real) and not isinstance(value, bool) and not isinstance(value, Integral)
        else str(value)
    )
