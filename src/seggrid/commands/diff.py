"""`seggrid diff`: what differs between two finished runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from os import fspath
from typing import Annotated, Any

from seggrid.base.parameters import AnyPath, Help, checked, input_file
from seggrid.grid.finished.difference import (
    Difference,
    Key,
    Moved,
    RowsDiffer,
    Two,
    compare_runs,
    results_of,
)

Section = tuple[str, Sequence[str], Sequence[Sequence[str]]]
"""A part of the answer: a title, names of columns, rows of fields."""


_RUN = "folder of {}: its results, or the folder in which it ran"
First = Annotated[AnyPath, input_file, Help(_RUN.format("one run"))]
Second = Annotated[AnyPath, input_file, Help(_RUN.format("the other"))]


@checked
def diff(first: First, second: Second, /) -> Difference:
    """What differs between two finished runs, as `seggrid diff` says: settings, inputs, cells, and scores
    with tests. Its arguments are the folders of both.

    Returns:
        The difference; `in_results` says whether settings, inputs or tables differ, not only versions or
        machines.
    """
    return compare_runs(results_of(fspath(first)), results_of(fspath(second)))


def epilog() -> str:
    """What else the help says."""
    return (
        "Exit status: 0 if settings, inputs and all tables but cost.csv are the same, 1 if one of them "
        "differs, 2 after a mistake. Other versions or another machine are said, and are no difference."
    )


def command(first: First, second: Second, /) -> None:
    """Compare and print; end with status 1 if the results differ."""
    found = diff(first, second)
    print(*(list(render(found)) or ["nothing differs"]), sep="\n")
    if found.in_results:
        sys.exit(1)


def parts_of_answer(found: Difference) -> Iterator[Section]:
    """The parts of the answer that are not empty."""
    for part in ("settings", "inputs", "versions", "machine"):
        values: Mapping[str, Two] = getattr(found, part)
        if values:
            shown = [(name, _short(one), _short(other)) for name, (one, other) in values.items()]
            yield part, (part, "first", "second"), shown
    for table in found.tables:
        if table.table == "significance":
            # It has the cells of the table of scores.
            continue
        noun = "cells" if table.table == "scores" else f"rows of {table.table}.csv"
        for which, keys in (("first", table.first), ("second", table.second)):
            if keys:
                title = f"{noun} of the {which} run only: {len(keys):,}"
                yield title, (noun,), [(" ".join(filter(None, key)),) for key in keys]
    if found.moved:
        yield _moved(found.moved)
    for table in found.tables:
        if rows := _changed(table):
            title = f"{table.table}.csv: {len(table.changed):,} rows with other values"
            yield title, ("column", "rows", "first", "second", "for example in"), rows


def _moved(moved: Sequence[Moved]) -> Section:
    """The cells whose scores moved, the largest change in F1 first."""
    order = sorted(moved, key=lambda one: -abs(one.delta_f1 or 0))
    rows = []
    for one in order:
        f1, aer = (_both(one.scores.get(name)) for name in ("f1", "aer"))
        interval = "" if one.low is None else f"{one.low:+.4f} to {one.high:+.4f}"
        delta = "" if one.delta_f1 is None else f"{one.delta_f1:+.4f}"
        tested = [f"{p:.3g}" if p is not None else "" for p in (one.p, one.p_holm)]
        rows.append((one.cell, f1, delta, interval, *tested, aer))
    columns = ("cell", "F1", "second − first", "95% interval", "p", "p (Holm)", "AER")
    return f"cells whose scores moved: {len(moved):,}", columns, rows


def _changed(table: RowsDiffer) -> list[tuple[str, ...]]:
    """For each column, the number of rows that differ in it, and the first such row."""
    found: dict[str, list[tuple[Key, Two]]] = {}
    for key, columns in table.changed.items():
        for name, values in columns.items():
            found.setdefault(name, []).append((key, values))
    return [
        (name, f"{len(rows):,}", *map(_short, rows[0][1]), " ".join(filter(None, rows[0][0])))
        for name, rows in found.items()
    ]


def _both(values: Two | None) -> str:
    if values is None:
        return "the same"
    return " → ".join(f"{float(value):.4f}" if value else "none" for value in values)


def _short(value: Any) -> str:
    text = "none" if value in (None, "") else str(value)
    return text if len(text) <= 60 else f"{text[:40]}…{text[-19:]}"


def render(found: Difference) -> Iterator[str]:
    """The lines of the answer; none if nothing differs."""
    for title, columns, rows in parts_of_answer(found):
        yield title
        shown = [columns, *rows] if len(columns) > 1 else rows
        widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
        for row in shown:
            fields = (field.ljust(width) for field, width in zip(row, widths, strict=True))
            yield f"    {'  '.join(fields)}".rstrip()
        yield ""
    for note in found.notes:
        yield f"note: {note}"
