"""One line of progress in place of Snakemake's log: `snakemake --logger seggrid`.

Snakemake finds this package by its name. On a terminal it keeps one line up to date (jobs done,
failed and running, and an estimate of what is left; see `seggrid.workflow.progress`), and passes on
only what is a warning or an error. Where there is no terminal, under CI, and for a dry run it
leaves Snakemake's own output as it is.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import time

from snakemake.logging import ColorizingTextHandler, DefaultFilter, DefaultFormatter
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from seggrid.workflow.progress import Progress

_CLEAR = "\r\x1b[2K"
_ERRORS = (LogEvent.JOB_ERROR, LogEvent.GROUP_ERROR, LogEvent.ERROR)


class LogHandler(LogHandlerBase):
    """Keeps the line of progress; see the module."""

    def __post_init__(self) -> None:
        settings = self.common_settings
        self._stream = sys.stdout if settings.stdout else sys.stderr
        self._shown = self._stream.isatty() and not os.environ.get("CI") and not settings.dryrun
        self._progress = Progress()
        self._default = ColorizingTextHandler(nocolor=settings.nocolor, stream=self._stream)
        self._default.setFormatter(DefaultFormatter(settings.quiet, settings.show_failed_logs))
        self._default.addFilter(
            DefaultFilter(
                settings.quiet,
                settings.debug_dag,
                settings.verbose,
                settings.dryrun,
                settings.printshellcmds,
            )
        )

    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = True
    needs_rulegraph = False

    def emit(self, record: logging.LogRecord) -> None:
        """Take note of what happened, and bring the line up to date."""
        if not self._shown:
            self._default.handle(record)
            return
        event = getattr(record, "event", None)
        self._note(event, record)
        if record.levelno >= logging.WARNING or event in _ERRORS:
            self._write(_CLEAR)
            self._default.handle(record)
        self._redraw()

    def _note(self, event: LogEvent | None, record: logging.LogRecord) -> None:
        now, progress = time.monotonic(), self._progress
        if event == LogEvent.RUN_INFO:
            stats = dict(record.stats)
            stats.pop("total", None)
            progress.plan(stats)
        elif event == LogEvent.JOB_INFO:
            progress.announce(record.jobid, record.rule_name)
        elif event == LogEvent.JOB_STARTED:
            for job in record.jobs:
                progress.start(job, now)
        elif event == LogEvent.JOB_FINISHED:
            progress.finish(record.job_id, now)
        elif event == LogEvent.JOB_ERROR:
            progress.fail(record.jobid)

    def _redraw(self) -> None:
        if self._progress.total:
            line = self._progress.line(time.monotonic())
            width = shutil.get_terminal_size().columns - 1
            self._write(_CLEAR + (line if len(line) <= width else line[: width - 1] + "…"))

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()

    def close(self) -> None:
        """Leave the last state standing on a line of its own."""
        if self._shown and self._progress.total:
            self._write("\n")
            self._shown = False
        super().close()
