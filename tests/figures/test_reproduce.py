"""A panel on disk: page, numbers, settings, picture."""

import csv
import json
import re
import struct
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpbandits.cli import main
from dpbandits.figures import browser, reproduce
from dpbandits.papers.catalogue import FIGURES


def smaller(name):
    """The panel with few and short runs."""
    figure = FIGURES[name]
    small = {"horizon": 2000, "runs": 2} | (
        {"checkpoints": [2000]} if figure.builder == "tradeoff" else {"checkpoints": 20}
    )
    short = {
        k: v[::8] for k, v in figure.settings_at("quick").items() if k in ("epsilon", "delta") and isinstance(v, list)
    }
    return replace(figure, scales={scale: {**figure.scales[scale], **small, **short} for scale in figure.scales})


@pytest.fixture
def small_figures(monkeypatch):
    figures = {
        name: smaller(name) if FIGURES[name].simulated else FIGURES[name]
        for name in ("wang-zhu-fig-1a", "wang-zhu-fig-5a", "wang-zhu-fig-6a")
    }
    monkeypatch.setattr("dpbandits.papers.catalogue.FIGURES", figures)
    return figures


def test_files_of_a_regret_panel(small_figures, tmp_path):
    figure = small_figures["wang-zhu-fig-5a"]
    files = reproduce.reproduce(figure, "quick", tmp_path, png=False)
    assert [f.name for f in files] == [f"wang-zhu-fig-5a.{s}" for s in ("html", "csv", "json")]
    with files[1].open() as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["algorithm", "round", "mean", "std", "stderr", "runs"]
    regret = figure.data("quick").regret.sel(algorithm="dp-se", round=2000)
    (last,) = [r for r in rows if r["algorithm"] == "dp-se" and r["round"] == "2000"]
    assert float(last["mean"]) == pytest.approx(float(regret.mean()), rel=1e-12) and float(
        last["std"]
    ) == pytest.approx(float(regret.std(ddof=1)), rel=1e-9)
    settings = json.loads(files[2].read_text(), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert settings["scale"] == "quick" and settings["settings"]["horizon"] == 2000 and settings["version"]
    assert (
        settings["guarantees"]["dp-ftpl-new"]["scope"] == "per-selection"
        and settings["guarantees"]["dp-se"]["scope"] == "transcript"
    )


def test_the_page_is_offline_and_says_what_it_shows(small_figures, tmp_path):
    figure = small_figures["wang-zhu-fig-5a"]
    page = reproduce.reproduce(figure, "quick", tmp_path, png=False)[0].read_text()
    assert (
        set(re.findall(r'src="([^"]+)"', page)) == {"plotly.min.js"}
        and (tmp_path / "plotly.min.js").stat().st_size > 10**6
    )
    assert len(page) < 300_000
    assert "Beware: one ε, two promises." in page and "per-selection" in page and "wang-zhu-fig-5a.csv" in page


def test_files_are_the_same_when_written_again(small_figures, tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        reproduce.reproduce(small_figures["wang-zhu-fig-6a"], "quick", tmp_path / folder, png=False)
    for file in (tmp_path / "one").glob("wang-zhu*"):
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes(), file.name


def test_a_swept_parameter_is_not_labelled_with_its_first_value(small_figures, tmp_path):
    files = reproduce.reproduce(small_figures["wang-zhu-fig-6a"], "quick", tmp_path, png=False)
    record = json.loads(files[2].read_text())["guarantees"]["dp-ftpl-new"]
    assert (
        record["delta"] is None and record["epsilon"] == 0 and record["label"] == "per-selection, delta along the axis"
    )


def test_region_numbers(tmp_path):
    files = reproduce.reproduce(FIGURES["wang-zhu-fig-3a"], "paper", tmp_path, png=False)
    table = pd.read_csv(files[1])
    assert list(table) == ["x", "F", "F_after_+1", "F_after_-1", "lowest_allowed", "highest_allowed"]
    assert (
        (np.diff(table.x) > 0).all()
        and (table.lowest_allowed <= table.F).all()
        and (table.F <= table.highest_allowed).all()
    )
    assert json.loads(files[2].read_text())["smallest_pulls"] == 1


def test_without_a_browser_there_is_no_picture_and_no_error(tmp_path, monkeypatch):
    monkeypatch.setattr(browser, "find_browser", lambda: None)
    assert len(reproduce.reproduce(FIGURES["wang-zhu-fig-1a"], "quick", tmp_path)) == 3


def test_a_browser_that_fails_is_no_error(tmp_path, monkeypatch):
    monkeypatch.setattr(browser, "find_browser", lambda: "/bin/false")
    assert not browser.screenshot(tmp_path / "x.html", tmp_path / "x.png", 10, 10)


@pytest.mark.skipif(browser.find_browser() is None, reason="no Chromium or Chrome is installed")
@pytest.mark.slow
def test_picture(tmp_path):
    files = reproduce.reproduce(FIGURES["wang-zhu-fig-1a"], "quick", tmp_path)
    head = files[3].read_bytes()[:24]
    width, height = struct.unpack(">II", head[16:24])
    assert head.startswith(b"\x89PNG") and width == 2 * (reproduce.WIDTH + 24) and height > 2 * reproduce.HEIGHT


def test_command(small_figures, tmp_path, capsys):
    out = tmp_path / "new" / "figures"
    assert main(["reproduce", "wang-zhu-fig-1", "--out", str(out), "--no-png"]) == 0
    assert "[1/1] wang-zhu-fig-1a" in capsys.readouterr().out and (out / "wang-zhu-fig-1a.html").is_file()
    assert main(["reproduce", "all", "--out", str(out), "--no-png"]) == 0
    assert {p.stem for p in out.glob("*.csv")} == set(small_figures)
    page = (out / "index.html").read_text()
    assert all(f"href='{name}.html'" in page for name in small_figures)


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["wang-zhu-fig-9a", "--out", "x"], ["'wang-zhu-fig-9a'", "Did you mean"]),
        (["wang-zhu-fig-1a", "--out", "x", "--scale", "huge"], ["scale = 'huge'", "quick, paper"]),
        (["wang-zhu-fig-1a", "--out", "x", "--workers", "0"], ["workers = 0", ">= 1"]),
        (["wang-zhu-fig-1a"], ["--out"]),
        (["wang-zhu-fig-1a", "--out", "file"], ["'file'", "it is a file"]),
    ],
)
def test_bad_input(argv, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(reproduce, "reproduce", lambda *_, **__: pytest.fail("it has started"))
    assert main(["reproduce", *argv]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and all(word in err for word in words), err
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
