"""What the result of a function depends on, as one hash: its code, and all functions, classes and constants that
this code can reach.

The code is read as Python compiled it, so comments, docstrings, annotations, formatting and line numbers do not count,
and what counts is what runs, even where the file was edited since. A library's function counts by its name and the
library's version. What could change without a trace (a clock, a file, a generator) cannot be hashed: `Unknowable`.
"""

import builtins
import dataclasses
import dis
import enum
import functools
import hashlib
import importlib
import sys
import sysconfig
import types
from bisect import bisect_left
from pathlib import Path
from typing import Any

import numpy as np

#: Whose functions do the same at every call: a name and a version say all about them. Others of the standard
#: library are unknown.
PURE = frozenset("""
        __future__ _abc _bisect _collections _functools _heapq _operator _statistics abc bisect builtins cmath
    collections copy     dataclasses decimal enum fractions functools heapq itertools math numbers operator
    statistics string types typing warnings     llvmlite numba numpy scipy
""".split())  # fmt: skip
#: Among these, what reads files, states or its surroundings.
IMPURE = frozenset("""
        builtins.__import__ builtins.compile builtins.eval builtins.exec builtins.globals builtins.hash
    builtins.id     builtins.input builtins.locals builtins.open builtins.vars     numpy.fromfile numpy.genfromtxt
    numpy.load numpy.loadtxt numpy.memmap numpy.random.default_rng numpy.random._generator.default_rng
    numpy.random.mtrand
""".split())  # fmt: skip
ATOMS = (type(None), bool, int, str, type(Ellipsis), type(NotImplemented))
KIND_FLAGS = 0x2AC  # of a code object: *args, **kwargs, generator, coroutine, asynchronous generator
PASSING = {  # attributes of a class that say nothing about what it does
    "__annotate__",
    "__annotate_func__",
    "__annotations__",
    "__annotations_cache__",
    "_abc_impl",
    "__dataclass_fields__",
    "__dataclass_params__",
    "__dict__",
    "__doc__",
    "__firstlineno__",
    "__module__",
    "__orig_bases__",
    "__parameters__",
    "__qualname__",
    "__static_attributes__",
    "__weakref__",
}


class Unknowable(ValueError):
    """Something that a function reaches may change without a trace in its code."""


def reach_hash(*things: object) -> str:
    """Hash (24 hex digits) of functions, compiled or not, with all that they reach, or of values. Raises Unknowable."""
    return hashlib.sha256(repr(_Walk().token(things)).encode("utf-8", "surrogatepass")).hexdigest()[:24]


