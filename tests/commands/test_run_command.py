"""`seggrid run` and `seggrid new`, and what the wheel has for them."""

import json
import shutil
import signal
import subprocess
import sys
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from seggrid.base.extras import SNAKEFILE
from seggrid.commands import main
from seggrid.grid.config import read_config
from seggrid.grid.grid import Grid
from seggrid.grid.run import this_run
from seggrid.grid.run.call import BUILTIN


@pytest.fixture(scope="module")
def new_study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("new") / "study"
    assert main(["new", str(folder)]) == 0
    return folder


@pytest.fixture
def study(new_study, tmp_path, monkeypatch):
    """A copy of a new study; tests work in it."""
    folder = shutil.copytree(new_study, tmp_path / "study")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def called(monkeypatch):
    """What Snakemake is called with; it ends with status 0, as it does, by an exception.

    `found` has the files that the run made or found up to date; None if it read no workflow of ours.
    """

    class Calls(list):
        found, made, tables, up_to_date = None, ["scores.csv"], Path("results"), 0

        def current(self):
            return self.found

        def settle(self):
            pass

        def reused(self):
            return self.up_to_date, 5

    calls = Calls()

    def snakemake(arguments):
        calls.append(arguments)
        this_run.last = None if calls.found is None else calls
        sys.exit(0)

    monkeypatch.setattr("snakemake.cli.main", snakemake)
    monkeypatch.setattr(this_run, "last", None)
    before = signal.getsignal(signal.SIGINT)
    yield calls
    signal.signal(signal.SIGINT, before)


def test_a_new_study_has_a_config_that_can_be_planned_and_its_data(study, capsys):
    names = ["README.md", "config.schema.json", "config.yaml", "data"]
    assert sorted(path.name for path in study.iterdir()) == names
    first = (study / "config.yaml").read_text().partition("\n")[0]
    schema = json.loads((study / first.partition("$schema=")[2]).read_text())
    Draft202012Validator(schema).validate(read_config(["config.yaml"]).plain())
    assert len((study / "README.md").read_text().splitlines()) <= 12
    capsys.readouterr()
    assert main(["plan"]) == 0
    assert capsys.readouterr().out.startswith("15 cells: 15 new")


def test_a_folder_that_is_not_empty_is_not_replaced(study, capsys):
    before = (study / "config.yaml").read_bytes()
    (study / "mine").mkdir()
    assert main(["new", "."]) == main(["new", "config.yaml"]) == 2
    assert "config.yaml: exists and is not empty" in capsys.readouterr().err
    assert (study / "config.yaml").read_bytes() == before
    assert main(["new", "mine"]) == 0


# Where no option is about Snakemake's log, it is not shown.
SHOWN = ["--snakefile", str(SNAKEFILE), "--configfile"]
QUIET = ["--snakefile", str(SNAKEFILE), "--quiet", "rules", "--configfile"]
CALLS = {
    "": [*QUIET, "config.yaml", "--cores", "all"],
    "a.yaml b.yaml --cores 3": [*QUIET, "a.yaml", "b.yaml", "--cores", "3"],
    "-c 3 a.yaml -p --until align": [*SHOWN, "a.yaml", "--cores", "3", "-p", "--until", "align"],
    "--forcerun align -- results/x": [
        *(*QUIET, "config.yaml", "--cores", "all", "--forcerun", "align", "--", "results/x"),
    ],
    "-c2": [*QUIET, "config.yaml", "-c2"],
    "a.yaml -c2": [*QUIET, "a.yaml", "-c2"],
    "--executor local -j2": [*QUIET, "config.yaml", "--executor", "local", "-j2"],
    # A config among the targets.
    "-n b.yaml": [*SHOWN, "b.yaml", "--cores", "all", "-n"],
    "-n --config seed=3 -- b.yaml results/x": [
        *(*SHOWN, "b.yaml", "--cores", "all", "-n", "--config", "seed=3", "--"),
        "results/x",
    ],
    "--builtin": [*QUIET, str(BUILTIN), "--cores", "all"],
}


