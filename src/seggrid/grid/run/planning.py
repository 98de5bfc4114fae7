"""What a run would do to the cells, and why, without running anything; choose the cells that tell most
about the axes of a grid, within a budget of CPU time.

The choice is an integer program, solved by CBC through pulp. A job that several cells need is paid for once.
The gain is, in this order of importance: the number of values of axes that some chosen cell has; the number
of pairs of values of two axes that some chosen cell has, from which main effects are estimated; the number of
cells.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from seggrid.base.csv_file import read_csv
from seggrid.base.errors import InputError, InputErrors
from seggrid.base.extras import SNAKEFILE
from seggrid.base.files import atomic_write
from seggrid.grid.axes import AXES, SIDE_AXES, tables_folder
from seggrid.grid.cell import Cell
from seggrid.grid.config import ConfigNode, read_config
from seggrid.grid.grid import Grid
from seggrid.grid.recipes import recipe_of
from seggrid.grid.rules.files import Files
from seggrid.grid.run import this_run
from seggrid.grid.run.call import Call, ensure_cache
from seggrid.grid.run.dry_run import (
    Effects,
    PlannedJob,
    effects_on,
    read_jobs,
    summarize_cells,
)
from seggrid.grid.run.forecast import (
    START,
    UNFORESEEN,
    Costs,
    Forecast,
    describe_forecast,
    extent,
    planned,
)
from seggrid.grid.study import STUDIES

Value = tuple[str, str]
"""An axis, and the spelling of one of its values."""

SECONDS = 60
"""Time limit of the solver in seconds; then the best choice so far is taken."""


def upstream(jobs: Sequence[PlannedJob], files: Iterable[str]) -> set[int]:
    """The indices of the jobs that have to run for some files."""
    maker = {file: place for place, job in enumerate(jobs) for file in job.outputs}
    found: set[int] = set()
    wanted = [maker[file] for file in files if file in maker]
    while wanted:
        place = wanted.pop()
        if place not in found:
            found.add(place)
            wanted += [maker[file] for file in jobs[place].inputs if file in maker]
    return found


def axis_values_of_cells(
    cells: Sequence[Mapping[str, Any]], axes: Sequence[str]
) -> list[frozenset[Value]]:
    """The values of each cell on the axes in which the cells differ."""
    varying = [axis for axis in axes if len({str(cell[axis]) for cell in cells}) > 1]
    return [
        frozenset((axis, str(cell[axis])) for axis in varying if cell[axis] != "") for cell in cells
    ]


def choose_most_gain(
    values: Sequence[Set[Value]],
    needs: Sequence[Set[int]],
    costs: Sequence[float],
    budget: float,
) -> list[int]:
    """The indices of the cells with the largest gain whose jobs together cost no more than the budget, from
    the values of each cell, the indices of its jobs, and the cost of each job."""
    if budget < 0:  # for which the solver would return any choice
        return []
    # Imported here, since the command imports this module even without the extra `grid`.
    import pulp

    problem = pulp.LpProblem("cells", pulp.LpMaximize)
    cells = [pulp.LpVariable(f"c{i}", cat="Binary") for i in range(len(values))]
    jobs = {job: pulp.LpVariable(f"j{job}", 0, 1) for job in sorted(set().union(*needs))}
    holders: dict[Any, list[int]] = {}
    for place, own in enumerate(values):
        for one in (*sorted(own), *combinations(sorted(own), 2)):
            holders.setdefault(one, []).append(place)
    covered = {one: pulp.LpVariable(f"v{i}", 0, 1) for i, one in enumerate(holders)}
    pair_weight = len(cells) + 1
    value_weight = pair_weight * (len(holders) + 1)
    weights = {one: value_weight if isinstance(one[0], str) else pair_weight for one in holders}
    problem += pulp.lpSum([*(weights[one] * variable for one, variable in covered.items()), *cells])
    problem += pulp.lpSum(costs[job] * variable for job, variable in jobs.items()) <= budget
    for place, needed in enumerate(needs):
        for job in sorted(needed):
            problem += cells[place] <= jobs[job]
    for one, places in holders.items():
        problem += covered[one] <= pulp.lpSum(cells[place] for place in places)
    problem.solve(pulp.PULP_CBC_CMD(msg=False, threads=1, gapRel=0, timeLimit=SECONDS))
    return [place for place, variable in enumerate(cells) if (variable.value() or 0) > 0.5]


class ChosenCells(NamedTuple):
    """The cells that were chosen within a budget.

    Attributes:
        budget: CPU seconds that the run may take.
        cells: the cells that were chosen.
        left_out: the other cells.
        seconds: CPU seconds of the jobs of the chosen cells, and of those that belong to no cell.
        missing: the values of each axis that no chosen cell has.
    """

    budget: float
    cells: Sequence[Cell]
    left_out: Sequence[Cell]
    seconds: float
    missing: Mapping[str, Sequence[str]]


def choose_cells(
    grid: Grid, jobs: Sequence[PlannedJob], seconds: Sequence[float], budget: float
) -> ChosenCells:
    """Choose cells of a grid within a budget of CPU seconds for the whole run, from the jobs that a run of
    all cells would have and their CPU seconds. A cell needs the jobs of the cells that it is compared with,
    too."""
    cells = [cell for cell, names in grid.experiments.items() if names]
    needs = [
        upstream(jobs, (file for own in (c, c.baseline(), c.plain()) for file in _files(grid, own)))
        for c in cells
    ]
    values = axis_values_of_cells([{"pair": c.pair, **c.columns()} for c in cells], ("pair", *AXES))
    shared = sum(seconds) - sum(seconds[job] for job in set().union(*needs))
    chosen = choose_most_gain(values, needs, seconds, budget - START - shared) if cells else []
    used = set().union(*(needs[place] for place in chosen))
    covered = {value for place in chosen for value in values[place]}
    missing: dict[str, list[str]] = {}
    for axis, value in dict.fromkeys(value for own in values for value in sorted(own)):
        if (axis, value) not in covered:
            missing.setdefault(axis, []).append(value)
    return ChosenCells(
        budget,
        [cells[place] for place in chosen],
        [cell for place, cell in enumerate(cells) if place not in chosen],
        shared + sum(seconds[job] for job in used),
        missing,
    )


def _files(grid: Grid, cell: Cell) -> list[str]:
    """The files of a cell from which the tables are made."""
    return [cell.path("score"), *(own.path("measure") for own in grid.both(cell))]


def experiments_of(cells: Iterable[Cell]) -> dict[str, dict[str, Any]]:
    """For each cell, an experiment of a config with that cell and the cells that it is compared with."""
    found = {}
    for number, cell in enumerate(cells, 1):
        values = {"pairs": cell.pair, **recipe_of(cell, "", {}).values}
        for name, axis in SIDE_AXES.items():
            if axis.shared and (value := getattr(cell.source, name)) is not None:
                values[name] = axis.plain(value)
        found[f"cell-{number}"] = {**values, "replicates": cell.replicates}
    return found


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


@dataclass(frozen=True)
class RunPlan:
    """What a run would do.

    Attributes:
        cells: a row for each cell of the config: its name (`cell`), its axes as in scores.csv, what becomes
            of it (`state`: `new`, `again` or `kept`), and the rules and changes that are the cause (`why`).
        jobs: the number of jobs of each rule.
        dropped: the cells of the last table of scores that the config no longer asks for.
        forecast: what the jobs would cost; None without jobs.
        cores: the number of cores that the forecast of time is for.
        choice: the cells that were chosen for the budget; None without one.
        notes: remarks on the config or on files that it names.
    """

    cells: Sequence[Mapping[str, Any]]
    jobs: Mapping[str, int]
    dropped: Sequence[str]
    forecast: Forecast | None
    cores: int
    choice: ChosenCells | None
    notes: Sequence[str]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<{self._counts()}; {sum(self.jobs.values())} jobs>"

    def in_state(self, state: str) -> list[Mapping[str, Any]]:
        """The rows of the cells of a state."""
        return [cell for cell in self.cells if cell["state"] == state]

    def as_dict(self) -> dict[str, Any]:
        """The same in the types of JSON."""
        forecast, choice = self.forecast, self.choice
        return {
            "cells": [{name: _plain(value) for name, value in row.items()} for row in self.cells],
            "jobs": dict(self.jobs),
            "dropped": list(self.dropped),
            "cost": forecast._asdict() if forecast else None,
            "cores": self.cores,
            "chosen": [str(cell) for cell in choice.cells] if choice else None,
            "notes": list(self.notes),
        }

    def lines(self, *, names: bool = False) -> Iterator[str]:
        """The lines that `seggrid plan` prints; with `names`, every cell is named."""
        yield self._counts()
        if self.jobs:
            yield "jobs: " + ", ".join(f"{count} {rule}" for rule, count in self.jobs.items())
            yield from self._groups(names)
        else:
            yield "nothing to do"
        if self.forecast:
            yield f"\n{describe_forecast(self.forecast, self.cores)}"
        if self.choice:
            yield from _chosen_lines(self.choice, names)
        yield from (NOTE + remark for remark in self.notes)

    def _counts(self) -> str:
        new, again, kept = (len(self.in_state(state)) for state in (NEW_CELL, AGAIN, KEPT))
        dropped = f"; {len(self.dropped)} no longer asked for" if self.dropped else ""
        return f"{_cells(len(self.cells))}: {new} new, {again} again, {kept} as they are{dropped}"

    def _groups(self, names: bool) -> Iterator[str]:
        """The cells that would be made, those of the same state and cause together."""
        varying = [
            axis for axis in ("pair", *AXES) if len({str(cell[axis]) for cell in self.cells}) > 1
        ]
        groups: dict[str, list[Mapping[str, Any]]] = {}
        for state in (NEW_CELL, AGAIN):
            for cell in self.in_state(state):
                title = state if state == NEW_CELL else f"{state}, since {cell['why']}"
                groups.setdefault(title, []).append(cell)
        for title, group in groups.items():
            yield f"\n{title}: {_cells(len(group))}"
            for axis, values in summarize_cells(group, varying).items():
                yield f"    {axis:16}{values}"
            if names:
                yield from (f"    {cell['cell']}" for cell in group)


NEW_CELL, AGAIN, KEPT = "new", "again", "kept"


def _plain(value: Any) -> Any:
    return value if isinstance(value, int | float | str) or value is None else str(value)


def _rows(effects: Effects, cells: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows of all cells, with their state and the cause."""
    states = {cell["cell"]: (NEW_CELL, "") for cell in effects.new}
    for causes, group in effects.again.items():
        why = "; ".join(f"{rule}: {cause}" for rule, cause in sorted(causes))
        states |= {cell["cell"]: (AGAIN, why) for cell in group}
    rows = []
    for cell in cells:
        state, why = states.get(cell["cell"], (KEPT, ""))
        named = {name: cell[name] for name in ("cell", "pair", *AXES)}
        rows.append({**named, "state": state, "why": why})
    return rows


