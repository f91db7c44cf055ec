"""`dpbandits doctor`: every line has a status, a wrong one its remedy, and the exit code follows."""

import errno
import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from dpbandits import cache
from dpbandits.cli import doctor, main
from dpbandits.cli.requirements import anew, pip, requirements, serves

GOOD = doctor.Finding("something", "ok", "fine")
BAD = doctor.Finding("something", "mend", "broken", "mend it")
OPTIONAL = doctor.Finding("something", "optional", "missing", "get it")


@pytest.mark.parametrize(("findings", "code"), [([GOOD], 0), ([GOOD, OPTIONAL], 0), ([GOOD, BAD], 1)])
def test_exit_code(findings, code, monkeypatch, capsys):
    monkeypatch.setattr(doctor, "CHECKS", (lambda: findings,))
    assert main(["doctor"]) == code
    text = capsys.readouterr().out
    assert all(f.status in text and f.detail in text and f.mend in text for f in findings)
    main(["doctor", "--json"])
    assert json.loads(capsys.readouterr().out) == [vars(f) for f in findings]


def test_the_verdict_is_one_sentence_or_what_to_mend(monkeypatch):
    monkeypatch.setattr(doctor, "CHECKS", (lambda: [GOOD, OPTIONAL],))
    assert doctor.verdict() == "Everything is in place."
    monkeypatch.setattr(doctor, "CHECKS", (lambda: [GOOD, BAD, OPTIONAL],))
    assert doctor.verdict().split() == ["mend", "something", "broken", "->", "mend", "it"]


def test_a_check_that_breaks_is_a_finding(monkeypatch, capsys):
    def some_check():
        raise ImportError("no such library")

    monkeypatch.setattr(doctor, "CHECKS", (some_check,))
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "some check" in out and "no such library" in out and "pip install" in out


def test_a_dependency_that_is_missing_or_too_old_is_named(monkeypatch):
    real = metadata.version

    def version(name):
        if name == "anywidget":
            raise metadata.PackageNotFoundError(name)
        return "0.1" if name == "plotly" else real(name)

    monkeypatch.setattr(doctor.metadata, "version", version)
    bad = {f.name: f for f in doctor.python_and_packages() if f.status == "mend"}
    assert set(bad) == {"anywidget", "plotly"}
    assert (
        "missing" in bad["anywidget"].detail
        and "anywidget>=" in bad["anywidget"].mend
        and "0.1" in bad["plotly"].detail
    )


def test_a_cache_that_cannot_be_written_is_named(fresh_cache_folder, monkeypatch, tmp_path):
    monkeypatch.setenv("DPBANDITS_CACHE", str(tmp_path / "there"))

    def full(*arguments, **named):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("tempfile.TemporaryFile", full)
        (finding,) = doctor.kernel_cache()
    assert finding.status == "mend" and "the disk is full" in finding.detail and str(tmp_path / "there") in finding.mend


@pytest.mark.parametrize("trouble", ["a file in its place", "files cut short"])
def test_the_advice_about_the_cache_helps(fresh_cache_folder, monkeypatch, tmp_path, trouble):
    place = tmp_path / "cache"
    monkeypatch.setenv("DPBANDITS_CACHE", str(place))
    if trouble == "a file in its place":
        place.write_text("not a folder")
    else:
        (place / "kernels").mkdir(parents=True)
        (place / "kernels" / "module.name-0.1.nbc").touch()
    (finding,) = doctor.kernel_cache()
    assert finding.status == "mend" and str(place) in finding.detail
    subprocess.run(finding.mend, shell=True, check=True)
    for known in (cache.cache_folder, cache.cache_problem):
        known.cache_clear()
    (finding,) = doctor.kernel_cache()
    assert finding.status == "ok" and finding.detail == str(place / "kernels")


def test_versions_are_compared_as_pip_does():
    from packaging.specifiers import SpecifierSet

    for versions in (">=1.26,<3", ">=6.1,<8", ">=0.5.6,<0.6", "~=2.2", "==1.4", "!=1.5", ">=4", ""):
        for version in ("0.5.6", "0.6", "1.26", "1.4.0", "1.5", "2.2.1", "2.3", "3", "3.0.1", "4.0", "6.1.0", "8.0.1"):
            assert serves(version, versions) == SpecifierSet(versions).contains(version), (version, versions)


