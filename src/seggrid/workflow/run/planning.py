"""Print what a run would do to the cells, and why, without running anything."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from seggrid.base.csv_file import read_csv
from seggrid.base.extras import SNAKEFILE
from seggrid.base.files import atomic_write
from seggrid.errors import InputError, InputErrors
from seggrid.grid.axes import AXES, tables_folder
from seggrid.grid.cell import Cell
from seggrid.grid.config import Node, read_config
from seggrid.grid.grid import Grid
from seggrid.workflow.rules.costs import Training, fine_tuning, training
from seggrid.workflow.rules.files import Files
from seggrid.workflow.run import this_run
from seggrid.workflow.run.budget import Choice, choose_cells, experiments_of
from seggrid.workflow.run.call import Call, ensure_cache
from seggrid.workflow.run.dry_run import Plan, PlannedJob, plan, read_jobs, summarize
from seggrid.workflow.run.forecast import (
    START,
    UNFORESEEN,
    Costs,
    describe,
    extent,
    planned,
)

NOTE = "note: "
"""The beginning of lines with remarks on the config or on files that it names."""


def dry_run(options: Sequence[str]) -> tuple[list[PlannedJob], str]:
    """The planned jobs, and the output, of a dry run of Snakemake; another run may be active meanwhile."""
    # With -P, since modules of the folder, such as a json.py, would be imported in place of Python's.
    command = [sys.executable, "-P", "-m", "snakemake", "--dry-run", "--nolock", "--cores", "1"]
    # Quiet about both, Snakemake ends when it has planned, and does not list the jobs.
    named = ["--nocolor", "--quiet", "rules", "progress", "--snakefile", str(SNAKEFILE)]
    ensure_cache()
    with tempfile.TemporaryDirectory() as folder:
        plan_file = Path(folder, "plan.json")
        environment = os.environ | {this_run.PLAN: str(plan_file)}
        done = subprocess.run(
            [*command, *named, *options], capture_output=True, text=True, env=environment
        )
        jobs = read_jobs(plan_file) if plan_file.exists() else []
    if done.returncode:
        raise InputErrors([InputError(line) for line in reasons(done.stderr + done.stdout)])
    printed = done.stdout + done.stderr
    if not jobs and "Nothing to be done" not in printed:
        raise InputError("Snakemake's dry run does not say which jobs there are")
    return jobs, printed


def reasons(text: str) -> list[str]:
    """Why Snakemake failed: the error lines of this package if there are any, else its last message."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    own = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")]
    _, _, message = text.rpartition("Building DAG of jobs...")
    return own or [" ".join(message.split())[-300:] or "Snakemake failed without a message"]


def scored_cells(scores: Path) -> list[str]:
    """The names of the cells in a table of scores."""
    if not scores.exists():
        return []
    columns, rows = read_csv(scores)
    if not {"cell", "status"} <= {*columns}:
        hint = "delete it: a run makes it again"
        raise InputError("not a table of scores", file=scores, line=1, hint=hint)
    return [row["cell"] for _, row in rows if row["status"] != "missing"]


def print_plan(made: Plan, cells: Sequence[Mapping[str, Any]], names: bool) -> None:
    """Print a plan."""
    again = [cell for group in made.again.values() for cell in group]
    print(
        f"{len(cells)} cells: {len(made.new)} new, {len(again)} again, {made.kept} as they are"
        + (f"; {len(made.dropped)} no longer asked for" if made.dropped else "")
    )
    aligners = Counter(str(cell["aligner"]) for cell in cells)
    if aligners:
        print("aligners: " + ", ".join(f"{name} ({count})" for name, count in aligners.items()))
    if not made.jobs:
        print("nothing to do")
        return
    print("jobs: " + ", ".join(f"{count} {rule}" for rule, count in made.jobs.items()))
    groups = [("new", made.new)] if made.new else []
    for causes, group in made.again.items():
        because = "; ".join(f"{rule}: {cause}" for rule, cause in sorted(causes))
        groups.append((f"again, since {because}", group))
    columns = ("pair", *AXES)
    varying = [axis for axis in columns if len({str(cell[axis]) for cell in cells}) > 1]
    for title, group in groups:
        print(f"\n{title}: {len(group)} cells")
        for axis, values in summarize(group, varying).items():
            print(f"    {axis:16}{values}")
        if names:
            print(*(f"    {cell['cell']}" for cell in group), sep="\n")


def print_choice(chosen: Choice, start: float, budget: float, names: bool) -> None:
    """Print which cells fit into a budget, and what is left out."""
    gained, possible = chosen.gained, chosen.possible
    print(
        f"budget of {budget:,.0f} s of CPU: {gained.cells} of {possible.cells} cells, and those that they "
        f"are compared with, about {chosen.seconds + start:,.0f} s; {gained.values} of {possible.values} "
        f"values of axes, {gained.pairs} of {possible.pairs} pairs of them"
    )
    for axis, missing in chosen.missing.items():
        print(f"    {axis:16}without {', '.join(missing)}")
    if names:
        for title, group in (("chosen", chosen.cells), ("left out", chosen.left_out)):
            print(f"{title}:", *map(str, group), sep="\n    ")


def _write_config(path: str, source: Node, cells: Sequence[Cell]) -> None:
    """Write a config with some cells, without the parts that refer to experiments of the original config."""
    if not cells:
        raise InputError("no cell fits into the budget", file=path, hint="give more time")
    settings = source.plain()
    kept = {name: value for name, value in settings.items() if name not in ("ensemble", "export")}
    with atomic_write(path) as file:
        content = kept | {"experiments": experiments_of(cells)}
        yaml.safe_dump(content, file, sort_keys=False, allow_unicode=True)
    print(f"written: seggrid run {path}")


def _costs(grid: Grid) -> Costs:
    """What jobs of a grid cost."""
    files = Files(grid.config)
    models = grid.language_models.items()
    trainings: dict[tuple[str, ...], Training] = {(name,): training(own) for name, own in models}
    trainings |= {
        (name, task): fine_tuning(own, task) for name, own in models for task in own.tasks
    }
    texts = {pair: extent(files, pair) for pair in grid.pairs}
    return Costs(texts, trainings)


def report_plan(
    asked: Call,
    *,
    names: bool = False,
    budget: float | None = None,
    write: str | None = None,
) -> None:
    """Print what a run would do; with a budget of CPU seconds, choose cells, and write a config of them."""
    source = read_config(asked.configs, asked.overrides)
    grid = Grid(source)
    cells = grid.table()
    found, text = dry_run(["--configfile", *asked.configs, *asked.options])
    jobs = [job for job in found if job.rule != "all"]
    scored = scored_cells(tables_folder(grid.config.study) / "scores.csv")
    print_plan(plan(jobs, cells, scored), cells, names)
    chosen = [cell for cell, named in grid.experiments.items() if named]
    if jobs:
        costs, work = _costs(grid), [planned(job.rule, job.wildcards) for job in jobs]
        print(f"\n{describe(costs.of(work), asked.cores)}")
        if unforeseen := sum(job.stage in UNFORESEEN for job in work):
            print(f"{NOTE}jobs of encoders are not in this cost: {unforeseen:,}")
        if budget is not None:
            seconds = [costs.cpu_seconds(job) for job in work]
            choice = choose_cells(grid, jobs, seconds, budget - START)
            print_choice(choice, START, budget, names)
            chosen = list(choice.cells)
    if write is not None:
        _write_config(write, source, chosen)
    notes = (line for line in text.splitlines() if line.startswith(NOTE))
    for remark in dict.fromkeys([*(NOTE + remark for remark in grid.remarks), *notes]):
        print(remark)
