"""The lock of a killed run is removed, that of any other run stays; test_interrupted.py resumes such a run. A
run warns before it overwrites tables of another config, and has no limit of jobs a second but a given one."""

import json
import os
import platform
import subprocess
import sys
from types import SimpleNamespace

import pytest

from seggrid.grid.finished.record import write_record
from seggrid.grid.run.locks import note_locks, remove_stale_locks
from seggrid.grid.run.this_run import other_tables

RUN = """
import os, signal, sys
from pathlib import Path
from types import SimpleNamespace
from seggrid.grid.run.locks import note_locks
note_locks(SimpleNamespace(_lockfile={"output": sys.argv[1]}), Path(sys.argv[2]))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def killed(tmp_path):
    """The locks of a killed process: its lock file, and its note."""
    lock, note = tmp_path / "0.output.lock", tmp_path / "note.json"
    lock.write_text("results/scores.csv\n")
    subprocess.run([sys.executable, "-c", RUN, str(lock), str(note)], check=False)
    return lock, note


def test_the_lock_of_a_process_that_is_gone_is_removed(killed):
    lock, note = killed
    assert "was killed" in remove_stale_locks(note)
    assert not lock.exists()
    assert remove_stale_locks(note) is None


def test_the_lock_of_a_process_that_runs_stays(killed):
    lock, note = killed
    note_locks(SimpleNamespace(_lockfile={"output": str(lock)}), note)
    assert remove_stale_locks(note) is None
    assert lock.exists()


def change(**values):
    return lambda note: note.write_text(json.dumps(json.loads(note.read_text()) | values))


DOUBTS = {
    "another host": change(host=f"not {platform.node()}"),
    "a note cut short": lambda note: note.write_text(note.read_text()[:20]),
    "no note": lambda note: note.unlink(),
    "the lock of a later run": lambda note: os.utime(note.with_name("0.output.lock"), (1, 1)),
}


@pytest.mark.parametrize("doubt", DOUBTS)
def test_in_doubt_a_lock_stays(killed, doubt):
    lock, note = killed
    DOUBTS[doubt](note)
    assert remove_stale_locks(note) is None
    assert lock.exists()


def test_without_the_private_name_of_locks_nothing_is_noted(tmp_path):
    note_locks(SimpleNamespace(), tmp_path / "note.json")
    assert not (tmp_path / "note.json").exists()


def test_a_run_says_whose_tables_it_writes_over(tmp_path):
    assert other_tables(["config/a.yaml"], tmp_path) is None
    of_run = {"config files": ["config/a.yaml"], "settings": {}, "inputs": {}}
    write_record(tmp_path, of_run, {"scores.csv": "0"})
    assert other_tables(["config/b.yaml"], tmp_path) is None
    (tmp_path / "scores.csv").touch()
    assert other_tables(["config/a.yaml"], tmp_path) is None
    warning = other_tables(["config/b.yaml"], tmp_path)
    assert "config/a.yaml" in warning
    assert "config/b.yaml" in warning
    assert "\n" not in warning


@pytest.mark.parametrize(("options", "left"), [([], "None"), (["100/2s"], "100")])
def test_the_limit_of_jobs_a_second_is_lifted_unless_it_is_given(
    snakemake, tmp_path, options, left
):
    (tmp_path / "Snakefile").write_text("""
from seggrid.grid.run.this_run import lift_limit

onstart:
    lift_limit(workflow)
    limit = workflow.scheduler.job_rate_limiter
    print("limit", limit and limit.max_jobs, file=open("limit", "w"))

rule all:
    output: "done"
    shell: "touch {output}"
""")
    snakemake(tmp_path, None, *(["--max-jobs-per-timespan", *options] if options else []))
    assert (tmp_path / "limit").read_text() == f"limit {left}\n"
