"""`dpbandits doctor`: every line has a status, a wrong one its remedy, and the exit code follows."""

import json
from importlib import metadata

import pytest

from dpbandits.cli import doctor, main

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
    blocked = tmp_path / "a-file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("DPBANDITS_CACHE", str(blocked))
    assert {f.name: f.status for f in doctor.kernels()} == {"compiler": "ok", "kernel cache": "mend"}


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
