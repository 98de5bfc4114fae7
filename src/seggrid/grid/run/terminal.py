"""Print the progress of a run in place of Snakemake's log.

On a terminal one line is kept up to date (jobs done, failed and running, and an estimate of the time left;
see `Progress`), and only warnings, errors and failed jobs are printed besides it.
Without a terminal and under CI, Snakemake's own output is unchanged; with `--quiet rules`, as `seggrid run`
calls it, the line is printed again after every twentieth of the jobs.

The Snakefile attaches this handler. A plugin named in the profile would not do: Snakemake refuses a profile
with a plugin that is not installed, and a plugin does not know which jobs are planned.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from seggrid.base.steps import CLEAR
from seggrid.grid.costs import most

STEPS = 20
"""Number of lines of progress without a terminal."""

_LOCKED = "Error: Directory cannot be locked. Another Snakemake instance is running."
_AT_WORK = (
    "error: another run is at work in this folder (wait until it ends; if it has certainly ended, remove its "
    "lock: seggrid run --unlock)"
)
_ANOTHER = "Another run is going on here: files that it has not finished yet count as not made."

# Another version of Snakemake may have other records and attributes: then its own output is shown.
_OTHER_VERSION = (AttributeError, TypeError, ValueError, KeyError)


def attach(logger: logging.Logger, settings: Any) -> TerminalHandler | None:
    """Put a handler in the place of Snakemake's own, whose name is private; None if it is not found."""
    for handler in logger.handlers:
        if handler.get_name() == "DefaultStreamHandler":
            logger.removeHandler(handler)
            own = TerminalHandler(handler, settings)
            logger.addHandler(own)
            return own
    return None


class TerminalHandler(logging.Handler):
    """Print and update the line of progress. `on_plan` is called when jobs are planned, `after_job` after
    each."""

    def __init__(self, default: logging.Handler, settings: Any) -> None:
        super().__init__()
        self._default = default
        self._stream = getattr(default, "stream", sys.stderr)
        self._updates = self._stream.isatty() and not os.environ.get("CI")
        quiet = {str(getattr(each, "name", each)).lower() for each in settings.quiet or ()}
        self._shown = not settings.dryrun and (self._updates or "rules" in quiet)
        self._progress = Progress({})
        self._step = 0
        self.on_plan: Callable[[], None] = lambda: None
        self.after_job: Callable[[], None] = lambda: None
        self._line = ""
        self._told: set[Any] = set()

    def plan(self, dag: Any) -> None:
        """Set the planned jobs from Snakemake's graph of jobs."""
        try:
            self._progress = Progress({dag.jobid(j): j.rule.name for j in dag.needrun_jobs()})
        except _OTHER_VERSION:
            self._shown = False

    def emit(self, record: logging.LogRecord) -> None:
        """Record the event, and update the line."""
        event = str(getattr(getattr(record, "event", None), "value", ""))
        if event == "run_info":
            self.on_plan()
        if event == "job_finished":
            self.after_job()
        if record.getMessage() == _LOCKED:
            record = _saying(_ANOTHER, record)
        elif record.__dict__.get("exception") == "LockException":
            # Snakemake's message tells to remove the lock, even that of a run which goes on.
            record = _saying(_AT_WORK, record)
        if self._shown:
            try:
                self._note(event, record)
            except _OTHER_VERSION:
                self._end_line()
                self._shown = False
        if not self._shown:
            self._default.handle(record)
            return
        if event in ("job_error", "group_error") or record.levelno >= logging.WARNING:
            if self._updates:
                self._write(CLEAR)
                self._line = ""
            self._tell(event, record)
        self._show()

    def _note(self, event: str, record: logging.LogRecord) -> None:
        now, fields = time.monotonic(), record.__dict__
        if event == "job_started":
            for job in fields["jobs"]:
                self._progress.start(job, now)
        elif event == "job_finished":
            self._progress.finish(fields["job_id"], now)
        elif event == "job_error" and fields["jobid"] not in self._told:
            self._progress.fail(fields["jobid"])

    def _tell(self, event: str, record: logging.LogRecord) -> None:
        """Print a warning or an error; for a failed job, the last lines of its log, once."""
        fields = record.__dict__
        if event != "job_error":
            # The command of a failed job; its log is shown next instead.
            is_command = "CalledProcessError" in record.getMessage()
            if not (is_command and fields.get("exception") == "RuleException"):
                self._default.handle(record)
            return
        if fields["jobid"] in self._told:
            return
        self._told.add(fields["jobid"])
        logs = [Path(log) for log in fields.get("log") or ()]
        lines = [line for log in logs for line in _last_lines(log)]
        self._write(f"{fields['rule_name']} failed: {', '.join(fields.get('output') or ())}\n")
        self._write("".join(f"    {line}\n" for line in lines or ["its log is empty"]))
        self._write("".join(f"    log: {log}\n" for log in logs))

    def _show(self) -> None:
        """Update the line, or print it again if a further step of `STEPS` is reached."""
        if not self._progress.total:
            return
        line = self._progress.line(time.monotonic())
        if self._updates:
            width = self._columns() - 1
            line = line if len(line) <= width else line[: width - 1] + "…"
            if line != self._line:
                self._write(CLEAR + line)
                self._line = line
            return
        step = STEPS * self._progress.done // self._progress.total
        if step > self._step:
            self._step = step
            self._write(line + "\n")

    def _columns(self) -> int:
        """The width of the terminal to which the line is written; this need not be standard output."""
        with suppress(OSError, ValueError):
            if columns := os.get_terminal_size(self._stream.fileno()).columns:
                return columns
        return shutil.get_terminal_size().columns

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()

    def _end_line(self) -> None:
        if self._line:
            self._write("\n")
            self._line = ""

    def close(self) -> None:
        """End the line, so that the last state stays visible."""
        self._end_line()
        self._shown = False
        self._default.close()
        super().close()


