"""`seggrid new`, `plan`, `run` and `check-plugin`: a folder for a study, what a run of its grid would do,
and the run; whether a segmenter or aligner of the user does what it must."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import signal
import sys
import textwrap
from importlib.resources import files
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

from seggrid.base.csv_file import read_csv
from seggrid.base.errors import InputError, Refusal
from seggrid.base.extras import PROJECT, SNAKEFILE, check_installed
from seggrid.base.folders import fresh_folder
from seggrid.base.rational import read_time
from seggrid.commands.options import add_written
from seggrid.grid.config import read_config
from seggrid.grid.config.schema import schema_text
from seggrid.grid.plugins import load
from seggrid.grid.plugins.contract import check_again, check_aligner, check_segmenter
from seggrid.grid.run import this_run
from seggrid.grid.run.call import call, ensure_cache
from seggrid.grid.run.planning import report_plan
from seggrid.segment import SEGMENTERS

DATA = ("eng.txt", "deu.txt", "gold.txt", "eng.morphemes.tsv", "deu.morphemes.tsv")
"""The files of the built-in pair."""


def add_new(parser: argparse.ArgumentParser) -> None:
    """Add the only argument."""
    parser.add_argument("folder", metavar="FOLDER", help="the new folder")


def run_new(arguments: argparse.Namespace) -> None:
    """Make the folder."""
    folder = Path(arguments.folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError("exists and is not empty", file=folder, hint="name a new folder")
    with fresh_folder(folder) as made:
        for name in ("config.yaml", "README.md"):
            made.joinpath(name).write_bytes(files(__package__).joinpath("new", name).read_bytes())
        made.joinpath("config.schema.json").write_text(schema_text(), "utf-8")
        made.joinpath("data").mkdir()
        for name in DATA:
            shutil.copyfile(PROJECT / "resources/builtin" / name, made / "data" / name)
    print(f"made {folder}: now   cd {shlex.quote(str(folder))} && seggrid run")


def add_plan(parser: argparse.ArgumentParser) -> None:
    """Add the options: configs, overriding values."""
    parser.usage = (
        "seggrid plan [CONFIG ...] [--builtin] [--config KEY=VALUE ...] [--cells] "
        "[--budget TIME [--write FILE]] [OPTION of snakemake ...]"
    )
    add_configs(parser)
    parser.add_argument(
        "--config",
        "-C",
        nargs="+",
        default=[],
        metavar="KEY=VALUE",
        help="as for snakemake; overrides all config files",
    )
    parser.add_argument("--cells", action="store_true", help="name every cell")
    parser.add_argument(
        "--budget",
        metavar="TIME",
        help="choose cells within this CPU time (90s, 30m or 2h) that have as many values of axes, and "
        "pairs of values, as possible",
    )
    add_written(parser, "--write", help="with --budget: write a config of these cells")


def add_configs(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that choose the config, for `plan` and `run`."""
    parser.add_argument(
        "configs",
        nargs="*",
        metavar="CONFIG",
        help="config files; later ones override earlier ones "
        "(default: config.yaml or config/config.yaml of this folder)",
    )
    parser.add_argument(
        "--builtin", action="store_true", help="the grid of the built-in pair, in place of a config"
    )


def run_plan(arguments: argparse.Namespace) -> None:
    """Plan and print."""
    check_installed("grid", user="seggrid plan")
    for option in arguments.passed_on:
        if (name := option.partition("=")[0]) in ("--cells", "--budget", "--write"):
            # Snakemake would print all its options.
            message = f"{name} comes after {arguments.passed_on[0]}, an option of snakemake"
            raise InputError(message, hint=f"give {name} first")
    if arguments.write and not arguments.budget:
        raise InputError("--write needs --budget", hint="say how much CPU time the cells may take")
    given = ["--config", *arguments.config] if arguments.config else []
    options = [*given, *arguments.passed_on]
    report_plan(
        call(arguments.configs, options, builtin=arguments.builtin),
        names=arguments.cells,
        budget=None if arguments.budget is None else read_time(arguments.budget),
        write=arguments.write,
    )


# With one of these options, Snakemake's log is shown, or cores and the place of jobs are chosen by them.
_WITH_LOG = ("--quiet", "-q", "--verbose", "--printshellcmds", "-p", "--debug-dag", "-n", "--dry")
_WITHOUT_CORES = ("--workflow-profile", "--profile", "--executor", "-e", "--jobs", "-j")


def add_run(parser: argparse.ArgumentParser) -> None:
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


def run_run(arguments: argparse.Namespace) -> None:
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
    interrupted = False

    def see(number: int, frame: FrameType | None) -> None:
        """Notice Ctrl-C, after which Snakemake ends its jobs and then with status 1."""
        nonlocal interrupted
        interrupted = True
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, see)
    this_run.last = None
    try:
        snakemake(command)
    except Refusal as refusal:
        # A mistake in the config, a text or its gold, found while the workflow is read.
        raise refusal.error from None
    except SystemExit as end:
        if interrupted:
            print("interrupted: the same command continues this run", file=sys.stderr)
            sys.exit(130)
        if end.code:
            raise
    if asked.runs and this_run.last is not None:
        this_run.last.settle()
        _tell(this_run.last)


def _tell(ended: this_run.Run) -> None:
    """Print the verdicts and where the tables are, as far as a run made them or found them up to date."""
    current, tables = ended.current(), ended.tables
    reused, every = ended.reused()
    if reused:
        only = "nothing to do: " if reused == every else ""
        print(f"{only}{reused:,} of {every:,} jobs were up to date", file=sys.stderr)

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
    return [row[name] for _, row in read_csv(table)[1]]


_NO_GOLD = (
    "note: no pair has gold, so cells have links and measures but no scores; seggrid recommend compares "
    "settings without gold"
)
_WIDTH = 100
"""Number of characters of a line of the verdict."""


def add_check_plugin(parser: argparse.ArgumentParser) -> None:
    """Add the option: the plug-in."""
    parser.epilog = "Exit status: 0 if all checks hold, 1 if one does not."
    parser.add_argument("plugin", metavar="PLUGIN", help="a Python file, or the name of a module")


def run_check_plugin(arguments: argparse.Namespace) -> None:
    """Print one line for each check."""
    failed = False
    for name in load(arguments.plugin):
        with TemporaryDirectory() as folder:
            own = name in SEGMENTERS
            checks = check_segmenter(name, Path(folder)) if own else check_aligner(name)
            for what, wrong in chain(checks, check_again(name, arguments.plugin)):
                print(f"FAILED  {name}: {what}: {wrong}" if wrong else f"ok      {name}: {what}")
                failed |= wrong is not None
    if failed:
        sys.exit(1)
