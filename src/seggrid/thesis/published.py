"""Read and check tables of published figures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from seggrid.base.axis import ALL, Axis
from seggrid.base.csv_file import column_mistakes, read_csv, read_share
from seggrid.errors import InputError, refuse
from seggrid.grid.axes import AXES
from seggrid.score.metrics import METRICS


def cell_columns() -> tuple[str, ...]:
    """Columns by which a published row is matched with a cell."""
    return ("pair", *AXES)


OTHER_COLUMNS = ("table", "num_symbols")
"""Columns that are not compared: the place of publication, and the thesis's name for a setting."""

# Values that `sides` of a cell may have besides those of the axis.
_SIDES = ("none", "mixed")


def read_published(path: str | Path) -> list[dict[str, str]]:
    """Read a table of published figures, as CSV.

    The columns `pair`, `table` and at least one metric are required; any axis may be a further column. All
    fields except the first two may be empty. A metric is a number from 0 to 1.

    Returns:
        Rows by column, with values of axes in their canonical spelling.

    Raises:
        InputError: the table is malformed, or has a row twice; all its mistakes are reported together.
    """
    columns, rows = read_csv(path)
    refuse(_check_columns(path, columns))
    refuse(_check_rows(path, rows))
    return [{name: _spell(name, value) for name, value in row.items()} for _, row in rows]


def check_published(
    path: str | Path, pairs: Collection[str], defined: Collection[str]
) -> list[str]:
    """Refuse a table of published figures that cannot be compared with a grid.

    Args:
        path: see `read_published`.
        pairs: the pairs of the grid's cells.
        defined: the pairs that the config defines, which the table's must be among.

    Returns:
        One line with the file, if there are rows of pairs that are defined but have no cells; otherwise none.
    """
    read_published(path)
    _, rows = read_csv(path)
    refuse(
        InputError(
            f"the config has no pair {row['pair']!r}",
            file=path,
            line=line,
            hint=f"it has {', '.join(defined)}: give the pair the same name here and in the config",
        )
        for line, row in rows
        if row["pair"] not in defined
    )
    skipped = [(line, row["pair"]) for line, row in rows if row["pair"] not in pairs]
    if not skipped:
        return []
    named = ", ".join(dict.fromkeys(pair for _, pair in skipped))
    what = "this row has" if len(skipped) == 1 else f"{len(skipped)} rows from here on have"
    return [f"{path}:{skipped[0][0]}: {what} no figure of ours: no experiment uses {named}"]


def _check_columns(path: str | Path, columns: list[str]) -> Iterator[InputError]:
    columns_read = (*cell_columns(), *OTHER_COLUMNS, *METRICS)
    yield from column_mistakes(path, columns, columns_read, needed=("pair", "table"))
    if not set(METRICS) & set(columns):
        yield InputError(
            "no column of a metric", file=path, line=1, hint=f"add one of {', '.join(METRICS)}"
        )


def _check_rows(
    path: str | Path, rows: Iterable[tuple[int, dict[str, str]]]
) -> Iterator[InputError]:
    first: dict[tuple[str, ...], int] = {}
    for line, row in rows:
        wrong = []
        for name, value in row.items():
            try:
                _check_field(name, value)
            except InputError as error:
                wrong.append(error.at(path, line))
        yield from wrong
        if wrong:
            continue
        own = tuple(_spell(name, value) for name, value in row.items() if name not in METRICS)
        if own in first:
            yield InputError(
                f"the same cell of the same table as on line {first[own]}",
                file=path,
                line=line,
                hint="keep one of the two, or distinguish them by an axis",
            )
        first.setdefault(own, line)


def _check_field(name: str, value: str) -> None:
    """Refuse a value that its column cannot have."""
    if value == "":
        if name in ("pair", "table"):
            hint = "every row names its pair and its published table"
            raise InputError(f"no {name}", hint=hint)
    elif name in METRICS:
        read_share(name, value)
    elif name in AXES and not _is_of(AXES[name], value):
        axis = AXES[name]
        values = (*axis.choices, *(_SIDES if name == "sides" else ()))
        hints = {
            "flag": " or ".join(("yes", "no", *axis.choices)),
            "choice": f"one of {', '.join(values)}",
        }
        hint = hints.get(axis.kind, "leave it empty where it does not matter")
        raise InputError(f"{name} {value!r} is not a value of that axis", hint=hint)


def _is_of(axis: Axis[Any], value: str) -> bool:
    """Whether a text is a value of an axis in a cell."""
    if axis.kind == "choice":
        return value in axis.choices or (axis.name == "sides" and value in _SIDES)
    if axis.kind == "flag":
        return value in ("yes", "no", *axis.choices)
    if axis.kind == "integer" or (axis.kind == "count" and value != ALL):
        return value.isascii() and value.isdigit() and len(value) < 20
    try:
        _spell(axis.name, value)
    except InputError:
        return False
    return True


def _spell(name: str, value: str) -> str:
    """The canonical spelling of a value."""
    if value == "" or name not in AXES or (name, value) == ("aggregate", "none"):
        return value
    axis = AXES[name]
    if axis.kind == "choice":
        return value
    return axis.canonical(value) if axis.kind == "text" else axis.spell(axis.read(value))
