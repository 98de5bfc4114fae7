"""Choose the cells that tell most about the axes of a grid, within a budget of CPU time.

An integer program, solved by CBC through pulp. A job that several cells need is paid for once. The
gain of a choice is, in this order of importance: the number of values of axes that some chosen cell has; the
number of pairs of values of two axes that some chosen cell has, from which main effects are estimated; the
number of cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import combinations
from typing import Any, NamedTuple

from seggrid.data.sides import SIDES
from seggrid.grid.axes import AXES, SIDE_AXES, path
from seggrid.grid.cell import Cell
from seggrid.grid.grid import Grid
from seggrid.grid.recipes import recipe_of
from seggrid.workflow.run.dry_run import PlannedJob

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


def values_of(cells: Sequence[Mapping[str, Any]], axes: Sequence[str]) -> list[frozenset[Value]]:
    """The values of each cell on the axes in which the cells differ."""
    varying = [axis for axis in axes if len({str(cell[axis]) for cell in cells}) > 1]
    return [
        frozenset((axis, str(cell[axis])) for axis in varying if cell[axis] != "") for cell in cells
    ]


class Gain(NamedTuple):
    """What a choice of cells has: see the module."""

    values: int
    pairs: int
    cells: int


def gain(chosen: Iterable[int], values: Sequence[Set[Value]]) -> Gain:
    """The gain of a choice of cells, given by their indices; `values` are those of each cell."""
    chosen = list(chosen)
    covered = {value for cell in chosen for value in values[cell]}
    pairs = {pair for cell in chosen for pair in combinations(sorted(values[cell]), 2)}
    return Gain(len(covered), len(pairs), len(chosen))


def choose(
    values: Sequence[Set[Value]],
    needs: Sequence[Set[int]],
    costs: Sequence[float],
    budget: float,
) -> list[int]:
    """The indices of the cells with the largest `gain` whose jobs together cost no more than the budget, from
    the values of each cell, the indices of its jobs, and the cost of each job."""
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


class Choice(NamedTuple):
    """The cells that were chosen, with the CPU seconds of their jobs and of those that belong to no cell,
    their gain and that of all cells; and the values of each axis that no chosen cell has."""

    cells: Sequence[Cell]
    left_out: Sequence[Cell]
    seconds: float
    gained: Gain
    possible: Gain
    missing: Mapping[str, Sequence[str]]


def choose_cells(
    grid: Grid, jobs: Sequence[PlannedJob], seconds: Sequence[float], budget: float
) -> Choice:
    """Choose cells of a grid within a budget of CPU seconds, from the jobs that a run of all cells would have
    and their CPU seconds. A cell needs the jobs of the cells that it is compared with, too."""
    cells = [cell for cell, names in grid.experiments.items() if names]
    needs = [
        upstream(jobs, (file for own in (c, c.baseline(), c.plain()) for file in _files(own)))
        for c in cells
    ]
    values = values_of([{"pair": c.pair, **c.columns()} for c in cells], ("pair", *AXES))
    shared = sum(seconds) - sum(seconds[job] for job in set().union(*needs))
    chosen = choose(values, needs, seconds, budget - shared) if cells else []
    used = set().union(*(needs[place] for place in chosen))
    covered = {value for place in chosen for value in values[place]}
    missing: dict[str, list[str]] = {}
    for axis, value in dict.fromkeys(value for own in values for value in sorted(own)):
        if (axis, value) not in covered:
            missing.setdefault(axis, []).append(value)
    return Choice(
        [cells[place] for place in chosen],
        [cell for place, cell in enumerate(cells) if place not in chosen],
        shared + sum(seconds[job] for job in used),
        gain(chosen, values),
        gain(range(len(cells)), values),
        missing,
    )


def _files(cell: Cell) -> list[str]:
    """The files of a cell from which the tables are made."""
    return [
        cell.path("score"),
        *(path("measure", pair=cell.pair, side=name, spec=cell.side(name)) for name in SIDES),
    ]


def experiments_of(cells: Iterable[Cell]) -> dict[str, dict[str, Any]]:
    """For each cell, an experiment of a config with that cell and the cells that it is compared with."""
    return {f"cell-{number}": _experiment(cell) for number, cell in enumerate(cells, 1)}


def _experiment(cell: Cell) -> dict[str, Any]:
    values = dict(recipe_of(cell, "", {}).values)
    shared = {name: getattr(cell.source, name) for name, axis in SIDE_AXES.items() if axis.shared}
    values |= {name: SIDE_AXES[name].plain(v) for name, v in shared.items() if v is not None}
    return {"pairs": cell.pair, **values, "replicates": cell.replicates}
