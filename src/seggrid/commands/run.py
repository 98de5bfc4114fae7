"""`seggrid run`: run the grid of a config."""

from __future__ import annotations

import os
import signal
import sys
import textwrap
from collections.abc import Mapping
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

from annotated_types import Interval

from seggrid.base.csv_file import read_csv
from seggrid.base.errors import InputError, Refusal
from seggrid.base.extras import SNAKEFILE, check_installed
from seggrid.base.parameters import AnyPath, Files, Help, checked, paths_of
from seggrid.commands.plan import Builtin, Configs, ForSnakemake
from seggrid.grid.axes import tables_folder
from seggrid.grid.config import read_config
from seggrid.grid.finished.record import read_record
from seggrid.grid.run import this_run
from seggrid.grid.run.call import as_overrides, configs_of, ensure_cache, read_call, run_command


@dataclass(frozen=True)
class Results:
    """The tables of a run.

    Attributes:
        folder: the folder that has them.
        tables: the path of each table by the name of its file, such as `scores.csv`.
        report: the page; None if the config makes none.
    """

    folder: Path
    tables: Mapping[str, Path]
    report: Path | None

    @property
    def verdicts(self) -> list[str]:
        """What to use for each pair, in words; empty without scores."""
        verdict = self.tables.get("verdict.csv")
        return _column(verdict, "verdict") if verdict else []

    def __repr__(self) -> str:
        report = f"; {self.report}" if self.report else ""
        return f"<{len(self.tables)} tables in {self.folder}{report}>"


@checked
def run(
    configs: Files = (),
    *,
    config: Mapping[str, Any] | None = None,
    builtin: Builtin = False,
    cores: Annotated[int, Interval(ge=1)] | None = None,
    folder: AnyPath = ".",
    options: tuple[str, ...] = (),
) -> Results:
    """Run the grid of a config in a process of its own, as `seggrid run` does; the same call continues a run
    that was interrupted and, after a change, reruns only what depends on it. What the command prints is
    printed on standard error.

    Args:
        configs, config, builtin: as for `seggrid.plan`; paths are relative to `folder`.
        cores: number of cores; by default, all.
        folder: the folder in which the grid runs.
        options: options of snakemake, such as `("--keep-going",)`.

    Raises:
        InputError: a mistake in an option, the config, or a file that it names.
        RunError: a job failed.
    """
    check_installed("grid", user="seggrid run")
    if any(option.startswith(("-d", "--directory")) for option in options):
        raise InputError("--directory", hint="name the folder by folder=")
    words = [*paths_of(configs), *["--builtin"] * builtin]
    words += [] if cores is None else ["--cores", str(cores)]
    run_command([*words, *(values := as_overrides(config or {})), *options], folder)
    with chdir(folder):
        read = read_config(configs_of(paths_of(configs), builtin=builtin), values[1:])
    return _results(Path(folder), read.plain().get("study"))


def _results(folder: Path, study: str | None) -> Results:
    """The tables that the last run in a folder has recorded."""
    own = folder / tables_folder(study)
    tables = {name: own / name for name in read_record(own).get("tables", {})}
    report = own / "report.html"
    return Results(own, tables, report if report.is_file() else None)


# With one of these options, Snakemake's log is shown, or cores and the place of jobs are chosen by them;
# `-c` is here for `-c1`, which is Snakemake's way to write it.
_WITH_LOG = ("--quiet", "-q", "--verbose", "--printshellcmds", "-p", "--debug-dag", "-n", "--dry")
_WITHOUT_CORES = ("--workflow-profile", "--profile", "--executor", "-e", "--jobs", "-j", "-c")


def epilog() -> str:
    """What else the help says."""
    return (
        "All further options are those of snakemake. Exit status: 0; 1 if a job failed, 2 after a mistake, "
        "130 after Ctrl-C."
    )


def command(
    configs: Configs = (),
    /,
    *,
    builtin: Builtin = False,
    cores: Annotated[
        str | None, Help("number of cores, or `all`, the default", ("-c", "--cores"), "N")
    ] = None,
    options: ForSnakemake = (),
) -> None:
    """Run Snakemake in this process, and print the verdict on each pair and where the report is."""
    check_installed("grid", user="seggrid run")
    # Set here, since Snakemake starts itself again on a cluster: modules of this folder are not imported.
    os.environ["PYTHONSAFEPATH"] = "1"
    if cores or not any(option.startswith(_WITHOUT_CORES) for option in options):
        options = ("--cores", cores or "all", *options)
    asked = read_call(configs, options, builtin=builtin)
    ensure_cache()
    from snakemake.cli import main as snakemake

    # Of what is no YAML, Snakemake would say less, before it reads the workflow.
    read_config(asked.configs, asked.overrides)
    words = ["--snakefile", str(SNAKEFILE), "--configfile", *asked.configs, *asked.options]
    if not any(option.startswith(_WITH_LOG) for option in options):
        words[2:2] = ["--quiet", "rules"]
    interrupted = False

    def see(number: int, frame: FrameType | None) -> None:
        """Notice Ctrl-C, after which Snakemake ends its jobs and then with status 1."""
        nonlocal interrupted
        interrupted = True
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, see)
    this_run.last = None
    try:
        snakemake(words)
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