@pytest.mark.parametrize("given", CALLS)
def test_configs_and_cores_come_first_and_all_else_is_for_snakemake(study, called, given):
    for name in ("a", "b"):
        (study / f"{name}.yaml").write_bytes((study / "config.yaml").read_bytes())
    assert main(["run", *given.split()]) == 0
    assert called == [CALLS[given]]


WRONG = {
    "--configfile b.yaml": "--configfile would replace the config files (name config files",
    "--configfile=b.yaml": "--configfile would replace the config files (name config files",
    "--snakefile b.yaml": "--snakefile is another workflow",
    "--cores 1 --jobs 2 -j3": "--jobs is given twice",
    "-c1 -c2": "--cores is given twice",
    "--keep-going --config seed=1 --config batch=2": "--config is given twice",
    "--config seed": "--config seed: not KEY=VALUE (write a key",
    "--config seed=3 s=3": "--config s=3: not KEY=VALUE (write a key",
    "--cores=0": "--cores 0: no job could run (give a number from 1 on, or all)",
    "-j 0": "--jobs 0: no job could run (give a number from 1 on, or all)",
    "--executor nope": "argument --executor/-e: invalid choice: 'nope'",
    "--frobnicate": "unrecognized arguments: --frobnicate (snakemake --help lists the options)",
    "--batch x": "argument --batch: invalid parse_batch value: 'x' (snakemake --help lists",
    "-n nope.yaml": "nope.yaml: no such file",
    "--directory config.yaml": "config.yaml: --directory: File exists",
}


@pytest.mark.parametrize("command", ["run", "plan"])
@pytest.mark.parametrize("option", WRONG)
def test_a_wrong_option_of_snakemake_is_one_line(study, called, capsys, command, option):
    """Snakemake prints a hundred lines of usage for one that it does not have."""
    (study / "b.yaml").write_bytes((study / "config.yaml").read_bytes())
    capsys.readouterr()
    assert main([command, "config.yaml", *option.split()]) == 2
    assert not called
    said = capsys.readouterr().err
    assert said.startswith(f"error: {WRONG[option]}")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("nope.yaml", "nope.yaml: no such file"),
        ("data", "data: a folder, not a file"),
        ("-", "-: no such file"),
        ("empty.yaml", "empty.yaml: an empty file"),
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


@pytest.mark.parametrize("command", ["run", "plan"])
@pytest.mark.parametrize("options", [[], ["-n"], ["--directory", "other"]])
def test_without_any_config_nothing_runs(tmp_path, monkeypatch, called, capsys, command, options):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").mkdir()
    assert main([command, *options]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: no config.yaml in ")
    assert "seggrid new STUDY makes a folder with one; --builtin takes the built-in pair" in said
    assert not called
    assert main([command, "--builtin", "config.yaml"]) == 2


@pytest.mark.parametrize(
    "words", [["-d", "study"], ["--directory=study"], ["-n", "own.yaml", "--directory", "study"]]
)
def test_the_config_is_that_of_the_folder_in_which_snakemake_runs(
    study, monkeypatch, called, words
):
    """A config that is named is in the folder where one stands."""
    (study.parent / "own.yaml").write_bytes((study / "config.yaml").read_bytes())
    monkeypatch.chdir(study.parent)
    assert main(["run", *words]) == 0
    named = "config.yaml" if "own.yaml" not in words else str(study.parent / "own.yaml")
    assert called[0][called[0].index("--configfile") + 1] == named
    assert Path.cwd() == study
    assert called[0][-2:] == ["--directory", str(study)]


@pytest.mark.parametrize(
    ("options", "made", "said"),
    [
        ([], {"scores.csv", "report.html", "verdict.csv"}, ["p: words", "Report: results/report"]),
        # Of an older run are the others, which exist too.
        ([], {"scores.csv"}, ["Tables: results"]),
        ([], {"verdict.csv"}, ["p: words"]),
        ([], set(), []),
        # No workflow of ours was read.
        ([], None, []),
        (["-n"], {"scores.csv", "report.html", "verdict.csv"}, []),
    ],
)
def test_only_what_this_run_made_or_checked_is_told(study, called, capsys, options, made, said):
    tables = study / "results"
    tables.mkdir()
    (tables / "report.html").touch()
    (tables / "verdict.csv").write_text("verdict\np: words\n")
    (tables / "scores.csv").write_text("cell,status\nc,ok\n")
    called.found = None if made is None else {f"results/{name}" for name in made}
    capsys.readouterr()
    assert main(["run", *options]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == len(said)
    assert all(part in line for part, line in zip(said, lines, strict=True))


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (0, ""),
        (3, "3 of 5 jobs were up to date"),
        (5, "nothing to do: 5 of 5 jobs were up to date"),
    ],
)
def test_a_run_says_what_it_reused(study, called, capsys, number, said):
    called.found, called.up_to_date = set(), number
    capsys.readouterr()
    assert main(["run"]) == 0
    assert capsys.readouterr().err.strip() == said


