"""Read the tables of a finished run as rows of text, without interpreting their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from seggrid.base.csv_file import read_csv
from seggrid.base.files import RESULTS
from seggrid.data.result_tables import TABLES, ResultTable
from seggrid.errors import InputError
from seggrid.grid.axes import AXES

COUNTS = "counts.npz"
"""The file with the counts of links, in the folder of the tables."""

Row = Mapping[str, str]
Key = tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """A table of a finished run, with its entry in the registry."""

    entry: ResultTable
    columns: Sequence[str]
    rows: Sequence[Row]

    def only(self, columns: Sequence[str]) -> Table:
        """The table with only these columns."""
        rows = [{column: row[column] for column in columns} for row in self.rows]
        return Table(self.entry, columns, rows)

    def by_key(self) -> dict[Key, list[Row]]:
        """The rows by their keys; all points of a figure have the same key.

        A key consists of the values of the columns that the registry names, then `AXIS=VALUE` for each axis
        that the row has. Rows of cells omit the axes, since the name of a cell contains them.
        """
        key = self.entry.key
        axes = [] if "cell" in key else [a for a in self.columns if a in AXES and a not in key]
        found: dict[Key, list[Row]] = {}
        for row in self.rows:
            own = [f"{axis}={plain(row[axis])}" for axis in axes if row[axis]]
            found.setdefault((*(plain(row[name]) for name in key), *own), []).append(row)
        return found


def plain(text: str) -> str:
    """A field, with `50.0` written as `50`. Whole numbers are written as `50.0` if other rows of their column
    are empty."""
    return text[:-2] if text.endswith(".0") and text[:-2].isdigit() else text


def results_of(folder: str | Path) -> Path:
    """The folder of tables that a user means: the folder itself, or `results` in it."""
    for path in (Path(folder), Path(folder, RESULTS)):
        if any((path / table.file).is_file() for table in TABLES):
            return path
    raise InputError(
        "no tables of a finished run",
        file=folder,
        hint="name a folder results, or the folder in which the grid ran",
    )


def read_tables(folder: Path) -> dict[str, Table]:
    """The tables of a folder, by their names in the registry; an empty file is a table without rows."""
    found = {}
    for entry in TABLES:
        path = folder / entry.file
        if not path.is_file():
            continue
        if not path.stat().st_size:
            found[entry.name] = Table(entry, entry.key, ())
            continue
        columns, rows = read_csv(path)
        missing = [name for name in entry.key if name not in columns]
        if missing and rows:
            raise InputError(f"no column {missing[0]!r}", file=path, line=1, hint="run again")
        found[entry.name] = Table(entry, columns, [row for _, row in rows])
    return found


def read_table(file: Path) -> dict[str, Table]:
    """As `read_tables`, for a single table outside a folder of tables, such as one kept in a repository. Its
    entry is the one in the registry with its file name, or else one that has all its columns."""
    columns, rows = read_csv(file)
    for entry in sorted(TABLES, key=lambda entry: entry.file != file.name):
        known = {*entry.column_names(), "pair", *AXES}
        is_own = entry.file == file.name or {*columns} <= known
        if {*entry.key} <= {*columns} and is_own:
            return {entry.name: Table(entry, columns, [row for _, row in rows])}
    raise InputError(
        "not a table of a run",
        file=file,
        line=1,
        hint="all its columns have to be those of a table that a run writes, those of its key among them",
    )
