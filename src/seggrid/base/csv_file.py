"""Tables as CSV, read line by line so that a mistake is reported with its line."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from seggrid.base.errors import InputError
from seggrid.base.lines import read_lines


def read_csv(path: str | Path) -> tuple[list[str], list[tuple[int, dict[str, str]]]]:
    """The names of the columns of a table, and its rows by column, each with its line from 1."""
    lines = read_lines(path)
    fields: list[tuple[int, list[str]]] = []
    for number, line in enumerate(lines, 1):
        try:
            # Each line is parsed by itself, so that a missing quote does not extend to other lines.
            (row,) = csv.reader([line], strict=True)
        except (csv.Error, ValueError) as error:
            raise InputError(
                "not a row of CSV" + (f": {error}" if isinstance(error, csv.Error) else ""),
                file=path,
                line=number,
                hint="separate fields by commas, and quote a field that has one",
            ) from None
        if number > 1 and len(row) != len(fields[0][1]):
            raise InputError(
                f"{len(row)} fields, where there are {len(fields[0][1])} columns",
                file=path,
                line=number,
                hint="give a field for each column, an empty one for an unknown value",
            )
        fields.append((number, row))
    columns = fields[0][1]
    return columns, [(line, dict(zip(columns, row, strict=True))) for line, row in fields[1:]]


def column_mistakes(
    path: str | Path, columns: Sequence[str], known: Collection[str], needed: Collection[str]
) -> Iterator[InputError]:
    """Mistakes in the names of a table's columns."""
    for name in dict.fromkeys(columns):
        if name not in known:
            yield InputError(
                f"unknown column {name!r}", file=path, line=1, hint=f"known: {', '.join(known)}"
            )
        if columns.count(name) > 1:
            yield InputError(f"two columns {name!r}", file=path, line=1, hint="take one out")
    for name in needed:
        if name not in columns:
            yield InputError(f"no column {name!r}", file=path, line=1, hint="add it")


def read_share(name: str, text: str) -> float:
    """Parse a share, from 0 to 1, in a column; the error does not say where in the table."""
    try:
        share = float(text)
    except ValueError:
        share = float("nan")
    if not 0 <= share <= 1:
        percent = 1 < share <= 100
        hint = f"percent? write {share / 100:.6g}" if percent else "write a share, as 0.604"
        raise InputError(f"{name} {text} is not between 0 and 1", hint=hint)
    return share