class _Walk:
    """One walk through all that can be reached; every function, class and instance is visited once."""

    def __init__(self) -> None:
        self._number: dict[int, int] = {}
        self._alive: list[object] = []  # what has a number keeps its place in memory
        self._open: set[int] = set()  # containers that the walk is inside of

    def token(self, thing: Any) -> Any:
        """What stands for `thing` in the hash: nested tuples of strings and numbers."""
        kind = type(thing)
        if kind in ATOMS:
            return kind.__name__, repr(thing)
        if kind is float or kind is complex:
            return kind.__name__, repr(thing)  # repr gives every bit back, the sign of 0 and nan included
        if kind in (bytes, bytearray):
            return kind.__name__, hashlib.sha256(thing).hexdigest()
        if kind in (tuple, list, dict, set, frozenset, types.MappingProxyType):
            return self._container(thing)
        if kind in (range, slice):
            return kind.__name__, repr(thing)
        if isinstance(thing, np.ndarray | np.generic | np.dtype):
            return _array(thing)
        if isinstance(thing, types.CodeType):
            raise Unknowable("a bare code object has no names to follow")
        if isinstance(thing, types.ModuleType):
            raise Unknowable(f"the module {thing.__name__} as a whole")
        return self._once(thing)

    def _container(self, thing) -> Any:
        if id(thing) in self._open:
            raise Unknowable(f"a {type(thing).__name__} that contains itself")
        self._open.add(id(thing))
        try:
            if isinstance(thing, dict | types.MappingProxyType):
                return "dict", tuple((self.token(k), self.token(v)) for k, v in thing.items())
            if isinstance(thing, set | frozenset):
                return type(thing).__name__, tuple(sorted(repr(self.token(v)) for v in thing))
            return type(thing).__name__, tuple(self.token(v) for v in thing)
        finally:
            self._open.discard(id(thing))

    def _once(self, thing: Any) -> Any:
        if id(thing) in self._number:
            return "again", self._number[id(thing)]
        if isinstance(thing, types.MethodType):  # made anew at every look, so it has no number
            return "method", self.token(thing.__func__), self.token(thing.__self__)
        self._number[id(thing)] = len(self._number)
        self._alive.append(thing)
        if isinstance(getattr(thing, "py_func", None), types.FunctionType) and hasattr(thing, "targetoptions"):
            options = tuple(sorted((name, repr(value)) for name, value in thing.targetoptions.items()))
            return "compiled", options, self.token(thing.py_func)
        if isinstance(thing, types.FunctionType):
            return self._function(thing)
        if isinstance(thing, type):
            return self._class(thing)
        if isinstance(thing, functools.partial):
            return "partial", self.token((thing.func, thing.args, thing.keywords))
        if isinstance(thing, functools.cached_property):
            return "cached property", self.token(thing.func)
        if isinstance(thing, property):
            return "property", self.token((thing.fget, thing.fset, thing.fdel))
        if isinstance(thing, staticmethod | classmethod):
            return type(thing).__name__, self.token(thing.__func__)
        if isinstance(thing, enum.Enum):
            return "member", self.token(type(thing)), thing.name
        if isinstance(thing, types.MemberDescriptorType | types.GetSetDescriptorType):
            return "slot", thing.__name__
        if (wrapped := getattr(thing, "__wrapped__", None)) is not None and type(thing).__module__ == "functools":
            return "wrapped", self.token(wrapped)
        if (named := _named_in_library(thing)) is not None:
            return named
        return self._instance(thing)

    def _instance(self, thing: object) -> Any:
        kind = type(thing)
        if _library(kind.__module__) is not None:
            if kind.__module__ in ("fractions", "decimal") or kind.__module__.startswith("numba.core.types"):
                return "value", kind.__qualname__, repr(thing)
            raise Unknowable(f"a {kind.__module__}.{kind.__qualname__} may change without a trace")
        parts = dict(getattr(thing, "__dict__", {}))
        for owner in kind.__mro__:
            for name in (s for s in _slots(owner) if s not in ("__dict__", "__weakref__") and hasattr(thing, s)):
                parts[name] = getattr(thing, name)
        content: Any = ()
        bases: tuple[type, ...] = (tuple, list, dict, set, frozenset, int, float, str, bytes)
        for base in bases:
            if isinstance(thing, base):
                content = base(thing)  # a named tuple, say
        return "instance", self.token(kind), self.token(content), self.token(parts)

    def _function(self, function: types.FunctionType) -> Any:
        if (named := _named_in_library(function)) is not None:
            return named
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        shape, reached = _read(function.__code__)
        found = tuple((path, self._follow(path, function.__globals__, cells)) for path in reached)
        return "function", shape, found, self.token((function.__defaults__, function.__kwdefaults__))

    def _follow(self, path: tuple[str, ...], names: dict, cells: dict) -> Any:
        """The object that code means by a path such as ("global", "np", "zeros"); attributes are followed through
        modules.
        """
        how, name, *attributes = path
        if how in ("state", "global state"):
            raise Unknowable(f"it changes {name}, which lives on after the call")
        if how == "import":
            return "library", name, _imported_known(name, attributes)
        if how == "import from":
            return self._import_from(name, attributes)
        try:
            if how == "cell":
                thing = cells[name].cell_contents
            elif name in names:
                thing = names[name]
            else:
                thing = getattr(builtins, name)
        except (KeyError, ValueError, AttributeError):
            raise Unknowable(f"{name} has no value yet") from None
        return self._through_modules(thing, attributes)

    def _through_modules(self, thing: Any, attributes: list[str]) -> Any:
        for attribute in attributes:
            if not isinstance(thing, types.ModuleType):
                break
            try:
                thing = getattr(thing, attribute)
            except AttributeError:
                raise Unknowable(f"{thing.__name__} has no {attribute}") from None
        return self.token(thing)

    def _import_from(self, module: str, names: list[str]) -> Any:
        """`from module import names`, inside a function."""
        try:
            loaded = importlib.import_module(module)
            return tuple(self.token(getattr(loaded, name)) for name in names)
        except (ImportError, AttributeError, ValueError) as error:
            raise Unknowable(str(error)) from None

    def _class(self, kind: type) -> Any:
        if (named := _named_in_library(kind)) is not None:
            return named
        parts = {name: value for name, value in vars(kind).items() if name not in PASSING and not _generated(value)}
        if issubclass(kind, enum.Enum):
            parts = {name: value for name, value in parts.items() if isinstance(value, types.FunctionType | property)}
            parts["members"] = {name: member.value for name, member in kind.__members__.items()}
        elif issubclass(kind, tuple) and hasattr(kind, "_fields"):
            parts = {name: value for name, value in parts.items() if name not in kind._fields and name != "_make"}
        elif dataclasses.is_dataclass(kind):
            absent = dataclasses.MISSING
            parts["fields"] = [
                (f.name, *((v is not absent, None if v is absent else v) for v in (f.default, f.default_factory)))
                for f in dataclasses.fields(kind)
            ]
            parts["form"] = repr(kind.__dataclass_params__)  # type: ignore[attr-defined]  # each has them, unsaid
            parts = {
                name: value for name, value in parts.items() if name not in {f.name for f in dataclasses.fields(kind)}
            }
        bases = tuple(self.token(base) for base in kind.__bases__)
        return (
            "class",
            kind.__module__,
            kind.__qualname__,
            bases,
            tuple((n, self.token(parts[n])) for n in sorted(parts)),
        )


