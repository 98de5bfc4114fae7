"""The same command resumes a killed run; a run warns before it overwrites tables of another config."""

import json
import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import psutil
import pytest

from seggrid.workflow.finished.record import write_record
from seggrid.workflow.run.run_state import (
    blind_to_settings,
    dated_ahead,
    note_locks,
    other_tables,
    remove_stale_locks,
)

NOTE = """
import sys
from pathlib import Path
from types import SimpleNamespace
from seggrid.workflow.run.run_state import note_locks
note_locks(SimpleNamespace(_lockfile={"output": sys.argv[1]}), Path(sys.argv[2]))
"""


@pytest.fixture
def killed(tmp_path):
    """The locks of a dead process: its lock file, and the record of its process."""
    lock, note = tmp_path / "0.output.lock", tmp_path / "owner.json"
    lock.write_text("results/scores.csv\n")
    subprocess.run([sys.executable, "-c", NOTE, str(lock), str(note)], check=True)
    return lock, note


def test_the_lock_of_a_process_that_is_gone_is_removed(killed):
    lock, note = killed
    assert "was killed" in remove_stale_locks(note)
    assert not lock.exists()
    assert remove_stale_locks(note) is None


def test_the_lock_of_a_process_that_runs_stays(tmp_path):
    lock, note = tmp_path / "0.output.lock", tmp_path / "owner.json"
    lock.touch()
    note_locks(SimpleNamespace(_lockfile={"output": str(lock)}), note)
    assert remove_stale_locks(note) is None
    assert lock.exists()


def change(**values):
    return lambda note: note.write_text(json.dumps(json.loads(note.read_text()) | values))


DOUBTS = {
    "another host": change(host="elsewhere"),
    "another process namespace": change(namespace="pid:[1]"),
    "a process that may be the same": change(
        process=os.getpid(), started=psutil.Process().create_time()
    ),
    "a note cut short": lambda note: note.write_text(note.read_text()[:20]),
    "a note of another kind": lambda note: note.write_text("[1]"),
    "no note": lambda note: note.unlink(),
}


@pytest.mark.parametrize("doubt", DOUBTS)
def test_in_doubt_a_lock_stays(killed, doubt):
    lock, note = killed
    DOUBTS[doubt](note)
    assert remove_stale_locks(note) is None
    assert lock.exists()


def test_the_lock_of_a_later_run_stays(killed):
    lock, note = killed
    os.utime(lock, (1, 1))
    assert remove_stale_locks(note) is None
    assert lock.exists()


def test_another_process_of_that_number_is_not_the_one_that_was_killed(killed):
    lock, note = killed
    change(process=os.getpid(), started=1.0)(note)
    assert remove_stale_locks(note) is not None
    assert not lock.exists()


@pytest.mark.parametrize("persistence", [SimpleNamespace(), SimpleNamespace(_lockfile=None)])
def test_without_the_private_names_of_locks_nothing_is_noted(tmp_path, persistence):
    note_locks(persistence, tmp_path / "owner.json")
    assert not (tmp_path / "owner.json").exists()


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


def test_a_clock_that_was_set_back_is_told(tmp_path):
    table = tmp_path / "scores.csv"
    assert dated_ahead(tmp_path / "none") is None
    table.touch()
    assert dated_ahead(tmp_path) is None
    os.utime(table, (0, time.time() + 3600))
    warning = dated_ahead(tmp_path)
    assert warning.startswith(f"warning: {table} is dated later than now")
    assert "\n" not in warning


SLOW = """
import sys
from pathlib import Path
sys.path.insert(0, {src!r})
from seggrid.workflow.run import run_state
if message := run_state.remove_stale_locks():
    print(message, file=sys.stderr)
onstart:
    run_state.note_locks(workflow.persistence)
rule all:
    output: "made"
    shell: "touch running; sleep {seconds}; touch {{output}}"
"""


def test_after_a_kill_the_same_command_runs(root, tmp_path):
    def start(seconds):
        text = SLOW.format(src=str(root / "src"), seconds=seconds)
        (tmp_path / "Snakefile").write_text(text)
        command = [sys.executable, "-m", "snakemake", "--cores", "1", "--rerun-incomplete"]
        return subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)

    first = start(600)
    end = time.monotonic() + 60
    while not (tmp_path / "running").exists():
        assert time.monotonic() < end
        time.sleep(0.1)
    family = psutil.Process(first.pid).children(recursive=True)
    first.send_signal(signal.SIGKILL)
    for process in family:
        process.kill()
    first.wait()
    second = start(0)
    _, said = second.communicate(timeout=120)
    assert second.returncode == 0, said
    assert "was killed" in said
    assert (tmp_path / "made").exists()


def test_a_run_that_does_not_see_changed_settings_says_so():
    every = {"mtime", "params", "input", "software_env", "code"}
    assert blind_to_settings(every) is None
    assert "changed params, input, code:" in blind_to_settings({"mtime"})
    assert "changed code:" in blind_to_settings(every - {"code"})
