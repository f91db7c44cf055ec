"""`dpbandits privacy`: the contract of its JSON, its sentences, and bad input."""

import json

import pytest

from dpbandits.cli import main


def run(capsys, *argv):
    code = main(["privacy", *argv])
    return code, *capsys.readouterr()


def test_json_keeps_the_contract(capsys):
    code, out, err = run(
        capsys, "dp-se", "--instance", "two-arms", "--horizon", "1e5", "--set", "epsilon=0.5", "--json"
    )
    found = json.loads(out)
    assert code == 0 and not err
    assert found["guarantee"]["scope"] == "transcript" and found["guarantee"]["epsilon"] == 0.5
    transcript = found["transcript"]
    assert transcript["epsilon"] == pytest.approx(0.5 - 2e-5, abs=1e-6) and transcript["delta"] == 1e-5
    assert transcript["proved"] is True and transcript["by"] and transcript["watcher"] == "all selections"
    assert found["instance"] == "two-arms" and found["parameters"]["horizon"] == 100_000
    assert "audit" not in found


def test_no_finite_epsilon_is_null_with_a_reason(capsys):
    code, out, _ = run(capsys, "cascade-ldp-gauss", "--horizon", "100", "--json")
    transcript = json.loads(out)["transcript"]
    assert code == 0 and transcript["epsilon"] is None and transcript["proved"] is False
    assert "click position" in transcript["note"]


def test_sentences(capsys):
    code, out, _ = run(capsys, "thompson-gauss", "--horizon", "1000", "--delta-total", "1e-6")
    assert code == 0 and "Proved: ε = " in out and "Gaussian differential privacy" in out and "settings" in out


@pytest.mark.parametrize(
    "argv, words",
    [
        (["dp-see", "--horizon", "10"], "Unknown algorithm 'dp-see'. Did you mean dp-se?"),
        (["dp-se"], "required: --horizon"),
        (["dp-se", "--horizon", "ten"], "horizon = 'ten' is not allowed"),
        (["dp-se", "--horizon", "10", "--delta-total", "1"], "delta_total = 1 is not allowed"),
        (
            ["dp-se", "--horizon", "10", "--set", "delta_total=0.1"],
            "delta_total has an option of its own, --delta-total",
        ),
        (["dp-se", "--horizon", "10", "--set", "epsilon=0"], "epsilon = 0 is not allowed"),
        (["dp-se", "--horizon", "10", "--instance", "two"], "two"),
    ],
)
def test_bad_input(capsys, argv, words):
    code, out, err = run(capsys, *argv)
    assert code == 2 and not out and words in err and err.count("\n") == 1


def test_the_audit_keeps_its_contract(capsys):
    code, out, err = run(capsys, "cascade-ldp-laplace", "--horizon", "50", "--audit", "1000", "--seed", "3", "--json")
    found = json.loads(out)["audit"]
    assert code == 0 and not err
    assert {"epsilon_at_least", "delta", "confidence", "trials", "witness"} <= set(found)
    assert found["epsilon_at_least"] > 3 and found["trials"] == 1000 and found["refutes_label"] is True
    assert found["confidence"] == 1 - 1e-6 and found["witness"].startswith("The number of reports")
    code, again, _ = run(capsys, "cascade-ldp-laplace", "--horizon", "50", "--audit", "1000", "--seed", "3", "--json")
    assert again == out
    code, out, _ = run(capsys, "dp-se", "--horizon", "50", "--audit", "1000")
    assert code == 0 and "Not audited" in out
    code, _, err = run(capsys, "dp-se", "--horizon", "50", "--audit", "1")
    assert code == 2 and "trials = 1 is not allowed" in err
