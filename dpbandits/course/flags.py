"""What a teacher may want to look at in a submission. A flag is a question, never a mark: nothing here changes points.

for flag in flags(notebook): print(flag.cell, flag.line, flag.why)
"""

import ast
import re
from dataclasses import dataclass

from dpbandits.course.rebuild import kind

#: Names that an answer to these sets has no use for, and why they are named.
NAMES = {
    "get_ipython": "reaches into IPython",
    "exec": "runs text as code",
    "eval": "runs text as code",
    "compile": "runs text as code",
    "open": "opens a file",
    "__import__": "imports by text",
    "globals": "reaches for names by text",
    "vars": "reaches for names by text",
    "setattr": "changes an object from outside",
    "delattr": "changes an object from outside",
    "breakpoint": "stops in a debugger",
}
MODULES = {
    "sys": "",
    "os": "",
    "inspect": "reads other code",
    "importlib": "imports by text",
    "builtins": "",
    "ctypes": "",
    "gc": "",
    "subprocess": "",
    "socket": "",
    "urllib": "",
    "requests": "",
    "http": "",
    "pathlib": "opens files",
    "io": "",
    "shutil": "",
    "sqlite3": "",
    "nbgrader": "",
    "nbformat": "",
    "IPython": "reaches into IPython",
    "unittest": "may patch",
    "pickle": "",
    "threading": "",
    "multiprocessing": "",
    "signal": "",
    "traceback": "reads other code",
    "types": "",
}
ATTRIBUTES = {
    "modules",
    "_getframe",
    "__globals__",
    "__code__",
    "__builtins__",
    "__subclasses__",
    "f_back",
    "f_globals",
    "f_locals",
    "tb_frame",
}
SMALL = 60  # nodes of a syntax tree: shorter answers are alike by themselves


@dataclass(frozen=True)
class Flag:
    """In `cell`, at `line` of it: why somebody should look."""

    cell: str
    line: int
    why: str


def flags(notebook) -> list[Flag]:
    """Flags of every cell that a student wrote."""
    found = []
    for cell in notebook.cells:
        if cell.cell_type == "code" and kind(cell) in ("answer", ""):
            found += [Flag(cell.id, line, why) for line, why in in_source(cell.source)]
    return found


def in_source(source: str) -> list[tuple[int, str]]:
    """(line, why) for each thing in a piece of code that an answer has no use for."""
    found = []
    lines = source.splitlines()
    for number, line in enumerate(lines, 1):
        if re.match(r"\s*(%%?(?!matplotlib)|!)", line):
            found.append((number, f"a command of IPython: {line.strip()[:60]}"))
            lines[number - 1] = ""
    try:
        tree = ast.parse("\n".join(lines))
    except SyntaxError as error:
        return [*found, (error.lineno or 1, "cannot be read as Python")]
    imported = _imports(tree)
    for node in ast.walk(tree):
        for why in _why(node, imported):
            found.append((getattr(node, "lineno", 1), why))
    return sorted(set(found))


def shape_of(source: str) -> str | None:
    """The code without its names, texts and comments: two answers of the same shape are one answer. None for
    short ones.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return None
    names: dict[str, str] = {}
    count = 0
    for node in ast.walk(tree):
        count += 1
        if isinstance(node, ast.Name):
            node.id = names.setdefault(node.id, f"n{len(names)}")
        elif isinstance(node, ast.arg):
            node.arg, node.annotation = names.setdefault(node.arg, f"n{len(names)}"), None
        elif isinstance(node, ast.FunctionDef):
            node.name, node.returns = names.setdefault(node.name, f"n{len(names)}"), None
            if node.body and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant):
                node.body = node.body[1:] or [ast.Pass()]
    return ast.dump(tree) if count >= SMALL else None


def _imports(tree) -> dict[str, str]:
    """Module behind each name that an import gives."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.asname or alias.name.split(".")[0]: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return found


def _why(node, imported: dict[str, str]):
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield from _module(alias.name)
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            yield from _module(f"{node.module}.{alias.name}")
    elif isinstance(node, ast.Name) and node.id in NAMES and isinstance(node.ctx, ast.Load):
        yield f"{node.id}: {NAMES[node.id]}"
    elif isinstance(node, ast.Attribute):
        if node.attr in ATTRIBUTES:
            yield f".{node.attr}: looks behind the scenes"
        owner = node.value.id if isinstance(node.value, ast.Name) else None
        if isinstance(node.ctx, (ast.Store, ast.Del)) and (
            owner in imported or owner in ("np", "math", "stats", "grading", "laws")
        ):
            yield f"{owner}.{node.attr} is changed: a patch of a module"
        if (
            owner in ("np", "numpy")
            and node.attr == "random"
            or ast.unparse(node).startswith("np.random.")
            and node.attr in _GLOBAL
        ):
            if node.attr in _GLOBAL:
                yield f"np.random.{node.attr}: chance that does not come from rng"


_GLOBAL = {
    "seed",
    "rand",
    "randn",
    "random",
    "normal",
    "laplace",
    "uniform",
    "choice",
    "randint",
    "permutation",
    "shuffle",
    "exponential",
}


_FOR_STUDENTS = ("dpbandits.checks.grading", "dpbandits.checks.picture", "dpbandits.explorers")


def _module(name: str):
    top = name.split(".")[0]
    if top == "dpbandits" and not name.startswith(_FOR_STUDENTS):
        yield f"{name}: a part of the workbook"
    elif top in MODULES:
        yield f"import {top}" + (f": {MODULES[top]}" if MODULES[top] else "")
