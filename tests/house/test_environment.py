"""environment.yml agrees with pyproject.toml."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS_IN_ENVIRONMENT = ("nbval",)  # a teacher checks the notebooks without further installation


def environment() -> tuple[dict[str, str], list[str], list[str]]:
    """(conda packages with their specifiers, what pip installs, channels). Reads just the YAML that the file uses."""
    text = re.sub(r"#.*", "", (ROOT / "environment.yml").read_text())
    channels, rest = re.search(r"channels:\n((?:  - .*\n)+)dependencies:\n(.*)", text, re.DOTALL).groups()
    packages = {}
    for line in re.findall(r"^  - ([\w-]+[^:\n]*)$", rest, re.MULTILINE):
        name, specifier = re.fullmatch(r"([\w-]+)(.*)", line).groups()
        assert name not in packages, f"{name} twice"
        packages[name] = specifier
    return packages, re.findall(r"^      - (.+)$", rest, re.MULTILINE), re.findall(r"- (\S+)", channels)


def test_runtime_packages_and_their_versions_agree():
    packages, by_pip, _ = environment()
    wanted = {r.name: r.specifier for r in map(Requirement, PROJECT["dependencies"])}
    wanted |= {
        r.name: r.specifier
        for r in map(Requirement, PROJECT["optional-dependencies"]["test"])
        if r.name in EXTRAS_IN_ENVIRONMENT
    }
    found = {name: SpecifierSet(s) for name, s in packages.items() if name not in ("python", "pip")}
    found |= {r.name: r.specifier for r in map(Requirement, by_pip[:-1])}
    assert found == wanted
    assert "anywidget" in found, "it shows the panels' plots, and plotly does not ask for it"


def test_python_fits():
    packages, _, _ = environment()
    assert SpecifierSet(PROJECT["requires-python"]).contains(packages["python"].lstrip("=") + ".0")


def test_pip_installs_this_clone_and_what_conda_does_not_have():
    packages, by_pip, channels = environment()
    assert "pip" in packages and by_pip[-1] == "-e ." and channels == ["conda-forge", "nodefaults"]
    assert [Requirement(r).name for r in by_pip[:-1]] == ["dp-accounting"]
