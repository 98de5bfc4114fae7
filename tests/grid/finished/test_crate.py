"""A run packed as a crate, and run again from it."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from made_runs import SMALL, WORDS, make_run

import builtin_pair
import seggrid
from seggrid.base.csv_file import read_csv
from seggrid.commands import main
from seggrid.grid.finished import crate as crates
from seggrid.grid.finished.record import read_record
from seggrid.grid.run.output_digests import digest_of

SETTINGS = {"pairs": {"p": {"text": ["a.txt", "data/b.txt"]}}, "report": {"title": "a.txt"}}


@pytest.fixture
def study(tmp_path):
    """A folder with two inputs, and a run made by hand."""
    folder = tmp_path / "study"
    (folder / "data").mkdir(parents=True)
    for name in ("a.txt", "data/b.txt"):
        (folder / name).write_text(name)
    record = {
        "settings": SETTINGS,
        "inputs": {name: digest_of(folder / name) for name in ("a.txt", "data/b.txt")},
        "versions": {"seggrid": "0.0.1"},
        "machine": {"cores": 3},
        "ended": "2026-01-01T00:00:00+00:00",
    }
    make_run(folder / "results", {WORDS: 2, SMALL: 3}, record)
    return folder


def crate(study, *options):
    made = study.parent / "crate"
    return main(["crate", str(study), "-o", str(made), *options]), made


def test_every_file_of_a_crate_is_in_its_metadata_and_the_other_way_round(study):
    status, made = crate(study, "--license", "https://example.org/licence")
    assert status == 0
    graph = json.loads((made / "ro-crate-metadata.json").read_text())["@graph"]
    named = {one["@id"]: one for one in graph if "File" in one["@type"]}
    there = {file.relative_to(made).as_posix() for file in made.rglob("*") if file.is_file()}
    assert there == {*named, "ro-crate-metadata.json"}
    for name, one in named.items():
        assert one.get("sha256", digest_of(made / name)) == digest_of(made / name)
    ids = [one["@id"] for one in graph]
    assert len(set(ids)) == len(ids)
    # What is referred to by a local name is described.
    text = json.dumps(graph)
    for reference in ("#run", "#config", "#tables", "#snakemake"):
        assert text.count(f'"{reference}"') > 1


def test_the_config_of_a_crate_leads_to_the_inputs_in_it(study):
    _, made = crate(study)
    text = yaml.safe_load((made / "config.yaml").read_text())["pairs"]["p"]["text"]
    assert [(made / name).read_text() for name in text] == ["a.txt", "data/b.txt"]
    assert [Path(name).name for name in text] == ["a.txt", "b.txt"]


# For each: a file of the study, what is written in place of what, and what is said.
DAMAGE = {
    "an input": ("a.txt", "a.txt", "other", "a.txt: changed since the run"),
    "a table": ("results/scores.csv", "cell", "cells", "scores.csv: not the table of the last run"),
    "no record": ("results/run.json", None, None, "no record of a run"),
    "a failed run": ("results/run.json", '"finished": true', '"finished": false', "that failed"),
    "an input without a name": (
        *("results/run.json", json.dumps(SETTINGS), '{"text": "data/b.txt"}'),
        "a.txt: has no name of its own in the config",
    ),
    "a glossary": (
        *("results/run.json", '"title": "a.txt"', '"glossary": "file:names.txt"'),
        "the glossary file:names.txt is not packed",
    ),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_not_the_run_is_not_packed(study, capsys, damage):
    name, before, after, message = DAMAGE[damage]
    file = study / name
    if before is None:
        file.unlink()
    else:
        assert before in file.read_text()
        file.write_text(file.read_text().replace(before, after))
    status, made = crate(study)
    assert status == 2
    assert message in capsys.readouterr().err
    assert not made.exists()


@pytest.fixture
def rerun(monkeypatch):
    """Takes the place of a run: puts tables into the folder."""

    def put(tables):
        def repeated(words, folder):
            shutil.copytree(tables, folder / "results", dirs_exist_ok=True)

        monkeypatch.setattr("seggrid.commands.reproduce.run_command", repeated)

    return put


def test_equal_and_other_tables_are_told_apart(study, capsys, rerun, tmp_path):
    _, made = crate(study)
    rerun(study / "results")
    again = str(tmp_path / "again")
    assert main(["reproduce", str(made), "-o", again]) == 0
    out, said = capsys.readouterr()
    assert out == "same  scores.csv\nsame  counts.npz\n"
    assert "seggrid was 0.0.1, is" in said
    rerun(make_run(tmp_path / "other", {WORDS: 2, SMALL: 4}))
    with pytest.raises(SystemExit) as end:
        main(["reproduce", str(made), "-o", str(tmp_path / "more")])
    assert end.value.code == 1
    assert "differs  scores.csv" in capsys.readouterr().out


def test_a_damaged_crate_is_refused(study, capsys, tmp_path):
    _, made = crate(study)
    (made / "inputs/2/b.txt").write_text("other")
    again = tmp_path / "again"
    assert main(["reproduce", str(made), "-o", str(again)]) == 2
    assert "inputs/2: not the input of the run" in capsys.readouterr().err
    assert not again.exists()
    assert main(["reproduce", str(study), "-o", str(again)]) == 2
    assert "no ro-crate-metadata.json" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["inputs/1/a.txt", "inputs/1", "config.yaml", "results"])
def test_a_crate_with_a_link_is_refused(study, capsys, tmp_path, name):
    """It might lead to a file of the one who reproduces it."""
    _, made = crate(study)
    (made / name).rename(tmp_path / "elsewhere")
    (made / name).symlink_to(tmp_path / "elsewhere")
    assert main(["reproduce", str(made), "-o", str(tmp_path / "again")]) == 2
    assert f"{name}: a link, which may lead out of the crate" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("../secret.txt", "'../secret.txt' leads out of the crate"),
        ("inputs/../../x", "leads out of the crate"),
        ("/etc/hostname", "'/etc/hostname' leads out of the crate"),
        ("~/x", "'~/x' leads out of the crate"),
        ("file:../x", "leads out of the crate"),
        ({"url": "https://example.org/x", "sha256": "0" * 64}, "a download, which is not in"),
    ],
)
def test_a_config_that_leads_out_of_its_crate_is_refused(study, capsys, tmp_path, text, said):
    _, made = crate(study)
    config = yaml.safe_load((made / "config.yaml").read_text())
    config["pairs"]["p"]["text"][1] = text
    (made / "config.yaml").write_text(yaml.safe_dump({"mirror": "/data", **config}))
    assert main(["reproduce", str(made), "-o", str(tmp_path / "again")]) == 2
    error = capsys.readouterr().err
    assert f"error: {made}/config.yaml:" in error
    assert said in error


def test_names_in_the_metadata_are_those_of_a_uri(tmp_path):
    """As RO-Crate 1.1 has it, a space is %20, and a percent sign %25."""
    record = {
        "inputs": {"e 50%.txt": "0"},
        "tables": {},
        "ended": "",
        "machine": {},
        "versions": {},
    }
    made = crates.metadata(record | {"settings": {}}, ["inputs/1/e 50%.txt"], "none")
    (one,) = (part for part in made["@graph"] if "inputs" in part["@id"])
    assert one["@id"] == "inputs/1/e%2050%25.txt"
    text = json.dumps(made)
    assert text.count('"inputs/1/e%2050%25.txt"') == 3
    assert "50%.txt" not in text


CONFIG = """
pairs:
  p: {source: {text: eng}, target: {text: deu}, gold: {file: gold}}
