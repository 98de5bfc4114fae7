"""`seggrid run` and `seggrid new`, and what the wheel has for them."""

import errno
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from seggrid.base import extras
from seggrid.base.extras import PROJECT, SNAKEFILE
from seggrid.cli import main
from seggrid.grid.config import read_config
from seggrid.grid.grid import Grid


@pytest.fixture
def study(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["new", "study"]) == 0
    monkeypatch.chdir(tmp_path / "study")
    return tmp_path / "study"


@pytest.fixture
def called(monkeypatch):
    """What Snakemake is called with; it ends with status 0, as it does, by an exception."""
    calls = []

    def snakemake(arguments):
        calls.append(arguments)
        sys.exit(0)

    monkeypatch.setattr("snakemake.cli.main", snakemake)
    return calls


def test_a_new_study_has_a_config_that_can_be_planned_and_its_data(study, capsys):
    names = ["README.md", "config.schema.json", "config.yaml", "data"]
    assert sorted(path.name for path in study.iterdir()) == names
    first = (study / "config.yaml").read_text().partition("\n")[0]
    schema = json.loads((study / first.partition("$schema=")[2]).read_text())
    Draft202012Validator(schema).validate(read_config(["config.yaml"]).root.plain())
    assert len((study / "README.md").read_text().splitlines()) <= 12
    capsys.readouterr()
    assert main(["plan"]) == 0
    assert capsys.readouterr().out.startswith("14 cells: 14 new")
    assert not (study / ".snakemake").exists()


def test_a_folder_that_is_not_empty_is_not_replaced(study, capsys):
    before = (study / "config.yaml").read_bytes()
    (study / "mine").mkdir()
    assert main(["new", "."]) == main(["new", "config.yaml"]) == 2
    assert "config.yaml: exists and is not empty" in capsys.readouterr().err
    assert (study / "config.yaml").read_bytes() == before
    assert main(["new", "mine"]) == 0


# Where no option is about Snakemake's log, it is not shown.
QUIET = ["--quiet", "rules"]
COMMON = ["--snakefile", str(SNAKEFILE), "--configfile"]
CALLS = {
    "": ["config.yaml", "--cores", "all", *QUIET],
    "a.yaml b.yaml --cores 3": ["a.yaml", "b.yaml", "--cores", "3", *QUIET],
    "-c 3 a.yaml -p --until align": ["a.yaml", "--cores", "3", "-p", "--until", "align"],
    "--forcerun align -- results/x": [
        *("config.yaml", "--cores", "all", *QUIET, "--forcerun", "align", "--", "results/x"),
    ],
    "--workflow-profile slurm": ["config.yaml", *QUIET, "--workflow-profile", "slurm"],
    "-j2": ["config.yaml", *QUIET, "-j2"],
}


@pytest.mark.parametrize("given", CALLS)
def test_configs_and_cores_come_first_and_all_else_is_for_snakemake(study, called, given):
    for name in ("a", "b"):
        (study / f"{name}.yaml").write_bytes((study / "config.yaml").read_bytes())
    assert main(["run", *given.split()]) == 0
    assert called == [[*COMMON, *CALLS[given]]]


@pytest.mark.parametrize("command", ["run", "plan"])
@pytest.mark.parametrize("option", [["--configfile", "b.yaml"], ["--configfile=b.yaml"]])
def test_a_config_as_an_option_is_refused(study, called, capsys, command, option):
    assert main([command, "config.yaml", *option]) == 2
    assert not called
    said = capsys.readouterr().err
    assert said.startswith("error: --configfile would replace the config files (name config files")


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("nope.yaml", "nope.yaml: cannot be read: No such file or directory"),
        ("data", "data: a folder, not a file"),
        ("-", "-: cannot be read: No such file or directory"),
        ("empty.yaml", "empty.yaml:1: not a mapping of keys to values"),
    ],
)
def test_a_config_that_is_none_is_one_line(study, called, capsys, config, message):
    (study / "empty.yaml").touch()
    capsys.readouterr()
    for command in ("run", "plan"):
        assert main([command, config]) == 2
        said = capsys.readouterr().err
        assert said.startswith(f"error: {message}")
        assert said.count("\n") == 1
    assert not called


@pytest.mark.parametrize("late", [["--cells"], ["--budget", "2h"], ["--write=chosen.yaml"]])
def test_an_own_option_after_one_of_snakemake_is_refused(study, capsys, late):
    assert main(["plan", "config.yaml", "--cores", "2", *late]) == 2
    name = late[0].partition("=")[0]
    assert capsys.readouterr().err == (
        f"error: {name} comes after --cores, an option of snakemake (give {name} first)\n"
    )


def test_without_any_config_the_grid_is_that_of_the_built_in_pair(
    tmp_path, monkeypatch, called, capsys
):
    monkeypatch.chdir(tmp_path)
    assert main(["run", "-n"]) == 0
    assert called[0][3] == str(PROJECT / "config/config.yaml")
    assert capsys.readouterr().err == (
        "note: no config.yaml in this folder: the config is the built-in pair's\n"
    )


