"""Every option of the installed Snakemake is in the table; what would show results of other settings is
refused wherever it is set, by each command."""

import json
import shutil
import subprocess
import sys
from base64 import urlsafe_b64encode as b64encode
from collections import Counter
from pathlib import Path

import pytest
import yaml
from snakemake.cli import get_argument_parser

import builtin_pair
from seggrid.base.errors import InputError
from seggrid.commands import main
from seggrid.grid.run.options import option_table, read_options, verdict_on_option

LISTS = ("taken", "harmless", "cleaning")
RULES = ("refused", "only", "never", "beside", "own")


def test_every_option_of_snakemake_is_sorted_once():
    """If this fails after an update of Snakemake: read what a new option does, and put it into the table."""
    parser = get_argument_parser()
    sorts = {
        action.dest.replace("_", "-"): verdict_on_option(
            action.dest.replace("_", "-"), group.title or ""
        )
        for group in parser._action_groups
        for action in group._group_actions
    }
    assert [name for name, sort in sorts.items() if not sort] == []
    rows = option_table()
    named = [
        *(n for part in LISTS for n in rows[part].split()),
        *(n for r in RULES for n in rows[r]),
    ]
    assert {*named} - sorts.keys() == set()
    once = Counter([*rows["taken"].split(), *rows["harmless"].split(), *rows["refused"]])
    assert set(once.values()) == {1}
    # An option that is refused with some values is taken with others.
    assert {sorts[name] for rule in RULES[1:] for name in rows[rule]} == {"taken"}
    of_programs = {**rows["programs"], **rows["programs-of-jobs"]}.values()
    assert {o.partition("=")[0] for own in of_programs for o in own.split()} <= sorts.keys()


REFUSED = {
    "--rerun-triggers mtime": "--rerun-triggers mtime would miss other changes",
    "--rerun-triggers code input mtime software-env": "--rerun-triggers code input mtime software-env",
    "--persistence-backend db": "--persistence-backend db keeps records",
    "--touch": "--touch would pass old files off",
    "-e touch": "--executor touch would not run",
    "--drop-metadata": "--drop-metadata would leave files without",
    "--nolock": "--nolock would let two runs",
    "--report r.zip": "--report would pack what is there",
    "--archive r.tar": "--archive does not pack a study",
    "--sdm conda": "--software-deployment-method conda needs conda",
    "--conda-create-envs-only": "--conda-create-envs-only needs conda",
    "--executor slurm": "--executor slurm needs sbatch",
}
RIGHT = (
    "--rerun-triggers code input mtime params software-env",
    "--persistence-backend file",
    "--report r.zip --report-after-run",
    "-n --nolock",
    "-n --executor slurm",
    "--omit-from export",
    "--default-storage-provider none",
)


@pytest.fixture
def without_programs(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_jobs_that_would_wait_without_end_are_refused(without_programs):
    for name, said in (("sbatch", ""), ("sinfo", "printf '2\\n8\\n'")):
        (without_programs / name).write_text(f"#!/bin/sh\n{said}\n")
        (without_programs / name).chmod(0o755)
    slurm = ["--executor", "slurm", "--cores"]
    with pytest.raises(InputError, match="no node of this cluster has more than 8"):
        read_options([*slurm, "9"])
    for words in (
        *([*slurm, "8"], [*slurm, "9", "-n"], [*slurm, "9", "--unlock"]),
        ["--executor", "slurm", "--jobs", "9"],
    ):
        read_options(words)
    (without_programs / "sacct").write_text(
        "#!/bin/sh\necho Slurm accounting storage is disabled >&2\n"
    )
    (without_programs / "sacct").chmod(0o755)
    with pytest.raises(
        InputError, match=r"never say that a job has ended.*--slurm-status-command squeue"
    ):
        read_options([*slurm, "8"])
    read_options([*slurm, "8", "--slurm-status-command", "squeue"])


@pytest.mark.parametrize("words", REFUSED)
def test_what_would_show_other_results_or_end_in_the_middle_is_refused(without_programs, words):
    with pytest.raises(InputError, match=rf"^{REFUSED[words]}.*\(.*\)$"):
        read_options(["--cores", "1", *words.split()])


@pytest.mark.parametrize("words", RIGHT)
def test_the_same_options_are_taken_where_they_are_right(without_programs, words):
    assert read_options(words.split())


@pytest.mark.parametrize("by", ["--workflow-profile", "--profile", "SNAKEMAKE_PROFILE"])
def test_a_profile_is_checked_and_named(without_programs, monkeypatch, by):
    folder = without_programs / "mine"
    folder.mkdir()
    (folder / "profile.yaml").write_text("rerun-triggers: [mtime]\ntouch: true\nkeep-going: true\n")
    words = [by, str(folder)]
    if by == "SNAKEMAKE_PROFILE":
        monkeypatch.setenv(by, str(folder))
        words = []
    with pytest.raises(InputError) as mistake:
        read_options(words)
    lines = str(mistake.value).splitlines()
    assert [line.split(" would ")[0] for line in lines] == [
        f"{folder}/profile.yaml: --touch",
        f"{folder}/profile.yaml: --rerun-triggers mtime",
    ]


def test_an_option_that_the_table_does_not_have_is_refused(without_programs, monkeypatch):
    rows = {**option_table(), "taken": option_table()["taken"].replace("retries", "")}
    monkeypatch.setattr("seggrid.grid.run.options.option_table", lambda: rows)
    assert read_options(["--cores", "1"])
    with pytest.raises(InputError, match="--retries is not known to this version of seggrid"):
        read_options(["--retries", "3"])


CONFIG = {
    "pairs": {"p": builtin_pair.in_config()},
    "experiments": {"x": {"segmenter": "words", "aligner": "fast_align"}},
    "seed": 9,
}


@pytest.fixture(scope="module")
def finished(snakemake, tmp_path_factory):
    """A folder with a finished run."""
    folder = tmp_path_factory.mktemp("finished")
    builtin_pair.write_pair(folder, 40)
    snakemake(folder, CONFIG)
    return folder


@pytest.fixture
def study(finished, tmp_path, monkeypatch):
    """A copy of it, in which one is."""
    ignored = shutil.ignore_patterns("*.sock")
    shutil.copytree(finished, tmp_path / "study", ignore=ignored)
    monkeypatch.chdir(tmp_path / "study")
    return Path.cwd()


def is_finished(folder):
    return json.loads((folder / "results/run.json").read_text())["finished"]


@pytest.mark.parametrize(
    "option", ["--rerun-triggers mtime", "--persistence-backend db", "--touch"]
)
def test_snakemakes_own_command_refuses_the_same(snakemake, study, option):
    before = (study / "results/scores.csv").stat().st_mtime_ns
    done = snakemake(study, CONFIG | {"seed": 11}, *option.split(), check=False)
    assert done.returncode
    assert f"error: {option}" in done.stderr
    assert (study / "results/scores.csv").stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("option", "end"),
    [
        ("--until", ""),
        ("--omit-from", ""),
        ("--forcerun", ""),
        ("--prioritize", ""),
        # Snakemake 9.27.1 runs everything in place of a batch of a rule that there is not.
        ("--batch", "=1/1"),
        # It takes no notice of these.
        ("--set-threads", "=2"),
        ("--set-resources", ":mem_mb=2"),
        ("--groups", "=one"),
    ],
)
def test_a_rule_that_there_is_not_is_named_with_those_that_there_are(snakemake, study, option, end):
    done = snakemake(study, CONFIG | {"seed": 11}, option, f"aling{end}", "--dry-run", check=False)
    assert done.returncode
    assert f"error: {option}: no rule aling (rules: align, all, " in done.stderr
    snakemake(study, CONFIG | {"seed": 11}, option, f"align{end}", "--dry-run")


