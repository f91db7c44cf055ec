"""`dpbandits app`: what is refused, and the page that it writes. Served and looked at in tests/browser/test_app.py."""

import socket

import nbformat
import pytest

from dpbandits.cli import app, main


def test_the_page_is_one_cell(tmp_path):
    notebook = nbformat.read(app.write_page(tmp_path, "region"), as_version=4)
    nbformat.validate(notebook)
    (cell,) = notebook.cells
    assert cell.source.endswith("Stage('region')")


def test_a_port_in_use_is_refused():
    with socket.socket() as other:
        other.bind((app.HOST, 0))
        other.listen()
        with pytest.raises(ValueError, match=f"port: {other.getsockname()[1]} cannot be used"):
            app.free_port(other.getsockname()[1])
    assert 1024 <= app.free_port() <= 65535


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["regretful"], "Unknown explorer 'regretful'. Did you mean regret?"),
        (["--port", "70000"], "port: 70000 is not allowed"),
        (["--port", "x"], "invalid int value: 'x'"),
    ],
)
def test_bad_input_costs_one_sentence(arguments, words, capsys):
    assert main(["app", *arguments]) == 2
    said = capsys.readouterr()
    assert words in said.err and said.err.count("\n") == 1 and not said.out


def test_without_voila_it_says_how_to_add_it(monkeypatch, capsys):
    monkeypatch.setattr(app.importlib.util, "find_spec", lambda name: None)
    assert main(["app"]) == 2
    error = capsys.readouterr().err
    assert "pip install" in error and '"voila' in error


def test_a_server_that_ends_at_once_is_reported():
    class Ended:
        def poll(self):
            return 1

    with pytest.raises(OSError, match="did not start"):
        app.wait_until_it_answers(Ended(), 9)
