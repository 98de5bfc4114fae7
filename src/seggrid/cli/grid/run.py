"""`seggrid run`: run the grid of a config in this folder."""

from __future__ import annotations

import argparse
import csv
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

from seggrid.base.extras import SNAKEFILE, check_installed
from seggrid.cli.grid.plan import add_configs
from seggrid.grid.config import read_config
from seggrid.workflow.run.planning import (
    configs_or_default,
    ensure_cache,
    overrides_of,
    refuse_configs,
    tables_of,
)
from seggrid.workflow.run.run_state import CLEANING

OWN_OPTIONS = ("--cores", "-c", "--help", "-h")

# Runs with one of these options do not end with a report, or choose cores and the place of jobs themselves.
_WITHOUT_REPORT = {"-n", "--dry-run", "--dryrun", "--", "--directory", "-d", *CLEANING}
_WITH_LOG = ("--quiet", "-q", "--verbose", "--printshellcmds", "-p", "--debug-dag", "-n", "--dry")
_WITHOUT_CORES = ("--workflow-profile", "--profile", "--executor", "-e", "--jobs", "-j")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: configs, cores."""
    parser.usage = "seggrid run [CONFIG ...] [--cores N] [OPTION of snakemake ...] [-- FILE ...]"
    parser.epilog = (
        "All further options are those of snakemake. Its exit status is that of the command."
    )
    add_configs(parser)
    parser.add_argument("--cores", "-c", metavar="N", help="number of cores, or `all`, the default")


def run(arguments: argparse.Namespace) -> None:
    """Run Snakemake in this process, and print the verdict on each pair and where the report is.

    Raises:
        InputError: Snakemake is not installed; or a config does not exist, has mistakes, or is given as an
            option.
        SystemExit: with the status of Snakemake, if it is not 0.
    """
    check_installed("grid", user="seggrid run")
    ensure_cache()
    from snakemake.cli import main as snakemake

    options: Sequence[str] = arguments.passed_on
    refuse_configs(options)
    configs = configs_or_default(arguments.configs)
    # Checked here, since Snakemake prints a traceback for a file that does not exist.
    read_config(configs, overrides_of(options))
    command = ["--snakefile", str(SNAKEFILE), "--configfile", *configs]
    if arguments.cores or not any(option.startswith(_WITHOUT_CORES) for option in options):
        command += ["--cores", arguments.cores or "all"]
    if not any(option.startswith(_WITH_LOG) for option in options):
        command += ["--quiet", "rules"]
    try:
        snakemake([*command, *options])
    except SystemExit as end:
        if end.code:
            raise
    if not _WITHOUT_REPORT.intersection(options):
        tables = tables_of(configs, overrides_of(options))
        scores, report = tables / "scores.csv", tables / "report.html"
        # A study of only morphology or language models has no verdicts.
        made = f"Scores: {scores}   Report: {report}" if report.exists() else f"Tables: {tables}"
        verdict = tables / "verdict.csv"
        for line in read_verdicts(verdict) if verdict.exists() else ():
            print(textwrap.fill(line, _WIDTH, break_on_hyphens=False), file=sys.stderr)
        if scores.exists() and lacks_gold(scores):
            print(_NO_GOLD, file=sys.stderr)
        print(made, file=sys.stderr)


_NO_GOLD = (
    "note: no pair has gold, so cells have links and measures but no scores; seggrid recommend compares "
    "settings without gold"
)
_WIDTH = 100
"""Number of characters of a line of the verdict."""


def lacks_gold(file: Path) -> bool:
    """Whether `results/scores.csv` has cells, all of pairs without gold."""
    with file.open(encoding="utf-8", newline="") as rows:
        return {row["status"] for row in csv.DictReader(rows)} == {"no gold"}


def read_verdicts(file: Path) -> list[str]:
    """The verdict on each pair, from `results/verdict.csv`."""
    with file.open(encoding="utf-8", newline="") as rows:
        return [row["verdict"] for row in csv.DictReader(rows)]
