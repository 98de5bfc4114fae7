"""What differs between two finished runs: settings, inputs, versions, rows of tables, scores of cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from seggrid.base.resampling import bootstrap_weights
from seggrid.score.counts import PairCounts, read_counts
from seggrid.score.metrics import F1, METRICS
from seggrid.score.significance import compare_cells, default_test_rounds, holm, pairs_with_seeds
from seggrid.workflow.finished.record import changed_tables, flat, read_record
from seggrid.workflow.finished.tables import (
    COUNTS,
    Key,
    Row,
    Table,
    read_table,
    read_tables,
)

Two = tuple[Any, Any]
"""A value in the first run and in the second; None if a run does not have it."""

ROUNDS = 2000
"""Number of bootstrap resamples for an interval."""

_ABOUT = ("settings", "inputs", "versions", "machine")
NOT_COMPARED = frozenset({"cost"})
"""Tables of measured time, which always differ."""


@dataclass(frozen=True)
class RowsDiffer:
    """How a table differs.

    Attributes:
        table: name of the table.
        first, second: keys of the rows that only the first, or the second, run has.
        changed: for rows of both runs, by key, the columns whose values differ (among them columns that only
            one table has), with both values.
    """

    table: str
    first: Sequence[Key]
    second: Sequence[Key]
    changed: Mapping[Key, Mapping[str, Two]]


@dataclass(frozen=True)
class Moved:
    """A cell whose scores differ.

    Attributes:
        cell: its name.
        scores: each metric that differs, with the values of both runs.
        delta_f1: F1 of the second run minus that of the first; None if a run has none.
        low, high: the 95% interval of this difference; None if the runs cannot be tested.
        p, p_holm: p-value of the paired test that F1 is equal; the same with Holm's correction for all cells
            that moved.
    """

    cell: str
    scores: Mapping[str, Two]
    delta_f1: float | None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    p_holm: float | None = None


@dataclass(frozen=True)
class Difference:
    """What differs between two runs; all parts are empty if nothing does.

    Attributes:
        settings, inputs, versions, machine: what differs in the records of the runs, by key.
        tables: the tables that differ.
        moved: the cells whose scores differ, in the order of the first run's table.
        notes: what could not be compared, and why.
    """

    settings: Mapping[str, Two] = field(default_factory=dict)
    inputs: Mapping[str, Two] = field(default_factory=dict)
    versions: Mapping[str, Two] = field(default_factory=dict)
    machine: Mapping[str, Two] = field(default_factory=dict)
    tables: Sequence[RowsDiffer] = ()
    moved: Sequence[Moved] = ()
    notes: Sequence[str] = ()

    @property
    def in_results(self) -> bool:
        """Whether settings, inputs or tables differ, not only versions or machines."""
        return bool(self.settings or self.inputs or self.tables)


def compare_runs(first: Path, second: Path) -> Difference:
    """Compare two folders of tables. If either is a single table, only its rows and columns are compared."""
    records = [read_record(folder) for folder in (first, second)]
    tables = [read_table(run) if run.is_file() else read_tables(run) for run in (first, second)]
    if first.is_file() or second.is_file():
        tables = shared(*tables)
    notes = [
        f"{folder} has no run.json: its settings, inputs and versions are unknown"
        for folder, record in zip((first, second), records, strict=True)
        if not record
    ]
    notes += [
        f"{folder / name} is not the table that run.json names"
        for folder, record in zip((first, second), records, strict=True)
        for name in changed_tables(folder, record)
    ]
    about = {
        part: differing(*(flat(record.get(part, {})) for record in records))
        for part in _ABOUT
        if all(records)
    }
    differ = compare_tables(*tables)
    moved = moved_cells(differ)
    files = [folder / COUNTS for folder in (first, second)]
    if moved and all(file.is_file() for file in files):
        one, other = map(read_counts, files)
        moved, untested = with_tests(moved, one, other)
        notes += [f"no tests of {pair}: the runs have other gold sentences" for pair in untested]
    elif moved:
        notes.append(f"no tests: a run has no {COUNTS}")
    return Difference(**about, tables=differ, moved=moved, notes=notes)


def shared(first: Mapping[str, Table], second: Mapping[str, Table]) -> list[dict[str, Table]]:
    """Both runs' tables, without tables and columns that only one run has."""
    names = [name for name in first if name in second]
    columns = {n: [c for c in first[n].columns if c in second[n].columns] for n in names}
    return [
        {
            name: Table(
                run[name].entry,
                columns[name],
                [{column: row[column] for column in columns[name]} for row in run[name].rows],
            )
            for name in names
        }
        for run in (first, second)
    ]


