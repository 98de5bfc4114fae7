"""One line of progress in place of Snakemake's log: `snakemake --logger seggrid`.

Snakemake finds this package by its name. On a terminal it updates one line (jobs done, failed and running,
and an estimate of the time left; see `seggrid.workflow.run.progress`), and prints only warnings and errors of
Snakemake. Without a terminal, under CI, and in a dry run it leaves Snakemake's own output unchanged. The
rich plugin of PyPI prints two lines for each job and no estimate of the time left.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import threading
import time
from typing import TextIO

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_interface_logger_plugins.settings import OutputSettingsLoggerInterface

from seggrid.workflow.run.progress import Progress

_CLEAR = "\r\x1b[2K"
_ERRORS = (LogEvent.JOB_ERROR, LogEvent.GROUP_ERROR, LogEvent.ERROR)


class LogHandler(LogHandlerBase):
    """Print and update the line of progress; see the module."""

    def __post_init__(self) -> None:
        settings = self.common_settings
        self._stream = sys.stdout if settings.stdout else sys.stderr
        self._shown = self._stream.isatty() and not os.environ.get("CI") and not settings.dryrun
        self._progress = Progress()
        self._default = default_handler(settings, self._stream)
        self._line = ""
        self._drawing = threading.RLock()
        self._ended = threading.Event()
        if self._shown:
            threading.Thread(target=self._keep_up_to_date, daemon=True).start()

    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = True
    needs_rulegraph = False

    def emit(self, record: logging.LogRecord) -> None:
        """Record the event, and update the line."""
        if not self._shown:
            self._default.handle(record)
            return
        event = getattr(record, "event", None)
        try:
            with self._drawing:
                self._note(event, record)
        except (AttributeError, TypeError, ValueError):
            # Records of another version of Snakemake: print its own messages, without a line of progress.
            self._end_line()
            self._shown = False
            self._default.handle(record)
            return
        with self._drawing:
            if record.levelno >= logging.WARNING or event in _ERRORS:
                self._write(_CLEAR)
                self._line = ""
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

    def _keep_up_to_date(self) -> None:
        """Update the estimate while long jobs run."""
        while not self._ended.wait(1):
            with self._drawing:
                self._redraw()

    def _redraw(self) -> None:
        if not self._shown or not self._progress.total:
            return
        line = self._progress.line(time.monotonic())
        width = self._columns() - 1
        line = line if len(line) <= width else line[: width - 1] + "…"
        if line != self._line:
            self._write(_CLEAR + line)
            self._line = line

    def _columns(self) -> int:
        """The width of the terminal that the line is written to, which need not be standard output."""
        try:
            columns = os.get_terminal_size(self._stream.fileno()).columns
        except (OSError, ValueError):
            columns = 0
        return columns or shutil.get_terminal_size().columns

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()

    def _end_line(self) -> None:
        with self._drawing:
            if self._line:
                self._write("\n")
                self._line = ""

    def close(self) -> None:
        """End the line, so that the last state stays visible."""
        self._ended.set()
        self._end_line()
        self._shown = False
        super().close()


def default_handler(
    settings: OutputSettingsLoggerInterface, stream: TextIO
) -> logging.StreamHandler:
    """Snakemake's own handler. Its class is private to Snakemake: without it, messages are printed
    as they are."""
    try:
        from snakemake.logging import ColorizingTextHandler, DefaultFilter, DefaultFormatter

        handler = ColorizingTextHandler(nocolor=settings.nocolor, stream=stream)
        handler.setFormatter(DefaultFormatter(settings.quiet, settings.show_failed_logs))
        handler.addFilter(
            DefaultFilter(
                settings.quiet,
                settings.debug_dag,
                settings.verbose,
                settings.dryrun,
                settings.printshellcmds,
            )
        )
    except (ImportError, AttributeError, TypeError):
        handler = logging.StreamHandler(stream)
        handler.addFilter(lambda record: record.msg is not None)
    return handler
