"""What differs between two finished runs: settings, inputs, versions, rows of tables, scores of cells.

The tables are read as rows of text, without interpreting their values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from seggrid.base.csv_file import read_csv
from seggrid.base.errors import InputError
from seggrid.base.files import RESULTS
from seggrid.base.resampling import bootstrap_weights
from seggrid.base.result_tables import ResultTable
from seggrid.grid.axes import AXES
from seggrid.grid.finished.record import changed_tables, flat, read_record
from seggrid.grid.study import every_table
from seggrid.score.counts import PairCounts, read_counts
from seggrid.score.metrics import F1, METRICS
from seggrid.score.significance import compare_cells, default_test_rounds, holm, pairs_with_seeds

COUNTS = "counts.npz"
"""The file with the counts of links, in the folder of the tables."""

Row = Mapping[str, str]
Key = tuple[str, ...]
Table = dict[Key, list[Row]]
"""The rows of a table by their keys; all points of a figure have the same key."""

Two = tuple[Any, Any]
"""A value in the first run and in the second; None if a run does not have it."""

ROUNDS = 2000
"""Number of bootstrap resamples for an interval."""

NOT_COMPARED = frozenset({"cost"})
"""Tables of measured time, which always differ."""


@dataclass(frozen=True)
class RowsDiffer:
    """How a table differs.

    Attributes:
        table: name of the table.
        first: keys of rows that only the first run has.
        second: keys of rows that only the second run has.
        changed: for rows of both runs, the columns whose values differ, among them columns that only one
            table has.
    """

    table: str
    first: Sequence[Key]
    second: Sequence[Key]
    changed: Mapping[Key, Mapping[str, Two]]


@dataclass(frozen=True)
class Moved:
    """A cell whose scores differ.

    Attributes:
        scores: each metric that differs.
        delta_f1: F1 of the second run minus that of the first; None if a run has none.
        low, high: the 95% interval of this difference; None if the runs cannot be tested.
        p: p-value of the paired test that F1 is equal; None if the runs cannot be tested.
        p_holm: `p` with Holm's correction for all cells that moved.
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
    """What differs between two runs.

    Attributes:
        settings, inputs, versions, machine: what differs in that part of their records, by key.
        tables: tables whose rows differ.
        moved: cells whose scores differ, in the order of the first run.
        notes: what could not be compared.
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
    """Compare two folders of tables."""
    folders = first, second
    records = [read_record(folder) for folder in folders]
    notes = []
    for folder, record in zip(folders, records, strict=True):
        if not record:
            notes.append(f"{folder} has no run.json: its settings, inputs and versions are unknown")
        changed = changed_tables(folder, record)
        notes += [f"{folder / name} is not the table that run.json names" for name in changed]
    about = {
        part: differing(*(flat(record[part]) for record in records))
        for part in ("settings", "inputs", "versions", "machine")
        if all(records)
    }
    differ = compare_tables(*map(read_result_tables, folders))
    moved = moved_cells(differ)
    files = [folder / COUNTS for folder in folders]
    if moved and all(file.is_file() for file in files):
        counts, others = map(read_counts, files)
        moved, untested = with_tests(moved, counts, others)
        notes += [f"no tests of {pair}: the runs have other gold sentences" for pair in untested]
    elif moved:
        notes.append(f"no tests: a run has no {COUNTS}")
    return Difference(**about, tables=differ, moved=moved, notes=notes)


def differing(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Two]:
    """The keys whose values differ, with both values.

    >>> differing({"seed": 1, "a": 2}, {"seed": 3, "a": 2, "b": 4})
    {'seed': (1, 3), 'b': (None, 4)}
    """
    names = dict.fromkeys([*first, *second])
    pairs = {name: (first.get(name), second.get(name)) for name in names}
    return {name: (one, other) for name, (one, other) in pairs.items() if one != other}


def compare_tables(first: Mapping[str, Table], second: Mapping[str, Table]) -> list[RowsDiffer]:
    """The tables that differ, in the order of the registry; one that a run lacks counts as empty there."""
    found = []
    for name in dict.fromkeys([*first, *second]):
        if name in NOT_COMPARED:
            continue
        one, other = (run.get(name, {}) for run in (first, second))
        both = {key: _columns(one[key], other[key]) for key in one if key in other}
        changed = {key: columns for key, columns in both.items() if columns}
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
        for name, (ours, theirs) in differing(one, other).items():
            if not same(ours, theirs):
                found.setdefault(name, (ours, theirs))
    return found


def same(first: str | None, second: str | None) -> bool:
    """Whether two fields are equal as numbers or text; a column that a table lacks counts as empty.

    >>> same("50", "50.0"), same("", None), same("0.1", "0.2")
    (True, True, False)
    """
    first, second = first or "", second or ""
    try:
        return first == second or float(first) == float(second)
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
            delta = float(other) - float(one) if one and other else None
            found.append(Moved(key[0], values, delta))
    return found


def with_tests(
    moved: Sequence[Moved],
    first: Mapping[str, PairCounts],
    second: Mapping[str, PairCounts],
    rounds: int = ROUNDS,
) -> tuple[list[Moved], list[str]]:
    """Test, for each cell that moved, whether F1 is equal in both runs, on the same gold sentences, from the
    counts of both runs by pair. Also returns the pairs that cannot be tested."""
    tested: dict[str, Moved] = {}
    untested = []
    test_rounds = default_test_rounds(rounds, len(moved))
    for pair, ours, seeds in pairs_with_seeds(first, 1):
        place = {str(cell): at for at, cell in enumerate(ours.cells)}
        cells = [own for own in moved if own.cell in place]
        if not cells:
            continue
        theirs = second.get(pair)
        if theirs is None or not np.array_equal(ours.sure, theirs.sure):
            untested.append(pair)
            continue
        there = {str(cell): at + len(place) for at, cell in enumerate(theirs.cells)}
        cells = [own for own in cells if own.cell in there]
        one = np.array([place[own.cell] for own in cells], dtype=np.intp)
        other = np.array([there[own.cell] for own in cells], dtype=np.intp)
        weights = bootstrap_weights(len(ours.sure), rounds, seeds[0])
        both = ours.followed_by(theirs)
        ends, p = compare_cells(both, other, one, weights, (test_rounds, seeds[1]))
        for own, (low, high), value in zip(cells, ends[:, F1].tolist(), p.tolist(), strict=True):
            tested[own.cell] = replace(own, low=low, high=high, p=value)
    found = [tested.get(own.cell, own) for own in moved]
    corrected = holm(np.array([np.nan if own.p is None else own.p for own in found]))
    return [
        own if own.p is None else replace(own, p_holm=value)
        for own, value in zip(found, corrected.tolist(), strict=True)
    ], untested


def by_key(entry: ResultTable, rows: Iterable[Row]) -> Table:
    """The rows of a table by their keys: the columns that the registry names, then `AXIS=VALUE` for each axis
    that the row has, but for cells, whose name contains them."""
    found: Table = {}
    for row in rows:
        axes = [] if "cell" in entry.key else [a for a in row if a in AXES and a not in entry.key]
        own = [f"{axis}={plain(row[axis])}" for axis in axes if row[axis]]
        found.setdefault((*(plain(row[name]) for name in entry.key), *own), []).append(row)
    return found


def plain(text: str) -> str:
    """A field; `50.0`, as whole numbers are written beside empty rows of their column, as `50`."""
    return text[:-2] if text.endswith(".0") and text[:-2].isdigit() else text


def results_of(folder: str | Path) -> Path:
    """The folder of tables that a user means: the folder itself, or `results` in it."""
    for path in (Path(folder), Path(folder, RESULTS)):
        if any((path / table.file).is_file() for table in every_table()):
            return path
    raise InputError(
        "no tables of a finished run",
        file=folder,
        hint="name a folder results, or the folder in which the grid ran",
    )


def read_result_tables(folder: Path) -> dict[str, Table]:
    """The tables of a folder, by their names in the registry; an empty file is a table without rows."""
    found = {}
    for entry in every_table():
        path = folder / entry.file
        if not path.is_file():
            continue
        columns, rows = read_csv(path) if path.stat().st_size else ([], [])
        missing = [name for name in entry.key if name not in columns]
        if missing and rows:
            raise InputError(f"no column {missing[0]!r}", file=path, line=1, hint="run again")
        found[entry.name] = by_key(entry, (row for _, row in rows))
    return found
