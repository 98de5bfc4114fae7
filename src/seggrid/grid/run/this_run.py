"""What Snakemake's process does before the jobs of a run, meanwhile and after them.

The handlers of `workflow/Snakefile` call the three functions of `Run`. Snakemake does not call the handlers
of a module, so a workflow that includes this one has to call them itself (docs/runs.md).
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seggrid.base.errors import InputError
from seggrid.base.files import RESULTS, remove_parts
from seggrid.grid.axes import tables_folder
from seggrid.grid.config import ConfigNode
from seggrid.grid.finished import record
from seggrid.grid.rules import environment
from seggrid.grid.rules.environment import SCRIPTS, command_of
from seggrid.grid.rules.files import Files
from seggrid.grid.run.dry_run import write_jobs
from seggrid.grid.run.locks import note_locks
from seggrid.grid.run.output_digests import digest_of

STARTED = Path(".snakemake/seggrid.started")
"""A file whose modification time is the start of the run."""

EVERY = 600.0
"""The fewest seconds from one page to the next."""


class SoFar:
    """Writes the page of the cells that are there, `partial/report.html`: while a run goes on, at most every
    ten minutes, since it takes some seconds of CPU; and after it has failed."""

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
        """After the run: stop writing; if it failed, write the page once more, and say whether it could."""
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
            *(
                *command_of(SCRIPTS / "collate.py"),
                f"--cells={cells}",
                f"--scores={folder}/scores.csv",
            ),
            *(f"--counts={folder}/counts.npz", f"--current={folder}/current.txt"),
            *(f"--since={STARTED}", f"--golds=@{folder}/golds.json"),
        ]
        page = [
            *(
                *command_of(SCRIPTS / "report.py"),
                f"--given=@{folder}/given.json",
                f"--cells={cells}",
            ),
            *(f"--about=@{folder}/about.json", "--viewer-cells=12"),
            f"--output={folder}/report.html",
        ]
        with (folder / "log").open("wb") as log:
            command = f"{shlex.join(scores)} && {shlex.join(page)}"
            # A group of its own, so that `end` stops what the shell has started too.
            return subprocess.Popen(
                command, shell=True, stdout=log, stderr=log, start_new_session=True
            )


PLAN = "SEGGRID_PLAN"
"""Name of the environment variable with the file for the planned jobs of a dry run."""

last: Run | None = None
"""The last run in this process, from which its command learns what was made."""


@dataclass
class Run:
    """One run of the workflow.

    Attributes:
        workflow: Snakemake's workflow.
        source: the config as written in its files.
        config_files: these files.
        files: the files that the config names.
        pairs: the pairs that have cells.
        made: names of the tables that it makes.
        terminal: the display of progress.
        logger: Snakemake's logger.
        about: makes what the page says about the study.
        kernels: its segmenters and aligners.
    """

    workflow: Any
    source: ConfigNode
    config_files: Sequence[str]
    files: Files
    pairs: Sequence[str]
    made: Sequence[str]
    terminal: Any
    logger: Any
    about: Callable[[], dict[str, Any]] = dict
    kernels: Collection[str] = ()

    def __post_init__(self) -> None:
        global last
        last = self
        self.tables = tables_folder(self.files.study)
        self._planned: list[Any] = []
        if self.terminal:
            self.terminal.on_plan = self.write_plan

    def current(self) -> set[str]:
        """The outputs that this run has made, or found up to date; files that are not needed may be deleted.

        Other outputs may be of other settings: those of planned jobs that have not finished, since Snakemake
        plans every job that depends on a change, and of jobs that it was told to leave out (`--until`,
        `--omit-from`, `--batch`).
        """
        dag = self.workflow.dag
        if dag is None:  # after --lint or --list-rules
            return set()
        unfinished = set(dag.needrun_jobs())
        return {str(file) for job in dag.jobs if job not in unfinished for file in job.output}

    def reused(self) -> tuple[int, int]:
        """How many jobs of the last plan had files that were up to date before, and how many there are."""
        dag = self.workflow.dag
        every = [job for job in dag.jobs if job.output] if dag is not None else []
        return len(every) - sum(job.rule.name != "all" for job in self._planned), len(every)

    def write_plan(self) -> None:
        """In a dry run for `seggrid plan`: write the planned jobs to the file that it names."""
        if file := os.environ.get(PLAN):
            asked = self.workflow.dag_settings
            forced = bool(asked.forcerun or asked.forceall or asked.forcetargets)
            write_jobs(self.workflow.dag, Path(file), forced=forced)

    def start(self) -> None:
        """Before the jobs: show progress, note locks, warn of tables that are written over."""
        workflow = self.workflow
        self._planned = list(workflow.dag.needrun_jobs())
        if self.terminal:
            self.terminal.plan(workflow.dag)
        note_locks(workflow.persistence)
        if warning := other_tables(self.config_files, self.tables):
            self.logger.warning(warning)
        lift_limit(workflow)
        remove_parts(RESULTS)
        shutil.rmtree(self.tables / "partial", ignore_errors=True)
        STARTED.touch()
        self.so_far = SoFar(self)
        if self.terminal:
            self.terminal.after_job = self.so_far.after_job
        if workflow.local_exec and not workflow.deployment_settings.deployment_method:
            environment.start_fork_server(".snakemake/seggrid.sock", self.kernels)

    def settle(self) -> None:
        """After a run without any job, for which Snakemake calls no handler: write the record."""
        dag = self.workflow.dag
        if dag is not None and not hasattr(self, "so_far") and not any(dag.needrun_jobs()):
            self._record(True)

    def succeed(self) -> None:
        """After the jobs: write the record."""
        self._record(True)
        self.so_far.end()
        shutil.rmtree(self.tables / "partial", ignore_errors=True)

    def fail(self) -> None:
        """After a failure: write the record, and scores and page so far to a folder of their own."""
        self._record(False)
        if self.so_far.end("This run has failed, or was interrupted."):
            partial = self.tables / "partial"
            self.logger.warning(
                f"So far: {partial}/report.html; why cells are missing: {partial}/scores.csv"
            )

    def _is_whole(self) -> bool:
        """Whether the run was asked for all that the config makes, and not for a part of it."""
        asked = self.workflow.dag_settings
        some = {*asked.targets} - {"all"}
        return not (some or asked.until or asked.omit_from or asked.batch)

    def _record(self, succeeded: bool) -> None:
        """Write results/run.json, which says what the tables were made from."""
        current = self.current()
        files = [self.tables / name for name in record.table_files()]
        digests = {
            file.name: digest_of(file) for file in files if str(file) in current and file.exists()
        }
        if not digests and not record.read_or_none(self.tables):
            return
        inputs = self.files.located(self.pairs)
        if edited := self.files.edited():
            self.logger.warning(
                f"warning: {', '.join(edited)}: changed during this run (run again: what was made of "
                "the old content is made anew)"
            )
        of_run = {
            "finished": succeeded and not edited,
            "config files": [os.path.relpath(file) for file in self.config_files],
            "settings": self.source.plain(),
            "inputs": {name: self.files.sha256(inputs[name]) for name in sorted(inputs)},
        }
        record.write_record(self.tables, of_run, digests, self.made, whole=self._is_whole())


def lift_limit(workflow: Any) -> None:
    """Lift Snakemake's default limit of 100 jobs a second. Under it, each job that ends starts a timer of its
    own, by which jobs are chosen anew every second as long as some wait: soon a whole core does this."""
    limit = getattr(workflow.scheduler, "job_rate_limiter", None)  # a run must not need it
    if limit and (limit.max_jobs, limit.timespan) == (100, 1):
        workflow.scheduler.job_rate_limiter = None


def other_tables(config_files: Sequence[str], folder: Path) -> str | None:
    """A warning if the tables in a folder were made from other config files; otherwise None."""
    before = record.read_or_none(folder).get("config files")
    now = [os.path.relpath(file) for file in config_files]
    if not before or before == now or not Path(folder, "scores.csv").exists():
        return None
    return (
        f"warning: {folder}/ holds the tables and the report of {' '.join(before)}; "
        f"this run of {' '.join(now)} writes over them (study: NAME in one of them keeps both)"
    )