def _saying(message: str, record: logging.LogRecord) -> logging.LogRecord:
    """A record with another message."""
    return logging.makeLogRecord({**record.__dict__, "msg": message, "args": None})


def _last_lines(log: Path) -> Sequence[str]:
    with suppress(OSError):
        return log.read_text(encoding="utf-8", errors="replace").rstrip().splitlines()[-10:]
    return ()


class Progress:
    """Count the jobs of a run, given by number, each with its rule; times are seconds of any clock."""

    def __init__(self, jobs: Mapping[int, str]) -> None:
        self.total = len(jobs)
        self.done = self.failed = 0
        self._left = dict(jobs)
        self._running: dict[int, float] = {}
        self._work = 0.0  # of finished jobs, as `most` counts it
        self._began: float | None = None
        self._last: float | None = None

    def start(self, job: int, now: float) -> None:
        """Record that a job starts. A group of jobs on a cluster has a number of its own and is ignored."""
        if job in self._left:
            self._running[job] = now
            self._began = now if self._began is None else self._began

    def finish(self, job: int, now: float) -> None:
        """Record that a job has succeeded."""
        self._work += most(self._left.pop(job)).minutes
        self._running.pop(job, None)
        self._last = now
        self.done += 1

    def fail(self, job: int) -> None:
        """Record that a job has failed."""
        self._running.pop(job, None)
        self.failed += 1

    def seconds_left(self, now: float) -> float | None:
        """An estimate of the seconds left: the time of the finished jobs, in the ratio of the minutes that
        the others ask for to theirs. None if no job has finished; if one has failed, since those that need
        it will not run; or if that time is over, since nobody knows how much longer it takes."""
        if self._began is None or self._last is None or self.failed:
            return None
        left = sum(most(rule).minutes for rule in self._left.values())
        seconds = (self._last - self._began) * left / self._work - (now - self._last)
        return seconds if seconds > 0 else None

    def line(self, now: float) -> str:
        """The state of the run in one line.

        >>> progress = Progress({1: "align", 2: "align", 3: "score"})
        >>> progress.start(1, 0.0)
        >>> progress.finish(1, 30.0)
        >>> progress.start(2, 30.0)
        >>> progress.line(42.0)
        '1 of 3 jobs (33%), running align for 12 s, about 33 s left'
        """
        share = f" ({100 * self.done // self.total}%)" if self.total else ""
        parts = [f"{self.done} of {self.total} jobs{share}"]
        if self.failed:
            parts.append(f"{self.failed} failed")
        rules = Counter(self._left[job] for job in self._running)
        if rules:
            longest = duration(now - min(self._running.values()))
            names = (f"{rule} ×{n}" if n > 1 else rule for rule, n in sorted(rules.items()))
            parts.append(f"running {' '.join(names)} for {longest}")
        seconds = self.seconds_left(now)
        if seconds is not None and self._left:
            parts.append(f"about {duration(seconds)} left")
        return ", ".join(parts)


def duration(seconds: float) -> str:
    """A time in words, rounded as an estimate.

    >>> [duration(s) for s in (0.2, 42, 97, 1234, 9000)]
    ['1 s', '42 s', '1 min 40 s', '21 min', '2 h 30 min']
    """
    whole = max(round(seconds), 1)
    if whole < 60:
        return f"{whole} s"
    if whole < 600:
        minutes, rest = divmod(round(whole / 10) * 10, 60)
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(round(whole / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
