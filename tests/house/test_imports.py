"""Imports only go down the list, and no widget stack below figures/."""

import ast
import graphlib
import subprocess
import sys
from pathlib import Path

import dpbandits

PACKAGE = Path(dpbandits.__file__).parent
#: Top floor first; a module imports from its own floor and from those below.
FLOORS = (
    ("__main__", "cli"),
    ("book", "course", "explorers"),
    ("checks",),
    ("figures",),
    ("summary",),
    ("catalogue",),
    ("statements",),
    ("arguments",),
    ("papers",),
    ("own",),
    ("auditing",),
    ("simulation",),
    ("bounds",),
    ("algorithms",),
    ("environments",),
    ("privacy",),
    ("mechanisms",),
    ("randomness",),
    ("kernels", "parameters", "files", "texts", "formulas"),
    ("cache", "reach"),
)
FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names}
WIDGETS = {"plotly", "ipywidgets", "anywidget", "IPython", "jupyterlab", "ipykernel"}
#: The catalogue is a directory: it looks its names up when asked, so whoever stands above kernels may be listed in it.


def imported(file: Path) -> set[str]:
    """Dotted names that `file` imports anywhere, also inside functions."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file.name}: relative imports hide the direction"
            names |= (
                {node.module} if node.module != "dpbandits" else {f"dpbandits.{alias.name}" for alias in node.names}
            )
    return names


def modules():
    return [
        (file, file.relative_to(PACKAGE).parts[0].removesuffix(".py"))
        for file in sorted(PACKAGE.rglob("*.py"))
        if "_notebooks" not in file.parts
    ]


def test_every_module_has_a_floor():
    assert {name for _, name in modules()} - {"__init__"} <= set(FLOOR)


def test_imports_only_go_down():
    wrong = []
    for file, name in modules():
        if name == "__init__":
            continue
        for target in imported(file):
            parts = target.split(".")
            if parts[0] == "dpbandits" and len(parts) > 1 and parts[1] in FLOOR and FLOOR[parts[1]] < FLOOR[name]:
                wrong.append(f"{file.relative_to(PACKAGE)} imports {target}")
    assert not wrong, wrong


def graph() -> dict[str, set[str]]:
    """Each module -> those that it imports anywhere, also inside functions."""
    names = {file: ".".join(file.with_suffix("").relative_to(PACKAGE.parent).parts) for file, _ in modules()}
    known = {name.removesuffix(".__init__") for name in names.values()}
    found = {name: set() for name in known}
    for file, name in names.items():
        own = name.removesuffix(".__init__")
        for node in ast.walk(ast.parse(file.read_text())):
            targets = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                parts = [f"{node.module}.{alias.name}" for alias in node.names]
                targets = [part if part in known else node.module for part in parts]
            found[own] |= known.intersection(targets) - {own}
    return found


def test_no_imports_run_in_a_circle():
    found = graph()
    assert sum(map(len, found.values())) > len(found), "each module imports some other one, about"
    order = list(graphlib.TopologicalSorter(found).static_order())  # CycleError tells the circle
    assert order.index("dpbandits.reach") < order.index("dpbandits.kernels") < order.index("dpbandits.cli")


def test_no_widget_stack_below_figures():
    wrong = [
        f"{file.relative_to(PACKAGE)} imports {target}"
        for file, name in modules()
        for target in imported(file)
        if target.split(".")[0] in WIDGETS and FLOOR.get(name, -1) > FLOOR["figures"]
    ]
    assert not wrong, wrong


def test_a_command_does_not_load_what_only_another_needs():
    code = (
        "import sys, dpbandits.cli; print(*{'nbformat', 'voila', 'plotly', 'ipywidgets', 'jupyterlab'} &"
        " set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not done.stdout.strip(), f"`import dpbandits.cli` loads {done.stdout}"


def test_no_test_module_is_imported_by_another():
    """What two of them need lies in a module of its own."""
    tests = Path(__file__).parents[1]
    wrong = [
        f"{file.relative_to(tests)} imports {name}"
        for file in sorted(tests.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
        if name.startswith("test_") or ".test_" in name
    ]
    assert not wrong, wrong
