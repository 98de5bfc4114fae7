"""The registry of the tables of results: their files, columns, and where else they are shown.

tables.toml here lists those of the grid, a tables.toml beside each study those of the study. From them follow
which tables a config makes, which columns readers take as text, which tables the page, the figures and the
tables for papers get and how they are shown there, and the reference of columns in docs/results.md, which
`python tools/reference.py` writes.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

GRID = "`experiments`"
"""The part of a config that makes the tables of the grid."""

NAME, TEXT = "name", "text"
"""Units of columns of text: names that users give (`2024` and `NA` are names), and other text."""


@dataclass(frozen=True)
class Column:
    """A column, or several columns with the same meaning.

    Attributes:
        names: the columns' names. A column may be followed by `NAME_low` and `NAME_high`, its interval.
        unit: `NAME`, `TEXT`, or the kind of its numbers: `count`, `share` (from 0 to 1), `difference` (of
            shares), `p`, `s`, `MB`, `bits`, `nats`, `ratio`, `number`.
        meaning: its description for users, in Markdown.
    """

    names: tuple[str, ...]
    unit: str
    meaning: str


@dataclass(frozen=True)
class Shown:
    """A table for readers, made from a table of results.

    Attributes:
        of: the table of results.
        columns: the columns that it has and their headings, empty for the usual ones; all if there are none.
        cell: the column of the table of results that names the cell of a row, whose signature the row gets.
        title: its title on the page; without one, only papers have it.
        section: the section of the page that has it.
        paper: whether papers have it.
        notes: sentences that are added to its caption if it has a column with that heading.
    """

    name: str
    of: str
    caption: str
    paper: bool
    columns: tuple[tuple[str, str], ...] = ()
    cell: str = ""
    title: str = ""
    section: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ResultTable:
    """A table of results.

    Attributes:
        title: its title in Snakemake's report.
        columns: its columns besides those of the axes.
        key: the columns that, together with those of the axes, identify a row; for points of a figure, those
            that identify the figure.
        part: the part of a config that makes it, as documentation names it.
        section: the section of the page that shows it; empty if none does.
        drawn: whether static figures are drawn from it.
        latex: whether tables for papers are made from it.
        selected: whether selection.csv has its rows, too (`Study.selections`).
        shown: the tables for readers, in the order of their sections.
    """

    name: str
    title: str
    rows: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    part: str = GRID
    section: str = ""
    drawn: bool = False
    latex: bool = False
    selected: bool = False
    shown: tuple[Shown, ...] = ()

    @property
    def file(self) -> str:
        """Its file, in the folder of results or of the study."""
        return f"{self.name}.csv"

    def column_names(self, units: Collection[str] | None = None) -> list[str]:
        """The names of its columns, or of those with some units."""
        return [
            name
            for column in self.columns
            if units is None or column.unit in units
            for name in column.names
        ]


def read_tables(file: Path, part: str) -> tuple[ResultTable, ...]:
    """The tables of a tables.toml; a table that names no part of a config is made by this one."""
    tables = []
    for name, table in tomllib.loads(file.read_text("utf-8")).items():
        columns = tuple(Column(tuple(n.split()), *rest) for n, *rest in table.pop("columns"))
        usual = {"name": name, "of": name, "paper": table.get("latex", False)}
        usual |= {"section": table.get("section", "")}
        shown = tuple(_shown(usual | one) for one in table.pop("shown", ()))
        own = {"columns": columns, "key": tuple(table.pop("key")), "shown": shown}
        tables.append(ResultTable(name, **{"part": part} | own | table))
    return tuple(tables)


def _shown(row: dict[str, Any]) -> Shown:
    """A table for readers from its row: a column is written `NAME`, or `NAME: HEADING`."""
    columns = (text.partition(": ") for text in row.pop("columns", ()))
    return Shown(columns=tuple((name, heading) for name, _, heading in columns), **row)


TABLES = read_tables(Path(__file__).with_name("tables.toml"), GRID)
"""The tables of the grid, in the order of the documents."""

BY_NAME = {table.name: table for table in TABLES}