def test_a_profile_may_name_rules_of_studies_that_a_config_does_not_ask_for(snakemake, study, root):
    profile = yaml.safe_load((root / "workflow/profiles/slurm/profile.yaml").read_text("utf-8"))
    groups = profile["groups"]
    assert {"align=cell", "kept=kept", "slice=slice"} <= {*groups}
    options = "--set-threads language_model=2 --set-resources export:mem_mb=2 --groups"
    snakemake(study, CONFIG | {"seed": 11}, *options.split(), *groups, "--dry-run")


def test_files_without_a_record_of_their_settings_are_no_results(snakemake, study, capsys):
    """As a run with another persistence backend leaves them, or a copy without hidden folders."""
    assert is_finished(study)
    (study / ".snakemake").rename(study / "elsewhere")
    done = snakemake(study, CONFIG | {"seed": 11}, check=False)
    assert done.returncode
    assert "have no record of what they were made from (copy .snakemake along" in done.stderr
    assert main(["plan", "config.yaml"]) == 2
    assert "have no record" in capsys.readouterr().err
    shutil.rmtree(study / ".snakemake")
    (study / "elsewhere").rename(study / ".snakemake")
    assert main(["plan", "config.yaml", "--config", "seed=9"]) == 0
    assert "nothing to do" in capsys.readouterr().out


def test_files_that_a_killed_run_did_not_record_are_made_again(snakemake, study, capsys):
    """A job on a cluster ends after a run was killed, and nobody records its outputs."""
    assert is_finished(study)
    record = study / ".snakemake/metadata" / b64encode(b"results/scores.csv").decode()
    record.unlink()
    assert main(["plan", "config.yaml", "--config", "seed=9"]) == 0
    assert "1 collate" in capsys.readouterr().out
    snakemake(study, CONFIG)
    assert record.exists()


@pytest.mark.parametrize(
    "part", [("--omit-from", "page"), ("--batch", "all=1/2"), ("--until", "align")]
)
def test_a_run_that_left_jobs_out_is_not_finished(snakemake, study, part):
    snakemake(study, CONFIG, *part)
    assert is_finished(study)  # It changed nothing.
    snakemake(study, CONFIG | {"seed": 11}, *part)
    assert not is_finished(study)
    snakemake(study, CONFIG | {"seed": 11}, "--forcerun", "page")
    assert is_finished(study)


def test_parts_that_are_together_the_whole_are_finished_once_a_run_says_so(snakemake, study):
    for part in ("all=1/2", "all=2/2"):
        snakemake(study, CONFIG | {"seed": 11}, "--batch", part)
        assert not is_finished(study)
    run = [sys.executable, "-m", "seggrid", "run", "--config", "seed=11"]
    subprocess.run(run, check=True, capture_output=True)
    assert is_finished(study)


def test_a_report_is_packed_of_what_a_run_has_made(snakemake, study):
    changed = CONFIG | {"seed": 11}
    done = snakemake(study, changed, "--report", "r.zip", check=False)
    assert done.returncode
    assert not (study / "r.zip").exists()
    snakemake(study, changed, "--report", "r.zip", "--report-after-run")
    assert (study / "r.zip").exists()
    assert json.loads((study / "results/run.json").read_text())["settings"]["seed"] == 11