def differing(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Two]:
    """The keys whose values differ, with both values.

    >>> differing({"seed": 1, "a": 2}, {"seed": 3, "a": 2, "b": 4})
    {'seed': (1, 3), 'b': (None, 4)}
    """
    names = dict.fromkeys([*first, *second])
    pairs = {name: (first.get(name), second.get(name)) for name in names}
    return {name: (one, other) for name, (one, other) in pairs.items() if one != other}


def compare_tables(first: Mapping[str, Table], second: Mapping[str, Table]) -> list[RowsDiffer]:
    """The tables that differ, in the order of the registry; a table that a run lacks counts as empty
    there."""
    found = []
    for name in dict.fromkeys([*first, *second]):
        if name in NOT_COMPARED:
            continue
        one, other = (run[name].by_key() if name in run else {} for run in (first, second))
        changed = {
            key: columns
            for key in one
            if key in other
            if (columns := _columns(one[key], other[key]))
        }
        only = [key for key in one if key not in other], [key for key in other if key not in one]
        if changed or any(only):
            found.append(RowsDiffer(name, *only, changed))
    return found


def _columns(first: Sequence[Row], second: Sequence[Row]) -> dict[str, Two]:
    """The columns in which the rows with one key differ. A figure has several rows (points) with one key;
    the values of a column are from the first two rows that differ in it."""
    found: dict[str, Two] = {}
    if len(first) != len(second):
        found["rows"] = (len(first), len(second))
    for one, other in zip(first, second, strict=False):
        for name in dict.fromkeys([*one, *other]):
            ours, theirs = one.get(name), other.get(name)
            if not same(ours, theirs):
                found.setdefault(name, (ours, theirs))
    return found


def same(first: str | None, second: str | None) -> bool:
    """Whether two fields are equal as numbers or text; a column that a table lacks counts as empty.

    >>> same("50", "50.0"), same("", None), same("0.1", "0.2")
    (True, True, False)
    """
    first, second = first or "", second or ""
    if first == second:
        return True
    try:
        return float(first) == float(second)
    except ValueError:
        return False


def moved_cells(differ: Iterable[RowsDiffer]) -> list[Moved]:
    """The cells of both runs whose scores differ, still without tests."""
    found = []
    rows = (row for table in differ if table.table == "scores" for row in table.changed.items())
    for key, changed in rows:
        values = {name: changed[name] for name in METRICS if name in changed}
        if values:
            one, other = values.get("f1", ("0", "0"))
            found.append(
                Moved(key[0], values, float(other) - float(one) if one and other else None)
            )
    return found


def with_tests(
    moved: Sequence[Moved],
    first: Mapping[str, PairCounts],
    second: Mapping[str, PairCounts],
    rounds: int = ROUNDS,
) -> tuple[list[Moved], list[str]]:
    """Test, for each cell that moved, whether F1 is equal in both runs, on the same gold sentences.

    Args:
        moved: the cells.
        first, second: the counts of both runs, by pair.
        rounds: number of bootstrap resamples.

    Returns:
        The cells with their intervals and p-values; the pairs that cannot be tested.
    """
    tested: dict[str, tuple[float, float, float]] = {}
    untested = []
    test_rounds = default_test_rounds(rounds, len(moved))
    names = [one.cell for one in moved]
    for pair, ours, seeds in pairs_with_seeds(first, 1):
        cells = [name for name in names if name in set(ours.cells.tolist())]
        if not cells:
            continue
        if pair not in second or not np.array_equal(ours.sure, second[pair].sure):
            untested.append(pair)
            continue
        places = [run.place for run in (ours, second[pair])]
        cells = [cell for cell in cells if cell in places[1]]
        one, other = (np.array([place[cell] for cell in cells], dtype=np.intp) for place in places)
        weights = bootstrap_weights(len(ours.sure), rounds, seeds[0])
        both = ours.followed_by(second[pair])
        other = other + len(ours.cells)
        ends, p = compare_cells(both, other, one, weights, (test_rounds, seeds[1]))
        tested |= {
            cell: (float(ends[row, F1, 0]), float(ends[row, F1, 1]), float(p[row]))
            for row, cell in enumerate(cells)
        }
    corrected = holm(np.array([tested[name][2] if name in tested else np.nan for name in names]))
    return [
        Moved(one.cell, one.scores, one.delta_f1, *tested[one.cell], float(corrected[row]))
        if one.cell in tested
        else one
        for row, one in enumerate(moved)
    ], untested
