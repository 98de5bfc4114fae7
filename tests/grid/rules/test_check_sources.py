"""Checks before any job: the aligners' packages and programs are installed."""

from types import SimpleNamespace

import pytest

from seggrid.base.errors import InputError
from seggrid.base.extras import install_command
from seggrid.grid.config import read_config
from seggrid.grid.grid import Grid
from seggrid.grid.rules.check import check_sources

CONFIG = """\
pairs:
  p:
    source: {language: English, text: e.txt}
    target: {language: German, text: f.txt}
    gold: {file: gold.txt}
experiments:
  one: {merges: 5, aligner: gibbs}
  two: {merges: 5, aligner: [fast_align, eflomal]}
"""


@pytest.fixture
def grid(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.yaml").write_text(CONFIG)
    (tmp_path / "e.txt").write_text("a b\n")
    (tmp_path / "f.txt").write_text("x y\n")
    (tmp_path / "gold.txt").write_text("0-0\n")
    return Grid(read_config([tmp_path / "config.yaml"]))


def test_an_aligner_whose_package_is_missing_is_refused(grid, monkeypatch):
    monkeypatch.setattr("seggrid.base.extras.find_spec", lambda name: None)
    with pytest.raises(InputError) as error:
        check_sources(grid)
    assert "the aligner eflomal: the package eflomal is not installed" in str(error.value)
    assert f"run {install_command('eflomal')}" in str(error.value)
    assert "\n" not in str(error.value)


def test_it_may_be_missing_where_jobs_have_environments_of_their_own(grid, monkeypatch):
    monkeypatch.setattr("seggrid.base.extras.find_spec", lambda name: None)
    check_sources(grid, deployed=True)


def test_one_that_is_installed_is_not(grid, monkeypatch):
    monkeypatch.setattr("seggrid.base.extras.find_spec", lambda name: SimpleNamespace())
    check_sources(grid)


def test_all_mistakes_of_references_are_told_before_any_job(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.yaml").write_text(
        CONFIG.replace("e.txt}", "e.txt, morphemes: {file: pair}}") + "morphology:\n"
        "  own: {learned: {pair: p, side: source, merges: 5}, reference: {file: ours, frequencies: counts}}\n"
        "  again: {learned: {pair: p, side: source, merges: 6}, reference: {file: ours}}\n"
    )
    for name, text in {
        "e.txt": "a b\n", "f.txt": "x y\n", "gold.txt": "0-0\n", "pair": "ab\ta c\n",
        "ours": "ab\ta b\nb\nabc\ta b\n", "counts": "a\tmany\nb\t1\nc\n",
    }.items():  # fmt: skip
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as error:
        check_sources(Grid(read_config([tmp_path / "config.yaml"])), deployed=True)
    lines = str(error.value).splitlines()
    assert sorted(line.split(" ")[0] for line in lines) == [
        "counts:1:", "counts:3:", "ours:2:", "ours:3:", "pair:1:",
    ]  # fmt: skip
