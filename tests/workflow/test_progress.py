"""The line of progress: its estimate, and the Snakemake plugin that shows it."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from seggrid.workflow.progress import Progress

SNAKEFILE = """
rule all:
    input: expand("{i}.txt", i=range(4))
rule make:
    output: "{i}.txt"
    shell: "if [ {wildcards.i} = {config[broken]} ]; then exit 1; fi; touch {output}"
"""


def run_jobs(progress, rule, count, seconds, start=0.0, at_once=1, first=1):
    """Run jobs of one rule, `at_once` of them side by side; the time at which the last ends."""
    now = start
    for wave in range(first, first + count, at_once):
        jobs = range(wave, min(wave + at_once, first + count))
        for job in jobs:
            progress.announce(job, rule)
            progress.start(job, now)
        now += seconds
        for job in jobs:
            progress.finish(job, now)
    return now


def test_estimate_is_exact_for_jobs_that_are_all_alike():
    progress = Progress()
    progress.plan({"align": 10})
    now = run_jobs(progress, "align", 4, seconds=30)
    assert progress.seconds_left(now) == (pytest.approx(6 * 30), True)


def test_estimate_takes_in_how_many_jobs_run_at_once():
    progress = Progress()
    progress.plan({"align": 10})
    now = run_jobs(progress, "align", 4, seconds=30, at_once=2)
    assert progress.seconds_left(now) == (pytest.approx(3 * 30), True)


def test_rules_take_as_long_as_their_own_kind():
    progress = Progress()
    progress.plan({"learn": 3, "align": 5})
    now = run_jobs(progress, "learn", 2, seconds=2)
    now = run_jobs(progress, "align", 2, seconds=60, start=now, first=3)
    assert progress.seconds_left(now) == (pytest.approx(1 * 2 + 3 * 60), True)


def test_a_rule_not_seen_yet_makes_the_estimate_a_lower_bound():
    progress = Progress()
    progress.plan({"learn": 2, "align": 100})
    now = run_jobs(progress, "learn", 1, seconds=2)
    seconds, complete = progress.seconds_left(now)
    assert (seconds, complete) == (pytest.approx(2), False)
    assert "at least 2 s left" in progress.line(now)


def test_time_that_a_running_job_has_had_counts():
    progress = Progress()
    progress.plan({"align": 2})
    now = run_jobs(progress, "align", 1, seconds=60)
    progress.announce(2, "align")
    progress.start(2, now)
    assert progress.seconds_left(now + 45)[0] == pytest.approx(15)
    # A job that takes longer than the others is not expected to end in the past.
    assert progress.seconds_left(now + 90)[0] == 0


def test_no_estimate_before_anything_has_finished():
    progress = Progress()
    progress.plan({"align": 2})
    assert progress.seconds_left(1.0) is None
    assert progress.line(1.0) == "0 of 2 jobs (0%)"


def test_failures_are_counted_and_not_waited_for():
    progress = Progress()
    progress.plan({"align": 2})
    now = run_jobs(progress, "align", 1, seconds=10)
    progress.announce(2, "align")
    progress.start(2, now)
    progress.fail(2)
    assert progress.line(now) == "1 of 2 jobs (50%), 1 failed"


def snakemake(folder, terminal, broken="none", **environment):
    """What `snakemake --logger seggrid` prints, on a terminal or into a pipe."""
    (folder / "Snakefile").write_text(SNAKEFILE)
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--logger", "seggrid"]
    command += ["--config", f"broken={broken}", "--keep-going"]
    if not terminal:
        command += ["--quiet", "all"]
    known = {name: value for name, value in os.environ.items() if name != "CI"}
    main, side = pty.openpty()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**known, "COLUMNS": "100", **environment},
        stderr=side if terminal else subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
    )
    os.close(side)
    text = b""
    if terminal:
        while True:
            try:
                text += os.read(main, 65536)
            except OSError:  # the other end of a terminal was closed
                break
    else:
        text = process.stderr.read()
    process.wait(timeout=60)
    os.close(main)
    return text.decode()


def test_on_a_terminal_one_line_is_kept_up_to_date(tmp_path: Path):
    text = snakemake(tmp_path, terminal=True)
    assert "5 of 5 jobs (100%)" in text
    assert text.count("\n") <= 2


def test_on_a_terminal_errors_are_still_shown(tmp_path: Path):
    text = snakemake(tmp_path, terminal=True, broken="2")
    assert "Error in rule make" in text
    assert "3 of 5 jobs (60%), 1 failed" in text


def test_in_ci_and_in_a_pipe_there_is_no_progress(tmp_path: Path):
    assert "of 5 jobs" not in snakemake(tmp_path, terminal=True, CI="true")
    (tmp_path / "0.txt").unlink()
    assert snakemake(tmp_path, terminal=False) == ""
