"""The functions of `seggrid` for grids, against what the command prints; every verb has one."""

import json
import stat
import sys

import pytest

import builtin_pair
import seggrid
from seggrid.base.errors import InputError, RunError
from seggrid.commands import VERBS, main
from seggrid.grid.run.call import run_command

METHODS = {"learn", "segment"}
OF_A_SHELL = {"completion"}
CONFIG = """
pairs:
  p: {source: {text: eng}, target: {text: deu}, gold: {file: gold}}
experiments:
  x: {segmenter: words, aligner: [gibbs, fast_align]}
report: {resamples: 100}
"""


@pytest.fixture
def study(tmp_path, monkeypatch):
    folder = tmp_path / "study"
    folder.mkdir()
    builtin_pair.write_pair(folder, 20)
    (folder / "config.yaml").write_text(CONFIG)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb not in OF_A_SHELL])
def test_every_verb_is_a_function_of_python(verb):
    name = verb.replace("-", "_")
    owner = seggrid.Segmenter if verb in METHODS else seggrid
    assert callable(getattr(owner, name))
    assert verb in METHODS or name in seggrid.__all__


@pytest.mark.tier("check")
def test_a_plan_is_what_the_command_prints(study, monkeypatch, capsys):
    monkeypatch.chdir(study.parent)
    made = seggrid.plan(folder=study)
    states = {cell["aligner"]: cell["state"] for cell in made.cells}
    assert states == {"gibbs": "new", "fast_align": "new"}
    assert made.jobs["align"] == 2
    monkeypatch.chdir(study)
    capsys.readouterr()
    assert main(["plan", "--cells"]) == 0
    assert capsys.readouterr().out == "\n".join([*made.lines(names=True), ""])
    assert main(["plan", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == made.as_dict()
    only = seggrid.plan(config={"experiments": {"x": {"aligner": "gibbs"}}}, budget=1e6, write="c")
    assert [str(cell) for cell in only.choice.cells] == [made.cells[-1]["cell"]]
    assert len(seggrid.plan("c").cells) == 1


def test_what_a_plan_needs_is_refused(study):
    with pytest.raises(InputError, match="budget"):
        seggrid.plan(write="chosen.yaml")
    with pytest.raises(InputError, match="folder="):
        seggrid.run(options=("--directory", "elsewhere"))
    with pytest.raises(InputError, match="a path, or a list"):
        seggrid.plan(3)


def test_mistakes_of_a_run_are_raised(study):
    with pytest.raises(InputError, match=r"nope\.yaml: no such file"):
        seggrid.run("nope.yaml")


@pytest.mark.parametrize(("status", "said"), [(1, "words failed"), (2, "error: a: 1\nerror: b: 2")])
def test_a_failed_job_is_no_mistake_of_the_input(study, monkeypatch, capsys, status, said):
    other = study / "python"
    other.write_text(f"#!/bin/sh\necho '{said}'\nexit {status}\n")
    other.chmod(other.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(sys, "executable", str(other))
    with pytest.raises(RunError if status == 1 else InputError) as raised:
        run_command([])
    if status == 2:
        assert str(raised.value) == "a: 1\nb: 2"
    else:
        assert "words failed" in capsys.readouterr().err


def test_a_run_gives_its_tables(study):
    results = seggrid.run(config={"seed": 2}, cores=1)
    assert {"scores.csv", "verdict.csv"} <= results.tables.keys()
    assert all(path.is_file() for path in results.tables.values())
    assert results.report.is_file()
    assert results.verdicts
    assert [cell["state"] for cell in seggrid.plan(config={"seed": 2}).cells] == ["kept", "kept"]
    assert not seggrid.diff("results", ".").in_results
