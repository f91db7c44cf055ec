"""`dpbandits doctor`: is everything there, and how to mend what is not."""

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata

from dpbandits.cli.output import as_json
from dpbandits.cli.requirements import Requirement, anew, pip, requirements, serves

HELP = """\
check the installation and say how to mend it

Each line is `ok`, `mend` with the one command that mends it, or `optional` for what only some commands use.
Exit code 0 when nothing has to be mended, else 1.

With --hub it also looks at what a shared server needs: memory, processors, a kernel cache that all can use, and whether
submissions can be confined.

examples:
  dpbandits doctor
  dpbandits doctor --hub
  dpbandits doctor --json
"""

PYTHONS = ">=3.11"  # where the package is not installed and cannot say so itself


@dataclass(frozen=True)
class Finding:
    """One line: status "ok", "mend" or "optional"; mend: the command that helps, "" when ok."""

    name: str
    status: str
    detail: str
    mend: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="a JSON list: name, status, detail, mend")
    parser.add_argument("--hub", action="store_true", help="also what a server for a class needs")


def execute(arguments: argparse.Namespace) -> int:
    found = findings() + ([finding for check in HUB for finding in _guarded(check)] if arguments.hub else [])
    print(as_json([asdict(f) for f in found]) if arguments.json else _lines(found))
    return int(any(f.status == "mend" for f in found))


def findings() -> list[Finding]:
    """What every check found."""
    return [finding for check in CHECKS for finding in _guarded(check)]


def verdict() -> str:
    """For a notebook: one sentence when nothing has to be mended, else the lines on what has, and how."""
    broken = [f for f in findings() if f.status == "mend"]
    return _lines(broken) if broken else "Everything is in place."


def _lines(found: Sequence[Finding]) -> str:
    width = max(len(f.name) for f in found)
    return "\n".join(
        f"{f.status:<8}  {f.name:<{width}}  {f.detail}" + (f"\n{'':<8}  {'':<{width}}  -> {f.mend}" if f.mend else "")
        for f in found
    )