def _generated(value: object) -> bool:
    """Whether a class's attribute was written by the library that made the class (a named tuple's or dataclass's
    methods).
    """
    function = getattr(value, "__func__", value)
    if not isinstance(function, types.FunctionType):
        return False
    source = function.__globals__.get("__name__", "")
    written = function.__code__.co_qualname.startswith("__create_fn__.") or source.startswith("namedtuple_")
    return written or _library(source) == "python"


def _slots(owner: type) -> tuple[str, ...]:
    slots = owner.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _array(thing) -> Any:
    if isinstance(thing, np.dtype):
        return "dtype", repr(thing)
    if thing.dtype.hasobject:
        raise Unknowable("an array of Python objects")
    return type(thing).__name__, repr(thing.dtype), thing.shape, hashlib.sha256(thing.tobytes()).hexdigest()


def _known(name: str, module: str) -> str:
    """The library and version of a thing called `name` that lives in `module`. Raises Unknowable."""
    library = _library(module)
    if library is None:
        raise Unknowable(f"the module {module} as a whole")
    if module.partition(".")[0] not in PURE or any(name == i or name.startswith(f"{i}.") for i in IMPURE):
        raise Unknowable(f"{name} depends on more than its code")
    return library


def _imported_known(module: str, names: list[str]) -> str:
    """`_known` of a module that a function imports for itself. names: all attributes in its code, as it is not
    said whose they are.
    """
    top = module.partition(".")[0]
    impure = {part for entry in IMPURE if entry.startswith(f"{top}.") for part in entry.split(".")[1:]}
    if both := impure.intersection(names):
        raise Unknowable(f"{module} with {min(both)} depends on more than its code")
    return _known(module, module)


def _named_in_library(thing: object) -> tuple | None:
    """("library", its full name, version) of a function or class that a library offers under a name. Raises
    Unknowable where that does not say what it does.
    """
    owner = getattr(thing, "__self__", None)
    if isinstance(thing, types.FunctionType):
        module = thing.__globals__.get("__name__")  # __module__ may be borrowed by a decorator
    elif isinstance(thing, types.BuiltinFunctionType) and not isinstance(owner, types.ModuleType | type(None)):
        if isinstance(owner, type):
            module = owner.__module__
        else:
            raise Unknowable(f"{thing.__qualname__} of one {type(owner).__name__}, which may change")
    elif isinstance(thing, np.ufunc):
        module = "numpy" if getattr(np, thing.__name__, None) is thing else "scipy.special"
    else:
        module = getattr(thing, "__module__", None)
    name = getattr(thing, "__qualname__", None) or getattr(thing, "__name__", None)
    if not isinstance(module, str) or not isinstance(name, str) or (library := _library(module)) is None:
        return None
    found = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is not thing and not isinstance(thing, types.BuiltinFunctionType | np.ufunc):
        return None  # a closure inside the library: followed like any other function
    return "library", f"{module}.{name}", _known(f"{module}.{name}", module), library