def _cells(number: int) -> str:
    return "1 cell" if number == 1 else f"{number} cells"


def _chosen_lines(chosen: ChosenCells, names: bool) -> Iterator[str]:
    """Which cells fit into a budget, and what is left out."""
    found, every = len(chosen.cells), len(chosen.cells) + len(chosen.left_out)
    yield (
        f"budget of {chosen.budget:,.0f} s of CPU: {found} of {every} cells, and those that they are "
        f"compared with, about {chosen.seconds + START:,.0f} s"
    )
    for axis, missing in chosen.missing.items():
        yield f"    {axis:16}without {', '.join(missing)}"
    if names:
        for title, group in (("chosen", chosen.cells), ("left out", chosen.left_out)):
            yield "\n    ".join([f"{title}:", *map(str, group)])


def _write_config(path: str, source: ConfigNode, cells: Sequence[Cell]) -> None:
    """Write a config with some cells, without the parts that refer to experiments of the original config."""
    if not cells:
        raise InputError("no cell fits into the budget", file=path, hint="give more time")
    settings = source.plain()
    dropped = {study.key for study in STUDIES.values() if study.of_experiments}
    kept = {name: value for name, value in settings.items() if name not in dropped}
    with atomic_write(path) as file:
        content = kept | {"experiments": experiments_of(cells)}
        yaml.safe_dump(content, file, sort_keys=False, allow_unicode=True)