experiments:
  x: {segmenter: words, aligner: gibbs}
report: {resamples: 100}
"""


@pytest.mark.tier("check")
def test_a_run_repeated_from_its_crate_has_the_same_bytes(tmp_path, monkeypatch):
    """A run, its crate, and a run from nothing but that."""
    builtin_pair.write_pair(tmp_path, 60)
    (tmp_path / "config.yaml").write_text(CONFIG)
    monkeypatch.chdir(tmp_path)
    seggrid.run(cores=1)
    record = read_record(tmp_path / "results")
    assert set(record["inputs"]) == {"eng", "deu", "gold"}
    seggrid.crate(output="../crate")
    for name in record["inputs"]:
        (tmp_path / name).unlink()
    same = seggrid.reproduce("../crate", output="../again", cores="1")
    assert same == dict.fromkeys(record["tables"].keys() - {"cost.csv"}, True)
    assert len(read_csv("../again/results/scores.csv")[1]) == 1


@pytest.mark.tier("check")
@pytest.mark.parametrize("licence", ["https://example.org/licence", "A sentence."])
def test_the_validator_accepts_a_crate(study, licence):
    """In an environment of its own: its dependencies would keep those of the project back."""
    uv = shutil.which("uv") or pytest.skip("no uv")
    _, made = crate(study, "--license", licence)
    packages = ("--with", "roc-validator==0.13.0", "--with", "rocrate==0.16.0")
    script = Path(__file__).with_name("validate_crate.py")
    command = [uv, "run", "--quiet", "--no-project", *packages, "python", script, made]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "valid\n"), done.stderr[-2000:] + done.stdout
