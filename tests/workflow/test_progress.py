"""The line of progress: its estimate, and the Snakemake plugin that shows it."""

import fcntl
import io
import logging
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from itertools import pairwise
from pathlib import Path

import pytest
from snakemake.settings.types import OutputSettings
from snakemake_interface_logger_plugins.common import LogEvent

from seggrid.workflow.run.progress import Progress
from snakemake_logger_plugin_seggrid import LogHandler, default_handler

SNAKEFILE = """
rule all:
    input: expand("{i}.txt", i=range(4))
rule make:
    output: "{i}.txt"
    shell: "sleep 0.3; if [ {wildcards.i} = {config[broken]} ]; then exit 1; fi; touch {output}"
"""


def planned(**jobs):
    """The progress of a run with the given number of jobs per rule."""
    progress = Progress()
    progress.plan(jobs)
    return progress


def run_jobs(progress, rule, count, seconds, start=0.0, at_once=1, first=1):
    """Run jobs of one rule, `at_once` of them in parallel; return the time at which the last ends."""
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
    progress = planned(align=10)
    now = run_jobs(progress, "align", 4, seconds=30)
    assert progress.seconds_left(now) == (pytest.approx(6 * 30), True)


def test_estimate_takes_in_how_many_jobs_run_at_once():
    progress = planned(align=10)
    now = run_jobs(progress, "align", 4, seconds=30, at_once=2)
    assert progress.seconds_left(now) == (pytest.approx(3 * 30), True)


def test_rules_take_as_long_as_their_own_kind():
    progress = planned(learn=3, align=5)
    now = run_jobs(progress, "learn", 2, seconds=2)
    now = run_jobs(progress, "align", 2, seconds=60, start=now, first=3)
    assert progress.seconds_left(now) == (pytest.approx(1 * 2 + 3 * 60), True)


def test_a_rule_not_seen_yet_makes_the_estimate_a_lower_bound():
    progress = planned(learn=2, align=100)
    now = run_jobs(progress, "learn", 1, seconds=2)
    seconds, complete = progress.seconds_left(now)
    assert (seconds, complete) == (pytest.approx(2), False)
    assert "at least 2 s left" in progress.line(now)


def test_a_job_has_its_rule_whether_it_is_announced_before_or_after_its_start():
    progress = planned(align=2, score=1)
    progress.announce(1, "align")
    progress.start(1, 0.0)
    progress.start(2, 0.0)
    progress.announce(2, "align")
    assert progress.line(1.0) == "0 of 3 jobs (0%), running align ×2"


def test_time_that_a_running_job_has_had_counts():
    progress = planned(align=2)
    now = run_jobs(progress, "align", 1, seconds=60)
    progress.announce(2, "align")
    progress.start(2, now)
    assert progress.seconds_left(now + 45)[0] == pytest.approx(15)
    # A job that takes longer than the others must not be estimated to end in the past.
    assert progress.seconds_left(now + 90)[0] == 0


def test_no_estimate_before_anything_has_finished():
    progress = planned(align=2)
    assert progress.seconds_left(1.0) is None
    assert progress.line(1.0) == "0 of 2 jobs (0%)"


def test_failures_are_counted_and_not_waited_for():
    progress = planned(align=2)
    now = run_jobs(progress, "align", 1, seconds=10)
    progress.announce(2, "align")
    progress.start(2, now)
    progress.fail(2)
    assert progress.line(now) == "1 of 2 jobs (50%), 1 failed"


def snakemake(
    folder, terminal, broken="none", columns=100, output=subprocess.DEVNULL, **environment
):
    """The output of `snakemake --logger seggrid`, on a terminal or into a pipe."""
    (folder / "Snakefile").write_text(SNAKEFILE)
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--logger", "seggrid"]
    command += ["--config", f"broken={broken}", "--keep-going"]
    if not terminal:
        command += ["--quiet", "all"]
    known = {name: value for name, value in os.environ.items() if name not in ("CI", "COLUMNS")}
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**known, **environment},
        stderr=side if terminal else subprocess.PIPE,
        stdout=output,
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


def frames(text):
    """The successive states of the line."""
    return [frame.split("\n")[0].strip() for frame in text.split("\r\x1b[2K")[1:]]


def test_on_a_terminal_one_line_is_kept_up_to_date(tmp_path: Path):
    text = snakemake(tmp_path, terminal=True)
    shown = frames(text)
    assert shown[0] == "0 of 5 jobs (0%)"
    assert shown[-1] == "5 of 5 jobs (100%)"
    assert "0 of 5 jobs (0%), running make ×2" in shown
    assert any(re.search(r"running make.*, (about|at least) \d+ s left", line) for line in shown)
    assert all(before != after for before, after in pairwise(shown))
    assert text.count("\n") == 1


def test_a_line_is_no_longer_than_the_terminal_whatever_standard_output_is(tmp_path: Path):
    text = snakemake(tmp_path, terminal=True, columns=30, output=subprocess.PIPE)
    assert max(map(len, frames(text))) == 29


def test_on_a_terminal_errors_are_still_shown(tmp_path: Path):
    text = snakemake(tmp_path, terminal=True, broken="2")
    assert "Error in rule make" in text
    assert "3 of 5 jobs (60%), 1 failed" in text


def test_in_ci_and_in_a_pipe_there_is_no_progress(tmp_path: Path):
    assert "of 5 jobs" not in snakemake(tmp_path, terminal=True, CI="true")
    (tmp_path / "0.txt").unlink()
    assert snakemake(tmp_path, terminal=False) == ""


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def handler(monkeypatch):
    """A handler on a simulated terminal."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(sys, "stderr", Terminal())
    handler = LogHandler(OutputSettings(), settings=None)
    yield handler
    handler.close()


def record(message, **fields):
    made = logging.LogRecord("snakemake", logging.INFO, "", 0, message, None, None)
    made.__dict__ |= fields
    return made


def test_records_of_another_version_cost_the_line_alone(handler):
    handler.emit(record(None, event=LogEvent.RUN_INFO, stats={"make": 4, "total": 4}))
    handler.emit(record(None, event=LogEvent.JOB_FINISHED, number_of_job=1))
    handler.emit(record("said after it"))
    assert "0 of 4 jobs" in handler._stream.getvalue()
    assert "said after it" in handler._stream.getvalue()


@pytest.mark.parametrize("missing", ["ColorizingTextHandler", "DefaultFilter", "DefaultFormatter"])
def test_without_the_private_classes_messages_are_printed_as_they_are(monkeypatch, missing):
    monkeypatch.delattr(f"snakemake.logging.{missing}")
    stream = io.StringIO()
    default_handler(OutputSettings(), stream).handle(record("said"))
    assert stream.getvalue() == "said\n"