def _costs(grid: Grid) -> Costs:
    """What jobs of a grid cost."""
    files = Files(grid.config)
    texts = {pair: extent(files, pair) for pair in grid.pairs}
    return Costs(texts)


def plan_run(asked: Call, *, budget: float | None = None, write: str | None = None) -> RunPlan:
    """Say what a run would do; with a budget of CPU seconds, choose cells, and write a config of them."""
    source = read_config(asked.configs, asked.overrides)
    grid = Grid(source)
    cells = grid.table()
    found, text = dry_run(["--configfile", *asked.configs, *asked.options])
    jobs = [job for job in found if job.rule != "all"]
    scored = scored_cells(tables_folder(grid.config.study) / "scores.csv")
    effects = effects_on(jobs, cells, scored)
    notes = [*grid.remarks]
    forecast = choice = None
    chosen = [cell for cell, named in grid.experiments.items() if named]
    if jobs:
        costs, work = _costs(grid), [planned(job.rule, job.wildcards, grid) for job in jobs]
        forecast = costs.of(work)
        if unforeseen := sum(job.stage in UNFORESEEN for job in work):
            notes.insert(0, f"jobs of encoders are not in this cost: {unforeseen:,}")
        if budget is not None:
            seconds = [costs.cpu_seconds(job) for job in work]
            choice = choose_cells(grid, jobs, seconds, budget)
            chosen = list(choice.cells)
    if write is not None:
        _write_config(write, source, chosen)
    told = (line.removeprefix(NOTE) for line in text.splitlines() if line.startswith(NOTE))
    notes = list(dict.fromkeys([*notes, *told]))
    rows = _rows(effects, cells)
    return RunPlan(rows, effects.jobs, effects.dropped, forecast, asked.cores, choice, notes)