def _guarded(check: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """A check that breaks is itself a finding."""
    try:
        return list(check())
    except Exception as error:  # noqa: BLE001 - whatever is wrong with the installation belongs in the report
        return [Finding(check.__name__.strip("_").replace("_", " "), "mend", *_broken(error))]


def _broken(error: Exception) -> tuple[str, str]:
    """What is wrong, in a line, and the command that mends it: the library that does not load, or this package."""
    library: str = ""
    cause: BaseException | None = error
    while cause is not None:  # pandas, say, wraps what numpy raised
        named = cause.name if isinstance(cause, ImportError) else None
        library, cause = (named or library).partition(".")[0], cause.__cause__ or cause.__context__
    return f"{type(error).__name__}: {error}".splitlines()[0], anew(library or "dpbandits")


def python_and_packages() -> Iterable[Finding]:
    """Python and every dependency, against the package's own metadata; and each of them loads."""
    try:
        package = metadata.distribution("dpbandits")
    except metadata.PackageNotFoundError:
        yield Finding("dpbandits", "mend", "runs from a folder without being installed", anew())
        return
    yield Finding("dpbandits", "ok", package.version)
    version = ".".join(map(str, sys.version_info[:3]))
    wanted = package.metadata.get("Requires-Python", "") or PYTHONS
    fits = serves(version, wanted)
    yield Finding(
        "Python",
        "ok" if fits else "mend",
        f"{version} ({wanted}), {sys.executable}",
        "" if fits else "conda create -n dpbandits python=3.12",
    )
    yield from (_dependency(requirement) for requirement in requirements() if not requirement.extra)


def _dependency(requirement: Requirement) -> Finding:
    """Whether it is there, new enough, and loads."""
    try:
        version = metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        return Finding(requirement.name, "mend", f"missing, needed: {requirement.versions}", f'{pip()} "{requirement}"')
    if not serves(version, requirement.versions):
        detail = f"{version}, needed: {requirement.versions}"
        return Finding(requirement.name, "mend", detail, f'{pip()} "{requirement}"')
    try:
        importlib.import_module(requirement.module)
    except Exception as error:  # noqa: BLE001 - a broken library may raise anything
        detail, mend = _broken(error)
        return Finding(requirement.name, "mend", f"{version} does not load ({detail})", mend)
    return Finding(requirement.name, "ok", version)


def compiler() -> Iterable[Finding]:
    """numba compiles, and the kernels run."""
    from dpbandits import simulate

    simulate("ucb1", "two-arms", horizon=10, runs=1, progress=False)
    yield Finding("compiler", "ok", "numba compiles and runs a kernel")


def kernel_cache() -> Iterable[Finding]:
    """Compiled kernels can be kept, and those that are kept are whole."""
    from dpbandits import cache

    root, problem, file = cache.cache_root(), cache.cache_problem(), cache.in_the_way()
    if file:
        detail, mend = f"{file} is a file, where a folder is needed", f'mv "{file}" "{file}.old"'
    elif problem:
        above = root if root.exists() else root.parent
        detail, mend = f"{root} cannot be written ({problem})", f'mkdir -p "{root}" && chmod -R u+rwX "{above}"'
        mend += "   (or set DPBANDITS_CACHE to another folder)"
    elif cache.damaged():
        detail, mend = f"{root} holds files that were cut short: their kernels compile anew", f'rm -r "{root}"'
    elif cache.room() < cache.ROOM:
        detail = f"{root} has room for {cache.room() / 1e6:,.0f} MB; all kernels take up to {cache.ROOM / 1e6:,.0f}"
        mend = "make room on that disk, or set DPBANDITS_CACHE to a folder on another"
    else:
        detail, mend = str(root), ""
    if mend and not detail.startswith(str(root)):
        detail += f": compiled kernels cannot be kept in {root}, and every start compiles anew"
    yield Finding("kernel cache", "mend" if mend else "ok", detail, mend)


def jupyter() -> Iterable[Finding]:
    """JupyterLab starts from this environment, with the extensions that draw widgets and live figures."""
    from jupyter_client.kernelspec import KernelSpecManager
    from jupyter_core.paths import jupyter_path
    from jupyterlab_server.config import get_federated_extensions, get_page_config

    importlib.import_module("jupyterlab.labapp")
    yield Finding("JupyterLab", "ok", f'starts with "{sys.executable}" -m jupyterlab')
    places = jupyter_path("labextensions")
    present, disabled = get_federated_extensions(places), get_page_config(places).get("disabledExtensions", [])
    for extension, package in (
        ("@jupyter-widgets/jupyterlab-manager", "jupyterlab_widgets"),
        ("anywidget", "anywidget"),
    ):
        name = f"Lab extension {extension}"
        if extension not in present:
            yield Finding(
                name,
                "mend",
                "JupyterLab does not find it: sliders stay blank",
                anew(package),
            )
        elif extension in disabled:
            yield Finding(
                name,
                "mend",
                "is disabled in JupyterLab",
                f'"{sys.executable}" -m jupyterlab.labextensions enable {extension}',
            )
        else:
            yield Finding(name, "ok", "enabled in JupyterLab")
    program = KernelSpecManager().get_kernel_spec("python3").argv[0]
    # Jupyter starts a bare "python" with the interpreter that it runs in itself.
    here = program in ("python", "python3") or os.path.realpath(program) == os.path.realpath(sys.executable)
    yield Finding(
        "notebook kernel",
        "ok" if here else "mend",
        f"python3 is {sys.executable if here else program}" + ("" if here else ", another environment"),
        "" if here else f'"{sys.executable}" -m ipykernel install --sys-prefix --name python3',
    )


def widgets() -> Iterable[Finding]:
    """A live figure can be shown: anywidget is there, and so is the plotly.js that draws it."""
    import anywidget
    from plotly.offline import get_plotlyjs, get_plotlyjs_version

    get_plotlyjs()  # its file is read when the first panel opens
    drawn_by = f"plotly.js {get_plotlyjs_version()} by way of anywidget {anywidget.__version__}"
    yield Finding("live figures", "ok", drawn_by)


def notebooks() -> Iterable[Finding]:
    """The notebooks are there."""
    from dpbandits.cli.lab import source

    try:
        folder, _ = source()
    except ValueError as error:
        yield Finding("notebooks", "mend", str(error), anew())
        return
    count = len(list(folder.glob("*.ipynb")))
    yield Finding(
        "notebooks",
        "ok" if count else "mend",
        f"{count} in {folder}",
        "" if count else anew(),
    )


def browser() -> Iterable[Finding]:
    """A browser for the PNG files of `reproduce`."""
    from dpbandits.figures.browser import find_browser

    found = find_browser()
    mend = "" if found else "install Chromium or Chrome, or set DPBANDITS_BROWSER to its program"
    yield Finding(
        "browser",
        "ok" if found else "optional",
        found or "none found: `dpbandits reproduce` writes HTML but no PNG",
        mend,
    )


def grading() -> Iterable[Finding]:
    """nbgrader, for teaching staff alone."""
    try:
        yield Finding("nbgrader", "ok", metadata.version("nbgrader"))
    except metadata.PackageNotFoundError:
        yield Finding("nbgrader", "optional", "missing: only grading problem sets needs it", command_for("grading"))


def server() -> Iterable[Finding]:
    """What each user of a shared server may use here: memory and processors."""
    import psutil

    memory, cores = (
        psutil.virtual_memory().total / 2**30,
        len(psutil.Process().cpu_affinity() if hasattr(psutil.Process, "cpu_affinity") else range(os.cpu_count() or 1)),
    )
    enough = memory >= 2
    yield Finding(
        "memory",
        "ok" if enough else "optional",
        f"{memory:.1f} GB on this computer; a user needs 1 to 2",
        "" if enough else "give each user 2 GB",
    )
    yield Finding(
        "processors",
        "ok" if cores > 1 else "optional",
        f"{cores} for this process; explorers use two",
        "" if cores > 1 else "give each user two processors",
    )


def shared_cache() -> Iterable[Finding]:
    """Whether compiled kernels are kept where other users find them."""
    own = os.environ.get("DPBANDITS_CACHE", "")
    detail = own or "each user compiles once, for about a minute: DPBANDITS_CACHE is not set"
    yield Finding(
        "shared kernels",
        "ok" if own else "optional",
        detail,
        "" if own else "set DPBANDITS_CACHE to a folder that all users can read",
    )


def confinement() -> Iterable[Finding]:
    """Whether the process of a submission can be kept from the course's files (tried in a process of its own)."""
    from dpbandits.course.player import Student

    with Student() as student:
        student.run("")
        held = student.confined
    detail = (
        "a submission cannot read the course or reach the network" if held else "a submission runs with your rights"
    )
    yield Finding(
        "submissions",
        "ok" if held else "optional",
        detail,
        "" if held else "grade in a container or an account of its own",
    )


def command_for(extra: str) -> str:
    """The one command that adds what an extra of this package asks for."""
    try:
        wanted = [str(requirement) for requirement in requirements() if requirement.extra == extra]
    except metadata.PackageNotFoundError:
        wanted = []
    return f"{pip()} " + (" ".join(f'"{requirement}"' for requirement in wanted) or f'"dpbandits[{extra}]"')


CHECKS = (python_and_packages, compiler, kernel_cache, jupyter, widgets, notebooks, browser, grading)
HUB = (server, shared_cache, confinement)
