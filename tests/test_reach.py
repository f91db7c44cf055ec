"""reach_hash: what counts, what does not, and what cannot be known."""

import dataclasses
import enum
import functools
import math
import time
import types
from typing import NamedTuple

import numba
import numpy as np
import pytest

from dpbandits.reach import Unknowable, reach_hash


def made(source: str, name: str = "f", **names):
    """The object called `name` after running `source` in a module of its own."""
    space = types.ModuleType("learner").__dict__ | {"np": np, "math": math, **names}
    exec(compile(source, "<cell>", "exec"), space)
    return space[name]


def same(first: str, second: str, **names) -> bool:
    return reach_hash(made(first, **names)) == reach_hash(made(second, **names))


BASE = "def g(x):\n    return x + 1\ndef f(x, y=2):\n    return g(x) * y"


def test_words_and_layout_do_not_count():
    assert same(
        BASE,
        'def g(x):\n    "words"\n    # more\n    return (x\n    + 1)\n\n\n\n'
        'def f(x: int, y: "float" = 2) -> int:\n    z: int\n    return g(x) * y',
    )


@pytest.mark.parametrize(
    "edited",
    [
        BASE.replace("+ 1", "+ 2"),  # a helper
        BASE.replace("+ 1", "+ 1.0"),  # equal, of another type
        BASE.replace("+ 1", "+ True"),
        BASE.replace("y=2", "y=3"),  # a default
        BASE.replace("y=2", "*, y=2"),
        BASE.replace("* y", "/ y"),
        BASE + "\ng = math.sqrt",
    ],
)
def test_code_helpers_constants_and_defaults_count(edited):
    assert not same(BASE, edited)


@pytest.mark.parametrize(
    "values",
    [
        (1, 2),
        (0.0, -0.0),
        (np.arange(3), np.arange(4)),
        (np.zeros(2), np.zeros(2, np.float32)),
        ([1], [2]),
        ({"a": 1}, {"a": 2}),
        ({1, 2}, {1, 3}),
        (math.sin, math.cos),
        (np.sin, np.cos),
        (np.int64(1), np.int32(1)),
    ],
)
def test_a_global_s_value_counts(values):
    hashes = [reach_hash(made("def f(): return VALUE", VALUE=value)) for value in values]
    assert hashes[0] != hashes[1] and hashes[0] == reach_hash(made("def f(): return VALUE", VALUE=values[0]))


def test_closures_inner_functions_and_recursion():
    outer = "def outer(k):\n    def inner(x):\n        return x + k\n    return inner\n"
    assert not same(outer + "f = outer(1)", outer + "f = outer(2)") and same(
        outer + "f = outer(1)", outer + "f = outer(1)"
    )
    inner = "def f(x):\n    return [helper(i) for i in range(x)]\ndef helper(i): return i"
    assert not same(inner, inner + " + 1")
    loop = "def f(n): return n if n < 1 else g(n - 1)\ndef g(n): return f(n)"
    assert same(loop, loop) and not same(loop, loop + " + 1")


def test_classes_enums_named_tuples_and_instances():
    def kinds(step):
        class Kind(enum.IntEnum):
            A = step

        class Pair(NamedTuple):
            a: float
            b: int = step

        @dataclasses.dataclass(frozen=True)
        class Point:
            x: float = step

            def length(self):
                return abs(self.x)

        class Plain:
            def go(self):
                return step

        return [
            Kind,
            Kind.A,
            Pair,
            Pair(1.0),
            Point,
            Point(),
            Plain,
            Plain(),
            Plain().go,
            functools.partial(Plain, step),
        ]

    for one, again, other in zip(kinds(1), kinds(1), kinds(2), strict=True):
        assert reach_hash(one) == reach_hash(again) != reach_hash(other), one


def test_compiled_functions_are_followed_with_their_options():
    plain = made(BASE)
    assert len({reach_hash(f) for f in (plain, numba.njit(plain), numba.njit(fastmath=True)(plain))}) == 3
    assert reach_hash(numba.njit(made(BASE))) == reach_hash(numba.njit(plain))


@pytest.mark.parametrize(
    "source",
    [
        "def f(): return time.time()",
        "def f(): return open('x').read()",
        "def f(): return np.random.rand()",
        "def f(): return np.random.default_rng().random()",
        "def f():\n    import random\n    return random.random()",
        "def f():\n    import numpy as n\n    return n.load('x')",
        "def f(): return RNG.random()",
        "def f(): return later()",
        "count = 0\ndef f():\n    global count\n    count += 1\n    return count",
        "def outer():\n    n = 0\n    def f():\n        nonlocal n\n        n += 1\n    return f\nf = outer()",
        "def f(): return eval('1')",
        "def f(): return getattr(np, 'zeros')(2)",
    ],
)
def test_what_cannot_be_known_is_refused(source):
    with pytest.raises(Unknowable):
        reach_hash(made(source, time=time, RNG=np.random.default_rng(0)))


def test_an_import_within_a_function_is_followed():
    source = "def f(x):\n    import numpy as n\n    from dpbandits.randomness import laplace as g\n    return g(n, x)"
    assert same(source, source) and not same(source, source.replace("laplace", "argmax"))
