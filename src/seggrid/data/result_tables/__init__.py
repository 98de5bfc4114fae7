"""The registry of the tables of results: their files, columns, and where else they are shown.

tables.toml is the only list of them. From it follow which tables a config makes, which columns readers take
as text, which tables the page, the figures and the tables for papers get and how they are shown there, and
the reference of columns in docs/results.md, which `python tools/reference.py` writes.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

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
    """

    name: str
    of: str
    caption: str
    paper: bool
    columns: tuple[tuple[str, str], ...] = ()
    cell: str = ""
    title: str = ""
    section: str = ""


@dataclass(frozen=True)
class ResultTable:
    """A table of results.

    Attributes:
        title: its title in Snakemake's report.
        columns: its columns besides those of the axes.
        key: the columns that, together with those of the axes, identify a row; for points of a figure, those
            that identify the figure.
        part: the part of a config that makes it, one of `PARTS`.
        section: the section of the page that shows it; empty if none does.
        drawn: whether static figures are drawn from it.
        latex: whether tables for papers are made from it.
        shown: the tables for readers, in the order of their sections.
    """

    name: str
    title: str
    rows: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    part: str = "experiments"
    section: str = ""
    drawn: bool = False
    latex: bool = False
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


PARTS = {
    "experiments": "`experiments`",
    "ensemble": "`ensemble`",
    "morphology": "`morphology`",
    "language_models": "`language_models`",
    "probes": "`language_models.NAME.probes`",
    "tasks": "`language_models.NAME.tasks`",
    "lexical": "an experiment with the segmenter `lexical`",
}
"""The parts of a config from which tables are made, as documentation names them."""


def _tables() -> Iterator[ResultTable]:
    """The tables of tables.toml."""
    read = tomllib.loads((files(__package__) / "tables.toml").read_text("utf-8"))
    for name, table in read.items():
        columns = tuple(Column(tuple(n.split()), *rest) for n, *rest in table.pop("columns"))
        usual = {"name": name, "of": name, "paper": table.get("latex", False)}
        usual |= {"section": table.get("section", "")}
        shown = tuple(_shown(usual | one) for one in table.pop("shown", ()))
        yield ResultTable(name, columns=columns, key=tuple(table.pop("key")), shown=shown, **table)


def _shown(row: dict[str, Any]) -> Shown:
    """A table for readers from its row: a column is written `NAME`, or `NAME: HEADING`."""
    columns = (text.partition(": ") for text in row.pop("columns", ()))
    return Shown(columns=tuple((name, heading) for name, _, heading in columns), **row)


TABLES = tuple(_tables())
"""All tables of results, in the order of the documents."""

BY_NAME = {table.name: table for table in TABLES}


def made_by(parts: Collection[str]) -> list[ResultTable]:
    """The tables that a config with some of `PARTS` makes."""
    return [table for table in TABLES if table.part in parts]
