"""The line of progress: its estimate, and the handler of Snakemake's log that shows it."""

import fcntl
import io
import logging
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path
from types import SimpleNamespace

import pytest
from snakemake.exceptions import LockException, format_exception_to_string
from snakemake.settings.types import OutputSettings
from snakemake_interface_logger_plugins.common import LogEvent

from seggrid.grid.run.terminal import Progress, attach

pytestmark = pytest.mark.tier("check")

SNAKEFILE = """
from pathlib import Path
from snakemake.logging import logger
from seggrid.grid.run.terminal import attach

handler = attach(logger, workflow.output_settings)
onstart:
    if handler:
        handler.plan(workflow.dag)

rule all:
    input: expand("{i}.txt", i=range(4))
rule make:
    output: "{i}.txt"
    log: "logs/{i}.log"
    shell:
        "sleep 0.3; if [ {wildcards.i} = {config[broken]} ]; then echo the reason > {log}; exit 1; fi;"
        " touch {output}"
"""


def planned(**jobs):
    """The progress of a run with the given number of jobs per rule, numbered from 1 in that order."""
    rules = [rule for rule, count in jobs.items() for _ in range(count)]
    return Progress(dict(enumerate(rules, 1)))


def run_jobs(progress, jobs, seconds, start=0.0):
    """Run jobs at once; return the time at which they end."""
    for job in jobs:
        progress.start(job, start)
    for job in jobs:
        progress.finish(job, start + seconds)
    return start + seconds


def test_estimate_takes_in_how_many_jobs_run_at_once_and_are_left():
    progress = planned(align=5)
    assert progress.seconds_left(0.0) is None
    now = run_jobs(progress, (1, 2), seconds=30)
    assert progress.seconds_left(now) == pytest.approx(3 * 30 / 2)
    now = run_jobs(progress, (3, 4), seconds=30, start=now)
    assert progress.seconds_left(now) == pytest.approx(15)
    # Time that a running job has had counts.
    progress.start(5, now)
    assert progress.seconds_left(now + 10) == pytest.approx(5)
    # It takes longer than others of its rule.
    assert progress.line(now + 100) == "4 of 5 jobs (80%), running align for 1 min 40 s"


def test_rules_that_take_longer_count_for_more():
    progress = planned(learn=2, align=100, page=1)
    now = run_jobs(progress, (1,), seconds=20)
    # They ask for 2, 2 and 10 minutes.
    assert progress.seconds_left(now) == pytest.approx(20 + 100 * 20 + 100)


def test_jobs_of_a_group_on_a_cluster_have_no_time_of_their_own():
    progress = planned(align=2, score=2)
    progress.start("group-a", 0.0)
    assert progress.line(5.0) == "0 of 4 jobs (0%)"
    for job in (1, 3):
        progress.finish(job, 60.0)
    assert progress.line(60.0) == "2 of 4 jobs (50%)"


def test_after_a_failure_nothing_is_estimated():
    """Jobs that need the failed one will not run."""
    progress = planned(align=2, score=1)
    now = run_jobs(progress, (1,), seconds=10)
    progress.start(2, now)
    progress.fail(2)
    assert progress.line(now) == "1 of 3 jobs (33%), 1 failed"


def snakemake(folder, *, terminal, broken):
    """The output of Snakemake, on a terminal or, with `--quiet rules`, into a pipe."""
    (folder / "Snakefile").write_text(SNAKEFILE)
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--keep-going"]
    command += ["--config", f"broken={broken}", *([] if terminal else ["--quiet", "rules"])]
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name not in ("CI", "COLUMNS")},
        stderr=side if terminal else subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
    )
    os.close(side)
    text = b"" if terminal else process.stderr.read()
    while terminal:
        try:
            text += os.read(main, 65536)
        except OSError:  # the other end of a terminal was closed
            break
    process.wait(timeout=60)
    os.close(main)
    return text.decode()


def frames(text):
    """The successive states of the line."""
    return [frame.split("\n")[0].strip() for frame in text.split("\r\x1b[2K")[1:]]


def test_on_a_terminal_one_line_is_kept_and_a_failed_job_is_shown_once(tmp_path: Path):
    """With the end of its log."""
    text = snakemake(tmp_path, terminal=True, broken="2")
    shown = frames(text)
    assert shown[0] == "0 of 5 jobs (0%)"
    assert "0 of 5 jobs (0%), running make ×2 for 1 s" in shown
    lines = text.replace("\r", "").splitlines()
    place = next(n for n, line in enumerate(lines) if "make failed: 2.txt" in line)
    assert lines[place + 1 : place + 3] == ["    the reason", "    log: logs/2.log"]
    assert text.count("the reason") == text.count("make failed") == 1
    assert "3 of 5 jobs (60%), 1 failed" in text
    assert "Error in rule" not in text


def test_with_quiet_rules_a_pipe_gets_a_line_a_step(tmp_path: Path):
    lines = snakemake(tmp_path, terminal=False, broken="2").splitlines()
    assert [line.split(",")[0] for line in lines if " of 5 jobs " in line] == [
        "1 of 5 jobs (20%)",
        "2 of 5 jobs (40%)",
        "3 of 5 jobs (60%)",
    ]
    assert [line for line in lines if "failed: 2.txt" in line or "reason" in line] == [
        "make failed: 2.txt",
        "    the reason",
    ]
    assert "\x1b" not in "".join(lines)


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def logger(monkeypatch, tmp_path):
    """A logger with Snakemake's own handler, on a simulated terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    logger = logging.Logger("snakemake")
    default = logging.StreamHandler(Terminal())
    default.set_name("DefaultStreamHandler")
    logger.addHandler(default)
    return logger


def dag(jobs):
    """Jobs as in Snakemake's graph of them."""
    rule = SimpleNamespace(name="make")
    made = [SimpleNamespace(rule=rule, number=n) for n in range(jobs)]
    return SimpleNamespace(needrun_jobs=lambda: made, jobid=lambda job: job.number)


def send(logger, message="", level=logging.INFO, **fields):
    logger.log(level, message, extra=fields)


def shown(handler):
    return handler._default.stream.getvalue()


def test_another_version_of_snakemake_costs_the_line_alone(logger):
    handler = attach(logger, OutputSettings())
    handler.plan(dag(4))
    send(logger, event=LogEvent.JOB_STARTED, jobs=[0])
    send(logger, event=LogEvent.JOB_FINISHED, number_of_job=1)
    send(logger, "said after it")
    assert "0 of 4 jobs" in shown(handler)
    assert "said after it" in shown(handler)


@pytest.mark.parametrize("missing", ["needrun_jobs", "jobid"])
def test_without_the_graph_of_jobs_snakemakes_own_output_is_shown(logger, missing):
    handler = attach(logger, OutputSettings())
    graph = dag(4)
    delattr(graph, missing)
    handler.plan(graph)
    send(logger, "said after it")
    assert shown(handler) == "said after it\n"


def test_beside_another_run_a_dry_run_says_so(logger):
    handler = attach(logger, OutputSettings(dryrun=True))
    send(logger, "Error: Directory cannot be locked. Another Snakemake instance is running.")
    assert "Error" not in shown(handler)
    assert shown(handler).startswith("Another run is going on here")


def test_beside_another_run_a_run_says_that_it_may_go_on(logger):
    handler = attach(logger, OutputSettings())
    handler.plan(dag(1))
    locked = format_exception_to_string(LockException())
    logger.error(locked, extra={"event": LogEvent.ERROR, "exception": "LockException"})
    assert "another run is at work in this folder (wait until it ends; if" in shown(handler)