def broken_in_turn(name, tmp_path):
    """The environment in which a library raises when it is loaded."""
    package = tmp_path / name
    package.mkdir()
    (package / "__init__.py").write_text(f"raise ImportError('broken on purpose', name={name!r})")
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}


@pytest.mark.slow
@pytest.mark.parametrize("requirement", [r for r in requirements() if not r.extra], ids=str)
def test_with_each_dependency_broken(requirement, tmp_path):
    around = broken_in_turn(requirement.module, tmp_path)
    command = [sys.executable, "-m", "dpbandits"]
    told = subprocess.run([*command, "--version"], env=around, capture_output=True, text=True)
    assert told.returncode == 0 and told.stdout.startswith("dpbandits ") and not told.stderr
    done = subprocess.run([*command, "doctor", "--json"], env=around, capture_output=True, text=True)
    assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
    found = {entry["name"]: entry for entry in json.loads(done.stdout)}
    mine = found[requirement.name]
    assert mine["status"] == "mend" and "broken on purpose" in mine["detail"] and str(requirement) in mine["mend"]
    assert all(requirement.name in e["mend"] for e in found.values() if e["status"] == "mend"), found


def test_a_command_whose_library_is_broken_sends_to_doctor(tmp_path):
    words = ["run", "ucb1", "--instance", "two-arms", "--horizon", "10", "--runs", "1"]
    command = [sys.executable, "-m", "dpbandits", *words]
    done = subprocess.run(command, env=broken_in_turn("numba", tmp_path), capture_output=True, text=True)
    assert done.returncode == 1 and "Traceback" not in done.stderr and "`dpbandits doctor`" in done.stderr


def test_doctor_runs_on_the_standard_library_alone(tmp_path):
    """Every other library is broken, `packaging` among them: what doctor finds it still tells."""
    heavy = ["packaging", *(r.module for r in requirements() if not r.extra)]
    for name in heavy:
        around = broken_in_turn(name, tmp_path)
    command = [sys.executable, "-m", "dpbandits", "doctor", "--json"]
    done = subprocess.run(command, env=around, capture_output=True, text=True)
    found = {entry["name"]: entry["status"] for entry in json.loads(done.stdout)}
    assert done.returncode == 1 and not done.stderr and found["Python"] == found["notebooks"] == "ok"
    assert all(found[r.name] == "mend" for r in requirements() if not r.extra)


def test_a_clone_is_installed_from_where_it_lies():
    folder = Path(doctor.__file__).parents[2]
    assert anew() == f'{pip()} -e "{folder}"' and (folder / "pyproject.toml").is_file()
    trial = f"{anew()} --dry-run --no-deps --no-build-isolation"  # tried, without changing this environment
    done = subprocess.run(trial, shell=True, capture_output=True, text=True)
    assert done.returncode == 0 and "dpbandits" in done.stdout + done.stderr, done.stderr


def test_another_environment_s_kernel_is_named(monkeypatch):
    from jupyter_client.kernelspec import KernelSpec, KernelSpecManager

    def elsewhere(self, name):
        return KernelSpec(argv=["/somewhere/else/python", "-m", "ipykernel_launcher"])

    monkeypatch.setattr(KernelSpecManager, "get_kernel_spec", elsewhere)
    found = {f.name: f for f in doctor.jupyter()}
    assert found["notebook kernel"].status == "mend" and "ipykernel install" in found["notebook kernel"].mend


def test_extensions_that_are_missing_are_named(monkeypatch):
    monkeypatch.setattr("jupyterlab_server.config.get_federated_extensions", lambda places: {})
    bad = [f for f in doctor.jupyter() if f.status == "mend"]
    assert len(bad) == 2 and all("pip install" in f.mend for f in bad)


def test_without_a_browser_nothing_has_to_be_mended(monkeypatch):
    monkeypatch.setattr("dpbandits.figures.browser.find_browser", lambda: None)
    (finding,) = doctor.browser()
    assert finding.status == "optional"


def test_what_a_server_needs_is_looked_at_only_when_asked(capsys):
    def names(*options):
        main(["doctor", "--json", *options])
        return {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)}

    hub = {"memory", "processors", "shared kernels", "submissions"}
    found = names("--hub")
    assert hub <= set(found) and all(found[name]["status"] in ("ok", "optional") for name in hub)
    assert all(entry["mend"] for entry in found.values() if entry["status"] != "ok")
    assert not hub & set(names())
