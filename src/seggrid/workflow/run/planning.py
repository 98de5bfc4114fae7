"""Print what a run would do to the cells, and why, without running anything."""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from seggrid.errors import InputError, InputErrors
from seggrid.grid.axes import CELL_AXES, SIDE_AXES, tables_folder
from seggrid.grid.config import read_config
from seggrid.grid.grid import Grid
from seggrid.workflow.run.dry_run import Plan, plan, read_dry_run, summarize

CHECKOUT = Path(__file__).resolve().parents[4]
"""The workflow's Snakefile, if the package is in a checkout."""

NOTE = "note: "
"""The beginning of a line that remarks on the config or on a file that it names."""

AXES = ("pair", *SIDE_AXES, *CELL_AXES)


def dry_run(snakefile: Path, options: Sequence[str]) -> str:
    """The output of a dry run of Snakemake; another run may be active at the same time.

    Raises:
        InputError: Snakemake fails.
    """
    command = [sys.executable, "-m", "snakemake", "--dry-run", "--nolock", "--cores", "1"]
    named = ["--nocolor", "--snakefile", str(snakefile)]
    done = subprocess.run([*command, *named, *options], capture_output=True, text=True)
    if done.returncode:
        raise InputErrors([InputError(line) for line in reasons(done.stderr + done.stdout)])
    return done.stdout + done.stderr


def reasons(text: str) -> list[str]:
    """The reasons why Snakemake failed: our own error lines if there are any, else its last message."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    own = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")]
    _, _, said = text.rpartition("Building DAG of jobs...")
    return own or [" ".join(said.split())[-300:] or "Snakemake failed without a message"]


def scored_cells(scores: Path) -> list[str]:
    """The names of the cells in a table of scores."""
    if not scores.exists():
        return []
    with scores.open(encoding="utf-8", errors="replace", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row.get("status") != "missing"]
    return [row["cell"] for row in rows if "cell" in row]


def print_plan(made: Plan, cells: Sequence[Mapping[str, Any]], names: bool) -> None:
    """Print a plan."""
    again = [cell for group in made.again.values() for cell in group]
    print(
        f"{len(cells)} cells: {len(made.new)} new, {len(again)} again, {made.kept} as they are"
        + (f"; {len(made.dropped)} no longer asked for" if made.dropped else "")
    )
    if not made.jobs:
        print("nothing to do")
        return
    print("jobs: " + ", ".join(f"{count} {rule}" for rule, count in made.jobs.items()))
    varying = [axis for axis in AXES if len({str(cell[axis]) for cell in cells}) > 1]

    def print_group(title: str, group: Sequence[Mapping[str, Any]]) -> None:
        print(f"\n{title}: {len(group)} cells")
        for axis, values in summarize(group, varying).items():
            print(f"    {axis:16}{values}")
        if names:
            for cell in group:
                print(f"    {cell['cell']}")

    if made.new:
        print_group("new", made.new)
    for causes, group in made.again.items():
        because = "; ".join(f"{rule}: {cause}" for rule, cause in sorted(causes))
        print_group(f"again, since {because}", group)


def find_snakefile(given: Path | None = None) -> Path:
    """The workflow's Snakefile: the given one, or that of this folder, or of the checkout of this package.

    Raises:
        InputError: there is none.
    """
    places = [given] if given else [Path("workflow/Snakefile"), CHECKOUT / "workflow/Snakefile"]
    for place in places:
        if place.is_file():
            return place
    raise InputError(
        "no such file", file=places[0], hint="run it in a checkout, or name it by --snakefile"
    )


def add_plan_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of a plan, without its config files."""
    parser.add_argument(
        "--config",
        "-C",
        nargs="+",
        default=[],
        metavar="KEY=VALUE",
        help="as for snakemake; overrides all config files",
    )
    parser.add_argument("--cells", action="store_true", help="name every cell")


def report_plan(
    snakefile: Path,
    configs: Sequence[Path],
    overrides: Sequence[str] = (),
    options: Sequence[str] = (),
    *,
    names: bool = False,
) -> None:
    """Print what a run would do.

    Args:
        snakefile: the workflow's Snakefile.
        configs: the config files; later ones override earlier ones.
        overrides: `key=value`, which override all config files.
        options: other options of Snakemake.
        names: whether to print the name of every cell.

    Raises:
        InputError: the config has mistakes, or Snakemake fails.
    """
    grid = Grid(read_config(configs, overrides))
    cells = grid.table()
    given = ["--configfile", *map(str, configs)]
    given += ["--config", *overrides] if overrides else []
    text = dry_run(snakefile, [*options, *given])
    jobs = [job for job in read_dry_run(text) if job.rule != "all"]
    scored = scored_cells(tables_folder(grid.config.study) / "scores.csv")
    print_plan(plan(jobs, cells, scored), cells, names)
    said = (line for line in text.splitlines() if line.startswith(NOTE))
    for remark in dict.fromkeys([*(NOTE + remark for remark in grid.remarks), *said]):
        print(remark)