def test_ctrl_c_has_its_status_and_says_how_to_go_on(study, called, monkeypatch, capsys):
    def interrupted(arguments):
        # As Snakemake does: it ends its jobs, and then with status 1.
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        sys.exit(1)

    monkeypatch.setattr("snakemake.cli.main", interrupted)
    with pytest.raises(SystemExit) as end:
        main(["run"])
    assert end.value.code == 130
    assert capsys.readouterr().err == "interrupted: the same command continues this run\n"


def test_an_option_for_which_no_jobs_are_planned_ends_as_it_does_in_snakemake(study):
    run = [sys.executable, "-m", "seggrid", "run", "--list-rules"]
    done = subprocess.run(run, capture_output=True, text=True)
    assert (done.returncode, done.stderr.count("Traceback")) == (0, 0)
    assert "align" in done.stdout.split()


def test_the_status_is_that_of_snakemake(study, monkeypatch):
    monkeypatch.setattr("snakemake.cli.main", lambda arguments: sys.exit(7))
    with pytest.raises(SystemExit) as end:
        main(["run"])
    assert end.value.code == 7


MISTAKES = {
    "data/gold.txt": ("0-0\n0-99\n", "data/gold.txt:2: a link from word 0 to word 99"),
    "config.yaml": ("mergers: 5\n", "config.yaml:1: mergers: unknown key 'mergers'"),
}


@pytest.mark.parametrize("file", MISTAKES)
def test_a_mistake_has_the_same_status_in_plan_and_run(study, capfd, file):
    text, message = MISTAKES[file]
    before = (study / file).read_text() if file == "config.yaml" else ""
    (study / file).write_text(text + before)
    for command in (["plan"], ["run", "--cores", "1"]):
        assert main(command) == 2
        assert f"error: {message}" in capfd.readouterr().err


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
        "seggrid.grid.run.planning.dry_run", lambda options: ([], "Nothing to be done\n")
    )
    assert main(["plan", "--budget", "5s", "--write", "chosen.yaml"]) == 0
    out = capsys.readouterr().out
    assert "nothing to do" in out
    assert "written: seggrid run chosen.yaml" in out
    assert len(Grid(read_config(["chosen.yaml"])).table()) == 15


@pytest.mark.parametrize(
    ("statuses", "noted"),
    [(["no gold", "no gold"], True), (["no gold", "ok"], False), ([], False)],
)
def test_a_run_without_any_gold_says_so(study, called, capsys, statuses, noted):
    (study / "results").mkdir()
    rows = ["cell,status", *(f"{place},{status}" for place, status in enumerate(statuses))]
    (study / "results/scores.csv").write_text("\n".join(rows) + "\n")
    called.found = {"results/scores.csv"}
    capsys.readouterr()
    assert main(["run"]) == 0
    assert ("note: no pair has gold" in capsys.readouterr().err) is noted
