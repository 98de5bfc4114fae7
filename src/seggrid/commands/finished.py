"""`seggrid diff`, `crate` and `reproduce`: what becomes of finished runs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from seggrid.base.extras import check_installed
from seggrid.base.folders import fresh_folder
from seggrid.base.parameters import output_folder
from seggrid.commands.options import add_input
from seggrid.grid.axes import tables_folder
from seggrid.grid.finished.crate import repeat, same_tables, unpack, write_crate
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


def add_diff(parser: argparse.ArgumentParser) -> None:
    """Add the options: both runs."""
    parser.epilog = (
        "Exit status: 0 if settings, inputs and all tables but cost.csv are the same, 1 if one of them "
        "differs, 2 after a mistake. Other versions or another machine are said, and are no difference."
    )
    for name, which in (("first", "one run"), ("second", "the other")):
        what = f"folder of {which}: its results, or the folder in which it ran"
        add_input(parser, name, help=what)


def run_diff(arguments: argparse.Namespace) -> None:
    """Compare and print; end with status 1 if the results differ."""
    found = compare_runs(*map(results_of, (arguments.first, arguments.second)))
    print(*(list(render(found)) or ["nothing differs"]), sep="\n")
    if found.in_results:
        sys.exit(1)


def sections(found: Difference) -> Iterator[Section]:
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
    for title, columns, rows in sections(found):
        yield title
        shown = [columns, *rows] if len(columns) > 1 else rows
        widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
        for row in shown:
            fields = (field.ljust(width) for field, width in zip(row, widths, strict=True))
            yield f"    {'  '.join(fields)}".rstrip()
        yield ""
    for note in found.notes:
        yield f"note: {note}"


def add_folder(parser: argparse.ArgumentParser, what: str, **more: Any) -> None:
    """Add the option `-o` of the new folder."""
    parser.add_argument("-o", "--output", type=output_folder, required=True, help=what, **more)


def add_crate(parser: argparse.ArgumentParser) -> None:
    """Add the options: where the grid ran, its study, the new folder, the licence."""
    add_input(parser, "folder", nargs="?", default=".", metavar="FOLDER", help="where the grid ran")
    parser.add_argument("--study", metavar="NAME", help="the config's study, if it has one")
    add_folder(parser, "a new folder, outside of the first", metavar="CRATE")
    parser.add_argument(
        "--license",
        default="Not stated: ask who gave you these files.",
        metavar="TEXT",
        help="licence of tables and inputs: a URL or a sentence",
    )


def run_crate(arguments: argparse.Namespace) -> None:
    """Pack."""
    folder = Path(arguments.folder)
    with fresh_folder(arguments.output) as crate:
        write_crate(folder / tables_folder(arguments.study), folder, crate, arguments.license)
    print(f"Packed: {arguments.output}", file=sys.stderr)


def add_reproduce(parser: argparse.ArgumentParser) -> None:
    """Add the options: the crate, the new folder, cores."""
    parser.epilog = (
        "Exit status: 0 if all tables but cost.csv have the same bytes, 1 if one differs or the run failed, "
        "2 after a mistake."
    )
    add_input(parser, "crate", metavar="CRATE", help="a folder that seggrid crate wrote")
    add_folder(parser, "a new folder, in which the grid runs", metavar="FOLDER")
    parser.add_argument(
        "--trust",
        action="store_true",
        help="run the code of the crate's plug-ins, which you have read",
    )
    parser.add_argument("--cores", "-c", default="all", metavar="N", help="number of cores")


def run_reproduce(arguments: argparse.Namespace) -> None:
    """Run again and compare."""
    check_installed("grid", user="seggrid reproduce")
    with fresh_folder(arguments.output) as folder:
        record, others = unpack(Path(arguments.crate), folder, trust=arguments.trust)
    for name, (before, now) in others.items():
        print(f"note: {name} was {before or 'absent'}, is {now or 'absent'}", file=sys.stderr)
    repeat(Path(arguments.output), arguments.cores)
    found = same_tables(Path(arguments.output), record)
    for name, same in found.items():
        print(f"{'same' if same else 'differs'}  {name}")
    if not all(found.values()):
        print(
            f"seggrid diff {arguments.crate} {arguments.output} says what differs", file=sys.stderr
        )
        sys.exit(1)