@functools.cache
def _library(module: str) -> str | None:
    """Name and version of the library that `module` belongs to; None for code of ours or of a learner, which is
    followed.
    """
    top = module.partition(".")[0]
    if top in ("dpbandits", "__main__") or not top:
        return None
    if top in sys.builtin_module_names:
        return "python"
    loaded = sys.modules.get(top) or _imported(top)
    file = getattr(loaded, "__file__", None)
    if loaded is None or file is None:
        return "python" if loaded is not None and top in sys.stdlib_module_names else None
    place = Path(file)
    if {"site-packages", "dist-packages"} & set(place.parts):
        return f"{top} {getattr(loaded, '__version__', None) or 'without version'}"
    here = [Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")]
    return "python" if top in sys.stdlib_module_names and any(place.is_relative_to(path) for path in here) else None


def _imported(name: str):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


@functools.lru_cache(maxsize=4096)
def _read(code: types.CodeType) -> tuple[tuple, tuple[tuple[str, ...], ...]]:
    """(what code does, the paths that it looks up outside): instructions with names and constants in place of
    numbers.
    """
    steps = [step for step in dis.get_instructions(code) if step.opname not in ("EXTENDED_ARG", "NOP")]
    offsets = [step.offset for step in steps]
    shape, reached = [], []
    for place, step in enumerate(steps):
        what: Any = step.arg
        if isinstance(step.argval, types.CodeType):
            what, inner = _read(step.argval)
            reached += [path for path in inner if path[0] not in ("cell", "state") or path[1] in code.co_freevars]
        elif step.opcode in dis.hasconst:
            what = _constant(step.argval)
        elif step.opcode in dis.hasjrel or step.opcode in dis.hasjabs:
            what = bisect_left(offsets, step.argval)
        elif step.opcode in dis.hasname or step.opcode in dis.haslocal or step.opcode in dis.hasfree:
            what = step.argval
        shape.append((step.opname, what))
        if (path := _path(code, steps, place)) is not None:
            reached.append(path)
    kinds = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags & KIND_FLAGS
    named = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    return (kinds, code.co_varnames[:named], code.co_exceptiontable.hex(), tuple(shape)), tuple(dict.fromkeys(reached))


def _path(code: types.CodeType, steps: list[dis.Instruction], place: int) -> tuple[str, ...] | None:
    """What a step looks up or changes outside the function: (how, name, further names)."""
    name, outer, step = steps[place].opname, steps[place].argval in code.co_freevars, steps[place].argval
    if name in ("STORE_GLOBAL", "DELETE_GLOBAL"):
        return "global state", step
    if name in ("STORE_DEREF", "DELETE_DEREF") and outer:
        return "state", step
    if name == "IMPORT_NAME":
        names, level = steps[place - 1].argval, steps[place - 2].argval
        return ("import from", "." * level + step, *names) if names else ("import", step, *code.co_names)
    if name == "LOAD_NAME" and any(s.opname == "STORE_NAME" and s.argval == step for s in steps):
        return None  # of the body of a class
    if name in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"):
        how = "global"
    elif name in ("LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF") and outer:
        how = "cell"
    else:
        return None
    end = place + 1
    while end < len(steps) and steps[end].opname in ("LOAD_ATTR", "LOAD_METHOD"):
        end += 1
    return how, step, *(s.argval for s in steps[place + 1 : end])


def _constant(value: object) -> Any:
    """A constant of code, its type told: 1, 1.0 and True differ."""
    if isinstance(value, tuple):
        return "tuple", tuple(map(_constant, value))
    if isinstance(value, frozenset):
        return "frozenset", tuple(sorted(repr(_constant(v)) for v in value))
    return type(value).__name__, repr(value)
