"""The page of the cells that are there, while a run goes on and after it has failed: `partial/report.html`.

It is written after a finished job, at most every ten minutes: it takes some seconds of CPU.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from seggrid.errors import InputError
from seggrid.workflow.rules.environment import command_of

if TYPE_CHECKING:
    from seggrid.workflow.run.this_run import Run

STARTED = Path(".snakemake/seggrid.started")
"""A file whose modification time is the start of the run."""

EVERY = 600.0
"""The fewest seconds from one page to the next."""

CELLS = 12
"""The most cells in the viewer."""


class SoFar:
    """Writes the page of what a run has made so far."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._folder = run.tables.absolute() / "partial"
        self._next = time.monotonic() + EVERY
        self._writing: subprocess.Popen[bytes] | None = None
        self._told = False

    def after_job(self) -> None:
        """Begin to write the page, if it is due and none is being written."""
        now = time.monotonic()
        if now < self._next or (self._writing is not None and self._writing.poll() is None):
            return
        self._next = now + EVERY
        # The graph of jobs may change meanwhile, the disk may be full: no page stops a run.
        with suppress(RuntimeError, OSError, InputError):
            self._writing = self._begin("This run goes on.")
        if self._writing is not None and not self._told:
            self._told = True
            self._run.logger.warning(f"So far: {self._run.tables}/partial/report.html")

    def end(self, why: str = "") -> bool:
        """After the run: stop writing; write the page once more if the run has failed, and say whether this
        was possible."""
        if self._writing is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._writing.pid, signal.SIGTERM)
            self._writing.wait()
        with suppress(OSError, InputError):
            last = self._begin(why) if why else None
            return last is not None and last.wait() == 0
        return False

    def _begin(self, why: str) -> subprocess.Popen[bytes] | None:
        """Start to write the scores so far and their page; None if the cells are not listed yet."""
        run, folder = self._run, self._folder
        current, cells = run.current(), run.tables / "cells.tsv"
        if str(cells) not in current or not cells.exists():
            return None
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "current.txt").write_text("\n".join(sorted(current)), encoding="utf-8")
        # In files, since a command has at most 128 KiB.
        given = {"scores": f"{folder}/scores.csv"}
        about = {**run.about(), "unfinished": why}
        golds = run.files.golds(run.pairs)
        for name, values in {"given": given, "about": about, "golds": golds}.items():
            (folder / f"{name}.json").write_text(json.dumps(values), encoding="utf-8")
        scores = [
            *(*command_of("collate"), f"--cells={cells}", f"--scores={folder}/scores.csv"),
            *(f"--counts={folder}/counts.npz", f"--current={folder}/current.txt"),
            *(f"--since={STARTED}", f"--golds=@{folder}/golds.json"),
        ]
        page = [
            *(*command_of("report"), f"--given=@{folder}/given.json", f"--cells={cells}"),
            *(f"--about=@{folder}/about.json", f"--viewer-cells={CELLS}"),
            f"--output={folder}/report.html",
        ]
        with (folder / "log").open("wb") as log:
            command = f"{shlex.join(scores)} && {shlex.join(page)}"
            # A group of its own, so that `end` stops what the shell has started too.
            return subprocess.Popen(
                command, shell=True, stdout=log, stderr=log, start_new_session=True
            )
