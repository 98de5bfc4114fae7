"""`seggrid run`: run the grid of a config in this folder."""

from __future__ import annotations

import argparse
import csv
import os
import signal
import sys
import textwrap
from pathlib import Path
from types import FrameType

from seggrid.base.extras import SNAKEFILE, check_installed
from seggrid.cli.grid.plan import add_configs
from seggrid.errors import Refusal
from seggrid.grid.config import read_config
from seggrid.workflow.run import this_run
from seggrid.workflow.run.call import call, ensure_cache

OWN_OPTIONS = ("--builtin", "--cores", "-c", "--help", "-h")

# With one of these options, Snakemake's log is shown, or cores and the place of jobs are chosen by them.
_WITH_LOG = ("--quiet", "-q", "--verbose", "--printshellcmds", "-p", "--debug-dag", "-n", "--dry")
_WITHOUT_CORES = ("--workflow-profile", "--profile", "--executor", "-e", "--jobs", "-j")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: configs, cores."""
    parser.usage = (
        "seggrid run [CONFIG ...] [--builtin] [--cores N] [OPTION of snakemake ...] [-- FILE ...]"
    )
    parser.epilog = (
        "All further options are those of snakemake. Exit status: 0; 1 if a job failed, 2 after a mistake, "
        "130 after Ctrl-C."
    )
    add_configs(parser)
    parser.add_argument("--cores", "-c", metavar="N", help="number of cores, or `all`, the default")


def run(arguments: argparse.Namespace) -> None:
    """Run Snakemake in this process, and print the verdict on each pair and where the report is."""
    check_installed("grid", user="seggrid run")
    # Set here, since Snakemake starts itself again on a cluster: modules of this folder are not imported.
    os.environ["PYTHONSAFEPATH"] = "1"
    options = arguments.passed_on
    if arguments.cores or not any(option.startswith(_WITHOUT_CORES) for option in options):
        options = ["--cores", arguments.cores or "all", *options]
    asked = call(arguments.configs, options, builtin=arguments.builtin)
    ensure_cache()
    from snakemake.cli import main as snakemake

    # Of what is no YAML, Snakemake would say less, before it reads the workflow.
    read_config(asked.configs, asked.overrides)
    command = ["--snakefile", str(SNAKEFILE), "--configfile", *asked.configs, *asked.options]
    if not any(option.startswith(_WITH_LOG) for option in options):
        command[2:2] = ["--quiet", "rules"]
    interrupted = _Interrupted()
    this_run.last = None
    try:
        snakemake(command)
    except Refusal as refusal:
        # A mistake in the config, a text or its gold, found while the workflow is read.
        raise refusal.error from None
    except SystemExit as end:
        if interrupted.seen:
            print("interrupted: the same command continues this run", file=sys.stderr)
            sys.exit(130)
        if end.code:
            raise
    if asked.runs and this_run.last is not None:
        _tell(this_run.last)


class _Interrupted:
    """Notices Ctrl-C, after which Snakemake ends its jobs and then with status 1."""

    def __init__(self) -> None:
        self.seen = False
        signal.signal(signal.SIGINT, self._see)

    def _see(self, number: int, frame: FrameType | None) -> None:
        self.seen = True
        signal.default_int_handler(number, frame)


def _tell(ended: this_run.Run) -> None:
    """Print the verdicts and where the tables are, as far as a run made them or found them up to date."""
    current, tables = ended.current(), ended.tables

    def made(name: str) -> Path | None:
        file = tables / name
        return file if str(file) in current and file.exists() else None

    if verdict := made("verdict.csv"):
        for line in _column(verdict, "verdict"):
            print(textwrap.fill(line, _WIDTH, break_on_hyphens=False), file=sys.stderr)
    scores, report = made("scores.csv"), made("report.html")
    if scores and set(_column(scores, "status")) == {"no gold"}:
        print(_NO_GOLD, file=sys.stderr)
    if report:
        print(f"Scores: {scores}   Report: {report}", file=sys.stderr)
    elif all(map(made, ended.made)):
        # A study of only morphology or language models has no report.
        print(f"Tables: {tables}", file=sys.stderr)


def _column(table: Path, name: str) -> list[str]:
    with table.open(encoding="utf-8", newline="") as rows:
        return [row[name] for row in csv.DictReader(rows)]


_NO_GOLD = (
    "note: no pair has gold, so cells have links and measures but no scores; seggrid recommend compares "
    "settings without gold"
)
_WIDTH = 100
"""Number of characters of a line of the verdict."""
