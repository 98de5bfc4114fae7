"""The references on pages: options of commands, from their parsers, keys of the config, columns
of tables, measures.

`python -m seggrid.cli.documentation` rewrites the parts of the pages between markers.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from pathlib import Path

from seggrid.base.extras import PROJECT
from seggrid.base.files import atomic_write
from seggrid.cli import VERBS, parser_of
from seggrid.data.result_tables import PARTS, TABLES, ResultTable
from seggrid.grid.config.documentation import json_schema, keys_tables
from seggrid.segment.measures import measures_table

PAGE = PROJECT / "docs/commands.md"
_HEAD = ["| option | value | default | meaning |", "| --- | --- | --- | --- |"]


def options_table(verb: str) -> str:
    """The arguments and options of a verb, in one table for each group of its help."""
    parser = parser_of(verb)
    groups = [
        (group, [_row(action) for action in group._group_actions if action.dest != "help"])
        for group in parser._action_groups
        if group.title != "messages"  # which all commands have
    ]
    # The two groups of argparse itself, arguments and options, make one table without a title.
    parts = [*_HEAD, *(row for _, rows in groups[:2] for row in rows)]
    for group, rows in groups[2:]:
        about = [_escape(group.description), ""] if group.description else []
        parts += ["", f"*{group.title}*", "", *about, *_HEAD, *rows]
    epilog = (parser.epilog or "").partition("examples:")[0]  # which the page itself has
    if epilog.startswith("recipes:"):
        title, *lines = epilog.splitlines()
        parts += ["", title.capitalize(), "", *(f"- {_escape(line)}" for line in lines)]
    return "\n".join(parts)


def columns_table(table: ResultTable) -> str:
    """What a table of results has a row for, when it is made, where it is shown, and its columns."""
    shown = [f"the page's section `{table.section}`"] if table.section else []
    shown += ["figures"] if table.drawn else []
    shown += ["tables for papers"] if table.latex else []
    made = f" Made if the config has {PARTS[table.part]}." if table.part != "experiments" else ""
    also = " and ".join(filter(None, [", ".join(shown[:-1]), *shown[-1:]]))
    parts = [f"### {table.file}\n", f"One row per {table.rows}.{made}"]
    parts[-1] += f" Also in {also}.\n" if also else "\n"
    parts.append("| column | unit | meaning |\n| --- | --- | --- |")
    for column in table.columns:
        names = ", ".join(f"`{name}`" for name in column.names)
        parts.append(f"| {names} | {column.unit} | {column.meaning} |")
    return "\n".join([*parts, ""])


def tables() -> dict[Path, dict[str, str]]:
    """The tables of each page by their markers, `<!-- NAME -->` and `<!-- /NAME -->`."""
    return {
        PAGE: {verb: options_table(verb) for verb in VERBS},
        PROJECT / "docs/methods.md": {"measures": measures_table()},
        PROJECT / "config/README.md": {"keys": keys_tables(json_schema())},
        PROJECT / "docs/results.md": {"tables": "\n".join(map(columns_table, TABLES))},
    }


def with_tables(page: str, tables: Mapping[str, str]) -> str:
    """The page with updated tables between their markers."""
    for name, table in tables.items():
        marked = rf"<!-- {name} -->.*<!-- /{name} -->"
        written = f"<!-- {name} -->\n\n{table.strip()}\n\n<!-- /{name} -->"
        page, found = re.subn(marked, written.replace("\\", r"\\"), page, flags=re.DOTALL)
        if found != 1:
            raise ValueError(f"a page has {marked} {found} times")
    return page


def _row(action: argparse.Action) -> str:
    names = ", ".join(f"`{name}`" for name in action.option_strings)
    if names:
        value = _value(action)
    else:
        names = f"`{action.metavar or action.dest}`"
        many = {"+": "one or more", "*": "any number", "?": "may be left out"}
        value = many.get(str(action.nargs), "")
    is_told = action.default not in (None, False, [], argparse.SUPPRESS)
    default = f"`{action.default}`" if is_told else ""
    required = " (required)" if action.required and action.option_strings else ""
    text = _escape((action.help or "").replace("%%", "%"))
    return f"| {names} | {value} | {default} | {text}{required} |"


def _value(action: argparse.Action) -> str:
    """How the value of an option is written: its choices, or its placeholder, repeated if it takes
    several."""
    if action.nargs == 0:
        return ""
    if action.choices is not None:
        return ", ".join(f"`{choice}`" for choice in action.choices)
    times = action.nargs if isinstance(action.nargs, int) else 1
    name = action.metavar or action.dest.upper()
    values = " ".join(f"`{one}`" for one in (name if isinstance(name, tuple) else [name] * times))
    return f"{values} …" if action.nargs in ("+", "*") else values


def _escape(text: str) -> str:
    """Help text as Markdown in a table cell; code between backticks is not changed."""
    pieces = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(
        piece if piece.startswith("`") else piece.replace("<", "&lt;").replace("|", "\\|")
        for piece in pieces
    )


if __name__ == "__main__":
    for path, own in tables().items():
        page = with_tables(path.read_text(encoding="utf-8"), own)
        with atomic_write(path) as file:
            file.write(page)