@pytest.mark.parametrize("command", ["run", "plan"])
def test_a_folder_that_cannot_be_written_is_one_line(study, called, capsys, monkeypatch, command):
    def refuse(*arguments, **options):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "mkdir", refuse)
    capsys.readouterr()
    assert main([command]) == 2
    assert capsys.readouterr().err == (
        f"error: {study}: cannot be written: Read-only file system (run it in a folder of your own)\n"
    )
    assert not called


@pytest.mark.parametrize(
    ("options", "report"),
    [
        ([], "results/report.html"),
        (["--config", "study=mine"], "results/studies/mine/report.html"),
        (["-n"], None),
        (["--unlock"], None),
        (["--directory", "other"], None),
        (["--", "results/scores.csv"], None),
    ],
)
def test_the_report_that_was_made_is_named(study, called, capsys, options, report):
    for made in filter(None, [report, "results/report.html"]):
        Path(made).parent.mkdir(parents=True, exist_ok=True)
        Path(made).touch()
    assert main(["run", *options]) == 0
    said = capsys.readouterr().err
    assert said.strip().endswith(f"Report: {report}") if report else "Report" not in said


def test_no_report_is_named_where_there_is_none(study, called, capsys):
    """As of a config of morphology alone."""
    assert main(["run"]) == 0
    assert capsys.readouterr().err.strip().endswith("Tables: results")


def test_the_status_is_that_of_snakemake(study, monkeypatch):
    monkeypatch.setattr("snakemake.cli.main", lambda arguments: sys.exit(7))
    with pytest.raises(SystemExit) as end:
        main(["run"])
    assert end.value.code == 7


@pytest.mark.parametrize("command", ["run", "plan"])
def test_without_snakemake_it_is_said_what_to_install(study, monkeypatch, capsys, command):
    known = extras.find_spec
    monkeypatch.setattr(
        extras, "find_spec", lambda name: (name != "snakemake" and known(name)) or None
    )
    assert main([command]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"error: seggrid {command}: the package snakemake is not installed")
    assert len(said.splitlines()) == 1


def test_a_mistyped_command_gets_a_suggestion(capsys):
    assert main(["algin", "a", "b"]) == 2
    assert (
        capsys.readouterr().err.strip()
        == "error: there is no command 'algin' (did you mean align?)"
    )
    assert main(["xyz"]) == 2
    assert "seggrid --help lists them" in capsys.readouterr().err


def test_the_wheel_has_the_workflow_as_it_is_in_the_clone(root, tmp_path):
    """Built without isolation and from a copy, as by `pip wheel`."""
    pytest.importorskip("setuptools")
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=root, capture_output=True, text=True, check=False
    ).stdout.split()
    if not tracked:
        pytest.skip("not in a clone")
    for name in tracked:
        if (root / name).is_file():
            target = tmp_path / "clone" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((root / name).read_bytes())
    build = "from setuptools.build_meta import build_wheel; print(build_wheel('..'))"
    done = subprocess.run(
        [sys.executable, "-c", build], cwd=tmp_path / "clone", capture_output=True, text=True
    )
    assert not done.returncode, done.stderr[-2000:]
    names = zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist()
    carried = {name.removeprefix("seggrid/_project/") for name in names if "_project/" in name}
    folders = ("workflow", "config", "resources")
    assert carried == {name for name in tracked if Path(name).parts[0] in folders}
    packaged = {name for name in names if name.startswith("seggrid/") and "_project/" not in name}
    ours = {name.removeprefix("src/") for name in tracked if name.startswith("src/")}
    assert packaged == {name for name in ours if (root / "src" / name).exists()}


def test_where_nothing_is_to_run_a_budget_writes_all_cells(study, capsys, monkeypatch):
    monkeypatch.setattr(
        "seggrid.workflow.run.planning.dry_run", lambda options: "Nothing to be done\n"
    )
    assert main(["plan", "--budget", "5s", "--write", "chosen.yaml"]) == 0
    out = capsys.readouterr().out
    assert "nothing to do" in out
    assert "written: seggrid run chosen.yaml" in out
    assert len(Grid(read_config(["chosen.yaml"])).table()) == 14


@pytest.mark.parametrize(
    ("statuses", "noted"),
    [(["no gold", "no gold"], True), (["no gold", "ok"], False), ([], False)],
)
def test_a_run_without_any_gold_says_so(study, called, capsys, statuses, noted):
    (study / "results").mkdir()
    rows = ["cell,status", *(f"{place},{status}" for place, status in enumerate(statuses))]
    (study / "results/scores.csv").write_text("\n".join(rows) + "\n")
    capsys.readouterr()
    assert main(["run"]) == 0
    assert ("note: no pair has gold" in capsys.readouterr().err) is noted
